//! Heal: a check that stabilises a fallen unit, stops bleeding, and heals some injuries (SP-25,
//! SP-27).

use super::{
    super::{
        checks::Check,
        declared::HEALING,
        wounds::{heal_target, recovers, stabilise},
    },
    row::*,
};
use crate::{battle::State, content::Skill};

verbs! {
    TEND = "tend", "heal {at}", "tends {at}", "SP-25";
}

pub(super) const ACT: ActGroup = ActGroup {
    acts: rows! {
        TEND: 'a' "Heal" Aid (plain), "Make a check to heal an adjacent ally.",
            Chances::Odds(attacks_of::tend), |eval, offer| 400 + play::tend(eval, &offer.choice);
    },
    when: When::Declared(&[&HEALING]),
    offers,
    begin: |sp, choice| {
        standard(sp, choice, 1, |begun| {
            let patient = choice.at.expect("healing has a patient");
            let who = choice.actor();
            begun.actions.push(Box::new(Tend { who, patient }));
        })
    },
};

/// Legal even if no ally needs healing yet: that can change before the count comes.
pub(super) const DECLARED: Declaration = Declaration {
    verbs: &[&HEALING],
    offers: |sp, who, out| out.push(fit(sp, Choice::new(&HEALING, who), sp.has_a_hand(who))),
    adds: |_, _| tables().initiative.heal,
    at_count: NOTHING,
};

/// Injury effects that a heal check removes.
const MENDED: [Hurt; 2] = [Hurt::Lamed, Hurt::Suffocating];

/// Units of the same side that a heal check would help, including `who` itself.
pub fn patients(sp: &SpeedQuery, who: Id) -> impl Iterator<Item = Id> {
    let side = sp.side(who);
    let is_ally = move |id: Id| sp.is_there(id) && sp.side(id) == side;
    let patients = sp.view.ids();
    patients.filter(move |&id| is_ally(id) && is_in_need(sp, id))
}

fn is_in_need(sp: &SpeedQuery, id: Id) -> bool {
    let fighter = sp.fighter(id);
    let down = sp.body(id).state == State::Down && !fighter.suffers(SpeedCondition::Stabilised);
    let mends = MENDED.iter().any(|&hurt| fighter.has(hurt));
    down || mends || fighter.suffers(SpeedCondition::Bleeding)
}

fn offers(sp: &SpeedQuery, who: Id, out: &mut Vec<Offer>) {
    let offer = |patient: Id| {
        let near = patient == who || sp.view.within(who, patient, 5);
        let legal = needs_standard(sp, who).and(sp.has_a_hand(who));
        let legal = legal.and(Why::new("SP-25", "not next to the patient").unless(near));
        Offer::from(Choice::new(&TEND, who).at(patient), legal)
    };
    let why = Why::new("SP-25", "no ally needs it");
    let offers = patients(sp, who).map(offer);
    list_or(offers, Choice::new(&TEND, who), why, out);
}

/// The heal check: a d20 with Heal and Insight (SP-25).
pub fn check(sp: &SpeedQuery, who: Id) -> Check {
    sp.check(who, "heal", Some(Skill::Heal), Ability::Insight, "SP-25")
}

system_step! { struct Tend { who: Id, patient: Id } => tend }

/// The heal check against 10 plus the largest wound (SP-25).
fn tend(
    In(Tend { who, patient }): In<Tend>,
    sp: SpeedQuery,
    mut dice: ResMut<DiceBox>,
) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    if !sp.is_there(patient) {
        return outcome;
    }
    let against = heal_target(&sp, patient);
    if !check(&sp, who).passes("SP-25", against, &mut dice, &mut outcome) {
        return outcome;
    }
    let bleeding = SpeedCondition::Bleeding;
    recovers(&sp, patient, bleeding, "SP-32", &mut outcome);
    let fighter = sp.fighter(patient);
    for hurt in MENDED.into_iter().filter(|&hurt| fighter.has(hurt)) {
        outcome.emit("SP-27", SpeedEvent::Healed { who: patient, hurt });
    }
    if sp.body(patient).state == State::Down {
        stabilise(&sp, patient, &mut outcome);
    }
    outcome
}
