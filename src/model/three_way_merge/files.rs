//! Three-way merge of files. Text that nobody changed keeps its bytes, and where both sides changed
//! a value, whole lines are enclosed in the conflict markers of git.

use similar::Algorithm;
use similar::DiffOp;
use similar::TextMerge;
use similar::capture_diff_slices;

use crate::model::change::proposes_deletion;
use crate::model::three_way_merge::values::MergeResult;
use crate::model::three_way_merge::values::merge_contents;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::json_edit::rewrite_in_order;

/// The label of our side in conflict markers.
const OURS: &str = "ours";

/// The label of their side.
const THEIRS: &str = "theirs";

/// The result of merging files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MergedFile {
    /// The bytes, in the format of our side.
    pub bytes: Vec<u8>,
    /// True if the file contains conflict markers.
    pub has_conflicts: bool,
}

/// Merges two files that were derived from `base`, which is empty if both sides created the file.
/// Files that are not JSON objects are merged line by line.
pub fn merge_files(base: &[u8], ours: &[u8], theirs: &[u8]) -> MergedFile {
    let (Some(our_map), Some(their_map)) = (parse_object(ours), parse_object(theirs)) else {
        return merge_lines(base, ours, theirs);
    };
    let base_map = parse_object(base);
    // One side proposes to delete an entry and the other to change it: both at once say neither.
    if base_map.is_none() && proposes_deletion(&our_map) != proposes_deletion(&their_map) {
        return MergedFile { bytes: mark_conflicts(ours, theirs), has_conflicts: true };
    }
    let merged = merge_contents(base_map.as_ref(), &our_map, &their_map);
    let has_conflicts = merged.is_conflict();
    let MergeResult { ours: our_value, theirs: their_value } = merged;
    let our_text = rewrite_in_order(ours, &our_value.into());
    if !has_conflicts {
        return MergedFile { bytes: our_text, has_conflicts };
    }
    // The texts differ only in the values in conflict.
    let their_text = rewrite_in_order(&our_text, &their_value.into());
    MergedFile { bytes: mark_conflicts(&our_text, &their_text), has_conflicts }
}

fn parse_object(bytes: &[u8]) -> Option<Map> {
    let text = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    match Json::parse(text) {
        Ok(Json::Object(map)) => Some(map),
        _ => None,
    }
}

/// Returns one text with the differing lines of both sides between conflict markers. Markers take
/// whole lines and JSON strings never span lines, so a marker is never inside of a string.
fn mark_conflicts(ours: &[u8], theirs: &[u8]) -> Vec<u8> {
    let (our_lines, their_lines) = (split_lines(ours), split_lines(theirs));
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

fn split_lines(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|it| *it == b'\n').collect()
}

fn merge_lines(base: &[u8], ours: &[u8], theirs: &[u8]) -> MergedFile {
    let (Ok(base), Ok(ours), Ok(theirs)) =
        (std::str::from_utf8(base), std::str::from_utf8(ours), std::str::from_utf8(theirs))
    else {
        return MergedFile { bytes: mark_conflicts(ours, theirs), has_conflicts: ours != theirs };
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
        // Two branches that propose different things for one entry.
        let (deleted, changed) = (b"{\"delete\":true}\n", b"{\"title\":\"a\"}\n");
        assert!(merge_files(b"", deleted, changed).has_conflicts);
        assert!(merge_files(b"{\"title\":\"b\"}\n", deleted, changed).has_conflicts);
        assert!(!merge_files(b"", deleted, deleted).has_conflicts);
    }
}
