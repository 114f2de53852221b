//! A unit in numbers.

use super::Activity;
use super::content::{ActivityArms, ActivitySpell};
use super::query::ActivityQuery;
use crate::battle::{Figure, Id, attack_figures, sum};
use crate::content::{Spell, Weapon};
use crate::rulesets::common::table::HasFigures;
use serde_json::json;

impl HasFigures for Activity {
    /// Figures of the unit `id`; attack figures are against `at`.
    fn figures(ac: &ActivityQuery, id: Id, at: Id) -> Vec<Figure> {
        let stats = ac.stats(id);
        let mut all = vec![
            Figure::new("HP", ac.body(id).max_hp),
            Figure::new("dead at", -stats.constitution),
            Figure::new("DB", sum(&ac.defence(id, false))),
            Figure::new("Quickness", stats.quickness),
            Figure::new("Insight", stats.insight),
            Figure::new("casting", stats.casting),
            Figure::new("power points", stats.power),
            Figure::new("resistance", stats.resistance),
            Figure::new("perception", stats.perception),
            Figure::new("morale", stats.morale),
            Figure::new("armour hinders", stats.hindrance),
        ];
        if !stats.talents.is_empty() {
            let talents: Vec<String> = stats.talents.iter().map(|t| format!("{t:?}")).collect();
            all.push(Figure::new("talents", talents.join(", ")));
        }
        all.extend(attack_figures(&ac.view, (id, at), "AC-30", |attack| {
            let arms = ac.weapon(attack.with).section::<ActivityArms>();
            json!({
                "OB": ac.base_ob(id, attack.with, attack.ranged),
                "size": arms.size.grown(stats.stature).name(),
                "fumble": arms.fumble,
                "reload": arms.reload,
            })
        }));
        all
    }

    fn weapon(weapon: &Weapon) -> Vec<Figure> {
        let arms = weapon.section::<ActivityArms>();
        vec![
            Figure::new("attack", format!("{:?}", arms.attack)),
            Figure::new("size", arms.size.name()),
            Figure::new("fumble", arms.fumble),
            Figure::new("reload", arms.reload),
        ]
    }

    fn spell(spell: &Spell) -> Vec<Figure> {
        let magic = spell.section::<ActivitySpell>();
        let mut figures = vec![
            Figure::new("power points", magic.points),
            Figure::new("at most", magic.most),
            Figure::new("instantaneous", magic.instantaneous),
            Figure::new("attack", format!("{:?}", magic.attack)),
            Figure::new("size", magic.size.name()),
        ];
        figures.extend(
            magic
                .grants
                .map(|g| Figure::new("grants", format!("{g:?}"))),
        );
        figures.extend(magic.minutes.map(|n| Figure::new("minutes", n)));
        figures
    }
}
