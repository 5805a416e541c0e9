//! The HTTP server: the only code that knows statuses and headers, and with `net` the only
//! asynchronous code.
//!
//! Its rooms are layers of their own: `wire` < `interface` < `request` < `openapi` < `api` <
//! `routes` < `service`. A room uses only those before it in this line; `tests/it/tidy.rs` holds
//! them to it.

pub mod wire;

pub mod interface;

pub mod request;

pub mod openapi;

pub mod api;

pub mod routes;

pub mod service;
