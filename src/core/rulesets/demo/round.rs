//! The round (DE-01): all units choose in secret, then all move, then all strike.

use super::{
    Demo,
    acts::{self, GUARD},
    state::{DemoEvent, DemoQuery},
};
use crate::{
    battle::{
        Answer, Choice, DiceBox, EventKind, Fallen, Offers, Poll, StepOutcome, all_arrivals,
        end_round,
    },
    rulesets::common::{
        attacks::AttackBatch,
        conditions::expire,
        end_checks::{EndCheckHooks, check_end},
        leave::next_arrival,
        moves::MoveStep,
    },
    system_step,
};
use bevy_ecs::system::{In, ResMut};

system_step! {
    /// Starts the next round: prone units stand up and reinforcements enter.
    pub struct RoundStart => start
}

fn start(In(_): In<RoundStart>, de: DemoQuery) -> StepOutcome {
    let round = de.round();
    let mut outcome = StepOutcome::default().and("DE-01", EventKind::RoundBegan { round });
    for who in de.all_units().filter(|&who| de.view.body(who).prone) {
        outcome.emit("DE-01", EventKind::Prone { who, prone: false });
    }
    outcome.then(Arrive).then(Choose(None))
}

system_step! {
    /// Units that are due enter, one at a time.
    struct Arrive => arrive
}

fn arrive(In(_): In<Arrive>, de: DemoQuery) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    match next_arrival::<Demo>(&de, de.round(), |_| true, &mut outcome) {
        None => outcome,
        Some((who, at)) => (outcome.and("DE-01", EventKind::Entered { who, at })).then(Arrive),
    }
}

/// Every unit chooses; no choice is revealed before all are made.
#[derive(Clone, Debug)]
struct Choose(Option<Poll>);
system_step!(Choose, choose);

fn choose(In(Choose(poll)): In<Choose>, de: DemoQuery, mut answer: ResMut<Answer>) -> StepOutcome {
    let mut poll = poll.unwrap_or_else(|| Poll::of(de.all_units()));
    let question = poll.next(&mut answer, |who| {
        let offers = Offers::ByActor(acts::list);
        Some(de.view.asks(who, "DE-01", "Choose in secret", offers))
    });
    match question {
        Some(question) => StepOutcome::ask(question, Choose(Some(poll))),
        None => reveal(&de, &poll.open(&mut answer)),
    }
}

/// Reveals all choices and carries them out: first the moves, then the attacks.
fn reveal(de: &DemoQuery, said: &[Choice]) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    for choice in said {
        outcome.emit(choice.verb.rule, EventKind::acted(choice));
    }
    let guard = said.iter().filter(|c| c.verb == &GUARD);
    for who in guard.filter_map(|c| c.who) {
        outcome.emit("DE-04", DemoEvent::Guards { who, now: true });
    }
    let movers = said.iter().filter_map(|c| acts::mover(de, c));
    let specs = said.iter().filter_map(|c| acts::attack(de, c));
    outcome
        .then(MoveStep::<Demo>::together(de, movers.collect()))
        .then(AttackBatch::<Demo>::of(specs.collect()))
        .then(EndChecks)
        .then(RoundEnd)
}

system_step! { struct RoundEnd => end }

fn end(In(_): In<RoundEnd>, de: DemoQuery, mut dice: ResMut<DiceBox>) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    for who in de.view.ids().filter(|&who| de.guards.of(who).0) {
        outcome.emit("DE-04", DemoEvent::Guards { who, now: false });
    }
    expire::<Demo>(&de, de.round().into(), |_, _| true, &mut dice, &mut outcome);
    all_arrivals(&de.view, &mut outcome);
    end_round(&de.view, "DE-01", &mut outcome);
    outcome.then(EndChecks).then(RoundStart)
}

/// Checks whether the battle is over.
#[derive(Clone, Debug)]
pub struct EndChecks;
system_step!(EndChecks, check_end::<Demo, EndChecks>);

impl EndCheckHooks for Demo {
    const FALLEN: Fallen = Fallen::StayDown;
}
