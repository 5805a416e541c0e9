//! Reading of the data folder: loading, change detection, and the last good versions of files.
//!
//! `load` reads everything once, `watch` signals what may have changed, and `sweep` finds the
//! changes by comparing the folder with the `stat_index`. `body_pack` stores the last good bodies
//! as `pack_records`, `pack_slots` has their places and `body_index` keeps these for the next
//! start, `removed_bodies` has the bodies of deleted files, and `blob` opens media files.

pub mod blob;
pub mod body_index;
pub mod body_pack;
pub mod git;
pub mod inventory_files;
pub mod load;
pub mod media_sketches;
pub mod media_sums;
pub mod moment;
mod pack_records;
mod pack_slots;
pub mod private_copy;
pub mod removed_bodies;
pub mod rendered_pack;
pub mod stat_index;
pub mod sweep;
pub mod variant_cache;
pub mod watch;
