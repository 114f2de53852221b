//! A side's knowledge during a battle: its replica, and the events that it may see.

use crate::battle::{
    Battle, Body, Event, EventKind, Id, Replica, Roster, Ruleset, Setup, Side, State, Unknown,
    of_unit,
};
use bevy_ecs::world::World;
use std::borrow::Cow;

/// A side's knowledge of one battle.
///
/// ```
/// use fivefoot_core::{
///     battle::{Battle, DiceBox, Side, level_setup},
///     control::bot::SideKnowledge,
///     levels, rulesets,
/// };
///
/// let (level, rules) = (levels::default_level(), rulesets::ALL[0]);
/// let setup = level_setup(&level);
/// let battle = Battle::new(setup.clone(), rules, DiceBox::seeded(1));
/// let mut knowledge = SideKnowledge::new(&setup, rules, Side(0));
/// let told = knowledge.follow(&battle);
/// assert!(!told.is_empty());
/// println!("{} units are known in round {}", knowledge.units().len(), knowledge.round());
/// ```
pub struct SideKnowledge {
    side: Side,
    rules: &'static Ruleset,
    replica: Replica,
    unknown: Unknown,
    round: u16,
}

impl SideKnowledge {
    pub fn new(setup: &Setup, rules: &'static Ruleset, side: Side) -> Self {
        let replica = Replica::new(setup, rules, Some(side));
        Self::over(replica, rules, side, 0)
    }

    /// The knowledge of a side with an existing replica, which has caught up to this round.
    pub fn over(mut replica: Replica, rules: &'static Ruleset, side: Side, round: u16) -> Self {
        let unknown = rules.unknown_to(&mut replica.world, side);
        Self {
            side,
            rules,
            replica,
            unknown,
            round,
        }
    }

    /// Resets it for another battle with this set-up.
    pub fn restart(&mut self, pristine: &World) {
        self.replica.restart(pristine);
        self.unknown = self.rules.unknown_to(&mut self.replica.world, self.side);
        self.round = 0;
    }

    pub fn side(&self) -> Side {
        self.side
    }

    /// The last round that the side has seen begin; 0 before the first.
    pub fn round(&self) -> u16 {
        self.round
    }

    /// The units and sides that the side does not know of.
    pub fn unknown(&self) -> Unknown {
        self.unknown
    }

    /// Catches up with the battle. Returns the events that the side may see, in order; lists in
    /// them leave out units that it does not know.
    pub fn follow(&mut self, battle: &Battle) -> Vec<Event> {
        let (events, mut known_events) = (battle.events(), vec![]);
        while let Some(event) = self.replica.next(events) {
            if !event.seen.by(self.side) {
                continue;
            }
            if let EventKind::RoundBegan { round } = event.what {
                self.round = round;
            }
            let before = self.unknown;
            self.unknown = self.rules.unknown_to(&mut self.replica.world, self.side);
            let both = before.and(self.unknown);
            let known = match both.is_empty() {
                true => Some(Cow::Borrowed(event)),
                false => event.without(both),
            };
            known_events.extend(known.map(Cow::into_owned));
        }
        known_events
    }

    /// The replica, as far as it has followed.
    pub fn replica(&mut self) -> &mut Replica {
        &mut self.replica
    }

    /// The world as the side knows it.
    pub fn world(&mut self) -> &mut World {
        &mut self.replica.world
    }

    /// Units that the side knows to be in the battle, and its own that are still to enter.
    pub fn units(&self) -> Vec<Id> {
        let world = &self.replica.world;
        let is_known = |id: &Id| {
            let body = of_unit::<Body>(world, *id);
            let is_here = body.state != State::Waiting && !self.unknown.has(*id);
            body.side == self.side || is_here
        };
        world.resource::<Roster>().ids().filter(is_known).collect()
    }

    /// Whether the side knows of a unit.
    pub fn knows(&self, id: Id) -> bool {
        self.units().contains(&id)
    }
}
