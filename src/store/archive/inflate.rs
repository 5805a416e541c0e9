//! Decompression of files in untrusted archives, within an allowance.

use std::io::{self, Read};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use sha2::{Digest, Sha256};
use zip::ZipArchive;
use zip::result::ZipError;

use crate::model::backup::ArchiveDefect;
use crate::store::archive::shared_file::SharedFile;
use crate::store::error::StoreError;

/// The limits for the content of an archive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ArchiveLimits {
    /// The maximum number of files.
    pub entries: u64,
    /// The maximum number of bytes after decompression.
    pub bytes: u64,
}

impl ArchiveLimits {
    /// The limits for an archive from elsewhere.
    pub const FOREIGN: ArchiveLimits = ArchiveLimits { entries: 100_000, bytes: 4 << 30 };
    /// The limits for an archive in the folder: written here, or accepted within the limits above.
    pub const OWN: ArchiveLimits = ArchiveLimits { entries: 1_000_000, bytes: 1 << 40 };
}

/// The maximum compression ratio, applied once the decompressed size exceeds `RATIO_FROM_BYTES`.
const RATIO_MAX: u64 = 200;
const RATIO_FROM_BYTES: u64 = 10 * 1024 * 1024;

/// The size of the pieces in which files are read, if they are so large.
const CHUNK_BYTES: usize = 256 * 1024;
const SMALL_CHUNK_BYTES: usize = 4 * 1024;

/// The reason why an archive is rejected.
#[derive(Debug)]
pub enum ArchiveError {
    /// The archive has defects.
    Defective(Vec<ArchiveDefect>),
    /// The disk failed.
    Store(StoreError),
}

impl From<StoreError> for ArchiveError {
    fn from(error: StoreError) -> ArchiveError {
        ArchiveError::Store(error)
    }
}

impl From<ArchiveDefect> for ArchiveError {
    fn from(defect: ArchiveDefect) -> ArchiveError {
        ArchiveError::Defective(vec![defect])
    }
}

/// The remaining allowance for decompression, which threads share.
pub(super) struct InflateBudget {
    limits: ArchiveLimits,
    file_bytes: u64,
    inflated: AtomicU64,
}

impl InflateBudget {
    /// Returns the allowance for an archive of `file_bytes`.
    pub(super) fn new(limits: ArchiveLimits, file_bytes: u64) -> InflateBudget {
        InflateBudget { limits, file_bytes, inflated: AtomicU64::new(0) }
    }

    /// Forgets what was decompressed, before another pass over all files.
    pub(super) fn reset(&self) {
        self.inflated.store(0, Relaxed);
    }

    /// Counts decompressed bytes of a file with `packed` compressed bytes.
    fn charge_bytes(
        &self,
        path: &str,
        bytes: u64,
        of_file: u64,
        packed: u64,
    ) -> Result<(), ArchiveDefect> {
        // Each thread adds at most a piece beyond the limit, so the sum cannot overflow.
        let inflated = self.inflated.fetch_add(bytes, Relaxed).saturating_add(bytes);
        if self.is_spent() {
            let most = self.limits.bytes >> 30;
            return Err(ArchiveDefect::new(
                path,
                format!("All files together have more than {most} GiB."),
            ));
        }
        let is_bomb =
            |bytes: u64, of: u64| bytes > RATIO_FROM_BYTES && bytes / RATIO_MAX > of.max(1);
        if is_bomb(inflated, self.file_bytes) || is_bomb(of_file, packed) {
            let message = "It expands far more than any real backup, like a decompression bomb.";
            return Err(ArchiveDefect::new(path, message));
        }
        Ok(())
    }

    /// Returns true if nothing more may be decompressed.
    pub(super) fn is_spent(&self) -> bool {
        self.inflated.load(Relaxed) > self.limits.bytes
    }
}

/// Decompresses a file and returns its checksum.
pub(super) fn inflate_file(
    zip: &mut ZipArchive<SharedFile>,
    index: usize,
    path: &str,
    most: u64,
    budget: &InflateBudget,
    mut take: impl FnMut(&[u8]) -> Result<(), StoreError>,
) -> Result<[u8; 32], ArchiveError> {
    let mut file = zip.by_index(index).map_err(|error| zip_error(path, &error))?;
    let packed = file.compressed_size();
    let (mut sum, mut size) = (Sha256::new(), 0_u64);
    let declared = usize::try_from(file.size()).unwrap_or(CHUNK_BYTES);
    let mut chunk = vec![0; declared.clamp(SMALL_CHUNK_BYTES, CHUNK_BYTES)];
    loop {
        let read = file.read(&mut chunk).map_err(|error| damage_error(path, &error))?;
        if read == 0 {
            return Ok(sum.finalize().into());
        }
        size = size.saturating_add(read as u64);
        if size > most {
            let most = most / 1024 / 1024;
            return Err(ArchiveDefect::new(path, format!("It has more than {most} MiB.")).into());
        }
        budget.charge_bytes(path, read as u64, size, packed)?;
        let some = chunk.get(..read).unwrap_or_default();
        sum.update(some);
        take(some)?;
    }
}

/// Decompresses a small file.
pub(super) fn inflate_small(
    zip: &mut ZipArchive<SharedFile>,
    index: usize,
    name: &str,
    most: u64,
    budget: &InflateBudget,
) -> Result<Vec<u8>, ArchiveError> {
    let mut all = Vec::new();
    inflate_file(zip, index, name, most, budget, |bytes| {
        all.extend_from_slice(bytes);
        Ok(())
    })?;
    Ok(all)
}

fn damage_error(path: &str, error: &io::Error) -> ArchiveError {
    ArchiveDefect::new(path, format!("It is damaged: {error}.")).into()
}

pub(super) fn zip_error(path: &str, error: &ZipError) -> ArchiveError {
    let message = match error {
        ZipError::Io(error) => format!("It cannot be read: {error}."),
        ZipError::UnsupportedArchive(what) => format!("It cannot be read: {what}."),
        other => format!("This archive cannot be read: {other}."),
    };
    ArchiveDefect::new(path, message).into()
}
