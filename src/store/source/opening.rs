//! The opening of a source that is a file: an archive, or a file by itself.

use std::fs::File;
use std::io;
use std::io::Read;
use std::io::Seek;
use std::io::SeekFrom;

use crate::store::source::import_source::ImportSource;
use crate::store::source::import_source::MakeFile;
use crate::store::source::import_source::SourceLimits;
use crate::store::source::single_source::SingleSource;
use crate::store::source::tar_source::TarSource;
use crate::store::source::zip_source::ZipSource;

/// Opens an archive, or a file by itself; which of them it is shows in its first bytes. `name` is
/// how the file is called.
pub fn open_file(
    mut file: File,
    name: &str,
    limits: SourceLimits,
    make_file: MakeFile<'_>,
) -> io::Result<Box<dyn ImportSource>> {
    let mut head = Vec::new();
    file.seek(SeekFrom::Start(0))?;
    (&mut file).take(HEAD_BYTES).read_to_end(&mut head)?;
    if head.starts_with(b"PK\x03\x04") || head.starts_with(b"PK\x05\x06") {
        return Ok(Box::new(ZipSource::open(file, limits)?));
    }
    if head.starts_with(b"\x1f\x8b") {
        return Ok(Box::new(TarSource::open_compressed(file, limits, make_file)?));
    }
    if head.get(TAR_MARK_AT..).is_some_and(|it| it.starts_with(b"ustar")) {
        return Ok(Box::new(TarSource::open(file, limits)?));
    }
    Ok(Box::new(SingleSource::open(file, name)?))
}

/// The bytes by which an archive is recognized.
const HEAD_BYTES: u64 = 512;

/// The place of the mark of a tar archive.
const TAR_MARK_AT: usize = 257;
