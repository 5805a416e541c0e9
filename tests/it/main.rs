//! Tests from outside the crate. They are one program, so that it is linked once.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop")]

/// The allocator of the program: that of musl takes a tenth of the time that tests run.
#[cfg(any(target_os = "linux", target_os = "macos"))]
#[global_allocator]
static ALLOCATOR: tikv_jemallocator::Jemalloc = tikv_jemallocator::Jemalloc;

mod api;
mod cli;
mod cluster;
mod crash;
mod store;
mod support;
mod tidy;
