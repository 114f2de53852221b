//! The result of each plan in one round.

use super::{Casts, Enemies, Fork, Observed, Situation, Tried, play};
use crate::{
    battle::{Choice, CueKind, Event, EventKind, EventTable, Handling, Id, Moment, Planning},
    control::orders::{Order, Plan, Reason},
};
use std::collections::BTreeMap;

/// The results of the plans in one round.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Round {
    /// For each plan, whether its unit attacked, moved or cast as planned, or why not.
    /// `Err(None)`: there was nothing to attack.
    pub came: BTreeMap<Id, Result<(), Option<Reason>>>,
    /// When each plan was carried out or begun.
    pub moments: BTreeMap<Id, Moment>,
    /// Units that hurt the plan's unit before or while the plan was carried out, as a bit set.
    pub hurt: BTreeMap<Id, u64>,
    /// Units that fell until the last plan had its result, as a bit set.
    pub fell: u64,
}

impl Situation {
    /// Plays the rest of the round with the dice of a seed and AI enemies. Returns the result
    /// of each plan, or `None` if cancelled.
    pub fn round(
        &self,
        plans: &Tried,
        seed: u64,
        cancelled: &dyn Fn() -> bool,
        observe: &mut dyn FnMut(&mut Fork, Observed),
    ) -> Option<Round> {
        let mut fork = self.fork(Enemies::Seeded(seed)).for_one_round();
        let round = fork.round();
        let mut watch = RoundWatch::new(plans);
        let mut watch_and_observe = |fork: &mut Fork, observed: Observed| {
            match &observed {
                Observed::Question(_) => watch.asked(fork),
                Observed::Begins(who, answers) => watch.begins(fork, *who, answers),
                Observed::Event(event) => watch.note(fork, event),
                Observed::Began(_) | Observed::Reacts(_) => {}
            }
            observe(fork, observed);
            watch.is_on(fork)
        };
        self.declare(&mut fork, &mut |fork, observed| {
            watch_and_observe(fork, observed);
        });
        if !play(&mut fork, round, cancelled, &mut watch_and_observe) {
            return None;
        }
        let planning = fork.rules().planning;
        let mut out = watch.out;
        for (&who, plan) in plans {
            if out.came.contains_key(&who) {
                continue;
            }
            // The plan continues in the next round.
            let goes_on = plan.is_spell() && {
                let declared = fork.rules().planning.declared;
                fork.body(who).is_up() && !declared(fork.world(), who).is_empty()
            };
            let came = match fork.failures().get(&who) {
                _ if goes_on => Ok(()),
                Some(reason) => Err(Some(reason.clone())),
                None if plan.is_open(planning) && fork.body(who).is_up() => Err(None),
                None => Err(Some(fork.why_missed(plan))),
            };
            out.came.insert(who, came);
        }
        Some(out)
    }
}

/// Observes a round while it is played.
struct RoundWatch<'a> {
    plans: &'a Tried,
    out: Round,
    /// Spells being cast.
    casts: Casts,
    /// When the last plan got its result.
    last: Option<Moment>,
}

impl<'a> RoundWatch<'a> {
    fn new(plans: &'a Tried) -> Self {
        let mut casts = Casts::default();
        // Spells that are not aimed later take effect without a decision.
        let is_unaimed = |plan: &&Plan| plan.is_spell() && !plan.aims();
        for plan in plans.values().filter(is_unaimed) {
            plan.declared.iter().for_each(|choice| casts.note(choice));
        }
        Self {
            plans,
            out: Round::default(),
            casts,
            last: None,
        }
    }

    /// Whether there is more to observe: plans without a result, or responses to the last of
    /// them.
    fn is_on(&mut self, fork: &mut Fork) -> bool {
        if self.out.came.len() < self.plans.len() {
            self.last = None;
            return true;
        }
        let now = fork.moment();
        *self.last.get_or_insert_with(|| now.clone()) == now
    }

    fn succeed(&mut self, who: Id) {
        self.out.came.insert(who, Ok(()));
    }

    /// Records the time of a unit's first action.
    fn acts(&mut self, fork: &mut Fork, who: Id) {
        let moments = &mut self.out.moments;
        moments.entry(who).or_insert_with(|| fork.moment());
    }

    /// A unit begins to carry out its plan.
    fn begins(&mut self, fork: &mut Fork, who: Id, answers: &[Choice]) {
        let Some(plan) = self.plans.get(&who) else {
            return;
        };
        self.out.moments.insert(who, fork.moment());
        let Some(target) = plan.order.target().filter(|_| !plan.is_spell()) else {
            return;
        };
        // An attack has only succeeded once its die is rolled: it may still be stopped.
        let planning = fork.rules().planning;
        let is_attack = |c: &Choice| planning.is_attack(c.verb) || planning.is_charge(c.verb);
        let mut done = answers.iter().filter(|c| c.at == Some(target));
        if done.any(|choice| !is_attack(choice)) {
            self.succeed(who);
        }
    }

    /// A unit that is asked for the target of its spell has not lost the spell.
    fn asked(&mut self, fork: &mut Fork) {
        let asked = fork.asked().filter(|asked| asked.is_turn());
        let actors = asked.map_or(vec![], |asked| asked.actors.clone());
        for who in actors {
            let plan = self.plans.get(&who);
            let is_open = plan.is_some_and(|plan| plan.is_spell() && !plan.aims());
            if !is_open || self.out.came.contains_key(&who) || fork.is_declaring() {
                continue;
            }
            let offers = fork.offers_of(who);
            let mut legal = offers.iter().filter(|offer| offer.is_legal());
            if legal.any(|offer| offer.choice.spell.is_some()) {
                self.succeed(who);
                self.acts(fork, who);
            }
        }
    }

    fn note(&mut self, fork: &mut Fork, event: &Event) {
        if let Some(cast) = self.casts.take(fork.world(), event)
            && let Some(who) = cast.who
            && self.plans.get(&who).is_some_and(Plan::is_spell)
        {
            // The spell takes effect in its own part of the round.
            self.succeed(who);
            self.out.moments.insert(who, fork.moment());
        }
        let planning = fork.rules().planning;
        let mut works = self.plans.values().filter(|plan| plan.is_work(planning));
        let done = works.find(|plan| is_work_of(planning, plan, event));
        if let Some(who) = done.map(|plan| plan.who) {
            self.succeed(who);
            self.acts(fork, who);
        }
        match &event.what {
            EventKind::Acted { choice } => self.casts.note(choice),
            EventKind::Fell { who } => self.out.fell |= who.bit(),
            EventKind::AttackRolled { rolled_attack } => {
                let (by, at) = (rolled_attack.attack.by, rolled_attack.attack.at);
                let plan = self.plans.get(&by).filter(|plan| !plan.is_spell());
                let is_meant = |p: &Plan| p.order.target() == Some(at) || p.is_open(planning);
                if plan.is_some_and(is_meant) {
                    self.succeed(by);
                    self.acts(fork, by);
                }
            }
            EventKind::Damaged {
                who, by: Some(by), ..
            } if by != who && self.plans.contains_key(who) => {
                // After the plan is carried out, damage in the same part of the round still
                // counts as a response to it.
                let came = self.out.came.contains_key(who);
                let then = self.out.moments.get(who);
                if !came || then.is_some_and(|then| *then == fork.moment()) {
                    *self.out.hurt.entry(*who).or_default() |= by.bit();
                }
            }
            EventKind::Moved { who, to, .. } => {
                let Some(plan) = self.plans.get(who) else {
                    return;
                };
                self.acts(fork, *who);
                if plan.is_move() && plan.order.cell() == Some(*to) {
                    self.succeed(*who);
                }
            }
            _ => {}
        }
    }
}

/// Whether an event is what a plan's declared work is for: an item is loaded, a unit gets better,
/// a unit that flees moves, or an action that concerns none of these is carried out.
fn is_work_of(planning: &Planning, plan: &Plan, event: &Event) -> bool {
    let Order::Act { declared, at, .. } = &plan.order else {
        return false;
    };
    let verbs = planning.carries_out(declared.verb);
    if verbs.iter().any(|verb| planning.walks.contains(verb)) {
        // Enemies may still stop the unit between its action and its first step.
        return matches!(event.what, EventKind::Moved { who, .. } if who == plan.who);
    }
    if let EventKind::Acted { choice } = &event.what
        && at.is_none()
        && declared.with.is_none()
    {
        return verbs.contains(&choice.verb) && choice.who == Some(plan.who);
    }
    if declared.with.is_some() {
        let handled = event.what.handles();
        return handled == Some((Handling::Load, plan.who, declared.with));
    }
    let cue = event.what.cue().filter(|cue| cue.kind == CueKind::Good);
    cue.is_some_and(|cue| match at {
        Some(_) => cue.who == *at && cue.by == Some(plan.who),
        None => cue.who == Some(plan.who),
    })
}
