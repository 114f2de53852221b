//! A controller that makes any legal choice, to find cases that nobody thought of.

use super::Controller;
use crate::battle::{Battle, Chance, Choice, chances};
use bevy_ecs::world::World;

pub struct Random(pub Chance);

/// How often a unit switches prompts at every chance on (one answer in `WISHES`) and off again
/// (one answer in `ENOUGH`), so that most chances are skipped.
const WISHES: usize = 100;
const ENOUGH: usize = 8;

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(Chance::new(seed))
    }

    /// Any legal answer to the open decision.
    pub(super) fn answer(&mut self, battle: &mut Battle) -> Choice {
        let question = battle.asked().expect("a question is open").clone();
        // Each unit is as likely as all answers of the whole side together.
        let options = question.actors.len() + question.common.len().min(1);
        let n = self.0.below(options);
        let Some(&who) = question.actors.get(n) else {
            return question.common[self.0.below(question.common.len())].clone();
        };
        // Each kind of action is equally likely; otherwise moves, with the most offers, would
        // dominate.
        let offers = battle.offers_of(who);
        let offers: Vec<_> = offers.iter().filter(|o| o.is_legal()).collect();
        let mut verbs: Vec<&str> = offers.iter().map(|o| o.choice.verb.name).collect();
        verbs.sort_unstable();
        verbs.dedup();
        let verb = verbs[self.0.below(verbs.len())];
        let of_verb = offers.iter().filter(|o| o.choice.verb.name == verb);
        let of_verb: Vec<_> = of_verb.collect();
        let offer = of_verb[self.0.below(of_verb.len())];
        let Some((least, most)) = offer.numbers else {
            return offer.choice.clone();
        };
        let n = self.0.below((most - least + 1) as usize) as i32;
        offer.choice.clone().number(least + n)
    }
}

impl Controller for Random {
    fn restart(&mut self, _: &World, seed: u64) {
        *self = Self::new(seed);
    }

    fn choose(&mut self, battle: &mut Battle) -> Choice {
        let question = battle.asked().expect("a question is open");
        if battle.rules().chances && !question.actors.is_empty() {
            let who = question.actors[self.0.below(question.actors.len())];
            let has_wish = battle.is_prompted_at_chances(who);
            let among = if has_wish { ENOUGH } else { WISHES };
            if self.0.below(among) == 0 {
                return chances::every_chance(who, !has_wish);
            }
        }
        self.answer(battle)
    }
}
