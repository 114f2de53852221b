//! The actions of a unit's own turn, a row for each; [`ACTS`] lists them in order.

mod aid;
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
mod posture;
pub mod reload;
mod run;
pub mod screen;
mod shove;
pub mod snap;
pub mod spare;
mod stalk;
pub mod swarm;
mod weapon_attack;

use super::{
    END_TURN, REROLL_CHECK,
    triggers::{OPPORTUNITY, REROLL, Reactions, Trigger},
    turn::DONE,
};
use crate::battle::{PASS, Rule};
use crate::rulesets::common::{
    act::{group_of, provokes},
    attacks::attack_of,
    inventory,
};
use row::*;

pub use charge::{CHARGE, CHARGE_THROW, attack as charge_attack};
pub use maneuver::chance as maneuver_chance;
pub use posture::{GO_PRONE, STAND_UP, rise_up as rise};
pub use run::{RUN, can_run};
pub use weapon_attack::{SHOOT, STRIKE, THROW};
pub use {
    crate::rulesets::common::doors::{CLOSE, OPEN},
    aid::{AID, chance as aid_chance},
    charge::open_occupancy,
    disengage::DISENGAGE,
    execute::{EXECUTE, EXECUTE_SHOT, attack as execution, chances as execution_chances},
    grapple::{BREAK_FREE, GRAPPLE, RELEASE, Struggle},
    haul::{DRAG, HURL, chance as haul_chance},
    leave::LEAVE,
    shove::{SHOVE, SHOVE_DOWN, drop_at},
    stalk::STALK,
};

/// What every file of actions imports for its rows.
mod row {
    pub(in super::super) use super::super::{
        Skirmish,
        attacks::AttackBatch,
        events::SkirmishEvent,
        forecast::{checks, spells},
        numbers,
        pending_checks::{self, CheckOutcome, PendingCheck},
        query::SkirmishQuery,
        stance::StanceEvent,
        state::ActionCost,
    };
    pub(super) use super::{declare, draw};
    pub use crate::rulesets::common::ai::Evaluation;

    crate::rulesets::common::act::row_types!(Skirmish);

    pub type Mind<'a, 'w, 's> = Evaluation<'a, 'w, 's, Skirmish>;

    /// The help text of every button for items.
    pub const ITEMS: &str = "Draw one weapon per turn for free; a second uses your Move. From the pack: Main. From the ground: Move.";
}

/// Every action of a unit's own turn. Some groups build on the offers of earlier ones.
pub static ACTS: &[ActGroup] = &[
    weapon_attack::ACT,
    // Made from the offers to strike and shoot, like swarms.
    snap::ACT,
    swarm::ACT,
    charge::ACT,
    run::ACT,
    // Made from the offers to run.
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
    door::ACT,
    shove::ACT,
    grapple::ACT,
    haul::ACT,
    stalk::ACT,
    execute::ACT,
    leave::ACT,
];

/// Everything that `who` can do on its turn, with blocked offers and their reasons.
pub fn offers(sk: &SkirmishQuery, who: Id) -> Vec<Offer> {
    let mut out = Vec::with_capacity(64);
    ACTS.iter().for_each(|act| (act.offers)(sk, who, &mut out));
    out.push(Offer::legal(Choice::new(&DONE, who)));
    out
}

/// What `who` can do to its enemies from its cell. In melee also maneuvers and aid.
pub fn attacks(sk: &SkirmishQuery, who: Id, in_melee: bool) -> Vec<Offer> {
    let mut out = vec![];
    let groups = [
        &weapon_attack::ACT,
        &swarm::ACT,
        &parley::ACT,
        &shove::ACT,
        &grapple::ACT,
        &aid::ACT,
    ];
    let groups = &groups[..if in_melee { 6 } else { 3 }];
    groups
        .iter()
        .for_each(|act| (act.offers)(sk, who, &mut out));
    out
}

/// Begins a chosen action: announces it, pays for it and queues what follows.
pub fn begin(sk: &SkirmishQuery, choice: &Choice) -> StepOutcome {
    (group_of(ACTS, choice).begin)(sk, choice)
}

/// Announces an action and pays for it. Attacks that it provokes come before what follows.
fn declare(sk: &SkirmishQuery, choice: &Choice, action: ActionCost) -> StepOutcome {
    let who = choice.actor();
    let spent = SkirmishEvent::Spent { who, action };
    let mut outcome = StepOutcome::announcing(choice).and("SK-04", spent);
    if provokes::<Skirmish>(choice.verb) {
        provoke(sk, choice.verb.rule, who, &mut outcome);
        // A casting says itself that it is spoiled.
        if !outcome.next.is_empty() && choice.spell.is_none() {
            outcome.push(Interruption { who });
        }
    }
    outcome
}

system_step! {
    /// Reports that the attacks which a unit's action provoked have felled it.
    struct Interruption { who: Id } => interruption
}

fn interruption(In(Interruption { who }): In<Interruption>, sk: SkirmishQuery) -> StepOutcome {
    let outcome = StepOutcome::default();
    match sk.is_up(who) {
        true => outcome,
        false => outcome.and("SK-06", SkirmishEvent::Interrupted { who }),
    }
}

/// The actions that are reactions or that end a turn.
pub static OTHERS: &[Act] = rows! {
    DONE: no button,
        Chances::None, |eval, _| eval.stay() + eval.lurking(eval.here, true);
    // Ends the turn of the whole side.
    END_TURN: no button;
    OPPORTUNITY: ' ' "Attack of opportunity" Strike, "",
        Chances::Attack(|_, choice| Some(attack_of(choice, false))), |eval, offer| 1 + eval.attack(&offer.choice), auto_reaction;
    REROLL: ' ' "Roll again" Die, "",
        Chances::Odds(checks::again), |eval, offer| eval.reroll(&offer.choice).unwrap_or(NEVER), auto_reaction;
    REROLL_CHECK: ' ' "Roll a check again" Die, "",
        Chances::Odds(checks::again), |eval, offer| eval.reroll(&offer.choice).unwrap_or(NEVER), auto_reaction;
    hold::ACT_NOW: ' ' "Act now" Hold, "",
        Chances::None, |eval, _| eval.act_now();
    PASS: no button,
        Chances::None, |_, _| 0;
};

/// SK-06: adjacent enemies armed for melee may attack before the action. A longer reach counts only
/// for units that leave it (SK-18).
fn provoke(sk: &SkirmishQuery, rule: Rule, by: Id, outcome: &mut StepOutcome) {
    let mut enemies = sk.provoked_beside(by);
    let hidden = sk.provoked_in_hiding(by);
    enemies.extend(hidden.filter(|&enemy| sk.view.within(enemy, by, 5)));
    enemies.sort_unstable();
    if !enemies.is_empty() {
        outcome.push(Reactions::open(Trigger::Provoked { by, enemies, rule }));
    }
}

/// The cost of having an item ready for an attack. `Ok(None)` if it is held or part of the body;
/// from the belt, the turn's free draw and after that the Move (SK-21). The attack's own Main can't
/// pay for it.
fn draw_price(sk: &SkirmishQuery, who: Id, item: Item) -> Result<Option<ActionCost>, Why> {
    match sk.inventory(who).place(item) {
        Some(ItemPlace::Hand | ItemPlace::OffHand | ItemPlace::Body) => Ok(None),
        Some(ItemPlace::Belt) => items::belt_price(sk, who, 1).map(Some),
        Some(ItemPlace::Pack) => Err(Why::new("SK-21", "it is in the pack")),
        None => Err(Why::of_actor("SK-21", "no longer has that item")),
    }
}

/// Draws an item if it is not ready. The caller has checked that the unit can pay. The item held
/// before goes to the belt.
fn draw(sk: &SkirmishQuery, who: Id, item: Item, outcome: &mut StepOutcome) {
    let Ok(Some(action)) = draw_price(sk, who, item) else {
        return;
    };
    outcome.emit("SK-21", SkirmishEvent::Spent { who, action });
    inventory::draw(&sk.view, who, item, "SK-21", outcome);
}
