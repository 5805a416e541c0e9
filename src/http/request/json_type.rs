//! References from route rows to the types that bodies are read into and replies are written from.

use std::borrow::Cow;
use std::fmt;

use schemars::JsonSchema;
use schemars::Schema;
use schemars::SchemaGenerator;

/// A type with a JSON Schema, as a value. Two are equal if their schemas have the same name.
#[derive(Clone, Copy)]
pub struct JsonType {
    name: fn() -> Cow<'static, str>,
    define: fn(&mut SchemaGenerator) -> Schema,
}

impl JsonType {
    /// Returns the reference to a type.
    pub const fn of<T: JsonSchema>() -> JsonType {
        JsonType { name: T::schema_name, define: SchemaGenerator::subschema_for::<T> }
    }

    /// Returns the name of its schema in the OpenAPI document.
    pub fn schema_name(self) -> Cow<'static, str> {
        (self.name)()
    }

    /// Adds its schema, and those that it references, to the definitions of a generator.
    pub fn define_in(self, generator: &mut SchemaGenerator) {
        (self.define)(generator);
    }
}

impl fmt::Debug for JsonType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.schema_name())
    }
}

impl PartialEq for JsonType {
    fn eq(&self, other: &JsonType) -> bool {
        self.schema_name() == other.schema_name()
    }
}

impl Eq for JsonType {}
