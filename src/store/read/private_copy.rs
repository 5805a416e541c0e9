//! Copies of bytes in files without a name, for the system to send. Nobody else can write them.

use std::fs::File;
use std::io;
use std::io::Write as _;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;
use std::time::Instant;

use crate::store::disk;
use crate::store::disk::Disk;
use crate::store::disk::ReadError;
use crate::store::layout;

/// The time for which a look at what is in memory counts.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// A file without a name, and so without other users.
#[derive(Debug)]
#[cfg_attr(not(target_os = "linux"), expect(dead_code, reason = "only Linux can send it"))]
pub struct PrivateCopy {
    file: File,
    len_bytes: u64,
    made: Instant,
    /// The time of the last look, in nanoseconds after `made`.
    looked: AtomicU64,
}

impl PrivateCopy {
    /// Writes bytes into such a file. They are not synced.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be written, and with [`io::ErrorKind::Unsupported`] if the system
    /// does not tell whether it is in memory.
    pub fn create(disk: &dyn Disk, bytes: &[u8]) -> io::Result<PrivateCopy> {
        // Where media are, so that it is as good for sending as they are.
        let path = disk::unfinished_path(disk, layout::WORKSPACES);
        disk::make_folders(disk, disk::parent_folder(&path)).map_err(io::Error::other)?;
        let written = disk.create(&path).and_then(|mut file| file.write_all(bytes));
        let opened = disk.open(&path).map_err(ReadError::into_io);
        let removed = disk.remove(&path);
        written.and(removed)?;
        let (file, _) = opened?;
        let (len_bytes, made) = (bytes.len() as u64, Instant::now());
        let copy = PrivateCopy { file, len_bytes, made, looked: AtomicU64::new(0) };
        if copy.has_all_pages()? { Ok(copy) } else { Err(io::ErrorKind::WouldBlock.into()) }
    }

    /// Returns true if the system has all of it in memory, as of a moment ago, so that sending it
    /// hardly ever waits for the disk.
    pub fn is_in_memory(&self) -> bool {
        self.was_in_memory_at(self.made.elapsed())
    }

    fn was_in_memory_at(&self, age: Duration) -> bool {
        if age.saturating_sub(self.last_look()) < LOOK_EVERY {
            return true;
        }
        let is_there = self.has_all_pages().unwrap_or(false);
        if is_there {
            let nanos = u64::try_from(age.as_nanos()).unwrap_or(u64::MAX);
            self.looked.store(nanos, Relaxed);
        }
        is_there
    }

    fn last_look(&self) -> Duration {
        Duration::from_nanos(self.looked.load(Relaxed))
    }

    /// Returns the time since it was last found in memory, and so how long it was not sent.
    pub fn idle_time(&self) -> Duration {
        self.made.elapsed().saturating_sub(self.last_look())
    }

    /// Looks at one byte of each page.
    #[cfg(target_os = "linux")]
    fn has_all_pages(&self) -> io::Result<bool> {
        use rustix::io::Errno;
        use rustix::io::ReadWriteFlags;
        const PAGE_BYTES: usize = 4 * 1024;
        for at in (0..self.len_bytes).step_by(PAGE_BYTES) {
            let mut byte = [0];
            let mut into = [io::IoSliceMut::new(&mut byte)];
            match rustix::io::preadv2(&self.file, &mut into, at, ReadWriteFlags::NOWAIT) {
                Ok(1) => {}
                Ok(_) | Err(Errno::AGAIN | Errno::INTR) => return Ok(false),
                // It has no disk but swap, and does not tell.
                Err(Errno::OPNOTSUPP) if is_on_tmpfs(&self.file) => return Ok(true),
                Err(Errno::OPNOTSUPP | Errno::NOSYS | Errno::INVAL) => {
                    return Err(io::ErrorKind::Unsupported.into());
                }
                Err(error) => return Err(error.into()),
            }
        }
        Ok(true)
    }

    /// Fails: the system does not tell.
    #[cfg(not(target_os = "linux"))]
    fn has_all_pages(&self) -> io::Result<bool> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

#[cfg(target_os = "linux")]
fn is_on_tmpfs(file: &File) -> bool {
    const TMPFS: i128 = 0x0102_1994;
    rustix::fs::fstatfs(file).is_ok_and(|it| i128::from(it.f_type) & 0xffff_ffff == TMPFS)
}

#[cfg(unix)]
impl std::os::fd::AsFd for PrivateCopy {
    fn as_fd(&self) -> std::os::fd::BorrowedFd<'_> {
        self.file.as_fd()
    }
}

#[cfg(target_os = "linux")]
#[cfg(test)]
mod tests {
    use std::io::Read as _;
    use std::os::fd::AsRawFd as _;

    use super::*;
    use crate::store::disk::OsDisk;

    /// Returns nothing on a file system that cannot tell what is in memory.
    fn create_copy(disk: &OsDisk, bytes: &[u8]) -> Option<PrivateCopy> {
        match PrivateCopy::create(disk, bytes) {
            Err(error) if error.kind() == io::ErrorKind::Unsupported => None,
            copy => Some(copy.unwrap()),
        }
    }

    #[test]
    fn a_copy_has_its_bytes_and_no_name() {
        let folder = tempfile::tempdir().unwrap();
        let disk = OsDisk::open(folder.path()).unwrap();
        let bytes: Vec<u8> = (0..100_000_u32).map(|n| (n % 251) as u8).collect();
        let Some(copy) = create_copy(&disk, &bytes) else { return };
        assert!(disk.list(layout::TMP).unwrap().items.is_empty());
        let mut read = Vec::new();
        (&copy.file).read_to_end(&mut read).unwrap();
        assert!(read == bytes);
    }

    #[test]
    fn what_is_in_memory_is_looked_at_now_and_then() {
        let folder = tempfile::tempdir().unwrap();
        let disk = OsDisk::open(folder.path()).unwrap();
        let Some(copy) = create_copy(&disk, &[7; 100_000]) else { return };
        let was_there = |ms| copy.was_in_memory_at(Duration::from_millis(ms));
        assert!(was_there(0) && was_there(5_000));
        if is_on_tmpfs(&copy.file) {
            return;
        }
        let path = format!("/proc/self/fd/{}", copy.file.as_raw_fd());
        File::options().write(true).open(path).unwrap().set_len(4_096).unwrap();
        assert!(was_there(5_099) && !was_there(5_100) && !was_there(5_101));
    }

    #[test]
    fn a_folder_that_cannot_be_written_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join(layout::RUNTIME), "").unwrap();
        let disk = OsDisk::open(folder.path()).unwrap();
        let error = PrivateCopy::create(&disk, b"x").unwrap_err();
        assert_ne!(error.kind(), io::ErrorKind::Unsupported);
    }
}
