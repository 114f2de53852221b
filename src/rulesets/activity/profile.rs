//! A combatant in numbers.

use super::ac::Ac;
use crate::battle::{Figure, Id, attack_figures, sum};
use bevy::ecs::system::In;
use serde_json::json;

/// Of the first, who attacks the second.
pub fn figures(In((id, at)): In<(Id, Id)>, ac: Ac) -> Vec<Figure> {
    let stats = ac.stats(id);
    let mut all = vec![
        Figure::new("hits", ac.body(id).max_hp),
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
        let arms = ac.weapon(attack.with).activity;
        json!({
            "OB": ac.base_ob(id, attack.with, attack.ranged),
            "size": arms.size.grown(stats.stature).name(),
            "fumble": arms.fumble,
            "reload": arms.reload,
        })
    }));
    all
}
