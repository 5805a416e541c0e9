//! Content types of the original: nearly the same definitions, with options as maps.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::app::import::import_set::ImportedType;
use crate::app::import::names::FieldNames;
use crate::app::import::report::ImportReport;
use crate::app::import::report::SourcePlace;
use crate::model::content_type::ContentType;
use crate::model::name::FieldName;
use crate::model::name::TypeName;
use crate::stdx::json::Json;
use crate::stdx::json::Map;

/// The keys of a type that both have.
const TYPE_KEYS: &[&str] = &[
    "label",
    "icon",
    "singleton",
    "slug_field",
    "slug_source",
    "locales",
    "default_locale",
    "visibility",
];

/// The keys of a field that both have.
const FIELD_KEYS: &[&str] = &[
    "type",
    "label",
    "description",
    "required",
    "default",
    "localized",
    "multiple",
    "target",
    "min",
    "max",
    "step",
    "display_decimals",
];

/// The keys of a type that name a field.
const FIELD_REFERENCES: &[&str] = &["slug_field", "slug_source"];

/// The widths of inputs that both have.
const WIDTHS: &[&str] = &["1/3", "1/2", "2/3", "full"];

/// The names that renamed fields have in the original, by their names here. The original allows
/// names that are reserved here, such as `data`.
pub(super) type OriginalNames = BTreeMap<String, String>;

/// A content type whose entries the original has.
#[derive(Clone)]
pub(super) struct OriginalType {
    pub(super) content_type: Arc<ContentType>,
    pub(super) original_names: OriginalNames,
}

impl OriginalType {
    /// Returns the name of a field in the original.
    pub(super) fn original_name<'n>(&'n self, name: &'n str) -> &'n str {
        self.original_names.get(name).map_or(name, String::as_str)
    }

    /// Returns true if entries of the original can have a value of this name.
    pub(super) fn has_original_field(&self, former: &str) -> bool {
        self.original_names.values().any(|it| it == former)
            || self.content_type.fields.get(former).is_some()
    }
}

/// Reads a content type, and the names that its fields have in the original. What has no
/// counterpart is left out, with a remark.
pub(super) fn read_type(
    name: &TypeName,
    map: &Map,
    place: &SourcePlace,
    report: &mut ImportReport,
) -> (ImportedType, OriginalNames) {
    let mut whole = Map::new();
    whole.push("name", name.as_str());
    for (key, value) in map.iter() {
        match key {
            "name" | "fields" => {}
            key if TYPE_KEYS.contains(&key) => {
                if !value.is_empty() {
                    whole.push(key, value.clone());
                }
            }
            key => report.add_skipped(place.with_field(key), "Content types have no such key."),
        }
    }
    let fields = map.get("fields").and_then(Json::as_object).cloned().unwrap_or_default();
    let (fields, original_names) = read_fields(&fields, place, report);
    for key in FIELD_REFERENCES {
        let former = whole.get(key).and_then(Json::as_str);
        let renamed = original_names.iter().find(|(_, it)| former == Some(it.as_str()));
        if let Some((name, _)) = renamed {
            whole.set(key, Json::from(name.as_str()));
        }
    }
    whole.push("fields", fields);
    (ImportedType { name: name.clone(), definition: whole, place: place.clone() }, original_names)
}

/// Reads the fields of a type. One whose name is none here gets another one, with a remark.
fn read_fields(
    fields: &Map,
    place: &SourcePlace,
    report: &mut ImportReport,
) -> (Map, OriginalNames) {
    let names: Vec<&str> = fields.iter().map(|(name, _)| name).collect();
    let mut free = FieldNames::with_taken(&names);
    let (mut converted, mut original_names) = (Map::new(), OriginalNames::new());
    for (field, definition) in fields.iter() {
        let place = place.with_field(format!("fields.{field}"));
        let Some(definition) = definition.as_object() else {
            report.add_problem(place, "A field is an object.");
            continue;
        };
        let definition = Json::Object(convert_field(definition, &place, report));
        let renamed = if FieldName::fits(field) { None } else { free.take(field) };
        let Some(name) = renamed else {
            converted.push(field, definition);
            continue;
        };
        let message = format!("No field can have this name here, so it is called `{name}`.");
        report.add_altered(place, message);
        converted.push(name.as_str(), definition);
        original_names.insert(name.to_string(), field.to_string());
    }
    (converted, original_names)
}

fn convert_field(map: &Map, place: &SourcePlace, report: &mut ImportReport) -> Map {
    let mut field = Map::new();
    for (key, value) in map.iter() {
        match key {
            _ if value.is_empty() => {}
            "options" => field.push(key, convert_options(value)),
            "layout" => {
                let width = value.as_object().and_then(|it| it.get("width")?.as_str());
                if let Some(width) = width.filter(|it| WIDTHS.contains(it)) {
                    let mut layout = Map::new();
                    layout.push("width", width);
                    field.push(key, layout);
                }
            }
            "subfields" => field.push(key, convert_subfields(value, place, report)),
            // The key of a subfield.
            "key" => field.push(key, value.clone()),
            key if FIELD_KEYS.contains(&key) => field.push(key, value.clone()),
            key => {
                let (path, message) =
                    (place.field.clone().unwrap_or_default(), "Fields have no such key.");
                report.add_skipped(place.with_field(format!("{path}.{key}")), message);
            }
        }
    }
    field
}

/// Returns options as a list; the original has lists, and maps from values to labels.
fn convert_options(options: &Json) -> Json {
    let Json::Object(map) = options else { return options.clone() };
    let option = |(value, label): (&str, &Json)| {
        let mut option = Map::new();
        option.push("value", value);
        option.push("label", label.clone());
        Json::Object(option)
    };
    Json::Array(map.iter().map(option).collect())
}

/// Returns subfields as a list with keys; the original has lists, and maps.
fn convert_subfields(subfields: &Json, place: &SourcePlace, report: &mut ImportReport) -> Json {
    let items: Vec<Map> = match subfields {
        Json::Array(items) => items.iter().filter_map(Json::as_object).cloned().collect(),
        Json::Object(map) => map
            .iter()
            .filter_map(|(key, definition)| {
                let mut definition = definition.as_object()?.clone();
                definition.set("key", Json::from(key));
                Some(definition)
            })
            .collect(),
        _ => Vec::new(),
    };
    let converted = items.into_iter().map(|mut it| {
        if !it.contains("key")
            && let Some(name) = it.remove("name")
        {
            it.set("key", name);
        }
        Json::Object(convert_field(&it, place, report))
    });
    Json::Array(converted.collect())
}
