//! What is declared for a round (SP-03, SP-04): the verbs, and what is kept.

use crate::battle::{Action, Choice};

/// What was declared, and the count at which it comes.
#[derive(Clone, PartialEq, Debug)]
pub struct Declared {
    pub choice: Choice,
    pub count: i32,
    /// What the act adds to the base initiative (SP-04).
    pub adds: i32,
}

const fn verb(name: &'static str, order_text: &'static str, log_text: &'static str) -> Action {
    Action {
        name,
        order_text,
        log_text,
        rule: "SP-04",
    }
}

pub static ATTACK: Action = verb(
    "attack",
    "attack with {with}",
    "declares an attack with {with}",
);
pub static THROWING: Action = verb("throw", "throw {with}", "declares to throw {with}");
pub static DEFENSIVE: Action = Action {
    name: "defensive attack",
    order_text: "defensive attack with {with}",
    log_text: "declares a defensive attack with {with}",
    rule: "SP-11",
};
pub static DEFENSIVE_MOVE: Action = Action {
    name: "defensive move",
    order_text: "move on the defensive",
    log_text: "declares to move on the defensive",
    rule: "SP-11",
};
pub static FULL_DEFENSE: Action = Action {
    name: "full defense",
    order_text: "full defense",
    log_text: "declares full defense",
    rule: "SP-10",
};
pub static CASTING: Action = verb("cast", "cast {spell}", "declares to cast {spell}");
pub static USING: Action = verb("use", "use {spell}", "declares to use {spell}");
pub static MOVING: Action = verb("move", "move", "declares to move");
pub static STANDING_UP: Action = verb("stand up", "stand up", "declares to stand up");
pub static DOOR: Action = verb("door", "see to a door", "declares to see to a door");
pub static HEALING: Action = verb("heal", "heal", "declares to heal");
pub static INTIMIDATING: Action = verb("intimidate", "intimidate", "declares to intimidate");
pub static BREAKING_FREE: Action = Action {
    name: "break free",
    order_text: "break free",
    log_text: "declares to break free",
    rule: "SP-32",
};
pub static DOUSING: Action = Action {
    name: "douse",
    order_text: "douse the flames",
    log_text: "declares to douse the flames",
    rule: "SP-32",
};
pub static HOLD: Action = verb("hold", "hold", "holds");
/// Nobody declares it: it is what those do whose morale is broken (SP-30).
pub static FLEEING: Action = Action {
    name: "flee",
    order_text: "flee",
    log_text: "flees",
    rule: "SP-30",
};

/// Every verb with which something is declared.
pub static VERBS: [&Action; 16] = [
    &ATTACK,
    &THROWING,
    &DEFENSIVE,
    &DEFENSIVE_MOVE,
    &FULL_DEFENSE,
    &CASTING,
    &USING,
    &MOVING,
    &STANDING_UP,
    &DOOR,
    &HEALING,
    &INTIMIDATING,
    &BREAKING_FREE,
    &DOUSING,
    &HOLD,
    &FLEEING,
];

/// Draws no riposte by coming into a reach (SP-11).
pub fn is_defensive(choice: &Choice) -> bool {
    choice.verb == &DEFENSIVE || choice.verb == &DEFENSIVE_MOVE
}
