//! A unit in numbers.

use super::Speed;
use super::content::{Ability, SpeedArmour, SpeedSpell, SpeedWeapon};
use super::query::SpeedQuery;
use crate::battle::{Id, Stat, attack_figures, capitalised};
use crate::content::{Armour, Spell, Weapon};
use crate::rulesets::common::table::{HasFigures, hit_and_damage};
use serde_json::{Map, Value};

impl HasFigures for Speed {
    /// Figures of the unit `id`; attack figures are against `at`.
    fn figures(sp: &SpeedQuery, id: Id, at: Id) -> Vec<Stat> {
        let (stats, fighter) = (sp.stats(id), sp.fighter(id));
        let score = |a: Ability| (a.name().to_string(), Value::from(stats.scores[a as usize]));
        let mut all = vec![
            Stat::new("Stress", fighter.stress),
            Stat::new("Wound Points", fighter.most_wounds(stats)),
            Stat::new("Defense", sp.defense(id).0),
            Stat::new("armour", stats.armour),
            Stat::new("mana", fighter.mana),
            Stat::new("HD", stats.hit_dice),
            Stat::new("added to initiative", stats.initiative),
            Stat::new(
                "scores",
                Ability::ALL.map(score).into_iter().collect::<Map<_, _>>(),
            ),
        ];
        if !stats.draughts.is_empty() {
            let potions: Vec<&str> = stats.draughts.iter().map(|s| s.name.as_str()).collect();
            all.push(Stat::new("draughts", potions.join(", ")));
        }
        if !stats.suffers.is_empty() {
            let suffers = stats.suffers.iter().map(|c| capitalised(c.name()));
            all.push(Stat::new("begins", suffers.collect::<Vec<_>>().join(", ")));
        }
        all.extend(attack_figures(&sp.view, (id, at), "SP-20", |attack| {
            let forecast = sp.plain(&attack);
            let weapon = sp.weapon(attack.with).section::<SpeedWeapon>();
            let both = sp.weapon(attack.with).is_thrown() && attack.ranged;
            let mut value = hit_and_damage(&forecast, &forecast.damage);
            value["critical"] = format!("{}+ ×{}", forecast.critical, forecast.times).into();
            value["speed"] = if both { weapon.thrown } else { weapon.speed }.into();
            value
        }));
        all
    }

    fn weapon(weapon: &Weapon) -> Vec<Stat> {
        let stats = weapon.section::<SpeedWeapon>();
        let types: Vec<&str> = stats.types.iter().map(|t| t.name()).collect();
        vec![
            Stat::new("speed", stats.speed),
            Stat::new("speed of a throw", stats.thrown),
            Stat::new("damage types", types.join(", ")),
            Stat::new("critical", format!("{}+ ×{}", stats.critical, stats.times)),
            Stat::new("seizes", stats.seizes),
            Stat::new("goes with the arms", stats.arms),
        ]
    }

    fn armour(armour: &Armour) -> Vec<Stat> {
        let worn = armour.section::<SpeedArmour>();
        vec![
            Stat::new("Defense", worn.defense),
            Stat::new("armour", worn.armour),
        ]
    }

    fn spell(spell: &Spell) -> Vec<Stat> {
        let magic = spell.section::<SpeedSpell>();
        vec![
            Stat::new("target number", magic.target),
            Stat::new("mana", magic.mana),
            Stat::new("speed", magic.speed),
            Stat::new("damage type", magic.kind.name()),
        ]
    }
}
