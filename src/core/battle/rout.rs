//! Fleeing units: their way to an exit of their side, through shut doors if necessary.

use super::{Id, Side, View, movement::Occupancy};
use crate::grid::{Board, Cell, Reached, Space, StepRules};

/// How a fleeing unit chooses between ways to several exits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Prefers {
    /// The way with the fewest provoked attacks, then the shortest.
    FewAttacks,
    /// The shortest way, then the one with the fewest provoked attacks.
    ShortWays,
}

/// What a fleeing unit does next.
#[derive(Clone, PartialEq, Debug)]
pub enum EscapeLeg {
    /// Open the shut door that is in the way, or that a diagonal step would cut past.
    Open(Cell),
    /// Move along these cells, in order: at least one, none of them behind a shut door.
    Run(Vec<Cell>),
    /// Wait: allies are in the way, or the unit has no movement left.
    Wait,
}

/// How a fleeing unit moves under its ruleset.
pub struct Escape<'a> {
    pub who: Id,
    pub occupancy: &'a Occupancy,
    pub prefers: Prefers,
    /// The most that the next leg can cost, in feet.
    pub feet: u16,
    /// Whether a leg can end in a cell.
    pub may_stop: &'a dyn Fn(&StepRules, Cell) -> bool,
}

impl View<'_, '_> {
    /// What a fleeing unit does next on its way to an exit (GR-33). Prefers a way that enters no
    /// further enemy's reach, then any way, then one through shut doors. `None` if there is no
    /// way out.
    pub fn way_out(&self, escape: &Escape) -> Option<EscapeLeg> {
        let exits: Vec<Cell> = self.exits(escape.who).collect();
        if exits.is_empty() {
            return None;
        }
        let (board, occupancy): (&Board, &Occupancy) = (&self.board, escape.occupancy);
        let here = occupancy.threats(self.body(escape.who).at);
        let quiet = occupancy.clear_of_threats(here);
        let route = self
            .route(escape, board, &quiet, &exits)
            .or_else(|| self.route(escape, board, occupancy, &exits))
            .or_else(|| self.route_through_doors(escape, &exits))?;
        Some(self.leg(escape, &route))
    }

    /// A way through shut doors that can all be opened from the cell before them (GR-02).
    fn route_through_doors(&self, escape: &Escape, exits: &[Cell]) -> Option<Vec<Cell>> {
        let size = self.body(escape.who).size;
        let mut open = self.board.opened();
        loop {
            let route = self.route(escape, &open, escape.occupancy, exits)?;
            let shut = |step: &[Cell]| {
                let mut doors = self.shut_doors(step[0], step[1], size);
                // A door that stays shut does not block the step, or the step would not be on the
                // route.
                let counts = |door| open.door(door) == Some(true);
                doors.find(|&door| counts(door) && !self.is_at_hand(step[0], door))
            };
            match route.windows(2).find_map(shut) {
                None => return Some(route),
                Some(door) => open.set_door(door, false),
            };
        }
    }

    /// The whole way to an exit, at any distance, from the unit's cell.
    fn route(
        &self,
        escape: &Escape,
        board: &Board,
        occupancy: &Occupancy,
        exits: &[Cell],
    ) -> Option<Vec<Cell>> {
        let body = self.body(escape.who);
        let range = self.walk_on(board, escape.who, occupancy, |walk| {
            walk.range(body.at, u16::MAX)
        });
        // A large unit stands on an exit with any one of its cells.
        let side = Space::new(body.at, body.size).side();
        let over = |exit: &Cell| {
            let back = Space::new(exit.offset(1 - side, 1 - side), body.size);
            back.cells().filter_map(|at| range.get(at))
        };
        // Exits where an ally stands come last: they may become free.
        let rank = |end: &Reached| {
            let (provoked, feet) = (end.provoked.count_ones(), u32::from(end.feet));
            let way = match escape.prefers {
                Prefers::FewAttacks => (provoked, feet),
                Prefers::ShortWays => (feet, provoked),
            };
            (!end.may_stop, way, end.cell)
        };
        let goal = exits.iter().flat_map(over).min_by_key(rank)?.cell;
        Some(range.path(goal))
    }

    /// The part of a route that the unit can move along now, with the doors as they are and
    /// within its feet, ending in a cell where it can stop.
    fn leg(&self, escape: &Escape, route: &[Cell]) -> EscapeLeg {
        let mut run = vec![];
        let mut shut = None;
        self.walk(escape.who, escape.occupancy, |walk| {
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

    /// The shut doors that a step leads into or diagonally past.
    fn shut_doors(&self, from: Cell, to: Cell, size: u8) -> impl Iterator<Item = Cell> {
        let past = [to, Cell::new(to.x, from.y), Cell::new(from.x, to.y)];
        let past = past.into_iter();
        let cells = past.flat_map(move |at| Space::new(at, size).cells());
        cells.filter(|&cell| self.board.door(cell) == Some(false))
    }

    /// The round in which a unit of `side` comes back if it leaves the field in `round`. `None`
    /// if the level does not let it.
    pub fn back_in(&self, side: Side, round: u16) -> Option<u16> {
        let rounds = self.level().sides[side.index()].fled_return?;
        Some(round.saturating_add(rounds.min(1000) as u16))
    }
}
