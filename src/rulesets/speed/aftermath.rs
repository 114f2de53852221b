//! Whether the battle is over (SP-31).

use super::{facts::SpeedEvent, sp::Sp};
use crate::{
    battle::{Fallen, StepOutcome, judge},
    system_step,
};
use bevy::ecs::system::In;

/// Looks at the state after something happened; it needs to know nothing of
/// what. A side of which nobody is on its feet is beaten: dead, fled, captured
/// or too hurt to go on. Initiative is wiped.
#[derive(Clone, Debug)]
pub struct Aftermath;
system_step!(Aftermath, look);

fn look(In(_): In<Aftermath>, sp: Sp) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    match judge(&sp.view, Fallen::StayDown, &mut outcome) {
        Some(over) => outcome
            .and("SP-31", SpeedEvent::Wiped.event())
            .and("GR-00", over),
        None => outcome,
    }
}
