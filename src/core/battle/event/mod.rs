//! Events: facts that happened. Applying events is the only way to change a world, be it the
//! battle's own, a side's knowledge or the screen's.

//!
//! - `kinds`: one table row per event kind, in the form of `table`
//! - `apply`, `check`, `cue`, `log`: what several rows use
//! - `data`: events as JSON
//! - `concerns`, `unknown`: which units an event is about, and what is left of it for a viewer that
//!   does not know of them

use super::{Id, Rule, Side};
use serde::Serialize;
use std::fmt::Debug;

mod apply;
mod check;
mod concerns;
mod cue;
mod data;
mod kinds;
mod log;
mod table;
mod unknown;

pub use apply::apply;
pub use check::CheckRoll;
pub use concerns::Concerns;
pub use cue::{Cue, CueKind};
pub(crate) use data::pair;
pub use kinds::{End, EventKind};
pub use log::log_lines;
pub(crate) use table::events;
pub use table::{EventTable, InLog, LogField};
pub use unknown::Unknown;

#[derive(Clone, Debug)]
pub struct Event {
    pub rule: Rule,
    pub seen: Seen,
    pub what: EventKind,
}

/// Who can see an event. A secret event stays secret until another event reveals it to all.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Seen {
    All,
    Only(Side),
    /// Visible to all; until now only this side knew it.
    Told(Side),
}

impl Seen {
    /// Visible to all if `is_open`, else to this side only.
    pub fn all_if(is_open: bool, side: Side) -> Self {
        if is_open { Self::All } else { Self::Only(side) }
    }

    pub fn by(self, side: Side) -> bool {
        !matches!(self, Self::Only(other) if other != side)
    }

    /// Whether the event reveals to `side` what another side knew before.
    pub fn is_news_to(self, side: Side) -> bool {
        matches!(self, Self::Told(other) if other != side)
    }
}

/// The serialised fields of an event.
pub trait AsData {
    fn data(&self) -> serde_json::Value;
    /// The units and the side in them.
    fn concerns(&self) -> Concerns;
}

impl<T: Serialize> AsData for T {
    fn data(&self) -> serde_json::Value {
        serde_json::to_value(self).unwrap_or_default()
    }

    fn concerns(&self) -> Concerns {
        Concerns::of(self)
    }
}

/// An event that only one ruleset knows: spent actions, defenses, declarations.
pub trait RulesetEvent: EventTable + AsData + Debug + Send + Sync {}

/// How much a log line matters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum LogLevel {
    /// A round or a turn begins, or the battle ends.
    Heading,
    /// What a unit does or suffers.
    Fact,
    /// Dice, modifiers, the effect of a reaction.
    Detail,
    /// Each step of a move, each spent action.
    Trace,
    /// A part of a round begins. Left out if nothing happens in it.
    Part,
}

/// One line of the log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    pub depth: LogLevel,
    pub text: String,
}

impl Line {
    pub fn new(depth: LogLevel, text: impl Into<String>) -> Option<Self> {
        Some(Self {
            depth,
            text: text.into(),
        })
    }
}

/// The units of a bit set, in id order.
pub fn ids_of(bits: u64) -> impl Iterator<Item = Id> {
    (0..64).map(Id).filter(move |id| bits & id.bit() != 0)
}
