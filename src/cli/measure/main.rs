//! The program for developers that measures the game's built-in numbers and fits them to battles.

use std::process::ExitCode;

fn main() -> ExitCode {
    fivefoot_cli::measure()
}
