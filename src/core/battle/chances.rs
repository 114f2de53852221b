//! Chances: moments at which somebody could act, and nobody asks by default.
//!
//! Where a ruleset lets people act at any moment, every step that anybody takes
//! is one. Rules list all that is legal then; whether a moment is worth a
//! question is for whoever controls them. So some offers are
//! [`rare`](super::Offer::rare), a question that has no others is skipped, and
//! those who want to hear of it all the same say so beforehand. That wish is an
//! answer like any other, recorded and replayed, but for this: it may be given
//! whenever a question is open, whoever is asked, and leaves that one open.

use super::{Action, Choice, Id, Line, Names, RulesetEvent};
use bevy_ecs::{resource::Resource, world::World};
use serde::Serialize;

/// From now on to be asked at every chance.
pub static EVERY_CHANCE: Action = Action {
    name: "every chance",
    order_text: "ask at every chance",
    log_text: "is asked at every chance",
    rule: "SK-04",
};

/// From now on to be asked as usual.
pub static AS_USUAL: Action = Action {
    name: "as usual",
    order_text: "ask as usual",
    log_text: "is asked as usual",
    rule: "SK-04",
};

/// Whether an answer is a wish, which leaves the open question open.
pub fn is_wish(verb: &'static Action) -> bool {
    verb == &EVERY_CHANCE || verb == &AS_USUAL
}

/// The wish of somebody to be asked at every chance, or as usual.
pub fn wish(who: Id, every: bool) -> Choice {
    let verb = if every { &EVERY_CHANCE } else { &AS_USUAL };
    Choice::new(verb, who)
}

/// Those who want to be asked at every chance.
#[derive(Resource, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Chances {
    /// As a bit set.
    who: u64,
}

impl Chances {
    pub fn wants(self, who: Id) -> bool {
        self.who & who.bit() != 0
    }

    /// Nobody wants it: there is nothing to be asked at chances.
    pub fn is_idle(self) -> bool {
        self.who == 0
    }
}

/// Somebody wants to be asked at every chance, or no longer.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "what", rename = "wishes")]
pub(super) struct ChancePrompts {
    pub who: Id,
    pub every: bool,
}

impl RulesetEvent for ChancePrompts {
    fn apply(&self, world: &mut World) {
        let mut chances = world.resource_mut::<Chances>();
        match self.every {
            true => chances.who |= self.who.bit(),
            false => chances.who &= !self.who.bit(),
        }
    }

    /// A wish is no deed.
    fn describe(&self, _: &Names) -> Option<Line> {
        None
    }
}
