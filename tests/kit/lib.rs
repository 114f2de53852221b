//! Helpers for both the headless and the window tests.
//!
//! - [`battlefields`]: random levels on which every unit can reach an enemy
//! - [`files`]: the files of the repository, and random changes to their texts
//! - [`plans`]: levels for tests of plans
//! - [`small_levels`]: small random levels

pub mod battlefields;
pub mod files;
pub mod plans;
pub mod small_levels;

use fivefoot_core::levels::{Level, check_file};
use std::{path::Path, sync::Arc};

/// The repository's root. Tests run in the folder of their own package.
pub fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// `full` if `FIVEFOOT_FULL=1` is set, otherwise `quick`. Tests over many battles use it for their
/// number of battles, so that `./test` stays fast and one setting runs everything at full size.
pub fn sample<T>(quick: T, full: T) -> T {
    match std::env::var_os("FIVEFOOT_FULL").is_some_and(|set| set == "1") {
        true => full,
        false => quick,
    }
}

/// A level with an exit for one side, and without a ruleset of its own.
pub const YARD: &str = r#"(
    title: "The yard",
    map: [
        "........",
        "........",
        "........",
    ],
    sides: [(id: "party"), (id: "goblins", awareness: Alert)],
    combatants: [
        (kind: "mara", side: "party", at: (0, 1)),
        (kind: "goblin", side: "goblins", at: (7, 1)),
    ],
    exits: [(at: (7, 0))],
)
"#;

/// Parses a level that must have no errors.
pub fn level(text: &str) -> Arc<Level> {
    match check_file("level.ron", text) {
        Ok((level, _)) => Arc::new(level),
        Err(problems) => panic!("{}: {text}", problems[0]),
    }
}

/// A level for a short battle with many kinds of action: four heroes against four goblins.
pub fn brawl() -> Arc<Level> {
    let text = r#"(
        title: "Brawl",
        map: [
            "............",
            "....,,..=...",
            "............",
            "....,,..=...",
            "............",
        ],
        sides: [(id: "party"), (id: "goblins")],
        combatants: [
            (kind: "mara", side: "party", at: (2, 1)),
            (kind: "brandt", side: "party", at: (2, 3)),
            (kind: "tobin", side: "party", at: (1, 2)),
            (kind: "ysolde", side: "party", at: (0, 2)),
            (kind: "goblin", side: "goblins", at: [(8, 0), (9, 2), (8, 4)]),
            (kind: "goblin_archer", side: "goblins", at: (11, 2)),
        ],
    )"#;
    level(text)
}

/// A level with goblins, given as name, side, cell (column, row) and hit points.
pub fn field(rows: &[&str], units: &[(&str, &str, (i16, i16), i32)]) -> Arc<Level> {
    let rows: Vec<String> = rows.iter().map(|row| format!("{row:?}")).collect();
    let entry = |(name, side, (x, y), hp): &(&str, &str, (i16, i16), i32)| {
        format!(
            "(kind: \"goblin\", name: {name:?}, side: {side:?}, at: ({x}, {y}), with: (skirmish: (hp: {hp}), demo: (vigour: {hp}))),"
        )
    };
    let units: String = units.iter().map(entry).collect();
    let text = format!(
        "(title: \"Field\", map: [{}], sides: [(id: \"party\"), (id: \"goblins\")], combatants: [{units}])",
        rows.join(", ")
    );
    level(&text)
}
