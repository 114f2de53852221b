//! The Activity ruleset's UI: counts of the round, each unit's round as a bar of 100%, previews of
//! declarations.

mod plan;
mod status;

use super::{BASIC, Preset, RulesetUi, run};
use crate::{
    content::{Effect, Save, Spell},
    rulesets::activity::{
        content::ActivitySpell,
        numbers::tables,
        planning::GUARD,
        spells::rounds,
        targets::{SHOOT, STRIKE},
    },
};

pub(super) static UI: RulesetUi = RulesetUi {
    rules: "Activity",
    about: "Split 100% between attacks, moves and parries; d100 to hit.",
    like: "Plays like fencing: what you spend on the attack is missing from the parry.",
    status: |world, who| run(world, status::status, who),
    figures: |world, who| run(world, status::figures, who),
    traits: |world, who| run(world, status::traits, who),
    figures_tip: "Morale: at its side's first loss, the unit adds its morale to an open-ended d100 and breaks and flees below a target; the target is higher with half of the side down, and highest with its leader down (AC-37)",
    spell,
    preview_declaration: plan::preview_declaration,
    presets: &PRESETS,
    arrival_counts: "the end of the round",
    ..BASIC
};

/// Whole rounds behind one button each.
static PRESETS: [Preset; 4] = [
    Preset {
        name: "All-out",
        help: "Attack with the whole round; no parry",
        verbs: &[&STRIKE],
        comes: false,
        waits: false,
        guard: 0,
    },
    Preset {
        name: "Guarded",
        help: "Attack an enemy in reach, or the first that comes; keep the rest for parrying",
        verbs: &[&STRIKE],
        comes: false,
        waits: true,
        guard: 100,
    },
    Preset {
        name: "Load and shoot",
        help: "Load if needed, then shoot",
        verbs: &[&SHOOT],
        comes: false,
        waits: false,
        guard: 0,
    },
    Preset {
        name: "Move and strike",
        help: "Move next to the target and attack with the rest, half kept for parrying",
        verbs: &[&STRIKE],
        comes: true,
        waits: false,
        guard: GUARD,
    },
];

/// A spell in words: power points and time, effect, range.
fn spell(spell: &Spell) -> Vec<String> {
    let own = spell.section::<ActivitySpell>();
    let (points, most) = (own.points, own.most);
    let costs = &tables().costs;
    let power = match points == most {
        true => format!("{points} power points"),
        false => format!("{points} to {most} power points"),
    };
    let time = match own.instantaneous {
        true => format!("{}%, no separate action", costs.instantaneous),
        false => format!("{}% each", costs.spell_per_point),
    };
    let rounds = rounds(spell);
    let effect = match &spell.effect {
        _ if own.grants.is_some() => String::from("quickens"),
        Effect::Damage(_) => format!("an attack: {}", own.attack.name()),
        Effect::Heal(dice) => {
            let most = i32::from(dice.count) * i32::from(dice.sides);
            format!("heals {most} HP, +3 per extra point")
        }
        Effect::Lasts { condition, .. } if condition.defense > 0 => format!(
            "DB +{} for {rounds} rounds, +5 per extra point",
            5 * condition.defense
        ),
        Effect::Lasts { condition, .. } => {
            let (name, does) = (&condition.name, condition.effect_text());
            format!("{name} for {rounds} rounds: {does}")
        }
    };
    let save = match spell.save {
        Save::None => "",
        Save::Half => "; a resistance roll halves it",
        Save::Negates => "; a resistance roll negates it",
    };
    vec![
        format!("{power}, {time}"),
        format!("{effect}{save}"),
        super::words::spell_reach(spell),
    ]
}
