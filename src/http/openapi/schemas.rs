//! JSON Schemas of what answers hold, with one for the entries of each content type.

use serde_json::Map;
use serde_json::Value;
use serde_json::json;

use crate::app::error::Code;
use crate::http::openapi::Profile;
use crate::http::openapi::inputs;
use crate::http::openapi::names::TypeNames;
use crate::model::content_type::ContentType;
use crate::model::entry::Status;
use crate::model::field::Comparison;
use crate::model::field::Face;
use crate::model::field::Field;
use crate::model::field::KINDS;
use crate::query::filter::Operator;

/// All schemas by name.
pub(super) fn all(
    types: &[&ContentType],
    names: &TypeNames,
    profile: Profile,
) -> Map<String, Value> {
    let mut found = Map::new();
    let mut add = |name: &str, schema: Value| {
        found.insert(name.to_string(), schema);
    };
    add("Error", error());
    add("Remarks", object(&[], json!({ "warnings": warnings() })));
    add("ListMeta", list_meta());
    add("MediaListMeta", media_list_meta());
    add("Categories", categories());
    add("Health", health());
    add("ContentType", content_type());
    add("MediaItem", media_item());
    add("Category", object(&["name"], json!({ "name": category_path() })));
    add("Done", object(&["ok"], json!({ "ok": { "type": "boolean", "const": true } })));
    add("EntryHead", entry_head());
    let any_data = json!({ "type": "object", "description": "The fields of the content type." });
    let locale = json!({ "type": "string", "description": "The locale of the values." });
    let any_type = json!({ "type": "string", "description": ABOUT_TYPE });
    let own = json!({ "type": any_type, "locale": locale, "data": any_data });
    add("Entry", entry(object(&["type", "data"], own)));
    for comparison in [Comparison::Number, Comparison::Bool, Comparison::DateTime, Comparison::Text]
    {
        add(filter_name(comparison), filter(comparison));
    }
    for ty in types {
        add(&names.entry(Some(ty)), entry_of(ty, &names.data(ty)));
        add(&names.data(ty), data_of(ty, types, names, profile));
        add(&names.input(Some(ty)), inputs::entry_of(ty));
    }
    found.extend(inputs::all());
    found
}

/// A reference to the schema of this name.
pub(super) fn reference(name: &str) -> Value {
    json!({ "$ref": path(name) })
}

/// Where the schema of this name stands.
pub(super) fn path(name: &str) -> String {
    format!("#/components/schemas/{name}")
}

/// The name of the schema of filters on values that compare like this.
pub(super) fn filter_name(comparison: Comparison) -> &'static str {
    match comparison {
        Comparison::Number => "NumberFilter",
        Comparison::Bool => "BooleanFilter",
        Comparison::Date | Comparison::DateTime => "TimeFilter",
        Comparison::Text
        | Comparison::LongText
        | Comparison::Relation
        | Comparison::Media
        | Comparison::Json => "TextFilter",
    }
}

/// The schema of what such a value is compared with.
pub(super) fn operand(comparison: Comparison) -> Value {
    match comparison {
        Comparison::Number => json!({ "type": "number" }),
        Comparison::Bool => json!({ "type": "boolean" }),
        Comparison::Date | Comparison::DateTime => {
            let formats = [json!({ "format": "date" }), json!({ "format": "date-time" })];
            json!({ "type": "string", "anyOf": formats })
        }
        Comparison::Text
        | Comparison::LongText
        | Comparison::Relation
        | Comparison::Media
        | Comparison::Json => json!({ "type": "string" }),
    }
}

fn filter(comparison: Comparison) -> Value {
    let operand = |operator: Operator| match operator {
        Operator::Empty => json!({ "type": "boolean" }),
        Operator::In | Operator::Nin => {
            json!({ "type": "string", "description": "Values by comma." })
        }
        Operator::Contains | Operator::Starts => json!({ "type": "string" }),
        _ => operand(comparison),
    };
    let properties: Map<String, Value> =
        Operator::ALL.into_iter().map(|(name, it)| (name.to_string(), operand(it))).collect();
    json!({ "type": "object", "properties": properties, "additionalProperties": false })
}

pub(super) fn object(required: &[&str], properties: Value) -> Value {
    json!({ "type": "object", "required": required, "properties": properties })
}

fn error() -> Value {
    let of_public = Code::ALL.iter().filter(|it| !it.is_of_admin());
    let mut codes: Vec<&str> = of_public.map(|it| it.as_str()).collect();
    // One code can have two statuses.
    codes.sort_unstable();
    codes.dedup();
    let error = object(
        &["code", "message"],
        json!({
            "code": { "enum": codes, "description": "What to branch on." },
            "message": { "type": "string", "description": "A sentence to show." },
            "fields": {
                "type": "object",
                "description": "What is wrong with which value.",
                "additionalProperties": { "type": "string" },
            },
            "current": {
                "type": "object",
                "description": "What is there now; with `precondition_failed` alone.",
            },
            "request_id": {
                "type": "string",
                "description": "What to tell whoever runs the server; with server errors alone.",
            },
        }),
    );
    object(&["error"], json!({ "error": error }))
}

fn warnings() -> Value {
    json!({
        "type": "array",
        "items": { "type": "string" },
        "description": "What was ignored, if anything was.",
    })
}

fn list_meta() -> Value {
    let count = || json!({ "type": "integer", "minimum": 0 });
    let counts: Map<String, Value> =
        Status::ALL.iter().map(|it| (it.as_str().to_string(), count())).collect();
    object(
        &["total", "limit", "offset", "sort", "order"],
        json!({
            "total": { "type": "integer", "minimum": 0, "description": "How many there are." },
            "limit": {
                "type": "integer",
                "minimum": 0,
                "description": "The limit sent, or how many these are.",
            },
            "offset": count(),
            "sort": { "type": "string", "description": "The first sort key." },
            "order": { "type": "string", "enum": ["asc", "desc"] },
            "counts": {
                "type": "object",
                "properties": counts,
                "description": "Matching entries by status, when asked for.",
            },
            "warnings": warnings(),
        }),
    )
}

fn media_list_meta() -> Value {
    json!({ "allOf": [reference("ListMeta"), reference("Categories")] })
}

fn categories() -> Value {
    let all = json!({
        "type": "array",
        "items": { "type": "string" },
        "description": "The paths of all categories: `Photos / Travel`.",
    });
    object(&["categories"], json!({ "categories": all }))
}

fn category_path() -> Value {
    json!({ "type": "string", "description": "A path: `Photos / Travel`." })
}

fn health() -> Value {
    let flag = || json!({ "type": "boolean" });
    object(
        &["ok", "name", "version", "time", "extensions"],
        json!({
            "ok": flag(),
            "name": { "type": "string" },
            "version": { "type": "string", "description": "The version of the program." },
            "time": { "type": "string", "format": "date-time" },
            "extensions": object(&["gd", "zip"], json!({ "gd": flag(), "zip": flag() })),
        }),
    )
}

fn content_type() -> Value {
    let text = || json!({ "type": "string" });
    let kinds: Vec<&str> = KINDS.iter().map(|it| it.name).collect();
    let required = [
        "name",
        "label",
        "icon",
        "singleton",
        "slug_field",
        "slug_source",
        "locales",
        "default_locale",
        "visibility",
        "fields",
    ];
    object(
        &required,
        json!({
            "name": text(),
            "label": text(),
            "icon": text(),
            "singleton": {
                "type": "boolean",
                "description": "Whether there is one entry only, under the name of the type.",
            },
            "slug_field": text(),
            "slug_source": text(),
            "locales": { "type": "array", "items": text() },
            "default_locale": { "type": "string", "description": "Empty without locales." },
            "visibility": { "type": "string", "enum": ["public", "private"] },
            "fields": {
                "type": "object",
                "description": "Definitions by the name of the field, in order.",
                "additionalProperties": {
                    "type": "object",
                    "properties": { "type": { "enum": kinds, "default": "text" } },
                },
            },
        }),
    )
}

fn media_item() -> Value {
    let text = || json!({ "type": "string" });
    let uri = || json!({ "type": "string", "format": "uri" });
    let pixels = || json!({ "type": ["integer", "null"], "minimum": 1 });
    let required = [
        "filename",
        "name",
        "url",
        "size",
        "mime",
        "category",
        "alt",
        "title",
        "visibility",
        "width",
        "height",
        "uploaded_by",
        "uploaded_at",
        "thumb_url",
        "path",
        "thumb_path",
        "etag",
    ];
    object(
        &required,
        json!({
            "filename": text(),
            "name": text(),
            "url": uri(),
            "size": { "type": "integer", "minimum": 0, "description": "In bytes." },
            "mime": text(),
            "category": { "type": "string", "description": "A path, or empty." },
            "alt": text(),
            "title": text(),
            "visibility": { "type": "string", "enum": ["public", "private"] },
            "width": pixels(),
            "height": pixels(),
            "uploaded_by": { "type": ["string", "null"] },
            "uploaded_at": { "type": ["string", "null"], "format": "date-time" },
            "thumb_url": {
                "type": ["string", "null"],
                "format": "uri",
                "description": "A small picture, for files that have one.",
            },
            "path": { "type": "string", "description": "`url` without the server." },
            "thumb_path": { "type": ["string", "null"] },
            "etag": {
                "type": "string",
                "description": "Added to `url` as `?v=`, the file may be kept for ever.",
            },
        }),
    )
}

const ABOUT_TYPE: &str = "The name of the content type.";

/// What entries of all types have, but for what is narrowed from type to type: generators cannot
/// narrow a property that they inherit.
fn entry_head() -> Value {
    let time = || json!({ "type": "string", "format": "date-time" });
    let statuses: Vec<&str> = Status::ALL.iter().map(|it| it.as_str()).collect();
    object(
        &["id", "slug", "status", "title", "published_at", "created_at", "updated_at"],
        json!({
            "id": { "type": "string", "description": "Never changes." },
            "slug": { "type": "string", "description": "For addresses; may change." },
            "status": { "enum": statuses },
            "title": { "type": "string" },
            "published_at": { "type": ["string", "null"], "format": "date-time" },
            "created_at": time(),
            "updated_at": time(),
            "author_id": { "type": "string" },
            "updated_by": { "type": "string" },
        }),
    )
}

fn entry(own: Value) -> Value {
    json!({ "allOf": [reference("EntryHead"), own] })
}

fn entry_of(ty: &ContentType, data_name: &str) -> Value {
    let name = ty.name.as_str();
    let mut required = vec!["type", "data"];
    let mut properties = json!({
        "type": { "type": "string", "const": name, "description": ABOUT_TYPE },
        "data": reference(data_name),
    });
    if ty.is_localized() {
        let locales: Vec<&str> = ty.locales.iter().map(|it| it.as_str()).collect();
        let about = "The locale of the values.";
        properties["locale"] = json!({ "type": "string", "enum": locales, "description": about });
        required.push("locale");
    }
    let mut entry = entry(object(&required, properties));
    entry["description"] = format!("An entry of “{}”.", ty.label).into();
    entry
}

/// The values that entries of a type are read with.
fn data_of(ty: &ContentType, types: &[&ContentType], names: &TypeNames, profile: Profile) -> Value {
    let value = |field: &Field| match profile {
        Profile::Full => value_of(field, types, names),
        Profile::Simple => field.json_schema(Face::Shown),
    };
    let values: Map<String, Value> =
        ty.data_fields().map(|it| (it.name.to_string(), value(it))).collect();
    let about = format!("The values of an entry of “{}”.", ty.label);
    json!({ "type": "object", "description": about, "properties": values })
}

/// The value of a field; that of a relation is an id, or the entry where it is included. Types
/// that the reader does not know have no entries to include.
fn value_of(field: &Field, types: &[&ContentType], names: &TypeNames) -> Value {
    let mut schema = field.json_schema(Face::Shown);
    let Some((target, many)) = field.kind.relation() else { return schema };
    let Some(target) = types.iter().find(|it| it.name == *target) else { return schema };
    let included = reference(&names.entry(Some(target)));
    let Some(shape) = schema.as_object_mut() else { return schema };
    if many {
        let id = shape.remove("items").unwrap_or(Value::Bool(true));
        shape.insert("items".to_string(), json!({ "anyOf": [id, included] }));
    } else {
        let id = json!({ "type": shape.remove("type") });
        shape.insert("anyOf".to_string(), json!([id, included]));
    }
    schema
}
