//! Identifiers within a battle: units, sides, rules.

use serde::{Serialize, Serializer};
use std::fmt;

/// The id of a rule, such as `"SK-31"`, in events, offers, docs and scenarios.
pub type Rule = &'static str;

/// The id of a unit: its index in the [`Roster`](super::Roster). Events, steps, choices and files
/// store ids, never an `Entity`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Id(pub u16);

impl Id {
    #[inline]
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// Reads an id as it is written in the data of events: `#3`.
    pub(super) fn read(text: &str) -> Option<Self> {
        text.strip_prefix('#')?.parse().ok().map(Self)
    }

    /// The unit's bit in a set of up to 64 units.
    #[inline]
    pub fn bit(self) -> u64 {
        1 << (self.0 & 63)
    }
}

/// Written as `#3`; [`Names::json`](super::Names::json) replaces it by the name.
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

/// A side of the battle: an index into the level's list of sides.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Side(pub u8);

/// Written as `@1`; [`Names::json`](super::Names::json) replaces it by the name.
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
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "side {}", self.0 + 1)
    }
}
