//! What it is worth to stand somewhere.

use super::{Evaluation, Thinks};
use crate::{
    battle::Id,
    grid::{Cell, cells_apart},
};

impl<R: Thinks> Evaluation<'_, '_, '_, R> {
    /// What it is worth to stay where it stands.
    pub fn stay(&self) -> i32 {
        *self.stay.get_or_init(|| self.place(self.here))
    }

    /// What it is worth to stand somewhere when the turn ends: near enough to
    /// its goal, out of harm.
    pub fn place(&self, at: Cell) -> i32 {
        self.place_with(at, self.offense(at))
    }

    /// What [`place`](Self::place) comes to at most: nobody has looked who sees
    /// whom.
    pub fn best_of_place(&self, at: Cell) -> i32 {
        self.place_at_most(at, self.offense_at_most(at))
    }

    /// The same, its best attack from there being known.
    pub fn place_with(&self, at: Cell, offense: i32) -> i32 {
        self.rest_of_place(at, offense, self.danger(at))
    }

    /// What [`place_with`](Self::place_with) comes to at most, with the best
    /// attack from there being at most that.
    pub fn place_at_most(&self, at: Cell, offense: i32) -> i32 {
        self.rest_of_place(at, offense, self.danger_in_melee(at))
    }

    fn rest_of_place(&self, at: Cell, offense: i32, danger: i32) -> i32 {
        let fear = danger * R::CAUTION / 100 * self.posture().caution / 100;
        let way = self.way_to_go(at, offense);
        // Who is to be kept from harm has no place in the fight.
        let then = if self.is_ward() { 0 } else { offense / 3 };
        then - fear - way - self.price_of_leaving_wards(at) - R::price_of_place(self, at)
    }

    /// Who guards somebody keeps near.
    fn price_of_leaving_wards(&self, at: Cell) -> i32 {
        if !self.keeps() || self.is_ward() || self.is_sent() {
            return 0;
        }
        let here = self.space(at);
        let far = |ward: Id| cells_apart(here, self.view().body(ward).space());
        let paces = self.wards().map(far).min().unwrap_or(0);
        15 * i32::from(paces.saturating_sub(2))
    }
}
