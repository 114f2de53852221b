//! The squad of a run: levels, wounds and finds. Members are written as creatures of the
//! generated level, so every ruleset derives their numbers as for any other creature.

use crate::{
    battle::Ruleset,
    content::{self, Attribute, Content, Creature, Skill},
};
use serde::{Deserialize, Serialize};
use std::{fmt::Write, sync::Arc};

/// The heroes that a run starts with, by creature id.
pub const START: [&str; 4] = ["mara", "brandt", "tobin", "ysolde"];
/// Maximum size of a squad.
pub const MAX: usize = 6;
/// If a squad has fewer units after a battle, a hero joins.
pub const MIN: usize = 3;
/// The highest level of a hero.
const MAX_LEVEL: i32 = 10;
/// Wounds that a unit survives; the next one kills.
pub const MAX_WOUNDS: usize = 3;

/// The lasting wound of a unit that fell in a battle and survived.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Wound {
    /// One fifth fewer hit points.
    Side,
    /// −1 Strength and Dexterity.
    Arm,
    /// −10 ft speed.
    Leg,
}

impl Wound {
    pub const ALL: [Self; 3] = [Self::Side, Self::Arm, Self::Leg];

    pub fn name(self) -> &'static str {
        match self {
            Self::Side => "torn side",
            Self::Arm => "bruised arm",
            Self::Leg => "twisted leg",
        }
    }

    /// The wound's effect, for players.
    pub fn cost(self) -> &'static str {
        match self {
            Self::Side => "a fifth of the hit points",
            Self::Arm => "−1 Strength and Dexterity",
            Self::Leg => "10 ft slower",
        }
    }
}

/// What a hero gains with a new level.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Gain {
    /// +1 to a skill, by its lower-case name.
    Skill(String),
    /// +1 to an attribute, by its lower-case name.
    Attribute(String),
    /// A new spell, by id.
    Spell(String),
}

impl Gain {
    /// Display name: "Stab +1".
    pub fn name(&self) -> String {
        match self {
            Self::Skill(name) => format!("{} +1", crate::battle::capitalised(name)),
            Self::Attribute(name) => format!("{} +1", name.to_uppercase()),
            Self::Spell(id) => format!("Spell: {}", spell_name(id)),
        }
    }
}

/// The display name of a built-in spell; the id if there is no such spell.
pub fn spell_name(id: &str) -> String {
    let spell = Content::built_in().spells.get(id);
    spell.map_or_else(|| id.to_owned(), |spell| spell.name.clone())
}

/// A unit of the squad.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Member {
    /// The creature id of a hero in the built-in content.
    pub kind: String,
    pub level: i32,
    /// Progress to the next level, in percent.
    pub progress: u8,
    pub wounds: Vec<Wound>,
    /// Choices made so far: one for each level after the first.
    pub gains: Vec<Gain>,
    /// Spells found as rewards.
    pub found: Vec<Gain>,
    /// Bonus to the first weapon.
    pub weapon: i32,
    /// Bonus to the armour.
    pub armour: i32,
}

impl Member {
    /// An unwounded hero at a level, with all choices still to make.
    pub fn new(kind: &str, level: i32) -> Self {
        Self {
            kind: kind.into(),
            level: level.clamp(1, MAX_LEVEL),
            progress: 0,
            wounds: vec![],
            gains: vec![],
            found: vec![],
            weapon: 0,
            armour: 0,
        }
    }

    /// The hero in the built-in content, without levels, wounds and finds.
    ///
    /// # Panics
    /// If there is no such hero. Loaded runs are checked for that.
    pub fn base(&self) -> &'static Arc<Creature> {
        let known = Content::built_in().creature(&self.kind);
        known.unwrap_or_else(|| panic!("there is no hero '{}'", self.kind))
    }

    /// The hero's display name.
    pub fn name(&self) -> &'static str {
        &self.base().name
    }

    /// Number of level choices still to make.
    pub fn choices_left(&self) -> usize {
        (self.level as usize - 1).saturating_sub(self.gains.len())
    }

    /// Adds progress towards the next level, in percent; at most one new level.
    pub fn advance(&mut self, percent: u8) {
        if self.level == MAX_LEVEL {
            return;
        }
        self.progress += percent;
        if self.progress >= 100 {
            self.progress -= 100;
            self.level += 1;
        }
        if self.level == MAX_LEVEL {
            self.progress = 0;
        }
    }

    fn has_gained(&self, wanted: &Gain) -> i32 {
        let all = self.gains.iter().chain(&self.found);
        all.filter(|gain| *gain == wanted).count() as i32
    }

    fn skill(&self, skill: Skill) -> Option<i32> {
        let name = skill.name().to_lowercase();
        let level = self.base().skill(skill)?;
        Some(level + self.has_gained(&Gain::Skill(name)))
    }

    fn attribute(&self, attribute: Attribute) -> i32 {
        let name = attribute.name().to_lowercase();
        let arm_wounds = match attribute {
            Attribute::Str | Attribute::Dex => self.count(Wound::Arm),
            _ => 0,
        };
        self.base().modifier(attribute) + self.has_gained(&Gain::Attribute(name)) - arm_wounds
    }

    fn count(&self, wound: Wound) -> i32 {
        self.wounds.iter().filter(|own| **own == wound).count() as i32
    }

    /// Whether the hero can learn spells.
    pub fn casts(&self) -> bool {
        self.base().skill(Skill::Cast).is_some() && !self.base().spells.is_empty()
    }

    fn knows(&self, spell: &str) -> bool {
        let born = self.base().all_spells().any(|own| own.id == spell);
        born || self.has_gained(&Gain::Spell(spell.into())) > 0
    }

    /// Spells that the hero can still learn, by id.
    pub fn new_spells(&self) -> Vec<String> {
        let all = SPELLS.iter().filter(|id| self.casts() && !self.knows(id));
        all.map(|id| String::from(*id)).collect()
    }

    /// The choices for the next level: at most three, best skill first.
    pub fn choices(&self) -> Vec<Gain> {
        let trained = [
            Skill::Cast,
            Skill::Stab,
            Skill::Shoot,
            Skill::Brawl,
            Skill::Heal,
        ];
        let of_use = trained.into_iter().filter(|skill| {
            let in_use = *skill != Skill::Cast || self.casts();
            in_use && self.skill(*skill).is_some_and(|level| level < 6)
        });
        // Reversed, so that the first skill wins a tie.
        let skill = of_use.rev().max_by_key(|skill| self.skill(*skill));
        let skill = skill.map(|skill| Gain::Skill(skill.name().to_lowercase()));
        let main = match self.casts() {
            true => vec![Attribute::Int, Attribute::Wis],
            false => {
                let weapon = self.base().weapons.first();
                weapon.map_or(vec![Attribute::Str], |w| w.attributes.clone())
            }
        };
        let main = main.into_iter().rev().max_by_key(|of| self.attribute(*of));
        let attribute = |of: Attribute| {
            let raw = self.base().modifier(of);
            let gain = Gain::Attribute(of.name().to_lowercase());
            (raw + self.has_gained(&gain) < 5).then_some(gain)
        };
        let third = match self.new_spells().into_iter().next() {
            Some(spell) => Some(Gain::Spell(spell)),
            None => attribute(Attribute::Con),
        };
        let all = [skill, main.and_then(attribute), third];
        all.into_iter().flatten().collect()
    }

    /// The id of the improved first weapon, if the hero found one.
    fn fine_weapon(&self) -> Option<String> {
        let first = self.base().weapons.first()?;
        (self.weapon > 0).then(|| format!("fine_{}_of_{}", first.id, self.kind))
    }

    fn fine_armour(&self) -> Option<String> {
        let armour = self.base().armour.as_ref()?;
        (self.armour > 0).then(|| format!("fine_{}_of_{}", armour.id, self.kind))
    }

    /// The name of the first weapon with this bonus: "long bow +1".
    pub fn weapon_name(&self, bonus: i32) -> Option<String> {
        let first = self.base().weapons.first()?;
        Some(format!("{} +{bonus}", first.name))
    }

    /// The name of the armour with this bonus.
    pub fn armour_name(&self, bonus: i32) -> Option<String> {
        let armour = self.base().armour.as_ref()?;
        Some(format!("{} +{bonus}", armour.name))
    }

    /// The member's creature entry in the generated level. `hit_points` is a section, a
    /// field of it and its value, which override the derived hit points.
    fn entry(&self, hit_points: Option<(&str, &str, i32)>) -> String {
        let base = self.base();
        let mut text = format!("(like: {:?}, level: {}", self.kind, self.level);
        let attributes = Attribute::ALL.map(|of| {
            let value = self.attribute(of).clamp(-5, 5);
            format!("{}: {value}", of.name().to_lowercase())
        });
        let _ = write!(text, ", attributes: ({})", attributes.join(", "));
        let skills = Skill::ALL.into_iter().filter_map(|skill| {
            let level = self.skill(skill)?;
            Some(format!("{}: {level}", skill.name().to_lowercase()))
        });
        let skills: Vec<_> = skills.collect();
        let _ = write!(text, ", skills: ({})", skills.join(", "));
        let legs = 10 * self.count(Wound::Leg);
        if legs > 0 {
            let _ = write!(text, ", speed: {}", (base.speed - legs).max(10));
        }
        if let Some(fine) = self.fine_weapon() {
            let others = base.weapons.iter().skip(1).map(|w| w.id.clone());
            let all: Vec<String> = std::iter::once(fine).chain(others).collect();
            let _ = write!(text, ", weapons: {all:?}");
        }
        if let Some(fine) = self.fine_armour() {
            let _ = write!(text, ", armour: {fine:?}");
        }
        let gains = self.gains.iter().chain(&self.found);
        let learnt = gains.filter_map(|gain| match gain {
            Gain::Spell(id) => Some(id.clone()),
            _ => None,
        });
        let learnt: Vec<String> = learnt.collect();
        if !learnt.is_empty() {
            let born = base.spells.iter().map(|spell| spell.id.clone());
            let all: Vec<String> = born.chain(learnt).collect();
            let _ = write!(text, ", spells: {all:?}");
        }
        // Heroes have fixed numbers for Skirmish, so levels have to be added to those here;
        // the other rulesets derive theirs from the level.
        let (hp, attack) = self.skirmish();
        let mut sections = vec![("skirmish", "hp", hp), ("skirmish", "attack", attack)];
        if let Some((group, field, value)) = hit_points {
            sections.retain(|own| (own.0, own.1) != (group, field));
            sections.push((group, field, value));
        }
        let groups = ["skirmish", "segments", "phased", "speed_rules", "activity"];
        for group in groups {
            let own = sections.iter().filter(|own| own.0 == group);
            let own: Vec<_> = own.map(|(_, field, n)| format!("{field}: {n}")).collect();
            if !own.is_empty() {
                let _ = write!(text, ", {group}: ({})", own.join(", "));
            }
        }
        text + ")"
    }

    /// Hit points and attack bonus under Skirmish.
    fn skirmish(&self) -> (i32, i32) {
        let number = |field: &str| {
            let all = self.base().numbers();
            let found = all.iter().find(|n| (n.0, n.1) == (Some("skirmish"), field));
            found.map_or(1, |n| n.2)
        };
        let con = self.attribute(Attribute::Con);
        let more = con - self.base().modifier(Attribute::Con);
        let born = self.base().rank();
        let levels = self.level - born;
        let hp = number("hp") + more + levels * (4 + con).max(1);
        let attack = number("attack") + (self.level + 1) / 2 - (born + 1) / 2;
        (hp.max(1), attack)
    }
}

/// Spells that can be learnt or found.
const SPELLS: [&str; 8] = [
    "fire_bolt",
    "mend",
    "guarding_word",
    "white_lance",
    "flame_burst",
    "frost_breath",
    "still",
    "quickness",
];

/// The `kinds` of a level for this squad, as RON text.
pub fn kinds(members: &[Member], rules: &Ruleset) -> String {
    let hurt = members.iter().any(|m| m.count(Wound::Side) > 0);
    let unhurt = hurt.then(|| creatures(&written(members, |m| m.entry(None))));
    written(members, |member| {
        let sides = member.count(Wound::Side);
        let unhurt = unhurt.as_ref().filter(|_| sides > 0);
        let Some(creature) = unhurt.and_then(|all| all.creature(&member.kind)) else {
            return member.entry(None);
        };
        member.entry(lessened(creature, rules, sides))
    })
}

/// The ruleset's hit-point field, one fifth lower for each torn side: section, field and
/// value. `None` if the creature has no such field.
fn lessened(
    creature: &Creature,
    rules: &Ruleset,
    wounds: i32,
) -> Option<(&'static str, &'static str, i32)> {
    let group = rules.sections.creature.first()?.key();
    let all = creature.numbers();
    let mut all = all.iter();
    let now = all.find(|n| n.0 == Some(group) && n.1 == rules.hit_points_field)?;
    let whole = (rules.hit_points)(creature);
    let less = ((whole * wounds + 4) / 5).min(whole - 1).max(0);
    Some((group, now.1, now.2 - less))
}

fn written(members: &[Member], entry: impl Fn(&Member) -> String) -> String {
    let mut text = String::from("(");
    let (mut weapons, mut armours) = (vec![], vec![]);
    let fine = |id: &str, like: &str, name: &str, magic: i32| {
        let name = format!("{name} +{magic}");
        format!("{id:?}: (like: {like:?}, name: {name:?}, magic: {magic})")
    };
    for member in members {
        let base = member.base();
        if let (Some(id), Some(first)) = (member.fine_weapon(), base.weapons.first()) {
            let magic = first.magic + member.weapon;
            weapons.push(fine(&id, &first.id, &first.name, magic));
        }
        if let (Some(id), Some(armour)) = (member.fine_armour(), &base.armour) {
            let magic = armour.magic + member.armour;
            armours.push(fine(&id, &armour.id, &armour.name, magic));
        }
    }
    for (group, entries) in [("weapons", weapons), ("armour", armours)] {
        if !entries.is_empty() {
            let _ = write!(text, "\n        {group}: {{{}}},", entries.join(", "));
        }
    }
    text += "\n        creatures: {\n";
    for member in members {
        let _ = writeln!(text, "            {:?}: {},", member.kind, entry(member));
    }
    text + "        },\n    )"
}

fn creatures(text: &str) -> Content {
    match content::check_file("squad.ron", text, Content::built_in()) {
        Ok((content, _)) => content,
        // Loaded members are checked before, and this module writes the text itself.
        Err(problems) => panic!("{}\n{text}", problems[0]),
    }
}

/// The squad's creatures under a ruleset, in the squad's order.
pub fn made(members: &[Member], rules: &Ruleset) -> Vec<Arc<Creature>> {
    let content = creatures(&kinds(members, rules));
    let one = |member: &Member| content.creature(&member.kind).cloned();
    members.iter().filter_map(one).collect()
}

/// The ids of built-in heroes that are not among `members`.
pub fn others<'a>(members: impl Iterator<Item = &'a Member>) -> Vec<String> {
    let taken: Vec<&str> = members.map(|m| m.kind.as_str()).collect();
    let all = Content::built_in().creatures.iter();
    let free = all.filter(|(id, c)| c.is_hero() && !taken.contains(&id.as_str()));
    free.map(|(id, _)| id.clone()).collect()
}
