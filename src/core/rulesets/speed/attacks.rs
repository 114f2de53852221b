//! How Speed resolves attacks (SP-20, SP-21, SP-26): hit result, damage and consequences.

use super::{
    Speed,
    content::SpeedWeapon,
    end_checks::EndChecks,
    events::SpeedEvent,
    injury::{Critical, Injuries},
    numbers::SpeedCondition,
    odds::Forecast,
    query::SpeedQuery,
    reactions::{Reactions, Trigger},
    state::Ailment,
    wounds::{DamageTally, Harm},
};
use crate::battle::{Attack, DiceBox, Id, Roll, StepOutcome, Why};
use crate::rulesets::common::attacks::{self, Attacks, HitResult, Resolving};

pub type AttackBatch = attacks::AttackBatch<Speed>;

/// What the attacks of one count have done so far.
#[derive(Default)]
pub struct Tally {
    harm: DamageTally,
    criticals: Vec<Critical>,
    /// Target and attacker of each attack.
    struck: Vec<(Id, Id)>,
}

/// Everything is resolved from the state in which the attacks were rolled: a protection spell
/// cast at the same count comes too late (SP-03).
impl Attacks for Speed {
    type AttackSpec = Attack;
    type Forecast = Forecast;
    type Tally = Tally;

    fn forecast(sp: &SpeedQuery, attack: &Attack) -> Result<Forecast, Why> {
        sp.forecast(attack)
    }

    fn reforecast(
        s: &mut Resolving<Self>,
        attack: &Attack,
        rolled: Forecast,
    ) -> Result<Forecast, Why> {
        s.tally.struck.push((attack.at, attack.by));
        let gone = Why::new("SP-20", "the target is gone");
        s.state.is_there(attack.at).then_some(rolled).ok_or(gone)
    }

    fn hit_result(
        _: &mut Resolving<Self>,
        _: &Attack,
        forecast: &mut Forecast,
        roll: &Roll,
    ) -> HitResult {
        let hit = roll.total() >= forecast.defense;
        let critical = hit && forecast.is_critical(roll);
        let why = match forecast.defense_modifiers.first() {
            Some(m) if m.rule == "SP-10" => "full defense",
            Some(_) => "ward",
            None if critical => "a critical hit",
            None => "",
        };
        HitResult {
            rule: if critical { "SP-26" } else { "SP-20" },
            hit,
            critical,
            against: forecast.defense,
            why: why.into(),
        }
    }

    fn hit(s: &mut Resolving<Self>, attack: &Attack, forecast: &Forecast, roll: &Roll) {
        let sp = s.state;
        let critical = forecast.is_critical(roll);
        let (points, roll) = damage(forecast, critical, s.dice);
        let weapon = sp.weapon(attack.with);
        let harm = Harm {
            who: attack.at,
            by: Some(attack.by),
            points,
            critical,
            lethal: weapon.lethal,
            kind: weapon.section::<SpeedWeapon>().types.first().copied(),
            roll,
        };
        let loss = s.tally.harm.take(sp, harm, &mut s.outcome);
        let latest = s.tally.harm.latest(attack.at);
        if weapon.section::<SpeedWeapon>().seizes {
            seize(sp, attack.by, attack.at, &mut s.outcome);
        }
        if critical {
            s.tally.criticals.push(Critical {
                by: attack.by,
                at: attack.at,
                types: weapon.section::<SpeedWeapon>().types.clone(),
                dealt: points,
                wound: latest.filter(|_| loss.wounds > 0),
            });
        }
    }

    fn finish(s: Resolving<Self>) -> StepOutcome {
        let (sp, mut outcome, tally) = (s.state, s.outcome, s.tally);
        tally.harm.close(sp, &mut outcome);
        if !tally.criticals.is_empty() {
            outcome.push(Injuries(tally.criticals));
        }
        outcome.push(EndChecks);
        // Units under Full Defense riposte after the attack is resolved (SP-10).
        let mut struck = tally.struck;
        struck.retain(|(who, _)| sp.fighter(*who).full_defense);
        if !struck.is_empty() {
            outcome.push(Reactions::open(Trigger::Struck(struck)));
        }
        outcome
    }
}

fn seize(sp: &SpeedQuery, by: Id, who: Id, outcome: &mut StepOutcome) {
    if !sp.fighter(who).suffers(SpeedCondition::Grappled) {
        let ailment = Ailment::new(SpeedCondition::Grappled, None, Some(by));
        outcome.emit("SP-32", SpeedEvent::Afflicted { who, ailment });
    }
}

/// Damage of a hit: dice, multiplied if critical, minus armour (SP-21, SP-26).
fn damage(forecast: &Forecast, critical: bool, dice: &mut DiceBox) -> (i32, Roll) {
    let (_, mut roll) = forecast.damage.roll("SP-20", dice);
    let points = forecast.damage(roll.shown(), critical);
    let once = roll.total();
    if critical {
        let all = once + once.max(0) * (forecast.times - 1);
        roll.set_total(all, "critical hit", "SP-26");
    }
    let borne = roll.total() - forecast.damage.armour;
    roll.set_total(borne, "armour", "SP-21");
    (points, roll)
}
