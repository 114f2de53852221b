//! Progress bars and interruption of long runs.

use super::{Failure, Outcome, external, stop};
use fivefoot_core::words::shown_line;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::{fmt::Write, time::Duration};

/// The thread pool for battles; by default one thread per core. From then on, a
/// signal stops battles and their results so far are printed.
pub fn threads(given: Option<u16>) -> Result<rayon::ThreadPool, Failure> {
    // First, because threads that already run are not covered.
    stop::install_handler();
    // With 0, rayon uses one thread per core.
    rayon::ThreadPoolBuilder::new()
        .num_threads(given.unwrap_or_default().into())
        .build()
        .map_err(|e| Failure::new(format!("cannot start the threads: {e}")))
}

/// Whether a signal came or a program that plays a side has failed.
pub fn is_stopped() -> bool {
    stop::asked().is_some() || external::failure().is_some()
}

/// Whether the battle of a seed does not count: a signal came, or a program has failed
/// in a battle with a lower seed. Battles with lower seeds continue, so that the
/// result does not depend on the threads.
pub fn is_stopped_for(seed: u64) -> bool {
    stop::asked().is_some() || external::failure().is_some_and(|failed| failed.seed < seed)
}

/// Whether a battle that was fought to its end counts: no program has failed in it or in
/// a battle with a lower seed.
pub fn counts(seed: u64) -> bool {
    external::failure().is_none_or(|failed| seed < failed.seed)
}

/// Fails if the run was stopped.
///
/// # Errors
/// If a signal came or a program has failed.
pub fn stopped() -> Outcome {
    stopped_after("")
}

/// Fails if the run was stopped. `fought` describes what was fought by then, such as
/// "fought seeds 1 to 30"; it can be empty.
///
/// # Errors
/// If a signal came or a program has failed.
pub fn stopped_after(fought: &str) -> Outcome {
    let comma = if fought.is_empty() { "" } else { "; " };
    let (text, code) = match (stop::asked(), external::failure()) {
        (Some(signal), _) => (
            format!("stopped by {}{comma}{fought}", signal.name()),
            signal.code(),
        ),
        (None, Some(failed)) => (format!("stopped: {}{comma}{fought}", failed.why), 1),
        (None, None) => return Ok(()),
    };
    Err(Failure {
        text: shown_line(&text).into_owned(),
        code,
    })
}

/// A progress bar with rate and remaining time on standard error, if that is a
/// terminal.
pub fn bar(what: String, battles: u64) -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(battles), ProgressDrawTarget::stderr_with_hz(10));
    let style = "{prefix} {wide_bar} {human_pos}/{human_len} · {rate} per second · {eta} left";
    if let Ok(style) = ProgressStyle::with_template(style) {
        let rate = |state: &ProgressState, out: &mut dyn Write| {
            let rate = state.per_sec();
            let digits = usize::from(rate < 10.0);
            let _ = write!(out, "{rate:.digits$}");
        };
        bar.set_style(style.with_key("rate", rate));
    }
    bar.enable_steady_tick(Duration::from_millis(200));
    bar.with_prefix(shown_line(&what).into_owned())
}
