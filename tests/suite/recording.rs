//! Battles in files, and what their dice did.

use fivefoot::{
    battle::{Battle, Change, DiceBox, Follower, Ruleset, Setup, Side, level_setup},
    control::{
        Player, Table, play,
        recording::{Recorder, Recording},
        statistics::statistics,
    },
    levels::{self, Level},
    rulesets::ALL,
};
use std::sync::Arc;

fn begun(level: &Arc<Level>, rules: &'static Ruleset, seed: u64) -> (Battle, Setup) {
    let setup = level_setup(level);
    let battle = Battle::new(setup.clone(), rules, DiceBox::seeded(seed));
    (battle, setup)
}

fn fought(
    level: &Arc<Level>,
    rules: &'static Ruleset,
    players: [Player; 2],
    seed: u64,
) -> (Battle, Setup) {
    let (mut battle, setup) = begun(level, rules, seed);
    let mut table = Table::new(&players, &setup, rules, seed);
    play(&mut battle, &mut table, 100_000);
    (battle, setup)
}

#[test]
fn a_recording_runs_as_it_did_under_every_ruleset() {
    for rules in ALL {
        // Not the level that a recording without a text stands for.
        let level = &levels::built_in()[1];
        let (battle, _) = fought(level, rules, [Player::Quick; 2], 5);
        let text = ron::to_string(&Recording::of(&battle, level, 5)).unwrap();
        let read = Recording::read("test", &text).unwrap();
        let again = read
            .run(None)
            .unwrap_or_else(|e| panic!("{}: {}", rules.id, e.why));
        assert_eq!(again.over(), battle.over());
        assert_eq!(again.events().len(), battle.events().len());
        assert_eq!(again.answers(), battle.answers());
    }
}

#[test]
fn to_record_again_after_some_more_answers_gives_the_same() {
    let level = levels::default_level();
    let (mut battle, setup) = begun(&level, ALL[0], 4);
    let mut table = Table::new(&[Player::Quick; 2], &setup, ALL[0], 4);
    let mut recorder = Recorder::default();
    for _ in 0..6 {
        play(&mut battle, &mut table, 9);
        let whole = Recording::of(&battle, &level, 4);
        assert_eq!(recorder.record(&battle, &level, 4), whole);
    }
}

/// The chance is that of the forecast by which the die was rolled: it says the
/// same of every die that both could have shown. Where nothing but the die
/// decides, hits and chances come out even.
#[test]
fn hits_come_out_as_expected() {
    for rules in ALL {
        let (mut attacks, mut hits, mut expected, mut variance) = (0, 0, 0.0, 0.0);
        for level in levels::built_in() {
            for seed in 0..6 {
                if level.rules.is_some_and(|r| r.name() != rules.id) {
                    continue;
                }
                let (battle, setup) = fought(level, rules, [Player::Quick; 2], seed);
                for tally in statistics(&battle, &setup) {
                    attacks += tally.attacks;
                    hits += tally.hits;
                    expected += tally.expected;
                }
                variance += spread(&battle, &setup);
            }
        }
        let off = (hits as f32 - expected) / f32::sqrt(variance);
        assert!(attacks > 200, "{}: only {attacks} attacks", rules.id);
        println!("{}: {attacks} attacks, {hits} hits, {expected:.1} expected, {off:+.2} deviations", rules.id);
        assert!(off.abs() < 3.5, "{}: {hits} hits, {expected} expected", rules.id);
    }
}

/// The variance of a battle's hits; and no certain miss hits.
fn spread(battle: &Battle, setup: &Setup) -> f32 {
    let rules = battle.rules();
    let mut followed = Follower::new(setup, rules, None);
    let mut sum = 0.0;
    for event in battle.events() {
        if let Change::AttackRolled { shot } = &event.what {
            let chance = (rules.chance)(&mut followed.world, &shot.attack);
            let chance = chance.unwrap_or_else(|| panic!("{}: {shot:?} has no chance", rules.id));
            assert!((0.0..=1.0).contains(&chance));
            sum += chance * (1.0 - chance);
        }
        followed.next(battle.events());
    }
    sum
}

#[test]
fn a_novice_is_the_easier_opponent() {
    for rules in ALL {
        let level = levels::default_level();
        let won = |players| {
            let side = |seed| fought(&level, rules, players, seed).0.over().flatten();
            (0..12).filter(|&seed| side(seed) == Some(Side(0))).count()
        };
        let (even, easy) = (
            won([Player::Quick, Player::Quick]),
            won([Player::Quick, Player::Novice]),
        );
        println!("{}: {even} of 12 against the quick AI, {easy} against the novice", rules.id);
        assert!(easy > even || even == 12, "{}: {even} and {easy} of 12", rules.id);
    }
}
