//! Reading the lines of a log backwards, without loading the whole file.

use std::io;
use std::io::Read;
use std::io::Seek;
use std::io::SeekFrom;

use memchr::memrchr;

/// The size of a block.
const BLOCK_BYTES: u64 = 256 * 1024;

/// The maximum length of a line; longer ones are not valid and are skipped.
const LINE_BYTES_MAX: usize = 64 * 1024;

/// A reader of lines in reverse order.
pub struct ReverseLines<F> {
    file: F,
    /// The number of bytes at the beginning of the file that are unread.
    unread: u64,
    buffer: Vec<u8>,
    /// The number of bytes in the buffer that were not returned yet.
    end: usize,
    /// True if the next block begins with the rest of a line that is too long.
    is_inside_long: bool,
}

impl<F: Read + Seek> ReverseLines<F> {
    /// Creates a reader of the first `bytes` bytes of a file, so that later additions are ignored.
    pub fn new(file: F, bytes: u64) -> ReverseLines<F> {
        ReverseLines { file, unread: bytes, buffer: Vec::new(), end: 0, is_inside_long: false }
    }

    /// Returns the line before the last returned one, without its line feed.
    pub fn previous_line(&mut self) -> io::Result<Option<&[u8]>> {
        loop {
            let buffer = self.buffer.get(..self.end).unwrap_or_default();
            let line = match memrchr(b'\n', buffer) {
                Some(at) => at + 1..std::mem::replace(&mut self.end, at),
                None if self.unread > 0 => {
                    self.read_block()?;
                    continue;
                }
                None if self.end == 0 => return Ok(None),
                None => 0..std::mem::replace(&mut self.end, 0),
            };
            let is_rest = std::mem::replace(&mut self.is_inside_long, false);
            if !line.is_empty() && line.len() <= LINE_BYTES_MAX && !is_rest {
                return Ok(self.buffer.get(line));
            }
        }
    }

    /// Reads the block before the buffered bytes, which are part of one line.
    fn read_block(&mut self) -> io::Result<()> {
        if self.end > LINE_BYTES_MAX {
            self.end = 0;
            self.is_inside_long = true;
        }
        let bytes = self.unread.min(BLOCK_BYTES);
        self.unread -= bytes;
        let mut block = Vec::with_capacity(bytes as usize + self.end);
        self.file.seek(SeekFrom::Start(self.unread))?;
        self.file.by_ref().take(bytes).read_to_end(&mut block)?;
        if block.len() as u64 != bytes {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        block.extend_from_slice(self.buffer.get(..self.end).unwrap_or_default());
        (self.end, self.buffer) = (block.len(), block);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use proptest::prelude::*;

    use super::*;

    fn lines(text: &str) -> Vec<String> {
        let mut lines = ReverseLines::new(Cursor::new(text.as_bytes()), text.len() as u64);
        let mut found = Vec::new();
        while let Some(line) = lines.previous_line().unwrap() {
            found.push(String::from_utf8(line.to_vec()).unwrap());
        }
        found
    }

    #[test]
    fn from_the_last_to_the_first() {
        assert_eq!(lines(""), [""; 0]);
        assert_eq!(lines("\n\n"), [""; 0]);
        assert_eq!(lines("a"), ["a"]);
        assert_eq!(lines("a\nb\n\nc"), ["c", "b", "a"]);
        assert_eq!(lines("a\nb\n"), ["b", "a"]);
    }

    #[test]
    fn long_lines_are_left_out() {
        for bytes in [LINE_BYTES_MAX + 1, 300_000, 1_000_000] {
            let long = "x".repeat(bytes);
            assert_eq!(lines(&format!("a\n{long}\nb\n")), ["b", "a"], "{bytes}");
            assert_eq!(lines(&format!("{long}\nb\n")), ["b"], "{bytes}");
            assert_eq!(lines(&format!("a\n{long}")), ["a"], "{bytes}");
        }
    }

    #[test]
    fn a_file_that_shrank_is_an_error() {
        assert!(ReverseLines::new(Cursor::new(b"a\n"), 9).previous_line().is_err());
    }

    proptest! {
        #[test]
        fn lines_are_those_of_the_text(sizes in proptest::collection::vec(0..60_000_usize, 0..30)) {
            let each = sizes.iter().enumerate();
            let all: Vec<String> = each.map(|(at, size)| format!("{at}{}", "y".repeat(*size))).collect();
            let mut expect = all.clone();
            expect.reverse();
            prop_assert_eq!(lines(&all.join("\n")), expect);
        }
    }
}
