//! The interface between Recto and the file system: primitive operations beneath the data folder,
//! and the ways to write a file ([`create_file`], [`replace_file`]). Tests can substitute
//! another [`Disk`] and stop the machine at every step, as `memory` does
//! (feature `simulate`).
//!
//! Paths are relative, with `/`, and made by [`crate::store::layout`]. Symbolic links beneath the
//! data folder are never followed.

mod file_effect;
pub(in crate::store) mod file_system;
#[cfg(unix)]
mod held_handles;
#[cfg(unix)]
mod kept_handles;
#[cfg(any(test, feature = "simulate"))]
pub mod memory;
#[cfg(unix)]
mod open_beneath;
#[cfg(any(test, not(unix)))]
pub mod portable;
#[cfg(unix)]
mod sync_order;
#[cfg(unix)]
mod sync_pool;
#[cfg(unix)]
mod unix;
#[cfg(unix)]
mod unix_stat;

#[cfg(not(unix))]
pub use crate::store::disk::portable::OsDisk;
#[cfg(unix)]
pub use crate::store::disk::unix::OsDisk;

pub use crate::store::disk::file_effect::{FileEffect, ShareError};
pub use crate::store::disk::file_system::{
    BatchDisk, Disk, FILE_BYTES_MAX, FileKind, FolderItem, Listing, ReadError, Stat, StatResult,
    create_file, is_transient, make_folders, parent_folder, remove_file, replace_file,
    rewrite_file,
};
pub(crate) use crate::store::disk::file_system::{
    cannot_exchange, clear_unfinished, default_mode, has_capital, is_absence, is_exhaustion,
    make_folders_unsynced, make_private_folder, make_private_folder_within, remove_files,
    share_first, sync_parent, unfinished_beside, unfinished_folders, unfinished_in,
    unfinished_path,
};
