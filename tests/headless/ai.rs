//! What the quick AI and the strategist do: obstacles in the way, and the actions they choose.

use crate::kit::between;
use fivefoot_core::{
    battle::{Battle, DiceBox, EventKind, Offers, Replica, Roster, Ruleset, Side, level_setup},
    control::{Controller, Controllers, Player, Strategist, play},
    grid::Cell,
    levels,
    rulesets::ALL,
};
use fivefoot_kit::small_levels::small_level;
use std::{collections::BTreeSet, sync::Arc};

/// A finished battle of quick AI against quick AI.
fn fought(text: &str) -> Battle {
    fought_under(ALL[0], text)
}

fn fought_under(rules: &'static Ruleset, text: &str) -> Battle {
    let (level, _) = levels::check_file("test.ron", text).expect("the level is right");
    let setup = level_setup(&Arc::new(level));
    let mut battle = Battle::new(setup.clone(), rules, DiceBox::seeded(7));
    let mut controllers = Controllers::new(&[Player::Quick, Player::Quick], &setup, rules, 7);
    play(&mut battle, &mut controllers, 10_000);
    battle
}

/// Two rooms, joined only by a closed door.
const ROOMS: &str = r##"(
    title: "Two rooms",
    map: [
        "....#....",
        "....+....",
        "....#....",
    ],
    sides: [(id: "west"), (id: "east")],
    combatants: [
        (kind: "mara", side: "west", at: (0, 1)),
        (kind: "brandt", side: "west", at: (0, 0)),
        (kind: "goblin", side: "east", at: [(8, 0), (8, 2)]),
    ],
)"##;

#[test]
fn a_door_in_the_way_is_opened_gr_02() {
    let battle = fought(ROOMS);
    let at = |is: &dyn Fn(&EventKind) -> bool| battle.events().iter().position(|e| is(&e.what));
    let opened = at(&|what| matches!(what, EventKind::DoorMoved { open: true, .. }));
    let struck = at(&|what| matches!(what, EventKind::AttackRolled { .. }));
    // The sides see each other only once the door is open.
    assert!(opened.is_some() && opened < struck, "{opened:?} {struck:?}");
    assert!(battle.over().is_some_and(|won| won.is_some()));
}

#[test]
fn the_quick_ai_walks_around_a_wall() {
    // The only way is a long detour.
    let walled = ROOMS.replace(r#""....+....","#, r#""....#....","#).replace(
        r#""....#....",
    ],"#,
        r#"".........",
    ],"#,
    );
    assert!(!walled.contains('+') && walled.contains("\n        \".........\","));
    let battle = fought(&walled);
    assert!(battle.over().is_some_and(|won| won.is_some()));
}

/// A ridge that must be climbed, and no enemy to fight.
const RIDGE: &str = r##"(
    title: "A ridge",
    map: [
        "....................^^.####",
        "....................^^.#..#",
        "....................^^.####",
    ],
    legend: { '^': (floor: 10, climbable: true) },
    sides: [(id: "west"), (id: "east")],
    combatants: [
        (kind: "brandt", side: "west", at: (0, 1)),
        (kind: "goblin", side: "east", at: (24, 1)),
    ],
    objectives: [
        (side: "west", goal: Reach(area: Rect((21, 0), (21, 2)), count: 1), text: "Get onto the ridge"),
    ],
    last_round: 12,
)"##;

#[test]
fn the_quick_ai_climbs_a_steep_slope_under_all_rules_gr_32() {
    for rules in ALL {
        let battle = fought_under(rules, RIDGE);
        assert_eq!(battle.over(), Some(Some(Side(0))), "{}", rules.id);
    }
}

/// Actions that the quick AI does not choose in these battles, by ruleset: they are of no use to
/// it, or rare in the built-in levels.
const SELDOM: [(&str, &[&str]); 6] = [
    (
        "Skirmish",
        &[
            "break free",
            "cast towards",
            "close door",
            "drag",
            "draw second",
            "drop",
            "end turn",
            "execute from afar",
            "go prone",
            "hurl",
            "leave",
            "put away",
            "ready",
            "release",
            "roll a check again",
            "shove",
            "shove down",
            "snap throw",
            "stalk",
            "stow",
        ],
    ),
    (
        "Segments",
        &[
            "close door",
            "declare the rest",
            "draw",
            "drop",
            "end turn",
            "leave",
            "let go",
            "meet the charge",
            "pass",
            "pick up",
            "put away",
            "set spear",
            "strike at the back",
            "unpack",
        ],
    ),
    (
        "Phased",
        &[
            "cast at once",
            "close door",
            "declare after",
            "declare no more",
            "delay",
            "draw",
            "drop",
            "drop shield",
            "end turn",
            "go prone",
            "grab",
            "leave",
            "meet the charge",
            "sheathe",
            "unpack",
            "use",
            "use there",
        ],
    ),
    (
        "Speed",
        &[
            "acid injury",
            "blunt injury",
            "break free",
            "chopping injury",
            "close door",
            "cold injury",
            "crawl",
            "defensive move",
            "douse",
            "electric injury",
            "fire injury",
            "flee",
            "go prone",
            "holy injury",
            "leave",
            "pick up",
            "piercing injury",
            "slashing injury",
            "sonic injury",
            "unholy injury",
            "use",
            "use on",
        ],
    ),
    (
        "Activity",
        &[
            "close door",
            "leave",
            "pass",
            "pick up",
            "plan chi defense",
            "plan drop",
            "plan let go",
            "plan perception",
            "plan pick up",
            "wait",
        ],
    ),
    ("Demo", &[]),
];

/// Over many battles, the quick AI chooses every action except those in [`SELDOM`]. An action that
/// it never chooses is one that it cannot judge.
#[test]
fn the_quick_ai_chooses_every_action() {
    for (id, seldom) in SELDOM {
        let rules = fivefoot_core::rulesets::KNOWN
            .iter()
            .find(|rules| rules.id == id);
        let rules = rules.expect("a ruleset");
        let mut unused: BTreeSet<&str> = rules.verbs().iter().map(|verb| verb.name).collect();
        for level in fivefoot_core::levels::built_in() {
            for seed in 0..fivefoot_kit::sample(4, 12) {
                let battle = between(level, rules, &[Player::Quick], seed);
                for choice in battle.answers() {
                    unused.remove(choice.verb.name);
                }
            }
        }
        unused.retain(|name| !seldom.contains(name));
        assert!(unused.is_empty(), "{id}: it never chooses {unused:?}");
    }
}

/// A strategist reuses its forks: for a whole battle it creates only as many worlds as it plays out
/// at a time.
#[test]
fn a_strategist_reuses_its_forks() {
    let mut thoughts = 0;
    for rules in ALL {
        let setup = level_setup(&small_level(1));
        let mut battle = Battle::new(setup.clone(), rules, DiceBox::seeded(1));
        let mut strategist = Strategist::new(&setup, rules, Side(0), 6, 1);
        for _ in 0..40 {
            let Some(side) = battle.asked().map(|asked| asked.side) else {
                break;
            };
            let choice = match side == Side(0) {
                true => strategist.choose(&mut battle),
                false => battle.quick_answer(None),
            };
            thoughts += u32::from(side == Side(0) && strategist.thought().is_some());
            battle.answer(choice).expect("it is legal");
        }
        assert!(battle.free_worlds() <= 2, "{}", rules.id);
    }
    assert!(thoughts > 10, "{thoughts}");
}

/// The battle lists all destinations of a move in one offer. The quick AI rates them together and
/// picks what it would pick if each destination were an offer of its own, and each destination is a
/// legal answer.
#[test]
fn grouped_moves_are_rated_like_single_moves() {
    for rules in ALL {
        let mut moves = 0;
        for seed in 1..4 {
            let setup = level_setup(&small_level(seed));
            let mut battle = Battle::new(setup.clone(), rules, DiceBox::seeded(seed));
            let sides = battle.world().resource::<Roster>().sides();
            let mut eyes: Vec<Replica> = sides
                .map(|side| Replica::new(&setup, rules, Some(side)))
                .collect();
            for _ in 0..60 {
                let Some(asked) = battle.asked().cloned() else {
                    break;
                };
                let eyes = &mut eyes[asked.side.index()];
                for &who in &asked.actors {
                    let chosen = battle.quick_answer_of(who, Some(eyes));
                    let is_turn = matches!(asked.offers, Offers::ByActor(_));
                    if is_turn
                        && battle
                            .with_world(|world| (rules.few_offers)(world, who))
                            .is_some()
                    {
                        continue;
                    }
                    let each = battle.offers_of(who);
                    assert!(each.iter().all(|offer| offer.ends.is_none()));
                    let alone = (rules.policy)(battle.known(eyes), who, &each);
                    assert_eq!(chosen, alone, "{}, seed {seed}", rules.id);
                    let legal = each.iter().filter(|o| o.is_legal() && o.numbers.is_none());
                    for offer in legal.filter(|o| o.choice.to.is_some()) {
                        moves += 1;
                        assert_eq!(battle.check(&offer.choice), Ok(()), "{}", rules.id);
                        let nowhere = offer.choice.clone().to(Cell::new(-1, 0));
                        assert!(battle.check(&nowhere).is_err(), "{}", rules.id);
                    }
                }
                let choice = battle.quick_answer(Some(eyes));
                battle.answer(choice).expect("it is legal");
            }
        }
        assert!(moves > 50, "{}: {moves} moves", rules.id);
    }
}
