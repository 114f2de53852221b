//! Reads the sides.

use super::{Book, map::Map, rounds};
use crate::content::{self, Colour};
use crate::levels::{Awareness, Control, LevelSide, Rules, SideIx};
use crate::ron_read::{ByteRange, Piece, Reader, ValueShape};
use crate::rulesets;

/// A side, with the parts of its entry that are needed only while reading.
pub(super) struct SideNote {
    pub side: LevelSide,
    pub at: ByteRange,
    /// The place of its colour, if the file sets one.
    colour_at: Option<ByteRange>,
    /// The awareness of its units that do not set their own.
    pub awareness: Awareness,
    /// The ids of the sides that revealed themselves to it.
    alerted_to: Vec<(String, ByteRange)>,
}

/// As many sides as there are colours.
const MAX: usize = Colour::ALL.len();

pub(super) fn read(r: &mut Reader, book: &mut Book, piece: Option<&Piece>) {
    let Some(piece) = piece else { return };
    let map = &book.map;
    let mut nth = 0;
    let notes = r.list(piece, |r, p| {
        nth += 1;
        side(r, p, nth - 1, map)
    });
    let notes = notes.unwrap_or_default();
    book.has_unread_names |= notes.len() < nth;
    if let ValueShape::List(entries) = &piece.shape {
        book.has_unread_side = entries.iter().any(|entry| !has_readable_id(entry));
    }
    for note in notes {
        if side_named(book, &note.side.id).is_some() {
            let what = format!("the side `{}` is here twice", note.side.id);
            r.problem(note.at, what, "keep one, or give this one another `id`");
            // Other parts of the file may know it by the id that it should have.
            book.has_unread_side = true;
        } else if book.sides.len() < MAX {
            book.sides.push(note);
        }
    }
    if !(2..=MAX).contains(&nth) {
        let what = format!("a battle has 2 to {MAX} sides, and this one has {nth}");
        let help = match nth > MAX {
            true => "leave some out",
            false => "add one as `(id: \"foes\")`",
        };
        r.problem(piece.at, what, help);
    }
    resolve_alerts(r, book);
}

/// Whether the entry of a side has a readable id.
fn has_readable_id(entry: &Piece) -> bool {
    let ValueShape::Fields(fields) = &entry.shape else {
        return false;
    };
    let mut ids = fields.iter().filter(|field| field.name == "id");
    ids.any(|id| matches!(id.value.shape, ValueShape::Text(_)))
}

/// Resolves the sides in `alerted_to` once all sides are known.
fn resolve_alerts(r: &mut Reader, book: &mut Book) {
    for nth in 0..book.sides.len() {
        for (id, at) in std::mem::take(&mut book.sides[nth].alerted_to) {
            match side_named(book, &id) {
                Some(side) if usize::from(side.0) == nth => {
                    r.problem(at, "a side is not alerted to itself", "leave it out");
                }
                Some(side) => book.sides[nth].side.alerted_to.push(side),
                None => {
                    let known = book.sides.iter().map(|note| note.side.id.as_str());
                    r.unknown(at, "a side", &id, known);
                }
            }
        }
    }
}

fn side(r: &mut Reader, piece: &Piece, nth: usize, map: &Map) -> Option<SideNote> {
    let mut f = r.fields(piece, "a side")?;
    let id_piece = f.needed(r, "id");
    let id = id_piece.and_then(|p| r.id(p));
    let name = f.optional(r, "name", Reader::filled_text);
    let control = f.optional(r, "control", |r, p| {
        r.word(p, "a controller", &Control::WORDS)
    });
    let colour = f.optional(r, "colour", |r, p| Some((content::colour(r, p)?, p.at)));
    let start = f.optional(r, "start", |r, p| map.area(r, p));
    let fled_return = f.optional(r, "fled_return", rounds);
    let awareness = f.optional(r, "awareness", |r, p| {
        r.word(p, "an awareness", &Awareness::WORDS)
    });
    let sturdier = f.optional(r, "sturdier", bonus_hp);
    let alerted_to = f.optional(r, "alerted_to", |r, p| {
        r.list(p, |r, p| Some((r.text(p)?, p.at)))
    });
    f.finish(r);
    let mut note = side_with_defaults(&id?, nth, id_piece?.at);
    note.side.name = name.unwrap_or(note.side.name);
    note.side.control = control.unwrap_or(note.side.control);
    note.side.colour = colour.map_or(note.side.colour, |(colour, _)| colour);
    note.colour_at = colour.map(|(_, at)| at);
    note.side.start = start.unwrap_or_default();
    note.side.fled_return = fled_return;
    note.side.sturdier = sturdier.unwrap_or_default();
    note.awareness = awareness.unwrap_or_default();
    note.alerted_to = alerted_to.unwrap_or_default();
    Some(note)
}

/// The greatest hit-point bonus that a level can give, in steps.
const MAX_BONUS_HP: i32 = 40;

/// Reads hit-point bonuses: `(Skirmish: 3, Speed: 5)`.
fn bonus_hp(r: &mut Reader, piece: &Piece) -> Option<Vec<(Rules, u8)>> {
    let mut f = r.fields(piece, "steps by ruleset")?;
    let mut all = vec![];
    for rules in rulesets::KNOWN {
        let steps = f.optional(r, rules.id, |r, p| r.whole(p, 1..=MAX_BONUS_HP));
        all.extend(steps.map(|steps| (Rules(rules.id), steps as u8)));
    }
    f.finish(r);
    Some(all)
}

/// A side of which only the id is known, with defaults for everything else.
pub(super) fn side_with_defaults(id: &str, nth: usize, at: ByteRange) -> SideNote {
    let side = LevelSide {
        id: id.to_string(),
        name: format!("The {}", id.replace('_', " ")),
        control: if nth == 0 {
            Control::Player
        } else {
            Control::Ai
        },
        colour: Colour::ALL[nth % MAX],
        start: Vec::new(),
        fled_return: None,
        alerted_to: Vec::new(),
        sturdier: Vec::new(),
        handicap: 0,
    };
    SideNote {
        side,
        at,
        colour_at: None,
        awareness: Awareness::default(),
        alerted_to: Vec::new(),
    }
}

pub(super) fn side_named(book: &Book, id: &str) -> Option<SideIx> {
    let nth = book.sides.iter().position(|note| note.side.id == id)?;
    Some(SideIx(nth as u8))
}

/// Adds a side where it is first named.
pub(super) fn add_if_new(r: &mut Reader, piece: &Piece, book: &mut Book) {
    if let ValueShape::Text(id) = &piece.shape
        && side_named(book, id).is_none()
        && !r.is_refused(id)
        && book.sides.len() < MAX
        && r.id(piece).is_some()
    {
        book.sides
            .push(side_with_defaults(id, book.sides.len(), piece.at));
    }
}

/// The side that a text refers to.
pub(super) fn named(r: &mut Reader, piece: &Piece, book: &Book) -> Option<SideIx> {
    let id = r.text(piece)?;
    let found = side_named(book, &id);
    if found.is_none() && book.has_unread_side {
        // It may refer to the side that could not be read and was reported.
        r.count_excused();
    } else if found.is_none() {
        let known = book.sides.iter().map(|note| note.side.id.as_str());
        r.unknown(piece.at, "a side", &id, known);
    }
    found
}

/// Hints at two sides of one colour, which players cannot tell apart.
pub(super) fn hint_at_colours(r: &mut Reader, book: &Book) {
    for (nth, note) in book.sides.iter().enumerate() {
        let colour = note.side.colour;
        let mut earlier = book.sides[..nth].iter();
        if let Some(other) = earlier.find(|other| other.side.colour == colour) {
            let at = note.colour_at.or(other.colour_at).unwrap_or(note.at);
            let [one, other] = [note, other].map(|note| &note.side.id);
            let what = format!("`{other}` and `{one}` have the same colour");
            r.hint(at, what, "give one of them another `colour`");
        }
    }
}

/// Reports sides without units, unless a unit's side could not be read.
pub(super) fn check_members(r: &mut Reader, book: &Book, level: ByteRange) {
    if book.units.is_empty() || book.units.iter().any(|p| p.side.is_none()) {
        return;
    }
    for (nth, note) in book.sides.iter().enumerate() {
        if book.units.iter().all(|p| p.side != Some(SideIx(nth as u8))) {
            let what = format!("the side `{}` has no members", note.side.id);
            let help = format!("give a combatant `side: \"{}\"`", note.side.id);
            r.problem(note.at, what, help);
        }
    }
    if book.sides.len() == 1 {
        let what = "there is only one side";
        r.problem(level.start(), what, "a battle needs two");
    }
}
