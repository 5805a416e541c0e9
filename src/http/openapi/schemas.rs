//! The JSON Schemas of responses, including those for the entries of each content type.

use serde_json::Map;
use serde_json::Value;
use serde_json::json;

use crate::app::error::Code;
use crate::http::openapi::input_schemas;
use crate::http::openapi::json_schema::object_schema;
use crate::http::openapi::json_schema::schema_ref;
use crate::http::openapi::profile::OpenApiProfile;
use crate::http::openapi::type_names::TypeNames;
use crate::model::content_type::ContentType;
use crate::model::entry::EntryStatus;
use crate::model::field::Comparison;
use crate::model::field::Field;
use crate::model::field::KINDS;
use crate::model::field::ValueForm;
use crate::query::request::filter::Operator;

/// Returns all schemas by name.
pub(super) fn build_all(
    types: &[&ContentType],
    names: &TypeNames,
    profile: OpenApiProfile,
) -> Map<String, Value> {
    let mut found = Map::new();
    let mut add = |name: &str, schema: Value| {
        found.insert(name.to_string(), schema);
    };
    add("Error", error_schema());
    add("Remarks", object_schema(&[], json!({ "warnings": warnings_schema() })));
    add("ListMeta", list_meta());
    add("MediaListMeta", media_list_meta());
    add("Categories", categories_schema());
    add("Health", health_schema());
    add("ContentType", content_type());
    add("MediaItem", media_item());
    add("Category", object_schema(&["name"], json!({ "name": category_path() })));
    add("Done", object_schema(&["ok"], json!({ "ok": { "type": "boolean", "const": true } })));
    add("EntryHead", entry_head());
    let any_data = json!({ "type": "object", "description": "The fields of the content type." });
    let locale = json!({ "type": "string", "description": "The locale of the values." });
    let any_type = json!({ "type": "string", "description": ABOUT_TYPE });
    let own = json!({ "type": any_type, "locale": locale, "data": any_data });
    add("Entry", entry_schema(object_schema(&["type", "data"], own)));
    for comparison in [Comparison::Number, Comparison::Bool, Comparison::DateTime, Comparison::Text]
    {
        add(filter_name(comparison), filter_schema(comparison));
    }
    for ty in types {
        add(&names.entry_schema(Some(ty)), entry_of(ty, &names.data_schema(ty)));
        add(&names.data_schema(ty), data_of(ty, types, names, profile));
        add(&names.input_schema(Some(ty)), input_schemas::entry_of(ty));
    }
    found.extend(input_schemas::build_all());
    found
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

/// Returns the schema of the operand of such a filter.
pub(super) fn operand_schema(comparison: Comparison) -> Value {
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

fn filter_schema(comparison: Comparison) -> Value {
    let operand = |operator: Operator| match operator {
        Operator::Empty => json!({ "type": "boolean" }),
        Operator::In | Operator::Nin => {
            json!({ "type": "string", "description": "Values, separated by commas." })
        }
        Operator::Contains | Operator::Starts => json!({ "type": "string" }),
        _ => operand_schema(comparison),
    };
    let properties: Map<String, Value> =
        Operator::ALL.into_iter().map(|(name, it)| (name.to_string(), operand(it))).collect();
    json!({ "type": "object", "properties": properties, "additionalProperties": false })
}

fn error_schema() -> Value {
    let of_public = Code::ALL.iter().filter(|it| !it.is_admin_only());
    let mut codes: Vec<&str> = of_public.map(|it| it.as_str()).collect();
    // Two statuses can share a code.
    codes.sort_unstable();
    codes.dedup();
    let error = object_schema(
        &["code", "message"],
        json!({
            "code": { "enum": codes, "description": "The code to branch on." },
            "message": { "type": "string", "description": "A message to show to people." },
            "fields": {
                "type": "object",
                "description": "Messages by the path of the invalid value.",
                "additionalProperties": { "type": "string" },
            },
            "current": {
                "type": "object",
                "description": "The current state; only with `precondition_failed`.",
            },
            "usages": {
                "type": "array",
                "description": "The first 20 references that prevent the deletion, as far as the \
                                caller may read them; only with `conflict`.",
                "items": usage_schema(),
            },
            "request_id": {
                "type": "string",
                "description": "The id to report to the operator; only with server errors.",
            },
        }),
    );
    object_schema(&["error"], json!({ "error": error }))
}

fn usage_schema() -> Value {
    let text = |about: &str| json!({ "type": "string", "description": about });
    object_schema(
        &["type", "id", "title", "field"],
        json!({
            "type": text("The type of the referring entry."),
            "id": text("The id of the referring entry."),
            "title": text("The title of the referring entry."),
            "field": text("The field with the relation."),
        }),
    )
}

fn warnings_schema() -> Value {
    json!({
        "type": "array",
        "items": { "type": "string" },
        "description": "Warnings, for example about ignored parameters.",
    })
}

fn list_meta() -> Value {
    let count = || json!({ "type": "integer", "minimum": 0 });
    let counts: Map<String, Value> =
        EntryStatus::ALL.iter().map(|it| (it.as_str().to_string(), count())).collect();
    object_schema(
        &["total", "limit", "offset", "sort", "order"],
        json!({
            "total": { "type": "integer", "minimum": 0, "description": "The total number." },
            "limit": {
                "type": "integer",
                "minimum": 0,
                "description": "The requested limit, or the number of items returned.",
            },
            "offset": count(),
            "sort": { "type": "string", "description": "The first sort key." },
            "order": { "type": "string", "enum": ["asc", "desc"] },
            "counts": {
                "type": "object",
                "properties": counts,
                "description": "The number of matching entries by status, if requested.",
            },
            "warnings": warnings_schema(),
        }),
    )
}

fn media_list_meta() -> Value {
    json!({ "allOf": [schema_ref("ListMeta"), schema_ref("Categories")] })
}

fn categories_schema() -> Value {
    let all = json!({
        "type": "array",
        "items": { "type": "string" },
        "description": "The paths of all categories, such as `Photos / Travel`.",
    });
    object_schema(&["categories"], json!({ "categories": all }))
}

fn category_path() -> Value {
    json!({ "type": "string", "description": "A path, such as `Photos / Travel`." })
}

fn health_schema() -> Value {
    let flag = || json!({ "type": "boolean" });
    object_schema(
        &["ok", "name", "version", "time", "extensions"],
        json!({
            "ok": flag(),
            "name": { "type": "string" },
            "version": { "type": "string", "description": "The version of the program." },
            "time": { "type": "string", "format": "date-time" },
            "extensions": object_schema(&["gd", "zip"], json!({ "gd": flag(), "zip": flag() })),
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
    object_schema(
        &required,
        json!({
            "name": text(),
            "label": text(),
            "icon": text(),
            "singleton": {
                "type": "boolean",
                "description": "True if the type has a single entry, named like the type.",
            },
            "slug_field": text(),
            "slug_source": text(),
            "locales": { "type": "array", "items": text() },
            "default_locale": { "type": "string", "description": "Empty if the type has no locales." },
            "visibility": { "type": "string", "enum": ["public", "private"] },
            "fields": {
                "type": "object",
                "description": "Definitions by field name, in order.",
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
    object_schema(
        &required,
        json!({
            "filename": text(),
            "name": text(),
            "url": uri(),
            "size": { "type": "integer", "minimum": 0, "description": "The size in bytes." },
            "mime": text(),
            "category": { "type": "string", "description": "A path; empty without a category." },
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
                "description": "The thumbnail, if the file has one.",
            },
            "path": { "type": "string", "description": "The path of `url`." },
            "thumb_path": { "type": ["string", "null"] },
            "etag": {
                "type": "string",
                "description": "Caches may keep the file for ever if this is added to `url` as `?v=`.",
            },
        }),
    )
}

const ABOUT_TYPE: &str = "The name of the content type.";

/// Builds the schema of the members of entries of all types, except those that differ between
/// types: generators cannot narrow inherited properties.
fn entry_head() -> Value {
    let time = || json!({ "type": "string", "format": "date-time" });
    let statuses: Vec<&str> = EntryStatus::ALL.iter().map(|it| it.as_str()).collect();
    object_schema(
        &["id", "slug", "status", "title", "published_at", "created_at", "updated_at"],
        json!({
            "id": { "type": "string", "description": "Never changes." },
            "slug": { "type": "string", "description": "Used in addresses; may change." },
            "status": { "enum": statuses },
            "title": { "type": "string" },
            "published_at": { "type": ["string", "null"], "format": "date-time" },
            "unpublish_at": {
                "type": "string",
                "format": "date-time",
                "description": "The time from which it is no longer public; absent if it has no end.",
            },
            "created_at": time(),
            "updated_at": time(),
            "author_id": { "type": "string" },
            "updated_by": { "type": "string" },
        }),
    )
}

fn entry_schema(own: Value) -> Value {
    json!({ "allOf": [schema_ref("EntryHead"), own] })
}

fn entry_of(ty: &ContentType, data_name: &str) -> Value {
    let name = ty.name.as_str();
    let mut required = vec!["type", "data"];
    let mut properties = json!({
        "type": { "type": "string", "const": name, "description": ABOUT_TYPE },
        "data": schema_ref(data_name),
    });
    if ty.is_localized() {
        let locales: Vec<&str> = ty.locales.iter().map(|it| it.as_str()).collect();
        let about = "The locale of the values.";
        properties["locale"] = json!({ "type": "string", "enum": locales, "description": about });
        required.push("locale");
    }
    let mut entry = entry_schema(object_schema(&required, properties));
    entry["description"] = format!("An entry of “{}”.", ty.label).into();
    entry
}

/// Builds the schema of the values of entries of a type.
fn data_of(
    ty: &ContentType,
    types: &[&ContentType],
    names: &TypeNames,
    profile: OpenApiProfile,
) -> Value {
    let value = |field: &Field| match profile {
        OpenApiProfile::Full => value_of(field, types, names),
        OpenApiProfile::Simple => field.json_schema(ValueForm::Shown),
    };
    let values: Map<String, Value> =
        ty.data_fields().map(|it| (it.name.to_string(), value(it))).collect();
    let about = format!("The values of an entry of “{}”.", ty.label);
    json!({ "type": "object", "description": about, "properties": values })
}

/// Builds the schema of the value of a field. That of a relation is an id, or the included entry.
/// Types that the reader does not know have no entries to include.
fn value_of(field: &Field, types: &[&ContentType], names: &TypeNames) -> Value {
    let mut schema = field.json_schema(ValueForm::Shown);
    let Some((target, many)) = field.kind.as_relation() else { return schema };
    let Some(target) = types.iter().find(|it| it.name == *target) else { return schema };
    let included = schema_ref(&names.entry_schema(Some(target)));
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
