//! The act bar of Segments: what may be declared, then what is done.

use crate::{
    rulesets::segments::{
        acts::{
            BIND, CAST, CHARGE, CLOSE, DRAW, DROP, HOLD, LEAVE, OPEN, PICK_UP, PUT_AWAY, SET,
            SHOOT, STAND_UP, STRIKE, THROW, UNPACK, WITHDRAW,
        },
        declare::{BRACE, FIGHT, GO, MISSILES, SPELL},
        reactions::{AT_BACK, MEET},
        spells::{AIM, AIM_PLACE, LET_GO},
    },
    ui::read::{Face, faces},
};

const ALWAYS_ONE_MORE: &str = "What is thrown is not counted: there is always one more.";
const READY: &str = "The casting is over: whom or where the spell goes to.";
const THINGS: &str =
    "To draw, put away or pick up takes a segment, the pack the action, to drop nothing.";

pub(super) static FACES: &[Face] = faces! {
    plain 's' {
        STRIKE: "Attack", Strike;
        FIGHT: "Attack", Strike,
            "To strike or to charge when its segment comes. It may move instead.";
    }
    plain 'h' {
        SHOOT: "Shoot", Shoot;
        MISSILES: "Missiles", Shoot,
            "To shoot or throw. With the weapon in hand it acts sooner by its missile bonus.";
    }
    plain 't' {
        THROW: "Throw", Throw, ALWAYS_ONE_MORE;
    }
    'c' {
        CHARGE: "Charge", Charge,
            "Up to twice its move, +2 to hit, AC 1 worse this round; once in ten rounds.";
    }
    plain 'm' {
        SPELL: "Spell", Spell,
            "To begin a spell in its segment. It may give it up, but do nothing else instead.";
        CAST: "Cast", Spell,
            "This segment is the first of the casting. Damage before the end spoils it.";
        AIM: "Release", Aim, READY;
        AIM_PLACE: "Release", Aim, READY;
    }
    'g' {
        GO: "Move", Move, "To go somewhere, or see to doors, things and the fallen. No attack.";
    }
    'f' {
        WITHDRAW: "Withdraw", Disengage,
            "Out of the melee at half speed: nobody strikes at its back.";
    }
    'b' {
        BRACE: "Set spear", Spear,
            "Strikes first at who charges it, for double damage; else in its segment.";
        SET: "Set spear", Spear,
            "Strikes first at who charges it in this segment, for double damage.";
    }
    'x' {
        LET_GO: "Give up", Close, "The spell comes to nothing, and is spent.";
    }
    'z' {
        HOLD: "Hold", Hold, "Acts in a later segment of this round instead.";
    }
    plain 'a' {
        BIND: "Bind", Aid,
            "Stops the bleeding of a fallen comrade beside it. Takes the action.";
    }
    group 'i' {
        DRAW: "Things", Gear, THINGS;
        PUT_AWAY: "Things", Gear, THINGS;
        UNPACK: "Things", Gear, THINGS;
        DROP: "Things", Gear, THINGS;
        PICK_UP: "Things", Gear, THINGS;
    }
    plain 'o' {
        OPEN: "Open", Door;
        CLOSE: "Close", Door;
    }
    'p' {
        STAND_UP: "Stand up", Stand, "Takes a segment; its action comes after it.";
    }
    'L' {
        LEAVE: "Leave", Fleeing,
            "Leaves the battle by this exit. Those beside it strike first.";
    }
    '\u{E000}' {
        AT_BACK: "Strike", Snap;
        MEET: "Meet", Spear;
    }
};
