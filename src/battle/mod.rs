//! What the rulesets share: the battle and its agenda, steps, decisions,
//! events, dice, the combatants. Nothing here knows a rule of any ruleset.
//!
//! - [`Battle`] runs [`Step`]s from its agenda; each returns a [`Flow`] of
//!   [`Event`]s, further steps, perhaps a [`Decision`].
//! - [`apply`] is the only thing that changes a world. A [`Follower`] is the
//!   same function folded into another world: a side's knowledge, the screen.
//! - [`chances`]: moments at which nobody is asked who does not want it.
//! - [`Poll`] and [`Window`] ask several, sealed from each other.
//! - An [`Attack`] is rolled, may be answered, and is then settled.

pub mod chances;
mod combatants;
mod decision;
mod dice;
mod doors;
mod each;
mod engine;
mod event;
mod field;
mod flight;
mod follower;
mod gear;
mod ids;
pub mod movement;
mod objectives;
mod poll;
mod profile;
mod roll;
mod setup;
mod step;
mod volley;
mod watch;
mod window;

pub use combatants::{
    Body, Map, Names, Roster, Sheet, SideInfo, State, View, capitalised, component_mut,
};
pub use decision::{Answer, Choice, Decision, Lister, Offer, Offers, PASS, Verb, Why};
pub use dice::{Chance, DiceBox, Misfit};
pub use each::Each;
pub use engine::{Battle, Gauge, Reading, Refused, Ruleset, Setup, copy_component, copy_resource};
pub use event::{Change, Depth, Event, Harm, Line, Own, Seen, apply, log_lines};
pub use field::Field;
pub use flight::{Escape, Leg, Prefers};
pub use follower::Follower;
pub use gear::{Gear, Ground, Item, Place, SpellId, Stock};
pub use ids::{Id, Rule, Side};
pub use objectives::{Fallen, LONGEST, Progress, Scene, arrivals, holdings, judge, sent_to};
pub use poll::Poll;
pub use profile::{Figure, attack_figures, dice_text, sum};
pub use roll::{Modifier, Roll, numeral, signed};
pub use setup::{level_setup, level_stock};
pub use step::{Flow, Step, run_system, writes_state};
pub use volley::{Attack, Flights, InFlight};
pub use window::{Moment, Window};
