//! The merge of a proposed state of an entry onto what is live.

use crate::model::field::is_equivalent;
use crate::model::three_way_merge::values::merge_contents;
use crate::stdx::json::Json;
use crate::stdx::json::Map;

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
    let merged = merge_contents(base, live, proposed);
    let mut conflicts = Vec::new();
    find_conflicts("", &merged.ours, &merged.theirs, &mut conflicts);
    MergedProposal { file: merged.theirs, conflicts }
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
    fn a_value_that_one_side_removed_conflicts_with_a_change() {
        let base = map(r#"{"data":{"tag":"t"}}"#);
        let live = map(r#"{"data":{"tag":"live"}}"#);
        let merged = merge_proposal(Some(&base), &live, &map(r#"{"data":{}}"#));
        let [conflict] = &*merged.conflicts else { panic!("{merged:?}") };
        assert_eq!((&*conflict.path, &conflict.proposed), ("data.tag", &Json::Null));
    }
}
