//! The act bar of Segments: what may be declared, then what is done.

use crate::{
    battle::Action,
    rulesets::segments::{
        acts::{
            BIND, CAST, CHARGE, CLOSE, DRAW, DROP, HOLD, LEAVE, OPEN, PICK_UP, PUT_AWAY, SET,
            SHOOT, STAND_UP, STRIKE, THROW, UNPACK, WITHDRAW,
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

const fn act(verb: &'static Action, label: &'static str, icon: Icon) -> ActFace {
    ActFace::new(verb, label, icon)
}

const ALWAYS_ONE_MORE: &str = "What is thrown is not counted: there is always one more.";
const READY: &str = "The casting is over: whom or where the spell goes to.";
const THINGS: &str = "To draw or put away takes a segment, the pack the action, to drop nothing.";

pub(super) static FACES: [Face; 21] = [
    // Declarations.
    Face::new(
        'f',
        &[act(&FIGHT, "Attack", Icon::Strike)
            .telling("To strike or to charge when its segment comes. It may move instead.")],
    ),
    Face::new(
        'm',
        &[act(&MISSILES, "Missiles", Icon::Shoot).telling(
            "To shoot or throw. With the weapon in hand it acts sooner by its missile bonus.",
        )],
    ),
    Face::new(
        'x',
        &[act(&SPELL, "Spell", Icon::Spell).telling(
            "To begin a spell in its segment. It may give it up, but do nothing else instead.",
        )],
    ),
    Face::new(
        'g',
        &[act(&GO, "Move", Icon::Move)
            .telling("To go somewhere, or see to doors, things and the fallen. No attack.")],
    ),
    Face::new(
        'b',
        &[
            act(&BRACE, "Set spear", Icon::Spear).telling(
                "Strikes first at who charges it, for double damage; else in its segment.",
            ),
            act(&SET, "Set spear", Icon::Spear)
                .telling("Strikes first at who charges it in this segment, for double damage."),
        ],
    ),
    // Acts.
    Face::plain('s', &[act(&STRIKE, "Attack", Icon::Strike)]),
    Face::plain('h', &[act(&SHOOT, "Shoot", Icon::Shoot)]),
    Face::plain(
        't',
        &[act(&THROW, "Throw", Icon::Throw).telling(ALWAYS_ONE_MORE)],
    ),
    Face::new(
        'c',
        &[act(&CHARGE, "Charge", Icon::Charge).telling(
            "Up to twice its move, +2 to hit, AC 1 worse this round; once in ten rounds.",
        )],
    ),
    Face::new(
        'd',
        &[act(&WITHDRAW, "Withdraw", Icon::Disengage)
            .telling("Out of the melee at half speed: nobody strikes at its back.")],
    ),
    Face::new(
        'k',
        &[act(&CAST, "Cast", Icon::Spell)
            .telling("This segment is the first of the casting. Damage before the end spoils it.")],
    ),
    Face::plain(
        'r',
        &[
            act(&AIM, "Release", Icon::Aim).telling(READY),
            act(&AIM_PLACE, "Release", Icon::Aim).telling(READY),
        ],
    ),
    Face::new(
        'z',
        &[act(&LET_GO, "Give up", Icon::Close)
            .telling("The spell comes to nothing, and is spent.")],
    ),
    Face::new(
        'y',
        &[
            act(&HOLD, "Hold", Icon::Hold)
                .telling("Acts in a later segment of this round instead."),
        ],
    ),
    Face::new(
        'p',
        &[act(&STAND_UP, "Stand up", Icon::Stand)
            .telling("Takes a segment; its action comes after it.")],
    ),
    Face::plain(
        'a',
        &[act(&BIND, "Bind", Icon::Aid)
            .telling("Stops the bleeding of a fallen comrade beside it. Takes the action.")],
    ),
    Face::new(
        'i',
        &[
            act(&DRAW, "Things", Icon::Gear).telling(THINGS),
            act(&PUT_AWAY, "Things", Icon::Gear).telling(THINGS),
            act(&UNPACK, "Things", Icon::Gear).telling(THINGS),
            act(&DROP, "Things", Icon::Gear).telling(THINGS),
        ],
    ),
    Face::new(
        'j',
        &[act(&PICK_UP, "Pick up", Icon::PickUp)
            .telling("Takes a segment; its action comes after it.")],
    ),
    Face::plain(
        'o',
        &[
            act(&OPEN, "Open", Icon::Door),
            act(&CLOSE, "Close", Icon::Door),
        ],
    ),
    Face::new(
        'l',
        &[act(&LEAVE, "Leave", Icon::Fleeing)
            .telling("Leaves the battle by this exit. Those beside it strike first.")],
    ),
    Face::plain(
        'v',
        &[
            act(&AT_BACK, "Strike", Icon::Snap),
            act(&MEET, "Meet", Icon::Spear),
        ],
    ),
];
