//! The files of an export: the schema, and the items by collection.

use std::collections::BTreeMap;
use std::collections::HashMap;

use crate::app::import::report::ImportReport;
use crate::app::import::report::SourcePlace;
use crate::app::import::yaml::parse_yaml;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::store::source::ImportSource;
use crate::store::source::TEXT_BYTES_MAX;

/// The folders in which files of the media library are.
const MEDIA_FOLDERS: &[&str] = &["assets", "uploads", "files"];

/// The collections of Directus itself whose items are used, by the names of their files.
const SYSTEM: &[(&str, &str)] = &[("files", "directus_files"), ("folders", "directus_folders")];

/// An item of a collection.
#[derive(Debug)]
pub(super) struct DirectusItem {
    pub(super) place: SourcePlace,
    pub(super) map: Map,
}

/// A relation between two collections.
#[derive(Clone, Debug)]
pub(super) struct DirectusRelation {
    /// The collection with the key of the other one.
    pub(super) many: String,
    pub(super) many_field: String,
    pub(super) one: Option<String>,
    /// The field of the other collection that shows it.
    pub(super) one_field: Option<String>,
    /// The field with the other end, if the collection only connects two.
    pub(super) junction_field: Option<String>,
    /// The field with the collection of the other end, if there are several.
    pub(super) one_collection_field: Option<String>,
    pub(super) one_allowed: Vec<String>,
    pub(super) sort_field: Option<String>,
}

/// The schema and the items of an export.
#[derive(Debug, Default)]
pub(super) struct DirectusExport {
    pub(super) place: SourcePlace,
    /// The collections with a table, and what is said of them.
    pub(super) collections: BTreeMap<String, Map>,
    fields: HashMap<String, Vec<Map>>,
    pub(super) relations: Vec<DirectusRelation>,
    items: HashMap<String, Vec<DirectusItem>>,
}

impl DirectusExport {
    /// Reads an export. Returns `None` if the source is none, or has files that are broken.
    pub(super) fn read(
        source: &dyn ImportSource,
        report: &mut ImportReport,
    ) -> Option<DirectusExport> {
        let mut export = DirectusExport::default();
        let mut others = Vec::new();
        for file in source.files() {
            if is_media(&file.path) {
                continue;
            }
            let Some((stem, ending)) = split_name(&file.path) else { continue };
            let Some(value) = read_value(source, &file.path, ending, report) else { continue };
            let value = match value {
                Json::Object(mut map) if map.contains("data") => {
                    map.remove("data").unwrap_or_default()
                }
                value => value,
            };
            let place = SourcePlace::of_file(&file.path);
            match (stem, value) {
                (_, Json::Object(map)) if map.contains("collections") && map.contains("fields") => {
                    export.place = place;
                    export.add_schema(&map);
                }
                ("collections" | "fields" | "relations", value @ Json::Array(_)) => {
                    let mut map = Map::new();
                    map.push(stem, value);
                    if stem == "collections" {
                        export.place = place;
                    }
                    export.add_schema(&map);
                }
                (stem, value) => others.push((place, stem.to_string(), value)),
            }
        }
        if export.collections.is_empty() {
            return None;
        }
        for (place, stem, value) in others {
            export.add_items(place, &stem, value, report);
        }
        report.problems.is_empty().then_some(export)
    }

    fn add_schema(&mut self, map: &Map) {
        for collection in list(map, "collections") {
            let Some(name) = text(collection, "collection") else { continue };
            let is_folder = collection.get("schema").is_some_and(|it| matches!(it, Json::Null));
            if !is_folder && !name.starts_with("directus_") {
                self.collections.insert(name.to_string(), collection.clone());
            }
        }
        for field in list(map, "fields") {
            let Some(name) = text(field, "collection") else { continue };
            self.fields.entry(name.to_string()).or_default().push(field.clone());
        }
        let order = |it: &Map| get_meta(it, "sort").and_then(Json::as_f64).unwrap_or(f64::MAX);
        for fields in self.fields.values_mut() {
            fields.sort_by(|a, b| order(a).total_cmp(&order(b)));
        }
        for relation in list(map, "relations") {
            let meta = |key: &str| get_meta(relation, key).and_then(Json::as_str);
            let allowed = get_meta(relation, "one_allowed_collections").and_then(Json::as_array);
            let allowed = allowed.unwrap_or_default().iter().filter_map(Json::as_str);
            let (Some(many), Some(many_field)) =
                (text(relation, "collection"), text(relation, "field"))
            else {
                continue;
            };
            self.relations.push(DirectusRelation {
                many: many.to_string(),
                many_field: many_field.to_string(),
                one: text(relation, "related_collection").map(str::to_string),
                one_field: meta("one_field").map(str::to_string),
                junction_field: meta("junction_field").map(str::to_string),
                one_collection_field: meta("one_collection_field").map(str::to_string),
                one_allowed: allowed.map(str::to_string).collect(),
                sort_field: meta("sort_field").map(str::to_string),
            });
        }
    }

    /// Adds the items of a file, which is named like its collection, maybe with the day behind.
    fn add_items(
        &mut self,
        place: SourcePlace,
        stem: &str,
        value: Json,
        report: &mut ImportReport,
    ) {
        let system = SYSTEM.iter().find(|(short, long)| *short == stem || *long == stem);
        let begins = |name: &&String| {
            stem.strip_prefix(name.as_str())
                .is_some_and(|it| it.is_empty() || it.starts_with([' ', '-', '.']))
        };
        let named = self.collections.keys().filter(begins).max_by_key(|it| it.len());
        let name = match (named, system) {
            (Some(name), _) => name.clone(),
            (None, Some((_, name))) => (*name).to_string(),
            (None, None) => {
                report.add_skipped(place, "No collection has this name.");
                return;
            }
        };
        let items = match value {
            Json::Array(items) => items,
            single @ Json::Object(_) => vec![single],
            _ => {
                report.add_problem(place, "The items of a collection are a list of objects.");
                return;
            }
        };
        for (item, row) in items.into_iter().zip(1_u64..) {
            let place = SourcePlace { row: Some(row), ..place.clone() };
            match item {
                Json::Object(map) => {
                    let item = DirectusItem { place, map };
                    self.items.entry(name.clone()).or_default().push(item);
                }
                _ => report.add_problem(place, "An item is an object."),
            }
        }
    }

    /// Returns the items of a collection.
    pub(super) fn items(&self, collection: &str) -> &[DirectusItem] {
        self.items.get(collection).map(Vec::as_slice).unwrap_or_default()
    }

    /// Returns the fields of a collection, in their order.
    pub(super) fn fields(&self, collection: &str) -> &[Map] {
        self.fields.get(collection).map(Vec::as_slice).unwrap_or_default()
    }

    /// Returns the field with the key of a collection.
    pub(super) fn key_field(&self, collection: &str) -> &str {
        let is_key = |it: &&Map| {
            let schema = it.get("schema").and_then(Json::as_object);
            schema.and_then(|it| it.get("is_primary_key")?.as_bool()) == Some(true)
        };
        let key = self.fields(collection).iter().find(is_key);
        key.and_then(|it| text(it, "field")).unwrap_or("id")
    }

    /// Returns true if a collection only connects others, or has their texts in other languages.
    pub(super) fn is_junction(&self, collection: &str) -> bool {
        self.relations.iter().any(|it| it.many == collection && it.junction_field.is_some())
    }
}

/// Returns a key as text: of an item, or of the item itself if it is there.
pub(super) fn to_key(value: &Json, key_field: &str) -> Option<String> {
    match value {
        Json::String(text) if !text.is_empty() => Some(text.clone()),
        Json::Number(number) => Some(number.to_string()),
        Json::Object(map) => to_key(map.get(key_field)?, key_field),
        _ => None,
    }
}

/// Returns a member of `meta`.
pub(super) fn get_meta<'m>(map: &'m Map, key: &str) -> Option<&'m Json> {
    map.get("meta")?.as_object()?.get(key)
}

pub(super) fn text<'m>(map: &'m Map, key: &str) -> Option<&'m str> {
    map.get(key).and_then(Json::as_str).filter(|it| !it.is_empty())
}

fn list<'m>(map: &'m Map, key: &str) -> impl Iterator<Item = &'m Map> {
    let items = map.get(key).and_then(Json::as_array).unwrap_or_default();
    items.iter().filter_map(Json::as_object)
}

fn is_media(path: &str) -> bool {
    let mut folders = path.split('/').rev().skip(1);
    folders.any(|it| MEDIA_FOLDERS.contains(&it))
}

/// Splits the name of a file with a schema or items.
fn split_name(path: &str) -> Option<(&str, &str)> {
    let (stem, ending) = path.rsplit('/').next()?.rsplit_once('.')?;
    matches!(ending, "json" | "yaml" | "yml").then_some((stem, ending))
}

fn read_value(
    source: &dyn ImportSource,
    path: &str,
    ending: &str,
    report: &mut ImportReport,
) -> Option<Json> {
    let place = SourcePlace::of_file(path);
    let text = match source.read_text(path, TEXT_BYTES_MAX) {
        Ok(text) => text,
        Err(error) => {
            report.add_problem(place, format!("The file cannot be read: {error}."));
            return None;
        }
    };
    if ending != "json" {
        let parsed = parse_yaml(&text);
        return parsed
            .map_err(|(line, message)| report.add_problem(place.with_line(line), message))
            .ok();
    }
    let parsed = Json::parse(text.as_bytes());
    parsed
        .map_err(|error| {
            let message = format!("This is not JSON: {}.", error.message);
            report.add_problem(place.with_line(u64::from(error.line)), message);
        })
        .ok()
}
