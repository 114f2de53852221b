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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battle::{Roll, Seen, Side};

    fn event(rule: Rule, what: EventKind) -> Event {
        let seen = Seen::All;
        Event { rule, seen, what }
    }

    fn check(who: u16, what: &'static str, passed: bool) -> Event {
        let check = CheckRoll::by(Id(who), what, Roll::one(20, 9, vec![])).passed(passed);
        event("X-1", check.event())
    }

    fn damage(who: u16, by: u16) -> Event {
        let roll = Roll::default();
        event("X-2", EventKind::damaged(Id(who), Some(Id(by)), 3, roll))
    }

    /// How many of the events are told in the moment of the first.
    fn told(events: &[Event]) -> usize {
        let Some(mut all) = Together::begin(&events[0], events[1..].iter()) else {
            return 1;
        };
        let mut n = 1;
        while all.goes_on(events[n..].iter()) {
            all.add(&events[n], 0.1);
            n += 1;
        }
        n
    }

    #[test]
    fn saves_of_one_spell_and_what_comes_of_them_are_one_moment() {
        let mut events = vec![
            check(1, "save", true),
            damage(1, 7),
            check(2, "save", false),
            damage(2, 7),
            event("X-3", EventKind::Fell { who: Id(2) }),
        ];
        assert_eq!(told(&events), 5);
        // The morale after it is another moment, itself one for all.
        let morale = (1..5).map(|who| check(who, "morale", who > 2));
        events.extend(morale);
        assert_eq!(told(&events), 5);
        assert_eq!(told(&events[5..]), 4);
    }

    #[test]
    fn rolls_that_alternate_are_one_moment() {
        let strike = |at: u16| {
            let roll = Roll::one(100, 50, vec![]);
            event(
                "X-4",
                CheckRoll::by(Id(7), "flame burst", roll)
                    .at(Id(at))
                    .passed(true)
                    .event(),
            )
        };
        let events = [
            check(1, "resistance", true),
            strike(1),
            damage(1, 7),
            check(2, "resistance", false),
            strike(2),
            damage(2, 7),
        ];
        assert_eq!(told(&events), 6);
    }

    #[test]
    fn one_alone_is_no_crowd_and_another_deed_ends_it() {
        assert_eq!(told(&[check(1, "save", true), damage(1, 7)]), 1);
        let turn = event("X-5", EventKind::TurnBegan { side: Side(0) });
        assert_eq!(
            told(&[check(1, "save", true), turn.clone(), check(2, "save", true)]),
            1
        );
        let all = [damage(1, 7), damage(2, 7), turn, damage(3, 7)];
        assert_eq!(told(&all), 2);
    }

    #[test]
    fn it_takes_as_long_as_its_longest() {
        let (first, second) = (check(1, "save", true), check(2, "save", true));
        let mut all = Together::begin(&first, [&second].into_iter()).unwrap();
        for seconds in [0.2, 0.5, 0.3] {
            all.add(&first, seconds);
        }
        assert_eq!(all.seconds(), 0.5);
    }
}
