//! The only asynchronous code, and the only code that knows a status or a header.

pub mod body;
pub mod call;
pub mod compress;
pub mod conn;
pub mod error;
pub mod file_cache;
mod finish;
mod framing;
pub mod headers;
mod input;
mod lifecycle;
pub mod listen;
pub mod metrics;
mod multipart;
pub mod openapi;
pub mod public;
mod pulse;
pub mod range;
pub mod reply;
pub mod route;
pub mod router;
pub mod routes;
pub mod service;
pub mod turns;
mod unrouted;
pub mod upload;
pub mod vet;
