//! The JSON Schemas of request bodies, including those for the entries of each content type.

use serde_json::Map;
use serde_json::Value;
use serde_json::json;

use crate::http::openapi::json_schema::object_schema;
use crate::http::openapi::json_schema::schema_ref;
use crate::model::content_type::ContentType;
use crate::model::entry::EntryStatus;
use crate::model::field::ValueForm;

/// Builds all schemas that are independent of content types, by name.
pub(super) fn build_all() -> Vec<(String, Value)> {
    let visibility = || json!({ "enum": ["public", "private"] });
    let text = || json!({ "type": "string" });
    let files = json!({ "type": "array", "items": text(), "description": "Filenames." });
    let all = [
        ("EntryInputHead", entry_head()),
        ("EntryInput", build_entry(json!({ "type": "string" }), Map::new())),
        ("NewContentType", object_schema(&["name"], build_content_type())),
        ("ContentTypeInput", object_schema(&[], build_content_type())),
        ("MediaMetaInput", object_schema(&[], json!({ "alt": text(), "title": text() }))),
        ("VisibilityInput", object_schema(&["visibility"], json!({ "visibility": visibility() }))),
        (
            "BulkVisibilityInput",
            object_schema(
                &["files", "visibility"],
                json!({ "files": files, "visibility": visibility() }),
            ),
        ),
        (
            "NewCategory",
            object_schema(&["name"], json!({ "name": build_category(), "parent": text() })),
        ),
        ("CategoryNameInput", object_schema(&["name"], json!({ "name": build_category() }))),
        (
            "CategoryOfFileInput",
            object_schema(&["category"], json!({ "category": build_category() })),
        ),
        ("Upload", build_upload()),
    ];
    all.into_iter().map(|(name, schema)| (name.to_string(), schema)).collect()
}

/// Builds the schema of the request body for an entry of a type.
pub(super) fn entry_of(ty: &ContentType) -> Value {
    let values = ty
        .data_fields()
        .map(|it| (it.name.to_string(), it.json_schema(ValueForm::Input)))
        .collect();
    let locales: Vec<&str> = ty.locales.iter().map(|it| it.as_str()).collect();
    let is_localized = ty.is_localized();
    let locale =
        if is_localized { json!({ "enum": locales }) } else { json!({ "type": "string" }) };
    build_entry(locale, values)
}

/// Builds the schema of the request body for an entry with these values in these locales.
/// Properties that differ between types are not in the shared schema, because generators cannot
/// narrow inherited properties.
fn build_entry(mut locale: Value, mut values: Map<String, Value>) -> Value {
    locale["description"] = "The locale that the values are in.".into();
    values.insert("locale".to_string(), locale);
    let own = json!({ "type": "object", "properties": values });
    json!({
        "description": "Values by field name. Values that are not sent stay; `null` clears a value.",
        "allOf": [schema_ref("EntryInputHead"), own],
    })
}

/// Builds the schema of the members that entries of all types accept besides their values.
fn entry_head() -> Value {
    let statuses: Vec<&str> = EntryStatus::ALL.iter().map(|it| it.as_str()).collect();
    object_schema(
        &[],
        json!({
            "title": { "type": "string", "description": "Required if the entry has no title yet." },
            "slug": {
                "type": ["string", "null"],
                "description": "Used in addresses; made from the title if empty.",
            },
            "status": { "enum": statuses },
            "published_at": { "type": ["string", "null"], "description": "A time or a date." },
            "unpublish_at": {
                "type": ["string", "null"],
                "description": "The time from which it is no longer public; must be later than `published_at`.",
            },
            "author_id": { "type": "string", "description": "The id of a user." },
        }),
    )
}

fn build_content_type() -> Value {
    let text = || json!({ "type": "string" });
    json!({
        "name": { "type": "string", "description": "Never changes." },
        "label": text(),
        "icon": text(),
        "singleton": { "type": "boolean" },
        "slug_field": text(),
        "slug_source": text(),
        "locales": { "type": "array", "items": text() },
        "default_locale": text(),
        "visibility": { "enum": ["public", "private"] },
        "fields": {
            "type": "object",
            "description": "All definitions by field name, in order.",
            "additionalProperties": { "type": "object" },
        },
        "migrations": {
            "type": "array",
            "items": object_schema(&["from", "to"], json!({ "from": text(), "to": text() })),
            "description": "Fields to rename in all entries.",
        },
    })
}

fn build_category() -> Value {
    json!({ "type": "string", "description": "A path, such as `Photos / Travel`." })
}

fn build_upload() -> Value {
    let files = json!({
        "type": "array",
        "items": { "type": "string", "format": "binary" },
        "minItems": 1,
    });
    object_schema(&["media[]"], json!({ "media[]": files, "category": build_category() }))
}
