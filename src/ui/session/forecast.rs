//! Who is likely to win, from what the player knows: at once by a formula, then by
//! battles that are played on beside the window.

use super::{Session, thinking::Thinking};
use crate::{
    battle::{Battle, DiceBox, Side},
    control::forecast::{self, Chance},
};
use std::time::{Duration, Instant};

/// Battles that are played on from a question.
const PLAYOUTS: u32 = 120;

/// How long that takes at most.
const TIME: Duration = Duration::from_secs(3);

/// What is known of the outcome from a moment on.
#[derive(Default)]
pub struct Outlook {
    /// Answers, events shown, and whose eyes.
    moment: Option<(usize, usize, Side)>,
    thinking: Option<Thinking<Chance>>,
    refined: Option<Chance>,
}

impl Session {
    /// The chance of the player's side to win, by what the screen shows; none
    /// once it is over, or where no forecast was fitted.
    pub fn chance(&self) -> Option<Chance> {
        if self.game.is_over() && self.is_caught_up() {
            return None;
        }
        self.outlook.refined.or_else(|| self.chance_at_once())
    }

    fn chance_at_once(&self) -> Option<Chance> {
        let (rules, player) = (self.game.rules(), self.player());
        let unknown = self.reads.unknown(player);
        self.reads
            .ask(|world| forecast::at_once(world, rules, player, &unknown))
    }

    /// Plays on from where the player is asked; true when something has come of
    /// it.
    pub fn foretell(&mut self) -> bool {
        let now = (self.game.answered(), self.shown().events, self.player());
        if self.outlook.moment != Some(now) {
            self.outlook = Outlook {
                moment: Some(now),
                ..Outlook::default()
            };
            self.outlook.thinking = self.play_on_from_here();
        }
        let thinking = self.outlook.thinking.as_mut();
        let Some(chance) = thinking.and_then(|thinking| thinking.done(false)) else {
            return false;
        };
        (self.outlook.thinking, self.outlook.refined) = (None, Some(chance));
        true
    }

    /// A fork of the player's question that holds nothing which they cannot know,
    /// and the seed of its dice.
    pub(super) fn fork_from_here(&self) -> Option<(Battle, u64)> {
        self.question()?;
        let game = &self.game;
        let mut known = game.replica(Some(self.player()));
        let seed = game.seed() ^ ((game.answered() as u64 + 1) << 24);
        let base = game.battle.fork_known(&mut known, DiceBox::seeded(seed));
        Some((base, seed))
    }

    fn play_on_from_here(&self) -> Option<Thinking<Chance>> {
        let (side, first) = (self.player(), self.chance_at_once()?);
        let (base, seed) = self.fork_from_here()?;
        Some(Thinking::of(move |dropped| {
            let began = Instant::now();
            let enough = || dropped() || began.elapsed() >= TIME;
            forecast::refine(&base, side, first, PLAYOUTS, seed, &enough)
        }))
    }
}
