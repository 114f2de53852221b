//! The act bar: what is declared and what it becomes share a button.

use crate::{
    rulesets::speed::{
        RIPOSTE,
        acts::{
            CAST, CAST_AT_PLACE, CLOSE, GO_PRONE, INTIMIDATE, LEAVE, OPEN, PICK_UP, SHOOT, STRIKE,
            SURGE, TEND, THROW, USE, declare,
        },
    },
    ui::{
        art::icons::Icon,
        read::{ActFace, Face},
    },
};

pub static FACES: [Face; 17] = [
    Face::plain(
        's',
        &[
            ActFace::new(&STRIKE, "Strike", Icon::Strike).telling("A blow with what was declared."),
            ActFace::new(&declare::ATTACK, "Attack", Icon::Strike).telling("A blow when its count comes: the base, and the weapon's speed."),
        ],
    ),
    Face::plain('h', &[ActFace::new(&SHOOT, "Shoot", Icon::Shoot).telling("A shot with what was declared.")]),
    Face::plain(
        't',
        &[
            ActFace::new(&THROW, "Throw", Icon::Throw).telling("A throw with what was declared."),
            ActFace::new(&declare::THROWING, "Throw", Icon::Throw).telling("A throw when its count comes. What is thrown lies where its target stands."),
        ],
    ),
    Face::new(
        'r',
        &[
            ActFace::new(&declare::DEFENSIVE, "Defensive", Icon::Parry).telling("A blow one count later; nobody ripostes when it comes into their reach."),
            ActFace::new(&RIPOSTE, "Riposte", Icon::Parry).telling("The reaction: a blow at once."),
        ],
    ),
    Face::new(
        'g',
        &[ActFace::new(
            &declare::DEFENSIVE_MOVE,
            "Defensive move",
            Icon::Disengage,
        ).telling("Goes when its count comes, one later; nobody ripostes when it comes into their reach.")],
    ),
    Face::new(
        'd',
        &[ActFace::new(
            &declare::FULL_DEFENSE,
            "Defend",
            Icon::TotalDefense,
        ).telling("Defense +4 from its count to the round's end, half speed, and ripostes. No attack.")],
    ),
    Face::plain(
        'c',
        &[
            ActFace::new(&CAST, "Cast", Icon::Spell).telling("The spell that was declared."),
            ActFace::new(&CAST_AT_PLACE, "Cast", Icon::Spell).telling("The spell that was declared, at a free cell."),
            ActFace::new(&declare::CASTING, "Cast", Icon::Spell).telling("A spell when its count comes. A hit before that can spoil it."),
        ],
    ),
    Face::plain(
        'b',
        &[
            ActFace::new(&USE, "Use", Icon::Heart).telling("Uses what was declared."),
            ActFace::new(&declare::USING, "Use", Icon::Heart).telling("A potion or the like when its count comes."),
        ],
    ),
    Face::new('m', &[ActFace::new(&declare::MOVING, "Move", Icon::Move).telling("Goes when its count comes, up to its speed. No attack.")]),
    Face::plain(
        'a',
        &[
            ActFace::new(&TEND, "Heal", Icon::Aid).telling("A check: heals a comrade beside it."),
            ActFace::new(&declare::HEALING, "Heal", Icon::Aid).telling("A check when its count comes: heals a comrade beside it."),
        ],
    ),
    Face::new(
        'i',
        &[
            ActFace::new(&INTIMIDATE, "Intimidate", Icon::Intimidate).telling("A check: the foe's morale has to stand up to its result."),
            ActFace::new(&declare::INTIMIDATING, "Intimidate", Icon::Intimidate).telling("A check when its count comes: a foe's morale has to stand up to its result."),
        ],
    ),
    Face::plain(
        'o',
        &[
            ActFace::new(&OPEN, "Open", Icon::Door),
            ActFace::new(&CLOSE, "Close", Icon::Door),
            ActFace::new(&declare::DOOR, "Door", Icon::Door).telling("Opens or shuts a door beside it when its count comes."),
        ],
    ),
    Face::new(
        'p',
        &[
            ActFace::new(&GO_PRONE, "Prone", Icon::Prone),
            ActFace::new(&declare::STANDING_UP, "Stand up", Icon::Stand).telling("Gets to its feet when its count comes."),
        ],
    ),
    Face::new(
        'k',
        &[
            ActFace::new(&declare::BREAKING_FREE, "Break free", Icon::Grapple).telling("A check to get out of what holds it."),
            ActFace::new(&declare::DOUSING, "Douse", Icon::Bleeding).telling("Puts out the flames on it."),
            ActFace::new(&SURGE, "Surge", Icon::Run),
        ],
    ),
    Face::new('f', &[ActFace::new(&declare::HOLD, "Hold", Icon::Hold).telling("Acts at any later count.")]),
    Face::new('j', &[ActFace::new(&PICK_UP, "Pick up", Icon::PickUp).telling("A free action: takes up what lies within 5 ft.")]),
    Face::new('l', &[ActFace::new(&LEAVE, "Leave", Icon::Fleeing).telling("Leaves the battle by this exit.")]),
];
