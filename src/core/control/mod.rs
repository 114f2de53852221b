//! Who answers decisions: AIs, random choices, an idle player or a recording. Players answer
//! through the window, scenarios through their orders; all of them use [`Battle::answer`].

mod ai;
pub mod bot;
mod controllers;
pub mod exchange;
mod file_kind;
pub mod forecast;
mod idle;
pub mod interval;
mod near;
pub mod orders;
pub mod positions;
mod random;
pub mod recording;
pub mod review;
pub mod scenario;
pub mod simulation;
pub mod statistics;
pub mod strategist;
mod surrender;
pub mod timeline;
pub mod why;

pub use ai::{ActingOrder, Easy, Quick};
pub use controllers::{Controllers, Player, controller_seed, play};
pub use file_kind::FileKind;
pub use idle::Idle;
pub use near::Near;
pub use random::Random;
pub use strategist::Strategist;

use crate::battle::{Battle, Choice};
use bevy_ecs::world::World;

/// Answers the open decision of a side.
///
/// This controller takes the first legal offer:
///
/// ```
/// use fivefoot_core::{
///     battle::{Battle, Choice},
///     bevy_ecs::world::World,
///     control::Controller,
/// };
///
/// struct First;
///
/// impl Controller for First {
///     fn restart(&mut self, _: &World, _: u64) {}
///
///     fn choose(&mut self, battle: &mut Battle) -> Choice {
///         let offers = battle.offers();
///         let legal = offers.into_iter().find(|offer| offer.is_legal());
///         let offer = legal.expect("at least one offer is legal");
///         match offer.numbers {
///             Some((least, _)) => offer.choice.number(least),
///             None => offer.choice,
///         }
///     }
/// }
/// ```
pub trait Controller: Send {
    /// Resets the controller for another battle with the same set-up.
    fn restart(&mut self, pristine: &World, seed: u64);

    /// A legal choice for the battle's open decision.
    fn choose(&mut self, battle: &mut Battle) -> Choice;

    /// Whether [`choose`](Self::choose) can answer the open decision at once. An external
    /// player starts to choose on the first call.
    fn is_ready(&mut self, _: &mut Battle) -> bool {
        true
    }

    /// Notifies the controller that its battle has ended.
    fn ended(&mut self, _: &Battle) {}

    /// The strategist, if this controller is one: it takes time to choose. `None` for all
    /// others.
    fn looks_ahead(&mut self) -> Option<&mut Strategist> {
        None
    }
}
