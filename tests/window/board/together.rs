//! Effects of one cause on several units are shown at once.

use fivefoot::{
    battle::{CheckRoll, Event, EventKind, Id, Roll, Rule, Seen, Side},
    ui::board::together::Together,
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

/// Number of events that are in the group of the first.
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
fn saves_against_one_spell_and_their_effects_are_one_group() {
    let mut events = vec![
        check(1, "save", true),
        damage(1, 7),
        check(2, "save", false),
        damage(2, 7),
        event("X-3", EventKind::Fell { who: Id(2) }),
    ];
    assert_eq!(told(&events), 5);
    // The morale checks that follow are another group, one for all units.
    let morale = (1..5).map(|who| check(who, "morale", who > 2));
    events.extend(morale);
    assert_eq!(told(&events), 5);
    assert_eq!(told(&events[5..]), 4);
}

#[test]
fn rolls_that_alternate_are_one_group() {
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

/// The saves, damage and falls of an area spell take one moment, not one each.
#[test]
fn the_results_of_several_units_are_shown_at_once() {
    let events = [
        check(1, "save", true),
        damage(1, 7),
        check(2, "save", false),
        damage(2, 7),
        event("X-3", EventKind::Fell { who: Id(2) }),
    ];
    let mut all = Together::begin(&events[0], events[1..].iter()).expect("a group");
    assert!(all.is_of_several());
    for (n, event) in events.iter().enumerate() {
        assert!(!all.waits_for_fall(Some(event)), "{n}");
        all.add(event, [0.7, 1.9, 0.2, 0.3, 0.6][n]);
    }
    assert_eq!(all.pass(), 1.9, "as long as the longest of them");
}

/// A unit that several effects of one cause fell has its own moment after its damage, as one that a
/// weapon fells.
#[test]
fn a_fall_follows_the_damage_of_its_unit() {
    let hurt = damage(1, 7);
    let fall = event("X-3", EventKind::Fell { who: Id(1) });
    let next = [hurt.clone(), fall.clone()];
    let mut all = Together::begin(&hurt, next.iter()).expect("a group");
    assert!(!all.is_of_several());
    all.add(&hurt, 0.3);
    assert!(!all.waits_for_fall(Some(&hurt)));
    all.add(&hurt, 0.3);
    assert!(all.waits_for_fall(Some(&fall)));
    assert!(all.pass() > 0.3, "long enough to be read");
    assert!(!all.waits_for_fall(Some(&fall)), "the fall begins");
}

/// The morale checks of a side take one moment, not one each.
#[test]
fn the_morale_checks_of_a_side_are_shown_at_once() {
    let ended = EventKind::MoraleEnded {
        side: Side(1),
        who: vec![Id(1), Id(2)],
        broke: vec![Id(1)],
    };
    let events = [
        check(1, "morale", false),
        event("X-7", EventKind::Flees { who: Id(1) }),
        check(2, "morale", true),
        event("X-7", ended),
    ];
    assert_eq!(told(&events), 3);
    let mut all = Together::begin(&events[0], events[1..].iter()).expect("a group");
    assert!(all.is_of_several() && all.is_morale());
    for event in &events[..3] {
        assert!(!all.waits_for_fall(Some(event)));
        all.add(event, 0.5);
    }
    let seconds = all.pass();
    assert!((1.0..1.5).contains(&seconds), "{seconds}");
}

#[test]
fn all_roll_initiative_at_the_same_time() {
    let roll = |who: u16| {
        let check = CheckRoll::initiative(Id(who), Roll::one(20, 9, vec![]));
        event("X-6", check.into())
    };
    let (first, second) = (roll(1), roll(2));
    let mut all = Together::begin(&first, [&second].into_iter()).expect("a group");
    all.add(&first, 0.0);
    assert!(!all.waits_for_fall(Some(&second)));
    assert_eq!(all.pass(), 0.0);
}
