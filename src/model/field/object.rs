//! `object`: a group of fields in one value.

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
use crate::model::field::refuse;
use crate::model::field::same;
use crate::model::name::TypeName;
use crate::model::problem::FieldProblems;
use crate::model::unknown_keys::UnknownKeys;
use crate::stdx::json::Json;
use crate::stdx::json::Map;

pub(super) const KIND: KindEntry = KindEntry {
    name: "object",
    about: "A group of fields.",
    parse: |definition| Box::new(Object::parse(definition)),
    settings: || json!({ "fields": { "$ref": "#/$defs/fields" } }),
};

#[derive(Debug)]
struct Object {
    fields: Fields,
}

impl Object {
    fn parse(definition: &mut Definition<'_>) -> Object {
        let none = Map::new();
        let map = definition.object("fields").unwrap_or(&none);
        let fields =
            definition.nested("fields", |nesting, problems| Fields::parse(map, nesting, problems));
        Object { fields }
    }
}

impl FieldKind for Object {
    fn name(&self) -> &'static str {
        KIND.name
    }

    fn accept(&self, input: &Json, world: &dyn World, problems: &mut FieldProblems) -> Json {
        match input {
            empty if empty.is_empty() => self.empty(),
            Json::Object(map) => self.fields.accept(map, world, problems).into(),
            other => refuse("an object", other, problems),
        }
    }

    fn merge(
        &self,
        input: &Json,
        before: Before<'_>,
        world: &dyn World,
        problems: &mut FieldProblems,
    ) -> Option<Json> {
        match (input, before.stored, before.shown) {
            _ if same(input, before.shown) => None,
            (Json::Object(sent), Json::Object(stored), Json::Object(shown)) if !sent.is_empty() => {
                self.fields.merge(sent, stored, shown, world, problems).map(Json::Object)
            }
            _ => before.unless_stored(self.accept(input, world, problems)),
        }
    }

    fn empty(&self) -> Json {
        Json::Object(Map::new())
    }

    fn show(&self, stored: &Json, show: &mut Show<'_>) {
        match stored {
            Json::Object(map) => self.fields.show(map, show),
            Json::Null => show.out.extend_from_slice(b"{}"),
            other => other.write_compact(&mut show.out),
        }
    }

    fn comparison(&self) -> Comparison {
        Comparison::Json
    }

    fn text(&self, value: &Json, out: &mut String) {
        if let Json::Object(map) = value {
            self.fields.text(map, out);
        }
    }

    fn references(&self, stored: &Json, each: &mut dyn FnMut(&str, Reference<'_>)) {
        if let Json::Object(map) = stored {
            self.fields.references(map, each);
        }
    }

    fn unknown_keys<'a>(&'a self, stored: &'a Json, found: &mut UnknownKeys<'a>) {
        if let Json::Object(map) = stored {
            self.fields.unknown_members(map, found, &[]);
        }
    }

    fn relation_targets(&self, each: &mut dyn FnMut(&TypeName)) {
        self.fields.relation_targets(each);
    }

    fn subfields(&self) -> Option<&Fields> {
        Some(&self.fields)
    }

    fn json_schema(&self, face: Face) -> Value {
        let mut schema = self.fields.row_schema(face);
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
