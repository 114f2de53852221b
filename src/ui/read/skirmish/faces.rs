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

const THINGS: &str = "Draw one weapon per turn for free; a second uses your Move. From the pack: Main. From the ground: Move.";

pub(super) static FACES: &[Face] = faces! {
    plain 's' {
        STRIKE: "Strike", Strike, "Main action. Attack an enemy in reach.";
    }
    plain 'h' {
        SHOOT: "Shoot", Shoot,
            "Main action. Needs a clear line. Next to an enemy: −4 with one hand, impossible with two.";
    }
    plain 't' {
        THROW: "Throw", Throw,
            "Main action. −4 with an enemy in reach. Unlimited ammo.";
    }
    'c' {
        CHARGE: "Charge", Charge,
            "Main and Move. Run straight and attack at +2; −2 AC until the round ends.";
        CHARGE_THROW: "Charge", Charge,
            "Main and Move. Run straight and throw at +2; −2 AC until the round ends.";
    }
    'm' {
        CAST: "Cast", Spell, "Main action. Lost if the caster is wounded first.";
        CAST_OVER: "Cast", Spell, "Main action. Lost if the caster is wounded first.";
        CAST_TOWARDS: "Cast", Spell, "Main action. Lost if the caster is wounded first.";
    }
    'g' {
        SCREEN: "Screen", Screen,
            "Uses your Move. Guard an ally: attackers must win a check or hit you instead.";
        SCREEN_FROM: "Screen", Screen,
            "Uses your Move. Go and guard an ally: attackers must win a check or hit you instead.";
    }
    'f' {
        DISENGAGE: "Disengage", Disengage,
            "Main action. Leaving adjacent enemies provokes no attacks this round.";
    }
    'd' {
        DEFEND: "Defend", TotalDefense,
            "Total Defense. Uses an unspent Main: AC +2 and no Shock damage until your next turn. Also possible as a reaction when an enemy attacks.";
        SPARE_MAIN: "Spare Main", FastForward, "Once per battle: a second Main action.";
    }
    'b' {
        SHOVE: "Shove", Shove,
            "Main action. Attack roll, then a check: push the enemy one cell.";
        SHOVE_DOWN: "Shove", Shove,
            "Main action. Attack roll, then a check: knock the enemy prone.";
    }
    group 'k' {
        GRAPPLE: "Grapple", Grapple,
            "Main action. Unarmed hit, then a check: hold the enemy.";
        RELEASE: "Grapple", Grapple, "Free. Let go of the enemy.";
        DRAG: "Grapple", Grapple, "Main action. A check: drag the enemy up to 10 ft.";
        HURL: "Grapple", Grapple,
            "Main action. A check: throw the enemy 5 ft, knocking it prone.";
        // Nobody charges out of a grapple.
        BREAK_FREE: "Break free", Grapple, "Main action. A check against each unit holding you.";
    }
    'j' {
        SWARM_STRIKE: "Swarm", Swarm,
            "Make the swarm's one attack: +2 to hit and +1 damage per helper.";
        SWARM_LOOSE: "Swarm", Swarm,
            "Make the swarm's one attack: +2 to hit and +1 damage per helper.";
        SWARM: "Swarm", Swarm,
            "2 to 4 allies spend their Main; one attacks at +2 to hit and +1 damage per helper.";
        SWARM_FAR: "Swarm", Swarm,
            "2 to 4 allies spend their Main; one shoots at +2 to hit and +1 damage per helper.";
    }
    'x' {
        EXECUTE: "Execute", Dagger,
            "Main action. Hits automatically; drops the target if its save fails.";
        EXECUTE_SHOT: "Execute", Dagger,
            "Main action. A check to hit; drops the target if its save fails.";
        STALK: "Stalk", Dagger,
            "Main action. Shadow an unaware enemy; after 10 rounds you can execute them.";
    }
    'z' {
        HOLD: "Hold", Hold;
    }
    'y' {
        PARLEY: "Parley", Intimidate,
            "Main action. Demand surrender, once per battle for each side.";
    }
    plain 'a' {
        AID: "Aid", Aid,
            "Main action. A check to save a dying ally. Provokes attacks.";
    }
    group 'i' {
        DRAW: "Items", Gear, THINGS;
        DRAW_SECOND: "Items", Gear, THINGS;
        PUT_AWAY: "Items", Gear, THINGS;
        READY: "Items", Gear, THINGS;
        STOW: "Items", Gear, THINGS;
        DROP: "Items", Gear, THINGS;
        PICK_UP: "Items", Gear, THINGS;
    }
    plain 'o' {
        OPEN: "Open", Door, "Uses your Move, or Main if spent. Open an adjacent door.";
        CLOSE: "Close", Door, "Uses your Move, or Main if spent. Close an adjacent door.";
    }
    'p' {
        GO_PRONE: "Prone", Prone,
            "Free. Ranged attacks on you −2, melee +2; each step costs double.";
        STAND_UP: "Stand up", Stand, "Uses your Move. Provokes attacks.";
    }
    'l' {
        RELOAD: "Reload", Reload,
            "Main for a crossbow, Move for a bow; free if trained.";
    }
    'L' {
        LEAVE: "Leave", Fleeing, "Leave the battle by this exit.";
    }
};
