//! The end of a round: bleeding, fire, suffocation, expiring conditions and morale.

use super::{
    Speed,
    end_checks::EndChecks,
    events::SpeedEvent,
    morale::Morale,
    numbers::SpeedCondition,
    query::{SpeedQuery, numbers},
    round::RoundStart,
    state::{Ailment, Hurt, Wound},
    wounds::{DamageTally, Harm, fall, reckon, recovers},
};
use crate::{
    battle::{DiceBox, EventKind, Id, Roll, State, StepOutcome, all_arrivals, end_round},
    rulesets::{common::conditions::expire, speed::content::DamageType},
    system_step,
};
use bevy_ecs::system::{In, ResMut};

system_step! {
    /// Dying and bleeding units lose Wound Points (SP-24, SP-32).
    pub struct Bleed => bleed
}

fn bleed(In(_): In<Bleed>, sp: SpeedQuery, mut dice: ResMut<DiceBox>) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    for who in sp.view.ids().filter(|&id| is_alive(&sp, id)) {
        let mut hp = sp.body(who).hp;
        for condition in sp.conditions(who) {
            let Some(throw) = condition.effects().wounds else {
                continue;
            };
            let rule = match condition {
                SpeedCondition::Dying => "SP-24",
                _ => "SP-32",
            };
            let mut roll = Roll::thrown(throw.0, condition.name(), rule, &mut dice);
            let points = roll.total();
            hp -= points;
            // The log shows only dice: a fixed loss needs no sum.
            roll.modifiers.clear();
            outcome.emit(rule, EventKind::damaged(who, None, points, roll));
            outcome.emit("SP-23", wounded(who, points));
        }
        if hp < sp.body(who).hp {
            reckon(&sp, who, hp, true, &mut outcome);
        }
    }
    outcome.then(Burn)
}

/// Wound Points lost to bleeding or suffocation also count as wounds, without a damage type
/// (SP-23).
fn wounded(who: Id, points: i32) -> EventKind {
    let wound = Wound { kind: None, points };
    SpeedEvent::Wounded { who, wound }.into()
}

fn is_alive(sp: &SpeedQuery, id: Id) -> bool {
    matches!(sp.body(id).state, State::Up | State::Down)
}

system_step! {
    /// Burning units take damage (SP-32).
    struct Burn => burn
}

fn burn(In(_): In<Burn>, sp: SpeedQuery, mut dice: ResMut<DiceBox>) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    let mut toll = DamageTally::default();
    for who in sp.view.ids().filter(|&id| is_alive(&sp, id)) {
        let burns = |c: SpeedCondition| c.effects().burns;
        for throw in sp.conditions(who).into_iter().filter_map(burns) {
            let roll = Roll::thrown(throw.0, "fire", "SP-32", &mut dice);
            let harm = Harm::plain(who, Some(DamageType::Fire), roll.total(), roll);
            toll.take(&sp, harm, &mut outcome);
        }
    }
    toll.close(&sp, &mut outcome);
    outcome.then(Breath)
}

system_step! {
    /// Units that cannot breathe count their rounds without breath, then fall and die (SP-27).
    struct Breath => breathe
}

fn breathe(In(_): In<Breath>, sp: SpeedQuery) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    for who in sp.view.ids().filter(|&id| is_alive(&sp, id)) {
        if !sp.fighter(who).has(Hurt::Suffocating) {
            continue;
        }
        let rounds = sp.fighter(who).breathless.saturating_add(1);
        outcome.emit("SP-27", SpeedEvent::Breathless { who, rounds });
        let hp = sp.body(who).hp;
        let left = match rounds {
            n if n >= numbers().breathless_dying => -1,
            n if n >= numbers().breathless_down => 0,
            _ => continue,
        };
        if hp > left {
            let points = hp - left;
            let damaged = EventKind::damaged(who, None, points, Roll::default());
            outcome.emit("SP-27", damaged);
            outcome.emit("SP-23", wounded(who, points));
        }
        // Suffocation undoes stabilisation.
        recovers(&sp, who, SpeedCondition::Stabilised, "SP-25", &mut outcome);
        if sp.is_up(who) {
            fall(&sp, who, &mut outcome);
        }
    }
    outcome.then(Lapse)
}

system_step! {
    /// Counts down conditions, and ends grapples whose holder is gone or out of reach.
    struct Lapse => lapse
}

fn lapse(In(_): In<Lapse>, sp: SpeedQuery, mut dice: ResMut<DiceBox>) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    for who in sp.view.ids().filter(|&id| is_alive(&sp, id)) {
        let fighter = sp.fighter(who);
        let free = |by: Id| !sp.is_up(by) || !sp.view.in_reach(by, who, 10);
        let condition = SpeedCondition::Grappled;
        let mut holds = fighter.ailments.iter().filter(|a| a.condition == condition);
        if holds.any(|a| a.of.is_some_and(free)) {
            outcome.emit("SP-32", SpeedEvent::Recovered { who, condition });
        }
        let last = |a: &&Ailment| a.rounds == Some(1);
        for condition in fighter.ailments.iter().filter(last).map(|a| a.condition) {
            outcome.emit("SP-32", SpeedEvent::Recovered { who, condition });
        }
        if fighter.ailments.iter().any(|a| a.rounds.is_some()) {
            outcome.emit("SP-32", SpeedEvent::Waned { who });
        }
    }
    let now = sp.clock.round.into();
    expire::<Speed>(&sp, now, |_, _| true, &mut dice, &mut outcome);
    // A unit that held all round did not end a turn, so its objective areas are checked here.
    all_arrivals(&sp.view, &mut outcome);
    end_round(&sp.view, "SP-03", &mut outcome);
    outcome
        .then(EndChecks)
        .then(Morale)
        .then(EndChecks)
        .then(RoundStart)
}
