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

const THINGS: &str = "A simple act, a segment each. To draw takes no time within an attack; foes beside it may strike at whoever picks up. The pack is a delaying act, in LOW.";

pub(super) static FACES: &[Face] = faces! {
    plain 's' {
        STRIKE: "Strike", Strike;
        declare::AFTER: "Act after", Strike,
            "An attack, and one simple act after it; a segment slower in ties.";
    }
    plain 'h' {
        SHOOT: "Shoot", Shoot;
    }
    plain 't' {
        THROW: "Throw", Throw, "What is thrown is not counted: there is always one more.";
    }
    'c' {
        declare::CHARGE: "Charge", Charge,
            "Before both groups: twice its rate in a straight line, +2 to hit, AC 1 worse.";
    }
    plain 'm' {
        declare::SPELL: "Cast", Spell,
            "Casts all round. It names the target in its group's turn; the spell comes near the end of the round, unless harm spoils it.";
        AIM: "Aim spell", Spell;
        AIM_AT_PLACE: "Aim spell", Spell;
        USE_ON: "Power", Spell;
        USE: "Power", Spell;
        CAST: "Cast", Spell;
    }
    'f' {
        declare::FLIGHT: "Flee", Fleeing,
            "Before both groups: the only way out of a melee. Foes in reach strike first, at +4.";
        STAND_FAST: "Stand fast", Stand, "Stays where it is; its action is spent.";
    }
    'b' {
        declare::SET: "Set weapon", Spear,
            "Strikes first at who charges it, for double damage; else at a foe beside it.";
        THRUST: "Thrust", Spear, "Used as a spear: it takes less room.";
        MEET: "Meet", Spear, "Strikes this charger first, for double damage.";
    }
    'k' {
        GRAB: "Grab", Grapple, "Only a natural 20 gets hold of what the foe has in hand.";
    }
    'j' {
        declare::NOTHING: "Nothing", Check, "Shoots, strikes or moves as its turn comes.";
    }
    'x' {
        CALL: "Weak spot", Aim, "Only a natural 20 hits, and then for more damage.";
        CALL_SHOT: "Weak spot", Aim, "Only a natural 20 hits, and then for more damage.";
    }
    'z' {
        declare::DELAY: "Delay", Hold,
            "Acts in LOW, whatever the dice say. Something else may be declared with it.";
        DELAY: "Delay", Hold,
            "In HIGH: acts in LOW, and loses ties. In LOW: gives the action up, or the spell.";
    }
    'y' {
        declare::PARLEY: "Parley", Pass,
            "Before both groups, once a battle: who listens does not attack this round.";
    }
    plain 'a' {
        declare::BIND: "Bind", Aid, "Stops the bleeding of a fallen comrade: the whole round.";
        BIND: "Bind", Aid,
            "Stops the bleeding of a fallen comrade: two rounds, as it was not declared.";
    }
    group 'i' {
        DRAW: "Things", Gear, THINGS;
        SHEATHE: "Things", Gear, THINGS;
        UNPACK: "Things", Gear, THINGS;
        DROP: "Things", Gear, THINGS;
        DROP_SHIELD: "Things", Gear, THINGS;
        PICK_UP: "Things", Gear, THINGS;
    }
    plain 'o' {
        OPEN: "Open", Door, "A simple act: a door beside it.";
        CLOSE: "Close", Door, "A simple act: a door beside it.";
    }
    'p' {
        GO_PRONE: "Prone", Prone, "Takes no time.";
        STAND_UP: "Stand up", Stand,
            "A simple act: a segment. Foes beside it may strike at once.";
    }
    'l' {
        declare::LOAD: "Load", Reload;
        LOAD: "Load", Reload;
    }
    'L' {
        LEAVE: "Leave", Fleeing, "Leaves the battle by this exit.";
    }
};
