//! Concentration, and what breaks it (PH-20, PH-21, PH-25).

use super::{fact::PhasedEvent, fighter::Upkeep, ph::Ph};
use crate::{
    battle::{Id, Rule, StepOutcome},
    content::Effect,
};

/// Damage, a save that fails, a hindrance, a free attack of one's own, the loss
/// of heart: a spell that is being cast is lost, one that is kept up ends.
pub fn breaks(ph: &Ph, who: Id, outcome: &mut StepOutcome) {
    spoils(ph, who, outcome);
    lets_go(ph, who, outcome);
}

/// The same by an ally who passes, or in passing one (PH-25).
pub fn jostled(ph: &Ph, who: Id, outcome: &mut StepOutcome) {
    spoils_by(ph, who, "PH-25", outcome);
    lets_go_by(ph, who, "PH-25", outcome);
}

/// A spell that is being cast is lost as if cast.
pub fn spoils(ph: &Ph, who: Id, outcome: &mut StepOutcome) {
    spoils_by(ph, who, "PH-20", outcome);
}

fn spoils_by(ph: &Ph, who: Id, rule: Rule, outcome: &mut StepOutcome) {
    if let Some(casting) = ph.fighter(who).casting {
        let spell = casting.spell.0;
        outcome.emit(rule, PhasedEvent::Spoiled { who, spell }.event());
    }
}

/// Ends what is kept up, and with it what it does to those on whom it lies.
pub fn lets_go(ph: &Ph, who: Id, outcome: &mut StepOutcome) {
    lets_go_by(ph, who, "PH-21", outcome);
}

fn lets_go_by(ph: &Ph, who: Id, rule: Rule, outcome: &mut StepOutcome) {
    let Some(upkeep) = ph.fighter(who).upkeep else {
        return;
    };
    let holds = is_hold(ph, upkeep);
    let on = subjects(ph, upkeep).next().filter(|_| holds);
    outcome.emit(rule, PhasedEvent::LetsGo { who, on }.event());
    for who in subjects(ph, upkeep) {
        let over = match holds {
            true => PhasedEvent::Freed { who },
            false => PhasedEvent::WardEnds { who },
        };
        outcome.emit("PH-21", over.event());
    }
}

/// PH-60: none of those on whom a spell is kept up will have anything of it
/// after this round.
pub fn is_over(ph: &Ph, upkeep: Upkeep) -> bool {
    let holds = is_hold(ph, upkeep);
    subjects(ph, upkeep).all(|on| {
        let f = ph.fighter(on);
        !ph.is_up(on)
            || match holds {
                true => f.held == 0 || f.is_free_soon(),
                false => f.ward.is_none() || f.is_bare_soon(),
            }
    })
}

/// It holds its subjects; else it wards them.
pub fn is_hold(ph: &Ph, upkeep: Upkeep) -> bool {
    matches!(ph.view.spell(upkeep.spell).effect, Effect::Hold { .. })
}

fn subjects<'a>(ph: &'a Ph, upkeep: Upkeep) -> impl Iterator<Item = Id> + 'a {
    ph.view.ids().filter(move |id| upkeep.on & id.bit() != 0)
}
