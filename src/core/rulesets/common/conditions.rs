//! Conditions that are data: how they come to lie on somebody, and end.

use super::{CombatSystem, State};
use crate::{
    battle::{DiceBox, EventKind, Id, Lasting, Rule, SpellId, StepOutcome},
    content::{Condition, Effect},
};
use std::sync::Arc;

/// How a combat system counts the time of conditions: the hooks of [`lay`] and
/// [`expire`]. What they do while they last, its forecasts and moves ask the
/// [`View`](crate::battle::View).
pub trait Afflicts: CombatSystem {
    /// By what rule they last.
    const LASTS: Rule;
    /// What a point of a d20 is here.
    const POINT: i32 = 1;

    /// The moment at which the first round is over of what somebody lays now:
    /// by itself the end of this round.
    fn next(state: &State<Self>, _by: Id) -> i32 {
        Self::round(state).into()
    }

    /// The moment at which something ends that somebody lays now for a number of
    /// rounds.
    fn until(state: &State<Self>, by: Id, rounds: i32) -> i32 {
        Self::next(state, by) + rounds - 1
    }

    /// Rounds that something has left.
    fn left(state: &State<Self>, lasting: &Lasting) -> i32 {
        lasting.until - Self::next(state, lasting.by) + 1
    }

    /// A save that ends a condition early.
    fn saves(
        state: &State<Self>,
        who: Id,
        from: &Lasting,
        dice: &mut DiceBox,
        outcome: &mut StepOutcome,
    ) -> bool;
}

/// A spell's condition comes to lie on somebody.
pub fn lay<R: Afflicts>(
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

/// A condition comes to lie on somebody, by somebody's spell or without one.
pub fn begins<R: Afflicts>(
    state: &State<R>,
    (by, spell): (Id, Option<SpellId>),
    who: Id,
    condition: &Arc<Condition>,
    rounds: i32,
) -> EventKind {
    let lasting = Lasting {
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

/// The time of conditions goes by, for those that `ages` names. Those end whose
/// last moment is over, and those that a save ends. Returns the units that have
/// failed such a save.
pub fn expire<R: Afflicts>(
    state: &State<R>,
    now: i32,
    ages: impl Fn(Id, &Lasting) -> bool,
    dice: &mut DiceBox,
    outcome: &mut StepOutcome,
) -> Vec<Id> {
    let view = R::view(state);
    let mut failed = vec![];
    for who in view.ids() {
        let all = view.lasting(who).iter();
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
