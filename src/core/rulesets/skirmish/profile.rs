//! A unit's figures under Skirmish.

use super::Skirmish;
use super::content::SkirmishStats;
use super::query::SkirmishQuery;
use crate::battle::{Id, Stat, attack_figures};
use crate::content::Weapon;
use crate::rulesets::common::table::{HasFigures, hit_and_damage};

impl HasFigures for Skirmish {
    /// The figures of `id` when it attacks `at`.
    fn figures(sk: &SkirmishQuery, id: Id, at: Id) -> Vec<Stat> {
        let stats = sk.view.creature(id).section::<SkirmishStats>();
        let mut all = vec![
            Stat::new("HP", sk.body(id).max_hp),
            Stat::new("AC", sk.armour_class(id, false).0),
            Stat::detail("AC against missiles", sk.armour_class(id, true).0),
            Stat::new("attack bonus", stats.attack_bonus),
            Stat::new("Physical save", stats.physical_save),
        ];
        all.extend(attack_figures(&sk.view, (id, at), "SK-30", |attack| {
            let forecast = sk.unobstructed_forecast(&attack);
            let mut value = hit_and_damage(&forecast, &forecast.damage);
            // Shown whether or not it works against this target's AC.
            let shock = sk.view.weapon(attack.with).shock.filter(|_| !attack.ranged);
            if let Some(shock) = shock {
                let ac = shock.ac.map_or("-".to_string(), |ac| format!("AC {ac}"));
                value["shock"] = format!("{}/{ac}", sk.shock_points(&attack)).into();
            }
            value
        }));
        all
    }

    /// The weapon's Shock, the only number of weapons that Skirmish adds.
    fn weapon(weapon: &Weapon) -> Vec<Stat> {
        let shock = weapon.shock.map_or("none".to_string(), |s| {
            let ac = s.ac.map_or("-".to_string(), |ac| format!("AC {ac}"));
            format!("{}/{ac}", s.points)
        });
        vec![Stat::new("Shock", shock)]
    }
}
