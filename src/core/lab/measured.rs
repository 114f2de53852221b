//! Measured difficulty and length of the built-in levels. In the measured battles, the
//! easy AI (makes a beginner's mistakes) controls the player's sides and the quick AI (the
//! opponent on Normal) the others. `fivefoot-measure levels` measures the levels.

use super::MAX_ANSWERS;
use crate::{
    battle::{Battle, DiceBox, Ruleset, level_setup},
    control::{Controllers, Player, play, recording::checksum},
    levels::{Control, Level, built_in},
    rulesets,
};
use serde::{Deserialize, Serialize};
use std::{
    cmp::Reverse,
    collections::BTreeMap,
    sync::{Arc, LazyLock},
};

/// Measured results of a level under one ruleset.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Measured {
    /// Percent of the battles that the player's sides won.
    pub won: f64,
    /// Mean number of rounds.
    pub rounds: f64,
}

impl Measured {
    /// The rating that these results give.
    pub fn hardness(self) -> Hardness {
        let fits = |one: &Hardness| self.won >= one.least();
        let found = Hardness::ALL.into_iter().find(fits);
        found.unwrap_or(Hardness::Cruel)
    }
}

/// Measured results of a level.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct OfLevel {
    /// Checksum of the level file that was measured.
    pub checksum: String,
    /// Results by ruleset id, for each ruleset that the level suits.
    pub rules: BTreeMap<String, Measured>,
}

/// Measured results by level id.
pub type Known = BTreeMap<String, OfLevel>;

static KNOWN: LazyLock<Known> = LazyLock::new(|| {
    let text = include_str!("../../../assets/levels.json");
    // The file is part of the program, and the tests parse it.
    serde_json::from_str(text).expect("assets/levels.json")
});

impl OfLevel {
    /// Whether the level is unchanged since it was measured.
    pub fn is_of(&self, level: &Level) -> bool {
        self.checksum == checksum(&level.source)
    }
}

/// Measured results of a level. `None` if it was not measured or has changed since.
pub fn of(level: &Level) -> Option<&'static OfLevel> {
    KNOWN.get(&level.id).filter(|of| of.is_of(level))
}

/// Measured results of a level under the ruleset with this id, if there are any.
pub fn under(level: &Level, rules: &str) -> Option<Measured> {
    of(level)?.rules.get(rules).copied()
}

/// How hard a level is on Normal, under one ruleset.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Hardness {
    Gentle,
    Tricky,
    Hard,
    Cruel,
}

impl Hardness {
    pub const ALL: [Self; 4] = [Self::Gentle, Self::Tricky, Self::Hard, Self::Cruel];

    /// The name for players.
    pub fn name(self) -> &'static str {
        match self {
            Self::Gentle => "Gentle",
            Self::Tricky => "Tricky",
            Self::Hard => "Hard",
            Self::Cruel => "Cruel",
        }
    }

    /// The smallest percentage of battles won by the easy AI for this rating.
    fn least(self) -> f64 {
        match self {
            Self::Gentle => 60.0,
            Self::Tricky => 40.0,
            Self::Hard => 20.0,
            Self::Cruel => 0.0,
        }
    }

    /// The rating of a level under the ruleset with this id, if it was measured.
    pub fn under(level: &Level, rules: &str) -> Option<Self> {
        under(level, rules).map(Measured::hardness)
    }
}

static BY_DIFFICULTY: LazyLock<Vec<Arc<Level>>> = LazyLock::new(|| {
    let mut all = built_in().to_vec();
    all.sort_by_cached_key(|level| ease(level, rulesets::ALL[0].id));
    all
});

/// Sorts levels under a ruleset, easiest first; levels without results come last.
pub fn ease(level: &Level, rules: &str) -> Reverse<Option<i64>> {
    // In tenths of a percent.
    Reverse(under(level, rules).map(|of| (of.won * 10.0).round() as i64))
}

/// The built-in levels, easiest first under the ruleset that new players start with.
pub fn by_difficulty() -> &'static [Arc<Level>] {
    &BY_DIFFICULTY
}

/// The rulesets under which a level is measured: those that it suits.
pub fn rulesets_of(level: &Level) -> impl Iterator<Item = &'static Ruleset> {
    rulesets::ALL.into_iter().filter(|r| level.suits(r.id))
}

/// Simulates one battle: whether one of the player's sides won, and the last round.
pub fn fight(level: &Arc<Level>, rules: &'static Ruleset, seed: u64) -> (bool, u32) {
    let setup = level_setup(level);
    let of_side = |control| match control {
        Control::Player => Player::Easy,
        Control::Ai => Player::Quick,
    };
    let players: Vec<Player> = level.sides.iter().map(|s| of_side(s.control)).collect();
    let mut controllers = Controllers::new(&players, &setup, rules, seed);
    let mut battle = Battle::new(setup, rules, DiceBox::seeded(seed));
    play(&mut battle, &mut controllers, MAX_ANSWERS);
    let winner = battle.over().flatten();
    let won = winner.is_some_and(|side| level.sides[side.index()].control == Control::Player);
    (won, battle.rounds().max(1))
}

impl Measured {
    /// Summarises battles from [`fight`], rounded to tenths.
    pub fn of(fought: &[(bool, u32)]) -> Self {
        let tenth = |x: f64| (x * 10.0).round() / 10.0;
        let all = fought.len().max(1) as f64;
        let won = fought.iter().filter(|battle| battle.0).count() as f64;
        let rounds = fought.iter().map(|battle| f64::from(battle.1)).sum::<f64>();
        Self {
            won: tenth(100.0 * won / all),
            rounds: tenth(rounds / all),
        }
    }
}
