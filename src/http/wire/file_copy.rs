//! Files that are in memory and open as well, so that the system can send them by itself.

use std::fs::File;
use std::io;
use std::io::Read as _;
use std::io::Seek as _;
use std::io::SeekFrom;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;

use bytes::Bytes;
use tokio::net::TcpStream;

/// The smallest file that the system sends. For a smaller one, a call more takes longer than the
/// copy that it saves.
pub const SENT_BYTES_MIN: u64 = 64 * 1_024;

/// The bytes of a file, and perhaps the open file that they were read from.
#[derive(Clone, Debug)]
pub struct FileCopy {
    /// The bytes.
    pub bytes: Bytes,
    /// The file with the same bytes. Nothing if the system cannot send it or it would not pay.
    pub source: Option<Arc<SendableFile>>,
}

impl FileCopy {
    /// Reads a file of this length, and keeps it open if that pays.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read, or is shorter.
    pub fn read(mut file: File, len_bytes: u64) -> io::Result<FileCopy> {
        let before = SentFileState::of(&file);
        let bytes = read_at(&mut file, 0, len_bytes)?;
        let is_sent = len_bytes >= SENT_BYTES_MIN && is_sent_without_waiting(&file);
        let state = before.filter(|it| is_sent && it.len_bytes == len_bytes);
        let source = state
            .map(|state| SendableFile { file, state, is_over: AtomicBool::new(false) })
            .filter(SendableFile::is_unchanged);
        Ok(FileCopy { bytes, source: source.map(Arc::new) })
    }
}

/// An open file with bytes that are in memory.
#[derive(Debug)]
pub struct SendableFile {
    file: File,
    /// The state in which its bytes were read.
    state: SentFileState,
    /// True once another state was found.
    is_over: AtomicBool,
}

impl SendableFile {
    /// Returns true until the file is found in another state than that in which it was read.
    pub fn is_usable(&self) -> bool {
        !self.is_over.load(Relaxed)
    }

    /// Looks whether the file still has the bytes that were read from it.
    pub(super) fn is_unchanged(&self) -> bool {
        let is_unchanged = SentFileState::of(&self.file).is_some_and(|it| it == self.state);
        if !is_unchanged {
            self.is_over.store(true, Relaxed);
        }
        is_unchanged
    }

    /// Has the system send at most `n` bytes from `start` on, without waiting. Returns how many
    /// there were.
    #[cfg(target_os = "linux")]
    pub(super) fn send(&self, socket: &TcpStream, start: u64, n: usize) -> io::Result<usize> {
        let mut at = start;
        Ok(rustix::fs::sendfile(socket, &self.file, Some(&mut at), n)?)
    }

    #[cfg(not(target_os = "linux"))]
    pub(super) fn send(&self, _: &TcpStream, _: u64, _: usize) -> io::Result<usize> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

/// The state of a file, which changes with its bytes.
#[derive(Debug, PartialEq, Eq)]
struct SentFileState {
    len_bytes: u64,
    /// The times of the last change of the bytes, and of anything, in seconds and nanoseconds.
    times: [i64; 4],
}

impl SentFileState {
    #[cfg(unix)]
    fn of(file: &File) -> Option<SentFileState> {
        use std::os::unix::fs::MetadataExt as _;
        let found = file.metadata().ok()?;
        let times = [found.mtime(), found.mtime_nsec(), found.ctime(), found.ctime_nsec()];
        Some(SentFileState { len_bytes: found.len(), times })
    }

    #[cfg(not(unix))]
    fn of(_: &File) -> Option<SentFileState> {
        None
    }
}

/// Reads a part of a file.
pub(super) fn read_at(file: &mut File, start: u64, len_bytes: u64) -> io::Result<Bytes> {
    file.seek(SeekFrom::Start(start))?;
    let mut bytes = Vec::with_capacity(usize::try_from(len_bytes).unwrap_or(0));
    file.take(len_bytes).read_to_end(&mut bytes)?;
    if bytes.len() as u64 != len_bytes {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(Bytes::from(bytes))
}

/// Returns true if the file is on a file system of this machine. On others, even a look at a file
/// that is in memory may wait for a network, and with it all requests of a thread.
#[cfg(target_os = "linux")]
fn is_sent_without_waiting(file: &File) -> bool {
    const LOCAL: &[i128] = &[
        0xef53,      // ext2, ext3, ext4
        0x5846_5342, // XFS
        0x9123_683e, // Btrfs
        0xf2f5_2010, // F2FS
        0x2fc1_2fc1, // ZFS
        0x0102_1994, // tmpfs
        0x794c_7630, // overlay, which containers have
    ];
    let found = rustix::fs::fstatfs(file).map(|it| i128::from(it.f_type) & 0xffff_ffff);
    found.is_ok_and(|it| LOCAL.contains(&it))
}

#[cfg(not(target_os = "linux"))]
fn is_sent_without_waiting(_: &File) -> bool {
    false
}

/// Writes bytes that others follow at once, without waiting. Returns how many were written.
#[cfg(target_os = "linux")]
pub(super) fn write_first(socket: &TcpStream, bytes: &[u8]) -> io::Result<usize> {
    use rustix::net::SendFlags;
    Ok(rustix::net::send(socket, bytes, SendFlags::MORE | SendFlags::NOSIGNAL)?)
}

#[cfg(not(target_os = "linux"))]
pub(super) fn write_first(socket: &TcpStream, bytes: &[u8]) -> io::Result<usize> {
    socket.try_write(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::path::Path;

    fn read(path: &Path) -> FileCopy {
        let file = File::open(path).unwrap();
        let len_bytes = file.metadata().unwrap().len();
        FileCopy::read(file, len_bytes).unwrap()
    }

    #[test]
    fn large_files_stay_open_until_they_change() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let size = SENT_BYTES_MIN as usize;
        fs::write(&path, vec![1; size - 1]).unwrap();
        assert!(read(&path).source.is_none());
        fs::write(&path, vec![1; size]).unwrap();
        let copy = read(&path);
        assert_eq!(copy.bytes, vec![1; size]);
        assert_eq!(copy.source.is_some(), is_sent_without_waiting(&File::open(&path).unwrap()));
        let Some(source) = copy.source else { return };
        assert!(source.is_unchanged() && source.is_usable());
        // Another file in its place does not concern it; other bytes in it do.
        fs::rename(&path, folder.path().join("b")).unwrap();
        fs::write(&path, vec![2; size]).unwrap();
        let renamed = read(&folder.path().join("b")).source.unwrap();
        fs::write(folder.path().join("b"), vec![3; size + 1]).unwrap();
        for source in [source, renamed] {
            assert!(source.is_usable() && !source.is_unchanged() && !source.is_usable());
        }
    }

    #[test]
    fn a_file_that_shrank_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        fs::write(&path, b"abc").unwrap();
        assert!(FileCopy::read(File::open(&path).unwrap(), 4).is_err());
    }
}
