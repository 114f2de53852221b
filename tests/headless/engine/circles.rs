//! Steps that go round in a circle: a battle refuses to go on with them.

use bevy_ecs::system::In;
use fivefoot_core::{
    battle::{Battle, DiceBox, End, EventKind, Id, Ruleset, Setup, Step, StepOutcome, level_setup},
    rulesets::demo,
    system_step,
};
use fivefoot_kit::field;

/// The demonstration with another beginning.
fn beginning(first: fn() -> Box<dyn Step>) -> &'static Ruleset {
    Box::leak(Box::new(Ruleset {
        first,
        ..demo::RULESET
    }))
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Circle {
    /// Runs off, is stopped, and runs off again; then somebody else wins.
    Stuck,
    /// The same, two steps in turn, with more and more of them waiting.
    Growing,
    /// Each time something changes, and still it does not end.
    Busy,
    /// Many steps that change nothing, and none of them twice.
    Long,
    /// The same step very often, but there are fewer of them each time.
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
            end: End::Decided,
        },
    )
}

fn setup() -> Setup {
    let people = [
        ("alice", "party", (0, 0), 5),
        ("goblin", "goblins", (2, 0), 5),
    ];
    level_setup(&field(&["..."], &people))
}

/// What an audited battle says of it, and the log of one in play.
fn refused(first: fn() -> Box<dyn Step>) -> (String, Vec<String>) {
    let rules = beginning(first);
    let audited = || drop(Battle::audited(setup(), rules, DiceBox::seeded(1)));
    let panic = std::panic::catch_unwind(audited).expect_err("it goes round in circles");
    let battle = Battle::new(setup(), rules, DiceBox::seeded(1));
    let lines = battle.events().iter();
    let log = lines.filter_map(|e| Some(e.describe(battle.names())?.text));
    let said = panic.downcast_ref::<String>().expect("it says so");
    (said.clone(), log.collect())
}

/// In play the step is left out, and the battle goes on.
#[test]
fn circles_are_refused_and_broken_off_in_play() {
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
        // The only step there is.
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

/// What only looks like a circle runs to its end.
#[test]
fn long_ways_are_none() {
    let long: [fn() -> Box<dyn Step>; 2] = [
        || Box::new(Begin(Circle::Long)),
        || Box::new(Begin(Circle::Fewer)),
    ];
    for first in long {
        let battle = Battle::new(setup(), beginning(first), DiceBox::seeded(1));
        assert_eq!(battle.over(), Some(None));
    }
}
