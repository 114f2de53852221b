//! What it is worth to stand somewhere.

use super::{Danger, Evaluation, NEVER, QuickAi, goals::Aims};
use crate::{
    battle::Id,
    grid::{Cell, Space, cells_apart},
};

/// What a cell is worth as the end of a move: exactly, or at most.
pub struct EndWorth {
    /// The worth of the best attack from there.
    pub offense: i32,
    /// The score for ending the turn there.
    pub place: i32,
    /// Whether the lines of sight were worked out; without them it is an upper bound.
    pub is_exact: bool,
}

/// The values of an enemy that depend only on its distance.
pub(super) struct DistanceBounds {
    space: Space,
    /// By distance in cells: an upper bound for the worth of attacks on it, and the danger from its
    /// melee attacks.
    from: Box<[(i32, i32)]>,
}

impl<R: QuickAi> Evaluation<'_, '_, '_, R> {
    /// The score for staying at the current cell.
    pub fn stay(&self) -> i32 {
        *self.once.stay.get_or_init(|| self.place(self.here))
    }

    /// The score of an action at the current cell, by what it is worth apart from staying there.
    /// [`NEVER`] without a worth.
    pub fn staying(&self, worth: Option<i32>) -> i32 {
        worth.map_or(NEVER, |worth| self.stay() + worth)
    }

    /// The score for ending the turn at a cell: close to the unit's destination, out of danger.
    pub fn place(&self, at: Cell) -> i32 {
        self.place_with(self.aims(), at, (self.offense(at), self.danger(at)))
    }

    /// The score for ending the turn at a cell, with its best attack and the danger there.
    #[inline]
    fn place_with(&self, aims: &Aims, at: Cell, (offense, danger): (i32, i32)) -> i32 {
        let fear = danger * R::CAUTION / 100 * aims.caution / 100;
        // A unit that must be protected does not look for fights.
        let next_attack = if aims.is_protected { 0 } else { offense / 3 };
        let leaving = match aims.guards {
            true => self.price_of_leaving_protected(at),
            false => 0,
        };
        next_attack - fear - aims.cost_of_steps(at, offense) - leaving - R::price_of_place(self, at)
    }

    /// What a cell is worth as the end of a move, exactly. `None` if what it is worth at most,
    /// with the danger there, is not `enough`.
    pub fn end_at(&self, at: Cell, enough: impl FnOnce(&EndWorth) -> bool) -> Option<EndWorth> {
        let (danger, aims) = (self.danger(at), self.aims());
        let end = |offense, is_exact| EndWorth {
            offense,
            place: self.place_with(aims, at, (offense, danger)),
            is_exact,
        };
        let at_most = self.bounds_by_distance()(at).0;
        enough(&end(at_most, false)).then(|| end(self.offense(at), true))
    }

    /// What cells are worth at most as the ends of moves, from distances alone: there are many
    /// moves, and most are ruled out by this.
    pub fn ends_at_most(&self) -> impl Fn(Cell) -> EndWorth + '_ {
        let (aims, bounds) = (self.aims(), self.bounds_by_distance());
        move |at| {
            let (offense, danger) = bounds(at);
            EndWorth {
                offense,
                place: self.place_with(aims, at, (offense, danger)),
                is_exact: false,
            }
        }
    }

    /// For each cell, the most that an attack from there may be worth, and the danger from melee
    /// attacks there.
    #[inline]
    fn bounds_by_distance(&self) -> impl Fn(Cell) -> (i32, i32) + '_ {
        let bounds = self.once.bounds_by_distance.get_or_init(|| {
            let dangers = self.dangers().iter();
            dangers.map(|danger| self.distance_bounds(danger)).collect()
        });
        move |at| {
            let here = self.space(at);
            let (mut offense, mut danger) = (0, 0);
            for enemy in bounds {
                let apart = usize::from(cells_apart(here, enemy.space));
                let (worth, harm) = enemy.from.get(apart).copied().unwrap_or_default();
                offense = worth.max(offense);
                danger += harm;
            }
            (offense, danger)
        }
    }

    fn distance_bounds(&self, danger: &Danger) -> DistanceBounds {
        let mut targets = self.targets().iter();
        let target = targets.find(|target| target.id == danger.enemy);
        let board = &self.view.board;
        let from = |cells: u16| {
            let worth = target.map_or(0, |target| target.options.most_at(cells * 5));
            (worth, danger.in_melee(cells * 5))
        };
        DistanceBounds {
            space: danger.space,
            from: (0..board.width().max(board.height())).map(from).collect(),
        }
    }

    /// The cost of leaving the units that this unit guards.
    fn price_of_leaving_protected(&self, at: Cell) -> i32 {
        let here = self.space(at);
        let far = |ally: Id| cells_apart(here, self.view.body(ally).space());
        let cells = self.protected_allies().map(far).min().unwrap_or(0);
        15 * i32::from(cells.saturating_sub(2))
    }
}
