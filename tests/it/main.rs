//! Tests from outside the crate. They are one program, so that it is linked once.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

mod api;
mod cli;
mod cluster;
mod crash;
mod store;
mod support;
mod tidy;
