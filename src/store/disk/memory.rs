//! A disk in memory that can be stopped at any step, made to fail at any call, and that forgets in
//! a crash what a real one may forget.
//!
//! What survives a crash is what was synced, and any part of the rest:
//! - The bytes of a file last once the file is synced. Until then a crash may leave any beginning
//!   of them, none, or zeros in their place.
//! - What happened to a name in a folder lasts once the folder is synced. Until then a crash may
//!   undo it, whatever else it undoes, in this folder or in others: only changes of the same name
//!   stay in order, and a folder goes after what was in it. A rename within one folder survives
//!   whole or not at all. After one from a folder to another the file may be found under both
//!   names until the folder it left is synced, as on btrfs, but never under neither. A new folder
//!   is a name in the one above it.
//! - A sync that failed has lost the bytes: a later one does not bring them back.
//!
//! Every change and every sync is a *step*; the machine can stop before each of them. A file
//! written and synced in one call takes two. Numbers begin at 0.

mod control;
mod image;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

pub use crate::store::disk::memory::control::{Call, Verb};
use crate::store::disk::memory::control::{Control, Verdict};
use crate::store::disk::memory::image::Image;
pub use crate::store::disk::memory::image::Survival;
use crate::store::disk::{Disk, FILE_BYTES_MAX, Found, Listing, ReadError, Stat};

/// A data folder in memory.
#[derive(Debug, Default)]
pub struct MemDisk {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    image: Image,
    control: Control,
}

/// What there is in a folder and all folders below it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Tree {
    /// The bytes of files by path.
    pub files: BTreeMap<String, Vec<u8>>,
    /// The paths of folders.
    pub folders: BTreeSet<String>,
}

impl MemDisk {
    /// An empty data folder.
    pub fn new() -> MemDisk {
        MemDisk::default()
    }

    /// A data folder with these files, all of them durable.
    pub fn with<P: AsRef<str>, B: AsRef<[u8]>>(files: impl IntoIterator<Item = (P, B)>) -> MemDisk {
        let mut image = Image::default();
        for (path, bytes) in files {
            image.put(path.as_ref(), Some(bytes.as_ref()));
        }
        image.sync_all();
        MemDisk::from(image)
    }

    /// The same bytes and names on a disk that was never written to, with nothing left to sync.
    pub fn copy(&self) -> MemDisk {
        self.crash(Survival::Everything)
    }

    /// What the disk may be found as once the power is back.
    pub fn crash(&self, survival: Survival) -> MemDisk {
        MemDisk::from(self.state().image.crash(survival))
    }

    /// The different disks that may be found, `most` at most: nothing that was not synced
    /// survived, all of it did, and mixtures of both.
    pub fn crashes(&self, most: usize) -> Vec<MemDisk> {
        let survivals = [Survival::Nothing, Survival::Everything].into_iter();
        let mixtures = (0..most as u64 * 2).map(Survival::Mixture);
        let state = self.state();
        let mut seen = BTreeSet::new();
        let mut found = Vec::new();
        for survival in survivals.chain(mixtures) {
            let image = state.image.crash(survival);
            if found.len() < most && seen.insert(image.sum()) {
                found.push(MemDisk::from(image));
            }
        }
        found
    }

    /// Everything that is there now, synced or not.
    pub fn tree(&self) -> Tree {
        self.state().image.tree()
    }

    /// The bytes of a file, if there is one.
    pub fn bytes(&self, path: &str) -> Option<Vec<u8>> {
        let state = self.state();
        let file = state.image.find(path).ok().and_then(|inode| state.image.file(inode));
        file.map(|it| it.bytes.clone())
    }

    /// How many names a file has; 0 when there is none.
    pub fn links(&self, path: &str) -> usize {
        let image = &self.state().image;
        image.find(path).map_or(0, |inode| image.links(inode))
    }

    /// Puts a file there as somebody else would, without being counted or failing; durable at once
    /// together with everything else.
    pub fn edit(&self, path: &str, bytes: &[u8]) {
        let mut state = self.state();
        state.image.put(path, Some(bytes));
        state.image.sync_all();
    }

    /// How many steps were taken: changes and syncs.
    pub fn steps(&self) -> u64 {
        self.state().control.steps()
    }

    /// How many calls of any kind were made.
    pub fn calls(&self) -> u64 {
        self.state().control.calls()
    }

    /// How many syncs were made, of files, folders and everything.
    pub fn syncs(&self) -> u64 {
        self.state().control.syncs()
    }

    /// Everything that was asked, in order.
    pub fn log(&self) -> Vec<Call> {
        self.state().control.log().to_vec()
    }

    /// The machine stops before step `number`: that one and every later call of any kind fails.
    pub fn stop_at(&self, number: u64) {
        self.state().control.stop_at(number);
    }

    /// Whether the machine has stopped.
    pub fn is_stopped(&self) -> bool {
        self.state().control.is_stopped()
    }

    /// Call `number` fails with an error of the system. A write that finds no room, or a bad
    /// place, leaves half of its bytes; of others nothing happens.
    pub fn fail_at(&self, number: u64, errno: i32) {
        self.state().control.fail(number..=number, errno);
    }

    /// Call `number` fails and all later ones, until [`MemDisk::heal`].
    pub fn fail_from(&self, number: u64, errno: i32) {
        self.state().control.fail(number..=u64::MAX, errno);
    }

    /// From now on there is no room: what needs some fails with this error (`ENOSPC`, `EDQUOT`)
    /// until [`MemDisk::heal`]. Moving and removing need none.
    pub fn fill(&self, errno: i32) {
        self.state().control.fill(errno);
    }

    /// Just before call `number` somebody else puts a file there, or removes it where there are no
    /// bytes. Calls that sync or write bytes are passed over.
    pub fn edit_at(&self, number: u64, path: &str, bytes: Option<&[u8]>) {
        self.state().control.edit_at(number, path, bytes);
    }

    /// Nothing fails from now on, and there is room.
    pub fn heal(&self) {
        self.state().control.heal();
    }

    /// Sync `number` says that it is done and does nothing.
    pub fn ignore_sync(&self, number: u64) {
        self.state().control.ignore_sync(number);
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A test that panicked holding it has failed already.
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.image.take_in();
        state
    }

    /// Asks whether a call may be made, and makes it.
    fn call<T>(
        &self,
        verb: Verb,
        path: &str,
        to: Option<&str>,
        make: impl FnOnce(&mut Image) -> io::Result<T>,
    ) -> io::Result<T> {
        let mut state = self.state();
        let edit = state.control.edit_due();
        state.control.enter(verb, path, to).map_err(io::Error::from)?;
        if let Some((path, bytes)) = edit {
            state.image.put(&path, bytes.as_deref());
        }
        make(&mut state.image)
    }

    fn sync(
        &self,
        verb: Verb,
        path: &str,
        sync: impl FnOnce(&mut Image) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut state = self.state();
        match state.control.enter(verb, path, None) {
            Ok(Verdict::Lie) => Ok(()),
            Ok(Verdict::Go) => sync(&mut state.image),
            Err(refused) => {
                if refused.loses_bytes() && verb == Verb::SyncFile {
                    state.image.lose(path);
                }
                Err(refused.into())
            }
        }
    }

    fn written(
        &self,
        verb: Verb,
        path: &str,
        bytes: &[u8],
        write: impl Fn(&mut Image, &[u8]) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut state = self.state();
        match state.control.enter(verb, path, None) {
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

impl From<Image> for MemDisk {
    fn from(image: Image) -> MemDisk {
        MemDisk { state: Mutex::new(State { image, control: Control::default() }) }
    }
}

impl Disk for MemDisk {
    fn read(&self, path: &str, into: &mut Vec<u8>) -> Result<Stat, ReadError> {
        let (bytes, stat) = self.file(Verb::Read, path)?;
        if stat.size > FILE_BYTES_MAX {
            return Err(ReadError::TooLarge(stat.size));
        }
        into.clear();
        into.extend_from_slice(&bytes);
        Ok(stat)
    }

    fn open(&self, path: &str) -> Result<(File, Stat), ReadError> {
        let (bytes, stat) = self.file(Verb::Open, path)?;
        Ok((nameless_file(&bytes)?.1, stat))
    }

    fn stat(&self, path: &str) -> io::Result<Found> {
        self.call(Verb::Stat, path, None, |image| image.stat(path))
    }

    fn list(&self, folder: &str) -> io::Result<Listing> {
        self.call(Verb::List, folder, None, |image| image.list(folder))
    }

    fn write_new(&self, path: &str, bytes: &[u8], mode: u32) -> io::Result<()> {
        self.write_unsynced(path, bytes, mode)?;
        self.sync_file(path)
    }

    fn write_unsynced(&self, path: &str, bytes: &[u8], mode: u32) -> io::Result<()> {
        self.written(Verb::Write, path, bytes, |image, bytes| image.write_new(path, bytes, mode))
    }

    fn append(&self, path: &str, bytes: &[u8], mode: u32) -> io::Result<()> {
        self.written(Verb::Append, path, bytes, |image, bytes| image.append(path, bytes, mode))
    }

    fn create(&self, path: &str) -> io::Result<File> {
        self.call(Verb::Write, path, None, |image| {
            let (written, read) = nameless_file(b"")?;
            image.write_new(path, b"", 0o600)?;
            image.fill_from(path, read)?;
            Ok(written)
        })
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        self.call(Verb::Rename, from, Some(to), |image| image.rename(from, to))
    }

    fn rename_new(&self, from: &str, to: &str) -> io::Result<()> {
        self.call(Verb::Rename, from, Some(to), |image| {
            image.expect_free(to)?;
            image.rename(from, to)
        })
    }

    fn exchange(&self, one: &str, other: &str) -> io::Result<()> {
        self.call(Verb::Exchange, one, Some(other), |image| image.exchange(one, other))
    }

    fn link(&self, from: &str, to: &str) -> io::Result<()> {
        self.call(Verb::Link, from, Some(to), |image| image.link(from, to))
    }

    fn remove(&self, path: &str) -> io::Result<()> {
        self.call(Verb::Remove, path, None, |image| image.remove(path))
    }

    fn make_folder(&self, folder: &str, mode: u32) -> io::Result<()> {
        self.call(Verb::MakeFolder, folder, None, |image| image.make_folder(folder, mode))
    }

    fn remove_folder(&self, folder: &str) -> io::Result<()> {
        self.call(Verb::RemoveFolder, folder, None, |image| image.remove_folder(folder))
    }

    fn sync_folder(&self, folder: &str) -> io::Result<()> {
        self.sync(Verb::SyncFolder, folder, |image| image.sync_folder(folder))
    }

    fn sync_file(&self, path: &str) -> io::Result<()> {
        self.sync(Verb::SyncFile, path, |image| image.sync_file(path))
    }

    fn sync_all(&self) -> io::Result<()> {
        self.sync(Verb::SyncAll, "", |image| {
            image.sync_all();
            Ok(())
        })
    }
}

impl MemDisk {
    fn file(&self, verb: Verb, path: &str) -> Result<(Vec<u8>, Stat), ReadError> {
        let found = self.call(verb, path, None, |image| {
            let inode = image.find(path)?;
            Ok(image.file(inode).map(|it| (it.bytes.clone(), image.stat_of(inode).stat)))
        });
        found?.ok_or(ReadError::NotAFile("a directory"))
    }
}

/// A file of the system with these bytes and no name, opened twice: to write on, and to read.
fn nameless_file(bytes: &[u8]) -> io::Result<(File, File)> {
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
