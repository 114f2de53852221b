//! Initiative by side: a d6 for each side in each round.

use crate::battle::{CheckRoll, DiceBox, FirstMove, Roll, Rule, Side, StepOutcome, View};

/// Sides of the initiative die.
const FACES: u16 = 6;

/// Rolls initiative for each side and logs it. `None` for a side with no standing units.
pub fn side_dice(
    (view, round, rule): (&View, u16, Rule),
    first: Option<&FirstMove>,
    dice: &mut DiceBox,
    outcome: &mut StepOutcome,
) -> Vec<Option<u16>> {
    let is_here = |side: Side| view.standing(side).next().is_some();
    let sides = view.roster.sides();
    let roll = |side| is_here(side).then(|| dice.roll(FACES));
    let mut rolls: Vec<Option<u16>> = sides.map(roll).collect();
    if let Some(first) = first.filter(|_| round <= 1) {
        first.hand_to_side(&mut rolls, FACES);
    }
    for (side, roll) in view.roster.sides().zip(&rolls) {
        if let Some(value) = *roll {
            let roll = Roll::one(FACES, value, vec![]);
            outcome.emit(rule, CheckRoll::initiative_of(side, roll));
        }
    }
    rolls
}
