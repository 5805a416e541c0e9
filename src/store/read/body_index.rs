//! The index of the body pack: which records are in the pack up to some place. With it, a start
//! reads only the records that were added later, and not all bodies.
//!
//! It is derived like the pack itself. It belongs to the pack that has the same bytes before that
//! place, and is of no use to another. Records are verified when they are read, whatever it says.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::stdx::checksum::Checksum;
use crate::store::read::blob::read_exact_at;
use crate::store::read::pack_slots::PackSlot;
use crate::store::read::pack_slots::PackSlots;

/// The magic bytes at the start; the last character is the version of the format.
const MAGIC: &[u8; 8] = b"rectopi2";
/// The magic bytes, the end, the bytes in use, and the checksum of the bytes before the end.
const HEAD_BYTES: usize = 32;
/// The hash of a path and its slot.
const ROW_BYTES: usize = 24;
/// The number of bytes before the end that tell one pack from another.
const TAIL_BYTES: u64 = 4 * 1024;

/// The bodies that were on the disk at some time: all that are in the pack before `end`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SyncedBodies {
    /// The length of the pack at that time.
    pub end: u64,
    /// The checksum of the bytes before the end, which tells the pack from others.
    pub tail: Checksum,
}

/// The records of a pack up to some place.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct BodyIndex {
    /// The place, and what tells the pack from others.
    pub(super) synced: SyncedBodies,
    pub(super) live_bytes: u64,
    /// The records by the hash of their path.
    pub(super) slots: PackSlots,
}

impl BodyIndex {
    /// Reads the index of the pack at `path`; nothing if there is none that belongs to it.
    pub(super) fn read(pack: &File, path: &Path) -> Option<BodyIndex> {
        let bytes = std::fs::read(index_path(path)).ok()?;
        let (bytes, sum) = bytes.split_last_chunk::<8>()?;
        let (head, rows) = bytes.split_first_chunk::<HEAD_BYTES>()?;
        if Checksum::of_bytes(bytes).0 != u64::from_le_bytes(*sum) || !head.starts_with(MAGIC) {
            return None;
        }
        let mut head = read_numbers(head).skip(1);
        let (end, live_bytes, tail) = (head.next()?, head.next()?, Checksum(head.next()?));
        let read_slot = |row: &[u8]| {
            let mut row = read_numbers(row);
            let (key, offset, rest) = (row.next()?, row.next()?, row.next()?);
            Some((key, PackSlot { offset, bytes: (rest >> 32) as u32, stat: rest as u32 }))
        };
        let slots: Option<Vec<_>> = rows.chunks_exact(ROW_BYTES).map(read_slot).collect();
        let slots = PackSlots::from_sorted(slots?)?;
        let is_its_own = pack.metadata().ok()?.len() >= end && tail_sum(pack, end).ok()? == tail;
        let synced = SyncedBodies { end, tail };
        is_its_own.then_some(BodyIndex { synced, live_bytes, slots })
    }

    /// Writes the index of the pack at `path`, which has all its records.
    pub(super) fn write(mut self, path: &Path) -> io::Result<()> {
        let slots = self.slots.sort();
        let mut bytes = Vec::with_capacity(HEAD_BYTES + slots.len() * ROW_BYTES + 8);
        bytes.extend_from_slice(MAGIC);
        let head = [self.synced.end, self.live_bytes, self.synced.tail.0];
        bytes.extend(head.iter().flat_map(|it| it.to_le_bytes()));
        for (key, slot) in slots {
            let row = [*key, slot.offset, u64::from(slot.bytes) << 32 | u64::from(slot.stat)];
            bytes.extend(row.iter().flat_map(|it| it.to_le_bytes()));
        }
        let sum = Checksum::of_bytes(&bytes).0;
        bytes.extend_from_slice(&sum.to_le_bytes());
        let unfinished = path.with_extension("index-new");
        let _ = std::fs::remove_file(&unfinished);
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        options.open(&unfinished)?.write_all(&bytes)?;
        std::fs::rename(unfinished, index_path(path))
    }
}

/// Removes the index of the pack at `path`, if there is one.
pub(super) fn remove_index(path: &Path) {
    let _ = std::fs::remove_file(index_path(path));
}

fn index_path(path: &Path) -> PathBuf {
    path.with_extension("index")
}

fn read_numbers(bytes: &[u8]) -> impl Iterator<Item = u64> {
    bytes.chunks_exact(8).filter_map(|it| it.try_into().ok()).map(u64::from_le_bytes)
}

/// Returns the checksum of the bytes before the end.
pub(super) fn tail_sum(pack: &File, end: u64) -> io::Result<Checksum> {
    let len = end.min(TAIL_BYTES);
    let mut tail = vec![0; len as usize];
    read_exact_at(pack, end - len, &mut tail)?;
    Ok(Checksum::of_bytes(&tail))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index(pack: &File) -> BodyIndex {
        let slot = |n: u64| PackSlot { offset: n * 100, bytes: 100, stat: n as u32 + 1 };
        let slots = PackSlots::from_sorted((0..10).map(|it| (it * 7, slot(it))).collect());
        let synced = SyncedBodies { end: 1_000, tail: tail_sum(pack, 1_000).unwrap() };
        BodyIndex { synced, live_bytes: 900, slots: slots.unwrap() }
    }

    #[test]
    fn an_index_is_read_as_it_was_written_and_only_for_its_own_pack() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pack");
        let open = |bytes: &[u8]| {
            std::fs::write(&path, bytes).unwrap();
            File::open(&path).unwrap()
        };
        let bytes: Vec<u8> = (0..2_000_u32).map(|it| it as u8).collect();
        let pack = open(&bytes);
        assert!(BodyIndex::read(&pack, &path).is_none());
        index(&pack).write(&path).unwrap();
        assert_eq!(BodyIndex::read(&pack, &path), Some(index(&pack)));
        assert_eq!(BodyIndex::read(&open(&bytes[..1_000]), &path), Some(index(&pack)));
        assert!(BodyIndex::read(&open(&bytes[..999]), &path).is_none());
        assert!(BodyIndex::read(&open(&[7; 2_000]), &path).is_none());
    }

    #[test]
    fn a_damaged_index_is_none() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pack");
        std::fs::write(&path, [1; 1_000]).unwrap();
        let pack = File::open(&path).unwrap();
        index(&pack).write(&path).unwrap();
        let whole = std::fs::read(index_path(&path)).unwrap();
        for place in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[place] ^= 0x41;
            std::fs::write(index_path(&path), &bytes).unwrap();
            assert!(BodyIndex::read(&pack, &path).is_none(), "{place}");
            std::fs::write(index_path(&path), &whole[..place]).unwrap();
            assert!(BodyIndex::read(&pack, &path).is_none(), "{place}");
        }
    }
}
