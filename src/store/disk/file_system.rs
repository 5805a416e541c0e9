//! The file system as the data folder needs it: the operations of a [`Disk`], and how files are
//! created, replaced and removed by them.

use std::collections::BTreeSet;
use std::fs::File;
use std::io;
use std::ops::Deref;
use std::path::Path;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, SystemTime};

use crate::model::problem::{Problem, ProblemKind};
use crate::stdx::checksum::{Checksum, ChecksumBuilder};
use crate::store::disk::file_effect::{FileEffect, ShareError};
use crate::store::error::StoreError;
use crate::store::layout;

/// The maximum size of a JSON file.
pub const FILE_BYTES_MAX: u64 = 8 * 1024 * 1024;

/// The metadata that together tell whether a file may have changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Stat {
    /// The inode, which differs after another file is renamed onto the name.
    pub inode: u64,
    /// The size in bytes.
    pub size: u64,
    /// The time of the last change of the bytes, in nanoseconds since 1970.
    pub modified_ns: i64,
    /// The time of the last change of bytes, name or permissions, in nanoseconds since 1970; 0 if
    /// unknown.
    pub changed_ns: i64,
}

/// An inode that no file has.
const UNPLACED_INODE: u64 = u64::MAX;

impl Stat {
    /// Returns true if a file found later is the one with this stat and has the same bytes. It may
    /// have been renamed.
    pub fn has_same_bytes(&self, found: &Stat) -> bool {
        Stat { changed_ns: 0, ..*self } == Stat { changed_ns: 0, ..*found }
    }

    /// Returns the stat of a file that is not on the disk yet: a new replica reads files before it
    /// writes them.
    pub fn unplaced(size: u64, modified_ns: i64) -> Stat {
        Stat { inode: UNPLACED_INODE, size, modified_ns, changed_ns: 0 }
    }

    /// Returns true if the file is not on the disk yet.
    pub fn is_unplaced(&self) -> bool {
        self.inode == UNPLACED_INODE
    }

    /// Returns the stat without the change time, for a file that is renamed before it is checked.
    pub fn without_change_time(self) -> Stat {
        Stat { changed_ns: 0, ..self }
    }

    /// Returns true if a file is unchanged since it had this stat.
    pub fn is_unchanged(&self, found: &Stat) -> bool {
        found == self || self.changed_ns == 0 && self.has_same_bytes(found)
    }

    /// Returns a checksum that differs whenever the file may have changed.
    pub fn compute_sum(&self) -> Checksum {
        let mut summer = ChecksumBuilder::new();
        summer.add_number(self.inode).add_number(self.size);
        summer
            .add_number(self.modified_ns.cast_unsigned())
            .add_number(self.changed_ns.cast_unsigned());
        summer.finish()
    }
}

/// The type of a directory entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A regular file.
    File,
    /// A directory.
    Folder,
    /// A symbolic link, regardless of its target.
    Link,
    /// A pipe, a socket or a device.
    Other,
}

/// The result of a lookup that does not follow links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StatResult {
    /// The type.
    pub kind: FileKind,
    /// The permission bits; 0 if there are none.
    pub mode: u32,
    /// The stat.
    pub stat: Stat,
}

/// An item of a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FolderItem {
    /// The name without the folder.
    pub name: String,
    /// The type.
    pub kind: FileKind,
    /// The stat.
    pub stat: Stat,
}

/// The content of a folder.
#[derive(Clone, Debug, Default)]
pub struct Listing {
    /// The inode of the folder, which differs after it was removed and created again.
    pub inode: u64,
    /// The items, sorted by name.
    pub items: Vec<FolderItem>,
    /// The names that are not UTF-8, in a lossy form.
    pub garbled: Vec<String>,
    /// True if a name has a capital or a letter beyond ASCII: names may differ only in case then.
    pub has_capitals: bool,
}

/// Returns true if a name may differ from another one only in case: it has a capital, or a letter
/// beyond ASCII.
pub(crate) fn has_capital(name: &str) -> bool {
    !name.bytes().all(|it| it.is_ascii() && !it.is_ascii_uppercase())
}

/// The reason why a file was not read.
#[derive(Debug)]
pub enum ReadError {
    /// The file does not exist.
    Missing,
    /// The path is not a regular file but `a directory`, `a symbolic link`…
    NotAFile(&'static str),
    /// The file exceeds the limit and has this many bytes.
    TooLarge(u64),
    /// The system returned an error.
    Unreadable(io::Error),
}

impl ReadError {
    /// Converts the error into a problem of the file.
    pub fn to_problem(&self, path: &str) -> Problem {
        let (kind, message) = match self {
            ReadError::Missing => (ProblemKind::Unreadable, "The file is gone.".to_string()),
            ReadError::NotAFile(what) => {
                (ProblemKind::NotAFile, format!("This is {what}, not a file."))
            }
            ReadError::TooLarge(size) => {
                let most = FILE_BYTES_MAX / 1024 / 1024;
                let message = format!("The file has more than {most} MiB: {size} bytes.");
                (ProblemKind::TooLarge, message)
            }
            ReadError::Unreadable(error) => {
                (ProblemKind::Unreadable, format!("The file cannot be read: {error}."))
            }
        };
        Problem::new(kind, path, message)
    }
}

impl ReadError {
    /// Converts the error into one of the system.
    pub fn into_io(self) -> io::Error {
        match self {
            ReadError::Unreadable(error) => error,
            ReadError::Missing => io::ErrorKind::NotFound.into(),
            ReadError::NotAFile(_) | ReadError::TooLarge(_) => io::ErrorKind::InvalidData.into(),
        }
    }

    /// Returns true if the error says nothing about the file: see [`is_transient`].
    pub fn is_transient(&self) -> bool {
        matches!(self, ReadError::Unreadable(error) if is_transient(error))
    }
}

/// Returns the time that is so many nanoseconds after 1970.
pub(super) fn to_system_time(nanoseconds: i64) -> SystemTime {
    SystemTime::UNIX_EPOCH + Duration::from_nanos(u64::try_from(nanoseconds).unwrap_or_default())
}

/// Returns true if an error says nothing about the file, so that another try may succeed: too many
/// open files, or a failing disk. A missing file or missing permissions are facts about the file.
pub fn is_transient(error: &io::Error) -> bool {
    !is_absence(error) && error.kind() != io::ErrorKind::PermissionDenied
}

/// Returns true if the process or the machine has run out of a resource.
#[cfg(unix)]
pub(crate) fn is_exhaustion(error: &io::Error) -> bool {
    use rustix::io::Errno;
    let known = [Errno::MFILE, Errno::NFILE, Errno::NOMEM].map(Errno::raw_os_error);
    error.raw_os_error().is_some_and(|it| known.contains(&it))
}

/// Returns true if the process or the machine has run out of a resource.
#[cfg(not(unix))]
pub(crate) fn is_exhaustion(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::OutOfMemory
}

/// Returns true if a file or folder does not exist, or no longer.
pub(crate) fn is_absence(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) || is_link(error)
}

/// Returns true if the path contains a symbolic link, which is not followed and counts as missing.
#[cfg(unix)]
pub(super) fn is_link(error: &io::Error) -> bool {
    error.raw_os_error() == Some(rustix::io::Errno::LOOP.raw_os_error())
}

/// Returns true if the path contains a symbolic link, which is not followed and counts as missing.
#[cfg(not(unix))]
pub(super) fn is_link(_error: &io::Error) -> bool {
    false
}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> ReadError {
        match error.kind() {
            io::ErrorKind::NotFound => ReadError::Missing,
            _ => ReadError::Unreadable(error),
        }
    }
}

/// The number of files from which one sync of the whole disk is faster than one per file.
const SYNC_ALL_FILES_MIN: usize = 6;

/// Primitive operations beneath a data folder.
pub trait Disk: Send + Sync {
    /// Reads a regular file of at most [`FILE_BYTES_MAX`] bytes into `into`, which is cleared
    /// first. The stat is from before the first byte was read. Never blocks on a pipe.
    fn read(&self, path: &str, into: &mut Vec<u8>) -> Result<Stat, ReadError>;

    /// Opens a regular file of any size for reading.
    fn open(&self, path: &str) -> Result<(File, Stat), ReadError>;

    /// Returns the type and stat of `path`. The empty path is the data folder, looked up again by
    /// its name.
    fn stat(&self, path: &str) -> io::Result<StatResult>;

    /// Returns the content of a folder. The empty path is the data folder, looked up again by its
    /// name.
    fn list(&self, folder: &str) -> io::Result<Listing>;

    /// Writes a file that must not exist, and syncs its bytes.
    fn write_new(&self, path: &str, bytes: &[u8], mode: u32) -> io::Result<()>;

    /// Writes a file that must not exist, and returns its stat. Its bytes are durable after
    /// [`Disk::sync_file`] or [`Disk::sync_all`].
    fn write_unsynced(&self, path: &str, bytes: &[u8], mode: u32) -> io::Result<Stat>;

    /// Sets the time of the last change of a file, in nanoseconds since 1970.
    fn set_modified(&self, path: &str, modified_ns: i64) -> io::Result<()> {
        let (file, _) = self.open(path).map_err(ReadError::into_io)?;
        file.set_modified(to_system_time(modified_ns))
    }

    /// Makes the bytes of a file durable.
    fn sync_file(&self, path: &str) -> io::Result<()>;

    /// Appends to a file, which is created if needed. Nothing is synced.
    fn append(&self, path: &str, bytes: &[u8], mode: u32) -> io::Result<()>;

    /// Creates an empty file that must not exist and opens it for writing, with permissions for its
    /// owner only.
    fn create(&self, path: &str) -> io::Result<File>;

    /// Moves a file to another name, replacing an existing file.
    fn rename(&self, from: &str, to: &str) -> io::Result<()>;

    /// Moves a file to a name that must be free.
    fn rename_new(&self, from: &str, to: &str) -> io::Result<()>;

    /// Swaps two files in one step; both names exist at any time. Not supported on every system:
    /// see `cannot_exchange`.
    fn exchange(&self, _one: &str, _other: &str) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Gives a file a second name, which must be free.
    fn link(&self, from: &str, to: &str) -> io::Result<()>;

    /// Removes a file.
    fn remove(&self, path: &str) -> io::Result<()>;

    /// Creates a folder.
    fn make_folder(&self, folder: &str, mode: u32) -> io::Result<()>;

    /// Removes an empty folder.
    fn remove_folder(&self, folder: &str) -> io::Result<()>;

    /// Makes changes of the names in a folder durable.
    fn sync_folder(&self, folder: &str) -> io::Result<()>;

    /// Makes all previous writes durable.
    fn sync_all(&self) -> io::Result<()>;

    /// Returns a view of this disk for one batch of changes, which keeps its folders open and may
    /// go on with those of the batch before. `None` if there is no such view; then [`BatchDisk`]
    /// uses the disk itself.
    fn begin_batch(&self) -> Option<Box<dyn Disk + '_>> {
        None
    }

    /// Returns a view of this disk like [`Disk::begin_batch`], which opens its folders anew.
    fn begin_look(&self) -> Option<Box<dyn Disk + '_>> {
        None
    }

    /// Returns true if there is a folder at this path and, in a batch, keeps it open. An error may
    /// say that there is nothing.
    fn find_folder(&self, folder: &str) -> io::Result<bool> {
        Ok(self.stat(folder)?.kind == FileKind::Folder)
    }

    /// Returns false if the path of a folder no longer names the one that the batch keeps open.
    fn is_current(&self, _folder: &str) -> io::Result<bool> {
        Ok(true)
    }

    /// Returns the folder for unfinished files that will be moved to `path`: if possible one on the
    /// same file system.
    fn unfinished_folder(&self, _path: &str) -> &'static str {
        layout::TMP
    }

    /// Returns true if other servers share the content. Then they are told of every change first.
    fn is_shared(&self) -> bool {
        false
    }

    /// Says that these files are read next, each once, so that a shared disk can fetch them
    /// together.
    fn read_ahead(&self, _paths: &[String]) {}

    /// Stores the content of an unfinished file where other servers find it, if it is large and
    /// there are any: the change that moves the file to its place has little left to do then.
    fn share_content(&self, _path: &str) -> Result<(), StoreError> {
        Ok(())
    }

    /// Makes a change known to the other servers that share the content, if there are any, before
    /// any of it is visible here. Only the files that they share are looked at.
    fn share(&self, _effects: &[FileEffect]) -> Result<(), ShareError> {
        Ok(())
    }

    /// Brings the files here in line with what was shared, after a shared change could not be made
    /// here: what others see counts.
    fn restore_shared(&self) -> Result<(), StoreError> {
        Ok(())
    }

    /// Returns the free space in bytes, if known.
    fn free_bytes(&self) -> io::Result<u64> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Makes the bytes of files and the names in folders durable, in any order.
    fn sync_together(&self, files: &[String], folders: &[String]) -> io::Result<()> {
        if files.len() >= SYNC_ALL_FILES_MIN {
            match self.sync_all() {
                Err(error) if error.kind() == io::ErrorKind::Unsupported => {}
                synced => return synced,
            }
        }
        files.iter().try_for_each(|it| self.sync_file(it))?;
        folders.iter().try_for_each(|it| self.sync_folder(it))
    }
}

/// A disk for one batch of changes, which keeps the folders open that it needs. Batches are short
/// and wait for nobody: a folder that takes the place of an open one is noticed at their end.
pub struct BatchDisk<'a> {
    disk: &'a dyn Disk,
    view: Option<Box<dyn Disk + 'a>>,
}

impl<'a> BatchDisk<'a> {
    /// Begins a batch on a disk.
    pub fn begin(disk: &'a dyn Disk) -> BatchDisk<'a> {
        BatchDisk { disk, view: disk.begin_batch() }
    }

    /// Begins a look at a disk, which finds the folders that the paths name now.
    pub fn begin_look(disk: &'a dyn Disk) -> BatchDisk<'a> {
        BatchDisk { disk, view: disk.begin_look() }
    }
}

impl<'a> Deref for BatchDisk<'a> {
    type Target = dyn Disk + 'a;

    fn deref(&self) -> &(dyn Disk + 'a) {
        self.view.as_deref().unwrap_or(self.disk)
    }
}

/// Returns true if [`Disk::exchange`] failed because it is not supported here.
pub(crate) fn cannot_exchange(error: &io::Error) -> bool {
    use io::ErrorKind::{CrossesDevices, InvalidInput, Unsupported};
    matches!(error.kind(), Unsupported | InvalidInput | CrossesDevices)
}

/// Writes a file atomically, replacing an existing one and keeping its permissions. Once this
/// returns, the new bytes survive a power failure; until then the old ones do.
pub fn replace_file(disk: &dyn Disk, path: &str, bytes: &[u8]) -> Result<Stat, StoreError> {
    let old = disk.stat(path).ok().filter(|found| found.kind == FileKind::File);
    let mode = old.map_or_else(|| default_mode(path), |found| found.mode);
    write_atomically(disk, path, bytes, FileWrite { mode, is_new: false, modified_ns: None })
}

/// Like [`replace_file`], and keeps the time of the last change that the file has: readers see it
/// as the date of an entry without one.
pub fn rewrite_file(disk: &dyn Disk, path: &str, bytes: &[u8]) -> Result<Stat, StoreError> {
    let old = disk.stat(path).map_err(StoreError::io("look at", path))?;
    let modified_ns = Some(old.stat.modified_ns);
    write_atomically(disk, path, bytes, FileWrite { mode: old.mode, is_new: false, modified_ns })
}

/// Writes a file that must not exist: of two concurrent callers one gets
/// [`io::ErrorKind::AlreadyExists`].
pub fn create_file(disk: &dyn Disk, path: &str, bytes: &[u8]) -> Result<Stat, StoreError> {
    let mode = default_mode(path);
    write_atomically(disk, path, bytes, FileWrite { mode, is_new: true, modified_ns: None })
}

/// Removes a file durably.
pub fn remove_file(disk: &dyn Disk, path: &str) -> Result<(), StoreError> {
    let effect = FileEffect::Remove { path: path.to_string() };
    share_first(disk, &[effect], || {
        disk.remove(path).map_err(StoreError::io("remove", path))?;
        sync_parent(disk, path)
    })
}

/// Removes files, one after the other. Nothing is synced: what is back after a power failure is
/// removed again.
pub(crate) fn remove_files(disk: &dyn Disk, paths: &[String]) -> Result<(), StoreError> {
    if paths.is_empty() {
        return Ok(());
    }
    let effect = |path: &String| FileEffect::Remove { path: path.clone() };
    let effects: Vec<FileEffect> = paths.iter().map(effect).collect();
    let remove = |path: &String| disk.remove(path).map_err(StoreError::io("remove", path.as_str()));
    share_first(disk, &effects, || paths.iter().try_for_each(remove))
}

/// Makes a change that other servers are told of first, if there are any. If it cannot be made here
/// then, the files here are brought in line with what the others see.
pub(crate) fn share_first(
    disk: &dyn Disk,
    effects: &[FileEffect],
    make: impl FnOnce() -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    disk.share(effects).map_err(ShareError::into_store_error)?;
    make().or_else(|error| if disk.is_shared() { disk.restore_shared() } else { Err(error) })
}

/// Creates a folder and its parents if they do not exist.
pub fn make_folders(disk: &dyn Disk, folder: &str) -> Result<(), StoreError> {
    let mut changed = BTreeSet::new();
    let made = make_folders_unsynced(disk, folder, &mut changed);
    for folder in changed {
        disk.sync_folder(&folder).map_err(StoreError::io("sync", folder))?;
    }
    made
}

/// Like [`make_folders`], but adds the folders that must be synced to `changed`.
pub(crate) fn make_folders_unsynced(
    disk: &dyn Disk,
    folder: &str,
    changed: &mut BTreeSet<String>,
) -> Result<(), StoreError> {
    if folder.is_empty() || disk.find_folder(folder).unwrap_or(false) {
        return Ok(());
    }
    make_folders_unsynced(disk, parent_folder(folder), changed)?;
    let mode = if layout::is_private(folder) { 0o700 } else { 0o750 };
    match disk.make_folder(folder, mode) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        Err(error) => return Err(StoreError::io("make", folder)(error)),
        Ok(()) => _ = changed.insert(parent_folder(folder).to_string()),
    }
    Ok(())
}

/// Creates a folder that only Recto can read, before there is a [`Disk`].
pub(crate) fn make_private_folder(path: &Path) -> io::Result<()> {
    let mut builder = private_folder_builder();
    builder.recursive(true).create(path)
}

/// Makes a folder that only its owner may look into, unless it is there. Fails if the folder around
/// it is missing: one that is away for a moment is not made anew.
pub(crate) fn make_private_folder_within(path: &Path) -> io::Result<()> {
    match private_folder_builder().create(path) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
        made => made,
    }
}

fn private_folder_builder() -> std::fs::DirBuilder {
    #[cfg_attr(not(unix), expect(unused_mut, reason = "only unix has modes"))]
    let mut builder = std::fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder
}

/// The way in which a file is written.
#[derive(Clone, Copy)]
struct FileWrite {
    mode: u32,
    /// True if the file must not exist.
    is_new: bool,
    /// The time of the last change; that of the writing unless given.
    modified_ns: Option<i64>,
}

fn write_atomically(
    disk: &dyn Disk,
    path: &str,
    bytes: &[u8],
    write: FileWrite,
) -> Result<Stat, StoreError> {
    make_folders(disk, parent_folder(path))?;
    make_folders(disk, disk.unfinished_folder(path))?;
    let place = |unfinished: &str| write_and_move(disk, path, unfinished, bytes, write);
    match place(&unfinished_path(disk, path)) {
        Err(error) if error.io_kind() == Some(io::ErrorKind::CrossesDevices) => {
            place(&unfinished_beside(path))?;
        }
        placed => placed?,
    }
    sync_parent(disk, path)?;
    Ok(disk.stat(path).map_err(StoreError::io("look at", path))?.stat)
}

fn write_and_move(
    disk: &dyn Disk,
    path: &str,
    unfinished: &str,
    bytes: &[u8],
    FileWrite { mode, is_new, modified_ns }: FileWrite,
) -> Result<(), StoreError> {
    let failed = || StoreError::io("write", path);
    let effect = FileEffect::Put { path: path.to_string(), from: unfinished.to_string(), is_new };
    let rename = if is_new { Disk::rename_new } else { Disk::rename };
    let date = || match modified_ns {
        Some(at) => disk.set_modified(unfinished, at).and_then(|()| disk.sync_file(unfinished)),
        None => Ok(()),
    };
    let written = disk.write_new(unfinished, bytes, mode).and_then(|()| date());
    let done = written.map_err(failed()).and_then(|()| {
        share_first(disk, &[effect], || rename(disk, unfinished, path).map_err(failed()))
    });
    if done.is_err() {
        // The remaining file is garbage in the folder of unfinished files; the first error is the
        // one to report.
        let _ = disk.remove(unfinished);
    }
    done
}

/// Returns a unique name for an unfinished file that will be moved to `path`.
pub(crate) fn unfinished_path(disk: &dyn Disk, path: &str) -> String {
    unfinished_in(disk.unfinished_folder(path))
}

/// Returns a unique name in one of the [`unfinished_folders`].
pub(crate) fn unfinished_in(folder: &str) -> String {
    let (process, number) = unique_numbers();
    layout::unfinished_file(folder, process, number)
}

/// Returns a unique name in the folder of `path`, for use if the usual folder is on another file
/// system.
pub(crate) fn unfinished_beside(path: &str) -> String {
    let (process, number) = unique_numbers();
    layout::unfinished_beside(path, process, number)
}

/// Returns numbers that no other caller has: not in this process, not in a concurrent one, and not
/// in one that left a file behind. In containers all processes may have the same id.
fn unique_numbers() -> (u32, u64) {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    static PROCESS: LazyLock<u32> =
        LazyLock::new(|| getrandom::u32().unwrap_or(0) ^ std::process::id());
    (*PROCESS, NEXT.fetch_add(1, Ordering::Relaxed))
}

pub(crate) fn sync_parent(disk: &dyn Disk, path: &str) -> Result<(), StoreError> {
    let folder = parent_folder(path);
    disk.sync_folder(folder).map_err(StoreError::io("sync", folder))
}

/// Removes the unfinished files of dead processes: all that have not been touched for so long.
/// Called by the holder of the instance lock.
pub(crate) fn clear_unfinished(disk: &dyn Disk, now_ns: i64, age: Duration) {
    let age_ns = i64::try_from(age.as_nanos()).unwrap_or(i64::MAX);
    let old = |it: &&FolderItem| now_ns.saturating_sub(it.stat.modified_ns) > age_ns;
    for folder in unfinished_folders(disk) {
        let Ok(listing) = disk.list(folder) else { continue };
        for item in listing.items.iter().filter(|it| it.kind == FileKind::File).filter(old) {
            // The file is garbage in the folder of unfinished files.
            let _ = disk.remove(&format!("{folder}/{}", item.name));
        }
    }
}

/// Returns all folders for unfinished files.
pub(crate) fn unfinished_folders(disk: &dyn Disk) -> BTreeSet<&'static str> {
    [layout::WORKSPACES, layout::SYSTEM].map(|it| disk.unfinished_folder(it)).into()
}

/// Returns the permission bits of a new file.
pub(crate) fn default_mode(path: &str) -> u32 {
    if layout::is_private(path) { 0o600 } else { 0o640 }
}

/// Returns the parent folder of a path.
pub fn parent_folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::store::disk::OsDisk;

    /// Runs a check on both disks.
    fn on_disks(check: impl Fn(&dyn Disk, &std::path::Path)) {
        let data = tempfile::tempdir().unwrap();
        check(&OsDisk::open(data.path()).unwrap(), data.path());
        let data = tempfile::tempdir().unwrap();
        check(&crate::store::disk::portable::OsDisk::open(data.path()).unwrap(), data.path());
    }

    #[test]
    fn unfinished_files_go_by_their_age() {
        on_disks(|disk, root| {
            let folder = root.join(layout::TMP);
            fs::create_dir_all(folder.join("folder")).unwrap();
            let now = SystemTime::now();
            for (name, age) in [("1-1.tmp", 100), ("1-2.tmp", 100_000)] {
                let file = fs::File::create(folder.join(name)).unwrap();
                file.set_modified(now - Duration::from_secs(age)).unwrap();
            }
            let now_ns = now.duration_since(SystemTime::UNIX_EPOCH).unwrap().as_nanos();
            let now_ns = i64::try_from(now_ns).unwrap();
            let check = |age: u64, expect: &[&str]| {
                clear_unfinished(disk, now_ns, Duration::from_secs(age));
                let names = fs::read_dir(&folder).unwrap().map(|it| it.unwrap().file_name());
                let mut names: Vec<String> = names.map(|it| it.into_string().unwrap()).collect();
                names.sort();
                assert_eq!(names, expect, "{age}");
            };
            check(200_000, &["1-1.tmp", "1-2.tmp", "folder"]);
            check(86_400, &["1-1.tmp", "folder"]);
            check(60, &["folder"]);
        });
    }

    fn show(read: Result<Stat, ReadError>, bytes: &[u8]) -> String {
        match read {
            Ok(_) => String::from_utf8_lossy(bytes).into_owned(),
            Err(ReadError::Missing) => "missing".to_string(),
            Err(error) => error.to_problem("x").kind.to_string(),
        }
    }

    #[test]
    fn reads_files_and_nothing_else() {
        on_disks(|disk, root| {
            fs::create_dir_all(root.join("a/b")).unwrap();
            fs::write(root.join("a/b/file"), "text").unwrap();
            fs::write(root.join("a/large"), vec![b'x'; FILE_BYTES_MAX as usize + 1]).unwrap();
            fs::write(root.join("a/most"), vec![b'x'; FILE_BYTES_MAX as usize]).unwrap();
            fs::write(root.join("a/empty"), "").unwrap();
            let mut bytes = Vec::new();
            let mut check = |path: &str, expect: &str| {
                let read = disk.read(path, &mut bytes);
                assert_eq!(show(read, &bytes), expect, "{path}");
            };
            check("a/b/file", "text");
            check("a/empty", "");
            check("a/b", "not_a_file");
            check("a/missing", "missing");
            check("missing/file", "missing");
            check("a/large", "too_large");
            assert_eq!(disk.read("a/most", &mut bytes).unwrap().size, FILE_BYTES_MAX);
            assert_eq!(bytes.len() as u64, FILE_BYTES_MAX);
        });
    }

    #[cfg(unix)]
    #[test]
    fn never_leaves_the_folder_and_never_waits() {
        use std::os::unix::fs::symlink;
        let outside = tempfile::tempdir().unwrap();
        fs::write(outside.path().join("secret"), "secret").unwrap();
        on_disks(|disk, root| {
            fs::create_dir(root.join("a")).unwrap();
            fs::write(root.join("a/file"), "text").unwrap();
            symlink(outside.path().join("secret"), root.join("a/out")).unwrap();
            symlink("file", root.join("a/in")).unwrap();
            symlink(outside.path(), root.join("folder")).unwrap();
            rustix::fs::mknodat(
                rustix::fs::CWD,
                root.join("a/pipe"),
                rustix::fs::FileType::Fifo,
                rustix::fs::Mode::RUSR,
                0,
            )
            .unwrap();
            let _socket = std::os::unix::net::UnixListener::bind(root.join("a/socket")).unwrap();
            let mut bytes = Vec::new();
            for path in ["a/out", "a/in", "a/pipe", "a/socket"] {
                assert_eq!(show(disk.read(path, &mut bytes), &bytes), "not_a_file", "{path}");
            }
            for path in ["folder/secret", "../x", "a/../a/out", "/etc/hostname", "a/./out"] {
                assert!(disk.read(path, &mut bytes).is_err(), "{path}");
                assert!(disk.write_new(path, b"", 0o600).is_err(), "{path}");
            }
            assert!(disk.write_new("folder/new", b"", 0o600).is_err());
            assert!(disk.list("folder").is_err());
            assert_eq!(disk.stat("a/in").unwrap().kind, FileKind::Link);
            assert_eq!(disk.stat("a/pipe").unwrap().kind, FileKind::Other);
        });
        assert_eq!(fs::read_dir(outside.path()).unwrap().count(), 1);
    }

    #[test]
    fn lists_names_in_order() {
        on_disks(|disk, root| {
            for n in 0..3_000 {
                fs::write(root.join(format!("{n:04}")), n.to_string()).unwrap();
            }
            fs::create_dir(root.join("below")).unwrap();
            let listing = disk.list("").unwrap();
            assert_eq!(listing.items.len(), 3_001);
            assert!(listing.items.is_sorted_by(|one, other| one.name < other.name));
            let item = &listing.items[12];
            let found = disk.stat("0012").unwrap();
            assert_eq!((&*item.name, item.kind, item.stat), ("0012", FileKind::File, found.stat));
            assert_eq!(listing.items[3_000].kind, FileKind::Folder);
            assert!(disk.list("below").unwrap().items.is_empty());
            assert_eq!(disk.list("gone").unwrap_err().kind(), io::ErrorKind::NotFound);
        });
    }

    #[test]
    fn creates_once_and_replaces_ever_after() {
        on_disks(|disk, root| {
            let path = "system/tokens/a.json";
            create_file(disk, path, b"one").unwrap();
            let again = create_file(disk, path, b"two").unwrap_err();
            assert_eq!(again.io_kind(), Some(io::ErrorKind::AlreadyExists));
            assert_eq!(fs::read(root.join(path)).unwrap(), b"one");
            let stat = replace_file(disk, path, b"three").unwrap();
            assert_eq!(stat, disk.stat(path).unwrap().stat);
            assert_eq!(fs::read(root.join(path)).unwrap(), b"three");
            remove_file(disk, path).unwrap();
            assert!(!root.join(path).exists());
            assert_eq!(fs::read_dir(root.join(layout::TMP)).unwrap().count(), 0);
        });
    }

    #[test]
    fn of_two_that_create_one_wins() {
        on_disks(|disk, _| {
            let wins: usize = std::thread::scope(|scope| {
                let create = |_| scope.spawn(|| create_file(disk, "a/b", b"x").is_ok());
                let tries: Vec<_> = (0..8).map(create).collect();
                tries.into_iter().map(|it| usize::from(it.join().unwrap())).sum()
            });
            assert_eq!(wins, 1);
        });
    }

    #[cfg(unix)]
    #[test]
    fn permissions_are_kept_and_secrets_private() {
        use std::os::unix::fs::PermissionsExt;
        let data = tempfile::tempdir().unwrap();
        let disk = OsDisk::open(data.path()).unwrap();
        let mode = |path: &str| disk.stat(path).unwrap().mode;
        create_file(&disk, "system/tokens/a.json", b"").unwrap();
        assert_eq!((mode("system"), mode("system/tokens/a.json")), (0o700, 0o600));
        create_file(&disk, "workspaces/a.json", b"").unwrap();
        assert_eq!((mode("workspaces"), mode("workspaces/a.json")), (0o750, 0o640));
        let place = data.path().join("workspaces/a.json");
        fs::set_permissions(place, fs::Permissions::from_mode(0o664)).unwrap();
        replace_file(&disk, "workspaces/a.json", b"{}").unwrap();
        assert_eq!(mode("workspaces/a.json"), 0o664);
        // The replaced item may also be a link.
        std::os::unix::fs::symlink("a.json", data.path().join("workspaces/b.json")).unwrap();
        replace_file(&disk, "workspaces/b.json", b"{}").unwrap();
        assert_eq!(mode("workspaces/b.json"), 0o640);
    }

    #[test]
    fn a_data_folder_made_anew_is_found_again() {
        let data = tempfile::tempdir().unwrap();
        let root = data.path().join("data");
        fs::create_dir(&root).unwrap();
        let disk = OsDisk::open(&root).unwrap();
        fs::rename(&root, data.path().join("old")).unwrap();
        assert!(disk.stat("").is_err());
        fs::create_dir(&root).unwrap();
        fs::write(root.join("file"), "new").unwrap();
        assert!(disk.stat("").is_ok());
        let mut bytes = Vec::new();
        disk.read("file", &mut bytes).unwrap();
        assert_eq!(bytes, b"new");
    }
}
