//! The one integration test binary: one link for all of it.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails where it stands")]

mod oracle;
mod reading;
mod visibility;
mod worlds;
