//! Options that several commands share, and how their values are written.

use super::{Failure, Outcome, external, fail_unless::WinRange};
use clap::Args;
use fivefoot_core::{
    battle::{Ruleset, handicap},
    control::Player,
    lab::Shard,
};
use std::{
    collections::BTreeSet, fmt::Display, ops::RangeInclusive, path::PathBuf, str::FromStr,
    sync::Arc,
};

// The options of statistics. A doc comment here would replace the help of the
// commands that use it.
#[derive(Args)]
pub struct Counting {
    /// Battles on each level under each ruleset [default for statistics: 200]
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=u32::MAX))]
    pub battles: Option<u32>,
    /// A range of seeds, both ends included: `1..5000`
    #[arg(long, value_name = "FIRST..LAST", value_parser = seeds, allow_hyphen_values = true, conflicts_with_all = ["seed", "battles"])]
    pub seeds: Option<(u64, u64)>,
    /// Stop when each side's win rate is known to within this margin: `3%`; checked
    /// every 100 battles
    #[arg(long, value_name = "PERCENT", value_parser = within, allow_hyphen_values = true)]
    pub within: Option<f64>,
    /// Run only a part of the battles, for one of several machines: `3/10` is the third
    /// of ten, and there are at most 100000; `sum` joins them. See docs/many-machines.md
    #[arg(
        long,
        value_name = "I/N",
        allow_hyphen_values = true,
        conflicts_with = "within"
    )]
    pub shard: Option<Shard>,
    /// Exit code 1 unless a side's win rate is in a range: `party 35..65%`. The 95%
    /// interval decides: if it is not wholly in the range, the check fails; can be given
    /// more than once
    #[arg(long, value_name = "SIDE LOW..HIGH%")]
    pub fail_unless: Vec<WinRange>,
    #[arg(long, value_name = "SIDE=NAME", value_parser = side_player, help = players())]
    pub ai: Vec<SidePlayer>,
    #[command(flatten)]
    pub bots: Bots,
    /// A side's handicap, 0 to 20: each step gives its units 5% more hit points
    #[arg(long, value_name = "SIDE=N", value_parser = steps)]
    pub handicap: Vec<HandicapOption>,
    /// One JSON object per line: the events of a single battle, the result of each
    /// battle, and for several battles the statistics, for `fivefoot sum`
    #[arg(long)]
    pub json: bool,
    /// With --json: only the statistics, without the result of each battle
    #[arg(long, requires = "json")]
    pub brief: bool,
    /// Write the output to FILE, complete or not at all, instead of printing it
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Overwrite the file of --out, or a file of --record that is not a recording
    #[arg(long)]
    pub force: bool,
    /// Statistics as one CSV table, one number per line
    #[arg(long, conflicts_with = "json")]
    pub csv: bool,
    /// Also write an HTML page with plots, and its JSON, to this folder
    #[arg(long, value_name = "DIR")]
    pub report: Option<PathBuf>,
}

impl Counting {
    /// # Errors
    /// If --force is given without a file that it could overwrite.
    pub fn check_force(&self, records: bool) -> Outcome {
        if self.force && self.out.is_none() && !records {
            let why = "--force needs a file: --out, or --record of sim";
            return Err(Failure::usage(why));
        }
        Ok(())
    }
}

// The options of programs that play. A doc comment here would replace the help of the
// commands that use it.
#[derive(Args)]
pub struct Bots {
    /// Seconds that a program (`cmd:PROGRAM`) may take for an answer
    #[arg(long, value_name = "SECONDS", default_value_t = external::SECONDS, value_parser = bot_time)]
    pub bot_time: f64,
}

// The options of many battles. A doc comment here would replace the help of the
// commands that use it.
#[derive(Args)]
pub struct Many {
    /// The seed of the first battle; each battle adds one
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u64>(0..=u64::MAX))]
    pub seed: u64,
    /// Threads, 1 to 256 [default: one per processor core]
    #[arg(long, value_name = "N", value_parser = whole::<u16>(1..=256))]
    pub threads: Option<u16>,
}

/// Who plays a side.
#[derive(Clone)]
pub struct SidePlayer {
    pub side: String,
    pub player: Player,
}

/// The handicap of a side, or of a or b.
#[derive(Clone)]
pub struct HandicapOption {
    pub of: String,
    pub steps: u8,
}

/// One ruleset or all of them.
pub type Rulesets = Arc<[&'static Ruleset]>;

/// Fails if an option gives two values for one side, or for a or b.
pub fn check_once<'a>(option: &str, names: impl IntoIterator<Item = &'a String>) -> Outcome {
    let mut given = BTreeSet::new();
    match names.into_iter().find(|name| !given.insert(*name)) {
        Some(twice) => {
            let why = format!("{option} is given twice for '{twice}'; leave one out");
            Err(Failure::usage(why))
        }
        None => Ok(()),
    }
}

/// Parses a handicap: `party=4`.
pub fn steps(text: &str) -> Result<HandicapOption, String> {
    let (of, steps) = text.split_once('=').ok_or("write SIDE=N")?;
    let steps = steps.parse().ok().filter(|n| *n <= handicap::MAX);
    Ok(HandicapOption {
        of: of.to_string(),
        steps: steps.ok_or(format!("the handicap is 0 to {}", handicap::MAX))?,
    })
}

/// Parses the AI of a side: `party=easy`.
pub fn side_player(text: &str) -> Result<SidePlayer, String> {
    let (side, name) = text.split_once('=').ok_or("write SIDE=NAME")?;
    Ok(SidePlayer {
        side: side.to_string(),
        player: external::player(name)?,
    })
}

/// Parses the time limit of programs in seconds: `2.5`.
pub fn bot_time(text: &str) -> Result<f64, String> {
    let seconds = text.parse().ok().filter(|s| (0.01..=3600.0).contains(s));
    seconds.ok_or_else(|| "write seconds from 0.01 to 3600".to_owned())
}

/// Parses a range of seeds: `1..5000`.
pub fn seeds(text: &str) -> Result<(u64, u64), String> {
    let off = || "write the first and the last seed, such as 1..5000".to_owned();
    let (first, last) = text.split_once("..").ok_or_else(off)?;
    let number = |text: &str| text.trim().parse::<u64>().map_err(|_| off());
    let (first, last) = (number(first)?, number(last)?);
    match first <= last {
        true => Ok((first, last)),
        false => Err(format!(
            "the first seed, {first}, comes after the last, {last}"
        )),
    }
}

/// Parses a percentage such as `3%` into a share.
pub fn within(text: &str) -> Result<f64, String> {
    let points = text.trim().trim_end_matches('%').trim_end().parse::<f64>();
    let points = points.ok().filter(|p| (0.1..=50.0).contains(p));
    let share = points.map(|points| points / 100.0);
    share.ok_or_else(|| "write a percentage from 0.1 to 50, such as 3%".to_owned())
}

pub fn players() -> String {
    let names = Player::ALL.map(|(_, name, what)| format!("`{name}`, {what}"));
    format!(
        "The AI of a side [default: quick]: {}; `{}PROGRAM`, a program of your own (docs/bots.md)",
        names.join("; "),
        external::PREFIX
    )
}

/// A parser of whole numbers in a range. Unlike clap's, its message names the range for every
/// text that is no such number.
pub fn whole<T>(
    range: RangeInclusive<T>,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static
where
    T: FromStr + PartialOrd + Display + Clone + Send + Sync + 'static,
{
    move |text| {
        let number = text.parse().ok().filter(|n| range.contains(n));
        let (least, most) = (range.start(), range.end());
        number.ok_or_else(|| format!("write a whole number from {least} to {most}"))
    }
}

pub fn ruleset(id: &str) -> Result<&'static Ruleset, String> {
    fivefoot_core::rulesets::find(id).ok_or_else(|| {
        let known = fivefoot_core::rulesets::KNOWN.map(|r| r.id).join(", ");
        format!("there is no such ruleset; there are {known}")
    })
}

pub fn rulesets(id: &str) -> Result<Rulesets, String> {
    if id.eq_ignore_ascii_case("all") {
        return Ok(fivefoot_core::rulesets::ALL.into());
    }
    let one = ruleset(id).map(|r| [r].into());
    one.map_err(|why| format!("{why}; `all` stands for all but Demo"))
}
