//! All tests that use the library from outside, in one binary.

#[cfg(feature = "ui")]
mod art;
mod bodies;
mod codex;
mod content;
mod engine;
mod files;
mod grid;
mod levels;
mod scenarios;
mod speed;
#[cfg(feature = "ui")]
mod ui;
