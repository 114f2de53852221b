//! Chances: moments at which a unit can act but is not prompted by default.
//!
//! Some rulesets let units act at any moment, so every step of every unit is a chance. The rules
//! list everything that is legal; the player decides which moments are worth a prompt. Offers
//! that are seldom worth one are marked [`rare`](super::Offer::rare), and a decision with only
//! rare offers is skipped unless the unit asks to be prompted at every chance. That request is an
//! answer like any other, recorded and replayed, with one difference: any unit can make it
//! whenever a decision is open, and the decision stays open.

use super::{Action, Choice, Id, events};
use bevy_ecs::resource::Resource;

/// From now on, prompt the unit at every chance.
pub static EVERY_CHANCE: Action = Action::new(
    "every chance",
    "ask at every chance",
    "is asked at every chance",
    "SK-04",
);

/// From now on, prompt the unit as usual.
pub static AS_USUAL: Action = Action::new("as usual", "ask as usual", "is asked as usual", "SK-04");

/// Whether an answer only changes the prompts of a unit, which leaves the decision open.
pub fn is_every_chance(verb: &'static Action) -> bool {
    verb == &EVERY_CHANCE || verb == &AS_USUAL
}

/// The answer that turns prompts at every chance on or off for a unit.
pub fn every_chance(who: Id, every: bool) -> Choice {
    let verb = if every { &EVERY_CHANCE } else { &AS_USUAL };
    Choice::new(verb, who)
}

/// The units that are prompted at every chance.
#[derive(Resource, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PromptedUnits {
    /// A bit set.
    who: u64,
}

impl PromptedUnits {
    pub fn contains(self, who: Id) -> bool {
        self.who & who.bit() != 0
    }

    /// Whether no unit is prompted at chances.
    pub fn is_empty(self) -> bool {
        self.who == 0
    }
}

events! {
    /// A unit turns prompts at every chance on or off.
    pub(super) enum ChancePrompt: RulesetEvent |world, names, unknown| {
        /// Changing prompts is not an action, so the log leaves it out.
        #[serde(rename = "wishes")]
        SetEveryChance { who: Id, every: bool }
            log(silent)
            apply {
                let mut prompted = world.resource_mut::<PromptedUnits>();
                match every {
                    true => prompted.who |= who.bit(),
                    false => prompted.who &= !who.bit(),
                }
            };
    }
}
