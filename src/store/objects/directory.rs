//! A store of objects in a directory: another disk, or one that the system has mounted.

use std::fs::DirBuilder;
use std::fs::DirEntry;
use std::fs::File;
use std::fs::OpenOptions;
use std::io;
use std::io::Read;
use std::io::Write;
use std::path::Path;
use std::path::PathBuf;
use std::time::Duration;

use crate::store::objects::OBJECT_BYTES_MAX;
use crate::store::objects::ObjectStore;
use crate::store::objects::ObjectStoreError;
use crate::store::objects::StoredObject;

/// The beginning of the names of unfinished files.
const UNFINISHED: &str = ".unfinished-";

/// The age at which an unfinished file counts as one that a crash left.
const UNFINISHED_MAX: Duration = Duration::from_secs(86_400);

/// A store of objects in a directory.
pub struct DirectoryStore {
    root: PathBuf,
}

impl DirectoryStore {
    /// Returns the store in a directory, which is created when the first object is written.
    pub fn new(root: PathBuf) -> DirectoryStore {
        DirectoryStore { root }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    fn error(&self, op: &str, name: &str) -> impl FnOnce(io::Error) -> ObjectStoreError {
        let path = self.path(name);
        move |error| ObjectStoreError(format!("cannot {op} {}: {error}", path.display()))
    }

    fn write_object(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        let path = self.path(name);
        let folder = path.parent().unwrap_or(&self.root);
        make_folders(folder)?;
        let unfinished = folder.join(format!("{UNFINISHED}{:016x}", getrandom::u64()?));
        let written = write_synced(&unfinished, bytes).and_then(|()| {
            std::fs::rename(&unfinished, &path)?;
            sync_folder(folder)
        });
        if written.is_err() {
            // What remains of it is never taken for an object.
            let _ = std::fs::remove_file(&unfinished);
        }
        written
    }

    fn list_folder(&self, prefix: &str, into: &mut Vec<StoredObject>) -> io::Result<()> {
        let items = match std::fs::read_dir(self.path(prefix)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            items => items?,
        };
        for item in items {
            let item = item?;
            let Ok(name) = item.file_name().into_string() else { continue };
            if name.starts_with('.') {
                remove_if_old(&item, &name);
                continue;
            }
            let (name, kind) = (format!("{prefix}{name}"), item.file_type()?);
            if kind.is_dir() {
                self.list_folder(&format!("{name}/"), into)?;
            } else if kind.is_file() {
                into.push(StoredObject { name, size: item.metadata()?.len() });
            }
        }
        Ok(())
    }
}

impl ObjectStore for DirectoryStore {
    fn put(&self, name: &str, bytes: &[u8]) -> Result<(), ObjectStoreError> {
        self.write_object(name, bytes).map_err(self.error("write", name))?;
        if self.get(name)?.as_deref() == Some(bytes) {
            return Ok(());
        }
        let path = self.path(name);
        Err(ObjectStoreError(format!("{} was not read back as it was written", path.display())))
    }

    fn get(&self, name: &str) -> Result<Option<Vec<u8>>, ObjectStoreError> {
        let file = match File::open(self.path(name)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            file => file.map_err(self.error("open", name))?,
        };
        let mut bytes = Vec::new();
        let read = file.take(OBJECT_BYTES_MAX + 1).read_to_end(&mut bytes);
        read.map_err(self.error("read", name))?;
        if bytes.len() as u64 > OBJECT_BYTES_MAX {
            let path = self.path(name);
            return Err(ObjectStoreError(format!("{} is too large", path.display())));
        }
        Ok(Some(bytes))
    }

    fn list(&self, prefix: &str) -> Result<Vec<StoredObject>, ObjectStoreError> {
        let mut objects = Vec::new();
        self.list_folder(prefix, &mut objects).map_err(self.error("list", prefix))?;
        objects.sort();
        Ok(objects)
    }

    fn delete(&self, name: &str) -> Result<(), ObjectStoreError> {
        match std::fs::remove_file(self.path(name)) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            removed => removed.map_err(self.error("delete", name)),
        }
    }

    fn place(&self) -> String {
        self.root.display().to_string()
    }
}

/// Removes an unfinished file that nobody writes any more.
fn remove_if_old(item: &DirEntry, name: &str) {
    let modified = item.metadata().and_then(|it| it.modified());
    let age = modified.ok().and_then(|it| it.elapsed().ok());
    if name.starts_with(UNFINISHED) && age.is_some_and(|it| it > UNFINISHED_MAX) {
        // It takes space and does no other harm.
        let _ = std::fs::remove_file(item.path());
    }
}

/// Creates a folder and those above it, for their owner only, durably.
fn make_folders(folder: &Path) -> io::Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    let mut builder = DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)?;
    folder.ancestors().skip(1).take(2).try_for_each(sync_folder)
}

fn write_synced(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

#[cfg(unix)]
fn sync_folder(folder: &Path) -> io::Result<()> {
    if folder.as_os_str().is_empty() { Ok(()) } else { File::open(folder)?.sync_all() }
}

/// Does nothing: other systems cannot sync a folder.
#[cfg(not(unix))]
fn sync_folder(_folder: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_are_written_listed_read_and_deleted() {
        let folder = tempfile::tempdir().unwrap();
        let store = DirectoryStore::new(folder.path().join("not/there"));
        assert!(store.list("objects/").unwrap().is_empty());
        assert_eq!(store.get("objects/ab/x").unwrap(), None);
        store.put("objects/ab/x", b"one").unwrap();
        store.put("objects/aa/y", b"").unwrap();
        store.put("objects/ab/x", b"two").unwrap();
        store.put("marker.json", b"{}").unwrap();
        std::fs::write(folder.path().join("not/there/objects/ab/.unfinished-1"), "").unwrap();
        assert_eq!(store.get("objects/ab/x").unwrap().as_deref(), Some(&b"two"[..]));
        let object = |name: &str, size| StoredObject { name: name.to_string(), size };
        let expect = [object("objects/aa/y", 0), object("objects/ab/x", 3)];
        assert_eq!(store.list("objects/").unwrap(), expect);
        store.delete("objects/ab/x").unwrap();
        store.delete("objects/ab/x").unwrap();
        assert_eq!(store.list("objects/").unwrap(), expect[..1]);
    }

    #[cfg(unix)]
    #[test]
    fn only_the_owner_reads_backups() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let store = DirectoryStore::new(folder.path().join("target"));
        store.put("objects/ab/x", b"one").unwrap();
        for (path, mode) in [("target", 0o700), ("target/objects/ab/x", 0o600)] {
            let found = folder.path().join(path).metadata().unwrap().permissions().mode();
            assert_eq!(found & 0o777, mode, "{path}");
        }
    }

    #[test]
    fn what_cannot_be_written_is_said_with_its_path() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("file"), "").unwrap();
        let store = DirectoryStore::new(folder.path().join("file"));
        let error = store.put("objects/ab/x", b"one").unwrap_err().to_string();
        assert!(error.contains("file/objects/ab/x"), "{error}");
    }
}
