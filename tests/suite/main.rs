//! All tests that use the library from outside, in one binary.

mod codex;
mod content;
mod engine;
mod files;
mod grid;
mod levels;
mod scenarios;
