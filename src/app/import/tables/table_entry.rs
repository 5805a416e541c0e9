//! The entries of a table: columns find their fields, and texts become what the kinds of these
//! fields accept.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use crate::app::import::import_set::EntryKey;
use crate::app::import::import_set::ImportSet;
use crate::app::import::import_set::ImportedEntry;
use crate::app::import::report::SourcePlace;
use crate::app::import::tables::options::TableOptions;
use crate::model::content_type::ContentType;
use crate::model::entry::EntryStatus;
use crate::model::name::EntryId;
use crate::model::name::FieldName;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::slug::slugify;
use crate::stdx::time::Timestamp;

/// The keys of an entry that columns can have.
const ENTRY_KEYS: &[&str] =
    &["id", "title", "slug", "status", "published_at", "unpublish_at", "author_id"];

/// The keys of an entry that say when it was written.
const TIME_KEYS: &[&str] = &["created_at", "updated_at"];

/// The keys of entries in answers and files that are not imported, and need no remark.
const DERIVED_KEYS: &[&str] = &["type", "locale", "locales", "updated_by", "former_slugs", "etag"];

/// The place in an entry that the values of a column go to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ColumnTarget {
    /// A key of the entry itself.
    Key(String),
    /// A field, in the locale of the import.
    Field(String),
    /// A title or a field in another locale.
    Translation(String, String),
}

/// The entries of a table.
pub(super) struct TableEntries<'a> {
    ty: &'a ContentType,
    options: &'a TableOptions,
    set: &'a mut ImportSet,
    /// The columns that are left out.
    left_out: BTreeSet<String>,
    /// True if numbers can have a decimal comma: spreadsheets that write it separate values by
    /// semicolons.
    pub(super) has_decimal_commas: bool,
}

impl<'a> TableEntries<'a> {
    /// Creates the entries of a table. Options that do not fit the type are problems.
    pub(super) fn new(
        ty: &'a ContentType,
        options: &'a TableOptions,
        set: &'a mut ImportSet,
    ) -> TableEntries<'a> {
        let left_out = BTreeSet::new();
        let entries = TableEntries { ty, options, set, left_out, has_decimal_commas: false };
        let mut problems = Vec::new();
        let is_builtin = |it: &str| ENTRY_KEYS.contains(&it) || TIME_KEYS.contains(&it);
        for (column, field) in &options.map {
            if !field.is_empty() && entries.find_name(field).is_none() {
                problems
                    .push(format!("`{column}` cannot go into `{field}`: there is no such field."));
            }
        }
        if let Some(key) = options.key.as_deref().filter(|it| !matches!(*it, "id" | "slug")) {
            match ty.fields.get(key).filter(|_| !is_builtin(key)) {
                Some(field) if field.unique => {}
                Some(_) => problems.push(format!(
                    "The key `{key}` must be a unique field, so that a row has one entry. Add \
                     `\"unique\": true` to its definition."
                )),
                None => problems.push(format!("There is no field `{key}` for the key.")),
            }
        }
        if let Some(status) =
            options.status.as_deref().filter(|it| EntryStatus::parse(it).is_none())
        {
            problems.push(format!("There is no status `{status}`."));
        }
        if let Some(locale) = options.locale.as_deref().filter(|it| ty.locale_index(it).is_none()) {
            problems.push(format!("`{}` has no locale `{locale}`.", ty.name));
        }
        for message in problems {
            entries.set.report.add_problem(SourcePlace::default(), message);
        }
        entries
    }

    /// Adds a problem.
    pub(super) fn add_problem(&mut self, place: SourcePlace, message: String) {
        self.set.report.add_problem(place, message);
    }

    /// Finds the target of a column. One without a target is left out, with a remark.
    pub(super) fn find_column(
        &mut self,
        column: &str,
        place: &SourcePlace,
    ) -> Option<ColumnTarget> {
        if let Some((_, field)) = self.options.map.iter().find(|(name, _)| name == column) {
            return self.find_name(field);
        }
        let found = self.find_name(column);
        let is_silent = column.is_empty() || DERIVED_KEYS.contains(&column);
        if found.is_none() && !is_silent && self.left_out.insert(column.to_string()) {
            let message = format!("`{}` has no such field; the values are left out.", self.ty.name);
            self.set.report.add_skipped(place.with_field(column), message);
        }
        found
    }

    /// Finds the targets of the columns of a table. Two columns cannot go into one.
    pub(super) fn find_columns(
        &mut self,
        columns: &[String],
        place: &SourcePlace,
    ) -> Vec<Option<ColumnTarget>> {
        let mut targets: Vec<Option<ColumnTarget>> = Vec::with_capacity(columns.len());
        for column in columns {
            let target = self.find_column(column, place);
            let is_same = |it: &Option<ColumnTarget>| it.is_some() && *it == target;
            match targets.iter().position(is_same).and_then(|it| columns.get(it)) {
                Some(first) => {
                    self.add_problem(place.with_field(column), same_target(first));
                    targets.push(None);
                }
                None => targets.push(target),
            }
        }
        targets
    }

    /// Finds what a name means: a key, a field by name or label, or a field with a locale.
    fn find_name(&self, name: &str) -> Option<ColumnTarget> {
        let key = ENTRY_KEYS.iter().chain(TIME_KEYS).find(|it| it.eq_ignore_ascii_case(name));
        if let Some(key) = key {
            return Some(ColumnTarget::Key((*key).to_string()));
        }
        let mut fields = self.ty.data_fields();
        let exact = self.ty.fields.get(name);
        let field = exact
            .or_else(|| fields.find(|it| it.name.eq_ignore_ascii_case(name) || it.label == name));
        if let Some(field) = field {
            return Some(ColumnTarget::Field(field.name.to_string()));
        }
        let (name, locale) = name.rsplit_once('.')?;
        let locale = self.ty.locales.iter().find(|it| it.as_str() == locale)?.to_string();
        match self.find_name(name)? {
            ColumnTarget::Key(key) if key == "title" => {
                Some(ColumnTarget::Translation(locale, key))
            }
            ColumnTarget::Field(field) => Some(ColumnTarget::Translation(locale, field)),
            _ => None,
        }
    }

    /// Adds an entry with the values of an object.
    pub(super) fn add_object(&mut self, place: SourcePlace, map: &Map) {
        let whole = SourcePlace { row: None, line: None, ..place.clone() };
        let translations = map.get("translations").and_then(Json::as_object);
        let mut values: Vec<(&str, ColumnTarget, Json)> = Vec::with_capacity(map.len());
        for (column, value) in flatten(map) {
            if column == "translations" && translations.is_some() {
                continue;
            }
            let Some(target) = self.find_column(column, &whole) else { continue };
            match values.iter().find(|(_, known, _)| *known == target) {
                Some((_, _, same)) if same == value => {}
                Some((first, _, _)) => {
                    self.add_problem(place.with_field(column), same_target(first));
                }
                None => values.push((column, target, value.clone())),
            }
        }
        let mut entry = self.build_entry(place, values.into_iter());
        if let Some(translations) = translations {
            entry.values.set("translations", Json::Object(translations.clone()));
        }
        self.set.entries.push(entry);
    }

    /// Adds an entry with the texts of a row.
    pub(super) fn add_text_row<'v>(
        &mut self,
        place: SourcePlace,
        values: impl Iterator<Item = (&'v str, ColumnTarget, Json)>,
    ) {
        let mut converted = Vec::new();
        for (column, target, value) in values {
            let text = value.as_str().unwrap_or_default();
            match self.convert_text(&target, text) {
                Ok(value) => converted.push((column, target, value)),
                Err(message) => {
                    self.set.report.add_problem(place.with_field(column), message);
                }
            }
        }
        let entry = self.build_entry(place, converted.into_iter());
        self.set.entries.push(entry);
    }

    /// Converts a text to a value that the kind of its field accepts. An empty text is no value.
    fn convert_text(&self, target: &ColumnTarget, text: &str) -> Result<Json, String> {
        if text.is_empty() {
            return Ok(Json::Null);
        }
        let name = match target {
            ColumnTarget::Key(_) => return Ok(Json::from(text)),
            ColumnTarget::Field(name) | ColumnTarget::Translation(_, name) => name,
        };
        let Some(field) = self.ty.fields.get(name) else { return Ok(Json::from(text)) };
        let is_json = text.starts_with(['[', '{']);
        let is_list = field.definition.get("multiple").and_then(Json::as_bool) == Some(true);
        match field.kind_name() {
            "json" | "object" | "repeater" | "blocks" => {
                let parsed = Json::parse(text.as_bytes());
                parsed.map_err(|error| format!("This is not JSON: {}.", error.message))
            }
            "media" | "relation" | "select" if is_json => {
                let parsed = Json::parse(text.as_bytes());
                parsed.map_err(|error| format!("This is not JSON: {}.", error.message))
            }
            "media" | "relation" | "select" if is_list => {
                let parts = text.split(['|', ',', ';']).map(str::trim).filter(|it| !it.is_empty());
                Ok(Json::Array(parts.map(Json::from).collect()))
            }
            "number" | "range" if self.has_decimal_commas => {
                Ok(Json::from(replace_decimal_comma(text.trim())))
            }
            "media" | "relation" | "select" | "boolean" | "number" | "range" => {
                Ok(Json::from(text.trim()))
            }
            _ => Ok(Json::from(text)),
        }
    }

    fn build_entry<'v>(
        &mut self,
        place: SourcePlace,
        values: impl Iterator<Item = (&'v str, ColumnTarget, Json)>,
    ) -> ImportedEntry {
        let mut entry = ImportedEntry::new(place, self.ty.name.clone());
        let mut translations: BTreeMap<String, (Option<Json>, Map)> = BTreeMap::new();
        let mut data = Map::new();
        for (column, target, value) in values {
            match target {
                ColumnTarget::Key(key) => self.set_key(&mut entry, &key, column, value),
                ColumnTarget::Field(name) => {
                    entry.columns.insert(name.clone(), column.to_string());
                    data.set(&name, value);
                }
                ColumnTarget::Translation(locale, name) => {
                    let path = match name.as_str() {
                        "title" => format!("translations.{locale}.title"),
                        name => format!("translations.{locale}.data.{name}"),
                    };
                    entry.columns.insert(path, column.to_string());
                    let (title, values) = translations.entry(locale).or_default();
                    match name.as_str() {
                        "title" => *title = Some(value),
                        name => values.set(name, value),
                    }
                }
            }
        }
        entry.values.set("data", Json::Object(data));
        if !translations.is_empty() {
            let translations = translations.into_iter().map(|(locale, (title, data))| {
                let mut map = Map::new();
                title.into_iter().for_each(|it| map.push("title", it));
                map.push("data", data);
                (locale, Json::Object(map))
            });
            entry.values.set("translations", Json::Object(translations.collect()));
        }
        self.complete(&mut entry);
        entry
    }

    /// Sets a key of the entry itself.
    fn set_key(&mut self, entry: &mut ImportedEntry, key: &str, column: &str, value: Json) {
        entry.columns.insert(key.to_string(), column.to_string());
        let place = || entry.place.with_field(column);
        match key {
            _ if value.is_empty() && key != "title" => {}
            "id" => match value.as_str().map(EntryId::parse) {
                Some(Ok(id)) => entry.id = Some(id),
                Some(Err(error)) => self.set.report.add_problem(place(), error.message()),
                None => self.set.report.add_problem(place(), "An id must be a text."),
            },
            "created_at" | "updated_at" => match value.as_str().and_then(Timestamp::parse) {
                Some(time) if key == "created_at" => entry.created_at = Some(time),
                Some(time) => entry.updated_at = Some(time),
                None => {
                    let message = "This is not a time, such as 2026-05-03T12:00:00Z.";
                    self.set.report.add_problem(place(), message);
                }
            },
            _ => entry.values.set(key, value),
        }
    }

    /// Adds what the options say to an entry, and its key.
    fn complete(&mut self, entry: &mut ImportedEntry) {
        if let Some(status) = &self.options.status
            && !entry.values.contains("status")
        {
            entry.values.set("status", Json::from(status.as_str()));
        }
        if let Some(locale) = &self.options.locale {
            entry.values.set("locale", Json::from(locale.as_str()));
        }
        let slug = entry.values.get("slug").and_then(Json::as_str).map(slugify);
        let id = || entry.id.clone().map(EntryKey::Id);
        entry.key = match self.options.key.as_deref() {
            Some("id") => id(),
            Some("slug") => slug.map(EntryKey::Slug),
            Some(field) => {
                let data = entry.values.get("data").and_then(Json::as_object);
                let value = data.and_then(|it| it.get(field)).filter(|it| !it.is_empty());
                let name = FieldName::parse(field).ok();
                name.zip(value.cloned()).map(|(name, value)| EntryKey::Value(name, value))
            }
            None => slug.map(EntryKey::Slug).or_else(id),
        };
        if let Some(key) = self.options.key.as_deref()
            && entry.key.is_none()
            && (key != "slug" || entry.values.contains("slug"))
        {
            let column = entry.columns.get(key).map_or(key, String::as_str);
            let message = format!("This row has no `{key}`, by which its entry is found.");
            self.set.report.add_problem(entry.place.with_field(column), message);
        }
    }
}

/// Returns a number with a point instead of its decimal comma. A text with anything but digits and
/// one comma stays as it is.
fn replace_decimal_comma(text: &str) -> String {
    let is_number = |it: &str| !it.is_empty() && it.bytes().all(|byte| byte.is_ascii_digit());
    match text.split_once(',') {
        Some((whole, decimals))
            if is_number(whole.trim_start_matches(['+', '-'])) && is_number(decimals) =>
        {
            format!("{whole}.{decimals}")
        }
        _ => text.to_string(),
    }
}

fn same_target(first: &str) -> String {
    format!("`{first}` goes into the same field.")
}

/// Returns the members of an object with those of `data` beside them.
fn flatten(map: &Map) -> Vec<(&str, &Json)> {
    let inner = map.get("data").and_then(Json::as_object);
    let outer = map.iter().filter(|(key, value)| *key != "data" || value.as_object().is_none());
    outer.chain(inner.into_iter().flat_map(Map::iter)).collect()
}
