//! The workspaces: their current snapshots, and who may change them.

pub mod registry;
pub(crate) mod schedule;
pub mod workspace;
