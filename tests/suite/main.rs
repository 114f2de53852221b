//! All integration tests, in one binary.

mod grid;
