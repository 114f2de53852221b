//! Plays anything that is legal: it finds what nobody thought of.

use super::Controller;
use crate::battle::{Battle, Chance, Choice, chances};
use bevy_ecs::world::World;

pub struct Random(pub Chance);

/// One answer in this many is a wish to be asked at every chance, and one in this
/// many at a chance the wish to be asked no more: most are let be.
const WISHES: usize = 100;
const ENOUGH: usize = 8;

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(Chance::new(seed))
    }

    /// Any legal answer to the open question.
    pub(super) fn answer(&mut self, battle: &mut Battle) -> Choice {
        let question = battle.asked().expect("a question is open").clone();
        // Each actor is as likely as each answer of the whole side.
        let n = self
            .0
            .below(question.actors.len() + question.common.len().min(1));
        let Some(&who) = question.actors.get(n) else {
            return question.common[self.0.below(question.common.len())].clone();
        };
        // Each kind of act is as likely as another: runs have most offers.
        let offers = battle.offers_of(who);
        let offers: Vec<_> = offers.iter().filter(|o| o.is_legal()).collect();
        let mut verbs: Vec<&str> = offers.iter().map(|o| o.choice.verb.name).collect();
        verbs.sort_unstable();
        verbs.dedup();
        let verb = verbs[self.0.below(verbs.len())];
        let of_verb: Vec<_> = offers
            .iter()
            .filter(|o| o.choice.verb.name == verb)
            .collect();
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
            let has_wish = battle.wants_chances(who);
            let among = if has_wish { ENOUGH } else { WISHES };
            if self.0.below(among) == 0 {
                return chances::wish(who, !has_wish);
            }
        }
        self.answer(battle)
    }
}
