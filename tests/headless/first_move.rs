//! Giving the first move to a side: its effect under each ruleset, and what the laboratory counts.

use crate::kit::Cli;
use bevy_ecs::world::World;
use fivefoot_core::{
    battle::{
        Battle, Body, DiceBox, Event, EventKind, FirstMove, Names, Ruleset, Setup, Side,
        level_setup, of_unit,
    },
    control::Player,
    lab::{BattleRunner, Experiment, Series, file, report::Report},
    levels::Level,
    rulesets::{self, ALL},
};
use fivefoot_kit::level;
use std::sync::Arc;

/// Two sides of three units, all of different kinds.
const SIX: &str = r#"(
    title: "Six",
    map: ["..........", "..........", "..........", ".........."],
    sides: [(id: "us"), (id: "them")],
    combatants: [
        (kind: "ogre", side: "us", at: (0, 0)),
        (kind: "goblin", side: "us", at: (0, 2)),
        (kind: "wolf", side: "us", at: (0, 3)),
        (kind: "bandit_archer", side: "them", at: (9, 0)),
        (kind: "hobgoblin", side: "them", at: (9, 1)),
        (kind: "sergeant", side: "them", at: (9, 2)),
    ],
)"#;

/// The first round of a battle, with the first move given to a side, or to no side.
fn opening(level: &Arc<Level>, rules: &'static Ruleset, seed: u64, given: Option<Side>) -> Battle {
    let setup = level_setup(level);
    let setup: Setup = Arc::new(move |world: &mut World| {
        setup(world);
        if let Some(side) = given {
            world.insert_resource(FirstMove(side));
        }
    });
    let mut battle = Battle::new(setup, rules, DiceBox::seeded(seed));
    let begins = |e: &Event| matches!(e.what, EventKind::RoundBegan { .. });
    while battle.over().is_none() && battle.events().iter().filter(|e| begins(e)).count() < 2 {
        battle.answer_quickly();
    }
    battle
}

/// The first initiative of each side, or of each unit with its side; higher is better.
fn initiative(battle: &Battle, rules: &Ruleset) -> Vec<(Side, i32)> {
    let names: &Names = battle.names();
    let mut found = vec![];
    let mut rounds = 0;
    for event in battle.events() {
        let rolled = match &event.what {
            EventKind::Checked(check) if check.what == "initiative" => check,
            EventKind::TurnBegan { side } if rules.id == "Skirmish" => {
                return vec![(*side, 1), (Side(1 - side.0), 0)];
            }
            EventKind::RoundBegan { .. } => {
                rounds += 1;
                if rounds == 2 {
                    break;
                }
                continue;
            }
            _ => {
                // For single units the log has the final initiative after the roll.
                let text = event.describe(names).map(|line| line.text);
                let output =
                    text.filter(|text| text.contains(" has ") && text.contains("initiative "));
                if let Some(text) = output {
                    let number = text.rsplit(' ').next().unwrap().replace('−', "-");
                    let last: &mut (Side, i32) = found.last_mut().unwrap();
                    let sign = if rules.id == "Speed" { -1 } else { 1 };
                    last.1 = sign * number.parse::<i32>().unwrap();
                }
                continue;
            }
        };
        let side = rolled
            .who
            .map(|who| of_unit::<Body>(battle.world(), who).side);
        found.push((side.or(rolled.side).unwrap(), rolled.roll.total()));
    }
    found
}

#[test]
fn the_given_side_wins_the_first_initiative() {
    let level = level(SIX);
    for rules in ALL {
        assert!(rules.initiative);
        let mut changed = 0;
        for seed in 0..12 {
            let natural = initiative(&opening(&level, rules, seed, None), rules);
            for side in [Side(0), Side(1)] {
                let given = initiative(&opening(&level, rules, seed, Some(side)), rules);
                assert_eq!(given.len(), natural.len(), "{} {seed}", rules.id);
                assert!(given.len() >= 2);
                let of = |own: bool| {
                    given
                        .iter()
                        .filter(move |g| (g.0 == side) == own)
                        .map(|g| g.1)
                };
                let (worst, best) = (of(true).min().unwrap(), of(false).max().unwrap());
                let is_won = match given.len() {
                    2 => worst > best,
                    // Single units of both sides can tie, as they rolled.
                    _ => worst >= best,
                };
                assert!(is_won, "{} {seed}: {given:?} for {side:?}", rules.id);
                changed += usize::from(given != natural);
            }
        }
        // Without the given first move, the other side would win about half of these.
        assert!(changed >= 8, "{}: {changed}", rules.id);
    }
}

/// When the first attack wins, the first move is worth the whole battle.
#[test]
fn the_value_of_the_first_move_is_measured() {
    let glass = "with: (skirmish: (hp: 1, attack: 15))";
    let duel = format!(
        r#"(title: "Glass", map: ["........", "........"], sides: [(id: "us"), (id: "them")], combatants: [
            (kind: "goblin_archer", side: "us", at: (1, 0), {glass}),
            (kind: "goblin_archer", side: "them", at: (6, 0), {glass}),
        ])"#
    );
    let fought = |rules: &str| {
        let rules = rulesets::find(rules).unwrap();
        let series = Series::new(&level(&duel), rules, vec![Player::Quick; 2]);
        let mut experiment = Experiment::new(series);
        experiment.give_first_move();
        let mut bench = BattleRunner::new(&experiment);
        let mut parts = [experiment.blank(), experiment.blank()];
        for seed in 0..40 {
            bench.fight(seed, &mut parts[seed as usize % 2], || false);
        }
        let [mut whole, odd] = parts;
        whole.join(&odd).unwrap();
        Report::of(whole).unwrap()
    };
    let report = fought("Skirmish");
    let given: u64 = report.tally.given.iter().flatten().sum();
    assert_eq!(given, 40);
    let worth = report.first_move().unwrap();
    assert!(worth.low > 0.5 && worth.high <= 1.0, "{worth:?}");
    // Under Demo all units act at once, so there is no first move.
    let report = fought("Demo");
    assert!(report.tally.given.is_empty() && report.first_move().is_none());
}

#[test]
fn compare_gives_the_first_move_and_its_shards_join() {
    let cli = Cli::with_level("first_move");
    let fought = |call: &str, file: &str, seeds: &str| {
        let output = cli.run(&[call, "level.ron", "--json", "--seeds", seeds]);
        assert_eq!(output.code, 0, "{output:?}");
        let is_counted = |line: &&str| !line.contains("\"what\":\"result\"");
        let lines = output.out.lines().filter(is_counted);
        let text: String = lines.map(|line| line.to_owned() + "\n").collect();
        cli.write(file, &text);
        text
    };
    let whole = fought("compare", "whole.json", "1..12");
    fought("compare", "a.json", "1..5");
    fought("compare", "b.json", "6..12");
    assert!(whole.starts_with(file::MARK));
    for line in whole.lines().skip(1) {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        let worth = &line["told"]["first_move"];
        let of = |field: &str| worth[field].as_f64().unwrap();
        assert!(
            of("low") <= of("share") && of("share") <= of("high"),
            "{worth}"
        );
    }
    let output = cli.run(&["sum", "--json", "b.json", "a.json"]);
    assert_eq!(output.out, whole, "{output:?}");
    let output = cli.run(&["sum", "a.json", "b.json"]);
    assert!(
        output.out.contains("given the first move party wins "),
        "{output:?}"
    );
    // Battles without a given first move do not join with these.
    let output = cli.call("sim level.ron --rules all --json --seeds 6..9");
    cli.write("sim.json", &output.out);
    let output = cli.run(&["sum", "a.json", "sim.json"]);
    let what = "it is with the first move as it comes, not given to each side in turn";
    output.fails(1, what);
}

#[test]
fn a_side_gets_the_best_die() {
    let given = |rolls: &[Option<u16>], side| {
        let mut rolls = rolls.to_vec();
        FirstMove(Side(side)).hand_to_side(&mut rolls, 6);
        rolls
    };
    assert_eq!(given(&[Some(2), Some(5)], 0), [Some(5), Some(2)]);
    assert_eq!(given(&[Some(2), Some(5)], 1), [Some(2), Some(5)]);
    assert_eq!(given(&[Some(3), Some(3)], 1), [Some(3), Some(4)]);
    assert_eq!(given(&[Some(6), Some(6)], 0), [Some(6), Some(5)]);
    // The other two sides tie; in the end neither ties with the given side.
    let three = [Some(1), Some(6), Some(6)];
    assert_eq!(given(&three, 0), [Some(6), Some(5), Some(1)]);
    // A side that does not roll gets nothing, and a side that rolls alone has won.
    assert_eq!(given(&[None, Some(3)], 0), [None, Some(3)]);
    assert_eq!(given(&[Some(3), None], 0), [Some(3), None]);
}

#[test]
fn the_given_sides_units_get_the_best_counts() {
    let (us, them) = (Side(0), Side(1));
    let mut counts = [(us, 3), (them, 9), (us, 7), (them, 8), (us, 1)];
    FirstMove(us).give_best_counts(&mut counts);
    assert_eq!(counts.map(|c| c.1), [8, 3, 9, 1, 7]);
    FirstMove(them).give_best_counts(&mut counts);
    assert_eq!(counts.map(|c| c.1), [3, 9, 7, 8, 1]);
}
