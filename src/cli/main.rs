//! Fivefoot without its window, as a program of its own.

use std::process::ExitCode;

fn main() -> ExitCode {
    fivefoot_cli::main(None)
}
