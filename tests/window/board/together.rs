//! Effects of one cause on several units are shown at the same moment.

use fivefoot::{
    battle::{CheckRoll, Event, EventKind, Id, Roll, Rule, Seen, Side},
    ui::board::together::{Ripple, Together},
};

fn event(rule: Rule, what: EventKind) -> Event {
    let seen = Seen::All;
    Event { rule, seen, what }
}

fn check(who: u16, what: &'static str, passed: bool) -> Event {
    let check = CheckRoll::by(Id(who), what, Roll::one(20, 9, vec![])).passed(passed);
    event("X-1", check.into())
}

fn damage(who: u16, by: u16) -> Event {
    let roll = Roll::default();
    event("X-2", EventKind::damaged(Id(who), Some(Id(by)), 3, roll))
}

/// Number of events that are shown together with the first.
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
fn saves_against_one_spell_and_their_effects_are_one_moment() {
    let mut events = vec![
        check(1, "save", true),
        damage(1, 7),
        check(2, "save", false),
        damage(2, 7),
        event("X-3", EventKind::Fell { who: Id(2) }),
    ];
    assert_eq!(told(&events), 5);
    // The morale checks that follow are another moment, one for all units.
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
                .into(),
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
fn a_single_event_is_not_grouped_and_another_action_ends_a_group() {
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
fn a_moment_lasts_as_long_as_its_longest_event() {
    let (first, second) = (check(1, "save", true), check(2, "save", true));
    let mut all = Together::begin(&first, [&second].into_iter()).unwrap();
    for seconds in [0.2, 0.5, 0.3] {
        all.add(&first, seconds);
    }
    assert_eq!(all.seconds(), 0.5);
}

#[test]
fn the_targets_of_a_spell_show_their_results_outward() {
    let ripple = Ripple::new([(Id(4), 2.0), (Id(1), 0.0), (Id(7), 1.0), (Id(3), 1.0)]);
    let order = [Id(1), Id(3), Id(7), Id(4)].map(|id| ripple.delay(id));
    assert_eq!(order[0], 0.0);
    let mut gaps = order.windows(2).map(|two| two[1] - two[0]);
    assert!(gaps.all(|gap| (0.06..=0.09).contains(&gap)));
    assert_eq!(ripple.delay(Id(9)), 0.0, "no target");
    // Many targets take no longer than a few.
    let crowd = Ripple::new((0..30).map(|n| (Id(n), f32::from(n))));
    assert!(crowd.delay(Id(29)) <= 0.6);
}
