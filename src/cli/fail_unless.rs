//! `--fail-unless`: requires a win rate to be within a range.

use super::Failure;
use fivefoot_core::{
    control::interval::Z,
    lab::{interval::Estimate, report::Report},
    levels::Level,
};
use std::str::FromStr;

/// The required range of a side's win rate, as shares: `party 35..65%`.
#[derive(Clone, Debug)]
pub struct WinRange {
    side: String,
    low: f64,
    high: f64,
}

/// Stands for battles that no side wins.
const NOBODY: &str = "nobody";

impl FromStr for WinRange {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let usage = || "write a side and the range of its win rate, such as 'party 35..65%'";
        let parts = text.trim().rsplit_once(char::is_whitespace);
        let (side, range) = parts.ok_or_else(usage)?;
        let (low, high) = range.split_once("..").ok_or_else(usage)?;
        let percent = |text: &str| {
            let number = text.trim_end_matches('%').parse::<f64>();
            number.map_err(|_| usage())
        };
        let (low, high) = (percent(low)?, percent(high)?);
        if !(0.0 <= low && low < high && high <= 100.0) {
            return Err("a range goes from a lower to a higher percentage, 0 to 100".into());
        }
        Ok(Self {
            side: side.trim().to_owned(),
            low: low / 100.0,
            high: high / 100.0,
        })
    }
}

impl WinRange {
    /// The index of the side in a report's win rates: its number, or the last for `nobody`.
    /// `None` if the level has no such side.
    fn win_index(&self, level: &Level) -> Option<usize> {
        match level.side_named(&self.side) {
            Some(side) => Some(usize::from(side.0)),
            None => (self.side == NOBODY).then_some(level.sides.len()),
        }
    }

    /// Checks that the level has the side.
    ///
    /// # Errors
    /// If the level has no such side.
    pub fn check_side(&self, level: &Level) -> Result<(), Failure> {
        if self.win_index(level).is_some() {
            return Ok(());
        }
        let sides = level.sides.iter().map(|s| s.id.as_str()).chain([NOBODY]);
        let sides = sides.collect::<Vec<_>>().join(", ");
        Err(Failure::usage(format!(
            "--fail-unless: {} has no side '{}'; write one of {sides}",
            level.id, self.side
        )))
    }

    /// Why a report fails, in one line. `None` if the 95% interval of the win rate is within the
    /// range, or if the level has no such side.
    pub fn failure(&self, report: &Report) -> Option<String> {
        let rate = report.wins(self.win_index(&report.level)?);
        let Estimate { value, low, high } = rate;
        if self.low <= low && high <= self.high {
            return None;
        }
        let percent = |share: f64| format!("{:.1}", share * 100.0);
        let result = format!(
            "{} under {}: {} wins {}% ({} to {})",
            report.level.id,
            report.rules.id,
            self.side,
            percent(value),
            percent(low),
            percent(high)
        );
        let range = format!("{} to {}%", percent(self.low), percent(self.high));
        if high < self.low || self.high < low {
            return Some(format!("{result}: outside {range}"));
        }
        let what = match self.battles_needed(value, report.battles()) {
            Some(n) => format!("more battles are needed, about {n} in all"),
            None => "it is too close to the end of the range to be decided by more battles".into(),
        };
        Some(format!(
            "{result}: not certainly in or out of {range}; {what}"
        ))
    }

    /// The approximate number of battles that make the interval small enough to
    /// decide. `None` if that is too many.
    fn battles_needed(&self, value: f64, battles: u64) -> Option<u64> {
        /// More battles than this are not worth suggesting.
        const MAX: f64 = 1e6;
        // Treat a share of 0 or 1 as slightly off, because it is not known better
        // than that.
        let share = (value * battles as f64 + 2.0) / (battles as f64 + 4.0);
        // A limit of 0 or 100% cannot be exceeded.
        let ends = [self.low, self.high].into_iter();
        let ends = ends.filter(|end| *end > 0.0 && *end < 1.0);
        let distance = ends.map(|end| (value - end).abs()).fold(1.0, f64::min);
        let needed = share * (1.0 - share) * (Z / distance).powi(2);
        let needed = needed.max(battles as f64 * 1.1);
        (needed <= MAX).then(|| (needed as u64).next_multiple_of(100))
    }
}
