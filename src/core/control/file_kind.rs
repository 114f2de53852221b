//! The kind of a game file, recognised by its outermost fields.

use crate::{battle::Tables, ron_read, rulesets};

/// The kind of a game file.
#[derive(Clone, Copy, Debug)]
pub enum FileKind {
    Level,
    Position,
    Scenario,
    Recording,
    /// A run of the Road.
    Run,
    Content,
    Codex,
    /// The numbers of a ruleset.
    Tables(Tables),
}

/// Fields that identify each kind. Kinds with fields of their own come first, because they also
/// have some fields of the later kinds.
const FIELDS: [(FileKind, &[&str]); 7] = [
    (FileKind::Position, &["position", "wise", "unwise"]),
    (
        FileKind::Scenario,
        &["proves", "shows", "dice", "orders", "expect"],
    ),
    (FileKind::Recording, &["answers", "level_text", "check"]),
    (FileKind::Run, &["road", "acts"]),
    (FileKind::Level, &["title", "map", "sides", "combatants"]),
    (
        FileKind::Content,
        &["creatures", "weapons", "armour", "spells", "conditions"],
    ),
    (FileKind::Codex, &["codex"]),
];

impl FileKind {
    /// The kind of a file. `None` if it has none of the known fields.
    pub fn of(text: &str) -> Option<Self> {
        let fields = ron_read::top_fields(text);
        let has = |names: &[&str]| fields.iter().any(|field| names.contains(&field.as_str()));
        let found = FIELDS.iter().find(|(_, names)| has(names));
        let mut tables = rulesets::KNOWN.iter().filter_map(|rules| rules.tables);
        let tables = || tables.find(|tables| has(&[tables.field])).map(Self::Tables);
        found.map(|(kind, _)| *kind).or_else(tables)
    }

    /// The kind with its article: "a level".
    pub fn name(self) -> &'static str {
        match self {
            Self::Level => "a level",
            Self::Position => "a position",
            Self::Scenario => "a scenario",
            Self::Recording => "a recording",
            Self::Run => "a run of the Road",
            Self::Content => "content",
            Self::Codex => "the codex",
            Self::Tables(_) => "the tables of a ruleset",
        }
    }

    /// What to do with a file of this kind.
    pub fn remedy(self, file: &str) -> String {
        match self {
            Self::Level => format!("`fivefoot sim {file}` fights it"),
            Self::Position => format!("`fivefoot arena --positions {file}` judges AIs by it"),
            Self::Scenario => format!("`fivefoot verify {file}` runs it"),
            Self::Recording => format!("`fivefoot replay {file}` runs it"),
            Self::Run => format!("`fivefoot road {file}` tells it"),
            _ => format!("`fivefoot check {file}` checks it"),
        }
    }

    /// An error that a file is of another kind than expected, and what to do with it: "this is
    /// a scenario, not a level". `None` if it is of this kind, or of none.
    pub fn wrong_kind(self, file: &str, text: &str) -> Option<(String, String)> {
        let found = Self::of(text).filter(|found| found.name() != self.name())?;
        let what = format!("this is {}, not {}", found.name(), self.name());
        Some((what, found.remedy(file)))
    }
}
