//! Confidence intervals of shares, means and differences.

use super::Moments;
use crate::control::interval::Z;

pub use crate::control::interval::wilson;

/// A number with its 95% confidence interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    pub value: f64,
    pub low: f64,
    pub high: f64,
}

impl Estimate {
    /// The proportion of hits among `of` cases.
    pub fn proportion(hits: u64, of: u64) -> Self {
        let (low, high) = wilson(hits as f64, of as usize);
        let value = if of == 0 {
            0.5
        } else {
            hits as f64 / of as f64
        };
        Self { value, low, high }
    }

    /// The mean of a number counted in each of `of` battles.
    pub fn mean(of_all: Moments, of: u64) -> Self {
        let n = of.max(1) as f64;
        let value = of_all.sum as f64 / n;
        let reach = Z * deviation(of_all, of) / n.sqrt();
        Self {
            value,
            low: value - reach,
            high: value + reach,
        }
    }

    /// The difference of share `b` minus share `a`, each from its own battles and
    /// given as hits and total. Newcombe's interval, based on the intervals of the
    /// two shares.
    pub fn difference(a: (u64, u64), b: (u64, u64)) -> Self {
        let (a, b) = (Self::proportion(a.0, a.1), Self::proportion(b.0, b.1));
        let value = b.value - a.value;
        Self {
            value,
            low: value - (b.value - b.low).hypot(a.high - a.value),
            high: value + (b.high - b.value).hypot(a.value - a.low),
        }
    }

    /// The difference of two shares `b` minus `a` of the same `of` battles: `only_a`
    /// and `only_b` are the battles that are hits in only one of them. Agresti and
    /// Min's interval, which adds half a battle to each of the four cells.
    pub fn paired(only_a: u64, only_b: u64, of: u64) -> Self {
        let (a, b, n) = (only_a as f64, only_b as f64, of as f64);
        let middle = (b - a) / (n + 2.0);
        let variance = (a + b + 1.0) - (b - a).powi(2) / (n + 2.0);
        let reach = Z * variance.max(0.0).sqrt() / (n + 2.0);
        Self {
            value: if of == 0 { 0.0 } else { (b - a) / n },
            low: (middle - reach).max(-1.0),
            high: (middle + reach).min(1.0),
        }
    }

    /// Half the width.
    pub fn reach(self) -> f64 {
        (self.high - self.low) / 2.0
    }

    /// Whether the interval excludes 0.
    pub fn is_telling(self) -> bool {
        self.low > 0.0 || self.high < 0.0
    }
}

/// The standard deviation of a number counted in each of `of` battles.
pub fn deviation(of_all: Moments, of: u64) -> f64 {
    if of < 2 {
        return 0.0;
    }
    let n = of as f64;
    let mean = of_all.sum as f64 / n;
    let spread = of_all.squares as f64 - n * mean * mean;
    (spread.max(0.0) / (n - 1.0)).sqrt()
}
