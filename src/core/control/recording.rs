//! A battle in a small file: the level, the seed, the answers. A save, a replay
//! and a bug report are the same thing.

use super::Player;
use crate::{
    battle::{Battle, DiceBox, Event, Names, handicap, level_setup},
    files,
    levels::{self, Level},
    rulesets, version,
    words::shown_line,
};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::{
    io::{Error, ErrorKind},
    path::{Path, PathBuf},
    sync::Arc,
};

/// What it takes to run a battle again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recording {
    /// Of this format.
    pub version: u32,
    /// The program that made it, and its rules; none in old ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<String>,
    pub level: String,
    /// The level's file as it was; none for the built-in level that comes first.
    pub level_text: Option<String>,
    pub rules: String,
    pub seed: u64,
    /// The points of each side's handicap; none where no side has any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub handicaps: Vec<u8>,
    pub answers: Vec<Step>,
    /// Of all events, at the end.
    pub check: String,
    /// What units are to do, as the players of the window have planned it.
    #[serde(default, skip_serializing_if = "Plans::is_empty")]
    pub plans: Plans,
    /// What the window keeps with it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<Table>,
}

/// The plans of a battle: with them it is continued in mid-round as it was meant.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Plans {
    /// In the order in which they were made.
    pub all: Vec<RecordedPlan>,
    /// The declarations without a plan: the round, and the number of the answer.
    pub declared: Vec<(u16, usize)>,
    /// The last declarations of a side, as orders, which wait for the player's word; with
    /// the unit's plan, if it has one.
    pub held: Option<(Vec<String>, Option<RecordedPlan>)>,
    /// The order in which units act that are asked at once, by number.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sequence: Vec<u16>,
    /// What enemies are supposed to do: the round; the enemy, and whom it attacks. No
    /// target: it holds.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub supposed: Vec<(u16, u16, Option<u16>)>,
}

impl Plans {
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// A unit's plan, and what the player was shown of it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordedPlan {
    pub round: u16,
    /// How many answers had been given when it was made.
    pub answers: usize,
    /// As people write it: `alice: will attack goblin 2 with sword by strike`.
    pub order: String,
    /// How many answers of the unit before it were declared for it.
    #[serde(default)]
    pub declared: usize,
    #[serde(default)]
    pub begun: bool,
    pub label: String,
    #[serde(default)]
    pub odds: String,
    #[serde(default)]
    pub key: Option<char>,
    /// The enemies who may attack on its way, a bit each.
    #[serde(default)]
    pub risk: Option<u64>,
}

/// Who sat at the table, and what a list of saves tells without running the
/// battle.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// As the player calls it; empty for what the game saved by itself.
    pub name: String,
    /// For people.
    pub title: String,
    /// When it was written, in seconds since 1970, UTC.
    pub when: u64,
    /// Counts up with every file written to a folder, so that a wrong clock does not
    /// change their order. 0: unknown.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub sequence: u64,
    /// The round that it stopped in.
    pub round: u16,
    /// By side.
    pub seats: Vec<Seat>,
    /// The side whose eyes the screen looked through.
    pub eyes: u8,
    /// How many answers had been given before each thing that the player may
    /// still take back.
    pub clicks: Vec<usize>,
    /// How often a turn has been started over.
    pub restarts: u8,
    /// Who won, in words, once it is over.
    pub verdict: Option<String>,
    /// Names the battle: the same in all of its saves, and in no other's.
    #[serde(default)]
    pub battle: String,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// Who plays a side in the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Seat {
    Human,
    Ai(Player),
}

/// An answer, and what went before it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// As a person writes it: `mara: run to 7,10`.
    pub order: String,
    /// Checksum of everything that happened before this answer.
    pub check: String,
}

/// A recording that does not run as it did.
pub struct Broken {
    /// The battle as far as it went; none if it could not be started.
    pub battle: Option<Box<Battle>>,
    /// The number of the answer, from 1.
    pub step: usize,
    /// How many answers from the first one on still run as they did.
    pub sound: usize,
    pub why: String,
}

/// The checks of versions 1 and 2 held the wording of the log, which has changed since:
/// their orders are given again, their checks are not compared.
const VERSION: u32 = 3;

/// Keys of events and rolls that hold wording: a better text changes no battle.
const WORDING: [&str; 6] = ["check", "label", "line", "order", "text", "why"];

impl Recording {
    /// All of a battle that its recorder has followed.
    pub fn of(battle: &Battle, level: &Level, seed: u64) -> Self {
        Recorder::default().record(battle, level, seed)
    }

    /// Reads a recording; the message names file, line and column.
    pub fn read(file: &str, text: &str) -> Result<Self, String> {
        let recording: Self = ron::from_str(text).map_err(|e| {
            let at = e.span.start;
            let why = e.code.to_string();
            let why = shown_line(&why);
            format!("{file}:{}:{}: not a recording: {why}", at.line, at.col)
        })?;
        if !(1..=VERSION).contains(&recording.version) {
            let found = recording.version;
            return Err(format!(
                "{file}: a recording of version {found}; this program reads 1 to {VERSION}"
            ));
        }
        Ok(recording)
    }

    /// As a file.
    pub fn text(&self) -> Result<String, String> {
        let style = ron::ser::PrettyConfig::default();
        ron::ser::to_string_pretty(self, style).map_err(|e| format!("cannot be written: {e}"))
    }

    /// Writes it whole or not at all.
    pub fn write(&self, path: &Path) -> std::io::Result<()> {
        let text = self.text().map_err(std::io::Error::other)?;
        files::write(path, text.as_bytes())
    }

    /// Where a recording may be put that the user wants at `path`: the end of a link
    /// for a link.
    ///
    /// # Errors
    /// Those of [`files::place`]; and when a file is there that is no recording,
    /// unless `force` is given.
    pub fn place(path: &Path, force: bool) -> std::io::Result<PathBuf> {
        let place = files::place(path)?;
        let is_recording = |text: String| ron::from_str::<Self>(&text).is_ok();
        if !force
            && place.exists()
            && !files::read_text(&place, files::RECORDING_BYTES).is_ok_and(is_recording)
        {
            let what = "this file exists and is not a recording; --force overwrites it";
            return Err(Error::new(ErrorKind::AlreadyExists, what));
        }
        Ok(place)
    }

    /// Runs the battle again, all of it or its first `to` answers.
    pub fn run(&self, to: Option<usize>) -> Result<Battle, Broken> {
        let cannot = |why: String| Broken {
            battle: None,
            step: 0,
            sound: 0,
            why,
        };
        let level = self.level().map_err(cannot)?;
        let rules = rulesets::find(&self.rules).ok_or_else(|| {
            let name = shown_line(&self.rules);
            cannot(format!("there is no ruleset '{name}'"))
        })?;
        let mut battle = Battle::new(level_setup(&level), rules, DiceBox::seeded(self.seed));
        let mut check = Check::of(
            &self.level,
            self.level_text.as_deref(),
            self.seed,
            &level.handicaps(),
        );
        let mut checked = 0;
        for (n, step) in self
            .answers
            .iter()
            .enumerate()
            .take(to.unwrap_or(usize::MAX))
        {
            check.add(&battle.events()[checked..], battle.names());
            checked = battle.events().len();
            let failed = if !self.has_checks() || check.text() == step.check {
                let refused = battle.order(&step.order).err();
                refused.map(|e| {
                    (
                        n,
                        self.differs(&shown_line(&format!("'{}': {e}", step.order))),
                    )
                })
            } else {
                // What came of the answer before is another thing now.
                let why = self.differs("what went before it is not what was recorded");
                Some((n.saturating_sub(1), why))
            };
            if let Some((sound, why)) = failed {
                return Err(Broken {
                    battle: Some(Box::new(battle)),
                    step: n + 1,
                    sound,
                    why,
                });
            }
        }
        check.add(&battle.events()[checked..], battle.names());
        let is_all = to.is_none_or(|to| to >= self.answers.len());
        if is_all && self.has_checks() && check.text() != self.check {
            let why = self.differs("what follows the last answer is not what was recorded");
            return Err(Broken {
                step: self.answers.len(),
                sound: self.answers.len().saturating_sub(1),
                battle: Some(Box::new(battle)),
                why,
            });
        }
        Ok(battle)
    }

    /// Its checks can be compared with those of this program.
    pub fn has_checks(&self) -> bool {
        self.version == VERSION
    }

    /// Why it does not run as it did, and what may be the reason.
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

    /// The level as it was recorded, with its handicaps.
    pub fn level(&self) -> Result<Arc<Level>, String> {
        if let Some(points) = self.handicaps.iter().find(|&&p| p > handicap::MOST) {
            let most = handicap::MOST;
            return Err(format!(
                "a handicap has at most {most} points, not {points}"
            ));
        }
        Ok(self.bare_level()?.with_handicaps(&self.handicaps))
    }

    fn bare_level(&self) -> Result<Arc<Level>, String> {
        let Some(text) = &self.level_text else {
            return Ok(levels::default_level());
        };
        let name = format!("{}.ron, as recorded", self.level);
        match levels::check_file(&name, text) {
            Ok((level, _)) => Ok(Arc::new(level)),
            Err(problems) => Err(problems
                .iter()
                .map(ToString::to_string)
                .collect::<Vec<_>>()
                .join("\n")),
        }
    }
}

/// Follows a battle, so that recording it again after a few answers more costs
/// no more than those.
#[derive(Default, Debug)]
pub struct Recorder {
    /// None before the first recording.
    check: Option<Check>,
    /// Events that are in the check.
    checked: usize,
    steps: Vec<Step>,
}

impl Recorder {
    /// The whole battle. It is the one that was recorded before, gone on: after
    /// an undo a fresh recorder is needed.
    pub fn record(&mut self, battle: &Battle, level: &Level, seed: u64) -> Recording {
        let names = battle.names();
        let handicaps = level.handicaps();
        let begun = || Check::of(&level.id, Some(&level.source), seed, &handicaps);
        let sum = self.check.get_or_insert_with(begun);
        for (n, choice) in battle.answers().iter().enumerate().skip(self.steps.len()) {
            let until = battle.events_before(n);
            sum.add(&battle.events()[self.checked..until], names);
            self.checked = until;
            self.steps.push(Step {
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
            table: None,
        }
    }
}

/// The checksum of a text, in hexadecimal digits: 64-bit FNV-1a.
pub fn checksum(text: &str) -> String {
    let mut check = Check::default();
    check.bytes(text);
    check.text()
}

/// A running checksum of a level and the events on it: 64-bit FNV-1a over the
/// level's id and text, the seed, and the facts of the events without their wording.
#[derive(Clone, Debug)]
struct Check(u64);

impl Default for Check {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Check {
    /// Of what a battle begins with.
    fn of(level: &str, text: Option<&str>, seed: u64, handicaps: &[u8]) -> Self {
        let mut check = Self::default();
        let mut parts = vec![
            level.to_string(),
            text.unwrap_or_default().to_string(),
            seed.to_string(),
        ];
        // Of recordings without it nothing changes.
        parts.extend((!handicaps.is_empty()).then(|| format!("{handicaps:?}")));
        for part in parts {
            check.bytes(&part);
            // No text has it: what is of one part cannot pass for another's.
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
        // No text has it: what is of one part cannot pass for another's.
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
