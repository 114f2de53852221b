//! Attacks from the die to the wound: rolled together, settled together.

use super::{
    aftermath::Aftermath,
    facts::SpeedEvent,
    injury::{Critical, Injuries},
    odds::Forecast,
    reactions::{Reactions, Trigger},
    sp::Sp,
    state::Ailment,
    tables::Condition,
    wounds::{DamageTally, Harm},
};
use crate::{
    battle::{Attack, DiceBox, EventKind, Id, Modifier, Roll, RolledAttack, Step, StepOutcome},
    rulesets::common::gear::Throws,
    system_step,
};
use bevy::ecs::system::{In, ResMut};

/// Attacks that happen at once, often a single one.
#[derive(Clone, Debug)]
pub struct AttackBatch {
    pub attacks: Vec<Attack>,
    /// What else happens at the same count, after the rolls and before the
    /// verdicts (SP-03).
    pub meanwhile: Vec<Box<dyn Step>>,
}
system_step!(AttackBatch, roll);

impl AttackBatch {
    pub fn of(attacks: Vec<Attack>) -> Self {
        Self {
            attacks,
            meanwhile: vec![],
        }
    }
}

/// SP-20: a d20 for each attack that can be made.
fn roll(In(step): In<AttackBatch>, sp: Sp, mut dice: ResMut<DiceBox>) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    let mut rolled: Vec<(u32, Forecast)> = vec![];
    let mut throws = Throws::default();
    for attack in step.attacks {
        match sp.forecast(&attack) {
            Err(why) => {
                let stopped = EventKind::Stopped {
                    who: attack.by,
                    why: why.text,
                };
                outcome.emit(why.rule, stopped);
            }
            Ok(forecast) => {
                let serial = sp.flights.next() + rolled.len() as u32;
                let roll = Roll::one(20, dice.roll(20), forecast.modifiers.clone());
                rolled.push((serial, forecast));
                let rule = attack.rule;
                let shot = RolledAttack {
                    serial,
                    attack: attack.clone(),
                    roll,
                };
                outcome.emit(rule, EventKind::AttackRolled { shot });
                throws.fly(&sp.view, &attack, &mut outcome);
            }
        }
    }
    outcome.next.extend(step.meanwhile);
    if !rolled.is_empty() {
        outcome.push(Settle(rolled));
    }
    outcome
}

/// The verdicts and the wounds of attacks that were rolled together, all from
/// the state in which they were rolled: two who strike at one count may both
/// fall, and a ward that is cast at the same count comes too late (SP-03).
#[derive(Clone, Debug)]
struct Settle(Vec<(u32, Forecast)>);
system_step!(Settle, settle);

fn settle(In(Settle(rolled)): In<Settle>, sp: Sp, mut dice: ResMut<DiceBox>) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    let mut toll = DamageTally::new(&sp);
    let mut criticals = vec![];
    let mut struck = vec![];
    for (serial, forecast) in rolled {
        let shot = sp.flights.get(serial);
        let shot = shot.expect("what was rolled is in flight").clone();
        let attack = &shot.attack;
        struck.push((attack.at, attack.by));
        let settled = |hit, against, why: &'static str| EventKind::AttackSettled {
            serial,
            hit,
            against,
            why: why.into(),
        };
        if !sp.is_there(attack.at) {
            outcome.emit("SP-20", settled(false, 0, "the target is gone"));
            continue;
        }
        let hit = shot.roll.total() >= forecast.defense;
        let natural = shot.roll.dice.first().map_or(0, |d| i32::from(d.1));
        let critical = hit && natural >= forecast.critical;
        let log_text = match forecast.defense_modifiers.first() {
            Some(m) if m.rule == "SP-10" => "full defense",
            Some(_) => "ward",
            None if critical => "a critical hit",
            None => "",
        };
        let rule = if critical { "SP-26" } else { "SP-20" };
        outcome.emit(rule, settled(hit, forecast.defense, log_text));
        if !hit {
            continue;
        }
        let (points, roll) = damage(&forecast, critical, &mut dice);
        let weapon = sp.weapon(attack.with);
        let harm = Harm {
            who: attack.at,
            by: Some(attack.by),
            points,
            critical,
            lethal: weapon.lethal,
            kind: weapon.speed.types.first().copied(),
            roll,
        };
        let loss = toll.take(harm, &mut outcome);
        let wound = toll.latest(attack.at).filter(|_| loss.wounds > 0);
        if weapon.speed.seizes {
            seize(&sp, attack.by, attack.at, &mut outcome);
        }
        if critical {
            criticals.push(Critical {
                by: attack.by,
                at: attack.at,
                types: weapon.speed.types.clone(),
                dealt: points,
                wound,
            });
        }
    }
    toll.close(&mut outcome);
    if !criticals.is_empty() {
        outcome.push(Injuries(criticals));
    }
    outcome.push(Aftermath);
    // SP-10: those who defend themselves answer once the attack is over.
    let defending = |s: &(Id, Id)| sp.fighter(s.0).full_defense;
    let struck: Vec<(Id, Id)> = struck.into_iter().filter(defending).collect();
    if !struck.is_empty() {
        outcome.push(Reactions::open(Trigger::Struck(struck)));
    }
    outcome
}

fn seize(sp: &Sp, by: Id, who: Id, outcome: &mut StepOutcome) {
    if !sp.fighter(who).suffers(Condition::Grappled) {
        let ailment = Ailment {
            condition: Condition::Grappled,
            rounds: None,
            of: Some(by),
        };
        outcome.emit("SP-32", SpeedEvent::Afflicted { who, ailment }.event());
    }
}

/// SP-21, SP-26: the dice of a hit, multiplied if critical, armour off.
fn damage(forecast: &Forecast, critical: bool, dice: &mut DiceBox) -> (i32, Roll) {
    let sides = forecast.dice.sides;
    let rolled: Vec<(u16, u16)> = (0..forecast.dice.count)
        .map(|_| (sides, dice.roll(sides)))
        .collect();
    let sum: i32 = rolled.iter().map(|r| i32::from(r.1)).sum();
    let points = forecast.damage(sum, critical);
    let mut roll = Roll {
        dice: rolled,
        modifiers: forecast.damage_modifiers.clone(),
    };
    let mut add = |value: i32, label: &'static str, rule| {
        let m = Modifier::new(value as i16, label, rule);
        roll.modifiers.push(m);
    };
    add(forecast.dice.plus.into(), "weapon", "SP-20");
    if critical {
        let bonus: i32 = forecast
            .damage_modifiers
            .iter()
            .map(|m| i32::from(m.value))
            .sum();
        let once = (sum + i32::from(forecast.dice.plus) + bonus).max(0);
        add(once * (forecast.times - 1), "critical hit", "SP-26");
    }
    add(-forecast.armour, "armour", "SP-21");
    (points, roll)
}
