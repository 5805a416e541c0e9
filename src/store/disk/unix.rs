//! The disk of Unix systems: all paths are resolved relative to an open data folder, so that
//! neither `..` nor a symbolic link leads out of it.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use rustix::fs::{self, AtFlags, Dir, FileType, Mode, OFlags};
use rustix::io::Errno;

use crate::stdx::sync::RwLock;
use crate::store::data_folder::DataFolder;
use crate::store::disk::file_system::is_absence;
use crate::store::disk::file_system::{
    Disk, FILE_BYTES_MAX, FileKind, FolderItem, Listing, ReadError, Stat, StatResult,
};
use crate::store::error::StoreError;
use crate::store::layout;

/// The number of names in a listing for each thread that stats them.
const NAMES_PER_THREAD: usize = 1_024;

/// The maximum number of threads per listing: a cold disk is faster with many requests at once.
const STAT_THREADS_MAX: usize = 8;

/// The flags to open a folder in a path: without reading it, and without an event for the watcher,
/// which is this server itself.
#[cfg(target_os = "linux")]
const PASSING: OFlags = OFlags::PATH.union(OFlags::DIRECTORY);
#[cfg(not(target_os = "linux"))]
const PASSING: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY);

/// The maximum number of concurrent syncs.
const SYNC_THREADS_MAX: usize = 16;

/// The number of files and folders from which one sync of the whole file system is faster than one
/// for each. It also waits for the writes of other programs, so it is not used for fewer.
const SYNC_ALL_MIN: usize = 64;

/// A data folder on a real disk.
#[derive(Debug)]
pub struct OsDisk {
    data: BaseFolder,
    /// The state directory, if it is separate.
    state: Option<BaseFolder>,
}

/// A folder that paths are resolved from.
#[derive(Debug)]
struct BaseFolder {
    path: PathBuf,
    root: RwLock<Arc<FolderHandle>>,
}

#[derive(Debug)]
struct FolderHandle {
    folder: OwnedFd,
    /// Device and inode, which differ if another folder is mounted or created under the name.
    identity: (u64, u64),
}

impl OsDisk {
    /// Opens a data folder that contains its own state. The folder itself may be reached through
    /// symbolic links.
    pub fn open(path: &Path) -> io::Result<OsDisk> {
        Ok(OsDisk { data: BaseFolder::open(path)?, state: None })
    }

    /// Opens a data folder and its state directory, which must both exist.
    pub fn open_places(places: &DataFolder) -> Result<OsDisk, StoreError> {
        let open = |path: &Path| {
            BaseFolder::open(path).map_err(StoreError::io("open", path.display().to_string()))
        };
        Ok(OsDisk { data: open(places.root())?, state: places.state().map(open).transpose()? })
    }

    /// Returns the folder that a path is relative to.
    fn base_folder(&self, path: &str) -> &BaseFolder {
        self.state.as_ref().filter(|_| layout::is_state(path)).unwrap_or(&self.data)
    }

    /// Returns the open folder that a path is relative to. For top-level paths it is looked up
    /// again by its name.
    fn open_root(&self, path: &str) -> io::Result<Arc<FolderHandle>> {
        let top = self.base_folder(path);
        if path.contains('/') { Ok(top.current_root()) } else { top.reopen_root() }
    }

    fn open_folder(&self, folder: &str) -> io::Result<OwnedFd> {
        let root = self.open_root(folder)?;
        if folder.is_empty() {
            return root.folder.try_clone();
        }
        Ok(open_beneath(&root.folder, folder, OFlags::RDONLY | OFlags::DIRECTORY)?)
    }

    /// Creates a file with these bytes, which are not synced.
    fn write_file(&self, path: &str, bytes: &[u8], mode: u32) -> io::Result<File> {
        // Until the bytes are written, only the owner may open the file.
        let mut file = self.create(path)?;
        file.write_all(bytes)?;
        fs::fchmod(&file, Mode::from_raw_mode(mode as fs::RawMode))?;
        Ok(file)
    }

    /// Returns the open parent of `path` and the name in it.
    fn open_parent<'a>(&self, path: &'a str) -> io::Result<(OwnedFd, &'a str)> {
        let root = self.open_root(path)?;
        match path.rsplit_once('/') {
            Some((folder, name)) => Ok((open_beneath(&root.folder, folder, PASSING)?, name)),
            None => Ok((root.folder.try_clone()?, path)),
        }
    }

    /// Replaces the top-level items of the state in a listing by those of the state directory.
    fn merge_state(
        &self,
        mut items: Vec<FolderItem>,
        state: &BaseFolder,
    ) -> io::Result<Vec<FolderItem>> {
        items.retain(|it| !layout::is_state(&it.name));
        match state.reopen_root() {
            Ok(root) => {
                let mut tops = [layout::SYSTEM, layout::BACKUPS].map(name_item).into();
                stat_items(&root.folder, &mut tops)?;
                items.append(&mut tops);
            }
            Err(error) if is_absence(&error) => {}
            Err(error) => return Err(error),
        }
        items.sort_unstable_by(|one, other| one.name.cmp(&other.name));
        Ok(items)
    }
}

impl BaseFolder {
    fn open(path: &Path) -> io::Result<BaseFolder> {
        let root = RwLock::new(Arc::new(FolderHandle::open(path)?));
        Ok(BaseFolder { path: path.to_path_buf(), root })
    }

    fn current_root(&self) -> Arc<FolderHandle> {
        Arc::clone(&self.root.read())
    }

    /// Looks up the folder by its name again, since it may have been moved or remounted.
    fn reopen_root(&self) -> io::Result<Arc<FolderHandle>> {
        let found = fs::stat(&self.path)?;
        let known = self.current_root();
        if known.identity == folder_identity(&found) {
            return Ok(known);
        }
        let root = Arc::new(FolderHandle::open(&self.path)?);
        *self.root.write() = Arc::clone(&root);
        Ok(root)
    }
}

impl FolderHandle {
    fn open(path: &Path) -> io::Result<FolderHandle> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let folder = fs::open(path, flags, Mode::empty())?;
        let identity = folder_identity(&fs::fstat(&folder)?);
        Ok(FolderHandle { folder, identity })
    }
}

impl Disk for OsDisk {
    fn read(&self, path: &str, into: &mut Vec<u8>) -> Result<Stat, ReadError> {
        let (file, stat) = open_file(&self.base_folder(path).current_root().folder, path)?;
        if stat.size > FILE_BYTES_MAX {
            return Err(ReadError::TooLarge(stat.size));
        }
        read_all(&file, stat.size, into)?;
        Ok(stat)
    }

    fn open(&self, path: &str) -> Result<(File, Stat), ReadError> {
        let (file, stat) = open_file(&self.base_folder(path).current_root().folder, path)?;
        Ok((File::from(file), stat))
    }

    fn stat(&self, path: &str) -> io::Result<StatResult> {
        let found = if path.is_empty() {
            fs::fstat(&self.data.reopen_root()?.folder)?
        } else {
            let (folder, name) = self.open_parent(path)?;
            fs::statat(&folder, name, AtFlags::SYMLINK_NOFOLLOW)?
        };
        let mode = found.st_mode as u32 & 0o7777;
        Ok(StatResult { kind: to_kind(&found), mode, stat: to_stat(&found) })
    }

    fn list(&self, path: &str) -> io::Result<Listing> {
        let folder = self.open_folder(path)?;
        let inode = to_stat(&fs::fstat(&folder)?).inode;
        let mut items = Vec::new();
        let mut garbled = Vec::new();
        for entry in Dir::read_from(&folder)? {
            let entry = entry?;
            match entry.file_name().to_str() {
                Ok("." | "..") => {}
                Ok(name) => items.push(name_item(name)),
                Err(_) => garbled.push(entry.file_name().to_string_lossy().into_owned()),
            }
        }
        items.sort_unstable_by(|one, other| one.name.cmp(&other.name));
        stat_items(&folder, &mut items)?;
        if let Some(state) = self.state.as_ref().filter(|_| path.is_empty()) {
            items = self.merge_state(items, state)?;
        }
        Ok(Listing { inode, items, garbled })
    }

    fn write_new(&self, path: &str, bytes: &[u8], mode: u32) -> io::Result<()> {
        self.write_file(path, bytes, mode)?.sync_all()
    }

    fn write_unsynced(&self, path: &str, bytes: &[u8], mode: u32) -> io::Result<()> {
        self.write_file(path, bytes, mode).map(|_| ())
    }

    fn sync_file(&self, path: &str) -> io::Result<()> {
        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOFOLLOW;
        Ok(fs::fsync(open_beneath(&self.base_folder(path).current_root().folder, path, flags)?)?)
    }

    fn append(&self, path: &str, bytes: &[u8], mode: u32) -> io::Result<()> {
        let (folder, name) = self.open_parent(path)?;
        let flags = OFlags::WRONLY
            | OFlags::CREATE
            | OFlags::APPEND
            | OFlags::NOFOLLOW
            | OFlags::NONBLOCK
            | OFlags::CLOEXEC;
        let file = fs::openat(&folder, name, flags, Mode::from_raw_mode(mode as fs::RawMode))?;
        if to_kind(&fs::fstat(&file)?) != FileKind::File {
            return Err(io::Error::from(io::ErrorKind::InvalidInput));
        }
        File::from(file).write_all(bytes)
    }

    fn create(&self, path: &str) -> io::Result<File> {
        let (folder, name) = self.open_parent(path)?;
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
        Ok(File::from(fs::openat(&folder, name, flags, Mode::RUSR | Mode::WUSR)?))
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        let ((from_folder, from), (to_folder, to)) =
            (self.open_parent(from)?, self.open_parent(to)?);
        Ok(fs::renameat(&from_folder, from, &to_folder, to)?)
    }

    fn rename_new(&self, from: &str, to: &str) -> io::Result<()> {
        let (from_place, to_place) = (self.open_parent(from)?, self.open_parent(to)?);
        match rename_without_replacing(&from_place, &to_place) {
            // Some file systems do not support this. With two steps instead, a crash in between
            // leaves a second name among the unfinished files.
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {
                self.link(from, to)?;
                self.remove(from)
            }
            done => Ok(done?),
        }
    }

    fn exchange(&self, one: &str, other: &str) -> io::Result<()> {
        Ok(swap(&self.open_parent(one)?, &self.open_parent(other)?)?)
    }

    fn link(&self, from: &str, to: &str) -> io::Result<()> {
        let ((from_folder, from), (to_folder, to)) =
            (self.open_parent(from)?, self.open_parent(to)?);
        Ok(fs::linkat(&from_folder, from, &to_folder, to, AtFlags::empty())?)
    }

    fn remove(&self, path: &str) -> io::Result<()> {
        let (folder, name) = self.open_parent(path)?;
        Ok(fs::unlinkat(&folder, name, AtFlags::empty())?)
    }

    fn make_folder(&self, folder: &str, mode: u32) -> io::Result<()> {
        let (parent, name) = self.open_parent(folder)?;
        Ok(fs::mkdirat(&parent, name, Mode::from_raw_mode(mode as fs::RawMode))?)
    }

    fn remove_folder(&self, folder: &str) -> io::Result<()> {
        let (parent, name) = self.open_parent(folder)?;
        Ok(fs::unlinkat(&parent, name, AtFlags::REMOVEDIR)?)
    }

    fn sync_folder(&self, folder: &str) -> io::Result<()> {
        if let Some(state) = self.state.as_ref().filter(|_| folder.is_empty()) {
            fs::fsync(&state.current_root().folder)?;
        }
        Ok(fs::fsync(self.open_folder(folder)?)?)
    }

    fn unfinished_folder(&self, path: &str) -> &'static str {
        let is_elsewhere = self.state.is_some() && layout::is_state(path);
        if is_elsewhere { layout::STATE_TMP } else { layout::TMP }
    }

    fn free_bytes(&self) -> io::Result<u64> {
        let found = fs::fstatvfs(&self.data.current_root().folder)?;
        Ok(found.f_bavail.saturating_mul(found.f_frsize))
    }

    #[cfg(target_os = "linux")]
    fn sync_all(&self) -> io::Result<()> {
        if let Some(state) = &self.state {
            fs::syncfs(&state.current_root().folder)?;
        }
        Ok(fs::syncfs(&self.data.current_root().folder)?)
    }

    /// Runs the syncs concurrently, so that they share one commit of the file system's journal and
    /// one flush of the disk.
    fn sync_together(&self, files: &[String], folders: &[String]) -> io::Result<()> {
        let count = files.len() + folders.len();
        if count >= SYNC_ALL_MIN && cfg!(target_os = "linux") {
            return self.sync_all();
        }
        let next = AtomicUsize::new(0);
        let sync_some = || loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            match (files.get(at), folders.get(at.saturating_sub(files.len()))) {
                (Some(file), _) => self.sync_file(file)?,
                (None, Some(folder)) => self.sync_folder(folder)?,
                (None, None) => return io::Result::Ok(()),
            }
        };
        thread::scope(|scope| {
            // If no more threads can be started, the existing ones do the work.
            let help = |_| thread::Builder::new().spawn_scoped(scope, sync_some).ok();
            let helpers: Vec<_> = (1..count.min(SYNC_THREADS_MAX)).filter_map(help).collect();
            let own = sync_some();
            helpers.into_iter().fold(own, |synced, helper| {
                let helped = helper.join();
                synced.and(helped.unwrap_or_else(|_| Err(io::Error::other("a sync panicked"))))
            })
        })
    }

    /// Returns an error: only Linux reports the completion and the failure of such a sync.
    #[cfg(not(target_os = "linux"))]
    fn sync_all(&self) -> io::Result<()> {
        Err(io::Error::from(io::ErrorKind::Unsupported))
    }
}

#[cfg(target_os = "linux")]
fn rename_without_replacing(
    from: &(OwnedFd, &str),
    to: &(OwnedFd, &str),
) -> rustix::io::Result<()> {
    fs::renameat_with(&from.0, from.1, &to.0, to.1, fs::RenameFlags::NOREPLACE)
}

#[cfg(not(target_os = "linux"))]
fn rename_without_replacing(
    _from: &(OwnedFd, &str),
    _to: &(OwnedFd, &str),
) -> rustix::io::Result<()> {
    Err(Errno::NOSYS)
}

#[cfg(target_os = "linux")]
fn swap(one: &(OwnedFd, &str), other: &(OwnedFd, &str)) -> rustix::io::Result<()> {
    fs::renameat_with(&one.0, one.1, &other.0, other.1, fs::RenameFlags::EXCHANGE)
}

#[cfg(not(target_os = "linux"))]
fn swap(_one: &(OwnedFd, &str), _other: &(OwnedFd, &str)) -> rustix::io::Result<()> {
    Err(Errno::NOSYS)
}

fn open_file(root: &OwnedFd, path: &str) -> Result<(OwnedFd, Stat), ReadError> {
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::NOFOLLOW;
    let file = match open_beneath(root, path, flags) {
        Ok(file) => file,
        Err(Errno::LOOP) => return Err(ReadError::NotAFile("a symbolic link")),
        Err(Errno::NXIO) => return Err(ReadError::NotAFile("a socket or a device")),
        Err(error) => return Err(io::Error::from(error).into()),
    };
    let found = fs::fstat(&file).map_err(io::Error::from)?;
    match to_kind(&found) {
        FileKind::File => Ok((file, to_stat(&found))),
        FileKind::Folder => Err(ReadError::NotAFile("a directory")),
        FileKind::Link => Err(ReadError::NotAFile("a symbolic link")),
        FileKind::Other => Err(ReadError::NotAFile("a pipe or a device")),
    }
}

/// Opens `path` without leaving `root` and without following symbolic links.
fn open_beneath(root: &OwnedFd, path: &str, flags: OFlags) -> rustix::io::Result<OwnedFd> {
    match open_at_once(root, path, flags | OFlags::CLOEXEC) {
        Err(Errno::NOSYS | Errno::PERM) => open_step_by_step(root, path, flags | OFlags::CLOEXEC),
        opened => opened,
    }
}

#[cfg(target_os = "linux")]
fn open_at_once(root: &OwnedFd, path: &str, flags: OFlags) -> rustix::io::Result<OwnedFd> {
    use rustix::fs::ResolveFlags;
    /// The kernel gives up if a folder is renamed in the meantime; another try usually succeeds.
    const TRIES: usize = 8;
    let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS | ResolveFlags::NO_MAGICLINKS;
    for _ in 1..TRIES {
        match fs::openat2(root, path, flags, Mode::empty(), resolve) {
            Err(Errno::AGAIN) => {}
            opened => return opened,
        }
    }
    fs::openat2(root, path, flags, Mode::empty(), resolve)
}

#[cfg(not(target_os = "linux"))]
fn open_at_once(_root: &OwnedFd, _path: &str, _flags: OFlags) -> rustix::io::Result<OwnedFd> {
    Err(Errno::NOSYS)
}

/// Opens a path one component at a time, on kernels without `openat2` and in sandboxes that forbid
/// it.
fn open_step_by_step(root: &OwnedFd, path: &str, flags: OFlags) -> rustix::io::Result<OwnedFd> {
    if path.split('/').any(|step| matches!(step, "" | "." | "..")) {
        return Err(Errno::XDEV);
    }
    let (folders, name) = path.rsplit_once('/').unwrap_or(("", path));
    let through = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC | OFlags::NOFOLLOW;
    let mut folder = None;
    for step in folders.split('/').filter(|_| !folders.is_empty()) {
        let above = folder.as_ref().unwrap_or(root);
        folder = Some(fs::openat(above, step, through, Mode::empty())?);
    }
    let above = folder.as_ref().unwrap_or(root);
    fs::openat(above, name, flags | OFlags::NOFOLLOW, Mode::empty())
}

fn read_all(file: &OwnedFd, size: u64, into: &mut Vec<u8>) -> Result<(), ReadError> {
    // One byte more than the limit, to detect a file that has grown.
    let most = FILE_BYTES_MAX as usize + 1;
    into.clear();
    into.reserve((size as usize).min(most) + 1);
    loop {
        let read = match rustix::io::read(file, rustix::buffer::spare_capacity(into)) {
            Ok(read) => read,
            Err(Errno::INTR) => continue,
            Err(error) => return Err(ReadError::Unreadable(error.into())),
        };
        if into.len() >= most {
            return Err(ReadError::TooLarge(into.len() as u64));
        }
        if read == 0 || into.len() as u64 == size {
            return Ok(());
        }
        into.reserve(4_096);
    }
}

/// Returns an item of a listing that has only its name yet.
fn name_item(name: &str) -> FolderItem {
    FolderItem { name: name.to_owned(), kind: FileKind::Other, stat: Stat::default() }
}

/// Completes items of a folder that have only their names, and removes those that are gone.
fn stat_items(folder: &OwnedFd, items: &mut Vec<FolderItem>) -> io::Result<()> {
    let threads = (items.len() / NAMES_PER_THREAD).clamp(1, STAT_THREADS_MAX);
    // These threads work in place: what they allocated would stay in heaps of their own.
    let stat_share =
        |items: &mut [FolderItem]| items.iter_mut().try_for_each(|it| stat_item(folder, it));
    if threads == 1 {
        stat_share(items)?;
    } else {
        let share = items.len().div_ceil(threads);
        thread::scope(|scope| {
            let spawn = |share| scope.spawn(move || stat_share(share));
            let workers: Vec<_> = items.chunks_mut(share).map(spawn).collect();
            workers.into_iter().try_for_each(|worker| {
                worker.join().map_err(|_| io::Error::other("a stat thread panicked"))?
            })
        })?;
    }
    items.retain(|it| !it.name.is_empty());
    Ok(())
}

/// Completes an item that has only its name. If it is gone, it loses its name, too.
fn stat_item(folder: &OwnedFd, item: &mut FolderItem) -> io::Result<()> {
    match fs::statat(folder, &item.name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(found) => (item.kind, item.stat) = (to_kind(&found), to_stat(&found)),
        Err(Errno::NOENT) => item.name.clear(),
        Err(error) => return Err(error.into()),
    }
    Ok(())
}

fn to_kind(found: &fs::Stat) -> FileKind {
    match FileType::from_raw_mode(found.st_mode as fs::RawMode) {
        FileType::RegularFile => FileKind::File,
        FileType::Directory => FileKind::Folder,
        FileType::Symlink => FileKind::Link,
        _ => FileKind::Other,
    }
}

#[expect(clippy::unnecessary_cast, reason = "the types of the fields differ between systems")]
fn to_stat(found: &fs::Stat) -> Stat {
    Stat {
        inode: found.st_ino as u64,
        size: u64::try_from(found.st_size).unwrap_or(0),
        modified_ns: to_nanoseconds(found.st_mtime as i64, found.st_mtime_nsec as i64),
        changed_ns: to_nanoseconds(found.st_ctime as i64, found.st_ctime_nsec as i64),
    }
}

/// A file may have any time; those out of range are clamped.
fn to_nanoseconds(seconds: i64, rest: i64) -> i64 {
    seconds.saturating_mul(1_000_000_000).saturating_add(rest)
}

#[expect(clippy::unnecessary_cast, reason = "the types of the fields differ between systems")]
fn folder_identity(found: &fs::Stat) -> (u64, u64) {
    (found.st_dev as u64, found.st_ino as u64)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn old_kernels_open_the_same_files() {
        let data = tempfile::tempdir().unwrap();
        std::fs::create_dir_all(data.path().join("a/b")).unwrap();
        std::fs::write(data.path().join("a/b/file"), "text").unwrap();
        std::os::unix::fs::symlink("b", data.path().join("a/link")).unwrap();
        std::os::unix::fs::symlink("file", data.path().join("a/b/link")).unwrap();
        let root = FolderHandle::open(data.path()).unwrap().folder;
        let flags = OFlags::RDONLY | OFlags::CLOEXEC;
        for path in [
            "a/b/file",
            "a/b",
            "a/link/file",
            "a/b/link",
            "a/missing",
            "a/b/file/x",
            "../a",
            "/etc",
            "a//b",
            "a/../a/b/file",
            "",
        ] {
            let opened = open_step_by_step(&root, path, flags).is_ok();
            let expect = matches!(path, "a/b/file" | "a/b");
            assert_eq!(opened, expect, "{path}");
            if !path.contains("//") && !path.contains("a/..") {
                assert_eq!(open_at_once(&root, path, flags).is_ok(), expect, "{path}");
            }
        }
    }
}
