//! One request from its route to its reply: what handlers get and give, and what runs them.

pub(crate) mod answer_tags;
pub mod blocking_pool;
pub mod call;
pub(crate) mod common_headers;
pub mod document_cache;
pub mod endpoint;
pub mod error;
pub(crate) mod fallback;
pub mod file_cache;
mod form_reader;
pub(crate) mod identify;
mod input;
pub mod json_type;
pub mod lane_key;
pub(crate) mod lifecycle;
pub mod live_hub;
pub mod metrics;
mod permission;
mod query_check;
pub(crate) mod query_warnings;
pub mod rate_limit;
pub(crate) mod respond;
pub mod route;
pub mod router;
pub mod state;
pub mod upload;
