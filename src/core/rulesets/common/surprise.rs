//! Which units are surprised as a battle begins: as the level says, or by checks.

use super::{CombatSystem, State};
use crate::{
    battle::{CheckRoll, DiceBox, Id, Rule, Side, StepOutcome},
    levels::{Approach, Awareness, Surprise},
};

/// How a combat system checks which side notices the other.
pub trait Surprises: CombatSystem {
    const NOTICED: Rule;

    /// The check of a side's best unit, already rolled: to approach, or to notice that if there is
    /// no `approach`. `None` if the side has no standing unit.
    fn check(
        state: &State<Self>,
        side: Side,
        approach: Option<Approach>,
        dice: &mut DiceBox,
    ) -> Option<CheckRoll>;
}

/// The surprised units: unaware ones, and the units of sides that the level or a failed check
/// surprises. Alert units are surprised only by hidden enemies.
pub fn caught<R: Surprises>(
    state: &State<R>,
    dice: &mut DiceBox,
    outcome: &mut StepOutcome,
) -> Vec<Id> {
    let sides = caught_sides::<R>(state, dice, outcome);
    let view = R::view(state);
    let combatant = |id: Id| &view.level().combatants[id.index()];
    let is_caught = |&id: &Id| {
        let side = view.body(id).side;
        let by_hidden = || view.enemies(side).any(|enemy| combatant(enemy).hidden);
        view.body(id).is_up()
            && match combatant(id).awareness {
                Awareness::Unaware => true,
                Awareness::Ready => sides.contains(&side),
                Awareness::Alert => sides.contains(&side) && by_hidden(),
            }
    };
    view.ids().filter(is_caught).collect()
}

fn caught_sides<R: Surprises>(
    state: &State<R>,
    dice: &mut DiceBox,
    outcome: &mut StepOutcome,
) -> Vec<Side> {
    let (by, how, against) = match &R::view(state).level().surprise {
        Surprise::None => return vec![],
        Surprise::Caught(sides) => return sides.iter().map(|&s| s.into()).collect(),
        Surprise::Check { by, how, against } => (Side::from(*by), *how, against),
    };
    let Some(approach) = R::check(state, by, Some(how), dice) else {
        return vec![];
    };
    let target = approach.roll.total();
    outcome.emit(R::NOTICED, approach);
    let mut out = vec![];
    for side in against.iter().map(|&s| Side::from(s)) {
        let Some(check) = R::check(state, side, None, dice) else {
            continue;
        };
        let notices = check.roll.total() >= target;
        outcome.emit(R::NOTICED, check.against(target).passed(notices));
        if !notices {
            out.push(side);
        }
    }
    out
}

/// The item with the highest value; the first of equals.
pub fn best<T>(all: impl Iterator<Item = T>, value: impl Fn(&T) -> i32) -> Option<T> {
    all.reduce(|best, next| match value(&next) > value(&best) {
        true => next,
        false => best,
    })
}
