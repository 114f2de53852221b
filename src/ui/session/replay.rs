//! Replays: watching a recording, at any point of the battle.

use super::{Reading, Session, Unloadable};
use crate::{
    battle::{Event, EventKind, Id, Side},
    control::{Player, recording::SideController},
};

#[derive(Clone, PartialEq, Debug)]
pub struct Replay {
    /// It stops before this event.
    pub(super) until: usize,
    /// Speed relative to a battle.
    pub speed: f32,
    /// What the win chance bar showed in the battle. `Some` if the battle was just played, so
    /// that its result can be shown again.
    result: Option<Vec<Reading>>,
}

/// The speeds to choose from.
pub const SPEEDS: [f32; 5] = [0.5, 1.0, 2.0, 4.0, 8.0];

/// A notable event on the timeline.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TimelineMark {
    /// Number of events after which it has happened.
    pub event: usize,
    pub kind: MarkKind,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MarkKind {
    Round(u16),
    Fell(Id),
    Fled(Id),
    Over,
}

impl Session {
    /// A copy of the battle from its beginning, as a replay. The replay of a battle just played
    /// can return to its result.
    pub fn as_replay(&self) -> Result<Self, Unloadable> {
        let session = Self::load(&self.recording(""))?;
        Ok(session.into_replay().with_result(self.result_readings()))
    }

    /// Makes a replay one of a battle just played, with what the win chance bar showed in it.
    pub fn with_result(mut self, readings: Option<Vec<Reading>>) -> Self {
        if let Some(replay) = &mut self.display.replay {
            replay.result = readings;
        }
        self
    }

    /// What the win chance bar showed in a battle just played; `None` if the battle isn't over,
    /// and in the replay of a file.
    pub fn result_readings(&self) -> Option<Vec<Reading>> {
        match self.replay() {
            Some(replay) => replay.result.clone(),
            None => self.game.is_over().then(|| self.readings().to_vec()),
        }
    }

    /// Whether this is the replay of a battle just played, which can return to its result.
    pub fn has_result(&self) -> bool {
        self.replay().is_some_and(|replay| replay.result.is_some())
    }

    /// The battle just played of which this is the replay, at its end.
    pub fn as_played(&self) -> Option<Self> {
        let readings = self.replay()?.result.clone()?;
        // This version of the program recorded the battle, so loading it works.
        let mut session = Self::load(&self.recording("")).ok()?;
        session.restore_readings(readings);
        Some(session)
    }

    /// Turns the battle into a replay from its beginning, with everything visible.
    pub fn into_replay(mut self) -> Self {
        let until = self.game.length();
        self.display.replay = Some(Replay {
            until,
            speed: 1.0,
            result: None,
        });
        self.display.sees_all = true;
        self.display.gate = None;
        self.game.undo_points.clear();
        self.seek(0);
        self.play(true);
        self
    }

    pub fn replay(&self) -> Option<&Replay> {
        self.display.replay.as_ref()
    }

    /// Whether the screen shows past events: in a replay, or while the last round is replayed.
    pub fn shows_past(&self) -> bool {
        self.replay().is_some() || self.shown().events < self.display.rewatched
    }

    pub fn is_playing(&self) -> bool {
        let at = self.shown().events;
        self.replay().is_some_and(|replay| replay.until > at)
    }

    /// Starts or pauses the replay; at the end it starts over.
    pub fn play(&mut self, on: bool) {
        let end = self.game.length();
        if on && self.is_caught_up() && end > 0 {
            self.seek(0);
        }
        let at = self.shown().events;
        if let Some(replay) = &mut self.display.replay {
            replay.until = if on { end } else { at };
        }
    }

    pub fn set_speed(&mut self, speed: f32) {
        if let Some(replay) = &mut self.display.replay {
            replay.speed = speed;
        }
    }

    /// Factor on the duration of events.
    pub fn stretch(&self) -> f32 {
        self.replay().map_or(1.0, |replay| 1.0 / replay.speed)
    }

    /// Shows the state after the first `event` events and pauses there.
    pub fn seek(&mut self, event: usize) {
        let Some(replay) = &mut self.display.replay else {
            return;
        };
        replay.until = event;
        if event < self.shown().events {
            self.show_anew();
        } else {
            self.catch_up();
        }
    }

    /// Plays to the end of the next action, or jumps back before the last.
    pub fn step(&mut self, back: bool) {
        let at = self.shown().events;
        if back {
            self.seek(self.action_before(at));
        } else if let Some(replay) = &mut self.display.replay {
            let ends = (0..=self.game.answered()).map(|n| self.game.events_before(n));
            replay.until = ends.filter(|&n| n > at).min().unwrap_or(at);
        }
    }

    /// The number of events before the action that an event belongs to.
    pub fn action_before(&self, event: usize) -> usize {
        let starts = (0..=self.game.answered()).map(|n| self.game.events_before(n));
        starts.filter(|&n| n < event).max().unwrap_or(0)
    }

    /// The notable events in order.
    pub fn marks(&self) -> Vec<TimelineMark> {
        let events = self.game.events().iter().enumerate();
        let mark = |(n, event): (usize, &Event)| {
            let kind = match event.what {
                EventKind::RoundBegan { round } => MarkKind::Round(round),
                EventKind::Fell { who } => MarkKind::Fell(who),
                EventKind::Fled { who } => MarkKind::Fled(who),
                EventKind::Over { .. } => MarkKind::Over,
                _ => return None,
            };
            Some(TimelineMark { event: n + 1, kind })
        };
        events.filter_map(mark).collect()
    }

    /// The number of events before the last round with any action; `None` if there was none.
    fn last_round(&self) -> Option<usize> {
        let events = &self.game.events()[..self.shown().events];
        let begins = |e: &Event| matches!(e.what, EventKind::RoundBegan { .. });
        let moves = |e: &Event| matches!(e.what, EventKind::Moved { .. });
        let attacks = |e: &Event| matches!(e.what, EventKind::AttackRolled { .. });
        let last = events.iter().rposition(|e| moves(e) || attacks(e))?;
        events[..last].iter().rposition(begins)
    }

    /// Whether the last round can be replayed.
    pub fn can_rewatch(&self) -> bool {
        self.replay().is_none() && self.is_caught_up() && self.last_round().is_some()
    }

    /// Replays the last round up to the current state; false if there is nothing to show.
    pub fn rewatch(&mut self) -> bool {
        let Some(start) = self.last_round().filter(|_| self.can_rewatch()) else {
            return false;
        };
        let (until, events) = (self.display.gate, self.shown().events);
        self.display.gate = Some(start);
        self.show_anew();
        (self.display.gate, self.display.rewatched) = (until, events);
        self.display.hurry = false;
        true
    }

    /// The battle after the first `answers` answers, with `side` played by a human; the quick AI
    /// replaces other humans.
    pub fn from_moment(&self, answers: usize, side: Side) -> Self {
        let controller = |(n, controller): (usize, &SideController)| match controller {
            _ if n == side.index() => SideController::Human,
            SideController::Human => SideController::Ai(Player::Quick),
            other => *other,
        };
        let controllers = self.game.controllers().iter().enumerate().map(controller);
        self.played_from(answers, controllers.collect(), side)
    }

    /// A battle that continues from the shown point of a replay, with its controllers.
    pub fn play_on(&self) -> Self {
        let at = self.shown().events;
        let is_shown = |n: &usize| self.game.events_before(n + 1) <= at;
        let answers = (0..self.game.answered()).take_while(is_shown).count();
        self.played_from(answers, self.game.controllers().to_vec(), self.player())
    }

    /// The battle after the first `answers` answers, seen by a side and with these controllers.
    fn played_from(&self, answers: usize, controllers: Vec<SideController>, viewer: Side) -> Self {
        let game = &self.game;
        let battle = game.battle.at(answers);
        let mut session = Self::of(game.level(), battle, game.seed(), controllers, Some(viewer));
        session.all_seen();
        session
    }
}
