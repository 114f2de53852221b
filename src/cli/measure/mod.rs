//! The program that measures and fits what the game ships: difficulty of levels, points of
//! kinds, weights of the win probability, mistakes of an AI. It is for developers, so the
//! game's own help does not list it.

mod blunders;
mod forecast;
mod levels;
mod points;

use super::{EXIT_CODES, finish, tell};
use clap::{Parser, Subcommand};
use std::process::ExitCode;

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
        Err(answer) => tell(&answer),
        Ok(Measure { command }) => finish(match command {
            Command::Forecast(args) => forecast::run(&args),
            Command::Points(args) => points::run(&args),
            Command::Levels(args) => levels::run(&args),
            Command::Blunders(args) => blunders::run(&args),
        }),
    }
}
