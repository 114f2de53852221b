//! A battle in a small file: level, seed and answers. Saves, replays and bug reports all use
//! this format.

use super::Player;
use crate::{
    battle::{Battle, DiceBox, Event, Names, Refused, handicap, level_setup},
    levels::{self, Level},
    ron_read, rulesets, version,
    words::shown_line,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::sync::Arc;

/// Everything that is needed to run a battle again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recording {
    /// The version of the file format.
    pub version: u32,
    /// The version of the program that wrote it. `None` in old recordings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<String>,
    pub level: String,
    /// The text of the level file at that time. `None` for the first built-in level.
    pub level_text: Option<String>,
    pub rules: String,
    pub seed: u64,
    /// Each side's handicap in steps. Empty if no side has one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub handicaps: Vec<u8>,
    pub answers: Vec<RecordedStep>,
    /// Checksum of all events, at the end.
    pub check: String,
    /// The plans that the players made in the window.
    #[serde(default, skip_serializing_if = "is_default")]
    pub plans: Plans,
    /// Data of the window.
    #[serde(rename = "table", default, skip_serializing_if = "Option::is_none")]
    pub save_info: Option<SaveInfo>,
}

/// The plans of a battle, so that it can be continued in the middle of a round.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Plans {
    /// In the order in which they were made.
    pub all: Vec<RecordedPlan>,
    /// Declarations without a plan: the round, and the index of the answer.
    pub declared: Vec<(u16, usize)>,
    /// The last declarations of a side, as orders, which wait for the player's confirmation;
    /// with the unit's plan, if it has one.
    pub held: Option<(Vec<String>, Option<RecordedPlan>)>,
    /// The order in which units that are asked at once act, by unit number.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sequence: Vec<u16>,
    /// What enemies are assumed to do: round, enemy, and the unit it attacks. Without a target
    /// the enemy holds.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub supposed: Vec<(u16, u16, Option<u16>)>,
}

/// A unit's plan, and what the player saw of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedPlan {
    pub round: u16,
    /// The number of answers given before the plan was made.
    pub answers: usize,
    /// The order as text: `alice: will attack goblin 2 with sword by strike`.
    pub order: String,
    /// How many of the unit's answers before it were declarations for it.
    #[serde(default)]
    pub declared: usize,
    #[serde(default)]
    pub begun: bool,
    /// Whether the plan failed or was given up.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub dropped: bool,
    pub label: String,
    #[serde(default)]
    pub odds: String,
    #[serde(default)]
    pub key: Option<char>,
    /// Enemies that may attack on the way, as a bit set.
    #[serde(default)]
    pub risk: Option<u64>,
}

/// The players of a battle, and what a list of saves shows without running the battle.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SaveInfo {
    /// The player's name for the save. Empty for automatic saves.
    pub name: String,
    /// A readable title.
    pub title: String,
    /// The time of writing, in seconds since 1970, UTC.
    pub when: u64,
    /// Counts up with every file written to a folder, so that a wrong clock does not change
    /// their order. 0 if unknown.
    #[serde(default, skip_serializing_if = "is_default")]
    pub sequence: u64,
    /// The round in which the recording stops.
    pub round: u16,
    /// Who plays each side.
    #[serde(rename = "seats")]
    pub controllers: Vec<SideController>,
    /// The side whose view the screen showed.
    #[serde(rename = "eyes")]
    pub viewer: u8,
    /// For each step that the player can undo, the number of answers before it.
    pub clicks: Vec<usize>,
    /// How often a turn has been restarted.
    pub restarts: u8,
    /// Index of the lesson's step that the player had reached.
    #[serde(default, skip_serializing_if = "is_default")]
    pub lesson_step: usize,
    /// The result in words, once the battle is over.
    pub verdict: Option<String>,
    /// An id of the battle, shared by all of its saves and by no other battle.
    #[serde(default)]
    pub battle: String,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// Who plays a side in the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum SideController {
    Human,
    Ai(Player),
}

/// An answer, and a checksum of everything before it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedStep {
    /// The order as text: `mara: run to 7,10`.
    pub order: String,
    /// Checksum of everything that happened before this answer.
    pub check: String,
}

/// A recording that does not run as it did when it was made.
pub struct Broken {
    /// The battle as far as it ran. `None` if it could not be started.
    pub battle: Option<Box<Battle>>,
    /// The number of the answer, from 1.
    pub step: usize,
    /// How many answers at the start still run as recorded.
    pub valid_answers: usize,
    pub why: String,
}

/// Checksums of versions 1 and 2 covered the wording of the log, which has changed since. Their
/// orders are run, but their checksums are not compared.
const VERSION: u32 = 3;

/// Keys of events and rolls that hold wording: changing a text must not change a checksum.
const WORDING: [&str; 6] = ["check", "label", "line", "order", "text", "why"];

/// Parts of order texts that recordings of older versions have, each with its present form.
const RENAMED: [(&str, &str); 2] = [
    ("see to a door", "open or close a door"),
    ("bind ", "bandage "),
];

/// The present text of a recorded order.
fn current(order: &str) -> String {
    let rename = |text: String, (old, new): (&str, &str)| text.replace(old, new);
    RENAMED.into_iter().fold(order.to_string(), rename)
}

impl Recording {
    /// A recording of the whole battle.
    pub fn of(battle: &Battle, level: &Level, seed: u64) -> Self {
        Recorder::default().record(battle, level, seed)
    }

    /// Reads a recording. The error message names file, line and column.
    pub fn read(file: &str, text: &str) -> Result<Self, String> {
        let recording: Self = ron_read::deserialize(file, text, "a recording")?;
        if !(1..=VERSION).contains(&recording.version) {
            let found = recording.version;
            return Err(format!(
                "{file}: a recording of version {found}; this program reads 1 to {VERSION}"
            ));
        }
        Ok(recording)
    }

    /// The text of the file.
    pub fn text(&self) -> Result<String, String> {
        let style = ron::ser::PrettyConfig::default();
        ron::ser::to_string_pretty(self, style).map_err(|e| format!("cannot be written: {e}"))
    }

    /// Runs the battle again: all of it, or its first `to` answers.
    pub fn run(&self, to: Option<usize>) -> Result<Battle, Broken> {
        let cannot = |why: String| Broken {
            battle: None,
            step: 0,
            valid_answers: 0,
            why,
        };
        let level = self.level().map_err(cannot)?;
        let rules = rulesets::find(&self.rules).ok_or_else(|| {
            let name = shown_line(&self.rules);
            cannot(format!("there is no ruleset '{name}'"))
        })?;
        let mut battle = Battle::new(level_setup(&level), rules, DiceBox::seeded(self.seed));
        let (text, handicaps) = (self.level_text.as_deref(), level.handicaps());
        let mut check = Check::of(&self.level, text, self.seed, &handicaps);
        let mut checked = 0;
        let steps = self.answers.iter().take(to.unwrap_or(usize::MAX));
        for (n, step) in steps.enumerate() {
            check.add(&battle.events()[checked..], battle.names());
            checked = battle.events().len();
            let failed = if !self.has_checks() || check.text() == step.check {
                let refused = battle.order(&current(&step.order)).err();
                refused.map(|e| {
                    let why = match &e {
                        Refused::Impossible(_) | Refused::NoDecision => {
                            format!("'{}': {e}", step.order)
                        }
                        // These texts name the order.
                        Refused::NotOffered(_) | Refused::OutOfRange(..) => e.to_string(),
                    };
                    (n, self.differs(&shown_line(&why)))
                })
            } else {
                // The result of the previous answer differs now.
                let what = match n {
                    0 => {
                        "the battle starts differently from the recording: its seed, rules, level \
                         or handicaps were changed, or an answer was removed"
                    }
                    _ => {
                        "an earlier part differs from the recording: an earlier answer was \
                         changed, added or removed, or has another result now"
                    }
                };
                let why = self.differs(what);
                Some((n.saturating_sub(1), why))
            };
            if let Some((valid_answers, why)) = failed {
                return Err(Broken {
                    battle: Some(Box::new(battle)),
                    step: n + 1,
                    valid_answers,
                    why,
                });
            }
        }
        check.add(&battle.events()[checked..], battle.names());
        let is_all = to.is_none_or(|to| to >= self.answers.len());
        if is_all && self.has_checks() && check.text() != self.check {
            let why = self.differs("what follows the last answer differs from the recording");
            return Err(Broken {
                step: self.answers.len(),
                valid_answers: self.answers.len().saturating_sub(1),
                battle: Some(Box::new(battle)),
                why,
            });
        }
        Ok(battle)
    }

    /// Whether its checksums can be compared with those of this program.
    pub fn has_checks(&self) -> bool {
        self.version == VERSION
    }

    /// Why the recording does not run as it did, with a different program version as a possible
    /// reason.
    fn differs(&self, why: &str) -> String {
        match &self.program {
            Some(program) if program != version::VERSION => {
                let here = version::VERSION;
                let program = shown_line(program);
                format!("{why}; it was made by version {program}, and this is {here}")
            }
            _ => why.into(),
        }
    }

    /// The recorded level, with its handicaps.
    pub fn level(&self) -> Result<Arc<Level>, String> {
        if let Some(points) = self.handicaps.iter().find(|&&p| p > handicap::MAX) {
            let most = handicap::MAX;
            let why = format!("a handicap has at most {most} points, not {points}");
            return Err(why);
        }
        Ok(self.bare_level()?.with_handicaps(&self.handicaps))
    }

    fn bare_level(&self) -> Result<Arc<Level>, String> {
        let Some(text) = &self.level_text else {
            return Ok(levels::default_level());
        };
        levels::of_text(&format!("{}.ron, as recorded", self.level), text)
    }
}

/// Follows a battle, so that recording it again after a few more answers only costs the work
/// for those answers.
#[derive(Default, Debug)]
pub struct Recorder {
    /// `None` before the first recording.
    check: Option<Check>,
    /// How many events the checksum covers.
    checked: usize,
    steps: Vec<RecordedStep>,
}

impl Recorder {
    /// Records the whole battle. It must be a continuation of the battle recorded before: after
    /// an undo, use a new recorder.
    pub fn record(&mut self, battle: &Battle, level: &Level, seed: u64) -> Recording {
        let names = battle.names();
        let handicaps = level.handicaps();
        let begun = || Check::of(&level.id, Some(&level.source), seed, &handicaps);
        let sum = self.check.get_or_insert_with(begun);
        for (n, choice) in battle.answers().iter().enumerate().skip(self.steps.len()) {
            let until = battle.events_before(n);
            sum.add(&battle.events()[self.checked..until], names);
            self.checked = until;
            self.steps.push(RecordedStep {
                order: choice.text(names),
                check: sum.text(),
            });
        }
        let mut check = sum.clone();
        check.add(&battle.events()[self.checked..], names);
        Recording {
            version: VERSION,
            program: Some(version::VERSION.into()),
            level: level.id.clone(),
            level_text: Some(level.source.to_string()),
            rules: battle.rules().id.into(),
            seed,
            handicaps: level.handicaps(),
            answers: self.steps.clone(),
            check: check.text(),
            plans: Plans::default(),
            save_info: None,
        }
    }
}

/// The checksum of a text in hexadecimal digits: 64-bit FNV-1a.
pub fn checksum(text: &str) -> String {
    let mut check = Check::default();
    check.bytes(text);
    check.text()
}

/// A running checksum of a level and the events on it: 64-bit FNV-1a over the level's id and
/// text, the seed, and the facts of the events without their wording.
#[derive(Clone, Debug)]
struct Check(u64);

impl Default for Check {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Check {
    /// The checksum of the start of a battle.
    fn of(level: &str, text: Option<&str>, seed: u64, handicaps: &[u8]) -> Self {
        let mut check = Self::default();
        let mut parts = vec![
            level.to_string(),
            text.unwrap_or_default().to_string(),
            seed.to_string(),
        ];
        // Skipped without handicaps, so that checksums of older recordings stay valid.
        parts.extend((!handicaps.is_empty()).then(|| format!("{handicaps:?}")));
        for part in parts {
            check.bytes(&part);
            // A separator that no text contains, so that parts cannot run into each other.
            check.bytes("\0");
        }
        check
    }

    fn add(&mut self, events: &[Event], names: &Names) {
        for event in events {
            self.value(&event.json(names));
        }
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Object(fields) => {
                let is_fact = |key: &str| !WORDING.contains(&key);
                for (key, value) in fields.iter().filter(|(key, _)| is_fact(key)) {
                    self.bytes(key);
                    self.value(value);
                }
            }
            Value::Array(all) => all.iter().for_each(|value| self.value(value)),
            Value::String(text) => self.bytes(text),
            Value::Number(number) => self.bytes(&number.to_string()),
            Value::Bool(flag) => self.bytes(if *flag { "true" } else { "false" }),
            Value::Null => self.bytes("null"),
        }
        // A separator that no text contains, so that parts cannot run into each other.
        self.bytes("\0");
    }

    fn bytes(&mut self, text: &str) {
        for byte in text.bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    fn text(&self) -> String {
        format!("{:016x}", self.0)
    }
}
