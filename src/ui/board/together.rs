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
            | EventKind::AttackSettled { .. }
            | EventKind::Entered { .. }
            | EventKind::Fled { .. }
            | EventKind::Caught { .. }
            | EventKind::Shaken { .. }
            | EventKind::Over { .. }
    )
}

/// A group of events being shown together.
#[derive(Clone, PartialEq, Debug)]
pub struct Together {
    causes: Vec<Cause>,
    /// Seconds of the longest event so far.
    longest: f32,
}

impl Together {
    /// Starts a group if a later event in `next` has the same cause; otherwise `None`.
    pub fn begin<'a>(event: &Event, next: impl Iterator<Item = &'a Event>) -> Option<Self> {
        let cause = Cause::of(event)?;
        let mut rest = next.take_while(|e| !begins(e));
        let another = rest.any(|e| Cause::of(e).as_ref() == Some(&cause));
        another.then(|| Self {
            causes: vec![cause],
            longest: 0.0,
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
        self.longest = self.longest.max(seconds);
    }

    /// Seconds for the whole group.
    pub fn seconds(&self) -> f32 {
        self.longest
    }
}
