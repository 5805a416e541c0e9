//! The writer: work is queued to its workspace, run against the newest snapshot, written in
//! batches, published with one swap, and only then answered.

pub(crate) mod batch;
pub mod commit;
pub mod repair;
pub(crate) mod system_commit;
pub mod typed_work;

use std::sync::Arc;

use crate::engine::folder::OpenFolder;
use crate::engine::follower::Follower;
use crate::engine::outbox::EventOutbox;
use crate::engine::records::Records;
use crate::engine::workspaces::registry::WorkspaceRegistry;

pub use crate::engine::writer::typed_work::Committed;

/// Makes changes durable and public.
pub struct Writer {
    pub(crate) folder: Arc<OpenFolder>,
    pub(crate) records: Arc<Records>,
    pub(crate) outbox: Arc<EventOutbox>,
    pub(crate) workspaces: Arc<WorkspaceRegistry>,
    pub(crate) follower: Arc<Follower>,
}
