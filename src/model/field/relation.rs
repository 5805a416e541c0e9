//! `relation`: entries of another content type, by id.

use std::borrow::Cow;
use std::collections::HashSet;

use serde_json::Value;
use serde_json::json;

use crate::model::field::Before;
use crate::model::field::Comparison;
use crate::model::field::Definition;
use crate::model::field::Face;
use crate::model::field::FieldKind;
use crate::model::field::KindEntry;
use crate::model::field::Reference;
use crate::model::field::Show;
use crate::model::field::World;
use crate::model::field::before::Holding;
use crate::model::field::item_path;
use crate::model::field::limits::Counts;
use crate::model::field::limits::count_setting;
use crate::model::field::same;
use crate::model::name::EntryId;
use crate::model::name::TypeName;
use crate::model::problem::FieldProblems;
use crate::stdx::json::Json;

pub(super) const KIND: KindEntry = KindEntry {
    name: "relation",
    about: "An entry of another content type, or several. Kept by id.",
    parse: |definition| Box::new(Relation::parse(definition)),
    settings: || {
        json!({
            "target": { "type": "string", "description": "The content type it points to." },
            "multiple": {
                "type": "boolean",
                "description": "Whether it may be several entries; the value is a list then.",
            },
            "max_items": count_setting("The most entries, when it may be several."),
        })
    },
};

#[derive(Debug)]
struct Relation {
    /// Missing only in a definition that was refused.
    target: Option<TypeName>,
    multiple: bool,
    counts: Counts,
}

impl Relation {
    fn parse(definition: &mut Definition<'_>) -> Relation {
        let known_wrong = definition.problems.len();
        let text = definition.text("target").unwrap_or_default();
        let target = TypeName::parse(&text);
        match &target {
            Err(_) if definition.problems.len() > known_wrong => {}
            Err(_) if text.is_empty() => {
                definition.problems.add("target", "Name the content type this points to.");
            }
            Err(error) => definition.problems.add("target", error.to_string()),
            Ok(_) => {}
        }
        Relation {
            target: target.ok(),
            multiple: definition.flag("multiple", false),
            counts: Counts::parse(definition, None, "max_items"),
        }
    }

    /// The id of the entry that was sent: by id, by slug, or as a reader gets it expanded.
    fn entry(&self, input: &Json, world: &dyn World) -> Result<String, String> {
        let Some(target) = &self.target else {
            return Err("The definition names no content type.".to_string());
        };
        let text = match input {
            Json::String(text) => Some(text.trim()),
            Json::Object(map) => map.get("id").and_then(Json::as_str),
            _ => None,
        };
        let Some(text) = text else {
            return Err(format!("This is the id or slug of an entry, not {}.", input.kind()));
        };
        let id = world.entry(target, text).filter(|it| EntryId::fits(it));
        id.ok_or_else(|| format!("There is no entry `{text}` in `{target}`."))
    }

    fn accept_many(&self, input: &Json, world: &dyn World, problems: &mut FieldProblems) -> Json {
        let (items, is_list) = match input {
            Json::Array(items) => (items.as_slice(), true),
            single => (std::slice::from_ref(single), false),
        };
        let mut ids: Vec<Json> = Vec::new();
        let mut known: HashSet<String> = HashSet::new();
        for (index, item) in items.iter().enumerate() {
            match self.entry(item, world) {
                Ok(id) if known.contains(&id) => {}
                Ok(id) => {
                    ids.push(id.as_str().into());
                    known.insert(id);
                }
                Err(problem) => {
                    problems.add(if is_list { item_path(index) } else { String::new() }, problem);
                }
            }
        }
        self.counts.check(ids.len(), problems);
        Json::Array(ids)
    }
}

/// The value with expanded entries as their ids.
fn collapsed(input: &Json) -> Cow<'_, Json> {
    let id = |item: &Json| match item {
        Json::Object(map) => map.get("id").filter(|it| it.as_str().is_some()).cloned(),
        _ => None,
    };
    match input {
        Json::Array(items) if items.iter().any(|it| id(it).is_some()) => {
            let items = items.iter().map(|it| id(it).unwrap_or_else(|| it.clone()));
            Cow::Owned(items.collect::<Vec<_>>().into())
        }
        single => id(single).map_or(Cow::Borrowed(single), Cow::Owned),
    }
}

/// Puts ids into a list, at their places, unless they are in it.
fn put_back<'a>(hidden: impl Iterator<Item = (usize, &'a str)>, ids: &mut Vec<Json>) {
    let mut known: HashSet<String> =
        ids.iter().filter_map(Json::as_str).map(str::to_string).collect();
    for (place, id) in hidden {
        if known.insert(id.to_string()) {
            ids.insert(place.min(ids.len()), id.into());
        }
    }
}

/// The texts in a list, or the one that is there, with their places.
fn texts(value: &Json) -> impl Iterator<Item = (usize, &str)> {
    let items = value.as_array().unwrap_or_else(|| std::slice::from_ref(value));
    items.iter().enumerate().filter_map(|(place, it)| Some((place, it.as_str()?)))
}

impl FieldKind for Relation {
    fn name(&self) -> &'static str {
        KIND.name
    }

    fn accept(&self, input: &Json, world: &dyn World, problems: &mut FieldProblems) -> Json {
        if input.is_empty() {
            return self.empty();
        }
        if self.multiple {
            return self.accept_many(input, world, problems);
        }
        self.entry(input, world).map(Json::String).unwrap_or_else(|problem| {
            problems.add("", problem);
            Json::Null
        })
    }

    /// A target that the writer is not shown stays where it is among several: at its place in the
    /// list. What the writer is shown holds, even when it is gone.
    fn merge(
        &self,
        input: &Json,
        before: Before<'_>,
        world: &dyn World,
        problems: &mut FieldProblems,
    ) -> Option<Json> {
        let input = collapsed(input);
        if same(&input, before.shown) {
            return None;
        }
        let shown: HashSet<&str> = texts(before.shown).map(|(_, id)| id).collect();
        let world = Holding::new(world, shown.iter().map(|it| (*it, *it)));
        let mut accepted = self.accept(&input, &world, problems);
        if let Json::Array(ids) = &mut accepted {
            let hidden = texts(before.stored).filter(|(_, id)| !shown.contains(id));
            put_back(hidden.filter(|(_, id)| EntryId::fits(id)), ids);
        }
        before.unless_stored(accepted)
    }

    fn empty(&self) -> Json {
        if self.multiple { Json::Array(Vec::new()) } else { Json::Null }
    }

    fn show(&self, stored: &Json, show: &mut Show<'_>) {
        match &self.target {
            Some(target) => show.relation(target, self.multiple, stored),
            None => show.out.extend_from_slice(if self.multiple { b"[]" } else { b"null" }),
        }
    }

    fn comparison(&self) -> Comparison {
        Comparison::Relation
    }

    fn references(&self, stored: &Json, each: &mut dyn FnMut(&str, Reference<'_>)) {
        let Some(target) = &self.target else { return };
        let mut visit = |path: &str, item: &Json| {
            if let Some(id) = item.as_str().filter(|it| EntryId::fits(it)) {
                each(path, Reference::Entry(target, id));
            }
        };
        match stored {
            Json::Array(items) => {
                items.iter().enumerate().for_each(|(index, it)| visit(&item_path(index), it));
            }
            single => visit("", single),
        }
    }

    fn relation(&self) -> Option<(&TypeName, bool)> {
        self.target.as_ref().map(|target| (target, self.multiple))
    }

    fn json_schema(&self, face: Face) -> Value {
        let one: &[&str] = match face {
            Face::Shown | Face::Stored => &["string", "null"],
            Face::Input => &["string", "object", "null"],
        };
        if !self.multiple {
            return json!({ "type": one });
        }
        let item: &[&str] = if face == Face::Input { &["string", "object"] } else { &["string"] };
        let mut list = json!({ "type": ["array", "null"], "items": { "type": item } });
        match face {
            Face::Shown => {}
            Face::Input => list["type"] = json!(["array", "string", "object", "null"]),
            Face::Stored => self.counts.describe(&mut list),
        }
        list
    }
}

#[cfg(test)]
pub(super) const SAMPLES: &[super::kind_test::Sample] = &[
    super::kind_test::Sample {
        definition: r#"{"type":"relation","target":"authors"}"#,
        accepted: &[
            (r#""a1""#, r#""a1""#),
            (r#""ann""#, r#""a1""#),
            (r#"{"id":"b2","title":"Bob"}"#, r#""b2""#),
            (r#""""#, "null"),
            ("[]", "null"),
        ],
        refused: &[(r#""nobody""#, ""), (r#"["a1"]"#, ""), ("5", ""), (r#"{"slug":"ann"}"#, "")],
        shown: &[
            (r#""a1""#, r#""a1""#),
            (r#"["b2","a1"]"#, r#""b2""#),
            (r#""no id""#, "null"),
            (r#"{"secret":1}"#, "null"),
            ("5", "null"),
        ],
        broken: &[
            (r#"{}"#, "target"),
            (r#"{"target":5}"#, "target"),
            (r#"{"target":"a b"}"#, "target"),
            (r#"{"target":"a","multiple":"yes"}"#, "multiple"),
            (r#"{"target":"a","max_items":1.5}"#, "max_items"),
        ],
    },
    super::kind_test::Sample {
        definition: r#"{"type":"relation","target":"authors","multiple":true,"max_items":2}"#,
        accepted: &[
            (r#"["ann","b2","a1"]"#, r#"["a1","b2"]"#),
            (r#""bob""#, r#"["b2"]"#),
            (r#""""#, "[]"),
        ],
        refused: &[
            (r#"["ann","nobody"]"#, "[1]"),
            (r#"["a1","b2","c3"]"#, ""),
            (r#"[null]"#, "[0]"),
            (r#""nobody""#, ""),
        ],
        shown: &[(r#""a1""#, r#"["a1"]"#), (r#"["a1",5,"no id"]"#, r#"["a1"]"#), ("null", "[]")],
        broken: &[],
    },
];
