//! A group's turn, one kind of action after the other (PH-02, PH-04). The next units to act follow
//! from the state; there is no queue. If several sides tie, all choose in secret and then act
//! simultaneously (PH-02).

use super::{
    Phased,
    acts::{self, ACTS, Begun, batch, due, speed_now},
    end_checks::EndChecks,
    events::PhasedEvent,
    query::PhasedQuery,
    spells::Unleash,
    state::PhasePart,
};
use crate::rulesets::common::{act::group_of, ask, hiding};
use crate::{
    battle::{
        Action, Answer, Choice, Decision, Id, Lister, Offer, Offers, Poll, Rule, Step, StepOutcome,
    },
    rulesets::common::begin_actions::{AtOnce, BeginsActions},
    system_step,
};
use bevy_ecs::system::{In, ResMut};
use std::collections::BTreeMap;

pub static END_TURN: Action = Action::new("end turn", "end turn", "ends the turn", "PH-04");

system_step! {
    /// The current part of the round, until no unit has anything left to do in it.
    pub struct Turn => turn
}

fn turn(In(_): In<Turn>, ph: PhasedQuery, mut answer: ResMut<Answer>) -> StepOutcome {
    if let Some(choice) = answer.take() {
        return take(&ph, &choice);
    }
    let due = due(&ph);
    let Some(batch) = batch(&ph, &due) else {
        return StepOutcome::default();
    };
    let side = ph.body(batch[0]).side;
    if batch.iter().any(|&id| ph.body(id).side != side) {
        let poll = Poll::of(batch);
        return StepOutcome::default().then(Tie { poll });
    }
    let prompt = format!("{}, {}", ph.clock.group.name(), ph.clock.part.name());
    let question = Decision::of_side(side, "PH-04", prompt, batch, Some(&END_TURN), LIST);
    StepOutcome::ask(question, Turn)
}

/// Everything the unit can do now; blocked offers come with the reason.
const LIST: Lister = |world, who| ask::<Phased, _, _>(world, offers_now, who);

fn offers_now(ph: &PhasedQuery, id: Id) -> Vec<Offer> {
    acts::offers(ph, id, speed_now(ph))
}

fn take(ph: &PhasedQuery, choice: &Choice) -> StepOutcome {
    if choice.verb != &END_TURN {
        let outcome = acts::begin(ph, choice).into_outcome(ph);
        return outcome.then(EndChecks).then(Turn);
    }
    let mut outcome = StepOutcome::default();
    // In a tie only the units of this batch pass; the side's other units act later (PH-02).
    for who in batch(ph, &due(ph)).unwrap_or_default() {
        let passed = PhasedEvent::Passed { who };
        hiding::emit_unless_hidden::<Phased>(ph, who, "PH-04", passed, &mut outcome);
    }
    outcome.then(Turn)
}

system_step! {
    /// Prompts the tied units, one by one.
    struct Tie { poll: Poll } => tie
}

fn tie(In(mut step): In<Tie>, ph: PhasedQuery, mut answer: ResMut<Answer>) -> StepOutcome {
    let (group, part) = (ph.clock.group.name(), ph.clock.part.name());
    let ask = |id: Id| {
        let prompt = format!("{group}, {part}, all at once");
        Some(ph.view.asks(id, "PH-02", prompt, Offers::ByActor(LIST)))
    };
    if let Some(question) = step.poll.next(&mut answer, ask) {
        return StepOutcome::ask(question, step);
    }
    let mut batches: BTreeMap<_, Vec<Choice>> = BTreeMap::new();
    for choice in step.poll.open(&mut answer) {
        batches.entry(order(&ph, &choice)).or_default().push(choice);
    }
    let mut outcome = StepOutcome::default();
    for said in batches.into_values() {
        outcome.push(AtOnce::<Phased> { said, part: () });
        outcome.push(EndChecks);
    }
    outcome.then(Turn)
}

/// The order of simultaneous choices. Where a unit can take every kind of action, kind and
/// attribute decide as in other parts (PH-02, PH-04).
fn order(ph: &PhasedQuery, choice: &Choice) -> (PhasePart, i16) {
    if !ph.clock.part.is_whole_turn() {
        return (ph.clock.part, 0);
    }
    let kind = group_of(ACTS, choice).when.kind;
    let attribute = match kind {
        PhasePart::Missile => choice.who.map(|who| -(ph.stats(who).reaction as i16)),
        PhasePart::Melee => acts::strike_speed(ph, choice).map(i16::from),
        _ => None,
    };
    (kind, attribute.unwrap_or(0))
}

impl BeginsActions for Phased {
    const AT_ONCE: Rule = "PH-02";
    type Part = ();
    /// The use of an innate ability.
    type Begun = Choice;

    fn may_begin(ph: &PhasedQuery, who: Id) -> bool {
        ph.can_act(who)
    }

    fn offers(ph: &PhasedQuery, who: Id, _: &Choice, (): ()) -> Vec<Offer> {
        acts::offers(ph, who, None)
    }

    fn waits(choice: &Choice) -> bool {
        !group_of(ACTS, choice).when.at_once.contains(&choice.verb)
    }

    fn begin(ph: &PhasedQuery, choice: &Choice) -> Begun {
        acts::begin(ph, choice)
    }

    fn begun(choices: Vec<Choice>) -> Vec<Box<dyn Step>> {
        match choices.is_empty() {
            true => vec![],
            false => vec![Box::new(Unleash { choices })],
        }
    }
}
