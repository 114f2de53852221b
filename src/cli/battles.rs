//! Reads levels for the commands, and prints battles as text and JSON.

use super::{Failure, input, problems::Sources, say};
use fivefoot_core::{
    battle::{Battle, Body, End, Event, Line, LogLevel, Side, State, all_units, log_lines},
    control::FileKind,
    files::LEVEL_BYTES,
    levels::{self, Level, pack},
};
use std::{path::Path, sync::Arc};

/// Reads a level. The failure lists everything that is wrong with it.
pub fn level(path: &Path) -> Result<Arc<Level>, Failure> {
    if is_pack(path) {
        let (sources, pack) = Sources::of_pack(path);
        let level = pack.map(|(pack, _)| pack.level);
        return level.map_err(|problems| sources.failure(&problems));
    }
    level_of(&input::name(path), &read(path, LEVEL_BYTES)?)
}

/// Whether a path is that of a pack, or at least of a folder.
pub fn is_pack(path: &Path) -> bool {
    !input::is_standard(path) && (pack::is_pack(path) || path.is_dir())
}

/// Reads a level from the text of its file, as [`level`] does.
pub fn level_of(name: &str, text: &str) -> Result<Arc<Level>, Failure> {
    match levels::check_file(name, text) {
        Ok((level, _)) => Ok(Arc::new(level)),
        Err(problems) => {
            let failure = || Sources::of(name, text).failure(&problems);
            Err(wrong_kind(FileKind::Level, name, text).unwrap_or_else(failure))
        }
    }
}

/// The failure that a file is of another kind than `kind`. `None` if it is of this kind, or
/// of none.
pub fn wrong_kind(kind: FileKind, name: &str, text: &str) -> Option<Failure> {
    let (what, help) = kind.wrong_kind(name, text)?;
    Some(Failure::new(format!("{name}:1:1: {what}; {help}")))
}

/// The text of a file of at most `most` bytes. The failure names the file.
pub fn read(path: &Path, most: u64) -> Result<String, Failure> {
    input::text(path, most).map_err(|problem| Failure::new(problem.to_string()))
}

/// Prints events as a log. `all` also prints each step of a move.
pub fn print_log(battle: &Battle, events: &[Event], all: bool) {
    for (event, Line { depth, text }) in log_lines(events, battle.names()) {
        let rule = match event.rule {
            "GR-00" => String::new(),
            rule => format!("  [{rule}]"),
        };
        match depth {
            LogLevel::Heading => {
                say("");
                say(text);
            }
            LogLevel::Fact => say(format!("  {text}{rule}")),
            LogLevel::Detail => say(format!("    {text}{rule}")),
            LogLevel::Part if all => say(format!("  -- {text}")),
            LogLevel::Trace if all => say(format!("      {text}{rule}")),
            LogLevel::Trace | LogLevel::Part => {}
        }
    }
}

/// How a battle ended.
pub struct Ending {
    pub level: String,
    pub rules: &'static str,
    pub seed: u64,
    /// The winner. `None` if nobody won.
    pub won: Option<Side>,
    pub why: String,
    /// What ended the battle. `None` if it is not over.
    pub end: Option<End>,
    pub rounds: u32,
    pub answers: usize,
    pub sides: Vec<SideResult>,
}

/// The final state of a side.
#[derive(Default)]
pub struct SideResult {
    pub side: String,
    pub title: String,
    pub standing: u32,
    pub down: u32,
    pub dead: u32,
    pub fled: u32,
}

impl Ending {
    pub fn of(battle: &Battle, level: &Level, seed: u64) -> Self {
        let world = battle.world();
        let states = all_units::<Body>(world).iter();
        let sides = level.sides.iter().map(|s| SideResult {
            side: s.id.clone(),
            title: s.name.clone(),
            ..SideResult::default()
        });
        let mut sides: Vec<SideResult> = sides.collect();
        for body in states {
            let tally = &mut sides[body.side.index()];
            *match body.state {
                State::Up | State::Waiting => &mut tally.standing,
                State::Down => &mut tally.down,
                State::Dead => &mut tally.dead,
                State::Fled => &mut tally.fled,
            } += 1;
        }
        Self {
            level: level.id.clone(),
            rules: battle.rules().id,
            seed,
            won: battle.over().flatten(),
            why: battle.why_over().unwrap_or("not over").to_owned(),
            end: battle.end(),
            rounds: battle.rounds().max(1),
            answers: battle.answers().len(),
            sides,
        }
    }

    pub fn json(&self) -> serde_json::Value {
        let side = |t: &SideResult| serde_json::json!({"side": t.side, "title": t.title, "standing": t.standing, "down": t.down, "dead": t.dead, "fled": t.fled});
        serde_json::json!({
            "what": "result",
            "level": self.level,
            "rules": self.rules,
            "seed": self.seed,
            "winner": self.won.map(|s| self.sides[s.index()].side.clone()),
            "why": self.why,
            "end": self.end,
            "rounds": self.rounds,
            "answers": self.answers,
            "sides": self.sides.iter().map(side).collect::<Vec<_>>(),
        })
    }
}
