//! Which entries point to which: the way back along relations.

use std::sync::Arc;

use crate::model::field::Link;
use crate::model::name::TypeName;
use crate::query::answer::ids;
use crate::query::doc::Doc;
use crate::query::doc::Variant;
use crate::query::snapshot::Snapshot;
use crate::query::type_index::TypeIndex;

/// The types with a relation to `target`, itself among them when it has one.
pub fn types<'s>(
    snapshot: &'s Snapshot,
    target: &'s TypeName,
) -> impl Iterator<Item = &'s Arc<TypeIndex>> {
    snapshot.types().iter().filter(move |it| it.content_type.relation_targets.contains(target))
}

/// Whether the entry, as readers get it in some locale, has a relation to an entry of `target` that
/// is one of the `wanted`. Values that nobody reads are not in memory: see [`may_hide_values`].
pub fn refers(
    index: &TypeIndex,
    doc: &Doc,
    target: &TypeName,
    wanted: impl Fn(&str) -> bool,
) -> bool {
    let ty = &index.content_type;
    let Some(place) = ty.relation_targets.iter().position(|it| it == target) else { return false };
    let locales = std::iter::once(None).chain((0..ty.locales.len()).map(Some));
    locales.map(|it| doc.variant(it)).any(|variant| {
        let links = variant.links.iter().filter(|it| usize::from(it.target) == place);
        links.flat_map(|link| ids(variant, link)).any(&wanted)
    })
}

/// The data fields of an entry, by their places, in which one locale sees a relation to the entry
/// `id` of `target`.
pub fn fields(index: &TypeIndex, variant: &Variant, target: &TypeName, id: &str) -> Vec<usize> {
    let ty = &index.content_type;
    let Some(place) = ty.relation_targets.iter().position(|it| it == target) else {
        return Vec::new();
    };
    let leads =
        |link: &&Link| usize::from(link.target) == place && ids(variant, link).any(|it| it == id);
    let links: Vec<&Link> = variant.links.iter().filter(leads).collect();
    if links.is_empty() {
        return Vec::new();
    }
    let holds = |field: &usize| {
        let span = variant.field_span(*field);
        links.iter().any(|it| span.start <= it.start && it.end <= span.end)
    };
    (0..ty.data_fields().count()).filter(holds).collect()
}

/// Whether files of the type's entries may hold values that no reader gets: those of a locale that
/// is not offered any more, or that another stands in front of.
pub fn may_hide_values(index: &TypeIndex) -> bool {
    index.content_type.root_locale.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::tests::content_type;
    use crate::query::tests::index;
    use crate::query::tests::snapshot;

    #[test]
    fn relations_are_followed_back_in_all_locales() {
        let pages = content_type("pages", "{}");
        let posts = content_type(
            "posts",
            r#"{"locales":["en","de"],"fields":{"page":{"type":"relation","target":"pages"},
            "rows":{"type":"repeater","subfields":[
                {"key":"to","type":"relation","target":"posts","multiple":true}]}}}"#,
        );
        let files = [
            ("a", r#"{"data":{"page":"p"}}"#),
            ("b", r#"{"data":{"rows":[{"to":["a","p"]}]}}"#),
            ("c", r#"{"data":{"page":"q"},"translations":{"de":{"data":{"page":"p"}}}}"#),
        ];
        let snapshot = snapshot(vec![index(&pages, &[("p", "{}")]), index(&posts, &files)]);
        let check = |target: &str, id: &str, expect: &[&str]| {
            let target = TypeName::parse(target).unwrap();
            let found: Vec<_> = types(&snapshot, &target)
                .flat_map(|index| index.iter().map(move |(_, doc)| (index, doc)))
                .filter(|(index, doc)| refers(index, doc, &target, |it| it == id))
                .map(|(_, doc)| doc.id.as_str())
                .collect();
            assert_eq!(found, expect, "{target} {id}");
        };
        check("pages", "p", &["a", "c"]);
        check("pages", "q", &["c"]);
        check("posts", "a", &["b"]);
        check("posts", "p", &["b"]);
        check("none", "p", &[]);
    }
}
