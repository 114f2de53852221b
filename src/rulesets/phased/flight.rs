//! Those whose morale broke make for an exit (PH-60).

use super::ph::Ph;
use crate::{
    battle::{Id, movement::Ways},
    grid::{Board, Cell, Range, Reached, Space},
};

/// What one who flees does next.
#[derive(Clone, PartialEq, Debug)]
pub enum Way {
    Rise,
    /// A shut door is in the way.
    Open(Cell),
    Run(Vec<Cell>),
    /// Its own people are in the way.
    Wait,
}

/// How it goes on towards an exit: clear of foes if it can, then the shortest
/// way. `None`: there is no way to any exit.
pub fn way_out(ph: &Ph, who: Id) -> Option<Way> {
    if ph.body(who).prone {
        return Some(Way::Rise);
    }
    let ways = ph.ways(who);
    let quiet = ways.avoiding_threats(ph.body(who).at);
    let board: &Board = &ph.view.board;
    let from = ph.body(who).at;
    let range = |board: &Board, ways: &Ways| {
        ph.view
            .walk_on(board, who, ways, |walk| walk.range(from, u16::MAX))
    };
    let unlocked = || {
        let mut open = board.clone();
        board.doors().for_each(|door| {
            open.set_door(door, true);
        });
        open
    };
    let tries: [&dyn Fn() -> Range; 3] =
        [&|| range(board, &quiet), &|| range(board, &ways), &|| {
            range(&unlocked(), &ways)
        }];
    let (range, goal) = tries.into_iter().find_map(|search| {
        let range = search();
        let goal = nearest_exit(ph, who, &range)?;
        Some((range, goal))
    })?;
    Some(first_move(ph, who, &ways, &range, goal))
}

fn nearest_exit(ph: &Ph, who: Id, range: &Range) -> Option<Cell> {
    let size = ph.body(who).size;
    let exits: Vec<Cell> = ph.view.exits(who).collect();
    let leaves = |end: &Reached| {
        let space = Space::new(end.cell, size);
        exits.iter().any(|&exit| space.contains(exit))
    };
    let rank = |end: &Reached| (!end.may_stop, end.feet, end.cell);
    range
        .cells()
        .filter(leaves)
        .min_by_key(rank)
        .map(|end| end.cell)
}

/// As much of the way to `goal` as one round does.
fn first_move(ph: &Ph, who: Id, ways: &Ways, range: &Range, goal: Cell) -> Way {
    let (rate, size) = (ph.rate(who), ph.body(who).size);
    let mut way = vec![];
    for cell in range.path(goal).into_iter().skip(1) {
        let mut cells = Space::new(cell, size).cells();
        match cells.find(|&c| ph.view.board.door(c) == Some(false)) {
            Some(door) if way.is_empty() => return Way::Open(door),
            Some(_) => break,
            None if range.get(cell).is_some_and(|end| end.feet <= rate) => way.push(cell),
            None => break,
        }
    }
    while way.last().is_some_and(|&c| !ph.may_end(who, ways, c)) {
        way.pop();
    }
    match way.is_empty() {
        true => Way::Wait,
        false => Way::Run(way),
    }
}
