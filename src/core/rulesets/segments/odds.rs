//! Attack forecasts: legality, modifiers, damage. Resolution, tooltip and AI all use these
//! functions.

use super::{numbers, query::SegmentsQuery, state::AttackSpec};
use crate::{
    battle::{Attack, Id, Modifier, Why, list_with_spare_room, sum},
    content::Make,
    grid::Cell,
    rulesets::common::{
        attacks::{ToHit, to_hit},
        damage::{Damage, Odds, added},
        line::LegalAttack,
    },
};

/// An attack before its die is rolled (SE-50).
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Forecast {
    /// Everything that is added to the d20.
    pub modifiers: Vec<Modifier>,
    /// The total needed against AC 0.
    pub to_hit: i32,
    /// The target's current descending armour class; `ac_modifiers` lists its temporary parts.
    pub ac: i32,
    pub ac_modifiers: Vec<Modifier>,
    pub damage: Damage,
    /// The target's hit points.
    pub hp: i32,
}

to_hit!(Forecast: |f| f.to_hit - f.ac);

impl Forecast {
    /// A natural 20 always hits, a natural 1 never does (SE-50).
    pub fn hits_with(&self, natural: i32) -> bool {
        natural == 20 || natural != 1 && natural >= self.needs()
    }

    /// How many outcomes of the d20 hit, 1 to 19.
    pub fn outcomes(&self) -> u32 {
        (21 - self.needs()).clamp(1, 19) as u32
    }

    pub fn hit(&self) -> Odds {
        Odds::d20(self.outcomes() as i32)
    }

    /// Mean damage of the attack, times 200.
    pub fn mean_damage_x200(&self) -> i32 {
        self.outcomes() as i32 * self.damage.mean_x10()
    }
}

impl SegmentsQuery<'_, '_> {
    /// The attack's forecast now, or why the attack is not possible. Listing, resolution and
    /// display all use this function.
    pub fn forecast(&self, spec: &AttackSpec) -> Result<Forecast, Why> {
        self.forecast_from(spec, self.body(spec.attack.by).at)
    }

    /// Like [`forecast`](Self::forecast), with the attacker at `from`.
    pub fn forecast_from(&self, spec: &AttackSpec, from: Cell) -> Result<Forecast, Why> {
        let line = self.legal_attack(&spec.attack, from)?;
        let mut forecast = self.unobstructed_forecast(spec);
        let mut add = |value: i16, label: &'static str| {
            let held = Modifier::new(value, label, "SE-50");
            forecast.modifiers.push(held);
        };
        if line.is_long {
            add(numbers::BEYOND_NORMAL_RANGE, "long range");
        }
        if let Some((value, label)) = line.by_cover(numbers::HALF_COVER, numbers::FULL_COVER) {
            add(value, label);
        }
        Ok(forecast)
    }

    /// The line of an attack from `from`, or why the attack is not possible.
    pub fn legal_attack(&self, attack: &Attack, from: Cell) -> Result<LegalAttack, Why> {
        let (by, _, with, ranged) = attack.parts();
        self.view.both_up(attack, "SE-32")?;
        let line = self.view.line_of(attack, from, ["SE-50", "SE-50"])?;
        if ranged {
            let is_hindered = self.engaged_at(by, line.here).next().is_some();
            Why::new("SE-53", "an enemy is adjacent").when(is_hindered)?;
        } else {
            line.reaches(&self.view, self.reach(by, with), "SE-50")?;
        }
        Ok(line)
    }

    /// Whether a unit can make an attack from where it stands.
    pub fn can_attack(&self, attack: &Attack) -> Result<(), Why> {
        self.legal_attack(attack, self.body(attack.by).at).map(drop)
    }

    /// The forecast with nothing in the way: no cover, normal range. The AI uses it to rate
    /// positions.
    pub fn unobstructed_forecast(&self, spec: &AttackSpec) -> Forecast {
        let attack = &spec.attack;
        let (ac, ac_modifiers) = self.armour_class(attack.at, attack.ranged);
        let mut modifiers = self.skill_modifiers(attack);
        let mut add = |value: i16, label: &'static str| {
            modifiers.push(Modifier::new(value, label, "SE-50"));
        };
        if !attack.ranged && self.body(attack.by).prone {
            add(numbers::PRONE, "prone");
        }
        if self.view.is_held(attack.at) {
            add(numbers::EASY, "target helpless");
        } else if !attack.ranged && self.body(attack.at).prone {
            add(numbers::EASY, "target prone");
        }
        modifiers.extend(self.view.hit_modifiers(attack.by, 1, "SE-40"));
        modifiers.extend_from_slice(&attack.extra);
        Forecast {
            modifiers,
            to_hit: self.stats(attack.by).to_hit,
            ac,
            ac_modifiers,
            damage: self.damage(spec),
            hp: self.body(attack.at).hp,
        }
    }

    /// The modifiers from attribute, missile bonus (SE-31) and magic.
    fn skill_modifiers(&self, attack: &Attack) -> Vec<Modifier> {
        let weapon = self.weapon(attack.with);
        let (rule, own) = if attack.ranged {
            let bonus = self.stats(attack.by).missile;
            ("SE-31", (bonus, "missile bonus"))
        } else {
            let creature = self.view.creature(attack.by);
            let (attribute, value) = creature.best_modifier(&weapon.attributes);
            ("SE-50", (value, attribute.name()))
        };
        let magic = Modifier::list("SE-50", [(weapon.magic, "magic weapon")]);
        list_with_spare_room(Modifier::list(rule, [own]).chain(magic))
    }

    /// Descending armour class against melee or missiles, with its temporary modifiers. A modifier
    /// above 0 makes it worse.
    pub fn armour_class(&self, of: Id, ranged: bool) -> (i32, Vec<Modifier>) {
        let (stats, fighter) = (self.stats(of), self.fighter(of));
        let mut now = vec![];
        if fighter.charged == Some(self.clock.round) {
            let charged = Modifier::new(numbers::CHARGED, "charged this round", "SE-51");
            now.push(charged);
        }
        // On a descending scale a bonus is negative.
        let lasting = self.view.defense_modifiers(of, "SE-40");
        now.extend(lasting.map(|m| Modifier {
            value: -m.value,
            ..m
        }));
        let (worn, shield) = match ranged {
            true => (stats.ac_ranged, stats.shield_ranged),
            false => (stats.ac, stats.shield),
        };
        let lost = if self.inventory(of).shield { 0 } else { shield };
        // Armour class is limited to -10 and 10 (SE-50).
        ((worn + lost + sum(&now)).clamp(-10, 10), now)
    }

    /// The damage dice and their modifiers; the attribute counts in melee only. The least damage is
    /// 1 (decided).
    fn damage(&self, spec: &AttackSpec) -> Damage {
        let attack = &spec.attack;
        let creature = self.view.creature(attack.by);
        let weapon = self.weapon(attack.with);
        let (attribute, value) = creature.best_modifier(&weapon.attributes);
        let in_hand = !attack.ranged && weapon.make != Make::Unarmed;
        let value = if in_hand { value } else { 0 };
        let parts = added(creature, weapon, (value, attribute.name()));
        Damage {
            least: 1,
            times: spec.times.into(),
            ..Damage::new(weapon.damage, Modifier::list("SE-50", parts).collect())
        }
    }

    /// The units that a missile aimed at `at` can hit: `at` and the units in melee with it, each
    /// weighted by its size in cells along an edge (SE-53). Only `at` if no enemy is adjacent to
    /// it.
    pub fn melee_around(&self, by: Id, at: Id) -> Vec<(Id, u16)> {
        let side = self.body(at).side;
        let near = |id: &Id| {
            let other = *id != by && *id != at && self.is_up(*id);
            other && self.view.in_reach(*id, at, numbers::NEXT_TO)
        };
        let near: Vec<Id> = self.view.ids().filter(near).collect();
        let in_melee = near.iter().any(|&id| self.body(id).side != side);
        let size = |id: Id| (id, u16::from(self.body(id).size));
        let mut all = vec![size(at)];
        if in_melee {
            all.extend(near.into_iter().map(size));
            all.sort();
        }
        all
    }
}
