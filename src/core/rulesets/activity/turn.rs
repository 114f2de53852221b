//! A declared action is due: its target is chosen and it is carried out. Units that act at the
//! same count choose in secret and act together.

use super::{
    acts::{CountActions, targets},
    events::action_name,
    query::ActivityQuery,
    ready::is_armed,
    state::ActionKind,
    targets::{GIVE_UP, WAIT},
};
use crate::{
    battle::{Answer, Choice, Decision, Id, Offer, Offers, Poll, StepOutcome},
    system_step,
};
use bevy_ecs::system::{In, ResMut};

system_step! {
    /// The turn of all units whose actions are due at the same count.
    pub struct Turn { group: Vec<Id>, poll: Poll } => turn
}

impl Turn {
    pub fn of(group: Vec<Id>) -> Self {
        Self {
            poll: Poll::of(group.clone()),
            group,
        }
    }
}

fn turn(In(mut step): In<Turn>, ac: ActivityQuery, mut answer: ResMut<Answer>) -> StepOutcome {
    if let Some(question) = step.poll.next(&mut answer, |id| question(&ac, id)) {
        return StepOutcome::ask(question, step);
    }
    let mut doing = CountActions::default();
    let said = step.poll.open(&mut answer);
    for &who in &step.group {
        let choice = said.iter().find(|c| c.who == Some(who));
        doing.begin(&ac, who, choice);
    }
    doing.outcome(&ac)
}

/// The unit's decision for its due action. `None` if it has nothing to choose.
fn question(ac: &ActivityQuery, who: Id) -> Option<Decision> {
    let actor = ac.actor(who);
    if ac.body(who).flees {
        return None;
    }
    let planned = *actor.coming()?;
    let mut offers = targets(ac, who, &planned)?;
    let mut rule = "AC-11";
    if !offers.iter().any(Offer::is_legal) {
        // Waiting gives up the rest of the plan (AC-15). If nothing else is planned, waiting
        // costs nothing and the unit is not asked.
        let more = actor.plan.len() > actor.next + 1;
        let waits = planned.kind == ActionKind::Melee && is_armed(ac, who);
        if !(waits && more) || actor.waiting {
            return None;
        }
        offers.push(Offer::legal(Choice::new(&WAIT, who)));
        rule = "AC-15";
    }
    offers.push(Offer::legal(Choice::new(&GIVE_UP, who)));
    let names = ac.view.names();
    let action = action_name(&planned.kind, names);
    let prompt = format!("{}: {action}", names.title(who));
    Some(ac.view.asks(who, rule, prompt, Offers::listed(offers)))
}
