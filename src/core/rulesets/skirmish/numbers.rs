//! The numbers of Skirmish that are not in the tables of its acts: what is added
//! to dice, how far, how long. Feet, rounds and points of a d20.

/// How many dice of how many sides a skill check takes.
pub const CHECK_DICE: (u8, u16) = (2, 6);
/// The same for a save.
pub const SAVE_DICE: (u8, u16) = (1, 20);
/// Free actions that one may take in a turn (SK-04, decided).
pub const FREE_ACTIONS: u8 = 8;
/// To hit somebody helpless, in melee or from within 5 ft (SK-70, decided).
pub const HELPLESS: i16 = 4;
/// To shoot at somebody whom one only hears (SK-31).
pub const UNSEEN: i16 = -4;
/// To hit, with every attack of who has a weapon in each hand.
pub const TWO_WEAPONS: i16 = -1;
/// To damage, while both reach the target.
pub const SECOND_WEAPON: i16 = 2;
/// Percent of fog or dark in a cell from which on nobody in it is seen.
pub const DARK: u8 = 75;
/// Feet from which somebody in the dark is seen all the same.
pub const SEEN_CLOSE: u16 = 5;
/// Feet from which one hears where somebody is whom one does not see.
pub const HEARING: u16 = 30;
/// Assailants of one swarm at most.
pub const SWARM_MOST: usize = 4;
/// Feet that both go (SK-53).
pub const DRAGGED: u16 = 10;
/// Rounds of an undisturbed minute (decided).
pub const MINUTE: u8 = 10;
/// Feet from which a victim is watched for the moment to strike (decided).
pub const NEAR: u16 = 30;
/// What the check of a shot must reach (decided).
pub const EXECUTION_SHOT: i32 = 10;
/// Rounds that the mortally injured live.
pub const ROUNDS_TO_LIVE: u8 = 6;
/// To shoot with an enemy in reach (SK-11).
pub const FOE_IN_REACH: i16 = -4;
/// To shoot beyond normal range (SK-31).
pub const LONG_RANGE: i16 = -2;
/// To strike while prone (SK-31).
pub const PRONE: i16 = -4;
/// To hit somebody prone, in melee or from within 5 ft (SK-31).
pub const PRONE_NEAR: i16 = 2;
/// To hit somebody prone from farther off (SK-31).
pub const PRONE_FAR: i16 = -2;
/// To hit somebody behind half cover (SK-31).
pub const HALF_COVER: i16 = -2;
/// To hit somebody wholly behind cover (SK-31).
pub const FULL_COVER: i16 = -4;
/// Total defense adds to AC (SK-17).
pub const TOTAL_DEFENSE: i16 = 2;
/// A charge adds to its attack (SK-14).
pub const CHARGE_BONUS: i16 = 2;
/// A charge adds to AC in its round (SK-14).
pub const CHARGED: i16 = -2;
/// A snap attack adds to its die (SK-12).
pub const SNAP: i16 = -4;
