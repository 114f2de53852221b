//! Shared text of the ruleset UIs: lines about units, weapons and spells.

use super::{StatusBadge, TraitWords};
use crate::{
    battle::{Body, Inventory, Item, ItemPlace, Rule, State, capitalised, numeral, signed},
    content::{Creature, Dice, Effect, Save, Spell, SpellArea, Trait, Weapon},
    rulesets::common::damage::Odds,
};

/// The hit points that a unit shows: those below 0 count only until it is dead.
pub fn hp_left(body: &Body) -> i32 {
    match body.state {
        State::Dead => body.hp.max(0),
        _ => body.hp,
    }
}

/// "HP 5 of 9   AC 15 (16 vs ranged)": the first AC is against melee.
pub(super) fn hp_and_ac(hp: i32, most: i32, (melee, ranged): (i32, i32)) -> String {
    let first = format!("HP {} of {most}   AC {}", numeral(hp), numeral(melee));
    match melee == ranged {
        true => first,
        false => format!("{first} ({} vs ranged)", numeral(ranged)),
    }
}

/// "   Morale fails 28%": the chance to fail the next check, in few enough letters to stand behind the
/// hit points. Empty for a unit that never checks, whose morale is broken or that is down.
pub(super) fn morale_words(breaks: Option<Odds>, body: &Body) -> String {
    let checks = body.is_up() && !body.flees;
    breaks.filter(|_| checks).map_or(String::new(), |odds| {
        // A line of a card ends before it or after it.
        let words = format!("Morale fails {}%", odds.percent()).replace(' ', "\u{a0}");
        format!("   {words}")
    })
}

/// The weapons outside the pack. Bare hands, the last entry, are listed only without any others.
pub(super) fn armed(inventory: &Inventory) -> Vec<Item> {
    let mut items: Vec<Item> = inventory.at_hand().collect();
    if items.len() > 1 {
        items.pop();
    }
    items
}

/// "Short bow 1d6".
pub(super) fn weapon_words(weapon: &Weapon) -> String {
    format!("{} {}", capitalised(&weapon.name), weapon.damage)
}

/// ", 50 / 300 ft"; empty without a range.
pub(super) fn range_words(weapon: &Weapon) -> String {
    let ranged = weapon.ranged.as_ref();
    ranged.map_or(String::new(), |r| format!(", {} / {} ft", r.normal, r.long))
}

/// ", Brawl +2" for bare hands that the skill makes stronger; empty for other weapons.
pub(super) fn brawl_words(by: &Creature, weapon: &Weapon) -> String {
    match by.brawl_damage(weapon) {
        0 => String::new(),
        n => format!(", Brawl {}", signed(n)),
    }
}

/// The end of a weapon's line: how many the unit has, and whether it is held.
pub(super) fn held(inventory: &Inventory, item: Item) -> String {
    let count = inventory
        .items
        .iter()
        .filter(|thing| thing.0 == item)
        .count();
    let several = match count {
        0 | 1 => String::new(),
        n => format!(" ×{n}"),
    };
    match inventory.place(item) {
        Some(ItemPlace::Hand | ItemPlace::OffHand) => several + " (held)",
        _ => several,
    }
}

/// The traits of a creature that count in the ruleset, each with the rule that `rule` gives for it.
/// `spent` are those that were used up in this battle.
pub(super) fn trait_words(
    creature: &Creature,
    rule: impl Fn(&Trait) -> Option<Rule>,
    spent: &[Trait],
) -> Vec<TraitWords> {
    let traits = creature.traits.iter();
    let words = traits.filter_map(|of| {
        let mut words = TraitWords::of(of, rule(of)?);
        if spent.contains(of) {
            words.text += " (used)";
        }
        Some(words)
    });
    words.collect()
}

impl TraitWords {
    pub(super) fn new(text: impl Into<String>, meaning: &'static str, rule: Rule) -> Self {
        Self {
            text: text.into(),
            meaning,
            rule,
        }
    }

    fn of(of: &Trait, rule: Rule) -> Self {
        let (text, meaning) = match of {
            Trait::Disciplined => (
                "makes snap attacks",
                "Can make snap attacks, as every hero can",
            ),
            Trait::Minion => ("minion", "Dies at 0 HP; others are only dying"),
            Trait::ShockImmune => ("immune to Shock", "Takes no Shock"),
            Trait::ShockBonus(n) => {
                let text = format!("Shock {}", signed(*n));
                return Self::new(text, "Deals this much more Shock", rule);
            }
            Trait::ShockAnyAc => ("Shock against any AC", "Deals Shock against any AC"),
            Trait::DamageBonus(n) => {
                let text = format!("damage {}", signed(*n));
                return Self::new(text, "Deals this much more damage with each hit", rule);
            }
            Trait::Reroll => (
                "one reroll per battle",
                "Once per battle, can roll again for a failed attack, check or save",
            ),
            Trait::SpareMain => (
                "one extra action per battle",
                "Once per battle, can take a second action in its turn",
            ),
            Trait::Invisible => (
                "invisible",
                "Can't be seen; to shoot at it, a unit must hear where it is",
            ),
            Trait::Speechless => ("understands no speech", "A parley does not reach it"),
        };
        Self::new(text, meaning, rule)
    }
}

/// The conditions whose flag is set.
pub(super) fn holding<const N: usize>(all: [(bool, StatusBadge); N]) -> Vec<StatusBadge> {
    let those = all.into_iter().filter(|c| c.0);
    those.map(|c| c.1).collect()
}

/// The average of dice: "3.5".
fn mean(dice: Dice) -> String {
    let twice = dice.twice_mean();
    let half = if twice % 2 == 0 { "" } else { ".5" };
    format!("{}{half}", twice / 2)
}

/// Targets and uses of a spell.
pub(super) fn spell_reach(spell: &Spell) -> String {
    let reach = match (spell.area, spell.range) {
        (SpellArea::One, 0) => String::from("self"),
        (SpellArea::One, feet) => format!("one target, range {feet} ft"),
        (SpellArea::Blast(radius), 0) => format!("{radius}-ft radius, self"),
        (SpellArea::Blast(radius), feet) => {
            format!("{radius}-ft radius, range {feet} ft")
        }
        (SpellArea::Cone(feet), _) => format!("{feet}-ft cone"),
        (SpellArea::Line(feet), _) => format!("{feet}-ft line"),
    };
    let uses = spell.uses.map_or(String::new(), |n| match n {
        1 => String::from(", once per battle"),
        n => format!(", {n} times per battle"),
    });
    format!("{reach}{uses}")
}

/// A spell's effect, save and targets; `defense` is the ruleset's word for AC.
pub(super) fn spell_lines(spell: &Spell, defense: &str) -> Vec<String> {
    let save = match spell.save {
        Save::None => "",
        Save::Half => ", save halves",
        Save::Negates => ", save negates",
    };
    let effect = spell.effect.effect_text(defense);
    let mean = match &spell.effect {
        Effect::Damage(dice) | Effect::Heal(dice) => format!(", average {}", mean(*dice)),
        Effect::Lasts { .. } => String::new(),
    };
    vec![format!("{effect}{mean}{save}"), spell_reach(spell)]
}
