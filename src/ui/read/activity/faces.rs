//! The act bar: what is declared and what it becomes share a button.

use crate::{
    rulesets::activity::{plan, stride::OPPORTUNITY, turn},
    ui::{
        art::icons::Icon,
        read::{ActFace, Face},
    },
};

pub static FACES: [Face; 21] = [
    Face::plain(
        's',
        &[
            ActFace::new(&turn::STRIKE, "Strike", Icon::Strike),
            ActFace::new(&plan::MELEE, "Melee", Icon::Strike),
        ],
    ),
    Face::plain(
        'h',
        &[
            ActFace::new(&turn::SHOOT, "Shoot", Icon::Shoot),
            ActFace::new(&plan::MISSILE, "Missile", Icon::Shoot),
        ],
    ),
    Face::plain(
        'c',
        &[
            ActFace::new(&turn::CHARGE, "Charge", Icon::Charge),
            ActFace::new(&plan::CHARGE, "Charge", Icon::Charge),
        ],
    ),
    Face::new('m', &[ActFace::new(&plan::MOVE, "Move", Icon::Move)]),
    Face::new(
        'd',
        &[ActFace::new(&turn::WITHDRAW, "Withdraw", Icon::Disengage)],
    ),
    Face::new('p', &[ActFace::new(&plan::PARRY, "Keep OB", Icon::Parry)]),
    Face::plain(
        't',
        &[
            ActFace::new(&plan::SPELL, "Cast", Icon::Spell),
            ActFace::new(&plan::HASTEN, "Hasten", Icon::Spell),
            ActFace::new(&turn::CAST_AT, "Cast", Icon::Spell),
            ActFace::new(&turn::CAST_TO, "Cast", Icon::Spell),
        ],
    ),
    Face::new('r', &[ActFace::new(&plan::RELOAD, "Load", Icon::Reload)]),
    Face::new(
        'x',
        &[ActFace::new(
            &plan::PARRY_MISSILE,
            "Parry shot",
            Icon::Defend,
        )],
    ),
    Face::new(
        'g',
        &[
            ActFace::new(&plan::DRAW, "Draw", Icon::Gear),
            ActFace::new(&plan::CHANGE, "Change", Icon::Gear),
            ActFace::new(&plan::LET_GO, "Let go", Icon::Gear),
        ],
    ),
    Face::new(
        'f',
        &[
            ActFace::new(&plan::STAND_UP, "Stand up", Icon::Stand),
            ActFace::new(&plan::DROP_PRONE, "Drop", Icon::Prone),
        ],
    ),
    Face::plain(
        'b',
        &[
            ActFace::new(&plan::STANCH, "Stanch", Icon::Aid),
            ActFace::new(&turn::STANCH, "Stanch", Icon::Aid),
        ],
    ),
    Face::new('y', &[ActFace::new(&plan::HERB, "Herb", Icon::Heart)]),
    Face::new('a', &[ActFace::new(&plan::PERCEIVE, "Look", Icon::Eye)]),
    Face::new(
        'i',
        &[ActFace::new(&plan::CHI_SPEED, "Chi speed", Icon::Run)],
    ),
    Face::new(
        'j',
        &[ActFace::new(&plan::CHI_DEFENSE, "Chi guard", Icon::Defend)],
    ),
    Face::plain(
        'k',
        &[
            ActFace::new(&plan::PICK_UP, "Pick up", Icon::PickUp),
            ActFace::new(&turn::PICK_UP, "Pick up", Icon::PickUp),
        ],
    ),
    Face::plain(
        'o',
        &[
            ActFace::new(&plan::DOOR, "Door", Icon::Door),
            ActFace::new(&turn::OPEN, "Open", Icon::Door),
            ActFace::new(&turn::CLOSE, "Close", Icon::Door),
        ],
    ),
    Face::new('z', &[ActFace::new(&turn::GIVE_UP, "Give up", Icon::Close)]),
    Face::new(
        'l',
        &[ActFace::new(&turn::LEAVE, "Leave", Icon::Fleeing)
            .telling("Leaves the battle by this exit.")],
    ),
    Face::new(
        '\u{E000}',
        &[ActFace::new(&OPPORTUNITY, "Strike", Icon::Snap)],
    ),
];
