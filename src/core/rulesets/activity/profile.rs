//! A unit in numbers.

use super::Activity;
use super::content::{ActivitySpell, ActivityWeapon};
use super::query::ActivityQuery;
use crate::battle::{Id, Stat, attack_figures, sum};
use crate::content::{Spell, Weapon};
use crate::rulesets::common::table::HasFigures;
use serde_json::json;

impl HasFigures for Activity {
    /// Figures of the unit `id`; attack figures are against `at`.
    fn figures(ac: &ActivityQuery, id: Id, at: Id) -> Vec<Stat> {
        let stats = ac.stats(id);
        let mut all = vec![
            Stat::new("HP", ac.body(id).max_hp),
            Stat::new("dead at", -stats.constitution),
            Stat::new("DB", sum(&ac.defence(id, false))),
            Stat::new("Quickness", stats.quickness),
            Stat::new("Insight", stats.insight),
            Stat::new("casting", stats.casting),
            Stat::new("power points", stats.power),
            Stat::new("resistance", stats.resistance),
            Stat::new("perception", stats.perception),
            Stat::new("morale", stats.morale),
            Stat::new("armour hinders", stats.hindrance),
        ];
        if !stats.talents.is_empty() {
            let talents: Vec<String> = stats.talents.iter().map(|t| format!("{t:?}")).collect();
            all.push(Stat::new("talents", talents.join(", ")));
        }
        all.extend(attack_figures(&ac.view, (id, at), "AC-30", |attack| {
            let weapon = ac.weapon(attack.with).section::<ActivityWeapon>();
            json!({
                "OB": ac.base_ob(id, attack.with, attack.ranged),
                "size": weapon.size.grown(stats.stature).name(),
                "fumble": weapon.fumble,
                "reload": weapon.reload,
            })
        }));
        all
    }

    fn weapon(weapon: &Weapon) -> Vec<Stat> {
        let stats = weapon.section::<ActivityWeapon>();
        vec![
            Stat::new("attack", format!("{:?}", stats.attack)),
            Stat::new("size", stats.size.name()),
            Stat::new("fumble", stats.fumble),
            Stat::new("reload", stats.reload),
        ]
    }

    fn spell(spell: &Spell) -> Vec<Stat> {
        let magic = spell.section::<ActivitySpell>();
        let mut figures = vec![
            Stat::new("power points", magic.points),
            Stat::new("at most", magic.most),
            Stat::new("instantaneous", magic.instantaneous),
            Stat::new("attack", format!("{:?}", magic.attack)),
            Stat::new("size", magic.size.name()),
        ];
        figures.extend(magic.grants.map(|g| Stat::new("grants", format!("{g:?}"))));
        figures.extend(magic.minutes.map(|n| Stat::new("minutes", n)));
        figures
    }
}
