//! The numbers of Skirmish's rules: modifiers in d20 points, feet, rounds and percent.

/// The number and the sides of the dice of a skill check.
pub const CHECK_DICE: (u8, u16) = (2, 6);
/// Free actions per turn (SK-04, decided).
pub const FREE_ACTIONS: u8 = 8;
/// To hit a helpless target, in melee or within 5 ft (SK-70, decided).
pub const HELPLESS: i16 = 4;
/// To hit an unseen but heard target with a ranged attack (SK-31).
pub const UNSEEN: i16 = -4;
/// To hit, with a weapon in each hand (SK-55).
pub const TWO_WEAPONS: i16 = -1;
/// To damage, while the target is in range of both weapons (SK-55).
pub const SECOND_WEAPON: i16 = 2;
/// Percent of fog or darkness from which units in a cell are not seen.
pub const DARK: u8 = 75;
/// Feet within which units in the dark are still seen.
pub const SEEN_CLOSE: u16 = 5;
/// Feet within which unseen units are heard.
pub const HEARING: u16 = 30;
/// Members of one swarm at most (SK-13).
pub const SWARM_MAX: usize = 4;
/// Feet that both units can go in a drag (SK-53).
pub const DRAGGED: u16 = 10;
/// Rounds of the undisturbed minute (SK-56, decided).
pub const MINUTE: u8 = 10;
/// Feet within which a stalker must watch its victim (SK-56, decided).
pub const NEAR: u16 = 30;
/// The total that the check of a ranged execution needs (SK-56, decided).
pub const EXECUTION_SHOT: i32 = 10;
/// Rounds until a dying unit dies (SK-61).
pub const ROUNDS_TO_LIVE: u8 = 6;
/// To hit with a ranged attack while an enemy is in reach (SK-11).
pub const FOE_IN_REACH: i16 = -4;
/// To hit beyond normal range (SK-31).
pub const LONG_RANGE: i16 = -2;
/// To hit in melee while prone (SK-31).
pub const PRONE: i16 = -4;
/// To hit a prone target, in melee or within 5 ft (SK-31).
pub const PRONE_NEAR: i16 = 2;
/// To hit a prone target from farther away (SK-31).
pub const PRONE_FAR: i16 = -2;
/// To hit a target in half cover (SK-31).
pub const HALF_COVER: i16 = -2;
/// To hit a target in full cover (SK-31).
pub const FULL_COVER: i16 = -4;
/// To AC, with Total Defense (SK-17).
pub const TOTAL_DEFENSE: i16 = 2;
/// To hit, with the attack of a charge (SK-14).
pub const CHARGE_BONUS: i16 = 2;
/// To AC, in the round of a charge (SK-14).
pub const CHARGED: i16 = -2;
/// To hit, with a snap attack (SK-12).
pub const SNAP: i16 = -4;
