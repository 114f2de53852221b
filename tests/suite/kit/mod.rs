//! What tests of several rooms share.

pub mod small_levels;
