//! First aid (SK-20, SK-61): save a dying ally.

use super::row::*;
use crate::{
    battle::State,
    content::{Attribute, Skill},
    rulesets::{common::damage::Odds, skirmish::checks::Check},
};

verbs! {
    AID = "aid", "aid {at}", "gives first aid to {at}", "SK-20";
}

pub(super) const ACT: ActGroup = ActGroup {
    acts: rows! {
        AID: 'a' "Aid" Aid (plain), "Main action. A check to save a dying ally. Provokes attacks.",
            Chances::Odds(checks::aid), |eval, offer| eval.aid(&offer.choice), provoking;
    },
    when: (),
    offers,
    begin: |sk, choice| {
        let who = choice.actor();
        let ally = choice.at.expect("aid has a patient");
        declare(sk, choice, ActionCost::Main).then(Tend { who, ally })
    },
};

fn offers(sk: &SkirmishQuery, who: Id, out: &mut Vec<Offer>) {
    let side = sk.body(who).side;
    let dying = |id: &Id| {
        let body = sk.body(*id);
        body.side == side && body.state == State::Down && sk.fighter(*id).dying.is_some()
    };
    let offer = |ally: Id| Offer::from(Choice::new(&AID, who).at(ally), legal(sk, who, ally));
    let why = Why::new("SK-61", "no ally is dying");
    let offers = sk.view.ids().filter(dying).map(offer);
    list_or(offers, Choice::new(&AID, who), why, out);
}

fn legal(sk: &SkirmishQuery, who: Id, ally: Id) -> Result<(), Why> {
    sk.needs_main(who)?;
    Why::new("SK-20", "not next to the fallen").unless(sk.view.within(who, ally, 5))
}

system_step! { struct Tend { who: Id, ally: Id } => tend }

/// The check, and the total it must reach: 2d6 with INT/Heal or DEX/Heal against 8, plus 1 for
/// every round passed. `None` if the ally is not dying.
fn attempt(sk: &SkirmishQuery, who: Id, ally: Id) -> Option<(Check, i32)> {
    let rounds = sk.fighter(ally).dying?;
    let attributes = [Attribute::Int, Attribute::Dex];
    let check = sk.check(who, "first aid", &attributes, &[Skill::Heal]);
    Some((check, 8 + i32::from(rounds)))
}

/// The chance that first aid succeeds. `None` if the ally is not dying.
pub fn chance(sk: &SkirmishQuery, choice: &Choice) -> Option<Odds> {
    let (check, against) = attempt(sk, choice.who?, choice.at?)?;
    Some(check.odds(against))
}

fn tend(
    In(Tend { who, ally }): In<Tend>,
    sk: SkirmishQuery,
    mut dice: ResMut<DiceBox>,
) -> StepOutcome {
    let outcome = StepOutcome::default();
    if !sk.is_up(who) || sk.body(ally).state != State::Down {
        return outcome;
    }
    let Some((check, against)) = attempt(&sk, who, ally) else {
        return outcome;
    };
    let pending = PendingCheck::reach("SK-61", check, against, &mut dice);
    pending_checks::log_and_open(vec![pending], outcome, Tend { who, ally })
}

impl CheckOutcome for Tend {
    fn resolved(self, sk: &SkirmishQuery, checks: &[PendingCheck], _: &mut DiceBox) -> StepOutcome {
        let outcome = StepOutcome::default();
        let may = sk.is_up(self.who) && sk.fighter(self.ally).dying.is_some();
        match may && checks.iter().all(PendingCheck::passed) {
            true => outcome.and("SK-61", SkirmishEvent::Stabilised { who: self.ally }),
            false => outcome,
        }
    }
}
