//! The round from left to right: its parts, the current part, and who acts in each.

use super::{Id, Side, Unknown, numeral};
use std::{borrow::Cow, cmp::Ordering};

/// Text that is usually a literal and sometimes formatted.
pub type CowStr = Cow<'static, str>;

/// The battle's position in its round.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Clock {
    pub round: u16,
    /// The side whose turn it is. `None` while all sides act: initiative, declarations.
    pub turn: Option<Side>,
    /// The current part, where the side to act is not enough to name it.
    pub now: Moment,
    /// The parts of the round from left to right. [`Clock::sides`] where only sides take turns.
    pub track: Vec<TrackPart>,
}

/// The current part of the round as text, and the step within it.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Moment {
    /// The number of a numbered part: a count, a segment. Counts can be negative.
    pub count: Option<i32>,
    /// The label on the track: "9", "HIGH".
    pub label: String,
    /// The full name: "Count 9", "HIGH: missiles", "Declarations".
    pub name: String,
    /// The step within the part, if it has several: "missiles".
    pub step: String,
}

impl Moment {
    /// A part without a place on the track: "Declarations".
    pub fn named(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            ..Self::default()
        }
    }

    /// A count at which units act.
    pub fn count(count: i32) -> Self {
        Self {
            count: Some(count),
            label: numeral(count),
            ..Self::named(format!("Count {}", numeral(count)))
        }
    }

    /// The name within a sentence: "count 9"; names without a number keep their capitals.
    pub fn in_line(&self) -> String {
        match self.count {
            Some(_) => self.name.to_lowercase(),
            None => self.name.clone(),
        }
    }
}

/// A part of the round: a side's turn, a segment, a phase, a count.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TrackPart {
    /// "4", "HIGH", "-2". A part with a label is drawn as a box; without one, as a row of chips
    /// with an arrow to the next part.
    pub label: CowStr,
    /// The tooltip: "Segment 4: spells take effect first".
    pub tip: CowStr,
    pub when: TrackTime,
    /// The number of a count or a segment.
    pub count: Option<i32>,
    /// The units that act then.
    pub marks: Vec<TrackMark>,
    /// The steps within this part, in order. Usually empty.
    pub inner: Vec<(CowStr, TrackTime)>,
}

/// Whether a part of the round is past, current or still to come.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum TrackTime {
    Past,
    Now,
    #[default]
    Later,
}

/// A unit on the track.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TrackMark {
    pub who: Id,
    /// What the unit does then, for the tooltip: "fire bolt takes effect", "strikes, 80%".
    pub what: CowStr,
    /// Why the unit may act then, if it may act at two times.
    pub why: CowStr,
    /// How much of the round that takes, in percent: a bar under the chip.
    pub share: Option<u8>,
    /// The unit has already acted.
    pub done: bool,
}

impl TrackMark {
    pub fn new(who: Id) -> Self {
        Self {
            who,
            what: CowStr::default(),
            why: CowStr::default(),
            share: None,
            done: false,
        }
    }
}

impl From<Ordering> for TrackTime {
    /// Compares a part of the round with the current one.
    fn from(to_now: Ordering) -> Self {
        match to_now {
            Ordering::Less => Self::Past,
            Ordering::Equal => Self::Now,
            Ordering::Greater => Self::Later,
        }
    }
}

impl TrackPart {
    /// A count at which units act.
    pub fn count(count: i32, when: impl Into<TrackTime>, marks: Vec<TrackMark>) -> Self {
        Self {
            marks,
            count: Some(count),
            tip: format!("Count {}", numeral(count)).into(),
            ..Self::new(numeral(count), when.into())
        }
    }

    /// A part with a label.
    pub fn new(label: impl Into<CowStr>, when: TrackTime) -> Self {
        Self {
            label: label.into(),
            when,
            ..Self::default()
        }
    }
}

impl Clock {
    /// Removes units that the player does not know of, and parts in which only they act.
    pub fn without(mut self, unknown: Unknown) -> Self {
        self.track.retain_mut(|stop| {
            let before = stop.marks.len();
            stop.marks.retain(|mark| !unknown.has(mark.who));
            stop.marks.len() == before || !stop.marks.is_empty() || !stop.label.is_empty()
        });
        self
    }

    /// The track of rounds in which sides take turns: a part for each side, the current one
    /// first. `up` lists the units of a side that are up.
    pub fn sides(
        order: &[Side],
        turn: Option<Side>,
        up: impl Fn(Side) -> Vec<Id>,
    ) -> Vec<TrackPart> {
        let now = order.iter().position(|&s| Some(s) == turn);
        let stop = |n: usize| {
            let n = (n + now.unwrap_or(0)) % order.len();
            TrackPart {
                when: if Some(n) == now {
                    TrackTime::Now
                } else {
                    TrackTime::Later
                },
                marks: up(order[n]).into_iter().map(TrackMark::new).collect(),
                ..TrackPart::default()
            }
        };
        (0..order.len()).map(stop).collect()
    }
}
