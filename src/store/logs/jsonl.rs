//! A JSON Lines file that is appended to and sometimes rewritten, for data that may be lost in a
//! power failure. A line torn by a crash is skipped; the next one starts on a new line.

use std::fs::File;
use std::io::BufRead;
use std::io::BufReader;
use std::io::Read;
use std::io::Seek;
use std::io::SeekFrom;
use std::sync::Arc;

use crate::store::disk;
use crate::store::disk::Disk;
use crate::store::disk::ReadError;
use crate::store::disk::Stat;
use crate::store::error::StoreError;

/// The position of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LineSpan {
    pub(super) offset: u64,
    /// The length in bytes, without the line feed.
    pub(super) length: usize,
}

/// A JSON Lines file.
pub(super) struct JsonlFile {
    disk: Arc<dyn Disk>,
    path: String,
    /// The length of the file if every line in it is complete.
    end: u64,
}

impl JsonlFile {
    /// Opens the file at `path` and calls `each` for every line. A missing file is empty; one that
    /// cannot be read is an error.
    pub(super) fn open(
        disk: Arc<dyn Disk>,
        path: String,
        mut each: impl FnMut(LineSpan, &[u8]),
    ) -> Result<JsonlFile, StoreError> {
        let mut lines = JsonlFile::empty(disk, path);
        let Some((file, _)) = lines.open_file()? else { return Ok(lines) };
        let (mut reader, mut line, mut offset) = (BufReader::new(file), Vec::new(), 0_u64);
        loop {
            let read = reader.read_until(b'\n', &mut line);
            if read.map_err(StoreError::io("read", lines.path.as_str()))? == 0 {
                break;
            }
            let length = line.len();
            if line.pop_if(|it| *it == b'\n').is_none() {
                break;
            }
            each(LineSpan { offset, length: line.len() }, &line);
            offset = offset.saturating_add(length as u64);
            line.clear();
        }
        lines.end = offset;
        Ok(lines)
    }

    /// Creates a handle for a file whose content is not known yet.
    pub(super) fn empty(disk: Arc<dyn Disk>, path: String) -> JsonlFile {
        JsonlFile { disk, path, end: 0 }
    }

    /// Opens the file; returns `None` if there is none.
    fn open_file(&self) -> Result<Option<(File, Stat)>, StoreError> {
        match self.disk.open(&self.path) {
            Ok(opened) => Ok(Some(opened)),
            Err(ReadError::Unreadable(error)) => {
                Err(StoreError::io("read", self.path.as_str())(error))
            }
            // Anything but a file contains no lines.
            Err(ReadError::Missing | ReadError::NotAFile(_) | ReadError::TooLarge(_)) => Ok(None),
        }
    }

    /// Appends lines with their line feeds, and returns the offset of the first one. Nothing is
    /// synced.
    pub(super) fn append_lines(&mut self, text: &[u8]) -> Result<u64, StoreError> {
        let found = self.disk.stat(&self.path).ok().map(|it| it.stat.size);
        let mut offset = found.unwrap_or(0);
        let written = if offset > 0 && offset != self.end {
            // The last line is incomplete and gets its line feed.
            offset = offset.saturating_add(1);
            self.append_text(&[b"\n", text].concat())
        } else {
            self.append_text(text)
        };
        written?;
        self.end = offset.saturating_add(text.len() as u64);
        Ok(offset)
    }

    fn append_text(&self, text: &[u8]) -> Result<(), StoreError> {
        let write = || self.disk.append(&self.path, text, disk::default_mode(&self.path));
        match write() {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                disk::make_folders(&*self.disk, disk::parent_folder(&self.path))?;
                write()
            }
            written => written,
        }
        .map_err(StoreError::io("write", self.path.as_str()))
    }

    /// Returns the bytes of a line; `None` if the file is gone or shorter.
    pub(super) fn read_line(&self, place: LineSpan) -> Result<Option<Vec<u8>>, StoreError> {
        self.read_range(place.offset, place.length as u64)
    }

    /// Returns everything from `offset` on; `None` if the file is gone or shorter.
    pub(super) fn read_rest(&self, offset: u64) -> Result<Option<Vec<u8>>, StoreError> {
        self.read_range(offset, self.end.saturating_sub(offset))
    }

    fn read_range(&self, offset: u64, length: u64) -> Result<Option<Vec<u8>>, StoreError> {
        let Some((mut file, stat)) = self.open_file()? else { return Ok(None) };
        if offset.saturating_add(length) > stat.size {
            return Ok(None);
        }
        let Ok(length) = usize::try_from(length) else { return Ok(None) };
        let mut bytes = vec![0; length];
        let read = file.seek(SeekFrom::Start(offset)).and_then(|_| file.read_exact(&mut bytes));
        read.map_err(StoreError::io("read", self.path.as_str()))?;
        Ok(Some(bytes))
    }

    /// Returns the length of the file.
    pub(super) fn file_length(&self) -> u64 {
        self.end
    }

    /// Replaces all lines. Without lines the file is removed.
    pub(super) fn replace_all(&mut self, text: &[u8]) -> Result<(), StoreError> {
        let replaced = if text.is_empty() {
            self.disk.remove(&self.path)
        } else {
            let unfinished = disk::unfinished_path(&*self.disk, &self.path);
            disk::make_folders(&*self.disk, disk::parent_folder(&unfinished))?;
            let mode = disk::default_mode(&self.path);
            let moved = self.disk.write_unsynced(&unfinished, text, mode);
            let moved = moved.and_then(|_| self.disk.rename(&unfinished, &self.path));
            if moved.is_err() {
                // The file is garbage in the folder of unfinished files.
                let _ = self.disk.remove(&unfinished);
            }
            moved
        };
        match replaced {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {}
            replaced => replaced.map_err(StoreError::io("write", self.path.as_str()))?,
        }
        self.end = text.len() as u64;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::disk::OsDisk;

    fn open(root: &std::path::Path) -> (JsonlFile, Vec<String>) {
        let disk: Arc<dyn Disk> = Arc::new(OsDisk::open(root).unwrap());
        let mut all = Vec::new();
        let each = |place: LineSpan, line: &[u8]| {
            assert_eq!(place.length, line.len());
            all.push(String::from_utf8(line.to_vec()).unwrap());
        };
        let lines = JsonlFile::open(disk, ".recto/a/b".to_string(), each).unwrap();
        (lines, all)
    }

    #[test]
    fn lines_are_kept_and_torn_ones_left_behind() {
        let data = tempfile::tempdir().unwrap();
        let (mut lines, all) = open(data.path());
        assert!(all.is_empty());
        assert_eq!(lines.append_lines(b"one\ntwo\n").unwrap(), 0);
        assert_eq!(lines.append_lines(b"three\n").unwrap(), 8);
        assert_eq!(lines.read_line(LineSpan { offset: 4, length: 3 }).unwrap().unwrap(), b"two");
        assert_eq!(lines.read_rest(4).unwrap().unwrap(), b"two\nthree\n");
        assert_eq!(lines.read_line(LineSpan { offset: 12, length: 9 }).unwrap(), None);
        let path = data.path().join(".recto/a/b");
        let mut text = std::fs::read(&path).unwrap();
        text.extend_from_slice(b"to");
        std::fs::write(&path, text).unwrap();
        let (mut lines, all) = open(data.path());
        assert_eq!(all, ["one", "two", "three"]);
        assert_eq!(lines.append_lines(b"four\n").unwrap(), 17);
        assert_eq!(lines.read_line(LineSpan { offset: 17, length: 4 }).unwrap().unwrap(), b"four");
        assert_eq!(open(data.path()).1, ["one", "two", "three", "to", "four"]);
        lines.replace_all(b"four\n").unwrap();
        assert_eq!(lines.append_lines(b"five\n").unwrap(), 5);
        assert_eq!(open(data.path()).1, ["four", "five"]);
        lines.replace_all(b"").unwrap();
        assert!(!path.exists());
        lines.replace_all(b"").unwrap();
        lines.append_lines(b"six\n").unwrap();
        // A removed folder is created again.
        std::fs::remove_dir_all(data.path().join(".recto")).unwrap();
        assert_eq!(lines.append_lines(b"seven\n").unwrap(), 0);
        assert_eq!(open(data.path()).1, ["seven"]);
    }
}
