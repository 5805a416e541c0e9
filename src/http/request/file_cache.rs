//! The cache of small files and thumbnails in memory, which saves system calls. A changed file has
//! another tag, and so another key.

use bytes::Bytes;
use http::HeaderValue;
use quick_cache::Weighter;
use quick_cache::sync::Cache;

use crate::http::wire::compress;
use crate::http::wire::memory_file::MemoryFile;
use crate::http::wire::reply::ReplyBody;
use crate::stdx::checksum::Checksum;
use crate::stdx::checksum::ChecksumBuilder;

/// The most bytes that are kept.
const BYTES_MAX: u64 = 32 * 1024 * 1024;

/// The largest file that is kept; larger ones are streamed from the disk.
pub const FILE_BYTES_MAX: u64 = 1024 * 1024;

/// The smallest whole file that is kept as a file in memory, for the kernel to send: each takes a
/// descriptor, and to copy less costs nothing that matters.
const MEMORY_FILE_BYTES_MIN: usize = 64 * 1024;

/// The bytes of a file or of something made of it.
#[derive(Clone)]
enum KeptBytes {
    Shared(Bytes),
    Memory(MemoryFile),
}

#[derive(Clone)]
struct FileWeighter;

impl Weighter<Checksum, KeptBytes> for FileWeighter {
    fn weight(&self, _: &Checksum, kept: &KeptBytes) -> u64 {
        128 + match kept {
            KeptBytes::Shared(bytes) => bytes.len() as u64,
            KeptBytes::Memory(file) => file.len_bytes(),
        }
    }
}

/// The cached bytes by the checksum of their key.
pub struct FileCache(Cache<Checksum, KeptBytes, FileWeighter>);

impl Default for FileCache {
    fn default() -> Self {
        FileCache(Cache::with_weighter(1024, BYTES_MAX, FileWeighter))
    }
}

/// Something made of a file that is cached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CachedPart {
    /// The thumbnail.
    Thumbnail,
    /// A variant of the picture, by its key.
    Variant(Checksum),
}

impl FileCache {
    /// Returns a whole file in a certain state.
    pub fn get_file(&self, ws: &str, name: &str, etag: Checksum) -> Option<ReplyBody> {
        Some(match self.0.get(&compute_key(ws, name, etag, None))? {
            KeptBytes::Shared(bytes) => bytes.into(),
            KeptBytes::Memory(file) => ReplyBody::Memory(file),
        })
    }

    /// Keeps a whole file, unless it is too large.
    pub fn put_file(
        &self,
        ws: &str,
        name: &str,
        etag: Checksum,
        bytes: &Bytes,
        mime: &HeaderValue,
    ) {
        if bytes.len() as u64 > FILE_BYTES_MAX {
            return;
        }
        // What may be compressed is needed as bytes.
        let is_sent = bytes.len() >= MEMORY_FILE_BYTES_MIN && !compress::is_compressible(mime);
        let memory = is_sent.then(|| MemoryFile::new(bytes).ok()).flatten();
        let kept = memory.map_or_else(|| KeptBytes::Shared(bytes.clone()), KeptBytes::Memory);
        self.0.insert(compute_key(ws, name, etag, None), kept);
    }

    /// Returns the bytes of something made of a file in a certain state.
    pub fn get(&self, ws: &str, name: &str, etag: Checksum, part: CachedPart) -> Option<Bytes> {
        match self.0.get(&compute_key(ws, name, etag, Some(part)))? {
            KeptBytes::Shared(bytes) => Some(bytes),
            KeptBytes::Memory(_) => None,
        }
    }

    /// Keeps bytes, unless there are too many.
    pub fn put(&self, ws: &str, name: &str, etag: Checksum, part: CachedPart, bytes: &Bytes) {
        if bytes.len() as u64 <= FILE_BYTES_MAX {
            let key = compute_key(ws, name, etag, Some(part));
            self.0.insert(key, KeptBytes::Shared(bytes.clone()));
        }
    }
}

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
