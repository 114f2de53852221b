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
        STRIKE: "Strike", Strike, "Make the declared attack.";
        declared::ATTACK: "Attack", Strike,
            "Attack on your count: base plus weapon speed.";
    }
    plain 'h' {
        SHOOT: "Shoot", Shoot, "Take the declared shot.";
    }
    plain 't' {
        THROW: "Throw", Throw, "Make the declared throw.";
        declared::THROWING: "Throw", Throw,
            "Throw on your count. The weapon lands at the target.";
    }
    plain 'm' {
        CAST: "Cast", Spell, "Cast the declared spell.";
        CAST_AT_PLACE: "Cast", Spell, "Cast the declared spell at a cell.";
        declared::CASTING: "Cast", Spell,
            "Cast on your count. A hit before then can disrupt it.";
    }
    'g' {
        declared::MOVING: "Move", Move, "Move on your count, up to your speed. No attack.";
    }
    'f' {
        declared::DEFENSIVE_MOVE: "Safe move", Disengage,
            "Move one count later; provokes no ripostes.";
    }
    'd' {
        declared::FULL_DEFENSE: "Defend", TotalDefense,
            "Full Defense. Defense +4 from your count until the round ends, half speed, ripostes. No attack.";
    }
    'b' {
        declared::DEFENSIVE: "Safe attack", Parry,
            "Attack one count later; provokes no ripostes.";
        RIPOSTE: "Riposte", Parry, "Reaction. Attack at once.";
    }
    'k' {
        declared::BREAKING_FREE: "Break free", Grapple, "A check to break out of a hold.";
    }
    plain 'j' {
        USE: "Use", Heart, "Use the declared item.";
        declared::USING: "Use", Heart, "Use a potion or similar on your count.";
    }
    'x' {
        declared::DOUSING: "Douse", Bleeding, "Put out the flames on yourself.";
        SURGE: "Surge", Run;
    }
    'z' {
        declared::HOLD: "Hold", Hold, "Act at any later count.";
    }
    'y' {
        INTIMIDATE: "Intimidate", Intimidate,
            "Make a check. At the end of the round the enemy must match it with a morale check, or flee or surrender.";
        declared::INTIMIDATING: "Intimidate", Intimidate,
            "On your count: make a check. At the end of the round the enemy must match it with a morale check, or flee or surrender.";
    }
    plain 'a' {
        TEND: "Heal", Aid, "Make a check to heal an adjacent ally.";
        declared::HEALING: "Heal", Aid,
            "On your count: make a check to heal an adjacent ally.";
    }
    'i' {
        PICK_UP: "Pick up", PickUp, "Free action. Pick up an item within 5 ft.";
    }
    plain 'o' {
        OPEN: "Open", Door;
        CLOSE: "Close", Door;
        declared::DOOR: "Door", Door, "Open or close an adjacent door on your count.";
    }
    'p' {
        GO_PRONE: "Prone", Prone;
        declared::STANDING_UP: "Stand up", Stand, "Get up on your count.";
    }
    'L' {
        LEAVE: "Leave", Fleeing, "Leave the battle by this exit.";
    }
};
