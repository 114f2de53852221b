use super::{Entry, armour, entry, plain_name, weapon};
use crate::content::creature;
use crate::content::section::{Sections, small, spells, whole, word, yes_no};
use crate::content::{
    Armour, Attribute, Attributes, Bulk, Colour, Content, Creature, Icon, Look, Make, Registry,
    Skill, Spell, Training, Trait, Weapon,
};
use crate::ron_read::{ByteRange, Fields, Piece, Reader, ValueShape};
use crate::words::capitalised;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use std::sync::Arc;

entry! {
    /// A creature as written in a file. `root`: see [`Creature::root`].
    pub struct CreatureEntry: Creature in creatures, sections of Creature: creature,
        checked by check, layered by layered, beside root: String;
    level: i32, whole(1..=10);
    hit_dice: i32, whole(0..=30);
    name: String, super::name;
    title: String, super::name;
    look: Look, |r, p, _| look(r, p);
    size: u8, small(1..=4);
    bulk: Bulk, word("a bulk", &Bulk::WORDS);
    speed: i32, |r, p, _| feet_of_move(r, p);
    attributes: BTreeMap<Attribute, i32>,
        |r, p, _| numbers(r, p, "attributes", &creature::ATTRIBUTES, -5..=5);
    skills: BTreeMap<Skill, i32>,
        |r, p, _| numbers(r, p, "skills", &creature::SKILLS, 0..=6);
    skill: i32, whole(-1..=10);
    weapons: Vec<Arc<Weapon>>, weapons;
    sheathed: bool, yes_no;
    off_hand or None: Option<Arc<Weapon>>, weapon;
    pack: Vec<Arc<Weapon>>, weapons;
    armour or None: Option<Arc<Armour>>, |r, p, content| worn(r, p, content, false);
    shield or None: Option<Arc<Armour>>, |r, p, content| worn(r, p, content, true);
    morale: Option<i32>, |r, p, _| morale(r, p);
    traits: BTreeSet<Trait>, |r, p, _| traits(r, p);
    spells: Vec<Arc<Spell>>, spells;
}

/// Reports a creature that is a hero and an NPC.
fn check(entry: &CreatureEntry, r: &mut Reader, f: &Fields) {
    if entry.level.is_some()
        && entry.hit_dice.is_some()
        && let Some(at) = f.place_of("hit_dice")
    {
        let what = "a creature has a level or hit dice, not both";
        r.problem(at, what, "keep one");
    }
}

/// Attributes and skills are merged one by one.
fn layered(mut own: CreatureEntry, mut base: CreatureEntry) -> (CreatureEntry, CreatureEntry) {
    // A hero cannot be an NPC, so either removes the other's fields.
    if own.level.is_some() {
        (base.hit_dice, base.skill) = (None, None);
    }
    if own.hit_dice.is_some() {
        (base.level, base.skills) = (None, None);
    }
    own.attributes = merged([base.attributes.take(), own.attributes]);
    own.skills = merged([base.skills.take(), own.skills]);
    (own, base)
}

/// The numbers of both maps; those of the second one replace those of the first.
fn merged<K: Ord>(maps: [Option<BTreeMap<K, i32>>; 2]) -> Option<BTreeMap<K, i32>> {
    Some(maps.into_iter().flatten().flatten().collect())
}

impl Entry for CreatureEntry {
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
            let help = "it takes a weapon of one hand that strikes in melee";
            r.problem(at, what, help);
        }
        let first = weapons.first().map_or(0, |w| w.hands);
        let hands = first + u8::from(off_hand.is_some()) + u8::from(shield.is_some());
        if hands > 2 {
            let what = format!("`{id}` holds more than two hands can");
            let help = "the first weapon, the off hand and the shield are all in hand";
            r.problem(at, what, help);
        }
        if r.count() > before {
            return None;
        }
        let attribute = |of: Attribute| self.attributes.as_ref()?.get(&of).copied();
        let attributes = Attributes(Attribute::ALL.map(|of| attribute(of).unwrap_or(0)));
        let size = self.size.unwrap_or(1);
        let name = self.name.clone();
        let name = name.unwrap_or_else(|| capitalised(&plain_name(id)));
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
}

impl CreatureEntry {
    fn training(&self, r: &mut Reader, at: ByteRange) -> Option<Training> {
        let skills = self.skills.clone().unwrap_or_default();
        match (self.level, self.hit_dice) {
            (Some(level), _) => {
                if self.skill.is_some() {
                    let what = "a hero has `skills`, not one `skill`";
                    r.problem(at, what, "write `skills: (…)`");
                }
                Some(Training::Hero { level, skills })
            }
            (None, Some(hit_dice)) => {
                if !skills.is_empty() {
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

fn weapons(r: &mut Reader, piece: &Piece, content: &Content) -> Option<Vec<Arc<Weapon>>> {
    let all = r.list(piece, |r, p| several(r, p, content))?;
    Some(all.into_iter().flatten().collect())
}

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

/// Reads a body armour, or a shield if that is wanted.
fn worn(r: &mut Reader, piece: &Piece, content: &Content, is_shield: bool) -> Option<Arc<Armour>> {
    let found = armour(r, piece, content)?;
    if found.shield != is_shield {
        let (help, what) = match is_shield {
            true => ("write `armour:`", "is no shield"),
            false => ("write `shield:`", "is a shield"),
        };
        r.problem(piece.at, format!("`{}` {what}", found.id), help);
        return None;
    }
    Some(found)
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
        let what = "the `speed` of a creature is a number, in feet";
        r.problem(piece.at, what, help);
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
        if let Some(counted) = counted {
            let wanted = format!("points in brackets, such as `{word}(2)`");
            let [points] = r.tuple(group.unwrap_or(p), &wanted)?;
            return Some(counted(r.whole(points, 1..=20)?));
        }
        let Some((_, plain)) = PLAIN_TRAITS.iter().find(|(name, _)| *name == word) else {
            let plain = PLAIN_TRAITS.iter().map(|(name, _)| *name);
            let all = plain.chain(["ShockBonus", "DamageBonus"]);
            if word == "Fearless" {
                r.problem(p.at, "`Fearless` is no trait", "write `morale: Fearless`");
            } else {
                r.unknown(p.at, "trait", word, all);
            }
            return None;
        };
        r.bare(word, group)?;
        Some(*plain)
    })?;
    Some(list.into_iter().collect())
}
