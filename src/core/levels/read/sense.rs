//! Whether a level makes sense as a whole.

use super::Book;
use crate::grid::{Board, Cell, Diagonals, Occupant, Space, StepRules};
use crate::levels::{
    Awareness, Combatant, CombatantIx, Exit, Goal, Level, Objective, Rules, SideIx, Surprise,
};
use crate::ron_read::{Place, Reader};
use crate::rulesets;
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
    let solid = |area: &[Cell]| !area.iter().any(|c| board.can_stand(Space::one(*c)));
    let mut grounds = Grounds::new(&board);
    for (objective, at) in objectives {
        let (area, who, count) = match &objective.goal {
            Goal::Reach { who, count, area } => (area, who.clone(), *count as usize),
            Goal::Capture { area, .. } => (area, members(book, objective.side), 1),
            _ => continue,
        };
        if solid(area) {
            inside(r, *at, "this place", area);
            continue;
        }
        let able = grounds.able(book, &who, area);
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
        if solid(&exit.cells) {
            inside(r, *at, "this exit", &exit.cells);
            continue;
        }
        for side in &exit.sides {
            let members = members(book, *side);
            if !members.is_empty() && !grounds.any(book, *side, &exit.cells) {
                let of = &book.sides[usize::from(side.0)].side.id;
                let help = "name those who can with `sides: […]`";
                r.problem(*at, format!("nobody of `{of}` can get to this exit"), help);
            }
        }
    }
}

/// Reports a place in which nobody can stand, whoever it is.
fn inside(r: &mut Reader, at: Place, what: &str, area: &[Cell]) {
    let cells = match area {
        [one] => format!("({one})"),
        _ => "all of its cells".to_string(),
    };
    let what = format!("{what} is inside something solid: {cells}");
    r.problem(at, what, "put it on cells in which one can stand");
}

/// The ground that people can get to, gone over once for all who are alike.
struct Grounds<'a> {
    board: &'a Board,
    /// By side: what some member or other comes to stand on.
    of_sides: BTreeMap<SideIx, BTreeSet<Cell>>,
}

impl<'a> Grounds<'a> {
    fn new(board: &'a Board) -> Self {
        Self {
            board,
            of_sides: BTreeMap::new(),
        }
    }

    /// Whether any member of a side can get to some cell of the area.
    fn any(&mut self, book: &Book, side: SideIx, area: &[Cell]) -> bool {
        let of = |p: &&super::Person| p.side == Some(side);
        // Whose place is in doubt may stand anywhere.
        if book.people.iter().filter(of).any(|p| p.space().is_none()) {
            return true;
        }
        let ground = self.of_sides.entry(side).or_insert_with(|| {
            let mut starts: BTreeMap<u8, Vec<Cell>> = BTreeMap::new();
            for space in book.people.iter().filter(of).filter_map(|p| p.space()) {
                starts.entry(space.size).or_default().push(space.at);
            }
            let spread = |(size, starts): (u8, Vec<Cell>)| {
                let walk = walk(self.board, size);
                let anchors = spread(starts, |at, next| walk.step(at, next).is_ok());
                anchors
                    .into_iter()
                    .flat_map(move |at| Space::new(at, size).cells().collect::<Vec<_>>())
            };
            starts.into_iter().flat_map(spread).collect()
        });
        area.iter().any(|cell| ground.contains(cell))
    }

    /// How many of these can get to some cell of the area: gone over backwards,
    /// from the area, once for each size of body.
    fn able(&self, book: &Book, who: &[CombatantIx], area: &[Cell]) -> usize {
        let mut from: BTreeMap<u8, BTreeSet<Cell>> = BTreeMap::new();
        let area: BTreeSet<Cell> = area.iter().copied().collect();
        let gets_there = |who: &&CombatantIx| {
            // Whose place is in doubt may stand anywhere.
            let Some(space) = book.people[usize::from(who.0)].space() else {
                return true;
            };
            let from = from.entry(space.size).or_insert_with(|| {
                let stands = |at: &Cell| {
                    let space = Space::new(*at, space.size);
                    self.board.can_stand(space) && space.cells().any(|c| area.contains(&c))
                };
                let ends = self.board.cells().filter(stands).collect();
                let walk = walk(self.board, space.size);
                spread(ends, |at, before| walk.step(before, at).is_ok())
            });
            from.contains(&space.at)
        };
        who.iter().filter(gets_there).count()
    }
}

/// Somebody whose body is too large for the ways from where it stands to any enemy.
pub fn shut_in(level: &Level) -> Option<&Combatant> {
    let mut board = level.board();
    let doors: Vec<Cell> = board.doors().collect();
    for door in doors {
        board.set_door(door, true);
    }
    let mut grounds: BTreeMap<(u8, Cell), BTreeSet<Cell>> = BTreeMap::new();
    level.combatants.iter().find(|one| {
        let size = one.creature.size;
        let ground = grounds.entry((size, one.cell)).or_insert_with(|| {
            let walk = walk(&board, size);
            let anchors = spread(vec![one.cell], |at, next| walk.step(at, next).is_ok());
            let cells = anchors.into_iter().flat_map(|at| {
                let cells = Space::new(at, size).cells();
                cells.flat_map(|cell| cell.neighbours().chain([cell]))
            });
            cells.collect()
        });
        let foes = level.combatants.iter().filter(|foe| foe.side != one.side);
        let mut cells = foes.flat_map(|foe| Space::new(foe.cell, foe.creature.size).cells());
        size > 1 && !cells.any(|cell| ground.contains(&cell))
    })
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

/// How a body of this size walks where nobody is in its way.
fn walk(board: &Board, size: u8) -> StepRules<'_> {
    StepRules {
        board,
        size,
        diagonals: Diagonals::Five,
        slow: 1,
        standing: &|_| Occupant::Nobody,
        provokes: None,
    }
}

/// The cells from which one goes on, over neighbours, as far as `goes` lets.
fn spread(starts: Vec<Cell>, goes: impl Fn(Cell, Cell) -> bool) -> BTreeSet<Cell> {
    let mut seen: BTreeSet<Cell> = starts.iter().copied().collect();
    let mut open = starts;
    while let Some(at) = open.pop() {
        for next in at.neighbours() {
            if !seen.contains(&next) && goes(at, next) {
                seen.insert(next);
                open.push(next);
            }
        }
    }
    seen
}

/// Hints at what comes too late, or can never succeed.
pub(super) fn hint_at_idle(
    r: &mut Reader,
    book: &Book,
    last_round: Option<u32>,
    surprise: Option<&(Surprise, Place)>,
    rules: Option<Rules>,
) {
    if let Some(last) = last_round {
        for (round, at) in book.arrivals.iter().filter(|(round, _)| *round > last) {
            let what = format!("round {round}, yet the last round is {last}: they never come");
            r.hint(
                *at,
                what,
                "let them come earlier, or the battle last longer",
            );
        }
    }
    let rules = rules.and_then(|rules| rulesets::find(rules.0));
    if let Some((Surprise::Check { by, against, .. }, at)) = surprise
        && rules.is_none_or(|rules| !rules.surprises_all)
    {
        let hides = |p: &super::Person| p.side == Some(*by) && p.hidden;
        let is_alert = |side: &SideIx| {
            let mut of = book.people.iter().filter(|p| p.side == Some(*side));
            of.all(|p| p.awareness == Awareness::Alert)
        };
        if !book.people.iter().any(hides) && against.iter().all(is_alert) {
            let help = "the alert are surprised only by those who are `hidden`";
            r.hint(*at, "all whom this is against are alert", help);
        }
    }
}
