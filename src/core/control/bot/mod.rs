//! Bots: external players. They get their side's knowledge as JSON. `docs/bots.md` describes
//! the format.
//!
//! - this file: an external player
//! - `side_knowledge`: a side's knowledge during a battle
//! - `view`: that knowledge and the offers as JSON; `forecast`: a forecast as JSON
//! - `bot_side`: a bot's side, with its orders and answers

mod bot_side;
mod forecast;
mod side_knowledge;
mod view;

pub use bot_side::{BotAnswer, BotSide, Rejected, knows_actor};
pub use forecast::{forecast_json, number};
pub use side_knowledge::SideKnowledge;
pub use view::{FORMAT, begin, legal, object, observation, offer_json, orders, over, question};

use super::Controller;
use crate::battle::{Ruleset, Setup, Side};
use std::fmt::Debug;

/// An external player, such as a process. It is never freed, so that a
/// [`Player`](super::Player) stays a plain value.
pub trait ExternalPlayer: Debug + Send + Sync {
    /// The name on the command line: `cmd:python3 my_bot.py`.
    fn name(&self) -> String;

    /// Takes the reason why it failed in the battle with the lowest seed, so that it is reported
    /// once.
    fn take_failure(&self) -> Option<String>;

    /// A controller for a side. `seed` is for its own random choices.
    fn controller(
        &'static self,
        setup: &Setup,
        rules: &'static Ruleset,
        side: Side,
        seed: u64,
    ) -> Box<dyn Controller>;
}

/// An external player as a plain value, compared by name.
#[derive(Clone, Copy, Debug)]
pub struct External(pub &'static dyn ExternalPlayer);

impl PartialEq for External {
    fn eq(&self, other: &Self) -> bool {
        self.0.name() == other.0.name()
    }
}

impl Eq for External {}
