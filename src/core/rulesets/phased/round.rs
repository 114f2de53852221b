//! The eight steps of a round, in order (PH-01).

use super::{
    Phased, concentration, declare,
    end_checks::{EndChecks, Occasions},
    events::PhasedEvent,
    fast,
    query::PhasedQuery,
    spells,
    state::{Group, PhasePart, Upkeep},
    turns, work,
};
use crate::rulesets::common::{bleed, declare::Declaring, hiding};
use crate::{
    battle::{
        ActiveCondition, CheckRoll, DiceBox, EventKind, FirstMove, Id, Roll, Side, StepOutcome,
        all_arrivals, end_round,
    },
    levels::{Awareness, Surprise},
    rulesets::common::{
        conditions::expire, hiding::take_places, initiative::side_dice, leave::Arrivals,
    },
    system_step,
};
use bevy_ecs::system::{In, Res, ResMut};

system_step! {
    /// The first step of a battle.
    pub struct Begin => begin
}

fn begin(In(_): In<Begin>, ph: PhasedQuery) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    take_places::<Phased>(&ph, &mut outcome);
    for who in ph.view.ids().filter(|&id| ph.is_up(id)) {
        let stats = ph.stats(who);
        let rule = match stats.class {
            // Hit dice or level, whichever is higher (PH-32).
            Some(_) if stats.hit_dice.dice > 0 => "PH-32",
            None if stats.hit_dice.plus > 0 => "PH-33",
            _ => continue,
        };
        let fact = PhasedEvent::FightsAs {
            who,
            text: stats.fights_as(),
        };
        hiding::emit_unless_hidden::<Phased>(&ph, who, rule, fact, &mut outcome);
    }
    outcome.then(RoundStart)
}

system_step! { struct RoundStart => round_start }

/// Queues all steps of a round, in order. Each step reads the current state when it runs.
fn round_start(In(_): In<RoundStart>, ph: PhasedQuery) -> StepOutcome {
    let round = ph.clock.round + 1;
    let mut outcome = StepOutcome::default()
        .and("PH-01", EventKind::RoundBegan { round })
        .and("PH-01", PhasedEvent::Refreshed);
    outcome.push(Arrivals::<Phased>::of());
    if round == 1 {
        outcome.push(SurpriseCheck);
    }
    for side in ph.view.roster.sides() {
        outcome.push(Declaring::<Phased>::of(side));
    }
    outcome.push(declare::Reveal);
    outcome.push(Initiative);
    for part in PhasePart::FAST {
        both(&mut outcome, part);
    }
    for group in [Group::High, Group::Low] {
        for part in PhasePart::KINDS {
            outcome.push(Phase { part, group });
        }
        outcome.push(TurnEnd);
    }
    both(&mut outcome, PhasePart::Rest);
    outcome.push(spells::Begin);
    both(&mut outcome, PhasePart::Last);
    outcome.then(work::Works).then(RoundEnd)
}

fn both(outcome: &mut StepOutcome, part: PhasePart) {
    for group in [Group::High, Group::Low] {
        outcome.push(Phase { part, group });
    }
}

system_step! {
    /// A part of the round begins for a group.
    struct Phase { part: PhasePart, group: Group } => phase
}

fn phase(In(Phase { part, group }): In<Phase>) -> StepOutcome {
    let rule = match part {
        PhasePart::Parley | PhasePart::Flee | PhasePart::Charge => "PH-05",
        PhasePart::First | PhasePart::Multi | PhasePart::Rest | PhasePart::Last => "PH-01",
        _ => "PH-04",
    };
    let outcome = StepOutcome::default().and(rule, PhasedEvent::Part { part, group });
    match part {
        PhasePart::Parley => outcome.then(fast::Parleys),
        PhasePart::Flee => outcome.then(fast::EscapePhase { poll: None }),
        PhasePart::Charge => outcome.then(fast::Charges),
        _ => outcome.then(turns::Turn),
    }
}

system_step! {
    /// PH-06: which units are surprised. The level defines it or requires a roll from each side;
    /// alert units are not surprised.
    struct SurpriseCheck => surprise
}

fn surprise(In(_): In<SurpriseCheck>, ph: PhasedQuery, mut dice: ResMut<DiceBox>) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    let level = ph.view.level();
    let caught: Vec<Side> = match &level.surprise {
        Surprise::None => vec![],
        Surprise::Caught(sides) => sides.iter().map(|&s| s.into()).collect(),
        Surprise::Check { against, .. } => {
            let most = ph.tables().numbers.surprised_on;
            let mut caught = vec![];
            for side in against.iter().map(|&s| Side::from(s)) {
                let value = dice.roll(6);
                let passed = value > most;
                let check = CheckRoll::of(side, "surprise", Roll::one(6, value, vec![]));
                check.emit("PH-06", i32::from(most) + 1, passed, &mut outcome);
                caught.extend((!passed).then_some(side));
            }
            caught
        }
    };
    // A hidden unit surprises even alert enemies, and is not surprised itself.
    let lurks = |id| ph.fighter(id).hidden;
    let is_caught = |id: &Id| match level.combatants[id.index()].awareness {
        _ if lurks(*id) => false,
        Awareness::Alert if !ph.view.enemies(ph.body(*id).side).any(lurks) => false,
        Awareness::Unaware => true,
        Awareness::Alert | Awareness::Ready => caught.contains(&ph.body(*id).side),
    };
    for who in ph.view.ids().filter(|id| ph.is_up(*id) && is_caught(id)) {
        outcome.emit("PH-06", PhasedEvent::Surprised { who });
    }
    outcome
}

system_step! {
    /// PH-02: rolls a die for each side.
    struct Initiative => initiative
}

fn initiative(
    In(_): In<Initiative>,
    ph: PhasedQuery,
    first: Option<Res<FirstMove>>,
    mut dice: ResMut<DiceBox>,
) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    let of = (&ph.view, ph.clock.round, "PH-02");
    let rolls = side_dice(of, first.as_deref(), &mut dice, &mut outcome);
    // A side without units on the field counts as HIGH.
    let best = rolls.iter().flatten().max().copied().unwrap_or(0);
    let dice: Vec<u16> = rolls.iter().map(|roll| roll.unwrap_or(best)).collect();
    let acts = fast_order(&ph, &dice);
    let outcome = outcome.and("PH-02", PhasedEvent::Initiative { dice });
    match acts.is_empty() {
        true => outcome,
        false => outcome.and("PH-05", PhasedEvent::FastOrder { acts }),
    }
}

/// PH-05: the declared fast actions, in the order in which they happen.
fn fast_order(ph: &PhasedQuery, dice: &[u16]) -> Vec<(Id, PhasePart)> {
    let best = dice.iter().max();
    let is_high = |id: Id| dice.get(ph.body(id).side.index()) == best;
    let part = |id: Id| ph.fighter(id).plan?.fast_part();
    let declared = ph.view.ids().filter(|&id| ph.can_act(id));
    let mut acts: Vec<_> = declared.filter_map(|id| Some((id, part(id)?))).collect();
    acts.sort_by_key(|&(id, part)| (part, !is_high(id)));
    acts
}

system_step! {
    /// The end of a group's turn: notes which units reached the area of an objective.
    struct TurnEnd => turn_end
}

fn turn_end(In(_): In<TurnEnd>, ph: PhasedQuery) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    all_arrivals(&ph.view, &mut outcome);
    outcome.then(EndChecks)
}

system_step! {
    /// PH-60: the end of the round. Conditions expire, wounds bleed, morale is checked.
    struct RoundEnd => round_end
}

fn round_end(In(_): In<RoundEnd>) -> StepOutcome {
    let (part, group) = (PhasePart::End, Group::Low);
    let outcome = StepOutcome::default().and("PH-60", PhasedEvent::Part { part, group });
    outcome.then(EndSaves).then(EndUpkeep).then(Ageing)
}

system_step! {
    /// Saves against conditions that continue into the next round. A failed save breaks
    /// concentration (PH-20), which may end conditions on other units; conditions about to end need
    /// no save.
    struct EndSaves => end_saves
}

fn end_saves(In(_): In<EndSaves>, ph: PhasedQuery, mut dice: ResMut<DiceBox>) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    let now = ph.clock.round.into();
    let lasts = |who: Id, lasting: &ActiveCondition| {
        let mut over = ph.view.ids().filter_map(|id| upkeep_that_ends(&ph, id));
        let ends = |u: Upkeep| lasting.spell == Some(u.spell) && u.on & who.bit() != 0;
        lasting.until > now && !over.any(ends)
    };
    expire::<Phased>(&ph, now, lasts, &mut dice, &mut outcome);
    outcome
}

/// A spell that the unit can no longer keep up, or that has no effect after this round; `None`
/// otherwise.
fn upkeep_that_ends(ph: &PhasedQuery, who: Id) -> Option<Upkeep> {
    let ends = |u: &Upkeep| concentration::is_over(ph, *u) || !ph.is_up(who);
    ph.fighter(who).upkeep.filter(ends)
}

system_step! {
    /// Ends spells that have no effect any more or whose caster has fallen (PH-21).
    struct EndUpkeep => end_upkeep
}

fn end_upkeep(In(_): In<EndUpkeep>, ph: PhasedQuery) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    for who in ph.view.ids() {
        if upkeep_that_ends(&ph, who).is_some() {
            concentration::lets_go(&ph, who, &mut outcome);
        }
    }
    outcome
}

system_step! {
    /// The rest of the end of a round: expired conditions, bleeding, objectives, morale.
    struct Ageing => age
}

fn age(In(_): In<Ageing>, ph: PhasedQuery, mut dice: ResMut<DiceBox>) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    let now = ph.clock.round.into();
    let is_over = |_, lasting: &ActiveCondition| lasting.until <= now;
    expire::<Phased>(&ph, now, is_over, &mut dice, &mut outcome);
    bleed::bleed::<Phased>(&ph, &mut outcome);
    all_arrivals(&ph.view, &mut outcome);
    end_round(&ph.view, "PH-01", &mut outcome);
    outcome.push(EndChecks);
    outcome.then(Occasions).then(RoundStart)
}
