//! The disk of Unix systems: everything relative to an open data folder, so that neither `..` nor
//! a symbolic link leads out of it.

use std::fs::File;
use std::io::{self, Write};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::thread;

use rustix::fs::{self, AtFlags, Dir, FileType, Mode, OFlags};
use rustix::io::Errno;

use crate::store::disk::{Disk, FILE_BYTES_MAX, Found, Kind, Listed, Listing, ReadError, Stat};

/// From this many names on, a listing is stat-ed by several threads.
const NAMES_PER_THREAD: usize = 1_024;

/// How many threads stat one listing: a cold disk answers faster when asked for much at once.
const STAT_THREADS_MAX: usize = 8;

/// How a folder is opened to reach what is in it: neither reading it nor telling whoever watches it,
/// which is this server itself, that somebody does.
#[cfg(target_os = "linux")]
const PASSING: OFlags = OFlags::PATH.union(OFlags::DIRECTORY);
#[cfg(not(target_os = "linux"))]
const PASSING: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY);

/// How many files and folders are synced at a time.
const SYNC_THREADS_MAX: usize = 16;

/// From this many files and folders on, one sync of the whole file system is quicker than one for
/// each. It also waits for what others write there, so it is not used for fewer.
const SYNC_ALL_MIN: usize = 64;

/// The data folder on a real disk.
#[derive(Debug)]
pub struct OsDisk {
    path: PathBuf,
    root: RwLock<Arc<Root>>,
}

#[derive(Debug)]
struct Root {
    folder: OwnedFd,
    /// Device and inode: a folder mounted or made anew under the same name is another one.
    identity: (u64, u64),
}

impl OsDisk {
    /// Opens the data folder. The folder itself may be reached through symbolic links.
    pub fn open(path: &Path) -> io::Result<OsDisk> {
        let root = RwLock::new(Arc::new(Root::open(path)?));
        Ok(OsDisk { path: path.to_path_buf(), root })
    }

    /// The data folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn root(&self) -> Arc<Root> {
        // A poisoned lock guards a finished value: it is only ever swapped whole.
        Arc::clone(&self.root.read().unwrap_or_else(PoisonError::into_inner))
    }

    /// Looks the data folder up by its name again: it may have been moved, or mounted anew.
    fn root_anew(&self) -> io::Result<Arc<Root>> {
        let found = fs::stat(&self.path)?;
        let known = self.root();
        if known.identity == identity(&found) {
            return Ok(known);
        }
        let root = Arc::new(Root::open(&self.path)?);
        *self.root.write().unwrap_or_else(PoisonError::into_inner) = Arc::clone(&root);
        Ok(root)
    }

    fn open_folder(&self, folder: &str) -> io::Result<OwnedFd> {
        if folder.is_empty() {
            return self.root_anew()?.folder.try_clone();
        }
        Ok(open_beneath(&self.root().folder, folder, OFlags::RDONLY | OFlags::DIRECTORY)?)
    }

    /// A new file with these bytes, which are not synced.
    fn write(&self, path: &str, bytes: &[u8], mode: u32) -> io::Result<File> {
        // The file is open for its owner alone until its bytes are there.
        let mut file = self.create(path)?;
        file.write_all(bytes)?;
        fs::fchmod(&file, Mode::from_raw_mode(mode as fs::RawMode))?;
        Ok(file)
    }

    /// The open parent of `path` and the name in it.
    fn place<'a>(&self, path: &'a str) -> io::Result<(OwnedFd, &'a str)> {
        match path.rsplit_once('/') {
            Some((folder, name)) => Ok((open_beneath(&self.root().folder, folder, PASSING)?, name)),
            None => Ok((self.open_folder("")?, path)),
        }
    }
}

impl Root {
    fn open(path: &Path) -> io::Result<Root> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let folder = fs::open(path, flags, Mode::empty())?;
        let identity = identity(&fs::fstat(&folder)?);
        Ok(Root { folder, identity })
    }
}

impl Disk for OsDisk {
    fn read(&self, path: &str, into: &mut Vec<u8>) -> Result<Stat, ReadError> {
        let (file, stat) = open_file(&self.root().folder, path)?;
        if stat.size > FILE_BYTES_MAX {
            return Err(ReadError::TooLarge(stat.size));
        }
        read_all(&file, stat.size, into)?;
        Ok(stat)
    }

    fn open(&self, path: &str) -> Result<(File, Stat), ReadError> {
        let (file, stat) = open_file(&self.root().folder, path)?;
        Ok((File::from(file), stat))
    }

    fn stat(&self, path: &str) -> io::Result<Found> {
        let found = if path.is_empty() {
            fs::fstat(&self.root_anew()?.folder)?
        } else {
            let (folder, name) = self.place(path)?;
            fs::statat(&folder, name, AtFlags::SYMLINK_NOFOLLOW)?
        };
        let mode = found.st_mode as u32 & 0o7777;
        Ok(Found { kind: kind(&found), mode, stat: stat(&found) })
    }

    fn list(&self, folder: &str) -> io::Result<Listing> {
        let folder = self.open_folder(folder)?;
        let inode = stat(&fs::fstat(&folder)?).inode;
        let mut names = Vec::new();
        let mut garbled = Vec::new();
        for entry in Dir::read_from(&folder)? {
            match entry?.file_name().to_owned().into_string() {
                Ok(name) if name == "." || name == ".." => {}
                Ok(name) => names.push(name),
                Err(name) => garbled.push(name.into_cstring().to_string_lossy().into_owned()),
            }
        }
        names.sort_unstable();
        Ok(Listing { inode, items: stat_names(&folder, names)?, garbled })
    }

    fn write_new(&self, path: &str, bytes: &[u8], mode: u32) -> io::Result<()> {
        self.write(path, bytes, mode)?.sync_all()
    }

    fn write_unsynced(&self, path: &str, bytes: &[u8], mode: u32) -> io::Result<()> {
        self.write(path, bytes, mode).map(|_| ())
    }

    fn sync_file(&self, path: &str) -> io::Result<()> {
        let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOFOLLOW;
        Ok(fs::fsync(open_beneath(&self.root().folder, path, flags)?)?)
    }

    fn append(&self, path: &str, bytes: &[u8], mode: u32) -> io::Result<()> {
        let (folder, name) = self.place(path)?;
        let flags = OFlags::WRONLY
            | OFlags::CREATE
            | OFlags::APPEND
            | OFlags::NOFOLLOW
            | OFlags::NONBLOCK
            | OFlags::CLOEXEC;
        let file = fs::openat(&folder, name, flags, Mode::from_raw_mode(mode as fs::RawMode))?;
        if kind(&fs::fstat(&file)?) != Kind::File {
            return Err(io::Error::from(io::ErrorKind::InvalidInput));
        }
        File::from(file).write_all(bytes)
    }

    fn create(&self, path: &str) -> io::Result<File> {
        let (folder, name) = self.place(path)?;
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
        Ok(File::from(fs::openat(&folder, name, flags, Mode::RUSR | Mode::WUSR)?))
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        let ((from_folder, from), (to_folder, to)) = (self.place(from)?, self.place(to)?);
        Ok(fs::renameat(&from_folder, from, &to_folder, to)?)
    }

    fn rename_new(&self, from: &str, to: &str) -> io::Result<()> {
        let (from_place, to_place) = (self.place(from)?, self.place(to)?);
        match rename_without_replacing(&from_place, &to_place) {
            // Not every file system knows how; then two steps do it, and a crash between them
            // leaves a second name among the unfinished files.
            Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {
                self.link(from, to)?;
                self.remove(from)
            }
            done => Ok(done?),
        }
    }

    fn exchange(&self, one: &str, other: &str) -> io::Result<()> {
        Ok(swap(&self.place(one)?, &self.place(other)?)?)
    }

    fn link(&self, from: &str, to: &str) -> io::Result<()> {
        let ((from_folder, from), (to_folder, to)) = (self.place(from)?, self.place(to)?);
        Ok(fs::linkat(&from_folder, from, &to_folder, to, AtFlags::empty())?)
    }

    fn remove(&self, path: &str) -> io::Result<()> {
        let (folder, name) = self.place(path)?;
        Ok(fs::unlinkat(&folder, name, AtFlags::empty())?)
    }

    fn make_folder(&self, folder: &str, mode: u32) -> io::Result<()> {
        let (parent, name) = self.place(folder)?;
        Ok(fs::mkdirat(&parent, name, Mode::from_raw_mode(mode as fs::RawMode))?)
    }

    fn remove_folder(&self, folder: &str) -> io::Result<()> {
        let (parent, name) = self.place(folder)?;
        Ok(fs::unlinkat(&parent, name, AtFlags::REMOVEDIR)?)
    }

    fn sync_folder(&self, folder: &str) -> io::Result<()> {
        Ok(fs::fsync(self.open_folder(folder)?)?)
    }

    fn free_bytes(&self) -> io::Result<u64> {
        let found = fs::fstatvfs(&self.root().folder)?;
        Ok(found.f_bavail.saturating_mul(found.f_frsize))
    }

    #[cfg(target_os = "linux")]
    fn sync_all(&self) -> io::Result<()> {
        Ok(fs::syncfs(&self.root().folder)?)
    }

    /// Syncs that wait at the same time share what the file system does for them: one commit of its
    /// journal, one flush of the disk.
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
            // Where no more threads can be had, those that there are do the work.
            let help = |_| thread::Builder::new().spawn_scoped(scope, sync_some).ok();
            let helpers: Vec<_> = (1..count.min(SYNC_THREADS_MAX)).filter_map(help).collect();
            let own = sync_some();
            helpers.into_iter().fold(own, |synced, helper| {
                let helped = helper.join();
                synced.and(helped.unwrap_or_else(|_| Err(io::Error::other("a sync panicked"))))
            })
        })
    }

    /// Only Linux tells when that is done, and whether it failed.
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
    match kind(&found) {
        Kind::File => Ok((file, stat(&found))),
        Kind::Folder => Err(ReadError::NotAFile("a directory")),
        Kind::Link => Err(ReadError::NotAFile("a symbolic link")),
        Kind::Other => Err(ReadError::NotAFile("a pipe or a device")),
    }
}

/// Opens `path` without leaving `root` and without following any symbolic link on the way.
fn open_beneath(root: &OwnedFd, path: &str, flags: OFlags) -> rustix::io::Result<OwnedFd> {
    match open_at_once(root, path, flags | OFlags::CLOEXEC) {
        Err(Errno::NOSYS | Errno::PERM) => open_step_by_step(root, path, flags | OFlags::CLOEXEC),
        opened => opened,
    }
}

#[cfg(target_os = "linux")]
fn open_at_once(root: &OwnedFd, path: &str, flags: OFlags) -> rustix::io::Result<OwnedFd> {
    use rustix::fs::ResolveFlags;
    /// The kernel gives up when somebody renames folders meanwhile; once more will do.
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

/// For kernels without `openat2`, and sandboxes that forbid it.
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
    // One byte more than expected tells a file that has grown from one that is read.
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

fn stat_names(folder: &OwnedFd, names: Vec<String>) -> io::Result<Vec<Listed>> {
    let threads = (names.len() / NAMES_PER_THREAD).clamp(1, STAT_THREADS_MAX);
    let stat_share = |names: &[String]| -> io::Result<Vec<Listed>> {
        names.iter().filter_map(|name| stat_name(folder, name).transpose()).collect()
    };
    if threads == 1 {
        return stat_share(&names);
    }
    thread::scope(|scope| {
        let shares = names.chunks(names.len().div_ceil(threads));
        let workers: Vec<_> = shares.map(|share| scope.spawn(move || stat_share(share))).collect();
        let mut items = Vec::with_capacity(names.len());
        for worker in workers {
            let share = worker.join().map_err(|_| io::Error::other("a stat thread panicked"))?;
            items.append(&mut share?);
        }
        Ok(items)
    })
}

/// `None` when the name has gone meanwhile.
fn stat_name(folder: &OwnedFd, name: &str) -> io::Result<Option<Listed>> {
    match fs::statat(folder, name, AtFlags::SYMLINK_NOFOLLOW) {
        Ok(found) => {
            let (kind, stat) = (kind(&found), stat(&found));
            Ok(Some(Listed { name: name.to_string(), kind, stat }))
        }
        Err(Errno::NOENT) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

fn kind(found: &fs::Stat) -> Kind {
    match FileType::from_raw_mode(found.st_mode as fs::RawMode) {
        FileType::RegularFile => Kind::File,
        FileType::Directory => Kind::Folder,
        FileType::Symlink => Kind::Link,
        _ => Kind::Other,
    }
}

#[expect(clippy::unnecessary_cast, reason = "the types of the fields differ between systems")]
fn stat(found: &fs::Stat) -> Stat {
    Stat {
        inode: found.st_ino as u64,
        size: u64::try_from(found.st_size).unwrap_or(0),
        modified_ns: nanoseconds(found.st_mtime as i64, found.st_mtime_nsec as i64),
        changed_ns: nanoseconds(found.st_ctime as i64, found.st_ctime_nsec as i64),
    }
}

/// A file may claim any time at all; far ones are held at the ends of what can be said.
fn nanoseconds(seconds: i64, rest: i64) -> i64 {
    seconds.saturating_mul(1_000_000_000).saturating_add(rest)
}

#[expect(clippy::unnecessary_cast, reason = "the types of the fields differ between systems")]
fn identity(found: &fs::Stat) -> (u64, u64) {
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
        let root = Root::open(data.path()).unwrap().folder;
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
