//! Small files and thumbnails that were sent lately, in memory: handing them out again costs no
//! system call. A file that changed has another tag, and so another place here.

use bytes::Bytes;
use quick_cache::Weighter;
use quick_cache::sync::Cache;

use crate::stdx::sum::Sum;
use crate::stdx::sum::Summer;

/// How many bytes are kept.
const BYTES_MAX: u64 = 32 * 1024 * 1024;

/// Larger files are streamed from the disk.
pub const FILE_BYTES_MAX: u64 = 1024 * 1024;

#[derive(Clone)]
struct ByBytes;

impl Weighter<Sum, Bytes> for ByBytes {
    fn weight(&self, _: &Sum, bytes: &Bytes) -> u64 {
        bytes.len() as u64 + 128
    }
}

/// Bytes by what they are of.
pub struct FileCache(Cache<Sum, Bytes, ByBytes>);

impl Default for FileCache {
    fn default() -> Self {
        FileCache(Cache::with_weighter(1024, BYTES_MAX, ByBytes))
    }
}

/// What is kept of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// All of it.
    Whole,
    /// Its thumbnail.
    Thumbnail,
}

impl FileCache {
    /// The bytes of a part of a file in a certain state.
    pub fn get(&self, ws: &str, name: &str, etag: Sum, part: Part) -> Option<Bytes> {
        self.0.get(&key(ws, name, etag, part))
    }

    /// Keeps bytes, unless they are many.
    pub fn put(&self, ws: &str, name: &str, etag: Sum, part: Part, bytes: &Bytes) {
        if bytes.len() as u64 <= FILE_BYTES_MAX {
            self.0.insert(key(ws, name, etag, part), bytes.clone());
        }
    }
}

fn key(ws: &str, name: &str, etag: Sum, part: Part) -> Sum {
    let mut summer = Summer::new();
    summer.part(ws.as_bytes()).part(name.as_bytes()).number(etag.0).number(part as u64);
    summer.finish()
}
