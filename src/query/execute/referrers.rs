//! The reverse direction of relations: the entries that refer to an entry.

use std::sync::Arc;

use crate::model::field::OnDelete;
use crate::model::name::TypeName;
use crate::query::index::snapshot::Snapshot;
use crate::query::index::type_index::TypeIndex;
use crate::query::render::link_ids::link_texts;
use crate::query::render::rendered_entry::RenderedEntry;
use crate::query::render::rendered_entry::Variant;

/// Iterates over the types with a relation to `target`, which may include `target`.
pub fn list_referring_types<'s>(
    snapshot: &'s Snapshot,
    target: &'s TypeName,
) -> impl Iterator<Item = &'s Arc<TypeIndex>> {
    snapshot.types().iter().filter(move |it| it.content_type.relation_targets.contains(target))
}

/// Returns true if the entry, as rendered in some locale, has a relation to one of the `wanted`
/// entries of `target`. Values that no reader gets are not in memory: see [`may_hide_values`].
pub fn has_reference(
    index: &TypeIndex,
    doc: &RenderedEntry,
    target: &TypeName,
    wanted: impl Fn(&str) -> bool,
) -> bool {
    let ty = &index.content_type;
    let Some(place) = ty.relation_targets.iter().position(|it| it == target) else { return false };
    let locales = std::iter::once(None).chain((0..ty.locales.len()).map(Some));
    locales.map(|it| doc.variant_for(it)).any(|variant| {
        let mut links = variant.links().filter(|it| usize::from(it.target) == place);
        links.any(|link| link_texts(variant, &link).any(&wanted))
    })
}

/// A relation of an entry in one locale.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct EntryReference<'v> {
    /// The position of the data field that contains it.
    pub field: usize,
    /// The id of the target entry.
    pub to: &'v str,
    /// The action when the target is deleted.
    pub on_delete: OnDelete,
}

/// Returns the relations of a rendering to the `wanted` entries of `target`.
pub fn collect_references<'v>(
    index: &TypeIndex,
    variant: &'v Variant,
    target: &TypeName,
    wanted: impl Fn(&str, OnDelete) -> bool,
) -> Vec<EntryReference<'v>> {
    let ty = &index.content_type;
    let mut found = Vec::new();
    let Some(place) = ty.relation_targets.iter().position(|it| it == target) else { return found };
    for link in variant.links().filter(|it| usize::from(it.target) == place) {
        let holds = |field: &usize| {
            let span = variant.field_span(*field);
            span.start <= link.start && link.end <= span.end
        };
        let on_delete = link.on_delete;
        for to in link_texts(variant, &link).filter(|it| wanted(it, on_delete)) {
            let field = (0..variant.count_fields()).find(holds);
            found.extend(field.map(|field| EntryReference { field, to, on_delete }));
        }
    }
    found
}

/// Returns true if files of entries of this type may hold values that no reader gets: those of a
/// locale that is no longer offered, or that another value overrides.
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
            let found: Vec<_> = list_referring_types(&snapshot, &target)
                .flat_map(|index| index.iter().map(move |(_, doc)| (index, doc)))
                .filter(|(index, doc)| has_reference(index, doc, &target, |it| it == id))
                .map(|(_, doc)| doc.id())
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
