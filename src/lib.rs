//! Fivefoot.
