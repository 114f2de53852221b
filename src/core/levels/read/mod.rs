//! Reads level files: first every piece, then checks of the whole.

mod goals;
mod lesson;
mod map;
mod sense;
mod sides;
mod units;
mod vary;

use super::{About, CombatantIx, Level, Light, Note, Rules};
use crate::content::{
    self, Content, Sections,
    codex::{Codex, RuleEntry},
    section::Written,
};
use crate::files;
use crate::grid::Diagonals;
use crate::ron_read::{self, ByteRange, Fields, Outcome, Piece, Reader, Reading};
use crate::rulesets;
use crate::words::is_unseen;
use map::Map;
pub(crate) use map::cell;
pub use map::{GroundAndFog, ground_of};
pub(super) use map::{WIDEST, char_meanings, usual_legend};
pub use sense::isolated_unit;
use sides::SideNote;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use units::ReadUnit;
pub use vary::Change;

/// What a level is read for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// To be played: it must have a title and sides, and likely mistakes are reported
    /// as hints.
    Play,
    /// To prove a rule in a scenario: most fields are optional.
    Proof,
}

/// Reads a level file.
pub fn check_file(file: &str, text: &str) -> Outcome<Level> {
    ron_read::read(file, text, |r, root| {
        let mut level = whole(r, root, &id_of(file), &[])?.level;
        level.source = files::lf(text).into();
        Some(level)
    })
}

/// The known fields of each kind of group that occurs in a level file.
pub fn known_fields(text: &str) -> BTreeMap<&'static str, Vec<&'static str>> {
    ron_read::known_fields(text, |r, root| whole(r, root, "known", &[]))
}

/// Reads a level file as far as possible, for the editor.
pub fn draft_file(file: &str, text: &str) -> Reading<LevelDraft> {
    ron_read::read_on(file, text, |r, root| {
        let mut draft = whole(r, root, &id_of(file), &[])?;
        draft.level.source = files::lf(text).into();
        Some(draft)
    })
}

/// Reads a level from all fields of a group, with changes to its units.
fn whole(r: &mut Reader, root: &Piece, id: &str, changes: &[Change]) -> Option<LevelDraft> {
    let mut f = r.fields(root, "a level")?;
    let draft = level(r, &mut f, id, Purpose::Play, changes);
    f.finish(r);
    draft
}

/// A level's id: the file name without folder and extension.
pub fn id_of(file: &str) -> String {
    let stem = Path::new(file).file_stem();
    stem.map_or_else(String::new, |stem| stem.to_string_lossy().into_owned())
}

/// A level as far as it could be read. Unreadable parts are reported and replaced by
/// placeholders, so that the rest can still be checked. Without reported problems it
/// is the level itself.
pub struct LevelDraft {
    pub level: Level,
    /// Units whose kind could not be read: their properties are unknown.
    pub unreadable_kinds: Vec<CombatantIx>,
    /// A name or a side could not be read, so an unknown name may refer to it.
    pub has_unread_names: bool,
}

/// Reads a level from the fields of a group and leaves the group open, because a
/// scenario has more fields. `changes` are applied to its units.
pub fn level(
    r: &mut Reader,
    f: &mut Fields,
    id: &str,
    purpose: Purpose,
    changes: &[Change],
) -> Option<LevelDraft> {
    let title = match purpose {
        Purpose::Play => f.required(r, "title", self::title),
        Purpose::Proof => f
            .optional(r, "title", Reader::filled_text)
            .or(Some(id.to_string())),
    };
    let briefing = f.optional(r, "briefing", Reader::text).unwrap_or_default();
    let about = About::read(r, f);
    let rules = f.optional(r, "rules", |r, p| {
        let known = rulesets::KNOWN.map(|rules| (rules.id, Rules(rules.id)));
        let rules = r.word(p, "a ruleset", &known)?;
        if purpose == Purpose::Play && rulesets::ALL.iter().all(|known| known.id != rules.0) {
            let what = format!("`{}` is not offered to players", rules.0);
            r.hint(p.at, what, "name another ruleset, or leave `rules` out");
        }
        Some(rules)
    });
    let suits = f.optional(r, "suits", |r, p| suited(r, p, rules));
    let teaches = f.optional(r, "teaches", Reader::filled_text);
    let diagonals = f.optional(r, "diagonals", |r, p| {
        r.word(p, "a way to count diagonals", &Diagonals::WORDS)
    });
    let light = f.optional(r, "light", |r, p| r.word(p, "a light", &Light::WORDS));
    let last_round = f.optional(r, "last_round", rounds);
    let stalemate = f.optional(r, "stalemate", |r, p| Some(r.whole(p, 0..=1000)? as u32));
    let surrender = f.optional(r, "surrender", Reader::yes_no);
    let mut content = Content::built_in().clone();
    let pack = f.piece("pack").and_then(|p| packed(r, p, &mut content));
    let own = f.piece("kinds").and_then(|kinds| {
        let content = Arc::make_mut(&mut content);
        content::layer(r, kinds, content)
    });
    let known = rulesets::KNOWN.iter().flat_map(|rules| rules.level);
    let known: Vec<_> = known.collect();
    let sections = Written::read(r, f, &content, &known);

    // Ask for every piece before anything can fail: a field that was never asked for
    // is reported as unknown.
    let map = map::read(r, f);
    let sides = match purpose {
        Purpose::Play => f.needed(r, "sides"),
        Purpose::Proof => f.piece("sides"),
    };
    let combatants = f.needed(r, "combatants");
    let reinforcements = f.piece("reinforcements");
    let (exits, surprise) = (f.piece("exits"), f.piece("surprise"));
    let (objectives, lesson) = (f.piece("objectives"), f.piece("lesson"));
    let notes = f.piece("notes");

    // Without a map no position can be checked.
    let mut book = Book {
        map: map?,
        content,
        sides: Vec::new(),
        units: Vec::new(),
        arrivals: Vec::new(),
        has_unread_names: false,
        has_unread_side: false,
        changes: changes.to_vec(),
    };
    sides::read(r, &mut book, sides);
    units::read(r, &mut book, combatants, reinforcements, sides.is_none());
    units::place(r, &mut book);
    sides::check_members(r, &book, f.place());
    let exits = exits.map_or_else(Vec::new, |p| goals::exits(r, p, &book));
    let surprise = surprise.and_then(|p| Some((goals::surprise(r, p, &book)?, p.at)));
    let objectives = goals::objectives(r, objectives, &book, last_round);
    let lesson = lesson.and_then(|p| lesson::lesson(r, p, &book, rules, last_round));
    let notes = notes.and_then(|p| r.list(p, |r, p| note(r, p, &book.map)));
    sense::check(r, &book, &objectives, &exits);
    if purpose == Purpose::Play {
        sense::hint_at_exits(r, &book, &exits, f.place());
        sides::hint_at_colours(r, &book);
        book.map.hint_at_unused(r);
        content::hint_at_unused(r, &own.unwrap_or_default());
        sense::hint_at_unreachable_times(r, &book, last_round, surprise.as_ref(), rules);
        sense::hint_at_contradiction(r, &book, &objectives);
        sense::hint_at_stuck(r, &book, &objectives);
    }

    let unreadable_kinds = (0..).zip(&book.units);
    let unreadable_kinds = unreadable_kinds.filter(|(_, unit)| unit.creature.is_none());
    let unreadable_kinds = unreadable_kinds.map(|(nth, _)| CombatantIx(nth)).collect();
    let kind = book.content.creatures.values().next()?.clone();
    let finish = |unit: ReadUnit| unit.finish(&kind);
    let mut level = Level {
        id: id.to_string(),
        title: title?,
        source: "".into(),
        briefing: briefing.trim().to_string(),
        about,
        rules,
        suits: suits.unwrap_or_default(),
        teaches: teaches.unwrap_or_default().trim().to_string(),
        diagonals: diagonals.unwrap_or_default(),
        light: light.unwrap_or_default(),
        sections: Sections::default(),
        board: book.map.board,
        sides: book.sides.into_iter().map(|note| note.side).collect(),
        combatants: book.units.into_iter().map(finish).collect(),
        exits: exits.into_iter().map(|(exit, _)| exit).collect(),
        surprise: surprise.map(|(surprise, _)| surprise).unwrap_or_default(),
        objectives: objectives.into_iter().map(|one| one.0).collect(),
        last_round,
        // Players can take their time in a lesson, so it has no draw by default.
        stalemate: match stalemate {
            None => lesson.is_none().then_some(STALEMATE),
            Some(rounds) => Some(rounds).filter(|&rounds| rounds > 0),
        },
        surrender: surrender.unwrap_or(true),
        lesson,
        notes: notes.unwrap_or_default(),
        codex: pack.unwrap_or_default(),
        content: book.content,
    };
    sections.derive(r, f.place(), &known, &mut level, |it| &mut it.sections);
    Some(LevelDraft {
        level,
        unreadable_kinds,
        has_unread_names: book.has_unread_names,
    })
}

/// Reads the title. It stands on one line wherever levels are listed.
fn title(r: &mut Reader, piece: &Piece) -> Option<String> {
    let title = r.filled_text(piece)?;
    if let Some((nth, c)) = title.chars().enumerate().find(|(_, c)| is_unseen(*c)) {
        let at = r.char_of_text(piece, nth);
        let what = match c {
            '\n' => String::from("there is a line break in the title"),
            c => format!("there is an invisible character, {c:?}, in the title"),
        };
        r.hint(at, what, "delete it");
    }
    Some(title)
}

fn note(r: &mut Reader, piece: &Piece, map: &Map) -> Option<Note> {
    let mut f = r.fields(piece, "a note")?;
    let text = f.required(r, "text", Reader::filled_text);
    let at = f.optional(r, "at", |r, p| map.cell(r, p));
    f.finish(r);
    Some(Note { text: text?, at })
}

/// Reads the rulesets that a level is designed for.
fn suited(r: &mut Reader, piece: &Piece, only: Option<Rules>) -> Option<Vec<Rules>> {
    let known = rulesets::KNOWN.map(|rules| (rules.id, Rules(rules.id)));
    let found: Vec<(Rules, ByteRange)> =
        r.list(piece, |r, p| Some((r.word(p, "a ruleset", &known)?, p.at)))?;
    if found.is_empty() {
        let help = "leave it out where it is meant for all";
        r.problem(piece.at, "a level is meant for some ruleset", help);
    }
    for (n, (rules, at)) in found.iter().enumerate() {
        if found[..n].iter().any(|(other, _)| other == rules) {
            r.problem(*at, format!("`{}` is here twice", rules.0), "keep one");
        }
    }
    if let Some(only) = only {
        let help = format!("it can be played under {} alone: `rules` says so", only.0);
        r.problem(piece.at, "`suits` and `rules` do not go together", help);
    }
    Some(found.into_iter().map(|(rules, _)| rules).collect())
}

/// Reads the other files of a pack, which a recording stores in the level's text: its
/// kinds, each file applied after the previous ones, and its codex, which is
/// returned.
fn packed(r: &mut Reader, piece: &Piece, content: &mut Arc<Content>) -> Option<Vec<RuleEntry>> {
    let mut f = r.fields(piece, "the files of a pack")?;
    let kinds = f.optional(r, "kinds", |r, p| {
        r.list(p, |r, p| {
            content::layer(r, p, Arc::make_mut(content)).map(drop)
        })
    });
    let codex = f.optional(r, "codex", |r, p| Codex::built_in().own(r, p));
    f.finish(r);
    if kinds.is_none() && codex.is_none() {
        r.hint(piece.at, "`pack` is empty", "leave `pack` out");
    }
    codex
}

/// Everything that later parts of a file can refer to.
struct Book {
    map: Map,
    content: Arc<Content>,
    sides: Vec<SideNote>,
    units: Vec<ReadUnit>,
    /// The rounds of reinforcements, with their places in the file.
    arrivals: Vec<(u32, ByteRange)>,
    /// A name or a side could not be read.
    has_unread_names: bool,
    /// The id of a side could not be read, or is that of another.
    has_unread_side: bool,
    changes: Vec<Change>,
}

/// The default number of rounds without progress after which a battle is a draw
/// (OP-07).
const STALEMATE: u32 = 10;

fn rounds(r: &mut Reader, piece: &Piece) -> Option<u32> {
    Some(r.whole(piece, 1..=1000)? as u32)
}
