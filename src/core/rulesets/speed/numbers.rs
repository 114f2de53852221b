//! The tables of Speed, from `assets/tables/speed.ron`.

use crate::{
    content::Dice,
    ron_read::Problem,
    rulesets::{
        common::{numbers, table::asset},
        speed::content::{Ability, DamageType},
    },
};
use serde::{Deserialize, Serialize};
use std::{collections::BTreeMap, sync::LazyLock};

/// Everything that is decided by a table.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tables {
    pub initiative: Initiative,
    pub numbers: Numbers,
    /// What each condition does (SP-32).
    pub conditions: BTreeMap<Condition, Effects>,
    /// Twenty rows for each type of damage (SP-26, SP-27).
    pub injuries: BTreeMap<DamageType, Vec<Injury>>,
}

/// What a declared act adds to the base initiative (SP-04).
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

/// Numbers that the rules leave open; the file says what each is.
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

/// A condition of SP-32.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Condition {
    Surprised,
    Prone,
    Stunned,
    Blinded,
    Grappled,
    Slowed,
    Bleeding,
    Burning,
    Frightened,
    Incapacitated,
    Dying,
    Stabilised,
    Dead,
}

/// What a condition does while it lasts. Modifiers are added to d20 rolls.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Effects {
    pub acts: bool,
    pub moves: bool,
    pub shoots: bool,
    /// May come nearer to what it fears.
    pub approaches: bool,
    pub half_speed: bool,
    /// Every foot that it moves costs it two: it may get up on the way.
    pub creeps: bool,
    /// Moves a cell every second turn, and no more.
    pub crawls: bool,
    /// To its own melee attacks, and to those of others on it.
    pub melee: i16,
    pub against: i16,
    /// Wound Points lost at the end of a round.
    pub wounds: Option<Throw>,
    /// Damage at the end of a round, as of a hit that no armour stops.
    pub burns: Option<Throw>,
    /// Every act beyond this many in a round costs a Wound Point.
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

/// Dice as the file writes them: `"1d6"`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(try_from = "String")]
pub struct Throw(pub Dice);

impl TryFrom<String> for Throw {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse().map(Self)
    }
}

/// A row of a combat injury table: its name, and what it does.
#[derive(Clone, Debug, Deserialize)]
pub struct Injury(pub String, pub Vec<Harm>);

/// One thing that a combat injury does.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
pub enum Harm {
    /// Points lost of these abilities, by one roll for all of them.
    Lose(Vec<Ability>, Throw),
    /// A condition until it is healed.
    Is(Condition),
    /// A condition for this many rounds.
    For(Condition, u8),
    /// To Balance checks.
    Balance(i16),
    /// Acts only every second round.
    HalfActions,
    /// Prone till healed.
    Lamed,
    /// An arm, by a d4: 1 and 2 the main one, 3 and 4 the other.
    Arm(Limp),
    /// Neither acts nor moves any more.
    Paralysed,
    /// No speech: no spells, no threats.
    Mute,
    Suffocating,
    NoSmell,
    HalfBlind,
    HalfDeaf,
    Concussed,
}

/// What an arm is no longer good for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub enum Limp {
    NoAttack,
    NoHold,
    NoUse,
}

/// The table that a file holds.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    speed_tables: Tables,
}

static TABLES: LazyLock<Tables> =
    LazyLock::new(|| numbers::built_in(asset!("tables/speed.ron"), read));

/// The tables that are played by.
pub fn tables() -> &'static Tables {
    &TABLES
}

/// Reads a file of tables; the first thing that is wrong with it.
pub fn read(file: &str, text: &str) -> Result<Tables, Problem> {
    numbers::read(file, text, |file: File| file.speed_tables, flaw)
}

/// What cannot be used as it is.
fn flaw(tables: &Tables) -> Option<String> {
    let short = |kind: &DamageType| {
        let rows = tables.injuries.get(kind);
        rows.is_none_or(|rows| rows.len() != 20)
    };
    if let Some(kind) = DamageType::ALL.into_iter().find(short) {
        return Some(format!(
            "the injuries of {} are not twenty rows",
            kind.name()
        ));
    }
    let unsaid = |c: &Condition| !tables.conditions.contains_key(c);
    let condition = Condition::ALL.into_iter().find(unsaid)?;
    Some(format!(
        "nothing is said of the condition {}",
        condition.name()
    ))
}

impl Condition {
    pub const ALL: [Self; 13] = [
        Self::Surprised,
        Self::Prone,
        Self::Stunned,
        Self::Blinded,
        Self::Grappled,
        Self::Slowed,
        Self::Bleeding,
        Self::Burning,
        Self::Frightened,
        Self::Incapacitated,
        Self::Dying,
        Self::Stabilised,
        Self::Dead,
    ];

    /// In lower case, as the log tells it: "bleeding".
    pub fn name(self) -> &'static str {
        match self {
            Self::Surprised => "surprised",
            Self::Prone => "prone",
            Self::Stunned => "stunned",
            Self::Blinded => "blinded",
            Self::Grappled => "grappled",
            Self::Slowed => "slowed",
            Self::Bleeding => "bleeding",
            Self::Burning => "burning",
            Self::Frightened => "frightened",
            Self::Incapacitated => "incapacitated",
            Self::Dying => "dying",
            Self::Stabilised => "stabilised",
            Self::Dead => "dead",
        }
    }

    /// As creatures' entries write it: "Bleeding".
    pub fn of(word: &str) -> Option<Self> {
        let all = Self::ALL.into_iter();
        all.into_iter()
            .find(|c| c.name().eq_ignore_ascii_case(word))
    }

    pub fn effects(self) -> &'static Effects {
        &tables().conditions[&self]
    }
}
