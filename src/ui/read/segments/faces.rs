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
const THINGS: &str = "To draw or put away takes a segment, the pack the action, to drop nothing.";

pub(super) static FACES: &[Face] = faces! {
    // Declarations.
    'f' {
        FIGHT: "Attack", Strike,
            "To strike or to charge when its segment comes. It may move instead.";
    }
    'm' {
        MISSILES: "Missiles", Shoot,
            "To shoot or throw. With the weapon in hand it acts sooner by its missile bonus.";
    }
    'x' {
        SPELL: "Spell", Spell,
            "To begin a spell in its segment. It may give it up, but do nothing else instead.";
    }
    'g' {
        GO: "Move", Move, "To go somewhere, or see to doors, things and the fallen. No attack.";
    }
    'b' {
        BRACE: "Set spear", Spear,
            "Strikes first at who charges it, for double damage; else in its segment.";
        SET: "Set spear", Spear,
            "Strikes first at who charges it in this segment, for double damage.";
    }
    // Acts.
    plain 's' { STRIKE: "Attack", Strike; }
    plain 'h' { SHOOT: "Shoot", Shoot; }
    plain 't' { THROW: "Throw", Throw, ALWAYS_ONE_MORE; }
    'c' {
        CHARGE: "Charge", Charge,
            "Up to twice its move, +2 to hit, AC 1 worse this round; once in ten rounds.";
    }
    'd' {
        WITHDRAW: "Withdraw", Disengage,
            "Out of the melee at half speed: nobody strikes at its back.";
    }
    'k' {
        CAST: "Cast", Spell,
            "This segment is the first of the casting. Damage before the end spoils it.";
    }
    plain 'r' {
        AIM: "Release", Aim, READY;
        AIM_PLACE: "Release", Aim, READY;
    }
    'z' { LET_GO: "Give up", Close, "The spell comes to nothing, and is spent."; }
    'y' { HOLD: "Hold", Hold, "Acts in a later segment of this round instead."; }
    'p' { STAND_UP: "Stand up", Stand, "Takes a segment; its action comes after it."; }
    plain 'a' {
        BIND: "Bind", Aid,
            "Stops the bleeding of a fallen comrade beside it. Takes the action.";
    }
    'i' {
        DRAW: "Things", Gear, THINGS;
        PUT_AWAY: "Things", Gear, THINGS;
        UNPACK: "Things", Gear, THINGS;
        DROP: "Things", Gear, THINGS;
    }
    'j' { PICK_UP: "Pick up", PickUp, "Takes a segment; its action comes after it."; }
    plain 'o' {
        OPEN: "Open", Door;
        CLOSE: "Close", Door;
    }
    'l' {
        LEAVE: "Leave", Fleeing,
            "Leaves the battle by this exit. Those beside it strike first.";
    }
    plain 'v' {
        AT_BACK: "Strike", Snap;
        MEET: "Meet", Spear;
    }
};
