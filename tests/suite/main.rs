//! All tests that use the library from outside, in one binary.

mod activity;
mod ai;
#[cfg(feature = "ui")]
mod art;
mod bodies;
mod chances;
mod cli;
mod codex;
mod content;
mod course;
mod difficulty;
mod edit;
mod engine;
mod events;
mod files;
mod first_move;
mod forecast;
mod fuzz;
mod generate;
mod goals;
mod grid;
mod kit;
mod levels;
#[cfg(feature = "ui")]
mod licences;
mod many;
mod messages;
mod own_levels;
mod phased;
mod positions;
mod recording;
mod scenarios;
mod segments;
mod skirmish;
mod speed;
mod things;
mod threat_range;
mod throws;
#[cfg(feature = "ui")]
mod ui;
mod why;
