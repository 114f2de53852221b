//! Bots: players from outside of the program. They see their side's knowledge as JSON.
//! `docs/bots.md` describes it.
//!
//! - this file: an outsider as a player
//! - `eyes`: a side's knowledge during a battle
//! - `view`: that, and what may be answered, as JSON; `forecast`: a forecast as JSON
//! - `desk`: orders and answers as a bot gives them

mod desk;
mod eyes;
mod forecast;
mod view;

pub use desk::{Answer, Desk, Rejected};
pub use eyes::Eyes;
pub use forecast::forecast_json;
pub use view::{FORMAT, begin, legal, offer_json, orders, over, question, stands};

use super::Controller;
use crate::battle::{Ruleset, Setup, Side};
use std::fmt::Debug;

/// A player from outside of the program, such as a process. It is never freed, so that a
/// [`Player`](super::Player) stays a plain value.
pub trait Outsider: Debug + Send + Sync {
    /// As the command line names it: `cmd:python3 my_bot.py`.
    fn name(&self) -> String;

    /// A controller for a side. `seed` is for its own choices by chance.
    fn seat(
        &'static self,
        setup: &Setup,
        rules: &'static Ruleset,
        side: Side,
        seed: u64,
    ) -> Box<dyn Controller>;
}

/// An outsider as a player.
#[derive(Clone, Copy, Debug)]
pub struct External(pub &'static dyn Outsider);

impl PartialEq for External {
    fn eq(&self, other: &Self) -> bool {
        self.0.name() == other.0.name()
    }
}

impl Eq for External {}
