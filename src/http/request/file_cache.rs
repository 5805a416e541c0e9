//! The cache of small files and thumbnails in memory, which saves system calls. A changed file has
//! another tag, and so another key.
//!
//! Of those that are asked for often there are private copies as well, which the system sends
//! without copying them.

use std::sync::Arc;
use std::sync::Weak;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

use bytes::Bytes;
use quick_cache::Weighter;
use quick_cache::sync::Cache;

use crate::engine::Engine;
use crate::http::wire::cached_body::COPIED_BYTES_MIN;
use crate::http::wire::cached_body::CachedBody;
use crate::http::wire::conn_limits::share_of_open_files;
use crate::stdx::checksum::Checksum;
use crate::stdx::checksum::ChecksumBuilder;
use crate::stdx::sync::Mutex;
use crate::store::read::private_copy::PrivateCopy;

/// The most bytes that are kept.
const BYTES_MAX: u64 = 32 * 1024 * 1024;

/// The largest file that is kept; larger ones are streamed from the disk.
pub const FILE_BYTES_MAX: u64 = 1024 * 1024;

/// The most private copies, if the process may open enough files.
const COPIES_MAX: usize = 64;

/// A file is copied when it was asked for so many times since it was read or last copied, so that
/// a program that asks for each file once does not have them all written.
const ASKED_BEFORE_COPY: u32 = 64;

struct CountedBytes {
    bytes: Bytes,
    n_asked: AtomicU32,
}

#[derive(Clone)]
struct FileWeighter;

impl Weighter<Checksum, Arc<CountedBytes>> for FileWeighter {
    fn weight(&self, _: &Checksum, file: &Arc<CountedBytes>) -> u64 {
        file.bytes.len() as u64 + 128
    }
}

/// The cached bytes by the checksum of their key.
pub struct FileCache {
    engine: Arc<Engine>,
    files: Cache<Checksum, Arc<CountedBytes>, FileWeighter>,
    copies: Arc<Cache<Checksum, Arc<PrivateCopy>>>,
    /// All copies that are open. Clients that read slowly keep some that are no longer in `copies`.
    open: Arc<Mutex<Vec<Weak<PrivateCopy>>>>,
    open_max: usize,
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
            engine,
            files: Cache::with_weighter(1024, BYTES_MAX, FileWeighter),
            copies: Arc::new(Cache::new(copies_max)),
            open: Arc::default(),
            open_max: copies_max * 2,
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
        let key = compute_key(ws, name, etag, part);
        let file = self.files.get(&key)?;
        let bytes = file.bytes.clone();
        if bytes.len() < COPIED_BYTES_MIN {
            return Some(bytes.into());
        }
        let mut copy = self.copies.get(&key);
        if copy.take_if(|it| it.is_lost()).is_some() {
            self.copies.remove(&key);
        }
        if copy.is_none() && file.is_due_for_copy() {
            self.copy_in_background(key, bytes.clone());
        }
        Some(CachedBody { bytes, copy })
    }

    fn copy_in_background(&self, key: Checksum, bytes: Bytes) {
        let mut open = self.open.lock();
        open.retain(|it| it.strong_count() > 0);
        if open.len() >= self.open_max {
            return;
        }
        drop(open);
        let (copies, open) = (self.copies.clone(), self.open.clone());
        let keep = move |copy| {
            let copy = Arc::new(copy);
            open.lock().push(Arc::downgrade(&copy));
            copies.insert(key, copy);
        };
        self.engine.folder().copy_in_background(bytes, keep);
    }

    /// Keeps bytes, unless there are too many.
    pub fn put(&self, ws: &str, name: &str, etag: Checksum, part: CachedPart, bytes: &Bytes) {
        if bytes.len() as u64 <= FILE_BYTES_MAX {
            let file = CountedBytes { bytes: bytes.clone(), n_asked: AtomicU32::new(0) };
            self.files.insert(compute_key(ws, name, etag, part), Arc::new(file));
        }
    }
}

impl CountedBytes {
    /// Counts a request. Returns true if a copy is to be made now.
    fn is_due_for_copy(&self) -> bool {
        self.n_asked.fetch_add(1, Relaxed) % ASKED_BEFORE_COPY == ASKED_BEFORE_COPY - 1
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_in_so_many_requests_has_a_file_copied() {
        let file = CountedBytes { bytes: Bytes::new(), n_asked: AtomicU32::new(0) };
        let due: Vec<u32> = (1..=150).filter(|_| file.is_due_for_copy()).collect();
        assert_eq!(due, [64, 128]);
    }
}
