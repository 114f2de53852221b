//! The numbers of Segments that are not in what it knows of creatures and things:
//! what is added to dice, how far, how long. Feet, rounds, segments and points of
//! a d20; an armour class is better the lower it is.

/// Segments of a round.
pub const ROUND: i32 = 10;
/// The last segment that a roll for initiative names.
pub const LAST_ROLLED: u8 = 6;
/// Segments for which a side is surprised that the level says is caught.
pub const CAUGHT: u8 = 2;
/// How near those stand that are in melee with each other, in feet.
pub const NEXT_TO: u16 = 5;
/// What the second weapon of a routine takes off its die (SE-34, decided).
pub const OFF_HAND: i16 = -2;
/// Against somebody's back as it flees (SE-52).
pub const REAR: i16 = 4;
/// Of a charge (SE-51).
pub const CHARGE_BONUS: i16 = 2;
/// Against the helpless, and in melee against who lies on the ground.
pub const EASY: i16 = 4;
/// To hit beyond normal range (SE-50).
pub const BEYOND_NORMAL_RANGE: i16 = -2;
/// To hit somebody behind half cover (SE-50).
pub const HALF_COVER: i16 = -2;
/// To hit somebody wholly behind cover (SE-50).
pub const FULL_COVER: i16 = -4;
/// Of who fights lying on the ground.
pub const PRONE: i16 = -4;
/// Rounds between one charge and the next (SE-51).
pub const CHARGE_ROUNDS: u16 = 10;
/// Feet that a charge takes at least (decided).
pub const RUN_UP: u16 = 10;
/// Percent over its score up to which one only falls back (SE-55).
pub const FALL_BACK: i32 = 25;
/// Hit points at which one is dead (SE-54).
pub const DEATH: i32 = -10;
/// To the armour class of who has charged, for the round (SE-51).
pub const CHARGED: i16 = 1;
