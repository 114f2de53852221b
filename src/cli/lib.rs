//! The command line of Fivefoot. It needs no window: the program that has one
//! hands it over as a [`Window`]. Its exit codes stand at the end of its help
//! ([`EXIT_CODES`]).

mod arena;
mod battles;
mod blunders;
mod check;
mod compare;
mod fight;
mod forecast;
mod generate;
mod kinds;
mod levels;
mod names;
mod out;
mod play;
mod points;
mod positions;
mod progress;
mod replay;
mod rules;
mod sheet;
mod sight;
mod sim;
pub mod stop;
mod sum;
mod telling;
mod verify;

use clap::{Args, CommandFactory, Parser, Subcommand};
use fivefoot_core::{
    battle::{Ruleset, handicap},
    control::{Player, recording::Recording},
    lab::vary::Vary,
    levels::Level,
    ron_read::suggestion,
    words::shown_line,
};
use names::Names;
use out::{complain, say, say_json, say_lines};
use std::{
    ffi::OsString,
    fmt::Display,
    path::{Path, PathBuf},
    process::ExitCode,
    sync::Arc,
};

const EXIT_CODES: &str = "\
Exit codes: 0 done; 1 a check or a scenario failed, or something could not be
read or written; 2 the call is off, or names what there is not (a cell, a door,
a side, a rule, a kind); 3 a recording does not run as it did; 130, 143 or 129
stopped by Ctrl-C, SIGTERM or SIGHUP, after telling what there was. A closed pipe
does not change the exit code.";

/// Small tactical battles on a 5-ft grid, under complete tabletop combat systems.
///
/// Without a command it opens the game: the title screen, or the battle of LEVEL.
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
    /// A level file; none opens the title screen
    level: Option<PathBuf>,
    /// The ruleset to play under
    #[arg(long, value_name = "R", value_parser = ruleset)]
    rules: Option<&'static Ruleset>,
    /// The seed of the dice; the same seed and the same answers give the same battle
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    seed: Option<u64>,
    /// A folder of levels and packs of your own, listed on the title screen beside
    /// those in the user's data folder
    #[arg(long, value_name = "DIR")]
    levels: Option<PathBuf>,
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
    Sight(SightArgs),
    Rules(RulesArgs),
    Kinds(KindsArgs),
    Levels(LevelsArgs),
    Generate(GenerateArgs),
    Points(PointsArgs),
}

/// Fight battles AI against AI.
///
/// One battle is told as a log. Several are counted: who wins and why, how sure
/// that is (intervals that hold the true share 95 times in 100), how long it
/// takes, what each combatant does and suffers. Ctrl-C stops them, and what there
/// is is told. docs/laboratory.md tells more.
#[derive(Args)]
struct SimArgs {
    /// Level files; none fights the built-in level
    #[arg(value_name = "LEVEL")]
    levels: Vec<PathBuf>,
    /// The ruleset to play under, or `all` for each in turn
    #[arg(long, value_name = "R|all", value_parser = rulesets)]
    rules: Option<Rulesets>,
    #[command(flatten)]
    many: Many,
    #[command(flatten)]
    counting: Counting,
    /// Fight the same seeds on another level too, and tell the difference; may be
    /// given for several
    #[arg(long, value_name = "OTHER", conflicts_with_all = ["log", "record"])]
    compare: Vec<PathBuf>,
    /// Fight the same seeds with a kind that has more or less of something:
    /// `goblin: hp +2`, `all: hp +-2`; may be given for several
    #[arg(long, value_name = "KIND: FIELD +N", conflicts_with_all = ["log", "record"])]
    vary: Vec<Vary>,
    /// Tell every battle, also of several
    #[arg(long, conflicts_with_all = ["within", "csv", "report"])]
    log: bool,
    /// Write the battle to FILE, to be replayed
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Let --record write over a file that is no recording
    #[arg(long, requires = "record")]
    force: bool,
}

impl SimArgs {
    /// Whether battles are counted, not told.
    fn is_counted(&self) -> bool {
        let Counting {
            battles,
            seeds,
            within,
            csv,
            report,
            ..
        } = &self.counting;
        // A share may be of one seed.
        let several = battles.is_some_and(|n| n > 1) || seeds.is_some() && self.record.is_none();
        let beside = !self.compare.is_empty() || !self.vary.is_empty();
        several || beside || within.is_some() || *csv || report.is_some()
    }
}

// What is counted in many battles, and how it is told. As a doc comment it would
// be the help of the commands that have it.
#[derive(Args)]
struct Counting {
    /// How many battles to fight on each level under each ruleset; 200 where they
    /// are counted and nothing else says how many
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    battles: Option<u32>,
    /// The seeds to fight, the first and the last of them: `1..5000`
    #[arg(long, value_name = "FIRST..LAST", value_parser = seeds, conflicts_with_all = ["seed", "battles"])]
    seeds: Option<(u64, u64)>,
    /// Fight until each side's share of the wins is known to so many points, up or
    /// down: `3%`. It is looked at after every 100 battles
    #[arg(long, value_name = "POINTS", value_parser = within)]
    within: Option<f64>,
    #[arg(long, value_name = "SIDE=NAME", value_parser = seat, help = players())]
    ai: Vec<Seat>,
    /// A side's handicap: with each point, 0 to 20, everybody of it can bear 5% more
    #[arg(long, value_name = "SIDE=POINTS", value_parser = points)]
    handicap: Vec<Points>,
    /// One JSON object a line: the events of a single battle, then the result of
    /// each; of several, then what was counted, for `fivefoot sum`
    #[arg(long)]
    json: bool,
    /// What was counted as one table, a number a line
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Write what was counted into this folder too: a page with plots, and the JSON
    #[arg(long, value_name = "DIR")]
    report: Option<PathBuf>,
}

impl Counting {
    /// How to tell it; else as `text`.
    fn form(&self, text: telling::Form) -> telling::Form {
        match (self.json, self.csv) {
            (true, _) => telling::Form::Json,
            (_, true) => telling::Form::Csv,
            _ => text,
        }
    }
}

/// Put the five rulesets side by side on one level.
///
/// The same map and squads are fought under each: who wins, how long it takes,
/// how many attacks hit, how far the outcomes of this one position are spread,
/// how often the side that was ahead halfway lost, what the first move is worth.
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

/// Join what `sim --json` has counted in parts, exactly.
///
/// The parts have different seeds of the same: level, rulesets, AIs, version.
#[derive(Args)]
struct SumArgs {
    /// What `sim --json` has printed, or the JSON beside a page
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    /// As `sim --json` tells what was counted
    #[arg(long)]
    json: bool,
    /// As one table, a number a line
    #[arg(long, conflicts_with = "json")]
    csv: bool,
    /// Write it into this folder too: a page with plots, and the JSON
    #[arg(long, value_name = "DIR")]
    report: Option<PathBuf>,
}

/// Let one AI fight another, the sides swapped in every second battle.
///
/// Each seed is fought twice. Of the battles it is told how many each won, b's
/// share with the interval that holds its true share 95 times in 100 (a battle
/// that nobody wins counts as half), and how long a decision took, at the
/// median and at the 99th percentile.
#[derive(Args)]
struct ArenaArgs {
    /// Level files
    #[arg(value_name = "LEVEL", required_unless_present = "positions")]
    levels: Vec<PathBuf>,
    /// Instead of battles: positions, files or folders of them; what both choose
    /// there. Exit code 1 where one is not as it is written
    #[arg(long, value_name = "PATH", num_args = 1.., conflicts_with_all = ["levels", "rules", "battles", "seed", "blunders"])]
    positions: Vec<PathBuf>,
    /// Play each position on this many times, to see what the wise order is worth
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), requires = "positions")]
    playouts: Option<u32>,
    /// Instead of battles: look for what a does wrong by what b finds, and write
    /// each as a position into this folder
    #[arg(long, value_name = "DIR", conflicts_with = "json")]
    blunders: Option<PathBuf>,
    /// The ruleset to play under, or `all` for each in turn
    #[arg(long, value_name = "R|all", value_parser = rulesets)]
    rules: Option<Rulesets>,
    #[arg(long, value_name = "NAME", default_value = "quick", help = players())]
    a: Player,
    /// Who plays against it, named likewise
    #[arg(long, value_name = "NAME", default_value = "strategist")]
    b: Player,
    /// A handicap for whichever side a or b plays: with each point, 0 to 20,
    /// everybody of it can bear 5% more
    #[arg(long, value_name = "a|b=POINTS", value_parser = points, conflicts_with_all = ["positions", "blunders"])]
    handicap: Vec<Points>,
    /// How many battles to fight on each level under each ruleset
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..))]
    battles: u32,
    #[command(flatten)]
    many: Many,
    /// One JSON object a line, a level under a ruleset each
    #[arg(long)]
    json: bool,
}

/// How well the forecast of the window foretells who wins.
///
/// The quick AI fights itself; at the beginning and the end of each round the
/// forecast is made, and compared with what came of the battle: the Brier score
/// (0 is perfect, 0.25 a coin), that of the hit points alone and of the base rate,
/// and for each tenth of what was foretold how often it came.
#[derive(Args)]
struct ForecastArgs {
    /// Level files
    #[arg(value_name = "LEVEL", required = true)]
    levels: Vec<PathBuf>,
    /// The ruleset to play under, or `all` for each in turn
    #[arg(long, value_name = "R|all", value_parser = rulesets)]
    rules: Option<Rulesets>,
    /// How many battles to fight on each level under each ruleset
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    battles: u32,
    #[command(flatten)]
    many: Many,
    /// Fit the weights to these battles first, and write them to FILE
    #[arg(long, value_name = "FILE")]
    fit: Option<PathBuf>,
    /// Instead of the weights that come with the game: those of FILE
    #[arg(long, value_name = "FILE", conflicts_with = "fit")]
    with: Option<PathBuf>,
    /// One JSON object a line, a ruleset each
    #[arg(long)]
    json: bool,
}

// What many battles are fought with. As a doc comment it would be the help of
// the commands that have it.
#[derive(Args)]
struct Many {
    /// The seed of the first battle; those that follow have the next ones
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1,
        allow_negative_numbers = true
    )]
    seed: u64,
    /// How many to fight at a time; as many as there are processor cores
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

/// Check levels, packs, content and scenarios; report every error with its place.
#[derive(Args)]
struct CheckArgs {
    /// Files, packs, or folders in which all .ron files and packs are checked
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,
    /// Take warnings for errors
    #[arg(long)]
    strict: bool,
}

/// Run scenarios: each proves a rule.
#[derive(Args)]
struct VerifyArgs {
    /// Files, or folders in which all .ron files are run
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,
}

/// Run a recorded battle again. Exit code 3 where it does not run as it did.
#[derive(Args)]
struct ReplayArgs {
    /// A recording, as `sim --record` writes it
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Stop after so many answers
    #[arg(long, value_name = "STEP")]
    to: Option<usize>,
    /// One JSON object a line, an event each
    #[arg(long)]
    json: bool,
    /// Watch it in the window
    #[arg(long, conflicts_with_all = ["to", "json"])]
    window: bool,
}

/// Line of sight and cover between two cells, both ways, with the proof.
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
    /// A door to open, or to shut if it stands open, before looking; may be
    /// given for several
    #[arg(long, value_name = "X,Y")]
    door: Vec<fivefoot_core::grid::Cell>,
    /// Every ordered pair of free cells, as JSON lines
    #[arg(long, conflicts_with_all = ["from", "to"])]
    all: bool,
    /// One JSON object a line
    #[arg(long)]
    json: bool,
}

/// The codex: the list of rules, one rule, or a system's rules on a sheet.
#[derive(Args)]
struct RulesArgs {
    /// A rule's id, such as SK-31
    #[arg(value_name = "ID")]
    id: Option<String>,
    /// A system's rules as a page to print (HTML), on standard output
    #[arg(long, value_name = "R", value_parser = ruleset, conflicts_with = "id")]
    sheet: Option<&'static Ruleset>,
}

/// Creatures, weapons, armour and spells that levels may use, with their numbers.
#[derive(Args)]
struct KindsArgs {
    /// The id or the name of one, for all its numbers; none lists them
    #[arg(value_name = "NAME")]
    name: Option<String>,
    /// A level whose own kinds are to be there too
    #[arg(long, value_name = "LEVEL")]
    level: Option<PathBuf>,
    /// One JSON object a line, a kind each
    #[arg(long)]
    json: bool,
}

/// The levels to choose from: those that come with the game, and your own.
///
/// Your own are level files, and packs: folders or zips with a `level.ron` in them.
/// They lie in the folder `levels` of the user's data folder, which is told, and in
/// DIR. Exit code 1 where one of them has an error.
#[derive(Args)]
struct LevelsArgs {
    /// Another folder of levels
    #[arg(long, value_name = "DIR")]
    levels: Option<PathBuf>,
    /// One JSON object a line, a level each
    #[arg(long)]
    json: bool,
}

/// Make a level on ground by chance, the same for the same seed.
///
/// The ground is the same for all sides, turned about its middle, and nobody on it
/// is shut in. With three or four squads it is square.
#[derive(Args)]
struct GenerateArgs {
    /// halls, caves, ruins, woods or hills
    #[arg(value_name = "GROUND")]
    form: String,
    /// Another seed, another ground
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Columns and rows of the map, such as 20x12
    #[arg(long, value_name = "WxH", value_parser = generate::size)]
    size: Option<(i16, i16)>,
    /// Who fights on a side, such as `goblin:4,goblin_chief`; given for up to four, the
    /// first the player's. Else watchmen fight watchmen
    #[arg(long, value_name = "KIND:N,…", value_parser = generate::squad)]
    squad: Vec<generate::Members>,
    /// What the sides have to do: defeat, hold (the middle) or leaders (fell theirs)
    #[arg(long, value_name = "AIM", value_parser = generate::aim)]
    aim: Option<fivefoot_core::levels::compose::Aim>,
    /// Write the level to FILE; else it is printed
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Let --out write over a file
    #[arg(long, requires = "out")]
    force: bool,
}

/// What kinds are worth, in points: squads of equal points are an even fight.
///
/// Without --fit the table that the game has is told, each number with its standard
/// error. With it the numbers are measured anew: squads by chance fight on ground by
/// chance, the quick AI against itself, and the worths are those under which what
/// happened was likeliest. docs/points.md tells more.
#[derive(Args)]
struct PointsArgs {
    /// The ruleset, or `all`, which is so without it
    #[arg(long, value_name = "R|all", value_parser = rulesets)]
    rules: Option<Rulesets>,
    /// Measure, and write the table to FILE
    #[arg(long, value_name = "FILE")]
    fit: Option<PathBuf>,
    /// How many battles to measure with under each ruleset
    #[arg(long, value_name = "N", default_value_t = 6000, value_parser = clap::value_parser!(u32).range(100..))]
    battles: u32,
    #[command(flatten)]
    many: Many,
}

/// Something went wrong in a way that the user can mend: told on standard
/// error, with this exit code.
struct Failure {
    text: String,
    code: u8,
}

impl Failure {
    /// In one line: a line break in the text is written out.
    fn new(text: impl AsRef<str>) -> Self {
        Self::lines(1, shown_line(text.as_ref()))
    }

    /// The words of the call are off.
    fn usage(text: impl AsRef<str>) -> Self {
        Self::lines(2, shown_line(text.as_ref()))
    }

    /// In several lines.
    fn lines(code: u8, text: impl Into<String>) -> Self {
        let text = text.into();
        Self { text, code }
    }
}

type Outcome = Result<(), Failure>;

fn unwritten(path: &Path, why: impl Display) -> Failure {
    Failure::new(format!("{}: cannot be written: {why}", path.display()))
}

/// What the window opens with.
#[derive(Clone, Debug, Default)]
pub struct Game {
    /// The level to begin with; `None` shows the title screen.
    pub level: Option<Arc<Level>>,
    /// The level's file: it is read again when it changes.
    pub file: Option<PathBuf>,
    /// A folder of own levels besides the one in the data folder.
    pub levels_folder: Option<PathBuf>,
    /// `None` leaves it to the level, and then to the game.
    pub rules: Option<&'static Ruleset>,
    /// The first battle's seed; `None` draws one at random.
    pub seed: Option<u64>,
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

/// Runs the program with the words of the command line.
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
        Some(Command::Sight(args)) => sight::run(&args),
        Some(Command::Rules(args)) => rules::run(&args),
        Some(Command::Kinds(args)) => kinds::run(&args),
        Some(Command::Levels(args)) => levels::run(&args),
        Some(Command::Generate(args)) => generate::run(&args),
        Some(Command::Points(args)) => points::run(&args),
    };
    finish(done)
}

/// Tells what came of it, and the exit code for that. That something could not be
/// printed is a failure only where there is no other.
fn finish(done: Outcome) -> ExitCode {
    let mut code = 0;
    if let Err(failure) = done {
        if !failure.text.is_empty() {
            complain(&failure.text);
        }
        code = failure.code;
    }
    if let Some(trouble) = out::trouble() {
        complain(&trouble);
        code = code.max(1);
    }
    ExitCode::from(code)
}

/// Tells the help that was asked for, or why the call cannot be understood.
fn tell(answer: &clap::Error) -> ExitCode {
    let text = answer.render().to_string();
    if answer.use_stderr() {
        return finish(Err(Failure::lines(2, text.trim_end())));
    }
    say_lines(text.trim_end());
    finish(Ok(()))
}

/// A first word that is neither a command nor a file.
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
    let what = format!("there is neither a command nor a file '{word}'; {help}");
    Some(Failure::usage(what))
}

/// `party=4`
fn points(text: &str) -> Result<Points, String> {
    let (of, points) = text.split_once('=').ok_or("write SIDE=POINTS")?;
    let points = points.parse().ok().filter(|n| *n <= handicap::MOST);
    Ok(Points {
        of: of.to_string(),
        points: points.ok_or(format!("the points go from 0 to {}", handicap::MOST))?,
    })
}

/// `party=easy`
fn seat(text: &str) -> Result<Seat, String> {
    let (side, name) = text.split_once('=').ok_or("write SIDE=NAME")?;
    Ok(Seat {
        side: side.to_string(),
        player: name.parse()?,
    })
}

/// `1..5000`
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

/// `3%`, as a share
fn within(text: &str) -> Result<f64, String> {
    let points = text.trim().trim_end_matches('%').trim_end().parse::<f64>();
    let points = points.ok().filter(|p| (0.1..=50.0).contains(p));
    let share = points.map(|points| points / 100.0);
    share.ok_or_else(|| "write points of a hundred from 0.1 to 50, such as 3%".to_owned())
}

fn players() -> String {
    let told = Player::ALL.map(|(_, name, what)| format!("`{name}`, {what}"));
    format!("Who plays a side, else quick: {}", told.join("; "))
}

fn ruleset(id: &str) -> Result<&'static Ruleset, String> {
    fivefoot_core::rulesets::find(id).ok_or_else(|| {
        let known = fivefoot_core::rulesets::ALL.map(|r| r.id).join(", ");
        format!("there is no ruleset of that name; there is {known}")
    })
}

fn rulesets(id: &str) -> Result<Rulesets, String> {
    if id == "all" {
        return Ok(Rulesets(fivefoot_core::rulesets::ALL.to_vec()));
    }
    ruleset(id).map(|r| Rulesets(vec![r]))
}
