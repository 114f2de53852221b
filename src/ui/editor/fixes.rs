//! Fixes for problems that `check` reports. The editor shows a button for each; a fix
//! can be undone like any edit.

use super::state::{Chosen, EditorState, Finding};
use crate::{
    grid::{Cell, Space},
    levels::edit::At,
    ron_read::Fix,
};

/// The edit that fixes one problem.
#[derive(Clone, PartialEq, Debug)]
pub enum FixEdit {
    /// Move a unit to the nearest cell that has room for it.
    Put(usize, Cell),
    /// Replace an unknown word of the file with the known word the checker suggests.
    Word(At, String),
    /// Remove a kind that no unit uses.
    Kind(usize),
    /// Remove a legend character that no cell of the map uses.
    LegendChar(char),
}

impl FixEdit {
    /// The edit for the problem at a byte of the file. `None` if there is no automatic
    /// fix.
    pub(super) fn of(state: &EditorState, finding: &Finding, byte: usize) -> Option<Self> {
        match finding.problem.fix.as_ref()? {
            Fix::Rename(word) => {
                let at = state.doc.way_to(byte)?;
                let raw = state.doc.raw(&at)?;
                let is_text = raw.starts_with('"');
                let word = match is_text {
                    true => crate::levels::edit::quoted(word),
                    false => word.to_string(),
                };
                // If a group follows the word, replacing the piece would delete the group
                // as well.
                let is_plain = is_text || raw.chars().all(|c| c.is_alphanumeric() || c == '_');
                is_plain.then_some(Self::Word(at, word))
            }
            Fix::Move(cell) => {
                let first = finding.who?;
                let entry = &state.units[first].entry;
                let all = state.units.iter().enumerate();
                let mut all = all.filter(|(_, p)| p.entry == *entry);
                // The entry may place several units: take the one in the problem's cell.
                let is_it = |p: &crate::levels::edit::units::Placed| p.of == 1 || p.cell == *cell;
                let who = all.find(|(_, p)| is_it(p)).map_or(first, |(n, _)| n);
                // The unit leaves the space that it takes up now.
                Some(Self::Put(who, state.free_cell(who, |n| n != who)?))
            }
            Fix::DropLegendChar(c) => {
                let at = At::root().field("legend").char_key(*c);
                state.doc.piece(&at).map(|_| Self::LegendChar(*c))
            }
            Fix::DropKind => match finding.form {
                Chosen::Kind(nth) => Some(Self::Kind(nth)),
                _ => None,
            },
        }
    }

    /// The label of the fix's button.
    pub fn title(&self) -> String {
        match self {
            Self::Put(_, cell) => format!("Move to {}", cell.in_file()),
            Self::Word(_, word) => format!("Use {word}"),
            Self::Kind(_) | Self::LegendChar(_) => "Remove".into(),
        }
    }
}

impl EditorState {
    /// Applies the fix of a finding.
    pub(super) fn apply_fix(&mut self, nth: usize) {
        let Some(fix) = self.findings.get(nth).and_then(|f| f.fix.clone()) else {
            return;
        };
        let what = format!("fix: {}", fix.title().to_lowercase());
        match fix {
            FixEdit::Put(who, cell) => {
                let now = self.edit(what, None, |doc| doc.move_unit(who, cell));
                self.chosen = now.map_or(self.chosen, Chosen::Unit);
                self.cursor = Some(cell);
            }
            FixEdit::Word(at, word) => {
                self.edit(what, None, |doc| doc.set(&at, &word));
            }
            FixEdit::LegendChar(c) => {
                let at = At::root().field("legend").char_key(c);
                self.edit(what, None, |doc| doc.remove(&at));
            }
            FixEdit::Kind(nth) => {
                self.edit(what, None, |doc| doc.remove_kind(nth));
            }
        }
    }

    /// The nearest cell with room for a unit of the same size, beside the units that `counts`
    /// accepts.
    pub(super) fn free_cell(&self, who: usize, counts: impl Fn(usize) -> bool) -> Option<Cell> {
        let (board, space) = (self.board()?, self.space(who)?);
        let is_free = |c: &Cell| {
            let there = Space::new(*c, space.size);
            let others = (0..self.units.len()).filter(|n| counts(*n));
            let mut others = others.filter_map(|n| self.space(n));
            board.can_stand(there) && !others.any(|s| s.overlaps(there))
        };
        let far = |c: &Cell| {
            let (dx, dy) = ((c.x - space.at.x).abs(), (c.y - space.at.y).abs());
            (dx.max(dy), dx + dy)
        };
        board.cells().filter(is_free).min_by_key(far)
    }
}
