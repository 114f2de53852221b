//! All tests, in one binary that uses the library from outside: with tests in `src`
//! all of it would be compiled twice. `ui` is about the window and `art` about what it
//! draws: they are built only with it, as are the `licences` of what is built in then.

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
mod dice;
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
mod home;
mod kit;
mod lab;
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
