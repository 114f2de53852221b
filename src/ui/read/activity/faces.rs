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
            ActFace::new(&plan::MELEE, "Melee", Icon::Strike).telling("Blows for 60 to 100% of the round; each percent less than 100 is 1 OB less."),
        ],
    ),
    Face::plain(
        'h',
        &[
            ActFace::new(&turn::SHOOT, "Shoot", Icon::Shoot),
            ActFace::new(&plan::MISSILE, "Missile", Icon::Shoot).telling("A shot or a throw (never counted) for 30 to 60% of the round; each percent less than 60 is 1 OB less."),
        ],
    ),
    Face::plain(
        'c',
        &[
            ActFace::new(&turn::CHARGE, "Charge", Icon::Charge).telling("A straight run of 25 ft at least, and a blow: +2 OB for every 5 ft."),
            ActFace::new(&plan::CHARGE, "Charge", Icon::Charge).telling("A straight run of 25 ft at least, and a blow: +2 OB for every 5 ft."),
        ],
    ),
    Face::new('m', &[ActFace::new(&plan::MOVE, "Move", Icon::Move).telling("Goes. A blow later in the round loses 10 OB for every 10 ft.")]),
    Face::new(
        'd',
        &[ActFace::new(&turn::WITHDRAW, "Withdraw", Icon::Disengage).telling("Goes half as far, and nobody strikes as it leaves.")],
    ),
    Face::new('p', &[ActFace::new(&plan::PARRY, "Keep OB", Icon::Parry).telling("Sets part of the melee's OB aside for DB, against every blow of the round.")]),
    Face::plain(
        't',
        &[
            ActFace::new(&plan::SPELL, "Cast", Icon::Spell).telling("A spell: 20% of the round for each power point."),
            ActFace::new(&plan::HASTEN, "Hasten", Icon::Spell).telling("A spell in less time, at a worse casting roll."),
            ActFace::new(&turn::CAST_AT, "Cast", Icon::Spell),
            ActFace::new(&turn::CAST_TO, "Cast", Icon::Spell),
        ],
    ),
    Face::new('r', &[ActFace::new(&plan::RELOAD, "Load", Icon::Reload).telling("Loads what shoots.")]),
    Face::new(
        'x',
        &[ActFace::new(
            &plan::PARRY_MISSILE,
            "Parry shot",
            Icon::Defend,
        ).telling("Half the OB is added to DB against one missile: 50% of the round.")],
    ),
    Face::new(
        'g',
        &[
            ActFace::new(&plan::DRAW, "Draw", Icon::Gear).telling("A weapon into the hand: 20% of the round."),
            ActFace::new(&plan::CHANGE, "Change", Icon::Gear).telling("One weapon for another: 50% of the round."),
            ActFace::new(&plan::LET_GO, "Let go", Icon::Gear).telling("Drops what is in hand: 20% of the round."),
        ],
    ),
    Face::new(
        'f',
        &[
            ActFace::new(&plan::STAND_UP, "Stand up", Icon::Stand).telling("Gets to its feet: 20% of the round."),
            ActFace::new(&plan::DROP_PRONE, "Drop", Icon::Prone).telling("Lies down: 20% of the round."),
        ],
    ),
    Face::plain(
        'b',
        &[
            ActFace::new(&plan::STANCH, "Stanch", Icon::Aid).telling("Stops the bleeding of somebody beside it."),
            ActFace::new(&turn::STANCH, "Stanch", Icon::Aid),
        ],
    ),
    Face::new('y', &[ActFace::new(&plan::HERB, "Herb", Icon::Heart).telling("Takes a prepared herb: 20% of the round.")]),
    Face::new('a', &[ActFace::new(&plan::PERCEIVE, "Look", Icon::Eye).telling("Looks for those who hide: 20 to 60% of the round; each percent less than 60 is 1 less.")]),
    Face::new(
        'i',
        &[ActFace::new(&plan::CHI_SPEED, "Chi speed", Icon::Run).telling("A maneuver, 20% of the round: made, it has 200% in the next one.")],
    ),
    Face::new(
        'j',
        &[ActFace::new(&plan::CHI_DEFENSE, "Chi guard", Icon::Defend).telling("A maneuver, 20% of the round, for a better DB.")],
    ),
    Face::plain(
        'k',
        &[
            ActFace::new(&plan::PICK_UP, "Pick up", Icon::PickUp).telling("Takes up what lies beside it: 100% of the round."),
            ActFace::new(&turn::PICK_UP, "Pick up", Icon::PickUp),
        ],
    ),
    Face::plain(
        'o',
        &[
            ActFace::new(&plan::DOOR, "Door", Icon::Door).telling("Opens or shuts a door beside it: 20% of the round."),
            ActFace::new(&turn::OPEN, "Open", Icon::Door),
            ActFace::new(&turn::CLOSE, "Close", Icon::Door),
        ],
    ),
    Face::new('z', &[ActFace::new(&turn::GIVE_UP, "Give up", Icon::Close).telling("Lets be what was planned.")]),
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
