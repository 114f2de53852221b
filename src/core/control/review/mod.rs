//! The review of a battle: what each order cost in win probability compared with the best order
//! found, what the dice gained or lost, and how accurate each side was.
//!
//! Plain data and pure functions: equal battles and seeds give equal reviews, on any number of
//! threads. There is no clock; the caller decides when to stop.
//!
//! - this file: the data, and what follows from it
//! - `reviewer`: the work, in steps that can be stopped
//! - `sentences`: the review in words

mod reviewer;
mod sentences;

pub use reviewer::{Reviewer, cost_of};
pub use sentences::{better, headline, reason, said, title};

use super::statistics::UnitStatistics;
use crate::battle::{Choice, Id, Side};

/// An order that costs at least this, beyond its error, is an inaccuracy; 0 to 1.
pub const INACCURACY: f32 = 0.03;
/// An order that costs at least this, beyond its error, is a mistake; 0 to 1.
pub const MISTAKE: f32 = 0.08;
/// The most orders shown for a decision.
const SHOWN: usize = 4;
/// How many mistakes are listed.
pub const NAMED: usize = 3;

/// A battle, decision by decision.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Review {
    /// Every decision with at least two orders to compare, in the order of the battle.
    pub decisions: Vec<ReviewedDecision>,
    /// Each side's win probability when the recording ends: 1, 0 or 0.5 if the battle is over.
    pub end: Vec<f32>,
    /// The number of events in the recording.
    pub events: usize,
    /// The last round that began.
    pub rounds: u16,
    /// The side of each unit, by unit.
    pub sides: Vec<Side>,
    /// What each unit did, and what its dice were expected to do.
    pub units: Vec<UnitStatistics>,
    /// The share of the work that is done, 0 to 1.
    pub progress: f32,
}

/// A number estimated by playouts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Estimate {
    pub value: f32,
    /// How far off the value may be, with 95% confidence.
    pub error: f32,
}

impl Estimate {
    /// Whether the value differs from 0 by more than its error.
    pub fn is_certain(self) -> bool {
        self.value.abs() > self.error
    }

    /// The value, or 0 if it is within its error.
    fn beyond_error(self) -> f32 {
        if self.is_certain() { self.value } else { 0.0 }
    }
}

/// How good an order was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Grade {
    /// No better order was found.
    Best,
    /// It cost less than [`INACCURACY`], or no more than the error.
    Good,
    Inaccuracy,
    Mistake,
}

impl Grade {
    pub const ALL: [Self; 4] = [Self::Best, Self::Good, Self::Inaccuracy, Self::Mistake];

    pub fn name(self) -> &'static str {
        match self {
            Self::Best => "best",
            Self::Good => "good",
            Self::Inaccuracy => "inaccuracy",
            Self::Mistake => "mistake",
        }
    }
}

/// One decision of a side.
#[derive(Clone, Debug, PartialEq)]
pub struct ReviewedDecision {
    /// The number of answers given before it.
    pub answer: usize,
    /// The number of events before it.
    pub event: usize,
    /// The round, from 1; 0 before the first.
    pub round: u16,
    pub side: Side,
    /// The unit that was ordered. `None` for an order of the whole side.
    pub who: Option<Id>,
    /// Whether the decision was about a reaction.
    pub is_reaction: bool,
    /// The compared orders, best first.
    pub orders: Vec<ComparedOrder>,
    /// What the given order cost the side, compared with the best one.
    pub cost: Estimate,
    /// What the given order gained for each side, compared with the quick AI's order.
    pub gain: Vec<f32>,
    /// Each side's win probability at the decision, if the quick AI plays on.
    pub before: Vec<f32>,
    /// Each side's win probability after the order, before its dice are rolled.
    pub after: Vec<f32>,
    /// How far off `before` may be, with 95% confidence.
    pub error: f32,
}

/// A possible order and its results.
#[derive(Clone, Debug, PartialEq)]
pub struct ComparedOrder {
    pub choice: Choice,
    /// What the unit does next: what it did, or what the quick AI would do. After an order that
    /// only ends the unit's turn, what the next unit of its side does.
    pub then: Vec<Choice>,
    /// The side's win probability after the order.
    pub chance: Estimate,
    /// The number of playouts that `chance` comes from.
    pub playouts: u32,
    /// Whether it is the given order.
    pub is_given: bool,
    /// Whether it is the quick AI's order.
    pub is_quick: bool,
    /// How often each unit is down at the end of a playout, 0 to 1.
    pub falls: Vec<f32>,
}

impl ReviewedDecision {
    /// The given order.
    pub fn given(&self) -> &ComparedOrder {
        let given = self.orders.iter().find(|order| order.is_given);
        given.expect("the order that was given is compared")
    }

    /// The best order found.
    pub fn best(&self) -> &ComparedOrder {
        &self.orders[0]
    }

    /// The orders to show: best first, the given order last. Orders with fewer playouts than
    /// the given one are left out.
    pub fn shown(&self) -> Vec<&ComparedOrder> {
        let (given, best) = (self.given(), self.best());
        let others = self.orders.iter();
        let others = others.filter(|one| !one.is_given && one.playouts >= given.playouts);
        let mut all: Vec<_> = others.take(SHOWN - 1).collect();
        all.sort_by(|a, b| {
            let is_best = [a, b].map(|order| std::ptr::eq(*order, best));
            let better = b.chance.value.total_cmp(&a.chance.value);
            is_best[1].cmp(&is_best[0]).then(better)
        });
        all.push(given);
        all
    }

    pub fn grade(&self) -> Grade {
        match self.loss() {
            _ if self.best().is_given => Grade::Best,
            loss if loss >= MISTAKE => Grade::Mistake,
            loss if loss >= INACCURACY => Grade::Inaccuracy,
            _ => Grade::Good,
        }
    }

    /// What the order cost, 0 to 1; 0 if that is within the error.
    pub fn loss(&self) -> f32 {
        self.cost.beyond_error().max(0.0)
    }

    /// How close the order came to the best one, 0 to 1, by lichess' formula for lost points of
    /// win probability.
    pub fn accuracy(&self) -> f32 {
        let points = self.loss() * 100.0;
        ((103.1668 * (-0.04354 * points).exp() - 3.1669) / 100.0).clamp(0.0, 1.0)
    }
}

/// A point of the win probability curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurvePoint {
    /// The number of events before this point.
    pub event: usize,
    /// The win probability, 0 to 1.
    pub chance: f32,
    pub error: f32,
    /// The index of the decision. `None` for the end.
    pub decision: Option<usize>,
    /// Whether the order of the decision is given; its dice are not rolled yet.
    pub is_ordered: bool,
}

/// What changed a side's win probability, from -1 to 1. `start` plus the other parts gives
/// `end`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Balance {
    /// Win probability at the first decision.
    pub start: f32,
    /// The side's own orders, compared with the quick AI's.
    pub orders: f32,
    /// The orders of the other sides, compared with the quick AI's.
    pub others: f32,
    /// All dice.
    pub dice: f32,
    pub end: f32,
}

impl Review {
    /// The decisions of a side.
    pub fn of(&self, side: Side) -> impl Iterator<Item = &ReviewedDecision> {
        self.decisions.iter().filter(move |one| one.side == side)
    }

    /// Indexes of the decisions that cost the side most, worst first.
    pub fn mistakes(&self, side: Side) -> Vec<usize> {
        let all = self.decisions.iter().enumerate();
        let found = all.filter(|(_, one)| one.side == side && one.grade() >= Grade::Inaccuracy);
        let mut found: Vec<(usize, f32)> = found.map(|(n, one)| (n, one.loss())).collect();
        found.sort_by(|a, b| b.1.total_cmp(&a.1));
        found.truncate(NAMED);
        found.into_iter().map(|(n, _)| n).collect()
    }

    /// The mean accuracy of a side's orders, 0 to 1. `None` if it made no decision.
    pub fn accuracy(&self, side: Side) -> Option<f32> {
        let own = self.of(side);
        let (sum, n) = own.fold((0.0, 0), |(sum, n), one| (sum + one.accuracy(), n + 1));
        (n > 0).then(|| sum / n as f32)
    }

    /// How many orders of a side have each grade, in the order of [`Grade::ALL`].
    pub fn grades(&self, side: Side) -> [u32; 4] {
        let mut all = [0; 4];
        self.of(side).for_each(|one| all[one.grade() as usize] += 1);
        all
    }

    /// A side's win probability before and after each order, and at the end.
    pub fn curve(&self, side: Side) -> Vec<CurvePoint> {
        let n = side.index();
        let mut points = vec![];
        for (nth, one) in self.decisions.iter().enumerate() {
            let after = self.decisions.get(nth + 1).map_or(self.events, |d| d.event);
            let point = |event, chance, is_ordered| CurvePoint {
                event,
                chance,
                error: one.error,
                decision: Some(nth),
                is_ordered,
            };
            points.push(point(one.event, one.before[n], false));
            // An order takes no time, so its point is drawn halfway to the next decision.
            let middle = one.event + after.saturating_sub(one.event).div_ceil(2);
            points.push(point(middle, one.after[n], true));
        }
        if let Some(&chance) = self.end.get(n) {
            points.push(CurvePoint {
                event: self.events,
                chance,
                error: 0.0,
                decision: None,
                is_ordered: false,
            });
        }
        points
    }

    /// What the dice gained or lost a side between a decision and the next.
    pub fn dice(&self, decision: usize, side: Side) -> f32 {
        let n = side.index();
        let next = match self.decisions.get(decision + 1) {
            Some(next) => next.before[n],
            None => self.end[n],
        };
        next - self.decisions[decision].after[n]
    }

    /// What changed a side's win probability. `None` if there was no decision.
    pub fn balance(&self, side: Side) -> Option<Balance> {
        let n = side.index();
        let start = self.decisions.first()?.before[n];
        let mut all = Balance {
            start,
            end: self.end[n],
            ..Balance::default()
        };
        for (nth, one) in self.decisions.iter().enumerate() {
            *match one.side == side {
                true => &mut all.orders,
                false => &mut all.others,
            } += one.gain[n];
            all.dice += self.dice(nth, side);
        }
        Some(all)
    }

    /// What a unit's orders gained for its side, compared with the quick AI's. Differences
    /// within the error count as 0.
    pub fn skill(&self, who: Id) -> f32 {
        let own = self.decisions.iter().filter(|one| one.who == Some(who));
        own.map(|one| one.gain[one.side.index()]).sum()
    }
}
