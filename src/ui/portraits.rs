//! Chooses a portrait for each creature. A custom kind gets its face from words in
//! its id and its role or from the kind that it is like, and everything else from what
//! it wears and carries.

use super::art::{
    palette::Rgb,
    portrait::{Back, Beard, Face, Garb, Hair, Hand, Hat, Portrait, Tint},
    tokens::Base,
};
use crate::{
    content::{Creature, Trait},
    levels::Combatant,
};

/// Faces by a word of the id or the role. The first match wins.
const FACES: &[(&str, Face, Tint)] = &[
    ("hobgoblin", Face::Hobgoblin, Tint::Red),
    ("goblin", Face::Goblin, Tint::Green),
    ("kobold", Face::Goblin, Tint::Red),
    ("orc", Face::Hobgoblin, Tint::Green),
    ("bugbear", Face::Bugbear, Tint::Earth),
    ("skeleton", Face::Skull, Tint::Bone),
    ("lich", Face::Skull, Tint::Bone),
    ("zombie", Face::Zombie, Tint::Ashen),
    ("ghoul", Face::Ghoul, Tint::Grey),
    ("vampire", Face::Ghoul, Tint::Silver),
    ("wight", Face::Wight, Tint::Bone),
    ("wraith", Face::Wight, Tint::Bone),
    ("hound", Face::Wolf, Tint::Iron),
    ("spider", Face::Spider, Tint::Iron),
    ("wolf", Face::Wolf, Tint::Iron),
    ("dog", Face::Wolf, Tint::Iron),
    ("bear", Face::Bear, Tint::Iron),
    ("boar", Face::Boar, Tint::Iron),
    ("pig", Face::Boar, Tint::Iron),
    ("rat", Face::Rat, Tint::Iron),
    ("ogre", Face::Ogre, Tint::Tan),
    ("giant", Face::Ogre, Tint::Fair),
    ("troll", Face::Troll, Tint::Green),
    ("golem", Face::Clay, Tint::Earth),
    ("construct", Face::Clay, Tint::Earth),
    ("undead", Face::Zombie, Tint::Ashen),
    ("beast", Face::Wolf, Tint::Iron),
    ("brute", Face::Ogre, Tint::Tan),
];

/// A named hero: the features that neither role nor items determine.
fn hero(id: &str) -> Option<(Face, Hair, Beard, Hat, Tint)> {
    use Face::{Human, Soft};
    use Tint::{Dark, Fair, Silver, Tan};
    Some(match id {
        "mara" => (Soft, Hair::Braid, Beard::None, Hat::None, Tan),
        "tobin" => (Human, Hair::Short, Beard::None, Hat::Hood, Fair),
        "ysolde" => (Soft, Hair::Long, Beard::None, Hat::Pointed, Silver),
        "brandt" => (Human, Hair::Short, Beard::Full, Hat::Helmet, Tan),
        "osk" => (Human, Hair::Crest, Beard::Moustache, Hat::None, Fair),
        "lin" => (Soft, Hair::Short, Beard::None, Hat::Band, Dark),
        "anselm" => (Human, Hair::Tonsure, Beard::Stubble, Hat::None, Fair),
        "hild" => (Soft, Hair::Long, Beard::None, Hat::Kettle, Fair),
        "wat" => (Human, Hair::None, Beard::Full, Hat::None, Dark),
        _ => return None,
    })
}

/// How many heads there are for a human whose role is all that is known.
const HEADS: u32 = 128;

/// The portraits of the units of a battle, in their order. Human kinds with heads that would be
/// alike get different ones: those of named heroes stay, others yield to the kinds listed before.
pub fn of_units(units: &[Combatant]) -> Vec<Portrait> {
    let mut kinds: Vec<(&str, u32, Portrait)> = vec![];
    let (heroes, others): (Vec<_>, Vec<_>) =
        units.iter().partition(|u| hero(&u.creature.id).is_some());
    for unit in heroes.into_iter().chain(others) {
        let id = unit.creature.id.as_str();
        if kinds.iter().any(|kind| kind.0 == id) {
            continue;
        }
        let mut heads = (0..HEADS).map(|head| (id, head, with_head(&unit.creature, head)));
        let free = heads.find(|new| !kinds.iter().any(|kind| is_alike(&kind.2, &new.2)));
        kinds.push(free.unwrap_or_else(|| (id, 0, of(&unit.creature))));
    }
    let portrait = |unit: &Combatant| {
        let kind = kinds.iter().find(|kind| kind.0 == unit.creature.id);
        portrait_of(unit, kind.map_or(0, |kind| kind.1))
    };
    units.iter().map(portrait).collect()
}

/// Whether two humans have heads that are hard to tell apart: a braid looks like long hair.
fn is_alike(one: &Portrait, other: &Portrait) -> bool {
    let head = |of: &Portrait| {
        let hair = match of.hair {
            Hair::Braid => Hair::Long,
            hair => hair,
        };
        (of.face, hair, of.beard, of.tint)
    };
    matches!(one.face, Face::Human | Face::Soft) && head(one) == head(other)
}

/// The portrait of a unit. "Guard" in the name gives it a shield and a helmet, to
/// distinguish it from others of its kind.
fn portrait_of(unit: &Combatant, head: u32) -> Portrait {
    let plain = with_head(&unit.creature, head);
    match has_word(&unit.name, "guard") && plain.hand == Hand::Blade {
        true => Portrait {
            hand: Hand::Shield,
            hat: Hat::Helmet,
            ..plain
        },
        false => plain,
    }
}

/// The portrait of a creature, on the base of the player's side.
pub fn of(creature: &Creature) -> Portrait {
    with_head(creature, 0)
}

/// The portrait of a creature; a human whose role is all that is known has this head of
/// [`HEADS`], counted from its usual one.
fn with_head(creature: &Creature, head: u32) -> Portrait {
    let own = format!("{} {}", creature.id, creature.title);
    let root = creature.root.as_deref().unwrap_or_default();
    let [r, g, b] = creature.look.colour().rgb();
    let (garb, back, hand) = (garb(creature), back(creature), hand(creature));
    let plain = Portrait {
        garb,
        back,
        hand,
        cloth: Rgb(r, g, b),
        base: Base::Round,
        ..Portrait::default()
    };
    if let Some((face, hair, beard, hat, tint)) = hero(&creature.id) {
        return Portrait {
            face,
            hair,
            beard,
            hat,
            tint,
            ..plain
        };
    }
    if creature.traits.contains(&Trait::Invisible) {
        return Portrait {
            face: Face::Unseen,
            ..plain
        };
    }
    let is_built = creature.title == "construct";
    let face_in = |words: &str| FACES.iter().find(|f| has_word(words, f.0));
    let found = face_in(&own).or_else(|| face_in(root));
    match found {
        Some((_, Face::Wolf, _)) if is_built => Portrait {
            face: Face::Hound,
            tint: Tint::Iron,
            ..plain
        },
        Some(&(_, face, tint)) => Portrait {
            face,
            tint,
            hat: hat(creature, face),
            garb: match face {
                Face::Clay | Face::Ghoul | Face::Troll => Garb::Bare,
                _ => plain.garb,
            },
            ..plain
        },
        None => unit(creature, plain, head),
    }
}

/// A human whose role is all that is known. Hair, beard and skin depend on the id and the
/// number of the head, so they are always the same.
fn unit(creature: &Creature, plain: Portrait, head: u32) -> Portrait {
    let mix = |sum: u32, byte: u8| sum.wrapping_mul(31).wrapping_add(byte.into());
    let number = creature.id.bytes().fold(7, mix) / 7 + head;
    let face = [Face::Human, Face::Soft][(number % 2) as usize];
    let hairs = [Hair::Short, Hair::Long, Hair::Short, Hair::None];
    let beards = [Beard::None, Beard::Stubble, Beard::Moustache, Beard::Full];
    Portrait {
        face,
        hair: match is_shaven(creature) {
            true => Hair::None,
            false => hairs[(number / 2 % 4) as usize],
        },
        beard: match face {
            Face::Soft => Beard::None,
            _ => beards[(number / 8 % 4) as usize],
        },
        tint: [Tint::Fair, Tint::Tan, Tint::Dark, Tint::Tan][(number / 32 % 4) as usize],
        hat: hat(creature, face),
        ..plain
    }
}

/// Whether the role belongs to a religious order with shaven heads.
fn is_shaven(creature: &Creature) -> bool {
    ["zealot", "acolyte", "cultist", "monk"].contains(&creature.title.as_str())
}

/// The headgear: by role first, then by armour.
fn hat(creature: &Creature, face: Face) -> Hat {
    let is = |words: &[&str]| words.contains(&creature.title.as_str());
    let armour = creature.armour.as_ref().map_or("", |a| a.id.as_str());
    let is_person = matches!(face, Face::Human | Face::Soft);
    let shoots = creature
        .weapons
        .first()
        .is_some_and(|w| w.ranged.is_some() && w.melee.is_none());
    if is(&["chief"]) {
        Hat::Horns
    } else if face == Face::Wight {
        Hat::Crown
    } else if is(&["shaman"]) {
        Hat::Band
    } else if is_shaven(creature) {
        Hat::None
    } else if !creature.spells.is_empty() && is_person {
        Hat::Pointed
    } else if armour == "plate" {
        Hat::GreatHelm
    } else if is(&["slinger"]) {
        Hat::Cap
    } else if shoots && !is(&["guard"]) {
        Hat::Hood
    } else if matches!(
        face,
        Face::Skull | Face::Zombie | Face::Bugbear | Face::Ogre | Face::Troll
    ) {
        Hat::None
    } else if is(&["leader", "captain"]) {
        Hat::Coif
    } else if is(&["guard", "soldier", "watch"]) && is_person {
        Hat::Kettle
    } else if armour.starts_with("mail") {
        Hat::Helmet
    } else if is(&["robber", "bandit", "scout"]) {
        Hat::Band
    } else {
        Hat::None
    }
}

fn garb(creature: &Creature) -> Garb {
    let armour = creature.armour.as_ref().map_or("", |a| a.id.as_str());
    let is = |words: &[&str]| words.iter().any(|word| armour.contains(word));
    if is(&["plate"]) {
        Garb::Plate
    } else if is(&["mail", "chain"]) {
        Garb::Mail
    } else if is(&["leather", "studded"]) {
        Garb::Leather
    } else if is(&["hide", "fur"]) {
        Garb::Fur
    } else if is(&["scales", "clay", "iron"]) {
        Garb::Bare
    } else if !creature.spells.is_empty() || is(&["quilted", "robe"]) {
        Garb::Robe
    } else {
        Garb::Cloth
    }
}

/// The most characteristic weapon, shown over the shoulder.
fn back(creature: &Creature) -> Back {
    let known = [
        ("bow", Back::Quiver),
        ("spear", Back::Spear),
        ("halberd", Back::Axe),
        ("axe", Back::Axe),
        ("mace", Back::Mace),
        ("club", Back::Mace),
        // A short sword hangs at the belt, out of sight.
        ("short_sword", Back::None),
        ("sword", Back::Hilt),
    ];
    if !creature.spells.is_empty() && creature.weapons.iter().any(|w| w.id == "staff") {
        return Back::Staff;
    }
    let mut weapons = creature.weapons.iter();
    weapons
        .find_map(|weapon| {
            let found = known.iter().find(|k| weapon.id.contains(k.0));
            found.map(|k| k.1)
        })
        .unwrap_or_default()
}

/// The item drawn in front: a crown marks a chief, a banner another leader, a shield a guard, a bow
/// an archer.
fn hand(creature: &Creature) -> Hand {
    let known = [
        ("bow", Hand::Bow),
        ("sling", Hand::Sling),
        ("spear", Hand::Spear),
        ("halberd", Hand::Axe),
        ("axe", Hand::Axe),
        ("mace", Hand::Club),
        ("club", Hand::Club),
        ("staff", Hand::Staff),
        ("sword", Hand::Blade),
        ("dagger", Hand::Blade),
    ];
    match creature.title.as_str() {
        "chief" => return Hand::Chief,
        "leader" | "captain" | "sergeant" => return Hand::Banner,
        _ => {}
    }
    let of_weapon = |id: &str| known.iter().find(|k| id.contains(k.0)).map(|k| k.1);
    let mut weapons = creature.weapons.iter();
    let hand = weapons.find_map(|weapon| of_weapon(&weapon.id));
    match hand {
        Some(Hand::Bow) => Hand::Bow,
        _ if creature.shield.is_some() => Hand::Shield,
        _ => hand.unwrap_or_default(),
    }
}

/// Whether a text contains a word at the start of one of its words ("rat" in
/// "giant_rat", but not in "pirate"), or at the end of one, as in "werewolf".
fn has_word(text: &str, word: &str) -> bool {
    let parts = text.split(|c: char| !c.is_alphanumeric());
    let fits = |part: &str| part == word || word.len() > 3 && part.ends_with(word);
    parts.into_iter().any(fits)
}
