//! Tallies: counts of a series. They are whole numbers only, so that joining the
//! tallies of parts gives exactly the tally of the whole.

use super::{Heat, Seeds, ShardedSeries};
use crate::{
    battle::{Battle, End},
    levels::{self, Level},
};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, sync::Arc};

/// How often each number occurred.
pub type Histogram = BTreeMap<u32, u64>;

/// Sum and sum of squares of a number counted in each battle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Moments {
    pub sum: i64,
    pub squares: u64,
}

impl Moments {
    pub fn add(&mut self, n: i64) {
        self.sum += n;
        self.squares += n.unsigned_abs().pow(2);
    }

    fn join(&mut self, other: Self) {
        self.sum += other.sum;
        self.squares += other.squares;
    }
}

/// What was fought. Only tallies with equal values can be joined.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fought {
    /// The version of the program and its rules.
    pub program: String,
    /// The level's id and its text.
    pub level: String,
    pub source: String,
    pub rules: String,
    /// Who played each side.
    pub ai: Vec<String>,
    /// Each side's handicap in points. Empty if no side has one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub handicaps: Vec<u8>,
}

impl Fought {
    /// The level, read from its text.
    pub fn level(&self) -> Option<Arc<Level>> {
        let level = levels::of_text(&format!("{}.ron", self.level), &self.source);
        Some(level.ok()?.with_handicaps(&self.handicaps))
    }

    /// The first difference in version, level or ruleset.
    pub(super) fn unlike(&self, other: &Self) -> Option<Unlike> {
        let name = |of: &Self| format!("{} under {}", of.level, of.rules);
        differs("counted by version", &self.program, &other.program)
            .or_else(|| differs("of", &name(self), &name(other)))
            .or_else(|| {
                let what = format!("of another state of the level {}", self.level);
                (self.source != other.source).then_some(Unlike::What(what))
            })
    }
}

/// What one unit did in all battles.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnitTally {
    pub name: String,
    pub dealt: Moments,
    pub taken: Moments,
    pub attacks: u64,
    pub hits: u64,
    /// The number of hits that the forecasts predicted, in millionths.
    pub expected: u64,
    pub felled: u64,
    /// Battles in which the unit fell, by the round of its first fall.
    pub fell: Histogram,
    /// The unit's state at the end of the battles.
    pub standing: u64,
    pub down: u64,
    pub dead: u64,
    pub fled: u64,
    /// Actions in the unit's turns, and reactions that it chose, by verb.
    pub acts: BTreeMap<String, u64>,
    pub reactions: BTreeMap<String, u64>,
}

/// The state of the losing side in battles that ended for one reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manner {
    /// All its units fell.
    pub felled: u64,
    /// All its units were off the field, some of them fled.
    pub routed: u64,
    /// Some of its units still stood.
    pub standing: u64,
    /// Whether the reason is that no enemy was left, rather than an objective.
    #[serde(default)]
    pub is_plain: bool,
}

impl Manner {
    pub fn all(self) -> u64 {
        self.felled + self.routed + self.standing
    }
}

/// Battles that no side won, by what ended them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Draws {
    /// The last round was over.
    pub round_limit: u64,
    /// Too many rounds without progress (OP-07).
    pub stalemate: u64,
}

impl Draws {
    /// Counts the end of a battle.
    pub fn count(&mut self, battle: &Battle) {
        match battle.end() {
            Some(End::RoundLimit) => self.round_limit += 1,
            Some(End::Stalemate) => self.stalemate += 1,
            _ => {}
        }
    }

    pub fn join(&mut self, other: Self) {
        self.round_limit += other.round_limit;
        self.stalemate += other.stalemate;
    }
}

/// How much the battles swung.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Swing {
    /// By side: its remaining strength at the end minus the greatest of another side,
    /// in thousandths of full strength.
    pub margin: Vec<Moments>,
    /// Battles in which a side was ahead halfway; those that it won; those that
    /// another side won.
    pub ahead: u64,
    pub kept: u64,
    pub lost: u64,
}

/// The same seeds fought with a change or on another level.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Beside {
    pub with: Other,
    /// Battles by winner here (row) and there (column): sides in order, then nobody.
    pub wins: Vec<Vec<u64>>,
}

/// What a series is compared with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Other {
    /// Another level: its id and its text.
    Level(String, String),
    /// A kind with changed numbers: `goblin: hp +2`.
    Varied(String),
}

/// Counts of battles of one level under one ruleset.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tally {
    pub fought: Fought,
    pub seeds: Seeds,
    /// The whole that this is a shard of. `None` if it is complete.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub whole: Option<ShardedSeries>,
    /// Battles won by each side, then those that nobody won. Other lists by winner
    /// have the same order.
    pub wins: Vec<u64>,
    #[serde(default)]
    pub draws: Draws,
    /// By winner: the reason, in the words of the objective, and the state of the
    /// losers.
    pub why: Vec<BTreeMap<String, Manner>>,
    /// By winner: the number of rounds.
    pub rounds: Vec<Histogram>,
    /// By side: how many of its units stood at the end when it won, and in total over
    /// all battles.
    pub standing: Vec<Histogram>,
    pub standing_in_all: Vec<u64>,
    pub answers: u64,
    /// By unit, in the order of the level.
    #[serde(rename = "people")]
    pub units: Vec<UnitTally>,
    /// By who moved or attacked first (each side, then nobody), and by winner.
    pub first: Vec<Vec<u64>>,
    /// By winner when the first side had the first move (row) and when the second
    /// side had it (column). Empty if this was not measured.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub given: Vec<Vec<u64>>,
    pub swing: Swing,
    /// The cells where units fell, where they stood at the start of each round, and
    /// from which they shot.
    pub falls: Heat,
    pub stood: Heat,
    pub shots: Heat,
    pub beside: Vec<Beside>,
}

/// Why two tallies cannot be joined.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unlike {
    Seed(u64),
    What(String),
}

impl Tally {
    pub fn new(
        fought: Fought,
        level: &Level,
        beside: impl IntoIterator<Item = Other>,
        gives_first_move: bool,
    ) -> Self {
        let sides = level.sides.len();
        let slots = sides + 1;
        let table = vec![vec![0; slots]; slots];
        let units = level.combatants.iter().map(|combatant| UnitTally {
            name: combatant.name.clone(),
            ..UnitTally::default()
        });
        let beside = beside.into_iter().map(|with| Beside {
            with,
            wins: table.clone(),
        });
        Self {
            fought,
            wins: vec![0; slots],
            why: vec![BTreeMap::new(); slots],
            rounds: vec![Histogram::new(); slots],
            standing: vec![Histogram::new(); sides],
            standing_in_all: vec![0; sides],
            units: units.collect(),
            first: table.clone(),
            given: match gives_first_move {
                true => table.clone(),
                false => vec![],
            },
            swing: Swing {
                margin: vec![Moments::default(); sides],
                ..Swing::default()
            },
            beside: beside.collect(),
            ..Self::default()
        }
    }

    pub fn battles(&self) -> u64 {
        self.wins.iter().sum()
    }

    /// The number of rounds of all battles.
    pub fn all_rounds(&self) -> Histogram {
        let mut all = Histogram::new();
        self.rounds.iter().for_each(|some| join(&mut all, some));
        all
    }

    /// Whether the lists have the right length for the level.
    pub fn is_sound(&self, level: &Level) -> bool {
        let (sides, slots) = (level.sides.len(), level.sides.len() + 1);
        let square =
            |table: &[Vec<u64>]| table.len() == slots && table.iter().all(|row| row.len() == slots);
        let names = level.combatants.iter().map(|c| &c.name);
        let margins = self.swing.margin.len();
        [self.wins.len(), self.why.len(), self.rounds.len()] == [slots; 3]
            && [self.standing.len(), self.standing_in_all.len(), margins] == [sides; 3]
            && self.fought.ai.len() == sides
            && names.eq(self.units.iter().map(|p| &p.name))
            && square(&self.first)
            && (self.given.is_empty() || square(&self.given))
            && self.beside.iter().all(|b| square(&b.wins))
            && self.seeds.count() == self.battles()
    }

    /// Adds the tally of other seeds.
    ///
    /// # Errors
    /// If the tallies are not of the same series or share seeds. This tally is then
    /// unchanged.
    pub fn join(&mut self, other: &Self) -> Result<(), Unlike> {
        self.unlike(other).map_or(Ok(()), Err)?;
        let mut seeds = self.seeds.clone();
        seeds.join(&other.seeds).map_err(Unlike::Seed)?;
        self.whole =
            ShardedSeries::joined(&self.whole, &other.whole, &seeds).map_err(Unlike::What)?;
        self.seeds = seeds;
        let add = |to: &mut [u64], from: &[u64]| to.iter_mut().zip(from).for_each(|(a, b)| *a += b);
        add(&mut self.wins, &other.wins);
        self.draws.join(other.draws);
        for (mine, theirs) in self.why.iter_mut().zip(&other.why) {
            for (why, manner) in theirs {
                let known = mine.entry(why.clone()).or_default();
                known.felled += manner.felled;
                known.routed += manner.routed;
                known.standing += manner.standing;
                known.is_plain |= manner.is_plain;
            }
        }
        let both = |(a, b): (&mut Histogram, &Histogram)| join(a, b);
        self.rounds.iter_mut().zip(&other.rounds).for_each(both);
        self.standing.iter_mut().zip(&other.standing).for_each(both);
        add(&mut self.standing_in_all, &other.standing_in_all);
        self.answers += other.answers;
        for (mine, theirs) in self.units.iter_mut().zip(&other.units) {
            mine.join(theirs);
        }
        let table = |to: &mut [Vec<u64>], from: &[Vec<u64>]| {
            to.iter_mut().zip(from).for_each(|(a, b)| add(a, b));
        };
        table(&mut self.first, &other.first);
        table(&mut self.given, &other.given);
        let margins = self.swing.margin.iter_mut().zip(&other.swing.margin);
        margins.for_each(|(a, b)| a.join(*b));
        self.swing.ahead += other.swing.ahead;
        self.swing.kept += other.swing.kept;
        self.swing.lost += other.swing.lost;
        self.falls.join(&other.falls);
        self.stood.join(&other.stood);
        self.shots.join(&other.shots);
        for (mine, theirs) in self.beside.iter_mut().zip(&other.beside) {
            table(&mut mine.wins, &theirs.wins);
        }
        Ok(())
    }

    /// The first difference that prevents joining it with another tally.
    pub(super) fn unlike(&self, other: &Self) -> Option<Unlike> {
        let (a, b) = (&self.fought, &other.fought);
        let besides =
            |t: &Self| -> Vec<String> { t.beside.iter().map(|b| b.with.to_string()).collect() };
        let points = |f: &Fought| {
            let points: Vec<String> = f.handicaps.iter().map(u8::to_string).collect();
            match points.is_empty() {
                true => "0".into(),
                false => points.join(", "),
            }
        };
        let how = |t: &Self| match t.given.is_empty() {
            true => "as it comes",
            false => "given to each side in turn",
        };
        let differ = a
            .unlike(b)
            .or_else(|| differs("of handicaps", &points(a), &points(b)))
            .or_else(|| differs("played by", &a.ai.join(", "), &b.ai.join(", ")))
            .or_else(|| differs("with the first move", how(self), how(other)));
        let mine = self.beside.iter().map(|b| &b.with);
        if differ.is_none() && mine.ne(other.beside.iter().map(|b| &b.with)) {
            let name = |t: &Self| match besides(t).join(", ") {
                none if none.is_empty() => String::from("nothing"),
                some => some,
            };
            let (mine, theirs) = (name(self), name(other));
            return Some(Unlike::What(format!("beside {theirs}, not {mine}")));
        }
        differ
    }
}

/// Why counts of `mine` cannot be joined with those of `theirs`, if the two differ.
pub(super) fn differs(what: &str, mine: &str, theirs: &str) -> Option<Unlike> {
    (mine != theirs).then(|| Unlike::What(format!("{what} {theirs}, not {mine}")))
}

impl std::fmt::Display for Other {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Level(id, _) => f.write_str(id),
            Self::Varied(text) => f.write_str(text),
        }
    }
}

/// Adds counts to others.
pub(super) fn join<K: Ord + Clone>(to: &mut BTreeMap<K, u64>, from: &BTreeMap<K, u64>) {
    for (key, n) in from {
        *to.entry(key.clone()).or_default() += n;
    }
}

impl UnitTally {
    pub fn fallen(&self) -> u64 {
        self.fell.values().sum()
    }

    fn join(&mut self, other: &Self) {
        self.dealt.join(other.dealt);
        self.taken.join(other.taken);
        self.attacks += other.attacks;
        self.hits += other.hits;
        self.expected += other.expected;
        self.felled += other.felled;
        join(&mut self.fell, &other.fell);
        self.standing += other.standing;
        self.down += other.down;
        self.dead += other.dead;
        self.fled += other.fled;
        join(&mut self.acts, &other.acts);
        join(&mut self.reactions, &other.reactions);
    }
}
