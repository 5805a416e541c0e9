//! The cache of small files and thumbnails in memory, which saves system calls. A changed file has
//! another tag, and so another key.

use bytes::Bytes;
use quick_cache::Weighter;
use quick_cache::sync::Cache;

use crate::stdx::checksum::Checksum;
use crate::stdx::checksum::ChecksumBuilder;

/// The most bytes that are kept.
const BYTES_MAX: u64 = 32 * 1024 * 1024;

/// The largest file that is kept; larger ones are streamed from the disk.
pub const FILE_BYTES_MAX: u64 = 1024 * 1024;

#[derive(Clone)]
struct FileWeighter;

impl Weighter<Checksum, Bytes> for FileWeighter {
    fn weight(&self, _: &Checksum, bytes: &Bytes) -> u64 {
        bytes.len() as u64 + 128
    }
}

/// The cached bytes by the checksum of their key.
pub struct FileCache(Cache<Checksum, Bytes, FileWeighter>);

impl Default for FileCache {
    fn default() -> Self {
        FileCache(Cache::with_weighter(1024, BYTES_MAX, FileWeighter))
    }
}

/// The part of a file that is cached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CachedPart {
    /// The whole file.
    Whole,
    /// The thumbnail.
    Thumbnail,
    /// A variant of the picture, by its key.
    Variant(Checksum),
}

impl FileCache {
    /// Returns the bytes of a part of a file in a certain state.
    pub fn get(&self, ws: &str, name: &str, etag: Checksum, part: CachedPart) -> Option<Bytes> {
        self.0.get(&compute_key(ws, name, etag, part))
    }

    /// Keeps bytes, unless there are too many.
    pub fn put(&self, ws: &str, name: &str, etag: Checksum, part: CachedPart, bytes: &Bytes) {
        if bytes.len() as u64 <= FILE_BYTES_MAX {
            self.0.insert(compute_key(ws, name, etag, part), bytes.clone());
        }
    }
}

fn compute_key(ws: &str, name: &str, etag: Checksum, part: CachedPart) -> Checksum {
    let mut summer = ChecksumBuilder::new();
    summer.add_part(ws.as_bytes()).add_part(name.as_bytes()).add_number(etag.0);
    match part {
        CachedPart::Whole => _ = summer.add_number(0),
        CachedPart::Thumbnail => _ = summer.add_number(1),
        CachedPart::Variant(key) => _ = summer.add_number(2).add_number(key.0),
    }
    summer.finish()
}
