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

const fn act(verb: &'static crate::battle::Action, label: &'static str, icon: Icon) -> ActFace {
    ActFace::new(verb, label, icon)
}

pub(super) static FACES: [Face; 20] = [
    Face::new('c', &[act(&declare::CHARGE, "Charge", Icon::Charge).telling("Before both groups: twice its rate in a straight line, +2 to hit, AC 1 worse.")]),
    Face::new('z', &[act(&declare::SPELL, "Cast", Icon::Spell).telling("Casts from the first segment on. It names the target in its group's turn; the spell comes near the end of the round, unless harm spoils it.")]),
    Face::new(
        'f',
        &[
            act(&declare::FLIGHT, "Flee", Icon::Fleeing).telling("Before both groups: the only way out of a melee. Foes in reach strike first, at +4."),
            act(&STAND_FAST, "Stand fast", Icon::Stand).telling("Stays where it is; its action is spent."),
            act(&LEAVE, "Leave", Icon::Fleeing).telling("Leaves the battle by this exit."),
        ],
    ),
    Face::new('y', &[act(&declare::PARLEY, "Parley", Icon::Pass).telling("Before both groups, once a battle: who listens does not attack this round.")]),
    Face::new('r', &[act(&declare::SET, "Set weapon", Icon::Spear).telling("Strikes first at who charges it, for double damage; else at a foe beside it.")]),
    Face::new(
        'd',
        &[
            act(&declare::DELAY, "Delay", Icon::Hold).telling("Acts in LOW, whatever the dice say. Something else may be declared with it."),
            act(&DELAY, "Delay", Icon::Hold).telling("In HIGH: acts in LOW, and loses ties. In LOW: gives the action up, or the spell."),
        ],
    ),
    Face::new(
        'j',
        &[
            act(&declare::NOTHING, "Nothing", Icon::Check).telling("Shoots, strikes or moves as its turn comes."),
            act(&declare::AFTER, "Act after", Icon::Strike).telling("An attack, and one simple act after it; a segment slower in ties."),
        ],
    ),
    Face::plain(
        'b',
        &[
            act(&declare::BIND, "Bind", Icon::Aid).telling("Stops the bleeding of a fallen comrade: the whole round."),
            act(&BIND, "Bind", Icon::Aid).telling("Stops the bleeding of a fallen comrade: two rounds, as it was not declared."),
        ],
    ),
    Face::plain('s', &[act(&STRIKE, "Strike", Icon::Strike)]),
    Face::new('t', &[act(&THRUST, "Thrust", Icon::Spear).telling("Used as a spear: it takes less room.")]),
    Face::plain('h', &[act(&SHOOT, "Shoot", Icon::Shoot)]),
    Face::plain('m', &[act(&THROW, "Throw", Icon::Throw).telling("What is thrown is not counted: there is always one more.")]),
    Face::new(
        'k',
        &[
            act(&CALL, "Weak spot", Icon::Aim).telling("Only a natural 20 hits, and then for more damage."),
            act(&CALL_SHOT, "Weak spot", Icon::Aim).telling("Only a natural 20 hits, and then for more damage."),
        ],
    ),
    Face::new('g', &[act(&GRAB, "Grab", Icon::Grapple).telling("Only a natural 20 gets hold of what the foe has in hand.")]),
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
            act(&GO_PRONE, "Prone", Icon::Prone).telling("Takes no time."),
            act(&STAND_UP, "Stand up", Icon::Stand).telling("A simple act: a segment. Foes beside it may strike at once."),
        ],
    ),
    Face::new(
        'i',
        &[
            act(&DRAW, "Draw", Icon::Dagger).telling("A simple act: a segment. Within an attack it takes no time."),
            act(&SHEATHE, "Put away", Icon::Load).telling("A simple act: a segment."),
            act(&UNPACK, "Unpack", Icon::Load).telling("A delaying act, in LOW."),
            act(&PICK_UP, "Pick up", Icon::PickUp).telling("A simple act: a segment. Foes beside it may strike at once."),
        ],
    ),
    Face::new(
        'o',
        &[
            act(&DROP, "Drop", Icon::ArrowDown).telling("A simple act: a segment."),
            act(&DROP_SHIELD, "Drop shield", Icon::Defend).telling("A simple act: a segment."),
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
            act(&OPEN, "Open", Icon::Door).telling("A simple act: a door beside it."),
            act(&CLOSE, "Close", Icon::Door).telling("A simple act: a door beside it."),
        ],
    ),
];
