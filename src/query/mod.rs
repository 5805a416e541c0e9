//! Reading: immutable snapshots of a workspace and the queries they answer. Pure.
//!
//! A query runs through [`view::View`], which knows what its caller may see; nothing else here
//! hands out entries.

pub mod admin;
pub mod answer;
pub mod column;
pub mod doc;
pub mod field_ref;
pub mod filter;
mod flights;
pub mod include;
pub mod list_query;
pub mod media_index;
pub mod media_uses;
pub mod memo;
pub mod order;
pub mod overview;
pub mod params;
pub mod referrers;
pub mod run;
pub mod search;
pub mod shelf;
pub mod snapshot;
#[cfg(test)]
pub(crate) mod tests;
pub mod text_index;
pub mod type_index;
pub mod unique;
pub mod view;
pub mod walk;
