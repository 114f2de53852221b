//! The act bar: what is declared and what it becomes share a button.

use crate::{
    rulesets::{
        activity::{declared, stride::OPPORTUNITY, targets},
        common::doors,
    },
    ui::read::{Face, faces},
};

const THINGS: &str =
    "To draw or to drop takes 20% of the round, to change weapons 50%, to pick up 100%.";

pub static FACES: &[Face] = faces! {
    plain 's' {
        targets::STRIKE: "Strike", Strike;
        declared::MELEE: "Melee", Strike,
            "Blows for 60 to 100% of the round; each percent less than 100 is 1 OB less.";
    }
    plain 'h' {
        targets::SHOOT: "Shoot", Shoot;
        declared::MISSILE: "Missile", Shoot,
            "A shot or a throw (never counted) for 30 to 60% of the round; each percent less than 60 is 1 OB less.";
    }
    plain 'c' {
        targets::CHARGE: "Charge", Charge,
            "A straight run of 25 ft at least, and a blow: +2 OB for every 5 ft.";
        declared::CHARGE: "Charge", Charge,
            "A straight run of 25 ft at least, and a blow: +2 OB for every 5 ft.";
    }
    plain 'm' {
        declared::SPELL: "Cast", Spell, "A spell: 20% of the round for each power point.";
        declared::HASTEN: "Hasten", Spell, "A spell in less time, at a worse casting roll.";
        targets::CAST_AT: "Cast", Spell;
        targets::CAST_TO: "Cast", Spell;
    }
    'g' {
        declared::MOVE: "Move", Move,
            "Goes. A blow later in the round loses 10 OB for every 10 ft.";
    }
    'f' {
        targets::WITHDRAW: "Withdraw", Disengage,
            "Goes half as far, and nobody strikes as it leaves.";
    }
    'd' {
        declared::PARRY: "Keep OB", Parry,
            "Sets part of the melee's OB aside for DB, against every blow of the round.";
    }
    'b' {
        declared::PARRY_MISSILE: "Parry shot", Defend,
            "Half the OB is added to DB against one missile: 50% of the round.";
    }
    'k' {
        declared::CHI_SPEED: "Chi speed", Run,
            "A maneuver, 20% of the round: made, it has 200% in the next one.";
    }
    'j' {
        declared::HERB: "Herb", Heart, "Takes a prepared herb: 20% of the round.";
    }
    'x' {
        targets::GIVE_UP: "Give up", Close, "Lets be what was planned.";
    }
    'z' {
        declared::CHI_DEFENSE: "Chi guard", Defend,
            "A maneuver, 20% of the round, for a better DB.";
    }
    'y' {
        declared::PERCEIVE: "Look", Eye,
            "Looks for those who hide: 20 to 60% of the round; each percent less than 60 is 1 less.";
    }
    plain 'a' {
        declared::STANCH: "Stanch", Aid, "Stops the bleeding of somebody beside it.";
        targets::STANCH: "Stanch", Aid;
    }
    plain group 'i' {
        declared::DRAW: "Things", Gear, THINGS;
        declared::CHANGE: "Things", Gear, THINGS;
        declared::LET_GO: "Things", Gear, THINGS;
        declared::PICK_UP: "Things", Gear, THINGS;
        targets::PICK_UP: "Things", Gear, THINGS;
    }
    plain 'o' {
        declared::DOOR: "Door", Door, "Opens or shuts a door beside it: 20% of the round.";
        doors::OPEN: "Open", Door;
        doors::CLOSE: "Close", Door;
    }
    'p' {
        declared::STAND_UP: "Stand up", Stand, "Gets to its feet: 20% of the round.";
        declared::DROP_PRONE: "Prone", Prone, "Lies down: 20% of the round.";
    }
    'l' {
        declared::RELOAD: "Load", Reload, "Loads what shoots.";
    }
    'L' {
        targets::LEAVE: "Leave", Fleeing, "Leaves the battle by this exit.";
    }
    '\u{E000}' {
        OPPORTUNITY: "Strike", Snap;
    }
};
