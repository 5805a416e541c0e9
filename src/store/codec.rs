//! Bytes of a file → JSON, or the problem that a person can find and mend: kind, line, column.

use std::borrow::Cow;

use crate::model::problem::{Problem, ProblemKind};
use crate::stdx::json::{Json, JsonError, Map};

const BOM: &[u8] = b"\xef\xbb\xbf";

/// What a file holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Document {
    /// The members of its one object.
    pub map: Map,
    /// Something worth telling that did not keep the file from being read.
    pub warning: Option<Problem>,
}

/// Reads the JSON object in a file. `path` is for the problem.
pub fn parse(path: &str, bytes: &[u8]) -> Result<Document, Problem> {
    let text = bytes.strip_prefix(BOM).unwrap_or(bytes);
    let warning = (text.len() < bytes.len()).then(|| {
        let message = "The file starts with a byte order mark; save it as UTF-8 without one.";
        Problem::new(ProblemKind::Bom, path, message).at(1, 1)
    });
    check_encoding(path, text)?;
    match Json::parse(text) {
        Ok(Json::Object(map)) => Ok(Document { map, warning }),
        Ok(other) => {
            let message = format!("The file holds {}, not an object.", other.kind());
            Err(Problem::new(ProblemKind::InvalidJson, path, message).at(1, 1))
        }
        Err(error) => Err(explain(path, text, &error)),
    }
}

/// Whether the bytes are one finished JSON value: a file that is not may be half written.
pub fn is_complete(bytes: &[u8]) -> bool {
    let text = bytes.strip_prefix(BOM).unwrap_or(bytes);
    serde_json::from_slice::<serde::de::IgnoredAny>(text).is_ok()
}

/// One step into a JSON value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Segment<'a> {
    /// The member of an object.
    Key(&'a str),
    /// The item of an array.
    Index(usize),
}

/// The steps of a path like `data.rows[2].key`.
pub fn segments(path: &str) -> Vec<Segment<'_>> {
    let mut segments = Vec::new();
    for part in path.split('.') {
        let (key, indices) = part.split_at(part.find('[').unwrap_or(part.len()));
        if !key.is_empty() {
            segments.push(Segment::Key(key));
        }
        for index in indices.split(['[', ']']).filter(|it| !it.is_empty()) {
            segments.push(index.parse().map_or(Segment::Key(index), Segment::Index));
        }
    }
    segments
}

/// Line and column (both counted from 1, the column in bytes) at which the value under `path`
/// starts, in text that is known to be JSON. When the last steps lead nowhere, the place is that
/// of the value in which something is missing; `None` for text that is no JSON.
pub fn locate(bytes: &[u8], path: &[Segment<'_>]) -> Option<(u32, u32)> {
    let text = bytes.strip_prefix(BOM).unwrap_or(bytes);
    let mut cursor = Cursor { text, at: 0 };
    let found = cursor.walk(path);
    text.get(found).map(|_| position(text, found))
}

/// The same for a key of the object under `path`, which is where the key stands, not its value.
pub fn locate_key(bytes: &[u8], path: &[Segment<'_>], key: &str) -> Option<(u32, u32)> {
    let text = bytes.strip_prefix(BOM).unwrap_or(bytes);
    let mut cursor = Cursor { text, at: 0 };
    let around = cursor.walk(path);
    let found = cursor.find_key(key).unwrap_or(around);
    text.get(found).map(|_| position(text, found))
}

fn check_encoding(path: &str, text: &[u8]) -> Result<(), Problem> {
    let Err(error) = std::str::from_utf8(text) else { return Ok(()) };
    let (line, column) = position(text, error.valid_up_to());
    let utf16 = text.starts_with(b"\xff\xfe") || text.starts_with(b"\xfe\xff");
    let message = if utf16 {
        "The file is UTF-16; save it as UTF-8."
    } else {
        "The file is not UTF-8 from here on."
    };
    Err(Problem::new(ProblemKind::InvalidJson, path, message).at(line, column))
}

fn explain(path: &str, text: &[u8], error: &JsonError) -> Problem {
    if let Some(line) = conflict_line(text) {
        let message = "The file holds the marks of an unfinished merge.";
        return Problem::new(ProblemKind::MergeConflict, path, message).at(line, 1);
    }
    if text.iter().all(u8::is_ascii_whitespace) {
        return Problem::new(ProblemKind::InvalidJson, path, "The file is empty.").at(1, 1);
    }
    let kind =
        if error.duplicate_key { ProblemKind::DuplicateKey } else { ProblemKind::InvalidJson };
    Problem::new(kind, path, sentence(&error.message)).at(error.line, error.column)
}

/// The first line that a merge left behind. A string of JSON cannot hold a line feed, so a line
/// that starts like this is never content.
fn conflict_line(text: &[u8]) -> Option<u32> {
    const MARKS: &[&[u8]] = &[b"<<<<<<< ", b">>>>>>> ", b"||||||| ", b"======="];
    let mut lines = text.split(|byte| *byte == b'\n');
    let line = lines.position(|line| MARKS.iter().any(|mark| line.starts_with(mark)))?;
    u32::try_from(line + 1).ok()
}

fn sentence(message: &str) -> String {
    let mut chars = message.chars();
    let first = chars.next().map(|it| it.to_uppercase().collect::<String>()).unwrap_or_default();
    format!("{first}{}.", chars.as_str())
}

fn position(text: &[u8], at: usize) -> (u32, u32) {
    let before = text.get(..at).unwrap_or(text);
    let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
    let column = before.iter().rev().take_while(|byte| **byte != b'\n').count() + 1;
    (u32::try_from(line).unwrap_or(u32::MAX), u32::try_from(column).unwrap_or(u32::MAX))
}

/// A place in JSON text. Text that is no JSON ends every search, without a panic.
struct Cursor<'a> {
    text: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    /// To the value under a path, as far as that leads somewhere; gives its place.
    fn walk(&mut self, path: &[Segment<'_>]) -> usize {
        self.skip_space();
        let mut found = self.at;
        for segment in path {
            let there = match segment {
                Segment::Key(key) => self.find_key(key).map(|_| ()),
                Segment::Index(index) => self.enter_item(*index),
            };
            if there.is_none() {
                break;
            }
            found = self.at;
        }
        found
    }

    /// From the start of an object to the value of a member; gives the place of its key.
    fn find_key(&mut self, wanted: &str) -> Option<usize> {
        let mut more = self.open(b'{', b'}')?;
        while more {
            let start = self.at;
            let key = self.string()?;
            self.skip_space();
            self.take(b':')?;
            self.skip_space();
            if serde_json::from_slice::<Cow<'_, str>>(key).is_ok_and(|key| key == wanted) {
                return Some(start);
            }
            more = self.next()?;
        }
        None
    }

    /// From the start of an array to one of its items.
    fn enter_item(&mut self, wanted: usize) -> Option<()> {
        let mut more = self.open(b'[', b']')?;
        let mut index = 0;
        while more {
            if index == wanted {
                return Some(());
            }
            index += 1;
            more = self.next()?;
        }
        None
    }

    /// Past the opening bracket; whether there is anything inside.
    fn open(&mut self, open: u8, close: u8) -> Option<bool> {
        self.take(open)?;
        self.skip_space();
        Some(self.peek()? != close)
    }

    /// Past the value here and the comma behind it; whether there was one.
    fn next(&mut self) -> Option<bool> {
        self.skip_value()?;
        self.skip_space();
        let more = self.take(b',').is_some();
        self.skip_space();
        Some(more)
    }

    fn skip_value(&mut self) -> Option<()> {
        let mut depth = 0_usize;
        loop {
            match self.peek()? {
                b'"' => _ = self.string()?,
                b'{' | b'[' => {
                    depth += 1;
                    self.at += 1;
                }
                b'}' | b']' | b',' if depth == 0 => return Some(()),
                b'}' | b']' => {
                    depth -= 1;
                    self.at += 1;
                }
                _ => self.at += 1,
            }
        }
    }

    /// Past a string; its text with the quotes.
    fn string(&mut self) -> Option<&'a [u8]> {
        let start = self.at;
        self.take(b'"')?;
        while self.peek()? != b'"' {
            self.at += if self.peek()? == b'\\' { 2 } else { 1 };
        }
        self.at += 1;
        self.text.get(start..self.at)
    }

    fn take(&mut self, byte: u8) -> Option<()> {
        (self.peek()? == byte).then(|| self.at += 1)
    }

    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn skip_space(&mut self) {
        while self.peek().is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.at += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bytes: &[u8], kind: ProblemKind, line: u32, column: u32, message: &str) {
        let problem = parse("a.json", bytes).unwrap_err();
        assert_eq!(problem.kind, kind, "{problem}");
        assert_eq!((problem.line, problem.column), (Some(line), Some(column)), "{problem}");
        assert!(problem.message.contains(message), "{problem}");
    }

    #[test]
    fn says_what_is_wrong_and_where() {
        use ProblemKind::{DuplicateKey, InvalidJson, MergeConflict};
        check(b"", InvalidJson, 1, 1, "is empty");
        check(b" \n\n", InvalidJson, 1, 1, "is empty");
        check(b"[1]", InvalidJson, 1, 1, "holds an array, not an object");
        check(b"{\n  \"a\": 1,\n}", InvalidJson, 3, 1, "railing comma");
        check(b"{\n  \"title\": \"Hal", InvalidJson, 2, 15, "EOF");
        check(b"{\"a\": 1, \"a\": 2}", DuplicateKey, 1, 12, "Duplicate key `a`.");
        check(b"{\n\"a\": \"\xff\"}", InvalidJson, 2, 7, "not UTF-8");
        check(b"\xff\xfe{\0}\0", InvalidJson, 1, 1, "UTF-16");
        let merge = b"{\n<<<<<<< HEAD\n\"a\": 1\n=======\n\"a\": 2\n>>>>>>> other\n}";
        check(merge, MergeConflict, 2, 1, "unfinished merge");
        let deep = format!("{{\"a\":{}{}}}", "[".repeat(100), "]".repeat(100));
        check(deep.as_bytes(), InvalidJson, 1, 69, "64 levels");
    }

    #[test]
    fn a_byte_order_mark_is_stripped_and_told() {
        let document = parse("a.json", b"\xef\xbb\xbf{\"a\": 1}").unwrap();
        assert_eq!(document.map.get("a"), Some(&Json::from(1)));
        assert_eq!(document.warning.unwrap().kind, ProblemKind::Bom);
        assert!(parse("a.json", b"{}").unwrap().warning.is_none());
    }

    #[test]
    fn half_written_files_are_not_complete() {
        let check = |text: &str, expect: bool| assert_eq!(is_complete(text.as_bytes()), expect);
        check("{\"a\": 1}\n", true);
        check("{\"a\": 1, \"a\": 2}", true);
        check("\u{feff}{}", true);
        check("", false);
        check("{\"a\": ", false);
        check("{} {", false);
    }

    #[test]
    fn finds_values_by_their_path() {
        let text = b"{\n  \"t\": \"x, [\\\"}\",\n  \"data\": {\n    \"rows\": [{}, [1, 2],\n      \
            {\"k\\u0065y\": -1.5e3}]\n  }\n}";
        let check = |path: &str, expect: (u32, u32)| {
            assert_eq!(locate(text, &segments(path)), Some(expect), "{path}");
        };
        check("", (1, 1));
        check("t", (2, 8));
        check("data", (3, 11));
        check("data.rows", (4, 13));
        check("data.rows[0]", (4, 14));
        check("data.rows[1][1]", (4, 22));
        check("data.rows[2].key", (5, 20));
        check("data.rows[2].missing", (5, 7));
        check("data.rows[9]", (4, 13));
        check("t.deeper", (2, 8));
    }

    #[test]
    fn finds_keys() {
        let text = b"{\n  \"data\": {\n    \"rows\": [{}, { \"a.b\": 1, \"k\\u0065y\": 2}]\n  }\n}";
        let check = |path: &str, key: &str, expect: (u32, u32)| {
            assert_eq!(locate_key(text, &segments(path), key), Some(expect), "{path} {key}");
        };
        check("", "data", (2, 3));
        check("data", "rows", (3, 5));
        check("data.rows[1]", "a.b", (3, 20));
        check("data.rows[1]", "key", (3, 30));
        check("data.rows[1]", "gone", (3, 18));
        assert_eq!(locate_key(b"", &[], "a"), None);
    }

    #[test]
    fn looking_for_values_in_garbage_ends() {
        for text in ["", "{", "{\"a\"", "{\"a\":", "{\"a\":[", "\"\\", "{\"a\":\"\\", "[1,", "]"] {
            for path in ["a", "a[0]", "[1]", "a.b[3]"] {
                let _ = locate(text.as_bytes(), &segments(path));
                let _ = locate_key(text.as_bytes(), &segments(path), "a");
            }
        }
    }
}
