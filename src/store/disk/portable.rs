//! The disk by the standard library alone, for systems other than Unix: every step of a path is
//! looked at before it is taken. Slower, and open to a race that `openat` closes on Unix.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use crate::store::disk::{Disk, FILE_BYTES_MAX, Found, Kind, Listed, Listing, ReadError, Stat};

/// The data folder on a real disk.
#[derive(Debug)]
pub struct OsDisk {
    root: PathBuf,
}

impl OsDisk {
    /// Opens the data folder.
    pub fn open(path: &Path) -> io::Result<OsDisk> {
        let root = path.canonicalize()?;
        if root.is_dir() {
            Ok(OsDisk { root })
        } else {
            Err(io::Error::from(io::ErrorKind::NotADirectory))
        }
    }

    /// The data folder.
    pub fn path(&self) -> &Path {
        &self.root
    }

    /// The full path of a folder that is not a link either.
    fn folder(&self, path: &str) -> io::Result<PathBuf> {
        let place = self.place(path)?;
        if fs::symlink_metadata(&place)?.is_symlink() {
            return Err(io::Error::from(io::ErrorKind::NotADirectory));
        }
        Ok(place)
    }

    /// The full path, once no folder on the way turns out to be a link.
    fn place(&self, path: &str) -> io::Result<PathBuf> {
        let mut place = self.root.clone();
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
        let place = self.place(path)?;
        // Before it is opened: opening a pipe would wait for somebody to write to it.
        match found(&fs::symlink_metadata(&place)?).kind {
            Kind::File => {}
            Kind::Folder => return Err(ReadError::NotAFile("a directory")),
            Kind::Link => return Err(ReadError::NotAFile("a symbolic link")),
            Kind::Other => return Err(ReadError::NotAFile("a pipe or a device")),
        }
        let file = File::open(place)?;
        let stat = found(&file.metadata()?).stat;
        Ok((file, stat))
    }

    fn stat(&self, path: &str) -> io::Result<Found> {
        Ok(found(&fs::symlink_metadata(self.place(path)?)?))
    }

    fn list(&self, folder: &str) -> io::Result<Listing> {
        let mut listing = Listing::default();
        for entry in fs::read_dir(self.folder(folder)?)? {
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
                    let Found { kind, stat, .. } = found(&metadata?);
                    listing.items.push(Listed { name, kind, stat });
                }
            }
        }
        listing.items.sort_unstable_by(|one, other| one.name.cmp(&other.name));
        Ok(listing)
    }

    fn write_new(&self, path: &str, bytes: &[u8], _mode: u32) -> io::Result<()> {
        let mut file = OpenOptions::new().write(true).create_new(true).open(self.place(path)?)?;
        file.write_all(bytes)?;
        file.sync_all()
    }

    fn write_unsynced(&self, path: &str, bytes: &[u8], mode: u32) -> io::Result<()> {
        self.write_new(path, bytes, mode)
    }

    fn sync_file(&self, path: &str) -> io::Result<()> {
        OpenOptions::new().write(true).open(self.place(path)?)?.sync_all()
    }

    fn append(&self, path: &str, bytes: &[u8], _mode: u32) -> io::Result<()> {
        let place = self.place(path)?;
        if fs::symlink_metadata(&place).is_ok_and(|it| found(&it).kind != Kind::File) {
            return Err(io::Error::from(io::ErrorKind::InvalidInput));
        }
        OpenOptions::new().append(true).create(true).open(place)?.write_all(bytes)
    }

    fn create(&self, path: &str) -> io::Result<File> {
        OpenOptions::new().write(true).create_new(true).open(self.place(path)?)
    }

    fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        fs::rename(self.place(from)?, self.place(to)?)
    }

    fn rename_new(&self, from: &str, to: &str) -> io::Result<()> {
        self.link(from, to)?;
        self.remove(from)
    }

    fn link(&self, from: &str, to: &str) -> io::Result<()> {
        fs::hard_link(self.place(from)?, self.place(to)?)
    }

    fn remove(&self, path: &str) -> io::Result<()> {
        fs::remove_file(self.place(path)?)
    }

    fn make_folder(&self, folder: &str, _mode: u32) -> io::Result<()> {
        fs::create_dir(self.place(folder)?)
    }

    fn remove_folder(&self, folder: &str) -> io::Result<()> {
        fs::remove_dir(self.place(folder)?)
    }

    fn sync_folder(&self, _folder: &str) -> io::Result<()> {
        // A folder cannot be opened for this everywhere; where it cannot, renames are journalled.
        Ok(())
    }

    fn sync_all(&self) -> io::Result<()> {
        Err(io::Error::from(io::ErrorKind::Unsupported))
    }
}

fn found(metadata: &fs::Metadata) -> Found {
    let kind = match metadata.file_type() {
        it if it.is_file() => Kind::File,
        it if it.is_dir() => Kind::Folder,
        it if it.is_symlink() => Kind::Link,
        _ => Kind::Other,
    };
    let nanoseconds = |at: io::Result<std::time::SystemTime>| {
        let since = at.ok().and_then(|it| it.duration_since(UNIX_EPOCH).ok()).unwrap_or_default();
        i64::try_from(since.as_nanos()).unwrap_or(i64::MAX)
    };
    // Which file it is cannot be asked for; the time it was made stands in.
    let inode = nanoseconds(metadata.created()).unsigned_abs();
    let modified_ns = nanoseconds(metadata.modified());
    Found { kind, mode: 0, stat: Stat { inode, size: metadata.len(), modified_ns, changed_ns: 0 } }
}
