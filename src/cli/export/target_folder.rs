//! The folder of an export: files are replaced whole or not at all, those with the right bytes are
//! left as they are, and nothing is touched that an export did not write. All users may read what
//! is exported, which is public: a web server is rarely the user who exports.

use std::collections::BTreeSet;
use std::fs;
use std::fs::File;
use std::io;
use std::io::Read;
use std::io::Write;
use std::path::Path;
use std::path::PathBuf;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::time::UNIX_EPOCH;

use crate::cli::error::CommandError;
use crate::cli::export::manifest::ExportedFile;
use crate::cli::export::manifest::MANIFEST_FILE;
use crate::cli::export::manifest::Manifest;
use crate::stdx::sync::Mutex;

/// The beginning of the names of files that are being written.
const TEMPORARY: &str = ".recto-export-";

/// The bytes that are compared at once.
const COMPARED_BYTES: usize = 64 * 1024;

/// The bits that let all users read a file.
const FILE_READ_BITS: u32 = 0o044;

/// The bits that let all users read a folder.
const FOLDER_READ_BITS: u32 = 0o055;

/// The folder.
pub(super) struct TargetFolder {
    root: PathBuf,
    /// The paths of files that exports wrote, or will write.
    owned: BTreeSet<String>,
    /// The folders inside that are known to be no links.
    safe: Mutex<BTreeSet<PathBuf>>,
    next_temporary: AtomicU64,
    /// Held while the export runs.
    _lock: Option<File>,
}

/// A file that was left or written.
pub(super) struct PlacedFile {
    pub(super) bytes: u64,
    pub(super) modified: i64,
    /// False if the file had these bytes already.
    pub(super) is_new: bool,
}

impl TargetFolder {
    /// Opens the folder, and makes it if it is missing. Returns what an earlier export wrote there.
    ///
    /// # Errors
    ///
    /// Fails if the folder holds files and no export wrote there, unless `force` is set.
    pub(super) fn open(
        root: &Path,
        force: bool,
    ) -> Result<(TargetFolder, Option<Manifest>), CommandError> {
        let shown = root.display();
        let failed =
            |error: io::Error| CommandError::failed(format!("cannot open {shown}: {error}"));
        make_open_folder(root).map_err(failed)?;
        let lock = lock_folder(root)?;
        let (safe, next_temporary) = (Mutex::default(), AtomicU64::new(0));
        let (root_path, owned) = (root.to_path_buf(), BTreeSet::new());
        let mut folder = TargetFolder { root: root_path, owned, safe, next_temporary, _lock: lock };
        match fs::read(root.join(MANIFEST_FILE)) {
            Ok(bytes) => {
                let manifest = Manifest::parse(&bytes).map_err(CommandError::usage)?;
                folder.own(manifest.list_paths().into_iter().map(str::to_string));
                Ok((folder, Some(manifest)))
            }
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(failed(error)),
            Err(_) => {
                let is_empty = fs::read_dir(root).map_err(failed)?.next().is_none();
                if !is_empty && !force {
                    return Err(CommandError::usage(format!(
                        "{shown} has files and no export wrote there; with --force, an export is \
                         added to them"
                    )));
                }
                Ok((folder, None))
            }
        }
    }

    /// Removes files of earlier exports that stand where folders have to be now, or in folders
    /// where files have to be. Returns their number.
    pub(super) fn make_room(&mut self, wanted: &BTreeSet<String>) -> io::Result<usize> {
        let is_below_wanted = |path: &str| {
            let mut above = Path::new(path).ancestors().skip(1).filter_map(Path::to_str);
            above.any(|it| wanted.contains(it))
        };
        let is_above_wanted = |path: &str| {
            let below = format!("{path}/");
            wanted.range(below.clone()..).next().is_some_and(|it| it.starts_with(&below))
        };
        let in_the_way = self.owned.iter().filter(|it| !wanted.contains(*it));
        let in_the_way = in_the_way.filter(|it| is_below_wanted(it) || is_above_wanted(it));
        let in_the_way: Vec<String> = in_the_way.cloned().collect();
        for path in &in_the_way {
            self.remove(path)?;
            self.owned.remove(path);
        }
        Ok(in_the_way.len())
    }

    /// Returns true if all that is below a path was written by exports.
    fn is_own_folder(&self, path: &str) -> bool {
        let mut found = walkdir::WalkDir::new(self.root.join(path)).min_depth(1).into_iter();
        found.all(|entry| {
            let Ok(entry) = entry else { return false };
            let path = entry.path().strip_prefix(&self.root).ok().and_then(Path::to_str);
            entry.file_type().is_dir() || path.is_some_and(|it| self.owns(it))
        })
    }

    /// Returns true if something of others is at a path.
    pub(super) fn is_taken(&self, path: &str) -> bool {
        self.find(path).is_some_and(|it| !it.is_dir() || !self.is_own_folder(path))
            && !self.owns(path)
    }

    /// Makes files those of this export.
    pub(super) fn own(&mut self, paths: impl IntoIterator<Item = String>) {
        self.owned.extend(paths);
    }

    /// Returns true if a file is one that an export wrote, or will write.
    pub(super) fn owns(&self, path: &str) -> bool {
        self.owned.contains(path)
    }

    /// Returns the file at a path, if there is one.
    fn find(&self, path: &str) -> Option<fs::Metadata> {
        fs::symlink_metadata(self.root.join(path)).ok()
    }

    /// Returns true if something is at a path.
    pub(super) fn has(&self, path: &str) -> bool {
        self.find(path).is_some()
    }

    /// Reads a file.
    pub(super) fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        self.check_parents(path)?;
        fs::read(self.root.join(path))
    }

    /// Returns true if a file is as it was written.
    pub(super) fn is_untouched(&self, file: &ExportedFile) -> bool {
        let found = self.find(&file.path).filter(fs::Metadata::is_file);
        found.is_some_and(|it| it.len() == file.bytes && modified(&it) == file.modified)
    }

    /// Writes a file, unless it has these bytes already.
    pub(super) fn write(&self, path: &str, bytes: &[u8]) -> io::Result<PlacedFile> {
        if let Some(placed) = self.find_same(path, &mut &*bytes, bytes.len() as u64)? {
            return Ok(placed);
        }
        let mut draft = self.begin_file()?;
        draft.add(bytes)?;
        self.place(draft, path)
    }

    /// Begins a file that is placed when it is complete.
    pub(super) fn begin_file(&self) -> io::Result<FileDraft> {
        let number = self.next_temporary.fetch_add(1, Relaxed);
        let name = format!("{TEMPORARY}{}-{number}", std::process::id());
        let path = self.root.join(name);
        let file = File::create(&path)?;
        add_permissions(&path, FILE_READ_BITS);
        Ok(FileDraft { path, file, bytes: 0, is_placed: false })
    }

    /// Places a complete file, unless the one that is there has the same bytes.
    pub(super) fn place(&self, mut draft: FileDraft, path: &str) -> io::Result<PlacedFile> {
        if let Some(placed) = self.find_same(path, &mut File::open(&draft.path)?, draft.bytes)? {
            return Ok(placed);
        }
        self.prepare_parent(path)?;
        let place = self.root.join(path);
        fs::rename(&draft.path, &place)?;
        draft.is_placed = true;
        let found = fs::symlink_metadata(place)?;
        Ok(PlacedFile { bytes: found.len(), modified: modified(&found), is_new: true })
    }

    /// Returns the file at a path if it has these bytes.
    fn find_same(
        &self,
        path: &str,
        bytes: &mut dyn Read,
        n_bytes: u64,
    ) -> io::Result<Option<PlacedFile>> {
        let Some(found) = self.find(path).filter(|it| it.is_file() && it.len() == n_bytes) else {
            return Ok(None);
        };
        self.check_parents(path)?;
        let is_same = has_same_bytes(&mut File::open(self.root.join(path))?, bytes)?;
        let (bytes, modified) = (n_bytes, modified(&found));
        Ok(is_same.then_some(PlacedFile { bytes, modified, is_new: false }))
    }

    /// Makes the folders above a path.
    fn prepare_parent(&self, path: &str) -> io::Result<()> {
        let Some(parent) = Path::new(path).parent() else { return Ok(()) };
        if self.safe.lock().contains(parent) {
            return Ok(());
        }
        self.check_parents(path)?;
        make_open_folder(&self.root.join(parent))?;
        self.safe.lock().insert(parent.to_path_buf());
        Ok(())
    }

    /// Checks that no folder above a path is a link, which leads out of the export.
    fn check_parents(&self, path: &str) -> io::Result<()> {
        let above = Path::new(path).ancestors().skip(1).filter(|it| *it != Path::new(""));
        for folder in above {
            if self.safe.lock().contains(folder) {
                return Ok(());
            }
            match fs::symlink_metadata(self.root.join(folder)) {
                Ok(found) if found.is_dir() => {}
                Ok(_) => {
                    let message = format!("{} is not a folder", folder.display());
                    return Err(io::Error::new(io::ErrorKind::NotADirectory, message));
                }
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Removes a file that an export wrote, and the folders that are empty then. Returns false if
    /// it is gone already.
    pub(super) fn remove(&self, path: &str) -> io::Result<bool> {
        self.check_parents(path)?;
        match fs::remove_file(self.root.join(path)) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            Err(error) => return Err(error),
        }
        let above = Path::new(path).ancestors().skip(1).filter(|it| *it != Path::new(""));
        for folder in above {
            // One that has files stays.
            if fs::remove_dir(self.root.join(folder)).is_err() {
                break;
            }
        }
        Ok(true)
    }

    /// Removes what an interrupted export left half written.
    pub(super) fn remove_drafts(&self) -> io::Result<()> {
        for found in fs::read_dir(&self.root)? {
            let found = found?;
            if found.file_name().to_string_lossy().starts_with(TEMPORARY) {
                fs::remove_file(found.path())?;
            }
        }
        Ok(())
    }

    /// Returns true if the folder takes two names for one that differ in case only.
    pub(super) fn ignores_case(&self) -> io::Result<bool> {
        let draft = self.begin_file()?;
        let name = draft.path.file_name().map(|it| it.to_string_lossy().to_uppercase());
        Ok(name.is_some_and(|it| self.has(&it)))
    }
}

/// Makes a folder, and those above it that are missing, for all users to read.
fn make_open_folder(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Ok(());
    }
    if let Some(parent) = path.parent().filter(|it| !it.as_os_str().is_empty()) {
        make_open_folder(parent)?;
    }
    match fs::create_dir(path) {
        Ok(()) => {
            add_permissions(path, FOLDER_READ_BITS);
            Ok(())
        }
        // Another thread was faster.
        Err(_) if path.is_dir() => Ok(()),
        Err(error) => Err(error),
    }
}

/// Adds permissions, whatever the umask is: that of the process is for content with secrets.
#[cfg(unix)]
fn add_permissions(path: &Path, bits: u32) {
    use std::os::unix::fs::PermissionsExt;
    if let Ok(found) = fs::metadata(path) {
        let mode = found.permissions().mode() | bits;
        // Some file systems have no permissions.
        let _ = fs::set_permissions(path, fs::Permissions::from_mode(mode));
    }
}

/// Does nothing: other systems have no modes.
#[cfg(not(unix))]
fn add_permissions(_path: &Path, _bits: u32) {}

/// Locks a folder for one export: two at a time would take each other's files for those of others.
/// Where folders cannot be opened, nothing is locked.
fn lock_folder(root: &Path) -> Result<Option<File>, CommandError> {
    let Ok(folder) = File::open(root) else { return Ok(None) };
    match folder.try_lock() {
        Err(fs::TryLockError::WouldBlock) => {
            let shown = root.display();
            Err(CommandError::usage(format!("another export into {shown} is running")))
        }
        _ => Ok(Some(folder)),
    }
}

/// A file that is being written. Unless it is placed, it vanishes.
pub(super) struct FileDraft {
    path: PathBuf,
    file: File,
    bytes: u64,
    is_placed: bool,
}

impl FileDraft {
    /// Appends bytes.
    pub(super) fn add(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.bytes += bytes.len() as u64;
        self.file.write_all(bytes)
    }
}

impl Drop for FileDraft {
    fn drop(&mut self) {
        if !self.is_placed {
            // The next export tries again.
            let _ = fs::remove_file(&self.path);
        }
    }
}

fn has_same_bytes(one: &mut dyn Read, other: &mut dyn Read) -> io::Result<bool> {
    let (mut ones, mut others) = (vec![0; COMPARED_BYTES], vec![0; COMPARED_BYTES]);
    loop {
        let n_read = one.read(&mut ones)?;
        if n_read == 0 {
            return Ok(other.read(&mut others)? == 0);
        }
        let (Some(ones), Some(others)) = (ones.get(..n_read), others.get_mut(..n_read)) else {
            return Ok(false);
        };
        match other.read_exact(others) {
            Ok(()) if ones == others => {}
            Ok(()) => return Ok(false),
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(false),
            Err(error) => return Err(error),
        }
    }
}

/// Returns the time of the last change in nanoseconds.
fn modified(found: &fs::Metadata) -> i64 {
    let since = found.modified().ok().and_then(|it| it.duration_since(UNIX_EPOCH).ok());
    since.and_then(|it| i64::try_from(it.as_nanos()).ok()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(folder: &tempfile::TempDir) -> TargetFolder {
        TargetFolder::open(folder.path(), true).unwrap().0
    }

    #[test]
    fn a_file_with_the_same_bytes_stays() {
        let folder = tempfile::tempdir().unwrap();
        let target = open(&folder);
        let first = target.write("a/b", b"one").unwrap();
        assert!(first.is_new);
        let again = target.write("a/b", b"one").unwrap();
        assert!(!again.is_new && again.modified == first.modified);
        for bytes in [&b"two"[..], b"longer", b""] {
            assert!(target.write("a/b", bytes).unwrap().is_new);
            assert_eq!(fs::read(folder.path().join("a/b")).unwrap(), bytes);
        }
        let mut draft = target.begin_file().unwrap();
        draft.add(b"half").unwrap();
        drop(draft);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn empty_folders_go_and_others_stay() {
        let folder = tempfile::tempdir().unwrap();
        let target = open(&folder);
        target.write("a/b/c", b"1").unwrap();
        fs::write(folder.path().join("a/own"), b"2").unwrap();
        assert!(target.remove("a/b/c").unwrap());
        assert!(!target.remove("a/b/c").unwrap());
        assert!(!target.has("a/b") && target.has("a/own"));
    }

    #[cfg(unix)]
    #[test]
    fn all_users_may_read() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let own = folder.path().join("own");
        fs::create_dir(&own).unwrap();
        let secret = fs::Permissions::from_mode(0o700);
        fs::set_permissions(&own, secret).unwrap();
        let root = own.join("out/public");
        let (target, _) = TargetFolder::open(&root, false).unwrap();
        target.write("a/b/c", b"1").unwrap();
        let mode = |path: &Path| path.metadata().unwrap().permissions().mode() & 0o777;
        for made in ["out", "out/public", "out/public/a", "out/public/a/b"] {
            assert_eq!(mode(&own.join(made)) & 0o055, 0o055, "{made}");
        }
        assert_eq!(mode(&root.join("a/b/c")) & 0o044, 0o044);
        assert_eq!(mode(&own), 0o700);
    }

    #[cfg(unix)]
    #[test]
    fn no_link_is_followed() {
        let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        fs::write(other.path().join("c"), b"theirs").unwrap();
        std::os::unix::fs::symlink(other.path(), folder.path().join("a")).unwrap();
        let target = open(&folder);
        assert!(target.write("a/c", b"mine").is_err());
        assert!(target.write("a/c", b"theirs").is_err());
        assert!(target.remove("a/c").is_err());
        std::os::unix::fs::symlink(other.path().join("c"), folder.path().join("d")).unwrap();
        assert!(target.write("d", b"theirs").unwrap().is_new);
        assert_eq!(fs::read(other.path().join("c")).unwrap(), b"theirs");
    }
}
