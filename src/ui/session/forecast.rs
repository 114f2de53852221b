//! Who is likely to win, from what the player knows: at once by a formula, then by
//! battles that are played on beside the window.

use super::{Session, thinking::Thinking};
use crate::{
    battle::{Battle, DiceBox, Side},
    control::{
        course::Course,
        forecast::{self, Chance},
    },
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
    /// By how much, as logarithms of the odds, what was played on differed from the
    /// formula, each with how many events there were, in their order.
    astray: Vec<(usize, f32)>,
}

impl Outlook {
    /// That difference when it was last found before an event, or else first after it.
    fn astray_at(&self, event: usize) -> f32 {
        let before = self.astray.iter().rfind(|found| found.0 <= event);
        before.or(self.astray.first()).map_or(0.0, |found| found.1)
    }
}

impl Session {
    /// The chance of the player's side to win, by what the screen shows; none
    /// once it is over, or where no forecast was fitted. Until battles have been played
    /// on from here, the formula is trusted as much as it was right the last time.
    pub fn chance(&self) -> Option<Chance> {
        if self.game.is_over() && self.is_caught_up() {
            return None;
        }
        let astray = || self.outlook.astray_at(self.shown().events);
        let likely = || Some(self.chance_at_once()?.corrected(astray()));
        self.outlook.refined.or_else(likely)
    }

    /// How the battle went so far for the player's side, by what was found out on the way.
    pub fn course(&self) -> Course {
        let astray = |event| self.outlook.astray_at(event);
        self.game.course(self.player(), &astray)
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
                astray: std::mem::take(&mut self.outlook.astray),
                ..Outlook::default()
            };
            self.outlook.thinking = self.play_on_from_here();
        }
        let thinking = self.outlook.thinking.as_mut();
        let Some(chance) = thinking.and_then(|thinking| thinking.done(false)) else {
            return false;
        };
        if let Some(formula) = self.chance_at_once() {
            let (event, found) = (self.shown().events, chance.log_odds() - formula.log_odds());
            // What was undone is no more.
            self.outlook.astray.retain(|known| known.0 < event);
            self.outlook.astray.push((event, found));
        }
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
