//! The command line of Fivefoot. It works without a window: a program with a window
//! passes it as a [`Window`]. The help text ends with the exit codes ([`EXIT_CODES`]).
//!
//! Doc comments on clap items are the text of `--help`.

mod arena;
mod args;
mod battles;
mod check;
mod compare;
mod export;
pub mod external;
mod fail_unless;
mod fight;
mod generate;
mod import;
mod input;
mod kinds;
mod levels;
mod measure;
mod names;
mod odds;
mod out;
mod play;
mod points;
mod positions;
mod problems;
mod progress;
mod replay;
mod report_printer;
mod review;
mod road;
mod rules;
mod serve;
mod sheet;
mod sight;
mod sim;
pub mod stop;
mod sum;
mod verify;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand};
use fivefoot_core::{
    battle::Ruleset,
    control::{Player, recording::Recording},
    levels::Level,
    ron_read::similar,
    words::shown_line,
};
use names::FileNames;
use out::{Target, print_error, say, say_json, say_json_line, say_lines, say_raw};
use std::{
    ffi::OsString,
    fmt::Display,
    path::{Path, PathBuf},
    process::ExitCode,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

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
    play: play::PlayArgs,
}

#[derive(Subcommand)]
enum Command {
    Sim(sim::SimArgs),
    Compare(compare::CompareArgs),
    Sum(sum::SumArgs),
    Arena(arena::ArenaArgs),
    Check(check::CheckArgs),
    Verify(verify::VerifyArgs),
    Replay(replay::ReplayArgs),
    Odds(odds::OddsArgs),
    Review(review::ReviewArgs),
    Sight(sight::SightArgs),
    Rules(rules::RulesArgs),
    Serve(serve::ServeArgs),
    Kinds(kinds::KindsArgs),
    Levels(levels::LevelsArgs),
    Generate(generate::GenerateArgs),
    Import(import::ImportArgs),
    Export(export::ExportArgs),
    Points(points::PointsArgs),
    Road(road::RoadArgs),
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

    /// A recording that plays back differently, with exit code 3.
    fn diverged(text: impl AsRef<str>) -> Self {
        Self::lines(3, shown_line(text.as_ref()))
    }

    /// A failure whose text can have several lines.
    fn lines(code: u8, text: impl Into<String>) -> Self {
        let text = text.into();
        Self { text, code }
    }
}

type Outcome = Result<(), Failure>;

/// Redirects the output to a file, if one is given. It is none of the `inputs`.
fn redirect<'a>(
    out: Option<&PathBuf>,
    force: bool,
    inputs: impl IntoIterator<Item = &'a PathBuf>,
) -> Outcome {
    if let Some(path) = out {
        out::into_file(Target::of(path, force, inputs)?);
    }
    Ok(())
}

/// Writes a text to the file of `--out`, which is none of the `inputs`, or prints it.
fn write_or_say<'a>(
    text: &str,
    out: Option<&PathBuf>,
    force: bool,
    inputs: impl IntoIterator<Item = &'a PathBuf>,
) -> Outcome {
    let Some(path) = out else {
        say_lines(text.trim_end());
        return Ok(());
    };
    Target::of(path, force, inputs)?.write(text.as_bytes())
}

/// Fails if the folder of `--levels` does not exist.
fn check_folder(folder: Option<&PathBuf>) -> Outcome {
    match folder.filter(|folder| !folder.is_dir()) {
        Some(none) => {
            let what = format!("there is no folder {}", none.display());
            Err(Failure::usage(what))
        }
        None => Ok(()),
    }
}

/// Locks data that a panic in another thread cannot have left half changed.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A hint for a name that is not known: the most similar one, or the command that lists all.
fn hint<'n>(wrong: &str, known: impl IntoIterator<Item = &'n str>, command: &str) -> String {
    match similar(wrong, known) {
        Some(guess) => format!("did you mean `{guess}`?"),
        None => format!("'fivefoot {command}' lists all"),
    }
}

fn write_failure(path: &Path, why: impl Display) -> Failure {
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
    // A negative number reaches the parser of its option, whose message says what fits.
    let open = |arg: clap::Arg| match arg.get_action().takes_values() && !arg.is_positional() {
        true => arg.allow_negative_numbers(true),
        false => arg,
    };
    let command = Cli::command().mut_args(open);
    command.mut_subcommands(|command| command.mut_args(open))
}

/// Runs the program with the arguments of the command line.
pub fn main(window: Option<&dyn Window>) -> ExitCode {
    let words: Vec<OsString> = std::env::args_os().collect();
    if let Some(failure) = mistyped(&words) {
        return finish(Err(failure));
    }
    let matches = command().try_get_matches_from(words);
    let cli = match matches.and_then(|matches| Cli::from_arg_matches(&matches)) {
        Ok(cli) => cli,
        Err(answer) => return print_clap_error(&answer),
    };
    let done = match cli.command {
        None => return play::run(cli.play, window),
        Some(Command::Sim(args)) => sim::run(&args),
        Some(Command::Compare(args)) => compare::run(&args),
        Some(Command::Sum(args)) => sum::run(&args),
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

/// Runs the program that measures and fits what the game ships.
pub fn measure() -> ExitCode {
    measure::main()
}

/// Prints a failure and returns its exit code. Output that could not be printed is a
/// failure only if nothing worse happened.
fn finish(done: Outcome) -> ExitCode {
    external::end();
    let mut code = 0;
    if let Err(failure) = done {
        if !failure.text.is_empty() {
            print_error(&failure.text);
        }
        code = failure.code;
    }
    if let Err(failure) = out::close() {
        print_error(&failure.text);
        code = code.max(1);
    }
    if let Some(error) = out::output_error() {
        print_error(&error);
        code = code.max(1);
    }
    ExitCode::from(code)
}

/// Prints the requested help, or a usage error.
fn print_clap_error(answer: &clap::Error) -> ExitCode {
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
    let help = match similar(word, names) {
        Some(guess) => format!("did you mean `{guess}`?"),
        None => "'fivefoot help' lists the commands".to_string(),
    };
    let what = format!("there is no command or file '{word}'; {help}");
    Some(Failure::usage(what))
}
