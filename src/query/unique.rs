//! Which entries have a value, whatever its case: what is looked at before a value that no two
//! entries may share is written.

use std::borrow::Cow;
use std::sync::Arc;

use crate::model::content_type::ContentType;
use crate::model::field::Field;
use crate::model::field::Show;
use crate::query::doc::Doc;
use crate::query::type_index::Ordinal;
use crate::query::type_index::TypeIndex;
use crate::stdx::fold::casefold;
use crate::stdx::json::Json;
use crate::stdx::map::CowMap;
use crate::stdx::sum::Sum;

/// What values are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Among {
    /// Ids and slugs: what an entry is found by.
    Names,
    /// Titles, in any locale.
    Titles,
    /// The values of the data field at this place, in any locale.
    Field(usize),
}

impl Among {
    /// The values of a field; nothing when the type has no such field.
    pub fn values_of(ty: &ContentType, field: &Field) -> Option<Among> {
        match field.name.as_str() {
            "slug" => Some(Among::Names),
            "title" => Some(Among::Titles),
            name => ty.data_fields().position(|it| it.name.as_str() == name).map(Among::Field),
        }
    }

    /// The folded texts of an entry's values, some perhaps more than once.
    fn texts(self, doc: &Doc) -> Vec<String> {
        match self {
            Among::Names => {
                vec![casefold(&doc.slug).into_owned(), casefold(doc.id.as_str()).into_owned()]
            }
            Among::Titles => doc.variants().filter_map(|it| folded(it.title())).collect(),
            Among::Field(place) => {
                doc.variants().filter_map(|it| folded(it.field(place))).collect()
            }
        }
    }
}

/// The folded text of a value as readers see it; nothing of an empty one.
fn folded(shown: &[u8]) -> Option<String> {
    // A rendering is JSON; where there is no value, there is no text either.
    let value = Json::parse(shown).ok().filter(|it| !it.is_empty())?;
    let text = match value {
        Json::String(text) => Cow::Owned(text),
        _ => String::from_utf8_lossy(shown),
    };
    Some(casefold(&text).into_owned())
}

/// The text that stands for a stored value here.
fn text_of(ty: &ContentType, field: &Field, stored: &Json, media_base: &str) -> Option<String> {
    let targets = &ty.relation_targets;
    let mut show = Show { out: Vec::new(), media_base, links: Vec::new(), targets };
    field.kind.show(stored, &mut show);
    folded(&show.out)
}

/// The entries of a type by one of their values.
#[derive(Clone, Debug)]
pub struct Unique {
    among: Among,
    /// By the sum of a text, ascending: a value that should be unique may be anything but.
    places: CowMap<Sum, Arc<Vec<Ordinal>>>,
}

impl Unique {
    fn build(index: &TypeIndex, among: Among) -> Unique {
        let mut unique = Unique { among, places: CowMap::with_capacity(index.len()) };
        for (ordinal, doc) in index.iter() {
            unique.add(ordinal, doc);
        }
        unique
    }

    /// The same for the next index, in which the entries at `touched` differ.
    pub(crate) fn carried(&self, old: &TypeIndex, new: &TypeIndex, touched: &[Ordinal]) -> Unique {
        let mut carried = self.clone();
        for ordinal in touched {
            if let Some(doc) = old.doc(*ordinal) {
                carried.take(*ordinal, doc);
            }
            if let Some(doc) = new.doc(*ordinal) {
                carried.add(*ordinal, doc);
            }
        }
        carried
    }

    /// About how many bytes it takes.
    pub(super) fn memory_bytes(&self) -> usize {
        /// A sum, and a list of one place with its counts.
        const VALUE_BYTES: usize = 80;
        self.places.len() * VALUE_BYTES
    }

    fn add(&mut self, ordinal: Ordinal, doc: &Doc) {
        for text in self.among.texts(doc) {
            let key = Sum::of(text.as_bytes());
            let mut places = self.places.remove(&key).unwrap_or_default();
            if let Err(at) = places.binary_search(&ordinal) {
                Arc::make_mut(&mut places).insert(at, ordinal);
            }
            self.places.insert(key, places);
        }
    }

    fn take(&mut self, ordinal: Ordinal, doc: &Doc) {
        for text in self.among.texts(doc) {
            let key = Sum::of(text.as_bytes());
            let Some(mut places) = self.places.remove(&key) else { continue };
            if let Ok(at) = places.binary_search(&ordinal) {
                Arc::make_mut(&mut places).remove(at);
            }
            if !places.is_empty() {
                self.places.insert(key, places);
            }
        }
    }

    /// Whether an entry other than the one at `but` has a value of this folded text.
    fn is_taken(&self, index: &TypeIndex, text: &str, but: Option<Ordinal>) -> bool {
        let places = self.places.get(&Sum::of(text.as_bytes()));
        let has = |ordinal: &Ordinal| {
            // Sums are only nearly unique.
            index.doc(*ordinal).is_some_and(|it| self.among.texts(it).iter().any(|it| it == text))
        };
        places.is_some_and(|it| it.iter().any(|it| Some(*it) != but && has(it)))
    }
}

impl TypeIndex {
    /// Whether an entry other than the one at `but` is found by this slug, be it as its slug or as
    /// its id; upper and lower case are one.
    pub fn has_name(&self, slug: &str, but: Option<Ordinal>) -> bool {
        self.unique(Among::Names).is_taken(self, &casefold(slug), but)
    }

    /// Whether an entry other than the one at `but` has this stored value in a field, in any locale;
    /// upper and lower case are one. `media_base` is that of the renderings.
    pub fn has_value(
        &self,
        field: &Field,
        stored: &Json,
        but: Option<Ordinal>,
        media_base: &str,
    ) -> bool {
        let ty = &self.content_type;
        let text = text_of(ty, field, stored, media_base);
        let Some((among, text)) = Among::values_of(ty, field).zip(text) else { return false };
        self.unique(among).is_taken(self, &text, but)
    }

    /// Made when first asked for, and carried along from then on.
    fn unique(&self, among: Among) -> Arc<Unique> {
        self.memo.unique(among).unwrap_or_else(|| {
            let built = Arc::new(Unique::build(self, among));
            self.memo.keep_unique(among, &built);
            built
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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
        index.has_value(field, &value, index.ordinal(but), MEDIA_BASE)
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
        assert!(index.has_name("e1", index.ordinal("e2")));
        assert!(index.has_name("FIRST", None) && index.has_name("two", None));
        assert!(!index.has_name("two", index.ordinal("e2")) && !index.has_name("third", None));
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
            index = index.with(&changes, now());
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
                    index.has_name(&slug, index.ordinal(&id)),
                    anew.has_name(&slug, anew.ordinal(&id))
                );
            }
        }
    }
}
