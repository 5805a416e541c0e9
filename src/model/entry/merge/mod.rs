//! A request merged onto an entry: what its file says afterwards, what changed by that, and what is
//! wrong with the request.
//!
//! Keys that were not sent keep their value, and so does what was sent as the same caller's read
//! shows it; only what is left is judged. The file is worked on as it is, so that whatever nobody
//! touched stays, fitting or not.

mod shared;
mod translations;
mod values;

use crate::model::content_type::ContentType;
use crate::model::entry::Entry;
use crate::model::entry::FileFacts;
use crate::model::entry::Resolved;
use crate::model::entry::Standing;
use crate::model::entry::body::Api;
use crate::model::entry::body::Body;
use crate::model::entry::body::write_locale;
use crate::model::entry::needs_publish;
use crate::model::field::Field;
use crate::model::field::REQUIRED;
use crate::model::field::World;
use crate::model::field::same;
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
    "status",
    "published_at",
    "created_at",
    "updated_at",
    "author_id",
    "updated_by",
    "data",
    "translations",
];

/// How many characters a title has at most.
const TITLE_CHARS_MAX: usize = 500;

/// How many characters the name of an author has at most.
const AUTHOR_CHARS_MAX: usize = 100;

/// A request to write an entry, with all that it is judged by.
pub struct Write<'a> {
    /// The type of the entry.
    pub ty: &'a ContentType,
    /// Its id: of a singleton the name of the type.
    pub id: &'a EntryId,
    /// What is there; nothing on a create.
    pub current: Option<Current<'a>>,
    /// What was sent.
    pub body: &'a Map,
    /// To which API.
    pub api: Api,
    /// By whom, as entries name their authors.
    pub by: &'a str,
    /// Whether an `author_id` in the body counts.
    pub sets_author: bool,
    /// The present.
    pub now: Timestamp,
    /// What values may refer to, as far as the caller may know of it.
    pub world: &'a dyn World,
    /// The other entries of the type.
    pub others: &'a dyn Others,
}

/// An entry before a write.
#[derive(Clone, Copy)]
pub struct Current<'a> {
    /// What its file says.
    pub file: &'a Map,
    /// The entry as the same caller's read in the locale of the write shows it.
    pub shown: &'a Map,
    /// When the file was changed: stands in for times that the file does not give.
    pub modified: Timestamp,
}

/// What is asked about the other active entries of the type.
pub trait Others {
    /// Whether one of them goes by this slug, or has it as its id; upper and lower case are one.
    fn has_slug(&self, slug: &str) -> bool;

    /// Whether one of them has this value in this field, in any locale; upper and lower case are
    /// one.
    fn has_value(&self, field: &Field, value: &Json) -> bool;
}

/// What a request comes to.
#[derive(Debug)]
pub struct Merged {
    /// What the file says afterwards; the same as before when nothing changed.
    pub file: Map,
    /// What changed, by the names that grants know: keys of the entry and fields. On a create
    /// everything that is not empty.
    pub changed: Vec<String>,
    /// The locales that are written; none when the type is not localized.
    pub locales: Vec<LocaleCode>,
    /// Where the entry stood; nothing on a create.
    pub old: Option<Standing>,
    /// Where it stands afterwards.
    pub new: Standing,
    /// Who its author is afterwards.
    pub author_id: Option<String>,
    /// Its slug afterwards.
    pub slug: String,
    /// Everything that is wrong. If there is anything, the rest is not to be written.
    pub problems: FieldProblems,
    /// What was ignored.
    pub warnings: Vec<String>,
}

impl Merged {
    /// Whether there is anything to write.
    pub fn is_change(&self) -> bool {
        !self.changed.is_empty()
    }

    /// Whether the caller needs the right to publish.
    pub fn needs_publish(&self) -> bool {
        needs_publish(self.old, self.new)
    }
}

/// Merges a request onto what is there.
pub fn merge(write: &Write<'_>) -> Merged {
    let mut merge = Merge::new(write);
    merge.title();
    merge.values();
    merge.translations();
    merge.stand();
    merge.author();
    merge.slug();
    merge.finish()
}

/// Where a value goes: to the root of the file or to a translation.
#[derive(Clone, Debug, PartialEq)]
enum Layer {
    Root,
    Translation(LocaleCode),
}

/// A value that was sent otherwise than it was shown, and how its problems are addressed.
struct Touched {
    field: String,
    locale: Option<LocaleCode>,
    path: String,
    refused: bool,
}

struct Merge<'a> {
    write: &'a Write<'a>,
    body: Body<'a>,
    /// The locale that flat values are for.
    locale: Option<LocaleCode>,
    /// The entry before; an empty one on a create.
    old: Entry,
    shown: &'a Map,
    shown_data: &'a Map,
    file: Map,
    data: Map,
    translations: Map,
    standing: Standing,
    author_id: Option<String>,
    slug: String,
    changed: Vec<String>,
    locales: Vec<LocaleCode>,
    touched: Vec<Touched>,
    problems: FieldProblems,
}

static EMPTY: Map = Map::new();

impl<'a> Merge<'a> {
    fn new(write: &'a Write<'a>) -> Merge<'a> {
        let mut body = Body::read(write.ty, write.api, write.body);
        let mut problems = std::mem::take(&mut body.problems);
        let locale = write_locale(write.ty, write.body).unwrap_or_else(|problem| {
            problems.add("locale", problem);
            write.ty.default_locale.clone()
        });
        let file = write.current.map_or_else(Map::new, |it| it.file.clone());
        let old = read(write, file.clone());
        let shown = write.current.map_or(&EMPTY, |it| it.shown);
        let inner =
            |key: &str| file.get(key).and_then(Json::as_object).cloned().unwrap_or_default();
        Merge {
            shown,
            shown_data: shown.get("data").and_then(Json::as_object).unwrap_or(&EMPTY),
            data: inner("data"),
            translations: inner("translations"),
            file,
            standing: Standing::of(&old),
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

    fn creates(&self) -> bool {
        self.write.current.is_none()
    }

    /// The layer of a field's values in a locale.
    fn layer(&self, localized: bool, locale: Option<&LocaleCode>) -> Layer {
        match locale {
            Some(code) if localized && self.ty().root_locale.as_ref() != Some(code) => {
                Layer::Translation(code.clone())
            }
            _ => Layer::Root,
        }
    }

    /// What was sent under a key otherwise than it was shown.
    fn sent(&self, key: &str) -> Option<&'a Json> {
        let given = self.body.get(key)?;
        let shown = self.shown.get(key);
        shown.is_none_or(|it| !same(given, it)).then_some(given)
    }

    fn changes(&mut self, name: &str) {
        if !self.changed.iter().any(|it| it == name) {
            self.changed.push(name.to_string());
        }
    }

    fn touch(&mut self, field: &str, locale: Option<LocaleCode>, path: &str, found: FieldProblems) {
        let refused = !found.is_empty();
        if refused {
            // Whoever may not change the field is not told what fits it.
            self.changes(field);
        }
        self.problems.extend(found.at(path));
        let (field, path) = (field.to_string(), path.to_string());
        self.touched.push(Touched { field, locale, path, refused });
    }

    /// A new value that no other entry may have.
    fn must_be_unique(&self, field: &Field, value: &Json, found: &mut FieldProblems) {
        if field.unique && !value.is_empty() && self.write.others.has_value(field, value) {
            found.add("", "Another entry has this value already.");
        }
    }
}

/// Reads what the file would say.
fn read(write: &Write<'_>, file: Map) -> Entry {
    let modified = write.current.map_or(write.now, |it| it.modified);
    let facts = FileFacts { modified, now: write.now };
    Entry::read(write.id.clone(), write.ty, file.into(), facts, &mut Vec::new())
}

/// Putting it together.
impl Merge<'_> {
    fn finish(mut self) -> Merged {
        let old = self.write.current.map(|_| Standing::of(&self.old));
        if self.is_nothing_changed() {
            self.file = self.write.current.map_or_else(Map::new, |it| it.file.clone());
        } else {
            self.complete();
        }
        self.require();
        Merged {
            old,
            new: self.standing,
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
        self.changed.is_empty() && !self.creates()
    }

    /// Writes down what the server adds to any change: who and when, and what was only derived from
    /// the file so far and would change with it.
    fn complete(&mut self) {
        let stored_slug = self.file.get("slug").is_some_and(|it| !it.is_empty());
        if !stored_slug {
            set(&mut self.file, "slug", self.slug.as_str().into(), KEYS);
        }
        let dated = self.file.get("created_at").and_then(Json::as_str).and_then(Timestamp::parse);
        if dated.is_none() {
            set(&mut self.file, "created_at", time(Some(self.old.created_at)), KEYS);
        }
        set(&mut self.file, "updated_at", time(Some(self.write.now)), KEYS);
        set(&mut self.file, "updated_by", self.write.by.into(), KEYS);
        let names: Vec<&str> = self.ty().data_fields().map(|it| it.name.as_str()).collect();
        for field in self.ty().data_fields() {
            let (name, empty) = (field.name.as_str(), field.kind.empty());
            // `false` and the like are values: at the root they would stand before a translation's.
            let hides = field.localized && !empty.is_empty() && self.is_translated(name);
            if !self.data.contains(name) && !hides {
                set(&mut self.data, name, empty, &names);
            }
        }
        set(&mut self.file, "data", std::mem::take(&mut self.data).into(), KEYS);
        let translations = std::mem::take(&mut self.translations);
        if !translations.is_empty() || self.file.contains("translations") {
            set(&mut self.file, "translations", translations.into(), KEYS);
        }
    }

    /// Whether some locale beside the root's has a value in this field.
    fn is_translated(&self, field: &str) -> bool {
        self.translations.iter().any(|(_, translation)| {
            let data = translation.as_object().and_then(|it| it.get("data"));
            let value = data.and_then(Json::as_object).and_then(|it| it.get(field));
            value.is_some_and(|it| !it.is_empty())
        })
    }

    /// Judges what is required: what was touched, and what the request makes visible.
    fn require(&mut self) {
        let new = read(self.write, self.file.clone());
        let locale = self.locale.clone();
        let (shows, showed) =
            (siblings(self.ty(), &new, &locale), siblings(self.ty(), &self.old, &locale));
        let mut missing: Vec<String> = Vec::new();
        for touched in self.touched.iter().filter(|it| !it.refused) {
            let values = Resolved::new(self.ty(), &new, touched.locale.as_ref());
            let is_missing = match self.ty().fields.get(&touched.field) {
                _ if touched.field == "title" => values.title(self.ty()).is_empty(),
                Some(field) => {
                    let empty = values.value(field).is_none_or(Json::is_empty);
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

/// The values that a locale sees side by side, for conditions between fields.
fn siblings(ty: &ContentType, entry: &Entry, locale: &Option<LocaleCode>) -> Map {
    let values = Resolved::new(ty, entry, locale.as_ref());
    let mut map = Map::new();
    map.push("title", values.title(ty));
    map.push("slug", entry.slug.as_str());
    for field in ty.data_fields() {
        map.push(field.name.as_str(), values.value(field).cloned().unwrap_or_default());
    }
    map
}

fn time(at: Option<Timestamp>) -> Json {
    at.map_or(Json::Null, |it| it.to_string().into())
}

/// Sets a member, or takes it out.
fn put(map: &mut Map, key: &str, value: Option<Json>, order: &[&str]) {
    match value {
        Some(value) => set(map, key, value, order),
        None => _ = map.remove(key),
    }
}

/// Sets a key of an entry's file: in its place when it is there, else where people expect it.
pub fn set_key(file: &mut Map, key: &str, value: Json) {
    set(file, key, value, KEYS);
}

/// Sets a member: in its place when it is there, else behind the last of those that come before it
/// in `order`.
fn set(map: &mut Map, key: &str, value: Json, order: &[&str]) {
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
