//! Who is likely to win, from what the player knows: at once by a formula, then by
//! battles that are played on beside the window.

use super::{Session, game::playout_seed, thinking::Thinking};
use crate::{
    battle::{Battle, DiceBox, Side},
    control::{
        course::{Course, Point, Review},
        forecast::{self, Chance},
    },
};
use std::time::{Duration, Instant};

/// Battles that are played on from a question.
const PLAYOUTS: u32 = 120;

/// How long that takes at most.
const TIME: Duration = Duration::from_secs(3);

/// What a chance found at an earlier moment is worth at most at the next one, in
/// playouts. The more it is, the less the number moves while nothing happens.
const CARRIED: u32 = 80;

/// What is known of the outcome from a moment on.
#[derive(Default)]
pub struct Outlook {
    /// Answers, events shown, and whose eyes.
    moment: Option<(usize, usize, Side)>,
    thinking: Option<Thinking<Chance>>,
    refined: Option<Chance>,
    /// What was found by playing on, in the order of events.
    found: Vec<Found>,
}

/// How far the formula was off at a moment.
struct Found {
    /// How many events had been shown.
    event: usize,
    /// As a logarithm of odds.
    off_by: f32,
    /// What the chance that was found is worth, in playouts.
    worth: u32,
}

impl Session {
    /// The chance of the player's side to win, by what the screen shows; none
    /// once it is over, or where no forecast was fitted. Until battles have been played
    /// on from here, the formula counts as it was found to be off the last time.
    pub fn chance(&self) -> Option<Chance> {
        if self.game.is_over() && self.is_caught_up() {
            return None;
        }
        self.outlook.refined.or_else(|| self.likely())
    }

    /// The formula, corrected by what was found at the last moment before this one.
    fn likely(&self) -> Option<Chance> {
        let formula = self.chance_at_once()?;
        let now = self.shown().events;
        let last = self.outlook.found.iter().rfind(|found| found.event <= now);
        Some(last.map_or(formula, |last| Chance {
            worth: last.worth.min(CARRIED),
            ..formula.corrected(last.off_by)
        }))
    }

    /// How the battle went so far for the player's side, through chances that were
    /// measured.
    pub fn course(&self, measured: &[Point]) -> Course {
        self.game.course(self.player(), measured)
    }

    /// Looks for what decided the battle, on a thread of its own.
    pub fn review(&self) -> Thinking<Review> {
        self.game.review(self.player())
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
                found: std::mem::take(&mut self.outlook.found),
                ..Outlook::default()
            };
            // What was undone is no more.
            self.outlook.found.retain(|found| found.event <= now.1);
            self.outlook.thinking = self.play_on_from_here();
        }
        let thinking = self.outlook.thinking.as_mut();
        let Some(chance) = thinking.and_then(|thinking| thinking.done(false)) else {
            return false;
        };
        if let Some(formula) = self.chance_at_once() {
            self.outlook.found.push(Found {
                event: self.shown().events,
                off_by: chance.log_odds() - formula.log_odds(),
                worth: chance.worth,
            });
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
        let (side, first) = (self.player(), self.likely()?);
        let (base, _) = self.fork_from_here()?;
        let seed = playout_seed(self.game.seed());
        Some(Thinking::of(move |dropped| {
            let began = Instant::now();
            let enough = || dropped() || began.elapsed() >= TIME;
            forecast::refine(&base, side, first, PLAYOUTS, seed, &enough)
        }))
    }
}
