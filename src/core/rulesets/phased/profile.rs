//! A unit's numbers for display.

use super::Phased;
use super::content::{PhasedSpell, PhasedWeapon};
use super::{odds::AttackSpec, query::PhasedQuery};
use crate::battle::{Id, Stat, attack_figures};
use crate::content::{Spell, Weapon};
use crate::rulesets::common::table::{HasFigures, hit_and_damage};
use serde_json::json;

impl HasFigures for Phased {
    /// The numbers of `id`, with its attacks on `at`.
    fn figures(ph: &PhasedQuery, id: Id, at: Id) -> Vec<Stat> {
        let stats = ph.stats(id);
        let saves = json!({
            "body": stats.saves.body,
            "breath": stats.saves.breath,
            "magic": stats.saves.magic,
        });
        let mut all = vec![
            Stat::new("HP", ph.body(id).max_hp),
            Stat::new("AC", ph.armour_class(id, false).0),
            Stat::detail("AC against missiles", ph.armour_class(id, true).0),
            Stat::new("hits AC 0 on", stats.row.aac0()),
            Stat::new("saves", saves),
            Stat::new("reaction", stats.reaction),
            Stat::new("feet a round", stats.rate),
            Stat::new("routines", stats.routines),
        ];
        match stats.class {
            Some((class, level)) => {
                all.push(Stat::new("class", format!("{} {level}", class.name())));
            }
            None => all.push(Stat::new("hit dice", stats.hit_dice.to_string())),
        }
        if let Some(line) = &stats.attacks {
            all.push(Stat::new("routine", line.to_string()));
        }
        all.extend(stats.traits().map(|(what, ..)| Stat::new(what, true)));
        if stats.needs_magic > 0 {
            all.push(Stat::new("harmed by magic of", stats.needs_magic));
        }
        all.extend(attack_figures(&ph.view, (id, at), "PH-30", |attack| {
            let dice = ph.weapon(attack.with).damage;
            let (times, called) = (1, false);
            let forecast = ph.unobstructed_forecast(&AttackSpec {
                attack,
                dice,
                times,
                called,
            });
            hit_and_damage(&forecast, &forecast.damage)
        }));
        all
    }

    fn weapon(weapon: &Weapon) -> Vec<Stat> {
        let stats = weapon.section::<PhasedWeapon>();
        let mut figures = vec![
            Stat::new("weapon speed", stats.speed),
            Stat::new("feet of room", stats.space),
            Stat::new("missiles in a routine", stats.rate),
            Stat::new("loading", format!("{:?}", stats.loading)),
            Stat::new("can be set", stats.set),
        ];
        if let Some(thrust) = stats.thrust {
            let (speed, space, damage) = (thrust.speed, thrust.space, thrust.damage.to_string());
            let value = json!({"speed": speed, "space": space, "damage": damage});
            figures.push(Stat::new("as a spear", value));
        }
        figures
    }

    fn spell(spell: &Spell) -> Vec<Stat> {
        let craft = spell.section::<PhasedSpell>();
        let tags: Vec<String> = craft.tags.iter().map(|t| format!("{t:?}")).collect();
        vec![
            Stat::new("craft", format!("{:?}", craft.craft)),
            Stat::new("segments to cast", craft.segments),
            Stat::new("attributes", tags.join(", ")),
            Stat::new("kept up", craft.upkeep),
            Stat::new("the round's one spell", craft.is_spell),
            Stat::new("keeps bodies off", craft.hedges),
        ]
    }
}
