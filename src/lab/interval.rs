//! How sure a share is that was counted, and a difference of two.

use super::Moments;

/// Of the normal distribution: so far from the middle lie 5 in 100.
const Z: f64 = 1.959_964;

/// Wilson's interval that holds the true share 95 times in 100, each 0 to 1.
/// `hits` of `of`; a draw may count as half a hit.
pub fn wilson(hits: f64, of: usize) -> (f64, f64) {
    if of == 0 {
        return (0.0, 1.0);
    }
    let n = of as f64;
    let share = hits / n;
    let middle = share + Z * Z / (2.0 * n);
    let reach = Z * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
    let all = 1.0 + Z * Z / n;
    // At the ends it reaches the end: rounding must not keep it from that.
    let least = if hits <= 0.0 {
        0.0
    } else {
        (middle - reach) / all
    };
    let most = if hits >= n {
        1.0
    } else {
        (middle + reach) / all
    };
    (least.max(0.0), most.min(1.0))
}

/// A number with the interval that holds the true one 95 times in 100.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    pub value: f64,
    pub low: f64,
    pub high: f64,
}

impl Estimate {
    /// A share of battles.
    pub fn share(hits: u64, of: u64) -> Self {
        let (low, high) = wilson(hits as f64, of as usize);
        let value = if of == 0 {
            0.5
        } else {
            hits as f64 / of as f64
        };
        Self { value, low, high }
    }

    /// The mean of numbers, one for each of `of` battles.
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

    /// How much larger the share `b` is than `a`, of other battles each: both
    /// hits and of how many. Newcombe's interval of the two shares' own ones.
    pub fn difference(a: (u64, u64), b: (u64, u64)) -> Self {
        let (a, b) = (Self::share(a.0, a.1), Self::share(b.0, b.1));
        let value = b.value - a.value;
        Self {
            value,
            low: value - (b.value - b.low).hypot(a.high - a.value),
            high: value + (b.high - b.value).hypot(a.value - a.low),
        }
    }

    /// How much larger the share `b` is than `a`, of the same `of` battles:
    /// those that are hits of `a` alone and of `b` alone. Agresti and Min's
    /// interval, which adds half a battle to each of the four kinds.
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

    /// Whether its interval leaves out 0.
    pub fn is_telling(self) -> bool {
        self.low > 0.0 || self.high < 0.0
    }
}

/// The standard deviation of numbers, one for each of `of` battles.
pub fn deviation(of_all: Moments, of: u64) -> f64 {
    if of < 2 {
        return 0.0;
    }
    let n = of as f64;
    let mean = of_all.sum as f64 / n;
    let spread = of_all.squares as f64 - n * mean * mean;
    (spread.max(0.0) / (n - 1.0)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn an_interval_holds_its_share_and_stays_within_0_and_1() {
        let near =
            |(a, b): (f64, f64), c: f64, d: f64| (a - c).abs() < 5e-4 && (b - d).abs() < 5e-4;
        assert!(near(wilson(0.0, 10), 0.0, 0.2775));
        assert!(near(wilson(10.0, 10), 0.7225, 1.0));
        assert!(near(wilson(50.0, 100), 0.4038, 0.5962));
        assert_eq!(wilson(0.0, 0), (0.0, 1.0));
    }

    #[test]
    fn differences_are_those_of_the_books() {
        let near = |e: Estimate, value: f64, low: f64, high: f64| {
            let all = [(e.value, value), (e.low, low), (e.high, high)];
            assert!(all.iter().all(|(a, b)| (a - b).abs() < 6e-4), "{e:?}");
        };
        // Newcombe 1998, method 10, 56 of 70 less 48 of 80.
        near(
            Estimate::difference((48, 80), (56, 70)),
            0.2,
            0.0524,
            0.3339,
        );
        // Agresti and Min 2005 by hand: n 100, 20 and 10 discordant.
        near(Estimate::paired(10, 20, 100), 0.1, -0.0072, 0.2033);
        assert!(!Estimate::paired(10, 20, 100).is_telling());
        assert!(Estimate::paired(10, 40, 100).is_telling());
    }

    #[test]
    fn means_have_their_deviation() {
        let mut all = Moments::default();
        for n in [2, 4, 4, 4, 5, 5, 7, 9] {
            all.add(n);
        }
        assert!((deviation(all, 8) - 2.138).abs() < 1e-3);
        assert!((Estimate::mean(all, 8).value - 5.0).abs() < 1e-9);
        assert_eq!(deviation(all, 1), 0.0);
    }

    /// The chance of each number of hits of `n` battles with a share of `p`.
    fn binomial(n: u32, p: f64) -> Vec<f64> {
        let mut chances = vec![1.0];
        for _ in 0..n {
            let mut next = vec![0.0; chances.len() + 1];
            for (hits, chance) in chances.iter().enumerate() {
                next[hits] += chance * (1.0 - p);
                next[hits + 1] += chance * p;
            }
            chances = next;
        }
        chances
    }

    proptest! {
        /// Whatever the true share, the intervals of all that may be counted hold
        /// it about 95 times in 100: reckoned, not drawn.
        #[test]
        fn intervals_hold_the_true_share(n in 40_u32..400, p in 0.1_f64..0.9) {
            let chances = binomial(n, p);
            let held = chances.iter().enumerate().filter(|(hits, _)| {
                let (low, high) = wilson(*hits as f64, n as usize);
                low <= p && p <= high
            });
            let covered: f64 = held.map(|(_, chance)| chance).sum();
            prop_assert!((0.92..=0.985).contains(&covered), "{covered}");
        }

        #[test]
        fn an_interval_lies_round_what_was_counted(hits in 0_u64..500, more in 0_u64..500) {
            let of = hits + more;
            let e = Estimate::share(hits, of);
            prop_assert!(0.0 <= e.low && e.low <= e.value && e.value <= e.high && e.high <= 1.0);
            // The other side's is its mirror image.
            let other = Estimate::share(more, of);
            prop_assert!((e.low - (1.0 - other.high)).abs() < 1e-9);
            // More battles make it no wider.
            let tenfold = Estimate::share(10 * hits, 10 * of);
            prop_assert!(of == 0 || tenfold.reach() <= e.reach() + 1e-12);
        }
    }
}
