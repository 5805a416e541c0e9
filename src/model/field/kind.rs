//! The kind of a field, the field that has it, and the fields of one level: the types that every
//! kind is written against.

use std::fmt;

use crate::model::field::definition::FieldDefinition;
use crate::model::field::exact_number::ExactNumber;
use crate::model::field::on_delete::OnDelete;
use crate::model::field::picture_texts::PictureTextFields;
use crate::model::field::previous_value::PreviousValue;
use crate::model::field::previous_value::is_equivalent;
use crate::model::field::value_context::InputCheck;
use crate::model::field::value_context::PermissiveContext;
use crate::model::field::value_text::text_of;
use crate::model::field::value_writer::ValueWriter;
use crate::model::name::FieldName;
use crate::model::name::TypeName;
use crate::model::problem::FieldProblems;
use crate::model::unknown_keys::collector::UnknownKeyCollector;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::time::Timestamp;

/// A kind of field with its settings: the behaviour of the values of a field.
pub trait FieldKind: fmt::Debug + Send + Sync {
    /// Converts the value sent by a writer to its stored form. Every defect is added to `problems`
    /// with its path below this field (`""` for the value itself, `[2].url` inside of it); the
    /// return value is then not used. An accepted value is accepted again, unchanged.
    fn accept_input(&self, input: &Json, check: &mut InputCheck<'_>) -> Json;

    /// Converts the value sent in place of `before` to its stored form; returns `None` if that is
    /// already stored. A value sent as it was shown counts as unchanged, and parts that the writer
    /// was not shown are kept. Defects are reported as by [`FieldKind::accept_input`].
    fn merge_input(
        &self,
        input: &Json,
        before: PreviousValue<'_>,
        check: &mut InputCheck<'_>,
    ) -> Option<Json> {
        if is_equivalent(input, before.shown) {
            return None;
        }
        let merged = self.merge_changed(input, before, check);
        (merged != *before.stored).then_some(merged)
    }

    /// Does the work of [`FieldKind::merge_input`] for a value that differs from the shown one, and
    /// returns the stored form. The default is for kinds without parts that a writer may not see.
    fn merge_changed(
        &self,
        input: &Json,
        _before: PreviousValue<'_>,
        check: &mut InputCheck<'_>,
    ) -> Json {
        match input {
            Json::Null => self.empty_value(),
            input => self.accept_input(input, check),
        }
    }

    /// Validates a stored value on its own, and returns the value that a write would store in its
    /// place. The default accepts it as an input.
    fn check_stored(&self, stored: &Json, problems: &mut FieldProblems) -> Json {
        self.accept_input(stored, &mut InputCheck::new(&PermissiveContext::sanitizing(), problems))
    }

    /// Returns the stored form of "no value".
    fn empty_value(&self) -> Json {
        Json::Null
    }

    /// Appends the stored value as readers of the public API see it: `null` as the kind's empty
    /// value, and a value that is no longer valid as it is.
    fn write_shown(&self, stored: &Json, show: &mut ValueWriter<'_>) {
        match stored {
            Json::Null => self.empty_value().write_compact(&mut show.out),
            value => value.write_compact(&mut show.out),
        }
    }

    /// Returns the way values compare in filters and sorting.
    fn comparison(&self) -> Comparison;

    /// Calls `each` for every comparable value inside a *shown* value: none for an empty value, one
    /// for a scalar, each item of a list. The default suits all current kinds.
    fn visit_values(&self, shown: &Json, each: &mut dyn FnMut(Comparable<'_>)) {
        visit_comparables(self.comparison(), shown, each);
    }

    /// Appends the text for full-text search, with pieces separated by line feeds. Works on stored
    /// and on shown values. The default is for kinds that are not searched.
    fn collect_text(&self, _value: &Json, _out: &mut String) {}

    /// Calls `each` for every reference at any depth of a stored value, with its path below this
    /// field.
    fn visit_references(&self, _stored: &Json, _each: &mut dyn FnMut(&str, Reference<'_>)) {}

    /// Replaces the URL of every media file at any depth of a shown value by the return value of
    /// `make`.
    fn replace_media(&self, _shown: &mut Json, _make: &mut dyn FnMut(&str) -> Json) {}

    /// Returns the fields beside this one with the texts about its picture.
    fn picture_text_fields(&self) -> Option<&PictureTextFields> {
        None
    }

    /// Renders every Markdown text at any depth of a shown value. Returns what `render` makes of
    /// them, in the same places, or `None` if there are none.
    fn render_markdown(
        &self,
        _shown: &Json,
        _render: &mut dyn FnMut(&str) -> Json,
    ) -> Option<Json> {
        None
    }

    /// Reports the unknown keys at any depth of a stored value or of one that was sent. The default
    /// is for kinds without keys of their own.
    fn collect_unknown_keys<'a>(&'a self, _stored: &'a Json, _found: &mut UnknownKeyCollector<'a>) {
    }

    /// Returns the target of a relation, and true if the relation holds several entries.
    fn as_relation(&self) -> Option<(&TypeName, bool)> {
        None
    }

    /// Calls `each` for the target of every relation in this field, including nested ones, with the
    /// action of that relation when a target is deleted.
    fn visit_relation_targets(&self, _each: &mut dyn FnMut(&TypeName, OnDelete)) {}

    /// Returns the fields of an object, which filters and sorting reach with dots.
    fn subfields(&self) -> Option<&Fields> {
        None
    }

    /// Returns the JSON Schema (draft 2020-12) of the value, without title and description. Limits
    /// apply to writers only, since values that no longer fit their definition are shown as well.
    fn json_schema(&self, form: ValueForm) -> serde_json::Value;
}

/// An entry of the registry.
#[derive(Debug)]
pub struct KindEntry {
    /// The `type` of definitions.
    pub name: &'static str,
    /// A description of the values.
    pub about: &'static str,
    /// Parses the settings of the kind; defects are added to the definition's problems.
    pub parse: fn(&mut FieldDefinition<'_>) -> Box<dyn FieldKind>,
    /// The settings of the kind as JSON Schema: a map from key to schema.
    pub settings: fn() -> serde_json::Value,
}

/// The form of a value that a JSON Schema describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueForm {
    /// The value in responses of the public API.
    Shown,
    /// The value in requests.
    Input,
    /// The value in files.
    Stored,
}

/// The way values of a kind compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// By number.
    Number,
    /// `false` before `true`; `0` and `1` are understood.
    Bool,
    /// By day.
    Date,
    /// By second; a bound without a time covers its whole day.
    DateTime,
    /// By text: exact in filters, case-folded in orders.
    Text,
    /// Like text, but too long to be held a second time in memory.
    LongText,
    /// By the id of an entry that the reader may see.
    Relation,
    /// By filename or URL.
    Media,
    /// Strings by their text, anything else by its compact JSON text.
    Json,
}

/// A comparable value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Comparable<'a> {
    /// Numbers; booleans as 0 and 1; dates and times as seconds since the epoch.
    Number(ExactNumber),
    /// A number among texts, with its text: equal is what has this text, greater and smaller go by
    /// the number.
    WrittenNumber(ExactNumber, &'a str),
    /// Everything else.
    Text(&'a str),
}

/// A reference in a stored value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reference<'a> {
    /// An entry.
    Entry {
        /// The type of the entry.
        target: &'a TypeName,
        /// The id of the entry.
        id: &'a str,
        /// The action on the reference when the entry is deleted.
        on_delete: OnDelete,
    },
    /// A media file, by name.
    Media(&'a str),
}

/// A field of a content type, an object, a repeater or a block.
#[derive(Debug)]
pub struct Field {
    /// The key of the value.
    pub name: FieldName,
    /// The display name; by default the name with spaces in place of separators.
    pub label: String,
    /// The help text, one sentence; may be empty.
    pub description: String,
    /// True if an empty value is rejected.
    pub required: bool,
    /// The value used on create if the key is absent.
    pub default: Option<Json>,
    /// True if each locale has its own value.
    pub localized: bool,
    /// True if no two entries of the type may have the same value.
    pub unique: bool,
    /// Conditions on other fields. The field is shown only if they hold; a hidden field is not
    /// required.
    pub visible_if: Vec<(String, Vec<Json>)>,
    /// The kind of the values.
    pub kind: Box<dyn FieldKind>,
    /// The definition as written, including unknown keys.
    pub definition: Map,
}

impl Field {
    /// Returns the name of the kind, as the definition says it.
    pub fn kind_name(&self) -> &str {
        self.definition.get("type").and_then(Json::as_str).unwrap_or("text")
    }

    /// Returns true if storing this value is the same as storing none.
    pub fn is_nothing(&self, value: &Json) -> bool {
        value.is_empty() && *value == self.kind.empty_value()
    }

    /// Returns true if the field is visible beside these values. Only visible fields can be
    /// required.
    pub fn is_visible(&self, siblings: &Map) -> bool {
        self.visible_if.iter().all(|(name, wanted)| {
            let value = siblings.get(name).unwrap_or(&Json::Null);
            wanted.iter().any(|it| it == value || it.is_empty() && value.is_empty())
        })
    }
}

/// Fields in order, with lookup by name.
#[derive(Debug, Default)]
pub struct Fields(pub(super) Vec<Field>);

impl Fields {
    /// Returns the field with this name.
    pub fn get(&self, name: &str) -> Option<&Field> {
        self.0.iter().find(|it| it.name.as_str() == name)
    }

    /// Returns the fields in order.
    pub fn iter(&self) -> std::slice::Iter<'_, Field> {
        self.0.iter()
    }

    /// Returns the number of fields.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns true if there are no fields.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Finds a field inside objects by a dotted path: `seo.title`.
    pub fn find_nested(&self, dotted: &str) -> Option<&Field> {
        match dotted.split_once('.') {
            None => self.get(dotted),
            Some((name, rest)) => self.get(name)?.kind.subfields()?.find_nested(rest),
        }
    }
}

/// Visits the comparable values: the value itself, or each item of a list.
fn visit_comparables(comparison: Comparison, shown: &Json, each: &mut dyn FnMut(Comparable<'_>)) {
    match shown {
        Json::Array(items) => items.iter().for_each(|it| visit_comparable(comparison, it, each)),
        single => visit_comparable(comparison, single, each),
    }
}

fn visit_comparable(comparison: Comparison, value: &Json, each: &mut dyn FnMut(Comparable<'_>)) {
    if value.is_empty() {
        return;
    }
    let number: Option<ExactNumber> = match (comparison, value) {
        (Comparison::Number, Json::Number(number)) => Some(number.into()),
        (Comparison::Bool, value) => value.as_bool().map(ExactNumber::from),
        (Comparison::Date | Comparison::DateTime, value) => {
            value.as_str().and_then(Timestamp::parse).map(ExactNumber::from)
        }
        (Comparison::Text | Comparison::LongText | Comparison::Json, Json::Number(number)) => {
            return each(Comparable::WrittenNumber(number.into(), &text_of(value)));
        }
        _ => None,
    };
    match number {
        Some(number) => each(Comparable::Number(number)),
        // A text, or a value that no longer fits the field, but is stored and shown.
        None => each(Comparable::Text(&text_of(value))),
    }
}
