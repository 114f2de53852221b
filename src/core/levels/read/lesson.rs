//! Reads the lesson of a level.

use super::{Book, goals::units, map, rounds, sense, units::unit_named};
use crate::battle::LONGEST;
use crate::levels::{CombatantIx, Lesson, LessonMark, LessonStep, Panel, Rules, Until};
use crate::ron_read::{Piece, Reader};
use crate::words::unwrapped;

pub(super) fn lesson(
    r: &mut Reader,
    piece: &Piece,
    book: &Book,
    rules: Option<Rules>,
    last_round: Option<u32>,
) -> Option<Lesson> {
    let mut f = r.fields(piece, "a lesson")?;
    let seed = f.optional(r, "seed", |r, p| r.whole(p, 0..=65_535));
    let shown = f.optional(r, "acts", |_, p| Some(p.clone()));
    let reactions = f.optional(r, "reactions", |_, p| Some(p.clone()));
    let steps = f.needed(r, "steps");
    f.finish(r);
    let steps_piece = steps?;
    let Some(rules) = rules else {
        let help = "name them with `rules: Skirmish` or another";
        r.problem(piece.at, "a lesson is about the rules of one ruleset", help);
        return None;
    };
    let acts = acts_of(rules);
    let shown = match shown {
        Some(piece) => r.list(&piece, |r, p| act(r, p, &acts))?,
        None => vec![],
    };
    let reactions = match reactions {
        Some(piece) => r.list(&piece, |r, p| reaction(r, p, &acts))?,
        None => vec![],
    };
    let steps = r.list(steps_piece, |r, p| step(r, p, book, &acts, last_round))?;
    if steps.is_empty() {
        r.expected(steps_piece, "at least one step");
        return None;
    }
    Some(Lesson {
        seed: seed.map(|n| n as u64),
        acts: shown,
        reactions,
        steps,
    })
}

/// An act with which units react, and what is said of it.
fn reaction(r: &mut Reader, piece: &Piece, acts: &[&str]) -> Option<(String, String)> {
    let mut f = r.fields(piece, "`(act: \"total defense\", text: \"...\")`")?;
    let name = f.required(r, "act", |r, p| act(r, p, acts));
    let text = f.required(r, "text", Reader::filled_text);
    f.finish(r);
    Some((name?, unwrapped(&text?)))
}

/// The names of all acts of a ruleset.
fn acts_of(rules: Rules) -> Vec<&'static str> {
    let found = crate::rulesets::find(rules.0);
    let verbs = found.iter().flat_map(|of| of.verbs());
    let mut names: Vec<_> = verbs.map(|verb| verb.name).collect();
    names.sort_unstable();
    names.dedup();
    names
}

fn step(
    r: &mut Reader,
    piece: &Piece,
    book: &Book,
    acts: &[&str],
    last_round: Option<u32>,
) -> Option<LessonStep> {
    let mut f = r.fields(piece, "a step")?;
    let text = f.required(r, "text", Reader::filled_text);
    let until = f.optional(r, "until", |r, p| until(r, p, book, acts, last_round));
    let at = f.optional(r, "at", |r, p| r.list(p, |r, p| mark(r, p, book, acts)));
    f.finish(r);
    Some(LessonStep {
        text: unwrapped(&text?),
        until,
        at: at.unwrap_or_default(),
    })
}

const WAITS: [&str; 11] = [
    "Moved", "Used", "Attacked", "Defeated", "Pointed", "Chosen", "Opened", "Round", "Declared",
    "Asked", "Undone",
];

fn until(
    r: &mut Reader,
    piece: &Piece,
    book: &Book,
    acts: &[&str],
    last_round: Option<u32>,
) -> Option<Until> {
    let (word, group) = r.variant(piece, "something to wait for, such as `Round(2)`")?;
    let group = group.unwrap_or(piece);
    let list = |r: &mut Reader| {
        let [list] = r.tuple(group, "names in a list as `([\"goblin 1\"])`")?;
        units(r, list, book)
    };
    match word {
        "Moved" => {
            let mut f = r.fields(group, "`Moved(to: 'x')`")?;
            let area = f.required(r, "to", |r, p| book.map.area(r, p));
            let who = f.optional(r, "who", |r, p| unit(r, p, book));
            f.finish(r);
            Some(Until::Moved { who, area: area? })
        }
        "Used" => {
            let mut f = r.fields(group, "`Used(act: \"disengage\")`")?;
            let act = f.required(r, "act", |r, p| act(r, p, acts));
            let who = f.optional(r, "who", |r, p| unit(r, p, book));
            f.finish(r);
            Some(Until::Used { act: act?, who })
        }
        "Attacked" => list(r).map(Until::Attacked),
        "Defeated" => list(r).map(Until::Defeated),
        "Pointed" => list(r).map(Until::Pointed),
        "Chosen" => {
            let [one] = r.tuple(group, "a name as `Chosen(\"mara\")`")?;
            unit(r, one, book).map(Until::Chosen)
        }
        "Opened" => {
            let [door] = r.tuple(group, "a door as `Opened((3, 4))`")?;
            let cell = map::cell(r, door, &book.map.board)?;
            if book.map.board.door(cell).is_none() {
                let what = format!("there is no door at {}", cell.in_file());
                r.problem(door.at, what, "name the cell of a door");
                return None;
            }
            Some(Until::Opened(cell))
        }
        "Round" => {
            let [piece] = r.tuple(group, "a round as `Round(2)`")?;
            let round = rounds(r, piece)?;
            let last = last_round.unwrap_or(LONGEST);
            if round > last {
                let what = format!("round {round} never begins: the last round is {last}");
                let help = format!("wait for an earlier one, or {}", sense::later(last_round));
                r.hint(piece.at, what, help);
            }
            Some(Until::Round(round))
        }
        "Declared" => Some(Until::Declared),
        "Asked" => Some(Until::Asked),
        "Undone" => Some(Until::Undone),
        _ => {
            r.unknown(piece.at, "event", word, WAITS);
            None
        }
    }
}

fn mark(r: &mut Reader, piece: &Piece, book: &Book, acts: &[&str]) -> Option<LessonMark> {
    let (word, group) = r.variant(piece, "a place such as `Cells('x')` or `EndTurn`")?;
    let group = group.unwrap_or(piece);
    match word {
        "Cells" => {
            let [area] = r.tuple(group, "cells as `Cells('x')`")?;
            book.map.area(r, area).map(LessonMark::Cells)
        }
        "Person" => {
            let [one] = r.tuple(group, "a name as `Person(\"mara\")`")?;
            unit(r, one, book).map(LessonMark::Unit)
        }
        "Act" => {
            let [one] = r.tuple(group, "an act as `Act(\"disengage\")`")?;
            act(r, one, acts).map(LessonMark::Act)
        }
        _ => {
            let panel = Panel::WORDS.iter().find(|(name, _)| *name == word);
            if panel.is_none() {
                let panels = Panel::WORDS.iter().map(|(name, _)| *name);
                let known = ["Cells", "Person", "Act"].into_iter().chain(panels);
                r.unknown(piece.at, "place", word, known);
            }
            panel.map(|(_, panel)| LessonMark::Panel(*panel))
        }
    }
}

fn unit(r: &mut Reader, piece: &Piece, book: &Book) -> Option<CombatantIx> {
    let name = r.text(piece)?;
    let found = unit_named(book, &name);
    if found.is_none() {
        let known = book.units.iter().map(|p| p.name.as_str());
        r.unknown(piece.at, "a combatant", &name, known);
    }
    found
}

fn act(r: &mut Reader, piece: &Piece, acts: &[&str]) -> Option<String> {
    let name = r.text(piece)?;
    if acts.contains(&name.as_str()) {
        return Some(name);
    }
    r.unknown(piece.at, "an act", &name, acts.iter().copied());
    None
}
