//! A file of lines that is added to and now and then written anew: for what only Recto reads and
//! may lose in a power cut. A line that a crash tore is left behind; the next begins anew.

use std::io::BufRead;
use std::io::BufReader;
use std::io::Read;
use std::io::Seek;
use std::io::SeekFrom;
use std::sync::Arc;

use crate::store::disk;
use crate::store::disk::Disk;
use crate::store::error::StoreError;
use crate::store::layout;

/// Where a line is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) offset: u64,
    /// In bytes, without its end.
    pub(super) length: usize,
}

/// A file of lines.
pub(super) struct Lines {
    disk: Arc<dyn Disk>,
    path: String,
    /// How long the file is when every line in it is whole.
    end: u64,
}

impl Lines {
    /// The file at `path`, each line of which is handed on. It need not be there.
    pub(super) fn open(
        disk: Arc<dyn Disk>,
        path: String,
        mut each: impl FnMut(Place, &[u8]),
    ) -> Lines {
        let mut lines = Lines { disk, path, end: 0 };
        let Ok((file, _)) = lines.disk.open(&lines.path) else { return lines };
        let (mut reader, mut line, mut offset) = (BufReader::new(file), Vec::new(), 0_u64);
        // What cannot be read any more is as good as torn.
        while matches!(reader.read_until(b'\n', &mut line), Ok(1..)) {
            let length = line.len();
            if line.pop_if(|it| *it == b'\n').is_none() {
                break;
            }
            each(Place { offset, length: line.len() }, &line);
            offset = offset.saturating_add(length as u64);
            line.clear();
        }
        lines.end = offset;
        lines
    }

    /// Adds lines, each with its end; gives where the first of them is. Nothing is synced.
    pub(super) fn append(&mut self, text: &[u8]) -> Result<u64, StoreError> {
        let found = self.disk.stat(&self.path).ok().map(|it| it.stat.size);
        let mut offset = found.unwrap_or(0);
        let written = if offset > 0 && offset != self.end {
            // The end of a line that was not written whole.
            offset = offset.saturating_add(1);
            self.write(&[b"\n", text].concat())
        } else {
            self.write(text)
        };
        written?;
        self.end = offset.saturating_add(text.len() as u64);
        Ok(offset)
    }

    fn write(&self, text: &[u8]) -> Result<(), StoreError> {
        let write = || self.disk.append(&self.path, text, disk::default_mode(&self.path));
        match write() {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                disk::make_folders(&*self.disk, disk::parent(&self.path))?;
                write()
            }
            written => written,
        }
        .map_err(StoreError::io("write", self.path.as_str()))
    }

    /// The bytes of a line.
    pub(super) fn read(&self, place: Place) -> Option<Vec<u8>> {
        self.read_from(place.offset, place.length as u64)
    }

    /// Everything from `offset` on.
    pub(super) fn read_rest(&self, offset: u64) -> Option<Vec<u8>> {
        self.read_from(offset, self.end.saturating_sub(offset))
    }

    fn read_from(&self, offset: u64, length: u64) -> Option<Vec<u8>> {
        let (mut file, stat) = self.disk.open(&self.path).ok()?;
        if offset.saturating_add(length) > stat.size {
            return None;
        }
        file.seek(SeekFrom::Start(offset)).ok()?;
        let mut bytes = vec![0; usize::try_from(length).ok()?];
        file.read_exact(&mut bytes).ok()?;
        Some(bytes)
    }

    /// How long the file is.
    pub(super) fn length(&self) -> u64 {
        self.end
    }

    /// Puts other lines in the place of all; no lines are no file.
    pub(super) fn replace(&mut self, text: &[u8]) -> Result<(), StoreError> {
        let replaced = if text.is_empty() {
            self.disk.remove(&self.path)
        } else {
            disk::make_folders(&*self.disk, layout::TMP)?;
            let unfinished = disk::unfinished(None);
            let mode = disk::default_mode(&self.path);
            let moved = self.disk.write_unsynced(&unfinished, text, mode);
            let moved = moved.and_then(|()| self.disk.rename(&unfinished, &self.path));
            if moved.is_err() {
                // Garbage in a folder for garbage.
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

    fn open(root: &std::path::Path) -> (Lines, Vec<String>) {
        let disk: Arc<dyn Disk> = Arc::new(OsDisk::open(root).unwrap());
        let mut all = Vec::new();
        let each = |place: Place, line: &[u8]| {
            assert_eq!(place.length, line.len());
            all.push(String::from_utf8(line.to_vec()).unwrap());
        };
        let lines = Lines::open(disk, ".recto/a/b".to_string(), each);
        (lines, all)
    }

    #[test]
    fn lines_are_kept_and_torn_ones_left_behind() {
        let data = tempfile::tempdir().unwrap();
        let (mut lines, all) = open(data.path());
        assert!(all.is_empty());
        assert_eq!(lines.append(b"one\ntwo\n").unwrap(), 0);
        assert_eq!(lines.append(b"three\n").unwrap(), 8);
        assert_eq!(lines.read(Place { offset: 4, length: 3 }).unwrap(), b"two");
        assert_eq!(lines.read_rest(4).unwrap(), b"two\nthree\n");
        assert_eq!(lines.read(Place { offset: 12, length: 9 }), None);
        let path = data.path().join(".recto/a/b");
        let mut text = std::fs::read(&path).unwrap();
        text.extend_from_slice(b"to");
        std::fs::write(&path, text).unwrap();
        let (mut lines, all) = open(data.path());
        assert_eq!(all, ["one", "two", "three"]);
        assert_eq!(lines.append(b"four\n").unwrap(), 17);
        assert_eq!(lines.read(Place { offset: 17, length: 4 }).unwrap(), b"four");
        assert_eq!(open(data.path()).1, ["one", "two", "three", "to", "four"]);
        lines.replace(b"four\n").unwrap();
        assert_eq!(lines.append(b"five\n").unwrap(), 5);
        assert_eq!(open(data.path()).1, ["four", "five"]);
        lines.replace(b"").unwrap();
        assert!(!path.exists());
        lines.replace(b"").unwrap();
        lines.append(b"six\n").unwrap();
        // A folder that somebody removed is made again.
        std::fs::remove_dir_all(data.path().join(".recto")).unwrap();
        assert_eq!(lines.append(b"seven\n").unwrap(), 0);
        assert_eq!(open(data.path()).1, ["seven"]);
    }
}
