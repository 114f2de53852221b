//! The act bar: what is declared and what it becomes share a button.

use crate::{
    rulesets::speed::{
        RIPOSTE,
        acts::{
            CAST, CAST_AT_PLACE, CLOSE, GO_PRONE, LEAVE, OPEN, SHOOT, STRIKE, SURGE, TEND,
            THREATEN, THROW, USE, declare,
        },
    },
    ui::{
        art::icons::Icon,
        read::{ActFace, Face},
    },
};

pub static FACES: [Face; 16] = [
    Face::plain(
        's',
        &[
            ActFace::new(&STRIKE, "Strike", Icon::Strike),
            ActFace::new(&declare::ATTACK, "Attack", Icon::Strike),
        ],
    ),
    Face::plain('h', &[ActFace::new(&SHOOT, "Shoot", Icon::Shoot)]),
    Face::plain(
        't',
        &[
            ActFace::new(&THROW, "Throw", Icon::Throw),
            ActFace::new(&declare::THROWING, "Throw", Icon::Throw),
        ],
    ),
    Face::new(
        'r',
        &[
            ActFace::new(&declare::DEFENSIVE, "Guarded", Icon::Parry),
            ActFace::new(&RIPOSTE, "Riposte", Icon::Parry),
        ],
    ),
    Face::new(
        'g',
        &[ActFace::new(
            &declare::GUARDED,
            "Guarded move",
            Icon::Disengage,
        )],
    ),
    Face::new(
        'd',
        &[ActFace::new(
            &declare::FULL_DEFENSE,
            "Defend",
            Icon::TotalDefense,
        )],
    ),
    Face::plain(
        'c',
        &[
            ActFace::new(&CAST, "Cast", Icon::Spell),
            ActFace::new(&CAST_AT_PLACE, "Cast", Icon::Spell),
            ActFace::new(&declare::CASTING, "Cast", Icon::Spell),
        ],
    ),
    Face::plain(
        'b',
        &[
            ActFace::new(&USE, "Use", Icon::Heart),
            ActFace::new(&declare::USING, "Use", Icon::Heart),
        ],
    ),
    Face::new('m', &[ActFace::new(&declare::MOVING, "Move", Icon::Move)]),
    Face::plain(
        'a',
        &[
            ActFace::new(&TEND, "Heal", Icon::Aid),
            ActFace::new(&declare::HEALING, "Heal", Icon::Aid),
        ],
    ),
    Face::new(
        'i',
        &[
            ActFace::new(&THREATEN, "Threaten", Icon::Intimidate),
            ActFace::new(&declare::THREATENING, "Threaten", Icon::Intimidate),
        ],
    ),
    Face::plain(
        'o',
        &[
            ActFace::new(&OPEN, "Open", Icon::Door),
            ActFace::new(&CLOSE, "Close", Icon::Door),
            ActFace::new(&declare::DOOR, "Door", Icon::Door),
        ],
    ),
    Face::new(
        'p',
        &[
            ActFace::new(&GO_PRONE, "Prone", Icon::Prone),
            ActFace::new(&declare::STANDING_UP, "Stand up", Icon::Stand),
        ],
    ),
    Face::new(
        'k',
        &[
            ActFace::new(&declare::BREAKING_FREE, "Break free", Icon::Grapple),
            ActFace::new(&declare::DOUSING, "Douse", Icon::Bleeding),
            ActFace::new(&SURGE, "Surge", Icon::Run),
        ],
    ),
    Face::new('f', &[ActFace::new(&declare::HOLD, "Hold", Icon::Hold)]),
    Face::new('l', &[ActFace::new(&LEAVE, "Leave", Icon::Fleeing)]),
];
