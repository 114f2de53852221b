//! The straight line of a charge.

use crate::{
    battle::{Id, Rule, View, Why, movement::Occupancy},
    grid::{self, Board, Cell, Occupant, Space},
};

/// One step of a charge.
#[derive(Clone, Copy, Debug)]
pub struct RunStep {
    /// The cell that it enters.
    pub cell: Cell,
    /// Feet from the start to this cell.
    pub feet: u16,
    /// Enemies whose reach has been left by then, as a bit set.
    pub provoked: u64,
}

/// As much of the straight line as can be run.
#[derive(Clone, Debug)]
pub struct ChargeLane {
    pub steps: Vec<RunStep>,
    pub end: LaneEnd,
}

/// What ends a straight run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LaneEnd {
    /// The run was to end here, or the line is over.
    Arrived,
    /// The target itself is in the way.
    Met,
    /// Something else is in the way.
    Blocked(Obstacle),
    /// The remaining feet are not enough.
    Far,
    /// The next step would be a fall.
    Ledge,
    /// The next step is not possible.
    Step(grid::StepError),
}

/// What is in the way of a charge.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Obstacle {
    Unit,
    /// A closed door.
    Door,
    /// A wall or another solid.
    Wall,
}

impl ChargeLane {
    pub fn cells(&self) -> impl Iterator<Item = Cell> {
        self.steps.iter().map(|step| step.cell)
    }

    /// The cells up to and including `end`. Empty if the line does not cross it.
    pub fn to(&self, end: Cell) -> Vec<Cell> {
        let n = self.cells().position(|cell| cell == end);
        self.cells().take(n.map_or(0, |n| n + 1)).collect()
    }

    /// The first step from whose cell a unit of this size reaches the target space, with `reach` in
    /// feet.
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

impl LaneEnd {
    /// Why a run ends, as text under a rule.
    pub fn why(self, rule: Rule, budget: u16) -> Why {
        match self {
            LaneEnd::Arrived | LaneEnd::Met => {
                Why::new(rule, "the straight line does not lead to the target")
            }
            LaneEnd::Blocked(Obstacle::Unit) => Why::new(rule, "another unit is in the way"),
            LaneEnd::Blocked(Obstacle::Door) => Why::new(rule, "a closed door is in the way"),
            LaneEnd::Blocked(Obstacle::Wall) => Why::new(rule, "a wall is in the way"),
            LaneEnd::Far => Why::new(rule, format!("beyond {budget} ft")),
            LaneEnd::Ledge => Why::new(rule, "would fall"),
            LaneEnd::Step(why) => Why::new(rule, why.to_string()),
        }
    }
}

impl View<'_, '_> {
    /// The straight line from `who` towards the space `there`, centre to centre, for at most
    /// `budget` feet or until `arrived` is true. Every cell that the line crosses must be free.
    pub fn charge_lane(
        &self,
        who: Id,
        there: Space,
        occupancy: &Occupancy,
        budget: u16,
        arrived: impl Fn(Cell) -> bool,
    ) -> ChargeLane {
        let mine = self.body(who);
        let goal = there.nearest(mine.at);
        let (mut steps, mut at, mut feet, mut odd, mut provoked) = (vec![], mine.at, 0, false, 0);
        let mut end = LaneEnd::Arrived;
        for stage in grid::straight(mine.at, goal) {
            if arrived(at) {
                break;
            }
            let blocked = |cell: &Cell| {
                let space = Space::new(*cell, mine.size);
                let taken = |c| occupancy.occupant(c) != Occupant::Nobody;
                space.cells().any(taken) || !self.board.can_stand(space)
            };
            let mut crossed = stage.crossed.into_iter().chain([stage.to]);
            if let Some(cell) = crossed.find(blocked) {
                let met = Space::new(stage.to, mine.size).overlaps(there);
                end = match met {
                    true => LaneEnd::Met,
                    false => {
                        LaneEnd::Blocked(self.obstacle(Space::new(cell, mine.size), occupancy))
                    }
                };
                break;
            }
            let step = self.walk(who, occupancy, |walk| walk.step_in_move(at, stage.to, odd));
            end = match step {
                Err(why) => LaneEnd::Step(why),
                Ok(cost) if cost.fall > 0 => LaneEnd::Ledge,
                Ok(cost) if feet + cost.feet > budget => LaneEnd::Far,
                Ok(cost) => {
                    feet += cost.feet;
                    odd ^= cost.diagonal;
                    provoked |= occupancy.left(at, stage.to);
                    at = stage.to;
                    steps.push(RunStep {
                        cell: at,
                        feet,
                        provoked,
                    });
                    continue;
                }
            };
            break;
        }
        ChargeLane { steps, end }
    }

    /// What makes a space impassable for a charge.
    fn obstacle(&self, space: Space, occupancy: &Occupancy) -> Obstacle {
        let taken = |cell: &Cell| occupancy.occupant(*cell) != Occupant::Nobody;
        let is_shut = |cell: Cell| self.board.door(cell) == Some(false);
        let mut taken = space.cells().filter(taken);
        if taken.any(|cell| self.on(cell).is_some()) {
            Obstacle::Unit
        } else if space.cells().any(is_shut) {
            Obstacle::Door
        } else {
            Obstacle::Wall
        }
    }
}
