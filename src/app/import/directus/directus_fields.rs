//! Fields of Directus: the type of the column, and the interface that edits it.

use std::collections::BTreeSet;

use crate::app::import::directus::directus_export::get_meta;
use crate::app::import::directus::directus_export::text;
use crate::app::import::names::FieldNames;
use crate::app::import::type_outline::begin_field;
use crate::app::import::type_outline::begin_select;
use crate::model::field::label_from_name;
use crate::model::name::FieldName;
use crate::stdx::json::Json;
use crate::stdx::json::Map;

/// The deepest nesting of lists.
const DEPTH_MAX: usize = 4;

/// The connection of an item with others by the rows of a collection.
#[derive(Clone, Debug)]
pub(super) struct Junction {
    pub(super) collection: String,
    /// The field with the key of the item.
    pub(super) back: String,
    /// The field with the key of the other end.
    pub(super) forward: String,
    /// The field with the collection of the other end, if there are several.
    pub(super) of: Option<String>,
    pub(super) sort: Option<String>,
}

/// The value of a field.
#[derive(Clone, Debug)]
pub(super) enum DirectusValue {
    Plain,
    Flag,
    /// A structure, which some exports have as text.
    Structure,
    /// Words, which some exports have as a text with commas.
    Words,
    File,
    Files(Junction),
    /// An item of this collection.
    Item(String),
    Items(Junction, String),
    /// Items of several collections.
    AnyItems(Junction),
    Rows(Vec<DirectusField>),
}

/// A field with its counterpart here.
#[derive(Clone, Debug)]
pub(super) struct DirectusField {
    pub(super) key: String,
    pub(super) name: FieldName,
    pub(super) value: DirectusValue,
}

/// Plans a field that refers to no other collection. `words` lists the words that its values have.
/// Returns `None` for a field that has no values, or whose values stay secret.
pub(super) fn plan_plain(
    field: &Map,
    words: &dyn Fn() -> Vec<Json>,
    depth: usize,
) -> Option<(DirectusValue, Map)> {
    let key = text(field, "field")?;
    // Rows name their fields.
    let label = text(field, "name").map_or_else(|| label_from_name(key), str::to_string);
    let interface = get_meta(field, "interface").and_then(Json::as_str).unwrap_or_default();
    let choices = list_choices(field);
    let is_choice = matches!(
        interface,
        "select-dropdown"
            | "select-radio"
            | "select-multiple-dropdown"
            | "select-multiple-checkbox"
    ) && !choices.is_empty();
    let kind = text(field, "type").unwrap_or("string");
    let planned = match (kind, interface) {
        ("json" | "csv", _) if is_choice => {
            (DirectusValue::Words, begin_select(&label, choices, true))
        }
        ("string" | "text" | "integer" | "float" | "decimal", _) if is_choice => {
            (DirectusValue::Plain, begin_select(&label, choices, false))
        }
        ("json" | "csv", "tags") | ("csv", _) => {
            (DirectusValue::Words, begin_select(&label, words(), true))
        }
        ("json", "list") if depth < DEPTH_MAX => plan_rows(field, &label, depth)?,
        ("json" | "geometry", _) => (DirectusValue::Structure, begin_field("json", &label)),
        (geometry, _) if geometry.starts_with("geometry") => {
            (DirectusValue::Structure, begin_field("json", &label))
        }
        ("boolean", _) => (DirectusValue::Flag, begin_field("boolean", &label)),
        ("integer" | "bigInteger", _) => {
            let mut definition = begin_field("number", &label);
            definition.push("integer", true);
            (DirectusValue::Plain, definition)
        }
        ("float" | "decimal", _) => (DirectusValue::Plain, begin_field("number", &label)),
        ("date", _) => (DirectusValue::Plain, begin_field("date", &label)),
        ("dateTime" | "timestamp", _) => (DirectusValue::Plain, begin_field("datetime", &label)),
        ("hash" | "alias" | "unknown" | "binary", _) => return None,
        (_, "input-rich-text-md") => (DirectusValue::Plain, begin_field("markdown", &label)),
        (_, "input-rich-text-html") => (DirectusValue::Plain, begin_field("html", &label)),
        (_, "select-color") => (DirectusValue::Plain, begin_field("color", &label)),
        (_, "input-multiline" | "input-code") | ("text", _) => {
            (DirectusValue::Plain, begin_field("textarea", &label))
        }
        _ => (DirectusValue::Plain, begin_field("text", &label)),
    };
    Some(planned)
}

/// Plans a list of rows.
fn plan_rows(field: &Map, label: &str, depth: usize) -> Option<(DirectusValue, Map)> {
    let options = get_meta(field, "options").and_then(Json::as_object);
    let fields = options.and_then(|it| it.get("fields")?.as_array()).unwrap_or_default();
    let (mut planned, mut subfields) = (Vec::new(), Vec::new());
    let mut free = FieldNames::default();
    for inner in fields.iter().filter_map(Json::as_object) {
        let Some(key) = text(inner, "field") else { continue };
        let Some((value, definition)) = plan_plain(inner, &Vec::new, depth + 1) else { continue };
        let Some(name) = free.take(key) else { continue };
        let mut subfield = Map::new();
        subfield.push("key", name.as_str());
        for (key, value) in definition {
            subfield.push(key, value);
        }
        subfields.push(Json::Object(subfield));
        planned.push(DirectusField { key: key.to_string(), name, value });
    }
    if planned.is_empty() {
        return Some((DirectusValue::Structure, begin_field("json", label)));
    }
    let mut definition = begin_field("repeater", label);
    definition.push("subfields", subfields);
    Some((DirectusValue::Rows(planned), definition))
}

/// Returns the options of a choice.
fn list_choices(field: &Map) -> Vec<Json> {
    let options = get_meta(field, "options").and_then(Json::as_object);
    let choices = options.and_then(|it| it.get("choices")?.as_array()).unwrap_or_default();
    let mut seen = BTreeSet::new();
    let mut listed = Vec::new();
    for choice in choices {
        let value = choice.as_object().and_then(|it| it.get("value")).unwrap_or(choice);
        let mut text = Vec::new();
        value.write_compact(&mut text);
        if value.is_empty()
            || matches!(value, Json::Object(_) | Json::Array(_))
            || !seen.insert(text)
        {
            continue;
        }
        let label = choice.as_object().and_then(|it| it.get("text")?.as_str());
        match label.filter(|it| !it.is_empty() && !it.starts_with("$t:")) {
            Some(label) => {
                let mut option = Map::new();
                option.push("value", value.clone());
                option.push("label", label);
                listed.push(Json::Object(option));
            }
            None => listed.push(value.clone()),
        }
    }
    listed
}
