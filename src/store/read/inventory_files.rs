//! The files of inventories: what each class of readers was sent, so that a cursor of a reader is
//! understood after a restart and on a copy of the folder. What an inventory looks like is not
//! known here: it is bytes, whole or as changes of another one.
//!
//! They are derived: written without sync, verified when read, and as good as missing when damaged.
//! There are so many of them at most, and they are so large together; the least recently used go.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::PathBuf;

use crate::stdx::checksum::Checksum;
use crate::stdx::sync::Mutex;
use crate::store::disk::make_private_folder_within;

/// The magic bytes at the start; the last character is the version of the format.
const MAGIC: &[u8; 8] = b"rectosy1";
/// The magic bytes, and the checksum of the rest.
const HEAD_BYTES: usize = 16;
/// The most bytes of all files together.
pub const FILES_BYTES_MAX: u64 = 256 * 1024 * 1024;
/// The most files.
pub const FILES_MAX: usize = 4_096;
/// The longest chain of changes that is followed to a whole inventory.
pub const CHAIN_MAX: u32 = 16;

/// The files of inventories of a data folder.
#[derive(Debug)]
pub struct InventoryFiles {
    folder: PathBuf,
    /// True if nothing is removed, not even what is damaged.
    read_only: bool,
    table: Mutex<Option<FileTable>>,
}

/// The files that are there.
#[derive(Debug, Default)]
struct FileTable {
    files: BTreeMap<Checksum, KeptFile>,
    bytes: u64,
    /// A number that grows with each use.
    clock: u64,
}

/// A file as its name tells of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct KeptFile {
    /// The inventory that the file has changes of, and the length of the chain with this file.
    parent: Option<(Checksum, u32)>,
    bytes: u64,
    used: u64,
    /// True if this process has written or read it.
    is_verified: bool,
}

/// The content of a file.
#[derive(Debug)]
pub struct InventoryBytes {
    /// The inventory that the bytes are changes of; none if they are a whole one.
    pub parent: Option<Checksum>,
    /// The bytes.
    pub bytes: Vec<u8>,
}

impl InventoryFiles {
    /// Creates the files in `folder`, which is not looked at yet.
    pub fn new(folder: PathBuf, read_only: bool) -> InventoryFiles {
        InventoryFiles { folder, read_only, table: Mutex::default() }
    }

    /// Returns the length of the chain of changes to this inventory, if all of it is there: 0 for a
    /// whole one. Files of an earlier process are read for that once, so that a damaged one is
    /// written again. Counts as a use.
    pub fn find_depth(&self, key: Checksum) -> Option<u32> {
        let mut next = key;
        for _ in 0..=CHAIN_MAX {
            let kept = self.with_table(|table| table.touch(next))?;
            if !kept.is_verified {
                self.read(next)?;
            }
            let Some((parent, _)) = kept.parent else {
                return self.with_table(|table| table.touch(key)).map(|it| it.depth());
            };
            next = parent;
        }
        None
    }

    /// Reads the file of an inventory. A damaged one is removed.
    pub fn read(&self, key: Checksum) -> Option<InventoryBytes> {
        let kept = self.with_table(|table| table.touch(key))?;
        let path = self.folder.join(kept.file_name(key));
        let Some(bytes) = std::fs::read(&path).ok().and_then(verify_bytes) else {
            self.with_table(|table| table.take(key));
            if !self.read_only {
                let _ = std::fs::remove_file(path);
            }
            return None;
        };
        self.with_table(|table| table.mark_verified(key));
        Some(InventoryBytes { parent: kept.parent.map(|(it, _)| it), bytes })
    }

    /// Writes an inventory, whole or as changes of `parent` with the length of the chain.
    pub fn write(
        &self,
        key: Checksum,
        parent: Option<(Checksum, u32)>,
        bytes: &[u8],
    ) -> io::Result<()> {
        // A state directory that is away must not be made anew.
        make_private_folder_within(&self.folder)?;
        let size = (HEAD_BYTES + bytes.len()) as u64;
        let kept = KeptFile { parent, bytes: size, used: 0, is_verified: true };
        let path = self.folder.join(kept.file_name(key));
        if let Err(error) = write_file(&path, bytes) {
            let _ = std::fs::remove_file(path);
            return Err(error);
        }
        let superfluous = self.with_table(|table| {
            // One that has lost what it has changes of is replaced.
            let replaced = table.take(key).filter(|it| it.parent != parent);
            table.insert(key, kept);
            let superfluous = table.take_superfluous();
            replaced.map(|it| (key, it)).into_iter().chain(superfluous).collect::<Vec<_>>()
        });
        for (key, kept) in superfluous {
            let _ = std::fs::remove_file(self.folder.join(kept.file_name(key)));
        }
        Ok(())
    }

    /// Runs `work` on the table, which is read from the folder at first.
    fn with_table<T>(&self, work: impl FnOnce(&mut FileTable) -> T) -> T {
        let mut table = self.table.lock();
        work(table.get_or_insert_with(|| FileTable::list(&self.folder)))
    }
}

impl FileTable {
    /// Lists the files in a folder: those written first were used first, as far as anybody knows.
    fn list(folder: &std::path::Path) -> FileTable {
        let mut found = Vec::new();
        for item in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            let (name, facts) = (item.file_name(), item.metadata());
            let parsed = name.to_str().and_then(KeptFile::parse_name);
            if let Some((key, parent)) = parsed
                && let Ok(facts) = facts
                && facts.is_file()
            {
                found.push((facts.modified().ok(), key, parent, facts.len()));
            }
        }
        found.sort_unstable();
        let mut table = FileTable::default();
        for (_, key, parent, bytes) in found {
            table.insert(key, KeptFile { parent, bytes, used: 0, is_verified: false });
        }
        table
    }

    fn insert(&mut self, key: Checksum, kept: KeptFile) {
        self.clock += 1;
        self.bytes += kept.bytes;
        self.files.insert(key, KeptFile { used: self.clock, ..kept });
    }

    fn take(&mut self, key: Checksum) -> Option<KeptFile> {
        let kept = self.files.remove(&key)?;
        self.bytes -= kept.bytes;
        Some(kept)
    }

    fn mark_verified(&mut self, key: Checksum) {
        if let Some(kept) = self.files.get_mut(&key) {
            kept.is_verified = true;
        }
    }

    /// Marks a file and all that it has changes of as used.
    fn touch(&mut self, key: Checksum) -> Option<KeptFile> {
        self.clock += 1;
        let (mut next, mut first) = (Some(key), None);
        for _ in 0..=CHAIN_MAX {
            let Some(kept) = next.and_then(|it| self.files.get_mut(&it)) else { break };
            kept.used = self.clock;
            first = first.or(Some(*kept));
            next = kept.parent.map(|(it, _)| it);
        }
        first
    }

    /// Takes out the least recently used files, until the others are few and small enough.
    fn take_superfluous(&mut self) -> Vec<(Checksum, KeptFile)> {
        if self.bytes <= FILES_BYTES_MAX && self.files.len() <= FILES_MAX {
            return Vec::new();
        }
        let mut by_use: Vec<(u64, Checksum)> =
            self.files.iter().map(|(key, it)| (it.used, *key)).collect();
        by_use.sort_unstable();
        // The one just written stays, however large it is.
        by_use.pop();
        let mut taken = Vec::new();
        for (_, key) in by_use {
            // A tenth more than needed, so that not every write has to look for some.
            if self.bytes <= FILES_BYTES_MAX / 10 * 9 && self.files.len() <= FILES_MAX / 10 * 9 {
                break;
            }
            taken.extend(self.take(key).map(|it| (key, it)));
        }
        taken
    }
}

impl KeptFile {
    fn depth(&self) -> u32 {
        self.parent.map_or(0, |(_, depth)| depth)
    }

    fn file_name(&self, key: Checksum) -> String {
        match self.parent {
            None => key.to_string(),
            Some((parent, depth)) => format!("{key}-{parent}-{depth}"),
        }
    }

    fn parse_name(name: &str) -> Option<(Checksum, Option<(Checksum, u32)>)> {
        let mut parts = name.split('-');
        let key = Checksum::parse_hex(parts.next()?)?;
        let Some(parent) = parts.next() else { return Some((key, None)) };
        let depth = parts.next()?.parse().ok().filter(|it| (1..=CHAIN_MAX).contains(it))?;
        parts.next().is_none().then_some((key, Some((Checksum::parse_hex(parent)?, depth))))
    }
}

fn write_file(path: &std::path::Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = std::fs::File::create(path)?;
    let sum = Checksum::of_bytes(bytes).0.to_le_bytes();
    file.write_all(&[MAGIC.as_slice(), &sum].concat())?;
    file.write_all(bytes)
}

/// Returns the bytes behind the head of a file, if they are what was written.
fn verify_bytes(mut file: Vec<u8>) -> Option<Vec<u8>> {
    let bytes = file.get(HEAD_BYTES..)?;
    let sum = Checksum::of_bytes(bytes).0.to_le_bytes();
    if file.get(..HEAD_BYTES) != Some([MAGIC.as_slice(), &sum].concat().as_slice()) {
        return None;
    }
    file.drain(..HEAD_BYTES);
    Some(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(folder: &tempfile::TempDir) -> InventoryFiles {
        InventoryFiles::new(folder.path().join("sync"), false)
    }

    #[test]
    fn what_is_written_is_read_after_a_restart() {
        let folder = tempfile::tempdir().unwrap();
        let files = open(&folder);
        files.write(Checksum(1), None, b"whole").unwrap();
        files.write(Checksum(2), Some((Checksum(1), 1)), b"changes").unwrap();
        for files in [files, open(&folder)] {
            let read = files.read(Checksum(2)).unwrap();
            assert_eq!((read.parent, read.bytes.as_slice()), (Some(Checksum(1)), &b"changes"[..]));
            let read = files.read(Checksum(1)).unwrap();
            assert_eq!((read.parent, read.bytes.as_slice()), (None, &b"whole"[..]));
            assert_eq!(files.find_depth(Checksum(2)), Some(1));
            assert!(files.read(Checksum(3)).is_none());
        }
    }

    #[test]
    fn a_damaged_file_is_as_good_as_missing() {
        let folder = tempfile::tempdir().unwrap();
        let damages: [fn(&mut Vec<u8>); 4] =
            [|it| it[20] ^= 1, |it| it[0] ^= 1, |it| it.truncate(10), |it| it.clear()];
        for damage in damages {
            open(&folder).write(Checksum(1), None, b"some names").unwrap();
            let path = folder.path().join("sync").join(Checksum(1).to_string());
            let mut bytes = std::fs::read(&path).unwrap();
            damage(&mut bytes);
            std::fs::write(&path, bytes).unwrap();
            let files = open(&folder);
            assert!(files.read(Checksum(1)).is_none());
            assert!(!path.exists());
            assert_eq!(files.find_depth(Checksum(1)), None);
        }
    }

    #[test]
    fn the_least_recently_used_go() {
        let folder = tempfile::tempdir().unwrap();
        let files = open(&folder);
        files.write(Checksum(1), None, b"kept").unwrap();
        files.write(Checksum(2), None, b"not used").unwrap();
        for number in 3..FILES_MAX as u64 + 2 {
            files.write(Checksum(number), None, b"x").unwrap();
            if number % 100 == 0 {
                assert_eq!(files.find_depth(Checksum(1)), Some(0));
            }
        }
        assert!(files.read(Checksum(1)).is_some());
        assert!(files.read(Checksum(2)).is_none());
        let n_files = std::fs::read_dir(folder.path().join("sync")).unwrap().count();
        assert!(n_files <= FILES_MAX, "{n_files}");
    }
}
