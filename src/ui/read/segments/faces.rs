//! The act bar of Segments: what may be declared, then what is done.

use crate::{
    battle::Verb,
    rulesets::segments::{
        acts::{
            BIND, CAST, CHARGE, CLOSE, DRAW, DROP, HOLD, LEAVE, OPEN, PICK_UP, PUT_AWAY, SHOOT,
            STAND_UP, STRIKE, THROW, UNPACK, WITHDRAW,
        },
        declare::{BRACE, FIGHT, GO, MISSILES, SPELL},
        reactions::{AT_BACK, MEET},
        spells::{AIM, AIM_PLACE, LET_GO},
    },
    ui::{
        art::icons::Icon,
        read::{ActFace, Face},
    },
};

const fn act(verb: &'static Verb, label: &'static str, icon: Icon) -> ActFace {
    ActFace::new(verb, label, icon)
}

pub(super) static FACES: [Face; 21] = [
    // Declarations.
    Face::new('f', &[act(&FIGHT, "Attack", Icon::Strike)]),
    Face::new('m', &[act(&MISSILES, "Missiles", Icon::Shoot)]),
    Face::new('x', &[act(&SPELL, "Spell", Icon::Spell)]),
    Face::new('g', &[act(&GO, "Move", Icon::Move)]),
    Face::new('b', &[act(&BRACE, "Set spear", Icon::Spear)]),
    // Acts.
    Face::plain('s', &[act(&STRIKE, "Attack", Icon::Strike)]),
    Face::plain('h', &[act(&SHOOT, "Shoot", Icon::Shoot)]),
    Face::plain('t', &[act(&THROW, "Throw", Icon::Throw)]),
    Face::new('c', &[act(&CHARGE, "Charge", Icon::Charge)]),
    Face::new('d', &[act(&WITHDRAW, "Withdraw", Icon::Disengage)]),
    Face::new('k', &[act(&CAST, "Cast", Icon::Spell)]),
    Face::plain(
        'r',
        &[
            act(&AIM, "Release", Icon::Aim),
            act(&AIM_PLACE, "Release", Icon::Aim),
        ],
    ),
    Face::new('z', &[act(&LET_GO, "Let go", Icon::Close)]),
    Face::new('y', &[act(&HOLD, "Hold", Icon::Hold)]),
    Face::new('p', &[act(&STAND_UP, "Stand up", Icon::Stand)]),
    Face::plain('a', &[act(&BIND, "Bind", Icon::Aid)]),
    Face::new(
        'i',
        &[
            act(&DRAW, "Things", Icon::Gear),
            act(&PUT_AWAY, "Things", Icon::Gear),
            act(&UNPACK, "Things", Icon::Gear),
            act(&DROP, "Things", Icon::Gear),
        ],
    ),
    Face::new('j', &[act(&PICK_UP, "Pick up", Icon::PickUp)]),
    Face::plain(
        'o',
        &[
            act(&OPEN, "Open", Icon::Door),
            act(&CLOSE, "Close", Icon::Door),
        ],
    ),
    Face::new('l', &[act(&LEAVE, "Leave", Icon::Fleeing)]),
    Face::plain(
        'v',
        &[
            act(&AT_BACK, "Strike", Icon::Snap),
            act(&MEET, "Meet", Icon::Spear),
        ],
    ),
];
