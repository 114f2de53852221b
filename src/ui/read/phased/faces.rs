//! The act bar of Phased: what may be declared, then what is done.

use crate::{
    rulesets::phased::{
        acts::{
            AIM, AIM_AT_PLACE, BIND, CALL, CALL_SHOT, CLOSE, DELAY, DRAW, DROP, DROP_SHIELD,
            GO_PRONE, GRAB, LEAVE, LOAD, OPEN, PICK_UP, SHEATHE, SHOOT, STAND_UP, STRIKE, THROW,
            THRUST, UNPACK, USE, USE_ON,
        },
        declare,
        fast::{MEET, STAND_FAST},
        reactions::CAST,
    },
    ui::read::{Face, faces},
};

const THINGS: &str = "A simple action, one segment each. Drawing is free within an attack; picking up provokes attacks. From the pack: a delaying action, in LOW.";

pub(super) static FACES: &[Face] = faces! {
    plain 's' {
        STRIKE: "Strike", Strike;
        declare::AFTER: "Attack+act", Strike,
            "Attack, then one simple action; counts one segment slower in ties.";
    }
    plain 'h' {
        SHOOT: "Shoot", Shoot;
    }
    plain 't' {
        THROW: "Throw", Throw, "Throw the weapon. Unlimited ammo.";
    }
    'c' {
        declare::CHARGE: "Charge", Charge,
            "Before HIGH and LOW: double speed in a straight line, +2 to hit, AC 1 worse.";
    }
    plain 'm' {
        declare::SPELL: "Cast", Spell,
            "Takes the whole round. Pick the target on your group's turn; the spell goes off near the end of the round, unless the caster is hurt.";
        AIM: "Aim spell", Spell;
        AIM_AT_PLACE: "Aim spell", Spell;
        USE_ON: "Power", Spell;
        USE: "Power", Spell;
        CAST: "Cast", Spell;
    }
    'f' {
        declare::FLIGHT: "Flee", Fleeing,
            "Before HIGH and LOW: the only way out of melee. Enemies in reach attack first, at +4.";
        STAND_FAST: "Stand fast", Stand, "Stay here; the action is spent.";
    }
    'b' {
        declare::SET: "Set weapon", Spear,
            "Attack a charging enemy first, for double damage; else an adjacent enemy.";
        THRUST: "Thrust", Spear, "Use as a spear: needs less space.";
        MEET: "Meet", Spear, "Attack this charging enemy first, for double damage.";
    }
    'k' {
        GRAB: "Grab", Grapple, "Only a natural 20 takes the item the enemy holds.";
    }
    'j' {
        declare::NOTHING: "Normal turn", Check, "Decide on your turn: shoot, attack or move.";
    }
    'x' {
        CALL: "Weak spot", Aim, "Only a natural 20 hits, for extra damage.";
        CALL_SHOT: "Weak spot", Aim, "Only a natural 20 hits, for extra damage.";
    }
    'z' {
        declare::DELAY: "Delay", Hold,
            "Act in LOW, whatever you roll for initiative. You can declare something else too.";
        DELAY: "Delay", Hold,
            "In HIGH: act in LOW and lose ties. In LOW: lose the action or the spell.";
    }
    'y' {
        declare::PARLEY: "Parley", Pass,
            "Before HIGH and LOW, once per battle: enemies who listen don't attack this round.";
    }
    plain 'a' {
        declare::BIND: "Bandage", Aid, "Stop a fallen ally's bleeding: takes the whole round.";
        BIND: "Bandage", Aid,
            "Stop a fallen ally's bleeding: takes two rounds (not declared).";
    }
    group 'i' {
        DRAW: "Items", Gear, THINGS;
        SHEATHE: "Items", Gear, THINGS;
        UNPACK: "Items", Gear, THINGS;
        DROP: "Items", Gear, THINGS;
        DROP_SHIELD: "Items", Gear, THINGS;
        PICK_UP: "Items", Gear, THINGS;
    }
    plain 'o' {
        OPEN: "Open", Door, "Simple action: an adjacent door.";
        CLOSE: "Close", Door, "Simple action: an adjacent door.";
    }
    'p' {
        GO_PRONE: "Prone", Prone, "Takes no time.";
        STAND_UP: "Stand up", Stand,
            "Simple action: one segment. Provokes attacks.";
    }
    'l' {
        declare::LOAD: "Load", Reload;
        LOAD: "Load", Reload;
    }
    'L' {
        LEAVE: "Leave", Fleeing, "Leave the battle by this exit.";
    }
};
