//! The wire: connections, the head and body of requests, and the bytes of replies. Routes, callers
//! and content are left to other modules.

pub mod cached_body;
pub mod compress;
pub mod conn;
mod conn_context;
pub mod conn_limits;
mod conn_state;
pub mod counters;
mod fast_path;
pub mod head_check;
pub mod headers;
mod http2;
pub mod http_service;
pub mod listen;
pub(crate) mod multipart;
pub mod peer;
pub mod pulled_body;
pub mod range;
pub mod reply;
pub mod request_body;
pub mod response;
pub mod secure_redirect;
mod smuggling;
mod socket_stream;
pub mod stream_pool;
mod watched_socket;
