//! A battle in a small file: the level, the seed, the answers. A save, a replay
//! and a bug report are the same thing.

use crate::{
    battle::{Battle, DiceBox, Event, Names, level_setup},
    levels::{self, Level},
    rulesets,
};
use serde::{Deserialize, Serialize};
use std::{io::Write, path::Path, sync::Arc};

/// What it takes to run a battle again.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Recording {
    /// Of this format.
    pub version: u32,
    pub level: String,
    /// The level's file as it was; none for the built-in level.
    pub level_text: Option<String>,
    pub rules: String,
    pub seed: u64,
    pub answers: Vec<Step>,
    /// Of all events, at the end.
    pub check: String,
}

/// An answer, and what went before it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// As a person writes it: `mara: run to 7,10`.
    pub order: String,
    /// Of all events told before this answer.
    pub check: String,
}

/// A recording that does not run as it did.
pub struct Broken {
    /// The battle as far as it went; none if it could not be started.
    pub battle: Option<Box<Battle>>,
    /// The number of the answer, from 1.
    pub step: usize,
    pub why: String,
}

const VERSION: u32 = 1;

impl Recording {
    pub fn of(battle: &Battle, level: &Level, level_text: Option<&str>, seed: u64) -> Self {
        let names = battle.names();
        let mut check = Check::new();
        let mut told = 0;
        let mut answers = vec![];
        for (n, choice) in battle.answers().iter().enumerate() {
            let until = battle.events_before(n);
            check.add(&battle.events()[told..until], names);
            told = until;
            answers.push(Step {
                order: choice.text(names),
                check: check.text(),
            });
        }
        check.add(&battle.events()[told..], names);
        Self {
            version: VERSION,
            level: level.id.clone(),
            level_text: level_text.map(str::to_owned),
            rules: battle.rules().id.into(),
            seed,
            answers,
            check: check.text(),
        }
    }

    /// Reads a recording; the message names file, line and column.
    pub fn read(file: &str, text: &str) -> Result<Self, String> {
        let recording: Self = ron::from_str(text).map_err(|e| {
            let at = e.span.start;
            format!("{file}:{}:{}: not a recording: {}", at.line, at.col, e.code)
        })?;
        if recording.version != VERSION {
            let found = recording.version;
            return Err(format!(
                "{file}: a recording of version {found}; this program reads {VERSION}"
            ));
        }
        Ok(recording)
    }

    /// Writes it whole or not at all.
    pub fn write(&self, path: &Path) -> std::io::Result<()> {
        let text = ron::ser::to_string_pretty(self, ron::ser::PrettyConfig::default())
            .map_err(std::io::Error::other)?;
        write_whole(path, text.as_bytes())
    }

    /// Runs the battle again, all of it or its first `to` answers.
    pub fn run(&self, to: Option<usize>) -> Result<Battle, Broken> {
        let cannot = |why: String| Broken {
            battle: None,
            step: 0,
            why,
        };
        let level = self.level().map_err(cannot)?;
        let rules = rulesets::find(&self.rules)
            .ok_or_else(|| cannot(format!("there is no ruleset '{}'", self.rules)))?;
        let mut battle = Battle::new(level_setup(&level), rules, DiceBox::seeded(self.seed));
        let mut check = Check::new();
        let mut told = 0;
        for (n, step) in self
            .answers
            .iter()
            .enumerate()
            .take(to.unwrap_or(usize::MAX))
        {
            check.add(&battle.events()[told..], battle.names());
            told = battle.events().len();
            let failed = if check.text() == step.check {
                battle
                    .order(&step.order)
                    .err()
                    .map(|e| format!("'{}': {e}", step.order))
            } else {
                Some("what went before it is not what was recorded".into())
            };
            if let Some(why) = failed {
                return Err(Broken {
                    battle: Some(Box::new(battle)),
                    step: n + 1,
                    why,
                });
            }
        }
        check.add(&battle.events()[told..], battle.names());
        if to.is_none_or(|to| to >= self.answers.len()) && check.text() != self.check {
            let why = String::from("what follows the last answer is not what was recorded");
            return Err(Broken {
                step: self.answers.len(),
                battle: Some(Box::new(battle)),
                why,
            });
        }
        Ok(battle)
    }

    fn level(&self) -> Result<Arc<Level>, String> {
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

/// A running checksum of events: 64-bit FNV-1a over their JSON.
struct Check(u64);

impl Check {
    fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    fn add(&mut self, events: &[Event], names: &Names) {
        for event in events {
            for byte in event.json(names).to_string().bytes() {
                self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
            }
        }
    }

    fn text(&self) -> String {
        format!("{:016x}", self.0)
    }
}

/// Writes beside the file first, then puts it in its place: a crash leaves
/// either the old file or the new one.
fn write_whole(path: &Path, bytes: &[u8]) -> std::io::Result<()> {
    let mut beside = path.as_os_str().to_owned();
    beside.push(".part");
    let mut file = std::fs::File::create(&beside)?;
    file.write_all(bytes)?;
    file.sync_all()?;
    std::fs::rename(&beside, path)
}
