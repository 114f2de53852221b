use super::{Entry, plain_name, weapon::dice};
use crate::content::activity;
use crate::content::phased::CraftEntry;
use crate::content::segments::SegmentsSpellEntry;
use crate::content::speed::SpeedSpellEntry;
use crate::content::{Area, Condition, Content, Effect, Save, Spell};
use crate::ron_read::{Fields, Piece, Place, Reader};
use std::collections::BTreeMap;
use std::sync::Arc;

#[derive(Clone, Debug, Default)]
pub(in crate::content) struct SpellEntry {
    name: Option<String>,
    range: Option<i32>,
    area: Option<Area>,
    save: Option<Save>,
    effect: Option<Effect>,
    uses: Option<i32>,
    activity: activity::SpellEntry,
    segments: SegmentsSpellEntry,
    phased: CraftEntry,
    speed: SpeedSpellEntry,
}

impl Entry for SpellEntry {
    type Made = Spell;
    const THING: &'static str = "a spell";
    const NEEDS: &'static [&'static [&'static str]] = &[&["range"], &["effect"]];

    fn read(r: &mut Reader, f: &mut Fields, content: &Content) -> Self {
        Self {
            name: f.optional(r, "name", Reader::filled_text),
            range: f.optional(r, "range", |r, p| r.whole(p, 0..=1000)),
            area: f.optional(r, "area", area),
            save: f.optional(r, "save", |r, p| r.word(p, "a save", &SAVES)),
            effect: f.optional(r, "effect", |r, p| effect(r, p, content)),
            uses: f.optional(r, "uses", |r, p| r.whole(p, 1..=100)),
            activity: f
                .optional(r, "activity", activity::SpellEntry::read)
                .unwrap_or_default(),
            segments: f
                .optional(r, "segments", SegmentsSpellEntry::read)
                .unwrap_or_default(),
            phased: f
                .optional(r, "phased", CraftEntry::read)
                .unwrap_or_default(),
            speed: f
                .optional(r, "speed", SpeedSpellEntry::read)
                .unwrap_or_default(),
        }
    }

    fn over(self, base: &Self) -> Self {
        Self {
            name: self.name.or_else(|| base.name.clone()),
            range: self.range.or(base.range),
            area: self.area.or(base.area),
            save: self.save.or(base.save),
            effect: self.effect.or_else(|| base.effect.clone()),
            uses: self.uses.or(base.uses),
            activity: self.activity.over(&base.activity),
            segments: self.segments.over(base.segments),
            phased: self.phased.over(&base.phased),
            speed: self.speed.over(base.speed),
        }
    }

    fn make(&self, r: &mut Reader, at: Place, id: &str) -> Option<Spell> {
        let (Some(range), Some(effect)) = (self.range, self.effect.clone()) else {
            r.problem(at, "a spell needs the fields `range` and `effect`", "");
            return None;
        };
        let area = self.area.unwrap_or(Area::One);
        Some(Spell {
            speed: self.speed.derive(area, &effect),
            id: id.to_string(),
            name: self.name.clone().unwrap_or_else(|| plain_name(id)),
            range,
            area,
            segments: self.segments.derive(area),
            save: self.save.unwrap_or(Save::None),
            uses: self.uses,
            activity: self.activity.derive(&effect),
            phased: self.phased.derive(area, &effect),
            effect,
        })
    }

    fn entries(content: &mut Content) -> &mut BTreeMap<String, Self> {
        &mut content.entries.spells
    }

    fn made(content: &mut Content) -> &mut BTreeMap<String, Arc<Spell>> {
        &mut content.spells
    }
}

const SAVES: [(&str, Save); 3] = [
    ("None", Save::None),
    ("Half", Save::Half),
    ("Negates", Save::Negates),
];

fn area(r: &mut Reader, piece: &Piece) -> Option<Area> {
    let (word, group) = r.variant(piece, "an area such as `One` or `Blast(10)`")?;
    if word == "One" && group.is_none() {
        return Some(Area::One);
    }
    let shape: fn(i32) -> Area = match word {
        "Blast" => Area::Blast,
        "Cone" => Area::Cone,
        "Line" => Area::Line,
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
            let amount = dice(r, amount)?;
            Some(if word == "Heal" {
                Effect::Heal(amount)
            } else {
                Effect::Damage(amount)
            })
        }
        "Ward" => {
            let mut f = r.fields(group, "a ward")?;
            let ac = f.required(r, "ac", |r, p| r.whole(p, 1..=10));
            let rounds = f.required(r, "rounds", |r, p| r.whole(p, 1..=100));
            f.finish(r);
            // The condition, with this spell's points.
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
