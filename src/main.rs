//! The `fivefoot` program; see `cli`.

use std::process::ExitCode;

#[global_allocator]
static MEMORY: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    fivefoot::cli::main()
}
