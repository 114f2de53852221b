//! Attack forecasts: whether an attack is possible, its modifiers, its damage. Resolution, tooltips
//! and the AI all use them.

use super::query::SkirmishQuery;
use crate::rulesets::common::attacks::{ToHit, to_hit};
use crate::rulesets::skirmish::numbers;
use crate::{
    battle::{Attack, Id, Item, Modifier, Rule, Why, list_with_spare_room, sum},
    content::{Dice, Trait},
    grid::{Cell, Space},
    rulesets::common::damage::{Damage, Odds, added_unarmed},
};

/// The rule id that marks an attack as a swarm's.
pub const SWARM_RULE: Rule = "SK-13";

/// How many other members add to a swarm's attack; 0 for other attacks.
fn others_of_swarm(attack: &Attack) -> i32 {
    let of_swarm = attack.extra.iter().filter(|m| m.rule == SWARM_RULE);
    of_swarm.map(|m| i32::from(m.value) / 2).sum()
}

/// Whether the attack opens a maneuver: a check follows instead of damage and Shock (SK-50, SK-51).
pub fn is_maneuver(attack: &Attack) -> bool {
    matches!(attack.rule, "SK-50" | "SK-51")
}

/// The forecast of an attack (SK-30 to SK-32, SK-40 to SK-42).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Forecast {
    /// Everything that is added to the d20.
    pub modifiers: Vec<Modifier>,
    /// The target's current armour class, and the temporary modifiers in it.
    pub ac: i32,
    pub ac_modifiers: Vec<Modifier>,
    pub damage: Damage,
    /// The Shock that a miss does.
    pub shock: ShockForecast,
    /// The target's hit points.
    pub hp: i32,
    /// The chance to get past the units that screen the target (SK-15).
    pub pass: Odds,
}

/// The Shock of an attack (SK-40).
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ShockForecast {
    /// The attack has no Shock, or the target's AC is too high for it.
    None,
    Does(i32),
    /// The Shock would do damage, but something stops it.
    Stopped {
        points: i32,
        by: ShockStop,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ShockStop {
    /// The shield stops the first Shock of each round (SK-42).
    Shield,
    TotalDefense,
    Immune,
}

impl ShockForecast {
    pub fn points(&self) -> i32 {
        if let Self::Does(n) = self { *n } else { 0 }
    }
}

to_hit!(Forecast: |f| f.ac);

impl Forecast {
    pub fn hit(&self) -> Odds {
        Odds::d20(21 - self.needs())
    }

    /// The chance that this attack alone takes the target's last hit point.
    pub fn drop(&self) -> Odds {
        let hits = u64::from(self.hit().favourable);
        let enough = self.damage.at_least(self.hp);
        let (favourable, of) = (u64::from(enough.favourable), u64::from(enough.of));
        let kills = self.shock.points() >= self.hp;
        let by_shock = if kills { 20 - hits } else { 0 };
        Odds::of(hits * favourable + by_shock * of, 20 * of)
    }

    /// The chance to get past the units that screen the target, and hit it.
    pub fn hit_past(&self) -> Odds {
        self.pass.and(self.hit())
    }

    /// The chance to get past the units that screen the target, and drop it.
    pub fn drop_past(&self) -> Odds {
        self.pass.and(self.drop())
    }

    /// Two hundred times the mean damage to the target, which the units that screen it reduce.
    pub fn worth(&self) -> i32 {
        (self.mean_damage_x200() as f32 * self.pass.as_f32()).round() as i32
    }

    /// The chance that it costs the target no hit points: by a miss without Shock, or because a
    /// unit that screens the target takes it.
    pub fn leaves_unhurt(&self) -> Odds {
        let hurts = match self.shock.points() > 0 {
            true => Odds::SURE,
            false => self.hit().and(self.damage.at_least(1)),
        };
        self.pass.and(hurts).complement()
    }

    /// Two hundred times the mean damage.
    pub fn mean_damage_x200(&self) -> i32 {
        let hits = self.hit().favourable as i32;
        hits * self.damage.mean_x10() + (20 - hits) * self.shock.points() * 10
    }
}

impl SkirmishQuery<'_, '_> {
    /// The forecast of an attack as things stand, or why it is impossible. Offers, resolution and
    /// tooltips all use this function.
    pub fn forecast(&self, attack: &Attack) -> Result<Forecast, Why> {
        self.forecast_from(attack, self.body(attack.by).at)
    }

    /// The forecast of an attack as if the attacker stood at `from`.
    pub fn forecast_from(&self, attack: &Attack, from: Cell) -> Result<Forecast, Why> {
        let mut forecast = self.forecast_alone(attack, from)?;
        if self.stance(attack.at).screened_by != 0 {
            forecast.pass = self.chance_to_pass(attack, from);
        }
        Ok(forecast)
    }

    /// The forecast of an attack from `from` as if no unit screened the target.
    pub(super) fn forecast_alone(&self, attack: &Attack, from: Cell) -> Result<Forecast, Why> {
        let mut circumstances = vec![];
        self.circumstances(attack, from, |m| circumstances.push(m))?;
        let mut modifiers = self.skill_modifiers(attack);
        modifiers.append(&mut circumstances);
        modifiers.extend_from_slice(&attack.extra);

        let here = Space::new(from, self.body(attack.by).size);
        Ok(self.forecast_with(attack, modifiers, Some(here)))
    }

    /// A forecast with these modifiers. `here` is where the attacker stands, for the damage of a
    /// second weapon.
    fn forecast_with(
        &self,
        attack: &Attack,
        modifiers: Vec<Modifier>,
        here: Option<Space>,
    ) -> Forecast {
        let (ac, ac_modifiers) = self.armour_class(attack.at, attack.ranged);
        let shock = self.shock(attack, ac);
        let mut damage = self.damage(attack, shock.points());
        let here = here.filter(|_| !is_maneuver(attack));
        let second = here.and_then(|here| self.second_weapon(attack, here));
        damage.modifiers.extend(second);
        Forecast {
            modifiers,
            ac,
            ac_modifiers,
            damage,
            shock,
            hp: self.body(attack.at).hp,
            pass: Odds::SURE,
        }
    }

    /// The attacks with the ready weapons of a unit on another, possible or not: each in melee and
    /// at range, as the weapon allows.
    pub fn ready_attacks(&self, by: Id, at: Id, rule: Rule) -> impl Iterator<Item = Attack> {
        self.inventory(by).ready().flat_map(move |with| {
            let weapon = self.weapon(with);
            let melee = weapon.melee.is_some().then_some(false);
            let ranged = weapon.ranged.is_some().then_some(true);
            let ways = melee.into_iter().chain(ranged);
            ways.map(move |ranged| Attack::new(by, at, with, ranged, rule))
        })
    }

    /// Whether a space is in range of a weapon that is shot or thrown.
    pub fn flies_to(&self, item: Item, here: Space, there: Space) -> bool {
        let shot = self.weapon(item).ranged.as_ref();
        let feet = shot.map(|shot| shot.long.clamp(0, 30_000) as u16);
        feet.is_some_and(|feet| self.view.board.within(here, there, feet))
    }

    /// Checks that an attack is possible now.
    pub fn can_attack(&self, attack: &Attack) -> Result<(), Why> {
        self.can_attack_from(attack, self.body(attack.by).at)
    }

    /// Checks that an attack would be possible if the attacker stood at `from`.
    pub fn can_attack_from(&self, attack: &Attack, from: Cell) -> Result<(), Why> {
        self.circumstances(attack, from, |_| {})
    }

    /// Calls `each` with each modifier to the d20 from the position and state of both units
    /// (SK-31), or returns why the attack is impossible.
    fn circumstances(
        &self,
        attack: &Attack,
        from: Cell,
        mut each: impl FnMut(Modifier),
    ) -> Result<(), Why> {
        let (by, at, with, ranged) = attack.parts();
        let (mine, theirs) = (self.body(by), self.body(at));
        self.view.both_up(attack, "SK-61")?;
        Why::new("SK-03", "nobody knows where the target is")
            .when(self.stance(at).hidden && mine.side != theirs.side)?;
        self.free_to_use(by, with, ranged)?;
        let weapon = self.weapon(with);
        let board = &self.view.board;
        let line = self.view.line_of(attack, from, ["SK-11", "SK-31"])?;
        let (here, there) = (line.here, line.there);
        let mut add = |value: i16, label: &'static str, rule| {
            each(Modifier::new(value, label, rule));
        };
        if ranged {
            Why::new("SK-22", "it is not loaded").unless(self.is_loaded(by, with))?;
            if self.is_unseen(at, here) {
                Why::new("SK-31", "nobody knows where the target is")
                    .unless(self.is_heard(at, mine.side))?;
                add(numbers::UNSEEN, "target unseen", "SK-31");
            }
            if self.is_hindered_at(by, here) {
                Why::new(
                    "SK-11",
                    "a two-handed weapon can't shoot with an enemy in reach",
                )
                .when(weapon.needs_two_hands_to_shoot())?;
                add(numbers::FOE_IN_REACH, "an enemy in reach", "SK-11");
            }
            if line.is_long {
                add(numbers::LONG_RANGE, "long range", "SK-31");
            }
        } else {
            line.reaches(&self.view, self.reach(by, with), "SK-10")?;
            if mine.prone {
                add(numbers::PRONE, "prone", "SK-31");
            }
        }
        if self.view.is_held(at) && (!ranged || board.within(here, there, 5)) {
            add(numbers::HELPLESS, "target helpless", "SK-70");
        }
        if theirs.prone {
            if !ranged || board.within(here, there, 5) {
                add(numbers::PRONE_NEAR, "target prone, near", "SK-31");
            } else {
                add(numbers::PRONE_FAR, "target prone, far", "SK-31");
            }
        }
        if let Some((value, label)) = line.by_cover(numbers::HALF_COVER, numbers::FULL_COVER) {
            add(value, label, "SK-31");
        }
        self.view.hit_modifiers(by, 1, "SK-70").for_each(each);
        Ok(())
    }

    /// Attack bonus, attribute, skill and magic (SK-30).
    fn skill_modifiers(&self, attack: &Attack) -> Vec<Modifier> {
        let creature = self.view.creature(attack.by);
        let weapon = self.weapon(attack.with);
        let (attribute, value) = creature.best_modifier(&weapon.attributes);
        let (skill, level) = creature.attack_skill(weapon.skills(attack.ranged));
        let parts = [
            (self.stats(attack.by).attack_bonus, "attack bonus"),
            (value, attribute.name()),
            (level, skill.label()),
            (weapon.magic, "magic weapon"),
        ];
        let pair = self.two_weapons(attack.by, attack.with);
        list_with_spare_room(Modifier::list("SK-30", parts).chain(pair))
    }

    /// Armour class against melee or ranged attacks, and the temporary modifiers in it.
    pub fn armour_class(&self, of: Id, ranged: bool) -> (i32, Vec<Modifier>) {
        let stats = self.stats(of);
        let mut now = Vec::from_iter(self.view.defense_modifiers(of, "SK-70"));
        let mut add = |value, label, rule| now.push(Modifier::new(value, label, rule));
        if self.defends(of) {
            add(numbers::TOTAL_DEFENSE, "total defense", "SK-17");
        }
        if self.fighter(of).charged {
            add(numbers::CHARGED, "charged this round", "SK-14");
        }
        let (with_shield, shield) = match ranged {
            true => (stats.ac_ranged, stats.shield_ranged),
            false => (stats.ac_melee, stats.shield_melee),
        };
        let lost = if self.bears_shield(of) { 0 } else { shield };
        (with_shield - lost + sum(&now), now)
    }

    /// Whether the Shock of an attack works against any AC, by its weapon or by a trait of the
    /// attacker (SK-41).
    pub fn shocks_any_ac(&self, attack: &Attack) -> bool {
        let shock = self.weapon(attack.with).shock;
        let creature = self.view.creature(attack.by);
        shock.is_some_and(|s| s.ac.is_none()) || creature.has(Trait::ShockAnyAc)
    }

    /// The Shock points of an attack against any target that it works on (SK-40).
    pub fn shock_points(&self, attack: &Attack) -> i32 {
        let weapon = self.weapon(attack.with);
        let creature = self.view.creature(attack.by);
        let (_, attribute) = creature.best_modifier(&weapon.attributes);
        let own = weapon.shock.map_or(0, |shock| shock.points);
        own + attribute + weapon.magic + creature.shock_bonus()
    }

    /// The Shock of a miss (SK-40 to SK-42).
    fn shock(&self, attack: &Attack, ac: i32) -> ShockForecast {
        let weapon = self.weapon(attack.with);
        let may = !attack.ranged && !is_maneuver(attack);
        let Some(shock) = weapon.shock.filter(|_| may) else {
            return ShockForecast::None;
        };
        // Only Total Defense stops the Shock of a swarm (SK-13).
        let swarmed = attack.rule == SWARM_RULE;
        let any_ac = swarmed || self.shocks_any_ac(attack);
        if !any_ac && shock.ac.is_some_and(|most| ac > most) {
            return ShockForecast::None;
        }
        let points = self.shock_points(attack);
        if points <= 0 {
            return ShockForecast::None;
        }
        let target = self.view.creature(attack.at);
        let fighter = self.fighter(attack.at);
        let by = if target.has(Trait::ShockImmune) && !swarmed {
            ShockStop::Immune
        } else if self.defends(attack.at) {
            ShockStop::TotalDefense
        } else if self.bears_shield(attack.at) && !fighter.shield_spent && !swarmed {
            ShockStop::Shield
        } else {
            return ShockForecast::Does(points);
        };
        ShockForecast::Stopped { points, by }
    }

    /// The damage of a hit (SK-32), no less than the Shock of a miss (`least`). A swarm adds
    /// damage, but never beyond the weapon's own maximum (SK-13).
    fn damage(&self, attack: &Attack, least: i32) -> Damage {
        if is_maneuver(attack) {
            return Damage::new(Dice::default(), vec![]);
        }
        let creature = self.view.creature(attack.by);
        let weapon = self.weapon(attack.with);
        let (attribute, value) = creature.best_modifier(&weapon.attributes);
        let parts = added_unarmed(creature, weapon, (value, attribute.name()));
        Damage {
            least,
            within: others_of_swarm(attack).min(3),
            ..Damage::new(weapon.damage, Modifier::list("SK-32", parts).collect())
        }
    }

    /// The forecast of an attack with nothing in the way: no cover, normal range, no unit prone.
    /// The AI uses it to compare positions.
    pub fn unobstructed_forecast(&self, attack: &Attack) -> Forecast {
        let there = (!attack.ranged).then(|| self.body(attack.at).space());
        self.forecast_with(attack, self.skill_modifiers(attack), there)
    }
}
