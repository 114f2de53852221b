//! A combatant in numbers.

use super::Skirmish;
use super::content::SkirmishStats;
use super::sk::Sk;
use crate::battle::{Figure, Id, Thing, attack_figures, dice_text, signed, sum};
use crate::rulesets::common::table::Profiled;
use serde_json::json;

impl Profiled for Skirmish {
    /// Of the first, who attacks the second.
    fn figures(sk: &Sk, id: Id, at: Id) -> Vec<Figure> {
        let stats = sk.view.creature(id).section::<SkirmishStats>();
        let mut all = vec![
            Figure::new("HP", sk.body(id).max_hp),
            Figure::new("AC", sk.armour_class(id, false).0),
            Figure::new("AC against missiles", sk.armour_class(id, true).0),
            Figure::new("attack bonus", stats.attack_bonus),
            Figure::new("Physical save", stats.physical_save),
        ];
        all.extend(attack_figures(&sk.view, (id, at), "SK-30", |attack| {
            let forecast = sk.plain_forecast(&attack);
            let mut value = json!({
                "hit": signed(sum(&forecast.modifiers)),
                "damage": dice_text(forecast.damage.dice, &forecast.damage.modifiers),
            });
            // Whether it tells on somebody is another matter.
            let shock = sk.view.weapon(attack.with).shock.filter(|_| !attack.ranged);
            if let Some(shock) = shock {
                let ac = shock.ac.map_or("-".to_string(), |ac| format!("AC {ac}"));
                value["shock"] = format!("{}/{ac}", sk.shock_points(&attack)).into();
            }
            value
        }));
        all
    }

    /// The Shock of a weapon; Skirmish has no other numbers of its own for things.
    fn thing(thing: &Thing) -> Vec<Figure> {
        let Thing::Weapon(weapon) = thing else {
            return vec![];
        };
        let shock = weapon.shock.map_or("none".to_string(), |s| {
            let ac = s.ac.map_or("-".to_string(), |ac| format!("AC {ac}"));
            format!("{}/{ac}", s.points)
        });
        vec![Figure::new("Shock", shock)]
    }
}
