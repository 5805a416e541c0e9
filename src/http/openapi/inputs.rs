//! JSON Schemas of what requests send, with one for the entries of each content type.

use serde_json::Map;
use serde_json::Value;
use serde_json::json;

use crate::http::openapi::schemas::object;
use crate::http::openapi::schemas::reference;
use crate::model::content_type::ContentType;
use crate::model::entry::Status;
use crate::model::field::Face;

/// All schemas that depend on no content type, by name.
pub(super) fn all() -> Vec<(String, Value)> {
    let visibility = || json!({ "enum": ["public", "private"] });
    let text = || json!({ "type": "string" });
    let files = json!({ "type": "array", "items": text(), "description": "Filenames." });
    let all = [
        ("EntryInputHead", entry_head()),
        ("EntryInput", entry(json!({ "type": "string" }), Map::new())),
        ("NewContentType", object(&["name"], content_type())),
        ("ContentTypeInput", object(&[], content_type())),
        ("MediaMetaInput", object(&[], json!({ "alt": text(), "title": text() }))),
        ("VisibilityInput", object(&["visibility"], json!({ "visibility": visibility() }))),
        (
            "BulkVisibilityInput",
            object(&["files", "visibility"], json!({ "files": files, "visibility": visibility() })),
        ),
        ("NewCategory", object(&["name"], json!({ "name": category(), "parent": text() }))),
        ("CategoryNameInput", object(&["name"], json!({ "name": category() }))),
        ("CategoryOfFileInput", object(&["category"], json!({ "category": category() }))),
        ("Upload", upload()),
    ];
    all.into_iter().map(|(name, schema)| (name.to_string(), schema)).collect()
}

/// What writers send for an entry of a type.
pub(super) fn entry_of(ty: &ContentType) -> Value {
    let values =
        ty.data_fields().map(|it| (it.name.to_string(), it.json_schema(Face::Input))).collect();
    let locales: Vec<&str> = ty.locales.iter().map(|it| it.as_str()).collect();
    let is_localized = ty.is_localized();
    let locale =
        if is_localized { json!({ "enum": locales }) } else { json!({ "type": "string" }) };
    entry(locale, values)
}

/// What writers send for an entry: with these values, in such a locale. What is narrowed from type
/// to type is in no schema that they share: generators cannot narrow a property that they inherit.
fn entry(mut locale: Value, mut values: Map<String, Value>) -> Value {
    locale["description"] = "The locale that the values are in.".into();
    values.insert("locale".to_string(), locale);
    let own = json!({ "type": "object", "properties": values });
    json!({
        "description": "Values by the name of the field. What is not sent stays; `null` clears.",
        "allOf": [reference("EntryInputHead"), own],
    })
}

/// What entries of all types take beside the values of their fields.
fn entry_head() -> Value {
    let statuses: Vec<&str> = Status::ALL.iter().map(|it| it.as_str()).collect();
    object(
        &[],
        json!({
            "title": { "type": "string", "description": "Needed where there is none yet." },
            "slug": {
                "type": ["string", "null"],
                "description": "For addresses; made of the title when it is empty.",
            },
            "status": { "enum": statuses },
            "published_at": { "type": ["string", "null"], "description": "A time or a date." },
            "author_id": { "type": "string", "description": "The id of a user." },
        }),
    )
}

fn content_type() -> Value {
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
            "description": "All definitions by the name of the field, in order.",
            "additionalProperties": { "type": "object" },
        },
        "migrations": {
            "type": "array",
            "items": object(&["from", "to"], json!({ "from": text(), "to": text() })),
            "description": "Fields that get other names, in all entries.",
        },
    })
}

fn category() -> Value {
    json!({ "type": "string", "description": "A path: `Photos / Travel`." })
}

fn upload() -> Value {
    let files = json!({
        "type": "array",
        "items": { "type": "string", "format": "binary" },
        "minItems": 1,
    });
    object(&["media[]"], json!({ "media[]": files, "category": category() }))
}
