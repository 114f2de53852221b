use super::{Entry, entry, plain_name, weapon::dice};
use crate::content::section::{Sections, whole, word};
use crate::content::{Burst, Condition, Content, Effect, Registry, Save, Spell, SpellArea};
use crate::ron_read::{ByteRange, Piece, Reader};
use std::collections::BTreeMap;
use std::sync::Arc;

entry! {
    pub(in crate::content) struct SpellEntry, spell: sections of Spell;
    name: String, super::name;
    range: i32, whole(0..=1000);
    area: SpellArea, area;
    save: Save, word("a save", &Save::WORDS);
    effect: Effect, effect;
    uses: i32, whole(1..=100);
    burst: Burst, word("a burst", &Burst::WORDS);
}

impl Entry for SpellEntry {
    type Made = Spell;
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

    fn entries(content: &mut Content) -> &mut BTreeMap<String, Self> {
        &mut content.entries.spells
    }

    fn made(content: &mut Content) -> &mut BTreeMap<String, Arc<Spell>> {
        &mut content.spells
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
    let [feet] = r.tuple(
        group.unwrap_or(piece),
        "feet in brackets, such as `Blast(10)`",
    )?;
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
            dice(r, amount).map(effect)
        }
        "Ward" => {
            let mut f = r.fields(group, "a ward")?;
            let ac = f.required(r, "ac", |r, p| r.whole(p, 1..=10));
            let rounds = f.required(r, "rounds", |r, p| r.whole(p, 1..=100));
            f.finish(r);
            // The general condition, with this spell's points.
            let mut condition = Condition::clone(&content.conditions["warded"]);
            condition.defense = ac?;
            Some(Effect::Lasts {
                condition: Arc::new(condition),
                rounds: rounds?,
            })
        }
        "Hold" => {
            let mut f = r.fields(group, "a hold")?;
            let rounds = f.required(r, "rounds", |r, p| r.whole(p, 1..=100));
            f.finish(r);
            Some(Effect::Lasts {
                condition: content.conditions["held"].clone(),
                rounds: rounds?,
            })
        }
        "Lasts" => {
            let mut f = r.fields(group, "a condition that lasts")?;
            let condition = f.required(r, "condition", |r, p| super::condition(r, p, content));
            let rounds = f.required(r, "rounds", |r, p| r.whole(p, 1..=100));
            f.finish(r);
            Some(Effect::Lasts {
                condition: condition?,
                rounds: rounds?,
            })
        }
        _ => {
            r.unknown(
                piece.at,
                "effect",
                word,
                ["Damage", "Heal", "Ward", "Hold", "Lasts"],
            );
            None
        }
    }
}
