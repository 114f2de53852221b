//! Scenarios: each proves a rule on a small map, with scripted dice, readable orders and
//! expected results. `docs/scenarios.md` explains how to write one.
//!
//! - `read`: from the file to a checked [`Scenario`]
//! - `run`: plays it, and finds everything that is not as expected
//! - `fill`: its orders, together with added ones
//! - `wanted`: lines that the log must or must not have
//! - `shown`: which rules were shown, to compare with those it proves
//! - `words`: whether the words of an order name something that exists
//! - `proof`: whether the explanation shown for a line of sight is correct

mod fill;
mod proof;
mod read;
mod run;
mod shown;
mod wanted;
mod words;

pub use read::check_file;
pub use run::Played;

use crate::{
    battle::{Id, Probe, ProbeValue, Ruleset, Side, State},
    control::FileKind,
    grid::{Cell, Cover, Space},
    levels::Level,
    ron_read::Problem,
    words::{shown, shown_line},
};
use std::{fmt, sync::Arc};
use wanted::Wanted;

/// A scenario, read and checked.
#[derive(Debug)]
pub struct Scenario {
    /// The file name, as given to the reader.
    pub file: String,
    pub rules: &'static Ruleset,
    /// The ids of the rules that it proves, with their places in the file.
    proves: Vec<(FilePosition, String)>,
    /// What it shows, in a sentence.
    pub shows: String,
    pub level: Arc<Level>,
    dice: Vec<Die>,
    script: Vec<OrderLine>,
    /// Lines that the log must have, in this order.
    log: Vec<Wanted>,
    /// Lines that the log must not have.
    never: Vec<Wanted>,
    /// What must be true at the end.
    end: Vec<Check>,
}

/// A position in the file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct FilePosition {
    line: u32,
    col: u32,
}

#[derive(Clone, Copy, Debug)]
struct Die {
    at: FilePosition,
    sides: u16,
    value: u16,
}

/// One entry of `orders`.
#[derive(Debug)]
enum OrderLine {
    Order {
        at: FilePosition,
        text: String,
    },
    /// Play continues to a chance of this unit: the first whose prompt contains these words.
    Chance {
        at: FilePosition,
        who: Id,
        words: String,
    },
    Check(Check),
}

/// Something that must be true at its point of the script.
#[derive(Debug)]
struct Check {
    at: FilePosition,
    what: Claim,
}

#[derive(Debug)]
enum Claim {
    Asked(Id, bool),
    Offered(String),
    /// Not a legal offer. With a reason, it must be listed with exactly that reason.
    NotOffered(String, Option<String>),
    State(StateClaim),
    Sight(SightClaim),
    Path(PathClaim),
    Battle(Standing),
}

#[derive(Debug)]
struct StateClaim {
    who: Id,
    at: Option<Cell>,
    hp: Option<i32>,
    state: Option<State>,
    prone: Option<bool>,
    probes: Vec<(&'static Probe, ProbeValue)>,
}

#[derive(Debug)]
struct SightClaim {
    from: UnitOrSpace,
    to: UnitOrSpace,
    los: Option<bool>,
    cover: Option<Cover>,
    corners: Option<u8>,
    /// Straight distance in feet, rounded up (GR-40).
    feet: Option<u16>,
    /// The shortest sufficient reach in feet; 0 if none is (GR-40).
    reach: Option<u16>,
    /// Cells of the solids that are shown to block the line.
    blocking: Option<Vec<Cell>>,
}

/// A unit or a cell.
#[derive(Clone, Copy, Debug)]
enum UnitOrSpace {
    Who(Id),
    Space(Space),
}

#[derive(Debug)]
struct PathClaim {
    who: Id,
    to: Cell,
    reach: Option<bool>,
    feet: Option<u16>,
    provokes: Option<Vec<Id>>,
    by: Option<Vec<Cell>>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Standing {
    Running,
    Won(Side),
    Drawn,
}

/// The result for one file.
#[derive(Debug, Default)]
pub struct ScenarioResult {
    pub file: String,
    pub proves: Vec<String>,
    pub shows: String,
    /// Everything that is wrong; empty if the scenario passed.
    pub problems: Vec<Problem>,
    /// The log, if the battle did not go as expected.
    pub log: Vec<String>,
    /// The orders together with added ones, if orders were to be added.
    pub orders: Option<String>,
}

impl ScenarioResult {
    /// The result for a file that is not a scenario, or cannot be read.
    pub fn unread(file: &str, problems: Vec<Problem>) -> Self {
        Self {
            file: file.to_owned(),
            problems,
            ..Self::default()
        }
    }

    pub fn passed(&self) -> bool {
        self.problems.is_empty()
    }

    /// Whether the file was a scenario that could be read and played.
    pub fn was_read(&self) -> bool {
        !self.proves.is_empty()
    }
}

impl Scenario {
    /// The ids of the rules that it proves.
    pub fn proves(&self) -> impl Iterator<Item = &str> {
        self.proves.iter().map(|(_, id)| id.as_str())
    }
}

/// Runs one scenario. `file` is its name in messages.
pub fn verify_text(file: &str, text: &str) -> ScenarioResult {
    judge(file, text, false)
}

/// Runs one scenario; asked units without an order do nothing, as far as the ruleset allows.
/// [`ScenarioResult::orders`] has the resulting orders.
pub fn fill_text(file: &str, text: &str) -> ScenarioResult {
    judge(file, text, true)
}

fn judge(file: &str, text: &str, is_filled: bool) -> ScenarioResult {
    let scenario = match check_file(file, text) {
        Ok((scenario, _)) => scenario,
        Err(problems) => {
            let problems = match FileKind::Scenario.wrong_kind(file, text) {
                Some((what, help)) => vec![Problem::of_file(file, what, help)],
                None => problems,
            };
            return ScenarioResult::unread(file, problems);
        }
    };
    let mut verdict = ScenarioResult {
        proves: scenario.proves().map(str::to_owned).collect(),
        shows: scenario.shows.clone(),
        ..ScenarioResult::unread(file, vec![])
    };
    match catch_panics(file, || {
        let (played, added) = scenario.play_through(is_filled);
        let orders = added.map(|added| fill::orders(text, &added));
        (played.log(), played.problems, orders)
    }) {
        Ok((log, problems, orders)) => {
            verdict.problems = problems;
            verdict.orders = orders;
            if !verdict.passed() {
                verdict.log = log;
            }
        }
        Err(broken) => verdict.problems.push(broken),
    }
    verdict
}

/// Runs part of a scenario and catches panics, so that a rule that panics fails only its own
/// scenario.
fn catch_panics<T>(file: &str, play: impl FnOnce() -> T) -> Result<T, Problem> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(play)).map_err(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or(panic.downcast_ref::<&str>().copied());
        let text = text.unwrap_or("no reason given");
        let what = format!("the rules broke down: {text}");
        Problem::of_file(file, what, "")
    })
}

const START: FilePosition = FilePosition { line: 1, col: 1 };

fn problem(
    file: &str,
    at: FilePosition,
    what: impl Into<String>,
    help: impl Into<String>,
) -> Problem {
    Problem {
        line: at.line,
        col: at.col,
        ..Problem::of_file(file, what, help)
    }
}

impl fmt::Display for ScenarioResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text(""))
    }
}

impl ScenarioResult {
    /// The result as text, with every problem, and the log of a failure. `note` is put at the
    /// end of the first line.
    pub fn text(&self, note: &str) -> String {
        let rules = self.proves.join(" ");
        let (file, rules) = (shown_line(&self.file), shown_line(&rules));
        let how = if self.passed() { "passed" } else { "FAILED" };
        let parts = [how, &file, &rules, note].into_iter();
        let parts = parts.filter(|part| !part.is_empty());
        let mut text = parts.collect::<Vec<_>>().join("  ");
        if self.passed() {
            return text + &self.added_orders();
        }
        let mut line = |indent: usize, line: &str| {
            text += &format!("\n{:indent$}{}", "", shown_line(line));
        };
        if !self.shows.is_empty() {
            line(8, &self.shows);
        }
        for problem in &self.problems {
            line(8, &problem.to_string());
        }
        if !self.log.is_empty() {
            line(8, "the log had:");
            self.log.iter().for_each(|entry| line(10, entry));
        }
        text + &self.added_orders()
    }

    fn added_orders(&self) -> String {
        let Some(orders) = &self.orders else {
            return String::new();
        };
        let mut text = "\n        all orders, with those that were added:".to_owned();
        for line in orders.lines() {
            text += &format!("\n{}", shown(line));
        }
        text
    }
}
