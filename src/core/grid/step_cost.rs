//! The cost of steps on a map without units (GR-30 to GR-32).

use std::sync::{Arc, OnceLock};

use super::{
    Board, Cell, Space, StepCost, StepError,
    memo::SIZES,
    solid::{CELL, FOOT},
};

/// The costs of the eight steps from a cell, without units, in the order of [`Cell::DIRECTIONS`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Steps {
    /// The possible steps without a fall, one bit each.
    pub open: u8,
    /// The possible steps with the lowest cost, 5 ft, one bit each.
    pub even: u8,
    /// The costs, in steps of 5 ft.
    pub costs: [u16; 8],
}

/// A cache of steps.
#[derive(Debug, Default)]
pub(super) struct StepCache {
    /// The cached steps, by the body's size, then by its cell.
    steps: [OnceLock<Box<[OnceLock<Steps>]>>; SIZES],
}

impl StepCache {
    /// The steps of bodies of one size, each at most `most` steps of 5 ft.
    pub fn known<'a>(&'a self, board: &'a Board, size: u8, most: u16) -> KnownSteps<'a> {
        let steps = self.steps.get(usize::from(size.max(1)) - 1);
        let known = steps
            .map(|steps| steps.get_or_init(|| board.cells().map(|_| OnceLock::new()).collect()));
        KnownSteps {
            board,
            size,
            most,
            known: known.map_or(&[], |known| known),
        }
    }
}

/// The steps of bodies of one size, computed and cached when they are needed.
pub(super) struct KnownSteps<'a> {
    board: &'a Board,
    size: u8,
    /// The highest cost of a step, in steps of 5 ft.
    most: u16,
    /// The cached steps by cell; empty if bodies of this size are not cached.
    known: &'a [OnceLock<Steps>],
}

impl KnownSteps<'_> {
    /// The steps from a cell on the map.
    #[inline]
    pub fn steps(&self, from: Cell) -> Steps {
        let place = self
            .board
            .index(from)
            .and_then(|index| self.known.get(index));
        let mut steps = match place.and_then(OnceLock::get) {
            Some(steps) => *steps,
            None => self.fresh(from, place),
        };
        // Steps of 5 ft, which are nearly all, are below any limit.
        if steps.even != steps.open {
            steps.costs = steps.costs.map(|cost| cost.min(self.most));
        }
        steps
    }

    /// A single step.
    pub fn step(&self, from: Cell, to: Cell) -> Result<StepCost, StepError> {
        let ahead = |(dx, dy): &(i16, i16)| from.offset(*dx, *dy) == to;
        let direction = Cell::DIRECTIONS.iter().position(ahead);
        let steps = self.steps(from);
        match direction.filter(|direction| steps.open >> direction & 1 == 1) {
            Some(direction) => Ok(StepCost {
                feet: 5 * steps.costs[direction],
                fall: 0,
                diagonal: direction >= 4,
            }),
            // The step is not possible, or is a fall.
            None => self.board.step_cost(from, to, self.size),
        }
    }

    #[cold]
    fn fresh(&self, from: Cell, place: Option<&OnceLock<Steps>>) -> Steps {
        let mut steps = Steps {
            open: 0,
            even: 0,
            costs: [0; 8],
        };
        for (direction, to) in from.neighbours().enumerate() {
            if let Ok(StepCost { feet, fall: 0, .. }) = self.board.step_cost(from, to, self.size) {
                steps.open |= 1 << direction;
                steps.costs[direction] = feet / 5;
                steps.even |= u8::from(feet == 5) << direction;
            }
        }
        place.map_or(steps, |place| *place.get_or_init(|| steps))
    }
}

/// The state of a board's ground and doors. Whatever was computed about movement on it is valid
/// while this stays equal.
#[derive(Clone, Debug)]
pub struct BoardState(Arc<StepCache>);

impl PartialEq for BoardState {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Board {
    /// The current state of its ground and doors.
    pub fn state(&self) -> BoardState {
        BoardState(self.share_step_cache())
    }

    /// The steps that a body of one cell can take from a cell without a fall, ignoring units:
    /// direction, destination, and cost in steps of 5 ft.
    pub fn step_costs_from(&self, from: Cell) -> impl Iterator<Item = (usize, Cell, u16)> + use<> {
        let steps = self.step_cache().known(self, 1, u16::MAX).steps(from);
        let all = from.neighbours().zip(steps.costs).enumerate();
        let open = all.filter(move |(direction, _)| steps.open >> direction & 1 == 1);
        open.map(|(direction, (to, cost))| (direction, to, cost))
    }

    /// The cost of a step for a body of some size, ignoring units.
    pub(super) fn step_cost(&self, from: Cell, to: Cell, size: u8) -> Result<StepCost, StepError> {
        let (dx, dy) = (
            i32::from(to.x) - i32::from(from.x),
            i32::from(to.y) - i32::from(from.y),
        );
        if dx.abs().max(dy.abs()) != 1 {
            return Err(StepError::NotAdjacent);
        }
        let [here, there] = [from, to].map(|cell| Space::new(cell, size));
        let (Some(start), Some(end)) = (self.cube(here), self.cube(there)) else {
            return Err(StepError::OffMap);
        };
        let (low, high) = (start.min[2].min(end.min[2]), start.min[2].max(end.min[2]));
        let top = high + start.max[2] - start.min[2];
        let up = end.min[2] > start.min[2];
        // The body moves up or down over the lower space, and across at the upper height.
        let (lower, higher) = if up { (here, there) } else { (there, here) };
        if !self.is_free(lower, low, top) || !self.is_free(higher, high, top) {
            return Err(StepError::Wall);
        }
        let diagonal = dx != 0 && dy != 0;
        if diagonal {
            let sides = [Cell::new(to.x, from.y), Cell::new(from.x, to.y)];
            if sides
                .iter()
                .any(|side| !self.lets_by(Space::new(*side, size), high))
            {
                return Err(StepError::Corner);
            }
        }
        let climb = high - low;
        // Climbing a face is never diagonal.
        let has_face = !diagonal
            && here
                .cells()
                .chain(there.cells())
                .any(|cell| self.ground(cell).is_some_and(|ground| ground.climbable));
        let is_fall = !up && climb > 10 * FOOT && !has_face;
        let feet = if up && climb > 5 * FOOT || !up && climb > 10 * FOOT && has_face {
            if !has_face {
                return Err(StepError::TooHigh);
            }
            // Half speed: 2 ft for each foot of height, in steps of 5 ft.
            5 * ((2 * climb + CELL - 1) / CELL).max(2)
        } else if up && climb > 5 * FOOT / 2 {
            10
        } else {
            5
        };
        let entered = there.cells().filter(|cell| !here.contains(*cell));
        let is_rough = entered
            .filter_map(|cell| self.ground(cell))
            .any(|ground| ground.rough || ground.water);
        Ok(StepCost {
            feet: u16::try_from(feet * if is_rough { 2 } else { 1 }).unwrap_or(u16::MAX),
            fall: if is_fall { (climb / FOOT) as u16 } else { 0 },
            diagonal,
        })
    }

    /// Whether a diagonal step at a height can pass over a space: nothing there is higher than a
    /// plain step above it.
    fn lets_by(&self, side: Space, height: i32) -> bool {
        self.cube(side).is_some_and(|cube| {
            let at = cube.min[2].max(height);
            at <= height + 5 * FOOT / 2 && self.is_free(side, at, at + cube.max[2] - cube.min[2])
        })
    }
}
