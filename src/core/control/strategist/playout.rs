//! A choice played on by the quick AI for all sides.

use crate::battle::{Battle, Choice, DiceBox, EventKind, Side};

/// Rounds that are played before the sides are compared.
const ROUNDS: usize = 2;
/// The most answers in a playout of two rounds, and in one to the end.
const ANSWERS: usize = 2_000;
const ANSWERS_TO_THE_END: usize = 100_000;
/// The weight of the outcome. The rest goes to the strength left, which depends less on luck.
const OUTCOME: f32 = 0.3;
/// The effect of a lead in strength: a side with all of its strength against half of the
/// enemy's wins 9 times in 10.
const LEAD: f32 = 4.5;

/// How well a side does after this choice with the dice of this seed, 0 to 1.
pub fn value(base: &Battle, side: Side, choice: &Choice, seed: u64) -> f32 {
    let mut battle = base.fork(DiceBox::per_unit(seed));
    if battle.answer(choice.clone()).is_err() {
        return 0.0;
    }
    let won = play_rounds(&mut battle, side);
    let left = chance_by_strength(&battle.strength(), side);
    won.map_or(left, |won| OUTCOME * won + (1.0 - OUTCOME) * left)
}

/// The side's result when the quick AI plays all sides to the end: 1 won, 0 lost.
pub fn quick_result(battle: &mut Battle, side: Side) -> f32 {
    for _ in 0..ANSWERS_TO_THE_END {
        if let Some(won) = outcome(battle, side) {
            return won;
        }
        battle.answer_quickly();
    }
    0.5
}

/// The side's result when the quick AI plays a fork of `base` to the end with the dice of this
/// seed: 1 won, 0 lost.
pub fn play_to_the_end(base: &Battle, side: Side, seed: u64) -> f32 {
    quick_result(&mut base.fork(DiceBox::seeded(seed)), side)
}

/// The result of a finished battle: 1 won, 0 lost, 0.5 if no side won. `None` if it still runs.
fn outcome(battle: &Battle, side: Side) -> Option<f32> {
    let over = battle.over()?;
    Some(over.map_or(0.5, |winner| f32::from(winner == side)))
}

/// The quick AI plays all sides to the start of the second round from now. Returns the result
/// if the battle is over by then.
pub fn play_rounds(battle: &mut Battle, side: Side) -> Option<f32> {
    let (mut rounds, mut seen) = (0, 0);
    for _ in 0..ANSWERS {
        if let Some(won) = outcome(battle, side) {
            return Some(won);
        }
        let new = &battle.events()[seen..];
        let begins = |kind: &EventKind| matches!(kind, EventKind::RoundBegan { .. });
        rounds += new.iter().filter(|event| begins(&event.what)).count();
        seen = battle.events().len();
        if rounds >= ROUNDS {
            break;
        }
        battle.answer_quickly();
    }
    None
}

/// The win probability by the strength left of each side.
fn chance_by_strength(left: &[f32], side: Side) -> f32 {
    let own = left[side.index()];
    let others = left.iter().enumerate().filter(|&(n, _)| n != side.index());
    let theirs = others.map(|(_, &left)| left).fold(0.0, f32::max);
    1.0 / (1.0 + (-LEAD * (own - theirs)).exp())
}
