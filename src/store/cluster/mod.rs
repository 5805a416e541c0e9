//! The content of several servers: it is in a database, and each server keeps a copy of the files,
//! its replica.
//!
//! A change is committed in the database before any of it is visible in the replica, by whoever has
//! the turn among all servers. Before it is put together, the replica takes over what others have
//! committed; what they commit later comes by the log. So a server reads its files and its memory
//! as one that is alone does.

pub mod copy;
pub mod database;
mod file_content;
mod final_states;
#[cfg(any(test, feature = "simulate"))]
pub mod memory_database;
mod pending_files;
#[cfg(feature = "postgres")]
pub mod postgres;
pub mod replica;
mod replica_disk;
mod replica_files;
pub mod replica_news;
pub mod replica_state;
pub mod shared_paths;

pub use crate::store::cluster::replica_disk::ReplicaDisk;
