//! What all rulesets share: the battle and its agenda, steps, decisions, events, dice and units.
//! No ruleset's own rules are known here.
//!
//! - [`Battle`] runs [`Step`]s from its agenda. Each step returns a [`StepOutcome`]: [`Event`]s,
//!   further steps, perhaps a [`Decision`].
//! - Only [`apply`] changes a world. A [`Replica`] applies the visible events to a world of its
//!   own: what one side knows, or what the screen shows.
//! - [`chances`]: moments at which units can act but are not prompted by default.
//! - [`Conditions`] last on units. They are data, and all rulesets apply them.
//! - [`Poll`] and [`Window`] ask several units, each in secret.
//! - An [`Attack`] is rolled, is open to reactions, and is then resolved.

mod button;
pub mod chances;
mod clock;
mod combatants;
mod conditions;
mod decision;
mod dice;
mod doors;
mod engine;
mod event;
mod first_move;
mod forecast;
pub mod handicap;
mod ids;
mod inventory;
pub mod movement;
mod objectives;
mod pending;
mod per_combatant;
mod planning;
mod poll;
mod pool;
mod profile;
mod ranges;
mod replica;
mod roll;
mod rout;
mod ruleset;
mod setup;
mod spread;
mod stalemate;
mod step;
mod suppose;
mod watch;
mod window;

pub use crate::words::{capitalised, numeral, signed};
pub use button::{ActInfo, Button, LETTERS};
pub use clock::{Clock, CowStr, Moment, TrackMark, TrackPart, TrackTime};
pub use combatants::{Body, CreatureRef, Map, Names, Roster, SideInfo, State, View};
pub use conditions::{ActiveCondition, Conditions, has_condition_where, ward_on};
pub use decision::{
    Action, Answer, Choice, Decision, Handling, Lister, MoveEnd, Offer, Offers, PASS, Why,
};
pub use dice::{Chance, DiceBox, ScriptMismatch};
pub use engine::{Battle, Refused, Setup, copy_resource};
pub use event::{
    CheckRoll, Concerns, Cue, CueKind, End, Event, EventKind, EventTable, InLog, Line, LogField,
    LogLevel, RulesetEvent, Seen, Unknown, apply, ids_of, log_lines,
};
pub(crate) use event::{events, pair};
pub use first_move::FirstMove;
pub use forecast::{
    AttackForecast, Cost, Defended, Forecast, Forecasting, OddsLine, PlannedAttack, Provoked,
    Reach, Screen, Shot, Trade, Way,
};
pub use ids::{Id, Rule, Side};
pub use inventory::{Ground, Inventory, Item, ItemPlace, ItemTable, SpellId};
pub use objectives::{
    CurrentLevel, Fallen, GoalState, LONGEST, Progress, Shaken, all_arrivals, arrivals, goal_state,
    judge, loses_by_leaving, sent_to, to_enter,
};
pub use pending::{Attack, PendingAttacks, RolledAttack};
pub use per_combatant::{
    Each, PerCombatant, all_units, all_units_mut, copy_all_units, members, of_unit, of_unit_mut,
};
pub use planning::{AttackOdds, Planning, Purpose, WeaponKind};
pub use poll::Poll;
pub use profile::{Stat, attack_figures, dice_text};
pub use replica::Replica;
pub use roll::{Modifier, Natural, Roll, list_with_spare_room, sum};
pub use rout::{Escape, EscapeLeg, Prefers};
pub use ruleset::{
    AttackApproach, Expected, Few, Harmless, Probe, ProbeValue, Ruleset, Tables, Thing, ThreatRange,
};
pub use setup::{level_setup, level_stock};
pub use spread::{DamageOutcome, Spread};
pub use stalemate::{SURRENDER, end_round, surrender};
pub use step::{Step, StepOutcome, run_system, writes_state};
pub use suppose::{standing_at, standing_so, standing_up, with_doors_open};
pub use window::{Window, WindowState};
