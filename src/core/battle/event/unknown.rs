//! Events as they are told to those who do not know of everybody.

use super::{Event, EventKind};
use crate::battle::{Id, Side};
use std::borrow::Cow;

/// The units and sides of which somebody does not know.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Unknown {
    /// A bit for each unit.
    pub units: u64,
    /// A bit for each side of which no unit is known.
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

    /// What is unknown both times.
    pub fn and(self, other: Self) -> Self {
        Self {
            units: self.units & other.units,
            sides: self.sides & other.sides,
        }
    }

    /// Those of a list who are known; none if nobody is.
    pub fn known(self, all: &[Id]) -> Option<Vec<Id>> {
        let known: Vec<Id> = all.iter().copied().filter(|id| !self.has(*id)).collect();
        (!known.is_empty()).then_some(known)
    }
}

impl Event {
    /// What the event tells those who do not know of some: lists leave them out. None
    /// if nothing is left to tell.
    pub fn without(&self, unknown: Unknown) -> Option<Cow<'_, Self>> {
        let concerns = self.concerns();
        if concerns.side.is_some_and(|side| unknown.has_side(side)) {
            return None;
        }
        let is_about_some = concerns.units & unknown.units != 0;
        let known = match &self.what {
            EventKind::Ruleset(own) => own.without(unknown),
            EventKind::Caught { spell, who } => unknown
                .known(who)
                .map(|who| EventKind::Caught { spell: *spell, who }),
            _ => None,
        };
        let what = match known {
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
