//! The read side: immutable snapshots of a workspace and the queries over them. Pure.
//!
//! A query runs through [`execute::view::View`], which decides what its caller may see. No other
//! module here returns entries.

pub mod execute;
pub mod index;
pub mod inventory;
pub mod render;
pub mod request;
#[cfg(test)]
pub(crate) mod tests;
