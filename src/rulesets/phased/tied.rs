//! Several sides at one instant (PH-02): all say what they do, sealed from each
//! other, and then it happens at once.

use super::{
    super::common::moves::MoveStep,
    Phased,
    acts::{self, AIM, AIM_AT_PLACE, GO, SHIFT},
    aftermath::Aftermath,
    ph::Ph,
    spells::Unleash,
    turns::{DELAY, DONE, Turn, list, pass},
    volley::Volley,
};
use crate::{
    battle::{Answer, Change, Choice, Decision, Flow, Id, Offers, Poll},
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

fn tie(In(mut step): In<Tie>, ph: Ph, mut answer: ResMut<Answer>) -> Flow {
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
        return Flow::ask(question, step);
    }
    let mut batches: BTreeMap<(u8, i16), Vec<Choice>> = BTreeMap::new();
    for choice in step.poll.said {
        batches.entry(order(&ph, &choice)).or_default().push(choice);
    }
    let mut flow = Flow::default();
    for said in batches.into_values() {
        flow.push(AtOnce { said });
    }
    flow.then(Turn::open())
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

fn at_once(In(AtOnce { said }): In<AtOnce>, ph: Ph) -> Flow {
    let mut flow = Flow::default();
    let (mut blows, mut used, mut movers) = (vec![], vec![], vec![]);
    for choice in said {
        let Some(who) = choice.who else { continue };
        // Something faster may have felled it.
        if !ph.can_act(who) {
            continue;
        }
        if choice.verb == &DONE || choice.verb == &DELAY {
            pass(&ph, who, &choice, &mut flow);
        } else if let Some(more) = acts::begin_attack(&ph, &choice, &mut flow) {
            blows.extend(more);
        } else if acts::is_use(&choice) {
            ph.reveal(who, &mut flow);
            let acted = choice.clone();
            flow.emit(choice.verb.rule, Change::Acted { choice: acted });
            acts::use_ability(&ph, &choice, &mut flow);
            used.push(choice);
        } else if choice.verb == &GO || choice.verb == &SHIFT {
            movers.push(acts::set_out(&ph, &choice, &mut flow));
        } else if aims(&choice) {
            let mut begun = acts::begin(&ph, &choice);
            flow.events.append(&mut begun.events);
            flow.next.append(&mut begun.next);
        } else {
            flow.push(Undertake { choice });
        }
    }
    if !movers.is_empty() {
        flow.push(MoveStep::<Phased>::together(&ph, movers));
    }
    if !blows.is_empty() {
        flow.push(Volley(blows));
    }
    if !used.is_empty() {
        flow.push(Unleash { choices: used });
    }
    flow.then(Aftermath)
}

/// An act that somebody else's may have made impossible: it is looked at again.
#[derive(Clone, Debug)]
struct Undertake {
    choice: Choice,
}
system_step!(Undertake, undertake);

fn undertake(In(Undertake { choice }): In<Undertake>, ph: Ph) -> Flow {
    let Some(who) = choice.who.filter(|&who| ph.can_act(who)) else {
        return Flow::default();
    };
    let offers = acts::offers(&ph, who, None);
    if offers.iter().any(|o| o.is_legal() && o.choice == choice) {
        return acts::begin(&ph, &choice);
    }
    let why = "it comes too late".into();
    Flow::default().and("PH-02", Change::Stopped { who, why })
}
