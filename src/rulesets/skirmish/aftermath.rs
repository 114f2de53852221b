//! What follows from falls and arrivals: the end of the battle, morale.

use super::{
    fighter::{Shaken, SkirmishEvent},
    grapple,
    sk::Sk,
};
use crate::{
    battle::{CheckRoll, DiceBox, Fallen, Id, Roll, Side, State, StepOutcome, judge},
    system_step,
};
use bevy::ecs::system::{In, ResMut};

/// Looks at the state after something happened; it needs to know nothing of what.
#[derive(Clone, Debug)]
pub struct Aftermath;
system_step!(Aftermath, look);

fn look(In(_): In<Aftermath>, sk: Sk) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    if let Some(over) = judge(&sk.view, Fallen::MayRise, &mut outcome) {
        return outcome.and("GR-00", over);
    }
    grapple::lapse(&sk, &mut outcome);
    for side in sk.view.roster.sides() {
        let now = shaken(&sk, side);
        if now != sk.clock.shaken[side.index()] {
            outcome.emit("SK-60", SkirmishEvent::Shaken { side, shaken: now }.event());
            outcome.push(Morale { side });
        }
    }
    outcome
}

/// Which of the occasions of SK-60 a side has had by now.
fn shaken(sk: &Sk, side: Side) -> Shaken {
    let before = sk.clock.shaken[side.index()];
    // Who suspects nothing does not know of it either, yet (SK-56).
    if sk.view.standing(side).all(|id| sk.is_unaware(id)) {
        return before;
    }
    let members = || sk.view.ids().filter(|&id| sk.body(id).side == side);
    let is_down = |id: &Id| matches!(sk.body(*id).state, State::Down | State::Dead);
    let (all, down) = (members().count(), members().filter(is_down).count());
    Shaken {
        first_fall: before.first_fall || down > 0,
        half: before.half || down * 2 >= all && down > 0,
        leader: before.leader || members().any(|id| sk.view.sheet(id).leader && is_down(&id)),
    }
}

/// SK-60: who of a side still wants to fight. One roll each, however many
/// occasions came at once.
#[derive(Clone, Debug)]
pub struct Morale {
    pub side: Side,
}
system_step!(Morale, morale);

fn morale(In(Morale { side }): In<Morale>, sk: Sk, mut dice: ResMut<DiceBox>) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    for who in sk.view.standing(side) {
        let Some(score) = sk.view.creature(who).morale else {
            continue;
        };
        // Who lies hidden has seen nothing of it that would count.
        let apart = sk.is_unaware(who) || sk.stance(who).hidden;
        if sk.fighter(who).fleeing || apart {
            continue;
        }
        let roll = Roll {
            dice: vec![(6, dice.roll(6)), (6, dice.roll(6))],
            modifiers: vec![],
        };
        let holds = roll.total() <= score;
        outcome.emit(
            "SK-60",
            CheckRoll::by(who, "morale", roll)
                .against(score)
                .passed(holds)
                .event(),
        );
        if !holds {
            let way_out = sk.way_out(who).is_some();
            let what = if way_out {
                SkirmishEvent::Flees { who }
            } else {
                SkirmishEvent::FightsOn { who }
            };
            outcome.emit("SK-60", what.event());
        }
    }
    outcome
}
