//! The disk of other systems than Unix, based on the standard library: every component of a path is
//! checked for links before it is used. Slower, and open to a race that `openat` prevents on Unix.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use crate::store::data_folder::DataFolder;
use crate::store::disk::file_system::{
    Disk, FILE_BYTES_MAX, FileKind, FolderItem, Listing, ReadError, Stat, StatResult, has_capital,
    to_system_time,
};
use crate::store::error::StoreError;
use crate::store::layout;

/// A data folder on a real disk.
#[derive(Debug)]
pub struct OsDisk {
    places: DataFolder,
}

impl OsDisk {
    /// Opens a data folder that contains its own state.
    pub fn open(path: &Path) -> io::Result<OsDisk> {
        Ok(OsDisk { places: DataFolder::new(folder_at(path)?) })
    }

    /// Opens a data folder and its state directory, which must both exist.
    pub fn open_places(places: &DataFolder) -> Result<OsDisk, StoreError> {
        let open = |path: &Path| {
            folder_at(path).map_err(StoreError::io("open", path.display().to_string()))
        };
        let (root, state) = (open(places.root())?, places.state().map(open).transpose()?);
        Ok(OsDisk { places: DataFolder::with_state(root, state) })
    }

    /// Returns the full path of a folder, which must not be a link.
    fn resolve_folder(&self, path: &str) -> io::Result<PathBuf> {
        let place = self.resolve_path(path)?;
        if fs::symlink_metadata(&place)?.is_symlink() {
            return Err(io::Error::from(io::ErrorKind::NotADirectory));
        }
        Ok(place)
    }

    /// Returns the full path, unless a folder in it is a link.
    fn resolve_path(&self, path: &str) -> io::Result<PathBuf> {
        let mut place = self.places.base_path(path).to_path_buf();
        let mut steps = path.split('/').filter(|_| !path.is_empty()).peekable();
        while let Some(step) = steps.next() {
            if matches!(step, "" | "." | "..") || step.contains('\\') {
                return Err(io::Error::from(io::ErrorKind::InvalidInput));
            }
            place.push(step);
            if steps.peek().is_some() && fs::symlink_metadata(&place)?.is_symlink() {
                return Err(io::Error::from(io::ErrorKind::NotADirectory));
            }
        }
        Ok(place)
    }
}

impl Disk for OsDisk {
    fn read(&self, path: &str, into: &mut Vec<u8>) -> Result<Stat, ReadError> {
        let (file, stat) = Disk::open(self, path)?;
        if stat.size > FILE_BYTES_MAX {
            return Err(ReadError::TooLarge(stat.size));
        }
        into.clear();
        file.take(FILE_BYTES_MAX + 1).read_to_end(into)?;
        let read = into.len() as u64;
        if read > FILE_BYTES_MAX { Err(ReadError::TooLarge(read)) } else { Ok(stat) }
    }

    fn open(&self, path: &str) -> Result<(File, Stat), ReadError> {
        let place = self.resolve_path(path)?;
        // Checked before opening, since opening a pipe would block until there is a writer.
        match to_stat_result(&fs::symlink_metadata(&place)?).kind {
            FileKind::File => {}
            FileKind::Folder => return Err(ReadError::NotAFile("a directory")),
            FileKind::Link => return Err(ReadError::NotAFile("a symbolic link")),
            FileKind::Other => return Err(ReadError::NotAFile("a pipe or a device")),
        }
        let file = File::open(place)?;
        let stat = to_stat_result(&file.metadata()?).stat;
        Ok((file, stat))
    }

    fn stat(&self, path: &str) -> io::Result<StatResult> {
        Ok(to_stat_result(&fs::symlink_metadata(self.resolve_path(path)?)?))
    }

    fn list(&self, folder: &str) -> io::Result<Listing> {
        let mut listing = Listing::default();
        let has_state = folder.is_empty() && self.places.state().is_some();
        for entry in fs::read_dir(self.resolve_folder(folder)?)? {
            let entry = entry?;
            let name = match entry.file_name().into_string() {
                Ok(name) => name,
                Err(name) => {
                    listing.garbled.push(name.to_string_lossy().into_owned());
                    continue;
                }
            };
            match entry.metadata() {
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                metadata => {
                    let StatResult { kind, stat, .. } = to_stat_result(&metadata?);
                    listing.has_capitals |= has_capital(&name);
                    listing.items.push(FolderItem { name, kind, stat });
                }
            }
        }
        if has_state {
            listing.items.retain(|it| !layout::is_state(&it.name));
            for name in [layout::SYSTEM, layout::BACKUPS].map(str::to_string) {
                if let Ok(StatResult { kind, stat, .. }) = Disk::stat(self, &name) {
                    listing.items.push(FolderItem { name, kind, stat });
                }
            }
        }
        listing.items.sort_unstable_by(|one, other| one.name.cmp(&other.name));
        Ok(listing)
    }

    fn write_new(&self, path: &str, bytes: &[u8], _mode: u32) -> io::Result<()> {
        let mut file =
            OpenOptions::new().write(true).create_new(true).open(self.resolve_path(path)?)?;
        file.write_all(bytes)?;
        file.sync_all()
    }

    fn write_unsynced(&self, path: &str, bytes: &[u8], mode: u32) -> io::Result<Stat> {
        self.write_new(path, bytes, mode)?;
        Ok(self.stat(path)?.stat)
    }

    fn sync_file(&self, path: &str) -> io::Result<()> {
        OpenOptions::new().write(true).open(self.resolve_path(path)?)?.sync_all()
    }

    fn append(&self, path: &str, bytes: &[u8], _mode: u32) -> io::Result<()> {
        let place = self.resolve_path(path)?;
        if fs::symlink_metadata(&place).is_ok_and(|it| to_stat_result(&it).kind != FileKind::File) {
            return Err(io::Error::from(io::ErrorKind::InvalidInput));
        }
        OpenOptions::new().append(true).create(true).open(place)?.write_all(bytes)
    }

    fn set_modified(&self, path: &str, modified_ns: i64) -> io::Result<()> {
        let file = OpenOptions::new().append(true).open(self.resolve_path(path)?)?;
        file.set_modified(to_system_time(modified_ns))
    }

    fn create(&self, path: &str) -> io::Result<File> {
        OpenOptions::new().write(true).create_new(true).open(self.resolve_path(path)?)
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        fs::rename(self.resolve_path(from)?, self.resolve_path(to)?)
    }

    fn rename_new(&self, from: &str, to: &str) -> io::Result<()> {
        self.link(from, to)?;
        self.remove(from)
    }

    fn link(&self, from: &str, to: &str) -> io::Result<()> {
        fs::hard_link(self.resolve_path(from)?, self.resolve_path(to)?)
    }

    fn remove(&self, path: &str) -> io::Result<()> {
        fs::remove_file(self.resolve_path(path)?)
    }

    fn make_folder(&self, folder: &str, _mode: u32) -> io::Result<()> {
        fs::create_dir(self.resolve_path(folder)?)
    }

    fn remove_folder(&self, folder: &str) -> io::Result<()> {
        fs::remove_dir(self.resolve_path(folder)?)
    }

    fn sync_folder(&self, _folder: &str) -> io::Result<()> {
        // Not every system can open a folder for syncing; there, renames are journaled by the file
        // system.
        Ok(())
    }

    fn unfinished_folder(&self, path: &str) -> &'static str {
        let is_elsewhere = self.places.state().is_some() && layout::is_state(path);
        if is_elsewhere { layout::STATE_TMP } else { layout::TMP }
    }

    fn sync_all(&self) -> io::Result<()> {
        Err(io::Error::from(io::ErrorKind::Unsupported))
    }
}

fn folder_at(path: &Path) -> io::Result<PathBuf> {
    let path = path.canonicalize()?;
    if path.is_dir() { Ok(path) } else { Err(io::Error::from(io::ErrorKind::NotADirectory)) }
}

fn to_stat_result(metadata: &fs::Metadata) -> StatResult {
    let kind = match metadata.file_type() {
        it if it.is_file() => FileKind::File,
        it if it.is_dir() => FileKind::Folder,
        it if it.is_symlink() => FileKind::Link,
        _ => FileKind::Other,
    };
    let nanoseconds = |at: io::Result<std::time::SystemTime>| {
        let since = at.ok().and_then(|it| it.duration_since(UNIX_EPOCH).ok()).unwrap_or_default();
        i64::try_from(since.as_nanos()).unwrap_or(i64::MAX)
    };
    // The inode is not available; the time of creation is used instead.
    let inode = nanoseconds(metadata.created()).unsigned_abs();
    let modified_ns = nanoseconds(metadata.modified());
    StatResult {
        kind,
        mode: 0,
        stat: Stat { inode, size: metadata.len(), modified_ns, changed_ns: 0 },
    }
}
