//! Attack resolution: hit result (PH-30, PH-31, PH-38), attacks without effect (PH-37), damage
//! (PH-34). Immediate spells can react to the dice.

use super::{
    Phased, concentration,
    end_checks::EndChecks,
    events::PhasedEvent,
    odds::{AttackSpec, Forecast, NoEffect},
    query::PhasedQuery,
    reactions::{Reactions, Trigger},
    wounds,
};
use crate::battle::{Attack, DiceBox, Id, Roll, StepOutcome, Why};
use crate::rulesets::common::{
    attacks::{self, Attacks, HitResult, Resolving, ToHit},
    bleed,
    damage::Damage,
};

/// The attacks of one segment (PH-35).
pub type AttackBatch = attacks::AttackBatch<Phased>;

impl attacks::AttackSpec for AttackSpec {
    fn attack(&self) -> &Attack {
        &self.attack
    }
}

/// What the attacks of one segment have done so far.
#[derive(Default)]
pub struct Tally {
    /// Pairs of target and attacker whose lack of effect is already logged.
    foiled: Vec<(Id, Id)>,
    /// The attacked units, in the order of the attacks.
    attacked: Vec<Id>,
}

impl Attacks for Phased {
    type AttackSpec = AttackSpec;
    type Forecast = Forecast;
    type Tally = Tally;

    fn forecast(ph: &PhasedQuery, spec: &AttackSpec) -> Result<Forecast, Why> {
        ph.forecast(spec)
    }

    fn begins(ph: &PhasedQuery, attack: &Attack, outcome: &mut StepOutcome) {
        ph.reveal(attack.by, outcome);
    }

    fn open(serials: Vec<u32>, outcome: &mut StepOutcome) {
        outcome.push(Reactions::open(Trigger::Rolled(serials)));
    }

    fn reforecast(
        s: &mut Resolving<Self>,
        spec: &AttackSpec,
        _: Forecast,
    ) -> Result<Forecast, Why> {
        let attacked = &mut s.tally.attacked;
        if !attacked.contains(&spec.attack.at) {
            attacked.push(spec.attack.at);
        }
        s.state.forecast(spec)
    }

    fn hit_result(
        _: &mut Resolving<Self>,
        _: &AttackSpec,
        forecast: &mut Forecast,
        roll: &Roll,
    ) -> HitResult {
        let face = roll.face();
        // PH-31 covers natural 1 and 20, and rolls that need a 20.
        let at_an_end = matches!(face, 1 | 20) || forecast.against() >= 20;
        let rule = match forecast.called {
            true => "PH-38",
            false if at_an_end => "PH-31",
            false => "PH-30",
        };
        let hit = forecast.foiled.is_none() && forecast.hits_with(face, roll.total());
        let (rule, why) = match forecast.foiled {
            // An immunity that does not show is logged as an ordinary miss.
            Some(foil) if foil.shows() => ("PH-37", "foiled".into()),
            _ => (rule, why(forecast, face)),
        };
        HitResult {
            rule,
            hit,
            critical: false,
            against: forecast.ac,
            why: why.into(),
        }
    }

    fn hit(s: &mut Resolving<Self>, spec: &AttackSpec, forecast: &Forecast, _: &Roll) {
        let (points, roll) = damage(&forecast.damage, s.dice);
        let lethal = s.state.weapon(spec.attack.with).lethal;
        s.harm("PH-34", &spec.attack, points, roll, lethal);
    }

    fn miss(s: &mut Resolving<Self>, spec: &AttackSpec, forecast: Option<&Forecast>, _: &Roll) {
        let Some(foil) = forecast.and_then(|f| f.foiled) else {
            return;
        };
        let (at, by) = (spec.attack.at, spec.attack.by);
        if !s.tally.foiled.contains(&(at, by)) {
            s.tally.foiled.push((at, by));
            let hedged = foil == NoEffect::Hedged;
            wounds::emit_no_effect(s.state, "PH-37", at, by, hedged, &mut s.outcome);
        }
    }

    fn finish(mut s: Resolving<Self>) -> StepOutcome {
        let (ph, outcome) = (s.state, &mut s.outcome);
        let listens = |id: &Id| ph.fighter(*id).listens;
        for who in s.tally.attacked.into_iter().filter(listens) {
            outcome.emit("PH-04", PhasedEvent::HearsNoMore { who });
        }
        for (who, loss) in s.lost {
            concentration::breaks(ph, who, outcome);
            bleed::fall::<Phased>(ph, who, loss, outcome);
        }
        s.outcome.then(EndChecks)
    }
}

/// Why an attack hits or misses.
fn why(forecast: &Forecast, face: i32) -> String {
    let needs = forecast.against();
    match face {
        20 => "a 20".into(),
        1 => "a 1".into(),
        _ if forecast.called => "it takes a 20".into(),
        _ => format!("needs {needs} in all"),
    }
}

/// PH-34: rolls damage; the multiplier applies to the total with all modifiers.
fn damage(d: &Damage, dice: &mut DiceBox) -> (i32, Roll) {
    let (points, mut roll) = d.roll("PH-34", dice);
    let label = match d.times {
        1 => String::from("at least a point"),
        times => format!("{times} times"),
    };
    roll.set_total(points, label, "PH-34");
    (points, roll)
}
