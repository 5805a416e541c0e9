//! `object`: a group of fields in one value.

use serde_json::Value;
use serde_json::json;

use crate::model::field::definition::FieldDefinition;
use crate::model::field::kind::Comparison;
use crate::model::field::kind::FieldKind;
use crate::model::field::kind::Fields;
use crate::model::field::kind::KindEntry;
use crate::model::field::kind::Reference;
use crate::model::field::kind::ValueForm;
use crate::model::field::on_delete::OnDelete;
use crate::model::field::previous_value::PreviousValue;
use crate::model::field::value_context::InputCheck;
use crate::model::field::value_text::refuse_type;
use crate::model::field::value_writer::ValueWriter;
use crate::model::name::TypeName;
use crate::model::unknown_keys::collector::UnknownKeyCollector;
use crate::stdx::json::Json;
use crate::stdx::json::Map;

pub(super) const KIND: KindEntry = KindEntry {
    name: "object",
    about: "A group of fields.",
    parse: |definition| Box::new(ObjectField::parse(definition)),
    settings: || json!({ "fields": { "$ref": "#/$defs/fields" } }),
};

#[derive(Debug)]
struct ObjectField {
    fields: Fields,
}

impl ObjectField {
    fn parse(definition: &mut FieldDefinition<'_>) -> ObjectField {
        let none = Map::new();
        let map = definition.get_object("fields").unwrap_or(&none);
        let fields = definition
            .parse_nested("fields", |nesting, problems| Fields::parse(map, nesting, problems));
        ObjectField { fields }
    }
}

impl FieldKind for ObjectField {
    fn accept_input(&self, input: &Json, check: &mut InputCheck<'_>) -> Json {
        match input {
            empty if empty.is_empty() => self.empty_value(),
            Json::Object(map) => self.fields.accept_object(map, check).into(),
            other => refuse_type("an object", other, check.problems),
        }
    }

    fn merge_changed(
        &self,
        input: &Json,
        before: PreviousValue<'_>,
        check: &mut InputCheck<'_>,
    ) -> Json {
        match input {
            Json::Object(sent) if !sent.is_empty() => {
                self.fields.merge_row(sent, Some(before), check)
            }
            _ => self.accept_input(input, check),
        }
    }

    fn empty_value(&self) -> Json {
        Json::Object(Map::new())
    }

    fn write_shown(&self, stored: &Json, show: &mut ValueWriter<'_>) {
        match stored {
            Json::Object(map) => self.fields.write_object(map, show),
            Json::Null => show.out.extend_from_slice(b"{}"),
            other => other.write_compact(&mut show.out),
        }
    }

    fn comparison(&self) -> Comparison {
        Comparison::Json
    }

    fn collect_text(&self, value: &Json, out: &mut String) {
        if let Json::Object(map) = value {
            self.fields.collect_text(map, out);
        }
    }

    fn visit_references(&self, stored: &Json, each: &mut dyn FnMut(&str, Reference<'_>)) {
        if let Json::Object(map) = stored {
            self.fields.visit_references(map, each);
        }
    }

    fn replace_media(&self, shown: &mut Json, make: &mut dyn FnMut(&str) -> Json) {
        if let Json::Object(map) = shown {
            self.fields.replace_media(map, make);
        }
    }

    fn render_markdown(&self, shown: &Json, render: &mut dyn FnMut(&str) -> Json) -> Option<Json> {
        let rendered = self.fields.render_markdown(shown.as_object()?, render);
        (!rendered.is_empty()).then_some(Json::Object(rendered))
    }

    fn collect_unknown_keys<'a>(&'a self, stored: &'a Json, found: &mut UnknownKeyCollector<'a>) {
        if let Json::Object(map) = stored {
            self.fields.collect_unknown_members(map, found, &[]);
        }
    }

    fn visit_relation_targets(&self, each: &mut dyn FnMut(&TypeName, OnDelete)) {
        self.fields.visit_relation_targets(each);
    }

    fn subfields(&self) -> Option<&Fields> {
        Some(&self.fields)
    }

    fn json_schema(&self, form: ValueForm) -> Value {
        let mut schema = self.fields.row_schema(form);
        schema["type"] = json!(["object", "null"]);
        if schema.get("required").is_some() {
            return json!({ "anyOf": [schema, { "enum": [null, {}] }] });
        }
        schema
    }
}

#[cfg(test)]
pub(super) const SAMPLES: &[super::kind_test::Sample] = &[super::kind_test::Sample {
    definition: r#"{"type":"object","fields":{
        "title":{"type":"text","required":true},
        "kind":{"type":"select","options":["a","b"]},
        "note":{"type":"text","required":true,"visible_if":{"kind":"b"}},
        "shown":{"type":"boolean"},
        "why":{"type":"text","required":true,"visible_if":{"shown":[true]}},
        "image":{"type":"media"},
        "author":{"type":"relation","target":"authors"}}}"#,
    accepted: &[
        (
            r#"{"extra":1,"title":" T ","shown":"no"}"#,
            r#"{"title":"T","kind":null,"note":null,"shown":false,"why":null,"image":[],"author":null}"#,
        ),
        (
            r#"{"kind":"b","note":"n","title":"T","shown":"1","why":"w","image":"hero.png","author":"ann"}"#,
            r#"{"title":"T","kind":"b","note":"n","shown":true,"why":"w","image":["hero.png"],"author":"a1"}"#,
        ),
        ("{}", "{}"),
        (r#""""#, "{}"),
    ],
    refused: &[
        (r#"{"kind":"c","title":"T"}"#, "kind"),
        (r#"{"kind":"a"}"#, "title"),
        (r#"{"kind":"b","title":"T"}"#, "note"),
        (r#"{"shown":"on","title":"T"}"#, "why"),
        (r#"{"title":"T","image":["hero.png","none.png"]}"#, "image[1]"),
        (r#"["a"]"#, ""),
        (r#""a""#, ""),
    ],
    shown: &[
        ("null", "{}"),
        (
            r#"{"author":"a1","secret":1,"image":"a b.pdf","title":5}"#,
            r#"{"title":5,"image":["https://x.org/media/default/a%20b.pdf"],"author":"a1"}"#,
        ),
        ("[1]", "[1]"),
    ],
    broken: &[
        (r#"{"fields":[]}"#, "fields"),
        (r#"{"fields":{"a":{"type":"text","pattern":"("}}}"#, "fields.a.pattern"),
        (r#"{"fields":{"a":{"type":"nope"}}}"#, "fields.a.type"),
        (r#"{"fields":{"a b":{}}}"#, "fields.a b"),
        (r#"{"fields":{"a":5}}"#, "fields.a"),
        (r#"{"fields":{"a":{"type":"slug"}}}"#, "fields.a.type"),
    ],
}];
