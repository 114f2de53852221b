use super::{Entry, Layered, armour, plain_name, spell, weapon};
use crate::content::creature;
use crate::content::section::{Sections, Written};
use crate::content::{
    Armour, Attribute, Attributes, Bulk, Colour, Content, Creature, Icon, Look, Make, Registry,
    Skill, Spell, Training, Trait, Weapon,
};
use crate::ron_read::{ByteRange, Fields, Piece, Reader, ValueShape};
use crate::words::capitalised;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use std::sync::Arc;

/// A creature as written in a file. Double options are for values that can be removed again:
/// `shield: None`.
#[derive(Clone, Debug, Default)]
pub struct CreatureEntry {
    /// Not a field of files: see [`Creature::root`].
    root: Option<String>,
    name: Option<String>,
    title: Option<String>,
    look: Option<Look>,
    size: Option<u8>,
    bulk: Option<Bulk>,
    speed: Option<i32>,
    level: Option<i32>,
    hit_dice: Option<i32>,
    attributes: BTreeMap<Attribute, i32>,
    skills: BTreeMap<Skill, i32>,
    skill: Option<i32>,
    weapons: Option<Vec<Arc<Weapon>>>,
    sheathed: Option<bool>,
    off_hand: Option<Option<Arc<Weapon>>>,
    pack: Option<Vec<Arc<Weapon>>>,
    armour: Option<Option<Arc<Armour>>>,
    shield: Option<Option<Arc<Armour>>>,
    morale: Option<Option<i32>>,
    traits: Option<BTreeSet<Trait>>,
    spells: Option<Vec<Arc<Spell>>>,
    sections: Written<Creature>,
}

impl CreatureEntry {
    /// Reads a creature's fields from a group, which can have more fields.
    pub(crate) fn read_from(r: &mut Reader, f: &mut Fields, content: &Content) -> Self {
        Self::read(r, f, content)
    }

    /// Fills missing fields from another entry.
    pub(crate) fn above(self, base: &Self) -> Self {
        self.over(base)
    }
}

impl Layered for CreatureEntry {
    fn read(r: &mut Reader, f: &mut Fields, content: &Content) -> Self {
        let level = f.optional(r, "level", |r, p| Some((r.whole(p, 1..=10)?, p.at)));
        let hit_dice = f.optional(r, "hit_dice", |r, p| Some((r.whole(p, 0..=30)?, p.at)));
        if let (Some(_), Some((_, at))) = (level, hit_dice) {
            r.problem(
                at,
                "a creature has a level or hit dice, not both",
                "keep one",
            );
        }
        let body = |wanted: bool| {
            move |r: &mut Reader, p: &Piece| {
                let found = armour(r, p, content)?;
                if found.shield != wanted {
                    let (help, what) = match wanted {
                        true => ("write `armour:`", "is no shield"),
                        false => ("write `shield:`", "is a shield"),
                    };
                    r.problem(p.at, format!("`{}` {what}", found.id), help);
                    return None;
                }
                Some(found)
            }
        };
        let read_weapons = |r: &mut Reader, p: &Piece| {
            let all = r.list(p, |r, p| several(r, p, content))?;
            Some(all.into_iter().flatten().collect())
        };
        Self {
            root: None,
            name: f.optional(r, "name", Reader::filled_text),
            title: f.optional(r, "title", Reader::filled_text),
            look: f.optional(r, "look", look),
            size: f.optional(r, "size", |r, p| Some(r.whole(p, 1..=4)? as u8)),
            bulk: f.optional(r, "bulk", |r, p| r.word(p, "a bulk", &Bulk::WORDS)),
            speed: f.optional(r, "speed", feet_of_move),
            level: level.map(|(n, _)| n),
            hit_dice: hit_dice.map(|(n, _)| n),
            attributes: f
                .optional(r, "attributes", |r, p| {
                    numbers(r, p, "attributes", &creature::ATTRIBUTES, -5..=5)
                })
                .unwrap_or_default(),
            skills: f
                .optional(r, "skills", |r, p| {
                    numbers(r, p, "skills", &creature::SKILLS, 0..=6)
                })
                .unwrap_or_default(),
            skill: f.optional(r, "skill", |r, p| r.whole(p, -1..=10)),
            weapons: f.optional(r, "weapons", read_weapons),
            sheathed: f.optional(r, "sheathed", Reader::yes_no),
            off_hand: none_or(r, f, "off_hand", |r, p| weapon(r, p, content)),
            pack: f.optional(r, "pack", read_weapons),
            armour: none_or(r, f, "armour", body(false)),
            shield: none_or(r, f, "shield", body(true)),
            morale: f.optional(r, "morale", morale),
            traits: f.optional(r, "traits", traits),
            spells: f.optional(r, "spells", |r, p| r.list(p, |r, p| spell(r, p, content))),
            sections: Written::read(r, f, content, &content.registry.creature),
        }
    }

    fn over(self, base: &Self) -> Self {
        let base = base.clone();
        // A hero cannot be an NPC, so either removes the other's fields.
        let (hero, npc) = (self.level.is_some(), self.hit_dice.is_some());
        Self {
            root: self.root.or(base.root),
            name: self.name.or(base.name),
            title: self.title.or(base.title),
            look: self.look.or(base.look),
            size: self.size.or(base.size),
            bulk: self.bulk.or(base.bulk),
            speed: self.speed.or(base.speed),
            level: self.level.or(base.level.filter(|_| !npc)),
            hit_dice: self.hit_dice.or(base.hit_dice.filter(|_| !hero)),
            attributes: base.attributes.into_iter().chain(self.attributes).collect(),
            skills: match npc {
                true => self.skills,
                false => base.skills.into_iter().chain(self.skills).collect(),
            },
            skill: self.skill.or(base.skill.filter(|_| !hero)),
            weapons: self.weapons.or(base.weapons),
            sheathed: self.sheathed.or(base.sheathed),
            off_hand: self.off_hand.or(base.off_hand),
            pack: self.pack.or(base.pack),
            armour: self.armour.or(base.armour),
            shield: self.shield.or(base.shield),
            morale: self.morale.or(base.morale),
            traits: self.traits.or(base.traits),
            spells: self.spells.or(base.spells),
            sections: self.sections.over(&base.sections),
        }
    }
}

impl Entry for CreatureEntry {
    type Made = Creature;
    const THING: &'static str = "a creature";
    const NEEDS: &'static [&'static [&'static str]] = &[&["level", "hit_dice"]];

    fn make(&self, r: &mut Reader, at: ByteRange, id: &str, known: &Registry) -> Option<Creature> {
        let before = r.count();
        let training = self.training(r, at);
        let weapons = self.weapons.clone().unwrap_or_default();
        let off_hand = self.off_hand.clone().flatten();
        let shield = self.shield.clone().flatten();
        if let Some(held) = &off_hand
            && (held.hands != 1 || held.melee.is_none())
        {
            let what = format!("`{}` is not for the off hand", held.id);
            r.problem(
                at,
                what,
                "it takes a weapon of one hand that strikes in melee",
            );
        }
        let first = weapons.first().map_or(0, |w| w.hands);
        let hands = first + u8::from(off_hand.is_some()) + u8::from(shield.is_some());
        if hands > 2 {
            let what = format!("`{id}` holds more than two hands can");
            r.problem(
                at,
                what,
                "the first weapon, the off hand and the shield are all in hand",
            );
        }
        if r.count() > before {
            return None;
        }
        let attributes =
            Attributes(Attribute::ALL.map(|a| self.attributes.get(&a).copied().unwrap_or(0)));
        let size = self.size.unwrap_or(1);
        let name = self
            .name
            .clone()
            .unwrap_or_else(|| capitalised(&plain_name(id)));
        let mut creature = Creature {
            id: id.to_string(),
            root: self.root.clone(),
            title: self.title.clone().unwrap_or_else(|| name.to_lowercase()),
            name,
            look: self.look.unwrap_or(Look::Meeple {
                colour: Colour::Grey,
            }),
            size,
            bulk: self.bulk.unwrap_or(match size {
                1 => Bulk::Ordinary,
                2 => Bulk::Large,
                3 => Bulk::Huge,
                _ => Bulk::Beyond,
            }),
            speed: self.speed.unwrap_or(30),
            training: training?,
            attributes,
            weapons,
            sheathed: self.sheathed.unwrap_or(false),
            off_hand,
            pack: self.pack.clone().unwrap_or_default(),
            armour: self.armour.clone().flatten(),
            shield,
            morale: self.morale.unwrap_or(self.hit_dice.map(|_| 8)),
            traits: self.traits.clone().unwrap_or_default(),
            spells: self.spells.clone().unwrap_or_default(),
            sections: Sections::default(),
        };
        let own = &self.sections;
        own.derive(r, at, &known.creature, &mut creature, |it| &mut it.sections);
        (r.count() == before).then_some(creature)
    }

    fn rooted(self, like: &str) -> Self {
        Self {
            root: self.root.or_else(|| Some(like.to_string())),
            ..self
        }
    }

    fn entries(content: &mut Content) -> &mut BTreeMap<String, Self> {
        &mut content.entries.creatures
    }

    fn made(content: &mut Content) -> &mut BTreeMap<String, Arc<Creature>> {
        &mut content.creatures
    }
}

impl CreatureEntry {
    fn training(&self, r: &mut Reader, at: ByteRange) -> Option<Training> {
        match (self.level, self.hit_dice) {
            (Some(level), _) => {
                if self.skill.is_some() {
                    r.problem(
                        at,
                        "a hero has `skills`, not one `skill`",
                        "write `skills: (…)`",
                    );
                }
                Some(Training::Hero {
                    level,
                    skills: self.skills.clone(),
                })
            }
            (None, Some(hit_dice)) => {
                if !self.skills.is_empty() {
                    let help = "`skills` is for heroes, who have a `level`";
                    r.problem(at, "who has hit dice has one `skill` for everything", help);
                }
                Some(Training::Npc {
                    hit_dice,
                    skill: self.skill.unwrap_or(1),
                })
            }
            (None, None) => {
                let help = "`level` makes a hero, `hit_dice` anybody else";
                r.problem(at, "a creature needs the field `level` or `hit_dice`", help);
                None
            }
        }
    }
}

const PLAIN_TRAITS: [(&str, Trait); 8] = [
    ("Disciplined", Trait::Disciplined),
    ("Minion", Trait::Minion),
    ("ShockImmune", Trait::ShockImmune),
    ("ShockAnyAc", Trait::ShockAnyAc),
    ("Reroll", Trait::Reroll),
    ("SpareMain", Trait::SpareMain),
    ("Invisible", Trait::Invisible),
    ("Speechless", Trait::Speechless),
];

/// The maximum number of one weapon that a creature can carry.
const MAX_OF_A_KIND: i32 = 20;

/// Reads a weapon, or several of a kind: `(weapon: "dart", count: 4)`.
fn several(r: &mut Reader, piece: &Piece, content: &Content) -> Option<Vec<Arc<Weapon>>> {
    if !matches!(piece.shape, ValueShape::Fields(_)) {
        return weapon(r, piece, content).map(|one| vec![one]);
    }
    let mut f = r.fields(piece, "a weapon with its count")?;
    let kind = f.required(r, "weapon", |r, p| {
        let kind = weapon(r, p, content)?;
        if kind.make != Make::Forged {
            let what = format!("`{}` is not an item that can be carried", kind.id);
            r.problem(p.at, what, "name it alone: it does not run out");
            return None;
        }
        Some(kind)
    });
    let count = f.required(r, "count", |r, p| r.whole(p, 1..=MAX_OF_A_KIND));
    f.finish(r);
    Some(vec![kind?; count? as usize])
}

/// Reads a field that can be `None` to remove an inherited value.
fn none_or<T>(
    r: &mut Reader,
    f: &mut Fields,
    name: &'static str,
    read: impl FnOnce(&mut Reader, &Piece) -> Option<T>,
) -> Option<Option<T>> {
    let piece = f.piece(name)?;
    match &piece.shape {
        ValueShape::Word(word, None) if word == "None" => Some(None),
        _ => read(r, piece).map(Some),
    }
}

fn look(r: &mut Reader, piece: &Piece) -> Option<Look> {
    let shape = "a look such as `Token(Sword, Blue)` or `Meeple(Grey)`";
    let (word, group) = r.variant(piece, shape)?;
    let group = group.unwrap_or(piece);
    match word {
        "Token" => {
            let [icon, colour] = r.tuple(group, "an icon and a colour in brackets")?;
            let icon = r.word(icon, "an icon", &Icon::WORDS);
            let colour = super::colour(r, colour);
            Some(Look::Token {
                icon: icon?,
                colour: colour?,
            })
        }
        "Meeple" => {
            let [colour] = r.tuple(group, "a colour in brackets")?;
            Some(Look::Meeple {
                colour: super::colour(r, colour)?,
            })
        }
        _ => {
            r.unknown(piece.at, "look", word, ["Token", "Meeple"]);
            None
        }
    }
}

/// Reads a number for some of these names.
fn numbers<K: Copy + Ord>(
    r: &mut Reader,
    piece: &Piece,
    thing: &'static str,
    names: &[(&'static str, K)],
    within: RangeInclusive<i32>,
) -> Option<BTreeMap<K, i32>> {
    let mut f = r.fields(piece, thing)?;
    let number = |&(name, key): &(&'static str, K)| {
        let n = f.optional(r, name, |r, p| r.whole(p, within.clone()))?;
        Some((key, n))
    };
    let found = names.iter().filter_map(number).collect();
    f.finish(r);
    Some(found)
}

/// Reads the feet of a Move. Weapons, armour and spells have their section for Speed under this
/// name.
fn feet_of_move(r: &mut Reader, piece: &Piece) -> Option<i32> {
    if let ValueShape::Fields(_) = &piece.shape {
        let help = "what it has under Speed is in `speed_rules: (…)`";
        r.problem(
            piece.at,
            "the `speed` of a creature is a number, in feet",
            help,
        );
        return None;
    }
    super::feet_in_cells(r, piece, 0..=200)
}

fn morale(r: &mut Reader, piece: &Piece) -> Option<Option<i32>> {
    match &piece.shape {
        ValueShape::Word(word, None) if word == "Fearless" => Some(None),
        ValueShape::Number(_) => r.whole(piece, 2..=12).map(Some),
        _ => {
            r.expected(piece, "a morale from 2 to 12, or `Fearless`");
            None
        }
    }
}

fn traits(r: &mut Reader, piece: &Piece) -> Option<BTreeSet<Trait>> {
    let list = r.list(piece, |r, p| {
        let (word, group) = r.variant(p, "a trait, such as `Disciplined`")?;
        let counted: Option<fn(i32) -> Trait> = match word {
            "ShockBonus" => Some(Trait::ShockBonus),
            "DamageBonus" => Some(Trait::DamageBonus),
            _ => None,
        };
        match (counted, group) {
            (Some(counted), group) => {
                let wanted = format!("points in brackets, such as `{word}(2)`");
                let [points] = r.tuple(group.unwrap_or(p), &wanted)?;
                Some(counted(r.whole(points, 1..=20)?))
            }
            (None, Some(group)) if PLAIN_TRAITS.iter().any(|(name, _)| *name == word) => {
                let what = format!("`{word}` takes nothing in brackets");
                r.problem(group.at, what, format!("write `{word}`"));
                None
            }
            (None, _) => match PLAIN_TRAITS.iter().find(|(name, _)| *name == word) {
                Some((_, found)) => Some(*found),
                None => {
                    let plain = PLAIN_TRAITS.iter().map(|(name, _)| *name);
                    let all = plain.chain(["ShockBonus", "DamageBonus"]);
                    if word == "Fearless" {
                        r.problem(p.at, "`Fearless` is no trait", "write `morale: Fearless`");
                    } else {
                        r.unknown(p.at, "trait", word, all);
                    }
                    None
                }
            },
        }
    })?;
    Some(list.into_iter().collect())
}
