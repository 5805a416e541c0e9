//! A disk in memory that can be stopped at any step and made to fail at any call. A crash loses
//! what a real disk may lose.
//!
//! A crash preserves what was synced, and any part of the rest:
//! - The bytes of a file are durable once the file is synced. Until then a crash may leave any
//!   prefix of them, none, or zeros in their place.
//! - A change of a name in a folder is durable once the folder is synced. Until then a crash may
//!   undo it, independently of other changes in this folder or in others: only changes of the same
//!   name stay in order, and a folder is removed after its content. A rename within one folder
//!   survives completely or not at all. After a rename between folders the file may be found under
//!   both names until the source folder is synced, as on btrfs, but never under neither. A new
//!   folder is a name in its parent.
//! - A failed sync loses the bytes: a later one does not bring them back.
//!
//! Every change and every sync is a *step*; the machine can stop before each of them. A file
//! written and synced in one call takes two steps. Numbers begin at 0.

mod disk_image;
mod fault_control;

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Write};
use std::sync::MutexGuard;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::stdx::sync::Mutex;
use crate::store::disk::file_system::{Disk, FILE_BYTES_MAX, Listing, ReadError, Stat, StatResult};
use crate::store::disk::memory::disk_image::DiskImage;
pub use crate::store::disk::memory::disk_image::{FolderTree, Survival};
use crate::store::disk::memory::fault_control::{CallVerdict, FaultControl};
pub use crate::store::disk::memory::fault_control::{DiskCall, Verb};
use crate::store::layout;

/// A data folder in memory.
#[derive(Debug, Default)]
pub struct MemDisk {
    state: Mutex<MemDiskState>,
    /// True if the state directory is on another file system.
    is_split: bool,
}

#[derive(Debug, Default)]
struct MemDiskState {
    image: DiskImage,
    control: FaultControl,
}

impl MemDisk {
    /// Creates an empty data folder.
    pub fn new() -> MemDisk {
        MemDisk::default()
    }

    /// Creates a data folder with these files, all of them durable.
    pub fn with_files<P: AsRef<str>, B: AsRef<[u8]>>(
        files: impl IntoIterator<Item = (P, B)>,
    ) -> MemDisk {
        let mut image = DiskImage::default();
        for (path, bytes) in files {
            image.put_file(path.as_ref(), Some(bytes.as_ref()));
        }
        image.sync_all();
        MemDisk::from(image)
    }

    /// Returns the disk with the state directory on another file system.
    pub fn split_state(self) -> MemDisk {
        MemDisk { is_split: true, ..self }
    }

    /// Returns a copy of the disk on which everything is synced.
    pub fn copy_durable(&self) -> MemDisk {
        self.simulate_crash(Survival::Everything)
    }

    /// Returns a state of the disk after a crash.
    pub fn simulate_crash(&self, survival: Survival) -> MemDisk {
        self.with_image(self.lock_state().image.simulate_crash(survival))
    }

    /// Returns the different states after a crash, at most `most`: with nothing unsynced, with
    /// everything, and with mixtures of both.
    pub fn list_crashes(&self, most: usize) -> Vec<MemDisk> {
        let survivals = [Survival::Nothing, Survival::Everything].into_iter();
        let mixtures = (0..most as u64 * 2).map(Survival::Mixture);
        let state = self.lock_state();
        let mut seen = BTreeSet::new();
        let mut found = Vec::new();
        for survival in survivals.chain(mixtures) {
            let image = state.image.simulate_crash(survival);
            if found.len() < most && seen.insert(image.compute_checksum()) {
                found.push(self.with_image(image));
            }
        }
        found
    }

    fn with_image(&self, image: DiskImage) -> MemDisk {
        MemDisk { is_split: self.is_split, ..MemDisk::from(image) }
    }

    /// Fails if a file cannot be moved or linked from one path to the other.
    fn expect_one_system(&self, from: &str, to: &str) -> io::Result<()> {
        let crosses = self.is_split && layout::is_state(from) != layout::is_state(to);
        if crosses { Err(io::ErrorKind::CrossesDevices.into()) } else { Ok(()) }
    }

    /// Returns all current files and folders, synced or not.
    pub fn read_tree(&self) -> FolderTree {
        self.lock_state().image.build_tree()
    }

    /// Returns the bytes of a file, if it exists.
    pub fn read_bytes(&self, path: &str) -> Option<Vec<u8>> {
        let state = self.lock_state();
        let file = state.image.find_inode(path).ok().and_then(|inode| state.image.get_file(inode));
        file.map(|it| it.bytes.clone())
    }

    /// Returns the number of names of a file; 0 if it does not exist.
    pub fn count_links(&self, path: &str) -> usize {
        let image = &self.lock_state().image;
        image.find_inode(path).map_or(0, |inode| image.count_links(inode))
    }

    /// Writes a file as another program would: the write is neither counted nor made to fail, and
    /// everything is durable afterwards.
    pub fn edit_file(&self, path: &str, bytes: &[u8]) {
        let mut state = self.lock_state();
        state.image.put_file(path, Some(bytes));
        state.image.sync_all();
    }

    /// Returns the number of steps so far: changes and syncs.
    pub fn count_steps(&self) -> u64 {
        self.lock_state().control.count_steps()
    }

    /// Returns the number of calls so far.
    pub fn count_calls(&self) -> u64 {
        self.lock_state().control.count_calls()
    }

    /// Returns the number of syncs so far, of files, folders and everything.
    pub fn count_syncs(&self) -> u64 {
        self.lock_state().control.count_syncs()
    }

    /// Returns all calls in order.
    pub fn list_calls(&self) -> Vec<DiskCall> {
        self.lock_state().control.list_calls().to_vec()
    }

    /// Stops the machine before step `number`: that step and all later calls fail.
    pub fn stop_at(&self, number: u64) {
        self.lock_state().control.stop_at(number);
    }

    /// Returns true if the machine has stopped.
    pub fn is_stopped(&self) -> bool {
        self.lock_state().control.is_stopped()
    }

    /// Makes call `number` fail with a system error. A write that fails for lack of space, or on a
    /// bad block, leaves half of its bytes; other calls have no effect.
    pub fn fail_at(&self, number: u64, errno: i32) {
        self.lock_state().control.fail_calls(number..=number, errno);
    }

    /// Makes call `number` and all later ones fail, until [`MemDisk::clear_faults`].
    pub fn fail_from(&self, number: u64, errno: i32) {
        self.lock_state().control.fail_calls(number..=u64::MAX, errno);
    }

    /// Fills up the disk: calls that need space fail with this error (`ENOSPC`, `EDQUOT`) until
    /// [`MemDisk::clear_faults`]. Moving and removing need no space.
    pub fn fill_up(&self, errno: i32) {
        self.lock_state().control.fill_up(errno);
    }

    /// Schedules an edit by another program just before call `number`; without bytes the file is
    /// removed. Calls that sync or write bytes are skipped.
    pub fn edit_at(&self, number: u64, path: &str, bytes: Option<&[u8]>) {
        self.lock_state().control.edit_at(number, path, bytes);
    }

    /// Lets another program write another entry to this file before each call of this kind.
    pub fn edit_before_each(&self, verb: Verb, path: &str) {
        self.lock_state().control.edit_before_each(verb, path);
    }

    /// Removes all faults and frees space.
    pub fn clear_faults(&self) {
        self.lock_state().control.clear_faults();
    }

    /// Makes sync `number` succeed without effect.
    pub fn ignore_sync(&self, number: u64) {
        self.lock_state().control.ignore_sync(number);
    }

    fn lock_state(&self) -> MutexGuard<'_, MemDiskState> {
        let mut state = self.state.lock();
        state.image.read_handles();
        state
    }

    /// Makes a call, unless it is made to fail.
    fn try_call<T>(
        &self,
        verb: Verb,
        path: &str,
        to: Option<&str>,
        make: impl FnOnce(&mut DiskImage) -> io::Result<T>,
    ) -> io::Result<T> {
        let mut state = self.lock_state();
        let edit = state.control.take_due_edit(verb);
        state.control.admit_call(verb, path, to).map_err(io::Error::from)?;
        if let Some((path, bytes)) = edit {
            state.image.put_file(&path, bytes.as_deref());
        }
        make(&mut state.image)
    }

    fn try_sync(
        &self,
        verb: Verb,
        path: &str,
        sync: impl FnOnce(&mut DiskImage) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut state = self.lock_state();
        match state.control.admit_call(verb, path, None) {
            Ok(CallVerdict::Ignore) => Ok(()),
            Ok(CallVerdict::Proceed) => sync(&mut state.image),
            Err(refused) => {
                if refused.loses_bytes() && verb == Verb::SyncFile {
                    state.image.lose_bytes(path);
                }
                Err(refused.into())
            }
        }
    }

    fn try_write(
        &self,
        verb: Verb,
        path: &str,
        bytes: &[u8],
        write: impl Fn(&mut DiskImage, &[u8]) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut state = self.lock_state();
        match state.control.admit_call(verb, path, None) {
            Ok(_) => write(&mut state.image, bytes),
            Err(refused) => {
                if refused.loses_bytes() {
                    let half = bytes.get(..bytes.len() / 2).unwrap_or_default();
                    write(&mut state.image, half)?;
                }
                Err(refused.into())
            }
        }
    }
}

impl From<DiskImage> for MemDisk {
    fn from(image: DiskImage) -> MemDisk {
        let state = Mutex::new(MemDiskState { image, control: FaultControl::default() });
        MemDisk { state, is_split: false }
    }
}

impl Disk for MemDisk {
    fn read(&self, path: &str, into: &mut Vec<u8>) -> Result<Stat, ReadError> {
        let (bytes, stat) = self.read_file(Verb::Read, path)?;
        if stat.size > FILE_BYTES_MAX {
            return Err(ReadError::TooLarge(stat.size));
        }
        into.clear();
        into.extend_from_slice(&bytes);
        Ok(stat)
    }

    fn open(&self, path: &str) -> Result<(File, Stat), ReadError> {
        let (bytes, stat) = self.read_file(Verb::Open, path)?;
        Ok((create_nameless_file(&bytes)?.1, stat))
    }

    fn stat(&self, path: &str) -> io::Result<StatResult> {
        self.try_call(Verb::Stat, path, None, |image| image.stat(path))
    }

    fn list(&self, folder: &str) -> io::Result<Listing> {
        self.try_call(Verb::List, folder, None, |image| image.list(folder))
    }

    fn write_new(&self, path: &str, bytes: &[u8], mode: u32) -> io::Result<()> {
        self.write_unsynced(path, bytes, mode)?;
        self.sync_file(path)
    }

    fn write_unsynced(&self, path: &str, bytes: &[u8], mode: u32) -> io::Result<Stat> {
        self.try_write(Verb::Write, path, bytes, |image, bytes| {
            image.write_new(path, bytes, mode)
        })?;
        Ok(self.lock_state().image.stat(path)?.stat)
    }

    fn append(&self, path: &str, bytes: &[u8], mode: u32) -> io::Result<()> {
        self.try_write(Verb::Append, path, bytes, |image, bytes| image.append(path, bytes, mode))
    }

    fn set_modified(&self, path: &str, modified_ns: i64) -> io::Result<()> {
        self.try_call(Verb::Write, path, None, |image| image.set_modified(path, modified_ns))
    }

    fn create(&self, path: &str) -> io::Result<File> {
        self.try_call(Verb::Write, path, None, |image| {
            let (written, read) = create_nameless_file(b"")?;
            image.write_new(path, b"", 0o600)?;
            image.fill_from(path, read)?;
            Ok(written)
        })
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        self.try_call(Verb::Rename, from, Some(to), |image| {
            self.expect_one_system(from, to)?;
            image.rename(from, to)
        })
    }

    fn rename_new(&self, from: &str, to: &str) -> io::Result<()> {
        self.try_call(Verb::Rename, from, Some(to), |image| {
            self.expect_one_system(from, to)?;
            image.expect_free(to)?;
            image.rename(from, to)
        })
    }

    fn exchange(&self, one: &str, other: &str) -> io::Result<()> {
        self.try_call(Verb::Exchange, one, Some(other), |image| {
            self.expect_one_system(one, other)?;
            image.exchange(one, other)
        })
    }

    fn link(&self, from: &str, to: &str) -> io::Result<()> {
        self.try_call(Verb::Link, from, Some(to), |image| {
            self.expect_one_system(from, to)?;
            image.link(from, to)
        })
    }

    fn remove(&self, path: &str) -> io::Result<()> {
        self.try_call(Verb::Remove, path, None, |image| image.remove(path))
    }

    fn make_folder(&self, folder: &str, mode: u32) -> io::Result<()> {
        self.try_call(Verb::MakeFolder, folder, None, |image| image.make_folder(folder, mode))
    }

    fn remove_folder(&self, folder: &str) -> io::Result<()> {
        self.try_call(Verb::RemoveFolder, folder, None, |image| image.remove_folder(folder))
    }

    fn sync_folder(&self, folder: &str) -> io::Result<()> {
        self.try_sync(Verb::SyncFolder, folder, |image| image.sync_folder(folder))
    }

    fn sync_file(&self, path: &str) -> io::Result<()> {
        self.try_sync(Verb::SyncFile, path, |image| image.sync_file(path))
    }

    fn unfinished_folder(&self, path: &str) -> &'static str {
        let is_elsewhere = self.is_split && layout::is_state(path);
        if is_elsewhere { layout::STATE_TMP } else { layout::TMP }
    }

    fn sync_all(&self) -> io::Result<()> {
        self.try_sync(Verb::SyncAll, "", |image| {
            image.sync_all();
            Ok(())
        })
    }
}

impl MemDisk {
    fn read_file(&self, verb: Verb, path: &str) -> Result<(Vec<u8>, Stat), ReadError> {
        let found = self.try_call(verb, path, None, |image| {
            let inode = image.find_inode(path)?;
            Ok(image.get_file(inode).map(|it| (it.bytes.clone(), image.stat_of(inode).stat)))
        });
        found?.ok_or(ReadError::NotAFile("a directory"))
    }
}

/// Returns two handles of an unnamed temporary file with these bytes: one to write, one to read.
fn create_nameless_file(bytes: &[u8]) -> io::Result<(File, File)> {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let name = format!("recto-memory-{}-{number}", std::process::id());
    let place = std::env::temp_dir().join(name);
    let mut written = File::options().write(true).create_new(true).open(&place)?;
    let read = File::open(&place);
    std::fs::remove_file(&place)?;
    written.write_all(bytes)?;
    Ok((written, read?))
}

#[cfg(test)]
mod tests;
