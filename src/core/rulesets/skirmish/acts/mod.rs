//! What a unit may do on its turn, a row for each action; [`ACTS`] is the order in which
//! they are listed.

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
    END_TURN, REROLL_CHECK,
    events::SkirmishEvent,
    query::SkirmishQuery,
    state::ActionCost,
    triggers::{OPPORTUNITY, REROLL, Reactions, Trigger},
    turn::DONE,
};
use crate::{
    battle::{Action, Choice, Id, Item, Offer, PASS, Place, StepOutcome, Why},
    rulesets::common::{act::provokes, gear},
};
use row::*;

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

/// What the rows are made of.
mod row {
    pub(in super::super) use super::super::{
        Skirmish,
        forecast::{attacks as attacks_of, checks, spells},
    };
    pub use crate::{
        battle::Odds,
        rulesets::common::{
            act,
            ai::{Evaluation, NEVER},
        },
    };

    pub(crate) use crate::rulesets::common::act::rows;

    pub type Act = act::Act<Skirmish>;
    pub type ActGroup = act::ActGroup<Skirmish>;
    pub type Chances = act::Chances<Skirmish>;
    pub type Mind<'a, 'w, 's> = Evaluation<'a, 'w, 's, Skirmish>;

    /// Of every button for an item.
    pub const ITEMS: &str = "Draw one weapon per turn for free; a second uses your Move. From the pack: Main. From the ground: Move.";
}

/// Every act of a unit's own turn.
pub static ACTS: [ActGroup; 25] = [
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
pub fn offers(sk: &SkirmishQuery, who: Id) -> Vec<Offer> {
    let mut out = Vec::with_capacity(64);
    ACTS.iter().for_each(|act| (act.offers)(sk, who, &mut out));
    out
}

/// Begins what was chosen: says so, pays for it, and what follows.
pub fn begin(sk: &SkirmishQuery, choice: &Choice) -> StepOutcome {
    let act = ACTS.iter().find(|group| group.has(choice.verb));
    (act.expect("a chosen act is a listed one").begin)(sk, choice)
}

/// The act is announced and paid.
fn declare(choice: &Choice, action: ActionCost) -> StepOutcome {
    let who = choice.actor();
    StepOutcome::announcing(choice).and("SK-04", SkirmishEvent::Spent { who, action })
}

/// What answers others, and what ends a turn.
pub static OTHERS: &[Act] = rows! {
    DONE: no button,
        Chances::None, |mind, _, _| mind.done();
    // The whole side's.
    END_TURN: no button,
        Chances::None, |_, _, _| NEVER;
    OPPORTUNITY: ' ' "Attack of opportunity" Strike, "",
        Chances::Attack(attacks_of::melee), |mind, _, offer| 1 + mind.attack(&offer.choice, vec![]), auto_reaction;
    REROLL: ' ' "Roll again" Die, "",
        Chances::Odds(checks::again), |mind, _, offer| mind.reroll(&offer.choice), auto_reaction;
    REROLL_CHECK: ' ' "Roll a check again" Die, "",
        Chances::Odds(checks::again), |mind, _, offer| mind.reroll(&offer.choice), auto_reaction;
    hold::ACT_NOW: ' ' "Act now" Hold, "",
        Chances::None, |mind, _, _| mind.act_now();
    PASS: no button,
        Chances::None, |_, _, _| 0;
};

/// SK-06: armed foes beside the actor get their attack first. A long reach does
/// not count here: it does when it is left (SK-18).
fn provoke(sk: &SkirmishQuery, verb: &'static Action, who: Id, outcome: &mut StepOutcome) {
    if !provokes::<Skirmish>(verb) {
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
fn draw_price(sk: &SkirmishQuery, who: Id, item: Item) -> Result<Option<ActionCost>, Why> {
    match sk.gear(who).place(item) {
        Some(Place::Hand | Place::OffHand | Place::Body) => Ok(None),
        Some(Place::Belt) => items::belt_price(sk, who, 1).map(Some),
        Some(Place::Pack) => Err(Why::new("SK-21", "it is in the pack")),
        None => Err(Why::new("SK-21", "no longer has that item")),
    }
}

/// Draws an item if need be; the price is known to be payable. What was in
/// hand goes to the belt.
fn draw(sk: &SkirmishQuery, who: Id, item: Item, outcome: &mut StepOutcome) {
    let Ok(Some(action)) = draw_price(sk, who, item) else {
        return;
    };
    outcome.emit("SK-21", SkirmishEvent::Spent { who, action });
    gear::draw(&sk.view, who, item, "SK-21", outcome);
}

/// Stands on an exit of its side.
pub fn can_leave(sk: &SkirmishQuery, who: Id) -> bool {
    leave::legal(sk, who).is_ok()
}
