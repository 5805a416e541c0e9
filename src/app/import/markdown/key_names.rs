//! The fields that the keys of front matter go into: each key of a content type has its own, so
//! that no value takes the place of another.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use crate::app::import::markdown::entry_keys::is_entry_key;
use crate::app::import::markdown::entry_keys::is_field;
use crate::app::import::markdown::read_text::ReadText;
use crate::app::import::names::FieldNames;
use crate::model::content_type::ContentType;
use crate::model::name::FieldName;
use crate::model::name::TypeName;
use crate::query::index::snapshot::Snapshot;

/// The names that keys get only if the content type has such a field.
const RESERVED: &[&str] = &["title", "slug", "body"];

/// The names of fields by content type and key.
pub(super) struct KeyNames(BTreeMap<TypeName, BTreeMap<String, FieldName>>);

impl KeyNames {
    /// Chooses the names for the keys of all texts.
    pub(super) fn choose(texts: &[ReadText], snapshot: &Snapshot) -> KeyNames {
        let mut keys: BTreeMap<&TypeName, BTreeSet<&str>> = BTreeMap::new();
        for text in texts {
            let known = keys.entry(&text.type_name).or_default();
            known.extend(text.content.values.iter().map(|(key, _)| key));
        }
        let named = keys.into_iter().map(|(of, keys)| {
            let ty = snapshot.get(of).map(|it| &*it.content_type);
            (of.clone(), name_keys(&keys, ty))
        });
        KeyNames(named.collect())
    }

    /// Returns the name of the field for a key; `None` if it is none of a field.
    pub(super) fn get(&self, of: &TypeName, key: &str) -> Option<&FieldName> {
        self.0.get(of)?.get(key)
    }
}

/// Names the keys of one type. Those that are names already keep theirs, and others get a free one.
fn name_keys(keys: &BTreeSet<&str>, ty: Option<&ContentType>) -> BTreeMap<String, FieldName> {
    // A type that the first run made has `body` for the text, and another field for the key.
    let is_for_text = |it: &ContentType, key: &str| key == "body" && is_field(it, "body_");
    let is_own = |key: &str| ty.is_some_and(|it| is_field(it, key) && !is_for_text(it, key));
    let keys: Vec<&str> =
        keys.iter().copied().filter(|key| is_own(key) || !is_entry_key(key)).collect();
    let mut named = BTreeMap::new();
    for key in &keys {
        if let Ok(name) = FieldName::parse(key)
            && (is_own(key) || !RESERVED.contains(key))
        {
            named.insert((*key).to_string(), name);
        }
    }
    let taken: Vec<&str> =
        RESERVED.iter().copied().chain(named.keys().map(String::as_str)).collect();
    let mut free = FieldNames::with_taken(&taken);
    for key in keys {
        if !named.contains_key(key)
            && let Some(name) = free.take(key)
        {
            named.insert(key.to_string(), name);
        }
    }
    named
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_has_a_name_of_its_own() {
        let check = |keys: &[&str], expect: &[(&str, &str)]| {
            let named = name_keys(&keys.iter().copied().collect(), None);
            let found: Vec<(&str, &str)> =
                named.iter().map(|(key, name)| (key.as_str(), name.as_str())).collect();
            assert_eq!(found, expect);
        };
        check(&["og:title"], &[("og:title", "og_title")]);
        check(
            &["og:title", "og-title", "og_title"],
            &[("og-title", "og_title_"), ("og:title", "og_title__"), ("og_title", "og_title")],
        );
        check(&["id", "id_"], &[("id", "id__"), ("id_", "id_")]);
        check(&["body", "body_"], &[("body", "body__"), ("body_", "body_")]);
        check(&["3d", "_3d", "ü"], &[("3d", "_3d_"), ("_3d", "_3d"), ("ü", "_")]);
        check(&["title", "slug", "date", "layout", "tags"], &[("tags", "tags")]);
    }
}
