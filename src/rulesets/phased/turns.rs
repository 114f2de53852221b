//! A group's turn, kind by kind (PH-02, PH-04): who is next is derived from
//! the state, never kept in a queue. Those who are level act in `tied`.

use super::{
    acts,
    aftermath::Aftermath,
    events::PhasedEvent,
    ph::Ph,
    state::{Group, Part},
    tied::Tie,
};
use crate::{
    battle::{Action, Answer, Choice, Decision, EventKind, Id, Offer, Offers, Side, StepOutcome},
    system_step,
};
use bevy::ecs::{
    system::{In, ResMut},
    world::World,
};

pub static DONE: Action = Action {
    name: "done",
    order_text: "done",
    log_text: "lets the moment go by",
    rule: "PH-04",
};
pub static END_TURN: Action = Action {
    name: "end turn",
    order_text: "end turn",
    log_text: "ends the turn",
    rule: "PH-04",
};
/// Announced on one's turn (PH-16).
pub static DELAY: Action = Action {
    name: "delay",
    order_text: "delay",
    log_text: "delays",
    rule: "PH-16",
};

/// The part of the round that runs, until nobody has anything left to do in it.
#[derive(Clone, Debug)]
pub struct Turn {
    /// Whose question stands.
    asked: Option<Side>,
}
system_step!(Turn, turn);

impl Turn {
    pub fn open() -> Self {
        Self { asked: None }
    }
}

/// What sorts those who act at one time: the delayed come last, then the
/// attribute of the kind, lowest first.
type Key = (bool, i16);

fn turn(In(step): In<Turn>, ph: Ph, mut answer: ResMut<Answer>) -> StepOutcome {
    if let Some(choice) = answer.take() {
        return take(&ph, step.asked, &choice);
    }
    let due = due(&ph);
    let Some(batch) = batch(&ph, &due) else {
        return StepOutcome::default();
    };
    let side = ph.body(batch[0]).side;
    if batch.iter().any(|&id| ph.body(id).side != side) {
        return StepOutcome::default().then(Tie::of(batch));
    }
    let question = Decision {
        side,
        prompt: format!("{}, {}", ph.clock.group.name(), ph.clock.part.name()),
        rule: "PH-04",
        actors: batch,
        common: vec![Choice::of_side(&END_TURN, side)],
        offers: Offers::ByActor(list),
        reaction: false,
    };
    StepOutcome::ask(question, Turn { asked: Some(side) })
}

/// Those who have something to do in this part, in id order.
fn due(ph: &Ph) -> Vec<Id> {
    ph.view.ids().filter(|&id| acts::is_due(ph, id)).collect()
}

/// Those of them who act now: all of a side when nobody else is there; in a
/// tie, those who come first by weapon speed or reaction (PH-02).
fn batch(ph: &Ph, due: &[Id]) -> Option<Vec<Id>> {
    let first = due.first()?;
    let side = due.iter().map(|&id| ph.body(id).side).min()?;
    let of_side = |id: &&Id| ph.body(**id).side == side;
    if !is_tie(ph, due) {
        return Some(due.iter().filter(of_side).copied().collect());
    }
    let best = due
        .iter()
        .map(|&id| key(ph, id))
        .min()
        .unwrap_or(key(ph, *first));
    let now = due.iter().filter(|&&id| key(ph, id) == best);
    Some(now.copied().collect())
}

/// The side that acts now; none between turns, and where several act at once.
pub fn side_now(ph: &Ph) -> Option<Side> {
    let batch = batch(ph, &due(ph))?;
    let side = ph.body(batch[0]).side;
    let alone = batch.iter().all(|&id| ph.body(id).side == side);
    alone.then_some(side)
}

fn is_tie(ph: &Ph, due: &[Id]) -> bool {
    due.iter()
        .any(|&id| ph.body(id).side != ph.body(due[0]).side)
}

/// PH-02, PH-17: abilities and other acts have no attribute that decides.
fn key(ph: &Ph, id: Id) -> Key {
    let attribute = match ph.clock.part {
        Part::Missile => -(ph.stats(id).reaction as i16),
        Part::Melee | Part::Multi | Part::Rest => {
            acts::next_speed(ph, id).map_or(i16::MAX, i16::from)
        }
        _ => 0,
    };
    (ph.fighter(id).delayed, attribute)
}

/// In a tie of melee only weapons of this speed come now; none: any.
fn speed_now(ph: &Ph) -> Option<u8> {
    if !matches!(ph.clock.part, Part::Melee | Part::Multi | Part::Rest) {
        return None;
    }
    let due = due(ph);
    if !is_tie(ph, &due) {
        return None;
    }
    let best = due.iter().map(|&id| key(ph, id)).min()?;
    u8::try_from(best.1).ok()
}

/// Weapon speed decides who comes when (PH-02).
pub fn is_level(ph: &Ph) -> bool {
    speed_now(ph).is_some()
}

/// Everything that one may do now, the impossible with its reason.
pub(super) fn list(world: &mut World, id: Id) -> Vec<Offer> {
    fn offers(In(id): In<Id>, ph: Ph) -> Vec<Offer> {
        acts::offers(&ph, id, speed_now(&ph))
    }
    crate::battle::run_system(world, offers, id)
}

fn take(ph: &Ph, asked: Option<Side>, choice: &Choice) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    if choice.verb == &END_TURN {
        let of_side = due(ph)
            .into_iter()
            .filter(|&id| Some(ph.body(id).side) == asked);
        for who in of_side {
            ph.tell_of(
                who,
                "PH-04",
                PhasedEvent::Passed { who }.event(),
                &mut outcome,
            );
        }
        return outcome.then(Turn::open());
    }
    let who = choice.who.expect("an act has an actor");
    if choice.verb == &DONE || choice.verb == &DELAY {
        pass(ph, who, choice, &mut outcome);
        return outcome.then(Turn::open());
    }
    acts::begin(ph, choice).then(Aftermath).then(Turn::open())
}

/// Lets the moment go by, or delays (PH-16).
pub(super) fn pass(ph: &Ph, who: Id, choice: &Choice, outcome: &mut StepOutcome) {
    if choice.verb == &DELAY {
        let choice = choice.clone();
        let mut log_text = vec![
            ("PH-16", EventKind::Acted { choice }),
            ("PH-16", PhasedEvent::Passed { who }.event()),
        ];
        match ph.clock.group {
            Group::High => log_text.push(("PH-17", PhasedEvent::Delayed { who }.event())),
            Group::Low => {
                // A spell under way is the major action (PH-22).
                if ph.fighter(who).casting.is_some() {
                    log_text.push(("PH-16", PhasedEvent::Dropped { who }.event()));
                }
                log_text.push(("PH-16", PhasedEvent::Forgoes { who }.event()));
            }
        }
        for (rule, what) in log_text {
            ph.tell_of(who, rule, what, outcome);
        }
        return;
    }
    let (rule, log_text) = match speed_now(ph) {
        Some(speed) => ("PH-02", PhasedEvent::Waited { who, speed }),
        None => ("PH-04", PhasedEvent::Passed { who }),
    };
    ph.tell_of(who, rule, log_text.event(), outcome);
}
