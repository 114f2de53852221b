//! Declared actions without a target. They happen as soon as their count comes.

use super::{
    super::{
        declared::{BREAKING_FREE, DOUSING, FULL_DEFENSE, STANDING_UP},
        wounds,
    },
    row::*,
};
use crate::battle::Modifier;

pub(super) const FULL_DEFENSE_DECLARED: Declaration = Declaration {
    verbs: &[&FULL_DEFENSE],
    offers: |sp, who, out| out.push(fit(sp, Choice::new(&FULL_DEFENSE, who), Ok(()))),
    adds: |_, _| tables().initiative.full_defense,
    at_count: |sp, who, _, outcome| {
        if takes(sp, who, outcome) {
            outcome.emit("SP-10", SpeedEvent::FullDefense { who });
        }
    },
};

pub(super) const STANDING_UP_DECLARED: Declaration = Declaration {
    verbs: &[&STANDING_UP],
    offers: |sp, who, out| out.push(fit(sp, Choice::new(&STANDING_UP, who), can_stand(sp, who))),
    adds: |_, _| tables().initiative.standing_up,
    at_count: |sp, who, dice, outcome| {
        if takes(sp, who, outcome) {
            stand_up(sp, who, dice, outcome);
        }
    },
};

pub(super) const BREAKING_FREE_DECLARED: Declaration = Declaration {
    verbs: &[&BREAKING_FREE],
    offers: |sp, who, out| {
        if sp.fighter(who).suffers(SpeedCondition::Grappled) {
            out.push(fit(sp, Choice::new(&BREAKING_FREE, who), Ok(())));
        }
    },
    adds: |_, _| tables().initiative.break_free,
    at_count: |sp, who, dice, outcome| {
        if takes(sp, who, outcome) && sp.fighter(who).suffers(SpeedCondition::Grappled) {
            break_free(sp, who, dice, outcome);
        }
    },
};

pub(super) const DOUSING_DECLARED: Declaration = Declaration {
    verbs: &[&DOUSING],
    offers: |sp, who, out| {
        if sp.fighter(who).suffers(SpeedCondition::Burning) {
            out.push(fit(sp, Choice::new(&DOUSING, who), Ok(())));
        }
    },
    adds: |_, _| tables().initiative.douse,
    at_count: |sp, who, _, outcome| {
        if takes(sp, who, outcome) {
            wounds::recovers(sp, who, SpeedCondition::Burning, "SP-32", outcome);
        }
    },
};

/// Spends the standard action. False if the unit cannot act or dies of the strain.
pub(super) fn takes(sp: &SpeedQuery, who: Id, outcome: &mut StepOutcome) -> bool {
    if sp.may_act(who).is_err() {
        return false;
    }
    outcome.emit("SP-07", SpeedEvent::Standard { who });
    !wounds::strain(sp, who, 1, outcome)
}

/// Rolls to break out of a grapple. True if the unit is free.
pub fn break_free(sp: &SpeedQuery, who: Id, dice: &mut DiceBox, outcome: &mut StepOutcome) -> bool {
    let check = sp.check(who, "break free", None, Ability::Strength, "SP-32");
    let is_free = check.passes("SP-32", numbers().break_free, dice, outcome);
    if is_free {
        wounds::recovers(sp, who, SpeedCondition::Grappled, "SP-32", outcome);
    }
    is_free
}

fn can_stand(sp: &SpeedQuery, who: Id) -> Result<(), Why> {
    Why::new("SP-04", "already standing").unless(sp.body(who).prone)?;
    Why::new("SP-27", "prone until healed").when(sp.fighter(who).has(Hurt::Lamed))
}

/// Stands the unit up. With a hurt foot it must pass a Balance check (SP-27).
fn stand_up(sp: &SpeedQuery, who: Id, dice: &mut DiceBox, outcome: &mut StepOutcome) {
    let fighter = sp.fighter(who);
    if !sp.body(who).prone || fighter.has(Hurt::Lamed) {
        return;
    }
    let balance = fighter.balance();
    if balance != 0 {
        let mut check = sp.check(who, "balance", None, Ability::Agility, "SP-27");
        let hurt = Modifier::new(balance, "hurt foot", "SP-27");
        check.modifiers.insert(0, hurt);
        if !check.passes("SP-27", numbers().balance, dice, outcome) {
            return;
        }
    }
    outcome.emit("SP-04", EventKind::Prone { who, prone: false });
}
