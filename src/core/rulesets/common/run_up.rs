//! The straight line of a charge.

use crate::{
    battle::{Id, View, Why, movement::Occupancy},
    grid::{self, Board, Cell, Occupant, Space},
};

/// A step of a run.
#[derive(Clone, Copy, Debug)]
pub struct RunStep {
    /// The cell that it enters.
    pub cell: Cell,
    /// Feet to it.
    pub feet: u16,
    /// The foes whose reach is left by then, as a bit set.
    pub drawn: u64,
}

/// As much of the straight line as can be run.
#[derive(Clone, Debug)]
pub struct RunUp {
    pub steps: Vec<RunStep>,
    pub end: End,
}

/// What ends a straight run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// It was to end there, or the line is over.
    Arrived,
    /// The foe is in the way.
    Met,
    /// Something else is.
    Blocked,
    /// The feet do not suffice.
    Far,
    /// It would be a fall.
    Ledge,
    /// The step cannot be taken.
    Step(grid::Why),
}

impl RunUp {
    pub fn cells(&self) -> impl Iterator<Item = Cell> {
        self.steps.iter().map(|step| step.cell)
    }

    /// The cells up to one of them; none if it is not among them.
    pub fn to(&self, end: Cell) -> Vec<Cell> {
        let n = self.cells().position(|cell| cell == end);
        self.cells().take(n.map_or(0, |n| n + 1)).collect()
    }

    /// The first cell from which one of that size reaches somebody there, in feet.
    pub fn first_in_reach(
        &self,
        board: &Board,
        size: u8,
        there: Space,
        reach: u16,
    ) -> Option<RunStep> {
        let in_reach = |step: &&RunStep| board.in_reach(Space::new(step.cell, size), there, reach);
        self.steps.iter().find(in_reach).copied()
    }
}

impl End {
    /// Why a run goes no farther, in the words of a rule.
    pub fn why(self, rule: crate::battle::Rule, budget: u16) -> Why {
        match self {
            End::Arrived | End::Met => {
                Why::new(rule, "the straight line does not lead to the target")
            }
            End::Blocked => Why::new(rule, "something is in the way"),
            End::Far => Why::new(rule, format!("beyond {budget} ft")),
            End::Ledge => Why::new(rule, "would fall"),
            End::Step(why) => Why::new(rule, why.to_string()),
        }
    }
}

impl View<'_, '_> {
    /// The straight line from `who` towards somebody `there`, from centre to centre,
    /// as far as `budget` feet go, or to the first cell at which it `arrived`. Every
    /// cell that the line crosses must be free.
    pub fn run_up(
        &self,
        who: Id,
        there: Space,
        ways: &Occupancy,
        budget: u16,
        arrived: impl Fn(Cell) -> bool,
    ) -> RunUp {
        let mine = self.body(who);
        let goal = nearest_cell(there, mine.at);
        let (mut steps, mut at, mut feet, mut odd, mut drawn) = (vec![], mine.at, 0, false, 0);
        let mut end = End::Arrived;
        for stage in grid::straight(mine.at, goal) {
            if arrived(at) {
                break;
            }
            let blocked = |cell: &Cell| {
                let space = Space::new(*cell, mine.size);
                let taken = |c| ways.occupant(c) != Occupant::Nobody;
                space.cells().any(taken) || !self.board.can_stand(space)
            };
            if stage.crossed.iter().any(blocked) || blocked(&stage.to) {
                let met = Space::new(stage.to, mine.size).overlaps(there);
                end = if met { End::Met } else { End::Blocked };
                break;
            }
            let step = self.walk(who, ways, |walk| walk.step_in_move(at, stage.to, odd));
            end = match step {
                Err(why) => End::Step(why),
                Ok(cost) if cost.fall > 0 => End::Ledge,
                Ok(cost) if feet + cost.feet > budget => End::Far,
                Ok(cost) => {
                    feet += cost.feet;
                    odd ^= cost.diagonal;
                    drawn |= ways.left(at, stage.to);
                    at = stage.to;
                    steps.push(RunStep {
                        cell: at,
                        feet,
                        drawn,
                    });
                    continue;
                }
            };
            break;
        }
        RunUp { steps, end }
    }
}

/// The cell of a body that is nearest to `from`.
pub(super) fn nearest_cell(space: Space, from: Cell) -> Cell {
    let end = i16::from(space.size) - 1;
    let clamp = |v: i16, low: i16| v.clamp(low, low + end);
    Cell::new(clamp(from.x, space.at.x), clamp(from.y, space.at.y))
}
