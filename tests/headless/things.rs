//! How the quick AI of Skirmish uses spells, items and talk: its first answer in small battles.

use fivefoot_core::control::Controller;
use fivefoot_core::{
    battle::{Battle, DiceBox, level_setup},
    control::Quick,
    rulesets::skirmish::RULESET,
};

/// A battle that the party begins, because it wins initiative.
fn begun(map: &str, combatants: &str, more: &str, dice: &[(u16, u16)]) -> (Battle, Quick) {
    let text = format!(
        r#"(
            title: "Small", map: [{map}],
            sides: [(id: "party"), (id: "foes")],
            combatants: [{combatants}],
            {more}
        )"#
    );
    let setup = level_setup(&fivefoot_kit::level(&text));
    let dice = [(8, 8), (8, 1)].into_iter().chain(dice.iter().copied());
    let battle = Battle::new(setup.clone(), &RULESET, DiceBox::scripted(dice));
    let side = battle.asked().expect("a unit is asked").side;
    (battle, Quick::new(&setup, &RULESET, side))
}

/// The first order of the party's first unit.
fn first(map: &str, combatants: &str, more: &str) -> String {
    let (mut battle, _) = begun(map, combatants, more, &[]);
    let who = battle.asked().expect("a unit is asked").actors[0];
    battle.quick_answer_of(who, None).0.text(battle.names())
}

const ROOM: &str = r#""..............", "..............", "..............", "..............""#;

/// SK-70: a blast goes where it hits three enemies and no ally; with allies all around the enemy,
/// every blast on it would hit them. Healing a badly hurt ally comes before an attack with a mace,
/// and holding a single strong enemy is better than a weak attack on it.
#[test]
fn the_first_spell_suits_the_battle() {
    let cases = [
        (
            r#"(kind: "ysolde", name: "alice", side: "party", at: (0, 0)),
               (kind: "goblin", side: "foes", at: [(9, 0), (9, 1), (10, 2)])"#,
            "alice: cast flame burst over",
        ),
        (
            r#"(kind: "ysolde", name: "alice", side: "party", at: (0, 0)),
               (kind: "mara", side: "party", at: [(8, 0), (10, 0), (8, 1), (10, 1)], hp: 3),
               (kind: "goblin", side: "foes", at: (9, 0))"#,
            "alice: cast fire bolt at goblin",
        ),
        (
            r#"(kind: "anselm", name: "alice", side: "party", at: (3, 0)),
               (kind: "mara", name: "bob", side: "party", at: (6, 1), hp: 1),
               (kind: "ogre", side: "foes", at: (7, 1))"#,
            "alice: cast mend at bob",
        ),
        (
            r#"(kind: "ysolde", name: "alice", side: "party", at: (0, 0), with: (spells: ["still", "guarding_word"])),
               (kind: "mara", name: "bob", side: "party", at: (4, 1)),
               (kind: "ogre", side: "foes", at: (6, 1))"#,
            "alice: cast still at ogre",
        ),
    ];
    for (combatants, wanted) in cases {
        let order = first(ROOM, combatants, "");
        assert!(order.starts_with(wanted), "{order}");
    }
}

/// SK-20: the AI calls for parley with enemies of low morale that have an exit to flee to.
#[test]
fn timid_enemies_are_offered_parley() {
    let timid = r#"(kind: "anselm", name: "alice", side: "party", at: (0, 0), with: (skills: (talk: 3), spells: [])),
           (kind: "bandit", side: "foes", at: [(13, 0), (13, 1), (13, 2), (13, 3)], with: (morale: 5))"#;
    let exits = r#"exits: [(at: (13, 0), sides: ["foes"])],"#;
    let order = first(ROOM, timid, exits);
    assert_eq!(order, "alice: call for parley");
    // Without an exit they would only fight on.
    let order = first(ROOM, timid, "");
    assert_ne!(order, "alice: call for parley");
    // Units that suspect nothing are not called awake (SK-56).
    let unaware = timid.replace("with: (morale", "awareness: Unaware, with: (morale");
    let order = first(ROOM, &unaware, exits);
    assert_ne!(order, "alice: call for parley");
    let fearless = timid.replace("morale: 5", "morale: Fearless");
    let order = first(ROOM, &fearless, exits);
    assert_ne!(order, "alice: call for parley");
}

/// SK-23: an unarmed unit picks up a sword, which is better than fists.
#[test]
fn unarmed_units_pick_up_weapons() {
    let (mut battle, mut quick) = begun(
        r#""......", "......""#,
        r#"(kind: "mara", name: "alice", side: "party", at: (0, 0), with: (weapons: ["great_sword"])),
           (kind: "goblin", side: "foes", at: (5, 0), with: (weapons: []))"#,
        "",
        &[],
    );
    battle.order("alice: drop great sword").expect("it is Free");
    let order = quick.choose(&mut battle).text(battle.names());
    assert_eq!(order, "alice: pick up great sword at 0,0");
}

/// SK-22: a unit without training reloads after the shot.
#[test]
fn untrained_units_reload_after_the_shot() {
    let (mut battle, mut quick) = begun(
        r#""..................""#,
        r#"(kind: "tobin", name: "alice", side: "party", at: (0, 0), with: (weapons: ["long_bow"], skills: (shoot: 0))),
           (kind: "goblin", side: "foes", at: (17, 0), with: (weapons: [], skirmish: (ac: 18, hp: 9)))"#,
        "",
        &[(20, 1)],
    );
    let shot = "alice: shoot at goblin with long bow";
    battle.order(shot).expect("it is loaded");
    let order = quick.choose(&mut battle).text(battle.names());
    assert_eq!(order, "alice: reload long bow");
}
