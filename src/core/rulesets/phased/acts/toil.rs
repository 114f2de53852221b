//! Undeclared work: binding wounds, loading (PH-14, PH-15).

use super::{
    row::*,
    things::{can_lag, lagging, work},
};
use crate::rulesets::phased::{content::Loading, state::Job, work::to_bind};

verbs! {
    BIND = "bind", "begin to bandage {at}", "begins to bandage {at}", "PH-14";
    LOAD = "load", "load {with}", "loads {with}", "PH-15", Load;
}

pub(super) const ACT: ActGroup = ActGroup {
    acts: rows! {
        BIND: 'a' "Bandage" Aid (plain, last), "Stop the bleeding of an ally who is down (2 rounds; 1 if declared).",
            Chances::None, |eval, _| ai::unless_busy(eval, || eval.stay() + 200);
        LOAD: 'l' "Load" Reload (last), "",
            Chances::None, |eval, _| ai::unless_busy(eval, || eval.stay() + 40);
    },
    when: When::of(PhasePart::Other),
    offers,
    begin,
};

/// Whether the unit has a delaying activity to do in LOW.
pub fn lags(ph: &PhasedQuery, who: Id) -> bool {
    let f = ph.fighter(who);
    let is_slow = |&i: &_| ph.weapon_stats(i).loading == Loading::Delaying;
    let loads = f.unloaded.iter().any(is_slow);
    let inventory = ph.inventory(who);
    !f.lags
        && (loads
            || inventory.in_hand().is_none() && inventory.at(ItemPlace::Pack).next().is_some())
}

fn offers(ph: &PhasedQuery, who: Id, out: &mut Vec<Offer>) {
    let legal = own_turn(ph, who).and_then(|()| needs_major(ph, who));
    for ally in to_bind(ph, who) {
        out.push(Offer::from(Choice::new(&BIND, who).at(ally), legal.clone()));
    }
    for &item in &ph.fighter(who).unloaded {
        let legal = match ph.weapon_stats(item).loading {
            Loading::Complex => legal.clone(),
            _ if ph.inventory(who).place(item).is_none() => {
                Err(Why::of_actor("PH-15", "no longer has that item"))
            }
            _ => can_lag(ph, who),
        };
        out.push(Offer::from(Choice::new(&LOAD, who).with(item), legal));
    }
}

/// Work that was not declared takes two rounds (PH-14).
fn begin(ph: &PhasedQuery, choice: &Choice) -> Begun {
    let who = choice.actor();
    if choice.verb == &BIND {
        let at = choice.at.expect("a target");
        return work(ph, choice, "PH-14", Job::Bind { at }, 2).into();
    }
    let with = choice.with.expect("something is loaded");
    let outcome = match ph.weapon_stats(with).loading {
        Loading::Complex => work(ph, choice, "PH-14", Job::Load { with }, 2),
        _ if ph.fighter(who).passed_up.delayed => work(ph, choice, "PH-15", Job::Load { with }, 1),
        _ => lagging(ph, choice).and("PH-15", PhasedEvent::Loaded { who, with }),
    };
    outcome.into()
}
