//! The merge of a proposed state of an entry onto what is live.

use crate::model::field::is_equivalent;
use crate::model::three_way_merge::values::is_missing;
use crate::model::three_way_merge::values::merge_contents;
use crate::stdx::json::Json;
use crate::stdx::json::Map;

/// The key of the time of creation, which nobody edits.
const CREATED_AT: &str = "created_at";

/// A proposed state merged onto the live one.
#[derive(Clone, Debug, PartialEq)]
pub struct MergedProposal {
    /// The content of the file, with the proposed values in conflicts.
    pub file: Map,
    /// The values that were changed in both states, differently.
    pub conflicts: Vec<MergeConflict>,
}

/// A value that was changed in both states, differently.
#[derive(Clone, Debug, PartialEq)]
pub struct MergeConflict {
    /// The path of the value in the file.
    pub path: String,
    /// The live value; null if there is none.
    pub live: Json,
    /// The proposed value; null if it is removed.
    pub proposed: Json,
}

/// Merges a proposed state that was begun from `base`; without one, values on which both agree are
/// taken, and all others conflict.
pub fn merge_proposal(base: Option<&Map>, live: &Map, proposed: &Map) -> MergedProposal {
    merge_states(Some(&complete_base(base, live, proposed)), live, proposed)
}

/// Merges two states of a file as [`merge_proposal`] does, but for `null` of one side alone, which
/// is brought over.
pub fn merge_states(base: Option<&Map>, live: &Map, proposed: &Map) -> MergedProposal {
    let merged = merge_contents(base, live, proposed);
    let mut conflicts = Vec::new();
    find_conflicts("", &merged.ours, &merged.theirs, &mut conflicts);
    MergedProposal { file: merged.theirs, conflicts }
}

/// Returns the state from which a proposal counts as begun once its author saves it again, where
/// `proposed` is the proposal before that. Without a `base` both sides created the entry.
///
/// The author works on the merge of both: what others changed live meanwhile is in the form. So it
/// is the live state that the author has seen and from now on changes, and the base moves to it.
/// Were the base left where it was, a live edit that the author merely kept would count as the
/// author's own one, and conflict with the next live edit of the same value.
///
/// A value in conflict keeps its old base. There the author has seen the proposed value and not the
/// live one, so a base moved to it would let the publication write over a live edit that nobody
/// decided against. The conflict goes when both sides agree.
///
/// A client that sends a value which it read before a live edit changes that value, as it would
/// live: `If-Match` is what protects from it. The value differs from the new base, so it counts as
/// the author's, and the difference shows it.
pub fn rebase_proposal(base: Option<&Map>, live: &Map, proposed: &Map) -> Map {
    let base = complete_base(base, live, proposed);
    let merged = merge_contents(Some(&base), live, proposed);
    let mut rebased = live.clone();
    keep_conflicts(&merged.ours, &merged.theirs, Some(&base), &mut rebased);
    rebased
}

/// Returns the base with what keeps values from conflicting that nobody can decide about. An entry
/// that both sides created keeps the live time of its creation.
fn complete_base(base: Option<&Map>, live: &Map, proposed: &Map) -> Map {
    let mut completed = base.cloned().unwrap_or_default();
    let created = proposed.get(CREATED_AT).filter(|_| base.is_none() && live.contains(CREATED_AT));
    if let Some(created) = created {
        completed.set(CREATED_AT, created.clone());
    }
    equate_missing(&mut completed, live, proposed);
    completed
}

/// Lets a side that has no value count as unchanged if the base has none either, be it that the key
/// is missing or `null`: forms send `null` for all that is empty, which is no edit.
fn equate_missing(base: &mut Map, live: &Map, proposed: &Map) {
    let added = proposed.iter().filter(|(key, _)| !live.contains(key));
    for (key, _) in live.iter().chain(added) {
        let (ours, theirs) = (live.get(key), proposed.get(key));
        let is_new = is_missing(base.get(key));
        let unchanged = match (ours, theirs) {
            (Some(Json::Object(ours)), Some(Json::Object(theirs))) => {
                equate_missing_inside(base, key, ours, theirs);
                continue;
            }
            (_, theirs) if is_missing(theirs) && (is_new || is_missing(ours)) => theirs,
            (ours, _) if is_missing(ours) && is_new => ours,
            _ => continue,
        };
        match unchanged {
            Some(empty) => base.set(key, empty.clone()),
            None => _ = base.remove(key),
        }
    }
}

fn equate_missing_inside(base: &mut Map, key: &str, live: &Map, proposed: &Map) {
    if let Some(Json::Object(base)) = base.get_mut(key) {
        return equate_missing(base, live, proposed);
    }
    let mut inner = Map::new();
    equate_missing(&mut inner, live, proposed);
    if !inner.is_empty() {
        base.set(key, Json::Object(inner));
    }
}

/// Puts back the values of `base` where the sides of a merge differ.
fn keep_conflicts(ours: &Map, theirs: &Map, base: Option<&Map>, rebased: &mut Map) {
    let added = theirs.iter().filter(|(key, _)| !ours.contains(key));
    for (key, _) in ours.iter().chain(added) {
        let before = base.and_then(|it| it.get(key));
        match (ours.get(key), theirs.get(key), rebased.get_mut(key)) {
            (Some(ours), Some(theirs), _) if is_equivalent(ours, theirs) => {}
            (Some(Json::Object(ours)), Some(Json::Object(theirs)), Some(Json::Object(rebased))) => {
                keep_conflicts(ours, theirs, before.and_then(Json::as_object), rebased)
            }
            _ => match before {
                Some(before) => rebased.set(key, before.clone()),
                None => _ = rebased.remove(key),
            },
        }
    }
}

fn find_conflicts(path: &str, live: &Map, proposed: &Map, found: &mut Vec<MergeConflict>) {
    let added = proposed.iter().filter(|(key, _)| !live.contains(key));
    for (key, _) in live.iter().chain(added) {
        let path = if path.is_empty() { key.to_string() } else { format!("{path}.{key}") };
        match (live.get(key), proposed.get(key)) {
            (Some(Json::Object(live)), Some(Json::Object(proposed))) => {
                find_conflicts(&path, live, proposed, found);
            }
            (Some(live), Some(proposed)) if is_equivalent(live, proposed) => {}
            (live, proposed) => found.push(MergeConflict {
                path,
                live: live.cloned().unwrap_or_default(),
                proposed: proposed.cloned().unwrap_or_default(),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::stdx::json::from_text::map;

    #[test]
    fn different_fields_merge_and_the_same_field_conflicts() {
        let base = map(r#"{"title":"a","data":{"body":"b","tag":"t"}}"#);
        let live = map(r#"{"title":"a","data":{"body":"live","tag":"t"}}"#);
        let proposed = map(r#"{"title":"new","data":{"body":"b","tag":"t"}}"#);
        let merged = merge_proposal(Some(&base), &live, &proposed);
        assert_eq!(merged.file, map(r#"{"title":"new","data":{"body":"live","tag":"t"}}"#));
        assert_eq!(merged.conflicts, []);

        let proposed = map(r#"{"title":"a","data":{"body":"mine","tag":"t"}}"#);
        let merged = merge_proposal(Some(&base), &live, &proposed);
        assert_eq!(merged.file, proposed);
        let conflict = MergeConflict {
            path: "data.body".to_string(),
            live: "live".into(),
            proposed: "mine".into(),
        };
        assert_eq!(merged.conflicts, [conflict]);
    }

    #[test]
    fn the_base_moves_but_for_conflicts() {
        let check = |base: &str, live: &str, proposed: &str, expect: &str| {
            let rebased = rebase_proposal(Some(&map(base)), &map(live), &map(proposed));
            assert_eq!(rebased, map(expect));
        };
        // What others changed is seen from now on; what the author changed begins where it did.
        check(r#"{"a":1,"b":1}"#, r#"{"a":2,"b":1}"#, r#"{"a":1,"b":3}"#, r#"{"a":2,"b":1}"#);
        check(r#"{"a":1}"#, r#"{"a":2}"#, r#"{"a":2}"#, r#"{"a":2}"#);
        // A conflict is found again, however deep it is.
        check(r#"{"a":1}"#, r#"{"a":2}"#, r#"{"a":3}"#, r#"{"a":1}"#);
        check(r#"{}"#, r#"{"a":2}"#, r#"{"a":3}"#, r#"{}"#);
        check(r#"{"a":1}"#, r#"{}"#, r#"{"a":3}"#, r#"{"a":1}"#);
        check(
            r#"{"data":{"x":1,"y":{"p":1,"q":1}}}"#,
            r#"{"data":{"x":2,"y":{"p":2,"q":2}}}"#,
            r#"{"data":{"x":1,"y":{"p":3,"q":1}}}"#,
            r#"{"data":{"x":2,"y":{"p":1,"q":2}}}"#,
        );
    }

    #[test]
    fn a_value_that_is_missing_on_one_side_only_is_no_conflict() {
        let check = |base: Option<&str>, live: &str, proposed: &str, expect: &str| {
            let merged = merge_proposal(base.map(map).as_ref(), &map(live), &map(proposed));
            assert_eq!((merged.file, merged.conflicts), (map(expect), vec![]), "{live} {proposed}");
        };
        check(None, r#"{"a":1}"#, r#"{"a":null}"#, r#"{"a":1}"#);
        check(None, r#"{"a":null}"#, r#"{"a":1}"#, r#"{"a":1}"#);
        check(
            None,
            r#"{"d":{"a":1,"b":null}}"#,
            r#"{"d":{"a":null,"b":2}}"#,
            r#"{"d":{"a":1,"b":2}}"#,
        );
        // A field that is new in the type is added empty by the next save.
        check(Some("{}"), r#"{"a":1}"#, r#"{"a":null}"#, r#"{"a":1}"#);
        check(Some(r#"{"a":null}"#), r#"{"a":1}"#, "{}", r#"{"a":1}"#);
        check(Some(r#"{"a":0}"#), "{}", r#"{"a":null}"#, "{}");
        // Nobody chooses when an entry was created.
        check(None, r#"{"created_at":"x"}"#, r#"{"created_at":"y"}"#, r#"{"created_at":"x"}"#);
    }

    #[test]
    fn without_a_base_a_conflict_goes_when_both_sides_agree() {
        let live = map(r#"{"title":"live","created_at":"x","published_at":"p"}"#);
        let mine = map(r#"{"title":"mine","created_at":"y","published_at":null}"#);
        let base = rebase_proposal(None, &live, &mine);
        assert_eq!(base, map(r#"{"created_at":"x","published_at":"p"}"#));
        let merged = merge_proposal(Some(&base), &live, &mine);
        let paths: Vec<&str> = merged.conflicts.iter().map(|it| it.path.as_str()).collect();
        assert_eq!(paths, ["title"]);
        assert_eq!(rebase_proposal(Some(&base), &live, &live), live);
    }

    /// An edit of the value at a place.
    #[derive(Clone, Copy, Debug)]
    enum Edit {
        Live(usize),
        Author(usize),
    }

    const KEYS: [&str; 4] = ["a", "b", "c", "d"];

    proptest! {
        /// Live edits and saves of an author, in any order. Each value is new, so nobody agrees by
        /// chance. `saves` groups the author's edits: each save sends one value or none.
        #[test]
        fn nothing_is_lost_whoever_edits_when(
            edits in prop::collection::vec(
                prop_oneof![
                    (0..KEYS.len()).prop_map(Edit::Live),
                    // A place beyond the last is a save that changes nothing.
                    (0..=KEYS.len()).prop_map(Edit::Author),
                ],
                0..24,
            )
        ) {
            let begun: Map = KEYS.map(|it| (it.to_string(), Json::from(0))).into_iter().collect();
            let (mut base, mut live, mut proposed) = (begun.clone(), begun.clone(), begun);
            // Who changed a value last, and whether a live edit followed one of the author.
            let mut expected = KEYS.map(|_| (Json::from(0), false, false));
            for (number, edit) in (1_i64..).zip(&edits) {
                match *edit {
                    Edit::Live(place) => {
                        live.set(KEYS[place], number.into());
                        let (value, is_authored, is_conflict) = &mut expected[place];
                        *is_conflict |= *is_authored;
                        *value = number.into();
                    }
                    Edit::Author(place) => {
                        let mut seen = merge_proposal(Some(&base), &live, &proposed).file;
                        base = rebase_proposal(Some(&base), &live, &proposed);
                        if let Some(key) = KEYS.get(place) {
                            seen.set(key, number.into());
                            let (value, is_authored, _) = &mut expected[place];
                            (*value, *is_authored) = (number.into(), true);
                        }
                        proposed = seen;
                    }
                }
            }
            let merged = merge_proposal(Some(&base), &live, &proposed);
            for (key, (value, _, is_conflict)) in KEYS.iter().zip(expected) {
                let conflict = merged.conflicts.iter().find(|it| it.path == **key);
                prop_assert_eq!(conflict.is_some(), is_conflict, "{} {:?}", key, &edits);
                if !is_conflict {
                    prop_assert_eq!(merged.file.get(key), Some(&value), "{} {:?}", key, &edits);
                }
            }
        }
    }

    #[test]
    fn a_value_that_one_side_removed_conflicts_with_a_change() {
        let base = map(r#"{"data":{"tag":"t"}}"#);
        let live = map(r#"{"data":{"tag":"live"}}"#);
        let merged = merge_proposal(Some(&base), &live, &map(r#"{"data":{}}"#));
        let [conflict] = &*merged.conflicts else { panic!("{merged:?}") };
        assert_eq!((&*conflict.path, &conflict.proposed), ("data.tag", &Json::Null));
    }
}
