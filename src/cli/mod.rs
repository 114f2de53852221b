//! The command line. Exit codes: 0 done; 1 a check or a scenario failed, or
//! something could not be read or written; 2 the words of the call are off; 3 a
//! recording does not run as it did.

mod battles;
mod check;
mod play;
mod replay;
mod rules;
mod sight;
mod sim;
mod verify;

use crate::battle::Ruleset;
use clap::{Args, Parser, Subcommand};
use std::{path::PathBuf, process::ExitCode};

/// Small tactical battles on a 5-ft grid, under complete tabletop combat systems.
///
/// Without a command it opens the game: the title screen, or the battle of LEVEL.
#[derive(Parser)]
#[command(name = "fivefoot", version, args_conflicts_with_subcommands = true)]
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
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

#[derive(Subcommand)]
enum Command {
    Sim(SimArgs),
    Check(CheckArgs),
    Verify(VerifyArgs),
    Replay(ReplayArgs),
    Sight(SightArgs),
    Rules(RulesArgs),
}

/// Fight battles AI against AI.
///
/// One battle is told as a log; of several, a summary is given.
#[derive(Args)]
struct SimArgs {
    /// Level files; none fights the built-in level
    #[arg(value_name = "LEVEL")]
    levels: Vec<PathBuf>,
    /// The ruleset to play under, or `all` for each in turn
    #[arg(long, value_name = "R|all", value_parser = rulesets)]
    rules: Option<Rulesets>,
    /// The seed of the first battle; each further one has the next
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// How many battles to fight on each level
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    battles: u32,
    /// How many to fight at a time
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Who plays a side: `party=random` or `party=idle`; else the quick AI does
    #[arg(long, value_name = "SIDE=NAME")]
    ai: Vec<String>,
    /// One JSON object a line: the events of a single battle, then the result of each
    #[arg(long)]
    json: bool,
    /// Tell every battle, also of several
    #[arg(long)]
    log: bool,
    /// Write the battle to FILE, to be replayed
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
}

#[derive(Clone)]
struct Rulesets(Vec<&'static Ruleset>);

/// Check levels, content and scenarios; report every error with its place.
#[derive(Args)]
struct CheckArgs {
    /// Files, or folders in which all .ron files are checked
    #[arg(value_name = "PATH", required = true)]
    paths: Vec<PathBuf>,
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
    from: Option<crate::grid::Cell>,
    /// The cell to look at
    #[arg(value_name = "TO", required_unless_present = "all")]
    to: Option<crate::grid::Cell>,
    /// A door to open, or to shut if it stands open, before looking; may be
    /// given for several
    #[arg(long, value_name = "X,Y")]
    door: Vec<crate::grid::Cell>,
    /// Every ordered pair of free cells, as JSON lines
    #[arg(long, conflicts_with_all = ["from", "to"])]
    all: bool,
    /// One JSON object a line
    #[arg(long)]
    json: bool,
}

/// The codex: the list of rules, or one rule.
#[derive(Args)]
struct RulesArgs {
    /// A rule's id, such as SK-31
    #[arg(value_name = "ID")]
    id: Option<String>,
}

/// Something went wrong in a way that the user can mend: told on standard
/// error, with this exit code.
struct Failure {
    text: String,
    code: u8,
}

impl Failure {
    fn new(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            code: 1,
        }
    }

    /// The words of the call are off.
    fn usage(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            code: 2,
        }
    }
}

type Outcome = Result<(), Failure>;

/// Runs the program with the words of the command line.
pub fn main() -> ExitCode {
    let cli = Cli::parse();
    let done = match cli.command {
        None => return play::run(cli.play),
        Some(Command::Sim(args)) => sim::run(&args),
        Some(Command::Check(args)) => check::run(&args),
        Some(Command::Verify(args)) => verify::run(&args),
        Some(Command::Replay(args)) if args.window => return replay::watch(&args),
        Some(Command::Replay(args)) => replay::run(&args),
        Some(Command::Sight(args)) => sight::run(&args),
        Some(Command::Rules(args)) => rules::run(&args),
    };
    finish(done)
}

fn finish(done: Outcome) -> ExitCode {
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            if !failure.text.is_empty() {
                eprintln!("{}", failure.text);
            }
            ExitCode::from(failure.code)
        }
    }
}

fn ruleset(id: &str) -> Result<&'static Ruleset, String> {
    crate::rulesets::find(id).ok_or_else(|| {
        let known = crate::rulesets::ALL.map(|r| r.id).join(", ");
        format!("there is no ruleset of that name; there is {known}")
    })
}

fn rulesets(id: &str) -> Result<Rulesets, String> {
    if id == "all" {
        return Ok(Rulesets(crate::rulesets::ALL.to_vec()));
    }
    ruleset(id).map(|r| Rulesets(vec![r]))
}

/// Prints a line; a closed pipe ends the program quietly, as `head` expects.
fn say(line: impl std::fmt::Display) {
    use std::io::Write;
    if writeln!(std::io::stdout(), "{line}").is_err() {
        std::process::exit(0);
    }
}
