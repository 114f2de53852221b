//! What one cause brings on several is told together: the saves of all whom a
//! spell catches and what they suffer, the morale of a whole side, the dice for
//! initiative.

use crate::battle::{CheckRoll, Event, EventKind, Id, Rule};
use std::borrow::Cow;

/// What has come over somebody, and over others likewise.
#[derive(Clone, PartialEq, Debug)]
struct Cause {
    rule: Rule,
    what: Cow<'static, str>,
    by: Option<Id>,
}

impl Cause {
    /// None for what comes over nobody, or over one alone by its nature.
    fn of(event: &Event) -> Option<Self> {
        let (what, by) = match &event.what {
            EventKind::Checked(check) if check.is_initiative() => (check.what.clone(), None),
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

/// Something else begins: what came before is told first.
fn begins(event: &Event) -> bool {
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

/// Events that are being told together.
#[derive(Clone, PartialEq, Debug)]
pub struct Together {
    causes: Vec<Cause>,
    /// Seconds of the longest so far.
    longest: f32,
}

impl Together {
    /// Whether an event is the first of several of one cause; those after it are
    /// `next`.
    pub fn begin<'a>(event: &Event, next: impl Iterator<Item = &'a Event>) -> Option<Self> {
        let cause = Cause::of(event)?;
        let mut rest = next.take_while(|e| !begins(e));
        let another = rest.any(|e| Cause::of(e).as_ref() == Some(&cause));
        another.then(|| Self {
            causes: vec![cause],
            longest: 0.0,
        })
    }

    /// Whether what comes next is still told with them: what comes of it, too, but
    /// nothing that is rolled for another reason.
    pub fn goes_on<'a>(&self, next: impl Iterator<Item = &'a Event>) -> bool {
        let mut next = next.take_while(|e| !begins(e)).peekable();
        let Some(first) = next.peek() else {
            return false;
        };
        let is_known = |e: &&Event| Cause::of(e).is_some_and(|c| self.causes.contains(&c));
        let is_roll = matches!(first.what, EventKind::Checked(_));
        !is_roll || next.any(|e| is_known(&e))
    }

    /// It is told, which takes some seconds.
    pub fn add(&mut self, event: &Event, seconds: f32) {
        self.causes.extend(Cause::of(event));
        self.longest = self.longest.max(seconds);
    }

    /// Seconds that all of them take.
    pub fn seconds(&self) -> f32 {
        self.longest
    }
}
