//! A unit's numbers for display.

use super::Segments;
use super::content::{SegmentsSpell, SegmentsWeapon};
use super::{query::SegmentsQuery, state::AttackSpec};
use crate::battle::{Id, Stat, attack_figures};
use crate::content::{Spell, Weapon};
use crate::rulesets::common::table::{HasFigures, hit_and_damage};

impl HasFigures for Segments {
    /// The numbers of `id`, with its attacks on `at`.
    fn figures(se: &SegmentsQuery, id: Id, at: Id) -> Vec<Stat> {
        let stats = se.stats(id);
        let morale = stats.morale.map_or("none".to_string(), |n| format!("{n}%"));
        let mut all = vec![
            Stat::new("HP", se.body(id).max_hp),
            Stat::new("AC", se.armour_class(id, false).0),
            Stat::detail("AC against missiles", se.armour_class(id, true).0),
            Stat::new("hits AC 0 on", stats.to_hit),
            Stat::new("save", stats.save),
            Stat::new("morale", morale),
            Stat::new("missile bonus", stats.missile),
            Stat::new("surprise lost", stats.surprise),
            Stat::new("surprises on", stats.surprises),
            Stat::new("can be surprised", stats.surprised),
            Stat::new("routines", stats.routines),
        ];
        if !stats.attacks.is_empty() {
            let specs: Vec<&str> = stats.attacks.iter().map(|w| w.name.as_str()).collect();
            all.push(Stat::new("routine", specs.join(", ")));
        }
        all.extend(attack_figures(&se.view, (id, at), "SE-50", |attack| {
            let times = 1;
            let spec = AttackSpec { attack, times };
            let forecast = se.unobstructed_forecast(&spec);
            hit_and_damage(&forecast, &forecast.damage)
        }));
        all
    }

    fn weapon(weapon: &Weapon) -> Vec<Stat> {
        let stats = weapon.section::<SegmentsWeapon>();
        vec![
            Stat::new("missiles in a routine", stats.rate),
            Stat::new("can be set", stats.set),
        ]
    }

    fn spell(spell: &Spell) -> Vec<Stat> {
        let casting = spell.section::<SegmentsSpell>().casting;
        vec![Stat::new("segments to cast", casting)]
    }
}
