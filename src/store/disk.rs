//! The seam between Recto and the file system: a handful of primitive operations beneath the data
//! folder, and the two ways a file comes into being ([`create`], [`replace`]). A test can stand in
//! another [`Disk`] and stop the machine at every step: [`memory`] is one.
//!
//! Paths are relative, with `/`, made by [`crate::store::layout`]. Symbolic links beneath the data
//! folder are never followed.

use std::collections::BTreeSet;
use std::fs::File;
use std::io;
use std::path::Path;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::model::problem::{Problem, ProblemKind};
use crate::stdx::sum::{Sum, Summer};
use crate::store::error::StoreError;
use crate::store::layout;

pub mod memory;
#[cfg(any(test, not(unix)))]
pub mod portable;
#[cfg(unix)]
mod unix;

#[cfg(not(unix))]
pub use portable::OsDisk;
#[cfg(unix)]
pub use unix::OsDisk;

/// The largest JSON file that is read.
pub const FILE_BYTES_MAX: u64 = 8 * 1024 * 1024;

/// What tells, together, whether a file may have changed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Stat {
    /// Which file this is; another one after a rename onto the name.
    pub inode: u64,
    /// In bytes.
    pub size: u64,
    /// When the bytes changed last, in nanoseconds since 1970.
    pub modified_ns: i64,
    /// When bytes, name or rights changed last, in nanoseconds since 1970; 0 where unknown.
    pub changed_ns: i64,
}

impl Stat {
    /// Whether a file found later is the one that had this stat, with the same bytes: its name may
    /// be another by now.
    pub fn is_of_same_bytes(&self, found: &Stat) -> bool {
        Stat { changed_ns: 0, ..*self } == Stat { changed_ns: 0, ..*found }
    }

    /// The same for a file that moves before it is looked at, which changes its last time.
    pub fn whatever_its_name(self) -> Stat {
        Stat { changed_ns: 0, ..self }
    }

    /// Whether a file is still as it was when it had this stat.
    pub fn is_of(&self, found: &Stat) -> bool {
        found == self || self.changed_ns == 0 && self.is_of_same_bytes(found)
    }

    /// A sum that is another one whenever the file may be another one.
    pub fn sum(&self) -> Sum {
        let mut summer = Summer::new();
        summer.number(self.inode).number(self.size);
        summer.number(self.modified_ns.cast_unsigned()).number(self.changed_ns.cast_unsigned());
        summer.finish()
    }
}

/// What stands under a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A regular file.
    File,
    /// A directory.
    Folder,
    /// A symbolic link, wherever it points.
    Link,
    /// A pipe, a socket or a device.
    Other,
}

/// What was found under a path, links not followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// What it is.
    pub kind: Kind,
    /// Its permission bits; 0 where there are none.
    pub mode: u32,
    /// Its stat.
    pub stat: Stat,
}

/// One name in a folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// The name alone.
    pub name: String,
    /// What it is.
    pub kind: Kind,
    /// Its stat.
    pub stat: Stat,
}

/// What is in a folder.
#[derive(Clone, Debug, Default)]
pub struct Listing {
    /// Which folder this is; another one after it was removed and made again.
    pub inode: u64,
    /// Names and stats, sorted by name.
    pub items: Vec<Listed>,
    /// Names that are no UTF-8, as far as they can be shown.
    pub garbled: Vec<String>,
}

/// Why a file was not read.
#[derive(Debug)]
pub enum ReadError {
    /// There is no such file.
    Missing,
    /// Something else stands in its place: `a directory`, `a symbolic link`…
    NotAFile(&'static str),
    /// It has so many bytes and was not read.
    TooLarge(u64),
    /// The system refused.
    Unreadable(io::Error),
}

impl ReadError {
    /// The same as a problem of the file.
    pub fn problem(&self, path: &str) -> Problem {
        let (kind, message) = match self {
            ReadError::Missing => (ProblemKind::Unreadable, "The file is gone.".to_string()),
            ReadError::NotAFile(what) => {
                (ProblemKind::NotAFile, format!("This is {what}, not a file."))
            }
            ReadError::TooLarge(size) => {
                let most = FILE_BYTES_MAX / 1024 / 1024;
                let size = size.div_ceil(1024 * 1024);
                (ProblemKind::TooLarge, format!("The file has {size} MiB; {most} MiB are allowed."))
            }
            ReadError::Unreadable(error) => {
                (ProblemKind::Unreadable, format!("The file cannot be read: {error}."))
            }
        };
        Problem::new(kind, path, message)
    }
}

impl ReadError {
    /// Whether it says nothing about the file: see [`passes`].
    pub fn passes(&self) -> bool {
        matches!(self, ReadError::Unreadable(error) if passes(error))
    }
}

/// Whether an error says nothing about what was looked at: another try may find it as it was. Too
/// many files are open, or the disk fails. That something is not there or may not be read is said
/// about it.
pub fn passes(error: &io::Error) -> bool {
    !is_absence(error) && error.kind() != io::ErrorKind::PermissionDenied
}

/// Whether this process, or the machine, has run out of what looking takes.
#[cfg(unix)]
pub(crate) fn is_exhaustion(error: &io::Error) -> bool {
    use rustix::io::Errno;
    let known = [Errno::MFILE, Errno::NFILE, Errno::NOMEM].map(Errno::raw_os_error);
    error.raw_os_error().is_some_and(|it| known.contains(&it))
}

/// Whether this process, or the machine, has run out of what looking takes.
#[cfg(not(unix))]
pub(crate) fn is_exhaustion(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::OutOfMemory
}

/// Whether a folder or a file is simply not there, or no longer.
pub(crate) fn is_absence(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) || is_link(error)
}

/// Whether a symbolic link stands in the way, which is not followed: as good as nothing.
#[cfg(unix)]
fn is_link(error: &io::Error) -> bool {
    error.raw_os_error() == Some(rustix::io::Errno::LOOP.raw_os_error())
}

/// Whether a symbolic link stands in the way, which is not followed: as good as nothing.
#[cfg(not(unix))]
fn is_link(_error: &io::Error) -> bool {
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

/// From this many files on, one sync of the whole disk is quicker than one a file.
const SYNC_ALL_FILES_MIN: usize = 6;

/// Primitive operations beneath one data folder.
pub trait Disk: Send + Sync {
    /// Reads a regular file of at most [`FILE_BYTES_MAX`] bytes into `into`, which is emptied
    /// first. The stat is from before the first byte was read. Never blocks on a pipe.
    fn read(&self, path: &str, into: &mut Vec<u8>) -> Result<Stat, ReadError>;

    /// Opens a regular file of any size for reading.
    fn open(&self, path: &str) -> Result<(File, Stat), ReadError>;

    /// What stands under `path`; the empty path is the data folder, looked up anew by its name.
    fn stat(&self, path: &str) -> io::Result<Found>;

    /// What is in a folder; the empty path is the data folder, looked up anew by its name.
    fn list(&self, folder: &str) -> io::Result<Listing>;

    /// Writes a file that must not exist yet, and syncs its bytes.
    fn write_new(&self, path: &str, bytes: &[u8], mode: u32) -> io::Result<()>;

    /// Writes a file that must not exist yet; its bytes are durable after [`Disk::sync_all`].
    fn write_unsynced(&self, path: &str, bytes: &[u8], mode: u32) -> io::Result<()>;

    /// Makes the bytes of a file durable.
    fn sync_file(&self, path: &str) -> io::Result<()>;

    /// Writes to the end of a file, which is made when it is not there. Nothing is synced.
    fn append(&self, path: &str, bytes: &[u8], mode: u32) -> io::Result<()>;

    /// Makes an empty file that must not exist yet and opens it for writing, for its owner alone.
    fn create(&self, path: &str) -> io::Result<File>;

    /// Moves a file onto another name, replacing what is there.
    fn rename(&self, from: &str, to: &str) -> io::Result<()>;

    /// Moves a file to a name that must be free.
    fn rename_new(&self, from: &str, to: &str) -> io::Result<()>;

    /// Swaps two files in one step: neither name is ever free. Not every system can do that; what
    /// the others say, `cannot_exchange` knows.
    fn exchange(&self, _one: &str, _other: &str) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Gives a file a second name that must be free.
    fn link(&self, from: &str, to: &str) -> io::Result<()>;

    /// Removes a file.
    fn remove(&self, path: &str) -> io::Result<()>;

    /// Makes one folder.
    fn make_folder(&self, folder: &str, mode: u32) -> io::Result<()>;

    /// Removes one folder, which must be empty.
    fn remove_folder(&self, folder: &str) -> io::Result<()>;

    /// Makes what happened to the names in a folder durable.
    fn sync_folder(&self, folder: &str) -> io::Result<()>;

    /// Makes everything durable that was written before, at once.
    fn sync_all(&self) -> io::Result<()>;

    /// How many bytes can still be written, where that is known.
    fn free_bytes(&self) -> io::Result<u64> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Makes the bytes of files and the names in folders durable, in no order.
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

/// Whether [`Disk::exchange`] failed because it cannot be done here at all.
pub(crate) fn cannot_exchange(error: &io::Error) -> bool {
    use io::ErrorKind::{CrossesDevices, InvalidInput, Unsupported};
    matches!(error.kind(), Unsupported | InvalidInput | CrossesDevices)
}

/// Writes a file whole, in the place of one that may be there, whose permissions it keeps.
/// Once this returns, the new bytes survive a power cut; until then the old ones do.
pub fn replace(disk: &dyn Disk, path: &str, bytes: &[u8]) -> Result<Stat, StoreError> {
    let old = disk.stat(path).ok().filter(|found| found.kind == Kind::File);
    let mode = old.map_or_else(|| default_mode(path), |found| found.mode);
    place(disk, path, bytes, mode, |from| disk.rename(from, path))
}

/// Writes a file that must not exist: of two that try, one gets [`io::ErrorKind::AlreadyExists`].
pub fn create(disk: &dyn Disk, path: &str, bytes: &[u8]) -> Result<Stat, StoreError> {
    place(disk, path, bytes, default_mode(path), |from| disk.rename_new(from, path))
}

/// Removes a file for good.
pub fn remove(disk: &dyn Disk, path: &str) -> Result<(), StoreError> {
    disk.remove(path).map_err(StoreError::io("remove", path))?;
    sync_parent(disk, path)
}

/// Makes a folder and those above it, unless they are there.
pub fn make_folders(disk: &dyn Disk, folder: &str) -> Result<(), StoreError> {
    let mut changed = BTreeSet::new();
    let made = make_folders_unsynced(disk, folder, &mut changed);
    for folder in changed {
        disk.sync_folder(&folder).map_err(StoreError::io("sync", folder))?;
    }
    made
}

/// As [`make_folders`], but the folders that have to be synced for it are named instead.
pub(crate) fn make_folders_unsynced(
    disk: &dyn Disk,
    folder: &str,
    changed: &mut BTreeSet<String>,
) -> Result<(), StoreError> {
    if folder.is_empty() || disk.stat(folder).is_ok_and(|found| found.kind == Kind::Folder) {
        return Ok(());
    }
    make_folders_unsynced(disk, parent(folder), changed)?;
    let mode = if layout::is_private(folder) { 0o700 } else { 0o750 };
    match disk.make_folder(folder, mode) {
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
        Err(error) => return Err(StoreError::io("make", folder)(error)),
        Ok(()) => _ = changed.insert(parent(folder).to_string()),
    }
    Ok(())
}

/// Makes a folder for what only Recto looks into, before there is a [`Disk`].
pub(crate) fn make_private_folder(path: &Path) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(path)
}

fn place(
    disk: &dyn Disk,
    path: &str,
    bytes: &[u8],
    mode: u32,
    rename: impl Fn(&str) -> io::Result<()>,
) -> Result<Stat, StoreError> {
    make_folders(disk, parent(path))?;
    make_folders(disk, layout::TMP)?;
    let moved = write_and_move(disk, &unfinished(None), bytes, mode, &rename);
    let moved = match moved {
        Err(error) if error.kind() == io::ErrorKind::CrossesDevices => {
            write_and_move(disk, &unfinished(Some(path)), bytes, mode, &rename)
        }
        moved => moved,
    };
    moved.map_err(StoreError::io("write", path))?;
    sync_parent(disk, path)?;
    Ok(disk.stat(path).map_err(StoreError::io("look at", path))?.stat)
}

fn write_and_move(
    disk: &dyn Disk,
    unfinished: &str,
    bytes: &[u8],
    mode: u32,
    rename: &impl Fn(&str) -> io::Result<()>,
) -> io::Result<()> {
    let done = disk.write_new(unfinished, bytes, mode).and_then(|()| rename(unfinished));
    if done.is_err() {
        // What is left behind is garbage in a folder for garbage; the error that matters is above.
        let _ = disk.remove(unfinished);
    }
    done
}

/// A name nobody else uses: not in this process, not in one that runs beside it, nor in one that
/// left something behind. In containers every process has the same number.
pub(crate) fn unfinished(beside: Option<&str>) -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    static PROCESS: LazyLock<u32> =
        LazyLock::new(|| getrandom::u32().unwrap_or(0) ^ std::process::id());
    let (process, number) = (*PROCESS, NEXT.fetch_add(1, Ordering::Relaxed));
    match beside {
        None => layout::unfinished(process, number),
        Some(path) => layout::unfinished_beside(path, process, number),
    }
}

pub(crate) fn sync_parent(disk: &dyn Disk, path: &str) -> Result<(), StoreError> {
    let folder = parent(path);
    disk.sync_folder(folder).map_err(StoreError::io("sync", folder))
}

/// Removes what processes that are gone left unfinished: all that has not been touched for a minute.
/// For whoever holds the instance lock; tools beside a server take far less.
pub(crate) fn clear_unfinished(disk: &dyn Disk, now_ns: i64) {
    const GRACE_NS: i64 = 60_000_000_000;
    let Ok(listing) = disk.list(layout::TMP) else { return };
    let old = |it: &&Listed| now_ns.saturating_sub(it.stat.modified_ns) > GRACE_NS;
    for item in listing.items.iter().filter(|it| it.kind == Kind::File).filter(old) {
        // Garbage in a folder for garbage.
        let _ = disk.remove(&format!("{}/{}", layout::TMP, item.name));
    }
}

/// The permission bits of a new file.
pub(crate) fn default_mode(path: &str) -> u32 {
    if layout::is_private(path) { 0o600 } else { 0o640 }
}

/// The folder a path is in.
pub fn parent(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// Runs a check on both disks.
    fn on_disks(check: impl Fn(&dyn Disk, &std::path::Path)) {
        let data = tempfile::tempdir().unwrap();
        check(&OsDisk::open(data.path()).unwrap(), data.path());
        let data = tempfile::tempdir().unwrap();
        check(&portable::OsDisk::open(data.path()).unwrap(), data.path());
    }

    fn show(read: Result<Stat, ReadError>, bytes: &[u8]) -> String {
        match read {
            Ok(_) => String::from_utf8_lossy(bytes).into_owned(),
            Err(ReadError::Missing) => "missing".to_string(),
            Err(error) => error.problem("x").kind.to_string(),
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
            assert_eq!(disk.stat("a/in").unwrap().kind, Kind::Link);
            assert_eq!(disk.stat("a/pipe").unwrap().kind, Kind::Other);
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
            assert_eq!((&*item.name, item.kind, item.stat), ("0012", Kind::File, found.stat));
            assert_eq!(listing.items[3_000].kind, Kind::Folder);
            assert!(disk.list("below").unwrap().items.is_empty());
            assert_eq!(disk.list("gone").unwrap_err().kind(), io::ErrorKind::NotFound);
        });
    }

    #[test]
    fn creates_once_and_replaces_ever_after() {
        on_disks(|disk, root| {
            let path = "system/tokens/a.json";
            create(disk, path, b"one").unwrap();
            let again = create(disk, path, b"two").unwrap_err();
            assert_eq!(again.io_kind(), Some(io::ErrorKind::AlreadyExists));
            assert_eq!(fs::read(root.join(path)).unwrap(), b"one");
            let stat = replace(disk, path, b"three").unwrap();
            assert_eq!(stat, disk.stat(path).unwrap().stat);
            assert_eq!(fs::read(root.join(path)).unwrap(), b"three");
            remove(disk, path).unwrap();
            assert!(!root.join(path).exists());
            assert_eq!(fs::read_dir(root.join(layout::TMP)).unwrap().count(), 0);
        });
    }

    #[test]
    fn of_two_that_create_one_wins() {
        on_disks(|disk, _| {
            let wins: usize = std::thread::scope(|scope| {
                let create = |_| scope.spawn(|| create(disk, "a/b", b"x").is_ok());
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
        create(&disk, "system/tokens/a.json", b"").unwrap();
        assert_eq!((mode("system"), mode("system/tokens/a.json")), (0o700, 0o600));
        create(&disk, "workspaces/a.json", b"").unwrap();
        assert_eq!((mode("workspaces"), mode("workspaces/a.json")), (0o750, 0o640));
        let place = data.path().join("workspaces/a.json");
        fs::set_permissions(place, fs::Permissions::from_mode(0o664)).unwrap();
        replace(&disk, "workspaces/a.json", b"{}").unwrap();
        assert_eq!(mode("workspaces/a.json"), 0o664);
        // What is replaced need not be a file.
        std::os::unix::fs::symlink("a.json", data.path().join("workspaces/b.json")).unwrap();
        replace(&disk, "workspaces/b.json", b"{}").unwrap();
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
