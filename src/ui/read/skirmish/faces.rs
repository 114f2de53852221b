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
    ui::{
        art::icons::Icon,
        read::{ActFace, Face},
    },
};

const THINGS: &str = "One draw a turn is free, a second one costs the Move. The pack costs the Main, the ground the Move.";

pub(super) static FACES: [Face; 20] = [
    Face::plain('s', &[ActFace::new(&STRIKE, "Strike", Icon::Strike).telling("The Main: a blow at whoever is in reach.")]),
    Face::plain('h', &[ActFace::new(&SHOOT, "Shoot", Icon::Shoot).telling("The Main: a shot along a clear line. With a foe in reach, −4 for one hand, and never with two.")]),
    Face::plain('t', &[ActFace::new(&THROW, "Throw", Icon::Throw).telling("The Main: a throw, −4 with a foe in reach. There is always one more to throw.")]),
    Face::new(
        'c',
        &[
            ActFace::new(&CHARGE, "Charge", Icon::Charge).telling("The Main and the Move: a straight run and a blow at +2; AC 2 lower until the round ends."),
            ActFace::new(&CHARGE_THROW, "Charge", Icon::Charge).telling("The Main and the Move: a straight run and a throw at +2; AC 2 lower until the round ends."),
            // Nobody charges out of a grapple.
            ActFace::new(&BREAK_FREE, "Break free", Icon::Grapple).telling("The Main: a check against each that holds it."),
        ],
    ),
    Face::new(
        'j',
        &[
            ActFace::new(&SWARM_STRIKE, "Swarm", Icon::Swarm).telling("The one attack of those who swarm: +2 to hit and +1 damage for each other."),
            ActFace::new(&SWARM_LOOSE, "Swarm", Icon::Swarm).telling("The one attack of those who swarm: +2 to hit and +1 damage for each other."),
            ActFace::new(&SWARM, "Swarm", Icon::Swarm).telling("The Main of two to four: one of them then strikes, at +2 to hit and +1 damage for each other."),
            ActFace::new(&SWARM_FAR, "Swarm", Icon::Swarm).telling("The Main of two to four: one of them then shoots, at +2 to hit and +1 damage for each other."),
        ],
    ),
    Face::new(
        'm',
        &[
            ActFace::new(&CAST, "Cast", Icon::Spell).telling("The Main: a spell. A wound before it is done spoils it."),
            ActFace::new(&CAST_OVER, "Cast", Icon::Spell).telling("The Main: a spell. A wound before it is done spoils it."),
            ActFace::new(&CAST_TOWARDS, "Cast", Icon::Spell).telling("The Main: a spell. A wound before it is done spoils it."),
        ],
    ),
    Face::new(
        'b',
        &[
            ActFace::new(&SHOVE, "Shove", Icon::Shove).telling("The Main: an attack roll and a check, then the foe is a cell farther."),
            ActFace::new(&SHOVE_DOWN, "Shove", Icon::Shove).telling("The Main: an attack roll and a check, then the foe lies prone."),
        ],
    ),
    Face::new(
        'f',
        &[
            ActFace::new(&GRAPPLE, "Grapple", Icon::Grapple).telling("The Main: an unarmed hit and a check, then the foe is held."),
            ActFace::new(&RELEASE, "Grapple", Icon::Grapple).telling("Free: lets go of the foe."),
            ActFace::new(&DRAG, "Grapple", Icon::Grapple).telling("The Main: a check, then both go up to 10 ft."),
            ActFace::new(&HURL, "Grapple", Icon::Grapple).telling("The Main: a check, then the foe is thrown 5 ft and lies prone."),
        ],
    ),
    Face::new(
        'x',
        &[
            ActFace::new(&EXECUTE, "Execute", Icon::Dagger).telling("The Main: hits by itself. If the save fails, the victim falls."),
            ActFace::new(&EXECUTE_SHOT, "Execute", Icon::Dagger).telling("The Main: a check instead of an attack. If the save fails, the victim falls."),
            ActFace::new(&STALK, "Stalk", Icon::Dagger).telling("The Main: a round spent on one that suspects nothing. After ten of them it can be executed."),
        ],
    ),
    Face::new(
        'd',
        &[
            ActFace::new(&DEFEND, "Defend", Icon::TotalDefense).telling("For the unspent Main: AC +2 and no Shock until the next turn. It can wait for the foe's roll."),
            ActFace::new(&SPARE_MAIN, "Spare Main", Icon::FastForward).telling("Once a battle: a second Main, by its trait."),
        ],
    ),
    Face::new(
        'k',
        &[
            ActFace::new(&SCREEN, "Screen", Icon::Screen).telling("The Move: stays by a comrade. Who attacks that one has to win a check, or strikes the screener."),
            ActFace::new(&SCREEN_FROM, "Screen", Icon::Screen).telling("The Move: goes to a comrade. Who attacks that one has to win a check, or strikes the screener."),
        ],
    ),
    Face::new('z', &[ActFace::new(&HOLD, "Hold", Icon::Hold)]),
    Face::new(
        'g',
        &[ActFace::new(&DISENGAGE, "Disengage", Icon::Disengage).telling("The Main: those beside it now cannot strike at its back this round.")],
    ),
    Face::new(
        'p',
        &[
            ActFace::new(&GO_PRONE, "Prone", Icon::Prone).telling("Free: shots at it have −2, blows +2; every step costs double."),
            ActFace::new(&STAND_UP, "Stand up", Icon::Stand).telling("The Move. Foes in reach strike first."),
        ],
    ),
    Face::plain('a', &[ActFace::new(&AID, "Aid", Icon::Aid).telling("The Main: a check to keep a fallen comrade alive. Foes in reach strike first.")]),
    Face::plain(
        'o',
        &[
            ActFace::new(&OPEN, "Open", Icon::Door).telling("The Move, or else the Main: opens a door beside it."),
            ActFace::new(&CLOSE, "Close", Icon::Door).telling("The Move, or else the Main: shuts a door beside it."),
        ],
    ),
    Face::new('r', &[ActFace::new(&RELOAD, "Reload", Icon::Reload).telling("The Main for a crossbow, the Move for a bow; free for the trained.")]),
    Face::new(
        'i',
        &[
            ActFace::new(&DRAW, "Things", Icon::Gear).telling(THINGS),
            ActFace::new(&DRAW_SECOND, "Things", Icon::Gear).telling(THINGS),
            ActFace::new(&PUT_AWAY, "Things", Icon::Gear).telling(THINGS),
            ActFace::new(&READY, "Things", Icon::Gear).telling(THINGS),
            ActFace::new(&STOW, "Things", Icon::Gear).telling(THINGS),
            ActFace::new(&DROP, "Things", Icon::Gear).telling(THINGS),
            ActFace::new(&PICK_UP, "Things", Icon::Gear).telling(THINGS),
        ],
    ),
    Face::new(
        'y',
        &[ActFace::new(&PARLEY, "Parley", Icon::Intimidate)
            .telling("A Main: words instead of blows. Each side hears one call a battle.")],
    ),
    Face::new(
        'l',
        &[ActFace::new(&LEAVE, "Leave", Icon::Fleeing).telling("Leaves the battle by this exit.")],
    ),
];
