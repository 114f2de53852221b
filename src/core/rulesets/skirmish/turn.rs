//! A unit's offers on its turn, how a chosen action begins, and held turns (SK-26).

use super::{
    Skirmish, acts,
    end_checks::EndChecks,
    events::SkirmishEvent,
    query::SkirmishQuery,
    reactions::offers::is_answered,
    triggers::{Reactions, Trigger},
};
use crate::{
    battle::{Action, Answer, Choice, Decision, Id, Offer, Offers, StepOutcome},
    rulesets::common::ask,
    system_step,
};
use bevy_ecs::{
    system::{In, ResMut},
    world::World,
};

pub static DONE: Action = Action::new("done", "done", "is done for the turn", "SK-02");

/// Everything that a unit can do on its turn, with blocked offers and their reasons.
pub fn list(world: &mut World, id: Id) -> Vec<Offer> {
    ask::<Skirmish, _, _>(world, acts::offers, id)
}

/// Begins a chosen action. A hidden unit is revealed first. After the announcement and the cost,
/// units that hold an action may act before it (SK-26).
pub fn begin_actions(sk: &SkirmishQuery, choice: &Choice) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    if let Some(who) = choice.who {
        sk.reveal(who, &mut outcome);
    }
    let begun = acts::begin(sk, choice);
    outcome.events.extend(begun.events);
    // A casting opens its own reaction window.
    let is_act = choice.spell.is_none() && !begun.next.is_empty();
    if is_act && is_answered(sk, choice) {
        outcome.push(Reactions::open(Trigger::Declared(choice.clone())));
    }
    outcome.next.extend(begun.next);
    outcome
}

system_step! {
    /// The rest of a unit's turn, taken as a reaction. What it reacts to waits until it is over,
    /// and is checked again then.
    pub struct HeldTurn { pub who: Id } => held_turn
}

fn held_turn(In(step): In<HeldTurn>, sk: SkirmishQuery, mut answer: ResMut<Answer>) -> StepOutcome {
    let who = step.who;
    if let Some(choice) = answer.take() {
        if choice.verb == &DONE {
            return StepOutcome::default().and("SK-26", SkirmishEvent::Done { who });
        }
        return begin_actions(&sk, &choice)
            .then(EndChecks)
            .then(Reactions::open(Trigger::After(choice)))
            .then(step);
    }
    if !sk.can_react(who) || sk.body(who).flees {
        return StepOutcome::default();
    }
    let question = Decision {
        reaction: true,
        ..sk.view
            .asks(who, "SK-26", "The held action", Offers::ByActor(list))
    };
    StepOutcome::ask(question, step)
}
