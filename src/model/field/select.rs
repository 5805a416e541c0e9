//! `select`: one or several of the options listed in the definition.

use std::collections::HashMap;
use std::collections::HashSet;

use serde_json::Value;
use serde_json::json;

use crate::model::field::definition::FieldDefinition;
use crate::model::field::kind::Comparison;
use crate::model::field::kind::FieldKind;
use crate::model::field::kind::KindEntry;
use crate::model::field::kind::ValueForm;
use crate::model::field::value_context::InputCheck;
use crate::model::field::value_path::item_path;
use crate::model::field::value_text::push_text;
use crate::model::field::value_text::scalar_text;
use crate::model::field::value_writer::ValueWriter;
use crate::model::field::value_writer::write_list;
use crate::model::input::wording;
use crate::model::problem::FieldProblems;
use crate::model::sentence::Sentence;
use crate::model::sentence::sentence;
use crate::stdx::json::Json;

pub(super) const KIND: KindEntry = KindEntry {
    name: "select",
    about: "One of the given options, or several.",
    parse: |definition| Box::new(SelectField::parse(definition)),
    settings,
};

#[derive(Debug)]
struct SelectField {
    /// The stored values, distinguished by their texts.
    options: Vec<Json>,
    /// The index of each option by its text.
    places: HashMap<String, usize>,
    multiple: bool,
}

impl SelectField {
    fn parse(definition: &mut FieldDefinition<'_>) -> SelectField {
        let (mut options, mut places) = (Vec::new(), HashMap::new());
        match definition.get("options") {
            None => {}
            Some(Json::Array(items)) => {
                for (index, item) in items.iter().enumerate() {
                    let path = format!("options[{index}]");
                    match parse_option(item, &path, definition.problems) {
                        Some((text, _)) if places.contains_key(&text) => {
                            let problem = format!("The option `{text}` occurs twice.");
                            definition.problems.add(path, problem);
                        }
                        Some((text, value)) => {
                            places.insert(text, options.len());
                            options.push(value.clone());
                        }
                        None => {}
                    }
                }
            }
            Some(Json::Object(map)) => {
                for (value, label) in map.iter() {
                    let path = format!("options.{value}");
                    check_label(Some(label), &path, definition.problems);
                    places.insert(value.to_string(), options.len());
                    options.push(Json::from(value));
                }
            }
            Some(other) => {
                definition.add_type_problem("options", "a list, or a map to labels", other)
            }
        }
        SelectField { options, places, multiple: definition.get_flag("multiple", false) }
    }

    /// Returns the option that was sent, with its index.
    fn find_option(&self, input: &Json) -> Result<(usize, &Json), Sentence> {
        let Some(text) = scalar_text(input) else {
            return Err(wording::wrong_type("one of the options", input).into());
        };
        let place = self.places.get(&*text);
        let found = place.and_then(|it| Some((*it, self.options.get(*it)?)));
        found.ok_or_else(|| self.describe_refusal(&text))
    }

    fn describe_refusal(&self, text: &str) -> Sentence {
        /// The maximum number of options listed in the message.
        const NAMED_MAX: usize = 12;
        match self.options.len() {
            0 => Sentence::from("There are no options to choose from."),
            1..=NAMED_MAX => {
                let options: Vec<_> = self.options.iter().filter_map(scalar_text).collect();
                let options = options.join(", ");
                sentence!("`{text}` is not one of the options: {options}.", text, options)
            }
            _ => sentence!("`{text}` is not one of the options.", text),
        }
    }

    fn accept_many(&self, input: &Json, problems: &mut FieldProblems) -> Json {
        let mut accepted: Vec<Json> = Vec::new();
        let mut chosen: HashSet<usize> = HashSet::new();
        let (items, is_list) = match input {
            Json::Array(items) => (items.as_slice(), true),
            single => (std::slice::from_ref(single), false),
        };
        for (index, item) in items.iter().enumerate() {
            match self.find_option(item) {
                Ok((place, option)) if chosen.insert(place) => accepted.push(option.clone()),
                Ok(_) => {}
                Err(problem) => {
                    problems.add(if is_list { item_path(index) } else { String::new() }, problem);
                }
            }
        }
        Json::Array(accepted)
    }
}

/// Parses an option of a definition and returns it with its text.
fn parse_option<'a>(
    item: &'a Json,
    path: &str,
    problems: &mut FieldProblems,
) -> Option<(String, &'a Json)> {
    let value = match item {
        Json::Object(map) => {
            check_label(map.get("label"), path, problems);
            map.get("value").unwrap_or(&Json::Null)
        }
        value => value,
    };
    let text = scalar_text(value).map(|it| (it.into_owned(), value));
    if text.is_none() {
        problems.add(path, "An option is a value, or an object with `value` and `label`.");
    }
    text
}

fn check_label(label: Option<&Json>, path: &str, problems: &mut FieldProblems) {
    if let Some(label) = label.filter(|it| **it != Json::Null && scalar_text(it).is_none()) {
        problems.add(path, wording::wrong_type(wording::STRING, label));
    }
}

impl FieldKind for SelectField {
    fn accept_input(&self, input: &Json, check: &mut InputCheck<'_>) -> Json {
        if input.is_empty() {
            return self.empty_value();
        }
        if self.multiple {
            return self.accept_many(input, check.problems);
        }
        match self.find_option(input) {
            Ok((_, option)) => option.clone(),
            Err(problem) => {
                check.problems.add("", problem);
                Json::Null
            }
        }
    }

    fn empty_value(&self) -> Json {
        if self.multiple { Json::Array(Vec::new()) } else { Json::Null }
    }

    /// Shows a list or a single value as the definition requires, even if `multiple` was changed
    /// since the value was stored.
    fn write_shown(&self, stored: &Json, show: &mut ValueWriter<'_>) {
        match stored {
            Json::Array(items) if !self.multiple => {
                items.first().unwrap_or(&Json::Null).write_compact(&mut show.out);
            }
            Json::Null if self.multiple => show.out.extend_from_slice(b"[]"),
            Json::Array(_) | Json::Null => stored.write_compact(&mut show.out),
            single if self.multiple => {
                write_list(&mut show.out, std::iter::once(single), |out, it| it.write_compact(out));
            }
            single => single.write_compact(&mut show.out),
        }
    }

    fn comparison(&self) -> Comparison {
        Comparison::Text
    }

    fn collect_text(&self, value: &Json, out: &mut String) {
        match value {
            Json::Array(items) => {
                let texts = items.iter().filter_map(scalar_text);
                texts.for_each(|it| push_text(&it, out));
            }
            single => push_text(&scalar_text(single).unwrap_or_default(), out),
        }
    }

    fn json_schema(&self, form: ValueForm) -> Value {
        let mut options: Vec<Value> = self.options.iter().map(Value::from).collect();
        if form == ValueForm::Input {
            let texts = self.options.iter().filter(|it| it.as_str().is_none());
            options.extend(texts.filter_map(scalar_text).map(|it| it.into()));
        }
        if self.multiple {
            let items = if options.is_empty() { json!({}) } else { json!({ "enum": options }) };
            let list = json!({ "type": ["array", "null"], "items": items });
            return match form {
                ValueForm::Input => json!({ "anyOf": [list, { "enum": with_empty(options) }] }),
                ValueForm::Shown | ValueForm::Stored => list,
            };
        }
        json!({ "enum": with_empty(options) })
    }
}

/// Adds the empty values to the options.
fn with_empty(mut options: Vec<Value>) -> Vec<Value> {
    for empty in [Value::Null, "".into()] {
        if !options.contains(&empty) {
            options.push(empty);
        }
    }
    options
}

fn settings() -> Value {
    let value = json!({ "type": ["string", "number", "boolean"] });
    json!({
        "options": {
            "description": "The options to choose from: values, or values with labels.",
            "anyOf": [
                {
                    "type": "array",
                    "items": {
                        "anyOf": [
                            value,
                            {
                                "type": "object",
                                "required": ["value"],
                                "properties": {
                                    "value": {
                                        "type": ["string", "number", "boolean"],
                                        "description": "The value that is stored.",
                                    },
                                    "label": {
                                        "type": ["string", "number", "boolean", "null"],
                                        "description": "The name that people see.",
                                    },
                                },
                            },
                        ],
                    },
                },
                {
                    "type": "object",
                    "description": "Labels by value.",
                    "additionalProperties": { "type": ["string", "number", "boolean", "null"] },
                },
            ],
        },
        "multiple": {
            "type": "boolean",
            "description": "True if several options can be chosen; the value is then a list.",
        },
    })
}

#[cfg(test)]
pub(super) const SAMPLES: &[super::kind_test::Sample] = &[
    super::kind_test::Sample {
        definition: r#"{"type":"select","options":["a",2,true]}"#,
        accepted: &[
            (r#""a""#, r#""a""#),
            (r#""2""#, "2"),
            ("2", "2"),
            (r#""true""#, "true"),
            (r#""""#, "null"),
        ],
        refused: &[(r#""b""#, ""), (r#"["a"]"#, ""), (r#"{"value":"a"}"#, "")],
        shown: &[(r#""gone""#, r#""gone""#), (r#"["a","b"]"#, r#""a""#), ("[]", "null")],
        broken: &[
            (r#"{"options":"a,b"}"#, "options"),
            (r#"{"options":["a","a"]}"#, "options[1]"),
            (r#"{"options":[1,"1"]}"#, "options[1]"),
            (r#"{"options":[["a"]]}"#, "options[0]"),
            (r#"{"options":[{"label":"A"}]}"#, "options[0]"),
            (r#"{"options":[{"value":"a","label":{}}]}"#, "options[0]"),
            (r#"{"options":{"a":["A"]}}"#, "options.a"),
            (r#"{"multiple":1}"#, "multiple"),
        ],
    },
    super::kind_test::Sample {
        definition: r#"{"type":"select","multiple":true,
            "options":[{"value":"a","label":"A"},{"value":1},"c"]}"#,
        accepted: &[
            (r#"["a","1","a",1]"#, r#"["a",1]"#),
            (r#""c""#, r#"["c"]"#),
            (r#""""#, "[]"),
            ("[]", "[]"),
        ],
        refused: &[
            (r#"["a","b"]"#, "[1]"),
            (r#"["a",["c"]]"#, "[1]"),
            (r#"[null]"#, "[0]"),
            (r#""b""#, ""),
        ],
        shown: &[("null", "[]"), (r#""a""#, r#"["a"]"#), (r#"["gone"]"#, r#"["gone"]"#)],
        broken: &[],
    },
    super::kind_test::Sample {
        definition: r#"{"type":"select","options":{"a":"A","b":"B"}}"#,
        accepted: &[(r#""b""#, r#""b""#)],
        refused: &[(r#""B""#, "")],
        shown: &[],
        broken: &[],
    },
    super::kind_test::Sample {
        definition: r#"{"type":"select"}"#,
        accepted: &[(r#""""#, "null")],
        refused: &[(r#""a""#, "")],
        shown: &[],
        broken: &[],
    },
];
