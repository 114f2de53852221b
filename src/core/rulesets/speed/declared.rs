//! The actions that a unit can declare for a round (SP-03, SP-04), and the stored declaration.

use crate::battle::{Choice, Id, Item, Modifier, SpellId};
use crate::rulesets::common::verbs;
use serde::{Serialize, Serializer};

/// A declared action and the initiative count at which it resolves.
#[derive(Clone, PartialEq, Debug)]
pub struct Declared {
    pub choice: Choice,
    pub count: i32,
    /// What the action adds to the base initiative (SP-04).
    pub adds: i32,
}

impl Serialize for Declared {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(Serialize)]
        struct Data {
            who: Option<Id>,
            act: &'static str,
            with: Option<Item>,
            spell: Option<SpellId>,
            count: i32,
            modifiers: [Modifier; 1],
        }
        let choice = &self.choice;
        let verb = choice.verb;
        Data {
            who: choice.who,
            act: verb.name,
            with: choice.with,
            spell: choice.spell,
            count: self.count,
            modifiers: [Modifier::new(self.adds as i16, verb.name, verb.rule)],
        }
        .serialize(serializer)
    }
}

verbs! {
    ATTACK = "attack", "attack with {with}", "declares an attack with {with}", "SP-04";
    THROWING = "throw", "throw {with}", "declares to throw {with}", "SP-04";
    DEFENSIVE = "defensive attack", "defensive attack with {with}", "declares a defensive attack with {with}", "SP-11";
    DEFENSIVE_MOVE = "defensive move", "move on the defensive", "declares to move on the defensive", "SP-11";
    FULL_DEFENSE = "full defense", "full defense", "declares full defense", "SP-10";
    CASTING = "cast", "cast {spell}", "declares to cast {spell}", "SP-04";
    USING = "use", "use {spell}", "declares to use {spell}", "SP-04";
    MOVING = "move", "move", "declares to move", "SP-04";
    STANDING_UP = "stand up", "stand up", "declares to stand up", "SP-04";
    DOOR = "door", "open or close a door", "declares to open or close a door", "SP-04";
    HEALING = "heal", "heal", "declares to heal", "SP-04";
    INTIMIDATING = "intimidate", "intimidate", "declares to intimidate", "SP-04";
    BREAKING_FREE = "break free", "break free", "declares to break free", "SP-32";
    DOUSING = "douse", "douse the flames", "declares to douse the flames", "SP-32";
    HOLD = "hold", "hold", "holds", "SP-04";
    // Never offered: units whose morale is broken declare this automatically (SP-30).
    FLEEING = "flee", "flee", "flees", "SP-30";
}

/// Whether the action provokes no ripostes when it enters an enemy's reach (SP-11).
pub fn is_defensive(choice: &Choice) -> bool {
    choice.verb == &DEFENSIVE || choice.verb == &DEFENSIVE_MOVE
}
