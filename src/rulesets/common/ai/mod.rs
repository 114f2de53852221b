//! What the quick AI makes of a battle, whatever the rules.
//!
//! - `field`: how far it is from everywhere to somewhere

pub mod field;
