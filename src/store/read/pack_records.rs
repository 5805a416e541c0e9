//! The records of a body pack: a head with the stat and the checksum of a file, its path, and its
//! body.

use std::fs::File;
use std::io::Read;

use crate::stdx::checksum::Checksum;
use crate::store::disk::{FILE_BYTES_MAX, Stat};
use crate::store::read::blob::read_exact_at;
use crate::store::read::moment::Moment;
use crate::store::read::pack_slots::PackSlot;

/// The size of a record's head, which precedes the path and the body.
pub(super) const HEAD_BYTES: usize = 56;
/// The body length that marks the removal of a path.
pub(super) const FORGET: u32 = u32::MAX;

/// The head of a record.
pub(super) struct RecordHead {
    /// True if the file may have changed since without changing its stat.
    pub(super) racy: bool,
    /// The length of the path.
    pub(super) path: u16,
    /// The length of the body, or [`FORGET`].
    pub(super) body: u32,
    pub(super) stat: Stat,
    pub(super) sum: Checksum,
}

impl RecordHead {
    // The casts cannot overflow: paths consist of a few names of at most 255 bytes, and bodies are
    // far below 4 GiB.
    pub(super) fn new(
        path: &str,
        stat: &Stat,
        sum: Checksum,
        bytes: &[u8],
        now: Moment,
    ) -> RecordHead {
        let racy = stat.is_unplaced() || now.is_racy(stat);
        RecordHead { racy, path: path.len() as u16, body: bytes.len() as u32, stat: *stat, sum }
    }

    pub(super) fn new_removal(path: &str) -> RecordHead {
        let (stat, sum) = (Stat::default(), Checksum::default());
        RecordHead { racy: true, path: path.len() as u16, body: FORGET, stat, sum }
    }

    pub(super) fn to_slot(&self, offset: u64) -> PackSlot {
        let stat = if self.racy { 0 } else { hash_stat(&self.stat) };
        PackSlot { offset, bytes: self.record_bytes(), stat }
    }

    pub(super) fn body_bytes(&self) -> u32 {
        if self.body == FORGET { 0 } else { self.body }
    }

    pub(super) fn record_bytes(&self) -> u32 {
        HEAD_BYTES as u32 + u32::from(self.path) + self.body_bytes()
    }

    /// Serializes the head without the check, which covers the head and the path.
    fn to_bytes(&self) -> [u8; HEAD_BYTES - 8] {
        let mut bytes = [0; HEAD_BYTES - 8];
        let numbers = [
            u64::from(self.racy) << 48 | u64::from(self.path) << 32 | u64::from(self.body),
            self.stat.inode,
            self.stat.size,
            self.stat.modified_ns.cast_unsigned(),
            self.stat.changed_ns.cast_unsigned(),
            self.sum.0,
        ];
        for (place, number) in bytes.chunks_exact_mut(8).zip(numbers) {
            place.copy_from_slice(&number.to_le_bytes());
        }
        bytes
    }

    /// Parses the head and the expected check of head and path.
    fn parse(bytes: &[u8; HEAD_BYTES]) -> Option<(RecordHead, u64)> {
        let mut numbers = bytes.chunks_exact(8).filter_map(|it| it.try_into().ok());
        let mut next = || numbers.next().map(u64::from_le_bytes);
        let lengths = next()?;
        let (racy, path, body) = (lengths >> 48 != 0, (lengths >> 32) as u16, lengths as u32);
        let stat = Stat {
            inode: next()?,
            size: next()?,
            modified_ns: next()?.cast_signed(),
            changed_ns: next()?.cast_signed(),
        };
        let fits = body == FORGET || u64::from(body) <= FILE_BYTES_MAX;
        let head = RecordHead { racy, path, body, stat, sum: Checksum(next()?) };
        Some((head, next()?)).filter(|_| fits)
    }
}

fn compute_check(head: &[u8], path: &[u8]) -> u64 {
    Checksum::of_bytes(&[head, path].concat()).0
}

/// Appends a record with a body, or with none if `head` is of a removal.
pub(super) fn append_record(out: &mut Vec<u8>, head: &RecordHead, path: &str, body: &[u8]) {
    let bytes = head.to_bytes();
    out.extend_from_slice(&bytes);
    out.extend_from_slice(&compute_check(&bytes, path.as_bytes()).to_le_bytes());
    out.extend_from_slice(path.as_bytes());
    out.extend_from_slice(body);
}

/// Reads the next head and its path, or returns `None` if they are damaged or cut off.
pub(super) fn read_head(reader: &mut impl Read, path: &mut Vec<u8>) -> Option<RecordHead> {
    let mut bytes = [0; HEAD_BYTES];
    reader.read_exact(&mut bytes).ok()?;
    let (head, check) = RecordHead::parse(&bytes)?;
    path.resize(usize::from(head.path), 0);
    reader.read_exact(path).ok()?;
    let expect = compute_check(bytes.get(..HEAD_BYTES - 8)?, path);
    (check == expect).then_some(head)
}

/// Reads the body at `slot`, if the record is intact and belongs to `path`.
pub(super) fn read_record(
    file: &File,
    slot: PackSlot,
    path: &str,
    into: &mut Vec<u8>,
) -> Option<(Stat, Checksum)> {
    into.resize(slot.bytes as usize, 0);
    read_exact_at(file, slot.offset, into).ok()?;
    let mut found = Vec::new();
    let head = read_head(&mut into.as_slice(), &mut found)?;
    let before = HEAD_BYTES + found.len();
    let body = into.get(before..)?;
    if found != path.as_bytes() || Checksum::of_bytes(body) != head.sum {
        return None;
    }
    into.drain(..before);
    Some((head.stat, head.sum))
}

pub(super) fn hash_path(path: &str) -> u64 {
    Checksum::of_bytes(path.as_bytes()).0
}

/// Hashes a stat for a slot. The result is never 0, which marks a racy body and equals no stat.
pub(super) fn hash_stat(stat: &Stat) -> u32 {
    let numbers = [stat.inode, stat.size, stat.modified_ns as u64, stat.changed_ns as u64];
    Checksum::of_bytes(&numbers.map(u64::to_le_bytes).concat()).0 as u32 | 1
}
