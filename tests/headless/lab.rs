//! The laboratory's statistics: intervals, sets of seeds, point values. `cli::lab` tests its
//! command line.

use fivefoot_core::{
    battle::Chance,
    lab::{
        Moments, Seeds,
        interval::{Estimate, deviation, wilson},
        points::{Fought, predicted, values},
    },
};
use proptest::prelude::*;

#[test]
fn wilson_intervals_have_known_values_within_0_and_1() {
    let near = |(a, b): (f64, f64), c: f64, d: f64| (a - c).abs() < 5e-4 && (b - d).abs() < 5e-4;
    assert!(near(wilson(0.0, 10), 0.0, 0.2775));
    assert!(near(wilson(10.0, 10), 0.7225, 1.0));
    assert!(near(wilson(50.0, 100), 0.4038, 0.5962));
    assert_eq!(wilson(0.0, 0), (0.0, 1.0));
}

#[test]
fn differences_match_published_examples() {
    let near = |e: Estimate, value: f64, low: f64, high: f64| {
        let all = [(e.value, value), (e.low, low), (e.high, high)];
        assert!(all.iter().all(|(a, b)| (a - b).abs() < 6e-4), "{e:?}");
    };
    // Newcombe 1998, method 10: 56 of 70 minus 48 of 80.
    near(
        Estimate::difference((48, 80), (56, 70)),
        0.2,
        0.0524,
        0.3339,
    );
    // Agresti and Min 2005, calculated by hand: n = 100 with 20 and 10 discordant pairs.
    near(Estimate::paired(10, 20, 100), 0.1, -0.0072, 0.2033);
    assert!(!Estimate::paired(10, 20, 100).is_telling());
    assert!(Estimate::paired(10, 40, 100).is_telling());
}

#[test]
fn means_have_a_standard_deviation() {
    let mut all = Moments::default();
    for n in [2, 4, 4, 4, 5, 5, 7, 9] {
        all.add(n);
    }
    assert!((deviation(all, 8) - 2.138).abs() < 1e-3);
    assert!((Estimate::mean(all, 8).value - 5.0).abs() < 1e-9);
    assert_eq!(deviation(all, 1), 0.0);
}

/// The probability of each number of hits in `n` battles with a win rate of `p`.
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
    /// For any true win rate, 95% intervals contain it about 95 times in 100. Computed exactly, not
    /// sampled.
    #[test]
    fn intervals_contain_the_true_share(n in 40_u32..400, p in 0.1_f64..0.9) {
        let chances = binomial(n, p);
        let held = chances.iter().enumerate().filter(|(hits, _)| {
            let (low, high) = wilson(*hits as f64, n as usize);
            low <= p && p <= high
        });
        let covered: f64 = held.map(|(_, chance)| chance).sum();
        prop_assert!((0.92..=0.985).contains(&covered), "{covered}");
    }

    #[test]
    fn an_interval_contains_the_counted_share(hits in 0_u64..500, more in 0_u64..500) {
        let of = hits + more;
        let e = Estimate::proportion(hits, of);
        prop_assert!(0.0 <= e.low && e.low <= e.value && e.value <= e.high && e.high <= 1.0);
        // The other side's interval is the mirror image.
        let other = Estimate::proportion(more, of);
        prop_assert!((e.low - (1.0 - other.high)).abs() < 1e-9);
        // More battles never widen it.
        let tenfold = Estimate::proportion(10 * hits, 10 * of);
        prop_assert!(of == 0 || tenfold.reach() <= e.reach() + 1e-12);
    }
}

#[test]
fn seed_ranges_merge_and_never_overlap() {
    let of = |runs: &[[u64; 2]]| Seeds::try_from(runs.to_vec()).unwrap();
    let mut seeds = of(&[[1, 3], [7, 9]]);
    assert_eq!(seeds.join(&of(&[[9, 12]])), Err(9));
    assert_eq!(seeds, of(&[[1, 3], [7, 9]]));
    seeds.join(&of(&[[4, 6]])).unwrap();
    assert_eq!((seeds.count(), seeds.to_string().as_str()), (9, "1 to 9"));
    seeds.join(&Seeds::one(u64::MAX)).unwrap();
    assert_eq!(seeds.to_string(), format!("1 to 9, {}", u64::MAX));
    assert!(Seeds::try_from(vec![[3, 1]]).is_err());
}

/// From battles with results drawn from known point values, the fit finds those values: nearly all
/// within twice their error, and with small errors.
#[test]
fn the_fit_finds_known_point_values() {
    let worths = [1.0, 0.5, 2.0, 4.0, 1.5, 8.0, 0.8, 3.0];
    let (b, mut chance) = (1.6, Chance::new(3));
    let mut any = || {
        let all = 1 + chance.below(5);
        let squad: Vec<usize> = (0..all).map(|_| chance.below(worths.len())).collect();
        squad
    };
    let pairs: Vec<[Vec<usize>; 2]> = (0..16_000).map(|_| [any(), any()]).collect();
    let mut dice = Chance::new(4);
    let fought: Vec<Fought> = pairs
        .into_iter()
        .map(|squads| {
            let won = (dice.below(10_000) as f64) < 1e4 * predicted(&squads, |n| worths[n], b);
            let share = f64::from(u8::from(won));
            Fought { squads, share }
        })
        .collect();
    let (found, found_b) = values(&fought, worths.len(), 0);
    assert!((found_b - b).abs() < 0.15, "{found_b}");
    let off = |n: &usize| (found[*n].worth / worths[*n]).ln().abs() / found[*n].error.max(1e-9);
    let far = (1..worths.len()).filter(|n| off(n) > 2.0).count();
    assert!(far <= 1, "{found:?}");
    assert!(found.iter().all(|value| value.error < 0.12), "{found:?}");
    assert_eq!((found[0].worth, found[0].error), (1.0, 0.0));
}
