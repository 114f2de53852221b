//! Win probability from what the player knows: first by a formula, then by simulated playouts in
//! the background.

use super::{Session, game::playout_seed, thinking::Thinking};
use crate::{
    battle::{Battle, DiceBox, Side},
    control::{
        forecast::{self, Chance},
        simulation::Situation,
        strategist::play_to_the_end,
        timeline::{self, Point, Review, Timeline, TimelineAction, timeline},
    },
};
use bevy::ecs::world::World;

/// Playouts from one decision: enough to settle any chance.
const PLAYOUTS: u32 = 150;

/// Most weight, in playouts, of an earlier estimate for the next one. A higher value makes the
/// number steadier while nothing happens.
const CARRIED: u32 = 80;

/// Least change of the corrected formula, 0 to 1, at which something has happened: playouts from
/// before it say little about the state after it.
const CHANGE: f32 = 0.015;

#[derive(Default)]
pub struct WinProbability {
    /// Answers given, events shown, and the viewing side.
    moment: Option<(usize, usize, Side)>,
    thinking: Option<Thinking<Chance>>,
    refined: Option<Chance>,
    /// The results of playouts so far, in order of events.
    readings: Vec<Reading>,
}

/// A result of playouts, which the bar has shown.
#[derive(Clone, PartialEq, Debug)]
pub struct Reading {
    pub side: Side,
    /// Number of events shown.
    pub event: usize,
    pub chance: Chance,
    /// How far the formula was off, as a difference of log odds.
    off_by: f32,
}

impl WinProbability {
    /// Forgets the readings after the first `events` events, which were undone.
    pub(super) fn rewind(&mut self, events: usize) {
        self.readings.retain(|reading| reading.event <= events);
    }
}

impl Session {
    /// The win probability of the player's side from what the screen shows; `None` once the battle
    /// is over, or if the ruleset has no fitted forecast. While [`is_estimating`](Self::is_estimating),
    /// the last result of playouts stays; the formula is for battles without any.
    pub fn chance(&self) -> Option<Chance> {
        if self.game.is_over() && self.is_caught_up() {
            return None;
        }
        let last = || self.last_reading().filter(|_| self.is_measured());
        let refined = self.outlook.refined;
        let measured = refined.or_else(|| last().map(|reading| reading.chance));
        measured.or_else(|| self.likely())
    }

    /// Whether the chance of the current state is not settled: the formula alone, few playouts, and
    /// playouts from an earlier state can be far off.
    pub fn is_estimating(&self) -> bool {
        self.is_measured() && !self.outlook.refined.is_some_and(Chance::is_settled)
    }

    /// Whether there are playouts at the player's decisions.
    fn is_measured(&self) -> bool {
        self.replay().is_none() && self.game.humans() > 0
    }

    /// The last playout result for the player's side at or before this state.
    fn last_reading(&self) -> Option<&Reading> {
        let (now, player) = (self.shown().events, self.player());
        let mut readings = self.outlook.readings.iter();
        readings.rfind(|reading| reading.side == player && reading.event <= now)
    }

    /// The formula, corrected by the last playout result at or before this state.
    fn likely(&self) -> Option<Chance> {
        let formula = self.chance_at_once()?;
        Some(self.last_reading().map_or(formula, |last| {
            let corrected = formula.corrected(last.off_by);
            match (corrected.value - last.chance.value).abs() < CHANGE {
                true => Chance {
                    worth: last.chance.worth.min(CARRIED),
                    ..corrected
                },
                false => corrected,
            }
        }))
    }

    /// The simulated chances that the bar has shown, of all sides that a player of this screen
    /// controls. A loaded battle begins without any.
    pub fn readings(&self) -> &[Reading] {
        &self.outlook.readings
    }

    /// Restores the readings of the same battle, after it was loaded again.
    pub fn restore_readings(&mut self, readings: Vec<Reading>) {
        self.outlook.readings = readings;
    }

    /// The course of the battle for the player's side. It passes through what the bar showed and
    /// through the decisive action of the review. If the bar showed no simulated chance, it passes
    /// through everything that the review measured.
    pub fn timeline(&self, review: &Review) -> Timeline {
        let mut measured = self.shown_chances();
        // The review knows what the player did not, so the two are not mixed further than needed.
        match measured.is_empty() {
            true => measured.clone_from(&review.measured),
            false => measured.extend(review.decisive.iter().flat_map(TimelineAction::ends)),
        }
        timeline(&self.game.battle, self.player(), &measured)
    }

    /// The action that changed the win probability most by a timeline of the battle.
    pub fn estimated_swing(&self, timeline: &Timeline) -> Option<TimelineAction> {
        timeline::estimated_swing(&self.game.battle, self.player(), timeline)
    }

    /// The simulated chances of the player's side that the bar has shown.
    fn shown_chances(&self) -> Vec<Point> {
        let player = self.player();
        let readings = self.readings().iter();
        let shown = readings.filter(|reading| reading.side == player);
        let point = |reading: &Reading| Point {
            event: reading.event,
            chance: reading.chance.value,
        };
        shown.map(point).collect()
    }

    /// Looks for what decided the battle, on a background thread.
    pub fn review(&self) -> Thinking<Review> {
        let (game, side) = (&self.game, self.player());
        let battle = game.battle.at(game.answered());
        let (shown, seed) = (self.shown_chances(), playout_seed(game.seed()));
        Thinking::of(move |dropped| timeline::review(&battle, (side, &shown), seed, dropped))
    }

    fn chance_at_once(&self) -> Option<Chance> {
        let (rules, player) = (self.game.rules(), self.player());
        let unknown = self.queries.unknown(player);
        let read = |world: &mut World| forecast::formula_estimate(world, rules, player, &unknown);
        self.queries.ask(read)
    }

    /// Runs playouts from the current decision; returns whether there is a new result.
    pub fn update_win_probability(&mut self) -> bool {
        let now = (self.game.answered(), self.shown().events, self.player());
        if self.outlook.moment != Some(now) {
            self.outlook = WinProbability {
                moment: Some(now),
                readings: std::mem::take(&mut self.outlook.readings),
                ..WinProbability::default()
            };
            self.outlook.thinking = self.play_on_from_here();
        }
        let thinking = self.outlook.thinking.as_mut();
        let Some(chance) = thinking.and_then(|thinking| thinking.done(false)) else {
            return false;
        };
        if let Some(formula) = self.chance_at_once() {
            let reading = Reading {
                side: self.player(),
                event: self.shown().events,
                chance,
                off_by: chance.log_odds() - formula.log_odds(),
            };
            self.outlook.readings.push(reading);
        }
        (self.outlook.thinking, self.outlook.refined) = (None, Some(chance));
        true
    }

    /// A fork at the player's decision without anything the player can't know, and the seed of its
    /// dice; `None` without a decision.
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
        // Plans are no part of the battle's state.
        let planned = self.situation(None).filter(Situation::has_intentions);
        let seed = playout_seed(self.game.seed());
        Some(Thinking::of(move |dropped| {
            let play = |seed| match &planned {
                Some(situation) => situation.play_to_the_end(seed),
                None => play_to_the_end(&base, side, seed),
            };
            forecast::refine(play, first, PLAYOUTS, seed, &|| dropped())
        }))
    }
}
