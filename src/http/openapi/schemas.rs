//! The JSON Schemas of answers, and of what both documents share.
//!
//! The schemas of [`ANSWERS`] are derived from the types that answers are written from, and those
//! of bodies from the types that they are read into, so neither can differ from the code. Four
//! groups are built here, because no Rust type has their shape:
//!
//! - entries, whose members depend on the content types of a workspace and whose bytes are written
//!   by `query::render`;
//! - filters, which are operators by the way in which the values of a field compare;
//! - forms with files, which are read field by field (in [`request_bodies`]);
//! - the inputs of entries and content types, which are merged with what is stored, member by
//!   member (in [`input_schemas`]).
//!
//! The tests in `tests/it/api/openapi.rs` hold all of them to the service:
//! `every_answer_is_as_documented`, `writes_are_as_documented` and the tests named `refused_…`
//! check its answers against the document, and `documented_keys_and_operators_are_understood` tries
//! every filter and sort key.

use schemars::JsonSchema;
use serde_json::Map;
use serde_json::Value;
use serde_json::json;

use crate::app::content::entries::EntryListMeta;
use crate::app::done::Done;
use crate::app::error::Code;
use crate::app::media::CategoryList;
use crate::app::media::MediaView;
use crate::app::media::UploadOutcome;
use crate::app::media::categories::CategoryView;
use crate::app::media::list::MediaListMeta;
use crate::app::media::media_resolver::BareMedia;
use crate::app::remarks::Remarks;
use crate::app::system::health::HealthReport;
use crate::http::openapi::derived_schemas;
use crate::http::openapi::input_schemas;
use crate::http::openapi::json_schema::object_schema;
use crate::http::openapi::json_schema::schema_ref;
use crate::http::openapi::profile::OpenApiProfile;
use crate::http::openapi::request_bodies;
use crate::http::openapi::type_names::TypeNames;
use crate::http::request::error::ErrorEnvelope;
use crate::http::request::json_type::JsonType;
use crate::model::content_type::ContentType;
use crate::model::content_type::ContentTypeView;
use crate::model::content_type::cache_policy::CachePolicy;
use crate::model::content_type::preview_target::PreviewTarget;
use crate::model::entry::EntryStatus;
use crate::model::field::Comparison;
use crate::model::field::Field;
use crate::model::field::ValueForm;
use crate::query::request::filter::Operator;

/// The types of answers that do not depend on content types.
pub const ANSWERS: &[JsonType] = &[
    JsonType::of::<Remarks>(),
    JsonType::of::<CategoryList>(),
    JsonType::of::<UploadOutcome>(),
    JsonType::of::<CategoryView>(),
    JsonType::of::<ContentTypeView<'static>>(),
    JsonType::of::<Done>(),
    JsonType::of::<EntryListMeta<'static>>(),
    JsonType::of::<ErrorEnvelope<'static>>(),
    JsonType::of::<HealthReport>(),
    JsonType::of::<MediaListMeta>(),
    JsonType::of::<MediaView>(),
    JsonType::of::<BareMedia<'static>>(),
    JsonType::of::<PreviewTarget>(),
    JsonType::of::<CachePolicy>(),
];

/// Returns all schemas of the public API by name, with those of these content types.
pub(super) fn build_all(
    types: &[&ContentType],
    names: &TypeNames,
    profile: OpenApiProfile,
) -> Map<String, Value> {
    let mut found = build_untyped();
    keep_public_codes(&mut found);
    for ty in types {
        found.insert(names.entry_schema(Some(ty)), entry_of(ty, &names.data_schema(ty)));
        found.insert(names.data_schema(ty), data_of(ty, types, names, profile));
        found.insert(names.input_schema(Some(ty)), input_schemas::entry_of(ty));
    }
    found
}

/// Returns the schemas that do not depend on content types, by name.
pub(super) fn build_untyped() -> Map<String, Value> {
    let mut found = derived_schemas::define_replies(ANSWERS);
    let content_type = &found[&*ContentTypeView::schema_name()];
    let inputs = input_schemas::build_all(content_type);
    found.extend(inputs);
    found.insert(request_bodies::UPLOAD.to_string(), request_bodies::build_upload());
    found.insert("EntryHead".to_string(), entry_head());
    found.insert("Entry".to_string(), any_entry());
    for comparison in [Comparison::Number, Comparison::Bool, Comparison::DateTime, Comparison::Text]
    {
        found.insert(filter_name(comparison).to_string(), filter_schema(comparison));
    }
    found
}

/// Removes the error codes that only the admin API returns.
fn keep_public_codes(schemas: &mut Map<String, Value>) {
    let admin_only = |it: &&Code| it.is_admin_only();
    let admin_only: Vec<&str> = Code::ALL.iter().filter(admin_only).map(|it| it.as_str()).collect();
    let error = schemas.get_mut(&*ErrorEnvelope::schema_name());
    let codes = error.and_then(|it| it.pointer_mut("/properties/error/properties/code/enum"));
    if let Some(Value::Array(codes)) = codes {
        codes.retain(|it| it.as_str().is_none_or(|it| !admin_only.contains(&it)));
    }
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

/// Returns true if this is the schema of a media field as readers see it: only those hold lists of
/// addresses.
pub(super) fn is_media_list(schema: &Value) -> bool {
    schema.pointer("/items/format").is_some_and(|it| it == "uri")
}

fn filter_schema(comparison: Comparison) -> Value {
    let operand = |operator: Operator| match operator {
        Operator::Empty => json!({ "type": "boolean" }),
        Operator::In | Operator::Nin => {
            json!({ "type": "string" })
        }
        Operator::Contains | Operator::Starts => json!({ "type": "string" }),
        _ => operand_schema(comparison),
    };
    let property = |(name, operator): (&str, Operator)| {
        let mut schema = operand(operator);
        schema["description"] = format!("Matches if {}.", operator.description()).into();
        (name.to_string(), schema)
    };
    let properties: Map<String, Value> = Operator::ALL.into_iter().map(property).collect();
    json!({ "type": "object", "properties": properties, "additionalProperties": false })
}

const ABOUT_TYPE: &str = "The name of the content type.";
const ABOUT_LOCALE: &str = "The locale of the values; only if the type is localized.";
const ABOUT_HTML: &str = "With `render=html`: the HTML of the Markdown in `data`, in the same \
                          places. It is `null` where a text is too large or too deep.";

const ABOUT_DATA: &str =
    "The fields, in the order of the type. A field that the entry does not hold is absent.";

/// Builds the schema of the members of entries of all types, except those that differ between
/// types: generators cannot narrow inherited properties.
fn entry_head() -> Value {
    let time =
        |about: &str| json!({ "type": "string", "format": "date-time", "description": about });
    let statuses: Vec<&str> = EntryStatus::ALL.iter().map(|it| it.as_str()).collect();
    object_schema(
        &["id", "slug", "status", "title", "published_at", "created_at", "updated_at"],
        json!({
            "id": { "type": "string", "description": "The id, which never changes." },
            "slug": {
                "type": "string",
                "description": "The readable part of addresses, unique in its type; may change.",
            },
            "status": { "enum": statuses, "description": "The status that a person set." },
            "title": { "type": "string", "description": "The title." },
            "published_at": {
                "type": ["string", "null"],
                "format": "date-time",
                "description": "The time from which the entry is public, or `null`.",
            },
            "unpublish_at": time("The time from which the entry is no longer public; absent if it has no end."),
            "created_at": time("The time of creation."),
            "updated_at": time("The time of the last change."),
            "author_id": {
                "type": "string",
                "description": "The id of the author: of a user, or `tok_…` for a token; absent if unknown.",
            },
            "updated_by": {
                "type": "string",
                "description": "The id of the user or token that made the last change; absent if unknown.",
            },
        }),
    )
}

/// Builds the schema of an entry of any type.
fn any_entry() -> Value {
    let own = json!({
        "type": { "type": "string", "description": ABOUT_TYPE },
        "locale": { "type": "string", "description": ABOUT_LOCALE },
        "data": { "type": "object", "description": ABOUT_DATA },
        "data_html": { "type": "object", "description": ABOUT_HTML },
    });
    entry_schema(object_schema(&["type", "data"], own))
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
        "data_html": { "type": "object", "description": ABOUT_HTML },
    });
    if ty.is_localized() {
        let locales: Vec<&str> = ty.locales.iter().map(|it| it.as_str()).collect();
        properties["locale"] =
            json!({ "type": "string", "enum": locales, "description": ABOUT_LOCALE });
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

/// Builds the schema of the value of a field. That of a relation is an id, or the included entry;
/// media files are addresses, or items. Types that the reader does not know have no entries to
/// include.
fn value_of(field: &Field, types: &[&ContentType], names: &TypeNames) -> Value {
    let mut schema = field.json_schema(ValueForm::Shown);
    allow_media_items(&mut schema);
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

/// Allows what `media=full` shows in the place of an address, at any depth of a value.
fn allow_media_items(schema: &mut Value) {
    if is_media_list(schema) {
        let address = schema["items"].take();
        let item = schema_ref(&MediaView::schema_name());
        let bare = schema_ref(&BareMedia::schema_name());
        // Clients that try one after the other must try what has more members first.
        schema["items"] = json!({ "anyOf": [address, item, bare] });
        return;
    }
    match schema {
        Value::Object(members) => members.values_mut().for_each(allow_media_items),
        Value::Array(items) => items.iter_mut().for_each(allow_media_items),
        _ => {}
    }
}
