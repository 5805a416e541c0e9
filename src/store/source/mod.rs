//! The source of an import: files by path, wherever they are. A source comes from outside, so
//! nothing in it is followed, unpacked to its own path, or larger than its limits.

mod folder_source;
mod import_source;
mod opening;
mod single_source;
mod source_path;
mod tar_source;
pub mod uploaded_source;
mod zip_source;

pub use crate::store::source::folder_source::FolderSource;
pub use crate::store::source::import_source::ContentSource;
pub use crate::store::source::import_source::ImportSource;
pub use crate::store::source::import_source::MakeFile;
pub use crate::store::source::import_source::SourceFile;
pub use crate::store::source::import_source::SourceLimits;
pub use crate::store::source::import_source::TEXT_BYTES_MAX;
pub use crate::store::source::opening::open_file;
pub use crate::store::source::single_source::SingleSource;
pub use crate::store::source::source_path::has_ending;
pub use crate::store::source::tar_source::TarSource;
pub use crate::store::source::zip_source::ZipSource;
