//! The constants of Segments: modifiers to a d20, distances in feet, times in rounds and segments.
//! A lower armour class is better.

/// Segments per round.
pub const ROUND: i32 = 10;
/// The last segment that an initiative roll can give.
pub const LAST_ROLLED: u8 = 6;
/// Segments of surprise for a side that the level defines as caught.
pub const CAUGHT: u8 = 2;
/// Feet within which enemies are in melee with each other.
pub const NEXT_TO: u16 = 5;
/// To hit with the second weapon of a routine (SE-34, decided).
pub const OFF_HAND: i16 = -2;
/// To hit a fleeing unit from behind (SE-52).
pub const REAR: i16 = 4;
/// To hit with a charge (SE-51).
pub const CHARGE_BONUS: i16 = 2;
/// To hit a helpless target, or in melee a prone one.
pub const EASY: i16 = 4;
/// To hit beyond normal range (SE-50).
pub const BEYOND_NORMAL_RANGE: i16 = -2;
/// To hit a target behind half cover (SE-50).
pub const HALF_COVER: i16 = -2;
/// To hit a target behind full cover (SE-50).
pub const FULL_COVER: i16 = -4;
/// To hit in melee while prone.
pub const PRONE: i16 = -4;
/// Rounds between one charge and the next (SE-51).
pub const CHARGE_ROUNDS: u16 = 10;
/// Minimum length of a charge, in feet (decided).
pub const RUN_UP: u16 = 10;
/// Percent over the morale score up to which a unit falls back rather than flees (SE-55).
pub const FALL_BACK: i32 = 25;
/// Hit points at which a unit is dead (SE-54).
pub const DEATH: i32 = -10;
/// Added to the armour class of a unit that charged this round; higher is worse (SE-51).
pub const CHARGED: i16 = 1;
