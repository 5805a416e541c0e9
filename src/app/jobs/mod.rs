//! Long-running work: backups, planned publications, the retention of the trash, sketches of
//! pictures, updates of the program.

pub mod backups;
pub mod planned_publications;
pub mod retention;
pub mod scheduled_backups;
pub mod sketching;
pub mod update_requests;
pub mod updates;
