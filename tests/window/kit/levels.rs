//! Levels that several tests use.

use fivefoot::levels::Level;
use std::sync::Arc;

/// Levels whose rounds are simulated.
pub mod spoiled {
    use fivefoot::battle::Id;

    pub const MARA: Id = Id(0);

    pub const GOBLIN: Id = Id(2);

    pub const ARCHER: Id = Id(3);

    pub use fivefoot_kit::plans::CASTER as LEVEL;
}

/// Mara beside a goblin, an archer behind a low wall, a ledge, and an unreachable cell.
pub const LEVEL: &str = r##"(
    title: "Before the click",
    map: [
        "....................",
        "....................",
        "....................",
        "..........=.........",
        "..........=.........",
        ".................###",
        ".......^^........#.#",
        ".................###",
    ],
    legend: { '^': (floor: 5) },
    sides: [(id: "party"), (id: "foes", control: Ai)],
    combatants: [
        (kind: "mara", side: "party", at: (2, 3)),
        (kind: "tobin", side: "party", at: (0, 0)),
        (kind: "goblin", side: "foes", at: (3, 3)),
        (kind: "goblin_archer", side: "foes", at: (14, 3)),
    ],
    exits: [(at: (19, 0))],
)"##;

pub fn level() -> Arc<Level> {
    fivefoot_kit::level(LEVEL)
}
