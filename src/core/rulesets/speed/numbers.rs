//! The tables of Speed, from `assets/tables/speed.ron`.

use super::content::{Ability, DamageType};
use crate::content::{Dice, section::word_enum};
use crate::rulesets::common::numbers::tables_file;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Everything that a table decides.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tables {
    pub initiative: Initiative,
    pub numbers: Numbers,
    /// The effects of each condition (SP-32).
    pub conditions: BTreeMap<SpeedCondition, Effects>,
    /// Twenty rows for each damage type (SP-26, SP-27).
    pub injuries: BTreeMap<DamageType, Vec<Injury>>,
}

/// What each declared action adds to the base initiative (SP-04).
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Initiative {
    pub full_defense: i32,
    pub defensive: i32,
    pub consumable: i32,
    pub moving: i32,
    pub standing_up: i32,
    pub door: i32,
    pub heal: i32,
    pub intimidate: i32,
    pub break_free: i32,
    pub douse: i32,
    pub hold: i32,
    pub missed: i32,
}

/// Numbers that the rules leave open; comments in the file explain each.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Numbers {
    pub full_defense: i16,
    pub half_cover: i16,
    pub full_cover: i16,
    pub long_range: i16,
    pub foe_at_hand: i16,
    pub off_hand: i16,
    pub concussed: i16,
    pub one_eye: i16,
    pub balance: i32,
    pub break_free: i32,
    pub intimidate_feet: u16,
    pub breathless_down: u8,
    pub breathless_dying: u8,
    pub surge: i32,
    pub hopeless: usize,
}

word_enum! {
    /// A condition of SP-32. These are not entries of `conditions.ron`, because most follow from the
    /// unit's body (prone, incapacitated, dying, dead), name another unit (grappled, frightened), or last
    /// until an action ends them (bleeding, burning, blinded, slowed, stabilised); surprise is declared
    /// before the first round. Only being stunned has a number of rounds, which combat injuries set.
    #[derive(Serialize, Deserialize)]
    pub enum SpeedCondition {
        Surprised = "surprised",
        Prone = "prone",
        Stunned = "stunned",
        Blinded = "blinded",
        Grappled = "grappled",
        Slowed = "slowed",
        Bleeding = "bleeding",
        Burning = "burning",
        Frightened = "frightened",
        Incapacitated = "incapacitated",
        Dying = "dying",
        Stabilised = "stabilised",
        Dead = "dead",
    }
}

/// The effects of a condition while it lasts. Modifiers apply to d20 rolls.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Effects {
    pub acts: bool,
    pub moves: bool,
    pub shoots: bool,
    /// Whether the unit can move closer to what it fears.
    pub approaches: bool,
    pub half_speed: bool,
    /// Movement costs twice the feet; the unit can stand up on the way.
    pub creeps: bool,
    /// Movement is one cell every second turn.
    pub crawls: bool,
    /// `melee` modifies the unit's own melee attacks, `against` melee attacks against it.
    pub melee: i16,
    pub against: i16,
    /// Wound Points lost at the end of a round.
    pub wounds: Option<DiceText>,
    /// Damage at the end of a round, like a hit that ignores armour.
    pub burns: Option<DiceText>,
    /// Every action beyond this many in a round costs a Wound Point.
    pub strained: Option<u8>,
}

impl Default for Effects {
    fn default() -> Self {
        Self {
            acts: true,
            moves: true,
            shoots: true,
            approaches: true,
            half_speed: false,
            creeps: false,
            crawls: false,
            melee: 0,
            against: 0,
            wounds: None,
            burns: None,
            strained: None,
        }
    }
}

/// Dice as written in the file, for example `"1d6"`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(try_from = "String")]
pub struct DiceText(pub Dice);

impl TryFrom<String> for DiceText {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse().map(Self)
    }
}

/// A row of a combat injury table: its name and its effects.
#[derive(Clone, Debug, Deserialize)]
pub struct Injury(pub String, pub Vec<Harm>);

/// One effect of a combat injury.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub enum Harm {
    /// Points lost from each of these abilities; one roll counts for all of them.
    Lose(Vec<Ability>, DiceText),
    /// A condition that lasts until it is healed.
    Is(SpeedCondition),
    /// A condition for this many rounds.
    For(SpeedCondition, u8),
    /// A modifier to Balance checks.
    Balance(i16),
    /// The unit acts only every second round.
    HalfActions,
    /// Prone until healed.
    Lamed,
    /// A disabled arm. A d4 decides which: 1 and 2 the main arm, 3 and 4 the other.
    Arm(ArmLimit),
    /// The unit can neither act nor move.
    Paralysed,
    /// The unit cannot speak: no spells, no intimidation.
    Mute,
    Suffocating,
    NoSmell,
    HalfBlind,
    HalfDeaf,
    Concussed,
}

/// What an injured arm cannot do.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum ArmLimit {
    NoAttack,
    NoHold,
    NoUse,
}

tables_file! { speed_tables, "assets/tables/speed.ron", flaw }

/// A description of what is missing from the tables. `None` if they are complete.
fn flaw(tables: &Tables) -> Option<String> {
    let short = |kind: &DamageType| {
        let rows = tables.injuries.get(kind);
        rows.is_none_or(|rows| rows.len() != 20)
    };
    if let Some(kind) = DamageType::ALL.into_iter().find(short) {
        let kind = kind.name();
        return Some(format!("the injuries of {kind} are not twenty rows"));
    }
    let is_missing = |c: &SpeedCondition| !tables.conditions.contains_key(c);
    let condition = SpeedCondition::ALL.into_iter().find(is_missing)?.name();
    Some(format!(
        "the effects of the condition {condition} are missing"
    ))
}

impl SpeedCondition {
    pub fn effects(self) -> &'static Effects {
        &tables().conditions[&self]
    }
}
