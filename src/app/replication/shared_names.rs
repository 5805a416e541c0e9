//! Entries of a type that would have one slug once both sides are merged. Each file merges well by
//! itself, but one side gives the slug to one entry, and the other side gives it to another.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use crate::app::replication::file::ReplicatedFile;
use crate::app::replication::file::ReplicatedValue;
use crate::app::replication::replicated_types::ReplicatedTypes;
use crate::model::name::TypeName;

/// Returns the entries that share a name in the files as they will be. Those that share it on one
/// of the sides already are none: they are brought over as they are.
pub(super) fn find_shared_names<'f>(
    files: &BTreeMap<&'f ReplicatedFile, &'f ReplicatedValue>,
    sides: [&BTreeMap<ReplicatedFile, ReplicatedValue>; 2],
) -> BTreeSet<&'f ReplicatedFile> {
    let types = ReplicatedTypes::read(files.iter().map(|(file, value)| (*file, *value)));
    let mut holders: BTreeMap<(&TypeName, String), BTreeSet<&'f ReplicatedFile>> = BTreeMap::new();
    for (file, value) in files {
        let ReplicatedFile::Entry(of, _) = *file else { continue };
        for name in types.list_names(file, value) {
            holders.entry((of, name)).or_default().insert(*file);
        }
    }
    let mut shared = BTreeSet::new();
    for ((_, name), entries) in holders.iter().filter(|(_, entries)| entries.len() > 1) {
        let is_shared_on = |side: &BTreeMap<ReplicatedFile, ReplicatedValue>| {
            entries.iter().all(|entry| {
                side.get(*entry).is_some_and(|it| types.list_names(entry, it).contains(name))
            })
        };
        if !sides.into_iter().any(is_shared_on) {
            shared.extend(entries.iter().copied());
        }
    }
    shared
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stdx::json::from_text::map;

    type Files = BTreeMap<ReplicatedFile, ReplicatedValue>;

    /// Entries as `id slug`, with their type.
    fn files(entries: &[&str]) -> Files {
        let value = |text: &str| ReplicatedValue::Json(map(text));
        let file = |path: &str| ReplicatedFile::parse(path).unwrap();
        let mut files = Files::from([(file("schemas/posts.json"), value(r#"{"fields":{}}"#))]);
        for (id, slug) in entries.iter().filter_map(|it| it.split_once(' ')) {
            let text = format!(r#"{{"title":"T","slug":"{slug}"}}"#);
            files.insert(file(&format!("content/posts/{id}.json")), value(&text));
        }
        files
    }

    #[test]
    fn only_slugs_that_the_merge_makes_equal_are_found() {
        let check = |after: &[&str], here: &[&str], there: &[&str], expect: &[&str]| {
            let (after, here, there) = (files(after), files(here), files(there));
            let found = find_shared_names(&after.iter().collect(), [&here, &there]);
            let paths: Vec<String> = found.iter().map(|it| it.path()).collect();
            let expect = expect.iter().map(|it| format!("content/posts/{it}.json"));
            assert_eq!(paths, expect.collect::<Vec<_>>(), "{after:?}");
        };
        check(&["a1 x", "b1 y"], &["a1 y", "b1 x"], &["a1 x", "b1 y"], &[]);
        check(&["a1 x", "b1 x"], &["a1 x", "b1 b"], &["a1 a", "b1 x"], &["a1", "b1"]);
        check(&["a1 x", "b1 X"], &["a1 x"], &["b1 X"], &["a1", "b1"]);
        check(&["a1 b1", "b1 x"], &["a1 b1"], &["b1 x"], &["a1", "b1"]);
        check(&["a1 a1"], &[], &["a1 a1"], &[]);
        check(&["a1 x", "b1 x"], &[], &["a1 x", "b1 x"], &[]);
    }
}
