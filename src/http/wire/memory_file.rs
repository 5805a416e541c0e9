//! Files that exist only in memory. The kernel sends them without copying their bytes, and nobody
//! else can change them.

use std::fs::File;
use std::io;
use std::os::fd::AsFd;
use std::sync::Arc;

use bytes::Bytes;

/// A file in memory, shared and never changed.
#[derive(Clone, Debug)]
pub struct MemoryFile {
    file: Arc<File>,
    len_bytes: u64,
}

#[cfg(target_os = "linux")]
impl MemoryFile {
    /// Returns a file with these bytes.
    ///
    /// # Errors
    ///
    /// Fails if the system has no descriptor or memory for it.
    pub fn new(bytes: &[u8]) -> io::Result<MemoryFile> {
        use std::io::Write as _;

        let flags = rustix::fs::MemfdFlags::CLOEXEC;
        let mut file = File::from(rustix::fs::memfd_create("recto", flags)?);
        file.write_all(bytes)?;
        Ok(MemoryFile { file: Arc::new(file), len_bytes: bytes.len() as u64 })
    }

    /// Reads the bytes.
    ///
    /// # Errors
    ///
    /// Fails if the system does.
    pub fn read(&self) -> io::Result<Bytes> {
        use std::os::unix::fs::FileExt as _;

        let mut bytes = vec![0; usize::try_from(self.len_bytes).map_err(io::Error::other)?];
        self.file.read_exact_at(&mut bytes, 0)?;
        Ok(bytes.into())
    }

    /// Sends bytes from the position to a socket, as many as it takes, and moves the position.
    pub(super) fn send(&self, socket: impl AsFd, position: &mut u64) -> io::Result<usize> {
        let left = usize::try_from(self.len_bytes.saturating_sub(*position)).unwrap_or(usize::MAX);
        Ok(rustix::fs::sendfile(socket, &self.file, Some(position), left)?)
    }
}

/// Other systems have nothing of the kind.
#[cfg(not(target_os = "linux"))]
impl MemoryFile {
    /// Fails.
    ///
    /// # Errors
    ///
    /// Always.
    pub fn new(_: &[u8]) -> io::Result<MemoryFile> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Fails.
    ///
    /// # Errors
    ///
    /// Always.
    pub fn read(&self) -> io::Result<Bytes> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub(super) fn send(&self, _: impl AsFd, _: &mut u64) -> io::Result<usize> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

impl MemoryFile {
    /// Returns the number of bytes.
    #[must_use]
    pub fn len_bytes(&self) -> u64 {
        self.len_bytes
    }
}
