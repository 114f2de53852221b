//! Attack forecasts: whether an attack is legal, its modifiers and its damage. The resolver,
//! the tooltips and the AI all use them.

use super::{
    numbers::SpeedCondition,
    query::{SpeedQuery, numbers},
    state::Hurt,
};
use crate::rulesets::speed::content::{Ability, SpeedWeapon};
use crate::{
    battle::{Attack, Id, Modifier, Roll, Why, sum},
    grid::{Cell, Cover},
    rulesets::common::{
        attacks::{ToHit, to_hit},
        damage::{Damage, added_unarmed, each_sum},
        line::LegalAttack,
    },
};

/// An attack before its die is rolled.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Forecast {
    /// Everything that is added to the d20 (SP-20).
    pub modifiers: Vec<Modifier>,
    pub defense: i32,
    /// The temporary part of the Defense.
    pub defense_modifiers: Vec<Modifier>,
    /// Damage of a normal hit; a critical hit multiplies it.
    pub damage: Damage,
    /// A hit with this natural roll or more is critical (SP-26).
    pub critical: i32,
    pub times: i32,
    /// The target's remaining Stress and Wound Points (SP-22, SP-23).
    pub stress: i32,
    pub wounds: i32,
    /// If false, the attack can bring Wound Points to 0 but not below.
    pub lethal: bool,
    pub cover: Cover,
}

/// What a hit takes from Stress and from Wound Points.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Loss {
    pub stress: i32,
    pub wounds: i32,
}

to_hit!(Forecast: |f| f.defense);

impl Forecast {
    pub fn hit_percent(&self) -> u32 {
        self.outcomes() as u32 * 5
    }

    /// Results of the d20 that hit, out of 20.
    pub fn outcomes(&self) -> i32 {
        (21 - self.needs()).clamp(0, 20)
    }

    /// Whether a roll that hits is a critical hit (SP-26).
    pub fn is_critical(&self, roll: &Roll) -> bool {
        roll.face() >= self.critical
    }

    /// Results of the d20 that are critical hits, out of 20.
    pub fn critical_outcomes(&self) -> i32 {
        (21 - self.critical.max(self.needs())).clamp(0, 20)
    }

    /// Damage after armour, for damage dice that sum to `rolled` (SP-21, SP-26).
    pub fn damage(&self, rolled: i32, critical: bool) -> i32 {
        let damage = &self.damage;
        let times = if critical { self.times } else { damage.times };
        damage.with(rolled, damage.bonus(), times)
    }

    /// Splits damage: Stress first, the rest to Wound Points. A critical hit skips Stress
    /// (SP-22, SP-26).
    pub fn loss(&self, points: i32, critical: bool) -> Loss {
        split(points, (self.stress, self.wounds), critical, self.lethal)
    }

    /// Least and most points that a hit takes.
    pub fn span(&self, critical: bool) -> (i32, i32) {
        let dice = self.damage.dice;
        let least = i32::from(dice.count);
        let most = least * i32::from(dice.sides);
        let taken = |rolled| {
            let loss = self.loss(self.damage(rolled, critical), critical);
            loss.stress + loss.wounds
        };
        (taken(least), taken(most))
    }

    /// Calls `each` with every sum of the damage dice and the number of combinations that give
    /// it. The result is the number of all combinations.
    pub fn sums(&self, mut each: impl FnMut(i32, i64)) -> i64 {
        let mut all = 0;
        each_sum(self.damage.dice, |sum, ways| {
            all += i64::from(ways);
            each(sum, ways.into());
        });
        all
    }

    /// Expected damage, times 200.
    pub fn mean_damage_x200(&self) -> i32 {
        let (taken, all) = self.over_hits(|loss| (loss.stress + loss.wounds).into());
        (taken * 10 / all.max(1)) as i32
    }

    /// Percent chance that this attack alone takes the target's last Wound Point.
    pub fn drop_percent(&self) -> u32 {
        let (good, all) = self.over_hits(|loss| self.drops(loss).into());
        ((good * 100 + all * 10) / (all * 20).max(1)) as u32
    }

    /// Whether a loss takes the target's last Wound Point.
    pub fn drops(&self, loss: Loss) -> bool {
        loss.wounds > 0 && loss.wounds >= self.wounds
    }

    /// The sum of a value over all combinations of the damage dice, for every result of the d20
    /// that hits, and the number of combinations of the damage dice.
    fn over_hits(&self, value: impl Fn(Loss) -> i64) -> (i64, i64) {
        let (mut plain, mut critical) = (0, 0);
        let bonus = self.damage.bonus();
        let all = self.sums(|sum, n| {
            let of = |times, crit| value(self.loss(self.damage.with(sum, bonus, times), crit));
            plain += n * of(self.damage.times, false);
            critical += n * of(self.times, true);
        });
        let crits = i64::from(self.critical_outcomes());
        let hits = i64::from(self.outcomes());
        ((hits - crits) * plain + crits * critical, all)
    }
}

/// Splits damage over the remaining Stress and Wound Points (SP-22). Damage that is not lethal
/// takes no more Wound Points than there are.
pub fn split(points: i32, left: (i32, i32), critical: bool, lethal: bool) -> Loss {
    let stress = if critical { 0 } else { points.min(left.0) };
    let most = if lethal { points } else { left.1.max(0) };
    Loss {
        stress,
        wounds: (points - stress).min(most),
    }
}

impl SpeedQuery<'_, '_> {
    /// The attack's forecast as things stand, or why the attack is not possible. Listing,
    /// resolving and showing attacks all use it.
    pub fn forecast(&self, attack: &Attack) -> Result<Forecast, Why> {
        self.forecast_from(attack, self.body(attack.by).at)
    }

    /// Like [`forecast`](Self::forecast), with the attacker standing at `from`.
    pub fn forecast_from(&self, attack: &Attack, from: Cell) -> Result<Forecast, Why> {
        self.can_act(attack.by)?;
        self.aimed(attack, from)
    }

    /// Like [`forecast_from`](Self::forecast_from), but the attacker may be unable to act, as
    /// it can be while its attack is under way.
    pub fn aimed(&self, attack: &Attack, from: Cell) -> Result<Forecast, Why> {
        let (by, ranged) = (attack.by, attack.ranged);
        let (line, is_off_hand) = self.legal_aim(attack, from)?;
        let mut forecast = self.plain(attack);
        let mut add = |value: i16, label, rule| {
            Modifier::push(&mut forecast.modifiers, value.into(), label, rule);
        };
        if is_off_hand {
            add(numbers().off_hand, "off hand", "SP-27");
        }
        if ranged && self.is_threatened_at(by, line.here) {
            add(numbers().foe_at_hand, "an adjacent enemy", "SP-20");
        }
        if line.is_long {
            add(numbers().long_range, "long range", "SP-20");
        }
        let (half, full) = (numbers().half_cover, numbers().full_cover);
        if let Some((value, label)) = line.by_cover(half, full) {
            add(value, label, "SP-20");
        }
        forecast.cover = line.cover;
        Ok(forecast)
    }

    /// The line of an attack from `from`, and whether the weapon is in the off hand; or why the
    /// attack is not possible, even if the attacker could act.
    fn legal_aim(&self, attack: &Attack, from: Cell) -> Result<(LegalAttack, bool), Why> {
        let (by, at, with, ranged) = attack.parts();
        Why::new("SP-31", "the target is out of the fight").unless(self.is_there(at))?;
        let line = self.view.line_of(attack, from, ["SP-04", "SP-20"])?;
        let is_off_hand = self.wields(by, with)?;
        if ranged {
            let is_blind = self.conditions(by).iter().any(|c| !c.effects().shoots);
            Why::new("SP-32", "blinded").when(is_blind)?;
        } else {
            line.reaches(&self.view, self.reach(by, with), "SP-04")?;
        }
        Ok((line, is_off_hand))
    }

    /// Whether a unit can make an attack from where it stands.
    pub fn can_attack(&self, attack: &Attack) -> Result<(), Why> {
        self.can_act(attack.by)?;
        self.legal_aim(attack, self.body(attack.by).at).map(drop)
    }

    /// The forecast of an attack with a clear line and no cover, from anywhere. The AI uses it
    /// to rate cells.
    pub fn plain(&self, attack: &Attack) -> Forecast {
        let (by, at) = (attack.by, attack.at);
        let weapon = self.weapon(attack.with);
        let creature = self.view.creature(by);
        let (ability, value) = self.best_ability(by, weapon);
        let (skill, level) = creature.attack_skill(weapon.skills(attack.ranged));
        let mut modifiers = Vec::with_capacity(8);
        let mut add = |value, label, rule| Modifier::push(&mut modifiers, value, label, rule);
        add(self.stats(by).attack, "attack", "SP-20");
        add(value, ability.name(), "SP-20");
        add(level, skill.label(), "SP-20");
        add(weapon.magic, "magic weapon", "SP-20");
        let fighter = self.fighter(by);
        if attack.ranged {
            let lost = fighter.lost[Ability::Perception as usize] / 2;
            add(-lost, "Perception lost", "SP-27");
            if fighter.count(Hurt::HalfBlind) == 1 {
                add(numbers().one_eye.into(), "one eye", "SP-27");
            }
        } else {
            for condition in self.conditions(by) {
                add(condition.effects().melee.into(), condition.name(), "SP-32");
            }
            for condition in self.conditions(at) {
                let label = match condition {
                    SpeedCondition::Prone => "target prone",
                    other => other.name(),
                };
                add(condition.effects().against.into(), label, "SP-32");
            }
        }
        modifiers.extend(self.concussed(by));
        modifiers.extend(self.view.hit_modifiers(by, 1, "SP-32"));
        modifiers.extend_from_slice(&attack.extra);
        let (defense, defense_modifiers) = self.defense(at);
        let parts = added_unarmed(creature, weapon, (value, ability.name()));
        Forecast {
            modifiers,
            defense,
            defense_modifiers,
            damage: Damage {
                armour: self.stats(at).armour,
                ..Damage::new(weapon.damage, Modifier::list("SP-20", parts).collect())
            },
            critical: weapon.section::<SpeedWeapon>().critical,
            times: weapon.section::<SpeedWeapon>().times,
            stress: self.fighter(at).stress,
            wounds: self.body(at).hp,
            lethal: weapon.lethal,
            cover: Cover::None,
        }
    }

    /// The Defense, and the temporary modifiers in it (SP-20).
    pub fn defense(&self, of: Id) -> (i32, Vec<Modifier>) {
        let (stats, fighter) = (self.stats(of), self.fighter(of));
        let mut now = vec![];
        if fighter.full_defense {
            let bonus = numbers().full_defense;
            now.push(Modifier::new(bonus, "full defense", "SP-10"));
        }
        now.extend(self.view.defense_modifiers(of, "SP-32"));
        // A shield counts even on an arm that cannot attack (SP-27); an arm that cannot hold
        // has already dropped it.
        let has_shield = self.inventory(of).shield;
        let shield = if has_shield { stats.shield } else { 0 };
        let agility = self.modifier(of, Ability::Agility);
        let standing = 10 + agility + stats.defense + shield;
        (standing + sum(&now), now)
    }
}
