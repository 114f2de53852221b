//! What Skirmish needs to know of a creature.

/// Numbers of the Skirmish ruleset.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SkirmishStats {
    /// Hit points when unhurt, at least 1.
    pub hp: i32,
    /// Armour class in melee with all that it wears, shield and DEX in it.
    pub ac_melee: i32,
    /// Armour class against missiles, likewise.
    pub ac_ranged: i32,
    /// The part of `ac_melee` that is lost with the shield.
    pub shield_melee: i32,
    /// The part of `ac_ranged` that is lost with the shield.
    pub shield_ranged: i32,
    /// Added to every attack roll before attribute, skill and weapon.
    pub attack_bonus: i32,
    /// A Physical save succeeds with this or more on 1d20.
    pub physical_save: i32,
}
