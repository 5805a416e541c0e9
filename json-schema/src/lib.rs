//! The JSON Schemas of `json` fields, compiled by `jsonschema`.
//!
//! This is a crate of its own for the size of the program. Crates that are optimized for size share
//! the generic code of their dependencies. `recto` is optimized for speed: it would get its own
//! copy of the whole validator, beside the one with which `jsonschema` validates schemas.

use jsonschema::PatternOptions;
use jsonschema::Validator;
use serde_json::Value;

/// A compiled JSON Schema.
#[derive(Debug)]
pub struct SchemaValidator(Validator);

/// What is wrong with a schema, or with a value that does not match it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SchemaDefect {
    /// The JSON pointer of the part that is wrong.
    pub pointer: String,
    /// What is wrong, as a sentence without its full stop. It calls the part “this”.
    pub message: String,
}

impl SchemaValidator {
    /// Compiles a schema. Its patterns are matched in linear time and take at most
    /// `pattern_bytes_max` bytes each when compiled: with backtracking, a pattern could keep a
    /// server busy forever. Nothing outside of the schema is read.
    ///
    /// # Errors
    ///
    /// Returns the first defect of the schema.
    pub fn compile(
        schema: &Value,
        pattern_bytes_max: usize,
    ) -> Result<SchemaValidator, SchemaDefect> {
        let patterns = PatternOptions::regex().size_limit(pattern_bytes_max);
        let options = jsonschema::options().with_pattern_options(patterns).offline();
        let validator = options.build(schema).map_err(|error| SchemaDefect {
            pointer: error.instance_path().as_str().to_owned(),
            message: error.masked_with("this").to_string(),
        })?;
        Ok(SchemaValidator(validator))
    }

    /// Returns true if a value matches the schema.
    pub fn is_valid(&self, value: &Value) -> bool {
        self.0.is_valid(value)
    }

    /// Returns the first `max` defects of a value.
    pub fn list_defects(&self, value: &Value, max: usize) -> Vec<SchemaDefect> {
        let defects = self.0.iter_errors(value).take(max).map(|error| SchemaDefect {
            pointer: error.instance_path().as_str().to_owned(),
            message: error.masked_with("This").to_string(),
        });
        defects.collect()
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn defects_are_told_with_their_places() {
        let schema = json!({ "items": { "type": "string", "pattern": "^a" } });
        let schema = SchemaValidator::compile(&schema, 10_000).unwrap();
        assert!(schema.is_valid(&json!(["a", "ab"])));
        assert_eq!(schema.list_defects(&json!(["a"]), 9), []);
        let value = json!(["b", "a", 1]);
        assert!(!schema.is_valid(&value));
        let defects = schema.list_defects(&value, 9);
        let pointers: Vec<&str> = defects.iter().map(|it| it.pointer.as_str()).collect();
        assert_eq!(pointers, ["/0", "/2"]);
        assert!(defects[1].message.starts_with("This is not of type"), "{}", defects[1].message);
        assert_eq!(schema.list_defects(&value, 1), defects[..1]);
    }

    #[test]
    fn schemas_that_cannot_be_used_are_refused() {
        let refused = |schema: Value| SchemaValidator::compile(&schema, 10_000).unwrap_err();
        assert_eq!(refused(json!({ "items": { "type": "nope" } })).pointer, "/items/type");
        assert_eq!(refused(json!({ "pattern": "(a" })).pointer, "/pattern");
        // Looking around wants backtracking.
        assert_eq!(refused(json!({ "pattern": "(?=a)b" })).pointer, "/pattern");
        assert_eq!(refused(json!({ "pattern": "(a{1000}){1000}" })).pointer, "/pattern");
        refused(json!({ "$ref": "https://example.org/schema.json" }));
        refused(json!({ "$ref": "file:///etc/hosts" }));
    }
}
