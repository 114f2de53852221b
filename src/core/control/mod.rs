//! Who answers: the AI, chance, nobody, a recording. The player answers through the
//! window, a scenario through its orders; all use the battle's one door.

mod ai;
pub mod bot;
pub mod course;
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
mod table;
pub mod why;

pub use ai::{Easy, Quick};
pub use file_kind::FileKind;
pub use idle::Idle;
pub use near::Near;
pub use random::Random;
pub use strategist::Strategist;
pub use table::{Player, Table, play, seat_seed};

use crate::battle::{Battle, Choice};
use bevy_ecs::world::World;

/// Answers the open question for a side.
///
/// One that takes the first legal offer:
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
    /// Forgets everything, for another battle of the same set-up.
    fn restart(&mut self, pristine: &World, seed: u64);

    /// One of the legal offers of the battle's open question.
    fn choose(&mut self, battle: &mut Battle) -> Choice;

    /// Whether [`choose`](Self::choose) answers the open question at once. Where it would
    /// wait for somebody outside, it begins to ask.
    fn is_ready(&mut self, _: &mut Battle) -> bool {
        true
    }

    /// The battle that it played in has ended.
    fn ended(&mut self, _: &Battle) {}

    /// Itself, if it takes time to choose.
    fn looks_ahead(&mut self) -> Option<&mut Strategist> {
        None
    }
}
