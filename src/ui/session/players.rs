//! Controllers of the sides, changes of players at a shared screen, and recording and loading.

use super::Session;
use crate::{
    battle::{Event, EventKind, Side},
    control::{
        Player,
        recording::{Broken, Recording, SaveInfo, SideController},
    },
    levels::{Control, Level},
};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// How often a turn may be restarted in a battle.
pub const MAX_RESTARTS: u8 = 1;

/// The controllers that the level defines.
pub fn usual(level: &Level) -> Vec<SideController> {
    let controller = |control| match control {
        Control::Player => SideController::Human,
        Control::Ai => SideController::Ai(Player::Quick),
    };
    let sides = level.sides.iter();
    sides.map(|side| controller(side.control)).collect()
}

/// The controller to write into a recording: loading must not start a program, so the quick AI
/// replaces an external AI.
fn recorded(controller: SideController) -> SideController {
    match controller {
        SideController::Ai(Player::External(_)) => SideController::Ai(Player::Quick),
        other => other,
    }
}

pub(super) fn since_1970() -> Duration {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.unwrap_or_default()
}

/// Seconds since 1970, UTC.
pub fn now() -> u64 {
    since_1970().as_secs()
}

/// A recording that can't be continued from its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unloadable {
    pub why: String,
    /// Number of its answers that still run the same; 0 if none does.
    pub valid_answers: usize,
}

impl Session {
    /// The side of another human that must decide next: nothing is shown before that player
    /// confirms being at the screen.
    pub fn awaits_player(&self) -> Option<Side> {
        let asked = self.asked().filter(|q| self.game.is_human(q.side))?;
        let is_due = asked.side != self.player() || self.display.is_sealed;
        (is_due && self.has_shown_all()).then_some(asked.side)
    }

    /// Switches the screen to a side, starting with what that side has not seen yet.
    pub fn hand_over(&mut self, side: Side) {
        self.display.is_sealed = false;
        if side == self.player() {
            return;
        }
        self.display.player = side;
        self.game.undo_points.clear();
        let until = self.display.gate;
        self.display.gate = Some(self.display.seen[side.index()]);
        self.show_anew();
        self.display.gate = until;
    }

    /// Whether the player can restart the turn now.
    ///
    /// # Errors
    ///
    /// Why not, as a sentence for the player.
    pub fn may_restart_turn(&self) -> Result<(), &'static str> {
        if self.game.restarts >= MAX_RESTARTS {
            Err("You already restarted a turn in this battle.")
        } else if self.question().is_none() && !self.awaits_end_of_turn() {
            Err("It's not your turn.")
        } else if self.turn_start() >= self.game.answered() {
            Err("You haven't done anything this turn.")
        } else {
            Ok(())
        }
    }

    /// Number of answers at the start of the player's turn, or of the round if the ruleset has no
    /// side turns.
    fn turn_start(&self) -> usize {
        let begins = |change: &EventKind| match change {
            EventKind::TurnBegan { side } => *side == self.player(),
            EventKind::RoundBegan { .. } => true,
            _ => false,
        };
        let events = &self.game.events()[..self.shown().events];
        let begun = events.iter().rposition(|e| begins(&e.what)).unwrap_or(0);
        self.game.answers_until(begun)
    }

    /// Restarts the turn. The dice are restored too: the same actions get the same rolls.
    ///
    /// # Errors
    ///
    /// As [`may_restart_turn`](Self::may_restart_turn).
    pub fn restart_turn(&mut self) -> Result<(), &'static str> {
        self.may_restart_turn()?;
        self.game.restarts += 1;
        self.game.undo_points.clear();
        self.rewind(self.turn_start());
        Ok(())
    }

    /// The whole battle as a recording; `name` is the player's name for it.
    pub fn recording(&self, name: &str) -> Recording {
        let recording = self.game.record();
        let game = &self.game;
        let verdict = game.over().map(|won| match won {
            Some(side) => format!("Victory for {}", game.names().side_in_line(side)),
            None => String::from("Nobody wins"),
        });
        let save_info = SaveInfo {
            name: name.into(),
            title: game.level().title.clone(),
            when: now(),
            sequence: 0,
            round: self.recorded_round(),
            controllers: game.controllers().iter().copied().map(recorded).collect(),
            viewer: self.player().0,
            clicks: game.undo_points.clone(),
            restarts: game.restarts,
            lesson_step: game.lesson_step,
            verdict,
            battle: game.id().to_owned(),
        };
        Recording {
            plans: self.recorded_plans(),
            save_info: Some(save_info),
            ..recording
        }
    }

    /// The round that is shown when the recording is loaded; the screen may not have shown it yet.
    fn recorded_round(&self) -> u16 {
        let all = self.game.events()[..self.horizon()].iter().rev();
        let began = |event: &Event| match event.what {
            EventKind::RoundBegan { round } => Some(round),
            _ => None,
        };
        all.filter_map(began).next().unwrap_or(0)
    }

    /// The battle of a recording, at the state when it was saved.
    ///
    /// # Errors
    ///
    /// Why it can't be loaded, and how much of it still runs.
    pub fn load(recording: &Recording) -> Result<Self, Unloadable> {
        Self::load_to(recording, None)
    }

    /// The battle of a recording after its first `to` answers, or at its end with `None`.
    pub fn load_to(recording: &Recording, to: Option<usize>) -> Result<Self, Unloadable> {
        let level = recording.level().map_err(|why| Unloadable {
            why,
            valid_answers: 0,
        })?;
        let broken = |broken: Broken| Unloadable {
            why: format!(
                "It differs from move {} on: {}. It was recorded with other rules or another version of the game.",
                broken.step, broken.why
            ),
            valid_answers: broken.valid_answers,
        };
        let battle = recording.run(to).map_err(broken)?;
        let save_info = recording.save_info.clone().unwrap_or_default();
        let is_whole = save_info.controllers.len() == level.sides.len();
        let controllers = match is_whole {
            true => save_info.controllers,
            false => usual(&level),
        };
        let viewer = Some(Side(save_info.viewer));
        let mut session = Self::of(&level, battle, recording.seed, controllers, viewer);
        let game = &mut session.game;
        let answered = game.answered();
        game.undo_points = save_info.clicks;
        game.undo_points.retain(|&n| n < answered);
        game.restarts = save_info.restarts;
        game.lesson_step = save_info.lesson_step;
        // The id becomes part of a file name.
        let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-';
        if !save_info.battle.is_empty() && save_info.battle.chars().all(is_plain) {
            game.id = save_info.battle;
        }
        session.display.is_sealed = game.humans() > 1;
        session.mind_the_turn();
        session.all_seen();
        session.take_up(&recording.plans);
        session.game.replay_ai_decisions();
        Ok(session)
    }
}
