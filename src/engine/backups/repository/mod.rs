//! Backups that are kept elsewhere: in a directory or a bucket, the **target**. Its layout is in
//! FORMAT.md.
//!
//! The target has objects, named by a hash of their content, and a manifest for each backup, which
//! names the objects that it needs. So a backup uploads only what the one before does not have.
//! `sealing` seals objects with the key of the target, `manifest` describes a backup, `target`
//! opens a target and reads and writes objects, `owner` keeps it for one data folder, `new_backup`
//! makes a backup, `pruning` removes old ones, `run` does both, `status` remembers how that went,
//! and `stored_files` reads all files of one, to verify or to restore them.

mod error;
pub mod manifest;
pub mod new_backup;
pub mod owner;
pub mod pruning;
pub mod run;
mod sealing;
pub mod status;
pub mod stored_files;
pub mod target;

pub use error::TargetError;
