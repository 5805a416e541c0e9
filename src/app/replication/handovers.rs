//! Names that one entry hands over to another: its slug, or a slug that is the id of the other. The
//! changes of both belong into one request, since no order of two would do: until the first has
//! left the name, the second cannot take it.

use std::collections::BTreeMap;

use crate::app::replication::file::ReplicatedValue;
use crate::app::replication::plan::ReplicationStep;
use crate::app::replication::replicated_types::ReplicatedTypes;
use crate::model::name::TypeName;

/// Groups the changes of entries that hand over names to each other, in the order in which they are
/// sent: first what is only written, so that nothing refers to a removed entry by then, and last
/// what is only removed. Removals come first in their group.
pub fn group_handovers<'p>(
    steps: &[&'p ReplicationStep],
    types: &ReplicatedTypes,
) -> Vec<Vec<&'p ReplicationStep>> {
    let linked = link_handovers(steps, types);
    let mut is_grouped = vec![false; steps.len()];
    let mut groups: Vec<Vec<&ReplicationStep>> = Vec::new();
    for first in 0..steps.len() {
        let (mut group, mut open) = (Vec::new(), vec![first]);
        while let Some(index) = open.pop() {
            if !std::mem::replace(&mut is_grouped[index], true) {
                group.push(index);
                open.extend(&linked[index]);
            }
        }
        if !group.is_empty() {
            group.sort_unstable_by_key(|it| (steps[*it].after.is_some(), *it));
            groups.push(group.into_iter().map(|it| steps[it]).collect());
        }
    }
    let removes = |it: &&ReplicationStep| it.after.is_none();
    groups.sort_by_key(|it| (it.iter().any(removes), it.iter().all(removes)));
    groups
}

/// Returns, for each change, those that leave a name to it or take one from it.
fn link_handovers(steps: &[&ReplicationStep], types: &ReplicatedTypes) -> Vec<Vec<usize>> {
    let names = |step: &ReplicationStep, value: Option<&ReplicatedValue>| {
        value.map(|it| types.list_names(&step.file, it)).unwrap_or_default()
    };
    let mut holders: BTreeMap<(Option<&TypeName>, String), Vec<usize>> = BTreeMap::new();
    for (index, step) in steps.iter().enumerate() {
        for name in names(step, step.before.as_ref()) {
            holders.entry((step.file.entry_type(), name)).or_default().push(index);
        }
    }
    let mut linked = vec![Vec::new(); steps.len()];
    for (index, step) in steps.iter().enumerate() {
        for name in names(step, step.after.as_ref()) {
            let held = holders.get(&(step.file.entry_type(), name)).into_iter().flatten();
            for holder in held.copied().filter(|it| *it != index) {
                linked[index].push(holder);
                linked[holder].push(index);
            }
        }
    }
    linked
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::replication::file::ReplicatedFile;
    use crate::stdx::json::from_text::map;

    /// A change as `id before>after`, with slugs.
    fn step(text: &str) -> ReplicationStep {
        let (id, slugs) = text.split_once(' ').unwrap();
        let (before, after) = slugs.split_once('>').unwrap();
        let value = |slug: &str| {
            let json = format!(r#"{{"title":"T","slug":"{slug}"}}"#);
            (!slug.is_empty()).then(|| ReplicatedValue::Json(map(&json)))
        };
        let file = ReplicatedFile::parse(&format!("content/posts/{id}.json")).unwrap();
        ReplicationStep { file, before: value(before), after: value(after) }
    }

    #[test]
    fn entries_that_hand_over_a_name_are_sent_together() {
        let schema = ReplicatedFile::parse("schemas/posts.json").unwrap();
        let fields = ReplicatedValue::Json(map(r#"{"fields":{}}"#));
        let types = ReplicatedTypes::read([(&schema, &fields)].into_iter());
        let check = |steps: &[&str], expect: &[&str]| {
            let steps: Vec<ReplicationStep> = steps.iter().map(|it| step(it)).collect();
            let groups = group_handovers(&steps.iter().collect::<Vec<_>>(), &types);
            let id = |it: &&ReplicationStep| match &it.file {
                ReplicatedFile::Entry(_, id) => id.to_string(),
                other => other.path(),
            };
            let shown = groups.iter().map(|it| it.iter().map(id).collect::<Vec<_>>().join(" "));
            assert_eq!(shown.collect::<Vec<_>>(), expect, "{steps:?}");
        };
        check(&[], &[]);
        check(&["a x>x", "b >y", "c z>"], &["a", "b", "c"]);
        // A removal is last, unless its slug is taken.
        check(&["a x>", "b >y", "c z>z"], &["b", "c", "a"]);
        check(&["a x>", "b >X", "c z>z", "d w>"], &["c", "a b", "d"]);
        // The removed entry comes first, wherever it is in the plan.
        check(&["a >x", "b x>"], &["b a"]);
        // Swaps and chains.
        check(&["a x>y", "b y>x", "c >z"], &["a b", "c"]);
        check(&["a x>", "b y>x", "c z>y"], &["a b c"]);
        // An id is a name, too.
        check(&["a x>b", "b y>"], &["b a"]);
    }
}
