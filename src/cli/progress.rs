//! How far a long run of battles is, and the wish to stop it.

use super::{Failure, Outcome};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};
use std::{
    fmt::Write,
    sync::{
        Once,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

static STOPPED: AtomicBool = AtomicBool::new(false);

/// Ctrl-C pressed once stops battles, and what is there is told; a second time
/// it ends the program.
pub fn heed_ctrl_c() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let pressed = || {
            if STOPPED.swap(true, Ordering::Relaxed) {
                std::process::exit(super::INTERRUPTED.into());
            }
        };
        // Without a handler Ctrl-C ends the program at once, as everywhere.
        let _ = ctrlc::set_handler(pressed);
    });
}

/// The threads that battles are fought on; none given is one for each core.
pub fn threads(given: Option<u16>) -> Result<rayon::ThreadPool, Failure> {
    // None given is 0: rayon takes a thread for each core.
    rayon::ThreadPoolBuilder::new()
        .num_threads(given.unwrap_or_default().into())
        .build()
        .map_err(|e| Failure::new(format!("cannot start the threads: {e}")))
}

pub fn is_stopped() -> bool {
    STOPPED.load(Ordering::Relaxed)
}

/// # Errors
/// When Ctrl-C was pressed.
pub fn stopped() -> Outcome {
    match is_stopped() {
        true => Err(Failure::stopped("stopped by Ctrl-C")),
        false => Ok(()),
    }
}

/// A bar with the rate and the time left, on standard error where that is a
/// terminal; else nothing.
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
    bar.with_prefix(what)
}
