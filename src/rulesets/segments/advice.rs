//! What the quick AI makes of its offers.

use crate::battle::{Choice, Id, Offer};
use bevy::ecs::world::World;
use std::sync::Arc;

pub fn advise(_: &mut World, _: Id, offers: &Arc<[Offer]>) -> Choice {
    let legal = offers.iter().position(Offer::is_legal);
    offers[legal.unwrap_or(0)].choice.clone()
}
