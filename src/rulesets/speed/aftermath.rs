//! Whether the battle is over (SP-31).

use super::{facts::Fact, sp::Sp};
use crate::{
    battle::{Change, Flow, outcome},
    system_step,
};
use bevy::ecs::system::In;

/// Looks at the state after something happened; it needs to know nothing of
/// what. A side of which nobody is on its feet is beaten: dead, fled, captured
/// or too hurt to go on. Initiative is wiped.
#[derive(Clone, Debug)]
pub struct Aftermath;
system_step!(Aftermath, look);

fn look(In(_): In<Aftermath>, sp: Sp) -> Flow {
    match outcome(&sp.view, sp.view.level(), &sp.view.progress) {
        Some((won, why)) => Flow::default()
            .and("SP-31", Fact::Wiped.event())
            .and("GR-00", Change::Over { won, why }),
        None => Flow::default(),
    }
}
