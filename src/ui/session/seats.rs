//! Who sits where, how the screen goes from one player to the next, and what is
//! written down of a battle and its table.

use super::Session;
use crate::{
    battle::{Choice, EventKind, Side},
    control::{
        Controller, Player,
        recording::{Broken, Recording, Seat, Table},
        statistics::{Tally, statistics},
    },
    levels::{Control, Level},
};
use bevy::platform::cell::SyncCell;
use std::{
    sync::atomic::{AtomicU32, Ordering},
    time::{SystemTime, UNIX_EPOCH},
};

/// One who answers by itself.
pub type Ai = SyncCell<Box<dyn Controller>>;

/// How often in a battle a turn may be started over.
pub const MOST_RESTARTS: u8 = 1;

/// As the level has it: the player's sides and the AI's.
pub fn usual(level: &Level) -> Vec<Seat> {
    let seat = |control| match control {
        Control::Player => Seat::Human,
        Control::Ai => Seat::Ai(Player::Quick),
    };
    level.sides.iter().map(|side| seat(side.control)).collect()
}

/// Seconds since 1970, UTC.
pub fn now() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.unwrap_or_default().as_secs()
}

/// A name for a battle that no other has, here or in another running game.
pub(super) fn fresh_id() -> String {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    format!("{}-{}-{count}", now(), std::process::id())
}

/// A recording that cannot be played on from where it ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unloadable {
    pub why: String,
    /// How many of its answers still run as they did; 0 if none does.
    pub sound: usize,
}

impl Session {
    /// Puts everybody at the table afresh: an AI that has seen what was then
    /// undone would know too much.
    pub(super) fn seat(&mut self) {
        let ai = |(n, seat): (usize, &Seat)| match seat {
            Seat::Human => None,
            Seat::Ai(player) => {
                let ai = player.seat(&self.setup, self.rules, n, self.seed);
                Some(SyncCell::new(ai))
            }
        };
        self.ais = self.seats.iter().enumerate().map(ai).collect();
    }

    /// Who plays which side.
    pub fn seats(&self) -> &[Seat] {
        &self.seats
    }

    pub fn is_human(&self, side: Side) -> bool {
        self.seats.get(side.index()) == Some(&Seat::Human)
    }

    /// Several humans share the screen.
    pub fn is_hotseat(&self) -> bool {
        self.seats.iter().filter(|s| **s == Seat::Human).count() > 1
    }

    /// A side that another human plays is asked: nothing is shown before it
    /// says that it sits at the screen.
    pub fn awaits_player(&self) -> Option<Side> {
        let asked = self.battle.asked().filter(|_| self.replay.is_none())?;
        let is_due = self.is_human(asked.side) && (asked.side != self.player || self.is_sealed);
        (is_due && self.gate.is_none() && self.is_caught_up()).then_some(asked.side)
    }

    /// The side sits at the screen now, and is shown what its eyes have not yet
    /// seen.
    pub fn take_seat(&mut self, side: Side) {
        self.is_sealed = false;
        if side == self.player {
            return;
        }
        self.player = side;
        self.clicks.clear();
        let (seen, until) = (self.seen[side.index()], self.gate);
        self.gate = Some(seen);
        self.show_anew();
        self.gate = until;
    }

    /// Why the turn cannot be started over, if so.
    pub fn may_restart_turn(&self) -> Result<(), &'static str> {
        if self.restarts >= MOST_RESTARTS {
            Err("A turn was started over already, and that goes once a battle.")
        } else if self.question().is_none() && !self.awaits_end_of_turn() {
            Err("The others are at it.")
        } else if self.turn_start() >= self.answered() {
            Err("Nothing has been done in this turn yet.")
        } else {
            Ok(())
        }
    }

    /// How many answers had been given when the player's turn began, or the
    /// round where all are at it together.
    fn turn_start(&self) -> usize {
        let begins = |change: &EventKind| match change {
            EventKind::TurnBegan { side } => *side == self.player,
            EventKind::RoundBegan { .. } => true,
            _ => false,
        };
        let events = &self.battle.events()[..self.display.at()];
        let begun = events.iter().rposition(|e| begins(&e.what)).unwrap_or(0);
        let later = |n: &usize| self.battle.events_before(*n) > begun;
        (0..self.answered()).find(later).unwrap_or(self.answered())
    }

    /// Starts the turn over, dice and all. They fall as before for who does as
    /// before.
    pub fn restart_turn(&mut self) -> Result<(), &'static str> {
        self.may_restart_turn()?;
        self.restarts += 1;
        self.clicks.clear();
        self.rewind(self.turn_start());
        Ok(())
    }

    /// How often a turn has been started over.
    pub fn restarts(&self) -> u8 {
        self.restarts
    }

    /// What everybody's dice did so far, by combatant.
    pub fn statistics(&self) -> Vec<Tally> {
        statistics(&self.battle, &self.setup)
    }

    /// All answers that were given.
    pub fn answers(&self) -> &[Choice] {
        self.battle.answers()
    }

    /// The whole battle as a file keeps it; `name` is what the player calls it.
    pub fn recording(&mut self, name: &str) -> Recording {
        let recording = self.recorder.record(&self.battle, &self.level, self.seed);
        let verdict = self.battle.over().map(|won| match won {
            Some(side) => format!("Victory for {}", self.names().side_in_line(side)),
            None => String::from("Nobody wins"),
        });
        let table = Table {
            name: name.into(),
            title: self.level.title.clone(),
            when: now(),
            round: self.shown.clock.round,
            seats: self.seats.clone(),
            eyes: self.player.0,
            clicks: self.clicks.clone(),
            restarts: self.restarts,
            verdict,
            battle: self.id.clone(),
        };
        Recording {
            table: Some(table),
            ..recording
        }
    }

    /// The battle of a recording, as it stood when it was written. The error
    /// says what speaks against it.
    pub fn load(recording: &Recording) -> Result<Self, Unloadable> {
        Self::load_to(recording, None)
    }

    /// The same after its first `to` answers.
    pub fn load_to(recording: &Recording, to: Option<usize>) -> Result<Self, Unloadable> {
        let level = recording
            .level()
            .map_err(|why| Unloadable { why, sound: 0 })?;
        let broken = |broken: Broken| Unloadable {
            why: format!(
                "It does not run as it did, from answer {} on: {}. It was made with other rules, \
                 or by another version of the game.",
                broken.step, broken.why
            ),
            sound: broken.sound,
        };
        let battle = recording.run(to).map_err(broken)?;
        let table = recording.table.clone().unwrap_or_default();
        let is_whole = table.seats.len() == level.sides.len();
        let seats = if is_whole { table.seats } else { usual(&level) };
        let eyes = Some(Side(table.eyes));
        let mut session = Self::of(&level, battle, recording.seed, seats, eyes);
        let answered = session.answered();
        session.clicks = table.clicks;
        session.clicks.retain(|&n| n < answered);
        session.restarts = table.restarts;
        // It becomes part of a file's name.
        let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-';
        if !table.battle.is_empty() && table.battle.chars().all(is_plain) {
            session.id = table.battle;
        }
        session.is_sealed = session.is_hotseat();
        session.mind_the_turn();
        session.catch_up();
        session.seen.fill(session.display.at());
        Ok(session)
    }
}
