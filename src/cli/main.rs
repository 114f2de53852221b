//! Fivefoot without its window, as a separate program.

use std::process::ExitCode;

fn main() -> ExitCode {
    fivefoot_cli::main(None)
}
