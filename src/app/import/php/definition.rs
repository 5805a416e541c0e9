//! Content types of the original: nearly the same definitions, with options as maps.

use crate::app::import::import_set::ImportedType;
use crate::app::import::report::ImportReport;
use crate::app::import::report::SourcePlace;
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

/// The widths of inputs that both have.
const WIDTHS: &[&str] = &["1/3", "1/2", "2/3", "full"];

/// Reads a content type. What has no counterpart is left out, with a remark.
pub(super) fn read_type(
    name: &TypeName,
    map: &Map,
    place: &SourcePlace,
    report: &mut ImportReport,
) -> ImportedType {
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
    let fields = map.get("fields").and_then(Json::as_object);
    let mut converted = Map::new();
    for (field, definition) in fields.into_iter().flat_map(Map::iter) {
        let place = place.with_field(format!("fields.{field}"));
        match definition.as_object() {
            Some(definition) => {
                let definition = convert_field(definition, &place, report);
                converted.push(field, Json::Object(definition));
            }
            None => report.add_problem(place, "A field is an object."),
        }
    }
    whole.push("fields", converted);
    ImportedType { name: name.clone(), definition: whole, place: place.clone() }
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
