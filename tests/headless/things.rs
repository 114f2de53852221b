//! What the AI of Skirmish makes of spells, things and words: its first answer
//! in a small battle.

use fivefoot_core::{
    battle::{Battle, DiceBox, level_setup},
    control::{Controller, Quick},
    levels::check_file,
    rulesets::skirmish::RULESET,
};
use std::sync::Arc;

/// A battle of the party, which begins: it has the better of the two dice.
fn begun(map: &str, combatants: &str, more: &str, dice: &[(u16, u16)]) -> (Battle, Quick) {
    let text = format!(
        r#"(
            title: "Small", map: [{map}],
            sides: [(id: "party"), (id: "foes")],
            combatants: [{combatants}],
            {more}
        )"#
    );
    let level = match check_file("small.ron", &text) {
        Ok((level, _)) => Arc::new(level),
        Err(problems) => panic!("{}", problems[0]),
    };
    let setup = level_setup(&level);
    let dice = [(8, 8), (8, 1)].into_iter().chain(dice.iter().copied());
    let battle = Battle::new(setup.clone(), &RULESET, DiceBox::scripted(dice));
    let side = battle.asked().expect("somebody is asked").side;
    (battle, Quick::new(&setup, &RULESET, side))
}

/// What the party's first member does, as soon as it acts.
fn first(map: &str, combatants: &str, more: &str) -> String {
    let (mut battle, _) = begun(map, combatants, more, &[]);
    let who = battle.asked().expect("somebody is asked").actors[0];
    battle.quick_answer_of(who, None).0.text(battle.names())
}

const ROOM: &str = r#""..............", "..............", "..............", "..............""#;

/// SK-70: where three foes stand and no friend.
#[test]
fn a_blast_goes_where_it_takes_foes() {
    let order = first(
        ROOM,
        r#"(kind: "ysolde", name: "alice", side: "party", at: (0, 0)),
           (kind: "goblin", side: "foes", at: [(9, 0), (9, 1), (10, 2)])"#,
        "",
    );
    assert!(order.starts_with("alice: cast flame burst over"), "{order}");
}

/// Ours are all around the one foe: no blast reaches it without them.
#[test]
fn a_blast_spares_friends() {
    let order = first(
        ROOM,
        r#"(kind: "ysolde", name: "alice", side: "party", at: (0, 0)),
           (kind: "mara", side: "party", at: [(8, 0), (10, 0), (8, 1), (10, 1)], hp: 3),
           (kind: "goblin", side: "foes", at: (9, 0))"#,
        "",
    );
    assert_eq!(order, "alice: cast fire bolt at goblin");
}

/// A comrade who is badly hurt goes before a blow with a mace.
#[test]
fn the_hurt_are_mended() {
    let order = first(
        ROOM,
        r#"(kind: "anselm", name: "alice", side: "party", at: (3, 0)),
           (kind: "mara", name: "bob", side: "party", at: (6, 1), hp: 1),
           (kind: "ogre", side: "foes", at: (7, 1))"#,
        "",
    );
    assert_eq!(order, "alice: cast mend at bob");
}

/// One brute is better held than singed.
#[test]
fn a_brute_is_held() {
    let order = first(
        ROOM,
        r#"(kind: "ysolde", name: "alice", side: "party", at: (0, 0), with: (spells: ["still", "guarding_word"])),
           (kind: "mara", name: "bob", side: "party", at: (4, 1)),
           (kind: "ogre", side: "foes", at: (6, 1))"#,
        "",
    );
    assert_eq!(order, "alice: cast still at ogre");
}

/// SK-20: those who lose heart easily, and have somewhere to run to.
#[test]
fn cowards_are_talked_to() {
    let timid = r#"(kind: "anselm", name: "alice", side: "party", at: (0, 0), with: (skills: (talk: 3), spells: [])),
           (kind: "bandit", side: "foes", at: [(13, 0), (13, 1), (13, 2), (13, 3)], with: (morale: 5))"#;
    let exits = r#"exits: [(at: (13, 0), sides: ["foes"])],"#;
    let order = first(ROOM, timid, exits);
    assert_eq!(order, "alice: call for parley");
    // With nowhere to run to they would only fight on.
    let order = first(ROOM, timid, "");
    assert_ne!(order, "alice: call for parley");
    let fearless = timid.replace("morale: 5", "morale: Fearless");
    let order = first(ROOM, &fearless, exits);
    assert_ne!(order, "alice: call for parley");
}

/// SK-23: better a sword than fists.
#[test]
fn the_unarmed_take_up_what_lies_about() {
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

/// SK-22: who is not trained loads again after the shot.
#[test]
fn the_untrained_load_again() {
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
