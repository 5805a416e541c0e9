//! Decoding of JSON files. Problems point to the line and column of the defect.

use std::borrow::Cow;
use std::ops::Range;

use crate::model::problem::{Problem, ProblemKind};
use crate::stdx::json::{Json, JsonError, Map};
use crate::stdx::json_edit::spans::{ChildSpan, find_children, trimmed_range};

const BOM: &[u8] = b"\xef\xbb\xbf";

/// The content of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct JsonDocument {
    /// The members of the top-level object.
    pub map: Map,
    /// A defect that did not prevent reading the file.
    pub warning: Option<Problem>,
}

/// Parses the JSON object in a file. `path` is used in problems.
pub fn parse_document(path: &str, bytes: &[u8]) -> Result<JsonDocument, Problem> {
    let text = bytes.strip_prefix(BOM).unwrap_or(bytes);
    let warning = (text.len() < bytes.len()).then(|| {
        let message = "The file starts with a byte order mark; save it as UTF-8 without one.";
        Problem::new(ProblemKind::Bom, path, message).at_position(1, 1)
    });
    check_encoding(path, text)?;
    match Json::parse(text) {
        Ok(Json::Object(map)) => Ok(JsonDocument { map, warning }),
        Ok(other) => {
            let message = format!("The file holds {}, not an object.", other.kind());
            Err(Problem::new(ProblemKind::InvalidJson, path, message).at_position(1, 1))
        }
        Err(error) => Err(explain_error(path, text, &error)),
    }
}

/// Returns true if the bytes are a complete JSON value. An incomplete file may still be being
/// written.
pub fn is_complete(bytes: &[u8]) -> bool {
    let text = bytes.strip_prefix(BOM).unwrap_or(bytes);
    serde_json::from_slice::<serde::de::IgnoredAny>(text).is_ok()
}

/// A step into a JSON value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathSegment<'a> {
    /// The member of an object.
    Key(&'a str),
    /// The item of an array.
    Index(usize),
}

/// Parses the steps of a path like `data.rows[2].key`.
pub fn parse_segments(path: &str) -> Vec<PathSegment<'_>> {
    let mut segments = Vec::new();
    for part in path.split('.') {
        let (key, indices) = part.split_at(part.find('[').unwrap_or(part.len()));
        if !key.is_empty() {
            segments.push(PathSegment::Key(key));
        }
        for index in indices.split(['[', ']']).filter(|it| !it.is_empty()) {
            segments.push(index.parse().map_or(PathSegment::Key(index), PathSegment::Index));
        }
    }
    segments
}

/// Returns the line and column (both counted from 1, the column in bytes) where the value under
/// `path` starts. If the last steps do not exist, this is the position of the innermost existing
/// value. Returns `None` if the text is not JSON.
pub fn locate_value(bytes: &[u8], path: &[PathSegment<'_>]) -> Option<(u32, u32)> {
    let text = bytes.strip_prefix(BOM).unwrap_or(bytes);
    let found = walk_path(text, path).start;
    text.get(found).map(|_| find_position(text, found))
}

/// Returns the position of a key in the object under `path`, in the same way.
pub fn locate_key(bytes: &[u8], path: &[PathSegment<'_>], key: &str) -> Option<(u32, u32)> {
    let text = bytes.strip_prefix(BOM).unwrap_or(bytes);
    let container = walk_path(text, path);
    let found = find_member(text, &container, key).map_or(container.start, |it| it.start);
    text.get(found).map(|_| find_position(text, found))
}

fn check_encoding(path: &str, text: &[u8]) -> Result<(), Problem> {
    let Err(error) = std::str::from_utf8(text) else { return Ok(()) };
    let (line, column) = find_position(text, error.valid_up_to());
    let utf16 = text.starts_with(b"\xff\xfe") || text.starts_with(b"\xfe\xff");
    let message = if utf16 {
        "The file is UTF-16; save it as UTF-8."
    } else {
        "The file is not UTF-8 from here on."
    };
    Err(Problem::new(ProblemKind::InvalidJson, path, message).at_position(line, column))
}

fn explain_error(path: &str, text: &[u8], error: &JsonError) -> Problem {
    if let Some(line) = conflict_line(text) {
        let message = "The file contains the conflict markers of an unfinished merge.";
        return Problem::new(ProblemKind::MergeConflict, path, message).at_position(line, 1);
    }
    if text.iter().all(u8::is_ascii_whitespace) {
        return Problem::new(ProblemKind::InvalidJson, path, "The file is empty.")
            .at_position(1, 1);
    }
    let kind =
        if error.duplicate_key { ProblemKind::DuplicateKey } else { ProblemKind::InvalidJson };
    Problem::new(kind, path, capitalize_message(&error.message))
        .at_position(error.line, error.column)
}

/// Returns the first line with a conflict marker. JSON strings never contain line feeds, so a line
/// that starts like this is never content.
fn conflict_line(text: &[u8]) -> Option<u32> {
    const MARKS: &[&[u8]] = &[b"<<<<<<< ", b">>>>>>> ", b"||||||| ", b"======="];
    let mut lines = text.split(|byte| *byte == b'\n');
    let line = lines.position(|line| MARKS.iter().any(|mark| line.starts_with(mark)))?;
    u32::try_from(line + 1).ok()
}

fn capitalize_message(message: &str) -> String {
    let mut chars = message.chars();
    let first = chars.next().map(|it| it.to_uppercase().collect::<String>()).unwrap_or_default();
    format!("{first}{}.", chars.as_str())
}

fn find_position(text: &[u8], at: usize) -> (u32, u32) {
    let before = text.get(..at).unwrap_or(text);
    let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
    let column = before.iter().rev().take_while(|byte| **byte != b'\n').count() + 1;
    (u32::try_from(line).unwrap_or(u32::MAX), u32::try_from(column).unwrap_or(u32::MAX))
}

/// Returns the span of the value under a path, as far as the path exists.
fn walk_path(text: &[u8], path: &[PathSegment<'_>]) -> Range<usize> {
    let mut found = trimmed_range(text);
    for segment in path {
        let below = match segment {
            PathSegment::Key(key) => find_member(text, &found, key),
            PathSegment::Index(index) => list_children(text, &found, b'[').into_iter().nth(*index),
        };
        let Some(below) = below else { break };
        found = below.value;
    }
    found
}

/// Returns the member of an object with this key.
fn find_member(text: &[u8], object: &Range<usize>, wanted: &str) -> Option<ChildSpan> {
    list_children(text, object, b'{').into_iter().find(|it| {
        let key = text.get(it.start..it.key_end).unwrap_or_default();
        serde_json::from_slice::<Cow<'_, str>>(key).is_ok_and(|key| key == wanted)
    })
}

/// Returns the children of a container with this bracket; none of any other value.
fn list_children(text: &[u8], span: &Range<usize>, open: u8) -> Vec<ChildSpan> {
    if text.get(span.start) == Some(&open) { find_children(text, span) } else { Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bytes: &[u8], kind: ProblemKind, line: u32, column: u32, message: &str) {
        let problem = parse_document("a.json", bytes).unwrap_err();
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
        check(b"{\n  \"title\": \"Hal", InvalidJson, 2, 15, "he text ends too early");
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
        let document = parse_document("a.json", b"\xef\xbb\xbf{\"a\": 1}").unwrap();
        assert_eq!(document.map.get("a"), Some(&Json::from(1)));
        assert_eq!(document.warning.unwrap().kind, ProblemKind::Bom);
        assert!(parse_document("a.json", b"{}").unwrap().warning.is_none());
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
            assert_eq!(locate_value(text, &parse_segments(path)), Some(expect), "{path}");
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
            assert_eq!(locate_key(text, &parse_segments(path), key), Some(expect), "{path} {key}");
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
                let _ = locate_value(text.as_bytes(), &parse_segments(path));
                let _ = locate_key(text.as_bytes(), &parse_segments(path), "a");
            }
        }
    }
}
