//! The act bar: what is declared and what it becomes share a button.

use crate::{
    rulesets::{
        activity::{declared, stride::OPPORTUNITY, targets},
        common::doors,
    },
    ui::read::{Face, faces},
};

const THINGS: &str = "Draw or drop: 20% of the round. Change weapons: 50%. Pick up: 100%.";

pub static FACES: &[Face] = faces! {
    plain 's' {
        targets::STRIKE: "Strike", Strike;
        declared::MELEE: "Melee", Strike,
            "Attack for 60 to 100% of the round; −1 OB per percent below 100.";
    }
    plain 'h' {
        targets::SHOOT: "Shoot", Shoot;
        declared::MISSILE: "Missile", Shoot,
            "Shoot or throw for 30 to 60% of the round; −1 OB per percent below 60. Unlimited ammo.";
    }
    plain 'c' {
        targets::CHARGE: "Charge", Charge,
            "Run straight for 25 ft or more, then attack: +2 OB per 5 ft.";
        declared::CHARGE: "Charge", Charge,
            "Run straight for 25 ft or more, then attack: +2 OB per 5 ft.";
    }
    plain 'm' {
        declared::SPELL: "Cast", Spell, "Cast a spell: 20% of the round per power point.";
        declared::HASTEN: "Hasten", Spell, "Cast a spell faster, with a worse casting roll.";
        targets::CAST_AT: "Cast", Spell;
        targets::CAST_TO: "Cast", Spell;
    }
    'g' {
        declared::MOVE: "Move", Move,
            "Move. Attacks later this round lose 10 OB per 10 ft.";
    }
    'f' {
        targets::WITHDRAW: "Withdraw", Disengage,
            "Move at half speed; provokes no attacks.";
    }
    'd' {
        declared::PARRY: "Parry", Parry,
            "Turn part of your melee OB into DB against every melee attack this round.";
    }
    'b' {
        declared::PARRY_MISSILE: "Parry shot", Defend,
            "Add half your OB to DB against one missile: 50% of the round.";
    }
    'k' {
        declared::CHI_SPEED: "Chi speed", Run,
            "A maneuver, 20% of the round. Success: 200% next round.";
    }
    'j' {
        declared::HERB: "Herb", Heart, "Use a prepared herb: 20% of the round.";
    }
    'x' {
        targets::GIVE_UP: "Skip", Close, "Skip this planned action.";
    }
    'z' {
        declared::CHI_DEFENSE: "Chi guard", Defend,
            "A maneuver, 20% of the round, for a better DB.";
    }
    'y' {
        declared::PERCEIVE: "Look", Eye,
            "Search for hidden enemies: 20 to 60% of the round; −1 per percent below 60.";
    }
    plain 'a' {
        declared::STANCH: "Stanch", Aid, "Stop an adjacent ally's bleeding.";
        targets::STANCH: "Stanch", Aid;
    }
    plain group 'i' {
        declared::DRAW: "Items", Gear, THINGS;
        declared::CHANGE: "Items", Gear, THINGS;
        declared::LET_GO: "Items", Gear, THINGS;
        declared::PICK_UP: "Items", Gear, THINGS;
        targets::PICK_UP: "Items", Gear, THINGS;
    }
    plain 'o' {
        declared::DOOR: "Door", Door, "Open or close an adjacent door: 20% of the round.";
        doors::OPEN: "Open", Door;
        doors::CLOSE: "Close", Door;
    }
    'p' {
        declared::STAND_UP: "Stand up", Stand, "Get up: 20% of the round.";
        declared::DROP_PRONE: "Prone", Prone, "Drop prone: 20% of the round.";
    }
    'l' {
        declared::RELOAD: "Load", Reload, "Load a ranged weapon.";
    }
    'L' {
        targets::LEAVE: "Leave", Fleeing, "Leave the battle by this exit.";
    }
    '\u{E000}' {
        OPPORTUNITY: "Strike", Snap;
    }
};
