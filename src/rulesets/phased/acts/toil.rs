//! Work that was not declared: binding wounds, loading (PH-14, PH-15).

use super::{Act, needs_major, own_turn, things};
use crate::rulesets::phased::content::{Loading, PhasedArms};
use crate::{
    battle::{Action, Choice, Id, Offer, Place, StepOutcome, Why},
    rulesets::phased::{
        events::PhasedEvent,
        ph::Ph,
        state::{Job, Part},
        work,
    },
};

pub static BIND: Action = Action {
    name: "bind",
    order_text: "begin to bind {at}",
    log_text: "begins to bind the wounds of {at}",
    rule: "PH-14",
};
pub static LOAD: Action = Action {
    name: "load",
    order_text: "load {with}",
    log_text: "loads {with}",
    rule: "PH-15",
};

pub(super) const ACT: Act = Act {
    verbs: &[&BIND, &LOAD],
    when: Part::has_other,
    offers,
    begin,
};

/// It has something delaying to do, for which LOW has room.
pub fn lags(ph: &Ph, who: Id) -> bool {
    let f = ph.fighter(who);
    let loads = f
        .unloaded
        .iter()
        .any(|&i| ph.weapon(i).section::<PhasedArms>().loading == Loading::Delaying);
    let gear = ph.gear(who);
    !f.lags && (loads || gear.in_hand().is_none() && gear.at(Place::Pack).next().is_some())
}

fn offers(ph: &Ph, who: Id, out: &mut Vec<Offer>) {
    let work = own_turn(ph, who).and_then(|()| needs_major(ph, who));
    for ally in work::to_bind(ph, who) {
        out.push(Offer::from(Choice::new(&BIND, who).at(ally), work.clone()));
    }
    for &item in &ph.fighter(who).unloaded {
        let legal = match ph.weapon(item).section::<PhasedArms>().loading {
            Loading::Complex => work.clone(),
            _ if ph.gear(who).place(item).is_none() => {
                Err(Why::new("PH-15", "it has that no longer"))
            }
            _ => things::can_lag(ph, who),
        };
        out.push(Offer::from(Choice::new(&LOAD, who).with(item), legal));
    }
}

/// What was not declared takes two rounds (PH-14).
fn begin(ph: &Ph, choice: &Choice) -> StepOutcome {
    let who = choice.who.expect("an act has an actor");
    let rounds = 2;
    if choice.verb == &BIND {
        let at = choice.at.expect("somebody is bound");
        let job = Job::Bind { at };
        return super::major(choice)
            .and("PH-14", PhasedEvent::Working { who, job, rounds }.event());
    }
    let with = choice.with.expect("something is loaded");
    match ph.weapon(with).section::<PhasedArms>().loading {
        Loading::Complex => {
            let job = Job::Load { with };
            super::major(choice).and("PH-14", PhasedEvent::Working { who, job, rounds }.event())
        }
        _ if ph.fighter(who).delayed => things::whole_round(choice, Job::Load { with }),
        _ => things::lagging(choice).and("PH-15", PhasedEvent::Loaded { who, with }.event()),
    }
}
