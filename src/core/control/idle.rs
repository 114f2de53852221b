//! A controller that does as little as the rules allow. No level should be winnable this way.

use super::Controller;
use crate::battle::{Battle, Choice};
use bevy_ecs::world::World;

/// Names of actions that change nothing, best first.
const NOTHING: [&str; 8] = [
    "pass",
    "done",
    "stay",
    "stand fast",
    "declared",
    "wait",
    "give up",
    "hold",
];

pub struct Idle;

impl Controller for Idle {
    fn restart(&mut self, _: &World, _: u64) {}

    fn choose(&mut self, battle: &mut Battle) -> Choice {
        let question = battle.asked().expect("a question is open");
        if let Some(choice) = question.common.first() {
            return choice.clone();
        }
        let who = question.actors[0];
        let offers = battle.offers_of(who);
        let legal = || offers.iter().filter(|o| o.is_legal());
        let named = |name| legal().find(|o| o.choice.verb.name == name);
        let nothing = NOTHING.into_iter().find_map(named);
        let offer = nothing.or_else(|| legal().next_back());
        let offer = offer.expect("something can always be answered");
        match offer.numbers {
            Some((least, _)) => offer.choice.clone().number(least),
            None => offer.choice.clone(),
        }
    }
}
