//! Groups events with one cause: the saves and damage of one spell, the morale of a side, the rolls
//! for initiative. What a group does to one unit is shown together, one unit after another; initiative
//! and morale are shown for all units at once.

use crate::battle::{CheckRoll, Event, EventKind, Id, Rule};
use std::borrow::Cow;

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

/// Least seconds for the results of one unit in a group, so that they can be read, and for those of
/// all units at once.
const MIN: f32 = 0.6;
const MIN_OF_ALL: f32 = 1.2;

/// A group of events being shown.
#[derive(Clone, PartialEq, Debug)]
pub struct Together {
    causes: Vec<Cause>,
    /// Whether the results of all units are shown at once: a morale phase.
    is_at_once: bool,
    is_begun: bool,
    /// The unit whose results are being shown; `None` before its first.
    who: Option<Id>,
    /// Seconds of the longest event of this unit so far.
    longest: f32,
}

impl Together {
    /// Starts a group if a later event in `next` has the same cause; otherwise `None`.
    pub fn begin<'a>(event: &Event, next: impl Iterator<Item = &'a Event>) -> Option<Self> {
        let cause = Cause::of(event)?;
        let (mut has_another, mut end) = (false, None);
        for event in next {
            if begins(event) {
                end = Some(&event.what);
                break;
            }
            has_another |= Cause::of(event).as_ref() == Some(&cause);
        }
        let is_check = matches!(event.what, EventKind::Checked(_));
        let is_morale = is_check && matches!(end, Some(EventKind::MoraleEnded { .. }));
        has_another.then(|| Self {
            causes: vec![cause],
            is_at_once: is_morale,
            is_begun: false,
            who: None,
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

    /// Whether the next event is the result of another unit, or the fall of this one: it follows
    /// what felled the unit.
    pub fn turns_to(&self, next: Option<&Event>) -> bool {
        let falls = next.is_some_and(|event| matches!(event.what, EventKind::Fell { .. }));
        let other = next.and_then(target);
        !self.is_at_once && self.who.is_some() && other.is_some() && (falls || other != self.who)
    }

    /// Adds an event that takes `seconds` to show.
    pub fn add(&mut self, event: &Event, seconds: f32) {
        self.causes.extend(Cause::of(event));
        self.is_begun = true;
        self.who = target(event).or(self.who);
        self.longest = self.longest.max(seconds);
    }

    /// Whether an event of the group has been shown.
    pub fn is_begun(&self) -> bool {
        self.is_begun
    }

    /// Whether the results of all units are shown at once.
    pub fn is_at_once(&self) -> bool {
        self.is_at_once
    }

    /// Ends the results of a unit, or of all; returns the seconds for them.
    pub fn pass(&mut self) -> f32 {
        let longest = std::mem::take(&mut self.longest);
        match self.who.take() {
            Some(_) if self.is_at_once => longest.max(MIN_OF_ALL),
            Some(_) => longest.max(MIN),
            None => longest,
        }
    }
}
