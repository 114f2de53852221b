//! Attacks from the die to the wound: rolled together, open to immediate
//! spells, settled together.

use super::{
    aftermath::Aftermath,
    concentration,
    fact::PhasedEvent,
    odds::{Blow, Foil, Forecast},
    ph::Ph,
    reactions::{Reactions, Trigger},
    wounds,
};
use crate::{
    battle::{
        DiceBox, Event, EventKind, Id, Modifier, Roll, RolledAttack, Rule, Seen, StepOutcome,
    },
    rulesets::common::gear::Throws,
    system_step,
};
use bevy::ecs::system::{In, ResMut};
use std::collections::BTreeMap;

/// Attacks that happen in the same segment.
#[derive(Clone, Debug)]
pub struct AttackBatch(pub Vec<Blow>);
system_step!(AttackBatch, roll);

/// PH-35: a d20 for each attack of the routines that can still be made. No
/// verdict yet: whether it hits is for [`Settle`] to say.
fn roll(In(AttackBatch(blows)): In<AttackBatch>, ph: Ph, mut dice: ResMut<DiceBox>) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    let mut shots: Vec<(u32, Blow)> = vec![];
    let mut stopped: Vec<Id> = vec![];
    let mut throws = Throws::default();
    for blow in blows {
        let by = blow.attack.by;
        if !throws.has(&ph.view, &blow.attack) {
            continue;
        }
        let forecast = match ph.forecast(&blow) {
            Ok(forecast) => forecast,
            Err(why) => {
                if !stopped.contains(&by) {
                    stopped.push(by);
                    outcome.emit(
                        why.rule,
                        EventKind::Stopped {
                            who: by,
                            why: why.text,
                        },
                    );
                }
                continue;
            }
        };
        if !shots.iter().any(|s| s.1.attack.by == by) {
            ph.reveal(by, &mut outcome);
        }
        let serial = ph.flights.next() + shots.len() as u32;
        let roll = Roll::one(20, dice.roll(20), forecast.modifiers);
        let shot = RolledAttack {
            serial,
            attack: blow.attack.clone(),
            roll,
        };
        outcome.emit(blow.attack.rule, EventKind::AttackRolled { shot });
        throws.fly(&ph.view, &blow.attack, &mut outcome);
        shots.push((serial, blow));
    }
    if shots.is_empty() {
        return outcome;
    }
    let serials = shots.iter().map(|s| s.0).collect();
    outcome
        .then(Reactions::open(Trigger::Rolled(serials)))
        .then(Settle(shots))
}

/// The verdicts and the wounds of attacks that were rolled together.
#[derive(Clone, Debug)]
struct Settle(Vec<(u32, Blow)>);
system_step!(Settle, settle);

/// Derived from the state after all reactions, and for all attacks from the
/// same state: two who strike at once may both fall.
fn settle(In(Settle(shots)): In<Settle>, ph: Ph, mut dice: ResMut<DiceBox>) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    let mut lost: BTreeMap<Id, (i32, bool)> = BTreeMap::new();
    let mut foiled: Vec<(Id, Id)> = vec![];
    let mut attacked: Vec<Id> = vec![];
    for (serial, blow) in shots {
        let attack = &blow.attack;
        let shot = ph
            .flights
            .get(serial)
            .expect("what was rolled is in flight");
        let settled = |hit, against, why: String| EventKind::AttackSettled {
            serial,
            hit,
            against,
            why: why.into(),
        };
        if !attacked.contains(&attack.at) {
            attacked.push(attack.at);
        }
        let forecast = match ph.forecast(&blow) {
            Ok(forecast) => forecast,
            Err(why) => {
                outcome.emit(why.rule, settled(false, 0, why.text.into()));
                continue;
            }
        };
        let face = i32::from(shot.roll.dice[0].1);
        // The ends of the die, and of the tables (PH-31).
        let at_an_end = matches!(face, 1 | 20) || forecast.needs() >= 20;
        let rule = match forecast.called {
            true => "PH-38",
            false if at_an_end => "PH-31",
            false => "PH-30",
        };
        if let Some(foil) = forecast.foiled {
            // What does not show is told as any miss.
            match foil.shows() {
                true => outcome.emit("PH-37", settled(false, forecast.ac, "foiled".into())),
                false => outcome.emit(rule, settled(false, forecast.ac, verdict(&forecast, face))),
            }
            if !foiled.contains(&(attack.at, attack.by)) {
                foiled.push((attack.at, attack.by));
                let hedged = foil == Foil::Hedged;
                tell_foiled(&ph, "PH-37", attack.at, attack.by, hedged, &mut outcome);
            }
            continue;
        }
        let hit = forecast.hits_with(face, shot.roll.total());
        outcome.emit(rule, settled(hit, forecast.ac, verdict(&forecast, face)));
        if !hit {
            continue;
        }
        let (points, roll) = damage(&forecast, &mut dice);
        outcome.emit(
            "PH-34",
            EventKind::Damaged {
                who: attack.at,
                by: Some(attack.by),
                points,
                roll,
            },
        );
        let lethal = ph.weapon(attack.with).lethal;
        let sum = lost.entry(attack.at).or_insert((0, false));
        *sum = (sum.0 + points, sum.1 || lethal);
    }
    for who in attacked.into_iter().filter(|&id| ph.fighter(id).listens) {
        outcome.emit("PH-04", PhasedEvent::HearsNoMore { who }.event());
    }
    for (who, (points, lethal)) in lost {
        concentration::breaks(&ph, who, &mut outcome);
        wounds::suffer(&ph, who, points, lethal, &mut outcome);
    }
    outcome.then(Aftermath)
}

/// PH-37: an attack or effect has come to nothing. A warding is plain to all;
/// of an immunity that does not show only its own side is told.
pub fn tell_foiled(ph: &Ph, rule: Rule, who: Id, by: Id, hedged: bool, outcome: &mut StepOutcome) {
    let shows = hedged || ph.stats(who).shows;
    let seen = match shows {
        true => Seen::All,
        false => Seen::Only(ph.body(who).side),
    };
    let what = PhasedEvent::Foiled {
        who,
        by,
        shows,
        hedged,
    };
    let what = what.event();
    outcome.events.push(Event { rule, seen, what });
}

/// Why it hits or misses, where that is not plain from the numbers.
fn verdict(forecast: &Forecast, face: i32) -> String {
    let needs = forecast.needs();
    match face {
        20 => "a 20".into(),
        1 => "a 1".into(),
        _ if forecast.called => "it takes a 20".into(),
        _ => format!("needs {needs} in all"),
    }
}

/// PH-34: the sum is multiplied, all modifiers in it.
fn damage(forecast: &Forecast, dice: &mut DiceBox) -> (i32, Roll) {
    let d = &forecast.damage;
    let rolled: Vec<(u16, u16)> = (0..d.dice.count)
        .map(|_| (d.dice.sides, dice.roll(d.dice.sides)))
        .collect();
    let points = d.done(rolled.iter().map(|r| i32::from(r.1)).sum());
    let mut modifiers = d.modifiers.clone();
    if d.dice.plus != 0 {
        modifiers.insert(0, Modifier::new(d.dice.plus, "weapon", "PH-34"));
    }
    let mut roll = Roll {
        dice: rolled,
        modifiers,
    };
    let more = points - roll.total();
    if more != 0 {
        let label = match d.times {
            1 => String::from("at least a point"),
            times => format!("{times} times"),
        };
        roll.modifiers
            .push(Modifier::new(more as i16, label, "PH-34"));
    }
    (points, roll)
}
