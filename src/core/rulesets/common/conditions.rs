//! Conditions defined in content: how they begin on a unit, and how they end.

use super::{CombatSystem, State};
use crate::{
    battle::{ActiveCondition, DiceBox, EventKind, Id, Rule, SpellId, StepOutcome},
    content::{Condition, Effect},
};
use std::sync::Arc;

/// How a combat system measures the duration of conditions: the hooks of [`lay`] and [`expire`].
/// The effects of conditions are read from the [`View`](crate::battle::View) by forecasts and
/// movement.
pub trait TimesConditions: CombatSystem {
    /// The rule for the duration of conditions.
    const LASTS: Rule;
    /// What one d20 point of a condition's bonus is worth in this system's rolls.
    const POINT: i32 = 1;

    /// The moment when a condition that begins now completes its first round. By default, the end
    /// of the current round.
    fn next(state: &State<Self>, _by: Id) -> i32 {
        Self::round(state).into()
    }

    /// The moment when a condition that begins now and lasts this many rounds ends.
    fn until(state: &State<Self>, by: Id, rounds: i32) -> i32 {
        Self::next(state, by) + rounds - 1
    }

    /// Rounds that a condition has left.
    fn left(state: &State<Self>, lasting: &ActiveCondition) -> i32 {
        lasting.until - Self::next(state, lasting.by) + 1
    }

    /// Rolls a save that ends a condition early. `true` if it succeeds.
    fn saves(
        state: &State<Self>,
        who: Id,
        from: &ActiveCondition,
        dice: &mut DiceBox,
        outcome: &mut StepOutcome,
    ) -> bool;
}

/// Begins a spell's condition on a unit, if the spell has one.
pub fn lay<R: TimesConditions>(
    state: &State<R>,
    by: Id,
    spell: SpellId,
    who: Id,
    outcome: &mut StepOutcome,
) {
    if let Effect::Lasts { condition, rounds } = &R::view(state).spell(spell).effect {
        let source = (by, Some(spell));
        let began = begins::<R>(state, source, who, condition, *rounds);
        outcome.emit(R::LASTS, began);
    }
}

/// The event for a condition that begins on a unit, caused by `by`, by a spell or without one.
pub fn begins<R: TimesConditions>(
    state: &State<R>,
    (by, spell): (Id, Option<SpellId>),
    who: Id,
    condition: &Arc<Condition>,
    rounds: i32,
) -> EventKind {
    let lasting = ActiveCondition {
        condition: condition.clone(),
        defense: condition.defense * R::POINT,
        since: R::next(state, by),
        until: R::until(state, by, rounds),
        by,
        spell,
    };
    EventKind::ConditionBegan {
        who,
        lasting,
        rounds,
    }
}

/// Ends the conditions that `ages` selects and whose last moment is over, or that a save ends.
/// Returns the units that failed such a save.
pub fn expire<R: TimesConditions>(
    state: &State<R>,
    now: i32,
    ages: impl Fn(Id, &ActiveCondition) -> bool,
    dice: &mut DiceBox,
    outcome: &mut StepOutcome,
) -> Vec<Id> {
    let view = R::view(state);
    let mut failed = vec![];
    for who in view.ids() {
        let all = view.conditions(who).iter();
        for lasting in all.filter(|l| l.since <= now && ages(who, l)) {
            let is_over = lasting.until <= now;
            let may_save = !is_over && lasting.condition.save_ends && view.body(who).is_up();
            if is_over || may_save && R::saves(state, who, lasting, dice, outcome) {
                let lasting = lasting.clone();
                outcome.emit(R::LASTS, EventKind::ConditionEnded { who, lasting });
            } else if may_save && failed.last() != Some(&who) {
                failed.push(who);
            }
        }
    }
    failed
}
