//! A ZIP archive as the source of an import. Nothing is unpacked: a file is decompressed while it
//! is read, and never to more bytes than the archive says.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::io::Read;
use std::io::Seek;
use std::io::SeekFrom;

use flate2::read::DeflateDecoder;
use zip::CompressionMethod;
use zip::ZipArchive;

use crate::store::archive::inflate::ArchiveError;
use crate::store::archive::inflate::ArchiveLimits;
use crate::store::archive::reader::decode_name;
use crate::store::archive::reader::expect_directory;
use crate::store::archive::reader::expect_no_overlap;
use crate::store::archive::reader::expect_regular_file;
use crate::store::archive::shared_file::SharedFile;
use crate::store::source::import_source::ContentSource;
use crate::store::source::import_source::ImportSource;
use crate::store::source::import_source::SourceFile;
use crate::store::source::import_source::SourceLimits;
use crate::store::source::import_source::too_large;
use crate::store::source::source_path::is_junk;
use crate::store::source::source_path::to_source_path;

/// The size of the header before a file, without name and extras.
const HEADER_BYTES: usize = 30;

/// A ZIP archive.
pub struct ZipSource {
    archive: SharedFile,
    places: BTreeMap<String, ZipPlace>,
    files: Vec<SourceFile>,
    left_out: Vec<(String, String)>,
}

/// The place of a file in an archive.
#[derive(Clone, Copy)]
struct ZipPlace {
    header_at: u64,
    packed_bytes: u64,
    bytes: u64,
    crc: u32,
    is_deflated: bool,
}

impl ZipSource {
    /// Lists an archive.
    pub fn open(archive: File, limits: SourceLimits) -> io::Result<ZipSource> {
        let mut archive = SharedFile::new(archive);
        let of_archive =
            ArchiveLimits { entries: limits.files as u64, bytes: limits.unpacked_bytes };
        expect_directory(&mut archive, of_archive).map_err(to_io_error)?;
        let zip = ZipArchive::new(archive.clone()).map_err(io::Error::other)?;
        if zip.has_duplicate_names() {
            return Err(io::Error::other("two files in it have the same name"));
        }
        expect_no_overlap(&zip).map_err(to_io_error)?;
        let (mut places, mut left_out) = (BTreeMap::new(), Vec::new());
        let mut total = 0_u64;
        for index in 0..zip.len() {
            let entry = zip.by_index_data(index).map_err(io::Error::other)?;
            let name = decode_name(&entry)
                .and_then(|name| expect_regular_file(&name, &entry).map(|()| name));
            let name = match name {
                Ok(name) if name.ends_with('/') || is_junk(&name) => continue,
                Ok(name) => name,
                Err(defect) => {
                    left_out.push((defect.path, defect.message));
                    continue;
                }
            };
            let Some(path) = to_source_path(&name) else {
                left_out.push((name, "Its name leads out of the archive.".to_string()));
                continue;
            };
            total = total.saturating_add(entry.size());
            let place = ZipPlace {
                header_at: entry.header_start(),
                packed_bytes: entry.compressed_size(),
                bytes: entry.size(),
                crc: entry.crc32(),
                is_deflated: entry.compression() == CompressionMethod::Deflated,
            };
            places.insert(path, place);
        }
        if total > limits.unpacked_bytes {
            return Err(too_large(limits));
        }
        let list = |(path, place): (&String, &ZipPlace)| SourceFile {
            path: path.clone(),
            bytes: place.bytes,
        };
        let files = places.iter().map(list).collect();
        Ok(ZipSource { archive, places, files, left_out })
    }
}

/// The reader of a file, which must have the size and the checksum that the archive says.
struct MemberReader<R> {
    content: R,
    left_bytes: u64,
    crc: u32,
    found: crc32fast::Hasher,
}

impl<R: Read> Read for MemberReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.content.read(buffer)?;
        self.found.update(buffer.get(..read).unwrap_or_default());
        let damaged = || io::Error::new(io::ErrorKind::InvalidData, "the archive is damaged");
        self.left_bytes = self.left_bytes.checked_sub(read as u64).ok_or_else(damaged)?;
        if read == 0 && !buffer.is_empty() {
            let is_whole = self.left_bytes == 0 && self.found.clone().finalize() == self.crc;
            return if is_whole { Ok(0) } else { Err(damaged()) };
        }
        Ok(read)
    }
}

impl ContentSource for ZipSource {
    fn open(&self, path: &str) -> io::Result<Box<dyn Read + '_>> {
        let place = *self.places.get(path).ok_or(io::ErrorKind::NotFound)?;
        let mut archive = self.archive.clone();
        archive.seek(SeekFrom::Start(place.header_at))?;
        let mut header = [0; HEADER_BYTES];
        archive.read_exact(&mut header)?;
        let [.., name_low, name_high, extra_low, extra_high] = header;
        let name = u16::from_le_bytes([name_low, name_high]);
        let extra = u16::from_le_bytes([extra_low, extra_high]);
        archive.seek_relative(i64::from(name) + i64::from(extra))?;
        let packed = archive.take(place.packed_bytes);
        let (left_bytes, crc) = (place.bytes, place.crc);
        let found = crc32fast::Hasher::new();
        if place.is_deflated {
            let content = DeflateDecoder::new(packed);
            return Ok(Box::new(MemberReader { content, left_bytes, crc, found }));
        }
        Ok(Box::new(MemberReader { content: packed, left_bytes, crc, found }))
    }
}

impl ImportSource for ZipSource {
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

fn to_io_error(error: ArchiveError) -> io::Error {
    match error {
        ArchiveError::Store(error) => io::Error::other(error),
        ArchiveError::Defective(defects) => {
            let message = defects.into_iter().next().map(|it| it.message).unwrap_or_default();
            io::Error::other(message.trim_end_matches('.').to_string())
        }
    }
}
