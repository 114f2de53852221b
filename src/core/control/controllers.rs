//! The players of a battle and their controllers.

use super::{Controller, Easy, Idle, Quick, Random, Strategist, bot::External};
use crate::battle::{Battle, Ruleset, Setup, Side};
use serde::{Deserialize, Serialize};

/// Who plays a side, as named on the command line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Player {
    /// The strategist, with this many playouts per decision.
    Strategist(u32),
    /// The quick AI.
    Quick,
    /// The quick AI with a beginner's mistakes.
    #[serde(alias = "Novice")]
    Easy,
    /// Makes any legal choice.
    Random,
    /// Does as little as possible.
    Idle,
    /// An external player. Files never contain one, so that reading a file never starts a
    /// process.
    #[serde(skip)]
    External(External),
}

impl Player {
    /// All built-in players, each with its name and a description.
    pub const ALL: [(Self, &'static str, &'static str); 5] = [
        (
            Self::Strategist(Strategist::PLAYOUTS),
            "strategist",
            "simulates its options; `strategist:64` uses 64 playouts per decision",
        ),
        (
            Self::Quick,
            "quick",
            "takes the best-looking action at once",
        ),
        (
            Self::Easy,
            "easy",
            "the quick AI with a beginner's mistakes",
        ),
        (Self::Random, "random", "any legal answer"),
        (Self::Idle, "idle", "does as little as possible"),
    ];

    /// The name on the command line.
    pub fn name(self) -> String {
        if let Self::Strategist(playouts) = self {
            return format!("strategist:{playouts}");
        }
        if let Self::External(external) = self {
            return external.0.name();
        }
        let found = Self::ALL.iter().find(|(player, ..)| *player == self);
        found.map_or("?", |(_, name, _)| name).into()
    }
}

impl std::str::FromStr for Player {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let name = text.to_lowercase();
        if let Some(playouts) = name.strip_prefix("strategist:") {
            let playouts: Option<u32> = playouts.parse().ok();
            let playouts = playouts.filter(|n| (1..=1_000_000).contains(n));
            let why = "after 'strategist:' goes a number of playouts, 1 to 1000000";
            return playouts.map(Self::Strategist).ok_or_else(|| why.into());
        }
        // The old name of the easy AI.
        let name = if name == "novice" { "easy" } else { &name };
        let found = Self::ALL.into_iter().find(|(_, known, _)| *known == name);
        found.map(|(player, ..)| player).ok_or_else(|| {
            let known = Self::ALL.map(|(_, name, _)| name);
            let help = crate::ron_read::suggestion(text, known);
            format!("there is no AI called '{text}'; {help}")
        })
    }
}

/// A controller for each side.
pub struct Controllers(pub Vec<Box<dyn Controller>>);

impl Controllers {
    /// Controllers for `players`, by side. `seed` is for those that use random numbers,
    /// independent of the battle's dice.
    pub fn new(players: &[Player], setup: &Setup, rules: &'static Ruleset, seed: u64) -> Self {
        let controller = |(n, player): (usize, &Player)| player.controller(setup, rules, n, seed);
        Self(players.iter().enumerate().map(controller).collect())
    }
}

impl Player {
    /// A controller for the side with this number.
    pub fn controller(
        self,
        setup: &Setup,
        rules: &'static Ruleset,
        n: usize,
        seed: u64,
    ) -> Box<dyn Controller> {
        let quick = || Quick::new(setup, rules, Side(n as u8));
        match self {
            Self::Strategist(playouts) => {
                let (side, seed) = (Side(n as u8), controller_seed(seed, n));
                Box::new(Strategist::new(setup, rules, side, playouts, seed))
            }
            Self::Quick => Box::new(quick()),
            Self::Easy => Box::new(Easy::new(quick(), controller_seed(seed, n))),
            Self::Random => Box::new(Random::new(controller_seed(seed, n))),
            Self::Idle => Box::new(Idle),
            Self::External(external) => {
                let seed = controller_seed(seed, n);
                external.0.controller(setup, rules, Side(n as u8), seed)
            }
        }
    }
}

impl Controllers {
    /// Notifies all controllers that the battle has ended.
    pub fn ended(&mut self, battle: &Battle) {
        self.0.iter_mut().for_each(|one| one.ended(battle));
    }

    /// Resets all controllers for another battle with the same set-up.
    pub fn restart(&mut self, battle: &mut Battle, seed: u64) {
        let pristine = battle.pristine();
        for (n, controller) in self.0.iter_mut().enumerate() {
            controller.restart(pristine, controller_seed(seed, n));
        }
    }
}

/// A seed for the controller of a side, different for each side and from the battle's dice.
pub fn controller_seed(seed: u64, controller: usize) -> u64 {
    seed ^ ((controller as u64 + 1) << 32)
}

/// Answers every decision until the battle is over or `most` answers have been given.
///
/// # Panics
/// If a controller makes an illegal choice.
pub fn play(battle: &mut Battle, controllers: &mut Controllers, most: usize) {
    for _ in 0..most {
        let Some(question) = battle.asked() else {
            return;
        };
        let side = question.side.index();
        let choice = controllers.0[side].choose(battle);
        if let Err(e) = battle.answer(choice) {
            panic!("an illegal answer: {e}");
        }
    }
}
