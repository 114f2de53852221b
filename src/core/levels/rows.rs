//! A map in the form of a level file: rows of characters, and a legend for those
//! without a standard meaning.

use super::{
    edit::{GroundAndFog, candidates, ground_text},
    read::usual_legend,
};
use crate::grid::{Board, Cell, CellGround};

/// What a character means without a legend.
pub fn usual_ground(c: char) -> Option<CellGround> {
    usual_legend().remove(&c)
}

/// The map.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Rows {
    /// From north to south.
    pub rows: Vec<String>,
    /// Characters without a standard meaning, with the text of their legend entry.
    pub legend: Vec<(char, String)>,
}

/// Characters to use when no suggestive one is free.
const MORE: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnpqrstuvwxyz0123456789!$%&*:;<>?@^_|";

impl Rows {
    /// The rows of a board, with doors in their current state.
    pub fn of(board: &Board) -> Self {
        let cells = board.cells().map(|cell| {
            let ground = board.ground(cell).cloned().unwrap_or_default();
            (ground, board.fog(cell))
        });
        let cells: Vec<GroundAndFog> = cells.collect();
        Self::of_cells(board.width().into(), &cells).expect("a level has few kinds of ground")
    }

    /// The rows for cells listed row by row, `width` per row. `None` if there are
    /// more kinds of ground than characters.
    pub fn of_cells(width: usize, cells: &[GroundAndFog]) -> Option<Self> {
        let usual = usual_legend();
        // A blank is a wall too, but less visible.
        let usual = || usual.iter().filter(|(c, _)| **c != ' ');
        let mut own: Vec<(char, &GroundAndFog)> = vec![];
        let mut text = String::with_capacity(cells.len());
        for ground in cells {
            let is_plain = |(_, plain): &(&char, &CellGround)| **plain == ground.0 && ground.1 == 0;
            let known = usual().find(is_plain).map(|(c, _)| *c);
            let known = known.or_else(|| own.iter().find(|o| o.1 == ground).map(|o| o.0));
            let c = match known {
                Some(c) => c,
                None => {
                    let is_free = |c: &char| {
                        usual().all(|(other, _)| other != c) && own.iter().all(|o| o.0 != *c)
                    };
                    let wanted = candidates(ground).chars();
                    let c = wanted.chain(MORE.chars()).find(is_free)?;
                    own.push((c, ground));
                    c
                }
            };
            text.push(c);
        }
        let chars: Vec<char> = text.chars().collect();
        let legend = own.into_iter().map(|(c, ground)| (c, ground_text(ground)));
        Some(Self {
            rows: chars.chunks(width.max(1)).map(String::from_iter).collect(),
            legend: legend.collect(),
        })
    }

    /// The character of a cell.
    pub fn char_at(&self, cell: Cell) -> Option<char> {
        let row = self.rows.get(usize::try_from(cell.y).ok()?)?;
        row.chars().nth(usize::try_from(cell.x).ok()?)
    }

    /// The text of a level's fields `map` and `legend`, indented by four blanks.
    pub fn fields(&self) -> String {
        let rows = self.rows.iter().map(|row| format!("        {row:?},\n"));
        let mut text = format!("    map: [\n{}    ],\n", rows.collect::<String>());
        if !self.legend.is_empty() {
            let legend = self.legend.iter();
            let legend = legend.map(|(c, what)| format!("        {c:?}: {what},\n"));
            text += &format!("    legend: {{\n{}    }},\n", legend.collect::<String>());
        }
        text
    }
}
