//! The act bar of Phased: what may be declared, then what is done.

use crate::{
    rulesets::phased::{
        acts::{
            AIM, AIM_AT_PLACE, BIND, CALL, CALL_SHOT, CAST, CLOSE, DRAW, DROP, DROP_SHIELD,
            GO_PRONE, GRAB, LEAVE, LOAD, OPEN, PICK_UP, SHEATHE, SHOOT, STAND_UP, STRIKE, THROW,
            THRUST, UNPACK, USE, USE_ON,
        },
        declare,
        fast::STAND_FAST,
        turns::DELAY,
    },
    ui::{
        art::icons::Icon,
        read::{ActFace, Face},
    },
};

const fn act(verb: &'static crate::battle::Verb, label: &'static str, icon: Icon) -> ActFace {
    ActFace::new(verb, label, icon)
}

pub(super) static FACES: [Face; 20] = [
    Face::new('c', &[act(&declare::CHARGE, "Charge", Icon::Charge)]),
    Face::new('z', &[act(&declare::SPELL, "Cast", Icon::Spell)]),
    Face::new(
        'f',
        &[
            act(&declare::FLIGHT, "Flee", Icon::Fleeing),
            act(&STAND_FAST, "Stand fast", Icon::Stand),
            act(&LEAVE, "Leave", Icon::Fleeing),
        ],
    ),
    Face::new('y', &[act(&declare::PARLEY, "Parley", Icon::Pass)]),
    Face::new('r', &[act(&declare::SET, "Set weapon", Icon::Spear)]),
    Face::new(
        'd',
        &[
            act(&declare::DELAY, "Delay", Icon::Hold),
            act(&DELAY, "Delay", Icon::Hold),
        ],
    ),
    Face::new(
        'j',
        &[
            act(&declare::NOTHING, "Nothing", Icon::Check),
            act(&declare::AFTER, "Act after", Icon::Strike),
        ],
    ),
    Face::plain(
        'b',
        &[
            act(&declare::BIND, "Bind", Icon::Aid),
            act(&BIND, "Bind", Icon::Aid),
        ],
    ),
    Face::plain('s', &[act(&STRIKE, "Strike", Icon::Strike)]),
    Face::new('t', &[act(&THRUST, "Thrust", Icon::Spear)]),
    Face::plain('h', &[act(&SHOOT, "Shoot", Icon::Shoot)]),
    Face::plain('m', &[act(&THROW, "Throw", Icon::Throw)]),
    Face::new(
        'k',
        &[
            act(&CALL, "Weak spot", Icon::Aim),
            act(&CALL_SHOT, "Weak spot", Icon::Aim),
        ],
    ),
    Face::new('g', &[act(&GRAB, "Grab", Icon::Grapple)]),
    Face::plain(
        'x',
        &[
            act(&AIM, "Aim spell", Icon::Spell),
            act(&AIM_AT_PLACE, "Aim spell", Icon::Spell),
            act(&USE_ON, "Use", Icon::Spell),
            act(&USE, "Use", Icon::Spell),
            act(&CAST, "Cast", Icon::Spell),
        ],
    ),
    Face::new(
        'p',
        &[
            act(&GO_PRONE, "Prone", Icon::Prone),
            act(&STAND_UP, "Stand up", Icon::Stand),
        ],
    ),
    Face::new(
        'i',
        &[
            act(&DRAW, "Draw", Icon::Dagger),
            act(&SHEATHE, "Put away", Icon::Load),
            act(&UNPACK, "Unpack", Icon::Load),
            act(&PICK_UP, "Pick up", Icon::PickUp),
        ],
    ),
    Face::new(
        'o',
        &[
            act(&DROP, "Drop", Icon::ArrowDown),
            act(&DROP_SHIELD, "Drop shield", Icon::Defend),
        ],
    ),
    Face::new(
        'a',
        &[
            act(&declare::LOAD, "Load", Icon::Reload),
            act(&LOAD, "Load", Icon::Reload),
        ],
    ),
    Face::plain(
        'l',
        &[
            act(&OPEN, "Open", Icon::Door),
            act(&CLOSE, "Close", Icon::Door),
        ],
    ),
];
