//! `repeater`: a list of rows with the same fields.

use serde_json::Value;
use serde_json::json;

use crate::model::field::definition::FieldDefinition;
use crate::model::field::kind::Comparison;
use crate::model::field::kind::FieldKind;
use crate::model::field::kind::Fields;
use crate::model::field::kind::KindEntry;
use crate::model::field::kind::Reference;
use crate::model::field::kind::ValueForm;
use crate::model::field::limits::ItemLimits;
use crate::model::field::limits::add_key;
use crate::model::field::on_delete::OnDelete;
use crate::model::field::previous_value::PreviousValue;
use crate::model::field::row_matching::PreviousRows;
use crate::model::field::value_context::InputCheck;
use crate::model::field::value_path::item_path;
use crate::model::field::value_path::join_path;
use crate::model::field::value_text::refuse_type;
use crate::model::field::value_writer::ValueWriter;
use crate::model::name::TypeName;
use crate::model::problem::FieldProblems;
use crate::model::unknown_keys::collector::UnknownKeyCollector;
use crate::stdx::json::Json;
use crate::stdx::json::Map;

pub(super) const KIND: KindEntry = KindEntry {
    name: "repeater",
    about: "An ordered list of rows with the same fields.",
    parse: |definition| Box::new(RepeaterField::parse(definition)),
    settings,
};

/// Renders the Markdown of the items of a shown list. Returns as many items, empty where there is
/// none, or `None` if there is none in the whole list.
pub(super) fn render_items(shown: &Json, render: &mut dyn FnMut(&Map) -> Map) -> Option<Json> {
    let items = shown.as_array()?.iter();
    let rendered: Vec<Map> =
        items.map(|it| it.as_object().map(&mut *render).unwrap_or_default()).collect();
    let is_empty = rendered.iter().all(Map::is_empty);
    (!is_empty).then(|| Json::Array(rendered.into_iter().map(Json::Object).collect()))
}

#[derive(Debug)]
struct RepeaterField {
    fields: Fields,
    counts: ItemLimits,
}

impl RepeaterField {
    fn parse(definition: &mut FieldDefinition<'_>) -> RepeaterField {
        let items = definition.get_list("subfields");
        let fields = definition.parse_nested("subfields", |nesting, problems| {
            Fields::parse_list(items, nesting, problems)
        });
        RepeaterField {
            fields,
            counts: ItemLimits::parse(definition, Some("min_items"), "max_items"),
        }
    }
}

impl FieldKind for RepeaterField {
    fn accept_input(&self, input: &Json, check: &mut InputCheck<'_>) -> Json {
        let accept = |row: &Json, _: &[Json], found: &mut FieldProblems| match row {
            Json::Object(map) => {
                self.fields.accept_object(map, &mut InputCheck::new(check.context, found)).into()
            }
            other => refuse_type("an object", other, found),
        };
        accept_rows("a list of rows", input, &self.counts, check.problems, accept)
    }

    fn merge_changed(
        &self,
        input: &Json,
        before: PreviousValue<'_>,
        check: &mut InputCheck<'_>,
    ) -> Json {
        let (Json::Array(sent), Some(rows)) = (input, PreviousRows::from_value(before)) else {
            return self.accept_input(input, check);
        };
        self.counts.check_count(sent.len(), check.problems);
        let merge = |row: &Json, before: Option<PreviousValue<'_>>, found: &mut FieldProblems| {
            let Json::Object(sent) = row else { return refuse_type("an object", row, found) };
            self.fields.merge_row(sent, before, &mut InputCheck::new(check.context, found))
        };
        let merged = rows.merge_rows(
            sent,
            check.problems,
            |_| None,
            |row, before, _, found| merge(row, before, found),
        );
        merged.into()
    }

    fn empty_value(&self) -> Json {
        Json::Array(Vec::new())
    }

    fn write_shown(&self, stored: &Json, show: &mut ValueWriter<'_>) {
        write_rows(stored, show, |row, show| match row {
            Json::Object(map) => self.fields.write_object(map, show),
            other => other.write_compact(&mut show.out),
        });
    }

    fn comparison(&self) -> Comparison {
        Comparison::Json
    }

    fn collect_text(&self, value: &Json, out: &mut String) {
        let rows = value.as_array().unwrap_or_default();
        rows.iter().filter_map(Json::as_object).for_each(|row| self.fields.collect_text(row, out));
    }

    fn visit_references(&self, stored: &Json, each: &mut dyn FnMut(&str, Reference<'_>)) {
        for (index, row) in stored.as_array().unwrap_or_default().iter().enumerate() {
            if let Json::Object(map) = row {
                let at = |path: &str| join_path(&item_path(index), path);
                self.fields.visit_references(map, &mut |path, it| each(&at(path), it));
            }
        }
    }

    fn replace_media(&self, shown: &mut Json, make: &mut dyn FnMut(&str) -> Json) {
        let Json::Array(rows) = shown else { return };
        for row in rows {
            if let Json::Object(map) = row {
                self.fields.replace_media(map, make);
            }
        }
    }

    fn render_markdown(&self, shown: &Json, render: &mut dyn FnMut(&str) -> Json) -> Option<Json> {
        render_items(shown, &mut |row| self.fields.render_markdown(row, render))
    }

    fn collect_unknown_keys<'a>(&'a self, stored: &'a Json, found: &mut UnknownKeyCollector<'a>) {
        for (index, row) in stored.as_array().unwrap_or_default().iter().enumerate() {
            if let Json::Object(map) = row {
                found.look_inside_item(index, |found| {
                    self.fields.collect_unknown_members(map, found, &[])
                });
            }
        }
    }

    fn visit_relation_targets(&self, each: &mut dyn FnMut(&TypeName, OnDelete)) {
        self.fields.visit_relation_targets(each);
    }

    fn json_schema(&self, form: ValueForm) -> Value {
        let row = self.fields.row_schema(form);
        let mut schema = json!({ "type": ["array", "null"], "items": row });
        if form == ValueForm::Stored {
            self.counts.add_to_schema(&mut schema);
        }
        schema
    }
}

/// Accepts each item of a list, given the items accepted before it; its problems get its index as
/// their path. A value that is not a list is rejected as not being `wanted`.
pub(super) fn accept_rows(
    wanted: &str,
    input: &Json,
    counts: &ItemLimits,
    problems: &mut FieldProblems,
    accept: impl Fn(&Json, &[Json], &mut FieldProblems) -> Json,
) -> Json {
    let rows = match input {
        empty if empty.is_empty() => return Json::Array(Vec::new()),
        Json::Array(rows) => rows,
        other => return refuse_type(wanted, other, problems),
    };
    counts.check_count(rows.len(), problems);
    let mut accepted = Vec::with_capacity(rows.len());
    for (index, row) in rows.iter().enumerate() {
        let mut found = FieldProblems::new();
        let row = accept(row, &accepted, &mut found);
        accepted.push(row);
        if !found.is_empty() {
            problems.extend(found.with_prefix(&item_path(index)));
        }
    }
    Json::Array(accepted)
}

/// Appends a list whose rows `each` writes. A value that is not a list is shown as it is.
pub(super) fn write_rows(
    stored: &Json,
    show: &mut ValueWriter<'_>,
    each: impl Fn(&Json, &mut ValueWriter<'_>),
) {
    let rows = match stored {
        Json::Array(rows) => rows.as_slice(),
        Json::Null => &[],
        other => return other.write_compact(&mut show.out),
    };
    show.out.push(b'[');
    for (index, row) in rows.iter().enumerate() {
        if index > 0 {
            show.out.push(b',');
        }
        each(row, show);
    }
    show.out.push(b']');
}

fn settings() -> Value {
    let mut settings = ItemLimits::settings_schema();
    let subfields = json!({
        "type": "array",
        "description": "The fields of a row, each with its name under `key`.",
        "items": {
            "$ref": "#/$defs/definition",
            "required": ["key"],
            "properties": {
                "key": {
                    "type": "string",
                    "pattern": "^[A-Za-z_][A-Za-z0-9_]{0,63}$",
                    "description": "The key of the value in a row.",
                },
            },
            "unevaluatedProperties": false,
        },
    });
    add_key(&mut settings, "subfields", Some(subfields));
    settings
}

#[cfg(test)]
pub(super) const SAMPLES: &[super::kind_test::Sample] = &[
    super::kind_test::Sample {
        definition: r#"{"type":"repeater","min_items":1,"max_items":2,"subfields":[
            {"key":"name","type":"text","required":true},
            {"key":"size","type":"number"},
            {"key":"parts","type":"repeater","subfields":[
                {"key":"author","type":"relation","target":"authors","required":true}]}]}"#,
        accepted: &[
            (
                r#"[{"name":" A ","size":"5","extra":1},{"name":"B","parts":[{"author":"ann"}]}]"#,
                r#"[{"name":"A","size":5,"parts":[]},{"name":"B","size":null,"parts":[{"author":"a1"}]}]"#,
            ),
            ("[]", "[]"),
            (r#""""#, "[]"),
        ],
        refused: &[
            (r#"[{"name":"A"},{"size":1}]"#, "[1].name"),
            (r#"[{"name":"A"},{"name":"B","size":"x"}]"#, "[1].size"),
            (r#"[{"name":"A","parts":[{"author":"a1"},{"author":"x"}]}]"#, "[0].parts[1].author"),
            (r#"[{"name":"A","parts":[{}]}]"#, "[0].parts[0].author"),
            (r#"[{"name":"A"},{"name":"B"},{"name":"C"}]"#, ""),
            (r#"["A"]"#, "[0]"),
            (r#"{"name":"A"}"#, ""),
        ],
        shown: &[
            ("null", "[]"),
            (r#"[{"name":"A","secret":1},5]"#, r#"[{"name":"A"},5]"#),
            (
                r#"[{"parts":[{"author":"a1"},{"author":{"x":1}}]}]"#,
                r#"[{"parts":[{"author":"a1"},{"author":null}]}]"#,
            ),
            (r#""x""#, r#""x""#),
        ],
        broken: &[
            (r#"{"subfields":{}}"#, "subfields"),
            (r#"{"subfields":[{"type":"text"}]}"#, "subfields[0].key"),
            (r#"{"subfields":[{"key":"a"},{"key":"a"}]}"#, "subfields[1].key"),
            (r#"{"subfields":[{"key":"a","type":"slug"}]}"#, "subfields[0].type"),
            (r#"{"subfields":[{"key":"a","type":"relation"}]}"#, "subfields[0].target"),
            (r#"{"min_items":2,"max_items":1}"#, "max_items"),
        ],
    },
    super::kind_test::Sample {
        definition: r#"{"type":"repeater"}"#,
        accepted: &[(r#"[{"a":1}]"#, "[{}]")],
        refused: &[(r#"["a"]"#, "[0]")],
        shown: &[],
        broken: &[],
    },
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::field::definition::NESTING_MAX;
    use crate::model::field::kind_test::parse;

    fn nested(levels: usize) -> FieldProblems {
        let mut text = r#"{"type":"text","key":"x"}"#.to_string();
        for _ in 0..levels {
            text = format!(r#"{{"type":"repeater","key":"x","subfields":[{text}]}}"#);
        }
        parse(&text).1
    }

    #[test]
    fn nesting_is_limited() {
        assert!(nested(NESTING_MAX).is_empty());
        let problems = nested(NESTING_MAX + 1);
        let path = format!("{}.type", ["subfields[0]"; NESTING_MAX].join("."));
        assert_eq!(problems.iter().map(|it| it.0).collect::<Vec<_>>(), [path]);
    }
}
