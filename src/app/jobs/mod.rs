//! Long-running work: backups, planned publications, the retention of the trash, updates of the
//! program.

pub mod backups;
pub mod planned_publications;
pub mod retention;
pub mod update_requests;
pub mod updates;
