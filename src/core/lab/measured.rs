//! How hard the levels of the game are and how long they take, measured in battles: the
//! Easy AI in the player's place, as a beginner plays, against the quick AI, the
//! opponent on Normal difficulty. `fivefoot levels --fit` measures them.

use super::MOST_ANSWERS;
use crate::{
    battle::{Battle, DiceBox, EventKind, Ruleset, level_setup},
    control::{Player, Table, play, recording::checksum},
    levels::{Control, Level, built_in},
    rulesets,
};
use serde::{Deserialize, Serialize};
use std::{
    cmp::Reverse,
    collections::BTreeMap,
    sync::{Arc, LazyLock},
};

/// What battles on a level under one ruleset come to.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Measured {
    /// Percent of the battles that the player's sides won.
    pub won: f64,
    /// Rounds until the end, on average.
    pub rounds: f64,
}

/// What is known of a level.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct OfLevel {
    /// The checksum of the level's file, as it was when it was measured.
    pub checksum: String,
    /// By ruleset, for each that the level suits.
    pub rules: BTreeMap<String, Measured>,
}

/// By the id of the level.
pub type Known = BTreeMap<String, OfLevel>;

static KNOWN: LazyLock<Known> = LazyLock::new(|| {
    let text = include_str!("../../../assets/levels.json");
    // A broken build, which the tests would not let pass.
    serde_json::from_str(text).expect("assets/levels.json")
});

impl OfLevel {
    /// Whether it was measured with the level as it is.
    pub fn is_of(&self, level: &Level) -> bool {
        self.checksum == checksum(&level.source)
    }

    /// Percent of battles won, on average over the rulesets.
    fn won(&self) -> f64 {
        let all = self.rules.values().map(|of| of.won);
        all.sum::<f64>() / self.rules.len().max(1) as f64
    }
}

/// What is known of a level; `None` for one that does not come with the game, or has
/// changed since it was measured.
pub fn of(level: &Level) -> Option<&'static OfLevel> {
    KNOWN.get(&level.id).filter(|of| of.is_of(level))
}

/// What is known of a level under a ruleset.
pub fn under(level: &Level, rules: &str) -> Option<Measured> {
    of(level)?.rules.get(rules).copied()
}

/// How hard a level is on Normal difficulty, over all rulesets that it suits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Hardness {
    Gentle,
    Fair,
    Hard,
    Cruel,
}

impl Hardness {
    pub const ALL: [Self; 4] = [Self::Gentle, Self::Fair, Self::Hard, Self::Cruel];

    /// "Gentle".
    pub fn name(self) -> &'static str {
        match self {
            Self::Gentle => "Gentle",
            Self::Fair => "Fair",
            Self::Hard => "Hard",
            Self::Cruel => "Cruel",
        }
    }

    /// The least percent of battles that the Easy AI wins in the player's place.
    fn least(self) -> f64 {
        match self {
            Self::Gentle => 60.0,
            Self::Fair => 30.0,
            Self::Hard => 20.0,
            Self::Cruel => 0.0,
        }
    }

    /// How hard a level is; `None` where nobody has measured it.
    pub fn of(level: &Level) -> Option<Self> {
        let won = of(level)?.won();
        Self::ALL.into_iter().find(|one| won >= one.least())
    }
}

static BY_DIFFICULTY: LazyLock<Vec<Arc<Level>>> = LazyLock::new(|| {
    let mut all = built_in().to_vec();
    // In tenths of a percent; what nobody has measured comes last.
    let won = |level: &Arc<Level>| of(level).map(|of| (of.won() * 10.0).round() as i64);
    all.sort_by_cached_key(|level| Reverse(won(level)));
    all
});

/// The levels that come with the game, the easiest first.
pub fn by_difficulty() -> &'static [Arc<Level>] {
    &BY_DIFFICULTY
}

/// The rulesets under which a level is measured.
pub fn rulesets_of(level: &Level) -> impl Iterator<Item = &'static Ruleset> {
    rulesets::ALL.into_iter().filter(|r| level.suits(r.id))
}

/// Fights one battle: whether the player's sides won it, and in which round it ended.
pub fn fight(level: &Arc<Level>, rules: &'static Ruleset, seed: u64) -> (bool, u32) {
    let setup = level_setup(level);
    let of_side = |control| match control {
        Control::Player => Player::Easy,
        Control::Ai => Player::Quick,
    };
    let players: Vec<Player> = level.sides.iter().map(|s| of_side(s.control)).collect();
    let mut table = Table::new(&players, &setup, rules, seed);
    let mut battle = Battle::new(setup, rules, DiceBox::seeded(seed));
    play(&mut battle, &mut table, MOST_ANSWERS);
    let winner = battle.over().flatten();
    let won = winner.is_some_and(|side| level.sides[side.index()].control == Control::Player);
    let rounds = battle.events().iter().filter_map(|event| match event.what {
        EventKind::RoundBegan { round } => Some(u32::from(round)),
        _ => None,
    });
    (won, rounds.max().unwrap_or(1))
}

impl Measured {
    /// What battles came to, to a tenth; each as [`fight`] has it.
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
