//! Groups events with one cause: the saves and damage of one spell, the morale of a side, the rolls
//! for initiative. What a group does to its units is shown at once.

use crate::battle::{CheckRoll, Event, EventKind, Id, Rule};
use std::{borrow::Cow, collections::BTreeSet};

/// What several events have in common if they are one group.
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
            | EventKind::AttackResolved { .. }
            | EventKind::Entered { .. }
            | EventKind::Fled { .. }
            | EventKind::Caught { .. }
            | EventKind::Shaken { .. }
            | EventKind::MoraleBegan { .. }
            | EventKind::MoraleEnded { .. }
            | EventKind::Over { .. }
    )
}

/// The unit whose result an event is. `None` for initiative, which all roll at the same time.
fn target(event: &Event) -> Option<Id> {
    match &event.what {
        EventKind::Checked(check) if check.is_initiative => None,
        EventKind::Checked(check) => check.at.or(check.who),
        _ => event.cue().and_then(|cue| cue.who),
    }
}

/// Least seconds for the results of one unit, so that they can be read, and for those of several.
const MIN: f32 = 0.6;
const MIN_OF_SEVERAL: f32 = 1.2;

/// A group of events being shown.
#[derive(Clone, PartialEq, Debug)]
pub struct Together {
    causes: Vec<Cause>,
    /// Whether it has the results of several units.
    is_of_several: bool,
    is_morale: bool,
    is_begun: bool,
    /// Whether a unit's result was shown, which initiative is not.
    has_results: bool,
    /// Seconds of the longest event so far.
    longest: f32,
}

impl Together {
    /// Starts a group if a later event in `next` has the same cause; otherwise `None`. A contest is no
    /// group: both dice are shown.
    pub fn begin<'a>(first: &Event, next: impl Iterator<Item = &'a Event>) -> Option<Self> {
        let cause = Cause::of(first)?;
        let mut units = BTreeSet::from_iter(target(first));
        let (mut has_another, mut end) = (false, None);
        for event in next {
            if begins(event) {
                end = Some(&event.what);
                break;
            }
            if Cause::of(event).as_ref() == Some(&cause) {
                if !has_another
                    && let (EventKind::Checked(first), EventKind::Checked(other)) =
                        (&first.what, &event.what)
                    && other.answers(first)
                {
                    return None;
                }
                has_another = true;
                units.extend(target(event));
            }
        }
        let is_check = matches!(first.what, EventKind::Checked(_));
        let is_morale = is_check && matches!(end, Some(EventKind::MoraleEnded { .. }));
        has_another.then(|| Self {
            causes: vec![cause],
            is_of_several: is_morale || units.len() > 1,
            is_morale,
            is_begun: false,
            has_results: false,
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

    /// Whether the next event is the fall of the only unit: it follows what felled the unit.
    pub fn waits_for_fall(&self, next: Option<&Event>) -> bool {
        let falls = next.is_some_and(|event| matches!(event.what, EventKind::Fell { .. }));
        falls && self.has_results && !self.is_of_several
    }

    /// Adds an event that takes `seconds` to show.
    pub fn add(&mut self, event: &Event, seconds: f32) {
        self.causes.extend(Cause::of(event));
        self.is_begun = true;
        self.has_results |= target(event).is_some();
        self.longest = self.longest.max(seconds);
    }

    /// Whether an event of the group has been shown.
    pub fn is_begun(&self) -> bool {
        self.is_begun
    }

    /// Whether it has the results of several units, which are shown at once.
    pub fn is_of_several(&self) -> bool {
        self.is_of_several
    }

    /// Whether it is the morale phase of a side.
    pub fn is_morale(&self) -> bool {
        self.is_morale
    }

    /// Ends the results shown so far; returns the seconds for them.
    pub fn pass(&mut self) -> f32 {
        let longest = std::mem::take(&mut self.longest);
        match std::mem::take(&mut self.has_results) {
            true if self.is_of_several => longest.max(MIN_OF_SEVERAL),
            true => longest.max(MIN),
            false => longest,
        }
    }
}
