//! Whether a level makes sense as a whole.

use super::Book;
use crate::grid::{Board, Cell, Diagonals, Occupant, Space, Walk};
use crate::levels::{CombatantIx, Exit, Goal, Objective, SideIx};
use crate::ron_read::{Place, Reader};
use std::collections::{BTreeMap, BTreeSet};

/// Reports places that nobody can get to who has to.
pub(super) fn check(
    r: &mut Reader,
    book: &Book,
    objectives: &[(Objective, Place)],
    exits: &[(Exit, Place)],
) {
    // Whose side is in doubt may be the one who can.
    if book.people.iter().any(|p| p.side.is_none()) {
        return;
    }
    let mut board = book.map.board.clone();
    let doors: Vec<Cell> = board.doors().collect();
    for door in doors {
        board.set_door(door, true);
    }
    let mut grounds: BTreeMap<CombatantIx, BTreeSet<Cell>> = BTreeMap::new();
    let mut gets_there = |who: CombatantIx, area: &[Cell]| {
        // Whose place is in doubt may stand anywhere.
        let Some(space) = book.people[usize::from(who.0)].space() else {
            return true;
        };
        let ground = grounds.entry(who).or_insert_with(|| flood(&board, space));
        area.iter().any(|cell| ground.contains(cell))
    };
    for (objective, at) in objectives {
        let (area, who, count) = match &objective.goal {
            Goal::Reach { who, count, area } => (area, who.clone(), *count as usize),
            Goal::Capture { area, .. } => (area, members(book, objective.side), 1),
            _ => continue,
        };
        let able = who.iter().filter(|w| gets_there(**w, area)).count();
        if able < count {
            let of = &book.sides[usize::from(objective.side.0)].side.id;
            let what = match able {
                0 => format!("nobody of `{of}` can get there"),
                _ => format!("only {able} of `{of}` can get there, and {count} have to"),
            };
            r.problem(
                *at,
                what,
                "walls, pits and ledges over 5 ft stop those who cannot climb",
            );
        }
    }
    for (exit, at) in exits {
        for side in &exit.sides {
            let members = members(book, *side);
            let stuck = !members.iter().any(|who| gets_there(*who, &exit.cells));
            if stuck && !members.is_empty() {
                let of = &book.sides[usize::from(side.0)].side.id;
                let help = "name those who can with `sides: […]`";
                r.problem(*at, format!("nobody of `{of}` can get to this exit"), help);
            }
        }
    }
}

/// A hint where somebody may want to flee and cannot.
pub(super) fn hint_at_exits(r: &mut Reader, book: &Book, level: Place) {
    let flees = |p: &&super::Person| p.creature.as_ref().is_some_and(|c| !c.is_fearless());
    if let Some(person) = book.people.iter().find(flees) {
        let at = Place {
            from: level.from,
            to: level.from,
        };
        let what = format!(
            "no exits: `{}` and others may want to flee, and will not",
            person.name
        );
        r.hint(at, what, "give `exits` if somebody should be able to leave");
    }
}

fn members(book: &Book, side: SideIx) -> Vec<CombatantIx> {
    let people = book.people.iter().enumerate();
    let own = people.filter(|(_, p)| p.side == Some(side));
    own.map(|(nth, _)| CombatantIx(nth as u16)).collect()
}

/// Every cell that a body comes to stand on, going wherever it can.
fn flood(board: &Board, start: Space) -> BTreeSet<Cell> {
    let walk = Walk {
        board,
        size: start.size,
        diagonals: Diagonals::Five,
        slow: 1,
        standing: &|_| Occupant::Nobody,
        provokes: None,
    };
    let mut covered = BTreeSet::new();
    let mut seen = BTreeSet::from([start.at]);
    let mut open = vec![start.at];
    while let Some(at) = open.pop() {
        covered.extend(Space::new(at, start.size).cells());
        for next in at.neighbours() {
            if !seen.contains(&next) && walk.step(at, next).is_ok() {
                seen.insert(next);
                open.push(next);
            }
        }
    }
    covered
}
