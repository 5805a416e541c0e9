//! Handlers: the public API, the admin API, live streams and the web interface.

pub mod admin;
pub(crate) mod content_stream;
pub(crate) mod entry_changes;
mod entry_reply;
pub mod interface;
pub mod live;
pub mod mcp;
pub mod public;
pub(crate) mod query_params;
pub(crate) mod reply;
