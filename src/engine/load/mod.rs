//! Loaders: whole folders, workspaces and media files, read on many threads.

mod broken_files;
mod change_check;
pub(crate) mod entry_loader;
pub(crate) mod folder_check;
pub(crate) mod folder_loader;
pub mod installation_loader;
mod kept_files_check;
pub(crate) mod loader;
pub(crate) mod media_loader;
