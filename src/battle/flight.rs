//! The way out, for those who flee: to an exit of their side, through shut
//! doors if need be.

use super::{Id, Side, View, movement::Ways};
use crate::grid::{Board, Cell, Range, Reached, Space};

/// Between ways to several exits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Prefers {
    /// That which draws fewest attacks, then the shortest.
    FewAttacks,
    /// The shortest, then that which draws fewest attacks.
    ShortWays,
}

/// The whole way to an exit, however far off.
pub struct Route {
    range: Range,
    goal: Cell,
}

/// What one who flees does next.
#[derive(Clone, PartialEq, Debug)]
pub enum Leg {
    /// A shut door is in the way.
    Open(Cell),
    /// The cells to step on, in order.
    Run(Vec<Cell>),
    /// Its own people are in the way, or its feet are spent.
    Wait,
}

impl View<'_, '_> {
    /// The way to an exit. One that comes into no further foe's reach is
    /// looked for first, then any, then one through shut doors. `range` says
    /// where one gets to on a board, by given ways. `None`: it is cut off.
    pub fn route_to_exit(
        &self,
        who: Id,
        ways: &Ways,
        prefers: Prefers,
        range: impl Fn(&Board, &Ways) -> Range,
    ) -> Option<Route> {
        let exits: Vec<Cell> = self.exits(who).collect();
        if exits.is_empty() {
            return None;
        }
        let body = self.body(who);
        let board: &Board = &self.board;
        let leaves = |end: &Reached| {
            let space = Space::new(end.cell, body.size);
            exits.iter().any(|&exit| space.contains(exit))
        };
        // An exit that an ally takes up is for when there is no other: it may
        // clear.
        let rank = |end: &Reached| {
            let (drawn, feet) = (end.provoked.count_ones(), u32::from(end.feet));
            let way = match prefers {
                Prefers::FewAttacks => (drawn, feet),
                Prefers::ShortWays => (feet, drawn),
            };
            (!end.may_stop, way, end.cell)
        };
        let to_exit = |range: Range| {
            let goal = range.cells().filter(leaves).min_by_key(rank)?.cell;
            Some(Route { range, goal })
        };
        let unlocked = || {
            let mut open = board.clone();
            board.doors().for_each(|door| {
                open.set_door(door, true);
            });
            open
        };
        to_exit(range(board, &ways.avoiding_threats(body.at)))
            .or_else(|| to_exit(range(board, ways)))
            .or_else(|| to_exit(range(&unlocked(), ways)))
    }

    /// As much of a route as so many feet pay for, up to a shut door, and to a
    /// cell on which the mover may stop.
    pub fn first_leg(
        &self,
        who: Id,
        route: &Route,
        feet: u16,
        may_stop: impl Fn(&Reached) -> bool,
    ) -> Leg {
        let size = self.body(who).size;
        let mut way: Vec<Reached> = vec![];
        for cell in route.range.path(route.goal).into_iter().skip(1) {
            let mut cells = Space::new(cell, size).cells();
            match cells.find(|&c| self.board.door(c) == Some(false)) {
                Some(door) if way.is_empty() => return Leg::Open(door),
                Some(_) => break,
                None => {}
            }
            match route.range.get(cell).filter(|end| end.feet <= feet) {
                Some(end) => way.push(end),
                None => break,
            }
        }
        while way.last().is_some_and(|end| !may_stop(end)) {
            way.pop();
        }
        match way.is_empty() {
            true => Leg::Wait,
            false => Leg::Run(way.into_iter().map(|end| end.cell).collect()),
        }
    }

    /// The round in which a member of a side is back that leaves the field in
    /// this one, if the level lets it.
    pub fn back_in(&self, side: Side, round: u16) -> Option<u16> {
        let rounds = self.level().sides[side.index()].fled_return?;
        Some(round.saturating_add(rounds.min(1000) as u16))
    }
}
