//! An open archive that several threads read, each at a position of its own.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::sync::Arc;

use crate::store::read::blob::read_some;

/// The size of the buffer: small files that follow each other are read together.
const BUFFER_BYTES: usize = 32 * 1024;

/// A buffered reader of a file. A clone begins with an empty buffer.
pub(crate) struct SharedFile {
    file: Arc<File>,
    position: u64,
    buffer: Vec<u8>,
    /// The place of the buffer in the file.
    buffer_start: u64,
}

impl SharedFile {
    pub(crate) fn new(file: File) -> SharedFile {
        SharedFile::from_shared(Arc::new(file), 0)
    }

    fn from_shared(file: Arc<File>, position: u64) -> SharedFile {
        SharedFile { file, position, buffer: Vec::new(), buffer_start: 0 }
    }

    /// Returns what is in the buffer from the position on.
    fn buffered(&self) -> &[u8] {
        let offset = self.position.checked_sub(self.buffer_start);
        let offset = offset.and_then(|it| usize::try_from(it).ok());
        offset.and_then(|it| self.buffer.get(it..)).unwrap_or_default()
    }
}

impl Clone for SharedFile {
    fn clone(&self) -> SharedFile {
        SharedFile::from_shared(self.file.clone(), self.position)
    }
}

impl Read for SharedFile {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.buffered().is_empty() {
            if into.len() >= BUFFER_BYTES {
                let read = read_some(&self.file, self.position, into)?;
                self.position += read as u64;
                return Ok(read);
            }
            self.buffer.resize(BUFFER_BYTES, 0);
            self.buffer_start = self.position;
            let filled = read_some(&self.file, self.position, &mut self.buffer);
            self.buffer.truncate(*filled.as_ref().unwrap_or(&0));
            filled?;
        }
        let read = self.buffered().read(into)?;
        self.position += read as u64;
        Ok(read)
    }
}

impl Seek for SharedFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let position = match to {
            SeekFrom::Start(position) => Some(position),
            SeekFrom::Current(offset) => self.position.checked_add_signed(offset),
            SeekFrom::End(offset) => self.file.metadata()?.len().checked_add_signed(offset),
        };
        self.position = position.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.position)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn reads_like_a_file_from_any_position() {
        let bytes: Vec<u8> = (0..200_000_u32).map(|it| (it % 251) as u8).collect();
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(&bytes).unwrap();
        let first = SharedFile::new(file);
        let mut other = first.clone();
        let mut shared = first;
        for (at, length) in [
            (0, 30),
            (30, 4_000),
            (10, 50_000),
            (150_000, 1),
            (149_999, 40_000),
            (199_990, 100),
            (500_000, 10),
            (3, 32_768),
        ] {
            for reader in [&mut shared, &mut other] {
                assert_eq!(reader.seek(SeekFrom::Start(at)).unwrap(), at);
                let mut read = Vec::new();
                reader.by_ref().take(length).read_to_end(&mut read).unwrap();
                let from = bytes.len().min(at as usize);
                let to = bytes.len().min((at + length) as usize);
                assert!(read == bytes[from..to], "{at} {length}");
                assert_eq!(reader.stream_position().unwrap(), at + (to - from) as u64);
            }
        }
        assert_eq!(shared.seek(SeekFrom::End(-2)).unwrap(), 199_998);
        assert_eq!(shared.seek(SeekFrom::Current(-8)).unwrap(), 199_990);
        assert!(shared.seek(SeekFrom::Current(-199_991)).is_err());
        assert!(shared.seek(SeekFrom::Current(i64::MIN)).is_err());
    }
}
