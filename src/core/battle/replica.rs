//! What a side knows and what the screen shows: a separate world to which [`apply`] applies the
//! visible events.

use super::{
    Event, Ruleset, Setup, Side, apply,
    engine::{copy_state, fresh_world},
    pool::{PooledWorld, WorldPool},
};
use bevy_ecs::world::World;

/// A world that follows a battle's events, at its own pace.
pub struct Replica {
    pub world: PooledWorld,
    /// The side that sees it; `None` sees everything.
    side: Option<Side>,
    /// How many of the battle's events have been processed.
    at: usize,
    /// How many events from the first on are known to be visible, all of them. If that is all of
    /// the battle's events, the replica equals the battle.
    seen: usize,
    rules: &'static Ruleset,
}

impl Replica {
    pub fn new(setup: &Setup, rules: &'static Ruleset, side: Option<Side>) -> Self {
        let world = WorldPool::default().take(|| fresh_world(setup, rules));
        Self::of(world, rules, side)
    }

    /// A replica of a battle without events, in this state.
    pub(super) fn in_state(
        mut world: PooledWorld,
        rules: &'static Ruleset,
        side: Option<Side>,
        state: &World,
    ) -> Self {
        copy_state(rules, state, &mut world);
        Self::of(world, rules, side)
    }

    fn of(world: PooledWorld, rules: &'static Ruleset, side: Option<Side>) -> Self {
        Self {
            world,
            side,
            at: 0,
            seen: 0,
            rules,
        }
    }

    /// Resets the replica for another battle of the same setup. `pristine` is a world of that
    /// setup before its first step.
    pub fn restart(&mut self, pristine: &World) {
        copy_state(self.rules, pristine, &mut self.world);
        (self.at, self.seen) = (0, 0);
    }

    /// Another replica of the same battle, in the same state.
    pub fn copied(&self, setup: &Setup) -> Self {
        let world = self.world.pool().take(|| fresh_world(setup, self.rules));
        Self {
            at: self.at,
            seen: self.seen,
            ..Self::in_state(world, self.rules, self.side, &self.world)
        }
    }

    /// The side that sees it; `None` sees everything.
    pub fn side(&self) -> Option<Side> {
        self.side
    }

    pub fn at(&self) -> usize {
        self.at
    }

    /// Processes the next event: applies it if it is visible. Returns the event, if there was
    /// one.
    pub fn next<'e>(&mut self, events: &'e [Event]) -> Option<&'e Event> {
        let event = events.get(self.at)?;
        self.at += 1;
        if self.side.is_none_or(|side| event.seen.by(side)) {
            apply(&mut self.world, event);
        }
        Some(event)
    }

    /// Whether nothing has been hidden, so that the battle's own world can be used. Otherwise the
    /// replica catches up.
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

    /// Applies all events that are not processed yet.
    pub fn catch_up(&mut self, events: &[Event]) {
        while self.next(events).is_some() {}
    }
}
