//! Whatever a file holds, it is read or refused, never a crash; and battles on
//! levels by chance come to an end whoever plays.
//!
//! What was found once lies in `__fuzz__` beside this file and is tried first.
//! For longer than the suite takes, and so that a failure is made small:
//!
//! ```text
//! BOLERO_RANDOM_ITERATIONS=1000000000 BOLERO_RANDOM_TEST_TIME_MS=600000 cargo test --test suite fuzz::
//! BOLERO_RANDOM_SEED=… cargo test --test suite fuzz::levels
//! ```
//!
//! `cargo bolero test fuzz::levels --engine libfuzzer` looks for new ways by
//! what each try reached.

use crate::{
    files::{BITS, beneath},
    kit::small_levels::small_level,
};
use bolero::check;
use fivefoot::{
    battle::{Battle, DiceBox, level_setup},
    content::{self, Content, codex::Codex},
    control::{Player, Table, play, recording::Recording, scenario},
    levels::{self, Level},
    rulesets::ALL,
};
use std::sync::{Arc, OnceLock};

/// Files of the repository, to be changed: each a text.
type Files = OnceLock<Vec<String>>;

/// One of the files, changed as the bytes say: the first two choose it, every
/// six after that change a place.
fn changed(bytes: &[u8], (folders, ending): (&[&str], &str), files: &'static Files) -> String {
    let files = files.get_or_init(|| {
        let all = folders.iter().flat_map(|folder| beneath(folder, ending));
        all.map(|(_, text)| text).collect()
    });
    let number = |at: usize| bytes.get(at).copied().map_or(0, usize::from);
    let mut text = files[(number(0) * 256 + number(1)) % files.len()].clone();
    for edit in bytes.get(2..).unwrap_or_default().chunks_exact(6) {
        let word = |at: usize| usize::from(edit[at]) * 256 + usize::from(edit[at + 1]);
        let whole = |mut at: usize| {
            at = at.min(text.len());
            while !text.is_char_boundary(at) {
                at -= 1;
            }
            at
        };
        let from = whole(word(0) % (text.len() + 1));
        let to = whole(from + usize::from(edit[2] % 64));
        match edit[3] % 5 {
            0 => text.replace_range(from..to, ""),
            1 => text.insert_str(from, BITS[word(4) % BITS.len()]),
            2 => text.replace_range(from..to, BITS[word(4) % BITS.len()]),
            3 => {
                let other = whole(word(4) % (text.len() + 1));
                let part = text[from..to].to_owned();
                text.insert_str(other, &part);
            }
            // A digit for another: the commonest slip that still reads.
            _ => {
                let digit = text[from..].find(|c: char| c.is_ascii_digit());
                if let Some(at) = digit.map(|n| from + n) {
                    let other = char::from(b'0' + edit[4] % 10).to_string();
                    text.replace_range(at..=at, &other);
                }
            }
        }
    }
    text
}

/// A few answers by chance, under the ruleset that a number chooses.
fn fought(level: &Arc<Level>, number: u64, most: usize) -> Battle {
    let rules = ALL[number as usize % ALL.len()];
    let setup = level_setup(level);
    let mut battle = Battle::new(setup.clone(), rules, DiceBox::seeded(number));
    let players = vec![Player::Random; level.sides.len()];
    let mut table = Table::new(&players, &setup, rules, number);
    play(&mut battle, &mut table, most);
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

#[cfg(feature = "ui")]
#[test]
fn settings() {
    use fivefoot::ui::settings::{Settings, store};
    let folder = std::env::temp_dir().join(format!("fivefoot-fuzz-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("settings.ron");
    store::save(&path, &Settings::default()).unwrap();
    let standard = std::fs::read_to_string(&path).unwrap();
    static FILES: Files = Files::new();
    FILES.get_or_init(|| vec![standard]);
    check!().with_iterations(300).for_each(|bytes: &[u8]| {
        std::fs::write(&path, changed(bytes, (&[], ""), &FILES)).unwrap();
        let (settings, told) = store::load(&path);
        // What is written in its place is read, and a broken file lies beside it.
        store::save(&path, &settings).unwrap();
        assert_eq!(store::load(&path), (settings, None));
        let aside = path.with_extension("ron.broken");
        assert_eq!(told.is_some(), std::fs::remove_file(aside).is_ok());
    });
    std::fs::remove_dir_all(folder).unwrap();
}

#[test]
fn battles_by_chance() {
    check!()
        .with_iterations(25)
        .with_type::<(u16, u8)>()
        .for_each(|(level, dice)| {
            let level = small_level(u64::from(*level));
            let battle = fought(&level, u64::from(*dice), 100_000);
            assert!(battle.over().is_some(), "{}", level.source);
        });
}
