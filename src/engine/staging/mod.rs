//! Changes that are being put together: what is staged becomes durable and public as a whole, or
//! not at all.

pub mod change_steps;
mod proposed;
pub(crate) mod queued_work;
pub mod system_staging;
pub mod system_write;
pub mod workspace_staging;
pub mod write;

pub use crate::engine::staging::change_steps::StoredFile;
pub use crate::engine::staging::proposed::Proposed;
pub use crate::engine::staging::system_staging::SystemStaging;
pub use crate::engine::staging::workspace_staging::Staging;
