//! Groups events with one cause, which are shown together: the saves and damage of one spell, the
//! morale of a side, the rolls for initiative.

use crate::battle::{CheckRoll, Event, EventKind, Id, Rule};
use std::borrow::Cow;

/// What several events have in common if they are shown together.
#[derive(Clone, PartialEq, Debug)]
struct Cause {
    rule: Rule,
    what: Cow<'static, str>,
    by: Option<Id>,
}

impl Cause {
    /// The cause of an event; `None` for events that never come in groups.
    fn of(event: &Event) -> Option<Self> {
        let (what, by) = match &event.what {
            EventKind::Checked(check) if check.is_initiative => (check.what.clone(), None),
            EventKind::Checked(CheckRoll {
                who: Some(who),
                at,
                what,
                passed: Some(_),
                ..
            }) => (what.clone(), at.and(Some(*who))),
            EventKind::Damaged { by, .. } => ("damage".into(), *by),
            EventKind::Healed { .. } => ("healing".into(), None),
            EventKind::ConditionBegan { lasting, .. } => {
                (lasting.condition.name.clone().into(), Some(lasting.by))
            }
            _ => return None,
        };
        let rule = event.rule;
        Some(Self { rule, what, by })
    }
}

/// Whether an event starts something new, so that a group must end before it.
pub fn begins(event: &Event) -> bool {
    matches!(
        event.what,
        EventKind::RoundBegan { .. }
            | EventKind::RoundEnded
            | EventKind::TurnBegan { .. }
            | EventKind::Acted { .. }
            | EventKind::Moved { .. }
            | EventKind::AttackRolled { .. }
            | EventKind::Rerolled { .. }
            | EventKind::AttackSettled { .. }
            | EventKind::Entered { .. }
            | EventKind::Fled { .. }
            | EventKind::Caught { .. }
            | EventKind::Shaken { .. }
            | EventKind::Over { .. }
    )
}

/// Seconds between the results of two units in a [`Ripple`], and at most for all of them.
const GAP: f32 = 0.075;
const LONGEST: f32 = 0.6;

/// The order in which the targets of an area spell show their results: outward from its middle.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Ripple(Vec<Id>);

impl Ripple {
    /// Orders the targets by their distance from the middle.
    pub fn new(targets: impl IntoIterator<Item = (Id, f32)>) -> Self {
        let mut targets = Vec::from_iter(targets);
        targets.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
        Self(targets.into_iter().map(|target| target.0).collect())
    }

    /// Seconds by which a unit's result comes later than the first; 0 for other units.
    pub fn delay(&self, who: Id) -> f32 {
        let before = self.0.iter().position(|&id| id == who).unwrap_or(0);
        before as f32 * GAP.min(LONGEST / self.0.len().max(1) as f32)
    }
}

/// A group of events being shown together.
#[derive(Clone, PartialEq, Debug)]
pub struct Together {
    causes: Vec<Cause>,
    /// Seconds of the longest event so far; `None` before the first.
    longest: Option<f32>,
}

impl Together {
    /// Starts a group if a later event in `next` has the same cause; otherwise `None`.
    pub fn begin<'a>(event: &Event, next: impl Iterator<Item = &'a Event>) -> Option<Self> {
        let cause = Cause::of(event)?;
        let mut rest = next.take_while(|e| !begins(e));
        let another = rest.any(|e| Cause::of(e).as_ref() == Some(&cause));
        another.then(|| Self {
            causes: vec![cause],
            longest: None,
        })
    }

    /// Whether the next event belongs to the group: results do, rolls for another cause do not.
    pub fn goes_on<'a>(&self, next: impl Iterator<Item = &'a Event>) -> bool {
        let mut next = next.take_while(|e| !begins(e)).peekable();
        let Some(first) = next.peek() else {
            return false;
        };
        let is_known = |e: &&Event| Cause::of(e).is_some_and(|c| self.causes.contains(&c));
        let is_roll = matches!(first.what, EventKind::Checked(_));
        !is_roll || next.any(|e| is_known(&e))
    }

    /// Adds an event that takes `seconds` to show.
    pub fn add(&mut self, event: &Event, seconds: f32) {
        self.causes.extend(Cause::of(event));
        self.longest = Some(self.seconds().max(seconds));
    }

    /// Whether an event of the group has been shown.
    pub fn is_begun(&self) -> bool {
        self.longest.is_some()
    }

    /// Seconds for the whole group.
    pub fn seconds(&self) -> f32 {
        self.longest.unwrap_or(0.0)
    }
}
