//! The `fivefoot` program: the command line, and the window for it to open.

use std::process::ExitCode;

fn main() -> ExitCode {
    #[cfg(feature = "ui")]
    let window = Some(&fivefoot::ui::GameWindow as &dyn fivefoot_cli::Window);
    #[cfg(not(feature = "ui"))]
    let window = None;
    fivefoot_cli::main(window)
}
