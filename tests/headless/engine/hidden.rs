//! Hidden units: a side's offers, with their costs and reasons, depend only on what the side knows.
//! Removing the units that are hidden from it does not change them.

use crate::kit::with_controllers;
use fivefoot_core::{
    battle::{
        Battle, Body, Chance, DiceBox, EventKind, Id, Replica, Roster, Ruleset, Side, State,
        Unknown, level_setup, of_unit,
    },
    control::{
        Controller, Idle, Player,
        bot::{self, SideKnowledge},
    },
    levels::Level,
    rulesets::KNOWN,
};
use fivefoot_kit::{level, sample, small_levels::small_level};
use std::sync::Arc;

/// A small level with doors, walls, narrow passages and hidden units in them. Reinforcements arrive
/// where the hidden units are.
fn ambush(seed: u64) -> Arc<Level> {
    let mut chance = Chance::new(seed);
    let (width, height) = (9, 4);
    let mut rows = vec![vec!['.'; width]; height];
    for row in &mut rows {
        for cell in &mut row[2..7] {
            *cell = ['.', '.', '.', '/', '/', '+', '#', ','][chance.below(8)];
        }
    }
    let mut taken: Vec<(usize, usize)> = vec![];
    let mut units = String::new();
    let mut free = |chance: &mut Chance, columns: std::ops::Range<usize>| loop {
        let x = columns.start + chance.below(columns.len());
        let y = chance.below(height);
        if !"#+".contains(rows[y][x]) && !taken.contains(&(x, y)) {
            taken.push((x, y));
            return (x, y);
        }
    };
    for n in 0..3 {
        let (x, y) = free(&mut chance, 0..3);
        let kind = ["mara", "tobin", "ysolde"][chance.below(3)];
        units += &format!("(kind: {kind:?}, name: \"own {n}\", side: \"a\", at: ({x}, {y})),\n");
    }
    for n in 0..4 {
        let (x, y) = free(&mut chance, if n == 0 { 7..9 } else { 2..7 });
        let kind = ["goblin", "goblin_archer", "bandit"][chance.below(3)];
        units += &format!(
            "(kind: {kind:?}, name: \"foe {n}\", side: \"b\", at: ({x}, {y}), hidden: {}),\n",
            n > 0
        );
    }
    let (x, y) = free(&mut chance, 2..7);
    let rows: Vec<String> = rows
        .iter()
        .map(|r| format!("{:?}", String::from_iter(r)))
        .collect();
    level(&format!(
        "(title: \"Ambush\", map: [{}], sides: [(id: \"a\"), (id: \"b\")], combatants: [{units}],
        reinforcements: [(round: 2, combatants: [(kind: \"mara\", name: \"late\", side: \"a\", at: ({x}, {y}))])])",
        rows.join(", ")
    ))
}

/// Plays a battle and compares all offers with those in a battle that holds only what the side
/// knows. Returns the number of decisions at which something was hidden.
fn compare(level: &Arc<Level>, rules: &'static Ruleset, seed: u64) -> usize {
    let setup = level_setup(level);
    let (mut battle, mut controllers) = with_controllers(level, rules, Player::Random, seed);
    let replica = |n| Replica::new(&setup, rules, Some(Side(n as u8)));
    let mut replicas: Vec<Replica> = (0..level.sides.len()).map(replica).collect();
    let mut apart = 0;
    for n in 0..80 {
        let Some(question) = battle.asked().cloned() else {
            break;
        };
        let replica = &mut replicas[question.side.index()];
        if !replica.follow(battle.events()) {
            apart += 1;
            let mut fork = battle.fork_for(question.side, &replica.world, DiceBox::seeded(9));
            for &who in &question.actors {
                let (offers, known) = (battle.offers_of(who), fork.offers_of(who));
                let differ = std::iter::zip(&*offers, &*known).find(|(a, b)| a != b);
                assert!(
                    offers == known,
                    "{}, {}, seed {seed}, answer {n}, {}: the offers tell what is hidden: \
                     {} and {} offers, first {differ:#?}\n{}",
                    rules.id,
                    level.title,
                    battle.names().key(who),
                    offers.len(),
                    known.len(),
                    last_lines(&battle)
                );
            }
        }
        let choice = controllers.0[question.side.index()].choose(&mut battle);
        battle.answer(choice).expect("it is legal");
    }
    apart
}

/// The last 30 log lines, for the error message.
fn last_lines(battle: &Battle) -> String {
    let lines: Vec<String> = battle
        .events()
        .iter()
        .filter_map(|event| {
            let line = event.describe(battle.names())?;
            Some(format!("{} {:?}: {}", event.rule, event.seen, line.text))
        })
        .collect();
    lines[lines.len().saturating_sub(30)..].join("\n")
}

#[test]
fn offers_reveal_nothing_about_hidden_units() {
    for rules in KNOWN {
        let mut apart = 0;
        for seed in 0..sample(12, 40) {
            apart += compare(&ambush(seed), rules, seed);
        }
        let hides = |level: &Arc<Level>| level.combatants.iter().any(|c| c.hidden);
        let small = (0..sample(50, 120)).map(|seed| (seed, small_level(seed)));
        for (seed, level) in small.filter(|(_, level)| hides(level)) {
            apart += compare(&level, rules, seed);
        }
        let hides = ["Skirmish", "Phased", "Activity"].contains(&rules.id);
        assert!(
            !hides || apart > sample(150, 500),
            "{}: {apart} questions",
            rules.id
        );
    }
}

/// The JSON that a bot of the asked side receives.
fn shown(battle: &mut Battle, eyes: &mut SideKnowledge) -> String {
    let news = eyes.follow(battle);
    let mut all = bot::observation(battle, eyes, &news);
    all.append(&mut bot::question(battle, eyes));
    serde_json::Value::from(all).to_string()
}

/// Plays a battle and checks everything that bots receive: it names no unit that the side has never
/// seen, and it is equal in a battle that holds only what the side knows. Returns the number of
/// decisions at which something was hidden.
fn look_at_bots(level: &Arc<Level>, rules: &'static Ruleset, seed: u64) -> usize {
    let setup = level_setup(level);
    let (mut battle, mut controllers) = with_controllers(level, rules, Player::Random, seed);
    let eyes = |n| SideKnowledge::new(&setup, rules, Side(n as u8));
    let mut all: Vec<SideKnowledge> = (0..level.sides.len()).map(eyes).collect();
    let mut hidden = 0;
    for n in 0..60 {
        let Some(side) = battle.asked().map(|question| question.side) else {
            break;
        };
        let eyes = &mut all[side.index()];
        let begin = bot::begin(&battle, eyes).to_string();
        // The field `late` has the name of a unit in these levels.
        let told = shown(&mut battle, eyes).replace("\"late\":", "");
        let world = eyes.world();
        let unseen = |id: &Id| {
            let body = of_unit::<Body>(world, *id);
            // A unit that left the battle was seen.
            body.state == State::Waiting && body.side != side && body.returns.is_none()
        };
        let ids = world.resource::<Roster>().ids();
        for id in ids.filter(unseen) {
            hidden += 1;
            let name = format!("\"{}\"", battle.names().key(id));
            let of = format!("{}, seed {seed}, answer {n}", rules.id);
            assert!(!told.contains(&name), "{of}: {name} is in {told}");
            assert!(!begin.contains(&name), "{of}: {name} is in {begin}");
        }
        let mut other = battle.fork_for(side, eyes.world(), DiceBox::seeded(99));
        let here = bot::question(&mut battle, eyes);
        let there = bot::question(&mut other, eyes);
        assert_eq!(here, there, "{}, seed {seed}, answer {n}", rules.id);
        let choice = controllers.0[side.index()].choose(&mut battle);
        battle.answer(choice).expect("it is legal");
    }
    hidden
}

#[test]
fn bots_receive_nothing_about_hidden_units() {
    for rules in KNOWN {
        let mut hidden = 0;
        for seed in 0..sample(8, 40) {
            hidden += look_at_bots(&ambush(seed), rules, seed);
            look_at_bots(&small_level(seed), rules, seed);
        }
        assert!(hidden > sample(20, 100), "{}: {hidden}", rules.id);
    }
}

/// A hidden enemy's cell does not change what a bot receives at its first decision.
#[test]
fn bots_cannot_tell_where_an_enemy_hides() {
    for rules in KNOWN
        .iter()
        .filter(|r| ["Skirmish", "Phased", "Activity"].contains(&r.id))
    {
        let first = |at: &str| {
            let level = level(&format!(
                "(title: \"Hide\", map: [\".........\", \"....#....\", \".........\"],
                sides: [(id: \"a\"), (id: \"b\")], combatants: [
                (kind: \"mara\", name: \"own\", side: \"a\", at: (0, 1)),
                (kind: \"goblin\", name: \"open\", side: \"b\", at: (8, 1)),
                (kind: \"goblin\", name: \"hider\", side: \"b\", at: {at}, hidden: true)])"
            ));
            let setup = level_setup(&level);
            let mut battle = Battle::new(setup.clone(), rules, DiceBox::seeded(4));
            let mut eyes = SideKnowledge::new(&setup, rules, Side(0));
            let mut idle = Idle;
            for _ in 0..30 {
                if battle.asked().expect("it has just begun").side == Side(0) {
                    break;
                }
                let choice = idle.choose(&mut battle);
                battle.answer(choice).expect("it is legal");
            }
            let begin = bot::begin(&battle, &mut eyes).to_string();
            begin + &shown(&mut battle, &mut eyes)
        };
        assert_eq!(first("(7, 0)"), first("(6, 2)"), "{}", rules.id);
    }
}

/// A morale check of known and unknown units is shown with the known ones.
#[test]
fn a_morale_check_leaves_out_unknown_units() {
    let text = r#"(
        title: "Three",
        map: [".....", ".....", "....."],
        sides: [(id: "party"), (id: "goblins", awareness: Alert)],
        combatants: [
            (kind: "mara", side: "party", at: (1, 1)),
            (kind: "goblin", side: "goblins", at: [(2, 1), (3, 1), (3, 2)]),
        ],
    )"#;
    let rules = fivefoot_core::rulesets::ALL[0];
    let setup = level_setup(&level(text));
    let mut checks = 0;
    for seed in 1..20 {
        let mut battle = Battle::new(setup.clone(), rules, DiceBox::seeded(seed));
        (0..200).for_each(|_| battle.answer_quickly());
        for event in battle.events() {
            let EventKind::MoraleBegan { who, .. } = &event.what else {
                continue;
            };
            let unknown = |ids: &[Id]| Unknown {
                units: ids.iter().fold(0, |bits, id| bits | id.bit()),
                sides: 0,
            };
            assert!(event.without(unknown(who)).is_none(), "nobody is known");
            if let [first, rest @ ..] = &who[..]
                && !rest.is_empty()
            {
                let seen = event.without(unknown(&[*first])).expect("some are known");
                assert!(matches!(&seen.what, EventKind::MoraleBegan { who, .. } if who == rest));
                checks += 1;
            }
        }
    }
    assert!(checks > 0, "several goblins check together");
}
