//! A unit in numbers.

use super::Speed;
use super::content::{Ability, SpeedArmour, SpeedSpell, SpeedWeapon};
use super::query::SpeedQuery;
use crate::battle::{Figure, Id, attack_figures};
use crate::content::{Armour, Spell, Weapon};
use crate::rulesets::common::table::{HasFigures, hit_and_damage};
use serde_json::{Map, Value};

impl HasFigures for Speed {
    /// Figures of the unit `id`; attack figures are against `at`.
    fn figures(sp: &SpeedQuery, id: Id, at: Id) -> Vec<Figure> {
        let (stats, fighter) = (sp.stats(id), sp.fighter(id));
        let score = |a: Ability| (a.name().to_string(), Value::from(stats.scores[a as usize]));
        let mut all = vec![
            Figure::new("Stress", fighter.stress),
            Figure::new("Wound Points", fighter.most_wounds(stats)),
            Figure::new("Defense", sp.defense(id).0),
            Figure::new("armour", stats.armour),
            Figure::new("mana", fighter.mana),
            Figure::new("HD", stats.hit_dice),
            Figure::new("added to initiative", stats.initiative),
            Figure::new(
                "scores",
                Ability::ALL.map(score).into_iter().collect::<Map<_, _>>(),
            ),
        ];
        if !stats.draughts.is_empty() {
            let bottles: Vec<&str> = stats.draughts.iter().map(|s| s.name.as_str()).collect();
            all.push(Figure::new("draughts", bottles.join(", ")));
        }
        if !stats.suffers.is_empty() {
            all.push(Figure::new("begins", stats.suffers.join(", ")));
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

    fn weapon(weapon: &Weapon) -> Vec<Figure> {
        let arms = weapon.section::<SpeedWeapon>();
        let types: Vec<&str> = arms.types.iter().map(|t| t.name()).collect();
        vec![
            Figure::new("speed", arms.speed),
            Figure::new("speed of a throw", arms.thrown),
            Figure::new("damage types", types.join(", ")),
            Figure::new("critical", format!("{}+ ×{}", arms.critical, arms.times)),
            Figure::new("seizes", arms.seizes),
            Figure::new("goes with the arms", arms.arms),
        ]
    }

    fn armour(armour: &Armour) -> Vec<Figure> {
        let worn = armour.section::<SpeedArmour>();
        vec![
            Figure::new("Defense", worn.defense),
            Figure::new("armour", worn.armour),
        ]
    }

    fn spell(spell: &Spell) -> Vec<Figure> {
        let magic = spell.section::<SpeedSpell>();
        vec![
            Figure::new("target number", magic.target),
            Figure::new("mana", magic.mana),
            Figure::new("speed", magic.speed),
            Figure::new("damage type", magic.kind.name()),
        ]
    }
}
