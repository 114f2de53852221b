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

pub(super) static FACES: [Face; 20] = [
    Face::plain('s', &[ActFace::new(&STRIKE, "Strike", Icon::Strike)]),
    Face::plain('h', &[ActFace::new(&SHOOT, "Shoot", Icon::Shoot)]),
    Face::plain('t', &[ActFace::new(&THROW, "Throw", Icon::Throw)]),
    Face::new(
        'c',
        &[
            ActFace::new(&CHARGE, "Charge", Icon::Charge),
            ActFace::new(&CHARGE_THROW, "Charge", Icon::Charge),
            // Nobody charges out of a grapple.
            ActFace::new(&BREAK_FREE, "Break free", Icon::Grapple),
        ],
    ),
    Face::new(
        'j',
        &[
            ActFace::new(&SWARM_STRIKE, "Swarm", Icon::Swarm),
            ActFace::new(&SWARM_LOOSE, "Swarm", Icon::Swarm),
            ActFace::new(&SWARM, "Swarm", Icon::Swarm),
            ActFace::new(&SWARM_FAR, "Swarm", Icon::Swarm),
        ],
    ),
    Face::new(
        'm',
        &[
            ActFace::new(&CAST, "Cast", Icon::Spell),
            ActFace::new(&CAST_OVER, "Cast", Icon::Spell),
            ActFace::new(&CAST_TOWARDS, "Cast", Icon::Spell),
        ],
    ),
    Face::new(
        'b',
        &[
            ActFace::new(&SHOVE, "Shove", Icon::Shove),
            ActFace::new(&SHOVE_DOWN, "Shove", Icon::Shove),
        ],
    ),
    Face::new(
        'f',
        &[
            ActFace::new(&GRAPPLE, "Grapple", Icon::Grapple),
            ActFace::new(&RELEASE, "Grapple", Icon::Grapple),
            ActFace::new(&DRAG, "Grapple", Icon::Grapple),
            ActFace::new(&HURL, "Grapple", Icon::Grapple),
        ],
    ),
    Face::new(
        'x',
        &[
            ActFace::new(&EXECUTE, "Execute", Icon::Dagger),
            ActFace::new(&EXECUTE_SHOT, "Execute", Icon::Dagger),
            ActFace::new(&STALK, "Stalk", Icon::Dagger),
        ],
    ),
    Face::new(
        'd',
        &[
            ActFace::new(&DEFEND, "Defend", Icon::TotalDefense),
            ActFace::new(&SPARE_MAIN, "Spare Main", Icon::FastForward),
        ],
    ),
    Face::new(
        'k',
        &[
            ActFace::new(&SCREEN, "Screen", Icon::Screen),
            ActFace::new(&SCREEN_FROM, "Screen", Icon::Screen),
        ],
    ),
    Face::new('z', &[ActFace::new(&HOLD, "Hold", Icon::Hold)]),
    Face::new(
        'g',
        &[ActFace::new(&DISENGAGE, "Disengage", Icon::Disengage)],
    ),
    Face::new(
        'p',
        &[
            ActFace::new(&GO_PRONE, "Prone", Icon::Prone),
            ActFace::new(&STAND_UP, "Stand up", Icon::Stand),
        ],
    ),
    Face::plain('a', &[ActFace::new(&AID, "Aid", Icon::Aid)]),
    Face::plain(
        'o',
        &[
            ActFace::new(&OPEN, "Open", Icon::Door),
            ActFace::new(&CLOSE, "Close", Icon::Door),
        ],
    ),
    Face::new('r', &[ActFace::new(&RELOAD, "Reload", Icon::Reload)]),
    Face::new(
        'i',
        &[
            ActFace::new(&DRAW, "Things", Icon::Gear),
            ActFace::new(&DRAW_SECOND, "Things", Icon::Gear),
            ActFace::new(&PUT_AWAY, "Things", Icon::Gear),
            ActFace::new(&READY, "Things", Icon::Gear),
            ActFace::new(&STOW, "Things", Icon::Gear),
            ActFace::new(&DROP, "Things", Icon::Gear),
            ActFace::new(&PICK_UP, "Things", Icon::Gear),
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
