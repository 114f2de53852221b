//! Skirmish as it is played: by chance, which finds every act, and by the AI,
//! which uses them; and what a side may know of those who hide from it.

use bevy::ecs::world::World;
use fivefoot::{
    battle::{Battle, Body, DiceBox, Follower, Id, Roster, Side, State, level_setup},
    control::{Player, Table, play},
    levels::{Level, built_in, check_file},
    rulesets::skirmish::{RULESET, stance::Stance},
};
use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

/// A crowd in which everything can happen: spells, traits, somebody hard to
/// hit, foes in hiding, a door, a ledge, exits.
const ARENA: &str = r#"(
    title: "The arena",
    map: [
        "..............",
        "...,.....^^...",
        ".......#.^^...",
        ".......+......",
        "..~....#......",
        ".......#......",
        "..............",
    ],
    legend: { '^': (floor: 5) },
    sides: [
        (id: "party"),
        (id: "goblins", colour: Vermilion),
    ],
    combatants: [
        (kind: "osk", side: "party", at: (3, 1)),
        (kind: "lin", side: "party", at: (3, 3)),
        (kind: "ysolde", side: "party", at: (1, 3)),
        (kind: "anselm", side: "party", at: (1, 4), hp: 4),
        (kind: "tobin", side: "party", at: (0, 2)),
        (kind: "brandt", side: "party", at: (4, 5), prone: true, with: (skirmish: (ac: 19))),
        (kind: "goblin", side: "goblins", at: [(6, 3), (8, 3), (8, 5), (6, 6)]),
        (kind: "goblin_chief", side: "goblins", at: (9, 4), leader: true),
        (kind: "sergeant", side: "goblins", at: (8, 4)),
        (kind: "goblin_archer", name: "lurker", side: "goblins", at: [(9, 1), (5, 0)], hidden: true),
    ],
    surprise: Check(by: "goblins", how: Stealth),
    exits: [
        (at: Rect((0, 0), (0, 6)), sides: ["party"]),
        (at: Rect((13, 0), (13, 6)), sides: ["goblins"]),
    ],
)"#;

/// Two who have to hold a corner, and foes who have to come round the wall.
const CORNER: &str = r#"(
    title: "The corner",
    map: [
        "...#....",
        "...#....",
        "...#....",
        "...#....",
        "...#....",
        "........",
    ],
    sides: [
        (id: "party"),
        (id: "goblins", colour: Vermilion),
    ],
    combatants: [
        (kind: "wat", side: "party", at: [(1, 0), (2, 0)]),
        (kind: "goblin", side: "goblins", at: [(5, 0), (6, 0), (5, 1)]),
    ],
    objectives: [
        (side: "party", goal: Capture(area: Rect((1, 0), (2, 0)), rounds: 8)),
    ],
)"#;

fn read(text: &str) -> Arc<Level> {
    match check_file("test.ron", text) {
        Ok((level, _)) => Arc::new(level),
        Err(problems) => panic!("{}", problems[0]),
    }
}

fn arena() -> Arc<Level> {
    read(ARENA)
}

fn fought(level: &Arc<Level>, players: Player, seed: u64) -> Battle {
    seated(level, &vec![players; level.sides.len()], seed)
}

fn seated(level: &Arc<Level>, seats: &[Player], seed: u64) -> Battle {
    let setup = level_setup(level);
    let mut battle = Battle::audited(setup.clone(), &RULESET, DiceBox::seeded(seed));
    let mut table = Table::new(seats, &setup, &RULESET, seed);
    play(&mut battle, &mut table, 100_000);
    assert!(battle.over().is_some() && battle.is_idle(), "seed {seed}");
    battle
}

/// The names of the acts and reactions that were chosen.
fn chosen(battle: &Battle) -> impl Iterator<Item = &'static str> {
    battle.answers().iter().map(|choice| choice.verb.name)
}

#[test]
fn chance_comes_upon_every_act() {
    let level = arena();
    // Nobody here is unsuspecting; the levels have such people.
    let elsewhere = ["stalk", "execute", "execute from afar"];
    let names = (RULESET.verbs)().into_iter().map(|v| v.name);
    let wanted: BTreeSet<&str> = names.filter(|n| !elsewhere.contains(n)).collect();
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    for seed in 0..400 {
        seen.extend(chosen(&fought(&level, Player::Random, seed)));
        if seen.is_superset(&wanted) {
            return;
        }
    }
    let missing: Vec<_> = wanted.difference(&seen).collect();
    panic!("never chosen: {missing:?}");
}

#[test]
fn the_ai_uses_what_there_is() {
    let levels = [arena(), read(CORNER)];
    let mut wanted: BTreeSet<&str> = [
        "snap attack",
        "snap shot",
        "hold",
        "act now",
        "swarm",
        "swarm strike",
        "screen",
        "spare Main",
        "roll again",
        "total defense",
        "attack of opportunity",
    ]
    .into();
    for seed in 0..150 {
        for level in &levels {
            for name in chosen(&fought(level, Player::Quick, seed)) {
                wanted.remove(name);
            }
        }
        if wanted.is_empty() {
            return;
        }
    }
    panic!("the AI never chose {wanted:?}");
}

fn of<T: bevy::ecs::component::Component>(world: &World, id: Id) -> &T {
    let entity = world.resource::<Roster>().who[id.index()];
    world.get(entity).expect("every combatant has it")
}

/// SK-03: as far as the others know, who hides is not there.
#[test]
fn nobody_is_told_of_those_in_hiding() {
    let level = arena();
    let mut looked = 0;
    for seed in 0..40 {
        let battle = fought(&level, Player::Random, seed);
        for side in [Side(0), Side(1)] {
            let mut known = Follower::new(&level_setup(&level), &RULESET, Some(side));
            loop {
                for id in known.world.resource::<Roster>().ids() {
                    let (body, stance) =
                        (of::<Body>(&known.world, id), of::<Stance>(&known.world, id));
                    if stance.hidden && body.side != side {
                        assert_eq!(body.state, State::Waiting, "seed {seed}, {id:?}");
                        looked += 1;
                    }
                }
                if known.next(battle.events()).is_none() {
                    break;
                }
            }
            // In the end it knows all that is not hidden still.
            for id in known.world.resource::<Roster>().ids() {
                if !of::<Stance>(battle.world(), id).hidden {
                    let (told, true_) =
                        (of::<Body>(&known.world, id), of::<Body>(battle.world(), id));
                    assert_eq!(told, true_, "seed {seed}, {id:?}");
                }
            }
        }
    }
    assert!(looked > 1000);
}

/// A level that is won by lasting is not won by doing nothing.
#[test]
fn the_chapel_does_not_hold_by_itself() {
    let chapel = built_in().iter().find(|l| l.id == "chapel");
    let chapel = chapel.expect("the level is built in");
    for seed in 0..12 {
        let battle = seated(chapel, &[Player::Idle, Player::Quick], seed);
        assert_eq!(battle.over(), Some(Some(Side(1))), "seed {seed}");
    }
}

/// What everybody in a crowd is called by the log: heroes by name.
#[test]
fn names_of_heroes_are_written_large() {
    let battle = fought(&arena(), Player::Quick, 1);
    let lines = battle
        .events()
        .iter()
        .filter_map(|e| e.tell(battle.names()));
    let told: Vec<String> = lines.map(|line| line.text).collect();
    let small = ["osk", "lin", "ysolde", "anselm", "tobin", "brandt"];
    for line in &told {
        let mut words = line.split(|c: char| !c.is_alphabetic());
        assert!(!words.any(|w| small.contains(&w)), "{line}");
    }
    assert!(told.iter().any(|l| l.contains("against Osk")), "{told:?}");
    assert!(told.iter().any(|l| l.contains("against goblin")));
}

/// Two thousand battles by chance, on every level, and how often each act was
/// chosen. It takes minutes:
/// `cargo test --test suite -- --ignored --nocapture two_thousand`.
#[test]
#[ignore = "takes minutes"]
fn two_thousand_battles_by_chance_use_every_act() {
    let mut levels = built_in().to_vec();
    levels.push(arena());
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let (mut battles, mut answers) = (0, 0);
    for seed in 0..2000_u64.div_ceil(levels.len() as u64) {
        for level in &levels {
            let setup = level_setup(level);
            let mut battle = Battle::new(setup.clone(), &RULESET, DiceBox::seeded(seed));
            let seats = vec![Player::Random; level.sides.len()];
            let mut table = Table::new(&seats, &setup, &RULESET, seed);
            play(&mut battle, &mut table, 100_000);
            assert!(battle.over().is_some(), "{}, seed {seed}", level.id);
            chosen(&battle).for_each(|name| *counts.entry(name).or_default() += 1);
            battles += 1;
            answers += battle.answers().len();
        }
    }
    println!("{battles} battles, {answers} answers");
    for (name, n) in &counts {
        println!("{n:>8} {name}");
    }
    for verb in (RULESET.verbs)() {
        assert!(
            counts.contains_key(verb.name),
            "never chosen: {}",
            verb.name
        );
    }
}
