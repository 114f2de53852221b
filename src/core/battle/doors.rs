//! Doors and exits near a unit.

use super::{Id, View};
use crate::{grid::Cell, levels::Exit};

/// How far above or below the unit's own floor a door's floor can be, in feet (GR-02).
const WITHIN_ARMS_LENGTH: f64 = 5.0;

impl View<'_, '_> {
    /// The doors next to a unit that it can reach, and whether each is open.
    pub fn doors_beside(&self, who: Id) -> Vec<(Cell, bool)> {
        let (body, board) = (self.body(who), &self.board);
        let mut out: Vec<(Cell, bool)> = vec![];
        for cell in body.space().cells().flat_map(Cell::neighbours) {
            let Some(open) = board.door(cell) else {
                continue;
            };
            if self.is_at_hand(body.at, cell) && !out.contains(&(cell, open)) {
                out.push((cell, open));
            }
        }
        out
    }

    /// Whether a unit at `at`, next to a door, can reach it: the floors differ by at most
    /// [`WITHIN_ARMS_LENGTH`].
    pub(super) fn is_at_hand(&self, at: Cell, door: Cell) -> bool {
        (self.board.stand(door) - self.board.stand(at)).abs() <= WITHIN_ARMS_LENGTH
    }

    /// The cells by which the unit's side can leave the battle.
    pub fn exits(&self, who: Id) -> impl Iterator<Item = Cell> {
        let side = self.body(who).side;
        let own = move |exit: &&Exit| exit.sides.iter().any(|&s| side == s.into());
        let exits = self.level().exits.iter().filter(own);
        exits.flat_map(|exit| exit.cells.iter().copied())
    }

    /// Whether the unit stands on an exit of its side.
    pub fn is_at_exit(&self, who: Id) -> bool {
        let space = self.body(who).space();
        self.exits(who).any(|exit| space.contains(exit))
    }
}
