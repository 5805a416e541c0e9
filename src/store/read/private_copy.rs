//! Copies of bytes in files without a name, for the system to send. Nobody else can write them.

use std::fs::File;
use std::io::Write as _;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;
use std::time::Instant;

use crate::store::disk;
use crate::store::disk::Disk;
use crate::store::error::StoreError;
use crate::store::layout;

/// The time for which what is in memory stays there.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// A file without a name, and so without other users.
#[derive(Debug)]
#[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "only Linux can send it"))]
pub struct PrivateCopy {
    file: File,
    len_bytes: u64,
    made: Instant,
    /// The nanoseconds after `made` until which all of it is in memory.
    fresh_until: AtomicU64,
    is_lost: AtomicBool,
}

impl PrivateCopy {
    /// Writes bytes into such a file. Nothing is synced.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be written, or if the system keeps the names of open files.
    pub fn create(disk: &dyn Disk, bytes: &[u8]) -> Result<PrivateCopy, StoreError> {
        let path = disk::unfinished_path(disk, layout::BODIES);
        disk::make_folders(disk, disk::parent_folder(&path))?;
        let written = disk.create(&path).and_then(|mut file| file.write_all(bytes));
        let opened = disk.open(&path);
        let removed = disk.remove(&path);
        written.and(removed).map_err(StoreError::io("write", &path))?;
        let gone = || StoreError::io("open", &path)(std::io::ErrorKind::NotFound.into());
        let (file, _) = opened.map_err(|_| gone())?;
        Ok(PrivateCopy {
            file,
            len_bytes: bytes.len() as u64,
            made: Instant::now(),
            fresh_until: AtomicU64::new(0),
            is_lost: AtomicBool::new(false),
        })
    }

    /// Returns true if the system has all of it in memory, so that sending it waits for no disk. It
    /// is looked at now and then.
    pub fn is_in_memory(&self) -> bool {
        self.is_in_memory_after(self.made.elapsed())
    }

    fn is_in_memory_after(&self, age: Duration) -> bool {
        let nanos = |it: Duration| u64::try_from(it.as_nanos()).unwrap_or(u64::MAX);
        if !self.is_lost() && nanos(age) >= self.fresh_until.load(Relaxed) {
            match self.look() {
                true => self.fresh_until.store(nanos(age + LOOK_EVERY), Relaxed),
                false => self.is_lost.store(true, Relaxed),
            }
        }
        !self.is_lost()
    }

    /// Returns true once a part of it was not in memory. Nobody reads it back.
    pub fn is_lost(&self) -> bool {
        self.is_lost.load(Relaxed)
    }

    /// Looks at one byte in each piece.
    #[cfg(target_os = "linux")]
    fn look(&self) -> bool {
        use rustix::io::ReadWriteFlags;
        const PIECE_BYTES: usize = 16 * 1024;
        let last = self.len_bytes.saturating_sub(1);
        (0..self.len_bytes).step_by(PIECE_BYTES).chain([last]).all(|at| {
            let mut byte = [0];
            let mut into = [std::io::IoSliceMut::new(&mut byte)];
            matches!(rustix::io::preadv2(&self.file, &mut into, at, ReadWriteFlags::NOWAIT), Ok(1))
        })
    }

    /// The system does not tell.
    #[cfg(not(target_os = "linux"))]
    fn look(&self) -> bool {
        false
    }
}

#[cfg(unix)]
impl std::os::fd::AsFd for PrivateCopy {
    fn as_fd(&self) -> std::os::fd::BorrowedFd<'_> {
        self.file.as_fd()
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::io::Read as _;
    #[cfg(target_os = "linux")]
    use std::os::fd::AsRawFd as _;

    use super::*;
    use crate::store::disk::OsDisk;

    #[test]
    fn a_copy_has_its_bytes_and_no_name() {
        let folder = tempfile::tempdir().unwrap();
        let disk = OsDisk::open(folder.path()).unwrap();
        let bytes: Vec<u8> = (0..100_000_u32).map(|n| (n % 251) as u8).collect();
        let copy = PrivateCopy::create(&disk, &bytes).unwrap();
        assert!(disk.list(layout::TMP).unwrap().items.is_empty());
        let mut read = Vec::new();
        (&copy.file).read_to_end(&mut read).unwrap();
        assert!(read == bytes);
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn what_is_not_in_memory_is_lost() {
        let folder = tempfile::tempdir().unwrap();
        let disk = OsDisk::open(folder.path()).unwrap();
        let copy = PrivateCopy::create(&disk, &[7; 100_000]).unwrap();
        let is_there = |ms| copy.is_in_memory_after(Duration::from_millis(ms));
        assert!(copy.is_in_memory() && is_there(5_000));
        File::options()
            .write(true)
            .open(format!("/proc/self/fd/{}", copy.file.as_raw_fd()))
            .unwrap()
            .set_len(99_999)
            .unwrap();
        // This soon it is not looked at again.
        assert!(is_there(5_099) && !copy.is_lost());
        assert!(!is_there(5_100) && copy.is_lost() && !is_there(5_101));
    }

    #[test]
    fn a_folder_that_cannot_be_written_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(layout::RUNTIME), "").unwrap();
        let disk = OsDisk::open(folder.path()).unwrap();
        assert!(PrivateCopy::create(&disk, b"x").is_err());
    }
}
