//! The index of entries by value, ignoring case. It is checked before a value that must be unique
//! is written.

use std::borrow::Cow;
use std::sync::Arc;

use crate::model::content_type::ContentType;
use crate::model::field::Field;
use crate::model::field::ValueWriter;
use crate::query::index::entry_table::EntryTable;
use crate::query::index::entry_table::Ordinal;
use crate::query::render::rendered_entry::RenderedEntry;
use crate::stdx::cow_index::CowIndex;
use crate::stdx::fold::casefold;
use crate::stdx::json::Json;

/// The values that are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UniqueScope {
    /// Ids and slugs, by which entries are found.
    Names,
    /// Titles, in any locale.
    Titles,
    /// The values of the data field at this position, in any locale.
    Field(usize),
}

impl UniqueScope {
    /// Returns the scope of a field, or `None` if the type has no such field.
    pub fn for_field(ty: &ContentType, field: &Field) -> Option<UniqueScope> {
        match field.name.as_str() {
            "slug" => Some(UniqueScope::Names),
            "title" => Some(UniqueScope::Titles),
            name => {
                ty.data_fields().position(|it| it.name.as_str() == name).map(UniqueScope::Field)
            }
        }
    }

    /// Returns the folded texts of an entry's values, possibly with repetitions.
    fn collect_texts(self, doc: &RenderedEntry) -> Vec<String> {
        match self {
            UniqueScope::Names => {
                vec![casefold(doc.slug()).into_owned(), casefold(doc.id()).into_owned()]
            }
            UniqueScope::Titles => {
                doc.variants().filter_map(|it| fold_value(it.title_json())).collect()
            }
            UniqueScope::Field(place) => {
                doc.variants().filter_map(|it| fold_value(it.field_json(place))).collect()
            }
        }
    }
}

/// Returns the folded text of a rendered value, or `None` if it is empty.
fn fold_value(shown: &[u8]) -> Option<String> {
    // A rendering is valid JSON; a missing value has no text either.
    let value = Json::parse(shown).ok().filter(|it| !it.is_empty())?;
    let text = match value {
        Json::String(text) => Cow::Owned(text),
        _ => String::from_utf8_lossy(shown),
    };
    Some(casefold(&text).into_owned())
}

/// The text that stands for a stored value here.
pub(super) fn fold_stored(
    ty: &ContentType,
    field: &Field,
    stored: &Json,
    media_base: &str,
) -> Option<String> {
    let targets = &ty.relation_targets;
    let mut show = ValueWriter { out: Vec::new(), media_base, links: Vec::new(), targets };
    field.kind.write_shown(stored, &mut show);
    fold_value(&show.out)
}

/// The entries of a type by one of their values.
#[derive(Clone, Debug)]
pub struct UniqueIndex {
    among: UniqueScope,
    /// The ordinals by the texts of their entries: values that should be unique may be shared.
    places: CowIndex,
}

impl UniqueIndex {
    pub(super) fn build(index: &EntryTable, among: UniqueScope) -> UniqueIndex {
        let texts = |(ordinal, doc): (Ordinal, &Arc<RenderedEntry>)| {
            among.collect_texts(doc).into_iter().map(move |text| (text, ordinal))
        };
        let places = CowIndex::build(index.iter().flat_map(texts));
        UniqueIndex { among, places }
    }

    /// Returns the index of the next generation, in which the entries at `touched` differ.
    pub(crate) fn with_changes(
        &self,
        old: &EntryTable,
        new: &EntryTable,
        touched: &[Ordinal],
    ) -> UniqueIndex {
        let mut carried = self.clone();
        for ordinal in touched {
            let texts_in = |table: &EntryTable| {
                table.entry_at(*ordinal).map(|it| self.among.collect_texts(it)).unwrap_or_default()
            };
            let (before, after) = (texts_in(old), texts_in(new));
            if before != after {
                before.iter().for_each(|text| carried.places.remove(text, *ordinal));
                after.iter().for_each(|text| carried.places.insert(text, *ordinal));
            }
        }
        carried
    }

    /// Returns the approximate size in bytes.
    pub(super) fn memory_bytes(&self) -> usize {
        /// The size of a slot, and of its part of the arrays above.
        const SLOT_BYTES: usize = 16;
        self.places.len() * SLOT_BYTES
    }

    /// Returns true if an entry other than the one at `but` has a value of this folded text.
    pub(super) fn is_taken(&self, index: &EntryTable, text: &str, but: Option<Ordinal>) -> bool {
        let has = |ordinal: Ordinal| {
            // Hashes may collide.
            index
                .entry_at(ordinal)
                .is_some_and(|it| self.among.collect_texts(it).iter().any(|it| it == text))
        };
        self.places.find(text, |it| Some(it) != but && has(it)).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::index::type_index::TypeIndex;
    use crate::query::tests::MEDIA_BASE;
    use crate::query::tests::change;
    use crate::query::tests::content_type;
    use crate::query::tests::index;
    use crate::query::tests::now;

    const SCHEMA: &str = r#"{"locales":["en","de"],"fields":{"code":{"unique":true},
        "n":{"type":"number"},"files":{"type":"media","multiple":true}}}"#;

    fn taken(index: &TypeIndex, field: &str, value: &str, but: &str) -> bool {
        let field = index.content_type.fields.get(field).unwrap();
        let value = Json::parse(value.as_bytes()).unwrap();
        index.has_value(field, &value, index.find_ordinal(but), MEDIA_BASE)
    }

    #[test]
    fn values_of_others() {
        let ty = content_type("posts", SCHEMA);
        let index = index(
            &ty,
            &[
                (
                    "E1",
                    r#"{"title":"One","slug":"first","data":{"code":"Straße","n":5,"files":["a b.png"]},
                    "translations":{"de":{"title":"Eins","data":{"code":"de"}}}}"#,
                ),
                ("e2", r#"{"title":"Two","data":{"code":""}}"#),
            ],
        );
        let check = |field: &str, value: &str, expect: bool| {
            assert_eq!(taken(&index, field, value, "e2"), expect, "{field} {value}");
            assert!(!expect || !taken(&index, field, value, "E1"), "{field} {value}");
        };
        check("code", "\"STRASSE\"", true);
        check("code", "\"DE\"", true);
        check("code", "\"\"", false);
        check("code", "null", false);
        check("code", "\"other\"", false);
        check("n", "5", true);
        check("n", "\"5\"", true);
        check("n", "6", false);
        check("files", "[\"a b.png\"]", true);
        check("files", "[]", false);
        check("title", "\"EINS\"", true);
        assert!(index.has_name("e1", index.find_ordinal("e2")));
        assert!(index.has_name("FIRST", None) && index.has_name("two", None));
        assert!(!index.has_name("two", index.find_ordinal("e2")) && !index.has_name("third", None));
    }

    #[test]
    fn what_is_carried_along_says_the_same_as_what_is_made_anew() {
        let ty = content_type("posts", SCHEMA);
        let file = |it: usize| {
            format!(
                r#"{{"title":"T{}","slug":"s{}","data":{{"code":"c{}"}}}}"#,
                it % 3,
                it % 4,
                it % 5
            )
        };
        let mut index = index(&ty, &[]);
        for round in 0..60 {
            let files: Vec<(String, Option<String>)> = (0..1 + round % 3)
                .map(|it| {
                    (
                        format!("e{}", (round * 7 + it) % 9),
                        (round % 4 > 0).then(|| file(round + it)),
                    )
                })
                .collect();
            let changes: Vec<_> =
                files.iter().map(|(id, file)| change(&ty, id, file.as_deref())).collect();
            index = index.with_changes(&changes, now());
            let docs = index.iter().map(|(_, it)| it.clone()).collect();
            let anew = TypeIndex::build(ty.clone(), docs, 1, now());
            for number in 0..9 {
                let id = format!("e{number}");
                for (field, letter) in [("title", "t"), ("code", "C")] {
                    let value = format!("\"{letter}{number}\"");
                    let (is, should) =
                        (taken(&index, field, &value, &id), taken(&anew, field, &value, &id));
                    assert_eq!(is, should, "{field} {value} in round {round}");
                }
                let slug = format!("S{number}");
                assert_eq!(
                    index.has_name(&slug, index.find_ordinal(&id)),
                    anew.has_name(&slug, anew.find_ordinal(&id))
                );
            }
        }
    }
}
