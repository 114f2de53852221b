//! The damage of a hit (SK-32); falling and dying (SK-61).

use super::{events::SkirmishEvent, hands::DropHeldItems, numbers, query::SkirmishQuery};
use crate::{
    battle::{DiceBox, EventKind, Id, Modifier, Roll, State, StepOutcome},
    content::Trait,
    rulesets::common::damage::{Damage, Loss, Losses},
};

/// Rolls the damage of a hit: the points, and the roll that explains them.
pub fn damage(d: &Damage, dice: &mut DiceBox) -> (i32, Roll) {
    let (points, mut roll) = d.roll("SK-32", dice);
    if d.within > 0 {
        let more = Modifier::new(d.within as i16, "swarm", "SK-13");
        roll.modifiers.push(more);
        if points < roll.total() {
            roll.set_total(points, "no more than its most", "SK-13");
        }
    }
    if points > roll.total().max(0) {
        roll.set_total(points, "no less than the Shock", "SK-32");
    }
    (points, roll)
}

/// A unit without hit points falls: mortally injured, unless the weapon only knocks out. Minions
/// die at once. It drops what it holds.
fn fall(sk: &SkirmishQuery, who: Id, lethal: bool, outcome: &mut StepOutcome) {
    outcome.emit("SK-61", EventKind::Fell { who });
    outcome.push(DropHeldItems { who });
    if sk.view.creature(who).has(Trait::Minion) && lethal {
        outcome.emit("SK-61", EventKind::Died { who });
    } else if lethal {
        outcome.emit("SK-61", SkirmishEvent::Dying { who, rounds: 0 });
    }
}

/// A unit that loses this many hit points falls if none are left.
pub fn fall_by(sk: &SkirmishQuery, who: Id, points: i32, lethal: bool, outcome: &mut StepOutcome) {
    if sk.body(who).hp <= points {
        fall(sk, who, lethal, outcome);
    }
}

/// Units that these losses leave without hit points fall, all of them at once.
pub fn fall_of(sk: &SkirmishQuery, lost: Losses, outcome: &mut StepOutcome) {
    for (who, Loss { points, lethal }) in lost {
        if sk.is_up(who) {
            fall_by(sk, who, points, lethal, outcome);
        }
    }
}

/// At the end of a round, mortally injured units come one round closer to death; the round of the
/// fall counts as the first.
pub fn bleed(sk: &SkirmishQuery, outcome: &mut StepOutcome) {
    for who in sk.view.ids().filter(|&id| sk.body(id).state == State::Down) {
        match sk.fighter(who).dying.map(|rounds| rounds + 1) {
            Some(numbers::ROUNDS_TO_LIVE..) => outcome.emit("SK-61", EventKind::Died { who }),
            Some(rounds) => outcome.emit("SK-61", SkirmishEvent::Dying { who, rounds }),
            None => {}
        }
    }
}
