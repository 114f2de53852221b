//! A unit's figures under Skirmish.

use super::Skirmish;
use super::query::SkirmishQuery;
use crate::battle::{Id, Stat, attack_figures};
use crate::content::Weapon;
use crate::rulesets::common::table::{HasFigures, hit_and_damage};

impl HasFigures for Skirmish {
    /// The figures of `id` when it attacks `at`.
    fn figures(sk: &SkirmishQuery, id: Id, at: Id) -> Vec<Stat> {
        let stats = sk.stats(id);
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
                value["shock"] = shock_text(sk.shock_points(&attack), shock.ac).into();
            }
            value
        }));
        all
    }

    /// The weapon's Shock, the only number of weapons that Skirmish adds.
    fn weapon(weapon: &Weapon) -> Vec<Stat> {
        let shock = weapon.shock.map(|s| shock_text(s.points, s.ac));
        vec![Stat::new("Shock", shock.unwrap_or("none".into()))]
    }
}

/// "2/AC 15": the points, and the highest AC against which they count; "2/-" against any.
fn shock_text(points: i32, ac: Option<i32>) -> String {
    let ac = ac.map_or("-".to_string(), |ac| format!("AC {ac}"));
    format!("{points}/{ac}")
}
