//! Several sides at one instant (PH-02): all say what they do, sealed from each
//! other, and then it happens at once.

use super::{
    super::common::{
        moves::MoveStep,
        undertake::{Undertake, Undertakes},
    },
    Phased,
    acts::{self, AIM, AIM_AT_PLACE, GO, SHIFT},
    aftermath::Aftermath,
    attacks::AttackBatch,
    ph::Ph,
    spells::Unleash,
    turns::{DELAY, DONE, Turn, list, pass},
};
use crate::{
    battle::{Answer, Choice, Decision, EventKind, Id, Offer, Offers, Poll, Rule, StepOutcome},
    system_step,
};
use bevy::ecs::system::{In, ResMut};
use std::collections::BTreeMap;

/// Those who are level are asked, one by one.
#[derive(Clone, Debug)]
pub struct Tie {
    poll: Poll,
}
system_step!(Tie, tie);

impl Tie {
    pub fn of(batch: Vec<Id>) -> Self {
        let poll = Poll::of(batch);
        Self { poll }
    }
}

fn tie(In(mut step): In<Tie>, ph: Ph, mut answer: ResMut<Answer>) -> StepOutcome {
    let (group, part) = (ph.clock.group.name(), ph.clock.part.name());
    let ask = |id: Id| {
        let question = Decision {
            side: ph.body(id).side,
            prompt: format!("{group}, {part}, all at once"),
            rule: "PH-02",
            actors: vec![id],
            common: vec![],
            offers: Offers::ByActor(list),
            reaction: false,
        };
        Some(question)
    };
    if let Some(question) = step.poll.next(&mut answer, ask) {
        return StepOutcome::ask(question, step);
    }
    let mut batches: BTreeMap<(u8, i16), Vec<Choice>> = BTreeMap::new();
    for choice in step.poll.open(&mut answer) {
        batches.entry(order(&ph, &choice)).or_default().push(choice);
    }
    let mut outcome = StepOutcome::default();
    for said in batches.into_values() {
        outcome.push(AtOnce { said });
    }
    outcome.then(Turn::open())
}

/// Where everything may be done at one time, kind and attribute decide as they
/// do elsewhere (PH-02, PH-04).
fn order(ph: &Ph, choice: &Choice) -> (u8, i16) {
    if !ph.clock.part.is_whole_turn() {
        return (0, 0);
    }
    let reaction = choice.who.map_or(0, |who| ph.stats(who).reaction);
    if acts::is_use(choice) || aims(choice) {
        (0, 0)
    } else if let Some(speed) = acts::strike_speed(ph, choice) {
        (2, i16::from(speed))
    } else if acts::routine(ph, choice).is_some() {
        (1, -(reaction as i16))
    } else {
        (3, 0)
    }
}

fn aims(choice: &Choice) -> bool {
    choice.verb == &AIM || choice.verb == &AIM_AT_PLACE
}

/// What those do who are level in everything.
#[derive(Clone, Debug)]
struct AtOnce {
    said: Vec<Choice>,
}
system_step!(AtOnce, at_once);

fn at_once(In(AtOnce { said }): In<AtOnce>, ph: Ph) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    let (mut blows, mut used, mut movers) = (vec![], vec![], vec![]);
    for choice in said {
        let Some(who) = choice.who else { continue };
        // Something faster may have felled it.
        if !ph.can_act(who) {
            continue;
        }
        if choice.verb == &DONE || choice.verb == &DELAY {
            pass(&ph, who, &choice, &mut outcome);
        } else if let Some(more) = acts::begin_attack(&ph, &choice, &mut outcome) {
            blows.extend(more);
        } else if acts::is_use(&choice) {
            ph.reveal(who, &mut outcome);
            let acted = choice.clone();
            outcome.emit(choice.verb.rule, EventKind::Acted { choice: acted });
            acts::use_ability(&ph, &choice, &mut outcome);
            used.push(choice);
        } else if choice.verb == &GO || choice.verb == &SHIFT {
            movers.push(acts::set_out(&ph, &choice, &mut outcome));
        } else if aims(&choice) {
            let mut begun = acts::begin(&ph, &choice);
            outcome.events.append(&mut begun.events);
            outcome.next.append(&mut begun.next);
        } else {
            let part = ();
            outcome.push(Undertake::<Phased> { choice, part });
        }
    }
    if !movers.is_empty() {
        outcome.push(MoveStep::<Phased>::together(&ph, movers));
    }
    if !blows.is_empty() {
        outcome.push(AttackBatch::of(blows));
    }
    if !used.is_empty() {
        outcome.push(Unleash { choices: used });
    }
    outcome.then(Aftermath)
}

impl Undertakes for Phased {
    const AT_ONCE: Rule = "PH-02";
    type Part = ();

    fn is_able(ph: &Ph, who: Id) -> bool {
        ph.can_act(who)
    }

    fn offers(ph: &Ph, who: Id, _: &Choice, (): ()) -> Vec<Offer> {
        acts::offers(ph, who, None)
    }

    fn begin(ph: &Ph, choice: &Choice) -> StepOutcome {
        acts::begin(ph, choice)
    }
}
