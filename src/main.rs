//! The `fivefoot` program; see `cli`.

use std::process::ExitCode;

fn main() -> ExitCode {
    fivefoot::cli::main()
}
