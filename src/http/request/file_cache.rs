//! The cache of small files and thumbnails in memory, which saves system calls. A changed file has
//! another tag, and so another key.

use std::sync::Arc;

use bytes::Bytes;
use quick_cache::Weighter;
use quick_cache::sync::Cache;

use crate::engine::Engine;
use crate::http::wire::cached_body::CachedBody;
use crate::http::wire::cached_body::Copier;
use crate::http::wire::cached_body::CopyDone;
use crate::http::wire::cached_body::CopyMaker;
use crate::http::wire::cached_body::CountedCopy;
use crate::http::wire::cached_body::KeptBytes;
use crate::http::wire::conn_limits::share_of_open_files;
use crate::stdx::checksum::Checksum;
use crate::stdx::checksum::ChecksumBuilder;

/// The most bytes that are kept.
const BYTES_MAX: u64 = 32 * 1024 * 1024;

/// The largest file that is kept; larger ones are streamed from the disk.
pub const FILE_BYTES_MAX: u64 = 1024 * 1024;

/// The most private copies, if the process may open enough files.
const COPIES_MAX: usize = 64;

#[derive(Clone)]
struct FileWeighter;

impl Weighter<Checksum, Arc<KeptBytes>> for FileWeighter {
    fn weight(&self, _: &Checksum, file: &Arc<KeptBytes>) -> u64 {
        file.len_bytes() + 256
    }
}

/// The cached bytes by the checksum of their key.
pub struct FileCache {
    files: Cache<Checksum, Arc<KeptBytes>, FileWeighter>,
    copier: Arc<Copier>,
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
    /// A cache in which nothing is yet.
    pub fn new(engine: Arc<Engine>) -> FileCache {
        let copies_max = share_of_open_files(16, COPIES_MAX);
        FileCache {
            files: Cache::with_weighter(1024, BYTES_MAX, FileWeighter),
            copier: Copier::new(Box::new(engine), copies_max),
        }
    }

    /// Returns the bytes of a part of a file in a certain state.
    pub fn get(
        &self,
        ws: &str,
        name: &str,
        etag: Checksum,
        part: CachedPart,
    ) -> Option<CachedBody> {
        self.files.get(&compute_key(ws, name, etag, part)).map(|it| CachedBody::from(&it))
    }

    /// Keeps bytes, unless there are too many.
    pub fn put(&self, ws: &str, name: &str, etag: Checksum, part: CachedPart, bytes: &Bytes) {
        if bytes.len() as u64 <= FILE_BYTES_MAX {
            let kept = KeptBytes::new(bytes.clone(), self.copier.clone());
            self.files.insert(compute_key(ws, name, etag, part), Arc::new(kept));
        }
    }
}

impl CopyMaker for Arc<Engine> {
    fn make(&self, bytes: Bytes, done: CopyDone) {
        self.folder().copy_in_background(bytes, done);
    }

    fn close(&self, copy: CountedCopy) {
        self.folder().drop_in_background(copy);
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
