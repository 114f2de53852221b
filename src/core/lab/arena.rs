//! Battles of two AIs against each other: counts that can be joined exactly, and the
//! time of their decisions, which differs between runs.

use super::{
    Draws, Fought, Histogram, Seeds, ShardedSeries, Unlike,
    interval::{Estimate, wilson},
    tally::{differs, join},
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The counts from battles of two AIs, a and b, on one level under one ruleset.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Contest {
    /// The AIs and their handicaps: first a's, then b's.
    pub pairing: Fought,
    /// The seeds fought with a on the first side, and those with b on it.
    pub seeds: [Seeds; 2],
    /// The whole that this is a shard of. `None` if it is complete.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub whole: Option<ShardedSeries>,
    /// Battles won by a and by b.
    pub wins: [u64; 2],
    pub nobody: u64,
    pub draws: Draws,
    /// The time of decisions. Written on its own line.
    #[serde(skip)]
    pub times: Times,
}

/// Decisions of a and of b by duration in microseconds, rounded down to three digits.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Times(pub [Histogram; 2]);

impl Times {
    /// Counts a decision of a (0) or b (1).
    pub fn add(&mut self, of: usize, microseconds: u128) {
        let n = u32::try_from(microseconds).unwrap_or(u32::MAX);
        let unit = 10_u32.pow(n.checked_ilog10().unwrap_or_default().saturating_sub(2));
        *self.0[of].entry(n / unit * unit).or_default() += 1;
    }

    fn join(&mut self, other: &Self) {
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            join(mine, theirs);
        }
    }

    /// The duration in milliseconds of a decision of a (0) or b (1) at a percentile. `None` if
    /// there was no decision.
    pub fn milliseconds(&self, of: usize, percent: u64) -> Option<f64> {
        let all: u64 = self.0[of].values().sum();
        let wanted = all.saturating_sub(1) * percent / 100;
        let mut before = 0;
        let found = self.0[of].iter().find(|(_, n)| {
            before += **n;
            before > wanted
        });
        found.map(|(time, _)| f64::from(*time) / 1000.0)
    }
}

impl Contest {
    /// An empty contest.
    pub fn new(pairing: Fought) -> Self {
        Self {
            pairing,
            seeds: Default::default(),
            whole: None,
            wins: [0; 2],
            nobody: 0,
            draws: Draws::default(),
            times: Times::default(),
        }
    }

    pub fn battles(&self) -> u64 {
        self.wins[0] + self.wins[1] + self.nobody
    }

    /// The seeds that were fought both ways.
    pub fn both_ways(&self) -> Seeds {
        let [straight, swapped] = &self.seeds;
        straight.without(&straight.without(swapped))
    }

    /// Whether the number of seeds matches the number of battles.
    pub fn is_sound(&self) -> bool {
        let fought = self.seeds[0].count().checked_add(self.seeds[1].count());
        fought == Some(self.battles())
    }

    /// The share of battles won by b; a draw counts as half.
    pub fn share(&self) -> Estimate {
        let hits = self.wins[1] as f64 + self.nobody as f64 / 2.0;
        let of = self.battles();
        let (low, high) = wilson(hits, of as usize);
        let value = hits / of.max(1) as f64;
        Estimate { value, low, high }
    }

    /// Adds the counts from other seeds.
    ///
    /// # Errors
    /// If the pairings differ or a seed is in both. This contest is then unchanged.
    pub fn join(&mut self, other: &Self) -> Result<(), Unlike> {
        self.unlike(other).map_or(Ok(()), Err)?;
        let mut seeds = self.seeds.clone();
        for (mine, theirs) in seeds.iter_mut().zip(&other.seeds) {
            mine.join(theirs).map_err(Unlike::Seed)?;
        }
        // The contest is complete only once every seed was fought both ways.
        let all = seeds[0].without(&seeds[1]).is_empty() && seeds[1].without(&seeds[0]).is_empty();
        let whole = ShardedSeries::joined(&self.whole, &other.whole, &seeds[0]);
        let whole = whole.map_err(Unlike::What)?;
        let given = self.whole.as_ref().or(other.whole.as_ref());
        self.whole = if all { whole } else { given.cloned() };
        self.seeds = seeds;
        for n in 0..2 {
            self.wins[n] += other.wins[n];
        }
        self.nobody += other.nobody;
        self.draws.join(other.draws);
        self.times.join(&other.times);
        Ok(())
    }

    /// The first difference that prevents joining it with another contest.
    pub(super) fn unlike(&self, other: &Self) -> Option<Unlike> {
        let (a, b) = (&self.pairing, &other.pairing);
        let ai = |of: &Fought| format!("{} against {}", of.ai[1], of.ai[0]);
        let handicaps = |of: &Fought| format!("{} and {}", of.handicaps[0], of.handicaps[1]);
        a.unlike(b)
            .or_else(|| differs("of", &ai(a), &ai(b)))
            .or_else(|| differs("of handicaps", &handicaps(a), &handicaps(b)))
    }

    /// The contest as JSON, for programs.
    pub fn to_json(&self) -> Value {
        let pairing = &self.pairing;
        let share = (self.battles() > 0).then(|| self.share());
        json!({
            "level": pairing.level,
            "rules": pairing.rules,
            "a": pairing.ai[0],
            "b": pairing.ai[1],
            "handicaps": pairing.handicaps,
            "battles": self.battles(),
            "a_wins": self.wins[0],
            "b_wins": self.wins[1],
            "nobody_wins": self.nobody,
            "round_limit": self.draws.round_limit,
            "stalemate": self.draws.stalemate,
            "b_share": share.map(|share| share.value),
            "b_share_95": share.map(|share| [share.low, share.high]),
        })
    }
}
