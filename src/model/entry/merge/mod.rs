//! Merging of a request into an entry: the new content of its file, the changed keys, and the
//! problems with the request.
//!
//! Keys that were not sent keep their value, and so do values that were sent exactly as the
//! caller's read shows them. Only the remaining values are validated. The merge works on the
//! content of the file, so that untouched values stay as they are, valid or not.

mod metadata;
mod translations;
mod values;

use crate::model::content_type::ContentType;
use crate::model::entry::body::Api;
use crate::model::entry::body::EntryBody;
use crate::model::entry::body::parse_write_locale;
use crate::model::entry::localized_entry::LocalizedEntry;
use crate::model::entry::publication::Publication;
use crate::model::entry::publication::needs_publish;
use crate::model::entry::stored_entry::Entry;
use crate::model::entry::stored_entry::FileFacts;
use crate::model::field::Field;
use crate::model::field::REQUIRED;
use crate::model::field::ValueContext;
use crate::model::field::is_equivalent;
use crate::model::name::EntryId;
use crate::model::name::LocaleCode;
use crate::model::problem::FieldProblems;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::time::Timestamp;

/// The keys of an entry file, in their canonical order.
pub const KEYS: &[&str] = &[
    "title",
    "slug",
    "former_slugs",
    "status",
    "published_at",
    "unpublish_at",
    "created_at",
    "updated_at",
    "author_id",
    "updated_by",
    "data",
    "translations",
];

/// The maximum length of an author's name in characters.
const AUTHOR_CHARS_MAX: usize = 100;

/// A request to write an entry, with the context needed to validate it.
pub struct EntryWrite<'a> {
    /// The type of the entry.
    pub ty: &'a ContentType,
    /// The id of the entry; for a singleton the name of the type.
    pub id: &'a EntryId,
    /// The existing entry; `None` on a create.
    pub current: Option<CurrentEntry<'a>>,
    /// The body of the request.
    pub body: &'a Map,
    /// The API of the request.
    pub api: Api,
    /// The author of the write, in the form that entries store.
    pub by: &'a str,
    /// True if the caller may set `author_id`.
    pub sets_author: bool,
    /// True if the entry is proposed in a change: without a date it is published when that is.
    pub is_proposal: bool,
    /// The current time.
    pub now: Timestamp,
    /// The entries, media files and users that values may refer to, as far as the caller can see
    /// them.
    pub context: &'a dyn ValueContext,
    /// The other entries of the type.
    pub others: &'a dyn OtherEntries,
}

/// An existing entry before a write.
#[derive(Clone, Copy)]
pub struct CurrentEntry<'a> {
    /// The content of its file.
    pub file: &'a Map,
    /// The entry as a read by the same caller in the locale of the write shows it.
    pub shown: &'a Map,
    /// The modification time of the file, used in place of times that the file lacks.
    pub modified: Timestamp,
}

/// Lookups in the other active entries of the type.
pub trait OtherEntries {
    /// Returns true if one of them has this slug or this id, ignoring case.
    fn has_slug(&self, slug: &str) -> bool;

    /// Returns true if one of them has this value in this field in any locale, ignoring case.
    fn has_value(&self, field: &Field, value: &Json) -> bool;
}

/// The result of merging a request.
#[derive(Debug)]
pub struct MergedEntry {
    /// The new content of the file; the old one if nothing changed.
    pub file: Map,
    /// The changed keys of the entry and fields, by the names that grants use. On a create these
    /// are all that are not empty.
    pub changed: Vec<String>,
    /// The written locales; empty if the type is not localized. A translation that the caller does
    /// not see counts as written if the body names it.
    pub locales: Vec<LocaleCode>,
    /// The previous status and dates; `None` on a create.
    pub old: Option<Publication>,
    /// The new status and dates.
    pub new: Publication,
    /// The new author.
    pub author_id: Option<String>,
    /// The new slug.
    pub slug: String,
    /// The problems. If there are any, the result must not be written.
    pub problems: FieldProblems,
    /// The warnings about ignored keys.
    pub warnings: Vec<String>,
}

impl MergedEntry {
    /// Returns true if there is something to write.
    pub fn is_change(&self) -> bool {
        !self.changed.is_empty()
    }

    /// Returns true if the caller needs the permission to publish.
    pub fn needs_publish(&self) -> bool {
        needs_publish(self.old, self.new)
    }
}

/// Merges a request into the existing entry.
pub fn merge_entry(write: &EntryWrite<'_>) -> MergedEntry {
    let mut merge = EntryMerger::new(write);
    merge.merge_title();
    merge.merge_values();
    merge.merge_translations();
    merge.merge_publication();
    merge.merge_author();
    merge.merge_slug();
    merge.keep_former_slug();
    merge.finish()
}

/// The place where a value is stored: the root of the file or a translation.
#[derive(Clone, Debug, PartialEq)]
enum LocaleLayer {
    Root,
    Translation(LocaleCode),
}

/// A value that was sent and differs from the shown one, with the path for its problems.
struct TouchedValue {
    field: String,
    locale: Option<LocaleCode>,
    path: String,
    refused: bool,
}

struct EntryMerger<'a> {
    write: &'a EntryWrite<'a>,
    body: EntryBody<'a>,
    /// The locale of the flat values.
    locale: Option<LocaleCode>,
    /// The entry before the write; an empty one on a create.
    old: Entry,
    shown: &'a Map,
    shown_data: &'a Map,
    file: Map,
    data: Map,
    translations: Map,
    publication: Publication,
    author_id: Option<String>,
    slug: String,
    changed: Vec<String>,
    locales: Vec<LocaleCode>,
    touched: Vec<TouchedValue>,
    problems: FieldProblems,
}

static EMPTY: Map = Map::new();

impl<'a> EntryMerger<'a> {
    fn new(write: &'a EntryWrite<'a>) -> EntryMerger<'a> {
        let mut body = EntryBody::read(write.ty, write.api, write.body);
        let mut problems = std::mem::take(&mut body.problems);
        let locale = parse_write_locale(write.ty, write.body).unwrap_or_else(|problem| {
            problems.add("locale", problem);
            write.ty.default_locale.clone()
        });
        let file = write.current.map_or_else(Map::new, |it| it.file.clone());
        let old = read_entry(write, file.clone());
        let mut publication = Publication::of_entry(&old);
        // What is only proposed has no date yet, though reads show one.
        if write.is_proposal && file.get("published_at").is_none_or(Json::is_empty) {
            publication.published_at = None;
        }
        let shown = write.current.map_or(&EMPTY, |it| it.shown);
        let inner =
            |key: &str| file.get(key).and_then(Json::as_object).cloned().unwrap_or_default();
        EntryMerger {
            shown,
            shown_data: shown.get("data").and_then(Json::as_object).unwrap_or(&EMPTY),
            data: inner("data"),
            translations: inner("translations"),
            file,
            publication,
            author_id: old.author_id.clone(),
            slug: old.slug.clone(),
            old,
            changed: Vec::new(),
            locales: locale.iter().cloned().collect(),
            touched: Vec::new(),
            problems,
            locale,
            body,
            write,
        }
    }

    fn ty(&self) -> &'a ContentType {
        self.write.ty
    }

    fn is_create(&self) -> bool {
        self.write.current.is_none()
    }

    /// Returns the layer that stores the values of a field in a locale.
    fn choose_layer(&self, localized: bool, locale: Option<&LocaleCode>) -> LocaleLayer {
        match locale {
            Some(code) if localized && self.ty().root_locale.as_ref() != Some(code) => {
                LocaleLayer::Translation(code.clone())
            }
            _ => LocaleLayer::Root,
        }
    }

    /// Returns the value sent under a key if it differs from the shown one.
    fn get_changed(&self, key: &str) -> Option<&'a Json> {
        let given = self.body.get(key)?;
        let shown = self.shown.get(key);
        shown.is_none_or(|it| !is_equivalent(given, it)).then_some(given)
    }

    fn record_change(&mut self, name: &str) {
        if !self.changed.iter().any(|it| it == name) {
            self.changed.push(name.to_string());
        }
    }

    fn record_locale(&mut self, code: &LocaleCode) {
        if !self.locales.contains(code) {
            self.locales.push(code.clone());
        }
    }

    fn record_touched(
        &mut self,
        field: &str,
        locale: Option<LocaleCode>,
        path: &str,
        found: FieldProblems,
    ) {
        let refused = !found.is_empty();
        if refused {
            // Callers without permission for the field, or its locale, are not told which values
            // are valid.
            self.record_change(field);
            locale.iter().for_each(|it| self.record_locale(it));
        }
        self.problems.extend(found.with_prefix(path));
        let (field, path) = (field.to_string(), path.to_string());
        self.touched.push(TouchedValue { field, locale, path, refused });
    }

    /// Checks that no other entry has the same value in a unique field.
    fn check_unique(&self, field: &Field, value: &Json, found: &mut FieldProblems) {
        if field.unique && !value.is_empty() && self.write.others.has_value(field, value) {
            found.add("", "Another entry already has this value.");
        }
    }
}

/// Reads the file as an entry.
fn read_entry(write: &EntryWrite<'_>, file: Map) -> Entry {
    let modified = write.current.map_or(write.now, |it| it.modified);
    let facts = FileFacts { modified, now: write.now };
    Entry::read(write.id.clone(), write.ty, file.into(), facts, &mut Vec::new())
}

/// Assembly of the result.
impl EntryMerger<'_> {
    fn finish(mut self) -> MergedEntry {
        let old = self.write.current.map(|_| Publication::of_entry(&self.old));
        if self.is_nothing_changed() {
            self.file = self.write.current.map_or_else(Map::new, |it| it.file.clone());
        } else {
            self.complete_file();
        }
        self.check_required();
        MergedEntry {
            old,
            new: self.publication,
            file: self.file,
            changed: self.changed,
            locales: self.locales,
            author_id: self.author_id,
            slug: self.slug,
            problems: self.problems,
            warnings: self.body.warnings,
        }
    }

    fn is_nothing_changed(&self) -> bool {
        self.changed.is_empty() && !self.is_create()
    }

    /// Adds the members that the server sets on every change (time and author), and stores values
    /// that were only derived from the file so far and would otherwise change.
    fn complete_file(&mut self) {
        let stored_slug = self.file.get("slug").is_some_and(|it| !it.is_empty());
        if !stored_slug {
            set_in_order(&mut self.file, "slug", self.slug.as_str().into(), KEYS);
        }
        let dated = self.file.get("created_at").and_then(Json::as_str).and_then(Timestamp::parse);
        if dated.is_none() {
            set_in_order(&mut self.file, "created_at", self.old.created_at.into(), KEYS);
        }
        set_in_order(&mut self.file, "updated_at", self.write.now.into(), KEYS);
        set_in_order(&mut self.file, "updated_by", self.write.by.into(), KEYS);
        let names: Vec<&str> = self.ty().data_fields().map(|it| it.name.as_str()).collect();
        for field in self.ty().data_fields() {
            let (name, empty) = (field.name.as_str(), field.kind.empty_value());
            // `false` and similar values count as values: at the root they would hide a
            // translation's.
            let hides = field.localized && !empty.is_empty() && self.is_translated(name);
            if !self.data.contains(name) && !hides {
                set_in_order(&mut self.data, name, empty, &names);
            }
        }
        set_in_order(&mut self.file, "data", std::mem::take(&mut self.data).into(), KEYS);
        let translations = std::mem::take(&mut self.translations);
        if !translations.is_empty() || self.file.contains("translations") {
            set_in_order(&mut self.file, "translations", translations.into(), KEYS);
        }
    }

    /// Returns true if a locale other than the root's has a value in this field.
    fn is_translated(&self, field: &str) -> bool {
        self.translations.iter().any(|(_, translation)| {
            let data = translation.as_object().and_then(|it| it.get("data"));
            let value = data.and_then(Json::as_object).and_then(|it| it.get(field));
            value.is_some_and(|it| !it.is_empty())
        })
    }

    /// Checks the required values: those that were sent, and those that the request makes visible.
    fn check_required(&mut self) {
        let new = read_entry(self.write, self.file.clone());
        let locale = self.locale.clone();
        // Only conditions look at the values beside a field.
        let has_conditions = self.ty().fields.iter().any(|it| !it.visible_if.is_empty());
        let siblings = |entry: &Entry| match has_conditions {
            true => collect_siblings(self.ty(), entry, &locale),
            false => Map::new(),
        };
        let (shows, showed) = (siblings(&new), siblings(&self.old));
        let mut missing: Vec<String> = Vec::new();
        for touched in self.touched.iter().filter(|it| !it.refused) {
            let values = LocalizedEntry::new(self.ty(), &new, touched.locale.as_ref());
            let is_missing = match self.ty().fields.get(&touched.field) {
                _ if touched.field == "title" => values.title(self.ty()).is_empty(),
                Some(field) => {
                    let empty = values.get_value(field).is_none_or(Json::is_empty);
                    field.required && empty && field.is_visible(&shows)
                }
                None => false,
            };
            if is_missing {
                missing.push(touched.path.clone());
            }
        }
        for field in self.ty().data_fields().filter(|it| it.required) {
            let name = field.name.as_str();
            let appears = field.is_visible(&shows) && !field.is_visible(&showed);
            let judged = self.touched.iter().any(|it| it.path == name);
            if appears && !judged && shows.get(name).is_none_or(Json::is_empty) {
                missing.push(name.to_string());
            }
        }
        missing.into_iter().for_each(|path| self.problems.add(path, REQUIRED));
    }
}

/// Returns the values that a locale sees, for conditions between fields.
fn collect_siblings(ty: &ContentType, entry: &Entry, locale: &Option<LocaleCode>) -> Map {
    let values = LocalizedEntry::new(ty, entry, locale.as_ref());
    let mut map = Map::new();
    map.push("title", values.title(ty));
    map.push("slug", entry.slug.as_str());
    for field in ty.data_fields() {
        map.push(field.name.as_str(), values.get_value(field).cloned().unwrap_or_default());
    }
    map
}

/// Sets or removes a member.
fn set_or_remove(map: &mut Map, key: &str, value: Option<Json>, order: &[&str]) {
    match value {
        Some(value) => set_in_order(map, key, value, order),
        None => _ = map.remove(key),
    }
}

/// Sets a key of an entry's file: in its current position, or in the canonical one if it is new.
pub fn set_key(file: &mut Map, key: &str, value: Json) {
    set_in_order(file, key, value, KEYS);
}

/// Sets a member: in its current position, or if it is new, after the last of those that precede it
/// in `order`.
fn set_in_order(map: &mut Map, key: &str, value: Json, order: &[&str]) {
    if map.contains(key) {
        return map.set(key, value);
    }
    let rank = order.iter().position(|it| *it == key).unwrap_or(order.len());
    let before = |name: &str| order.iter().position(|it| *it == name).is_some_and(|it| it < rank);
    let place = match map.iter().enumerate().filter(|(_, (name, _))| before(name)).last() {
        Some((last, _)) => last + 1,
        None if rank == order.len() => map.len(),
        None => 0,
    };
    let mut members: Vec<(String, Json)> = std::mem::take(map).into_iter().collect();
    members.insert(place, (key.to_string(), value));
    *map = members.into_iter().collect();
}
