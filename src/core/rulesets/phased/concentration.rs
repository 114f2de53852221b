//! Concentration, and what breaks it (PH-20, PH-21, PH-25).

use super::{events::PhasedEvent, query::PhasedQuery, state::Upkeep};
use crate::battle::{ActiveCondition, EventKind, Id, Rule, StepOutcome};

/// Breaks a unit's concentration: it loses a spell it is casting and ends a spell it keeps up.
/// Causes: damage, a failed save, a hindrance, making a free attack, fleeing.
pub fn breaks(ph: &PhasedQuery, who: Id, outcome: &mut StepOutcome) {
    disrupt(ph, who, outcome);
    lets_go(ph, who, outcome);
}

/// Breaks the concentration of a unit that passes an ally or is passed by one (PH-25).
pub fn jostled(ph: &PhasedQuery, who: Id, outcome: &mut StepOutcome) {
    disrupt_by(ph, who, "PH-25", outcome);
    lets_go_by(ph, who, "PH-25", outcome);
}

/// A spell that the unit is casting is lost as if cast.
pub fn disrupt(ph: &PhasedQuery, who: Id, outcome: &mut StepOutcome) {
    disrupt_by(ph, who, "PH-20", outcome);
}

fn disrupt_by(ph: &PhasedQuery, who: Id, rule: Rule, outcome: &mut StepOutcome) {
    if let Some(casting) = ph.fighter(who).casting {
        let spell = casting.spell.0;
        outcome.emit(rule, PhasedEvent::Spoiled { who, spell });
    }
}

/// Ends the spell that the unit keeps up, and the conditions that it gives to others.
pub fn lets_go(ph: &PhasedQuery, who: Id, outcome: &mut StepOutcome) {
    lets_go_by(ph, who, "PH-21", outcome);
}

fn lets_go_by(ph: &PhasedQuery, who: Id, rule: Rule, outcome: &mut StepOutcome) {
    let Some(upkeep) = ph.fighter(who).upkeep else {
        return;
    };
    let holds = ph.view.spell(upkeep.spell).effect.holds();
    let on = ph.view.of_bits(upkeep.on).next().filter(|_| holds);
    outcome.emit(rule, PhasedEvent::LetsGo { who, on });
    for who in ph.view.of_bits(upkeep.on) {
        for lasting in of_it(ph, who, upkeep) {
            let lasting = lasting.clone();
            outcome.emit("PH-21", EventKind::ConditionEnded { who, lasting });
        }
    }
}

/// PH-60: whether a spell that is kept up has no effect on any target after this round.
pub fn is_over(ph: &PhasedQuery, upkeep: Upkeep) -> bool {
    let now = i32::from(ph.clock.round);
    ph.view
        .of_bits(upkeep.on)
        .all(|on| !ph.is_up(on) || of_it(ph, on, upkeep).all(|lasting| lasting.until <= now))
}

/// The conditions on a unit that come from a spell that is kept up.
fn of_it<'a>(
    ph: &'a PhasedQuery,
    on: Id,
    upkeep: Upkeep,
) -> impl Iterator<Item = &'a ActiveCondition> {
    let all = ph.view.conditions(on).iter();
    all.filter(move |lasting| lasting.spell == Some(upkeep.spell))
}
