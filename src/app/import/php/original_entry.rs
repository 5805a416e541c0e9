//! Entries of the original: flat, with slugs in relations and file names in media fields.

use std::collections::BTreeSet;

use crate::app::import::import_set::EntryDeletion;
use crate::app::import::import_set::EntryKey;
use crate::app::import::import_set::ImportedEntry;
use crate::app::import::php::definition::OriginalType;
use crate::app::import::report::ImportReport;
use crate::app::import::report::SourcePlace;
use crate::app::import::times::parse_time;
use crate::model::entry::EntryStatus;
use crate::model::field::Field;
use crate::model::name::EntryId;
use crate::model::name::TypeName;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::slug::slugify;
use crate::stdx::time::Timestamp;

/// The keys of an entry beside its fields.
const KEYS: &[&str] = &[
    "id",
    "uid",
    "collection",
    "type",
    "status",
    "published_at",
    "created_at",
    "updated_at",
    "author_id",
    "updated_by",
    "title",
    "slug",
    "translations",
    "deleted_at",
    "deleted_by",
    "locale",
];

/// The entries of a workspace of the original.
pub(super) struct OriginalEntries<'a> {
    /// The type and slug of all entries, which relations name.
    pub(super) slugs: BTreeSet<(TypeName, String)>,
    /// The names of media files.
    pub(super) media: &'a BTreeSet<String>,
    pub(super) report: &'a mut ImportReport,
}

impl OriginalEntries<'_> {
    /// Reads an entry. `stem` is its slug.
    pub(super) fn read_entry(
        &mut self,
        place: SourcePlace,
        original: &OriginalType,
        stem: &str,
        map: &Map,
    ) -> ImportedEntry {
        let ty = &original.content_type;
        let mut entry = ImportedEntry::new(place.clone(), ty.name.clone());
        let text = |key: &str| map.get(key).and_then(Json::as_str).filter(|it| !it.is_empty());
        // The public id of the original stays the public id, so that stored links go on working.
        entry.id = text("uid").and_then(|it| EntryId::parse(it).ok());
        if entry.id.is_none() && text("uid").is_some() {
            let message = "It cannot be an id here, so the entry gets another one.";
            self.report.add_altered(place.with_field("uid"), message);
        }
        let slug = text("slug").unwrap_or(stem);
        entry.key = match &entry.id {
            Some(id) => Some(EntryKey::Id(id.clone())),
            None => Some(EntryKey::Slug(slugify(slug))),
        };
        entry.names = vec![stem.to_string(), slug.to_string()];
        if !ty.singleton {
            entry.values.push("slug", slug);
        }
        self.read_publication(&place, map, &mut entry);
        for (key, _) in map.iter().filter(|(key, _)| !KEYS.contains(key)) {
            if !original.has_original_field(key) {
                self.report.add_skipped(place.with_field(key), "The type has no such field.");
            }
        }
        let translations = map.get("translations").and_then(Json::as_object);
        let default = ty.default_locale.as_ref().map(|it| it.as_str());
        let own = default.and_then(|it| translations?.get(it)?.as_object());
        let title = text("title").or_else(|| own?.get("title")?.as_str());
        entry.values.push("title", title.unwrap_or(slug));
        let mut data = Map::new();
        for field in ty.data_fields() {
            let name = original.original_name(&field.name);
            let value = map.get(name).or_else(|| get_translated(own?, name));
            if let Some(value) = value {
                data.push(field.name.as_str(), self.convert_value(&place, field, value));
            }
        }
        entry.values.push("data", data);
        let others = self.read_translations(&place, original, translations);
        if !others.is_empty() {
            entry.values.push("translations", others);
        }
        entry
    }

    /// Reads the status, the times and the authors of an entry.
    fn read_publication(&mut self, place: &SourcePlace, map: &Map, entry: &mut ImportedEntry) {
        let text = |key: &str| map.get(key).and_then(Json::as_str).filter(|it| !it.is_empty());
        let status = text("status").and_then(EntryStatus::parse).unwrap_or(EntryStatus::Draft);
        entry.values.push("status", status.as_str());
        let published = self.read_time(place, map, "published_at");
        if let Some(time) = published {
            entry.values.push("published_at", time.to_string());
        }
        entry.created_at = self.read_time(place, map, "created_at");
        entry.updated_at = self.read_time(place, map, "updated_at");
        if let Some(author) = text("author_id") {
            entry.values.push("author_id", author);
        }
        entry.updated_by = text("updated_by").map(str::to_string);
    }

    /// Reads the translations other than that of the default locale, which is the entry itself.
    fn read_translations(
        &mut self,
        place: &SourcePlace,
        original: &OriginalType,
        translations: Option<&Map>,
    ) -> Map {
        let ty = &original.content_type;
        let mut read = Map::new();
        for (locale, translation) in translations.into_iter().flat_map(Map::iter) {
            let place = place.with_field(format!("translations.{locale}"));
            if ty.root_locale.as_ref().is_some_and(|it| it.as_str() == locale) {
                continue;
            }
            let Some(translation) = translation.as_object() else { continue };
            if ty.locale_index(locale).is_none() {
                self.report.add_skipped(place, "The type has no such locale.");
                continue;
            }
            let mut data = Map::new();
            for field in ty.data_fields().filter(|it| it.localized) {
                let name = original.original_name(&field.name);
                if let Some(value) = get_translated(translation, name) {
                    data.push(field.name.as_str(), self.convert_value(&place, field, value));
                }
            }
            let mut map = Map::new();
            if let Some(title) = translation.get("title").filter(|it| !it.is_empty()) {
                map.push("title", title.clone());
            }
            map.push("data", data);
            read.push(locale, map);
        }
        read
    }

    /// Converts a value: references that lead nowhere are removed, with a remark.
    fn convert_value(&mut self, place: &SourcePlace, field: &Field, value: &Json) -> Json {
        let is_kept = |it: &Json| match (field.kind_name(), it.as_str()) {
            ("media", Some(name)) => self.media.contains(name),
            ("relation", Some(slug)) => field.kind.as_relation().is_some_and(|(target, _)| {
                self.slugs.contains(&(target.clone(), slug.to_string()))
            }),
            _ => true,
        };
        if !matches!(field.kind_name(), "media" | "relation") || value.is_empty() {
            return value.clone();
        }
        let items = value.as_array().unwrap_or(std::slice::from_ref(value));
        let (kept, gone): (Vec<&Json>, Vec<&Json>) = items.iter().partition(|it| is_kept(it));
        for item in gone {
            let shown = item.as_str().unwrap_or("?");
            let message = format!("`{shown}` does not exist, so the reference is removed.");
            self.report.add_altered(place.with_field(field.name.as_str()), message);
        }
        match value {
            Json::Array(_) => Json::Array(kept.into_iter().cloned().collect()),
            _ => kept.first().map_or(Json::Null, |it| (*it).clone()),
        }
    }

    /// Reads a time. One that cannot be read is left out, with a remark.
    fn read_time(&mut self, place: &SourcePlace, map: &Map, key: &str) -> Option<Timestamp> {
        let text = map.get(key).and_then(Json::as_str).filter(|it| !it.is_empty())?;
        let time = parse_time(text);
        if time.is_none() {
            let message = format!("`{text}` is not a time, so it is left out.");
            self.report.add_altered(place.with_field(key), message);
        }
        time
    }
}

/// Returns who deleted an entry, and when.
pub(super) fn read_deletion(map: &Map) -> EntryDeletion {
    let text = |key: &str| map.get(key).and_then(Json::as_str).filter(|it| !it.is_empty());
    EntryDeletion {
        at: text("deleted_at").and_then(parse_time),
        by: text("deleted_by").map(str::to_string),
    }
}

/// Returns a value of a translation, whose fields are beside its title or in `fields`.
fn get_translated<'t>(translation: &'t Map, name: &str) -> Option<&'t Json> {
    let inner = || translation.get("fields")?.as_object()?.get(name);
    translation.get(name).or_else(inner)
}
