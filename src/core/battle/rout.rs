//! The way out, for those who flee: to an exit of their side, through shut
//! doors if need be.

use super::{Id, Side, View, movement::Occupancy};
use crate::grid::{Board, Cell, Range, Reached, Space, StepRules};

/// Between ways to several exits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Prefers {
    /// That which draws fewest attacks, then the shortest.
    FewAttacks,
    /// The shortest, then that which draws fewest attacks.
    ShortWays,
}

/// What one who flees does next.
#[derive(Clone, PartialEq, Debug)]
pub enum EscapeLeg {
    /// A shut door is in the way, or a step slantwise would cut past it.
    Open(Cell),
    /// The cells to step on, in order: at least one, and each can be stepped on
    /// as the doors are now.
    Run(Vec<Cell>),
    /// Their own people are in the way, or their feet are spent.
    Wait,
}

/// How one who flees moves, as their ruleset has it.
pub struct Escape<'a> {
    pub who: Id,
    pub ways: &'a Occupancy,
    pub prefers: Prefers,
    /// What the next leg may cost, in feet.
    pub feet: u16,
    /// Runs a search with their walk on a board, by given ways.
    pub walk_on: &'a WalkOn<'a>,
    /// Whether a leg may end there.
    pub may_stop: &'a dyn Fn(&StepRules, Cell) -> bool,
}

pub type WalkOn<'a> = dyn Fn(&Board, &Occupancy, &mut dyn FnMut(&StepRules)) + 'a;

impl View<'_, '_> {
    /// What one who flees does next on the way to an exit (GR-33). A way that
    /// comes into no further foe's reach is looked for first, then any, then
    /// one through shut doors. `None`: they are cut off.
    pub fn way_out(&self, escape: &Escape) -> Option<EscapeLeg> {
        let exits: Vec<Cell> = self.exits(escape.who).collect();
        if exits.is_empty() {
            return None;
        }
        let (board, ways): (&Board, &Occupancy) = (&self.board, escape.ways);
        let quiet = ways.avoiding_threats(self.body(escape.who).at);
        let route = self
            .route(escape, board, &quiet, &exits)
            .or_else(|| self.route(escape, board, ways, &exits))
            .or_else(|| self.route_through_doors(escape, &exits))?;
        Some(self.leg(escape, &route))
    }

    /// A way through shut doors, each of which can be opened from where the way
    /// comes to it (GR-02).
    fn route_through_doors(&self, escape: &Escape, exits: &[Cell]) -> Option<Vec<Cell>> {
        let size = self.body(escape.who).size;
        let mut open = self.board.0.clone();
        self.board.doors().for_each(|door| {
            open.set_door(door, true);
        });
        loop {
            let route = self.route(escape, &open, escape.ways, exits)?;
            let shut = |step: &[Cell]| {
                let mut doors = self.shut_doors(step[0], step[1], size);
                // One that stays shut is not in the way of a step that is taken.
                let counts = |door| open.door(door) == Some(true);
                doors.find(|&door| counts(door) && !self.is_at_hand(step[0], door))
            };
            match route.windows(2).find_map(shut) {
                None => return Some(route),
                Some(door) => open.set_door(door, false),
            };
        }
    }

    /// The whole way to an exit, however far off, from the cell they stand in.
    fn route(
        &self,
        escape: &Escape,
        board: &Board,
        ways: &Occupancy,
        exits: &[Cell],
    ) -> Option<Vec<Cell>> {
        let body = self.body(escape.who);
        let mut found: Option<Range> = None;
        (escape.walk_on)(board, ways, &mut |walk| {
            found = Some(walk.range(body.at, u16::MAX));
        });
        let range = found?;
        // Where a body stands on an exit, it may be with any of its cells.
        let side = Space::new(body.at, body.size).side();
        let over = |exit: &Cell| {
            let back = Space::new(exit.offset(1 - side, 1 - side), body.size);
            back.cells().filter_map(|at| range.get(at))
        };
        // An exit that an ally takes up is for when there is no other: it may
        // clear.
        let rank = |end: &Reached| {
            let (drawn, feet) = (end.provoked.count_ones(), u32::from(end.feet));
            let way = match escape.prefers {
                Prefers::FewAttacks => (drawn, feet),
                Prefers::ShortWays => (feet, drawn),
            };
            (!end.may_stop, way, end.cell)
        };
        let goal = exits.iter().flat_map(over).min_by_key(rank)?.cell;
        Some(range.path(goal))
    }

    /// As much of a route as can be walked with the doors as they are and as
    /// the feet pay for, to a cell on which they may stop.
    fn leg(&self, escape: &Escape, route: &[Cell]) -> EscapeLeg {
        let mut run = vec![];
        let mut shut = None;
        (escape.walk_on)(&self.board, escape.ways, &mut |walk| {
            let (mut feet, mut odd) = (0u16, false);
            for pair in route.windows(2) {
                match walk.step_in_move(pair[0], pair[1], odd) {
                    Ok(cost) if feet.saturating_add(cost.feet) <= escape.feet => {
                        feet += cost.feet;
                        odd ^= cost.diagonal;
                        run.push(pair[1]);
                    }
                    Ok(_) => break,
                    Err(_) => {
                        let here = run.is_empty();
                        let mut doors = self.shut_doors(pair[0], pair[1], walk.size);
                        let door = doors.find(|&door| self.is_at_hand(pair[0], door));
                        shut = door.filter(|_| here);
                        break;
                    }
                }
            }
            while run.last().is_some_and(|&end| !(escape.may_stop)(walk, end)) {
                run.pop();
            }
        });
        match shut {
            Some(door) => EscapeLeg::Open(door),
            None if run.is_empty() => EscapeLeg::Wait,
            None => EscapeLeg::Run(run),
        }
    }

    /// The shut doors that a step leads into, or slantwise past.
    fn shut_doors(&self, from: Cell, to: Cell, size: u8) -> impl Iterator<Item = Cell> {
        let past = [to, Cell::new(to.x, from.y), Cell::new(from.x, to.y)];
        let cells = past
            .into_iter()
            .flat_map(move |at| Space::new(at, size).cells());
        cells.filter(|&cell| self.board.door(cell) == Some(false))
    }

    /// The round in which a member of a side is back that leaves the field in
    /// this one, if the level lets it.
    pub fn back_in(&self, side: Side, round: u16) -> Option<u16> {
        let rounds = self.level().sides[side.index()].fled_return?;
        Some(round.saturating_add(rounds.min(1000) as u16))
    }
}
