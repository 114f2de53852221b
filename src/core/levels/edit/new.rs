//! The text of a new level.

use super::quoted;

/// A level with two sides on open ground, written as if by hand.
pub fn new_level(title: &str, columns: usize, rows: usize) -> String {
    let row = format!("        \"{}\",\n", ".".repeat(columns));
    let (east, south) = (columns.saturating_sub(1), rows.saturating_sub(1));
    let (middle, enemy) = (rows / 2, columns.saturating_sub(4));
    format!(
        "(
    title: {},
    briefing: \"\",

    map: [
{}    ],

    sides: [
        (id: \"party\", colour: Blue),
        (id: \"foes\", name: \"The enemies\", colour: Vermilion),
    ],

    combatants: [
        (kind: \"mara\", side: \"party\", at: (2, {middle})),
        (kind: \"goblin\", side: \"foes\", at: ({enemy}, {middle})),
    ],

    exits: [
        (at: Rect((0, 0), (0, {south})), sides: [\"party\"]),
        (at: Rect(({east}, 0), ({east}, {south})), sides: [\"foes\"]),
    ],

    objectives: [
        (side: \"party\", goal: Defeat),
    ],
)
",
        quoted(title),
        row.repeat(rows),
    )
}
