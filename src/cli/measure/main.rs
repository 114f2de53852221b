//! The program that measures and fits what the game ships.

use std::process::ExitCode;

fn main() -> ExitCode {
    fivefoot_cli::measure()
}
