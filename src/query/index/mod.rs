//! Snapshots of a workspace and the indexes in them: entries, media, columns, text, unique values.

pub mod cache_budget;
pub mod change_index;
pub mod column;
pub mod derived;
pub mod entry_table;
pub mod media_index;
pub mod search;
pub(in crate::query) mod single_flight;
pub mod snapshot;
pub mod text_index;
mod text_postings;
mod text_tokens;
pub mod type_index;
pub mod unique_index;
