//! The quick AI: it scores the offers by odds, position and cover, without
//! looking ahead. It reads only what its side has seen. The novice is the same
//! with slips.

use super::{Controller, Random};
use crate::battle::{Battle, Choice, Replica, Ruleset, Setup, Side};
use bevy::ecs::world::World;

pub struct Quick {
    known: Replica,
}

impl Quick {
    pub fn new(setup: &Setup, rules: &'static Ruleset, side: Side) -> Self {
        Self {
            known: Replica::new(setup, rules, Some(side)),
        }
    }
}

impl Controller for Quick {
    fn restart(&mut self, pristine: &World, _: u64) {
        self.known.restart(pristine);
    }

    fn choose(&mut self, battle: &mut Battle) -> Choice {
        battle.quick_answer(Some(&mut self.known))
    }
}

/// The easier opponent: it knows the same and obeys the same rules, but leaves
/// one choice in [`Novice::SLIPS`] to chance.
pub struct Novice {
    quick: Quick,
    random: Random,
}

impl Novice {
    /// One in this many choices is any legal one.
    pub const SLIPS: usize = 3;

    pub fn new(quick: Quick, seed: u64) -> Self {
        Self {
            quick,
            random: Random::new(seed),
        }
    }
}

impl Controller for Novice {
    fn restart(&mut self, pristine: &World, seed: u64) {
        self.quick.restart(pristine, seed);
        self.random.restart(pristine, seed);
    }

    fn choose(&mut self, battle: &mut Battle) -> Choice {
        if self.random.0.below(Self::SLIPS) == 0 {
            let slip = self.random.answer(battle);
            if !is_handling(&slip) && !is_rare(battle, &slip) {
                return slip;
            }
        }
        self.quick.choose(battle)
    }
}

/// What nobody is asked about by default gives away a Main for little.
fn is_rare(battle: &mut Battle, choice: &Choice) -> bool {
    let offers = choice.who.map(|who| battle.offers_of(who));
    let all = offers.iter().flat_map(|offers| offers.iter());
    all.filter(|o| o.rare).any(|o| o.choice == *choice)
}

/// Things are drawn, stowed, dropped: by chance that looks mad rather than
/// unwise.
fn is_handling(choice: &Choice) -> bool {
    choice.with.is_some() && choice.at.is_none() && choice.to.is_none()
}
