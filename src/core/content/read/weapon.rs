use super::{Entry, entry, plain_name};
use crate::content::section::{Sections, parsed, small, whole, word, yes_no};
use crate::content::{
    Attribute, Content, Dice, Launch, Make, Melee, Ranged, Registry, Shock, Skill, Weapon,
};
use crate::ron_read::{ByteRange, Piece, Reader, ValueShape};
use std::collections::BTreeMap;
use std::sync::Arc;

entry! {
    pub(in crate::content) struct WeaponEntry: Weapon in weapons, sections of Weapon: weapon;
    name: String, super::name;
    make: Make, word("a make", &Make::WORDS);
    hands: u8, small(0..=2);
    melee: Melee, |r, p, _| melee(r, p);
    ranged: Ranged, |r, p, _| ranged(r, p);
    attributes: Vec<Attribute>, |r, p, _| some_words(r, p, "an attribute", &Attribute::WORDS);
    damage: Dice, parsed;
    shock: Shock, |r, p, _| shock(r, p);
    magic: i32, whole(0..=10);
    lethal: bool, yes_no;
}

impl Entry for WeaponEntry {
    const THING: &'static str = "a weapon";
    const NEEDS: &'static [&'static [&'static str]] = &[&["damage"], &["melee", "ranged"]];

    fn make(&self, r: &mut Reader, at: ByteRange, id: &str, known: &Registry) -> Option<Weapon> {
        let before = r.count();
        let make = self.make.unwrap_or(Make::Forged);
        let hands = self.hands.unwrap_or(u8::from(make == Make::Forged));
        if (hands == 0) == (make == Make::Forged) {
            let (what, help) = match make {
                Make::Forged => ("a forged weapon takes 1 or 2 hands", "set `hands: 1`"),
                _ => ("only a forged weapon takes hands", "leave `hands` out"),
            };
            r.problem(at, what, help);
        }
        if self.melee.is_none() && self.ranged.is_none() {
            let what = format!("`{id}` neither strikes nor shoots");
            r.problem(at, what, "give `melee` or `ranged`");
        }
        let damage = self.damage;
        if damage.is_none() {
            r.problem(at, "a weapon needs the field `damage`", "");
        }
        if self.shock.is_some() && self.melee.is_none() {
            let what = "only a weapon with `melee` does Shock";
            r.problem(at, what, "leave `shock` out");
        }
        let mut melee = self.melee.clone();
        if let Some(melee) = &mut melee
            && melee.skills.is_empty()
        {
            melee.skills.push(match make {
                Make::Forged => Skill::Stab,
                Make::Natural | Make::Unarmed => Skill::Brawl,
            });
        }
        let attribute = if melee.is_some() {
            Attribute::Str
        } else {
            Attribute::Dex
        };
        if r.count() > before {
            return None;
        }
        let mut weapon = Weapon {
            id: id.to_string(),
            name: self.name.clone().unwrap_or_else(|| plain_name(id)),
            make,
            hands,
            melee,
            ranged: self.ranged.clone(),
            attributes: self.attributes.clone().unwrap_or_else(|| vec![attribute]),
            damage: damage?,
            shock: self.shock,
            magic: self.magic.unwrap_or(0),
            lethal: self.lethal.unwrap_or(true),
            sections: Sections::default(),
        };
        (self.sections).derive(r, at, &known.weapon, &mut weapon, |it| &mut it.sections);
        Some(weapon)
    }
}

/// Reads the use in melee; without `skills`, its skills depend on the make of the weapon.
fn melee(r: &mut Reader, piece: &Piece) -> Option<Melee> {
    let mut f = r.fields(piece, "melee use")?;
    let reach = f.optional(r, "reach", |r, p| super::feet_in_cells(r, p, 5..=30));
    let thrusting = f.optional(r, "thrusting", Reader::yes_no);
    let skills = f.optional(r, "skills", skills);
    f.finish(r);
    Some(Melee {
        reach: reach.unwrap_or(5),
        thrusting: thrusting.unwrap_or(false),
        skills: skills.unwrap_or_default(),
    })
}

fn ranged(r: &mut Reader, piece: &Piece) -> Option<Ranged> {
    let mut f = r.fields(piece, "ranged use")?;
    let how = f.required(r, "how", |r, p| r.word(p, "a way to shoot", &Launch::WORDS));
    let range = f.required(r, "range", |r, p| {
        let [normal, long] = r.tuple(p, "`(normal, long)` in feet")?;
        let normal = r.whole(normal, 5..=2000);
        let long_feet = r.whole(long, 5..=2000);
        let (normal, long_feet) = (normal?, long_feet?);
        if long_feet < normal {
            let what = "the long range is less than the normal one";
            r.problem(long.at, what, "write the normal range first");
            return None;
        }
        Some((normal, long_feet))
    });
    let skills = f.optional(r, "skills", skills);
    f.finish(r);
    let (how, (normal, long)) = (how?, range?);
    let skills = skills.unwrap_or_else(|| match how {
        Launch::Thrown => vec![Skill::Shoot, Skill::Stab, Skill::Exert],
        Launch::Bow | Launch::Crossbow => vec![Skill::Shoot],
    });
    Some(Ranged {
        how,
        normal,
        long,
        skills,
    })
}

fn skills(r: &mut Reader, piece: &Piece) -> Option<Vec<Skill>> {
    some_words(r, piece, "a skill", &Skill::WORDS)
}

/// Reads a list of at least one of some words. `thing` says what they stand for.
fn some_words<T: Copy>(
    r: &mut Reader,
    piece: &Piece,
    thing: &str,
    words: &[(&str, T)],
) -> Option<Vec<T>> {
    let list = r.list(piece, |r, p| r.word(p, thing, words))?;
    if matches!(&piece.shape, ValueShape::List(items) if items.is_empty()) {
        let help = "leave the field out for what is usual";
        r.problem(piece.at, "this list is empty", help);
        return None;
    }
    Some(list).filter(|list| !list.is_empty())
}

/// Reads "2/AC 13", or "2/-" for any AC.
fn shock(r: &mut Reader, piece: &Piece) -> Option<Shock> {
    let text = r.text(piece)?;
    let number = |text: &str, least: i32| {
        let number = text.trim().parse().ok();
        number.filter(|n| (least..=50).contains(n))
    };
    let parsed = text.split_once('/').and_then(|(points, ac)| {
        let points = number(points, 1)?;
        let ac = match ac.trim() {
            "-" => None,
            ac => Some(number(ac.strip_prefix("AC")?, 0)?),
        };
        Some(Shock { points, ac })
    });
    if parsed.is_none() {
        let wanted = "Shock such as \"2/AC 13\", or \"2/-\" against any AC";
        r.expected(piece, wanted);
    }
    parsed
}
