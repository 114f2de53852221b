//! Checks whether a level makes sense as a whole.

use super::{Book, ReadUnit, goals::members_of};
use crate::battle::LONGEST;
use crate::grid::{Board, Cell, Diagonals, Space, StepRules};
use crate::levels::{
    Awareness, Combatant, CombatantIx, Exit, Goal, Level, Objective, Rules, SideIx, Surprise,
};
use crate::ron_read::{ByteRange, Reader};
use crate::rulesets;
use crate::words::count;
use std::collections::{BTreeMap, BTreeSet};

/// Reports places that units have to reach but cannot.
pub(super) fn check(
    r: &mut Reader,
    book: &Book,
    objectives: &[(Objective, ByteRange)],
    exits: &[(Exit, ByteRange)],
) {
    // A unit whose side is unknown might be the one that can reach it.
    if book.units.iter().any(|p| p.side.is_none()) {
        return;
    }
    let board = book.map.board.opened();
    let solid = |area: &[Cell]| !area.iter().any(|c| board.can_stand(Space::one(*c)));
    for (objective, at) in objectives {
        let (area, who, count) = match &objective.goal {
            Goal::Reach { who, count, area } => (area, who.clone(), *count as usize),
            Goal::Capture { area, .. } => (area, members_of(book, objective.side), 1),
            _ => continue,
        };
        if solid(area) {
            report_solid(r, *at, "this place", area);
            continue;
        }
        let able = count_able(&board, book, &who, area);
        if able < count {
            let of = &book.sides[usize::from(objective.side.0)].side.id;
            let what = match able {
                0 => format!("nobody of `{of}` can get there"),
                _ => format!("only {able} of `{of}` can get there, and {count} have to"),
            };
            let help = "walls, pits and ledges over 5 ft stop units that cannot climb";
            r.problem(*at, what, help);
        }
    }
    for (exit, at) in exits {
        if solid(&exit.cells) {
            report_solid(r, *at, "this exit", &exit.cells);
            continue;
        }
        let mut reach_map = ReachMap::new(&board, exit.cells.iter().copied().collect());
        for side in &exit.sides {
            let members = members_of(book, *side);
            let unit = |who: &CombatantIx| &book.units[usize::from(who.0)];
            // Exits matter only for sides with units that can move.
            let mut units = members.iter().map(unit);
            let gets_there = |unit| reach_map.can_reach(unit, 0);
            if units.clone().any(ReadUnit::walks) && !units.any(gets_there) {
                let of = &book.sides[usize::from(side.0)].side.id;
                let help = "name the sides that can with `sides: […]`";
                r.problem(*at, format!("nobody of `{of}` can get to this exit"), help);
            }
        }
    }
}

/// Reports an area in which no unit can stand.
fn report_solid(r: &mut Reader, at: ByteRange, what: &str, area: &[Cell]) {
    let cells = match area {
        [one] => one.in_file(),
        _ => "all of its cells".to_string(),
    };
    let what = format!("{what} is inside something solid: {cells}");
    r.problem(at, what, "put it on cells where a unit can stand");
}

/// All cells that units of a side can reach. A fall is no way: a move that nobody plots takes none.
fn reachable_cells(board: &Board, book: &Book, side: SideIx) -> BTreeSet<Cell> {
    // Units that move alike have the same size and either all or none can move.
    let mut starts: BTreeMap<(u8, bool), Vec<Cell>> = BTreeMap::new();
    let members = book.units.iter().filter(|p| p.side == Some(side));
    for (unit, space) in members.filter_map(|p| Some((p, p.space()?))) {
        let kind = (space.size, unit.walks());
        starts.entry(kind).or_default().push(space.at);
    }
    let spread = |((size, walks), starts): ((u8, bool), Vec<Cell>)| {
        let walk = walk(board, size);
        let can_step = |at, next| walks && walk.step(at, next).is_ok_and(|step| step.fall == 0);
        let anchors = spread(starts, can_step).into_iter();
        anchors.flat_map(move |at| Space::new(at, size).cells().collect::<Vec<_>>())
    };
    starts.into_iter().flat_map(spread).collect()
}

/// How many of these units can reach a cell of the area.
fn count_able(board: &Board, book: &Book, who: &[CombatantIx], area: &[Cell]) -> usize {
    let mut reach_map = ReachMap::new(board, area.iter().copied().collect());
    let units = who.iter().map(|who| &book.units[usize::from(who.0)]);
    units.filter(|unit| reach_map.can_reach(unit, 0)).count()
}

/// From where bodies of each size can reach an area. Searched backwards from the
/// area, once per size.
struct ReachMap<'a> {
    board: &'a Board,
    area: BTreeSet<Cell>,
    /// By size and by the distance that is near enough, in cells: the positions that
    /// count as there, and those from which a body gets there.
    from: BTreeMap<(u8, i16), [BTreeSet<Cell>; 2]>,
}

impl<'a> ReachMap<'a> {
    fn new(board: &'a Board, area: BTreeSet<Cell>) -> Self {
        let from = BTreeMap::new();
        Self { board, area, from }
    }

    /// Whether a unit can get into the area, or with it in a reach of `near` cells (GR-40).
    fn can_reach(&mut self, unit: &ReadUnit, near: i16) -> bool {
        // A unit without a known position may stand anywhere.
        let Some(space) = unit.space() else {
            return true;
        };
        let (board, area) = (self.board, &self.area);
        let [there, from] = self.from.entry((space.size, near)).or_insert_with(|| {
            let feet = 5 * near.unsigned_abs();
            let is_there = |at: &Cell| {
                let space = Space::new(*at, space.size);
                let is_near = |c| area.contains(&c) && board.in_reach(space, Space::one(c), feet);
                board.can_stand(space)
                    && (space.cells().any(|c| area.contains(&c))
                        || around(space, near).any(is_near))
            };
            let there: BTreeSet<Cell> = board.cells().filter(is_there).collect();
            let walk = walk(board, space.size);
            let starts = there.iter().copied().collect();
            let from = spread(starts, |at, before| walk.step(before, at).is_ok());
            [there, from]
        });
        match unit.walks() {
            true => from.contains(&space.at),
            false => there.contains(&space.at),
        }
    }
}

/// The cells of a space and those up to `near` cells around it.
fn around(space: Space, near: i16) -> impl Iterator<Item = Cell> {
    let side = i16::from(space.size.max(1)) + near;
    let (x, y) = (space.at.x, space.at.y);
    let rows = (y - near)..(y + side);
    rows.flat_map(move |y| ((x - near)..(x + side)).map(move |x| Cell::new(x, y)))
}

/// A unit whose body is too large to get from its cell to any enemy.
pub fn isolated_unit(level: &Level) -> Option<&Combatant> {
    let board = level.board().opened();
    let mut reachable: BTreeMap<(u8, Cell), BTreeSet<Cell>> = BTreeMap::new();
    level.combatants.iter().find(|one| {
        let size = one.creature.size;
        let ground = reachable.entry((size, one.cell)).or_insert_with(|| {
            let walk = walk(&board, size);
            let anchors = spread(vec![one.cell], |at, next| walk.step(at, next).is_ok());
            let cells = anchors.into_iter().flat_map(|at| {
                let cells = Space::new(at, size).cells();
                cells.flat_map(|cell| cell.neighbours().chain([cell]))
            });
            cells.collect()
        });
        let others = level.combatants.iter();
        let enemies = others.filter(|enemy| enemy.side != one.side);
        let mut cells = enemies.flat_map(|foe| Space::new(foe.cell, foe.creature.size).cells());
        size > 1 && !cells.any(|cell| ground.contains(&cell))
    })
}

/// Hints that a unit may want to flee but its side has no exit.
pub(super) fn hint_at_exits(
    r: &mut Reader,
    book: &Book,
    exits: &[(Exit, ByteRange)],
    level: ByteRange,
) {
    let flees = |p: &&ReadUnit| p.creature.as_ref().is_some_and(|c| !c.is_fearless());
    if exits.is_empty() {
        if let Some(unit) = book.units.iter().find(flees) {
            let name = &unit.name;
            let what = format!("there are no exits, so `{name}` and others cannot flee");
            let help = "add `exits` if units should be able to flee";
            r.hint(level.start(), what, help);
        }
        return;
    }
    for (nth, note) in (0..).zip(&book.sides) {
        let side = SideIx(nth);
        let mut members = book.units.iter().filter(|p| p.side == Some(side));
        if !exits.iter().any(|(exit, _)| exit.sides.contains(&side))
            && let Some(unit) = members.find(flees)
        {
            let id = &note.side.id;
            let what = format!("no exit is for `{id}`, so `{}` cannot flee", unit.name);
            let help = format!("add an exit with `sides: [\"{id}\"]` if it should be able to");
            r.hint(note.at, what, help);
        }
    }
}

/// How a body of this size moves if no unit is in its way.
fn walk(board: &Board, size: u8) -> StepRules<'_> {
    StepRules::alone(board, size, Diagonals::Five)
}

/// All cells that can be reached from `starts` by steps to neighbours that `can_step`
/// allows.
fn spread(starts: Vec<Cell>, can_step: impl Fn(Cell, Cell) -> bool) -> BTreeSet<Cell> {
    let mut seen: BTreeSet<Cell> = starts.iter().copied().collect();
    let mut open = starts;
    while let Some(at) = open.pop() {
        for next in at.neighbours() {
            if !seen.contains(&next) && can_step(at, next) {
                seen.insert(next);
                open.push(next);
            }
        }
    }
    seen
}

/// Hints at what comes after the last round or can never succeed.
pub(super) fn hint_at_unreachable_times(
    r: &mut Reader,
    book: &Book,
    last_round: Option<u32>,
    surprise: Option<&(Surprise, ByteRange)>,
    rules: Option<Rules>,
) {
    let last = last_round.unwrap_or(LONGEST);
    let later = later(last_round);
    for (round, at) in book.arrivals.iter().filter(|(round, _)| *round > last) {
        let what = format!(
            "these reinforcements never come: round {round} is after the last round, {last}"
        );
        r.hint(*at, what, format!("let them come earlier, or {later}"));
    }
    for note in &book.sides {
        let side = &note.side;
        if let Some(rounds) = side.fled_return.filter(|rounds| *rounds >= last) {
            let what = format!(
                "members of `{}` who flee never come back: {} later is after the last round, {last}",
                side.id,
                count(rounds as usize, "round")
            );
            let help = format!("lower `fled_return`, or {later}");
            r.hint(note.at, what, help);
        }
    }
    let rules = rules.and_then(|rules| rulesets::find(rules.0));
    if let Some((Surprise::Check { by, against, .. }, at)) = surprise
        && rules.is_none_or(|rules| !rules.surprises_all)
    {
        let hides = |p: &ReadUnit| p.side == Some(*by) && p.hidden;
        let is_alert = |side: &SideIx| {
            let mut of = book.units.iter().filter(|p| p.side == Some(*side));
            of.all(|p| p.awareness == Awareness::Alert)
        };
        if !book.units.iter().any(hides) && against.iter().all(is_alert) {
            let help = "an alert unit is surprised only by units that are `hidden`";
            r.hint(*at, "all units that this is against are alert", help);
        }
    }
}

/// Help text for something that is set after the last round.
pub(super) fn later(last_round: Option<u32>) -> String {
    match last_round {
        Some(_) => String::from("raise `last_round`"),
        None => format!("set `last_round`, which is {LONGEST} without it"),
    }
}

/// Hints at a side that has to protect a unit and also defeat it.
pub(super) fn hint_at_contradiction(
    r: &mut Reader,
    book: &Book,
    objectives: &[(Objective, ByteRange)],
) {
    for (objective, at) in objectives {
        let Goal::Protect(protected) = &objective.goal else {
            continue;
        };
        let side = objective.side;
        let own = objectives.iter().filter(|(o, _)| o.side == side);
        let enemies = own.filter_map(|(o, _)| match &o.goal {
            Goal::Defeat(enemies) => Some(enemies),
            _ => None,
        });
        let both = |who: &&CombatantIx| enemies.clone().any(|enemies| enemies.contains(who));
        let Some(who) = protected.iter().find(both) else {
            continue;
        };
        let name = &book.units[usize::from(who.0)].name;
        let id = &book.sides[usize::from(side.0)].side.id;
        let what = format!("`{id}` has to protect `{name}`, and to defeat it as well");
        let help = "name with `Defeat([…])` the units it must defeat, and leave this one out";
        r.hint(*at, what, help);
    }
}

/// The most pairs of cells to check for line of sight. Beyond that, a unit counts as
/// seeing an enemy.
const MAX_SIGHTS: usize = 20_000;

/// Hints at units that can reach neither an enemy nor an area that their side needs,
/// and cannot attack from where they stand.
pub(super) fn hint_at_stuck(r: &mut Reader, book: &Book, objectives: &[(Objective, ByteRange)]) {
    let is_known = |p: &ReadUnit| p.side.is_some() && p.creature.is_some() && p.space().is_some();
    if !book.units.iter().all(is_known) {
        return;
    }
    let board = book.map.board.opened();
    let sides = (0..book.sides.len()).map(|nth| SideIx(nth as u8));
    let reachable = sides
        .clone()
        .map(|side| reachable_cells(&board, book, side));
    let reachable: Vec<BTreeSet<Cell>> = reachable.collect();
    for side in sides.clone() {
        let mut enemies: BTreeSet<Cell> = BTreeSet::new();
        for other in sides.clone().filter(|other| *other != side) {
            enemies.extend(&reachable[usize::from(other.0)]);
        }
        let own = || objectives.iter().filter(|(o, _)| o.side == side);
        let areas = own().filter_map(|(o, _)| match &o.goal {
            Goal::Reach { area, .. } | Goal::Capture { area, .. } => Some(area),
            _ => None,
        });
        let mut places = ReachMap::new(&board, areas.flatten().copied().collect());
        let mut to_enemies = ReachMap::new(&board, enemies.clone());
        let waits = own().any(|(o, _)| matches!(o.goal, Goal::Survive { .. } | Goal::Protect(_)));
        let is_protected = |who: CombatantIx| {
            let goals = objectives.iter().map(|(o, _)| &o.goal);
            let mut protected = goals.filter_map(|goal| match goal {
                Goal::Protect(who) => Some(who),
                _ => None,
            });
            protected.any(|protected| protected.contains(&who))
        };
        for who in members_of(book, side) {
            let unit = &book.units[usize::from(who.0)];
            // Units that only have to survive or be protected can be anywhere.
            if is_protected(who) || waits && !unit.comes_later() || places.can_reach(unit, 0) {
                continue;
            }
            let Some(creature) = &unit.creature else {
                continue;
            };
            let strikes = unit.walks() || !creature.weapons.is_empty();
            let reaches = || creature.weapons.iter().filter_map(|w| creature.reach(w));
            let near = reaches().max().unwrap_or(5).max(5) / 5;
            if strikes && to_enemies.can_reach(unit, near as i16) {
                continue;
            }
            let mut weapons = creature.weapons.iter().chain(&creature.pack);
            let shoots = creature.all_spells().next().is_some()
                || weapons.any(|weapon| weapon.ranged.is_some());
            if shoots && sees(&board, unit, &enemies) {
                continue;
            }
            let name = &unit.name;
            if unit.walks() {
                let what =
                    format!("`{name}` is shut in: it cannot get to any enemy, nor attack one");
                let help = "open a way, for example with a door, or move it";
                r.hint(unit.at, what, help);
            } else {
                let what = format!("`{name}` can neither move nor harm an enemy");
                let help = "give it `speed` or a weapon, or put it beside an enemy";
                r.hint(unit.at, what, help);
            }
        }
    }
}

/// Whether a unit can see any of these cells from a cell that it can reach. The
/// search is limited.
fn sees(board: &Board, unit: &ReadUnit, cells: &BTreeSet<Cell>) -> bool {
    let Some(space) = unit.space() else {
        return true;
    };
    let walk = walk(board, space.size);
    let can_step = |at, next| unit.walks() && walk.step(at, next).is_ok();
    let ground = spread(vec![space.at], can_step);
    if ground.len() * cells.len() > MAX_SIGHTS {
        return true;
    }
    let sees = |from: &Cell| {
        let from = Space::new(*from, space.size);
        let mut seen = cells.iter().map(|to| board.sight(from, Space::one(*to)));
        seen.any(|sight| sight.los)
    };
    ground.iter().any(sees)
}
