//! Recordings, and statistics of the dice in battles.

use crate::kit::{begun, between};
use fivefoot_core::{
    battle::{Battle, EventKind, PendingAttacks, level_setup},
    control::{
        Controllers, Player, play,
        recording::{Recorder, Recording},
        statistics::statistics,
    },
    levels::{self, Level},
    rulesets::ALL,
};

#[test]
fn recordings_replay_identically_under_every_ruleset() {
    for rules in ALL {
        // Not the default level, which a recording without a level text uses.
        let level = &levels::built_in()[1];
        let battle = between(level, rules, &[Player::Quick; 2], 5);
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
fn recording_in_steps_equals_recording_at_once() {
    let level = levels::default_level();
    let (mut battle, setup) = (begun(&level, ALL[0], 4), level_setup(&level));
    let mut controllers = Controllers::new(&[Player::Quick; 2], &setup, ALL[0], 4);
    let mut recorder = Recorder::default();
    for n in 1..=6 {
        play(&mut battle, &mut controllers, 9);
        assert_eq!(battle.answers().len(), 9 * n, "it continues");
        let whole = Recording::of(&battle, &level, 4);
        assert_eq!(recorder.record(&battle, &level, 4), whole);
    }
}

/// The expected hit chance is the chance of the die that was rolled, so where only the die decides,
/// hits and expected hits come out even.
#[test]
fn hits_match_expected_hits() {
    for rules in ALL {
        let (mut attacks, mut hits, mut expected, mut variance) = (0, 0, 0.0, 0.0);
        for (n, level) in levels::built_in().iter().enumerate() {
            // Each level uses other seeds, because equal first dice would bias all levels alike.
            for seed in (0..fivefoot_kit::sample(2, 4)).map(|seed| seed + 100 * n as u64) {
                if level.rules.is_some_and(|r| r.0 != rules.id) {
                    continue;
                }
                let battle = between(level, rules, &[Player::Quick; 2], seed);
                for tally in statistics(&battle) {
                    attacks += tally.attacks;
                    hits += tally.hits;
                    expected += tally.expected;
                }
                let (spread, warded) = spread(&battle);
                variance += spread;
                hits += warded;
            }
        }
        let off = (hits as f32 - expected) / f32::sqrt(variance);
        assert!(
            attacks > fivefoot_kit::sample(100, 200),
            "{}: only {attacks} attacks",
            rules.id
        );
        println!(
            "{}: {attacks} attacks, {hits} hits, {expected:.1} expected, {off:+.2} deviations",
            rules.id
        );
        assert!(
            off.abs() < 3.5,
            "{}: {hits} hits, {expected} expected",
            rules.id
        );
    }
}

/// The variance of a battle's hits, and the number of hits that a reaction after the roll turned
/// into misses (SK-17), which the expected hits do not include. Where only the die decides, also
/// checks each chance against the numbers in the event.
fn spread(battle: &Battle) -> (f32, u32) {
    let rules = battle.rules();
    let mut followed = battle.replica(None);
    let (mut sum, mut warded) = (0.0, 0);
    let mut chances = vec![];
    for event in battle.events() {
        if let EventKind::AttackResolved { serial, hit, .. } = &event.what
            && rules.id == "Skirmish"
        {
            let pending = followed.world.resource::<PendingAttacks>();
            let (_, die) = pending.get(*serial).unwrap().roll.dice[0];
            let would_hit = f32::from(die) > 20.5 - 20.0 * chances[*serial as usize];
            assert!(would_hit || !hit, "an answer makes no miss a hit");
            warded += u32::from(would_hit && !hit);
        }
        if let EventKind::AttackResolved {
            serial,
            against,
            why,
            ..
        } = &event.what
            && rules.id == "Speed"
            // A target that is gone cannot be hit, whatever the die.
            && why != "the target is gone"
        {
            let rolled_attack = followed
                .world
                .resource::<PendingAttacks>()
                .get(*serial)
                .unwrap();
            let bonus: i32 = rolled_attack
                .roll
                .modifiers
                .iter()
                .map(|m| i32::from(m.value))
                .sum();
            let expected = (21 - (against - bonus)).clamp(0, 20) as f32 / 20.0;
            assert_eq!(chances[*serial as usize], expected, "{rolled_attack:?}");
        }
        if let EventKind::AttackRolled { rolled_attack } = &event.what {
            let expected = (rules.expected)(&mut followed.world, &rolled_attack.attack);
            let chance = expected
                .map(|e| e.hit)
                .unwrap_or_else(|| panic!("{}: {rolled_attack:?} has no chance", rules.id));
            assert!((0.0..=1.0).contains(&chance));
            sum += chance * (1.0 - chance);
            chances.resize(rolled_attack.serial as usize, 0.0);
            chances.push(chance);
        }
        followed.next(battle.events());
    }
    (sum, warded)
}

/// Recordings of the current rules version. If one of them no longer replays, the rules have
/// changed: increase the number in `src/core/version.rs`, describe the change in CHANGELOG.md, and
/// record the battles again (`fivefoot sim levels/toll_gate.ron --rules R --seed 3 --record FILE`).
#[test]
fn battles_go_as_they_did_under_these_rules() {
    for rules in ALL {
        let name = format!("tests/recordings/{}.battle", rules.id.to_lowercase());
        let text = fivefoot_kit::files::read(&name);
        let recording = Recording::read(&name, &text).unwrap();
        assert_eq!(recording.rules, rules.id);
        let program = recording.program.as_ref().unwrap();
        let under = format!("(rules {})", fivefoot_core::version::RULES);
        assert!(program.ends_with(&under), "{name}: {program}, not {under}");
        let battle = recording
            .run(None)
            .unwrap_or_else(|e| panic!("{name}: step {}: {}; see above this test", e.step, e.why));
        assert!(battle.over().is_some());
    }
}

#[test]
fn a_recording_with_an_old_order_text_runs() {
    let rules = ALL.iter().find(|rules| rules.id == "Speed").unwrap();
    let levels = levels::built_in().iter();
    let mut all = levels.map(|level| (level, between(level, rules, &[Player::Random; 2], 1)));
    let opens = |battle: &Battle, level: &Level| {
        let recording = Recording::of(battle, level, 1);
        let is_door = |order: &str| order.ends_with("open or close a door");
        let found = recording.answers.iter().any(|step| is_door(&step.order));
        found.then_some(recording)
    };
    let mut recording = all
        .find_map(|(level, battle)| opens(&battle, level))
        .unwrap();
    for step in &mut recording.answers {
        step.order = step.order.replace("open or close a door", "see to a door");
    }
    assert!(recording.run(None).is_ok());
}

#[test]
fn a_failed_replay_names_the_version_that_recorded_it() {
    let level = &levels::built_in()[0];
    let battle = between(level, ALL[0], &[Player::Quick; 2], 1);
    let mut recording = Recording::of(&battle, level, 1);
    recording.program = Some("0.0.9 (rules 0)".into());
    assert!(recording.run(None).is_ok(), "it is the same battle");
    recording.answers[3].check = "0".into();
    let broken = recording.run(None).err().unwrap();
    let here = fivefoot_core::version::VERSION;
    let why = format!("made by version 0.0.9 (rules 0), and this is {here}");
    assert!(broken.why.ends_with(&why), "{}", broken.why);
}
