//! Carries out due actions; all actions of one count together.

use super::{of, row::*, targets};
use crate::battle::{Attack, Event, Rule, Step};
use crate::rulesets::activity::{
    attacks::{AttackBatch, CountAttack},
    charge::charge_after,
    movement::Mover,
    ready::is_armed,
    state::PlanPosition,
    targets::{GIVE_UP, WAIT},
};
use crate::rulesets::common::{hiding, moves::MoveStep};
use std::borrow::Cow;

/// Everything that the actions due at one count do, in the order in which it happens: first
/// movement, then attacks, spells and everything else at the same time. Attacks use the state before
/// the other effects (AC-11).
#[derive(Default)]
pub struct CountActions {
    /// Events, and the steps of units that leave the battle.
    pub(super) outcome: StepOutcome,
    pub(super) movers: Vec<Mover>,
    pub(super) specs: Vec<AttackSpec>,
    /// Effects that are not moves, attacks or spells.
    pub(super) effects: StepOutcome,
    pub(super) casts: StepOutcome,
    /// Positions of the acting units in their plans before this count (AC-13).
    positions: Vec<(Id, PlanPosition)>,
}

impl CountActions {
    pub fn outcome(mut self, ac: &ActivityQuery) -> StepOutcome {
        if !self.movers.is_empty() {
            self.outcome
                .push(MoveStep::<Activity>::together(ac, self.movers));
        }
        let mut meanwhile = self.effects.next;
        let events = self.effects.events;
        if !events.is_empty() {
            meanwhile.insert(0, Box::new(Effects { events }));
        }
        meanwhile.append(&mut self.casts.next);
        if self.specs.is_empty() {
            self.outcome.next.append(&mut meanwhile);
        } else {
            self.outcome.push(CountAttacks {
                specs: self.specs,
                positions: self.positions,
                meanwhile,
            });
        }
        self.outcome
    }

    /// Starts the unit's due action with its choice. Drops the action if it has no target or
    /// cannot be done.
    pub fn begin(&mut self, ac: &ActivityQuery, who: Id, choice: Option<&Choice>) {
        let Some(&planned) = ac.actor(who).coming() else {
            return;
        };
        let PlannedAction { kind, percent, .. } = planned;
        if ac.body(who).flees {
            // A fleeing unit gives up its action (AC-37).
            let why = "only wants to get away";
            return drop_next_action(ac, who, "AC-37", why, &mut self.outcome);
        }
        // Listing all targets is costly, and needed only without a choice.
        let aims = || targets(ac, who, &planned).unwrap_or_default();
        let waits = kind == ActionKind::Melee && is_armed(ac, who);
        let has_none = || !aims().iter().any(Offer::is_legal);
        if waits && choice.map_or_else(has_none, |c| c.verb == &WAIT) {
            if ac.actor(who).waiting {
                return;
            }
            // The other sides learn nothing about a hidden unit.
            let waits = ActivityEvent::Waits { who };
            let outcome = &mut self.outcome;
            return hiding::emit_unless_hidden::<Activity>(ac, who, "AC-15", waits, outcome);
        }
        let begin = &of(kind).when.begin;
        if matches!(begin, Begin::Aimed { .. }) && choice.is_none_or(|c| c.verb == &GIVE_UP) {
            let why = match choice {
                Some(_) => OWN_WILL.into(),
                None => {
                    let why = aims().into_iter().find_map(|o| o.why_not);
                    why.map_or("no longer possible".into(), |why| why.text)
                }
            };
            return drop_next_action(ac, who, "AC-09", why, &mut self.outcome);
        }
        if let ActionKind::Reload(item) = kind
            && !ac.inventory(who).ready().any(|n| n == item)
        {
            return drop_next_action(ac, who, "AC-26", "it is not held", &mut self.outcome);
        }
        // A unit that acts is no longer hidden.
        ac.reveal(who, &mut self.outcome);
        if let Some(choice) = choice {
            let acted = EventKind::acted(choice);
            self.outcome.emit(choice.verb.rule, acted);
        }
        self.positions.push((who, ac.actor(who).position()));
        let begins = ActivityEvent::Begins { who, kind, percent };
        let rule = if planned.carried { "AC-17" } else { "AC-01" };
        self.outcome.emit_reveal(rule, ac.body(who).side, begins);
        match (begin, choice) {
            (Begin::Aimed { begin, .. }, Some(choice)) => begin(ac, &planned, choice, self),
            (Begin::Plain(begin), _) => begin(ac, who, &planned, self),
            (Begin::Aimed { .. }, None) => {}
        }
    }
}

/// The reason for giving up an action that was still possible (AC-09).
pub const OWN_WILL: &str = "of its own will";

/// Gives up the next action; it costs activity if a parry depended on it (AC-13).
pub fn drop_next_action(
    ac: &ActivityQuery,
    who: Id,
    rule: Rule,
    why: impl Into<Cow<'static, str>>,
    outcome: &mut StepOutcome,
) {
    let actor = ac.actor(who);
    let Some(&PlannedAction { kind, .. }) = actor.plan.get(actor.next) else {
        return;
    };
    let (why, spent) = (why.into(), actor.owed());
    let rule = match (spent, kind) {
        (0, _) => rule,
        (_, ActionKind::ParryMissile) => "AC-22",
        _ => "AC-13",
    };
    let drops = ActivityEvent::Drops {
        who,
        kind,
        why,
        spent,
    };
    hiding::reveal_unless_hidden::<Activity>(ac, who, rule, drops, outcome);
}

/// Gives up all remaining actions; the next one costs activity if a parry depended on it
/// (AC-13).
pub fn drop_all_actions(
    ac: &ActivityQuery,
    who: Id,
    rule: Rule,
    why: &'static str,
    outcome: &mut StepOutcome,
) {
    drop_next_action(ac, who, rule, why, outcome);
    let actor = ac.actor(who);
    for planned in actor.plan.iter().skip(actor.next + 1) {
        let drops = ActivityEvent::Drops {
            who,
            kind: planned.kind,
            why: why.into(),
            spent: 0,
        };
        hiding::reveal_unless_hidden::<Activity>(ac, who, rule, drops, outcome);
    }
}

/// An attack at a count.
#[derive(Clone, Debug)]
pub enum AttackSpec {
    /// An attack with nothing before it at this count.
    Ready(Attack),
    /// An attack at the end of a charge, from the cell that the run reached. `moved` is the
    /// feet moved this round before the charge.
    AfterCharge {
        choice: Choice,
        percent: i32,
        moved: u16,
    },
}

system_step! {
    /// Effects that were computed from the state before this count.
    struct Effects { events: Vec<Event> } => take_effect
}

fn take_effect(In(Effects { events }): In<Effects>) -> StepOutcome {
    StepOutcome {
        events,
        ..StepOutcome::default()
    }
}

system_step! {
    /// The attacks of one count, including chargers that arrived, and everything else at that
    /// count.
    struct CountAttacks {
        specs: Vec<AttackSpec>,
        positions: Vec<(Id, PlanPosition)>,
        meanwhile: Vec<Box<dyn Step>>,
    } => resolve_attacks
}

fn resolve_attacks(In(step): In<CountAttacks>, ac: ActivityQuery) -> StepOutcome {
    let attack = |spec| match spec {
        AttackSpec::Ready(attack) => Some(attack),
        AttackSpec::AfterCharge {
            choice,
            percent,
            moved,
        } => {
            // A run that was cut short gives a smaller bonus (AC-21).
            let by = choice.who?;
            let run = ac.actor(by).moved.saturating_sub(moved);
            let attack = charge_after(&ac, &choice, percent, run, moved);
            let is_there = Some(ac.body(by).at) == choice.to;
            (is_there || ac.can_attack(&attack).is_ok()).then_some(attack)
        }
    };
    let count_attack = |attack: Attack| {
        let mut positions = step.positions.iter();
        let acts = positions.find(|(who, _)| *who == attack.at);
        CountAttack {
            attack,
            target_position: acts.map(|acts| acts.1),
        }
    };
    let attacks = step.specs.into_iter().filter_map(attack);
    let attacks = attacks.map(count_attack).collect();
    StepOutcome::default().then(AttackBatch::of(attacks).with(step.meanwhile))
}
