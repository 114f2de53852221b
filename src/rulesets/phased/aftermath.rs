//! What follows from falls and arrivals: the end of the battle, morale.

use super::{concentration, fact::PhasedEvent, fighter::Shaken, ph::Ph, rout};
use crate::{
    battle::{CheckRoll, DiceBox, Fallen, Id, Modifier, Roll, Side, State, StepOutcome, judge},
    system_step,
};
use bevy::ecs::system::{In, ResMut};

/// Looks whether the battle is over; it needs to know nothing of what happened.
#[derive(Clone, Debug)]
pub struct Aftermath;
system_step!(Aftermath, look);

fn look(In(_): In<Aftermath>, ph: Ph) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    match judge(&ph.view, Fallen::StayDown, &mut outcome) {
        Some(over) => outcome.and("GR-00", over),
        None => outcome,
    }
}

/// PH-60, at the end of a round: who of a side still wants to fight. One roll
/// each, however many occasions the round brought.
#[derive(Clone, Debug)]
pub struct Morale {
    pub side: Side,
}
system_step!(Morale, morale);

fn morale(In(Morale { side }): In<Morale>, ph: Ph, mut dice: ResMut<DiceBox>) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    let now = shaken(&ph, side);
    if now == ph.clock.shaken[side.index()] {
        return outcome;
    }
    outcome.emit("PH-60", PhasedEvent::Shaken { side, shaken: now }.event());
    for who in ph.steady(side) {
        let Some(base) = ph.view.creature(who).morale else {
            continue;
        };
        // Who lies hidden has seen nothing of it that would count.
        if ph.fighter(who).hidden {
            continue;
        }
        let score = ph.morale(who).unwrap_or(base);
        let roll = Roll {
            dice: vec![(6, dice.roll(6)), (6, dice.roll(6))],
            modifiers: vec![],
        };
        let holds = roll.total() <= score;
        let what = match score - base {
            0 => String::from("morale"),
            more => format!("morale {base} and {more} for its hit dice"),
        };
        outcome.emit(
            "PH-60",
            CheckRoll::by(who, what, roll)
                .against(score)
                .passed(holds)
                .event(),
        );
        if !holds {
            if rout::way_out(&ph, who).is_none() {
                outcome.emit("PH-60", PhasedEvent::FightsOn { who }.event());
                continue;
            }
            outcome.emit("PH-60", PhasedEvent::Breaks { who }.event());
            // Who runs concentrates on nothing else (PH-20).
            concentration::breaks(&ph, who, &mut outcome);
        }
    }
    outcome
}

/// Which of its occasions a side has had by now: its first fall, half of it
/// down, a leader down.
fn shaken(ph: &Ph, side: Side) -> Shaken {
    let before = ph.clock.shaken[side.index()];
    let members = || ph.view.ids().filter(|&id| ph.body(id).side == side);
    let is_down = |id: &Id| matches!(ph.body(*id).state, State::Down | State::Dead);
    let (all, down) = (members().count(), members().filter(is_down).count());
    Shaken {
        first_fall: before.first_fall || down > 0,
        half: before.half || down * 2 >= all && down > 0,
        leader: before.leader || members().any(|id| ph.view.sheet(id).leader && is_down(&id)),
    }
}

/// A roll that is told with what is added to it.
pub fn two_d6(dice: &mut DiceBox, value: i32, label: &'static str) -> Roll {
    let modifiers = vec![Modifier::new(value as i16, label, "PH-04")];
    Roll {
        dice: vec![(6, dice.roll(6)), (6, dice.roll(6))],
        modifiers,
    }
}
