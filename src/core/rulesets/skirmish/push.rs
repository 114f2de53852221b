//! Moving units by force: shoves (SK-50), drags and throws (SK-53).

use super::{Skirmish, query::SkirmishQuery};
use crate::{
    battle::{DiceBox, EventKind, Id, Rule, StepOutcome, Why},
    grid::{Cell, Occupant, Space, StepCost, StepRules},
    rulesets::common::{
        hiding::{finds, knows_of},
        moves::Moves,
    },
};

/// Feet that a unit can be lifted by a shove or throw: no more than a plain step.
const PLAIN_STEP: f64 = 2.5;
/// Feet down up to which there is no fall (GR-32).
const NO_FALL: f64 = 10.0;

/// Feet that `who` would fall if `by` put it into an adjacent cell, or why that is impossible as
/// far as `by` knows.
pub fn landing(sk: &SkirmishQuery, by: Id, who: Id, to: Cell, rule: Rule) -> Result<u16, Why> {
    let (at, size) = (sk.body(who).at, sk.body(who).size);
    step(sk, by, who, at, to, &[who]).map_err(|why| Why::new(rule, why))?;
    let [here, there] = [at, to].map(|cell| sk.view.board.floor(Space::new(cell, size)));
    let rise = there - here;
    Why::new(rule, "too high to be lifted there").when(rise > PLAIN_STEP)?;
    // A unit pushed over a ledge can't climb down.
    Ok(if -rise > NO_FALL { -rise as u16 } else { 0 })
}

/// Puts `who` into a cell and applies a fall, which counts as `by`'s damage; returns whether there
/// was one. An enemy hidden in the cell is found instead (SK-03).
pub fn put(
    sk: &SkirmishQuery,
    by: Id,
    who: Id,
    to: Cell,
    rule: Rule,
    dice: &mut DiceBox,
    outcome: &mut StepOutcome,
) -> bool {
    let Ok(drop) = landing(sk, by, who, to, rule) else {
        return false;
    };
    if finds::<Skirmish>(sk, by, who, to, outcome) {
        return false;
    }
    outcome.emit(rule, EventKind::moved(who, sk.body(who).at, to, 0));
    if drop > 0 {
        Skirmish::falls(sk, who, Some(by), drop, dice, outcome);
    }
    drop > 0
}

/// What a step would cost a unit that `by` moves by force, ignoring the units in `ignoring`. Hidden
/// enemies of `by` are ignored too (SK-03).
pub fn step(
    sk: &SkirmishQuery,
    by: Id,
    who: Id,
    from: Cell,
    to: Cell,
    ignoring: &[Id],
) -> Result<StepCost, String> {
    let taken = |cell: Cell| {
        let there = sk.view.on(cell);
        match there.is_some_and(|id| !ignoring.contains(&id) && knows_of::<Skirmish>(sk, by, id)) {
            true => Occupant::Foe,
            false => Occupant::Nobody,
        }
    };
    let walk = StepRules {
        board: &sk.view.board,
        size: sk.body(who).size,
        diagonals: sk.view.level().diagonals,
        slow: 1,
        most: u16::MAX,
        standing: &taken,
        provokes: None,
    };
    walk.step(from, to).map_err(|why| match why {
        crate::grid::StepError::Foe => String::from("a unit stands there"),
        why => why.to_string(),
    })
}
