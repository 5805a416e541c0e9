//! `repeater`: rows with the same fields.

use serde_json::Value;
use serde_json::json;

use crate::model::field::Before;
use crate::model::field::Comparison;
use crate::model::field::Definition;
use crate::model::field::Face;
use crate::model::field::FieldKind;
use crate::model::field::Fields;
use crate::model::field::KindEntry;
use crate::model::field::Reference;
use crate::model::field::Show;
use crate::model::field::World;
use crate::model::field::item_path;
use crate::model::field::join;
use crate::model::field::limits::Counts;
use crate::model::field::limits::put;
use crate::model::field::refuse;
use crate::model::field::rows::Rows;
use crate::model::field::same;
use crate::model::name::TypeName;
use crate::model::problem::FieldProblems;
use crate::model::unknown_keys::UnknownKeys;
use crate::stdx::json::Json;

pub(super) const KIND: KindEntry = KindEntry {
    name: "repeater",
    about: "Rows with the same fields, in an order.",
    parse: |definition| Box::new(Repeater::parse(definition)),
    settings,
};

#[derive(Debug)]
struct Repeater {
    fields: Fields,
    counts: Counts,
}

impl Repeater {
    fn parse(definition: &mut Definition<'_>) -> Repeater {
        let items = definition.list("subfields");
        let fields = definition
            .nested("subfields", |nesting, problems| Fields::parse_list(items, nesting, problems));
        Repeater { fields, counts: Counts::parse(definition, Some("min_items"), "max_items") }
    }
}

impl FieldKind for Repeater {
    fn name(&self) -> &'static str {
        KIND.name
    }

    fn accept(&self, input: &Json, world: &dyn World, problems: &mut FieldProblems) -> Json {
        let accept = |row: &Json, _: &[Json], found: &mut FieldProblems| match row {
            Json::Object(map) => self.fields.accept(map, world, found).into(),
            other => refuse("an object", other, found),
        };
        accept_rows("a list of rows", input, &self.counts, problems, accept)
    }

    fn merge(
        &self,
        input: &Json,
        before: Before<'_>,
        world: &dyn World,
        problems: &mut FieldProblems,
    ) -> Option<Json> {
        if same(input, before.shown) {
            return None;
        }
        let (Json::Array(sent), Some(rows)) = (input, Rows::of(before)) else {
            return before.unless_stored(self.accept(input, world, problems));
        };
        self.counts.check(sent.len(), problems);
        let merge = |row: &Json, before: Option<Before<'_>>, found: &mut FieldProblems| {
            let Json::Object(sent) = row else { return refuse("an object", row, found) };
            self.fields.merge_row(sent, before, world, found)
        };
        let merged =
            rows.merge(sent, problems, |_| None, |row, before, _, found| merge(row, before, found));
        before.unless_stored(merged.into())
    }

    fn empty(&self) -> Json {
        Json::Array(Vec::new())
    }

    fn show(&self, stored: &Json, show: &mut Show<'_>) {
        show_rows(stored, show, |row, show| match row {
            Json::Object(map) => self.fields.show(map, show),
            other => other.write_compact(&mut show.out),
        });
    }

    fn comparison(&self) -> Comparison {
        Comparison::Json
    }

    fn text(&self, value: &Json, out: &mut String) {
        let rows = value.as_array().unwrap_or_default();
        rows.iter().filter_map(Json::as_object).for_each(|row| self.fields.text(row, out));
    }

    fn references(&self, stored: &Json, each: &mut dyn FnMut(&str, Reference<'_>)) {
        for (index, row) in stored.as_array().unwrap_or_default().iter().enumerate() {
            if let Json::Object(map) = row {
                let at = |path: &str| join(&item_path(index), path);
                self.fields.references(map, &mut |path, it| each(&at(path), it));
            }
        }
    }

    fn unknown_keys<'a>(&'a self, stored: &'a Json, found: &mut UnknownKeys<'a>) {
        for (index, row) in stored.as_array().unwrap_or_default().iter().enumerate() {
            if let Json::Object(map) = row {
                found.inside_item(index, |found| self.fields.unknown_members(map, found, &[]));
            }
        }
    }

    fn relation_targets(&self, each: &mut dyn FnMut(&TypeName)) {
        self.fields.relation_targets(each);
    }

    fn json_schema(&self, face: Face) -> Value {
        let row = self.fields.row_schema(face);
        let mut schema = json!({ "type": ["array", "null"], "items": row });
        if face == Face::Stored {
            self.counts.describe(&mut schema);
        }
        schema
    }
}

/// Accepts each item of a list by itself, beside those accepted before it; its problems carry its
/// place. What is no list is refused as not being `wanted`.
pub(super) fn accept_rows(
    wanted: &str,
    input: &Json,
    counts: &Counts,
    problems: &mut FieldProblems,
    accept: impl Fn(&Json, &[Json], &mut FieldProblems) -> Json,
) -> Json {
    let rows = match input {
        empty if empty.is_empty() => return Json::Array(Vec::new()),
        Json::Array(rows) => rows,
        other => return refuse(wanted, other, problems),
    };
    counts.check(rows.len(), problems);
    let mut accepted = Vec::with_capacity(rows.len());
    for (index, row) in rows.iter().enumerate() {
        let mut found = FieldProblems::new();
        let row = accept(row, &accepted, &mut found);
        accepted.push(row);
        if !found.is_empty() {
            problems.extend(found.at(&item_path(index)));
        }
    }
    Json::Array(accepted)
}

/// Appends a list whose rows are written by `each`; what is no list is shown as it is.
pub(super) fn show_rows(stored: &Json, show: &mut Show<'_>, each: impl Fn(&Json, &mut Show<'_>)) {
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
    let mut settings = Counts::settings();
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
                    "description": "The name under which a row keeps the value.",
                },
            },
            "unevaluatedProperties": false,
        },
    });
    put(&mut settings, "subfields", Some(subfields));
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
    use crate::model::field::NESTING_MAX;
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
