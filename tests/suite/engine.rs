//! The engine: the hard cases of all five rulesets on toy versions of them, and
//! what holds for every battle.
//!
//! - `circles`: steps that would run for ever
//! - `snap`: Instants in answer to a roll
//! - `swarm`: four who strike as one
//! - `held`: a held action that is itself interrupted
//! - `counts`: who acts when, at once, or late
//! - `parry`: sealed declarations, and what depends on the act just done and the next
//! - `phases`: delay, free and immediate attacks
//! - `holds`: the same again, forks, undo, chance

mod circles;
mod counts;
mod held;
mod holds;
pub mod kit;
mod parry;
mod phases;
mod snap;
mod swarm;
