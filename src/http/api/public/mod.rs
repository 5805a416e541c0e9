//! The handlers of the public API: each parses its input, calls one use case and returns one reply.

pub mod categories;
pub mod content_types;
pub mod entries;
pub mod feeds;
pub mod files;
pub mod health;
pub mod media;
mod metrics_text;
pub mod monitoring;
pub mod openapi;
pub(crate) mod picture_headers;
pub mod preview_script;
pub mod replication;
pub mod sync;
pub mod types;
mod variant_files;
pub mod views;
