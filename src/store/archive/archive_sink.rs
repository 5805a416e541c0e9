//! The file of an archive that is being written.

use std::io::{self, BufWriter, IntoInnerError, Seek, SeekFrom, Write};

/// The file of an archive that is being written. Once a call has failed, it takes everything and
/// keeps nothing: a writer of ZIP archives that is dropped unfinished tries to finish its archive,
/// and prints that it cannot.
pub(super) struct ArchiveSink<W: Write + Seek> {
    file: BufWriter<W>,
    /// The position in the file.
    at: u64,
    /// The size of the file.
    end: u64,
    has_failed: bool,
}

impl<W: Write + Seek> ArchiveSink<W> {
    /// Creates the writer of an empty file, with a buffer of so many bytes.
    pub(super) fn new(file: W, buffer_bytes: usize) -> ArchiveSink<W> {
        let file = BufWriter::with_capacity(buffer_bytes, file);
        ArchiveSink { file, at: 0, end: 0, has_failed: false }
    }

    /// Writes what is in the buffer, and closes the file.
    pub(super) fn close(self) -> io::Result<()> {
        if self.has_failed {
            return Err(io::Error::other("a part of it could not be written"));
        }
        self.file.into_inner().map(drop).map_err(IntoInnerError::into_error)
    }

    /// Notes if a call has failed, unless it is repeated.
    fn note<T>(&mut self, result: io::Result<T>) -> io::Result<T> {
        if result.as_ref().is_err_and(|it| it.kind() != io::ErrorKind::Interrupted) {
            self.has_failed = true;
        }
        result
    }
}

impl<W: Write + Seek> Write for ArchiveSink<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let n_written = match self.has_failed {
            true => bytes.len(),
            false => {
                let written = self.file.write(bytes);
                self.note(written)?
            }
        };
        self.at = self.at.saturating_add(n_written as u64);
        self.end = self.end.max(self.at);
        Ok(n_written)
    }

    fn flush(&mut self) -> io::Result<()> {
        if self.has_failed {
            return Ok(());
        }
        let flushed = self.file.flush();
        self.note(flushed)
    }
}

impl<W: Write + Seek> Seek for ArchiveSink<W> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        if !self.has_failed {
            let found = self.file.seek(to);
            self.at = self.note(found)?;
            return Ok(self.at);
        }
        let at = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
            SeekFrom::End(by) => self.end.checked_add_signed(by),
        };
        self.at = at.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.at)
    }

    fn stream_position(&mut self) -> io::Result<u64> {
        Ok(self.at)
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use zip::write::SimpleFileOptions;
    use zip::{CompressionMethod, ZipArchive, ZipWriter};

    use super::*;

    /// A disk with room for so many bytes.
    struct SmallDisk<'a> {
        file: Cursor<&'a mut Vec<u8>>,
        room: u64,
    }

    impl Write for SmallDisk<'_> {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            if self.file.position() + bytes.len() as u64 > self.room {
                return Err(io::ErrorKind::StorageFull.into());
            }
            self.file.write(bytes)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Seek for SmallDisk<'_> {
        fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
            self.file.seek(to)
        }
    }

    /// Writes an archive of two files. Returns what came of the first failure, and of closing it.
    fn write_archive(into: &mut Vec<u8>, room: u64) -> (io::Result<()>, io::Result<()>) {
        let disk = SmallDisk { file: Cursor::new(into), room };
        let mut zip = ZipWriter::new(ArchiveSink::new(disk, 1_000));
        let options = SimpleFileOptions::default().compression_method(CompressionMethod::Stored);
        let written = ["a", "b"].into_iter().try_for_each(|name| {
            zip.start_file(name, options)?;
            zip.write_all(&[7; 5_000])
        });
        // This is what it does when it is dropped, where it prints an error.
        let file = zip.finish();
        (written, file.unwrap().close())
    }

    #[test]
    fn an_archive_that_fails_ends_without_another_error() {
        let mut bytes = Vec::new();
        let (written, closed) = write_archive(&mut bytes, u64::MAX);
        assert!(written.is_ok() && closed.is_ok());
        assert_eq!(ZipArchive::new(Cursor::new(&bytes)).unwrap().len(), 2);
        for room in [0, 100, 4_000, 5_100, 9_000] {
            let (written, closed) = write_archive(&mut Vec::new(), room);
            assert_eq!(written.unwrap_err().kind(), io::ErrorKind::StorageFull, "{room}");
            assert!(closed.is_err(), "{room}");
        }
    }
}
