//! The act bar of Skirmish.

use crate::{
    rulesets::skirmish::acts::{
        AID, BREAK_FREE, CHARGE, CHARGE_THROW, CLOSE, DISENGAGE, DRAG, EXECUTE, EXECUTE_SHOT,
        GO_PRONE, GRAPPLE, HURL, LEAVE, OPEN, RELEASE, SHOOT, SHOVE, SHOVE_DOWN, STALK, STAND_UP,
        STRIKE, THROW,
        cast::{CAST, CAST_OVER, CAST_TOWARDS},
        defend::DEFEND,
        hold::HOLD,
        items::{DRAW, DRAW_SECOND, DROP, PUT_AWAY, READY, STOW},
        parley::PARLEY,
        pick_up::PICK_UP,
        reload::RELOAD,
        screen::{SCREEN, SCREEN_FROM},
        spare::SPARE_MAIN,
        swarm::{SWARM, SWARM_FAR, SWARM_LOOSE, SWARM_STRIKE},
    },
    ui::read::{Face, faces},
};

const THINGS: &str = "One draw a turn is free, a second one costs the Move. The pack costs the Main, the ground the Move.";

pub(super) static FACES: &[Face] = faces! {
    plain 's' {
        STRIKE: "Strike", Strike, "The Main: a blow at whoever is in reach.";
    }
    plain 'h' {
        SHOOT: "Shoot", Shoot,
            "The Main: a shot along a clear line. With a foe in reach, −4 for one hand, and never with two.";
    }
    plain 't' {
        THROW: "Throw", Throw,
            "The Main: a throw, −4 with a foe in reach. There is always one more to throw.";
    }
    'c' {
        CHARGE: "Charge", Charge,
            "The Main and the Move: a straight run and a blow at +2; AC 2 lower until the round ends.";
        CHARGE_THROW: "Charge", Charge,
            "The Main and the Move: a straight run and a throw at +2; AC 2 lower until the round ends.";
    }
    'm' {
        CAST: "Cast", Spell, "The Main: a spell. A wound before it is done spoils it.";
        CAST_OVER: "Cast", Spell, "The Main: a spell. A wound before it is done spoils it.";
        CAST_TOWARDS: "Cast", Spell, "The Main: a spell. A wound before it is done spoils it.";
    }
    'g' {
        SCREEN: "Screen", Screen,
            "The Move: stays by a comrade. Who attacks that one has to win a check, or strikes the screener.";
        SCREEN_FROM: "Screen", Screen,
            "The Move: goes to a comrade. Who attacks that one has to win a check, or strikes the screener.";
    }
    'f' {
        DISENGAGE: "Disengage", Disengage,
            "The Main: those beside it now cannot strike at its back this round.";
    }
    'd' {
        DEFEND: "Defend", TotalDefense,
            "For the unspent Main: AC +2 and no Shock until the next turn. It can wait for the foe's roll.";
        SPARE_MAIN: "Spare Main", FastForward, "Once a battle: a second Main, by its trait.";
    }
    'b' {
        SHOVE: "Shove", Shove,
            "The Main: an attack roll and a check, then the foe is a cell farther.";
        SHOVE_DOWN: "Shove", Shove,
            "The Main: an attack roll and a check, then the foe lies prone.";
    }
    group 'k' {
        GRAPPLE: "Grapple", Grapple,
            "The Main: an unarmed hit and a check, then the foe is held.";
        RELEASE: "Grapple", Grapple, "Free: lets go of the foe.";
        DRAG: "Grapple", Grapple, "The Main: a check, then both go up to 10 ft.";
        HURL: "Grapple", Grapple,
            "The Main: a check, then the foe is thrown 5 ft and lies prone.";
        // Nobody charges out of a grapple.
        BREAK_FREE: "Break free", Grapple, "The Main: a check against each that holds it.";
    }
    'j' {
        SWARM_STRIKE: "Swarm", Swarm,
            "The one attack of those who swarm: +2 to hit and +1 damage for each other.";
        SWARM_LOOSE: "Swarm", Swarm,
            "The one attack of those who swarm: +2 to hit and +1 damage for each other.";
        SWARM: "Swarm", Swarm,
            "The Main of two to four: one of them then strikes, at +2 to hit and +1 damage for each other.";
        SWARM_FAR: "Swarm", Swarm,
            "The Main of two to four: one of them then shoots, at +2 to hit and +1 damage for each other.";
    }
    'x' {
        EXECUTE: "Execute", Dagger,
            "The Main: hits by itself. If the save fails, the victim falls.";
        EXECUTE_SHOT: "Execute", Dagger,
            "The Main: a check instead of an attack. If the save fails, the victim falls.";
        STALK: "Stalk", Dagger,
            "The Main: a round spent on one that suspects nothing. After ten of them it can be executed.";
    }
    'z' {
        HOLD: "Hold", Hold;
    }
    'y' {
        PARLEY: "Parley", Intimidate,
            "A Main: words instead of blows. Each side hears one call a battle.";
    }
    plain 'a' {
        AID: "Aid", Aid,
            "The Main: a check to keep a fallen comrade alive. Foes in reach strike first.";
    }
    group 'i' {
        DRAW: "Things", Gear, THINGS;
        DRAW_SECOND: "Things", Gear, THINGS;
        PUT_AWAY: "Things", Gear, THINGS;
        READY: "Things", Gear, THINGS;
        STOW: "Things", Gear, THINGS;
        DROP: "Things", Gear, THINGS;
        PICK_UP: "Things", Gear, THINGS;
    }
    plain 'o' {
        OPEN: "Open", Door, "The Move, or else the Main: opens a door beside it.";
        CLOSE: "Close", Door, "The Move, or else the Main: shuts a door beside it.";
    }
    'p' {
        GO_PRONE: "Prone", Prone,
            "Free: shots at it have −2, blows +2; every step costs double.";
        STAND_UP: "Stand up", Stand, "The Move. Foes in reach strike first.";
    }
    'l' {
        RELOAD: "Reload", Reload,
            "The Main for a crossbow, the Move for a bow; free for the trained.";
    }
    'L' {
        LEAVE: "Leave", Fleeing, "Leaves the battle by this exit.";
    }
};
