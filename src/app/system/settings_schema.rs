//! The schemas of the settings in requests and answers, from the rows of [`EDITABLE`].

use std::collections::BTreeMap;

use schemars::Schema;
use schemars::generate::Contract;
use schemars::json_schema;
use serde_json::Map;
use serde_json::Value;

use crate::model::settings::EDITABLE;
use crate::model::settings::EditableSetting;
use crate::stdx::json_schema::NULLABLE;

/// Returns the schema of an object with the settings, and `about` as its description. An answer has
/// all of them. A request may leave out each, and `null` restores its default.
pub(super) fn describe_settings(about: &str, contract: &Contract) -> Schema {
    let mut groups: BTreeMap<&str, Map<String, Value>> = BTreeMap::new();
    for row in EDITABLE {
        let (group, name) = row.key.split_once('.').unwrap_or(("", row.key));
        let value = describe_value(row, contract);
        groups.entry(group).or_default().insert(name.to_string(), value.into());
    }
    let mut members = groups.remove("").unwrap_or_default();
    for (name, group) in groups {
        let mut schema = describe_object(group, contract);
        schema.insert("description".to_string(), "A group of settings.".into());
        if contract.is_deserialize() {
            allow_null(&mut schema);
        }
        members.insert(name.to_string(), schema.into());
    }
    let mut schema = describe_object(members, contract);
    schema.insert("description".to_string(), about.into());
    schema
}

fn describe_object(members: Map<String, Value>, contract: &Contract) -> Schema {
    let mut schema = json_schema!({ "type": "object" });
    if members.is_empty() {
        return schema;
    }
    if contract.is_serialize() {
        let names: Vec<Value> = members.keys().map(|it| it.as_str().into()).collect();
        schema.insert("required".to_string(), names.into());
    }
    schema.insert("properties".to_string(), members.into());
    schema
}

fn describe_value(row: &EditableSetting, contract: &Contract) -> Schema {
    let mut schema = (row.schema)();
    if schema.get("description").is_none() {
        schema.insert("description".to_string(), format!("{}.", row.about).into());
    }
    if contract.is_deserialize() {
        allow_null(&mut schema);
    }
    schema
}

fn allow_null(schema: &mut Schema) {
    if let Some(kind @ Value::String(_)) = schema.get_mut("type") {
        *kind = Value::Array(vec![kind.take(), "null".into()]);
    }
    schema.insert(NULLABLE.to_string(), true.into());
}
