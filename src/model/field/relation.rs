//! `relation`: entries of another content type, by id.

use std::borrow::Cow;
use std::collections::HashSet;

use serde_json::Value;
use serde_json::json;

use crate::model::field::definition::FieldDefinition;
use crate::model::field::kind::Comparison;
use crate::model::field::kind::FieldKind;
use crate::model::field::kind::KindEntry;
use crate::model::field::kind::Reference;
use crate::model::field::kind::ValueForm;
use crate::model::field::limits::ItemLimits;
use crate::model::field::limits::count_setting;
use crate::model::field::on_delete::OnDelete;
use crate::model::field::previous_value::PreviousValue;
use crate::model::field::previous_value::RetainedReferences;
use crate::model::field::previous_value::is_equivalent;
use crate::model::field::value_context::InputCheck;
use crate::model::field::value_context::ValueContext;
use crate::model::field::value_path::item_path;
use crate::model::field::value_writer::ValueWriter;
use crate::model::input::wording;
use crate::model::name::EntryId;
use crate::model::name::TypeName;
use crate::model::sentence::Sentence;
use crate::model::sentence::sentence;
use crate::stdx::json::Json;

pub(super) const KIND: KindEntry = KindEntry {
    name: "relation",
    about: "One entry or several entries of a content type, stored as ids.",
    parse: |definition| Box::new(RelationField::parse(definition)),
    settings: || {
        json!({
            "target": { "type": "string", "description": "The content type of the target." },
            "multiple": {
                "type": "boolean",
                "description": "True if the field accepts several entries; the value is then a \
                                list.",
            },
            "max_items": count_setting(
                "The maximum number of entries, if the field accepts several."),
            "on_delete": {
                "enum": OnDelete::ALL.map(OnDelete::as_str),
                "default": OnDelete::Keep.as_str(),
                "description": "What happens when a target is deleted: `keep` leaves the value, \
                                which then leads nowhere; `block` refuses to delete the target; \
                                `clear` removes the value.",
            },
        })
    },
};

#[derive(Debug)]
struct RelationField {
    /// `None` only in an invalid definition.
    target: Option<TypeName>,
    multiple: bool,
    counts: ItemLimits,
    on_delete: OnDelete,
}

impl RelationField {
    fn parse(definition: &mut FieldDefinition<'_>) -> RelationField {
        let known_wrong = definition.problems.len();
        let text = definition.get_text("target").unwrap_or_default();
        let target = TypeName::parse(&text);
        match &target {
            Err(_) if definition.problems.len() > known_wrong => {}
            Err(_) if text.is_empty() => {
                definition.problems.add("target", "Name the content type of the target.");
            }
            Err(error) => definition.problems.add("target", error.to_string()),
            Ok(_) => {}
        }
        RelationField {
            target: target.ok(),
            multiple: definition.get_flag("multiple", false),
            counts: ItemLimits::parse(definition, None, "max_items"),
            on_delete: OnDelete::parse_setting(definition),
        }
    }

    /// Returns the id of the entry that was sent: an id, a slug, or an expanded entry as readers
    /// get it.
    fn accept_entry(&self, input: &Json, context: &dyn ValueContext) -> Result<String, Sentence> {
        let Some(target) = &self.target else {
            return Err("The definition names no content type.".into());
        };
        let text = match input {
            Json::String(text) => Some(text.trim()),
            Json::Object(map) => map.get("id").and_then(Json::as_str),
            _ => None,
        };
        let Some(text) = text else {
            return Err(wording::wrong_type("the id or slug of an entry", input).into());
        };
        let id = context.resolve_entry(target, text).filter(|it| EntryId::fits(it));
        id.ok_or_else(|| {
            let target = target.as_str();
            sentence!("There is no entry `{text}` in `{target}`.", text, target)
        })
    }

    fn accept_many(&self, input: &Json, check: &mut InputCheck<'_>) -> Json {
        let (items, is_list) = match input {
            Json::Array(items) => (items.as_slice(), true),
            single => (std::slice::from_ref(single), false),
        };
        let mut ids: Vec<Json> = Vec::new();
        let mut known: HashSet<String> = HashSet::new();
        for (index, item) in items.iter().enumerate() {
            match self.accept_entry(item, check.context) {
                Ok(id) if known.contains(&id) => {}
                Ok(id) => {
                    ids.push(id.as_str().into());
                    known.insert(id);
                }
                Err(problem) => {
                    check
                        .problems
                        .add(if is_list { item_path(index) } else { String::new() }, problem);
                }
            }
        }
        self.counts.check_count(ids.len(), check.problems);
        Json::Array(ids)
    }
}

/// Returns the value with expanded entries replaced by their ids.
fn collapse_expanded(input: &Json) -> Cow<'_, Json> {
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

/// Inserts the hidden ids into a list at their positions, unless they are in it already.
fn put_back<'a>(hidden: impl Iterator<Item = (usize, &'a str)>, ids: &mut Vec<Json>) {
    let mut known: HashSet<String> =
        ids.iter().filter_map(Json::as_str).map(str::to_string).collect();
    for (place, id) in hidden {
        if known.insert(id.to_string()) {
            ids.insert(place.min(ids.len()), id.into());
        }
    }
}

/// Returns the texts of a list, or the single text, with their indexes.
fn list_texts(value: &Json) -> impl Iterator<Item = (usize, &str)> {
    let items = value.as_array().unwrap_or_else(|| std::slice::from_ref(value));
    items.iter().enumerate().filter_map(|(place, it)| Some((place, it.as_str()?)))
}

impl FieldKind for RelationField {
    fn accept_input(&self, input: &Json, check: &mut InputCheck<'_>) -> Json {
        if input.is_empty() {
            return self.empty_value();
        }
        if self.multiple {
            return self.accept_many(input, check);
        }
        self.accept_entry(input, check.context).map(Json::String).unwrap_or_else(|problem| {
            check.problems.add("", problem);
            Json::Null
        })
    }

    /// Keeps hidden targets of a multiple relation at their positions in the list; those that are
    /// gone are dropped when the list is emptied. Targets that the writer is shown are valid even
    /// if they no longer exist.
    fn merge_changed(
        &self,
        input: &Json,
        before: PreviousValue<'_>,
        check: &mut InputCheck<'_>,
    ) -> Json {
        let input = collapse_expanded(input);
        if is_equivalent(&input, before.shown) {
            return before.stored.clone();
        }
        let shown: HashSet<&str> = list_texts(before.shown).map(|(_, id)| id).collect();
        let context = RetainedReferences::new(check.context, shown.iter().map(|it| (*it, *it)));
        let mut accepted =
            self.accept_input(&input, &mut InputCheck::new(&context, check.problems));
        if let Json::Array(ids) = &mut accepted {
            let hidden = list_texts(before.stored).filter(|(_, id)| !shown.contains(id));
            // Whoever empties the list means also what nobody can see any more.
            let is_given_up = |id: &str| {
                let is_gone = |it: &TypeName| check.context.is_gone(it, id);
                input.is_empty() && self.target.as_ref().is_some_and(is_gone)
            };
            put_back(hidden.filter(|(_, id)| EntryId::fits(id) && !is_given_up(id)), ids);
        }
        accepted
    }

    fn empty_value(&self) -> Json {
        if self.multiple { Json::Array(Vec::new()) } else { Json::Null }
    }

    fn write_shown(&self, stored: &Json, show: &mut ValueWriter<'_>) {
        match &self.target {
            Some(target) => show.write_relation(target, self.multiple, self.on_delete, stored),
            None => show.out.extend_from_slice(if self.multiple { b"[]" } else { b"null" }),
        }
    }

    fn comparison(&self) -> Comparison {
        Comparison::Relation
    }

    fn visit_references(&self, stored: &Json, each: &mut dyn FnMut(&str, Reference<'_>)) {
        let Some(target) = &self.target else { return };
        let mut visit = |path: &str, item: &Json| {
            if let Some(id) = item.as_str().filter(|it| EntryId::fits(it)) {
                each(path, Reference::Entry { target, id, on_delete: self.on_delete });
            }
        };
        match stored {
            Json::Array(items) => {
                items.iter().enumerate().for_each(|(index, it)| visit(&item_path(index), it));
            }
            single => visit("", single),
        }
    }

    fn as_relation(&self) -> Option<(&TypeName, bool)> {
        self.target.as_ref().map(|target| (target, self.multiple))
    }

    fn visit_relation_targets(&self, each: &mut dyn FnMut(&TypeName, OnDelete)) {
        if let Some(target) = &self.target {
            each(target, self.on_delete);
        }
    }

    fn json_schema(&self, form: ValueForm) -> Value {
        let one: &[&str] = match form {
            ValueForm::Shown | ValueForm::Stored => &["string", "null"],
            ValueForm::Input => &["string", "object", "null"],
        };
        if !self.multiple {
            return json!({ "type": one });
        }
        let item: &[&str] =
            if form == ValueForm::Input { &["string", "object"] } else { &["string"] };
        let mut list = json!({ "type": ["array", "null"], "items": { "type": item } });
        match form {
            ValueForm::Shown => {}
            ValueForm::Input => list["type"] = json!(["array", "string", "object", "null"]),
            ValueForm::Stored => self.counts.add_to_schema(&mut list),
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
            (r#"{"target":"a","on_delete":"delete"}"#, "on_delete"),
            (r#"{"target":"a","on_delete":"Block"}"#, "on_delete"),
            (r#"{"target":"a","on_delete":true}"#, "on_delete"),
        ],
    },
    super::kind_test::Sample {
        definition: r#"{"type":"relation","target":"authors","multiple":true,"max_items":2,"on_delete":"clear"}"#,
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
