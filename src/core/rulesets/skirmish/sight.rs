//! Who is seen, and who is only heard (SK-31).

use super::query::SkirmishQuery;
use crate::rulesets::skirmish::numbers;
use crate::{
    battle::{Id, Side},
    content::Trait,
    grid::Space,
};

impl SkirmishQuery<'_, '_> {
    /// Invisible, or in the dark and not close by. That no solid is in between
    /// is for the line of sight.
    pub fn is_unseen(&self, id: Id, from: Space) -> bool {
        let invisible = || self.view.creature(id).has(Trait::Invisible);
        let close = || {
            self.view
                .board
                .within(from, self.body(id).space(), numbers::SEEN_CLOSE)
        };
        self.is_veiled(id) && (invisible() || !close())
    }

    /// Invisible, or in the dark.
    pub fn is_veiled(&self, id: Id) -> bool {
        let dark = |cell| self.view.board.haze(cell) >= numbers::DARK;
        self.view.creature(id).has(Trait::Invisible) || self.body(id).space().cells().all(dark)
    }

    /// Some of a side stand near enough to know its place.
    pub fn is_heard(&self, id: Id, by: Side) -> bool {
        let mut ears = self.view.standing(by);
        ears.any(|ear| self.view.within(ear, id, numbers::HEARING))
    }
}
