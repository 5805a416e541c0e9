//! The merge of two versions of a JSON object: key by key, row by row.

use crate::model::field::is_equivalent;
use crate::model::three_way_merge::lists::ItemNames;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::time::Timestamp;

/// The key of the time of the last change. The later value wins.
const UPDATED_AT: &str = "updated_at";

/// The key of the author of the last change, which belongs to the time.
const UPDATED_BY: &str = "updated_by";

/// The result of a merge: twice the same value, or two values that differ where both sides changed
/// something.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct MergeResult<T = Json> {
    /// The result with our values in conflicts.
    pub ours: T,
    /// The result with their values in conflicts.
    pub theirs: T,
}

/// A value of one side, which may be missing.
type Side<'a> = Option<&'a Json>;

/// Merges the content of a file. Without a `base` both sides created the file: keys on which they
/// agree are kept, and keys of only one side are added.
pub(super) fn merge_contents(base: Option<&Map>, ours: &Map, theirs: &Map) -> MergeResult<Map> {
    let nothing = Map::new();
    let base = base.unwrap_or(&nothing);
    let theirs_is_newer = is_newer(theirs, ours);
    merge_maps(base, ours, theirs, |key, base, ours, theirs| match key {
        UPDATED_AT | UPDATED_BY if ours.is_some() && theirs.is_some() => {
            MergeResult::from_agreed(if theirs_is_newer { theirs } else { ours }.cloned())
        }
        _ => merge_values(base, ours, theirs),
    })
}

impl<T: Clone> MergeResult<T> {
    fn from_agreed(value: T) -> MergeResult<T> {
        MergeResult { theirs: value.clone(), ours: value }
    }
}

impl<T: PartialEq> MergeResult<T> {
    /// Returns true if both sides changed a value differently.
    pub(super) fn is_conflict(&self) -> bool {
        self.ours != self.theirs
    }
}

/// Returns true if `one` was changed later than `other` according to the files.
fn is_newer(one: &Map, other: &Map) -> bool {
    let time = |map: &Map| map.get(UPDATED_AT).and_then(Json::as_str).and_then(Timestamp::parse);
    time(one) > time(other)
}

/// Merges a value. A missing value never existed or was removed; `null` says the same.
pub(super) fn merge_values(
    base: Side<'_>,
    ours: Side<'_>,
    theirs: Side<'_>,
) -> MergeResult<Option<Json>> {
    if same_sides(ours, theirs) || same_sides(base, theirs) {
        return MergeResult::from_agreed(ours.cloned());
    }
    if same_sides(base, ours) {
        return MergeResult::from_agreed(theirs.cloned());
    }
    // `null` says no more than a missing value, so it is no change of one.
    if is_missing(theirs) && (is_missing(base) || is_missing(ours)) {
        return MergeResult::from_agreed(ours.cloned());
    }
    if is_missing(ours) && is_missing(base) {
        return MergeResult::from_agreed(theirs.cloned());
    }
    match (base, ours, theirs) {
        (base, Some(Json::Object(ours)), Some(Json::Object(theirs))) => {
            let nothing = Map::new();
            let base = base.and_then(Json::as_object).unwrap_or(&nothing);
            let merged = merge_maps(base, ours, theirs, |_, base, ours, theirs| {
                merge_values(base, ours, theirs)
            });
            MergeResult { ours: Some(merged.ours.into()), theirs: Some(merged.theirs.into()) }
        }
        (base, Some(Json::Array(ours)), Some(Json::Array(theirs))) => {
            let base = base.and_then(Json::as_array).unwrap_or_default();
            match merge_lists(base, ours, theirs) {
                Some(merged) => MergeResult {
                    ours: Some(merged.ours.into()),
                    theirs: Some(merged.theirs.into()),
                },
                None => build_conflict(Some(&ours.clone().into()), Some(&theirs.clone().into())),
            }
        }
        (_, ours, theirs) => build_conflict(ours, theirs),
    }
}

/// Merges lists item by item. Returns `None` if items are ambiguous, or if both sides changed the
/// order.
fn merge_lists(base: &[Json], ours: &[Json], theirs: &[Json]) -> Option<MergeResult<Vec<Json>>> {
    let sides = ItemNames::from_lists(base, ours, theirs)?;
    let item = |items: &[Json], names: &[String], name: &String| {
        let at = names.iter().position(|it| it == name)?;
        items.get(at).cloned()
    };
    let mut merged = MergeResult { ours: Vec::new(), theirs: Vec::new() };
    for name in sides.merge_order()? {
        let base = item(base, &sides.base, &name);
        let (ours, theirs) = (item(ours, &sides.ours, &name), item(theirs, &sides.theirs, &name));
        let value = merge_values(base.as_ref(), ours.as_ref(), theirs.as_ref());
        merged.ours.extend(value.ours);
        merged.theirs.extend(value.theirs);
    }
    Some(merged)
}

fn build_conflict(ours: Side<'_>, theirs: Side<'_>) -> MergeResult<Option<Json>> {
    MergeResult { ours: ours.cloned(), theirs: theirs.cloned() }
}

/// Returns true if there is no value: the key is missing, or `null`.
pub(super) fn is_missing(value: Option<&Json>) -> bool {
    value.is_none_or(|it| *it == Json::Null)
}

fn same_sides(one: Side<'_>, other: Side<'_>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => is_equivalent(one, other),
        (one, other) => one.is_none() && other.is_none(),
    }
}

/// Merges objects member by member.
fn merge_maps(
    base: &Map,
    ours: &Map,
    theirs: &Map,
    merge: impl Fn(&str, Side<'_>, Side<'_>, Side<'_>) -> MergeResult<Option<Json>>,
) -> MergeResult<Map> {
    let names = |map: &Map| -> Vec<String> { map.iter().map(|(key, _)| key.to_string()).collect() };
    let sides = ItemNames { base: names(base), ours: names(ours), theirs: names(theirs) };
    let mut merged = MergeResult { ours: Map::new(), theirs: Map::new() };
    // The order of keys matters in schemas. If both sides changed it, ours wins.
    for key in sides.merge_order().unwrap_or_else(|| sides.our_order()) {
        let (base, ours, theirs) = (base.get(&key), ours.get(&key), theirs.get(&key));
        let member = merge(&key, base, ours, theirs);
        if let Some(value) = member.ours {
            merged.ours.push(key.clone(), value);
        }
        if let Some(value) = member.theirs {
            merged.theirs.push(key, value);
        }
    }
    merged
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::stdx::json::from_text::map;

    fn text(map: &Map) -> String {
        serde_json::to_string(&Json::from(map.clone())).unwrap()
    }

    fn merged(base: &str, ours: &str, theirs: &str) -> MergeResult<Map> {
        merge_contents(Some(&map(base)), &map(ours), &map(theirs))
    }

    fn check(base: &str, ours: &str, theirs: &str, expect: &str) {
        let merged = merged(base, ours, theirs);
        assert_eq!(text(&merged.ours), expect);
        assert_eq!(text(&merged.theirs), expect);
    }

    fn check_conflict(base: &str, ours: &str, theirs: &str, expect: [&str; 2]) {
        let merged = merged(base, ours, theirs);
        assert_eq!([text(&merged.ours), text(&merged.theirs)], expect);
    }

    #[test]
    fn different_keys_are_both_taken() {
        check(
            r#"{"a":1,"b":1,"c":1}"#,
            r#"{"a":2,"b":1,"c":1}"#,
            r#"{"a":1,"b":1,"c":3}"#,
            r#"{"a":2,"b":1,"c":3}"#,
        );
        check(
            r#"{"a":{"x":1}}"#,
            r#"{"a":{"x":1,"y":2}}"#,
            r#"{"a":{"z":3,"x":1}}"#,
            r#"{"a":{"z":3,"x":1,"y":2}}"#,
        );
        check(r#"{"a":1,"b":2}"#, r#"{"b":2}"#, r#"{"a":1,"b":3}"#, r#"{"b":3}"#);
        check(r#"{"a":1}"#, r#"{"a":2}"#, r#"{"a":2}"#, r#"{"a":2}"#);
        check(r#"{"a":1,"b":2}"#, r#"{"b":2,"a":1}"#, r#"{"a":1,"b":3}"#, r#"{"b":3,"a":1}"#);
    }

    #[test]
    fn the_newest_change_names_time_and_person() {
        let base = r#"{"a":1,"updated_at":"2026-01-01T00:00:00Z","updated_by":"x"}"#;
        let early = r#"{"a":1,"updated_at":"2026-01-02T00:00:00+02:00","updated_by":"anna"}"#;
        let late = r#"{"a":2,"updated_at":"2026-01-02T00:00:00Z","updated_by":"ben"}"#;
        check(base, early, late, late);
        check(base, late, early, late);
        // Below the top level these keys have no special meaning.
        check_conflict(
            r#"{"d":{}}"#,
            r#"{"d":{"updated_at":"1"}}"#,
            r#"{"d":{"updated_at":"2"}}"#,
            [r#"{"d":{"updated_at":"1"}}"#, r#"{"d":{"updated_at":"2"}}"#],
        );
    }

    #[test]
    fn only_a_value_that_both_changed_is_a_conflict() {
        check_conflict(
            r#"{"a":1,"b":{"c":1,"d":1}}"#,
            r#"{"a":2,"b":{"c":2,"d":1}}"#,
            r#"{"a":1,"b":{"c":3,"d":4}}"#,
            [r#"{"a":2,"b":{"c":2,"d":4}}"#, r#"{"a":2,"b":{"c":3,"d":4}}"#],
        );
        check_conflict(r#"{"a":1}"#, r#"{}"#, r#"{"a":2}"#, ["{}", r#"{"a":2}"#]);
        check_conflict(
            r#"{"a":1}"#,
            r#"{"a":[1]}"#,
            r#"{"a":{}}"#,
            [r#"{"a":[1]}"#, r#"{"a":{}}"#],
        );
    }

    #[test]
    fn null_is_no_change_of_a_missing_value() {
        check(r#"{"d":{}}"#, r#"{"d":{"a":"x"}}"#, r#"{"d":{"a":null}}"#, r#"{"d":{"a":"x"}}"#);
        check(r#"{"d":{}}"#, r#"{"d":{"a":null}}"#, r#"{"d":{"a":"x"}}"#, r#"{"d":{"a":"x"}}"#);
        check(r#"{"a":null}"#, "{}", r#"{"a":"x"}"#, r#"{"a":"x"}"#);
        check(r#"{"a":null}"#, r#"{"a":"x"}"#, "{}", r#"{"a":"x"}"#);
        check(r#"{"a":1}"#, "{}", r#"{"a":null}"#, "{}");
        check(r#"{"a":1}"#, r#"{"a":null}"#, "{}", r#"{"a":null}"#);
        // One side that changed nothing takes either from the other.
        check("{}", "{}", r#"{"a":null}"#, r#"{"a":null}"#);
        check(r#"{"a":null}"#, "{}", r#"{"a":null}"#, "{}");
        let null_and_two = [r#"{"a":null}"#, r#"{"a":2}"#];
        check_conflict(r#"{"a":1}"#, r#"{"a":null}"#, r#"{"a":2}"#, null_and_two);
        // So without a base.
        let (null, one) = (map(r#"{"a":null}"#), map(r#"{"a":1}"#));
        for merged in [merge_contents(None, &null, &one), merge_contents(None, &one, &null)] {
            assert_eq!((&merged.ours, &merged.theirs), (&one, &one));
        }
    }

    #[test]
    fn without_a_base_what_is_said_twice_has_to_agree() {
        let merged = merge_contents(None, &map(r#"{"a":1,"b":2}"#), &map(r#"{"a":1,"b":3,"c":4}"#));
        assert_eq!(text(&merged.ours), r#"{"a":1,"b":2,"c":4}"#);
        assert_eq!(text(&merged.theirs), r#"{"a":1,"b":3,"c":4}"#);
    }

    #[test]
    fn blocks_are_known_by_their_ids() {
        let block = |id: &str, text: &str| format!(r#"{{"_type":"p","_id":"{id}","t":"{text}"}}"#);
        let list = |blocks: &[&str]| format!(r#"{{"b":[{}]}}"#, blocks.join(","));
        let (a, b, c) = (block("a", "a"), block("b", "b"), block("c", "c"));
        let (a2, b2, new) = (block("a", "2"), block("b", "2"), block("n", "n"));
        let m = block("m", "m");
        let base = list(&[&a, &b, &c]);
        // One side changes a block and moves it, the other changes another and adds one.
        check(
            &base,
            &list(&[&b, &a2, &c]),
            &list(&[&a, &new, &b2, &c]),
            &list(&[&b2, &a2, &new, &c]),
        );
        // One side removes a block that the other did not change, and both append one.
        check(&base, &list(&[&a, &c, &m]), &list(&[&a, &b, &c, &new]), &list(&[&a, &c, &m, &new]));
        check_conflict(
            &base,
            &list(&[&a, &c]),
            &list(&[&a, &b2, &c]),
            [&list(&[&a, &c]), &list(&[&a, &b2, &c])],
        );
        // Two different orders are a conflict of the whole list.
        let (one, other) = (list(&[&b, &a, &c]), list(&[&a, &c, &b]));
        check_conflict(&base, &one, &other, [&one, &other]);
    }

    #[test]
    fn rows_are_known_by_what_they_say() {
        check(
            r#"{"r":[{"q":"1","a":"1"},{"q":"2","a":"2"}]}"#,
            r#"{"r":[{"q":"0","a":"0"},{"q":"1","a":"1"},{"q":"2","a":"2"}]}"#,
            r#"{"r":[{"q":"1","a":"1"},{"q":"2","a":"new"}]}"#,
            r#"{"r":[{"q":"0","a":"0"},{"q":"1","a":"1"},{"q":"2","a":"new"}]}"#,
        );
        check(
            r#"{"r":[{"q":"1","a":"1"}]}"#,
            r#"{"r":[{"q":"1!","a":"1"}]}"#,
            r#"{"r":[{"q":"1","a":"1!"}]}"#,
            r#"{"r":[{"q":"1!","a":"1!"}]}"#,
        );
        check(
            r#"{"r":[]}"#,
            r#"{"r":[{"q":"1"}]}"#,
            r#"{"r":[{"q":"1"},{"q":"2"}]}"#,
            r#"{"r":[{"q":"1"},{"q":"2"}]}"#,
        );
    }

    #[test]
    fn lists_of_plain_values_take_what_both_added() {
        check(
            r#"{"t":["a","b"]}"#,
            r#"{"t":["a","b","x"]}"#,
            r#"{"t":["b","y"]}"#,
            r#"{"t":["b","x","y"]}"#,
        );
        check(r#"{"t":[]}"#, r#"{"t":["a"]}"#, r#"{"t":["a"]}"#, r#"{"t":["a"]}"#);
        // Values that occur twice are ambiguous.
        check_conflict(
            r#"{"t":[1]}"#,
            r#"{"t":[1,1]}"#,
            r#"{"t":[2,2]}"#,
            [r#"{"t":[1,1]}"#, r#"{"t":[2,2]}"#],
        );
    }

    fn value() -> impl Strategy<Value = Json> {
        let plain = prop_oneof![
            Just(Json::Null),
            (0_i64..3).prop_map(Json::from),
            "[ab]{0,1}".prop_map(Json::from),
        ];
        plain.prop_recursive(3, 12, 4, |inner| {
            let block = (0..3_u8, inner.clone()).prop_map(|(id, value)| {
                let mut map = Map::new();
                map.push("_id", id.to_string());
                map.push("v", value);
                Json::Object(map)
            });
            prop_oneof![
                prop::collection::vec(prop_oneof![inner.clone(), block], 0..4)
                    .prop_map(Json::Array),
                prop::collection::btree_map("[abc]", inner, 0..4)
                    .prop_map(|it| Json::Object(it.into_iter().collect())),
            ]
        })
    }

    fn document() -> impl Strategy<Value = Map> {
        prop::collection::btree_map("[abcd]", value(), 0..4).prop_map(|it| it.into_iter().collect())
    }

    proptest! {
        #[test]
        fn one_side_that_changed_nothing_is_no_part_of_it(base in document(), other in document()) {
            let one = merge_contents(Some(&base), &base, &other);
            prop_assert!(!one.is_conflict());
            prop_assert!(is_equivalent(&one.ours.into(), &other.clone().into()));
            let two = merge_contents(Some(&base), &other, &base);
            prop_assert!(!two.is_conflict());
            prop_assert!(is_equivalent(&two.ours.into(), &other.into()));
        }

        #[test]
        fn both_ways_conflict_alike(base in document(), one in document(), other in document()) {
            let there = merge_contents(Some(&base), &one, &other);
            let back = merge_contents(Some(&base), &other, &one);
            prop_assert_eq!(there.is_conflict(), back.is_conflict());
        }
    }
}
