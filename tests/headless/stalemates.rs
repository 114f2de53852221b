//! Stalemates (OP-07), surrender (OP-08), and small levels on which AIs once failed to fight.

use crate::kit::{begun, between, lines};
use fivefoot_core::{
    battle::{
        Battle, Body, Choice, DiceBox, End, EventKind, Id, ItemPlace, Refused, Roster, Ruleset,
        Side, State, level_setup, of_unit, surrender,
    },
    control::Player,
    levels::{self, Level},
    rulesets::{ALL, find},
};
use fivefoot_kit::{level, sample};
use std::{collections::BTreeSet, sync::Arc};

/// A finished battle with the same player on all sides.
fn fight(level: &Arc<Level>, rules: &'static Ruleset, player: Player, seed: u64) -> Battle {
    between(level, rules, &[player], seed)
}

fn quick(level: &Arc<Level>, rules: &'static Ruleset, seed: u64) -> Battle {
    fight(level, rules, Player::Quick, seed)
}

/// The round of the first event that matches, or `None`.
fn first_round(battle: &Battle, is_it: impl Fn(&EventKind) -> bool) -> Option<u16> {
    let mut round = 0;
    for event in battle.events() {
        if let EventKind::RoundBegan { round: begun } = event.what {
            round = begun;
        }
        if is_it(&event.what) {
            return Some(round);
        }
    }
    None
}

fn is_attack(what: &EventKind) -> bool {
    matches!(what, EventKind::AttackRolled { .. })
}

fn rounds(battle: &Battle) -> usize {
    let ends = battle.events().iter();
    ends.filter(|e| matches!(e.what, EventKind::RoundEnded))
        .count()
}

/// Two rooms without a door between them.
fn sealed(more: &str) -> Arc<Level> {
    level(&format!(
        r##"(
            title: "Sealed off",
            map: ["...#...", "...#...", "...#..."],
            sides: [(id: "west", name: "The west"), (id: "east", name: "The east")],
            combatants: [
                (kind: "brandt", side: "west", at: (0, 1), with: (weapons: ["sword"])),
                (kind: "zombie", side: "east", at: [(5, 0), (6, 2)]),
            ],
            {more}
        )"##
    ))
}

/// A level for two sides, `a` and `b`, with a map and more fields.
fn duel(fields: &str, units: &str) -> Arc<Level> {
    let sides = r#"sides: [(id: "a"), (id: "b")]"#;
    level(&format!(
        "(title: \"Two sides\", {fields} {sides}, combatants: [{units}])"
    ))
}

#[test]
fn ten_rounds_without_progress_are_a_draw_op_07() {
    for rules in ALL {
        let battle = quick(&sealed(""), rules, 1);
        assert_eq!(battle.over(), Some(None), "{}", rules.id);
        assert_eq!(battle.end(), Some(End::Stalemate), "{}", rules.id);
        // Units first approach as far as the wall allows.
        assert!(
            (10..=13).contains(&rounds(&battle)),
            "{}: {}",
            rules.id,
            rounds(&battle)
        );
        let lines = lines(&battle);
        for text in [
            "No side has got anywhere for 5 rounds: after 5 more the battle is a draw",
            "The west can reach or harm no enemy",
            "The east can reach or harm no enemy",
        ] {
            let said = lines.iter().filter(|line| *line == text).count();
            assert_eq!(said, 1, "{}: {text}", rules.id);
        }
    }
}

#[test]
fn a_level_can_set_or_turn_off_the_stalemate_op_07() {
    for rules in ALL {
        let soon = quick(&sealed("stalemate: 3,"), rules, 1);
        assert_eq!(soon.end(), Some(End::Stalemate), "{}", rules.id);
        assert!(rounds(&soon) <= 6, "{}: {}", rules.id, rounds(&soon));
        let never = quick(&sealed("stalemate: 0, last_round: 20,"), rules, 1);
        assert_eq!(never.end(), Some(End::RoundLimit), "{}", rules.id);
        assert_eq!(rounds(&never), 20, "{}", rules.id);
    }
}

#[test]
fn a_side_that_must_survive_can_still_win_op_07() {
    let objective = r#"objectives: [(side: "west", goal: Survive(rounds: 15))],"#;
    for rules in ALL {
        let battle = quick(&sealed(objective), rules, 1);
        assert_eq!(battle.over(), Some(Some(Side(0))), "{}", rules.id);
        assert_eq!(rounds(&battle), 15, "{}", rules.id);
    }
}

#[test]
fn expected_reinforcements_prevent_a_stalemate_op_07() {
    let late = r#"reinforcements: [
        (round: 14, combatants: [(kind: "zombie", name: "late", side: "east", at: (0, 0))]),
    ],"#;
    for rules in ALL {
        let battle = quick(&sealed(late), rules, 1);
        let came = first_round(&battle, |what| matches!(what, EventKind::Entered { .. }));
        assert_eq!(came, Some(14), "{}", rules.id);
        assert!(first_round(&battle, is_attack).is_some(), "{}", rules.id);
    }
}

/// A unit on an island, and several enemies that cannot get there.
fn island(more: &str) -> Arc<Level> {
    level(&format!(
        r##"(
            title: "An island",
            map: ["...........", "...#####...", "...#.#.#...", "...#####...", "..........."],
            sides: [(id: "party", name: "The party"), (id: "goblins", name: "The goblins")],
            combatants: [
                (kind: "troll", side: "party", at: [(0, 0), (0, 3), (8, 0), (8, 3)]),
                (kind: "goblin", side: "goblins", at: (4, 2), hp: 1, with: (weapons: ["dagger"])),
            ],
            {more}
        )"##
    ))
}

#[test]
fn an_ai_that_cannot_win_surrenders_op_08() {
    for rules in ALL {
        // Under Speed, morale ends such a battle first (SP-30).
        if rules.id == "Speed" {
            continue;
        }
        for player in [Player::Quick, Player::Easy, Player::Strategist(4)] {
            let battle = fight(&island(""), rules, player, 1);
            let name = format!("{} {}", rules.id, player.name());
            assert_eq!(battle.over(), Some(Some(Side(0))), "{name}");
            assert!(battle.answers().contains(&surrender(Side(1))), "{name}");
            assert!(
                lines(&battle).contains(&"The goblins surrender".into()),
                "{name}"
            );
            assert!(rounds(&battle) < 8, "{name}: {}", rounds(&battle));
            // Surrender is an answer like any other, so the battle replays.
            let again = battle.at(battle.answers().len());
            assert_eq!(again.over(), battle.over(), "{name}");
        }
        let never = quick(&island("surrender: false,"), rules, 1);
        assert_eq!(never.end(), Some(End::Stalemate), "{}", rules.id);
        // A side that can still complete an objective does not surrender.
        let goal = r#"objectives: [(side: "goblins", goal: Capture(area: (4, 2), rounds: 30))],"#;
        let keeps = quick(&island(goal), rules, 1);
        assert!(
            !keeps.answers().contains(&surrender(Side(1))),
            "{}",
            rules.id
        );
    }
}

#[test]
fn a_surrender_is_an_order_and_ends_with_the_round_op_08() {
    let field = |more: &str| {
        level(&format!(
            r##"(
                title: "Field",
                map: ["........", "........", "........"],
                sides: [(id: "a"), (id: "b"), (id: "c")],
                combatants: [
                    (kind: "brandt", side: "a", at: (0, 0)),
                    (kind: "goblin", side: "b", at: [(7, 0), (7, 1)]),
                    (kind: "goblin", side: "c", at: (0, 2)),
                ],
                {more}
            )"##
        ))
    };
    for rules in ALL {
        let mut battle = begun(&field(""), rules, 3);
        let mut surrendered = false;
        let mut before = 0;
        while let Some(asked) = battle.asked() {
            if surrendered && rounds(&battle) > before {
                let state = |id: u16| of_unit::<Body>(battle.world(), Id(id)).state;
                assert!(
                    state(1) != State::Up && state(2) != State::Up,
                    "{}",
                    rules.id
                );
            }
            if asked.side == Side(1) && !surrendered {
                (surrendered, before) = (true, rounds(&battle));
                battle.order("b: surrender").expect("it may");
                assert!(
                    battle.asked().is_some(),
                    "{}: the question stays open",
                    rules.id
                );
                let again = battle.order("b: surrender");
                assert!(matches!(again, Err(Refused::Impossible(_))), "{}", rules.id);
                continue;
            }
            let choice = battle.quick_answer(None);
            battle.answer(choice).expect("it is legal");
        }
        assert!(surrendered, "{}", rules.id);
        assert_ne!(battle.over(), Some(Some(Side(1))), "{}", rules.id);

        let mut battle = begun(&field("surrender: false,"), rules, 3);
        let side = battle.asked().expect("a side is asked").side;
        let refused = battle.answer(surrender(side));
        assert!(
            matches!(refused, Err(Refused::Impossible(_))),
            "{}",
            rules.id
        );
    }
}

/// Only the side that has the decision can surrender.
#[test]
fn a_side_cannot_surrender_for_another_op_08() {
    for rules in ALL {
        let mut battle = begun(&island(""), rules, 1);
        let asked = battle.asked().expect("a side is asked").side;
        let other: Choice = surrender(Side(1 - asked.0));
        assert!(
            matches!(battle.answer(other), Err(Refused::NotOffered(_))),
            "{}",
            rules.id
        );
    }
}

#[test]
fn lines_on_open_ground_meet_by_round_6() {
    let row = format!("\"{}\",", ".".repeat(40));
    let text = format!(
        r##"(
            title: "Field",
            map: [{}],
            sides: [(id: "a"), (id: "b")],
            combatants: [
                (kind: "goblin", side: "a", at: [(0, 0), (2, 0)]),
                (kind: "goblin", side: "b", at: [(0, 10), (2, 10)]),
            ],
        )"##,
        row.repeat(12)
    );
    let level = level(&text);
    for rules in ALL {
        for seed in 1..6 {
            // Under Speed, intimidation alone can end the battle.
            let is_hostile = |what: &EventKind| match what {
                EventKind::Checked(check) => check.what == "intimidate",
                _ => is_attack(what),
            };
            let first = first_round(&quick(&level, rules, seed), is_hostile);
            assert!(
                first.is_some_and(|round| round <= 6),
                "{} {seed}: {first:?}",
                rules.id
            );
        }
    }
}

#[test]
fn three_sides_at_close_range_end_the_battle() {
    let level = level(
        r#"(
            title: "Three sides",
            map: ["....", "....", "....", "...."],
            sides: [(id: "a"), (id: "b"), (id: "c")],
            combatants: [
                (kind: "goblin", side: "a", at: (0, 0), with: (morale: Fearless)),
                (kind: "goblin", side: "b", at: (3, 0), with: (morale: Fearless)),
                (kind: "goblin", side: "c", at: (0, 3), with: (morale: Fearless)),
            ],
        )"#,
    );
    for rules in ALL {
        let decided = |seed: &u64| quick(&level, rules, *seed).over().flatten().is_some();
        let decided = (1..11).filter(decided).count();
        assert!(decided >= 8, "{}: {decided} of 10", rules.id);
    }
    let speed = find("speed").expect("it is one of the five");
    let battle = fight(&level, speed, Player::Strategist(8), 1);
    assert!(battle.over().flatten().is_some(), "the strategist");
}

#[test]
fn a_stalking_unit_attacks_after_its_minute_sk_56() {
    let kinds: BTreeSet<&str> = [
        "ysolde", "goblin", "mara", "ogre", "wolf", "bandit", "tobin",
    ]
    .into();
    for kind in kinds {
        let level = level(&format!(
            r#"(
                title: "Stalking",
                map: ["........", "........", "........"],
                sides: [(id: "a"), (id: "b", awareness: Unaware)],
                combatants: [
                    (kind: {kind:?}, side: "a", at: (0, 1)),
                    (kind: "osk", side: "b", at: (4, 1)),
                ],
            )"#
        ));
        let battle = quick(&level, ALL[0], 1);
        let is_execution = |what: &EventKind| match what {
            EventKind::Acted { choice } => choice.verb.name.starts_with("execut"),
            _ => false,
        };
        let round = first_round(&battle, is_execution);
        assert!(round.is_some_and(|round| round <= 13), "{kind}: {round:?}");
    }
}

#[test]
fn one_of_two_doors_touching_at_a_corner_is_opened() {
    let level = duel(
        r##"map: ["#.+.....", "#+......"],"##,
        r#"(kind: "osk", side: "a", at: (1, 0)),
           (kind: "bandit", side: "b", at: (7, 1)),"#,
    );
    for rules in ALL {
        let battle = quick(&level, rules, 1);
        let opened = first_round(&battle, |what| matches!(what, EventKind::DoorMoved { .. }));
        assert!(opened.is_some(), "{}", rules.id);
        assert!(battle.over().flatten().is_some(), "{}", rules.id);
    }
}

#[test]
fn an_archer_shoots_at_an_enemy_in_a_pit() {
    let level = duel(
        r#"map: ["........", "......v.", "........"],
           legend: {'v': (floor: -10)},"#,
        r#"(kind: "tobin", side: "a", at: (0, 1)),
           (kind: "zombie", side: "b", at: (6, 1)),"#,
    );
    for rules in ALL {
        let battle = quick(&level, rules, 1);
        let shoots = |what: &EventKind| match what {
            EventKind::AttackRolled { rolled_attack } => {
                rolled_attack.attack.by == Id(0) && rolled_attack.attack.ranged
            }
            _ => false,
        };
        if rules.id == "Phased" {
            // PH-27: from the edge, the enemy is completely behind cover, so neither unit can act.
            assert_eq!(battle.end(), Some(End::Stalemate), "{}", rules.id);
            continue;
        }
        assert!(
            first_round(&battle, shoots).is_some(),
            "{}: no shot",
            rules.id
        );
        // The bow is useful here and the sword is not. Under Skirmish drawing is free, so it does
        // not matter.
        if rules.id == "Skirmish" {
            continue;
        }
        let draws = |what: &EventKind| match what {
            EventKind::Shifted { who, item, to, .. } => {
                *who == Id(0)
                    && *to == ItemPlace::Hand
                    && battle.names().item(*item).contains("sword")
            }
            _ => false,
        };
        assert_eq!(
            first_round(&battle, draws),
            None,
            "{}: a sword is drawn",
            rules.id
        );
    }
}

/// Two units with melee weapons, one at the bottom of a pit.
fn over_a_pit(pit: &str) -> Arc<Level> {
    level(&format!(
        r##"(
            title: "A fight over a pit",
            map: ["........", "......v.", "........"],
            legend: {{'v': ({pit})}},
            sides: [(id: "a", name: "The party"), (id: "b", name: "The bandits")],
            combatants: [
                (kind: "osk", side: "a", at: (5, 1), with: (weapons: ["battle_axe"])),
                (kind: "bandit", side: "b", at: (6, 1), with: (weapons: ["short_sword"])),
            ],
        )"##
    ))
}

/// The climb costs 40 ft or 120 ft, more than a move under some or all rulesets.
#[test]
fn a_unit_climbs_out_of_a_deep_pit_gr_32() {
    for rules in ALL {
        for pit in ["floor: -20, climbable: true", "floor: -60, climbable: true"] {
            let battle = quick(&over_a_pit(pit), rules, 1);
            assert!(battle.over().flatten().is_some(), "{} {pit}", rules.id);
        }
    }
}

#[test]
fn a_pit_without_a_way_in_or_out_is_told_op_07() {
    let battle = quick(&over_a_pit("floor: -20"), ALL[0], 1);
    assert_eq!(battle.end(), Some(End::Stalemate));
    let lines = lines(&battle);
    for text in [
        "The party can reach or harm no enemy",
        "The bandits can reach or harm no enemy",
    ] {
        assert!(lines.iter().any(|line| line == text), "{text}");
    }
}

#[test]
fn a_slowing_spell_avoids_allies() {
    let level = duel(
        r#"map: ["...........", "...........", "...........", "...........", "..........."],
           kinds: (
               spells: {"hex": (range: 60, area: Blast(10), effect: Lasts(condition: "slowed", rounds: 3))},
               creatures: {"hexer": (hit_dice: 2, weapons: ["dagger"], spells: ["hex"], morale: Fearless)},
           ),"#,
        r#"(kind: "hexer", side: "a", at: (0, 2), name: "hexer"),
           (kind: "hobgoblin", side: "a", at: [(4, 1), (4, 2), (4, 3), (5, 1), (5, 3)], name: "friend"),
           (kind: "ogre", side: "b", at: (5, 2), name: "foe", with: (size: 1)),"#,
    );
    let enemy = Id(6);
    for rules in ALL {
        for seed in 1..6 {
            let battle = quick(&level, rules, seed);
            for event in battle.events() {
                if let EventKind::Caught { who, .. } = &event.what {
                    let friends = who.iter().filter(|id| **id != enemy).count();
                    // Slowing two allies costs more than slowing one enemy gains.
                    assert!(friends < 2, "{} {seed}: {who:?}", rules.id);
                }
            }
        }
    }
}

/// A helpful spell is worth less if it also helps enemies.
#[test]
fn a_helpful_spell_avoids_enemies() {
    let level = duel(
        r#"map: ["...........", "...........", "...........", "...........", "..........."],
           kinds: (
               spells: {"shield": (range: 60, area: Blast(10), effect: Ward(ac: 4, rounds: 3))},
               creatures: {"priest": (hit_dice: 2, weapons: ["dagger"], spells: ["shield"], morale: Fearless)},
           ),"#,
        r#"(kind: "priest", side: "a", at: (0, 2), name: "priest"),
           (kind: "hobgoblin", side: "a", at: (5, 2), name: "friend"),
           (kind: "hobgoblin", side: "b", at: [(4, 1), (4, 2), (4, 3), (6, 2)], name: "foe"),"#,
    );
    for rules in ALL {
        for seed in 1..6 {
            let battle = quick(&level, rules, seed);
            for event in battle.events() {
                if let EventKind::Caught { who, .. } = &event.what {
                    let enemies = who.iter().filter(|id| id.0 >= 2).count();
                    assert!(enemies * 2 <= who.len(), "{} {seed}: {who:?}", rules.id);
                }
            }
        }
    }
}

/// An archer moves to where it can shoot, not to where it merely sees its enemy (PH-27).
#[test]
fn archers_shoot_in_most_rounds_ph_27() {
    let level = duel(
        r#"map: [
               "....,..=.#..",
               "......o..~..",
               "...~.......#",
               ".#..#.~..=.=",
               ",,=.#.......",
           ],"#,
        r#"(kind: "goblin_archer", side: "a", at: (0, 0), with: (morale: Fearless)),
           (kind: "goblin_archer", side: "b", at: (11, 4), with: (morale: Fearless)),"#,
    );
    let phased = find("phased").expect("it is one of the five");
    let (mut all, mut quiet) = (0, 0);
    for seed in 1..21 {
        let battle = quick(&level, phased, seed);
        let parts = battle
            .events()
            .split(|e| matches!(e.what, EventKind::RoundEnded));
        for round in parts {
            all += 1;
            quiet += usize::from(!round.iter().any(|e| is_attack(&e.what)));
        }
        assert!(battle.end().is_some_and(is_decided), "seed {seed}");
    }
    assert!(quiet * 10 <= all, "{quiet} of {all} rounds without a shot");
}

#[test]
fn units_approach_over_any_distance() {
    let row = ",".repeat(110);
    let level = level(&format!(
        r##"(
            title: "A long way",
            map: ["{row}"],
            sides: [(id: "party"), (id: "goblins")],
            combatants: [
                (kind: "goblin", side: "party", at: (0, 0)),
                (kind: "goblin", side: "goblins", at: (109, 0)),
            ],
        )"##
    ));
    for rules in ALL {
        let battle = quick(&level, rules, 1);
        assert!(first_round(&battle, is_attack).is_some(), "{}", rules.id);
        assert!(battle.end().is_some_and(is_decided), "{}", rules.id);
    }
}

#[test]
fn archers_on_a_large_map_do_not_walk_along_its_edge() {
    let row = format!("\"{}\",", ".".repeat(60));
    let level = level(&format!(
        r##"(
            title: "Archers",
            map: [{}],
            sides: [(id: "a"), (id: "b")],
            combatants: [
                (kind: "goblin_archer", side: "a", at: [(2, 20), (2, 22)]),
                (kind: "goblin_archer", side: "b", at: [(51, 20), (51, 22)]),
            ],
        )"##,
        row.repeat(40)
    ));
    for rules in ALL {
        let battle = quick(&level, rules, 1);
        let first = first_round(&battle, is_attack);
        assert!(
            first.is_some_and(|round| round <= 10),
            "{}: {first:?}",
            rules.id
        );
        assert!(battle.end().is_some_and(is_decided), "{}", rules.id);
    }
}

/// The bear does not fit through the gap. The watchman must not set its spear against a charge
/// forever, so it goes to the bear.
#[test]
fn a_spear_is_not_set_forever() {
    let level = level(
        r##"(
            title: "Too large for the gap",
            map: [
                "......#......",
                "......#......",
                ".............",
                "......#......",
                "......#......",
            ],
            sides: [(id: "guard"), (id: "beasts")],
            combatants: [
                (kind: "watchman", side: "guard", at: (9, 2)),
                (kind: "bear", side: "beasts", at: (2, 2)),
            ],
        )"##,
    );
    let rules = find("Segments").expect("a ruleset");
    for seed in 0..8 {
        let battle = quick(&level, rules, seed);
        let first = first_round(&battle, is_attack);
        assert!(first.is_some(), "seed {seed}: no attack");
    }
}

/// Once no enemy is up or still to come, no side is asked any more.
#[test]
fn no_side_is_asked_when_no_enemy_is_left() {
    for rules in ALL {
        for level in levels::built_in().iter().take(sample(4, 20)) {
            for seed in 0..2 {
                let setup = level_setup(level);
                let sides = level.sides.len();
                let controller = |n| Player::Quick.controller(&setup, rules, n, seed);
                let mut ais: Vec<_> = (0..sides).map(controller).collect();
                let mut battle = Battle::new(setup.clone(), rules, DiceBox::seeded(seed));
                while let Some(asked) = battle.asked() {
                    let (side, prompt) = (asked.side, asked.prompt.clone());
                    let world = battle.world();
                    let bodies = world.resource::<Roster>().ids();
                    let mut bodies = bodies.map(|id| of_unit::<Body>(world, id));
                    let is_left = |body: &Body| matches!(body.state, State::Up | State::Waiting);
                    assert!(
                        bodies.any(|body| body.side != side && is_left(body)),
                        "{} {} {seed}: {prompt}",
                        rules.id,
                        level.id
                    );
                    let choice = ais[side.index()].choose(&mut battle);
                    battle.answer(choice).expect("the AI answers what is legal");
                }
            }
        }
    }
}

/// Whether the sides decided the battle, and not the game's limits.
fn is_decided(end: End) -> bool {
    !matches!(end, End::RoundLimit | End::Stalemate | End::BrokenOff)
}
