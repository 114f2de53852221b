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

const ALWAYS_ONE_MORE: &str = "Throw the weapon. Unlimited ammo.";
const READY: &str = "Casting is done: pick the target.";
const THINGS: &str =
    "Draw, stow or pick up: one segment. From the pack: uses your action. Drop: free.";

pub(super) static FACES: &[Face] = faces! {
    plain 's' {
        STRIKE: "Attack", Strike;
        FIGHT: "Attack", Strike,
            "Attack or charge in your segment. You can move instead.";
    }
    plain 'h' {
        SHOOT: "Shoot", Shoot;
        MISSILES: "Missiles", Shoot,
            "Shoot or throw. With the weapon in hand, the missile bonus makes you faster.";
    }
    plain 't' {
        THROW: "Throw", Throw, ALWAYS_ONE_MORE;
    }
    'c' {
        CHARGE: "Charge", Charge,
            "Up to double move, +2 to hit, AC 1 worse this round; once every ten rounds.";
    }
    plain 'm' {
        SPELL: "Spell", Spell,
            "Start a spell in your segment. You can drop it, but not act instead.";
        CAST: "Cast", Spell,
            "Casting starts in this segment. Lost if the caster is damaged first.";
        AIM: "Release", Aim, READY;
        AIM_PLACE: "Release", Aim, READY;
    }
    'g' {
        GO: "Move", Move, "Move, or use doors and items, or tend the fallen. No attack.";
    }
    'f' {
        WITHDRAW: "Withdraw", Disengage,
            "Leave melee at half speed; provokes no attacks.";
    }
    'b' {
        BRACE: "Set spear", Spear,
            "Attack a charging enemy first, for double damage; else in your segment.";
        SET: "Set spear", Spear,
            "Attack a charging enemy first in this segment, for double damage.";
    }
    'x' {
        LET_GO: "Drop spell", Close, "The spell is lost and spent.";
    }
    'z' {
        HOLD: "Hold", Hold, "Act in a later segment this round.";
    }
    plain 'a' {
        BIND: "Bandage", Aid,
            "Uses the action. Stop an adjacent fallen ally's bleeding.";
    }
    group 'i' {
        DRAW: "Items", Gear, THINGS;
        PUT_AWAY: "Items", Gear, THINGS;
        UNPACK: "Items", Gear, THINGS;
        DROP: "Items", Gear, THINGS;
        PICK_UP: "Items", Gear, THINGS;
    }
    plain 'o' {
        OPEN: "Open", Door;
        CLOSE: "Close", Door;
    }
    'p' {
        STAND_UP: "Stand up", Stand, "Takes one segment, before your action.";
    }
    'L' {
        LEAVE: "Leave", Fleeing,
            "Leave the battle by this exit. Adjacent enemies attack first.";
    }
    '\u{E000}' {
        AT_BACK: "Strike", Snap;
        MEET: "Meet", Spear;
    }
};
