use super::{Entry, entry, plain_name};
use crate::content::section::{Sections, small, whole, word, yes_no};
use crate::content::{
    Attribute, Content, Dice, Launch, Make, Melee, Ranged, Registry, Shock, Skill, Weapon,
};
use crate::ron_read::{ByteRange, Piece, Reader, ValueShape};
use std::collections::BTreeMap;
use std::sync::Arc;

entry! {
    pub(in crate::content) struct WeaponEntry, weapon: sections of Weapon;
    name: String, super::name;
    make: Make, word("a make", &Make::WORDS);
    hands: u8, small(0..=2);
    melee: MeleeEntry, |r, p, _| melee(r, p);
    ranged: Ranged, |r, p, _| ranged(r, p);
    attributes: Vec<Attribute>, |r, p, _| attributes(r, p);
    damage: Dice, |r, p, _| dice(r, p);
    shock: Shock, |r, p, _| shock(r, p);
    magic: i32, whole(0..=10);
    lethal: bool, yes_no;
}

#[derive(Clone, Debug)]
struct MeleeEntry {
    reach: Option<i32>,
    thrusting: Option<bool>,
    skills: Option<Vec<Skill>>,
}

impl Entry for WeaponEntry {
    type Made = Weapon;
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
            r.problem(
                at,
                format!("`{id}` neither strikes nor shoots"),
                "give `melee` or `ranged`",
            );
        }
        let damage = self.damage;
        if damage.is_none() {
            r.problem(at, "a weapon needs the field `damage`", "");
        }
        if self.shock.is_some() && self.melee.is_none() {
            r.problem(
                at,
                "only a weapon with `melee` does Shock",
                "leave `shock` out",
            );
        }
        let melee = self.melee.as_ref().map(|m| Melee {
            reach: m.reach.unwrap_or(5),
            thrusting: m.thrusting.unwrap_or(false),
            skills: m.skills.clone().unwrap_or_else(|| match make {
                Make::Forged => vec![Skill::Stab],
                Make::Natural | Make::Unarmed => vec![Skill::Brawl],
            }),
        });
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

    fn entries(content: &mut Content) -> &mut BTreeMap<String, Self> {
        &mut content.entries.weapons
    }

    fn made(content: &mut Content) -> &mut BTreeMap<String, Arc<Weapon>> {
        &mut content.weapons
    }
}

fn melee(r: &mut Reader, piece: &Piece) -> Option<MeleeEntry> {
    let mut f = r.fields(piece, "melee use")?;
    let entry = MeleeEntry {
        reach: f.optional(r, "reach", |r, p| super::feet_in_cells(r, p, 5..=30)),
        thrusting: f.optional(r, "thrusting", Reader::yes_no),
        skills: f.optional(r, "skills", skills),
    };
    f.finish(r);
    Some(entry)
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

fn attributes(r: &mut Reader, piece: &Piece) -> Option<Vec<Attribute>> {
    let list = r.list(piece, |r, p| r.word(p, "an attribute", &Attribute::WORDS))?;
    some_of(r, piece, list)
}

fn skills(r: &mut Reader, piece: &Piece) -> Option<Vec<Skill>> {
    let list = r.list(piece, |r, p| r.word(p, "a skill", &Skill::WORDS))?;
    some_of(r, piece, list)
}

/// The list. Reports an error if it is written without items.
fn some_of<T>(r: &mut Reader, piece: &Piece, list: Vec<T>) -> Option<Vec<T>> {
    if matches!(&piece.shape, ValueShape::List(items) if items.is_empty()) {
        r.problem(
            piece.at,
            "this list is empty",
            "leave the field out for what is usual",
        );
        return None;
    }
    Some(list).filter(|list| !list.is_empty())
}

pub(crate) fn dice(r: &mut Reader, piece: &Piece) -> Option<Dice> {
    r.parsed(piece)
}

/// Reads "2/AC 13", or "2/-" for any AC.
fn shock(r: &mut Reader, piece: &Piece) -> Option<Shock> {
    let text = r.text(piece)?;
    let parsed = text.split_once('/').and_then(|(points, ac)| {
        let points = points
            .trim()
            .parse()
            .ok()
            .filter(|n| (1..=50).contains(n))?;
        let ac = match ac.trim() {
            "-" => None,
            ac => Some(
                ac.strip_prefix("AC")?
                    .trim()
                    .parse()
                    .ok()
                    .filter(|n| (0..=50).contains(n))?,
            ),
        };
        Some(Shock { points, ac })
    });
    if parsed.is_none() {
        r.expected(
            piece,
            "Shock such as \"2/AC 13\", or \"2/-\" against any AC",
        );
    }
    parsed
}
