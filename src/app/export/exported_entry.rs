//! Entries on their way out: the file of each, with what follows from the index.

use std::sync::Arc;

use crate::model::content_type::ContentType;
use crate::model::entry::EntryStatus;
use crate::model::field::Field;
use crate::model::name::EntryId;
use crate::stdx::json::Json;
use crate::stdx::json::Map;

/// The keys of an entry that are exported as they are, in their order.
pub(super) const ENTRY_KEYS: &[&str] =
    &["status", "published_at", "unpublish_at", "created_at", "updated_at", "author_id"];

/// The entries of a content type.
pub struct ExportedType {
    /// The type.
    pub content_type: Arc<ContentType>,
    /// The entries, in the order of their ids.
    pub entries: Vec<ExportedEntry>,
    /// The entries that cannot be read, each with the reason.
    pub broken: Vec<String>,
}

/// An entry.
pub struct ExportedEntry {
    /// The id.
    pub id: EntryId,
    /// The slug by which it is found.
    pub slug: String,
    /// The content of its file.
    pub(super) file: Map,
}

impl ExportedEntry {
    /// Returns the status; a draft if the file names none.
    pub fn status(&self) -> EntryStatus {
        let status = self.file.get("status").and_then(Json::as_str);
        status.and_then(EntryStatus::parse).unwrap_or(EntryStatus::Draft)
    }

    /// Returns the title.
    pub fn title(&self) -> &str {
        self.file.get("title").and_then(Json::as_str).unwrap_or_default()
    }

    /// Returns a key of the entry as text.
    pub(super) fn text(&self, key: &str) -> Option<&str> {
        self.file.get(key).and_then(Json::as_str).filter(|it| !it.is_empty())
    }

    /// Returns the value of a field.
    pub fn value(&self, field: &Field) -> Option<&Json> {
        self.file.get("data")?.as_object()?.get(&field.name)
    }

    /// Returns the translation in a locale.
    pub fn translation(&self, locale: &str) -> Option<&Map> {
        self.file.get("translations")?.as_object()?.get(locale)?.as_object()
    }

    /// Returns the entry as an object that the import reads: keys, and values by field.
    pub fn to_object(&self, ty: &ContentType) -> Json {
        let mut object = Map::new();
        object.push("id", self.id.as_str());
        object.push("title", self.title());
        object.push("slug", self.slug.as_str());
        object.push("status", self.status().as_str());
        for key in ENTRY_KEYS.iter().filter(|it| **it != "status") {
            if let Some(text) = self.text(key) {
                object.push(*key, text);
            }
        }
        object.push("data", collect_fields(ty, self.file.get("data")));
        let translations = self.file.get("translations").and_then(Json::as_object);
        let translations = translations.into_iter().flat_map(Map::iter);
        let mut translated = Map::new();
        for (locale, translation) in translations.filter(|(it, _)| ty.locale_index(it).is_some()) {
            let Some(translation) = translation.as_object() else { continue };
            let mut one = Map::new();
            if let Some(title) = translation.get("title").and_then(Json::as_str) {
                one.push("title", title);
            }
            one.push("data", collect_fields(ty, translation.get("data")));
            translated.push(locale, one);
        }
        if !translated.is_empty() {
            object.push("translations", translated);
        }
        Json::Object(object)
    }
}

/// Returns the values of the fields that the type has, in its order.
fn collect_fields(ty: &ContentType, data: Option<&Json>) -> Map {
    let data = data.and_then(Json::as_object);
    let mut fields = Map::new();
    for field in ty.data_fields() {
        if let Some(value) = data.and_then(|it| it.get(&field.name)) {
            fields.push(field.name.as_str(), value.clone());
        }
    }
    fields
}

/// Returns the value of a field in a translation.
pub(super) fn translated_value<'t>(translation: &'t Map, field: &Field) -> Option<&'t Json> {
    translation.get("data")?.as_object()?.get(&field.name)
}
