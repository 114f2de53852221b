//! Skirmish's attacks: screens before the dice (SK-15), reactions after them, the hit result
//! (SK-30), damage (SK-32) and Shock (SK-40).

use super::{
    Skirmish, awareness,
    end_checks::EndChecks,
    events::SkirmishEvent,
    grapple::GrappleEvent,
    loads,
    odds::{Forecast, ShockForecast, ShockStop, is_maneuver},
    pending_checks::{self, CheckOutcome, PendingCheck},
    query::SkirmishQuery,
    screens::{self, Answered},
    triggers::{Reactions, Trigger},
    wounds,
};
use crate::battle::{Attack, DiceBox, Id, Roll, Rule, StepOutcome, Why};
use crate::rulesets::common::{
    attacks::{self, Attacks, HitResult, Resolving},
    inventory::Throws,
};

pub type AttackBatch = attacks::AttackBatch<Skirmish>;

/// What is counted while attacks are resolved together.
#[derive(Default)]
pub struct Tally {
    /// Attacker and target of each attack.
    attacked: Vec<(Id, Id)>,
    throws: Throws,
    /// Units whose shield has stopped its Shock for the round, as a bit set.
    shields: u64,
}

impl Attacks for Skirmish {
    type AttackSpec = Attack;
    type Forecast = Forecast;
    type Tally = Tally;

    fn forecast(sk: &SkirmishQuery, attack: &Attack) -> Result<Forecast, Why> {
        sk.forecast(attack)
    }

    /// Rolls the screens against each attack first (SK-15).
    fn meet(sk: &SkirmishQuery, attacks: &[Attack], dice: &mut DiceBox) -> Option<StepOutcome> {
        let (mut screened, mut checks) = (vec![], vec![]);
        let mut answered = Answered::new();
        for (n, attack) in attacks.iter().enumerate() {
            if let Some(pending) = screens::meet(sk, attack, &mut answered, dice) {
                screened.push(n);
                checks.push(pending);
            }
        }
        let attacks = attacks.to_vec();
        let met = Screened { attacks, screened };
        (!checks.is_empty())
            .then(|| pending_checks::log_and_open(checks, StepOutcome::default(), met))
    }

    fn begins(sk: &SkirmishQuery, attack: &Attack, outcome: &mut StepOutcome) {
        let who = attack.by;
        if !attack.ranged && !sk.weapon(attack.with).arms_for_melee() {
            outcome.emit("SK-11", SkirmishEvent::Brawled { who });
        }
    }

    /// Ammunition is spent on resolution, because a unit may intercept the attack or drop the
    /// attacker first.
    fn spend_ammo(_: &SkirmishQuery, _: &Attack, _: &mut Throws, _: &mut StepOutcome) {}

    fn open(serials: Vec<u32>, outcome: &mut StepOutcome) {
        outcome.push(Reactions::open(Trigger::Rolled(serials)));
    }

    fn reforecast(s: &mut Resolving<Self>, attack: &Attack, _: Forecast) -> Result<Forecast, Why> {
        s.tally.attacked.push((attack.by, attack.at));
        s.state.forecast(attack).map_err(|why| {
            let dropped = Why::new("SK-12", "the attacker was dropped first");
            let up = s.state.is_up(attack.by);
            if up { why } else { dropped }
        })
    }

    fn hit_result(
        _: &mut Resolving<Self>,
        _: &Attack,
        forecast: &mut Forecast,
        roll: &Roll,
    ) -> HitResult {
        let now: Vec<&str> = forecast.ac_modifiers.iter().map(|m| &*m.label).collect();
        HitResult {
            rule: "SK-30",
            hit: roll.total() >= forecast.ac,
            critical: false,
            against: forecast.ac,
            why: now.join(", ").into(),
        }
    }

    fn hit(s: &mut Resolving<Self>, attack: &Attack, forecast: &Forecast, _: &Roll) {
        if is_maneuver(attack) {
            // An opposed check follows instead of damage.
            let (by, at) = (attack.by, attack.at);
            s.outcome
                .emit(attack.rule, GrappleEvent::Opening { by, at });
            return;
        }
        leaves(s, attack);
        let (points, roll) = wounds::damage(&forecast.damage, s.dice);
        harm(s, "SK-32", attack, points, roll);
    }

    fn miss(s: &mut Resolving<Self>, attack: &Attack, forecast: Option<&Forecast>, _: &Roll) {
        // A miss spends ammunition too, unless the archer fell first.
        if s.state.is_up(attack.by) && !is_maneuver(attack) {
            leaves(s, attack);
        }
        if let Some(forecast) = forecast {
            shock(s, attack, &forecast.shock);
        }
    }

    fn finish(mut s: Resolving<Self>) -> StepOutcome {
        wounds::fall_of(s.state, s.lost, &mut s.outcome);
        awareness::by_attacks(s.state, s.tally.attacked, &mut s.outcome);
        s.outcome.then(EndChecks)
    }
}

/// Attacks, some of which met screens.
#[derive(Clone, Debug)]
struct Screened {
    attacks: Vec<Attack>,
    /// Indices of the attacks that met screens.
    screened: Vec<usize>,
}

impl CheckOutcome for Screened {
    fn resolved(self, sk: &SkirmishQuery, checks: &[PendingCheck], _: &mut DiceBox) -> StepOutcome {
        let Self {
            mut attacks,
            screened,
        } = self;
        let mut outcome = StepOutcome::default();
        for (n, pending) in std::iter::zip(screened, checks) {
            attacks[n] = screens::intercepted(sk, attacks[n].clone(), pending, &mut outcome);
        }
        outcome.then(AttackBatch::intercepted(attacks))
    }
}

fn leaves(s: &mut Resolving<Skirmish>, attack: &Attack) {
    if attack.ranged {
        loads::shot(s.state, attack, &mut s.tally.throws, &mut s.outcome);
    }
}

/// Counts damage as lethal only if there is any.
fn harm(s: &mut Resolving<Skirmish>, rule: Rule, attack: &Attack, points: i32, roll: Roll) {
    let lethal = points > 0 && s.state.weapon(attack.with).lethal;
    s.harm(rule, attack, points, roll, lethal);
}

/// SK-40: the damage of a miss. A shield stops one Shock per round (SK-42), even if two come at
/// once.
fn shock(s: &mut Resolving<Skirmish>, attack: &Attack, forecast: &ShockForecast) {
    let who = attack.at;
    let stopped = |by| SkirmishEvent::ShockStopped { who, by };
    let points = match *forecast {
        ShockForecast::None => return,
        ShockForecast::Does(points) => points,
        ShockForecast::Stopped { points, by } => match by {
            ShockStop::Shield if s.tally.shields & who.bit() != 0 => points,
            ShockStop::Shield => {
                s.tally.shields |= who.bit();
                return s.outcome.emit("SK-42", SkirmishEvent::ShieldSpent { who });
            }
            ShockStop::TotalDefense => return s.outcome.emit("SK-17", stopped("total defense")),
            ShockStop::Immune => return s.outcome.emit("SK-71", stopped("its nature")),
        },
    };
    let (name, rule) = match s.state.shocks_any_ac(attack) {
        true => ("Shock against any AC", "SK-41"),
        false => ("Shock", "SK-40"),
    };
    harm(s, "SK-40", attack, points, Roll::fixed(points, name, rule));
}
