//! A tar archive, compressed or not, as the source of an import. Nothing is unpacked to paths: the
//! names in an archive only say how its files are called.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::io::Read;
use std::io::Seek;
use std::io::SeekFrom;

use flate2::read::MultiGzDecoder;
use tar::EntryType;

use crate::store::archive::shared_file::SharedFile;
use crate::store::source::import_source::ContentSource;
use crate::store::source::import_source::ImportSource;
use crate::store::source::import_source::MakeFile;
use crate::store::source::import_source::SourceFile;
use crate::store::source::import_source::SourceLimits;
use crate::store::source::import_source::too_large;
use crate::store::source::import_source::too_many;
use crate::store::source::source_path::is_junk;
use crate::store::source::source_path::to_source_path;

/// The size that an archive may have decompressed, as a multiple of its own, and what is added.
const GROWTH_MAX: u64 = 32;
const GROWTH_BYTES: u64 = 1024 * 1024 * 1024;

/// The largest record that describes another one, as those of long names do: they are read into
/// memory.
const DESCRIPTION_BYTES_MAX: u64 = 64 * 1024;

/// A tar archive.
pub struct TarSource {
    archive: SharedFile,
    /// The position and size of each file.
    places: BTreeMap<String, (u64, u64)>,
    files: Vec<SourceFile>,
    left_out: Vec<(String, String)>,
}

impl TarSource {
    /// Lists an archive that is compressed, by decompressing it into a file.
    pub fn open_compressed(
        archive: File,
        limits: SourceLimits,
        make_file: MakeFile<'_>,
    ) -> io::Result<TarSource> {
        let growth = archive.metadata()?.len().saturating_mul(GROWTH_MAX) + GROWTH_BYTES;
        let bytes_max = growth.min(limits.unpacked_bytes);
        let content = MultiGzDecoder::new(SharedFile::new(archive));
        let mut content = content.take(bytes_max.saturating_add(1));
        let mut out = make_file()?;
        let written = io::copy(&mut content, &mut out)?;
        if written > bytes_max {
            return Err(too_large(SourceLimits { unpacked_bytes: bytes_max, ..limits }));
        }
        TarSource::open(out, limits)
    }

    /// Lists an archive that is not compressed.
    pub fn open(archive: File, limits: SourceLimits) -> io::Result<TarSource> {
        let archive = SharedFile::new(archive);
        expect_small_descriptions(archive.clone(), limits)?;
        let mut source = TarSource {
            archive: archive.clone(),
            places: BTreeMap::new(),
            files: Vec::new(),
            left_out: Vec::new(),
        };
        for entry in tar::Archive::new(from_start(archive)?).entries_with_seek()? {
            let entry = entry?;
            let kind = entry.header().entry_type();
            let shown = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
            if kind.is_dir() || kind.is_pax_global_extensions() || is_junk(&shown) {
                continue;
            }
            let Some(path) = to_source_path(&shown).filter(|_| !shown.contains('\u{fffd}')) else {
                source.leave_out(shown, "Its name leads out of the archive.");
                continue;
            };
            if kind.is_file() {
                source.places.insert(path, (entry.raw_file_position(), entry.size()));
            } else {
                source.leave_out(path, "It is a link or a device.");
            }
        }
        let list = |(path, (_, bytes)): (&String, &(u64, u64))| SourceFile {
            path: path.clone(),
            bytes: *bytes,
        };
        source.files = source.places.iter().map(list).collect();
        Ok(source)
    }

    fn leave_out(&mut self, path: String, reason: &str) {
        self.left_out.push((path, reason.to_string()));
    }
}

/// Checks the number of records, and the size of those that are read into memory.
fn expect_small_descriptions(archive: SharedFile, limits: SourceLimits) -> io::Result<()> {
    let mut archive = tar::Archive::new(from_start(archive)?);
    let records = archive.entries_with_seek()?.raw(true);
    for (number, record) in records.enumerate() {
        let record = record?;
        let describes = matches!(
            record.header().entry_type(),
            EntryType::GNULongName
                | EntryType::GNULongLink
                | EntryType::XHeader
                | EntryType::XGlobalHeader
        );
        if describes && record.header().entry_size()? > DESCRIPTION_BYTES_MAX {
            return Err(io::Error::other("a name in it is far too long"));
        }
        // Each file has up to two records before it.
        if number / 3 > limits.files {
            return Err(too_many(limits));
        }
    }
    Ok(())
}

fn from_start(mut archive: SharedFile) -> io::Result<SharedFile> {
    archive.seek(SeekFrom::Start(0))?;
    Ok(archive)
}

/// The reader of a part of an archive, which must be there.
struct PartReader {
    part: io::Take<SharedFile>,
}

impl Read for PartReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.part.read(buffer)?;
        if read == 0 && self.part.limit() > 0 && !buffer.is_empty() {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(read)
    }
}

impl ContentSource for TarSource {
    fn open(&self, path: &str) -> io::Result<Box<dyn Read + '_>> {
        let (at, bytes) = *self.places.get(path).ok_or(io::ErrorKind::NotFound)?;
        let mut archive = self.archive.clone();
        archive.seek(SeekFrom::Start(at))?;
        Ok(Box::new(PartReader { part: archive.take(bytes) }))
    }
}

impl ImportSource for TarSource {
    fn files(&self) -> &[SourceFile] {
        &self.files
    }

    fn left_out(&self) -> &[(String, String)] {
        &self.left_out
    }

    fn is_archive(&self) -> bool {
        true
    }
}
