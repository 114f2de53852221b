//! What the quick AI makes of its offers. Everything is read from what its
//! side knows.
//!
//! - `mind`: foes and what they are worth, dangers, distances
//! - `plan`: what to declare
//! - `play`: what to do when the count has come, and in answer to others

mod mind;
mod plan;
mod play;

use super::{acts::declare, sp::Sp};
use crate::battle::{Choice, Id, Offer};
use bevy::ecs::{system::In, world::World};
use mind::Mind;
use std::sync::Arc;

/// The offer that looks best; the first of equals.
pub fn advise(world: &mut World, who: Id, offers: &Arc<Vec<Offer>>) -> Choice {
    match world.run_system_cached_with(best, (who, offers.clone())) {
        Ok(n) => offers[n].choice.clone(),
        Err(e) => panic!("the AI's look at the offers of {who:?}: {e}"),
    }
}

fn best(In((who, offers)): In<(Id, Arc<Vec<Offer>>)>, sp: Sp) -> usize {
    let mind = Mind::new(&sp, who);
    let declares = |o: &Offer| declare::VERBS.contains(&o.choice.verb);
    let declaring = offers.iter().any(declares);
    let mut best = (i32::MIN, 0);
    for (n, offer) in offers.iter().enumerate().filter(|o| o.1.is_legal()) {
        let score = match declaring {
            true => plan::score(&mind, &offer.choice),
            false => play::score(&mind, offer),
        };
        if score > best.0 {
            best = (score, n);
        }
    }
    best.1
}
