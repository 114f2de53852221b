//! What one may do on its turn. Each act lists its offers and begins what was
//! chosen; [`ACTS`] is the order in which they are listed.

mod aid;
pub mod blow;
pub mod cast;
mod charge;
pub mod defend;
mod disengage;
mod door;
mod execute;
mod grapple;
mod haul;
pub mod hold;
pub mod items;
mod leave;
mod maneuver;
pub mod parley;
pub mod pick_up;
mod posture;
mod ranged;
pub mod reload;
mod run;
pub mod screen;
mod shove;
pub mod snap;
pub mod spare;
mod stalk;
mod strike;
pub mod swarm;

use super::{
    events::SkirmishEvent,
    sk::Sk,
    state::ActionCost,
    triggers::{Reactions, Trigger},
};
use crate::{
    battle::{Action, Choice, Id, Item, Offer, Place, StepOutcome, Why},
    rulesets::common::gear,
};

pub use charge::{CHARGE, CHARGE_THROW, attack as charge_attack};
pub use maneuver::{aim_of, chance as maneuver_chance};
pub use posture::{GO_PRONE, STAND_UP, rise_up as rise};
pub use ranged::{SHOOT, THROW};
pub use run::{RUN, can_run};
pub use strike::STRIKE;
pub use {
    crate::rulesets::common::doors::{CLOSE, OPEN},
    aid::{AID, chance as aid_chance},
    charge::open_ways,
    disengage::DISENGAGE,
    execute::{EXECUTE, EXECUTE_SHOT, attack as execution, chances as execution_chances},
    grapple::{BREAK_FREE, GRAPPLE, RELEASE, Struggle},
    haul::{DRAG, HURL, chance as haul_chance},
    leave::LEAVE,
    shove::{SHOVE, SHOVE_DOWN, drop_at},
    stalk::STALK,
};

/// An act: how it is listed and how it begins.
pub struct Act {
    /// Its verbs, for the act bar.
    pub verbs: &'static [&'static Action],
    /// Adds every way to do it now; where there is none, one offer that says why.
    pub offers: fn(&Sk, Id, &mut Vec<Offer>),
    pub begin: fn(&Sk, &Choice) -> StepOutcome,
}

/// Every act of one's own turn.
pub static ACTS: [Act; 25] = [
    strike::ACT,
    ranged::ACT,
    // Made of the offers to strike and shoot, as are swarms.
    snap::ACT,
    swarm::ACT,
    charge::ACT,
    run::ACT,
    // Made of the offers to run.
    screen::ACT,
    hold::ACT,
    spare::ACT,
    defend::ACT,
    disengage::ACT,
    posture::ACT,
    cast::ACT,
    aid::ACT,
    parley::ACT,
    reload::ACT,
    items::ACT,
    pick_up::ACT,
    door::ACT,
    shove::ACT,
    grapple::ACT,
    haul::ACT,
    stalk::ACT,
    execute::ACT,
    leave::ACT,
];

/// Everything that `who` may do on its turn, the impossible with its reason.
pub fn offers(sk: &Sk, who: Id) -> Vec<Offer> {
    let mut out = Vec::with_capacity(64);
    ACTS.iter().for_each(|act| (act.offers)(sk, who, &mut out));
    out
}

/// Begins what was chosen: says so, pays for it, and what follows.
pub fn begin(sk: &Sk, choice: &Choice) -> StepOutcome {
    let act = ACTS.iter().find(|a| a.verbs.contains(&choice.verb));
    (act.expect("a chosen act is a listed one").begin)(sk, choice)
}

/// The act is announced and paid.
fn declare(choice: &Choice, action: ActionCost) -> StepOutcome {
    let who = choice.who.expect("an act has an actor");
    StepOutcome::announcing(choice).and("SK-04", SkirmishEvent::Spent { who, action })
}

/// The acts that draw the attacks of armed foes beside the actor (SK-06). A run
/// draws the attacks of those whose reach it leaves.
pub static PROVOKING: [&Action; 10] = [
    &CHARGE,
    &CHARGE_THROW,
    &AID,
    &STAND_UP,
    &cast::CAST,
    &cast::CAST_OVER,
    &cast::CAST_TOWARDS,
    &parley::PARLEY,
    &pick_up::PICK_UP,
    &screen::SCREEN_FROM,
];

/// SK-06: armed foes beside the actor get their attack first. A long reach does
/// not count here: it does when it is left (SK-18).
fn provoke(sk: &Sk, verb: &'static Action, who: Id, outcome: &mut StepOutcome) {
    if !PROVOKING.contains(&verb) {
        return;
    }
    let rule = verb.rule;
    let mut foes = sk.provoked_by(who);
    foes.extend(sk.provoked_in_hiding(who));
    foes.retain(|&foe| sk.view.within(foe, who, 5));
    foes.sort_unstable();
    if !foes.is_empty() {
        outcome.push(Reactions::open(Trigger::Provoked {
            by: who,
            foes,
            rule,
        }));
    }
}

/// What it costs to have an item in hand for an attack: nothing if it is, or is
/// part of the body; else the turn's free draw, and after that the Move (SK-21).
/// The Main of the attack itself does not pay for it.
fn draw_price(sk: &Sk, who: Id, item: Item) -> Result<Option<ActionCost>, Why> {
    match sk.gear(who).place(item) {
        Some(Place::Hand | Place::OffHand | Place::Body) => Ok(None),
        Some(Place::Belt) => items::belt_price(sk, who, 1).map(Some),
        Some(Place::Pack) => Err(Why::new("SK-21", "it is in the pack")),
        None => Err(Why::new("SK-21", "no longer has that item")),
    }
}

/// Draws an item if need be; the price is known to be payable. What was in
/// hand goes to the belt.
fn draw(sk: &Sk, who: Id, item: Item, outcome: &mut StepOutcome) {
    let Ok(Some(action)) = draw_price(sk, who, item) else {
        return;
    };
    outcome.emit("SK-21", SkirmishEvent::Spent { who, action });
    gear::draw(&sk.view, who, item, "SK-21", outcome);
}

/// Stands on an exit of its side.
pub fn can_leave(sk: &Sk, who: Id) -> bool {
    leave::legal(sk, who).is_ok()
}
