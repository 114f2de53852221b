//! Reports: what a tally means.

use super::{
    Histogram, Other, Tally, UnitTally,
    interval::{Estimate, deviation},
};
use crate::{
    battle::Ruleset,
    levels::{Level, SideIx},
    rulesets,
};
use std::{collections::BTreeMap, sync::Arc};

/// The range of win rates that counts as fair.
pub const FAIR: (f64, f64) = (0.35, 0.65);

/// A difference of at least this much is called large.
const MUCH: f64 = 0.1;

/// A tally with its level and ruleset.
#[derive(Clone)]
pub struct Report {
    pub tally: Tally,
    pub level: Arc<Level>,
    pub rules: &'static Ruleset,
}

/// What one unit did in a battle, on average.
pub struct UnitReport<'r> {
    pub tally: &'r UnitTally,
    pub side: SideIx,
    pub dealt: Estimate,
    pub taken: Estimate,
    /// Shares of all damage dealt and of all damage taken, 0 to 1.
    pub dealt_share: f64,
    pub taken_share: f64,
    pub falls: Estimate,
    /// The median round of its first fall.
    pub usual_round: Option<u32>,
    pub flees: Estimate,
    pub hits: Estimate,
}

/// The first side's win rate here and in a comparison series.
pub struct Compared<'r> {
    pub other: &'r Other,
    /// The win rate in this series, and in the other.
    pub here: Estimate,
    pub there: Estimate,
    /// There minus here.
    pub difference: Estimate,
}

impl Report {
    /// A report of a tally.
    ///
    /// # Errors
    /// A message if the tally does not fit its level or its ruleset is unknown.
    pub fn of(tally: Tally) -> Result<Self, String> {
        let fought = &tally.fought;
        let rules = rulesets::find(&fought.rules);
        let rules = rules.ok_or_else(|| format!("there is no ruleset `{}`", fought.rules))?;
        let level = fought.level();
        let level = level.ok_or_else(|| format!("its level {} is broken", fought.level))?;
        if !tally.is_sound(&level) {
            let what = format!("it does not fit its level {}", fought.level);
            return Err(what);
        }
        Ok(Self {
            tally,
            level,
            rules,
        })
    }

    pub fn battles(&self) -> u64 {
        self.tally.battles()
    }

    /// The sample as text: `1000 battles, seeds 1 to 1000`.
    pub fn sample(&self) -> String {
        let n = self.battles();
        let battles = if n == 1 { "battle" } else { "battles" };
        let seeds = if n == 1 { "seed" } else { "seeds" };
        format!("{n} {battles}, {seeds} {}", self.tally.seeds)
    }

    /// How often a side wins. The index after the last side stands for nobody.
    pub fn wins(&self, side: usize) -> Estimate {
        Estimate::proportion(self.tally.wins[side], self.battles())
    }

    /// How often the round limit ended a battle that no side had won.
    pub fn round_limit(&self) -> Estimate {
        Estimate::proportion(self.tally.draws.round_limit, self.battles())
    }

    /// How often a battle was a draw for lack of progress (OP-07).
    pub fn stalemate(&self) -> Estimate {
        Estimate::proportion(self.tally.draws.stalemate, self.battles())
    }

    pub fn mean_rounds(&self) -> f64 {
        mean(&self.tally.all_rounds())
    }

    /// The mean duration of a battle in seconds of the game world.
    pub fn seconds(&self) -> f64 {
        self.mean_rounds() * f64::from(self.rules.round_seconds)
    }

    /// How many units of a side stand at the end, on average.
    pub fn mean_standing(&self, side: usize) -> f64 {
        self.tally.standing_in_all[side] as f64 / self.battles().max(1) as f64
    }

    pub fn units(&self) -> Vec<UnitReport<'_>> {
        let sum = |of: fn(&UnitTally) -> i64| -> f64 {
            let all: i64 = self.tally.units.iter().map(of).sum();
            all.max(1) as f64
        };
        let (dealt, taken) = (sum(|p| p.dealt.sum), sum(|p| p.taken.sum));
        let n = self.battles();
        let units = self.tally.units.iter().zip(&self.level.combatants);
        let report = units.map(|(tally, combatant)| UnitReport {
            tally,
            side: combatant.side,
            dealt: Estimate::mean(tally.dealt, n),
            taken: Estimate::mean(tally.taken, n),
            dealt_share: tally.dealt.sum as f64 / dealt,
            taken_share: tally.taken.sum as f64 / taken,
            falls: Estimate::proportion(tally.fallen(), n),
            usual_round: (tally.fallen() > 0).then(|| quantile(&tally.fell, 0.5)),
            flees: Estimate::proportion(tally.fled, n),
            hits: Estimate::proportion(tally.hits, tally.attacks),
        });
        report.collect()
    }

    /// What a side's units do in a battle on average: verbs with their number, most
    /// frequent first. Either reactions or everything else.
    pub fn acts(&self, side: usize, reactions: bool) -> Vec<(&str, f64)> {
        let mut sums: BTreeMap<&str, u64> = BTreeMap::new();
        let units = self.tally.units.iter().zip(&self.level.combatants);
        for (tally, _) in units.filter(|(_, c)| usize::from(c.side.0) == side) {
            let verbs = match reactions {
                true => &tally.reactions,
                false => &tally.acts,
            };
            for (verb, n) in verbs {
                *sums.entry(verb).or_default() += n;
            }
        }
        let n = self.battles().max(1) as f64;
        let mut all: Vec<_> = sums.into_iter().collect();
        all.sort_by_key(|(verb, n)| (std::cmp::Reverse(*n), *verb));
        let all = all.into_iter().map(|(verb, k)| (verb, k as f64 / n));
        all.collect()
    }

    /// The number of reactions per battle, of all sides.
    pub fn reactions(&self) -> f64 {
        let all = self.tally.units.iter().flat_map(|p| p.reactions.values());
        all.sum::<u64>() as f64 / self.battles().max(1) as f64
    }

    /// The share of attacks that hit, and the number of attacks.
    pub fn hits(&self) -> (Estimate, u64) {
        let sum = |of: fn(&UnitTally) -> u64| self.tally.units.iter().map(of).sum();
        let attacks = sum(|p| p.attacks);
        (Estimate::proportion(sum(|p| p.hits), attacks), attacks)
    }

    /// The standard deviation of the final margin: the first side's remaining
    /// strength minus its enemies', each 1 at full strength. 0 to 1.
    pub fn spread(&self) -> f64 {
        deviation(self.tally.swing.margin[0], self.battles()) / 1000.0
    }

    /// How often the side that was ahead halfway lost.
    pub fn upsets(&self) -> Estimate {
        let swing = &self.tally.swing;
        Estimate::proportion(swing.lost, swing.ahead)
    }

    /// How often the first side moved or attacked first.
    pub fn moved_first(&self) -> Estimate {
        let first = &self.tally.first[0];
        Estimate::proportion(first.iter().sum(), self.battles())
    }

    /// How much more often the first side wins if it is given the first move than if
    /// the second side is. `None` if this was not measured.
    pub fn first_move(&self) -> Option<Estimate> {
        let given = &self.tally.given;
        let first: u64 = given.first()?.iter().sum();
        let second: u64 = given.iter().map(|row| row[0]).sum();
        let both = given[0][0];
        let (second, first) = (second - both, first - both);
        Some(Estimate::paired(second, first, self.battles()))
    }

    /// How much more often the first side wins in battles in which it happens to move
    /// or attack first. `None` if it always or never does.
    pub fn going_first(&self) -> Option<Estimate> {
        let row = |row: &Vec<u64>| (row[0], row.iter().sum::<u64>());
        let with = row(&self.tally.first[0]);
        let others = self.tally.first[1..].iter().map(row);
        let without = others.fold((0, 0), |a, b| (a.0 + b.0, a.1 + b.1));
        (with.1 > 0 && without.1 > 0).then(|| Estimate::difference(without, with))
    }

    /// The comparisons with the other series.
    pub fn compared(&self) -> Vec<Compared<'_>> {
        let compared = self.tally.beside.iter().map(|beside| {
            let wins = &beside.wins;
            let here: u64 = wins[0].iter().sum();
            let there: u64 = wins.iter().map(|row| row[0]).sum();
            let n = self.battles();
            Compared {
                other: &beside.with,
                here: Estimate::proportion(here, n),
                there: Estimate::proportion(there, n),
                difference: Estimate::paired(here - wins[0][0], there - wins[0][0], n),
            }
        });
        compared.collect()
    }
}

/// The meaning of a difference in win rate for a side: `a little harder`.
pub fn verdict(difference: Estimate) -> &'static str {
    match difference.value {
        _ if !difference.is_telling() => "no telling yet",
        d if d <= -MUCH => "much harder",
        d if d < 0.0 => "a little harder",
        d if d < MUCH => "a little easier",
        _ => "much easier",
    }
}

/// The mean of a histogram.
pub fn mean(of: &Histogram) -> f64 {
    let all: u64 = of.values().sum();
    let sum: u64 = of.iter().map(|(n, times)| u64::from(*n) * times).sum();
    sum as f64 / all.max(1) as f64
}

/// The least number that at least this share of the counts does not exceed.
pub fn quantile(of: &Histogram, share: f64) -> u32 {
    let all: u64 = of.values().sum();
    let wanted = (all as f64 * share).ceil() as u64;
    let mut so_far = 0;
    let reached = of.iter().find(|(_, times)| {
        so_far += **times;
        so_far >= wanted
    });
    reached.map_or(0, |(n, _)| *n)
}

/// A duration as text: `3 min 20 s`.
pub fn duration(seconds: f64) -> String {
    let seconds = seconds.round() as u64;
    match (seconds / 60, seconds % 60) {
        (0, s) => format!("{s} s"),
        (m, _) if m >= 10 => format!("{} min", (seconds + 30) / 60),
        (m, 0) => format!("{m} min"),
        (m, s) => format!("{m} min {s} s"),
    }
}
