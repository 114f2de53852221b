//! Movement: steps, paths and ranges (GR-30 to GR-33).

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{
    Board, Cell, Range, Space, cells_apart,
    range::SearchArea,
    step_cost::{KnownSteps, Steps},
};

file_words! {
    /// The cost of diagonal steps (GR-31).
    #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
    pub enum Diagonals {
        /// 5 ft, like other steps.
        #[default]
        Five,
        /// 5 ft, but 10 ft for every second diagonal of a move.
        FiveTen,
    }
}

impl Diagonals {
    /// The feet of a step after an even or odd number of diagonals of one move, and whether
    /// the number is odd after it.
    pub(super) fn count(self, feet: u16, diagonal: bool, odd: bool) -> (u16, bool) {
        match self {
            Diagonals::FiveTen if diagonal => (feet.saturating_mul(1 + u16::from(odd)), !odd),
            _ => (feet, odd),
        }
    }
}

/// The unit in a cell, as seen by the moving unit, which does not count itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Occupant {
    /// Nobody.
    #[default]
    Nobody,
    /// A unit that the moving unit can pass, but where it cannot stop (GR-03).
    Ally,
    /// A unit that blocks the way.
    Foe,
}

/// Why a step is not possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum StepError {
    /// The step leads off the map.
    OffMap,
    /// The cell is not a neighbour.
    NotAdjacent,
    /// A wall or another solid is in the way.
    Wall,
    /// The diagonal step cuts the corner of a wall (GR-30).
    Corner,
    /// The step leads more than 5 ft up, without a climbable face (GR-32).
    TooHigh,
    /// An enemy stands there (GR-03).
    Foe,
}

impl StepError {
    /// The rule that forbids the step.
    pub fn rule(self) -> &'static str {
        match self {
            StepError::OffMap | StepError::NotAdjacent => "GR-33",
            StepError::Wall | StepError::Corner => "GR-30",
            StepError::TooHigh => "GR-32",
            StepError::Foe => "GR-03",
        }
    }
}

impl fmt::Display for StepError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            StepError::OffMap => "off the map",
            StepError::NotAdjacent => "not a neighbouring cell",
            StepError::Wall => "a wall is in the way",
            StepError::Corner => "cuts the corner of a wall",
            StepError::TooHigh => "too high to step up",
            StepError::Foe => "an enemy stands there",
        })
    }
}

/// The cost of one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct StepCost {
    /// In feet.
    pub feet: u16,
    /// How far the unit falls, in feet; 0 for a drop of at most 10 ft or a climb.
    pub fall: u16,
    /// Whether the step is diagonal, which matters for [`Diagonals::FiveTen`].
    pub diagonal: bool,
}

/// The cost of a whole path.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Price {
    /// In feet.
    pub feet: u16,
    /// The enemies whose reach the path leaves, one bit each.
    pub provoked: u64,
    /// The cost of each step, with the extra cost of diagonals.
    pub steps: Vec<StepCost>,
}

/// The first impossible step of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PathError {
    /// The index of the step, from 0.
    pub step: usize,
    /// Why the step is not possible.
    pub why: StepError,
}

impl fmt::Display for PathError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "step {}: {}", self.step + 1, self.why)
    }
}

/// Everything that the steps of a body depend on. Cells are the north-west cells of its space.
#[derive(Clone, Copy)]
pub struct StepRules<'a> {
    /// The map.
    pub board: &'a Board,
    /// Cells along the body's side.
    pub size: u8,
    /// The cost of diagonals.
    pub diagonals: Diagonals,
    /// The factor for all costs: 2 while prone, else 1.
    pub slow: u8,
    /// The highest cost of a step in feet, before the factor: a whole move (GR-32).
    pub most: u16,
    /// The unit in a cell.
    pub standing: &'a dyn Fn(Cell) -> Occupant,
    /// The enemies that steps provoke. `None` if no step does.
    pub provokes: Option<Provokes<'a>>,
}

/// The enemies that steps provoke.
#[derive(Clone, Copy)]
pub struct Provokes<'a> {
    /// The enemies whose reach a step (from, to) leaves, one bit each.
    pub by: &'a dyn Fn(Cell, Cell) -> u64,
    /// The north-west and south-east cell of the area that contains all these reaches. A body
    /// outside it provokes nobody, and its ranges are faster to compute.
    pub within: [Cell; 2],
}

impl<'a> Provokes<'a> {
    /// Enemies that can be provoked anywhere on the map.
    pub fn anywhere(by: &'a dyn Fn(Cell, Cell) -> u64) -> Self {
        let within = [i16::MIN, i16::MAX].map(|v| Cell::new(v, v));
        Self { by, within }
    }

    /// Whether no step from or to a cell can provoke: the body is not even next to the area.
    #[inline]
    pub(super) fn is_clear_of(&self, at: Cell, size: u8) -> bool {
        let [low, high] = self.within;
        let beside = |low: i16, high: i16, at: i16| {
            let (low, high, at) = (i32::from(low), i32::from(high), i32::from(at));
            at + i32::from(size.max(1)) >= low && at - 1 <= high
        };
        !(beside(low.x, high.x, at.x) && beside(low.y, high.y, at.y))
    }

    /// Whether a body of some size can provoke in a part of the map.
    pub(super) fn may_in(&self, part: &SearchArea, size: u8) -> bool {
        let [low, high] = self.within;
        let meets = |low: i16, high: i16, first: i16, count: usize| {
            let last = i64::from(first) + count as i64 - 1 + i64::from(size.max(1)) - 1;
            i64::from(low) <= last && first <= high
        };
        meets(low.x, high.x, part.corner.x, part.width)
            && meets(low.y, high.y, part.corner.y, part.height)
    }
}

impl<'a> StepRules<'a> {
    /// The rules of a body with no unit in its way.
    pub fn alone(board: &'a Board, size: u8, diagonals: Diagonals) -> Self {
        Self {
            board,
            size,
            diagonals,
            slow: 1,
            most: u16::MAX,
            standing: &|_| Occupant::Nobody,
            provokes: None,
        }
    }

    /// The costs of the body's steps, without units and before the factor.
    pub(super) fn known(&self) -> KnownSteps<'a> {
        let (board, most) = (self.board, (self.most / 5).max(1));
        board.step_cache().known(board, self.size, most)
    }

    /// The cost of a step, with a diagonal counted as the move's first, or why it is not
    /// possible.
    pub fn step(&self, from: Cell, to: Cell) -> Result<StepCost, StepError> {
        let known = self.known();
        let stride = known.step(from, to)?;
        if self.occupant(to) == Occupant::Foe {
            return Err(StepError::Foe);
        }
        Ok(StepCost {
            feet: stride.feet.saturating_mul(self.slow.max(1).into()),
            ..stride
        })
    }

    /// Like [`step`](Self::step), after an even or odd number of diagonals in the same move
    /// (GR-31).
    pub fn step_in_move(&self, from: Cell, to: Cell, odd: bool) -> Result<StepCost, StepError> {
        let step = self.step(from, to)?;
        let (feet, _) = self.diagonals.count(step.feet, step.diagonal, odd);
        Ok(StepCost { feet, ..step })
    }

    /// The enemies whose reach a step leaves, one bit each.
    pub fn provoked(&self, from: Cell, to: Cell) -> u64 {
        self.provokes.map_or(0, |it| (it.by)(from, to))
    }

    /// Whether a move can end there: no other unit stands in the space.
    pub fn may_stop(&self, at: Cell) -> bool {
        self.occupant(at) == Occupant::Nobody
    }

    /// The unit that most blocks the body in a space.
    #[inline]
    pub(super) fn occupant(&self, at: Cell) -> Occupant {
        if self.size <= 1 {
            return (self.standing)(at);
        }
        Space::new(at, self.size)
            .cells()
            .map(self.standing)
            .max()
            .unwrap_or_default()
    }

    /// The cost of a plotted path, which starts with the unit's own cell, or its first impossible
    /// step. The path can contain falls.
    pub fn price(&self, path: &[Cell]) -> Result<Price, PathError> {
        let mut price = Price::default();
        let mut odd = false;
        for (number, pair) in path.windows(2).enumerate() {
            let step = self
                .step(pair[0], pair[1])
                .map_err(|why| PathError { step: number, why })?;
            let (feet, next) = self.diagonals.count(step.feet, step.diagonal, odd);
            odd = next;
            price.feet = price.feet.saturating_add(feet);
            price.provoked |= self.provoked(pair[0], pair[1]);
            price.steps.push(StepCost { feet, ..step });
        }
        Ok(price)
    }

    /// The cheapest path between two cells, both included; among equals, one that provokes the
    /// fewest enemies. `None` if there is no way without a fall.
    pub fn path(&self, from: Cell, to: Cell) -> Option<Vec<Cell>> {
        self.path_to_any(from, &[to])
    }

    /// Like [`path`](Self::path), to whichever of these cells is cheapest to reach.
    pub fn path_to_any(&self, from: Cell, ends: &[Cell]) -> Option<Vec<Cell>> {
        // A cell that can't be entered would make the search visit every other one.
        let is_possible = |to: &Cell| {
            let is_free = || self.occupant(*to) != Occupant::Foe;
            *to == from || self.board.can_stand(Space::new(*to, self.size)) && is_free()
        };
        let ends: Vec<Cell> = ends.iter().copied().filter(is_possible).collect();
        if !self.board.contains(from) || ends.is_empty() {
            return None;
        }
        let part = SearchArea::around(self.board, from, u16::MAX);
        if self.provokes.is_some_and(|it| it.may_in(&part, self.size)) {
            // The best path depends on the enemies provoked so far. The range search tracks them
            // and drops paths that cannot be best.
            let only = Some(ends[0]).filter(|_| ends.len() == 1);
            let range = Range::search(self, from, only, u16::MAX);
            let reached = ends.into_iter().filter_map(|end| range.get(end));
            let nearest = reached.min_by_key(|end| end.feet)?;
            return Some(range.path(nearest.cell));
        }
        let known = self.known();
        let slow = u32::from(self.slow.max(1));
        let apart = |cell: Cell| {
            let apart = |end: &Cell| cells_apart(cell.into(), (*end).into());
            ends.iter().map(apart).min().unwrap_or(0)
        };
        let (path, _) = pathfinding::prelude::astar(
            &(from, false),
            |&(cell, odd)| {
                let Steps { open, costs, .. } = known.steps(cell);
                let steps = cell
                    .neighbours()
                    .enumerate()
                    .filter(move |(direction, _)| open >> direction & 1 == 1);
                let free = steps.filter(|(_, next)| self.occupant(*next) != Occupant::Foe);
                free.map(move |(direction, next)| {
                    let (cost, odd) = self.diagonals.count(costs[direction], direction >= 4, odd);
                    ((next, odd), 5 * u32::from(cost) * slow)
                })
            },
            |(cell, _)| 5 * slow * u32::from(apart(*cell)),
            |(cell, _)| ends.contains(cell),
        )?;
        Some(path.into_iter().map(|(cell, _)| cell).collect())
    }

    /// Whether any step from a cell costs at most `budget` feet, so that its
    /// [`range`](Self::range) is more than the cell itself.
    pub fn goes_anywhere(&self, from: Cell, budget: u16) -> bool {
        let known = self.known();
        let Steps { open, costs, .. } = known.steps(from);
        let slow = u16::from(self.slow.max(1));
        let is_paid = |direction: usize| costs[direction].saturating_mul(slow) <= budget / 5;
        let mut beside = from.neighbours().enumerate();
        beside.any(|(direction, to)| {
            let is_open = open >> direction & 1 == 1 && is_paid(direction);
            is_open && self.occupant(to) != Occupant::Foe
        })
    }

    /// Everything within `budget` feet of a cell, in one search.
    pub fn range(&self, from: Cell, budget: u16) -> Range {
        Range::search(self, from, None, budget)
    }

    /// The path that [`range`](Self::range) finds to a cell, start and end included. Empty beyond
    /// range.
    pub fn path_in_range(&self, from: Cell, to: Cell, budget: u16) -> Vec<Cell> {
        Range::search(self, from, Some(to), budget).path(to)
    }
}
