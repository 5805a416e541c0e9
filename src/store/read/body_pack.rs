//! The pack: the last accepted body of every file in one append-only file. It provides the content
//! that is served while a file is broken, the revision of a hand edit, and a fast way to read
//! everything at start.
//!
//! The pack is derived from the files: nobody waits until it is synced, it is verified when read,
//! and rebuilt when missing. A failure costs convenience but no content, so no function here
//! returns an error. Only the process that holds the instance lock writes it; others may read it at
//! the same time.

use std::collections::HashSet;
use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, BufReader, Read, Seek};
use std::path::{Path, PathBuf};
use std::sync::{Arc, MutexGuard, OnceLock};
use std::thread::JoinHandle;

use crate::stdx::checksum::Checksum;
use crate::stdx::sync::Mutex;
use crate::store::disk::{FILE_BYTES_MAX, Stat, make_private_folder};
use crate::store::read::blob::{read_exact_at, write_all_at};
use crate::store::read::body_index::{BodyIndex, SyncedBodies, remove_index, tail_sum};
use crate::store::read::moment::Moment;
use crate::store::read::pack_records::{
    FORGET, HEAD_BYTES, RecordHead, append_record, hash_path, hash_stat, read_head, read_record,
};
use crate::store::read::pack_slots::{PackSlot, PackSlots};

/// The magic bytes at the start; the last character is the version of the format.
const MAGIC: &[u8; 8] = b"rectopk1";
/// The size of the write buffer.
const BUFFER_BYTES: usize = 1024 * 1024;
/// The minimum amount of garbage before the file is compacted.
const GARBAGE_BYTES_MIN: u64 = 4 * 1024 * 1024;
/// The index is written anew when the pack has this many more bytes…
const UNINDEXED_BYTES_MIN: u64 = 4 * 1024 * 1024;
/// … and one of this many bytes that are in use is not in it.
const UNINDEXED_SHARE: u64 = 8;

/// An accepted body with the stat of its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PackedBody {
    /// The stat of the file when it was read.
    pub stat: Stat,
    /// The checksum of the bytes.
    pub sum: Checksum,
    /// The bytes.
    pub bytes: Vec<u8>,
}

/// The way in which a process uses the pack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PackAccess {
    /// It keeps bodies.
    Write,
    /// It reads what another process keeps, and changes nothing.
    Read,
}

/// The pack of a data folder.
#[derive(Debug)]
pub struct BodyPack {
    shared: Arc<SharedPack>,
    /// The thread that opens the file.
    opening: Option<JoinHandle<()>>,
}

/// The part of a pack that the thread which opens it has, too.
#[derive(Debug)]
struct SharedPack {
    path: PathBuf,
    access: PackAccess,
    /// Set when the file is open and indexed; empty after a failure.
    file: OnceLock<Mutex<Option<PackFile>>>,
    /// Locked while an index is written.
    index_turn: Mutex<()>,
}

#[derive(Debug)]
struct PackFile {
    file: Arc<File>,
    /// The length of the file; the records after it are in `buffer`.
    end: u64,
    buffer: Vec<u8>,
    /// The records by the hash of their path. Only one of several colliding paths is kept: the one
    /// in the record.
    slots: PackSlots,
    live_bytes: u64,
    /// True if the garbage is to be overwritten.
    erases: bool,
    /// The records that are in the index: those whose slots are listed.
    indexed: SyncedBodies,
    /// The hashes of paths whose files are not on the disk yet. There is no new index until their
    /// records have their stat: it would belong to other bytes.
    unplaced: HashSet<u64>,
}

/// A body as it was in the pack. The path may have a new body in the meantime.
#[derive(Debug)]
pub struct WithdrawnBody {
    /// The path of the body.
    pub path: String,
    slot: PackSlot,
    file: Arc<File>,
}

impl WithdrawnBody {
    /// Reads the bytes.
    pub fn read(&self) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        read_record(&self.file, self.slot, &self.path, &mut bytes)?;
        Some(bytes)
    }
}

impl BodyPack {
    /// Opens the pack in `folder`, or creates an empty one. An incomplete last record is cut off. A
    /// large pack takes a while, so a thread of its own does it, and whoever needs it waits.
    pub fn open(folder: &Path) -> BodyPack {
        BodyPack::begin_open(folder, PackAccess::Write)
    }

    /// Opens the pack in `folder` to read the bodies in it, while another process may add some.
    /// Nothing is written, and nothing is kept.
    pub fn open_to_read(folder: &Path) -> BodyPack {
        BodyPack::begin_open(folder, PackAccess::Read)
    }

    fn begin_open(folder: &Path, access: PackAccess) -> BodyPack {
        let path = folder.join("pack");
        let (file, index_turn) = (OnceLock::new(), Mutex::default());
        let shared = Arc::new(SharedPack { path, access, file, index_turn });
        let pack = Arc::clone(&shared);
        let open = move || pack.write_due_index();
        let opening = std::thread::Builder::new().name("open-pack".to_string()).spawn(open);
        BodyPack { shared, opening: opening.ok() }
    }

    /// Reopens the file by its path, which may now belong to another data folder.
    pub fn reopen(&self) {
        *self.lock_file() = open_file(&self.shared.path, self.shared.access);
    }

    /// Returns true if the pack has the body of `path` as of `stat`.
    pub fn has_current(&self, path: &str, stat: &Stat) -> bool {
        self.find_slot(path).is_some_and(|(slot, _)| slot.stat == hash_stat(stat))
    }

    /// Like [`BodyPack::has_current`] for several files, given by folder, name and stat. `synced`
    /// are bodies that were current for all of them: while the index is still that of these, only
    /// what has changed since is looked up.
    pub fn have_current<'f>(
        &self,
        files: impl Iterator<Item = (&'f str, &'f str, &'f Stat)>,
        synced: Option<SyncedBodies>,
    ) -> Vec<bool> {
        let pack = self.lock_file();
        let Some(pack) = &*pack else { return files.map(|_| false).collect() };
        let were_current = synced.is_some_and(|it| it == pack.indexed);
        if were_current && !pack.slots.has_changes() {
            return files.map(|_| true).collect();
        }
        let mut path = String::new();
        let has_current = |(folder, name, stat): (&str, &str, &Stat)| {
            path.clear();
            path.extend([folder, "/", name]);
            let key = hash_path(&path);
            let slot = match pack.slots.get_changed(key) {
                None if were_current => return true,
                None => pack.slots.get(key),
                Some(changed) => changed,
            };
            slot.is_some_and(|it| it.stat == hash_stat(stat))
        };
        files.map(has_current).collect()
    }

    /// Returns for each of several files whether its body as of the stat is among the synced ones,
    /// and nothing was added about it since; nothing if another index was made since.
    pub fn have_synced<'f>(
        &self,
        files: impl Iterator<Item = (&'f str, &'f str, &'f Stat)>,
        synced: SyncedBodies,
    ) -> Option<Vec<bool>> {
        let pack = self.lock_file();
        let slots = pack.as_ref().filter(|it| it.indexed == synced).map(|it| &it.slots)?;
        let is_synced = |(folder, name, stat): (&str, &str, &Stat)| {
            let key = hash_path(&format!("{folder}/{name}"));
            slots.get_changed(key).is_none()
                && slots.get(key).is_some_and(|it| it.stat == hash_stat(stat))
        };
        Some(files.map(is_synced).collect())
    }

    /// Returns the last accepted body of `path`.
    pub fn get(&self, path: &str) -> Option<PackedBody> {
        self.catch_up();
        let (slot, file) = self.find_slot(path)?;
        let mut bytes = Vec::new();
        let (stat, sum) = read_record(&file, slot, path, &mut bytes)?;
        Some(PackedBody { stat, sum, bytes })
    }

    /// Like [`BodyPack::get`], but reads into a reusable buffer, and only a body that is as of
    /// `stat`.
    pub fn get_current(&self, path: &str, stat: &Stat, into: &mut Vec<u8>) -> Option<Checksum> {
        // A few files are read sooner than the pack is open.
        self.shared.file.get()?;
        let (slot, file) = self.find_slot(path).filter(|(slot, _)| slot.stat == hash_stat(stat))?;
        let (found, sum) = read_record(&file, slot, path, into)?;
        (found == *stat).then_some(sum)
    }

    /// Waits until the pack is open.
    pub fn wait_until_open(&self) {
        drop(self.lock_file());
    }

    /// Stores a body that was just read and accepted. It reaches the disk with the next
    /// [`BodyPack::flush`]. A body read shortly after a change never counts as current, nor does
    /// one whose file is not on the disk yet.
    pub fn put_body(&self, path: &str, stat: &Stat, sum: Checksum, bytes: &[u8]) {
        self.put_at(Moment::now(), path, stat, sum, bytes);
    }

    /// Notes the stat of a file that was just written with the modification time that it had
    /// before, if its body was stored when it was not on the disk yet.
    pub fn place_body(&self, path: &str, stat: &Stat, sum: Checksum) {
        // It has this change time because it was written just now. Who replaces it later makes
        // another file, with another inode.
        let racy = Moment::now().is_racy(&stat.without_change_time());
        self.change_file(|inner| inner.place_body(racy, path, stat, sum));
    }

    pub(super) fn put_at(&self, now: Moment, path: &str, stat: &Stat, sum: Checksum, bytes: &[u8]) {
        if bytes.len() as u64 > FILE_BYTES_MAX {
            return;
        }
        self.change_file(|inner| {
            let offset = inner.end + inner.buffer.len() as u64;
            let head = RecordHead::new(path, stat, sum, bytes, now);
            append_record(&mut inner.buffer, &head, path, bytes);
            inner.insert_slot(path, head.to_slot(offset));
            if stat.is_unplaced() {
                inner.unplaced.insert(hash_path(path));
            } else {
                inner.unplaced.remove(&hash_path(path));
            }
            if inner.buffer.len() >= BUFFER_BYTES { inner.flush() } else { Ok(()) }
        });
    }

    /// Removes the body of a deleted file.
    pub fn forget_body(&self, path: &str) {
        self.change_file(|inner| {
            if let Some(slot) = inner.slots.remove(hash_path(path)) {
                inner.unplaced.remove(&hash_path(path));
                inner.live_bytes = inner.live_bytes.saturating_sub(u64::from(slot.bytes));
                append_record(&mut inner.buffer, &RecordHead::new_removal(path), path, &[]);
            }
            Ok(())
        });
    }

    /// Like [`BodyPack::forget_body`], but returns a handle to read the body.
    pub fn withdraw_body(&self, path: &str) -> Option<WithdrawnBody> {
        let held = self.hold_body(path)?;
        self.forget_body(path);
        Some(held)
    }

    /// Returns a handle to read the body later, even if it is replaced in the meantime.
    pub fn hold_body(&self, path: &str) -> Option<WithdrawnBody> {
        self.catch_up();
        let (slot, file) = self.find_slot(path)?;
        Some(WithdrawnBody { path: path.to_string(), slot, file })
    }

    /// Writes the buffered records, and compacts the file if more than half of it is garbage.
    /// Called in the background after a batch of changes.
    pub fn flush(&self) {
        self.change_file(|inner| {
            inner.flush()?;
            let garbage = inner.end.saturating_sub(inner.live_bytes);
            if garbage > GARBAGE_BYTES_MIN && garbage > inner.end / 2 {
                *inner = inner.compact_file(&self.shared.path)?;
            }
            if inner.erases { inner.erase_garbage() } else { Ok(()) }
        });
        self.shared.write_due_index();
    }

    /// Writes the buffered records and the index, and syncs the file. Returns what is on the disk
    /// then; nothing if there are bodies whose files are not on the disk yet, or after a failure.
    pub fn sync_bodies(&self) -> Option<SyncedBodies> {
        let _turn = self.shared.index_turn.lock();
        let mut taken = None;
        self.change_file(|inner| {
            inner.flush()?;
            taken = inner.take_index();
            Ok(())
        });
        self.shared.write_index(taken?)
    }

    /// Overwrites the bodies that were removed or replaced with zeros.
    pub fn erase_garbage(&self) {
        self.change_file(|inner| {
            inner.flush()?;
            inner.erase_garbage()
        });
    }

    fn find_slot(&self, path: &str) -> Option<(PackSlot, Arc<File>)> {
        let mut inner = self.lock_file();
        let slot = inner.as_ref()?.slots.get(hash_path(path))?;
        if slot.offset >= inner.as_ref()?.end {
            let flushed = inner.as_mut()?.flush();
            log_failure(flushed)?;
        }
        Some((slot, Arc::clone(&inner.as_ref()?.file)))
    }

    /// Takes in what the process that writes the pack has added, if it is another one.
    fn catch_up(&self) {
        if self.shared.access == PackAccess::Write {
            return;
        }
        let path = &self.shared.path;
        let mut inner = self.lock_file();
        let is_same = inner.as_mut().is_some_and(|it| it.read_added(path).unwrap_or(false));
        if !is_same {
            // Whoever opened the pack was told of a failure.
            *inner = PackFile::open_to_read(path).ok();
        }
    }

    /// Changes the file. After a failure the pack is disabled for the rest of this process.
    fn change_file(&self, change: impl FnOnce(&mut PackFile) -> io::Result<()>) {
        if self.shared.access == PackAccess::Read {
            return;
        }
        let mut inner = self.lock_file();
        let Some(open) = inner.as_mut() else { return };
        if log_failure(change(open)).is_none() {
            *inner = None;
        }
    }

    fn lock_file(&self) -> MutexGuard<'_, Option<PackFile>> {
        self.shared.lock_file()
    }
}

impl SharedPack {
    fn lock_file(&self) -> MutexGuard<'_, Option<PackFile>> {
        // A panic between two statements may leave a superfluous slot, which is detected when read.
        self.file.get_or_init(|| Mutex::new(open_file(&self.path, self.access))).lock()
    }

    /// Writes the index anew if much has been added since. Only others who write an index wait for
    /// the disk meanwhile.
    fn write_due_index(&self) {
        let is_due = self.lock_file().as_ref().is_some_and(PackFile::is_index_due);
        if is_due && self.access == PackAccess::Write {
            let _turn = self.index_turn.lock();
            let mut file = self.lock_file();
            let due = file.as_mut().filter(|it| it.is_index_due()).and_then(PackFile::take_index);
            drop(file);
            due.and_then(|it| self.write_index(it));
        }
    }

    /// Writes an index of records, and syncs them first: a power cut must not take them away.
    fn write_index(&self, (index, file): (BodyIndex, File)) -> Option<SyncedBodies> {
        let synced = index.synced;
        let written = file.sync_data().and_then(|()| index.write(&self.path));
        let warn = |error: &io::Error| {
            tracing::warn!("the next start will read all last good bodies: {error}");
        };
        written.inspect_err(warn).ok().map(|()| synced)
    }
}

impl Drop for BodyPack {
    fn drop(&mut self) {
        // Another pack may be opened in the same place now.
        if let Some(opening) = self.opening.take() {
            let _ = opening.join();
        }
    }
}

fn open_file(path: &Path, access: PackAccess) -> Option<PackFile> {
    if access == PackAccess::Read {
        return match PackFile::open_to_read(path) {
            Ok(open) => Some(open),
            // Nothing was served here.
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => {
                tracing::warn!("cannot read last good bodies: {error}");
                None
            }
        };
    }
    let folder = path.parent().unwrap_or(path);
    log_failure(make_private_folder(folder).and_then(|()| PackFile::open(path)))
}

/// Returns true if both are of one file.
#[cfg(unix)]
fn is_same_file(one: &Metadata, other: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

/// Returns true if both are of one file. The inode is not available, but the time of creation is.
#[cfg(not(unix))]
fn is_same_file(one: &Metadata, other: &Metadata) -> bool {
    one.created().ok() == other.created().ok()
}

impl PackFile {
    fn open(path: &Path) -> io::Result<PackFile> {
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = Arc::new(options.open(path)?);
        let index = BodyIndex::read(&file, path).unwrap_or_else(|| {
            // It would seem to belong to the pack again when what was lost is added.
            remove_index(path);
            BodyIndex::default()
        });
        let mut inner = PackFile::from_index(file, index);
        inner.scan_records()?;
        inner.file.set_len(inner.end)?;
        if inner.end == 0 {
            write_all_at(&inner.file, 0, MAGIC)?;
            inner.end = MAGIC.len() as u64;
        }
        Ok(inner)
    }

    /// Opens a file that another process may be writing. An incomplete last record is left alone.
    fn open_to_read(path: &Path) -> io::Result<PackFile> {
        let file = Arc::new(File::open(path)?);
        let index = BodyIndex::read(&file, path).unwrap_or_default();
        let mut inner = PackFile::from_index(file, index);
        inner.scan_records()?;
        Ok(inner)
    }

    fn from_index(file: Arc<File>, index: BodyIndex) -> PackFile {
        let BodyIndex { synced: indexed, live_bytes, slots } = index;
        let (end, buffer) = (indexed.end, Vec::new());
        let (erases, unplaced) = (false, HashSet::new());
        PackFile { file, end, buffer, slots, live_bytes, erases, indexed, unplaced }
    }

    /// Indexes the records that another process has added. Returns false if another file is at
    /// `path` now, or if this one is shorter.
    fn read_added(&mut self, path: &Path) -> io::Result<bool> {
        let (found, own) = (std::fs::metadata(path)?, self.file.metadata()?);
        if !is_same_file(&found, &own) || own.len() < self.end {
            return Ok(false);
        }
        if own.len() > self.end {
            self.scan_records()?;
        }
        Ok(true)
    }

    /// Returns true if much has been added since the index was written.
    fn is_index_due(&self) -> bool {
        let added = self.end.saturating_sub(self.indexed.end);
        added >= UNINDEXED_BYTES_MIN && added >= self.live_bytes / UNINDEXED_SHARE
    }

    /// Returns what the index should be, and the file; nothing if it cannot be written now.
    fn take_index(&mut self) -> Option<(BodyIndex, File)> {
        if !self.buffer.is_empty() || !self.unplaced.is_empty() {
            return None;
        }
        let file = self.file.try_clone().ok()?;
        let synced = SyncedBodies { end: self.end, tail: tail_sum(&file, self.end).ok()? };
        self.indexed = synced;
        self.slots.sort();
        let (live_bytes, slots) = (self.live_bytes, self.slots.clone());
        Some((BodyIndex { synced, live_bytes, slots }, file))
    }

    /// Indexes all records after `end` up to the first incomplete one, skipping the bodies.
    fn scan_records(&mut self) -> io::Result<()> {
        let file = Arc::clone(&self.file);
        let size = file.metadata()?.len();
        let mut reader = BufReader::with_capacity(BUFFER_BYTES, &*file);
        let mut magic = [0; MAGIC.len()];
        reader.rewind()?;
        if reader.read_exact(&mut magic).is_err() || magic != *MAGIC {
            return Ok(());
        }
        self.end = self.end.max(magic.len() as u64);
        reader.seek(io::SeekFrom::Start(self.end))?;
        let mut path = Vec::new();
        while let Some(head) = read_head(&mut reader, &mut path) {
            let next = self.end + u64::from(head.record_bytes());
            let body = i64::from(head.body_bytes());
            if next > size || reader.seek_relative(body).is_err() {
                break;
            }
            self.admit_record(&head, &path);
            self.end = next;
        }
        Ok(())
    }

    fn admit_record(&mut self, head: &RecordHead, path: &[u8]) {
        let slot = head.to_slot(self.end);
        let path = String::from_utf8_lossy(path);
        if head.body == FORGET {
            if let Some(slot) = self.slots.remove(hash_path(&path)) {
                self.live_bytes = self.live_bytes.saturating_sub(u64::from(slot.bytes));
            }
        } else {
            self.insert_slot(&path, slot);
        }
    }

    fn insert_slot(&mut self, path: &str, slot: PackSlot) {
        let before = self.slots.insert(hash_path(path), slot).map_or(0, |slot| slot.bytes);
        self.live_bytes += u64::from(slot.bytes);
        self.live_bytes = self.live_bytes.saturating_sub(u64::from(before));
    }

    fn place_body(&mut self, racy: bool, path: &str, stat: &Stat, sum: Checksum) -> io::Result<()> {
        let key = hash_path(path);
        let Some(PackSlot { offset, .. }) = self.slots.get(key) else { return Ok(()) };
        if offset >= self.end {
            self.flush()?;
        }
        let (mut bytes, mut found) = (vec![0; HEAD_BYTES + path.len()], Vec::new());
        read_exact_at(&self.file, offset, &mut bytes)?;
        let Some(head) = read_head(&mut bytes.as_slice(), &mut found) else { return Ok(()) };
        if found == path.as_bytes() && head.stat.is_unplaced() && head.sum == sum {
            let placed = RecordHead { racy, stat: *stat, ..head };
            bytes.clear();
            append_record(&mut bytes, &placed, path, &[]);
            write_all_at(&self.file, offset, &bytes)?;
            self.slots.insert(key, placed.to_slot(offset));
            self.unplaced.remove(&key);
        }
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        write_all_at(&self.file, self.end, &self.buffer)?;
        self.end += self.buffer.len() as u64;
        self.buffer.clear();
        Ok(())
    }

    /// Overwrites the bodies of all records but the live ones.
    fn erase_garbage(&mut self) -> io::Result<()> {
        // Somebody is about to read a body that was withdrawn. The next flush tries again.
        self.erases = Arc::strong_count(&self.file) > 1;
        if self.erases {
            return Ok(());
        }
        let mut reader = BufReader::with_capacity(BUFFER_BYTES, &*self.file);
        let (mut at, mut path) =
            (reader.seek(io::SeekFrom::Start(MAGIC.len() as u64))?, Vec::new());
        let mut dead = Vec::new();
        while at < self.end
            && let Some(head) = read_head(&mut reader, &mut path)
        {
            reader.seek_relative(i64::from(head.body_bytes()))?;
            let next = at + u64::from(head.record_bytes());
            let slot = self.slots.get(hash_path(&String::from_utf8_lossy(&path)));
            if slot.is_none_or(|it| it.offset != at) && head.body_bytes() > 0 {
                dead.push((next - u64::from(head.body_bytes()), head.body_bytes() as usize));
            }
            at = next;
        }
        dead.into_iter()
            .try_for_each(|(start, bytes)| write_all_at(&self.file, start, &vec![0; bytes]))
    }

    /// Copies the live records to a new file that replaces the old one.
    fn compact_file(&self, path: &Path) -> io::Result<PackFile> {
        let unfinished = path.with_extension("new");
        let mut slots: Vec<(u64, PackSlot)> = self.slots.iter().collect();
        slots.sort_unstable_by_key(|(_, slot)| slot.offset);
        let _ = std::fs::remove_file(&unfinished);
        let mut new = PackFile::open(&unfinished)?;
        let mut record = Vec::new();
        for (key, slot) in slots {
            record.resize(slot.bytes as usize, 0);
            read_exact_at(&self.file, slot.offset, &mut record)?;
            let offset = new.end + new.buffer.len() as u64;
            new.buffer.extend_from_slice(&record);
            new.slots.insert(key, PackSlot { offset, ..slot });
            new.live_bytes += u64::from(slot.bytes);
            if new.buffer.len() >= BUFFER_BYTES {
                new.flush()?;
            }
        }
        new.flush()?;
        new.unplaced.clone_from(&self.unplaced);
        std::fs::rename(&unfinished, path)?;
        Ok(new)
    }
}

/// Returns the value, or logs the error.
fn log_failure<T>(result: io::Result<T>) -> Option<T> {
    result.inspect_err(|error| tracing::warn!("cannot keep last good bodies: {error}")).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stat(size: usize, modified_ns: i64) -> Stat {
        Stat { inode: 7, size: size as u64, modified_ns, changed_ns: modified_ns }
    }

    fn put(pack: &BodyPack, path: &str, body: &str) {
        let stat = stat(body.len(), 1);
        pack.put_body(path, &stat, Checksum::of_bytes(body.as_bytes()), body.as_bytes());
    }

    fn check(pack: &BodyPack, path: &str, expect: Option<&str>) {
        let body = pack.get(path).map(|it| String::from_utf8(it.bytes).unwrap());
        assert_eq!(body.as_deref(), expect, "{path}");
    }

    #[test]
    fn the_last_body_is_kept_across_restarts() {
        let folder = tempfile::tempdir().unwrap();
        let pack = BodyPack::open(folder.path());
        put(&pack, "a", "one");
        put(&pack, "b", "");
        check(&pack, "a", Some("one"));
        put(&pack, "a", "two");
        put(&pack, "c", "gone soon");
        pack.forget_body("c");
        pack.forget_body("never there");
        pack.flush();
        for pack in [pack, BodyPack::open(folder.path())] {
            check(&pack, "a", Some("two"));
            check(&pack, "b", Some(""));
            check(&pack, "c", None);
            assert_eq!(pack.lock_file().as_ref().unwrap().slots.iter().count(), 2);
            assert!(pack.has_current("a", &stat(3, 1)));
            assert!(!pack.has_current("a", &stat(3, 2)));
            let mut bytes = Vec::new();
            let sum = pack.get_current("a", &stat(3, 1), &mut bytes);
            assert_eq!((sum, &*bytes), (Some(Checksum::of_bytes(b"two")), &b"two"[..]));
            assert!(pack.get_current("a", &stat(3, 2), &mut bytes).is_none());
        }
    }

    /// A start with the index knows what was put, replaced and forgotten before and after it.
    #[test]
    fn a_large_pack_is_opened_with_its_index() {
        let folder = tempfile::tempdir().unwrap();
        let body = |it: u64| format!("{it} {}", "x".repeat(100_000));
        let path = |it: u64| format!("body/{it}");
        let pack = BodyPack::open(folder.path());
        (0..60).for_each(|it| put(&pack, &path(it), &body(it)));
        pack.flush();
        let index = std::fs::read(folder.path().join("pack.index")).unwrap();
        put(&pack, &path(1), "replaced");
        pack.forget_body(&path(2));
        put(&pack, &path(60), &body(60));
        pack.flush();
        assert_eq!(std::fs::read(folder.path().join("pack.index")).unwrap(), index);
        let whole = std::fs::read(folder.path().join("pack")).unwrap();
        // The bodies before the index are not read: damage there is found when they are asked for.
        let mut damaged = whole.clone();
        damaged[20] ^= 1;
        std::fs::write(folder.path().join("pack"), damaged).unwrap();
        let pack = BodyPack::open(folder.path());
        check(&pack, &path(0), None);
        check(&pack, &path(1), Some("replaced"));
        check(&pack, &path(2), None);
        (3..61).for_each(|it| check(&pack, &path(it), Some(&body(it))));
        drop(pack);
        // A pack that was cut off is not the one of the index.
        std::fs::write(folder.path().join("pack"), &whole[..3_000_000]).unwrap();
        let pack = BodyPack::open(folder.path());
        check(&pack, &path(0), Some(&body(0)));
        check(&pack, &path(59), None);
    }

    #[test]
    fn garbage_is_erased_when_nobody_reads_it() {
        let folder = tempfile::tempdir().unwrap();
        let pack = BodyPack::open(folder.path());
        let bytes = || std::fs::read(folder.path().join("pack")).unwrap();
        let has = |text: &[u8]| memchr::memmem::find(&bytes(), text).is_some();
        put(&pack, "a", "secret one");
        put(&pack, "b", "secret two");
        put(&pack, "c", "open");
        let held = pack.withdraw_body("a").unwrap();
        put(&pack, "b", "other");
        pack.erase_garbage();
        assert!(has(b"secret one") && has(b"secret two"));
        assert_eq!(held.read().as_deref(), Some(&b"secret one"[..]));
        drop(held);
        pack.flush();
        assert!(!has(b"secret"));
        put(&pack, "d", "new");
        pack.flush();
        for pack in [pack, BodyPack::open(folder.path())] {
            check(&pack, "a", None);
            check(&pack, "b", Some("other"));
            check(&pack, "c", Some("open"));
            check(&pack, "d", Some("new"));
        }
    }

    #[test]
    fn what_may_have_changed_unseen_is_not_current() {
        let folder = tempfile::tempdir().unwrap();
        let pack = BodyPack::open(folder.path());
        let now = Moment::now();
        let fresh = stat(3, now.wall_ns - 1_000);
        pack.put_at(now, "a", &fresh, Checksum::of_bytes(b"one"), b"one");
        pack.flush();
        for pack in [pack, BodyPack::open(folder.path())] {
            check(&pack, "a", Some("one"));
            assert!(!pack.has_current("a", &fresh));
            assert!(pack.get_current("a", &fresh, &mut Vec::new()).is_none());
        }
    }

    #[test]
    fn a_body_is_current_when_its_file_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let pack = BodyPack::open(folder.path());
        let (sum, now) = (Checksum::of_bytes(b"one"), Moment::now());
        let (old, new) = (Stat::unplaced(3, 1), Stat::unplaced(3, now.wall_ns));
        // Its modification time is what it was, whenever it is written.
        let written = |it: &Stat| Stat { inode: 7, changed_ns: now.wall_ns, ..*it };
        for (path, stat) in [("a", &old), ("b", &old), ("c", &new)] {
            pack.put_body(path, stat, sum, b"one");
            assert!(!pack.has_current(path, stat));
        }
        pack.place_body("a", &written(&old), sum);
        // Another than the one that was stored.
        pack.place_body("b", &written(&old), Checksum::of_bytes(b"two"));
        // One that has changed just now.
        pack.place_body("c", &written(&new), sum);
        pack.put_body("d", &stat(3, 1), sum, b"one");
        pack.place_body("d", &written(&old), sum);
        pack.flush();
        for pack in [pack, BodyPack::open(folder.path())] {
            for path in ["a", "b", "c", "d"] {
                check(&pack, path, Some("one"));
            }
            assert!(pack.has_current("a", &written(&old)) && pack.has_current("d", &stat(3, 1)));
            assert!(!pack.has_current("b", &written(&old)));
            assert!(!pack.has_current("c", &written(&new)));
            assert!(!pack.has_current("d", &written(&old)));
        }
    }

    #[test]
    fn an_index_has_the_stats_of_files_that_were_written_later() {
        let folder = tempfile::tempdir().unwrap();
        let pack = BodyPack::open(folder.path());
        let body = vec![b'x'; 64 * 1024];
        let (sum, old) = (Checksum::of_bytes(&body), Stat::unplaced(body.len() as u64, 1));
        let written = Stat { inode: 7, changed_ns: Moment::now().wall_ns, ..old };
        let paths: Vec<String> = (0..100).map(|it| format!("a/{it}.json")).collect();
        for path in &paths {
            pack.put_body(path, &old, sum, &body);
        }
        pack.flush();
        paths.iter().for_each(|it| pack.place_body(it, &written, sum));
        pack.flush();
        drop(pack);
        let pack = BodyPack::open(folder.path());
        assert!(paths.iter().all(|it| pack.has_current(it, &written)));
    }

    /// Bodies that were current when they were synced are current until something is added.
    #[test]
    fn synced_bodies_are_current_until_they_change() {
        let folder = tempfile::tempdir().unwrap();
        let open = || BodyPack::open(folder.path());
        let pack = open();
        ["a", "b", "c", "d"].iter().for_each(|it| put(&pack, &format!("of/{it}"), "one"));
        pack.put_body("of/e", &Stat::unplaced(3, 1), Checksum::of_bytes(b"two"), b"two");
        assert_eq!(pack.sync_bodies(), None, "a file is not on the disk yet");
        put(&pack, "of/e", "two");
        let synced = pack.sync_bodies();
        drop(pack);
        let (then, later) = (stat(3, 1), stat(3, 2));
        let names = ["a", "b", "c", "d", "e"];
        let current = |pack: &BodyPack, synced: Option<SyncedBodies>| {
            let are = pack.have_current(names.iter().map(|it| ("of", *it, &then)), synced);
            names.iter().zip(are).filter(|(_, is)| *is).map(|(name, _)| *name).collect::<String>()
        };
        assert_eq!(current(&open(), synced), "abcde");
        assert_eq!(current(&open(), None), "abcde");
        let pack = open();
        // Files that were moved away, that came back as they were, and that changed.
        pack.forget_body("of/a");
        pack.forget_body("of/b");
        put(&pack, "of/b", "one");
        pack.put_body("of/c", &later, Checksum::of_bytes(b"new"), b"new");
        let are_synced = |pack: &BodyPack, synced| {
            let files = names.iter().map(|it| ("of", *it, &then));
            let are = pack.have_synced(files, synced)?;
            Some(names.iter().zip(are).filter(|(_, is)| *is).map(|(name, _)| *name).collect())
        };
        assert_eq!(are_synced(&pack, synced.unwrap()), Some("de".to_string()));
        assert_eq!((current(&pack, synced), current(&pack, None)), ("bde".into(), "bde".into()));
        pack.flush();
        drop(pack);
        let pack = open();
        assert_eq!((current(&pack, synced), current(&pack, None)), ("bde".into(), "bde".into()));
        // Another index is not that of these bodies.
        let next = pack.sync_bodies();
        assert_ne!(next, synced);
        assert_eq!(are_synced(&pack, synced.unwrap()), None);
        assert_eq!(are_synced(&pack, next.unwrap()), Some("bde".to_string()));
        pack.forget_body("of/d");
        assert_eq!((current(&pack, synced), current(&pack, None)), ("be".into(), "be".into()));
        drop(pack);
        for damaged in ["", "another file"] {
            std::fs::write(folder.path().join("pack"), damaged).unwrap();
            assert_eq!(current(&open(), next), "", "{damaged}");
        }
    }

    /// A pack that was cut off gets the same length and the same end again when what it lost is
    /// added, maybe in another order. The index of before must not count then.
    #[test]
    fn an_index_of_another_pack_does_not_come_back() {
        let folder = tempfile::tempdir().unwrap();
        let body = |it: usize| format!("{it} {}", "x".repeat(1_000 + it));
        let put_all = |pack: &BodyPack, order: &mut dyn Iterator<Item = usize>| {
            order.for_each(|it| put(pack, &format!("{it:02}"), &body(it)));
        };
        let pack = BodyPack::open(folder.path());
        put_all(&pack, &mut (0..5));
        pack.flush();
        let first = std::fs::read(folder.path().join("pack")).unwrap();
        put_all(&pack, &mut (5..20));
        pack.sync_bodies().unwrap();
        drop(pack);
        let whole = std::fs::read(folder.path().join("pack")).unwrap();
        std::fs::write(folder.path().join("pack"), &first).unwrap();
        let pack = BodyPack::open(folder.path());
        put_all(&pack, &mut [7, 6, 5].into_iter().chain(8..20));
        pack.flush();
        drop(pack);
        let again = std::fs::read(folder.path().join("pack")).unwrap();
        assert!(again != whole && again[whole.len() - 8_000..] == whole[whole.len() - 8_000..]);
        let pack = BodyPack::open(folder.path());
        (0..20).for_each(|it| check(&pack, &format!("{it:02}"), Some(&body(it))));
    }

    #[test]
    fn a_torn_end_costs_what_is_torn() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pack");
        let pack = BodyPack::open(folder.path());
        put(&pack, "a", "one");
        put(&pack, "b", "two");
        pack.flush();
        drop(pack);
        let whole = std::fs::read(&path).unwrap();
        for length in 0..whole.len() {
            std::fs::write(&path, &whole[..length]).unwrap();
            let pack = BodyPack::open(folder.path());
            let a = 8 + HEAD_BYTES + 4;
            check(&pack, "a", (length >= a).then_some("one"));
            check(&pack, "b", None);
            put(&pack, "b", "three");
            pack.flush();
            check(&BodyPack::open(folder.path()), "b", Some("three"));
        }
    }

    #[test]
    fn flipped_bits_are_never_handed_out() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("pack");
        let pack = BodyPack::open(folder.path());
        put(&pack, "a", "one");
        pack.flush();
        drop(pack);
        let whole = std::fs::read(&path).unwrap();
        for index in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[index] ^= 0x41;
            std::fs::write(&path, bytes).unwrap();
            check(&BodyPack::open(folder.path()), "a", None);
        }
    }

    /// Another process reads what was written so far, and later what was added, moved or removed.
    #[test]
    fn a_reader_follows_the_writer_and_changes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let files = || {
            let found = std::fs::read_dir(folder.path()).unwrap().map(|it| it.unwrap().path());
            let mut found: Vec<_> =
                found.map(|it| (it.clone(), std::fs::read(it).unwrap())).collect();
            found.sort();
            found
        };
        let missing = BodyPack::open_to_read(&folder.path().join("missing"));
        check(&missing, "a", None);
        assert!(files().is_empty());
        let reader = BodyPack::open_to_read(folder.path());
        check(&reader, "a", None);
        let writer = BodyPack::open(folder.path());
        put(&writer, "a", "one");
        check(&reader, "a", None);
        writer.flush();
        check(&reader, "a", Some("one"));
        put(&writer, "a", "two");
        put(&writer, "b", "three");
        writer.forget_body("b");
        writer.flush();
        let before = files();
        for reader in [&reader, &BodyPack::open_to_read(folder.path())] {
            put(reader, "a", "of the reader");
            assert!(reader.withdraw_body("a").is_some());
            reader.forget_body("a");
            reader.erase_garbage();
            reader.flush();
            assert!(reader.sync_bodies().is_none());
            check(reader, "a", Some("two"));
            check(reader, "b", None);
            assert!(reader.has_current("a", &stat(3, 1)));
        }
        assert_eq!(files(), before);
        // A record that is being written is none yet, and no reader cuts it off.
        let pack = folder.path().join("pack");
        let whole = std::fs::read(&pack).unwrap();
        let half = [&whole[..], &whole[MAGIC.len()..MAGIC.len() + HEAD_BYTES]].concat();
        std::fs::write(&pack, &half).unwrap();
        check(&reader, "a", Some("two"));
        assert_eq!(std::fs::read(&pack).unwrap(), half);
        std::fs::write(&pack, &whole).unwrap();
        let body = "x".repeat(100_000);
        for _ in 0..100 {
            put(&writer, "c", &body);
            writer.flush();
        }
        assert!(std::fs::metadata(&pack).unwrap().len() < 8_000_000);
        check(&reader, "a", Some("two"));
        check(&reader, "c", Some(&body));
    }

    #[test]
    fn garbage_is_swept_out() {
        let folder = tempfile::tempdir().unwrap();
        let pack = BodyPack::open(folder.path());
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
        for pack in [pack, BodyPack::open(folder.path())] {
            check(&pack, "a", Some(&body));
            check(&pack, "b", Some("small"));
            check(&pack, "c", Some("after"));
        }
    }
}
