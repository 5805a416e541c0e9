//! Fields of content types and the registry of their kinds: one file a kind, one line in [`KINDS`].
//!
//! A kind says how a value is accepted from a writer, how it is shown to a reader, how it compares
//! in filters and orders, and how it is described to tools. Nothing outside this folder switches
//! over kinds.

use std::borrow::Cow;
use std::fmt;

use crate::model::name::TypeName;
use crate::model::problem::FieldProblems;
use crate::model::unknown_keys::UnknownKeys;
use crate::stdx::json::Json;
use crate::stdx::time::Timestamp;

mod before;
mod blocks;
mod boolean;
mod color;
mod date;
mod datetime;
mod definition;
mod definition_schema;
mod email;
mod fields;
mod html;
mod json;
mod limits;
mod markdown;
mod media;
mod number;
mod object;
mod range;
mod relation;
mod repeater;
mod rows;
mod select;
mod show;
mod slug;
mod text;
mod textarea;
mod url;

#[cfg(test)]
pub(super) mod kind_test;

pub use before::Before;
pub(in crate::model) use before::loose_sum;
pub use before::same;
pub(in crate::model) use blocks::ID as BLOCK_ID;
pub use definition::Definition;
pub use definition_schema::content_type_schema;
pub use definition_schema::setting_names;
pub(crate) use email::is_email;
pub use fields::FIELDS_MAX;
pub use fields::Field;
pub use fields::Fields;
pub use fields::REQUIRED;
pub use fields::close_schema;
pub use fields::join;
pub use fields::label_of;
pub use html::sanitized;
pub(in crate::model) use rows::pair_rows;
pub use show::Link;
pub use show::Show;
pub use show::write_list;

/// How deep definitions may be nested: repeaters, objects and blocks inside one another.
pub const NESTING_MAX: usize = 5;

/// One kind of field with its own settings parsed: what a value of the field means.
pub trait FieldKind: fmt::Debug + Send + Sync {
    /// The name on the wire, as in [`KINDS`].
    fn name(&self) -> &'static str;

    /// Turns what a writer sent into what is stored. Every defect is added to `problems` with its
    /// path below this field (`""` for the value itself, `[2].url` inside); what is returned then
    /// is not used. What was accepted once is accepted again, unchanged.
    fn accept(&self, input: &Json, world: &dyn World, problems: &mut FieldProblems) -> Json;

    /// Turns what a writer sent in place of `before` into what is stored; nothing when that is what
    /// is stored already. What was sent as it was shown is unchanged, and what the writer was not
    /// shown stays. Defects are told as by [`FieldKind::accept`].
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
        let is_null = matches!(input, Json::Null);
        let accepted = if is_null { self.empty() } else { self.accept(input, world, problems) };
        before.unless_stored(accepted)
    }

    /// Tells what is wrong with a stored value, by itself, and gives what would be stored in its
    /// place. The default accepts it anew.
    fn judge(&self, stored: &Json, problems: &mut FieldProblems) -> Json {
        self.accept(stored, &AnyWorld, problems)
    }

    /// The stored form of "no value".
    fn empty(&self) -> Json {
        Json::Null
    }

    /// Appends the stored value as readers of the public API see it: `null` as the kind's empty
    /// value, and a value that does not fit the kind any more as it is.
    fn show(&self, stored: &Json, show: &mut Show<'_>) {
        match stored {
            Json::Null => self.empty().write_compact(&mut show.out),
            value => value.write_compact(&mut show.out),
        }
    }

    /// How values compare in filters and orders.
    fn comparison(&self) -> Comparison;

    /// Calls `each` with every comparable value inside a *shown* value: none for an empty one, one
    /// for a single one, each item of a list. The default fits every kind so far.
    fn values(&self, shown: &Json, each: &mut dyn FnMut(Comparable<'_>)) {
        comparables(self.comparison(), shown, each);
    }

    /// Appends the text that full-text search looks at, pieces separated by line feeds. Works on
    /// stored and on shown values. The default is for kinds that are not searched.
    fn text(&self, _value: &Json, _out: &mut String) {}

    /// Calls `each` with everything a stored value refers to, however deep inside, with its path
    /// below this field.
    fn references(&self, _stored: &Json, _each: &mut dyn FnMut(&str, Reference<'_>)) {}

    /// Adds the keys in a stored value that mean nothing, however deep inside. The default is for
    /// kinds without keys of their own.
    fn unknown_keys<'a>(&'a self, _stored: &'a Json, _found: &mut UnknownKeys<'a>) {}

    /// The target of a relation and whether it holds several.
    fn relation(&self) -> Option<(&TypeName, bool)> {
        None
    }

    /// The targets of all relations in this field, nested ones included.
    fn relation_targets(&self, each: &mut dyn FnMut(&TypeName)) {
        if let Some((target, _)) = self.relation() {
            each(target);
        }
    }

    /// The fields of an object, which filters and orders reach with dots.
    fn subfields(&self) -> Option<&Fields> {
        None
    }

    /// JSON Schema (draft 2020-12) of the value, without title and description. Values that do not
    /// fit their definition any more are shown as well, so limits are for writers only.
    fn json_schema(&self, face: Face) -> serde_json::Value;
}

/// The kinds in the order in which the interface offers them.
pub static KINDS: &[KindEntry] = &[
    text::KIND,
    textarea::KIND,
    markdown::KIND,
    html::KIND,
    number::KIND,
    range::KIND,
    boolean::KIND,
    select::KIND,
    date::KIND,
    datetime::KIND,
    media::KIND,
    slug::KIND,
    json::KIND,
    relation::KIND,
    repeater::KIND,
    color::KIND,
    email::KIND,
    url::KIND,
    object::KIND,
    blocks::KIND,
];

/// One line of the registry.
#[derive(Debug)]
pub struct KindEntry {
    /// The `type` of a definition.
    pub name: &'static str,
    /// What values are, in a sentence.
    pub about: &'static str,
    /// Reads the kind's own settings; defects are added to the definition's problems.
    pub parse: fn(&mut Definition<'_>) -> Box<dyn FieldKind>,
    /// The kind's own settings as JSON Schema: a map from key to schema.
    pub settings: fn() -> serde_json::Value,
}

/// Which face of a value a JSON Schema describes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Face {
    /// What the public API answers.
    Shown,
    /// What a writer may send.
    Input,
    /// What stands in the file.
    Stored,
}

/// How values of a kind compare.
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
    /// As text, but too long to be held a second time in memory.
    LongText,
    /// By the id of an entry that the reader may see.
    Relation,
    /// By filename or URL.
    Media,
    /// Strings by their text, anything else by its compact JSON text.
    Json,
}

/// One comparable value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Comparable<'a> {
    /// Numbers; booleans as 0 and 1; dates and times as seconds since the epoch.
    Number(f64),
    /// Everything else.
    Text(&'a str),
}

/// What a stored value refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reference<'a> {
    /// An entry of the type, by id.
    Entry(&'a TypeName, &'a str),
    /// A media file, by name.
    Media(&'a str),
}

/// What a kind may ask about the workspace while it accepts a value.
pub trait World {
    /// The id of the active entry of `target` with this id or slug.
    fn entry(&self, target: &TypeName, id_or_slug: &str) -> Option<String>;

    /// The filename of an existing media file, given by filename or by its absolute URL in this
    /// workspace.
    fn media(&self, name_or_url: &str) -> Option<String>;

    /// A new id for a part of a value: letters, digits, `-` and `_`, at most 64.
    fn new_id(&self) -> String;

    /// The harmless part of a text in HTML, or a sentence about why it is refused.
    fn clean_html(&self, text: &str) -> Result<String, String>;
}

/// A world in which every reference holds, for judging values by themselves.
#[derive(Clone, Copy, Debug)]
pub struct AnyWorld;

impl World for AnyWorld {
    fn entry(&self, _target: &TypeName, id_or_slug: &str) -> Option<String> {
        Some(id_or_slug.to_string())
    }

    fn media(&self, name_or_url: &str) -> Option<String> {
        Some(name_or_url.to_string())
    }

    fn new_id(&self) -> String {
        "new".to_string()
    }

    fn clean_html(&self, text: &str) -> Result<String, String> {
        sanitized(text)
    }
}

/// [`FieldKind::values`]: the value, or each item of a list.
fn comparables(comparison: Comparison, shown: &Json, each: &mut dyn FnMut(Comparable<'_>)) {
    match shown {
        Json::Array(items) => items.iter().for_each(|it| comparable(comparison, it, each)),
        single => comparable(comparison, single, each),
    }
}

fn comparable(comparison: Comparison, value: &Json, each: &mut dyn FnMut(Comparable<'_>)) {
    if value.is_empty() {
        return;
    }
    let number = match comparison {
        Comparison::Number => value.as_f64(),
        Comparison::Bool => value.as_bool().map(|it| f64::from(u8::from(it))),
        Comparison::Date | Comparison::DateTime => {
            value.as_str().and_then(Timestamp::parse).map(|it| it.seconds() as f64)
        }
        _ => return each(Comparable::Text(&text_of(value))),
    };
    match number {
        Some(number) => each(Comparable::Number(number)),
        // It does not fit the field any more, yet it is there and is shown.
        None => each(Comparable::Text(&text_of(value))),
    }
}

/// The text of a string, the compact JSON text of anything else.
fn text_of(value: &Json) -> Cow<'_, str> {
    if let Json::String(text) = value {
        return Cow::Borrowed(text);
    }
    let mut out = Vec::new();
    value.write_compact(&mut out);
    // The writer copies text that is UTF-8 already.
    Cow::Owned(String::from_utf8(out).unwrap_or_default())
}

/// The text of a scalar: strings as they are, numbers and booleans as they are written.
fn scalar_text(value: &Json) -> Option<Cow<'_, str>> {
    match value {
        Json::Null | Json::Array(_) | Json::Object(_) => None,
        scalar => Some(text_of(scalar)),
    }
}

/// Appends a piece of searched text.
fn push_text(text: &str, out: &mut String) {
    if !text.is_empty() {
        if !out.is_empty() {
            out.push('\n');
        }
        out.push_str(text);
    }
}

/// The problem of a value that is of another JSON type than the kind takes.
fn refuse(wanted: &str, got: &Json, problems: &mut FieldProblems) -> Json {
    problems.add("", format!("This is {wanted}, not {}.", got.kind()));
    Json::Null
}

/// The text of a value that stands on one line, without white space around it. Nothing for an empty
/// one, and for a value of another JSON type, which is refused as not being `wanted`.
fn trimmed<'v>(wanted: &str, input: &'v Json, problems: &mut FieldProblems) -> Option<&'v str> {
    match input {
        empty if empty.is_empty() => None,
        Json::String(text) => Some(text.trim()).filter(|it| !it.is_empty()),
        other => {
            refuse(wanted, other, problems);
            None
        }
    }
}

/// The path of an item of a list: `[2]`.
fn item_path(index: usize) -> String {
    format!("[{index}]")
}
