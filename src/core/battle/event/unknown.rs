//! Events as seen by a viewer that does not know of all units.

use super::{Event, EventTable};
use crate::battle::{Id, Side};
use std::borrow::Cow;

/// The units and sides that a viewer does not know of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Unknown {
    /// A bit for each unknown unit.
    pub units: u64,
    /// A bit for each side without a known unit.
    pub sides: u64,
}

impl Unknown {
    pub fn has(self, id: Id) -> bool {
        self.units & id.bit() != 0
    }

    pub fn has_side(self, side: Side) -> bool {
        self.sides & (1 << side.0) != 0
    }

    pub fn is_empty(self) -> bool {
        self == Self::default()
    }

    /// The units and sides that are unknown in both.
    pub fn and(self, other: Self) -> Self {
        Self {
            units: self.units & other.units,
            sides: self.sides & other.sides,
        }
    }

    /// The known units of a list. `None` if there are none.
    pub fn known(self, all: &[Id]) -> Option<Vec<Id>> {
        let known: Vec<Id> = all.iter().copied().filter(|id| !self.has(*id)).collect();
        (!known.is_empty()).then_some(known)
    }
}

impl Event {
    /// The event for a viewer that does not know of some units; lists leave them out. `None` if
    /// nothing is left to show.
    pub fn without(&self, unknown: Unknown) -> Option<Cow<'_, Self>> {
        let concerns = self.concerns();
        if concerns.side.is_some_and(|side| unknown.has_side(side)) {
            return None;
        }
        let is_about_some = concerns.units & unknown.units != 0;
        let what = match self.what.without(unknown) {
            Some(known) => known,
            None if is_about_some => return None,
            None => return Some(Cow::Borrowed(self)),
        };
        Some(Cow::Owned(Self {
            what,
            ..self.clone()
        }))
    }
}
