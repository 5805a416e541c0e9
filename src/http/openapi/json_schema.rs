//! Parts that JSON Schemas are put together from.

use serde_json::Value;
use serde_json::json;

/// The path of all schemas in a document.
pub(super) const SCHEMAS_PATH: &str = "/components/schemas";

/// A reference to the schema of this name.
pub(super) fn schema_ref(name: &str) -> Value {
    json!({ "$ref": schema_path(name) })
}

/// Returns the path of the schema of this name.
pub(super) fn schema_path(name: &str) -> String {
    format!("#{SCHEMAS_PATH}/{name}")
}

/// The schema of an object with these properties.
pub(super) fn object_schema(required: &[&str], properties: Value) -> Value {
    json!({ "type": "object", "required": required, "properties": properties })
}
