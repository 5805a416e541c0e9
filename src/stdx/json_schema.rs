//! Parts of JSON Schemas that derived schemas share.

use schemars::{Schema, SchemaGenerator, json_schema};

/// The keyword by which a type marks an optional member of a body that may be `null`. Documents do
/// not contain it.
pub const NULLABLE: &str = "nullable";

/// Returns a reference to the schema of this name in the document of a generator. The document
/// defines it in another way than by deriving it.
pub fn reference_schema(generator: &SchemaGenerator, name: &str) -> Schema {
    let path = &generator.settings().definitions_path;
    json_schema!({ "$ref": format!("#{path}/{name}") })
}

/// Returns the schema of a text that is one of these values.
pub fn one_of_texts<'a>(values: impl IntoIterator<Item = &'a str>) -> Schema {
    let values: Vec<&str> = values.into_iter().collect();
    json_schema!({ "type": "string", "enum": values })
}
