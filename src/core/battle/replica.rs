//! What a side knows and what the screen shows: the battle's own `apply`,
//! folded over the events that may be seen, into a world of its own.

use super::{
    Event, Ruleset, Setup, Side, apply,
    engine::{copy_state, fresh_world},
};
use bevy_ecs::world::World;

/// A world that follows a battle's events, as far and as fast as it is let.
pub struct Replica {
    pub world: World,
    /// Whose eyes; none sees everything.
    side: Option<Side>,
    /// How many of the battle's events have been looked at.
    at: usize,
    /// How many it is known to have seen from the first on, all of them: as
    /// long as that is so, it is no different from the battle.
    seen: usize,
    rules: &'static Ruleset,
}

impl Replica {
    pub fn new(setup: &Setup, rules: &'static Ruleset, side: Option<Side>) -> Self {
        Self {
            world: fresh_world(setup, rules),
            side,
            at: 0,
            seen: 0,
            rules,
        }
    }

    /// Back to the start, for another battle of the same set-up; `pristine` is
    /// a world of it before its first step.
    pub fn restart(&mut self, pristine: &World) {
        copy_state(self.rules, pristine, &mut self.world);
        (self.at, self.seen) = (0, 0);
    }

    /// Another of the same battle, as far as this one has come.
    pub fn copied(&self, setup: &Setup) -> Self {
        let mut copy = Self::new(setup, self.rules, self.side);
        copy_state(self.rules, &self.world, &mut copy.world);
        (copy.at, copy.seen) = (self.at, self.seen);
        copy
    }

    /// Whose eyes; none sees everything.
    pub fn side(&self) -> Option<Side> {
        self.side
    }

    pub fn at(&self) -> usize {
        self.at
    }

    /// Applies the next event, if it may be seen. The event, when there was one.
    pub fn next<'e>(&mut self, events: &'e [Event]) -> Option<&'e Event> {
        let event = events.get(self.at)?;
        self.at += 1;
        if self.side.is_none_or(|side| event.seen.by(side)) {
            apply(&mut self.world, event);
        }
        Some(event)
    }

    /// Whether nothing that has happened was kept from it: then it is no different
    /// from the battle. If something was, it catches up.
    pub fn follow(&mut self, events: &[Event]) -> bool {
        let sees_all = self.sees_all(events);
        if !sees_all {
            self.catch_up(events);
        }
        sees_all
    }

    fn sees_all(&mut self, events: &[Event]) -> bool {
        let seen = |event: &Event| self.side.is_none_or(|side| event.seen.by(side));
        let more = events[self.seen..].iter().take_while(|event| seen(event));
        self.seen += more.count();
        self.seen == events.len()
    }

    /// Applies all that it has not seen yet.
    pub fn catch_up(&mut self, events: &[Event]) {
        while self.next(events).is_some() {}
    }
}
