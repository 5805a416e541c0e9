//! The disk of Unix systems: all paths are resolved relative to an open data folder, so that
//! neither `..` nor a symbolic link leads out of it.

use std::fs::File;
use std::io::{self, Write};
use std::ops::Range;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustix::fs::{self, AtFlags, Dir, Mode, OFlags};
use rustix::io::Errno;

use crate::stdx::sync::RwLock;
use crate::store::data_folder::DataFolder;
use crate::store::disk::file_system::is_absence;
use crate::store::disk::file_system::is_link;
use crate::store::disk::file_system::{
    Disk, FILE_BYTES_MAX, FileKind, FolderItem, Listing, ReadError, Stat, StatResult, has_capital,
    to_system_time,
};
use crate::store::disk::held_handles::HeldHandles;
use crate::store::disk::kept_handles::{Identity, KeptHandles, OpenedFolder, identify};
use crate::store::disk::open_beneath::open_beneath;
use crate::store::disk::sync_pool::SyncPool;
use crate::store::disk::unix_stat::{first_bytes, name_item, stat_items, to_kind, to_stat};
use crate::store::error::StoreError;
use crate::store::layout;

/// The flags to open a folder in a path: without reading it, and without an event for the watcher,
/// which is this server itself.
#[cfg(target_os = "linux")]
const PASSING: OFlags = OFlags::PATH.union(OFlags::DIRECTORY);
#[cfg(not(target_os = "linux"))]
const PASSING: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY);

/// The permissions of a file that only its owner may open.
const PRIVATE: Mode = Mode::RUSR.union(Mode::WUSR);

/// The maximum number of files and folders that are open for syncs at the same time.
const SYNC_HANDLES_MAX: usize = 32;

/// The number of files and folders from which one sync of the whole file system is faster than one
/// for each. It also waits for the writes of other programs, so it is not used for fewer.
const SYNC_ALL_MIN: usize = 64;

/// A data folder on a real disk.
#[derive(Debug)]
pub struct OsDisk {
    data: Arc<BaseFolder>,
    /// The state directory, if it is separate.
    state: Option<Arc<BaseFolder>>,
    /// The handles of a batch. `None` outside of a batch: then each operation looks up its folder.
    held: Option<HeldHandles>,
    /// The handles that stay open between batches. `None` for a batch that reads.
    kept: Option<Arc<KeptHandles>>,
    syncs: Arc<SyncPool>,
}

/// A folder that paths are resolved from.
#[derive(Debug)]
struct BaseFolder {
    path: PathBuf,
    root: RwLock<Arc<FolderHandle>>,
}

#[derive(Debug)]
struct FolderHandle {
    folder: Arc<OwnedFd>,
    /// Differs if another folder is mounted or created under the name.
    identity: Identity,
}

impl OsDisk {
    /// Opens a data folder that contains its own state. The folder itself may be reached through
    /// symbolic links.
    pub fn open(path: &Path) -> io::Result<OsDisk> {
        Ok(OsDisk::new(Arc::new(BaseFolder::open(path)?), None))
    }

    /// Opens a data folder and its state directory, which must both exist.
    pub fn open_places(places: &DataFolder) -> Result<OsDisk, StoreError> {
        let open = |path: &Path| {
            let opened = BaseFolder::open(path).map(Arc::new);
            opened.map_err(StoreError::io("open", path.display().to_string()))
        };
        let (data, state) = (open(places.root())?, places.state().map(open).transpose()?);
        Ok(OsDisk::new(data, state))
    }

    fn new(data: Arc<BaseFolder>, state: Option<Arc<BaseFolder>>) -> OsDisk {
        OsDisk { data, state, held: None, kept: Some(Arc::default()), syncs: Arc::default() }
    }

    /// Returns the folder that a path is relative to.
    fn base_folder(&self, path: &str) -> &BaseFolder {
        self.state.as_deref().filter(|_| layout::is_state(path)).unwrap_or(&self.data)
    }

    /// Returns the open folder that a path is relative to. For top-level paths it is looked up
    /// again by its name.
    fn open_root(&self, path: &str) -> io::Result<Arc<FolderHandle>> {
        let top = self.base_folder(path);
        if path.contains('/') { Ok(top.current_root()) } else { top.reopen_root() }
    }

    /// Opens a folder for reading and for syncing it.
    fn open_folder(&self, folder: &str) -> io::Result<Arc<OwnedFd>> {
        let root = self.open_root(folder)?;
        if folder.is_empty() {
            return Ok(Arc::clone(&root.folder));
        }
        if let Some(held) = &self.held {
            // The folder that the batch has changed, whatever its path names by now.
            return self.pass_through(held, &root, folder)?.open_for_sync();
        }
        let flags = OFlags::RDONLY | OFlags::DIRECTORY;
        Ok(Arc::new(open_beneath(&root.folder, folder, flags)?))
    }

    /// Returns a folder for operations on the names in it: for a batch, the same one each time.
    fn pass_through(
        &self,
        held: &HeldHandles,
        root: &FolderHandle,
        folder: &str,
    ) -> io::Result<Arc<OpenedFolder>> {
        if let Some(found) = held.find(folder) {
            return Ok(found);
        }
        if let Some(found) = self.kept.as_ref().and_then(|it| it.find_folder(&root.folder, folder))
        {
            held.keep_folder(folder, &found);
            return Ok(found);
        }
        let opened = held.open_folder(&root.folder, folder, |above, rest| {
            OpenedFolder::new(open_beneath(above, rest, PASSING)?)
        })?;
        if let Some(kept) = &self.kept {
            kept.keep_folder(folder, &opened);
        }
        Ok(opened)
    }

    /// Creates a file with these bytes, which are not synced, and returns it with its stat.
    fn write_file(&self, path: &str, bytes: &[u8], mode: u32) -> io::Result<(File, Stat)> {
        // Until the bytes are written, only the owner may open the file.
        let permissions = Mode::from_raw_mode(mode as fs::RawMode);
        let is_hidden = layout::is_private(path);
        let mut file = self.create_with(path, if is_hidden { permissions } else { PRIVATE })?;
        file.write_all(bytes)?;
        let found = fs::fstat(&file)?;
        // The umask of the process may have taken some away.
        if found.st_mode as u32 & 0o7777 != mode {
            fs::fchmod(&file, permissions)?;
        }
        Ok((file, to_stat(&found)))
    }

    /// Creates an empty file that must not exist.
    fn create_with(&self, path: &str, permissions: Mode) -> io::Result<File> {
        let (folder, name) = self.open_parent(path)?;
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
        Ok(File::from(fs::openat(&folder, name, flags, permissions)?))
    }

    /// Returns the open parent of `path` and the name in it.
    fn open_parent<'a>(&self, path: &'a str) -> io::Result<(Arc<OwnedFd>, &'a str)> {
        let root = self.open_root(path)?;
        let Some((folder, name)) = path.rsplit_once('/') else {
            return Ok((Arc::clone(&root.folder), path));
        };
        let folder = match &self.held {
            Some(held) => Arc::clone(&self.pass_through(held, &root, folder)?.names),
            None => Arc::new(open_beneath(&root.folder, folder, PASSING)?),
        };
        Ok((folder, name))
    }

    /// Opens a regular file for reading.
    fn open_regular(&self, path: &str) -> Result<(OwnedFd, Stat), ReadError> {
        if self.held.is_some() && path.contains('/') {
            return match self.open_parent(path) {
                Ok((folder, name)) => open_file(&folder, name),
                Err(error) if is_link(&error) => Err(ReadError::NotAFile("a symbolic link")),
                Err(error) => Err(error.into()),
            };
        }
        open_file(&self.base_folder(path).current_root().folder, path)
    }

    /// Returns a handle to sync the bytes of a file: that with which a batch has written them, or a
    /// new one.
    fn open_for_sync(&self, path: &str) -> io::Result<OwnedFd> {
        if let Some(file) = self.held.as_ref().and_then(|it| it.take_file(path)) {
            return Ok(file.into());
        }
        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOFOLLOW;
        if self.held.is_some() && path.contains('/') {
            // In the folder that the batch has changed, whatever its path names by now.
            let (folder, name) = self.open_parent(path)?;
            return Ok(open_beneath(&folder, name, flags)?);
        }
        Ok(open_beneath(&self.base_folder(path).current_root().folder, path, flags)?)
    }

    /// Returns handles to sync the names in a folder. The top level consists of parts of both
    /// places.
    fn open_folders_for_sync(&self, folder: &str) -> io::Result<Vec<Arc<OwnedFd>>> {
        let state = self.state.as_deref().filter(|_| folder.is_empty());
        let state = state.map(|it| Arc::clone(&it.current_root().folder));
        Ok(state.into_iter().chain([self.open_folder(folder)?]).collect())
    }

    /// Opens a file to append to it, and creates it if needed.
    fn open_log(&self, path: &str, mode: u32) -> io::Result<Arc<File>> {
        let root = self.open_root(path)?;
        if let Some(file) = self.kept.as_ref().and_then(|it| it.find_log(&root.folder, path)) {
            return Ok(file);
        }
        let flags = OFlags::WRONLY | OFlags::APPEND | OFlags::NOFOLLOW | OFlags::NONBLOCK;
        // The file is almost always there.
        let file = match open_beneath(&root.folder, path, flags) {
            Err(Errno::NOENT) => {
                let (folder, name) = self.open_parent(path)?;
                let flags = flags | OFlags::CREATE | OFlags::CLOEXEC;
                fs::openat(&folder, name, flags, Mode::from_raw_mode(mode as fs::RawMode))?
            }
            opened => opened?,
        };
        let found = fs::fstat(&file)?;
        if to_kind(&found) != FileKind::File {
            return Err(io::Error::from(io::ErrorKind::InvalidInput));
        }
        let file = Arc::new(File::from(file));
        if let Some(kept) = &self.kept {
            kept.keep_log(path, &file, &found);
        }
        Ok(file)
    }

    /// Syncs files and folders, in groups of those that may be open together.
    fn sync_all_of(&self, files: &[String], folders: &[String]) -> io::Result<()> {
        let count = files.len() + folders.len();
        if count >= SYNC_ALL_MIN && cfg!(target_os = "linux") {
            return self.sync_all();
        }
        let (mut files, mut folders) = (files.iter(), folders.iter());
        loop {
            let (mut file_handles, mut folder_handles) = (Vec::new(), Vec::new());
            for file in files.by_ref().take(SYNC_HANDLES_MAX) {
                file_handles.push(Arc::new(self.open_for_sync(file)?));
            }
            for folder in folders.by_ref().take(SYNC_HANDLES_MAX - file_handles.len()) {
                folder_handles.extend(self.open_folders_for_sync(folder)?);
            }
            if file_handles.is_empty() && folder_handles.is_empty() {
                return Ok(());
            }
            self.syncs.sync_files_and_folders(file_handles, folder_handles)?;
        }
    }

    /// Returns a view for a batch, with these handles of earlier ones.
    fn hold_handles(&self, kept: Option<Arc<KeptHandles>>) -> Box<dyn Disk + '_> {
        Box::new(OsDisk {
            data: Arc::clone(&self.data),
            state: self.state.clone(),
            held: Some(HeldHandles::default()),
            kept,
            syncs: Arc::clone(&self.syncs),
        })
    }

    /// Closes the file of a name that is about to change.
    fn close_file(&self, path: &str) {
        if let Some(held) = &self.held {
            held.take_file(path);
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
                let mut tops =
                    [layout::SYSTEM, layout::BACKUPS].map(|it| name_item(it.to_owned())).into();
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
        if known.identity == identify(&found) {
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
        let identity = identify(&fs::fstat(&folder)?);
        Ok(FolderHandle { folder: Arc::new(folder), identity })
    }
}

impl Disk for OsDisk {
    fn read(&self, path: &str, into: &mut Vec<u8>) -> Result<Stat, ReadError> {
        let (file, stat) = self.open_regular(path)?;
        if stat.size > FILE_BYTES_MAX {
            return Err(ReadError::TooLarge(stat.size));
        }
        read_all(&file, stat.size, into)?;
        Ok(stat)
    }

    fn open(&self, path: &str) -> Result<(File, Stat), ReadError> {
        let (file, stat) = self.open_regular(path)?;
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
        let (mut names, mut texts) = (Vec::new(), String::new());
        let mut garbled = Vec::new();
        // Looked for while the name is in the cache.
        let mut has_capitals = false;
        for entry in Dir::read_from(&folder)? {
            let entry = entry?;
            match entry.file_name().to_str() {
                Ok("." | "..") => {}
                Ok(name) => {
                    has_capitals |= has_capital(name);
                    names.push((first_bytes(name), texts.len()..texts.len() + name.len()));
                    texts.push_str(name);
                }
                Err(_) => garbled.push(entry.file_name().to_string_lossy().into_owned()),
            }
        }
        let text = |range: &Range<usize>| texts.get(range.clone()).unwrap_or_default();
        names.sort_unstable_by(|(first, one), (other_first, other)| {
            first.cmp(other_first).then_with(|| text(one).cmp(text(other)))
        });
        // Allocated in this order, they follow each other in memory. Whatever comes after a listing
        // goes over them in this order.
        let named = names.into_iter().map(|(_, it)| name_item(text(&it).to_owned()));
        let mut items: Vec<_> = named.collect();
        stat_items(&folder, &mut items)?;
        if let Some(state) = self.state.as_deref().filter(|_| path.is_empty()) {
            items = self.merge_state(items, state)?;
        }
        Ok(Listing { inode, items, garbled, has_capitals })
    }

    fn write_new(&self, path: &str, bytes: &[u8], mode: u32) -> io::Result<()> {
        self.write_file(path, bytes, mode)?.0.sync_all()
    }

    fn write_unsynced(&self, path: &str, bytes: &[u8], mode: u32) -> io::Result<Stat> {
        let (file, stat) = self.write_file(path, bytes, mode)?;
        if let Some(held) = &self.held {
            held.keep_file(path, file);
        }
        Ok(stat)
    }

    fn set_modified(&self, path: &str, modified_ns: i64) -> io::Result<()> {
        let file = match self.held.as_ref().and_then(|it| it.take_file(path)) {
            Some(file) => file,
            None => self.open(path).map_err(ReadError::into_io)?.0,
        };
        file.set_modified(to_system_time(modified_ns))
    }

    fn sync_file(&self, path: &str) -> io::Result<()> {
        Ok(fs::fsync(self.open_for_sync(path)?)?)
    }

    fn append(&self, path: &str, bytes: &[u8], mode: u32) -> io::Result<()> {
        (&*self.open_log(path, mode)?).write_all(bytes)
    }

    fn create(&self, path: &str) -> io::Result<File> {
        self.create_with(path, PRIVATE)
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        self.close_file(from);
        let ((from_folder, from), (to_folder, to)) =
            (self.open_parent(from)?, self.open_parent(to)?);
        Ok(fs::renameat(&from_folder, from, &to_folder, to)?)
    }

    fn rename_new(&self, from: &str, to: &str) -> io::Result<()> {
        self.close_file(from);
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
        self.close_file(one);
        Ok(swap(&self.open_parent(one)?, &self.open_parent(other)?)?)
    }

    fn link(&self, from: &str, to: &str) -> io::Result<()> {
        let ((from_folder, from), (to_folder, to)) =
            (self.open_parent(from)?, self.open_parent(to)?);
        Ok(fs::linkat(&from_folder, from, &to_folder, to, AtFlags::empty())?)
    }

    fn remove(&self, path: &str) -> io::Result<()> {
        self.close_file(path);
        let (folder, name) = self.open_parent(path)?;
        Ok(fs::unlinkat(&folder, name, AtFlags::empty())?)
    }

    fn make_folder(&self, folder: &str, mode: u32) -> io::Result<()> {
        let (parent, name) = self.open_parent(folder)?;
        Ok(fs::mkdirat(&parent, name, Mode::from_raw_mode(mode as fs::RawMode))?)
    }

    fn remove_folder(&self, folder: &str) -> io::Result<()> {
        if let Some(held) = &self.held {
            held.forget_folder(folder);
        }
        let (parent, name) = self.open_parent(folder)?;
        Ok(fs::unlinkat(&parent, name, AtFlags::REMOVEDIR)?)
    }

    fn sync_folder(&self, folder: &str) -> io::Result<()> {
        self.sync_together(&[], &[folder.to_string()])
    }

    fn unfinished_folder(&self, path: &str) -> &'static str {
        let is_elsewhere = self.state.is_some() && layout::is_state(path);
        if is_elsewhere { layout::STATE_TMP } else { layout::TMP }
    }

    fn begin_batch(&self) -> Option<Box<dyn Disk + '_>> {
        Some(self.hold_handles(self.kept.clone()))
    }

    fn begin_look(&self) -> Option<Box<dyn Disk + '_>> {
        Some(self.hold_handles(None))
    }

    fn find_folder(&self, folder: &str) -> io::Result<bool> {
        if let Some(held) = self.held.as_ref().filter(|_| folder.contains('/')) {
            let root = self.open_root(folder)?;
            return self.pass_through(held, &root, folder).map(|_| true);
        }
        Ok(self.stat(folder)?.kind == FileKind::Folder)
    }

    fn is_current(&self, folder: &str) -> io::Result<bool> {
        let held = self.held.as_ref().and_then(|it| it.find(folder));
        let Some(held) = held else { return Ok(true) };
        held.is_at(&self.base_folder(folder).current_root().folder, folder)
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

    /// Runs syncs concurrently where they share a commit of the file system's journal or a flush of
    /// the disk.
    fn sync_together(&self, files: &[String], folders: &[String]) -> io::Result<()> {
        let synced = self.sync_all_of(files, folders);
        if let Some(kept) = self.kept.as_ref().filter(|_| synced.is_err()) {
            kept.close_all();
        }
        synced
    }

    /// Returns an error: only Linux reports the completion and the failure of such a sync.
    #[cfg(not(target_os = "linux"))]
    fn sync_all(&self) -> io::Result<()> {
        Err(io::Error::from(io::ErrorKind::Unsupported))
    }
}

#[cfg(target_os = "linux")]
fn rename_without_replacing(
    from: &(Arc<OwnedFd>, &str),
    to: &(Arc<OwnedFd>, &str),
) -> rustix::io::Result<()> {
    fs::renameat_with(&from.0, from.1, &to.0, to.1, fs::RenameFlags::NOREPLACE)
}

#[cfg(not(target_os = "linux"))]
fn rename_without_replacing(
    _from: &(Arc<OwnedFd>, &str),
    _to: &(Arc<OwnedFd>, &str),
) -> rustix::io::Result<()> {
    Err(Errno::NOSYS)
}

#[cfg(target_os = "linux")]
fn swap(one: &(Arc<OwnedFd>, &str), other: &(Arc<OwnedFd>, &str)) -> rustix::io::Result<()> {
    fs::renameat_with(&one.0, one.1, &other.0, other.1, fs::RenameFlags::EXCHANGE)
}

#[cfg(not(target_os = "linux"))]
fn swap(_one: &(Arc<OwnedFd>, &str), _other: &(Arc<OwnedFd>, &str)) -> rustix::io::Result<()> {
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

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use super::*;
    use crate::store::disk::open_beneath::{open_at_once, open_step_by_step};

    /// A data folder with the folder `a/b`, beside a folder that is none of its business.
    struct Scene {
        place: tempfile::TempDir,
        disk: OsDisk,
    }

    impl Scene {
        fn new() -> Scene {
            let place = tempfile::tempdir().unwrap();
            std::fs::create_dir_all(place.path().join("data/a/b")).unwrap();
            std::fs::create_dir(place.path().join("outside")).unwrap();
            let disk = OsDisk::open(&place.path().join("data")).unwrap();
            Scene { place, disk }
        }

        fn at(&self, path: &str) -> PathBuf {
            self.place.path().join(path)
        }

        fn rename(&self, from: &str, to: &str) {
            std::fs::rename(self.at(from), self.at(to)).unwrap();
        }

        fn link(&self, target: &str, at: &str) {
            std::os::unix::fs::symlink(self.at(target), self.at(at)).unwrap();
        }

        fn list_names(&self, folder: &str) -> Vec<String> {
            let items = std::fs::read_dir(self.at(folder)).unwrap();
            items.map(|it| it.unwrap().file_name().into_string().unwrap()).collect()
        }

        fn root(&self) -> Arc<OwnedFd> {
            Arc::clone(&self.disk.data.current_root().folder)
        }

        fn begin_batch(&self) -> Box<dyn Disk + '_> {
            self.disk.begin_batch().unwrap()
        }
    }

    #[test]
    fn a_batch_stays_in_its_folder_when_a_link_takes_the_name() {
        // The folder itself, and one above it.
        for replaced in ["a/b", "a"] {
            let scene = Scene::new();
            let batch = scene.begin_batch();
            assert!(batch.find_folder("a/b").unwrap() && batch.is_current("a/b").unwrap());
            scene.rename(&format!("data/{replaced}"), "moved");
            std::fs::create_dir_all(scene.at("outside/b")).unwrap();
            scene.link("outside", &format!("data/{replaced}"));
            batch.write_unsynced("a/b/new", b"new", 0o600).unwrap();
            batch.rename("a/b/new", "a/b/file").unwrap();
            batch.sync_folder("a/b").unwrap();
            assert!(!batch.is_current("a/b").unwrap(), "{replaced}");
            let moved = if replaced == "a" { "moved/b/file" } else { "moved/file" };
            assert_eq!(std::fs::read(scene.at(moved)).unwrap(), b"new");
            assert_eq!(scene.list_names("outside"), ["b"]);
            assert!(scene.list_names("outside/b").is_empty());
            // The next batch does not follow the link.
            let next = scene.begin_batch();
            assert!(next.find_folder("a/b").is_err());
            assert!(next.write_unsynced("a/b/new", b"new", 0o600).is_err());
        }
    }

    #[test]
    fn a_link_to_the_very_folder_is_not_the_folder() {
        let scene = Scene::new();
        let batch = scene.begin_batch();
        batch.find_folder("a/b").unwrap();
        scene.rename("data/a/b", "moved");
        scene.link("moved", "data/a/b");
        assert!(!batch.is_current("a/b").unwrap());
    }

    #[test]
    fn a_batch_notices_that_its_folder_was_replaced_or_removed() {
        let scene = Scene::new();
        let batch = scene.begin_batch();
        batch.write_new("a/b/file", b"old", 0o600).unwrap();
        scene.rename("data/a/b", "data/away");
        assert!(!batch.is_current("a/b").unwrap());
        // A backup with the same content.
        std::fs::create_dir(scene.at("data/a/b")).unwrap();
        std::fs::copy(scene.at("data/away/file"), scene.at("data/a/b/file")).unwrap();
        assert!(!batch.is_current("a/b").unwrap());
        std::fs::remove_dir_all(scene.at("data/a/b")).unwrap();
        scene.rename("data/away", "data/a/b");
        assert!(batch.is_current("a/b").unwrap(), "it is back");
        std::fs::remove_dir_all(scene.at("data/a")).unwrap();
        assert!(!batch.is_current("a/b").unwrap());
        assert!(batch.write_unsynced("a/b/new", b"", 0o600).is_err(), "it has no names any more");
    }

    #[test]
    fn a_batch_changes_the_folder_that_is_there_now() {
        let scene = Scene::new();
        let write = |name: &str| scene.begin_batch().write_new(name, b"", 0o600);
        let check = |folder: &str, names: &[&str]| assert_eq!(scene.list_names(folder), names);
        write("a/b/one").unwrap();
        let kept = scene.disk.kept.as_ref().unwrap().find_folder(&scene.root(), "a/b");
        let kept = kept.expect("the next batch goes on with it");
        // Moved away, with another one in its place, and back.
        scene.rename("data/a/b", "data/away");
        assert!(write("a/b/two").is_err());
        std::fs::create_dir(scene.at("data/a/b")).unwrap();
        write("a/b/two").unwrap();
        check("data/away", &["one"]);
        check("data/a/b", &["two"]);
        std::fs::remove_dir_all(scene.at("data/a/b")).unwrap();
        scene.rename("data/away", "data/a/b");
        write("a/b/three").unwrap();
        assert!(kept.is_at(&scene.root(), "a/b").unwrap());
        // Removed and made anew.
        std::fs::remove_dir_all(scene.at("data/a")).unwrap();
        assert!(write("a/b/four").is_err());
        std::fs::create_dir_all(scene.at("data/a/b")).unwrap();
        write("a/b/five").unwrap();
        check("data/a/b", &["five"]);
        // Replaced by a link to itself.
        scene.rename("data/a/b", "moved");
        scene.link("moved", "data/a/b");
        assert!(write("a/b/six").is_err());
        check("moved", &["five"]);
    }

    #[test]
    fn a_look_opens_its_folders_anew() {
        let scene = Scene::new();
        scene.begin_batch().write_new("a/b/file", b"", 0o600).unwrap();
        scene.rename("data/a", "moved");
        scene.link("moved", "data/a");
        let look = scene.disk.begin_look().unwrap();
        assert!(look.stat("a/b/file").is_err(), "links are not followed");
    }

    #[test]
    fn lines_are_added_to_the_file_that_is_there_now() {
        let scene = Scene::new();
        let append = |text: &str| scene.disk.append("a/log", text.as_bytes(), 0o600);
        let check = |path: &str, text: &str| {
            assert_eq!(std::fs::read_to_string(scene.at(path)).unwrap(), text, "{path}");
        };
        append("1").unwrap();
        append("2").unwrap();
        scene.rename("data/a/log", "data/a/old");
        append("3").unwrap();
        check("data/a/old", "12");
        check("data/a/log", "3");
        std::fs::remove_file(scene.at("data/a/log")).unwrap();
        append("4").unwrap();
        scene.disk.append("a/other", b"5", 0o600).unwrap();
        append("6").unwrap();
        check("data/a/log", "46");
        check("data/a/other", "5");
        std::fs::remove_file(scene.at("data/a/log")).unwrap();
        scene.link("data/a/old", "data/a/log");
        assert!(append("7").is_err());
        std::fs::remove_dir_all(scene.at("data/a")).unwrap();
        assert_eq!(append("8").unwrap_err().kind(), io::ErrorKind::NotFound);
    }

    #[test]
    fn files_get_their_permissions() {
        use std::os::unix::fs::PermissionsExt as _;
        let scene = Scene::new();
        std::fs::create_dir_all(scene.at("data/.recto/tmp")).unwrap();
        for path in ["a/b/file", ".recto/tmp/file"] {
            for mode in [0o600, 0o640, 0o666] {
                let batch = scene.begin_batch();
                batch.write_unsynced(path, b"text", mode).unwrap();
                let found = std::fs::metadata(scene.at(&format!("data/{path}"))).unwrap();
                assert_eq!(found.permissions().mode() & 0o7777, mode, "{path}");
                batch.remove(path).unwrap();
            }
        }
    }

    #[test]
    fn a_batch_finds_a_folder_that_it_removed_and_made_again() {
        let scene = Scene::new();
        let batch = scene.begin_batch();
        assert!(batch.find_folder("a/b").unwrap());
        batch.remove_folder("a/b").unwrap();
        assert!(batch.find_folder("a/b").is_err());
        batch.make_folder("a/b", 0o750).unwrap();
        batch.write_new("a/b/file", b"new", 0o600).unwrap();
        assert_eq!(std::fs::read(scene.at("data/a/b/file")).unwrap(), b"new");
        assert!(batch.is_current("a/b").unwrap());
    }

    #[test]
    fn a_batch_keeps_a_limited_number_of_handles() {
        let scene = Scene::new();
        let batch = OsDisk {
            data: Arc::clone(&scene.disk.data),
            held: Some(HeldHandles::default()),
            ..OsDisk::new(Arc::clone(&scene.disk.data), None)
        };
        let paths: Vec<String> = (0..100).map(|n| format!("a/{n}/file")).collect();
        for (n, path) in paths.iter().enumerate() {
            batch.make_folder(&format!("a/{n}"), 0o750).unwrap();
            batch.write_unsynced(path, path.as_bytes(), 0o600).unwrap();
        }
        let held = batch.held.as_ref().unwrap();
        assert_eq!(held.count_handles(), (32, 32));
        batch.sync_together(&paths[..60], &["a".to_string()]).unwrap();
        assert_eq!(held.count_handles().1, 0, "what is synced is closed");
        let mut bytes = Vec::new();
        for path in paths {
            batch.read(&path, &mut bytes).unwrap();
            assert_eq!(bytes, path.as_bytes());
        }
    }

    #[test]
    fn a_batch_opens_regular_files_only() {
        let scene = Scene::new();
        std::fs::write(scene.at("outside/secret"), "secret").unwrap();
        scene.link("outside/secret", "data/a/b/link");
        scene.link("outside", "data/a/folder");
        let batch = scene.begin_batch();
        for path in ["a/b/link", "a/folder/secret", "a/b"] {
            let read = batch.read(path, &mut Vec::new());
            assert!(matches!(read, Err(ReadError::NotAFile(_))), "{path}: {read:?}");
        }
        for path in ["a/b/missing", "a/missing/file"] {
            let read = batch.read(path, &mut Vec::new());
            assert!(matches!(read, Err(ReadError::Missing)), "{path}: {read:?}");
        }
        for path in ["a/../../outside/secret", "../outside/secret", "a/b/../../../outside/secret"] {
            assert!(batch.read(path, &mut Vec::new()).is_err(), "{path}");
            assert!(batch.write_unsynced(path, b"", 0o600).is_err(), "{path}");
        }
    }

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
