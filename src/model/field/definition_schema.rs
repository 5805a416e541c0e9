//! The JSON Schema of content type files, for completion and validation in editors.

use serde_json::Map;
use serde_json::Value;
use serde_json::json;

use crate::model::content_type::cache_policy;
use crate::model::content_type::declared_view;
use crate::model::content_type::feed;
use crate::model::content_type::preview_target;
use crate::model::content_type::preview_target::PREVIEW_TARGETS_MAX;
use crate::model::field::fields::close_schema;
use crate::model::field::kind::KindEntry;
use crate::model::field::limits::add_key;
use crate::model::field::registry::KINDS;
use crate::model::name::ICON_BYTES_MAX;
use crate::model::name::RESERVED_FIELD_NAMES;
use crate::model::unknown_keys::collector::ANNOTATIONS;

/// Returns the JSON Schema (draft 2020-12) of a file like `schemas/posts.json`: every key of a
/// content type and of each kind of field. Editors mark unknown keys, as `recto check` reports
/// them.
pub fn content_type_schema() -> Value {
    let mut schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Content type",
        "description": "A content type: the fields and rules of its entries.",
        "type": "object",
        "properties": content_type_properties(),
        "$defs": {
            "fields": fields_schema(),
            "field": { "$ref": "#/$defs/definition", "unevaluatedProperties": false },
            "definition": definition_schema(),
            "locale": { "type": "string", "pattern": "^[A-Za-z0-9_-]{1,35}$" },
        },
    });
    close_schema(&mut schema);
    schema
}

/// Returns the keys that a definition of this kind may have: the common ones and its own.
pub fn setting_names(kind: &KindEntry) -> Vec<String> {
    let own = match (kind.settings)() {
        Value::Object(map) => map,
        _ => Map::new(),
    };
    let names = common_properties().into_iter().chain(own).map(|(name, _)| name);
    std::iter::once("type".to_string()).chain(names).collect()
}

fn content_type_properties() -> Value {
    json!({
        "name": name_schema(),
        "label": { "type": "string", "description": "The name that people see." },
        "label_singular": {
            "type": "string",
            "description": "The name of one entry that people see, such as `post`.",
        },
        "icon": {
            "type": "string",
            "maxLength": ICON_BYTES_MAX,
            "default": "file-text",
            "description": "An icon of the admin interface.",
        },
        "singleton": {
            "type": "boolean",
            "default": false,
            "description": "True if the type has a single entry, named like the type.",
        },
        "slug_field": {
            "type": "string",
            "default": "slug",
            "description": "The field that holds the slug.",
        },
        "slug_source": {
            "type": "string",
            "default": "title",
            "description": "The field that a new entry's slug is made from.",
        },
        "locales": locales_schema(),
        "default_locale": {
            "anyOf": [{ "const": "" }, { "$ref": "#/$defs/locale" }],
            "description": "The locale of requests that name none.",
        },
        "root_locale": {
            "anyOf": [{ "type": "null" }, { "const": "" }, { "$ref": "#/$defs/locale" }],
            "description": "The locale of the values outside `translations`. Never changes.",
        },
        "visibility": {
            "enum": ["public", "private"],
            "default": "public",
            "description": "Entries of a private type are seen only by those who may read them.",
        },
        "drafts": {
            "type": "boolean",
            "default": false,
            "description": "True if published entries are worked on beside what is live, by those \
                            who may not publish.",
        },
        "preview": preview_schema(),
        "feed": feed_schema(),
        "cache": cache_schema(),
        "views": declared_view::file_schema(),
        "renames": renames_schema(),
        "fields": {
            "$ref": "#/$defs/fields",
            "description": "The fields in order. `title` and `slug` are added when absent.",
        },
    })
}

fn name_schema() -> Value {
    json!({
        "type": "string",
        "pattern": "^[A-Za-z0-9_-]{1,64}$",
        "description": "The name of the type, which is also the name of this file.",
    })
}

fn locales_schema() -> Value {
    json!({
        "type": "array",
        "items": { "$ref": "#/$defs/locale" },
        "uniqueItems": true,
        "description": "The locales of the entries; empty if the type is not localized.",
    })
}

fn feed_schema() -> Value {
    let mut feed = feed::file_schema();
    close_schema(&mut feed);
    feed
}

fn cache_schema() -> Value {
    let mut policy = cache_policy::file_schema();
    close_schema(&mut policy);
    policy
}

fn preview_schema() -> Value {
    let mut target = preview_target::file_schema();
    close_schema(&mut target);
    json!({
        "type": "array",
        "items": target,
        "maxItems": PREVIEW_TARGETS_MAX,
        "description": "The pages of a site that show an entry before it is public.",
    })
}

fn renames_schema() -> Value {
    json!({
        "type": "array",
        "description": "Fields that were renamed, so that old revisions can be read.",
        "items": {
            "type": "object",
            "properties": { "from": { "type": "string" }, "to": { "type": "string" } },
        },
    })
}

fn fields_schema() -> Value {
    json!({
        "type": "object",
        "description": "Definitions by the name of the field.",
        "propertyNames": {
            "pattern": "^[A-Za-z_][A-Za-z0-9_]{0,63}$",
            "not": { "enum": RESERVED_FIELD_NAMES },
        },
        "additionalProperties": { "$ref": "#/$defs/field" },
    })
}

/// Returns the schema of a definition: the keys that all kinds share, and the keys of each kind. A
/// schema that refers to it must exclude other keys itself.
fn definition_schema() -> Value {
    let names: Vec<&str> = KINDS.iter().map(|it| it.name).collect();
    let about: Vec<&str> = KINDS.iter().map(|it| it.about).collect();
    let mut schema = json!({
        "type": "object",
        "properties": common_properties(),
        "patternProperties": { ANNOTATIONS: {} },
        "allOf": KINDS.iter().map(own_keys).collect::<Vec<_>>(),
    });
    schema["properties"]["type"] = json!({
        "enum": names,
        "enumDescriptions": about, // read by editors
        "default": "text",
        "description": "The kind of the field.",
    });
    schema
}

fn own_keys(kind: &KindEntry) -> Value {
    let mut then = json!({ "description": kind.about, "properties": (kind.settings)() });
    if kind.name == "relation" {
        add_key(&mut then, "required", Some(vec!["target"]));
    }
    // A definition without a type is a text field.
    let required: &[&str] = if kind.name == "text" { &[] } else { &["type"] };
    let is_kind = json!({ "properties": { "type": { "const": kind.name } }, "required": required });
    json!({ "if": is_kind, "then": then })
}

fn common_properties() -> Map<String, Value> {
    let condition = json!({ "type": ["array", "string", "number", "boolean", "null"] });
    let properties = json!({
        "label": { "type": "string", "description": "The name that people see." },
        "description": { "type": "string", "description": "A sentence that explains the field." },
        "required": { "type": "boolean", "description": "True if an empty value is refused." },
        "default": { "description": "The value of new entries that are sent without one." },
        "localized": {
            "type": "boolean",
            "default": true,
            "description": "True if each locale has a value of its own.",
        },
        "unique": {
            "type": "boolean",
            "description": "True if no two entries of the type may have the same value.",
        },
        "layout": {
            "type": "object",
            "properties": {
                "width": {
                    "enum": ["1/3", "1/2", "2/3", "full"],
                    "description": "The width of the input in the form.",
                },
            },
        },
        "hidden": { "type": "boolean", "description": "True if the interface hides the field." },
        "readonly": { "type": "boolean", "description": "True if the interface shows the field \
                                                         without an input." },
        "visible_if": {
            "type": "object",
            "description": "Other fields, each with the value or the list of values that makes \
                            this field visible. A field that is not visible is not required.",
            "additionalProperties": condition,
        },
    });
    match properties {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::content_type::type_change::KEYS;
    use crate::model::field::kind_test::ALL_SAMPLES;

    #[test]
    fn knows_every_kind_and_key() {
        let schema = content_type_schema();
        let validator = jsonschema::validator_for(&schema).unwrap();
        for (kind, samples) in ALL_SAMPLES {
            for sample in *samples {
                let field: Value = serde_json::from_str(sample.definition).unwrap();
                let file = json!({ "name": "posts", "fields": { "x": field } });
                let found: Vec<_> = validator.iter_errors(&file).map(|it| it.to_string()).collect();
                assert!(found.is_empty(), "{kind}: {found:?}");
            }
        }
    }

    #[test]
    fn knows_every_key_of_a_type() {
        let schema = content_type_schema();
        for key in KEYS {
            assert!(schema["properties"].get(key).is_some(), "{key}");
        }
        let file =
            json!({ "drafts": true, "preview": [{ "label": "A", "url": "https://a.org/" }] });
        assert!(jsonschema::validator_for(&schema).unwrap().is_valid(&file));
    }

    #[test]
    fn refuses_what_recto_refuses() {
        let schema = content_type_schema();
        let validator = jsonschema::validator_for(&schema).unwrap();
        let check = |field: Value| {
            let file = json!({ "fields": { "x": field } });
            assert!(!validator.is_valid(&file), "{file}");
        };
        check(json!({ "type": "nope" }));
        check(json!({ "requierd": true }));
        check(json!({ "type": "number", "min_length": 3 }));
        check(json!({ "type": "repeater", "subfields": [{ "key": "a", "requierd": true }] }));
        check(json!({ "type": "object", "fields": { "a": { "requierd": true } } }));
        check(json!({ "type": "blocks", "blocks": { "a": { "feilds": {} } } }));
        check(json!({ "type": "relation" }));
        check(json!({ "min_length": -1 }));
        check(json!({ "type": "number", "step": 0 }));
        check(json!({ "type": "repeater", "subfields": [{ "type": "text" }] }));
        check(json!({ "type": "object", "fields": { "a": { "type": "select", "options": 5 } } }));
        check(json!({ "type": "blocks", "blocks": { "a": { "fields": { "id": {} } } } }));
        for target in [
            json!({ "label": "Site" }),
            json!({ "url": "https://a.org" }),
            json!({ "label": "Site", "url": "ftp://a.org" }),
            json!({ "label": "Site", "url": "https://a.org", "adress": 1 }),
        ] {
            assert!(!validator.is_valid(&json!({ "preview": [target] })), "{target}");
        }
        assert!(!validator.is_valid(&json!({ "drafts": "yes" })));
        assert!(!validator.is_valid(&json!({ "fields": { "id": {} } })));
        assert!(!validator.is_valid(&json!({ "feilds": {} })));
        let annotated = json!({ "$schema": "x", "x-team": 1, "fields": { "a": { "x-cell": 2 } } });
        assert!(validator.is_valid(&annotated));
    }
}
