//! What the quick AI makes of its offers. Everything is read from what its
//! side knows.
//!
//! - `mind`: foes and what they are worth, dangers, distances
//! - `plan`: what to declare
//! - `play`: what to do when the count has come, and in answer to others

mod evaluation;
mod plan;
mod play;

use super::{
    acts::{CRAWL, GO_PRONE, LEAVE, MOVE, PICK_UP, SURGE, declare},
    sp::Sp,
    turn::DONE,
};
use crate::{
    battle::{Choice, Id, Offer},
    rulesets::common::ai::field::Fields,
};
use bevy::ecs::{
    system::{In, Local},
    world::World,
};
use evaluation::Evaluation;
use std::sync::Arc;

/// The offer that looks best; the first of equals.
pub fn policy(world: &mut World, who: Id, offers: &Arc<Vec<Offer>>) -> Choice {
    let n = crate::battle::run_system(world, best, (who, offers.clone()));
    offers[n].choice.clone()
}

fn best(In((who, offers)): In<(Id, Arc<Vec<Offer>>)>, sp: Sp, mut fields: Local<Fields>) -> usize {
    let mut mind = Evaluation::new(&sp, who, &mut fields);
    let is_act = |o: &&Offer| o.is_legal() && is_act(&o.choice);
    mind.moves_only = offers.iter().find(is_act).is_none();
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

/// More than a move, or what is offered beside moves.
fn is_act(choice: &Choice) -> bool {
    ![&MOVE, &CRAWL, &LEAVE, &GO_PRONE, &PICK_UP, &SURGE, &DONE].contains(&choice.verb)
}
