//! The names of things inside a battle: combatants, sides, rules.

use bevy_ecs::component::Component;
use serde::{Serialize, Serializer};
use std::fmt;

/// A rule of the ledger, such as `"SK-31"`: its name in events, offers, docs
/// and scenarios.
pub type Rule = &'static str;

/// A combatant. Its number is its place in the [`Roster`](super::Roster).
/// Events, steps, choices and files hold ids, never an `Entity`.
#[derive(Component, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Id(pub u16);

impl Id {
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// An id as the facts of events write it: `#3`.
    pub(super) fn read(text: &str) -> Option<Self> {
        text.strip_prefix('#')?.parse().ok().map(Self)
    }

    /// This combatant's bit in a set of up to 64 combatants.
    #[inline]
    pub fn bit(self) -> u64 {
        1 << (self.0 & 63)
    }
}

/// Written as `#3`; [`Names::json`](super::Names::json) puts the name in its place.
impl Serialize for Id {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        match s.is_human_readable() {
            true => s.collect_str(&format_args!("#{}", self.0)),
            false => s.serialize_newtype_struct(ID, &self.0),
        }
    }
}

/// The types of an [`Id`] and a [`Side`] in data that is not for people.
pub(super) const ID: &str = "Id";
pub(super) const SIDE: &str = "Side";

/// A side of the battle, by its place in the level's list.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Side(pub u8);

/// Written as `@1`, for a name to be put in its place likewise.
impl Serialize for Side {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        match s.is_human_readable() {
            true => s.collect_str(&format_args!("@{}", self.0)),
            false => s.serialize_newtype_struct(SIDE, &self.0),
        }
    }
}

impl Side {
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// A side as the facts of a ruleset's events write it: `@1`.
    pub(super) fn read(text: &str) -> Option<Self> {
        text.strip_prefix('@')?.parse().ok().map(Self)
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "side {}", self.0 + 1)
    }
}
