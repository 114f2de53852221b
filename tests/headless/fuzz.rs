//! Fuzz tests: any file is read or refused without a crash, and battles on random levels end under
//! every player.
//!
//! Inputs that once failed are kept in `__fuzz__` next to this file and are tried first. To search
//! for longer, or to shrink a failing input:
//!
//! ```text
//! BOLERO_RANDOM_ITERATIONS=1000000000 BOLERO_RANDOM_TEST_TIME_MS=600000 cargo test --test headless fuzz::
//! BOLERO_RANDOM_SEED=… cargo test --test headless fuzz::levels
//! ```
//!
//! `cargo bolero test fuzz::levels --engine libfuzzer` searches guided by code coverage.

use crate::kit::with_controllers;
use bolero::check;
use fivefoot_core::{
    battle::Battle,
    content::{self, Content, codex::Codex},
    control::{Player, play, recording::Recording, scenario},
    levels::{self, Level},
    rulesets::ALL,
};
use fivefoot_kit::{
    files::{Files, changed},
    small_levels::small_level,
};
use std::sync::Arc;

/// A battle of at most `most` random answers, under the ruleset that `number` selects.
fn fought(level: &Arc<Level>, number: u64, most: usize) -> Battle {
    let rules = ALL[number as usize % ALL.len()];
    let (mut battle, mut controllers) = with_controllers(level, rules, Player::Random, number);
    play(&mut battle, &mut controllers, most);
    battle
}

#[test]
fn levels() {
    static FILES: Files = Files::new();
    let target = |bytes: &[u8]| {
        let text = changed(bytes, (&["levels"], "ron"), &FILES);
        if let Ok((level, _)) = levels::check_file("level.ron", &text) {
            fought(&Arc::new(level), bytes.len() as u64, 40);
        }
    };
    check!().with_iterations(150).for_each(target);
}

#[test]
fn content_and_codex() {
    static FILES: Files = Files::new();
    check!().with_iterations(300).for_each(|bytes: &[u8]| {
        let text = changed(bytes, (&["assets/content", "assets/codex"], "ron"), &FILES);
        let _ = content::check_file("content.ron", &text, Content::built_in());
        let _ = Codex::built_in().check_file("codex.ron", &text);
    });
}

#[test]
fn tables() {
    static FILES: Files = Files::new();
    check!().with_iterations(300).for_each(|bytes: &[u8]| {
        let text = changed(bytes, (&["assets/tables"], "ron"), &FILES);
        for tables in ALL.iter().filter_map(|rules| rules.tables) {
            let _ = (tables.check)("tables.ron", &text);
        }
    });
}

#[test]
fn scenarios() {
    static FILES: Files = Files::new();
    check!().with_iterations(150).for_each(|bytes: &[u8]| {
        let text = changed(
            bytes,
            (&["tests/scenarios", "tests/positions"], "ron"),
            &FILES,
        );
        scenario::verify_text("scenario.ron", &text);
    });
}

#[test]
fn recordings() {
    static FILES: Files = Files::new();
    check!().with_iterations(100).for_each(|bytes: &[u8]| {
        let text = changed(bytes, (&["tests/recordings"], "battle"), &FILES);
        if let Ok(recording) = Recording::read("recording", &text) {
            let _ = recording.run(Some(20));
        }
    });
}

#[test]
fn random_battles_end() {
    check!()
        .with_iterations(25)
        .with_type::<(u16, u8)>()
        .for_each(|(level, dice)| {
            let level = small_level(u64::from(*level));
            let battle = fought(&level, u64::from(*dice), 100_000);
            assert!(battle.over().is_some(), "{}", level.source);
        });
}
