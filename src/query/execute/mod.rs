//! The execution of a query on a snapshot, within what its caller may see.

pub mod entry_mentions;
pub mod executor;
mod link_memo;
pub mod media_uses;
pub mod overview;
pub mod referrers;
pub mod view;
