//! Long-running work: backups, the retention of the trash, updates of the program.

pub mod backups;
pub mod retention;
pub mod update_requests;
pub mod updates;
