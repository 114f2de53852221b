//! All tests that use the library from outside, in one binary.

mod codex;
mod content;
mod files;
mod grid;
mod levels;
mod scenarios;
#[cfg(feature = "ui")]
mod ui;
