//! A three-way merge of the bytes of files: what nobody changed keeps them, and where both sides
//! changed a value, whole lines stand between the marks that git users know.

use similar::Algorithm;
use similar::DiffOp;
use similar::TextMerge;
use similar::capture_diff_slices;

use crate::model::three_way::Merged;
use crate::model::three_way::merge;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::json_edit::rewrite_in_order;

/// What our side is called between the marks of a conflict.
const OURS: &str = "ours";

/// What their side is called there.
const THEIRS: &str = "theirs";

/// The file that a merge came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MergedFile {
    /// Its bytes, written as our side is.
    pub bytes: Vec<u8>,
    /// Whether there are marks of conflicts in it.
    pub has_conflicts: bool,
}

/// Merges two files that were made of `base`, which is empty when each side made the file anew. Files
/// that are no JSON objects are merged line by line.
pub fn merge_files(base: &[u8], ours: &[u8], theirs: &[u8]) -> MergedFile {
    let (Some(our_map), Some(their_map)) = (object(ours), object(theirs)) else {
        return merge_lines(base, ours, theirs);
    };
    let merged = merge(object(base).as_ref(), &our_map, &their_map);
    let has_conflicts = merged.is_conflict();
    let Merged { ours: our_value, theirs: their_value } = merged;
    let our_text = rewrite_in_order(ours, &our_value.into());
    if !has_conflicts {
        return MergedFile { bytes: our_text, has_conflicts };
    }
    // Both texts differ in nothing but the values in conflict.
    let their_text = rewrite_in_order(&our_text, &their_value.into());
    MergedFile { bytes: with_marks(&our_text, &their_text), has_conflicts }
}

fn object(bytes: &[u8]) -> Option<Map> {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    match Json::parse(text) {
        Ok(Json::Object(map)) => Some(map),
        _ => None,
    }
}

/// One text in which the lines that differ stand twice, between marks. Marks take whole lines, and no
/// text in JSON goes over the end of a line, so none is ever inside of a text.
fn with_marks(ours: &[u8], theirs: &[u8]) -> Vec<u8> {
    let (our_lines, their_lines) = (lines(ours), lines(theirs));
    let mut out = Vec::with_capacity(ours.len() + 256);
    let newline: &[u8] =
        if our_lines.iter().any(|it| it.ends_with(b"\r\n")) { b"\r\n" } else { b"\n" };
    let mark = |out: &mut Vec<u8>, sign: &str, name: &str| {
        if out.last().is_some_and(|it| *it != b'\n') {
            out.extend_from_slice(newline);
        }
        out.extend_from_slice(sign.as_bytes());
        out.extend_from_slice(name.as_bytes());
        out.extend_from_slice(newline);
    };
    for op in capture_diff_slices(Algorithm::Myers, &our_lines, &their_lines) {
        let ours = our_lines.get(op.old_range()).unwrap_or_default().concat();
        if matches!(op, DiffOp::Equal { .. }) {
            out.extend_from_slice(&ours);
            continue;
        }
        mark(&mut out, "<<<<<<< ", OURS);
        out.extend_from_slice(&ours);
        mark(&mut out, "=======", "");
        out.extend_from_slice(&their_lines.get(op.new_range()).unwrap_or_default().concat());
        mark(&mut out, ">>>>>>> ", THEIRS);
    }
    out
}

fn lines(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|it| *it == b'\n').collect()
}

fn merge_lines(base: &[u8], ours: &[u8], theirs: &[u8]) -> MergedFile {
    let (Ok(base), Ok(ours), Ok(theirs)) =
        (std::str::from_utf8(base), std::str::from_utf8(ours), std::str::from_utf8(theirs))
    else {
        return MergedFile { bytes: with_marks(ours, theirs), has_conflicts: ours != theirs };
    };
    let mut merge = TextMerge::from_lines(base, ours, theirs);
    merge.labels("base", OURS, THEIRS);
    MergedFile { bytes: merge.to_string().into_bytes(), has_conflicts: merge.is_conflicted() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(base: &str, ours: &str, theirs: &str, expect: &str) {
        let merged = merge_files(base.as_bytes(), ours.as_bytes(), theirs.as_bytes());
        assert_eq!(String::from_utf8(merged.bytes).unwrap(), expect);
        assert_eq!(merged.has_conflicts, expect.contains("<<<<<<< "));
    }

    #[test]
    fn untouched_text_keeps_its_bytes() {
        check(
            "{\n    \"a\": 1.0,   \"b\":\"\\u00e4\",\n    \"c\": 1\n}\n",
            "{\n    \"a\": 1.0,   \"b\":\"\\u00e4\",\n    \"c\": 2\n}\n",
            "{\n  \"a\": 1.0,\n  \"b\": \"ä\",\n  \"c\": 1,\n  \"d\": [1]\n}\n",
            "{\n    \"a\": 1.0,   \"b\":\"\\u00e4\",\n    \"c\": 2,\n    \"d\": [\n        1\n    ]\n}\n",
        );
    }

    #[test]
    fn conflicts_stand_on_lines_of_their_own() {
        check(
            "{\n  \"a\": \"x\",\n  \"b\": 1\n}\n",
            "{\n  \"a\": \"line\\n=======\\n\",\n  \"b\": 2\n}\n",
            "{\n  \"a\": \"z\",\n  \"b\": 1\n}\n",
            "{\n<<<<<<< ours\n  \"a\": \"line\\n=======\\n\",\n=======\n  \"a\": \"z\",\n\
             >>>>>>> theirs\n  \"b\": 2\n}\n",
        );
        check(
            "{\"a\":1}",
            "{\"a\":2}",
            "{\"a\":3}",
            "<<<<<<< ours\n{\"a\":2}\n=======\n{\"a\":3}\n>>>>>>> theirs\n",
        );
        check(
            "{\r\n  \"a\": 1\r\n}\r\n",
            "{\r\n  \"a\": 2\r\n}\r\n",
            "{\r\n  \"a\": 3\r\n}\r\n",
            "{\r\n<<<<<<< ours\r\n  \"a\": 2\r\n=======\r\n  \"a\": 3\r\n>>>>>>> theirs\r\n}\r\n",
        );
    }

    #[test]
    fn either_side_of_a_conflict_is_json() {
        let base = r#"{"a": 1, "list": [{"_id": "x", "t": 1}], "z": 0}"#;
        let pretty = |text: &str| Json::parse(text.as_bytes()).unwrap().to_file();
        let ours = pretty(r#"{"a": 2, "list": [], "z": 1}"#);
        let theirs = pretty(r#"{"a": 3, "list": [{"_id": "x", "t": 2}], "z": 0}"#);
        let merged = merge_files(&pretty(base), &ours, &theirs);
        assert!(merged.has_conflicts);
        let text = String::from_utf8(merged.bytes).unwrap();
        let side = |keep: bool| {
            let mut state = None;
            let mut out = String::new();
            for line in text.lines() {
                match line.split(' ').next() {
                    Some("<<<<<<<") => state = Some(true),
                    Some("=======") => state = Some(false),
                    Some(">>>>>>>") => state = None,
                    _ if state.is_none_or(|it| it == keep) => out.push_str(line),
                    _ => {}
                }
            }
            serde_json::to_string(&Json::parse(out.as_bytes()).unwrap()).unwrap()
        };
        assert_eq!(side(true), r#"{"a":2,"list":[],"z":1}"#);
        assert_eq!(side(false), r#"{"a":3,"list":[{"_id":"x","t":2}],"z":1}"#);
    }

    #[test]
    fn what_is_no_json_is_merged_by_lines() {
        check("a\nb\nc\n", "A\nb\nc\n", "a\nb\nC\n", "A\nb\nC\n");
        let broken = "{\n<<<<<<< ours\n  \"a\": 1\n=======\n  \"a\": 2\n>>>>>>> theirs\n}\n";
        check(
            "{\n  \"a\": 0\n}\n",
            "{\n  \"a\": 1,\n}\n",
            "{\n  \"a\": 0\n}\n",
            "{\n  \"a\": 1,\n}\n",
        );
        assert!(merge_files(b"{}\n", broken.as_bytes(), b"{\"b\":1}\n").has_conflicts);
        assert!(merge_files(b"", b"\xff\n", b"{}\n").has_conflicts);
    }
}
