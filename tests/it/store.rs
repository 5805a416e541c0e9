//! The data folder: files that are changed by hand and by other tools, backups, and workers on
//! files.

mod backup_targets;
mod backups;
mod broken_files;
mod commits;
mod edit_storm;
mod folder_model;
mod following;
mod fuzz_smoke;
mod git;
mod hand_edits;
mod hostile_archives;
mod rendered_packs;
mod system_files;
mod trash_retention;
mod unreadable_disk;
