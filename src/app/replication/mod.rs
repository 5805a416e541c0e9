//! Replication: the content of one Recto brought to another, with a three-way merge. Content is
//! compared and sent as the files of the data folder, so ids, slugs and dates stay the same.
//!
//! Each side is a [`file::ReplicatedFile`] map of values. The [`plan`] merges both onto what they
//! had in common the last time, the [`base`], and says what one side has to write. [`local`] reads
//! a data folder, [`pulled`] writes it; [`listing`] and [`change`] are the server's side of it,
//! under the grants of a token.

pub mod base;
pub mod change;
pub mod file;
pub mod handovers;
pub mod lines;
pub mod listing;
pub mod local;
mod merge;
pub mod plan;
pub mod pulled;
pub mod replicated_types;
mod shared_names;

#[cfg(test)]
mod tests;
