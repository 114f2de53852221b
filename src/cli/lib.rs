//! The command line of Fivefoot. It works without a window: a program with a window
//! passes it as a [`Window`]. The help text ends with the exit codes ([`EXIT_CODES`]).
//!
//! Doc comments on clap items are the text of `--help`.

mod arena;
mod battles;
mod blunders;
mod check;
mod compare;
mod export;
pub mod external;
mod fail_unless;
mod fight;
mod forecast;
mod generate;
mod import;
mod input;
mod kinds;
mod levels;
mod names;
mod odds;
mod out;
mod play;
mod points;
mod positions;
mod problems;
mod progress;
mod replay;
mod review;
mod road;
mod rules;
mod serve;
mod sheet;
mod sight;
mod sim;
pub mod stop;
mod sum;
mod telling;
mod verify;

use clap::{Args, CommandFactory, Parser, Subcommand};
use fail_unless::WinRange;
use fivefoot_core::{
    battle::{Ruleset, handicap},
    control::{Player, recording::Recording},
    lab::{Shard, file::MOST_SHARDS, vary::Vary},
    levels::Level,
    ron_read::suggestion,
    words::shown_line,
};
use names::Names;
use out::{complain, say, say_json, say_json_line, say_lines, say_raw};
use std::{
    ffi::OsString,
    fmt::Display,
    path::{Path, PathBuf},
    process::ExitCode,
    sync::Arc,
};

const EXIT_CODES: &str = "\
Exit codes:
  0    success
  1    a check or a scenario failed, or a file could not be read or written
  2    usage error, or an argument names something that does not exist (a cell,
       door, side, rule or kind)
  3    a recording plays back differently
  130, 143, 129
       stopped by Ctrl-C, SIGTERM or SIGHUP, after printing the results so far

Closing the output early (`| head`) does not change the exit code.";

/// Small tactical battles on a 5-ft grid, under complete tabletop combat systems.
///
/// Without a command it opens the game: the title screen, or a battle on LEVEL.
#[derive(Parser)]
#[command(name = "fivefoot", version = fivefoot_core::version::VERSION, args_conflicts_with_subcommands = true, after_help = EXIT_CODES)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
    #[command(flatten)]
    play: PlayArgs,
}

#[derive(Args, Clone, Default)]
struct PlayArgs {
    /// A level file; without one, the title screen opens
    level: Option<PathBuf>,
    /// The ruleset
    #[arg(long, value_name = "R", value_parser = ruleset)]
    rules: Option<&'static Ruleset>,
    /// The seed of the dice; equal seeds and answers give equal battles
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    seed: Option<u64>,
    /// A folder of your own levels and packs, listed on the title screen together
    /// with those in your data folder
    #[arg(long, value_name = "DIR")]
    levels: Option<PathBuf>,
    /// The AI of a side, or a program of your own: `goblins=cmd:python3 my_bot.py`; the
    /// title screen offers the program for every side, as External
    #[arg(long, value_name = "SIDE=NAME", value_parser = seat)]
    ai: Vec<Seat>,
}

#[derive(Subcommand)]
enum Command {
    Sim(SimArgs),
    Compare(CompareArgs),
    Sum(SumArgs),
    Forecast(ForecastArgs),
    Arena(ArenaArgs),
    Check(CheckArgs),
    Verify(VerifyArgs),
    Replay(ReplayArgs),
    Odds(OddsArgs),
    Review(ReviewArgs),
    Sight(SightArgs),
    Rules(RulesArgs),
    Serve(ServeArgs),
    Kinds(KindsArgs),
    Levels(LevelsArgs),
    Generate(GenerateArgs),
    Import(ImportArgs),
    Export(ExportArgs),
    Points(PointsArgs),
    Road(RoadArgs),
}

/// Simulate battles, AI against AI.
///
/// One battle prints its log. Several print statistics: who wins and why, with 95%
/// confidence intervals, how long it takes, and what each unit does and suffers.
/// Ctrl-C stops early and prints the statistics so far. See docs/laboratory.md.
#[derive(Args)]
struct SimArgs {
    /// Level files; without one, the built-in level
    #[arg(value_name = "LEVEL")]
    levels: Vec<PathBuf>,
    /// The ruleset, or `all`
    #[arg(long, value_name = "R|all", value_parser = rulesets)]
    rules: Option<Rulesets>,
    #[command(flatten)]
    many: Many,
    #[command(flatten)]
    counting: Counting,
    /// Run these seeds on another level too, and print the difference; can be
    /// given more than once
    #[arg(long, value_name = "OTHER", conflicts_with_all = ["log", "record"])]
    compare: Vec<PathBuf>,
    /// Run these seeds with a number of a kind changed, and print the difference:
    /// `goblin: hp +2`, `all: hp +-2`; can be given more than once
    #[arg(long, value_name = "KIND: FIELD +N", conflicts_with_all = ["log", "record"])]
    vary: Vec<Vary>,
    /// Print the log of every battle
    #[arg(long, conflicts_with_all = ["within", "csv", "report"])]
    log: bool,
    /// Write a recording of the battle to FILE
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
}

impl SimArgs {
    /// Whether the output is statistics instead of a log.
    fn is_counted(&self) -> bool {
        let Counting {
            battles,
            seeds,
            within,
            csv,
            report,
            fail_unless,
            shard,
            ..
        } = &self.counting;
        // A range can have one seed only.
        let several = battles.is_some_and(|n| n > 1) || seeds.is_some() && self.record.is_none();
        let beside = !self.compare.is_empty() || !self.vary.is_empty();
        let of_all = within.is_some() || !fail_unless.is_empty() || shard.is_some();
        several || beside || of_all || *csv || report.is_some()
    }
}

// The options of statistics. A doc comment here would replace the help of the
// commands that use it.
#[derive(Args)]
struct Counting {
    /// Battles on each level under each ruleset [default for statistics: 200]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    battles: Option<u32>,
    /// A range of seeds, both ends included: `1..5000`
    #[arg(long, value_name = "FIRST..LAST", value_parser = seeds, conflicts_with_all = ["seed", "battles"])]
    seeds: Option<(u64, u64)>,
    /// Stop when each side's win rate is known to within this margin: `3%`; checked
    /// every 100 battles
    #[arg(long, value_name = "PERCENT", value_parser = within)]
    within: Option<f64>,
    /// Run only a part of the battles, for one of several machines: `3/10` is the third
    /// of ten; `sum` joins them. See docs/many-machines.md
    #[arg(long, value_name = "I/N", value_parser = shard, conflicts_with = "within")]
    shard: Option<Shard>,
    /// Exit code 1 unless a side's win rate is in a range: `party 35..65%`. The 95%
    /// interval decides: if it is not wholly in the range, the check fails; can be given
    /// more than once
    #[arg(long, value_name = "SIDE LOW..HIGH%")]
    fail_unless: Vec<WinRange>,
    #[arg(long, value_name = "SIDE=NAME", value_parser = seat, help = players())]
    ai: Vec<Seat>,
    #[command(flatten)]
    bots: Bots,
    /// A side's handicap, 0 to 20: each step gives its units 5% more hit points
    #[arg(long, value_name = "SIDE=N", value_parser = points)]
    handicap: Vec<Points>,
    /// One JSON object per line: the events of a single battle, the result of each
    /// battle, and for several battles the statistics, for `fivefoot sum`
    #[arg(long)]
    json: bool,
    /// With --json: only the statistics, without the result of each battle
    #[arg(long, requires = "json")]
    brief: bool,
    /// Write the output to FILE, complete or not at all, instead of printing it
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Overwrite the file of --out, or a file of --record that is not a recording
    #[arg(long)]
    force: bool,
    /// Statistics as one CSV table, one number per line
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Also write an HTML page with plots, and its JSON, to this folder
    #[arg(long, value_name = "DIR")]
    report: Option<PathBuf>,
}

impl Counting {
    /// # Errors
    /// If --force is given without a file that it could overwrite.
    fn check_force(&self, records: bool) -> Outcome {
        match self.force && self.out.is_none() && !records {
            true => Err(Failure::usage(
                "--force needs a file: --out, or --record of sim",
            )),
            false => Ok(()),
        }
    }

    /// The output format; `text` unless an option says otherwise.
    fn form(&self, text: telling::Form) -> telling::Form {
        match (self.json, self.csv) {
            (true, _) => telling::Form::Json,
            (_, true) => telling::Form::Csv,
            _ => text,
        }
    }
}

/// Compare the five rulesets on one level.
///
/// The level is run under each of them: who wins, how long it takes, how many
/// attacks hit, the spread of outcomes, how often the side ahead halfway lost, and
/// what the first move is worth.
#[derive(Args)]
struct CompareArgs {
    /// A level file
    #[arg(value_name = "LEVEL")]
    level: PathBuf,
    #[command(flatten)]
    many: Many,
    #[command(flatten)]
    counting: Counting,
}

/// Join the statistics of several `sim`, `compare` or `arena` runs with --json, exactly.
///
/// The parts must have equal levels, rulesets, AIs and program versions, and
/// different seeds. Exit code 1 if shards are missing. See docs/many-machines.md.
#[derive(Args)]
struct SumArgs {
    /// Output of `sim`, `compare` or `arena` with --json, or the JSON of a report; `-`
    /// reads standard input
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// Print what there is although shards are missing
    #[arg(long)]
    partial: bool,
    /// Exit code 1 unless a side's win rate is in a range: `party 35..65%`, as in `sim`
    #[arg(long, value_name = "SIDE LOW..HIGH%")]
    fail_unless: Vec<WinRange>,
    /// Write the output to FILE, complete or not at all, instead of printing it
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Let --out overwrite a file
    #[arg(long, requires = "out")]
    force: bool,
    /// Statistics as JSON, like those of `sim --json`
    #[arg(long)]
    json: bool,
    /// Statistics as one CSV table, one number per line
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Also write an HTML page with plots, and its JSON, to this folder
    #[arg(long, value_name = "DIR")]
    report: Option<PathBuf>,
}

/// Let one AI fight another, with the sides swapped in every second battle.
///
/// Each seed is run twice. Prints how many battles each AI won, b's win rate with its
/// 95% confidence interval (a battle without a winner counts as half), and the time
/// per decision: median and 99th percentile.
#[derive(Args)]
struct ArenaArgs {
    /// Level files
    #[arg(value_name = "LEVEL", required_unless_present = "positions")]
    levels: Vec<PathBuf>,
    /// Instead of battles: position files or folders of them; prints what both AIs
    /// choose there. Exit code 1 if a position does not match its file
    #[arg(long, value_name = "PATH", num_args = 1.., conflicts_with_all = ["levels", "rules", "battles", "seed", "blunders"])]
    positions: Vec<PathBuf>,
    /// Playouts per position, to measure what the wise order is worth
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), requires = "positions")]
    playouts: Option<u32>,
    /// Instead of battles: find decisions where b's choice is better than a's, and
    /// write each as a position to this folder
    #[arg(long, value_name = "DIR", conflicts_with = "json")]
    blunders: Option<PathBuf>,
    /// The ruleset, or `all`
    #[arg(long, value_name = "R|all", value_parser = rulesets)]
    rules: Option<Rulesets>,
    #[arg(long, value_name = "NAME", default_value = "quick", value_parser = external::player, help = players())]
    a: Player,
    /// The AI that plays against a
    #[arg(long, value_name = "NAME", default_value = "strategist", value_parser = external::player)]
    b: Player,
    #[command(flatten)]
    bots: Bots,
    /// A handicap for the side that a or b controls, 0 to 20: each step gives its
    /// units 5% more hit points
    #[arg(long, value_name = "a|b=N", value_parser = points, conflicts_with_all = ["positions", "blunders"])]
    handicap: Vec<Points>,
    /// Battles on each level under each ruleset
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..))]
    battles: u32,
    #[command(flatten)]
    many: Many,
    /// Run only a part of the battles, for one of several machines: `3/10` is the third
    /// of ten; `sum` joins them. See docs/many-machines.md
    #[arg(long, value_name = "I/N", value_parser = shard, conflicts_with_all = ["positions", "blunders"])]
    shard: Option<Shard>,
    /// One JSON object per line, for each level under each ruleset
    #[arg(long)]
    json: bool,
    /// Write the output to FILE, complete or not at all, instead of printing it
    #[arg(long, value_name = "FILE", conflicts_with = "blunders")]
    out: Option<PathBuf>,
    /// Let --out overwrite a file
    #[arg(long, requires = "out")]
    force: bool,
}

/// Measure how accurate the window's win probability is.
///
/// The quick AI plays itself. The forecasts at the start and the end of each round
/// are compared with the outcome: the Brier score (0 is perfect, 0.25 a coin), the
/// scores of hit points alone and of the base rate, and for each tenth of the
/// forecasts how often they came true.
#[derive(Args)]
struct ForecastArgs {
    /// Level files
    #[arg(value_name = "LEVEL", required = true)]
    levels: Vec<PathBuf>,
    /// The ruleset, or `all`
    #[arg(long, value_name = "R|all", value_parser = rulesets)]
    rules: Option<Rulesets>,
    /// Battles on each level under each ruleset
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    battles: u32,
    #[command(flatten)]
    many: Many,
    /// First fit the weights to these battles, and write them to FILE
    #[arg(long, value_name = "FILE")]
    fit: Option<PathBuf>,
    /// Use the weights in FILE instead of those that come with the game
    #[arg(long, value_name = "FILE", conflicts_with = "fit")]
    with: Option<PathBuf>,
    /// One JSON object per line, for each ruleset
    #[arg(long)]
    json: bool,
}

// The options of programs that play. A doc comment here would replace the help of the
// commands that use it.
#[derive(Args)]
struct Bots {
    /// Seconds that a program (`cmd:PROGRAM`) may take for an answer
    #[arg(long, value_name = "SECONDS", default_value_t = external::SECONDS, value_parser = bot_time)]
    bot_time: f64,
}

// The options of many battles. A doc comment here would replace the help of the
// commands that use it.
#[derive(Args)]
struct Many {
    /// The seed of the first battle; each battle adds one
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1,
        allow_negative_numbers = true
    )]
    seed: u64,
    /// Threads [default: one per processor core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
}

/// Who plays a side.
#[derive(Clone)]
struct Seat {
    side: String,
    player: Player,
}

/// The handicap of a side, or of a or b.
#[derive(Clone)]
struct Points {
    of: String,
    points: u8,
}

#[derive(Clone)]
struct Rulesets(Vec<&'static Ruleset>);

/// Find every mistake in levels, packs, content and scenarios, with its position.
#[derive(Args)]
struct CheckArgs {
    /// Files, packs, or folders; in a folder, all .ron files and packs are checked. `-`
    /// reads standard input
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,
    /// Treat warnings as errors
    #[arg(long)]
    strict: bool,
    /// `json`: one object per line; `github`: annotations of a workflow; `sarif`: a file
    /// for code scanning. See docs/ci.md
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = check::Format::Text)]
    format: check::Format,
}

/// Run scenarios that test the rules.
#[derive(Args)]
struct VerifyArgs {
    /// Files, or folders; in a folder, all .ron files are run. `-` reads standard input
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,
    /// Run only scenarios with this text in their path or in the id of a rule that they
    /// prove, in any case; repeat it to run scenarios that match any of them
    #[arg(long, value_name = "TEXT")]
    filter: Vec<String>,
    /// Print only failures and the number of scenarios
    #[arg(long, short)]
    quiet: bool,
    /// `json`: one object per line; `junit`: XML as Jenkins and GitLab read it; `tap`:
    /// the Test Anything Protocol. See docs/ci.md
    #[arg(long, value_name = "FORMAT", value_enum, default_value_t = verify::Format::Text)]
    format: verify::Format,
    /// Do nothing at decisions for which the scenario has no order; print all orders,
    /// including those added
    #[arg(long)]
    fill: bool,
}

/// Replay a recording. Exit code 3 if it plays back differently.
#[derive(Args)]
struct ReplayArgs {
    /// A recording from `sim --record`, or a save
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Stop after this many answers
    #[arg(long, value_name = "STEP")]
    to: Option<usize>,
    /// One JSON object per line, for each event
    #[arg(long)]
    json: bool,
    /// Watch it in the window
    #[arg(long, conflicts_with_all = ["to", "json"])]
    window: bool,
}

/// Show what an order would come to: chances, damage, what it provokes.
///
/// ORDER is an order as in a scenario, such as `mara: strike goblin 2 with short sword`, or
/// `mara: attack goblin 2` for every attack that she could make from where she stands, in
/// her turn or not. Without ORDER, all orders that can be given now are listed. Only what
/// the side that is asked knows is used.
#[derive(Args)]
struct OddsArgs {
    /// A level, at its first decision; or a recording or save, at its last
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The order, in quotes
    #[arg(value_name = "ORDER")]
    order: Option<String>,
    /// A level's ruleset [default: the level's first]
    #[arg(long, value_name = "R", value_parser = ruleset)]
    rules: Option<&'static Ruleset>,
    /// The seed of a level's dice
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1,
        allow_negative_numbers = true
    )]
    seed: u64,
    /// In a recording, stop after this many answers
    #[arg(long, value_name = "STEP")]
    to: Option<usize>,
    /// One JSON object per order
    #[arg(long)]
    json: bool,
}

/// Show what each order of a recording cost, and what the dice did.
///
/// Each order is compared with others that could have been given: the quick AI plays on
/// from both with the same dice. Prints the largest mistakes with the better orders, how
/// accurate each side was, and luck apart from skill. Ctrl-C stops early and prints the
/// review so far. See docs/review.md.
#[derive(Args)]
struct ReviewArgs {
    /// A recording from `sim --record`, or a save
    #[arg(value_name = "RECORDING")]
    file: PathBuf,
    /// Compare only this side's orders [default: all sides]
    #[arg(long, value_name = "SIDE")]
    side: Option<String>,
    /// Playouts for each order that is compared closely
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(10..=100_000))]
    playouts: u32,
    /// Threads [default: one per processor core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// One JSON object per line: each decision, then each side
    #[arg(long)]
    json: bool,
}

/// Show line of sight and cover between two cells, in both directions, with the proof.
#[derive(Args)]
struct SightArgs {
    /// A level file
    #[arg(value_name = "LEVEL")]
    level: PathBuf,
    /// The cell to look from, as x,y; the north-west cell is 0,0
    #[arg(value_name = "FROM", required_unless_present = "all")]
    from: Option<fivefoot_core::grid::Cell>,
    /// The cell to look at
    #[arg(value_name = "TO", required_unless_present = "all")]
    to: Option<fivefoot_core::grid::Cell>,
    /// First open this door, or close it if it is open; can be given more than
    /// once
    #[arg(long, value_name = "X,Y")]
    door: Vec<fivefoot_core::grid::Cell>,
    /// Every ordered pair of free cells, one JSON object per line
    #[arg(long, conflicts_with_all = ["from", "to"])]
    all: bool,
    /// One JSON object per line
    #[arg(long)]
    json: bool,
}

/// Look up rules: the list, one rule, or a ruleset as a page to print.
#[derive(Args)]
struct RulesArgs {
    /// A rule's id, such as SK-31
    #[arg(value_name = "ID")]
    id: Option<String>,
    /// Print a ruleset as an HTML page, to standard output
    #[arg(long, value_name = "R", value_parser = ruleset, conflicts_with = "id")]
    sheet: Option<&'static Ruleset>,
}

/// Run battles for another program: a line of JSON in, a line of JSON out.
///
/// It reads commands from standard input (`new`, `observe`, `offers`, `order`, `odds`,
/// `fork`, `save`, `close`) and writes an answer for each to standard output, until the
/// input ends. An error is an answer too and ends nothing. See docs/bots.md.
#[derive(Args)]
struct ServeArgs {}

/// List creatures, weapons, armour and spells, with their numbers.
#[derive(Args)]
struct KindsArgs {
    /// An id or name, to print all its numbers; without it, list all kinds
    #[arg(value_name = "NAME")]
    name: Option<String>,
    /// Include this level's own kinds
    #[arg(long, value_name = "LEVEL")]
    level: Option<PathBuf>,
    /// One JSON object per line, for each kind
    #[arg(long)]
    json: bool,
}

/// List the levels that come with the game, and your own.
///
/// Your own levels are level files, and packs: folders or zips with a `level.ron`.
/// They are in the folder `levels` of your data folder, whose path is printed, and in
/// DIR. Exit code 1 if one of them has an error. Those of the game are listed from easy to
/// hard, with how often the Easy AI wins them in your place on Normal difficulty and how
/// many rounds they take. See docs/balance.md.
#[derive(Args)]
struct LevelsArgs {
    /// A further folder of levels
    #[arg(long, value_name = "DIR")]
    levels: Option<PathBuf>,
    /// One JSON object per line, for each level
    #[arg(long, conflicts_with = "fit")]
    json: bool,
    /// Measure the levels that FILE does not know, or knows as they were before, and
    /// write it
    #[arg(long, value_name = "FILE", conflicts_with = "levels")]
    fit: Option<PathBuf>,
    /// Battles to measure with, for each level and ruleset
    #[arg(long, value_name = "N", default_value_t = 200, requires = "fit", value_parser = clap::value_parser!(u32).range(1..))]
    battles: u32,
    #[command(flatten)]
    many: Many,
}

/// Make a level on a random map; one seed always gives one level.
///
/// The map is rotationally symmetrical, so it favours no side, and every part of it
/// can be reached. With three or four squads it is square.
#[derive(Args)]
struct GenerateArgs {
    /// Terrain: halls, caves, ruins, woods or hills
    #[arg(value_name = "GROUND")]
    form: String,
    /// The seed of the map
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Columns and rows of the map, such as 20x12
    #[arg(long, value_name = "WxH", value_parser = generate::size)]
    size: Option<(i16, i16)>,
    /// The units of a side, such as `goblin:4,goblin_chief`; give it once per side, up
    /// to four, the player's first [default: watchmen against watchmen]
    #[arg(long, value_name = "KIND:N,…", value_parser = generate::squad)]
    squad: Vec<generate::Members>,
    /// The objective: defeat, hold (the middle) or leaders (defeat the enemy leaders)
    #[arg(long, value_name = "AIM", value_parser = generate::aim)]
    aim: Option<fivefoot_core::levels::compose::Aim>,
    /// Write the level to FILE instead of printing it
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Let --out overwrite a file
    #[arg(long, requires = "out")]
    force: bool,
}

/// Make a level from a map of another tool.
///
/// FILE is a text with rows of characters, a map of Tiled (.tmx, .tmj), a table of
/// tab-separated codes as donjon writes it (.tsv), or a One Page Dungeon (.json). What
/// cannot be taken over is listed on standard error with its place. See docs/import.md.
#[derive(Args)]
struct ImportArgs {
    /// The map
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// What a character, a code or the number of a tile means: a ground as in a level's
    /// legend, `start [SIDE]`, `exit [SIDE]` or `unit KIND SIDE`; can be given more than
    /// once
    #[arg(long, value_name = "KEY=MEANING", value_parser = import::entry, allow_hyphen_values = true)]
    legend: Vec<import::Entry>,
    /// The units of a side, such as `goblin:4,goblin_chief`, if the map has none; give it
    /// once per side, the player's first [default: heroes against goblins]
    #[arg(long, value_name = "KIND:N,…", value_parser = generate::squad)]
    squad: Vec<generate::Members>,
    /// The level's title [default: the map's, or the name of the file]
    #[arg(long, value_name = "TEXT")]
    title: Option<String>,
    /// Write the level to LEVEL instead of printing it
    #[arg(long, value_name = "LEVEL")]
    out: Option<PathBuf>,
    /// Let --out overwrite a file
    #[arg(long, requires = "out")]
    force: bool,
}

/// Write a level as a map for another tool.
///
/// With --tiled: a map for the editor Tiled (.tmj) and a picture of its tiles beside it.
/// `fivefoot import` makes the level of it again. See docs/import.md.
#[derive(Args)]
struct ExportArgs {
    /// A level file
    #[arg(value_name = "LEVEL")]
    level: PathBuf,
    /// As a map of Tiled
    #[arg(long, required = true)]
    tiled: bool,
    /// The map's file [default: the level's name with .tmj, in this folder]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Overwrite files that exist
    #[arg(long)]
    force: bool,
}

/// Print what each kind is worth, in points: squads of equal points are an even fight.
///
/// Without --fit, print the table that comes with the game, with standard errors. With
/// it, measure again: random squads fight on random maps, the quick AI against itself,
/// and the values are fitted to the results. See docs/points.md.
#[derive(Args)]
struct PointsArgs {
    /// The ruleset, or `all` [default: all]
    #[arg(long, value_name = "R|all", value_parser = rulesets)]
    rules: Option<Rulesets>,
    /// Measure, and write the table to FILE
    #[arg(long, value_name = "FILE")]
    fit: Option<PathBuf>,
    /// Battles to measure with, under each ruleset
    #[arg(long, value_name = "N", default_value_t = 6000, value_parser = clap::value_parser!(u32).range(100..))]
    battles: u32,
    #[command(flatten)]
    many: Many,
}

/// Play a run of the Road, an AI in place of the player, and print where it ends.
///
/// A run is eight to ten battles with one squad; wounds last and the dead are lost. With
/// --runs, print where many runs end. With a FILE, print the story of that run, and play
/// every battle again: exit code 3 if one plays back differently. See docs/road.md.
#[derive(Args)]
struct RoadArgs {
    /// A run, as --out or the game writes it
    #[arg(value_name = "FILE", conflicts_with_all = ["code", "rules", "difficulty", "keep_dead", "length", "runs", "seed"])]
    file: Option<PathBuf>,
    /// The code of a road; it stands for the seed, the ruleset and the difficulty
    #[arg(long, value_name = "CODE", conflicts_with_all = ["rules", "difficulty", "keep_dead", "length", "runs", "seed"])]
    code: Option<String>,
    /// The seed of the first road; each further run adds one
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(0..i64::from(fivefoot_core::road::Settings::SEEDS)))]
    seed: u32,
    /// The ruleset, or `all`
    #[arg(long, value_name = "R|all", value_parser = rulesets)]
    rules: Option<Rulesets>,
    /// The AI that plays the squad; the quick AI plays the enemies
    #[arg(long, value_name = "NAME", default_value = "quick", value_parser = road_player)]
    ai: Player,
    /// Story, easy, normal or hard
    #[arg(long, value_name = "NAME", default_value = "normal", value_parser = road::difficulty)]
    difficulty: fivefoot_core::road::Difficulty,
    /// Units that die come back with a wound
    #[arg(long)]
    keep_dead: bool,
    /// Battles on the road
    #[arg(long, value_name = "N", default_value_t = 9, value_parser = clap::value_parser!(u8).range(8..=10))]
    length: u8,
    /// Stop after this many battles
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u8).range(1..=10))]
    battles: Option<u8>,
    /// Take the way with the largest reward, not the safest one
    #[arg(long)]
    bold: bool,
    /// Runs with one seed after the other
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    runs: u32,
    /// Threads [default: one per processor core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// Write the run to this file, or with --extract its battle
    #[arg(long, value_name = "FILE", conflicts_with = "runs")]
    out: Option<PathBuf>,
    /// Overwrite the file of --out even if it is something else
    #[arg(long, requires = "out")]
    force: bool,
    /// Write battle N of the run in FILE to --out, as a recording for `replay`
    #[arg(long, value_name = "N", requires = "file", requires = "out", value_parser = clap::value_parser!(u8).range(1..=10))]
    extract: Option<u8>,
    /// Play the run in FILE on from where it stands
    #[arg(long, requires = "file", conflicts_with = "extract")]
    play_on: bool,
    /// One JSON object per run, or for all runs
    #[arg(long)]
    json: bool,
}

/// An error that the user can fix: printed on standard error, with this exit code.
struct Failure {
    text: String,
    code: u8,
}

impl Failure {
    /// A failure of one line with exit code 1. Line breaks in the text are escaped.
    fn new(text: impl AsRef<str>) -> Self {
        Self::lines(1, shown_line(text.as_ref()))
    }

    /// Bad usage, with exit code 2.
    fn usage(text: impl AsRef<str>) -> Self {
        Self::lines(2, shown_line(text.as_ref()))
    }

    /// A failure whose text can have several lines.
    fn lines(code: u8, text: impl Into<String>) -> Self {
        let text = text.into();
        Self { text, code }
    }
}

type Outcome = Result<(), Failure>;

/// Redirects the output to a file, if one is given.
fn redirect(out: Option<&PathBuf>, force: bool) -> Outcome {
    let Some(path) = out else { return Ok(()) };
    out::into_file(path, force).map_err(|why| Failure::new(format!("{}: {why}", path.display())))
}

fn unwritten(path: &Path, why: impl Display) -> Failure {
    Failure::new(format!("{}: cannot be written: {why}", path.display()))
}

/// The options that the window opens with.
#[derive(Clone, Debug, Default)]
pub struct Game {
    /// The level to start with. `None` shows the title screen.
    pub level: Option<Arc<Level>>,
    /// The level's file. The level is read again when the file changes.
    pub file: Option<PathBuf>,
    /// A further folder of levels, in addition to the one in the data folder.
    pub levels_folder: Option<PathBuf>,
    /// The ruleset. `None` uses the level's ruleset, or else the default.
    pub rules: Option<&'static Ruleset>,
    /// The first battle's seed; `None` draws one at random.
    pub seed: Option<u64>,
    /// The controllers of sides by id, instead of the level's choice.
    pub ai: Vec<(String, Player)>,
}

/// The game's window, for the commands that open it.
pub trait Window {
    /// Opens the game; returns when it is closed.
    fn play(&self, game: Game) -> ExitCode;

    /// Opens the game on a recording. The error says why it cannot be replayed.
    fn watch(&self, recording: &Recording) -> Result<ExitCode, String>;
}

const NO_WINDOW: &str = "This program was built without the window (feature \"ui\").";

/// The commands and options, for the manual page and for shell completion.
pub fn command() -> clap::Command {
    Cli::command()
}

/// Runs the program with the arguments of the command line.
pub fn main(window: Option<&dyn Window>) -> ExitCode {
    let words: Vec<OsString> = std::env::args_os().collect();
    if let Some(failure) = mistyped(&words) {
        return finish(Err(failure));
    }
    let cli = match Cli::try_parse_from(words) {
        Ok(cli) => cli,
        Err(answer) => return tell(&answer),
    };
    let done = match cli.command {
        None => return play::run(cli.play, window),
        Some(Command::Sim(args)) => sim::run(&args),
        Some(Command::Compare(args)) => compare::run(&args),
        Some(Command::Sum(args)) => sum::run(&args),
        Some(Command::Forecast(args)) => forecast::run(&args),
        Some(Command::Arena(args)) => arena::run(&args),
        Some(Command::Check(args)) => check::run(&args),
        Some(Command::Verify(args)) => verify::run(&args),
        Some(Command::Replay(args)) if args.window => return replay::watch(&args, window),
        Some(Command::Replay(args)) => replay::run(&args),
        Some(Command::Odds(args)) => odds::run(&args),
        Some(Command::Review(args)) => review::run(&args),
        Some(Command::Sight(args)) => sight::run(&args),
        Some(Command::Rules(args)) => rules::run(&args),
        Some(Command::Serve(args)) => serve::run(&args),
        Some(Command::Kinds(args)) => kinds::run(&args),
        Some(Command::Levels(args)) => levels::run(&args),
        Some(Command::Generate(args)) => generate::run(&args),
        Some(Command::Import(args)) => import::run(&args),
        Some(Command::Export(args)) => export::run(&args),
        Some(Command::Points(args)) => points::run(&args),
        Some(Command::Road(args)) => road::run(&args),
    };
    finish(done)
}

/// Prints a failure and returns its exit code. Output that could not be printed is a
/// failure only if nothing worse happened.
fn finish(done: Outcome) -> ExitCode {
    external::end();
    let mut code = 0;
    if let Err(failure) = done {
        if !failure.text.is_empty() {
            complain(&failure.text);
        }
        code = failure.code;
    }
    if let Err((path, why)) = out::close() {
        complain(&unwritten(&path, why).text);
        code = code.max(1);
    }
    if let Some(trouble) = out::trouble() {
        complain(&trouble);
        code = code.max(1);
    }
    ExitCode::from(code)
}

/// Prints the requested help, or a usage error.
fn tell(answer: &clap::Error) -> ExitCode {
    let text = answer.render().to_string();
    if answer.use_stderr() {
        return finish(Err(Failure::lines(2, text.trim_end())));
    }
    say_lines(text.trim_end());
    finish(Ok(()))
}

/// An error if the first argument is neither a command nor a file.
fn mistyped(words: &[OsString]) -> Option<Failure> {
    let first = words.get(1)?;
    let word = &*first.to_string_lossy();
    let names = Cli::command();
    let names: Vec<&str> = names.get_subcommands().map(|c| c.get_name()).collect();
    let is_path = word.contains(['/', '\\', '.']) || Path::new(first).exists();
    if word.starts_with('-') || is_path || word == "help" || names.contains(&word) {
        return None;
    }
    let help = match suggestion(word, names) {
        guess if guess.starts_with("did") => guess,
        _ => "'fivefoot help' lists the commands".to_string(),
    };
    let what = format!("there is no command or file '{word}'; {help}");
    Some(Failure::usage(what))
}

/// Parses a handicap: `party=4`.
fn points(text: &str) -> Result<Points, String> {
    let (of, points) = text.split_once('=').ok_or("write SIDE=N")?;
    let points = points.parse().ok().filter(|n| *n <= handicap::MOST);
    Ok(Points {
        of: of.to_string(),
        points: points.ok_or(format!("the handicap is 0 to {}", handicap::MOST))?,
    })
}

/// Parses the AI of a side: `party=easy`.
fn seat(text: &str) -> Result<Seat, String> {
    let (side, name) = text.split_once('=').ok_or("write SIDE=NAME")?;
    Ok(Seat {
        side: side.to_string(),
        player: external::player(name)?,
    })
}

/// Parses the AI of a Road run: `quick`.
fn road_player(name: &str) -> Result<Player, String> {
    name.parse()
}

/// Parses the time limit of programs in seconds: `2.5`.
fn bot_time(text: &str) -> Result<f64, String> {
    let seconds = text.parse().ok().filter(|s| (0.01..=3600.0).contains(s));
    seconds.ok_or_else(|| "write seconds from 0.01 to 3600".to_owned())
}

/// Parses a range of seeds: `1..5000`.
fn seeds(text: &str) -> Result<(u64, u64), String> {
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

/// Parses a shard: `3/10`.
fn shard(text: &str) -> Result<Shard, String> {
    let shard: Shard = text.parse()?;
    match shard.of <= MOST_SHARDS {
        true => Ok(shard),
        false => Err(format!("there are at most {MOST_SHARDS} shards")),
    }
}

/// Parses a percentage such as `3%` into a share.
fn within(text: &str) -> Result<f64, String> {
    let points = text.trim().trim_end_matches('%').trim_end().parse::<f64>();
    let points = points.ok().filter(|p| (0.1..=50.0).contains(p));
    let share = points.map(|points| points / 100.0);
    share.ok_or_else(|| "write a percentage from 0.1 to 50, such as 3%".to_owned())
}

fn players() -> String {
    let told = Player::ALL.map(|(_, name, what)| format!("`{name}`, {what}"));
    format!(
        "The AI of a side [default: quick]: {}; `{}PROGRAM`, a program of your own (docs/bots.md)",
        told.join("; "),
        external::PREFIX
    )
}

fn ruleset(id: &str) -> Result<&'static Ruleset, String> {
    fivefoot_core::rulesets::find(id).ok_or_else(|| {
        let known = fivefoot_core::rulesets::ALL.map(|r| r.id).join(", ");
        format!("there is no such ruleset; there are {known}")
    })
}

fn rulesets(id: &str) -> Result<Rulesets, String> {
    if id == "all" {
        return Ok(Rulesets(fivefoot_core::rulesets::ALL.to_vec()));
    }
    ruleset(id).map(|r| Rulesets(vec![r]))
}
