//! Attacks from the die to the wound: all of one volley are rolled and settled
//! on one state, so that two who strike at once may both fall (SE-32).

use super::{
    aftermath::Aftermath,
    fighter::Blow,
    odds::{Damage, Forecast},
    se::Se,
    wounds,
};
use crate::{
    battle::{CheckRoll, DiceBox, EventKind, Modifier, Roll, RolledAttack, StepOutcome},
    rulesets::common::gear::Throws,
    system_step,
};
use bevy::ecs::system::{In, ResMut};
use std::collections::{BTreeMap, BTreeSet};

/// Blows that are dealt at once: a routine, or those of all who act in a
/// segment.
#[derive(Clone, Debug)]
pub struct AttackBatch(pub Vec<Blow>);
system_step!(AttackBatch, roll);

fn roll(In(AttackBatch(blows)): In<AttackBatch>, se: Se, mut dice: ResMut<DiceBox>) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    let mut rolled: Vec<(RolledAttack, Forecast)> = vec![];
    let mut stopped = BTreeSet::new();
    let mut throws = Throws::default();
    for mut blow in blows {
        let by = blow.attack.by;
        if !throws.has(&se.view, &blow.attack) {
            continue;
        }
        if let Err(why) = se.forecast(&blow) {
            // Of those dropped before their blow the log has told enough; of the
            // others it tells once.
            if se.is_up(by) && stopped.insert(by) {
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
        if blow.attack.ranged {
            astray(&se, &mut blow, &mut dice, &mut outcome);
        }
        let forecast = match se.forecast(&blow) {
            Ok(forecast) => forecast,
            Err(_) => se.plain_forecast(&blow),
        };
        let shot = RolledAttack {
            serial: se.flights.next() + rolled.len() as u32,
            roll: Roll::one(20, dice.roll(20), forecast.modifiers.clone()),
            attack: blow.attack,
        };
        outcome.emit(
            shot.attack.rule,
            EventKind::AttackRolled { shot: shot.clone() },
        );
        throws.fly(&se.view, &shot.attack, &mut outcome);
        rolled.push((shot, forecast));
    }
    let mut lost = BTreeMap::new();
    for (shot, forecast) in rolled {
        let natural = i32::from(shot.roll.dice[0].1);
        let hit = forecast.hits_with(natural);
        let why = match natural {
            20 => String::from("a natural 20"),
            1 => String::from("a natural 1"),
            _ => format!("needs {} in all", forecast.against()),
        };
        let settled = EventKind::AttackSettled {
            serial: shot.serial,
            hit,
            against: forecast.ac,
            why: why.into(),
        };
        outcome.emit("SE-50", settled);
        if hit {
            let (who, by) = (shot.attack.at, Some(shot.attack.by));
            let (points, roll) = damage(&forecast.damage, &mut dice);
            let rule = if forecast.damage.times > 1 {
                "SE-51"
            } else {
                "SE-50"
            };
            outcome.emit(
                rule,
                EventKind::Damaged {
                    who,
                    by,
                    points,
                    roll,
                },
            );
            let sum = lost.entry(who).or_insert((0, false));
            let lethal = se.weapon(shot.attack.with).lethal;
            *sum = (sum.0 + points, sum.1 || lethal);
        }
    }
    for (who, (points, lethal)) in lost {
        wounds::suffer(&se, who, points, lethal, &mut outcome);
    }
    outcome.then(Aftermath)
}

/// SE-53: who of those in melee around its target a missile flies at.
fn astray(se: &Se, blow: &mut Blow, dice: &mut DiceBox, outcome: &mut StepOutcome) {
    let around = se.melee_around(blow.attack.by, blow.attack.at);
    if around.len() < 2 {
        return;
    }
    let sizes: u16 = around.iter().map(|a| a.1).sum();
    let value = dice.roll(sizes);
    let mut left = value;
    let found = around.iter().find(|(_, size)| {
        let is_it = left <= *size;
        left = left.saturating_sub(*size);
        is_it
    });
    blow.attack.at = found.map_or(blow.attack.at, |f| f.0);
    outcome.emit(
        "SE-53",
        CheckRoll::by(
            blow.attack.by,
            "missile into melee",
            Roll::one(sizes, value, vec![]),
        )
        .event(),
    );
}

fn damage(d: &Damage, dice: &mut DiceBox) -> (i32, Roll) {
    let rolled: Vec<(u16, u16)> = (0..d.dice.count)
        .map(|_| (d.dice.sides, dice.roll(d.dice.sides)))
        .collect();
    let points = d.done(rolled.iter().map(|r| i32::from(r.1)).sum());
    let mut modifiers = d.modifiers.clone();
    if d.dice.plus != 0 {
        modifiers.insert(0, Modifier::new(d.dice.plus, "weapon", "SE-50"));
    }
    let mut roll = Roll {
        dice: rolled,
        modifiers,
    };
    let more = (points - roll.total()) as i16;
    if more != 0 {
        let (label, rule) = match d.times {
            1 => ("at least 1", "SE-50"),
            _ => ("double", "SE-51"),
        };
        roll.modifiers.push(Modifier::new(more, label, rule));
    }
    (points, roll)
}
