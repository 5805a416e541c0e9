//! Writing the data folder: commits, the journal, uploads, and repairs after a crash.

pub mod commit;
pub mod file_op;
pub mod half_deleted;
pub mod journal;
pub mod orphaned_revisions;
pub mod spool;
