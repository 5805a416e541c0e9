//! The last accepted body of every file, in one append-only file: what is served while a file is
//! broken, what a hand edit's revision is made of, and a quick way to read everything at start.
//!
//! It is derived from the files: written without syncing, checked when read, rebuilt when missing.
//! Whatever goes wrong with it costs convenience, never content, so nothing here fails. Only the
//! process that holds the instance lock opens it.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::stdx::sum::Sum;
use crate::store::blob::read_some;
use crate::store::disk::{FILE_BYTES_MAX, Stat, make_private_folder};
use crate::store::known::Moment;

/// What the file starts with; the last character is the version of the format.
const MAGIC: &[u8; 8] = b"rectopk1";
/// Bytes of a record before path and body.
const HEAD_BYTES: usize = 56;
/// Appended records are written when they come to this many bytes.
const BUFFER_BYTES: usize = 1024 * 1024;
/// Less garbage than this is not worth rewriting the file.
const GARBAGE_BYTES_MIN: u64 = 4 * 1024 * 1024;
/// The length of a body that says: forget the path.
const FORGET: u32 = u32::MAX;

/// A body that was accepted, and what the file was then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packed {
    /// The stat of the file it was read from.
    pub stat: Stat,
    /// The sum of the bytes.
    pub sum: Sum,
    /// The bytes.
    pub bytes: Vec<u8>,
}

/// The pack of one data folder.
#[derive(Debug)]
pub struct Pack {
    path: PathBuf,
    inner: Mutex<Option<Inner>>,
}

#[derive(Debug)]
struct Inner {
    file: Arc<File>,
    /// How much of the file is written; what follows is in `buffer`.
    end: u64,
    buffer: Vec<u8>,
    /// By the sum of the path; a collision hides one of two, and the path tells which.
    slots: HashMap<u64, Slot>,
    live_bytes: u64,
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    offset: u64,
    bytes: u32,
    /// Part of the sum of the stat: enough to say that a body is surely not current. 0 when that
    /// cannot be said of any stat, because the file was read too shortly after a change.
    stat: u32,
}

/// A body as it was in the pack: by now a new one may be there under the same path.
#[derive(Debug)]
pub struct Withdrawn {
    /// The path it had.
    pub path: String,
    slot: Slot,
    file: Arc<File>,
}

impl Withdrawn {
    /// The bytes.
    pub fn read(&self) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        read_record(&self.file, self.slot, &self.path, &mut bytes)?;
        Some(bytes)
    }
}

impl Pack {
    /// Opens the pack in `folder`, or begins an empty one. A torn end is cut off.
    pub fn open(folder: &Path) -> Pack {
        let path = folder.join("pack");
        let inner = make_private_folder(folder).and_then(|()| Inner::open(&path));
        Pack { inner: Mutex::new(told(inner)), path }
    }

    /// Goes on with the file that is at its place by now: another data folder may stand there.
    pub fn reopen(&self) {
        let folder = self.path.parent().unwrap_or(&self.path);
        let inner = make_private_folder(folder).and_then(|()| Inner::open(&self.path));
        *self.lock() = told(inner);
    }

    /// Whether the body of `path` is here, as of `stat`.
    pub fn holds(&self, path: &str, stat: &Stat) -> bool {
        self.slot(path).is_some_and(|(slot, _)| slot.stat == short(stat))
    }

    /// The last accepted body of `path`.
    pub fn get(&self, path: &str) -> Option<Packed> {
        let (slot, file) = self.slot(path)?;
        let mut bytes = Vec::new();
        let (stat, sum) = read_record(&file, slot, path, &mut bytes)?;
        Some(Packed { stat, sum, bytes })
    }

    /// As [`Pack::get`] into memory that is used again, and only if it is as of `stat`.
    pub fn get_current(&self, path: &str, stat: &Stat, into: &mut Vec<u8>) -> Option<Sum> {
        let (slot, file) = self.slot(path).filter(|(slot, _)| slot.stat == short(stat))?;
        let (found, sum) = read_record(&file, slot, path, into)?;
        (found == *stat).then_some(sum)
    }

    /// Keeps a body that was read just now and accepted. It reaches the disk with the next
    /// [`Pack::flush`]. What was read shortly after a change is never taken for current.
    pub fn put(&self, path: &str, stat: &Stat, sum: Sum, bytes: &[u8]) {
        self.put_at(Moment::now(), path, stat, sum, bytes);
    }

    pub(super) fn put_at(&self, now: Moment, path: &str, stat: &Stat, sum: Sum, bytes: &[u8]) {
        if bytes.len() as u64 > FILE_BYTES_MAX {
            return;
        }
        self.change(|inner| {
            let offset = inner.end + inner.buffer.len() as u64;
            let head = Head::new(path, stat, sum, bytes, now);
            append(&mut inner.buffer, &head, path, bytes);
            inner.insert(path, head.slot(offset));
            if inner.buffer.len() >= BUFFER_BYTES { inner.flush() } else { Ok(()) }
        });
    }

    /// Forgets the body of a file that is gone.
    pub fn remove(&self, path: &str) {
        self.change(|inner| {
            if let Some(slot) = inner.slots.remove(&key(path)) {
                inner.live_bytes = inner.live_bytes.saturating_sub(u64::from(slot.bytes));
                append(&mut inner.buffer, &Head::forget(path), path, &[]);
            }
            Ok(())
        });
    }

    /// As [`Pack::remove`]; the body can still be read from what is returned.
    pub fn withdraw(&self, path: &str) -> Option<Withdrawn> {
        let held = self.hold(path)?;
        self.remove(path);
        Some(held)
    }

    /// The body, to be read when there is time, whatever is put under its path meanwhile.
    pub fn hold(&self, path: &str) -> Option<Withdrawn> {
        let (slot, file) = self.slot(path)?;
        Some(Withdrawn { path: path.to_string(), slot, file })
    }

    /// Writes what was put, and rewrites the whole file when more than half of it is garbage. To
    /// be called after a batch of changes, where nobody waits.
    pub fn flush(&self) {
        self.change(|inner| {
            inner.flush()?;
            let garbage = inner.end.saturating_sub(inner.live_bytes);
            if garbage > GARBAGE_BYTES_MIN && garbage > inner.end / 2 {
                *inner = inner.compact(&self.path)?;
            }
            Ok(())
        });
    }

    /// How many bodies are here.
    pub fn len(&self) -> usize {
        self.lock().as_ref().map_or(0, |inner| inner.slots.len())
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn slot(&self, path: &str) -> Option<(Slot, Arc<File>)> {
        let mut inner = self.lock();
        let slot = *inner.as_ref()?.slots.get(&key(path))?;
        if slot.offset >= inner.as_ref()?.end {
            let flushed = inner.as_mut()?.flush();
            told(flushed)?;
        }
        Some((slot, Arc::clone(&inner.as_ref()?.file)))
    }

    /// After a failure there is no pack for the rest of this process.
    fn change(&self, change: impl FnOnce(&mut Inner) -> io::Result<()>) {
        let mut inner = self.lock();
        let Some(open) = inner.as_mut() else { return };
        if told(change(open)).is_none() {
            *inner = None;
        }
    }

    fn lock(&self) -> MutexGuard<'_, Option<Inner>> {
        // A panic between two statements may leave a slot too many, which is checked when read.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Inner {
    fn open(path: &Path) -> io::Result<Inner> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = Arc::new(options.open(path)?);
        let (buffer, slots) = (Vec::new(), HashMap::new());
        let mut inner = Inner { file, end: 0, buffer, slots, live_bytes: 0 };
        inner.scan()?;
        inner.file.set_len(inner.end)?;
        (&*inner.file).seek(io::SeekFrom::Start(inner.end))?;
        if inner.end == 0 {
            (&*inner.file).write_all(MAGIC)?;
            inner.end = MAGIC.len() as u64;
        }
        Ok(inner)
    }

    /// Finds every record up to the first that is torn. Bodies are passed over.
    fn scan(&mut self) -> io::Result<()> {
        let file = Arc::clone(&self.file);
        let size = file.metadata()?.len();
        let mut reader = BufReader::with_capacity(BUFFER_BYTES, &*file);
        let mut magic = [0; MAGIC.len()];
        if reader.read_exact(&mut magic).is_err() || magic != *MAGIC {
            return Ok(());
        }
        self.end = magic.len() as u64;
        let mut path = Vec::new();
        while let Some(head) = read_head(&mut reader, &mut path) {
            let next = self.end + u64::from(head.record_bytes());
            let body = i64::from(head.body_bytes());
            if next > size || reader.seek_relative(body).is_err() {
                break;
            }
            self.admit(&head, &path);
            self.end = next;
        }
        Ok(())
    }

    fn admit(&mut self, head: &Head, path: &[u8]) {
        let slot = head.slot(self.end);
        let path = String::from_utf8_lossy(path);
        if head.body == FORGET {
            if let Some(slot) = self.slots.remove(&key(&path)) {
                self.live_bytes = self.live_bytes.saturating_sub(u64::from(slot.bytes));
            }
        } else {
            self.insert(&path, slot);
        }
    }

    fn insert(&mut self, path: &str, slot: Slot) {
        let before = self.slots.insert(key(path), slot).map_or(0, |slot| slot.bytes);
        self.live_bytes += u64::from(slot.bytes);
        self.live_bytes = self.live_bytes.saturating_sub(u64::from(before));
    }

    fn flush(&mut self) -> io::Result<()> {
        (&*self.file).write_all(&self.buffer)?;
        self.end += self.buffer.len() as u64;
        self.buffer.clear();
        Ok(())
    }

    /// The same without garbage, in a new file that takes the old one's place.
    fn compact(&self, path: &Path) -> io::Result<Inner> {
        let unfinished = path.with_extension("new");
        let mut slots: Vec<(u64, Slot)> = self.slots.iter().map(|(key, it)| (*key, *it)).collect();
        slots.sort_unstable_by_key(|(_, slot)| slot.offset);
        let _ = std::fs::remove_file(&unfinished);
        let mut new = Inner::open(&unfinished)?;
        let mut record = Vec::new();
        for (key, slot) in slots {
            record.resize(slot.bytes as usize, 0);
            read_exact_at(&self.file, slot.offset, &mut record)?;
            let offset = new.end + new.buffer.len() as u64;
            new.buffer.extend_from_slice(&record);
            new.slots.insert(key, Slot { offset, ..slot });
            new.live_bytes += u64::from(slot.bytes);
            if new.buffer.len() >= BUFFER_BYTES {
                new.flush()?;
            }
        }
        new.flush()?;
        std::fs::rename(&unfinished, path)?;
        Ok(new)
    }
}

/// What stands before the path and the body of a record.
struct Head {
    racy: bool,
    path: u16,
    /// The length of the body, or [`FORGET`].
    body: u32,
    stat: Stat,
    sum: Sum,
}

impl Head {
    // Paths are made of a few names of 255 bytes at most, bodies are far below 4 GiB.
    fn new(path: &str, stat: &Stat, sum: Sum, bytes: &[u8], now: Moment) -> Head {
        let racy = now.is_racy(stat);
        Head { racy, path: path.len() as u16, body: bytes.len() as u32, stat: *stat, sum }
    }

    fn forget(path: &str) -> Head {
        let (stat, sum) = (Stat::default(), Sum::default());
        Head { racy: true, path: path.len() as u16, body: FORGET, stat, sum }
    }

    fn slot(&self, offset: u64) -> Slot {
        let stat = if self.racy { 0 } else { short(&self.stat) };
        Slot { offset, bytes: self.record_bytes(), stat }
    }

    fn body_bytes(&self) -> u32 {
        if self.body == FORGET { 0 } else { self.body }
    }

    fn record_bytes(&self) -> u32 {
        HEAD_BYTES as u32 + u32::from(self.path) + self.body_bytes()
    }

    /// Everything but the check, which covers this and the path.
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

    /// The head, and the check that must be that of head and path.
    fn parse(bytes: &[u8; HEAD_BYTES]) -> Option<(Head, u64)> {
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
        let head = Head { racy, path, body, stat, sum: Sum(next()?) };
        Some((head, next()?)).filter(|_| fits)
    }
}

fn check_of(head: &[u8], path: &[u8]) -> u64 {
    Sum::of(&[head, path].concat()).0
}

fn append(out: &mut Vec<u8>, head: &Head, path: &str, body: &[u8]) {
    let bytes = head.to_bytes();
    out.extend_from_slice(&bytes);
    out.extend_from_slice(&check_of(&bytes, path.as_bytes()).to_le_bytes());
    out.extend_from_slice(path.as_bytes());
    out.extend_from_slice(body);
}

fn read_head(reader: &mut impl Read, path: &mut Vec<u8>) -> Option<Head> {
    let mut bytes = [0; HEAD_BYTES];
    reader.read_exact(&mut bytes).ok()?;
    let (head, check) = Head::parse(&bytes)?;
    path.resize(usize::from(head.path), 0);
    reader.read_exact(path).ok()?;
    let expect = check_of(bytes.get(..HEAD_BYTES - 8)?, path);
    (check == expect).then_some(head)
}

/// Reads the body at `slot`, if the record is whole and that of `path`.
fn read_record(file: &File, slot: Slot, path: &str, into: &mut Vec<u8>) -> Option<(Stat, Sum)> {
    into.resize(slot.bytes as usize, 0);
    read_exact_at(file, slot.offset, into).ok()?;
    let mut found = Vec::new();
    let head = read_head(&mut into.as_slice(), &mut found)?;
    let before = HEAD_BYTES + found.len();
    let body = into.get(before..)?;
    if found != path.as_bytes() || Sum::of(body) != head.sum {
        return None;
    }
    into.drain(..before);
    Some((head.stat, head.sum))
}

fn read_exact_at(file: &File, offset: u64, into: &mut [u8]) -> io::Result<()> {
    let mut filled = 0;
    while let Some(rest) = into.get_mut(filled..).filter(|rest| !rest.is_empty()) {
        match read_some(file, offset.saturating_add(filled as u64), rest)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            read => filled += read,
        }
    }
    Ok(())
}

fn key(path: &str) -> u64 {
    Sum::of(path.as_bytes()).0
}

fn short(stat: &Stat) -> u32 {
    let numbers = [stat.inode, stat.size, stat.modified_ns as u64, stat.changed_ns as u64];
    Sum::of(&numbers.map(u64::to_le_bytes).concat()).0 as u32 | 1
}

/// The value, or a line in the log.
fn told<T>(result: io::Result<T>) -> Option<T> {
    result.inspect_err(|error| tracing::warn!("no last good bodies are kept: {error}")).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stat(size: usize, modified_ns: i64) -> Stat {
        Stat { inode: 7, size: size as u64, modified_ns, changed_ns: modified_ns }
    }

    fn put(pack: &Pack, path: &str, body: &str) {
        let stat = stat(body.len(), 1);
        pack.put(path, &stat, Sum::of(body.as_bytes()), body.as_bytes());
    }

    fn check(pack: &Pack, path: &str, expect: Option<&str>) {
        let body = pack.get(path).map(|it| String::from_utf8(it.bytes).unwrap());
        assert_eq!(body.as_deref(), expect, "{path}");
    }

    #[test]
    fn the_last_body_is_kept_across_restarts() {
        let folder = tempfile::tempdir().unwrap();
        let pack = Pack::open(folder.path());
        put(&pack, "a", "one");
        put(&pack, "b", "");
        check(&pack, "a", Some("one"));
        put(&pack, "a", "two");
        put(&pack, "c", "gone soon");
        pack.remove("c");
        pack.remove("never there");
        pack.flush();
        for pack in [pack, Pack::open(folder.path())] {
            check(&pack, "a", Some("two"));
            check(&pack, "b", Some(""));
            check(&pack, "c", None);
            assert_eq!(pack.len(), 2);
            assert!(pack.holds("a", &stat(3, 1)));
            assert!(!pack.holds("a", &stat(3, 2)));
            let mut bytes = Vec::new();
            let sum = pack.get_current("a", &stat(3, 1), &mut bytes);
            assert_eq!((sum, &*bytes), (Some(Sum::of(b"two")), &b"two"[..]));
            assert!(pack.get_current("a", &stat(3, 2), &mut bytes).is_none());
        }
    }

    #[test]
    fn what_may_have_changed_unseen_is_not_current() {
        let folder = tempfile::tempdir().unwrap();
        let pack = Pack::open(folder.path());
        let now = Moment::now();
        let fresh = stat(3, now.wall_ns - 1_000);
        pack.put_at(now, "a", &fresh, Sum::of(b"one"), b"one");
        pack.flush();
        for pack in [pack, Pack::open(folder.path())] {
            check(&pack, "a", Some("one"));
            assert!(!pack.holds("a", &fresh));
            assert!(pack.get_current("a", &fresh, &mut Vec::new()).is_none());
        }
    }

    #[test]
    fn a_torn_end_costs_what_is_torn() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pack");
        let pack = Pack::open(folder.path());
        put(&pack, "a", "one");
        put(&pack, "b", "two");
        pack.flush();
        drop(pack);
        let whole = std::fs::read(&path).unwrap();
        for length in 0..whole.len() {
            std::fs::write(&path, &whole[..length]).unwrap();
            let pack = Pack::open(folder.path());
            let a = 8 + HEAD_BYTES + 4;
            check(&pack, "a", (length >= a).then_some("one"));
            check(&pack, "b", None);
            put(&pack, "b", "three");
            pack.flush();
            check(&Pack::open(folder.path()), "b", Some("three"));
        }
    }

    #[test]
    fn flipped_bits_are_never_handed_out() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pack");
        let pack = Pack::open(folder.path());
        put(&pack, "a", "one");
        pack.flush();
        drop(pack);
        let whole = std::fs::read(&path).unwrap();
        for index in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[index] ^= 0x41;
            std::fs::write(&path, bytes).unwrap();
            check(&Pack::open(folder.path()), "a", None);
        }
    }

    #[test]
    fn garbage_is_swept_out() {
        let folder = tempfile::tempdir().unwrap();
        let pack = Pack::open(folder.path());
        let body = "x".repeat(100_000);
        for _ in 0..200 {
            put(&pack, "a", &body);
            put(&pack, "b", "small");
            pack.flush();
        }
        let size = std::fs::metadata(folder.path().join("pack")).unwrap().len();
        assert!(size < 10_000_000, "{size}");
        put(&pack, "c", "after");
        pack.flush();
        for pack in [pack, Pack::open(folder.path())] {
            check(&pack, "a", Some(&body));
            check(&pack, "b", Some("small"));
            check(&pack, "c", Some("after"));
        }
    }
}
