//! A unit's numbers for display.

use super::Segments;
use super::content::{SegmentsSpell, SegmentsWeapon};
use super::{query::SegmentsQuery, state::AttackSpec};
use crate::battle::{Figure, Id, attack_figures};
use crate::content::{Spell, Weapon};
use crate::rulesets::common::table::{HasFigures, hit_and_damage};

impl HasFigures for Segments {
    /// The numbers of `id`, with its attacks on `at`.
    fn figures(se: &SegmentsQuery, id: Id, at: Id) -> Vec<Figure> {
        let stats = se.stats(id);
        let morale = stats.morale.map_or("none".to_string(), |n| format!("{n}%"));
        let mut all = vec![
            Figure::new("HP", se.body(id).max_hp),
            Figure::new("AC", se.armour_class(id, false).0),
            Figure::detail("AC against missiles", se.armour_class(id, true).0),
            Figure::new("hits AC 0 on", stats.to_hit),
            Figure::new("save", stats.save),
            Figure::new("morale", morale),
            Figure::new("missile bonus", stats.missile),
            Figure::new("surprise lost", stats.surprise),
            Figure::new("surprises on", stats.surprises),
            Figure::new("can be surprised", stats.surprised),
            Figure::new("routines", stats.routines),
        ];
        if !stats.attacks.is_empty() {
            let blows: Vec<&str> = stats.attacks.iter().map(|w| w.name.as_str()).collect();
            all.push(Figure::new("routine", blows.join(", ")));
        }
        all.extend(attack_figures(&se.view, (id, at), "SE-50", |attack| {
            let times = 1;
            let blow = AttackSpec { attack, times };
            let forecast = se.unobstructed_forecast(&blow);
            hit_and_damage(&forecast, &forecast.damage)
        }));
        all
    }

    fn weapon(weapon: &Weapon) -> Vec<Figure> {
        let arms = weapon.section::<SegmentsWeapon>();
        vec![
            Figure::new("missiles in a routine", arms.rate),
            Figure::new("can be set", arms.set),
        ]
    }

    fn spell(spell: &Spell) -> Vec<Figure> {
        let casting = spell.section::<SegmentsSpell>().casting;
        vec![Figure::new("segments to cast", casting)]
    }
}
