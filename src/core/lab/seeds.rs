//! Sets of seeds.

use serde::{Deserialize, Serialize};
use std::fmt;

/// A set of seeds, stored as ranges in ascending order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "Vec<[u64; 2]>", try_from = "Vec<[u64; 2]>")]
pub struct Seeds(Vec<[u64; 2]>);

impl Seeds {
    pub fn one(seed: u64) -> Self {
        Self(vec![[seed, seed]])
    }

    pub fn count(&self) -> u64 {
        let runs = self.0.iter().map(|[first, last]| last - first);
        runs.fold(0, |sum, more| sum.saturating_add(more).saturating_add(1))
    }

    /// All seeds from `first` to `last`, both included.
    pub fn run(first: u64, last: u64) -> Self {
        Self(vec![[first, last]])
    }

    /// The first and last seed of each range.
    pub fn runs(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.0.iter().map(|[first, last]| (*first, *last))
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether all seeds of another set are in this one.
    pub fn contains(&self, other: &Self) -> bool {
        let holds = |run: &[u64; 2]| self.0.iter().any(|[a, b]| *a <= run[0] && run[1] <= *b);
        other.0.iter().all(holds)
    }

    /// The seeds that are not in another set.
    pub fn without(&self, other: &Self) -> Self {
        let mut left = vec![];
        for &[first, last] in &self.0 {
            let mut next = Some(first);
            for &[from, to] in other.0.iter().filter(|[_, to]| *to >= first) {
                let Some(start) = next.filter(|start| *start <= last && from <= last) else {
                    break;
                };
                if start < from {
                    left.push([start, from - 1]);
                }
                next = to.checked_add(1);
            }
            if let Some(start) = next.filter(|start| *start <= last) {
                left.push([start, last]);
            }
        }
        Self(left)
    }

    /// Adds the seeds of another set.
    ///
    /// # Errors
    /// The first seed that is in both sets. This set is then unchanged.
    pub fn join(&mut self, other: &Self) -> Result<(), u64> {
        let mut all = [self.0.as_slice(), other.0.as_slice()].concat();
        all.sort_unstable();
        let mut joined: Vec<[u64; 2]> = vec![];
        for [first, last] in all {
            match joined.last_mut() {
                Some(before) if first <= before[1] => return Err(first),
                Some(before) if first - 1 == before[1] => before[1] = last,
                _ => joined.push([first, last]),
            }
        }
        self.0 = joined;
        Ok(())
    }
}

/// Accepts any order; duplicates count once.
impl FromIterator<u64> for Seeds {
    fn from_iter<I: IntoIterator<Item = u64>>(all: I) -> Self {
        let mut all: Vec<u64> = all.into_iter().collect();
        all.sort_unstable();
        all.dedup();
        let mut runs: Vec<[u64; 2]> = vec![];
        for seed in all {
            match runs.last_mut() {
                Some(before) if seed - 1 == before[1] => before[1] = seed,
                _ => runs.push([seed; 2]),
            }
        }
        Self(runs)
    }
}

/// The ranges as text: `1 to 500, 700`.
impl fmt::Display for Seeds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// The most ranges that are listed. The rest are only counted.
        const TOLD: usize = 4;
        for (n, [first, last]) in self.0.iter().take(TOLD).enumerate() {
            let comma = if n > 0 { ", " } else { "" };
            match first == last {
                true => write!(f, "{comma}{first}")?,
                false => write!(f, "{comma}{first} to {last}")?,
            }
        }
        match self.0.len().saturating_sub(TOLD) {
            0 => Ok(()),
            more => write!(f, " and {more} more runs"),
        }
    }
}

impl From<Seeds> for Vec<[u64; 2]> {
    fn from(seeds: Seeds) -> Self {
        seeds.0
    }
}

impl TryFrom<Vec<[u64; 2]>> for Seeds {
    type Error = &'static str;

    fn try_from(runs: Vec<[u64; 2]>) -> Result<Self, Self::Error> {
        let sound = runs.iter().all(|[first, last]| first <= last)
            && runs.windows(2).all(|two| two[0][1] < two[1][0]);
        sound.then_some(Self(runs)).ok_or("seeds out of order")
    }
}
