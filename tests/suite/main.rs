//! All integration tests, in one binary.

mod grid;
mod grid_oracle;
mod grid_sight;
