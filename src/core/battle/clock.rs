//! The round from left to right: which part of it goes on, and who acts in which.

use super::{Id, Side, Unknown, numeral};
use std::{borrow::Cow, cmp::Ordering};

/// Words that are often fixed and sometimes made.
pub type Words = Cow<'static, str>;

/// Where the battle is in its round.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Clock {
    pub round: u16,
    /// Whose turn it is; none while everybody is at it: initiative,
    /// declarations.
    pub turn: Option<Side>,
    /// The moment, where the side whose turn it is does not say enough:
    /// "Declarations", "Segment 4", "HIGH: missiles", "Count 13".
    pub moment: Words,
    /// The step within that moment, where it has several: "missiles".
    pub step: Words,
    /// The round from left to right. Where nobody but sides take turns this is
    /// [`Clock::sides`].
    pub track: Vec<Stop>,
}

/// A part of the round, as it is called.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Default)]
pub struct Moment {
    /// Its number, where parts are numbered: a count, a segment. Counts may be below zero.
    pub count: Option<i32>,
    /// Its label on the track: "9", "HIGH".
    pub label: String,
    /// "Count 9", "HIGH: missiles".
    pub name: String,
    /// The step within it, where it has several: "missiles".
    pub step: String,
}

/// A part of the round: a side's turn, a segment, a phase, a count.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Stop {
    /// "4", "HIGH", "-2". A stop without a label is drawn as a row of chips,
    /// with an arrow to the next; one with a label as a box.
    pub label: Words,
    /// What the pointer is told: "Segment 4: spells take effect first".
    pub tip: Words,
    pub when: When,
    /// Its number: a count, a segment.
    pub count: Option<i32>,
    /// Who acts then.
    pub marks: Vec<Mark>,
    /// The steps within it, in order; most have none.
    pub inner: Vec<(Words, When)>,
}

/// Whether a part of the round is over.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum When {
    Past,
    Now,
    #[default]
    Later,
}

/// Somebody on the track.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mark {
    pub who: Id,
    /// What it does then, for the tip: "fire bolt takes effect", "strikes, 80%".
    pub what: Words,
    /// How much of the round that takes, in percent: a bar under the chip.
    pub share: Option<u8>,
    /// It has done that.
    pub done: bool,
}

impl Mark {
    pub fn new(who: Id) -> Self {
        Self {
            who,
            what: Words::default(),
            share: None,
            done: false,
        }
    }
}

impl From<Ordering> for When {
    /// How a part of the round lies to the one that goes on.
    fn from(to_now: Ordering) -> Self {
        match to_now {
            Ordering::Less => Self::Past,
            Ordering::Equal => Self::Now,
            Ordering::Greater => Self::Later,
        }
    }
}

impl Stop {
    /// A count at which somebody acts.
    pub fn count(count: i32, when: impl Into<When>, marks: Vec<Mark>) -> Self {
        Self {
            marks,
            count: Some(count),
            tip: format!("Count {}", numeral(count)).into(),
            ..Self::new(numeral(count), when.into())
        }
    }

    /// One that is labelled.
    pub fn new(label: impl Into<Words>, when: When) -> Self {
        Self {
            label: label.into(),
            when,
            ..Self::default()
        }
    }
}

impl Clock {
    /// The part of the round that goes on.
    pub fn now(&self) -> Moment {
        let stop = self.track.iter().find(|stop| stop.when == When::Now);
        Moment {
            count: stop.and_then(|stop| stop.count),
            label: stop.map_or(String::new(), |stop| stop.label.to_string()),
            name: self.moment.to_string(),
            step: self.step.to_string(),
        }
    }

    /// Without those whom the player does not know, and without what was theirs alone.
    pub fn without(mut self, unknown: Unknown) -> Self {
        self.track.retain_mut(|stop| {
            let before = stop.marks.len();
            stop.marks.retain(|mark| !unknown.has(mark.who));
            stop.marks.len() == before || !stop.marks.is_empty() || !stop.label.is_empty()
        });
        self
    }

    /// The track of rounds in which sides take turns: a stop for each, the one
    /// whose turn it is first. `up` lists a side's members who are up.
    pub fn sides(order: &[Side], turn: Option<Side>, up: impl Fn(Side) -> Vec<Id>) -> Vec<Stop> {
        let now = order.iter().position(|&s| Some(s) == turn);
        let stop = |n: usize| {
            let n = (n + now.unwrap_or(0)) % order.len();
            Stop {
                when: if Some(n) == now {
                    When::Now
                } else {
                    When::Later
                },
                marks: up(order[n]).into_iter().map(Mark::new).collect(),
                ..Stop::default()
            }
        };
        (0..order.len()).map(stop).collect()
    }
}
