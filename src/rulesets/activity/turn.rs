//! An action's time has come: its target is chosen, and it is done. Those who
//! act at the same count choose sealed from each other and act together.

use super::{ac::Ac, acts::Doing, ready::is_armed, state::Deed, targets::targets};
use crate::rulesets::common::verbs;
use crate::{
    battle::{Answer, Choice, Decision, Id, Offer, Offers, Poll, StepOutcome},
    system_step,
};
use bevy::ecs::system::{In, ResMut};

verbs! {
    STRIKE = "strike", "strike {at} with {with}", "strikes at {at} with {with}", "AC-01";
    SHOOT = "shoot", "shoot at {at} with {with}", "shoots at {at} with {with}", "AC-01";
    CHARGE = "charge", "charge {at} with {with} from {to}", "charges {at} with {with}, to {to}", "AC-21";
    MOVE = "move", "move to {to}", "moves to {to}", "AC-01";
    WITHDRAW = "withdraw", "withdraw to {to}", "withdraws to {to}", "AC-36";
    LEAVE = "leave", "leave the battle", "makes off", "AC-37";
    CAST_AT = "cast", "cast {spell} at {at}", "casts {spell} at {at}", "AC-34";
    CAST_TO = "cast to", "cast {spell} towards {to}", "casts {spell} towards {to}", "AC-34";
    STANCH = "stanch", "stanch the blood of {at}", "stanches the blood of {at}", "AC-33";
    PICK_UP = "pick up", "pick up {with} at {to}", "picks up {with} at {to}", "AC-01";
    GIVE_UP = "give up", "give it up", "gives it up", "AC-09";
    WAIT = "wait", "wait", "waits", "AC-15";
}

/// Those whose actions come at the same count.
#[derive(Clone, Debug)]
pub struct Turn {
    group: Vec<Id>,
    poll: Poll,
}
system_step!(Turn, turn);

impl Turn {
    pub fn of(group: Vec<Id>) -> Self {
        Self {
            poll: Poll::of(group.clone()),
            group,
        }
    }
}

fn turn(In(mut step): In<Turn>, ac: Ac, mut answer: ResMut<Answer>) -> StepOutcome {
    if let Some(question) = step.poll.next(&mut answer, |id| question(&ac, id)) {
        return StepOutcome::ask(question, step);
    }
    let mut doing = Doing::default();
    let said = step.poll.open(&mut answer);
    for &who in &step.group {
        let choice = said.iter().find(|c| c.who == Some(who));
        doing.begin(&ac, who, choice);
    }
    doing.outcome(&ac)
}

/// Who has nothing to choose is not asked.
fn question(ac: &Ac, who: Id) -> Option<Decision> {
    let actor = ac.actor(who);
    if ac.body(who).flees {
        return None;
    }
    let planned = *actor.coming()?;
    let mut offers = targets(ac, who, &planned)?;
    let mut rule = "AC-11";
    if !offers.iter().any(Offer::is_legal) {
        // AC-15: who waits lets the rest of its plan be. Where nothing else is
        // planned nothing is lost by waiting, and nobody is asked.
        let more = actor.plan.len() > actor.next + 1;
        let waits = planned.deed == Deed::Melee && is_armed(ac, who);
        if !(waits && more) || actor.waiting {
            return None;
        }
        offers.push(Offer::legal(Choice::new(&WAIT, who)));
        rule = "AC-15";
    }
    offers.push(Offer::legal(Choice::new(&GIVE_UP, who)));
    let names = ac.view.names();
    Some(Decision {
        side: ac.body(who).side,
        prompt: format!(
            "{}: {}",
            names.title(who),
            super::events::deed_name(&planned.deed, names)
        ),
        rule,
        actors: vec![who],
        common: vec![],
        offers: Offers::Listed(offers),
        reaction: false,
    })
}
