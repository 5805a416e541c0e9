//! Parts of JSON Schemas that derived schemas share.

use schemars::Schema;
use schemars::SchemaGenerator;
use schemars::json_schema;

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

/// Implements `JsonSchema` for a type whose schema is repeated wherever the type occurs.
macro_rules! inline_schema {
    ($type:ident $(<$lifetime:lifetime>)?, |$generator:pat_param| $schema:expr) => {
        impl schemars::JsonSchema for $type $(<$lifetime>)? {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> std::borrow::Cow<'static, str> {
                stringify!($type).into()
            }

            fn json_schema($generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
                $schema
            }
        }
    };
}

pub(crate) use inline_schema;
