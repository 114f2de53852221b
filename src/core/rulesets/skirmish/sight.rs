//! Which units are seen, and which are only heard (SK-31).

use super::{numbers, query::SkirmishQuery};
use crate::{
    battle::{Id, Side},
    content::Trait,
    grid::Space,
};

impl SkirmishQuery<'_, '_> {
    /// Whether a unit can't be seen from a space: invisible, or in the dark and not close. Walls
    /// are a matter of the line of sight.
    pub fn is_unseen(&self, id: Id, from: Space) -> bool {
        let invisible = || self.view.creature(id).has(Trait::Invisible);
        let close = || {
            let here = self.body(id).space();
            self.view.board.within(from, here, numbers::SEEN_CLOSE)
        };
        self.is_veiled(id) && (invisible() || !close())
    }

    /// Whether a unit is invisible or in the dark.
    pub fn is_veiled(&self, id: Id) -> bool {
        let dark = |cell| self.view.board.fog(cell) >= numbers::DARK;
        self.view.creature(id).has(Trait::Invisible) || self.body(id).space().cells().all(dark)
    }

    /// Whether a unit of a side is close enough to hear where `id` is.
    pub fn is_heard(&self, id: Id, by: Side) -> bool {
        let mut ears = self.view.standing(by);
        ears.any(|ear| self.view.within(ear, id, numbers::HEARING))
    }
}
