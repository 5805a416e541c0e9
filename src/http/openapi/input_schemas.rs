//! The JSON Schemas of request bodies, including those for the entries of each content type.

use serde_json::Map;
use serde_json::Value;
use serde_json::json;

use crate::http::openapi::json_schema::object_schema;
use crate::http::openapi::json_schema::schema_ref;
use crate::model::content_type::ContentType;
use crate::model::content_type::declared_view;
use crate::model::content_type::field_renames::MIGRATIONS;
use crate::model::content_type::preview_target::PREVIEW_TARGETS_MAX;
use crate::model::content_type::type_change::SETTABLE;
use crate::model::entry::EntryStatus;
use crate::model::field::ValueForm;

/// Builds all schemas that are independent of content types, by name. `content_type` is the schema
/// of a content type in answers, whose members a request can set.
pub(super) fn build_all(content_type: &Value) -> Vec<(String, Value)> {
    let members = content_type_members(content_type);
    let all = [
        ("EntryInputHead", entry_head()),
        ("EntryInput", build_entry(json!({ "type": "string" }), Map::new())),
        ("AdminEntryInput", admin_entry()),
        ("NewContentType", object_schema(&["name"], members.clone())),
        ("ContentTypeInput", object_schema(&[], members)),
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

/// Builds the schema of the request body for an entry of a type, outside a document.
pub(crate) fn entry_alone(ty: &ContentType) -> Value {
    let mut schema = entry_of(ty);
    schema["allOf"][0] = entry_head();
    schema
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
            "title": { "type": "string", "description": "The title; required if the entry has none." },
            "slug": {
                "type": ["string", "null"],
                "description": "The readable part of addresses; made from the title if empty.",
            },
            "status": {
                "enum": statuses,
                "description": "The status. `published` and `scheduled` need `content.publish`.",
            },
            "published_at": {
                "type": ["string", "null"],
                "description": "The time or the date from which the entry is public.",
            },
            "unpublish_at": {
                "type": ["string", "null"],
                "description": "The time from which the entry is no longer public; must be later than `published_at`.",
            },
            "author_id": { "type": "string", "description": "The id of a user." },
        }),
    )
}

/// Builds the schema of a body of the admin API for an entry, in which `null` clears any value.
fn admin_entry() -> Value {
    let mut entry = entry_head();
    entry["description"] =
        "Values by field name, at the top level or under `data`. An entry can be \
                            sent back as it was read."
            .into();
    let members = &mut entry["properties"];
    // As answers have it, each of them may be `null`.
    for member in members.as_object_mut().into_iter().flat_map(Map::values_mut) {
        match member.get_mut("enum") {
            Some(Value::Array(values)) => values.push(Value::Null),
            _ => member["type"] = json!(["string", "null"]),
        }
    }
    members["locale"] = json!({
        "type": ["string", "null"],
        "description": "The locale of the values at the top level.",
    });
    members["data"] = json!({ "type": "object", "description": "The values by field name." });
    members["translations"] = json!({
        "type": "object",
        "description": "Values in other locales; `null` deletes a translation.",
        "additionalProperties": { "type": ["object", "null"] },
    });
    entry
}

/// Builds the members of a content type that a request can set, from those that answers have.
fn content_type_members(content_type: &Value) -> Value {
    let settable = ["name"].iter().chain(SETTABLE);
    let mut members: Map<String, Value> = settable
        .filter_map(|it| Some((it.to_string(), content_type["properties"].get(it)?.clone())))
        .collect();
    members.insert(
        "preview".to_string(),
        json!({
            "type": "array",
            "items": schema_ref("PreviewTarget"),
            "maxItems": PREVIEW_TARGETS_MAX,
            "description": "The pages of a site that show an entry before it is public. Only the \
                            admin API returns them.",
        }),
    );
    members.insert("cache".to_string(), schema_ref("CachePolicy"));
    members.insert("views".to_string(), declared_view::body_schema());
    let rename = object_schema(
        &["from", "to"],
        json!({
            "from": { "type": "string", "description": "The current name of the field." },
            "to": { "type": "string", "description": "Its new name." },
        }),
    );
    members.insert(
        MIGRATIONS.to_string(),
        json!({
            "type": "array",
            "items": rename,
            "description": "The fields to rename in all entries; only when a type is changed.",
        }),
    );
    members.into()
}
