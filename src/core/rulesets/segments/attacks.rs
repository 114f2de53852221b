//! Attack resolution: hit result, damage (SE-50, SE-51), missiles into melee (SE-53).

use super::{
    Segments, end_checks::EndChecks, odds::Forecast, query::SegmentsQuery, state::AttackSpec,
    wounds,
};
use crate::battle::{Attack, CheckRoll, DiceBox, Roll, StepOutcome, Why};
use crate::rulesets::common::{
    attacks::{self, Attacks, HitResult, Resolving, ToHit},
    damage::Damage,
};

/// The attacks of a routine, or of all units that act in a segment.
pub type AttackBatch = attacks::AttackBatch<Segments>;

impl attacks::AttackSpec for AttackSpec {
    fn attack(&self) -> &Attack {
        &self.attack
    }
}

impl Attacks for Segments {
    type AttackSpec = AttackSpec;
    type Forecast = Forecast;
    type Tally = ();

    fn forecast(se: &SegmentsQuery, spec: &AttackSpec) -> Result<Forecast, Why> {
        se.forecast(spec)
    }

    fn aim(
        se: &SegmentsQuery,
        spec: &mut AttackSpec,
        forecast: &mut Forecast,
        dice: &mut DiceBox,
        outcome: &mut StepOutcome,
    ) {
        if spec.attack.ranged && astray(se, spec, dice, outcome) {
            let now = se.forecast(spec);
            *forecast = now.unwrap_or_else(|_| se.unobstructed_forecast(spec));
        }
    }

    fn hit_result(
        _: &mut Resolving<Self>,
        _: &AttackSpec,
        forecast: &mut Forecast,
        roll: &Roll,
    ) -> HitResult {
        let why = match roll.face() {
            20 => String::from("a natural 20"),
            1 => String::from("a natural 1"),
            _ => format!("needs {} in all", forecast.against()),
        };
        HitResult {
            rule: "SE-50",
            hit: forecast.hits_with(roll.face()),
            critical: false,
            against: forecast.ac,
            why: why.into(),
        }
    }

    fn hit(s: &mut Resolving<Self>, spec: &AttackSpec, forecast: &Forecast, _: &Roll) {
        let (points, roll) = damage(&forecast.damage, s.dice);
        let rule = match forecast.damage.times {
            1 => "SE-50",
            _ => "SE-51",
        };
        let lethal = s.state.weapon(spec.attack.with).lethal;
        s.harm(rule, &spec.attack, points, roll, lethal);
    }

    fn finish(mut s: Resolving<Self>) -> StepOutcome {
        for (who, loss) in s.lost {
            wounds::suffer(s.state, who, loss, &mut s.outcome);
        }
        s.outcome.then(EndChecks)
    }
}

/// SE-53: picks at random which unit in the melee around the target a missile flies at. Returns
/// `false`, without a roll, if nobody is in melee with the target.
fn astray(
    se: &SegmentsQuery,
    spec: &mut AttackSpec,
    dice: &mut DiceBox,
    outcome: &mut StepOutcome,
) -> bool {
    let around = se.melee_around(spec.attack.by, spec.attack.at);
    if around.len() < 2 {
        return false;
    }
    let sizes: u16 = around.iter().map(|a| a.1).sum();
    let value = dice.roll(sizes);
    let mut left = value;
    let found = around.iter().find(|(_, size)| {
        let is_it = left <= *size;
        left = left.saturating_sub(*size);
        is_it
    });
    spec.attack.at = found.map_or(spec.attack.at, |f| f.0);
    let roll = Roll::one(sizes, value, vec![]);
    let check = CheckRoll::by(spec.attack.by, "missile into melee", roll);
    outcome.emit("SE-53", check);
    true
}

fn damage(d: &Damage, dice: &mut DiceBox) -> (i32, Roll) {
    let (points, mut roll) = d.roll("SE-50", dice);
    let (label, rule) = match d.times {
        1 => ("at least 1", "SE-50"),
        _ => ("double", "SE-51"),
    };
    roll.set_total(points, label, rule);
    (points, roll)
}
