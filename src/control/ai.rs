//! The quick AI: it scores the offers by odds, position and cover, without
//! looking ahead. It reads only what its side has seen.

use super::Controller;
use crate::battle::{Battle, Choice, Follower, Ruleset, Setup, Side};
use bevy::ecs::world::World;

pub struct Quick {
    known: Follower,
    rules: &'static Ruleset,
}

impl Quick {
    pub fn new(setup: &Setup, rules: &'static Ruleset, side: Side) -> Self {
        Self {
            known: Follower::new(setup, rules, Some(side)),
            rules,
        }
    }
}

impl Controller for Quick {
    fn restart(&mut self, pristine: &World, _: u64) {
        self.known.restart(pristine);
    }

    fn choose(&mut self, battle: &mut Battle) -> Choice {
        self.known.catch_up(battle.events());
        let question = battle.asked().expect("a question is open");
        let Some(&who) = question.actors.first() else {
            return question.common[0].clone();
        };
        let offers = battle.offers_of(who);
        (self.rules.advise)(&mut self.known.world, who, &offers)
    }
}
