//! The act bar: what is declared and what it becomes share a button.

use crate::{
    rulesets::speed::{
        RIPOSTE,
        acts::{
            CAST, CAST_AT_PLACE, CLOSE, GO_PRONE, INTIMIDATE, LEAVE, OPEN, PICK_UP, SHOOT, STRIKE,
            SURGE, TEND, THROW, USE,
        },
        declared,
    },
    ui::read::{Face, faces},
};

pub static FACES: &[Face] = faces! {
    plain 's' {
        STRIKE: "Strike", Strike, "A blow with what was declared.";
        declared::ATTACK: "Attack", Strike,
            "A blow when its count comes: the base, and the weapon's speed.";
    }
    plain 'h' {
        SHOOT: "Shoot", Shoot, "A shot with what was declared.";
    }
    plain 't' {
        THROW: "Throw", Throw, "A throw with what was declared.";
        declared::THROWING: "Throw", Throw,
            "A throw when its count comes. What is thrown lies where its target stands.";
    }
    plain 'm' {
        CAST: "Cast", Spell, "The spell that was declared.";
        CAST_AT_PLACE: "Cast", Spell, "The spell that was declared, at a free cell.";
        declared::CASTING: "Cast", Spell,
            "A spell when its count comes. A hit before that can spoil it.";
    }
    'g' {
        declared::MOVING: "Move", Move, "Goes when its count comes, up to its speed. No attack.";
    }
    'f' {
        declared::DEFENSIVE_MOVE: "Wary move", Disengage,
            "Goes when its count comes, one later; nobody ripostes when it comes into their reach.";
    }
    'd' {
        declared::FULL_DEFENSE: "Defend", TotalDefense,
            "Defense +4 from its count to the round's end, half speed, and ripostes. No attack.";
    }
    'b' {
        declared::DEFENSIVE: "Defensive", Parry,
            "A blow one count later; nobody ripostes when it comes into their reach.";
        RIPOSTE: "Riposte", Parry, "The reaction: a blow at once.";
    }
    'k' {
        declared::BREAKING_FREE: "Break free", Grapple, "A check to get out of what holds it.";
    }
    plain 'j' {
        USE: "Use", Heart, "Uses what was declared.";
        declared::USING: "Use", Heart, "A potion or the like when its count comes.";
    }
    'x' {
        declared::DOUSING: "Douse", Bleeding, "Puts out the flames on it.";
        SURGE: "Surge", Run;
    }
    'z' {
        declared::HOLD: "Hold", Hold, "Acts at any later count.";
    }
    'y' {
        INTIMIDATE: "Intimidate", Intimidate,
            "A check: the foe's morale has to stand up to its result.";
        declared::INTIMIDATING: "Intimidate", Intimidate,
            "A check when its count comes: a foe's morale has to stand up to its result.";
    }
    plain 'a' {
        TEND: "Heal", Aid, "A check: heals a comrade beside it.";
        declared::HEALING: "Heal", Aid,
            "A check when its count comes: heals a comrade beside it.";
    }
    'i' {
        PICK_UP: "Pick up", PickUp, "A free action: takes up what lies within 5 ft.";
    }
    plain 'o' {
        OPEN: "Open", Door;
        CLOSE: "Close", Door;
        declared::DOOR: "Door", Door, "Opens or shuts a door beside it when its count comes.";
    }
    'p' {
        GO_PRONE: "Prone", Prone;
        declared::STANDING_UP: "Stand up", Stand, "Gets to its feet when its count comes.";
    }
    'L' {
        LEAVE: "Leave", Fleeing, "Leaves the battle by this exit.";
    }
};
