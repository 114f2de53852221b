//! The program that measures and fits what the game ships: difficulty of levels, points of
//! kinds, weights of the win probability, mistakes of an AI. It is for developers, so the
//! game's own help does not list it.

mod blunders;
mod forecast;
mod levels;
mod points;

use super::{EXIT_CODES, Failure, Outcome, finish, print_clap_error, progress, write_failure};
use clap::{Parser, Subcommand};
use fivefoot_core::files;
use indicatif::ProgressBar;
use rayon::prelude::*;
use serde::{Serialize, de::DeserializeOwned};
use std::{fmt::Display, io::ErrorKind, ops::Range, path::Path, process::ExitCode};

/// Measure and fit what the game ships.
#[derive(Parser)]
#[command(name = "fivefoot-measure", version = fivefoot_core::version::VERSION, after_help = EXIT_CODES)]
struct Measure {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Forecast(forecast::ForecastArgs),
    Points(points::PointsArgs),
    Levels(levels::LevelsArgs),
    Blunders(blunders::BlundersArgs),
}

/// Runs the program with the arguments of the command line.
pub fn main() -> ExitCode {
    match Measure::try_parse() {
        Err(answer) => print_clap_error(&answer),
        Ok(Measure { command }) => finish(match command {
            Command::Forecast(args) => forecast::run(&args),
            Command::Points(args) => points::run(&args),
            Command::Levels(args) => levels::run(&args),
            Command::Blunders(args) => blunders::run(&args),
        }),
    }
}

/// What a file says from earlier measurements; nothing if there is no such file. Fails if it
/// cannot be written later.
fn read_known<T: DeserializeOwned + Default>(path: &Path) -> Result<T, Failure> {
    let failed = |e: &dyn Display| Failure::new(format!("{}: {e}", path.display()));
    files::check_writable(path).map_err(|e| write_failure(path, e))?;
    match files::read_text(path, files::LEVEL_BYTES) {
        Ok(text) => serde_json::from_str(&text).map_err(|e| failed(&e)),
        Err(e) if e.kind() == ErrorKind::NotFound => Ok(T::default()),
        Err(e) => Err(failed(&e)),
    }
}

/// What `of` gives for this range of seeds, counted from `first`, on all threads until a signal
/// comes. Each moves the bar on.
fn each_seed<T: Send>(
    first: u64,
    range: Range<u64>,
    bar: &ProgressBar,
    of: impl Fn(u64) -> T + Sync,
) -> Vec<T> {
    let range = range.into_par_iter();
    let range = range.take_any_while(|_| !progress::is_stopped());
    let one = |n| {
        let found = of(first.wrapping_add(n));
        bar.inc(1);
        found
    };
    range.map(one).collect()
}

/// Writes what was measured.
fn save(path: &Path, results: &impl Serialize) -> Outcome {
    let text = serde_json::to_string_pretty(results);
    let text = text.map_err(|e| Failure::new(format!("{}: {e}", path.display())))?;
    files::write(path, (text + "\n").as_bytes()).map_err(|e| write_failure(path, e))
}
