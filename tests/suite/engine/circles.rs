//! Steps that go round in a circle: a battle refuses to go on with them.

use super::kit::{Toy, field, noted, toy};
use bevy::ecs::system::In;
use fivefoot::{
    battle::{Battle, DiceBox, EventKind, Id, Ruleset, Setup, StepOutcome, level_setup},
    system_step,
};

/// Runs off, is stopped, and runs off again; then somebody else wins.
static STUCK: Ruleset = toy("Stuck", || Box::new(Begin(Circle::Stuck)));
/// The same, two steps in turn, with more and more of them waiting.
static GROWING: Ruleset = toy("Growing", || Box::new(Begin(Circle::Growing)));
/// Each time something changes, and still it does not end.
static BUSY: Ruleset = toy("Busy", || Box::new(Begin(Circle::Busy)));
/// The only step there is.
static ALONE: Ruleset = toy("Alone", || Box::new(Run(Circle::Stuck, 0)));
/// Many steps that change nothing, and none of them twice.
static LONG: Ruleset = toy("Long", || Box::new(Begin(Circle::Long)));
/// The same step very often, but there are fewer of them each time.
static FEWER: Ruleset = toy("Fewer", || Box::new(Begin(Circle::Fewer)));

#[derive(Clone, Copy, Debug, PartialEq)]
enum Circle {
    Stuck,
    Growing,
    Busy,
    Long,
    Fewer,
}

#[derive(Clone, Debug)]
struct Begin(Circle);
system_step!(Begin, begin);

fn begin(In(Begin(circle)): In<Begin>, _: Toy) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    let steps = if circle == Circle::Fewer { 5_000 } else { 1 };
    (0..steps).for_each(|_| outcome.push(Run(circle, 0)));
    outcome.then(Finish)
}

#[derive(Clone, Debug)]
struct Run(Circle, u32);
system_step!(Run, run);

fn run(In(Run(circle, n)): In<Run>, _: Toy) -> StepOutcome {
    let (who, why) = (Id(0), "a wall is in the way".into());
    let outcome = StepOutcome::default();
    match circle {
        Circle::Stuck => outcome
            .and("GR-30", EventKind::Stopped { who, why })
            .then(Run(circle, n)),
        Circle::Growing if n == 0 => outcome.then(Run(circle, 1)).then(Run(circle, 7)),
        Circle::Growing if n == 1 => outcome.then(Run(circle, 0)),
        Circle::Busy => outcome
            .and("GR-00", noted(who, "run", 1))
            .then(Run(circle, n)),
        Circle::Long if n < 5_000 => outcome.then(Run(circle, n + 1)),
        Circle::Growing | Circle::Long | Circle::Fewer => outcome,
    }
}

#[derive(Clone, Debug)]
struct Finish;
system_step!(Finish, finish);

fn finish(In(_): In<Finish>, _: Toy) -> StepOutcome {
    let (won, why) = (None, "all is said".into());
    StepOutcome::default().and("GR-00", EventKind::Over { won, why })
}

fn setup() -> Setup {
    let people = [
        ("alice", "party", (0, 0), 5),
        ("goblin", "goblins", (2, 0), 5),
    ];
    level_setup(&field(&["..."], &people))
}

fn fought(rules: &'static Ruleset) -> Battle {
    Battle::new(setup(), rules, DiceBox::seeded(1))
}

/// What an audited battle says of it.
fn refused(rules: &'static Ruleset) -> String {
    let audited = || drop(Battle::audited(setup(), rules, DiceBox::seeded(1)));
    let panic = std::panic::catch_unwind(audited).expect_err("it goes round in circles");
    panic.downcast_ref::<String>().expect("it says so").clone()
}

#[test]
fn circles_are_refused() {
    assert!(refused(&STUCK).contains("the step Run(Stuck, 0) comes round again"));
    assert!(refused(&STUCK).contains("a wall is in the way"));
    assert!(refused(&GROWING).contains("the step Run(Growing, "));
    assert!(refused(&BUSY).contains("the step Run(Busy, 0) comes round again"));
    assert!(refused(&ALONE).contains("the step Run(Stuck, 0) comes round again"));
}

/// In play that step is left out, and the battle goes on.
#[test]
fn a_circle_is_broken_off_in_play() {
    for rules in [&STUCK, &GROWING, &BUSY, &ALONE] {
        let log = super::kit::log(&fought(rules));
        let broken = log.iter().filter(|l| l.contains("broken off: Run("));
        assert_eq!(broken.count(), 1, "{}: {:?}", rules.id, log.last());
        let end = match rules.id {
            "Alone" => "the rules found no way on",
            _ => "all is said",
        };
        let last = log.last().expect("it ends");
        assert!(last.ends_with(end), "{last:?}");
    }
}

/// What only looks like a circle runs to its end.
#[test]
fn long_ways_are_none() {
    for rules in [&LONG, &FEWER] {
        assert_eq!(fought(rules).over(), Some(None), "{}", rules.id);
    }
}
