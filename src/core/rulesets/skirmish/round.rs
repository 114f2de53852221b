//! The sequence of play: initiative, rounds, sides' turns.

use super::{
    Skirmish,
    acts::swarm,
    awareness,
    end_checks::EndChecks,
    events::SkirmishEvent,
    grapple::grip_of,
    query::SkirmishQuery,
    stance::StanceEvent,
    triggers::{Reactions, Trigger},
    turn::{DONE, begin_actions, list},
    wounds,
};
use crate::{
    battle::{
        Action, ActiveCondition, Answer, CheckRoll, Choice, Decision, DiceBox, EventKind,
        FirstMove, Id, Modifier, Roll, Side, StepOutcome, arrivals, end_round,
    },
    content::Attribute,
    rulesets::common::{conditions::expire, damage::Losses, flee::Flee, hiding, leave::Arrivals},
    system_step,
};
use bevy_ecs::system::{In, Res, ResMut};

system_step! { pub struct Initiative => initiative }

/// SK-01: initiative, once per battle. The player's side adds the best DEX modifier of its units
/// and wins ties; other ties go to the side listed first.
fn initiative(
    In(_): In<Initiative>,
    sk: SkirmishQuery,
    first: Option<Res<FirstMove>>,
    mut dice: ResMut<DiceBox>,
) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    let mut rolled = vec![];
    // A side without any units has no turn.
    let takes_part = |side: &Side| sk.view.ids().any(|id| sk.body(id).side == *side);
    for side in sk.view.roster.sides().filter(takes_part) {
        let player = sk.view.roster.sides[side.index()].player;
        let members = sk.view.standing(side).filter(|_| player);
        let dex = members.map(|id| sk.view.creature(id).modifier(Attribute::Dex));
        let bonus = |dex| Modifier::new(dex as i16, "best DEX", "SK-01");
        let modifiers = Vec::from_iter(dex.max().map(bonus));
        let roll = Roll::one(8, dice.roll(8), modifiers);
        rolled.push((-roll.total(), !player, side));
        outcome.emit("SK-01", CheckRoll::initiative_of(side, roll));
    }
    rolled.sort();
    let mut order: Vec<Side> = rolled.into_iter().map(|r| r.2).collect();
    if let Some(first) = first {
        order.sort_by_key(|&side| side != first.0);
    }
    outcome
        .and("SK-01", SkirmishEvent::Order { order })
        .then(RoundStart)
}

system_step! { struct RoundStart => round_start }

/// SK-04: every unit gets its Main and Move back, and reinforcements enter.
fn round_start(In(_): In<RoundStart>, sk: SkirmishQuery) -> StepOutcome {
    let round = sk.clock.round + 1;
    let mut outcome = StepOutcome::default()
        .and("SK-01", EventKind::RoundBegan { round })
        .and("SK-04", SkirmishEvent::Refreshed)
        .and("SK-26", StanceEvent::RoundOpened);
    outcome.push(Arrivals::<Skirmish>::of());
    for &side in &sk.clock.order {
        outcome.push(TurnStart { side });
    }
    outcome.then(Squeeze).then(RoundEnd)
}

system_step! { pub struct TurnStart { pub side: Side } => turn_start }

/// SK-02: a side's turn. Fleeing units run first.
fn turn_start(
    In(TurnStart { side }): In<TurnStart>,
    sk: SkirmishQuery,
    mut dice: ResMut<DiceBox>,
) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    let is_its = |_, lasting: &ActiveCondition| sk.body(lasting.by).side == side;
    let now = sk.clock.round.into();
    expire::<Skirmish>(&sk, now, is_its, &mut dice, &mut outcome);
    if sk.view.standing(side).next().is_none() {
        return outcome;
    }
    outcome = outcome
        .and("SK-02", EventKind::TurnBegan { side })
        .and("SK-17", SkirmishEvent::TurnOpened { side })
        .and("SK-15", StanceEvent::TurnOpened { side })
        .then(Reactions::open(Trigger::TurnBegins(side)));
    for who in sk.view.standing(side).filter(|&id| sk.body(id).flees) {
        outcome.push(Flee::<Skirmish> { who, budget: () });
    }
    outcome
        .then(EndChecks)
        .then(SideTurn { side })
        .then(Reactions::open(Trigger::TurnOver(side)))
        .then(TurnEnd { side })
}

pub static END_TURN: Action = Action::new("end turn", "end turn", "ends the turn", "SK-02");

system_step! {
    /// SK-02: the units of a side act in any order and may alternate. The next actor is not stored;
    /// the side is asked again after every action.
    struct SideTurn { side: Side } => side_turn
}

fn side_turn(In(step): In<SideTurn>, sk: SkirmishQuery, mut answer: ResMut<Answer>) -> StepOutcome {
    if let Some(choice) = answer.take() {
        return take(&sk, step, &choice);
    }
    let ready = |id: &Id| {
        let fighter = sk.fighter(*id);
        let free = sk.can_act(*id) && !sk.stance(*id).holding;
        free && !fighter.done && !sk.body(*id).flees
    };
    let actors: Vec<Id> = sk.view.standing(step.side).filter(ready).collect();
    if actors.is_empty() {
        return StepOutcome::default();
    }
    let (side, end) = (step.side, Some(&END_TURN));
    let question = Decision::of_side(side, "SK-02", "Your turn", actors, end, list);
    StepOutcome::ask(question, step)
}

fn take(sk: &SkirmishQuery, step: SideTurn, choice: &Choice) -> StepOutcome {
    if choice.verb == &END_TURN {
        return StepOutcome::default();
    }
    let who = choice.actor();
    if choice.verb == &DONE {
        let mut outcome = StepOutcome::default();
        let done = SkirmishEvent::Done { who };
        hiding::emit_unless_hidden::<Skirmish>(sk, who, "SK-02", done, &mut outcome);
        return outcome.then(step);
    }
    begin_actions(sk, choice)
        .then(EndChecks)
        .then(Reactions::open(Trigger::After(choice.clone())))
        .then(step)
}

system_step! { struct TurnEnd { side: Side } => turn_end }

fn turn_end(In(TurnEnd { side }): In<TurnEnd>, sk: SkirmishQuery) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    swarm::disband(&sk, side, &mut outcome);
    arrivals(&sk.view, side, &mut outcome);
    outcome.then(EndChecks)
}

system_step! {
    /// At the end of a round, each holder does the damage of an unarmed hit to the unit it holds,
    /// all at once (SK-52).
    pub struct Squeeze => squeeze
}

fn squeeze(In(_): In<Squeeze>, sk: SkirmishQuery, mut dice: ResMut<DiceBox>) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    let mut lost = Losses::default();
    for by in sk.view.ids() {
        let (Some(who), Some(with)) = (sk.holds(by), sk.unarmed(by)) else {
            continue;
        };
        let forecast = sk.unobstructed_forecast(&grip_of(by, who, with));
        let (points, roll) = wounds::damage(&forecast.damage, &mut dice);
        outcome.emit("SK-52", EventKind::damaged(who, Some(by), points, roll));
        lost.add(who, points, points > 0 && sk.weapon(with).lethal);
    }
    if outcome.events.is_empty() {
        return outcome;
    }
    wounds::fall_of(&sk, lost, &mut outcome);
    outcome.then(EndChecks)
}

system_step! { struct RoundEnd => round_end }

fn round_end(In(_): In<RoundEnd>, sk: SkirmishQuery) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    close(&sk, &mut outcome);
    end_round(&sk.view, "SK-01", &mut outcome);
    outcome.then(EndChecks).then(RoundStart)
}

/// What happens at the end of every round, including the free round (SK-03).
pub(super) fn close(sk: &SkirmishQuery, outcome: &mut StepOutcome) {
    for who in sk.view.ids().filter(|&id| sk.waits(id)) {
        outcome.emit("SK-26", StanceEvent::HoldLost { who });
    }
    // Held actions may have formed swarms since the side's turn.
    for side in sk.view.roster.sides() {
        swarm::disband(sk, side, outcome);
    }
    wounds::bleed(sk, outcome);
    awareness::watch_on(sk, outcome);
}
