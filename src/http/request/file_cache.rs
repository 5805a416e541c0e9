//! The cache of small files and thumbnails in memory, which saves system calls. A changed file has
//! another tag, and so another key.

use std::sync::Arc;

use bytes::Bytes;
use quick_cache::Weighter;
use quick_cache::sync::Cache;

use crate::http::wire::conn_limits::share_of_open_files;
use crate::http::wire::file_copy::FileCopy;
use crate::http::wire::file_copy::SENT_BYTES_MIN;
use crate::http::wire::file_copy::SendableFile;
use crate::stdx::checksum::Checksum;
use crate::stdx::checksum::ChecksumBuilder;

/// The most bytes that are kept.
const BYTES_MAX: u64 = 32 * 1024 * 1024;

/// The largest file that is kept; larger ones are streamed from the disk.
pub const FILE_BYTES_MAX: u64 = 1024 * 1024;

/// The most files that are kept open, if the process may open enough of them. One that is deleted
/// keeps its space on the disk until others take its place here.
const OPEN_MAX: usize = 64;

#[derive(Clone)]
struct FileWeighter;

impl Weighter<Checksum, Bytes> for FileWeighter {
    fn weight(&self, _: &Checksum, bytes: &Bytes) -> u64 {
        bytes.len() as u64 + 128
    }
}

/// The cached bytes by the checksum of their key.
pub struct FileCache {
    bytes: Cache<Checksum, Bytes, FileWeighter>,
    /// The open files among them.
    sources: Cache<Checksum, Arc<SendableFile>>,
}

impl Default for FileCache {
    fn default() -> Self {
        FileCache {
            bytes: Cache::with_weighter(1024, BYTES_MAX, FileWeighter),
            sources: Cache::new(share_of_open_files(16, OPEN_MAX)),
        }
    }
}

/// Something that was made of a file and is cached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CachedPart {
    /// The thumbnail.
    Thumbnail,
    /// A variant of the picture, by its key.
    Variant(Checksum),
}

impl FileCache {
    /// Returns a whole file in a certain state.
    pub fn get_file(&self, ws: &str, name: &str, etag: Checksum) -> Option<FileCopy> {
        let key = compute_key(ws, name, etag, None);
        let bytes = self.bytes.get(&key)?;
        let may_be_open = bytes.len() as u64 >= SENT_BYTES_MIN;
        let mut source = may_be_open.then(|| self.sources.get(&key)).flatten();
        if source.take_if(|it| !it.is_usable()).is_some() {
            self.sources.remove(&key);
        }
        Some(FileCopy { bytes, source })
    }

    /// Keeps a whole file, unless it is too long.
    pub fn put_file(&self, ws: &str, name: &str, etag: Checksum, copy: &FileCopy) {
        if copy.bytes.len() as u64 > FILE_BYTES_MAX {
            return;
        }
        let key = compute_key(ws, name, etag, None);
        self.bytes.insert(key, copy.bytes.clone());
        if let Some(source) = &copy.source {
            self.sources.insert(key, source.clone());
        }
    }

    /// Returns what was made of a file in a certain state.
    pub fn get(&self, ws: &str, name: &str, etag: Checksum, part: CachedPart) -> Option<Bytes> {
        self.bytes.get(&compute_key(ws, name, etag, Some(part)))
    }

    /// Keeps bytes, unless there are too many.
    pub fn put(&self, ws: &str, name: &str, etag: Checksum, part: CachedPart, bytes: &Bytes) {
        if bytes.len() as u64 <= FILE_BYTES_MAX {
            self.bytes.insert(compute_key(ws, name, etag, Some(part)), bytes.clone());
        }
    }
}

/// Returns the key of a part of a file; nothing stands for all of it.
fn compute_key(ws: &str, name: &str, etag: Checksum, part: Option<CachedPart>) -> Checksum {
    let mut summer = ChecksumBuilder::new();
    summer.add_part(ws.as_bytes()).add_part(name.as_bytes()).add_number(etag.0);
    match part {
        None => _ = summer.add_number(0),
        Some(CachedPart::Thumbnail) => _ = summer.add_number(1),
        Some(CachedPart::Variant(key)) => _ = summer.add_number(2).add_number(key.0),
    }
    summer.finish()
}
