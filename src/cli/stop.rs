//! Requests to end the program: Ctrl-C, SIGTERM (`kill`), SIGHUP (the terminal was
//! closed).

use std::{
    process,
    sync::{
        Once,
        atomic::{AtomicU8, Ordering},
    },
};

/// A signal, by its number on Unix.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Signal(u8);

impl Signal {
    const HANG_UP: u8 = 1;
    const INTERRUPT: u8 = 2;
    const TERMINATE: u8 = 15;

    pub fn name(self) -> &'static str {
        match self.0 {
            Self::HANG_UP => "SIGHUP",
            Self::TERMINATE => "SIGTERM",
            _ => "Ctrl-C",
        }
    }

    /// The exit code after this signal, by the convention of shells.
    pub fn code(self) -> u8 {
        128 + self.0
    }
}

/// The number of the first signal. 0 if there was none.
static ASKED: AtomicU8 = AtomicU8::new(0);

/// From this call on, the first signal is stored for [`asked`], and a second one ends
/// the program. Threads that were started before are not covered.
pub fn install_handler() {
    static ONCE: Once = Once::new();
    ONCE.call_once(listen);
}

/// The first signal that asked the program to end.
pub fn asked() -> Option<Signal> {
    match ASKED.load(Ordering::Relaxed) {
        0 => None,
        number => Some(Signal(number)),
    }
}

fn take(number: u8) {
    if ASKED.swap(number, Ordering::Relaxed) != 0 {
        process::exit(Signal(number).code().into());
    }
}

/// One thread waits for signals; all other threads block them.
#[cfg(unix)]
fn listen() {
    use nix::sys::signal::{SigSet, Signal::*};
    let all = [
        (SIGINT, Signal::INTERRUPT),
        (SIGTERM, Signal::TERMINATE),
        (SIGHUP, Signal::HANG_UP),
    ];
    let mut set = SigSet::empty();
    for (signal, number) in all {
        if number != Signal::HANG_UP || !ignores_hang_up() {
            set.add(signal);
        }
    }
    // If either fails, a signal ends the program immediately, as usual.
    if set.thread_block().is_err() {
        return;
    }
    let wait = move || {
        while let Ok(signal) = set.wait() {
            let number = all.iter().find(|(one, _)| *one == signal);
            take(number.map_or(Signal::INTERRUPT, |(_, number)| *number));
        }
    };
    if std::thread::Builder::new().spawn(wait).is_err() {
        let _ = set.thread_unblock();
    }
}

/// Whether the program was started with `nohup`. `false` if the system does not say.
#[cfg(unix)]
fn ignores_hang_up() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mut lines = status.lines();
    let mask = lines.find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.is_some_and(|mask| mask >> (Signal::HANG_UP - 1) & 1 == 1)
}

#[cfg(not(unix))]
fn listen() {
    // Without a handler, Ctrl-C ends the program immediately, as usual.
    let _ = ctrlc::set_handler(|| take(Signal::INTERRUPT));
}
