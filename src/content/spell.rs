//! Spells, as data: reach, area, save, effect.

use super::{ActivitySpell, Dice, SegmentsSpell, SpeedSpell, phased::PhasedSpell};

/// One spell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spell {
    /// The key in files: "fire_bolt".
    pub id: String,
    /// For people, in lower case: "fire bolt".
    pub name: String,
    /// Feet to the target or the middle of the area; 0 is the caster.
    pub range: i32,
    pub area: Area,
    /// What a Physical save does for each who is caught.
    pub save: Save,
    pub effect: Effect,
    /// Castings in one battle; `None` is as often as one likes.
    pub uses: Option<i32>,
    pub activity: ActivitySpell,
    pub segments: SegmentsSpell,
    pub phased: PhasedSpell,
    pub speed: SpeedSpell,
}

/// Whom a spell catches.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Area {
    /// One creature.
    One,
    /// All within this many feet of a point.
    Blast(i32),
    /// All in a cone this many feet long, as wide as it is long at its end.
    Cone(i32),
    /// All on a line this many feet long and 5 ft wide.
    Line(i32),
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Save {
    None,
    /// Made, half the damage.
    Half,
    /// Made, nothing happens.
    Negates,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Effect {
    /// HP lost.
    Damage(Dice),
    /// HP given back; who is dying is stable and stands at that many.
    Heal(Dice),
    /// AC raised for some rounds.
    Ward { ac: i32, rounds: i32 },
    /// Rooted and helpless for some rounds.
    Hold { rounds: i32 },
}
