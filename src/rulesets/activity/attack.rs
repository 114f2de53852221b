//! Attacks from the die to the wound (AC-30, AC-31).

use super::{
    ac::{Ac, open_ended},
    event::{Fact, deed_name},
    harm,
    odds::{Forecast, Verdict},
    state::Deed,
};
use crate::{
    battle::{
        Attack, Change, DiceBox, Flow, Id, InFlight, Item, Modifier, Place, Roll, State, Step,
    },
    rulesets::common::gear::{Throws, let_fall},
    system_step,
};
use bevy::ecs::system::{In, ResMut};
use std::{borrow::Cow, collections::BTreeMap};

/// Attacks that are made at the same time. Whether the battle is over is
/// looked at by whoever has them made, when all of one count has happened.
#[derive(Clone, Debug)]
pub struct Volley {
    pub attacks: Vec<Attack>,
    /// What else happens at the same count: after the rolls and before the
    /// verdicts, so that neither comes first (AC-11).
    pub meanwhile: Vec<Box<dyn Step>>,
}
system_step!(Volley, volley);

impl Volley {
    pub fn of(attacks: Vec<Attack>) -> Self {
        Self {
            attacks,
            meanwhile: vec![],
        }
    }
}

fn volley(In(step): In<Volley>, ac: Ac, mut dice: ResMut<DiceBox>) -> Flow {
    let mut flow = Flow::default();
    let mut rolled: Vec<(u32, Forecast)> = vec![];
    let mut throws = Throws::default();
    for attack in step.attacks {
        let who = attack.by;
        if !throws.has(&ac.view, &attack) {
            let why = "it has that no longer".into();
            flow.emit("AC-01", Change::Stopped { who, why });
            continue;
        }
        match ac.forecast(&attack) {
            Err(why) => {
                let stopped = Change::Stopped { who, why: why.text };
                flow.emit(why.rule, stopped);
            }
            Ok(forecast) => {
                let serial = ac.flights.next() + rolled.len() as u32;
                let mut roll = open_ended(&mut dice);
                roll.modifiers = forecast.modifiers.clone();
                rolled.push((serial, forecast));
                if ac.actor(who).hidden {
                    flow.emit("AC-01", Fact::Revealed { who }.event());
                }
                if attack.ranged && ac.weapon(attack.with).activity.reload > 0 {
                    let item = attack.with;
                    flow.emit("AC-26", Fact::Loosed { who, item }.event());
                }
                let rule = attack.rule;
                let shot = InFlight {
                    serial,
                    attack: attack.clone(),
                    roll,
                };
                flow.emit(rule, Change::AttackRolled { shot });
                throws.fly(&ac.view, &attack, &mut flow);
            }
        }
    }
    flow.next.extend(step.meanwhile);
    if !rolled.is_empty() {
        flow.push(Settle(rolled));
    }
    flow
}

/// The verdicts and the wounds of attacks that were rolled together: all from
/// the state in which they were rolled, so two who strike at once may both
/// fall.
#[derive(Clone, Debug)]
struct Settle(Vec<(u32, Forecast)>);
system_step!(Settle, settle);

fn settle(In(Settle(rolled)): In<Settle>, ac: Ac, mut dice: ResMut<DiceBox>) -> Flow {
    let mut flow = Flow::default();
    let mut lost: BTreeMap<Id, (i32, bool)> = BTreeMap::new();
    let mut missiles: BTreeMap<Id, usize> = BTreeMap::new();
    for (serial, mut forecast) in rolled {
        let shot = ac
            .flights
            .get(serial)
            .expect("what was rolled is in flight");
        let attack = &shot.attack;
        let settled = |hit, against, why: String| Change::AttackSettled {
            serial,
            hit,
            against,
            why: why.into(),
        };
        if !matches!(ac.body(attack.at).state, State::Up | State::Down) {
            flow.emit("AC-33", settled(false, 0, "the target is gone".into()));
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
                flow.emit("AC-22", Fact::ParriedMissile { who }.event());
            }
        }
        parries(&ac, attack, &forecast, &mut flow);
        if !forecast.defence.is_empty() {
            let parts = forecast.defence.clone();
            flow.emit("AC-32", Fact::Defends { who, parts }.event());
        }
        let first = shot.roll.dice.first().map_or(0, |d| i32::from(d.1));
        match forecast.verdict(first, shot.roll.total()) {
            Verdict::Fumble => {
                flow.emit("AC-30", settled(false, forecast.db(), "a fumble".into()));
                fumble(&ac, attack, &mut dice, &mut flow, &mut lost);
            }
            Verdict::Miss(_) => {
                flow.emit("AC-30", settled(false, forecast.db(), told(&forecast)));
            }
            Verdict::Hit(total) => {
                let why = format!("{} {total}", forecast.size.name());
                flow.emit("AC-30", settled(true, forecast.db(), why));
                wound(&ac, attack, &forecast, total, &mut flow, &mut lost);
            }
        }
    }
    for (who, (points, dead)) in lost {
        harm::sink(&ac, who, points, dead, &mut flow);
    }
    flow
}

/// AC-13: whether the OB that is kept has met a blow; if not, its side is told
/// why.
fn parries(ac: &Ac, attack: &Attack, forecast: &Forecast, flow: &mut Flow) {
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
        flow.emit(rule, Fact::Parried { who }.event());
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
    Fact::CannotParry { who, why }.sealed(rule, side, flow);
}

/// What of the defence was for the moment.
fn told(forecast: &Forecast) -> String {
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
    flow: &mut Flow,
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
    flow.emit(
        "AC-31",
        Change::Damaged {
            who,
            by: Some(attack.by),
            points: row.hits,
            roll,
        },
    );
    harm::mark(ac, who, row, flow);
    let sum = lost.entry(who).or_default();
    *sum = (sum.0 + row.hits, sum.1 || row.dead);
}

/// AC-30: a first roll within the weapon's fumble range.
fn fumble(
    ac: &Ac,
    attack: &Attack,
    dice: &mut DiceBox,
    flow: &mut Flow,
    lost: &mut BTreeMap<Id, (i32, bool)>,
) {
    let who = attack.by;
    let roll = Roll::one(100, dice.roll(100), vec![]);
    let row = ac.tables().fumble(roll.total());
    let told = Change::Checked {
        who: Some(who),
        side: None,
        what: format!("fumble, {}", row.text).into(),
        roll,
        against: None,
        passed: None,
    };
    flow.emit("AC-30", told);
    if row.drop {
        drop_weapon(ac, who, attack.with, flow);
    }
    if row.hits > 0 {
        let points = row.hits;
        let roll = Roll {
            dice: vec![],
            modifiers: vec![Modifier::new(points as i16, "fumble", "AC-30")],
        };
        let damaged = Change::Damaged {
            who,
            by: None,
            points,
            roll,
        };
        flow.emit("AC-30", damaged);
        lost.entry(who).or_default().0 += points;
    }
    harm::mark(ac, who, row, flow);
}

fn drop_weapon(ac: &Ac, who: Id, item: Item, flow: &mut Flow) {
    let from = ac.gear(who).place(item);
    if let Some(from @ (Place::Hand | Place::OffHand)) = from {
        let_fall(&ac.view, who, item, from, "AC-30", flow);
    }
}
