//! Attacks from the die to the wound: rolled together, open to reactions,
//! settled together.

use super::{
    acts::is_maneuver,
    aftermath::Aftermath,
    alarm,
    fighter::SkirmishEvent,
    grapple::Hold,
    loads,
    odds::{Forecast, ShockForecast, ShockStop},
    reactions::{Reactions, Trigger},
    screens::{self, Answered},
    sk::Sk,
    trials::{self, Outcome, Trial},
    wounds,
};
use crate::{
    battle::{Attack, DiceBox, EventKind, Modifier, Roll, RolledAttack, StepOutcome},
    rulesets::common::gear::Throws,
    system_step,
};
use bevy::ecs::system::{In, ResMut};
use std::collections::BTreeMap;

/// Attacks that happen at once, often a single one.
#[derive(Clone, Debug)]
pub struct AttackBatch(pub Vec<Attack>);
system_step!(AttackBatch, begin);

/// Screens are met first (SK-15).
fn begin(
    In(AttackBatch(attacks)): In<AttackBatch>,
    sk: Sk,
    mut dice: ResMut<DiceBox>,
) -> StepOutcome {
    let (mut screened, mut trials) = (vec![], vec![]);
    let mut answered = Answered::new();
    for (n, attack) in attacks.iter().enumerate() {
        if let Some(trial) = screens::meet(&sk, attack, &mut answered, &mut dice) {
            screened.push(n);
            trials.push(trial);
        }
    }
    if trials.is_empty() {
        return roll(&sk, attacks, &mut dice);
    }
    let met = Screened { attacks, screened };
    trials::open(trials, StepOutcome::default(), met)
}

/// Attacks some of which have met screens.
#[derive(Clone, Debug)]
struct Screened {
    attacks: Vec<Attack>,
    /// Which of them.
    screened: Vec<usize>,
}

impl Outcome for Screened {
    fn settled(self, sk: &Sk, trials: &[Trial], dice: &mut DiceBox) -> StepOutcome {
        let Self {
            mut attacks,
            screened,
        } = self;
        let mut outcome = StepOutcome::default();
        for (n, trial) in std::iter::zip(screened, trials) {
            attacks[n] = screens::met(attacks[n].clone(), trial, &mut outcome);
        }
        let rolled = roll(sk, attacks, dice);
        outcome.events.extend(rolled.events);
        outcome.next = rolled.next;
        outcome
    }
}

/// SK-30: a d20 for each attack that can still be made. No verdict yet: whether
/// it hits is for [`Settle`] to say.
fn roll(sk: &Sk, attacks: Vec<Attack>, dice: &mut DiceBox) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    let mut serials = vec![];
    for attack in attacks {
        match sk.forecast(&attack) {
            Err(why) => outcome.emit(
                why.rule,
                EventKind::Stopped {
                    who: attack.by,
                    why: why.text,
                },
            ),
            Ok(forecast) => {
                let serial = sk.flights.next() + serials.len() as u32;
                let roll = Roll::one(20, dice.roll(20), forecast.modifiers);
                serials.push(serial);
                let rule = attack.rule;
                let who = attack.by;
                if !attack.ranged && !sk.weapon(attack.with).arms_for_melee() {
                    outcome.emit("SK-11", SkirmishEvent::Brawled { who }.event());
                }
                outcome.emit(
                    rule,
                    EventKind::AttackRolled {
                        shot: RolledAttack {
                            serial,
                            attack,
                            roll,
                        },
                    },
                );
            }
        }
    }
    if serials.is_empty() {
        return outcome;
    }
    outcome
        .then(Reactions::open(Trigger::Rolled(serials.clone())))
        .then(Settle(serials))
}

/// The verdicts and the wounds of attacks that were rolled together.
#[derive(Clone, Debug)]
struct Settle(Vec<u32>);
system_step!(Settle, settle);

/// Derived from the state after all reactions, and for all attacks from the
/// same state: two who strike at once may both fall.
fn settle(In(Settle(serials)): In<Settle>, sk: Sk, mut dice: ResMut<DiceBox>) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    let mut lost = BTreeMap::new();
    let mut attacked = vec![];
    let mut throws = Throws::default();
    let mut shields = 0u64;
    for serial in serials {
        let shot = sk
            .flights
            .get(serial)
            .expect("what was rolled is in flight")
            .clone();
        let attack = &shot.attack;
        attacked.push((attack.by, attack.at));
        let settled = |hit, against, why: &str| EventKind::AttackSettled {
            serial,
            hit,
            against,
            why: why.to_owned().into(),
        };
        let forecast = match sk.forecast(attack) {
            Ok(forecast) => forecast,
            Err(_) if !sk.is_up(attack.by) => {
                outcome.emit("SK-12", settled(false, 0, "the attacker was dropped first"));
                continue;
            }
            Err(why) => {
                let text = why.text;
                outcome.emit(
                    why.rule,
                    EventKind::AttackSettled {
                        serial,
                        hit: false,
                        against: 0,
                        why: text,
                    },
                );
                // The arrow is gone all the same.
                if attack.ranged {
                    loads::shot(&sk, attack, &mut throws, &mut outcome);
                }
                continue;
            }
        };
        let hit = shot.roll.total() >= forecast.ac;
        let now: Vec<&str> = forecast.ac_modifiers.iter().map(|m| &*m.label).collect();
        outcome.emit("SK-30", settled(hit, forecast.ac, &now.join(", ")));
        if is_maneuver(attack) {
            // A check takes the place of damage: it follows.
            if hit {
                let (by, at) = (attack.by, attack.at);
                outcome.emit(attack.rule, Hold::Opening { by, at }.event());
            }
            continue;
        }
        if attack.ranged {
            loads::shot(&sk, attack, &mut throws, &mut outcome);
        }
        let points = if hit {
            let (points, roll) = damage(&forecast, &mut dice);
            let damaged = EventKind::Damaged {
                who: attack.at,
                by: Some(attack.by),
                points,
                roll,
            };
            outcome.emit("SK-32", damaged);
            points
        } else {
            shock(&sk, &mut outcome, attack, &forecast, &mut shields)
        };
        wounds::add(&mut lost, attack.at, points, sk.weapon(attack.with).lethal);
    }
    wounds::fall_of(&sk, lost, &mut outcome);
    alarm::by_attacks(&sk, attacked, &mut outcome);
    outcome.then(Aftermath)
}

/// Rolls the damage of a hit: the points, and how they came about.
pub fn damage(forecast: &Forecast, dice: &mut DiceBox) -> (i32, Roll) {
    let d = &forecast.damage;
    let rolled: Vec<(u16, u16)> = (0..d.dice.count)
        .map(|_| (d.dice.sides, dice.roll(d.dice.sides)))
        .collect();
    let points = d.done(rolled.iter().map(|r| i32::from(r.1)).sum());
    let mut modifiers = d.modifiers.clone();
    if d.dice.plus != 0 {
        modifiers.insert(0, Modifier::new(d.dice.plus, "weapon", "SK-32"));
    }
    let mut roll = Roll {
        dice: rolled,
        modifiers,
    };
    if d.swarm > 0 {
        let more = Modifier::new(d.swarm as i16, "swarm", "SK-13");
        roll.modifiers.push(more);
        if points < roll.total() {
            let less = (points - roll.total()) as i16;
            let most = Modifier::new(less, "no more than its most", "SK-13");
            roll.modifiers.push(most);
        }
    }
    if points > roll.total().max(0) {
        let more = (points - roll.total()) as i16;
        roll.modifiers
            .push(Modifier::new(more, "no less than the Shock", "SK-32"));
    }
    (points, roll)
}

/// SK-40: what a miss does. A shield ignores one Shock a round (SK-42), also
/// when two come at once.
fn shock(
    sk: &Sk,
    outcome: &mut StepOutcome,
    attack: &Attack,
    forecast: &Forecast,
    shields: &mut u64,
) -> i32 {
    let who = attack.at;
    let points = match forecast.shock {
        ShockForecast::None => return 0,
        ShockForecast::Does(points) => points,
        ShockForecast::Stopped {
            points,
            by: ShockStop::Shield,
        } => {
            if *shields & who.bit() == 0 {
                *shields |= who.bit();
                outcome.emit("SK-42", SkirmishEvent::ShieldSpent { who }.event());
                return 0;
            }
            points
        }
        ShockForecast::Stopped {
            by: ShockStop::TotalDefense,
            ..
        } => {
            outcome.emit(
                "SK-17",
                SkirmishEvent::ShockStopped {
                    who,
                    by: "total defense",
                }
                .event(),
            );
            return 0;
        }
        ShockForecast::Stopped {
            by: ShockStop::Immune,
            ..
        } => {
            outcome.emit(
                "SK-71",
                SkirmishEvent::ShockStopped {
                    who,
                    by: "its nature",
                }
                .event(),
            );
            return 0;
        }
    };
    let (name, rule) = match sk.shocks_any_ac(attack) {
        true => ("Shock against any AC", "SK-41"),
        false => ("Shock", "SK-40"),
    };
    let roll = Roll {
        dice: vec![],
        modifiers: vec![Modifier::new(points as i16, name, rule)],
    };
    outcome.emit(
        "SK-40",
        EventKind::Damaged {
            who,
            by: Some(attack.by),
            points,
            roll,
        },
    );
    points
}
