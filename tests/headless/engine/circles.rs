//! Endless loops of steps: a battle breaks them off.

use crate::kit::lines;
use bevy_ecs::system::In;
use fivefoot_core::{
    battle::{Battle, DiceBox, End, EventKind, Id, Ruleset, Setup, Step, StepOutcome, level_setup},
    rulesets::demo,
    system_step,
};
use fivefoot_kit::field;

/// The demonstration ruleset with another first step.
fn beginning(first: fn() -> Box<dyn Step>) -> &'static Ruleset {
    Box::leak(Box::new(Ruleset {
        first,
        ..demo::RULESET
    }))
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Circle {
    /// One step that stops a unit and pushes itself again; the final step waits behind it.
    Stuck,
    /// Two steps that push each other, with more and more steps waiting.
    Growing,
    /// A step that changes something each time and never ends.
    Busy,
    /// 5,000 different steps that change nothing.
    Long,
    /// 5,000 equal steps, one fewer each time.
    Fewer,
}

#[derive(Clone, Debug)]
struct Begin(Circle);
system_step!(Begin, begin);

fn begin(In(Begin(circle)): In<Begin>) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    let steps = if circle == Circle::Fewer { 5_000 } else { 1 };
    (0..steps).for_each(|_| outcome.push(Run(circle, 0)));
    outcome.then(Finish)
}

#[derive(Clone, Debug)]
struct Run(Circle, u32);
system_step!(Run, run);

fn run(In(Run(circle, n)): In<Run>) -> StepOutcome {
    let (who, why) = (Id(0), "a wall is in the way".into());
    let outcome = StepOutcome::default();
    match circle {
        Circle::Stuck => outcome
            .and("GR-30", EventKind::Stopped { who, why })
            .then(Run(circle, n)),
        Circle::Growing if n == 0 => outcome.then(Run(circle, 1)).then(Run(circle, 7)),
        Circle::Growing if n == 1 => outcome.then(Run(circle, 0)),
        Circle::Busy => outcome
            .and("GR-00", EventKind::Prone { who, prone: true })
            .then(Run(circle, n)),
        Circle::Long if n < 5_000 => outcome.then(Run(circle, n + 1)),
        Circle::Growing | Circle::Long | Circle::Fewer => outcome,
    }
}

#[derive(Clone, Debug)]
struct Finish;
system_step!(Finish, finish);

fn finish(In(_): In<Finish>) -> StepOutcome {
    let (won, why) = (None, "all is said".into());
    StepOutcome::default().and(
        "GR-00",
        EventKind::Over {
            won,
            why,
            end: End::NobodyLeft,
        },
    )
}

fn setup() -> Setup {
    let units = [
        ("alice", "party", (0, 0), 5),
        ("goblin", "goblins", (2, 0), 5),
    ];
    level_setup(&field(&["..."], &units))
}

/// The panic message of an audited battle, and the log of a normal one.
fn refused(first: fn() -> Box<dyn Step>) -> (String, Vec<String>) {
    let rules = beginning(first);
    let audited = || drop(Battle::audited(setup(), rules, DiceBox::seeded(1)));
    let panic = std::panic::catch_unwind(audited).expect_err("it goes round in circles");
    let battle = Battle::new(setup(), rules, DiceBox::seeded(1));
    let said = panic.downcast_ref::<String>().expect("it says so");
    (said.clone(), lines(&battle))
}

/// An audited battle panics on an endless loop; a normal battle drops the step and continues.
#[test]
fn endless_loops_panic_in_audits_and_are_cut_in_play() {
    let all: [(fn() -> Box<dyn Step>, &str, &str); 4] = [
        (
            || Box::new(Begin(Circle::Stuck)),
            "Stuck, 0)",
            "all is said",
        ),
        (
            || Box::new(Begin(Circle::Growing)),
            "Growing, ",
            "all is said",
        ),
        (|| Box::new(Begin(Circle::Busy)), "Busy, 0)", "all is said"),
        // This is the only step.
        (
            || Box::new(Run(Circle::Stuck, 0)),
            "Stuck, 0)",
            "the rules found no way on",
        ),
    ];
    for (first, step, end) in all {
        let (said, log) = refused(first);
        assert!(said.contains(&format!("the step Run({step}")), "{said}");
        assert!(said.contains("comes round again"), "{said}");
        assert_eq!(
            said.contains("a wall is in the way"),
            step.contains("Stuck")
        );
        let broken = log.iter().filter(|l| l.contains("broken off: Run("));
        assert_eq!(broken.count(), 1, "{step}: {:?}", log.last());
        let last = log.last().expect("it ends");
        assert!(last.ends_with(end), "{last:?}");
    }
}

/// Long sequences that only look like endless loops run to their end.
#[test]
fn long_sequences_of_steps_are_no_loops() {
    let long: [fn() -> Box<dyn Step>; 2] = [
        || Box::new(Begin(Circle::Long)),
        || Box::new(Begin(Circle::Fewer)),
    ];
    for first in long {
        let battle = Battle::new(setup(), beginning(first), DiceBox::seeded(1));
        assert_eq!(battle.over(), Some(None));
    }
}
