//! Attacks from the die to the wound (AC-30, AC-31).

use super::{
    ac::{Ac, open_ended},
    event::{ActivityEvent, deed_name},
    harm,
    odds::{Forecast, Verdict},
    state::Deed,
};
use crate::{
    battle::{
        Attack, CheckRoll, DiceBox, EventKind, Id, Item, Modifier, Place, Roll, RolledAttack,
        State, Step, StepOutcome,
    },
    rulesets::common::gear::{Throws, let_fall},
    system_step,
};
use bevy::ecs::system::{In, ResMut};
use std::{borrow::Cow, collections::BTreeMap};

/// Attacks that are made at the same time. Whether the battle is over is
/// looked at by whoever has them made, when all of one count has happened.
#[derive(Clone, Debug)]
pub struct AttackBatch {
    pub attacks: Vec<Attack>,
    /// What else happens at the same count: after the rolls and before the
    /// verdicts, so that neither comes first (AC-11).
    pub meanwhile: Vec<Box<dyn Step>>,
}
system_step!(AttackBatch, volley);

impl AttackBatch {
    pub fn of(attacks: Vec<Attack>) -> Self {
        Self {
            attacks,
            meanwhile: vec![],
        }
    }
}

fn volley(In(step): In<AttackBatch>, ac: Ac, mut dice: ResMut<DiceBox>) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    let mut rolled: Vec<(u32, Forecast)> = vec![];
    let mut throws = Throws::default();
    for attack in step.attacks {
        let who = attack.by;
        if !throws.has(&ac.view, &attack) {
            let why = "it has that no longer".into();
            outcome.emit("AC-01", EventKind::Stopped { who, why });
            continue;
        }
        match ac.forecast(&attack) {
            Err(why) => {
                let stopped = EventKind::Stopped { who, why: why.text };
                outcome.emit(why.rule, stopped);
            }
            Ok(forecast) => {
                let serial = ac.flights.next() + rolled.len() as u32;
                let mut roll = open_ended(&mut dice);
                roll.modifiers = forecast.modifiers.clone();
                rolled.push((serial, forecast));
                if ac.actor(who).hidden {
                    outcome.emit("AC-01", ActivityEvent::Revealed { who }.event());
                }
                if attack.ranged && ac.weapon(attack.with).activity.reload > 0 {
                    let item = attack.with;
                    outcome.emit("AC-26", ActivityEvent::Loosed { who, item }.event());
                }
                let rule = attack.rule;
                let shot = RolledAttack {
                    serial,
                    attack: attack.clone(),
                    roll,
                };
                outcome.emit(rule, EventKind::AttackRolled { shot });
                throws.fly(&ac.view, &attack, &mut outcome);
            }
        }
    }
    outcome.next.extend(step.meanwhile);
    if !rolled.is_empty() {
        outcome.push(Settle(rolled));
    }
    outcome
}

/// The verdicts and the wounds of attacks that were rolled together: all from
/// the state in which they were rolled, so two who strike at once may both
/// fall.
#[derive(Clone, Debug)]
struct Settle(Vec<(u32, Forecast)>);
system_step!(Settle, settle);

fn settle(In(Settle(rolled)): In<Settle>, ac: Ac, mut dice: ResMut<DiceBox>) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    let mut lost: BTreeMap<Id, (i32, bool)> = BTreeMap::new();
    let mut missiles: BTreeMap<Id, usize> = BTreeMap::new();
    for (serial, mut forecast) in rolled {
        let shot = ac
            .flights
            .get(serial)
            .expect("what was rolled is in flight");
        let attack = &shot.attack;
        let settled = |hit, against, why: String| EventKind::AttackSettled {
            serial,
            hit,
            against,
            why: why.into(),
        };
        if !matches!(ac.body(attack.at).state, State::Up | State::Down) {
            outcome.emit("AC-33", settled(false, 0, "the target is gone".into()));
            continue;
        }
        // AC-22: each parry meets one missile, also of several at one count.
        let who = attack.at;
        if forecast.defence.iter().any(|m| m.rule == "AC-22") {
            let met = missiles.entry(who).or_default();
            if *met >= ac.missile_parries_left(who) {
                forecast.defence.retain(|m| m.rule != "AC-22");
            } else {
                *met += 1;
                outcome.emit("AC-22", ActivityEvent::ParriedMissile { who }.event());
            }
        }
        parries(&ac, attack, &forecast, &mut outcome);
        if !forecast.defence.is_empty() {
            let parts = forecast.defence.clone();
            outcome.emit("AC-32", ActivityEvent::Defends { who, parts }.event());
        }
        let first = shot.roll.dice.first().map_or(0, |d| i32::from(d.1));
        match forecast.verdict(first, shot.roll.total()) {
            Verdict::Fumble => {
                outcome.emit("AC-30", settled(false, forecast.db(), "a fumble".into()));
                fumble(&ac, attack, &mut dice, &mut outcome, &mut lost);
            }
            Verdict::Miss(_) => {
                outcome.emit("AC-30", settled(false, forecast.db(), log_text(&forecast)));
            }
            Verdict::Hit(total) => {
                let why = format!("{} {total}", forecast.size.name());
                outcome.emit("AC-30", settled(true, forecast.db(), why));
                wound(&ac, attack, &forecast, total, &mut outcome, &mut lost);
            }
        }
    }
    for (who, (points, dead)) in lost {
        harm::sink(&ac, who, points, dead, &mut outcome);
    }
    outcome
}

/// AC-13: whether the OB that is kept has met a blow; if not, its side is told
/// why.
fn parries(ac: &Ac, attack: &Attack, forecast: &Forecast, outcome: &mut StepOutcome) {
    let who = attack.at;
    let actor = ac.actor(who);
    let done = actor.last.is_some_and(Deed::allows_parry);
    let next = actor.plan.get(actor.next).map(|p| p.deed);
    if forecast.defence.iter().any(|m| m.rule == "AC-13") {
        let rule = match next {
            _ if done => "AC-13",
            Some(deed) if !deed.is_action() => "AC-16",
            _ if actor.next > 0 || actor.waiting => "AC-15",
            _ => "AC-13",
        };
        outcome.emit(rule, ActivityEvent::Parried { who }.event());
        return;
    }
    if attack.ranged || actor.parry == 0 || !ac.is_up(who) {
        return;
    }
    let mut still = actor.plan.iter().skip(actor.next).map(|p| p.deed);
    let (rule, why) = match still.find(Deed::is_action) {
        _ if actor.is_helpless() => ("AC-13", "helpless".into()),
        _ if actor.may_parry() => ("AC-13", "no weapon in hand".into()),
        None => ("AC-13", "no melee is under way or to come".into()),
        Some(deed) => {
            let rule = match deed {
                Deed::Spell { .. } => "AC-16",
                _ => "AC-15",
            };
            let deed = deed_name(&deed, ac.view.names());
            (rule, Cow::from(format!("{deed} comes first")))
        }
    };
    let side = ac.body(who).side;
    ActivityEvent::CannotParry { who, why }.sealed(rule, side, outcome);
}

/// What of the defence was for the moment.
fn log_text(forecast: &Forecast) -> String {
    let passing = forecast.defence.iter();
    let passing = passing.filter(|m| matches!(m.rule, "AC-13" | "AC-22" | "AC-20"));
    let words: Vec<String> = passing
        .map(|m| format!("{} {}", m.label, m.value))
        .collect();
    words.join(", ")
}

fn wound(
    ac: &Ac,
    attack: &Attack,
    forecast: &Forecast,
    total: i32,
    outcome: &mut StepOutcome,
    lost: &mut BTreeMap<Id, (i32, bool)>,
) {
    let Some(row) = forecast.row(total) else {
        return;
    };
    let who = attack.at;
    let roll = Roll {
        dice: vec![],
        modifiers: vec![Modifier::new(row.hits as i16, row.text.as_str(), "AC-31")],
    };
    outcome.emit(
        "AC-31",
        EventKind::Damaged {
            who,
            by: Some(attack.by),
            points: row.hits,
            roll,
        },
    );
    harm::mark(ac, who, row, outcome);
    let sum = lost.entry(who).or_default();
    *sum = (sum.0 + row.hits, sum.1 || row.dead);
}

/// AC-30: a first roll within the weapon's fumble range.
fn fumble(
    ac: &Ac,
    attack: &Attack,
    dice: &mut DiceBox,
    outcome: &mut StepOutcome,
    lost: &mut BTreeMap<Id, (i32, bool)>,
) {
    let who = attack.by;
    let roll = Roll::one(100, dice.roll(100), vec![]);
    let row = ac.tables().fumble(roll.total());
    let log_text = CheckRoll::by(who, format!("fumble, {}", row.text), roll).event();
    outcome.emit("AC-30", log_text);
    if row.drop {
        drop_weapon(ac, who, attack.with, outcome);
    }
    if row.hits > 0 {
        let points = row.hits;
        let roll = Roll {
            dice: vec![],
            modifiers: vec![Modifier::new(points as i16, "fumble", "AC-30")],
        };
        let damaged = EventKind::Damaged {
            who,
            by: None,
            points,
            roll,
        };
        outcome.emit("AC-30", damaged);
        lost.entry(who).or_default().0 += points;
    }
    harm::mark(ac, who, row, outcome);
}

fn drop_weapon(ac: &Ac, who: Id, item: Item, outcome: &mut StepOutcome) {
    let from = ac.gear(who).place(item);
    if let Some(from @ (Place::Hand | Place::OffHand)) = from {
        let_fall(&ac.view, who, item, from, "AC-30", outcome);
    }
}
