//! A content type that the front matter of its texts suggests.

use std::collections::BTreeSet;

use crate::model::field::label_from_name;
use crate::model::name::FieldName;
use crate::model::name::TypeName;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::slug::slugify;
use crate::stdx::time::Timestamp;
use crate::stdx::time::parse_date;

/// The keys of front matter with lists of words.
const WORD_LISTS: &[&str] = &["tags", "categories", "keywords", "category", "tag"];

/// The most characters of a line of text.
const LINE_CHARS_MAX: usize = 300;

/// The common properties of the values of one key.
#[derive(Debug)]
struct SeenValues {
    name: FieldName,
    /// The kinds that all values fit so far.
    kinds: BTreeSet<&'static str>,
    /// True if a value is a list.
    is_list: bool,
    /// The words of lists, in the order of their letters.
    words: BTreeSet<String>,
}

/// A content type while its texts are read.
#[derive(Debug)]
pub(super) struct InferredType {
    name: TypeName,
    fields: Vec<SeenValues>,
    has_text: bool,
    /// The locales, the default one first; empty if it is not localized.
    pub(super) locales: Vec<String>,
}

impl InferredType {
    /// Creates a type that nothing is known of.
    pub(super) fn new(name: TypeName) -> InferredType {
        InferredType { name, fields: Vec::new(), has_text: false, locales: Vec::new() }
    }

    /// Takes note of a value. `is_file` tells that it leads to a file of the source.
    pub(super) fn add_value(&mut self, name: &FieldName, value: &Json, is_file: bool) {
        if value.is_empty() {
            return;
        }
        let position = self.fields.iter().position(|it| it.name == *name);
        let kinds = list_kinds(name, value, is_file);
        let index = position.unwrap_or_else(|| {
            let (is_list, words) = (false, BTreeSet::new());
            self.fields.push(SeenValues {
                name: name.clone(),
                kinds: kinds.clone(),
                is_list,
                words,
            });
            self.fields.len() - 1
        });
        let Some(seen) = self.fields.get_mut(index) else { return };
        seen.kinds.retain(|it| kinds.contains(it));
        seen.is_list |= value.as_array().is_some();
        let items = value.as_array().unwrap_or(std::slice::from_ref(value));
        seen.words.extend(items.iter().filter_map(Json::as_str).map(str::to_string));
    }

    /// Takes note of a text below the front matter.
    pub(super) fn add_text(&mut self, text: &str) {
        self.has_text |= !text.trim().is_empty();
    }

    /// Returns the request that creates the type.
    pub(super) fn to_definition_of_type(&self) -> Map {
        let mut fields = Map::new();
        let mut title = Map::new();
        title.push("type", "text");
        title.push("label", "Title");
        title.push("required", true);
        fields.push("title", title);
        for seen in &self.fields {
            fields.set(seen.name.as_str(), Json::Object(seen.to_definition()));
        }
        if self.has_text || self.fields.is_empty() {
            let mut text = Map::new();
            text.push("type", "markdown");
            text.push("label", "Text");
            fields.set("body", Json::Object(text));
        }
        let mut map = Map::new();
        map.push("name", self.name.as_str());
        map.push("label", label_from_name(self.name.as_str()));
        if !self.locales.is_empty() {
            let locales: Vec<Json> =
                self.locales.iter().map(|it| Json::from(it.as_str())).collect();
            map.push("locales", locales);
        }
        map.push("fields", fields);
        map
    }
}

impl SeenValues {
    fn to_definition(&self) -> Map {
        const BEST: &[&str] = &[
            "boolean", "number", "media", "select", "date", "datetime", "url", "text", "textarea",
        ];
        let kind = BEST.iter().find(|it| self.kinds.contains(*it)).copied().unwrap_or("json");
        let mut map = Map::new();
        map.push("type", kind);
        map.push("label", label_from_name(self.name.as_str()));
        if matches!(kind, "media" | "select") && self.is_list {
            map.push("multiple", true);
        }
        if kind == "select" {
            let words: Vec<Json> = self.words.iter().map(|it| Json::from(it.as_str())).collect();
            map.push("options", words);
        }
        map
    }
}

/// Returns the kinds of fields that a value fits.
fn list_kinds(name: &FieldName, value: &Json, is_file: bool) -> BTreeSet<&'static str> {
    let mut kinds = BTreeSet::new();
    match value {
        Json::Bool(_) => _ = kinds.insert("boolean"),
        Json::Number(_) => _ = kinds.insert("number"),
        Json::String(_) if is_file => kinds.extend(["media", "text"]),
        Json::String(text) => {
            if WORD_LISTS.contains(&name.as_str()) {
                kinds.insert("select");
            }
            if parse_date(text).is_some() {
                kinds.insert("date");
            }
            if Timestamp::parse(text).is_some() {
                kinds.insert("datetime");
            }
            if text.starts_with("https://") || text.starts_with("http://") {
                kinds.insert("url");
            }
            if !text.contains('\n') && text.chars().count() <= LINE_CHARS_MAX {
                kinds.insert("text");
            }
            kinds.insert("textarea");
        }
        Json::Array(items) if items.iter().all(|it| it.as_str().is_some()) => {
            if is_file {
                kinds.insert("media");
            } else if WORD_LISTS.contains(&name.as_str()) {
                kinds.insert("select");
            }
        }
        _ => {}
    }
    kinds
}

/// Returns the name of the content type for a folder. Reserved names get an ending.
pub(super) fn type_name(folder: &str) -> Option<TypeName> {
    let slug = slugify(folder);
    let name = TypeName::parse(folder).or_else(|_| TypeName::parse(&slug));
    name.or_else(|_| TypeName::parse(&format!("{slug}_entries"))).ok()
}
