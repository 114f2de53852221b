//! The act bar of Skirmish.

use crate::{
    rulesets::skirmish::acts::{
        AID, CHARGE, CLOSE, DISENGAGE, GO_PRONE, LEAVE, OPEN, SHOOT, STAND_UP, STRIKE, THROW,
        defend::DEFEND,
    },
    ui::{
        art::icons::Icon,
        read::{ActFace, Face},
    },
};

pub(super) static FACES: [Face; 10] = [
    Face::plain('s', &[ActFace::new(&STRIKE, "Strike", Icon::Strike)]),
    Face::plain('h', &[ActFace::new(&SHOOT, "Shoot", Icon::Shoot)]),
    Face::plain('t', &[ActFace::new(&THROW, "Throw", Icon::Throw)]),
    Face::new('c', &[ActFace::new(&CHARGE, "Charge", Icon::Charge)]),
    Face::new('d', &[ActFace::new(&DEFEND, "Defend", Icon::TotalDefense)]),
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
    Face::new('l', &[ActFace::new(&LEAVE, "Leave", Icon::Fleeing)]),
];
