//! What it is worth to stand somewhere.

use super::{Danger, Evaluation, QuickAi, goals::Aims};
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

impl Aims {
    /// The score for ending the turn at a cell, with its best attack and the danger there.
    #[inline]
    fn place<R: QuickAi>(&self, eval: &Evaluation<R>, at: Cell, offense: i32, danger: i32) -> i32 {
        let fear = danger * R::CAUTION / 100 * self.caution / 100;
        // A unit that must be protected does not look for fights.
        let next_attack = if self.is_protected { 0 } else { offense / 3 };
        let leaving = match self.guards {
            true => eval.price_of_leaving_protected(at),
            false => 0,
        };
        next_attack - fear - self.cost_of_steps(at, offense) - leaving - R::price_of_place(eval, at)
    }
}

/// The values of an enemy that depend only on its distance.
pub(super) struct DistanceBounds {
    /// The first and the last of its columns, and of its rows.
    columns: [i16; 2],
    rows: [i16; 2],
    /// By distance in cells: an upper bound for the worth of attacks on it, and the danger from its
    /// melee attacks.
    from: Box<[(i32, i32)]>,
}

impl DistanceBounds {
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
        *self.once.stay.get_or_init(|| self.place(self.here))
    }

    /// The score for ending the turn at a cell: close to the unit's destination, out of danger.
    pub fn place(&self, at: Cell) -> i32 {
        let (offense, danger) = (self.offense(at), self.danger(at));
        self.aims().place(self, at, offense, danger)
    }

    /// What a cell is worth as the end of a move, exactly. `None` if what it is worth at most,
    /// with the danger there, is not `enough`.
    pub fn end_at(&self, at: Cell, enough: impl FnOnce(&EndWorth) -> bool) -> Option<EndWorth> {
        let (danger, aims) = (self.danger(at), self.aims());
        let end = |offense, is_exact| EndWorth {
            offense,
            place: aims.place(self, at, offense, danger),
            is_exact,
        };
        let at_most = self.bounds_by_distance()(at).0;
        enough(&end(at_most, false)).then(|| end(self.offense(at), true))
    }

    /// What cells are worth at most as the ends of moves, from distances alone: there are many
    /// moves, and most are ruled out by this.
    pub fn ends_at_most(&self) -> impl Fn(Cell) -> EndWorth + '_ {
        let aims = self.aims();
        let bounds = self.bounds_by_distance();
        move |at| {
            let (offense, danger) = bounds(at);
            EndWorth {
                offense,
                place: aims.place(self, at, offense, danger),
                is_exact: false,
            }
        }
    }

    /// For each cell, the most that an attack from there may be worth, and the danger from melee
    /// attacks.
    #[inline]
    fn bounds_by_distance(&self) -> impl Fn(Cell) -> (i32, i32) + '_ {
        let bounds = self.once.bounds_by_distance.get_or_init(|| {
            let dangers = self.dangers().iter();
            dangers.map(|danger| self.distance_bounds(danger)).collect()
        });
        let bounds = &bounds[..];
        move |at| {
            let (columns, rows) = spans(self.space(at));
            let (mut offense, mut danger) = (0, 0);
            for enemy in bounds {
                let dx = DistanceBounds::apart(columns, enemy.columns);
                let dy = DistanceBounds::apart(rows, enemy.rows);
                let apart = dx.max(dy).max(0) as usize;
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
        let (columns, rows) = spans(danger.space);
        let from = |cells: u16| {
            let worth = target.map_or(0, |target| target.options.most_at(cells * 5));
            (worth, danger.in_melee(cells * 5))
        };
        DistanceBounds {
            columns,
            rows,
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
