//! An upload as the source of an import.

use std::io;

use crate::store::data_folder::DataFolder;
use crate::store::disk;
use crate::store::disk::Disk;
use crate::store::disk::ReadError;
use crate::store::layout;
use crate::store::source::import_source::ImportSource;
use crate::store::source::import_source::SourceLimits;
use crate::store::source::opening::open_file;
use crate::store::write::spool::Spooled;

/// Opens an upload. What has to be decompressed goes into a file beside it that has no name, and
/// that ends with the source.
pub fn open_upload(
    disk: &dyn Disk,
    places: &DataFolder,
    upload: &Spooled,
) -> io::Result<Box<dyn ImportSource>> {
    let (file, _) = disk.open(&upload.path).map_err(|error| match error {
        ReadError::Unreadable(error) => error,
        _ => io::ErrorKind::NotFound.into(),
    })?;
    let make_file = || {
        disk::make_folders(disk, layout::TMP).map_err(io::Error::other)?;
        tempfile::tempfile_in(places.resolve_path(layout::TMP))
    };
    open_file(file, &upload.name, SourceLimits::UPLOADED, &make_file)
}
