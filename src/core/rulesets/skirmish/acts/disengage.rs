//! Disengage (SK-19): leave a melee without provoking attacks.

use super::row::*;
use crate::rulesets::common::hiding;

verbs! {
    DISENGAGE = "disengage", "disengage", "disengages", "SK-19";
}

pub(super) const ACT: ActGroup = ActGroup {
    acts: rows! {
        DISENGAGE: 'f' "Disengage" Disengage, "Main action. Leaving adjacent enemies provokes no attacks this round.",
            Chances::None, |eval, _| eval.staying(eval.disengage());
    },
    when: (),
    offers: |sk, who, out| out.push(Offer::from(Choice::new(&DISENGAGE, who), legal(sk, who))),
    begin,
};

fn legal(sk: &SkirmishQuery, who: Id) -> Result<(), Why> {
    sk.needs_main(who)?;
    let binds = |enemy: Id| !sk.stance(enemy).hidden && sk.is_bound(who, enemy);
    Why::new("SK-19", "not in any enemy's reach").unless(sk.attackers_of(who).any(binds))
}

/// Disengages from all attackers that have the unit in reach. For hidden attackers, only their own
/// side gets the event.
fn begin(sk: &SkirmishQuery, choice: &Choice) -> StepOutcome {
    let who = choice.actor();
    let attackers = sk.attackers_of(who);
    let (hidden, from): (Vec<Id>, _) = attackers.partition(|&enemy| sk.stance(enemy).hidden);
    let disengaged = |from| SkirmishEvent::Disengaged { who, from };
    let mut outcome = declare(sk, choice, ActionCost::Main).and("SK-19", disengaged(from));
    for enemy in hidden {
        let from = disengaged(vec![enemy]);
        hiding::emit_unless_hidden::<Skirmish>(sk, enemy, "SK-19", from, &mut outcome);
    }
    outcome
}
