//! The cache of variants of pictures below `.recto/`: bounded in bytes, the least recently used go
//! first. What is lost is made again.

use std::collections::BTreeMap;
use std::collections::HashMap;

use bytes::Bytes;

use crate::stdx::checksum::Checksum;
use crate::stdx::sync::Mutex;
use crate::store::disk;
use crate::store::disk::Disk;
use crate::store::disk::FileKind;
use crate::store::error::StoreError;
use crate::store::layout;

/// The bytes that a file takes beside its content: its name and the rest of its last block.
const FILE_BYTES: u64 = 2 * 1024;

/// The content of a variant that is the picture itself.
const ORIGINAL: &[u8] = b"original";

/// The part of the limit that is kept when files are removed: seven eighths.
const KEPT: (u64, u64) = (7, 8);

/// A variant that is kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum KeptVariant {
    /// Nothing is gained over the picture itself.
    Original,
    /// The bytes of a file.
    Made(Bytes),
}

/// The cache, with its files in the order of their last use.
#[derive(Default)]
pub struct VariantCache(Mutex<Option<CachedFiles>>);

#[derive(Default)]
struct CachedFiles {
    by_key: HashMap<Checksum, CachedFile>,
    /// The keys by the turn of their last use.
    by_turn: BTreeMap<u64, Checksum>,
    turns: u64,
    bytes: u64,
}

struct CachedFile {
    turn: u64,
    bytes: u64,
}

impl VariantCache {
    /// Reads a variant.
    pub fn read(&self, disk: &dyn Disk, key: Checksum) -> Option<KeptVariant> {
        let mut bytes = Vec::new();
        disk.read(&layout::variant_path(&key.to_string()), &mut bytes).ok()?;
        if let Some(files) = self.0.lock().as_mut() {
            files.use_file(key, bytes.len() as u64);
        }
        match bytes == ORIGINAL {
            true => Some(KeptVariant::Original),
            false => image::guess_format(&bytes).is_ok().then(|| KeptVariant::Made(bytes.into())),
        }
    }

    /// Stores a variant, and removes others if there are more than `bytes_max` bytes then.
    pub fn write(
        &self,
        disk: &dyn Disk,
        key: Checksum,
        variant: &KeptVariant,
        bytes_max: u64,
    ) -> Result<(), StoreError> {
        let bytes = match variant {
            KeptVariant::Original => ORIGINAL,
            KeptVariant::Made(bytes) => bytes,
        };
        if bytes.len() as u64 + FILE_BYTES > bytes_max {
            return Ok(());
        }
        let path = layout::variant_path(&key.to_string());
        disk::make_folders(disk, disk::parent_folder(&path))?;
        disk::replace_file(disk, &path, bytes)?;
        let removed = {
            let mut files = self.0.lock();
            let files = files.get_or_insert_with(|| list_files(disk));
            files.use_file(key, bytes.len() as u64);
            files.choose_removed(bytes_max)
        };
        for key in removed {
            // Another process may have removed it.
            let _ = disk.remove(&layout::variant_path(&key.to_string()));
        }
        Ok(())
    }

    /// Returns the number of files and the bytes that they take.
    pub fn usage(&self, disk: &dyn Disk) -> (usize, u64) {
        let mut files = self.0.lock();
        let files = files.get_or_insert_with(|| list_files(disk));
        (files.by_key.len(), files.bytes)
    }
}

impl CachedFiles {
    /// Notes the use of a file, which may be a new one.
    fn use_file(&mut self, key: Checksum, bytes: u64) {
        self.forget(key);
        self.turns += 1;
        let (turn, bytes) = (self.turns, bytes + FILE_BYTES);
        self.by_key.insert(key, CachedFile { turn, bytes });
        self.by_turn.insert(turn, key);
        self.bytes += bytes;
    }

    fn forget(&mut self, key: Checksum) {
        let Some(file) = self.by_key.remove(&key) else { return };
        self.by_turn.remove(&file.turn);
        self.bytes = self.bytes.saturating_sub(file.bytes);
    }

    /// Returns the files to remove, the least recently used ones, and forgets them.
    fn choose_removed(&mut self, bytes_max: u64) -> Vec<Checksum> {
        let mut removed = Vec::new();
        if self.bytes <= bytes_max {
            return removed;
        }
        while self.bytes > bytes_max / KEPT.1 * KEPT.0
            && let Some((_, key)) = self.by_turn.first_key_value()
        {
            let key = *key;
            self.forget(key);
            removed.push(key);
        }
        removed
    }
}

/// Lists the files that are there, the oldest first.
fn list_files(disk: &dyn Disk) -> CachedFiles {
    let mut found = Vec::new();
    let folders = disk.list(layout::VARIANTS).map(|it| it.items).unwrap_or_default();
    for folder in folders.iter().filter(|it| it.kind == FileKind::Folder) {
        let path = format!("{}/{}", layout::VARIANTS, folder.name);
        let files = disk.list(&path).map(|it| it.items).unwrap_or_default();
        for file in files.into_iter().filter(|it| it.kind == FileKind::File) {
            let Ok(key) = u64::from_str_radix(&file.name, 16) else { continue };
            found.push((file.stat.modified_ns, Checksum(key), file.stat.size));
        }
    }
    found.sort_unstable_by_key(|it| it.0);
    let mut files = CachedFiles::default();
    found.into_iter().for_each(|(_, key, size)| files.use_file(key, size));
    files
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::disk::OsDisk;

    fn made(length: usize) -> KeptVariant {
        let mut bytes = b"\x89PNG\r\n\x1a\n".to_vec();
        bytes.resize(length.max(8), 0);
        KeptVariant::Made(bytes.into())
    }

    #[test]
    fn variants_are_kept_within_a_limit() {
        let data = tempfile::tempdir().unwrap();
        let disk = OsDisk::open(data.path()).unwrap();
        let cache = VariantCache::default();
        let most = 10 * (1_000 + FILE_BYTES);
        let key = |number: u64| Checksum(number << 50 | number);
        for number in 0..10 {
            cache.write(&disk, key(number), &made(1_000), most).unwrap();
        }
        assert_eq!(cache.usage(&disk), (10, most));
        // The first one is used, so the second one goes.
        assert_eq!(cache.read(&disk, key(0)), Some(made(1_000)));
        cache.write(&disk, key(10), &KeptVariant::Original, most).unwrap();
        assert_eq!(cache.read(&disk, key(10)), Some(KeptVariant::Original));
        assert_eq!(cache.read(&disk, key(0)), Some(made(1_000)));
        assert_eq!(cache.read(&disk, key(1)), None);
        assert!(cache.usage(&disk).1 <= most);
        // Another process finds the same files, and the same limit.
        let again = VariantCache::default();
        assert_eq!(again.usage(&disk), cache.usage(&disk));
        again.write(&disk, key(11), &made(1_000), 2 * (1_000 + FILE_BYTES)).unwrap();
        assert!(again.usage(&disk).1 <= 2 * (1_000 + FILE_BYTES));
        assert_eq!(again.read(&disk, key(11)), Some(made(1_000)));
        // More than the whole limit is not kept at all.
        again.write(&disk, key(12), &made(9_000), 9_000).unwrap();
        assert_eq!(again.read(&disk, key(12)), None);
    }

    #[test]
    fn torn_files_are_no_variants() {
        let data = tempfile::tempdir().unwrap();
        let disk = OsDisk::open(data.path()).unwrap();
        let cache = VariantCache::default();
        cache.write(&disk, Checksum(7), &made(100), 1 << 20).unwrap();
        std::fs::write(data.path().join(layout::variant_path(&Checksum(7).to_string())), b"")
            .unwrap();
        assert_eq!(cache.read(&disk, Checksum(7)), None);
    }
}
