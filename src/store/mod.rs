//! The only code that touches the disk: the data folder, read, watched and replaced file by file.
//!
//! `layout` spells every name, `disk` is the seam all file access goes through, `codec` turns bytes
//! into JSON or a problem. `load` reads everything once, `watch` hints at what may have changed and
//! `sweep` finds out what did, by what is `known` of each file. `pack` keeps last good bodies,
//! `lastgood` those of deleted files, `blob` serves media bytes, `outbox` keeps what waits to be sent,
//! `lock` keeps others out.

pub mod archive;
pub mod binary;
pub mod blob;
pub mod codec;
pub mod commit;
pub mod delivery_log;
pub mod disk;
pub mod error;
pub mod half_deleted;
pub mod journal;
pub mod known;
pub mod lastgood;
pub mod layout;
mod lines;
pub mod lines_back;
pub mod load;
pub mod lock;
pub mod media_sums;
pub mod memory;
pub mod orphans;
pub mod outbox;
pub mod pack;
pub mod spool;
pub mod sweep;
pub mod updates;
pub mod watch;
