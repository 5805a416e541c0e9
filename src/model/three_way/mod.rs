//! A three-way merge of files: what two people made of the same file, each by themselves, put
//! together. Values are merged key by key and row by row; only a value that both changed to
//! different things is a conflict.

mod lists;
mod text;

use crate::model::field::same;
use crate::model::three_way::lists::Named;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::time::Timestamp;

pub use text::MergedFile;
pub use text::merge_files;

/// The key of the time of the last change, whose newest value counts.
const UPDATED_AT: &str = "updated_at";

/// The key of who made it, which goes with the time.
const UPDATED_BY: &str = "updated_by";

/// What a merge came to: the same value twice, or two that differ where both sides changed a value.
#[derive(Clone, Debug, PartialEq)]
pub struct Merged<T = Json> {
    /// With our values where there is a conflict.
    pub ours: T,
    /// With theirs.
    pub theirs: T,
}

/// A value that may be missing.
type Side<'a> = Option<&'a Json>;

/// Merges the content of a file. Without a `base` both sides made the file anew: what they agree on
/// is kept, and keys that one side alone has are added.
pub fn merge(base: Option<&Map>, ours: &Map, theirs: &Map) -> Merged<Map> {
    let nothing = Map::new();
    let base = base.unwrap_or(&nothing);
    let theirs_is_newer = is_newer(theirs, ours);
    merge_maps(base, ours, theirs, |key, base, ours, theirs| match key {
        UPDATED_AT | UPDATED_BY if ours.is_some() && theirs.is_some() => {
            Merged::agreed(if theirs_is_newer { theirs } else { ours }.cloned())
        }
        _ => merge_values(base, ours, theirs),
    })
}

impl<T: Clone> Merged<T> {
    fn agreed(value: T) -> Merged<T> {
        Merged { theirs: value.clone(), ours: value }
    }
}

impl<T: PartialEq> Merged<T> {
    /// Whether both sides changed a value.
    pub fn is_conflict(&self) -> bool {
        self.ours != self.theirs
    }
}

/// Whether the first of two files says that it was changed later than the second.
fn is_newer(one: &Map, other: &Map) -> bool {
    let time = |map: &Map| map.get(UPDATED_AT).and_then(Json::as_str).and_then(Timestamp::parse);
    time(one) > time(other)
}

/// Merges one value; a value that is missing was never there, or was removed.
fn merge_values(base: Side<'_>, ours: Side<'_>, theirs: Side<'_>) -> Merged<Option<Json>> {
    if same_sides(ours, theirs) || same_sides(base, theirs) {
        return Merged::agreed(ours.cloned());
    }
    if same_sides(base, ours) {
        return Merged::agreed(theirs.cloned());
    }
    match (base, ours, theirs) {
        (base, Some(Json::Object(ours)), Some(Json::Object(theirs))) => {
            let nothing = Map::new();
            let base = base.and_then(Json::as_object).unwrap_or(&nothing);
            let merged = merge_maps(base, ours, theirs, |_, base, ours, theirs| {
                merge_values(base, ours, theirs)
            });
            Merged { ours: Some(merged.ours.into()), theirs: Some(merged.theirs.into()) }
        }
        (base, Some(Json::Array(ours)), Some(Json::Array(theirs))) => {
            let base = base.and_then(Json::as_array).unwrap_or_default();
            match lists::merge(base, ours, theirs) {
                Some(merged) => {
                    Merged { ours: Some(merged.ours.into()), theirs: Some(merged.theirs.into()) }
                }
                None => conflict(Some(&ours.clone().into()), Some(&theirs.clone().into())),
            }
        }
        (_, ours, theirs) => conflict(ours, theirs),
    }
}

fn conflict(ours: Side<'_>, theirs: Side<'_>) -> Merged<Option<Json>> {
    Merged { ours: ours.cloned(), theirs: theirs.cloned() }
}

fn same_sides(one: Side<'_>, other: Side<'_>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => same(one, other),
        (one, other) => one.is_none() && other.is_none(),
    }
}

/// Merges objects member by member.
fn merge_maps(
    base: &Map,
    ours: &Map,
    theirs: &Map,
    merge: impl Fn(&str, Side<'_>, Side<'_>, Side<'_>) -> Merged<Option<Json>>,
) -> Merged<Map> {
    let names = |map: &Map| -> Vec<String> { map.iter().map(|(key, _)| key.to_string()).collect() };
    let sides = Named { base: names(base), ours: names(ours), theirs: names(theirs) };
    let mut merged = Merged { ours: Map::new(), theirs: Map::new() };
    // The order of keys says something in schemas; where both changed it, ours is as good.
    for key in sides.order().unwrap_or_else(|| sides.our_order()) {
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

    fn map(text: &str) -> Map {
        let json = Json::parse(text.as_bytes()).unwrap_or_else(|error| panic!("{error}: {text}"));
        json.as_object().unwrap().clone()
    }

    fn text(map: &Map) -> String {
        serde_json::to_string(&Json::from(map.clone())).unwrap()
    }

    fn merged(base: &str, ours: &str, theirs: &str) -> Merged<Map> {
        merge(Some(&map(base)), &map(ours), &map(theirs))
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
        // Below the top level the keys are like any other.
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
    fn without_a_base_what_is_said_twice_has_to_agree() {
        let merged = merge(None, &map(r#"{"a":1,"b":2}"#), &map(r#"{"a":1,"b":3,"c":4}"#));
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
        // One changes a block and moves it, the other changes another and adds one.
        check(
            &base,
            &list(&[&b, &a2, &c]),
            &list(&[&a, &new, &b2, &c]),
            &list(&[&b2, &a2, &new, &c]),
        );
        // One removes what the other did not touch, both add at the end.
        check(&base, &list(&[&a, &c, &m]), &list(&[&a, &b, &c, &new]), &list(&[&a, &c, &m, &new]));
        check_conflict(
            &base,
            &list(&[&a, &c]),
            &list(&[&a, &b2, &c]),
            [&list(&[&a, &c]), &list(&[&a, &b2, &c])],
        );
        // Two orders at once are one conflict of the whole list.
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
        // Values that are there twice cannot be told apart.
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
            let one = merge(Some(&base), &base, &other);
            prop_assert!(!one.is_conflict());
            prop_assert!(same(&one.ours.into(), &other.clone().into()));
            let two = merge(Some(&base), &other, &base);
            prop_assert!(!two.is_conflict());
            prop_assert!(same(&two.ours.into(), &other.into()));
        }

        #[test]
        fn both_ways_conflict_alike(base in document(), one in document(), other in document()) {
            let there = merge(Some(&base), &one, &other);
            let back = merge(Some(&base), &other, &one);
            prop_assert_eq!(there.is_conflict(), back.is_conflict());
        }
    }
}
