//! Types and rules of content: no input or output, no clock, no randomness.

pub mod category;
pub mod grant;
pub mod name;
pub mod problem;
