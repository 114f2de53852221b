//! Reads objectives, exits and surprise.

use super::{Book, rounds, sense, sides, units};
use crate::battle::LONGEST;
use crate::levels::{Approach, CombatantIx, Exit, Goal, Objective, SideIx, Surprise};
use crate::ron_read::{ByteRange, Piece, Reader, ValueShape};
use crate::words::{count, list};

pub(super) fn exits(r: &mut Reader, piece: &Piece, book: &Book) -> Vec<(Exit, ByteRange)> {
    let list = r.list(piece, |r, p| {
        let mut f = r.fields(p, "an exit")?;
        let at_piece = f.needed(r, "at");
        let cells = at_piece.and_then(|p| book.map.area(r, p));
        let sides = f.optional(r, "sides", |r, p| side_list(r, p, book));
        f.finish(r);
        let sides = sides.unwrap_or_else(|| all_sides(book));
        let (cells, at) = (cells?, at_piece?.at);
        Some((Exit { cells, sides }, at))
    });
    list.unwrap_or_default()
}

pub(super) fn surprise(r: &mut Reader, piece: &Piece, book: &Book) -> Option<Surprise> {
    let (word, group) = r.variant(piece, "`Caught([…])` or `Check(…)`")?;
    let group = group.unwrap_or(piece);
    match word {
        "Caught" => {
            let [list] = r.tuple(group, "the sides as `Caught([\"side\"])`")?;
            let caught = side_list(r, list, book)?;
            if caught.len() >= book.sides.len() {
                let what = "some side has to surprise the others";
                r.problem(list.at, what, "leave a side out");
            }
            Some(Surprise::Caught(caught))
        }
        "Check" => {
            let mut f = r.fields(group, "a check of surprise")?;
            let by = f.required(r, "by", |r, p| sides::named(r, p, book));
            let how = f.required(r, "how", |r, p| r.word(p, "an approach", &Approach::WORDS));
            let against = f.optional(r, "against", |r, p| Some((side_list(r, p, book)?, p.at)));
            f.finish(r);
            let by = by?;
            if let Some((against, at)) = &against
                && against.contains(&by)
            {
                r.problem(*at, "a side cannot surprise itself", "leave it out");
            }
            let others = || all_sides(book).into_iter().filter(|s| *s != by).collect();
            let against = against.map_or_else(others, |(against, _)| against);
            Some(Surprise::Check {
                by,
                how: how?,
                against,
            })
        }
        _ => {
            r.unknown(piece.at, "surprise", word, ["Caught", "Check"]);
            None
        }
    }
}

/// Reads the objectives, in the order of the sides. A side without an objective that
/// it can win by has to defeat everyone else.
pub(super) fn objectives(
    r: &mut Reader,
    piece: Option<&Piece>,
    book: &Book,
    last_round: Option<u32>,
) -> Vec<(Objective, ByteRange)> {
    let before = r.count();
    let found = piece.and_then(|piece| r.list(piece, |r, p| objective(r, p, book, last_round)));
    let mut found = found.unwrap_or_default();
    if r.count() > before {
        return found;
    }
    for side in all_sides(book) {
        let own = || found.iter().filter(|(o, _)| o.side == side);
        let to_do = own().any(|(o, _)| !matches!(o.goal, Goal::Protect(_)));
        if to_do || (last_round.is_some() && own().next().is_some()) {
            continue;
        }
        let at = own().next().map_or(ByteRange::before(0), |(_, at)| *at);
        let goal = Goal::Defeat(enemies_of(book, side));
        let text = default_text(&goal, side, book);
        let objective = Objective {
            side,
            goal,
            text,
            vital: false,
        };
        found.push((objective, at));
    }
    found.sort_by_key(|(o, _)| o.side);
    found
}

fn objective(
    r: &mut Reader,
    piece: &Piece,
    book: &Book,
    last_round: Option<u32>,
) -> Option<(Objective, ByteRange)> {
    let mut f = r.fields(piece, "an objective")?;
    let side = f.required(r, "side", |r, p| sides::named(r, p, book));
    let goal_piece = f.needed(r, "goal");
    let text = f.optional(r, "text", Reader::filled_text);
    let vital = f.optional(r, "vital", |r, p| Some((r.yes_no(p)?, p.at)));
    f.finish(r);
    let (side, goal_piece) = (side?, goal_piece?);
    let goal = goal(r, goal_piece, book, side)?;
    let rounds = match &goal {
        Goal::Survive { rounds } | Goal::Capture { rounds, .. } => *rounds,
        _ => 0,
    };
    let last = last_round.unwrap_or(LONGEST);
    if rounds > last {
        let rounds = count(rounds as usize, "round");
        let what = format!("this takes {rounds}, and the last round is {last}");
        let help = format!("ask for fewer rounds, or {}", sense::later(last_round));
        match last_round {
            Some(_) => r.problem(goal_piece.at, what, help),
            None => r.hint(goal_piece.at, what, help),
        }
    }
    if let Some((_, at)) = vital
        && !matches!(goal, Goal::Protect(_) | Goal::Reach { .. })
    {
        let what = "only `Protect` and `Reach` can be lost while their side fights on";
        r.problem(at, what, "leave `vital` out");
    }
    let text = text.unwrap_or_else(|| default_text(&goal, side, book));
    let vital = vital.map_or(matches!(goal, Goal::Protect(_)), |(vital, _)| vital);
    let objective = Objective {
        side,
        goal,
        text,
        vital,
    };
    Some((objective, goal_piece.at))
}

const GOALS: [&str; 5] = ["Defeat", "Reach", "Survive", "Protect", "Capture"];

fn goal(r: &mut Reader, piece: &Piece, book: &Book, side: SideIx) -> Option<Goal> {
    let (word, group) = r.variant(piece, "a goal such as `Defeat` or `Survive(rounds: 8)`")?;
    match (word, group) {
        ("Defeat", None) => Some(Goal::Defeat(enemies_of(book, side))),
        ("Defeat", Some(group)) => {
            let [list] = r.tuple(group, "names as `Defeat([\"goblin chief\"])`")?;
            let who = units(r, list, book)?;
            let is_own = |w: &CombatantIx| book.units[usize::from(w.0)].side == Some(side);
            let names_own = |p: &&Piece| match &p.shape {
                ValueShape::Text(name) => called(book, name).iter().flatten().any(is_own),
                _ => false,
            };
            if let ValueShape::List(names) = &list.shape
                && let Some(own) = names.iter().find(names_own)
            {
                let what = "a side cannot be asked to defeat its own members";
                r.problem(own.at, what, "name enemies only");
            }
            Some(Goal::Defeat(who))
        }
        ("Protect", _) => {
            let [list] = r.tuple(group.unwrap_or(piece), "names as `Protect([\"prior\"])`")?;
            Some(Goal::Protect(units(r, list, book)?))
        }
        ("Survive", _) => {
            let mut f = r.fields(group.unwrap_or(piece), "`Survive(rounds: 8)`")?;
            let n = f.required(r, "rounds", rounds);
            f.finish(r);
            Some(Goal::Survive { rounds: n? })
        }
        ("Capture", _) => {
            let mut f = r.fields(group.unwrap_or(piece), "`Capture(area: 'c', rounds: 2)`")?;
            let area = f.required(r, "area", |r, p| book.map.area(r, p));
            let n = f.optional(r, "rounds", rounds).unwrap_or(1);
            f.finish(r);
            Some(Goal::Capture {
                area: area?,
                rounds: n,
            })
        }
        ("Reach", _) => {
            let mut f = r.fields(group.unwrap_or(piece), "`Reach(area: 'c')`")?;
            let area = f.required(r, "area", |r, p| book.map.area(r, p));
            let who = f.optional(r, "who", |r, p| units(r, p, book));
            let who = who.unwrap_or_else(|| members_of(book, side));
            let is_other = |w: &&CombatantIx| {
                let of = book.units[usize::from(w.0)].side;
                of.is_some_and(|of| of != side)
            };
            if let Some(other) = who.iter().find(is_other) {
                let name = &book.units[usize::from(other.0)].name;
                let of = &book.sides[usize::from(side.0)].side.id;
                let what = format!("`{name}` is not of `{of}`, and cannot reach a place for it");
                r.problem(piece.at, what, "name members of the side in `who`");
            }
            let most = who.len().max(1);
            let number = f.optional(r, "count", |r, p| {
                let number = r.whole(p, 1..=units::MAX as i32)? as usize;
                if number > most {
                    let what = format!("only {} can reach it", count(most, "unit"));
                    r.problem(p.at, what, "lower `count`");
                }
                // What is checked next should not report the count again.
                Some(number.min(most))
            });
            f.finish(r);
            Some(Goal::Reach {
                who,
                count: number.unwrap_or(most) as u32,
                area: area?,
            })
        }
        _ => {
            r.unknown(piece.at, "goal", word, GOALS);
            None
        }
    }
}

/// The text of an objective that has none in the file. It does not reveal hidden
/// units and reinforcements, unless the objective names them.
fn default_text(goal: &Goal, side: SideIx, book: &Book) -> String {
    let names = |who: &[CombatantIx]| {
        let name = |who: &CombatantIx| book.units[usize::from(who.0)].name.clone();
        match who.is_empty() {
            true => "nobody".to_string(),
            false => list(who.iter().map(name), "and"),
        }
    };
    let rounds = |n: u32| match n {
        1 => "one round".to_string(),
        _ => format!("{n} rounds"),
    };
    match goal {
        Goal::Defeat(who) if who.len() > 3 || *who == enemies_of(book, side) => {
            "Defeat all enemies".to_string()
        }
        Goal::Defeat(who) => format!("Defeat {}", names(who)),
        Goal::Reach { who, count, .. } if *count as usize == who.len() => {
            "Bring everybody to the marked place".to_string()
        }
        Goal::Reach { count, .. } => format!("Bring {count} to the marked place"),
        Goal::Survive { rounds: n } => format!("Stand for {}", rounds(*n)),
        Goal::Protect(who) => format!("Keep {} alive", names(who)),
        Goal::Capture { rounds: n, .. } => format!("Hold the marked place for {}", rounds(*n)),
    }
}

/// Reads a list of unit names and side ids; a side stands for all its units. An empty
/// result is an error.
pub(super) fn units(r: &mut Reader, piece: &Piece, book: &Book) -> Option<Vec<CombatantIx>> {
    let before = r.count();
    let groups = r.list(piece, |r, p| {
        let name = r.text(p)?;
        if let Some(who) = called(book, &name) {
            return Some(who);
        }
        let units = book.units.iter().map(|p| p.name.as_str());
        let known = units.chain(book.sides.iter().map(|note| note.side.id.as_str()));
        r.unknown(p.at, "a combatant or side", &name, known);
        None
    })?;
    if r.count() > before {
        return None;
    }
    let mut who: Vec<CombatantIx> = groups.into_iter().flatten().collect();
    who.sort_unstable();
    who.dedup();
    if who.is_empty() {
        r.expected(piece, "at least one name");
        return None;
    }
    Some(who)
}

/// The unit or the units of the side with this name.
fn called(book: &Book, name: &str) -> Option<Vec<CombatantIx>> {
    match units::unit_named(book, name) {
        Some(one) => Some(vec![one]),
        None => Some(members_of(book, sides::side_named(book, name)?)),
    }
}

fn side_list(r: &mut Reader, piece: &Piece, book: &Book) -> Option<Vec<SideIx>> {
    let before = r.count();
    let mut list = r.list(piece, |r, p| sides::named(r, p, book))?;
    if r.count() > before {
        return None;
    }
    list.sort_unstable();
    list.dedup();
    if list.is_empty() {
        r.expected(piece, "at least one side");
        return None;
    }
    Some(list)
}

fn all_sides(book: &Book) -> Vec<SideIx> {
    (0..book.sides.len()).map(|nth| SideIx(nth as u8)).collect()
}

pub(super) fn members_of(book: &Book, side: SideIx) -> Vec<CombatantIx> {
    members_where(book, |of| of == side)
}

fn enemies_of(book: &Book, side: SideIx) -> Vec<CombatantIx> {
    members_where(book, |of| of != side)
}

fn members_where(book: &Book, wanted: impl Fn(SideIx) -> bool) -> Vec<CombatantIx> {
    let units = book.units.iter().enumerate();
    let chosen = units.filter(|(_, p)| p.side.is_some_and(&wanted));
    chosen.map(|(nth, _)| CombatantIx(nth as u16)).collect()
}
