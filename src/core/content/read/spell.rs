use super::{Entry, entry, plain_name};
use crate::content::section::{Sections, whole, word};
use crate::content::{Burst, Condition, Content, Effect, Registry, Save, Spell, SpellArea};
use crate::ron_read::{ByteRange, Piece, Reader};
use std::collections::BTreeMap;
use std::sync::Arc;

entry! {
    pub(in crate::content) struct SpellEntry: Spell in spells, sections of Spell: spell;
    name: String, super::name;
    range: i32, whole(0..=1000);
    area: SpellArea, area;
    save: Save, word("a save", &Save::WORDS);
    effect: Effect, effect;
    uses: i32, whole(1..=100);
    burst: Burst, word("a burst", &Burst::WORDS);
}

impl Entry for SpellEntry {
    const THING: &'static str = "a spell";
    const NEEDS: &'static [&'static [&'static str]] = &[&["range"], &["effect"]];

    fn make(&self, r: &mut Reader, at: ByteRange, id: &str, known: &Registry) -> Option<Spell> {
        let (Some(range), Some(effect)) = (self.range, self.effect.clone()) else {
            r.problem(at, "a spell needs the fields `range` and `effect`", "");
            return None;
        };
        let mut spell = Spell {
            id: id.to_string(),
            name: self.name.clone().unwrap_or_else(|| plain_name(id)),
            range,
            area: self.area.unwrap_or(SpellArea::One),
            save: self.save.unwrap_or(Save::None),
            uses: self.uses,
            burst: self.burst.unwrap_or_else(|| Burst::of(&effect)),
            effect,
            sections: Sections::default(),
        };
        (self.sections).derive(r, at, &known.spell, &mut spell, |it| &mut it.sections);
        Some(spell)
    }
}

fn area(r: &mut Reader, piece: &Piece, _: &Content) -> Option<SpellArea> {
    let (word, group) = r.variant(piece, "an area such as `One` or `Blast(10)`")?;
    if word == "One" && group.is_none() {
        return Some(SpellArea::One);
    }
    let shape: fn(i32) -> SpellArea = match word {
        "Blast" => SpellArea::Blast,
        "Cone" => SpellArea::Cone,
        "Line" => SpellArea::Line,
        _ => {
            r.unknown(piece.at, "area", word, ["One", "Blast", "Cone", "Line"]);
            return None;
        }
    };
    let wanted = "feet in brackets, such as `Blast(10)`";
    let [feet] = r.tuple(group.unwrap_or(piece), wanted)?;
    Some(shape(r.whole(feet, 5..=200)?))
}

fn effect(r: &mut Reader, piece: &Piece, content: &Content) -> Option<Effect> {
    let (word, group) = r.variant(piece, "an effect such as `Damage(\"1d6\")`")?;
    let group = group.unwrap_or(piece);
    match word {
        "Damage" | "Heal" => {
            let [amount] = r.tuple(group, "dice in brackets, such as `Damage(\"1d6\")`")?;
            let effect = match word {
                "Heal" => Effect::Heal,
                _ => Effect::Damage,
            };
            r.parsed(amount).map(effect)
        }
        "Ward" | "Hold" | "Lasts" => {
            let thing = match word {
                "Ward" => "a ward",
                "Hold" => "a hold",
                _ => "a condition that lasts",
            };
            let mut f = r.fields(group, thing)?;
            let condition = match word {
                // The general condition, with this spell's points.
                "Ward" => f.required(r, "ac", |r, p| {
                    let mut condition = Condition::clone(&content.conditions["warded"]);
                    condition.defense = r.whole(p, 1..=10)?;
                    Some(Arc::new(condition))
                }),
                "Hold" => Some(content.conditions["held"].clone()),
                _ => f.required(r, "condition", |r, p| super::condition(r, p, content)),
            };
            let rounds = f.required(r, "rounds", |r, p| r.whole(p, 1..=100));
            f.finish(r);
            Some(Effect::Lasts {
                condition: condition?,
                rounds: rounds?,
            })
        }
        _ => {
            let known = ["Damage", "Heal", "Ward", "Hold", "Lasts"];
            r.unknown(piece.at, "effect", word, known);
            None
        }
    }
}
