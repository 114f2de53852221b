//! What it is worth to stand somewhere.

use super::{Danger, Evaluation, QuickAi};
use crate::{
    battle::Id,
    grid::{Cell, Space, cells_apart},
};

/// The values of an enemy that depend only on its distance.
pub(super) struct Glance {
    /// The first and the last of its columns, and of its rows.
    columns: [i16; 2],
    rows: [i16; 2],
    /// By distance in cells: an upper bound for the worth of attacks on it, and the danger from its
    /// melee attacks.
    from: Box<[(i32, i32)]>,
}

impl Glance {
    /// Columns or rows between two spans.
    #[inline]
    fn apart(a: [i16; 2], b: [i16; 2]) -> i16 {
        (a[0] - b[1]).max(b[0] - a[1])
    }
}

/// The columns and the rows of a space, as first and last.
#[inline]
fn spans(space: Space) -> ([i16; 2], [i16; 2]) {
    let last = space.side() - 1;
    let Cell { x, y } = space.at;
    ([x, x + last], [y, y + last])
}

impl<R: QuickAi> Evaluation<'_, '_, '_, R> {
    /// The score for staying at the current cell.
    pub fn stay(&self) -> i32 {
        *self.stay.get_or_init(|| self.place(self.here))
    }

    /// The score for ending the turn at a cell: close to the unit's destination, out of danger.
    pub fn place(&self, at: Cell) -> i32 {
        self.place_with(at, self.offense(at))
    }

    /// The score for ending the turn at a cell, if its best attack from there is already known.
    pub fn place_with(&self, at: Cell, offense: i32) -> i32 {
        self.rest_of_place(at, offense, self.danger(at))
    }

    /// The score for moving to a cell. `None` if it is less than `beat`. `then` is what the move
    /// adds to the [`place`](Self::place), given the best attack from there; `at_most` must be no
    /// less than `then`, and quicker.
    pub fn place_to_beat(
        &self,
        at: Cell,
        beat: i32,
        at_most: impl FnOnce(i32) -> i32,
        then: impl FnOnce(i32) -> i32,
    ) -> Option<i32> {
        let (danger, most) = (self.danger(at), self.glance(at).0);
        if self.rest_of_place(at, most, danger) + at_most(most) < beat {
            return None;
        }
        let offense = self.offense(at);
        Some(self.rest_of_place(at, offense, danger) + then(offense))
    }

    /// Upper bounds for the best attack from a cell and for its [`place`](Self::place), without
    /// checking lines of sight.
    #[inline]
    pub fn at_most(&self, at: Cell) -> (i32, i32) {
        let (offense, danger) = self.glance(at);
        (offense, self.rest_of_place(at, offense, danger))
    }

    /// Bounds from distance alone: no attack from the cell is worth more, and the danger is no
    /// less. There are many moves, and most are ruled out by this.
    #[inline]
    fn glance(&self, at: Cell) -> (i32, i32) {
        let glances = self.glances.get_or_init(|| self.glances());
        let (columns, rows) = spans(self.space(at));
        let (mut offense, mut danger) = (0, 0);
        for enemy in glances {
            let (dx, dy) = (
                Glance::apart(columns, enemy.columns),
                Glance::apart(rows, enemy.rows),
            );
            let apart = dx.max(dy).max(0) as usize;
            let (worth, harm) = enemy.from.get(apart).copied().unwrap_or_default();
            offense = worth.max(offense);
            danger += harm;
        }
        (offense, danger)
    }

    #[cold]
    fn glances(&self) -> Vec<Glance> {
        let dangers = self.dangers().iter();
        dangers.map(|danger| self.glance_at(danger)).collect()
    }

    fn glance_at(&self, danger: &Danger) -> Glance {
        let target = self
            .targets()
            .iter()
            .find(|target| target.id == danger.enemy);
        let board = &self.view().board;
        let (columns, rows) = spans(danger.space);
        let from = |cells: u16| {
            let worth = target.map_or(0, |target| target.arms.most_at(cells * 5));
            (worth, danger.in_melee(cells * 5))
        };
        Glance {
            columns,
            rows,
            from: (0..board.width().max(board.height())).map(from).collect(),
        }
    }

    #[inline]
    fn rest_of_place(&self, at: Cell, offense: i32, danger: i32) -> i32 {
        let aims = self.aims();
        let fear = danger * R::CAUTION / 100 * aims.caution / 100;
        let way = self.way_to_go(at, offense);
        // A unit that must be protected does not look for fights.
        let then = if aims.is_protected { 0 } else { offense / 3 };
        then - fear - way - self.price_of_leaving_wards(at) - R::price_of_place(self, at)
    }

    /// The cost of leaving the units that this unit guards.
    #[inline]
    fn price_of_leaving_wards(&self, at: Cell) -> i32 {
        match self.aims().guards {
            true => self.price_of_distance(at),
            false => 0,
        }
    }

    fn price_of_distance(&self, at: Cell) -> i32 {
        let here = self.space(at);
        let far = |ward: Id| cells_apart(here, self.view().body(ward).space());
        let paces = self.wards().map(far).min().unwrap_or(0);
        15 * i32::from(paces.saturating_sub(2))
    }
}
