//! Three-way merge of files. Text that nobody changed keeps its bytes, and where both sides changed
//! a value, whole lines are enclosed in the conflict markers of git.

use diffy::ConflictStyle;
use diffy::DiffOptions;
use diffy::IncompleteHunkStyle;
use diffy::Line;
use diffy::MergeOptions;

use crate::model::change::proposes_deletion;
use crate::model::three_way_merge::values::MergeResult;
use crate::model::three_way_merge::values::merge_contents;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::json_edit::rewrite_in_order;

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
    // With all lines as context, what differs is in one hunk with everything else.
    let all = ours.len().max(theirs.len());
    let patch = DiffOptions::new().set_context_len(all).create_patch_bytes(ours, theirs);
    let Some(hunk) = patch.hunks().first() else { return ours.to_vec() };
    let is_common = |line: &Line<'_, [u8]>| matches!(line, Line::Context(_));
    let newline: &[u8] = if ours.windows(2).any(|it| it == b"\r\n") { b"\r\n" } else { b"\n" };
    let mut out = Vec::with_capacity(ours.len() + 256);
    for run in hunk.lines().chunk_by(|one, two| is_common(one) == is_common(two)) {
        let (of_theirs, of_ours): (Vec<_>, Vec<_>) =
            run.iter().partition(|it| matches!(it, Line::Insert(_)));
        if run.iter().all(is_common) {
            append_lines(&mut out, &of_ours);
            continue;
        }
        append_marker(&mut out, b"<<<<<<< ours", newline);
        append_lines(&mut out, &of_ours);
        append_marker(&mut out, b"=======", newline);
        append_lines(&mut out, &of_theirs);
        append_marker(&mut out, b">>>>>>> theirs", newline);
    }
    out
}

fn append_lines(out: &mut Vec<u8>, lines: &[&Line<'_, [u8]>]) {
    for line in lines {
        let (Line::Context(text) | Line::Delete(text) | Line::Insert(text)) = line;
        out.extend_from_slice(text);
    }
}

/// Appends a conflict marker as a line of its own, also after a line that is not ended.
fn append_marker(out: &mut Vec<u8>, marker: &[u8], newline: &[u8]) {
    if out.last().is_some_and(|it| *it != b'\n') {
        out.extend_from_slice(newline);
    }
    out.extend_from_slice(marker);
    out.extend_from_slice(newline);
}

fn merge_lines(base: &[u8], ours: &[u8], theirs: &[u8]) -> MergedFile {
    let mut options = MergeOptions::new();
    options.set_conflict_style(ConflictStyle::Merge);
    options.set_incomplete_hunk_style(IncompleteHunkStyle::Git);
    match options.merge_bytes(base, ours, theirs) {
        Ok(bytes) => MergedFile { bytes, has_conflicts: false },
        Err(bytes) => MergedFile { bytes, has_conflicts: true },
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

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
    fn null_is_no_change_of_a_missing_value() {
        check(
            "{\n  \"a\": 1\n}\n",
            "{\n  \"a\": 1,\n  \"b\": \"x\"\n}\n",
            "{\n  \"a\": 2,\n  \"b\": null\n}\n",
            "{\n  \"a\": 2,\n  \"b\": \"x\"\n}\n",
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
        let side = |ours: bool| {
            let text = side_of(&merged.bytes, ours).concat();
            serde_json::to_string(&Json::parse(text.as_bytes()).unwrap()).unwrap()
        };
        assert_eq!(side(true), r#"{"a":2,"list":[],"z":1}"#);
        assert_eq!(side(false), r#"{"a":3,"list":[{"_id":"x","t":2}],"z":1}"#);
    }

    #[test]
    fn what_is_no_json_is_merged_by_lines() {
        check("a\nb\nc\n", "A\nb\nc\n", "a\nb\nC\n", "A\nb\nC\n");
        check("a\nb", "A\nb", "B\nb", "<<<<<<< ours\nA\n=======\nB\n>>>>>>> theirs\nb");
        check("b", "a", "c", "<<<<<<< ours\na\n=======\nc\n>>>>>>> theirs\n");
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

    /// Up to a dozen lines of few kinds; the last one may not be ended.
    fn any_lines() -> impl Strategy<Value = String> {
        (vec("[abc]\r?\n", 0..12), "[ab]?").prop_map(|(lines, last)| lines.concat() + &last)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(500))]

        #[test]
        fn a_side_that_changed_alone_wins(base in any_lines(), changed in any_lines()) {
            for (ours, theirs) in [(&base, &changed), (&changed, &base), (&changed, &changed)] {
                let merged = merge_files(base.as_bytes(), ours.as_bytes(), theirs.as_bytes());
                prop_assert!(!merged.has_conflicts);
                prop_assert_eq!(&merged.bytes, changed.as_bytes());
            }
        }

        #[test]
        fn conflicts_lose_no_line(base in any_lines(), ours in any_lines(), theirs in any_lines()) {
            let merged = merge_files(base.as_bytes(), ours.as_bytes(), theirs.as_bytes());
            let is_marked = merged.bytes.starts_with(b"<<<<<<<")
                || merged.bytes.windows(8).any(|it| it == b"\n<<<<<<<");
            prop_assert_eq!(merged.has_conflicts, is_marked);
            // Without a base, all lines of both are there.
            let marked = mark_conflicts(ours.as_bytes(), theirs.as_bytes());
            prop_assert_eq!(side_of(&marked, true), split_lines(&ours));
            prop_assert_eq!(side_of(&marked, false), split_lines(&theirs));
        }
    }

    fn split_lines(text: &str) -> Vec<String> {
        text.lines().map(str::to_owned).collect()
    }

    /// The lines of one side of a text with conflicts.
    fn side_of(marked: &[u8], ours: bool) -> Vec<String> {
        let mut side = None;
        let mut found = split_lines(std::str::from_utf8(marked).unwrap());
        found.retain(|line| {
            match line.split(' ').next() {
                Some("<<<<<<<") => side = Some(true),
                Some("=======") => side = Some(false),
                Some(">>>>>>>") => side = None,
                _ => return side.is_none_or(|it| it == ours),
            }
            false
        });
        found
    }
}
