//! The arguments of tools: from one table come their JSON Schemas and how they are read.

use serde_json::Value;
use serde_json::json;

use crate::app::error::Error;
use crate::app::error::Result;
use crate::model::input::ObjectReader;
use crate::model::input::wording;
use crate::query::request::filter::Operator;
use crate::stdx::json::Json;
use crate::stdx::json::Map;

/// An argument of a tool.
pub(super) struct Argument {
    pub(super) name: &'static str,
    pub(super) kind: ArgumentKind,
    pub(super) required: bool,
    pub(super) about: &'static str,
}

/// The kind of an argument.
#[derive(Clone, Copy)]
pub(super) enum ArgumentKind {
    Text,
    Flag,
    /// A whole number within these limits.
    Count {
        least: u64,
        most: u64,
    },
    /// A list of texts.
    Names,
    OneOf(&'static [&'static str]),
    /// Values by field.
    Values,
    /// Values, or values by operator, by field.
    Filter,
}

impl Argument {
    pub(super) const fn optional(
        name: &'static str,
        kind: ArgumentKind,
        about: &'static str,
    ) -> Argument {
        Argument { name, kind, required: false, about }
    }

    pub(super) const fn required(
        name: &'static str,
        kind: ArgumentKind,
        about: &'static str,
    ) -> Argument {
        Argument { name, kind, required: true, about }
    }

    fn schema(&self) -> Value {
        let mut schema = match self.kind {
            ArgumentKind::Text => json!({ "type": "string" }),
            ArgumentKind::Flag => json!({ "type": "boolean" }),
            ArgumentKind::Count { least, most } => {
                json!({ "type": "integer", "minimum": least, "maximum": most })
            }
            ArgumentKind::Names => json!({ "type": "array", "items": { "type": "string" } }),
            ArgumentKind::OneOf(names) => json!({ "type": "string", "enum": names }),
            ArgumentKind::Values => json!({ "type": "object" }),
            ArgumentKind::Filter => filter_schema(),
        };
        schema["description"] = self.about.into();
        schema
    }

    /// Adds what is wrong with a value.
    fn check(&self, input: &mut ObjectReader<'_>) {
        let name = self.name;
        match self.kind {
            ArgumentKind::Text => drop(input.text(name)),
            ArgumentKind::Flag => drop(input.flag(name)),
            ArgumentKind::Count { least, most } => {
                let is_within = |it: &Json| match it {
                    Json::Number(it) => it.as_u64().is_some_and(|it| (least..=most).contains(&it)),
                    _ => false,
                };
                if input.value(name).is_some_and(|it| !is_within(it)) {
                    input.add_problem(name, wording::not_whole_within(least, most));
                }
            }
            ArgumentKind::Names => drop(input.texts(name)),
            ArgumentKind::OneOf(names) => {
                let parse = |text: &str| names.contains(&text).then_some(());
                input.choice(name, names.iter().copied(), parse);
            }
            ArgumentKind::Values | ArgumentKind::Filter => drop(input.object(name)),
        }
        if self.required && input.value(name).is_none_or(|it| *it == Json::String(String::new())) {
            input.add_problem(name, wording::REQUIRED);
        }
    }
}

fn filter_schema() -> Value {
    let names: Vec<&str> = Operator::ALL.iter().map(|(name, _)| *name).collect();
    let value = json!({ "type": ["string", "number", "boolean"] });
    let list = json!({ "type": "array", "items": value });
    let by_operator = json!({
        "type": "object",
        "propertyNames": { "enum": names },
        "additionalProperties": { "anyOf": [value, list] },
    });
    json!({
        "type": "object",
        "additionalProperties": { "anyOf": [value, list, by_operator] },
    })
}

/// Builds the schema of the arguments of a tool.
pub(super) fn build_schema(arguments: &[&[Argument]]) -> Value {
    let all = || arguments.iter().copied().flatten();
    let properties: serde_json::Map<String, Value> =
        all().map(|it| (it.name.to_string(), it.schema())).collect();
    let required: Vec<&str> = all().filter(|it| it.required).map(|it| it.name).collect();
    let mut schema =
        json!({ "type": "object", "properties": properties, "additionalProperties": false });
    if !required.is_empty() {
        schema["required"] = required.into();
    }
    schema
}

/// The arguments of a call, which are of the kinds that the tool asks for.
pub(super) struct ToolArguments<'a>(&'a Map);

impl<'a> ToolArguments<'a> {
    /// Checks the arguments of a call. All problems are reported.
    pub(super) fn parse(known: &[&[Argument]], given: &'a Map) -> Result<ToolArguments<'a>> {
        let mut input = ObjectReader::new(given);
        let all = || known.iter().copied().flatten();
        let names: Vec<&str> = all().map(|it| it.name).collect();
        input.refuse_unknown_keys(&names, "This tool has no such argument.");
        all().for_each(|it| it.check(&mut input));
        input.into_result(ToolArguments(given)).map_err(Error::invalid)
    }

    pub(super) fn text(&self, name: &str) -> Option<&'a str> {
        self.0.get(name).and_then(Json::as_str).filter(|it| !it.is_empty())
    }

    /// Returns a text that the tool requires.
    pub(super) fn required_text(&self, name: &str) -> &'a str {
        self.text(name).unwrap_or_default()
    }

    pub(super) fn flag(&self, name: &str) -> bool {
        self.0.get(name).and_then(Json::as_bool).unwrap_or_default()
    }

    pub(super) fn count(&self, name: &str) -> Option<usize> {
        match self.0.get(name)? {
            Json::Number(number) => number.as_u64().and_then(|it| usize::try_from(it).ok()),
            _ => None,
        }
    }

    pub(super) fn names(&self, name: &str) -> impl Iterator<Item = &'a str> {
        let list = self.0.get(name).and_then(Json::as_array).unwrap_or_default();
        list.iter().filter_map(Json::as_str)
    }

    pub(super) fn object(&self, name: &str) -> Option<&'a Map> {
        self.0.get(name).and_then(Json::as_object)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stdx::json::from_text::map;

    const KNOWN: &[Argument] = &[
        Argument::required("type", ArgumentKind::Text, ""),
        Argument::optional("limit", ArgumentKind::Count { least: 1, most: 9 }, ""),
        Argument::optional("sort", ArgumentKind::OneOf(&["a", "b"]), ""),
        Argument::optional("fields", ArgumentKind::Names, ""),
        Argument::optional("filter", ArgumentKind::Filter, ""),
        Argument::optional("dry_run", ArgumentKind::Flag, ""),
    ];

    #[test]
    fn the_schema_accepts_what_is_read() {
        let schema = build_schema(&[KNOWN]);
        let validator = jsonschema::validator_for(&schema).unwrap();
        let check = |text: &str, expect: &str| {
            let given = map(text);
            let problems = match ToolArguments::parse(&[KNOWN], &given) {
                Ok(_) => String::new(),
                Err(error) => {
                    error.fields.iter().map(|(path, _)| path).collect::<Vec<_>>().join(" ")
                }
            };
            assert_eq!(problems, expect, "{text}");
            let value = serde_json::from_str(text).unwrap();
            // An empty text is missing, which schemas do not say.
            if !text.contains(r#""""#) {
                assert_eq!(validator.is_valid(&value), expect.is_empty(), "{text}");
            }
        };
        check(r#"{"type":"posts","limit":9,"sort":"a","fields":["x"],"dry_run":true}"#, "");
        check(r#"{"type":"posts","filter":{"a":1,"b":{"gte":2,"in":["x"]},"c":["y"]}}"#, "");
        check("{}", "type");
        check(r#"{"type":""}"#, "type");
        check(r#"{"type":7,"limit":0,"sort":"c","x":1}"#, "x type limit sort");
        check(r#"{"type":"a","fields":[1],"dry_run":"yes","filter":[]}"#, "fields filter dry_run");
    }
}
