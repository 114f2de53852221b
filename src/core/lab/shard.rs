//! One part of many battles, for one of several machines: `--shard 3/10`.

use super::{Seeds, file::MAX_SHARDS};
use crate::words::count;
use serde::{Deserialize, Serialize};
use std::{fmt, ops::RangeInclusive, str::FromStr};

/// One of several parts, numbered from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    pub number: u32,
    pub of: u32,
}

impl Shard {
    /// The seeds of this shard: a range as long as the others' or shorter by one.
    ///
    /// # Errors
    /// If there are fewer seeds than shards.
    pub fn seeds(self, all: &RangeInclusive<u64>) -> Result<RangeInclusive<u64>, String> {
        let (first, last) = (u128::from(*all.start()), u128::from(*all.end()));
        let seeds = last - first + 1;
        let of = u128::from(self.of);
        if seeds < of {
            let seeds = count(usize::try_from(seeds).unwrap_or(usize::MAX), "seed");
            return Err(format!(
                "{seeds} cannot be split into {of} shards; some would have no battle"
            ));
        }
        let start = |n: u32| first + seeds * u128::from(n) / of;
        Ok(start(self.number - 1) as u64..=(start(self.number) - 1) as u64)
    }
}

/// Parses `3/10`: the number of the shard and how many there are.
impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let off = || {
            format!(
                "write the number of the shard and how many there are, at most {MAX_SHARDS}, such as 3/10"
            )
        };
        let (number, of) = text.split_once('/').ok_or_else(off)?;
        let parse = |text: &str| text.trim().parse::<u32>().map_err(|_| off());
        let (number, of) = (parse(number)?, parse(of)?);
        if !(1..=MAX_SHARDS).contains(&of) {
            return Err(off());
        }
        match (1..=of).contains(&number) {
            true => Ok(Self { number, of }),
            false => Err(format!("the shards of {of} are 1/{of} to {of}/{of}")),
        }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

/// The whole that shards are parts of. A tally carries it until all shards are
/// joined. A run that was not split is its only shard; it carries the whole if it was stopped.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ShardedSeries {
    /// The seeds of all shards.
    pub seeds: Seeds,
    /// The number of shards.
    pub shards: u32,
}

impl ShardedSeries {
    pub fn new(seeds: &RangeInclusive<u64>, shards: u32) -> Self {
        let seeds = Seeds::run(*seeds.start(), *seeds.end());
        Self { seeds, shards }
    }

    /// Descriptions of what is missing, one line per shard.
    pub fn missing(&self, there: &Seeds) -> Vec<String> {
        if self.shards == 1 {
            let left = self.seeds.without(there);
            let gaps =
                (!left.is_empty()).then(|| format!("the run was stopped; it lacks seeds {left}"));
            return Vec::from_iter(gaps);
        }
        let Some((first, last)) = self.seeds.runs().next() else {
            return vec![];
        };
        let of = self.shards;
        let shards = (1..=of).map(|number| Shard { number, of });
        let gaps = shards.filter_map(|shard| {
            let own = shard.seeds(&(first..=last)).ok()?;
            let own = Seeds::run(*own.start(), *own.end());
            let left = own.without(there);
            if left.is_empty() {
                return None;
            }
            let what = match left == own {
                true => "is missing: seeds",
                false => "is incomplete: it lacks seeds",
            };
            Some(format!("shard {shard} {what} {left}"))
        });
        gaps.collect()
    }

    /// The whole of two joined parts; `seeds` are the seeds of both. `None` once it
    /// is complete.
    ///
    /// # Errors
    /// A message if they are not parts of the same whole.
    pub fn joined(
        a: &Option<Self>,
        b: &Option<Self>,
        seeds: &Seeds,
    ) -> Result<Option<Self>, String> {
        let split = |whole: &Option<Self>| whole.clone().filter(|whole| whole.shards > 1);
        let whole = match (split(a), split(b)) {
            (None, None) => {
                // Of stopped runs, each has seeds of its own.
                let mut all = seeds.clone();
                for whole in [a, b].into_iter().flatten() {
                    let more = whole.seeds.without(&all);
                    // Only seeds that it lacks are added, so this cannot fail.
                    let _ = all.join(&more);
                }
                Self {
                    seeds: all,
                    shards: 1,
                }
            }
            (Some(a), Some(b)) if a != b => {
                return Err(format!("a shard of {b}, not of {a}"));
            }
            (Some(whole), _) | (None, Some(whole)) => whole,
        };
        if !whole.seeds.contains(seeds) {
            return Err(format!("of seeds that are not among those of {whole}"));
        }
        Ok((whole.seeds != *seeds).then_some(whole))
    }
}

/// The whole as text: `seeds 1 to 1000 in 10 shards`.
impl fmt::Display for ShardedSeries {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shards = count(self.shards as usize, "shard");
        write!(f, "seeds {} in {shards}", self.seeds)
    }
}
