//! The functions that are fuzzed.

pub mod targets;
