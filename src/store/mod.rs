//! The only code that accesses the disk: the data folder is read, watched and written file by file.
//!
//! `layout` defines all paths, `disk` is the interface for all file access, `codec` decodes JSON,
//! `data_folder` locates the data folder and its state, and `lock` excludes other processes. `read`
//! loads the folder and follows its changes, `write` commits changes, `archive` packs and unpacks
//! backups, `source` reads what is imported, `logs` stores the messages to webhooks and their
//! outcomes, and `updates` installs new versions of the program.

pub mod archive;
pub mod certificate_files;
pub mod cluster;
pub mod codec;
pub mod data_folder;
pub mod disk;
pub mod error;
pub mod layout;
pub mod lock;
pub mod logs;
pub mod objects;
pub mod process_memory;
pub mod read;
pub mod source;
pub mod summed_content;
pub mod updates;
pub mod write;
