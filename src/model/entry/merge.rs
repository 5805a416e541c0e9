//! A request merged onto an entry: what its file says afterwards, what changed by that, and what is
//! wrong with the request.
//!
//! Keys that were not sent keep their value, and so does what was sent as the same caller's read
//! shows it; only what is left is judged. The file is worked on as it is, so that whatever nobody
//! touched stays, fitting or not.

use crate::model::content_type::ContentType;
use crate::model::entry::Entry;
use crate::model::entry::FileFacts;
use crate::model::entry::Resolved;
use crate::model::entry::Standing;
use crate::model::entry::Status;
use crate::model::entry::body::Api;
use crate::model::entry::body::Body;
use crate::model::entry::body::unknown;
use crate::model::entry::body::write_locale;
use crate::model::entry::needs_publish;
use crate::model::entry::slugs;
use crate::model::entry::unused_slug;
use crate::model::field::Before;
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

/// Titles.
impl Merge<'_> {
    fn title(&mut self) {
        let field = self.ty().fields.get("title");
        let default = field.and_then(|it| it.default.as_ref()).filter(|_| self.creates());
        let given = self.sent("title");
        let Some(value) = given.or(default).or(self.creates().then_some(&Json::Null)) else {
            return;
        };
        let mut found = FieldProblems::new();
        let title = self.accepted_title(value, &mut found);
        let layer = self.layer(field.is_none_or(|it| it.localized), self.locale.as_ref());
        // Other locales fall back to the root's title, so that one has to be there.
        let of_root = self.creates() || layer == Layer::Root;
        if of_root && title.is_none() && found.is_empty() {
            found.add("", REQUIRED);
        }
        if self.creates() {
            self.set_title(&Layer::Root, title.as_deref(), &mut found);
        }
        let is_own = layer != Layer::Root && given.is_some();
        if is_own || !self.creates() {
            self.set_title(&layer, title.as_deref(), &mut found);
        }
        self.touch("title", self.locale.clone(), "title", found);
    }

    /// What is stored of a title that was sent; nothing of an empty one.
    fn accepted_title(&self, given: &Json, found: &mut FieldProblems) -> Option<String> {
        let kind = self.ty().fields.get("title").map(|it| &it.kind);
        let accepted = match kind {
            Some(kind) if !given.is_empty() => kind.accept(given, self.write.world, found),
            _ => given.clone(),
        };
        match accepted {
            Json::String(text) if text.trim().is_empty() => None,
            Json::String(text) => {
                if text.chars().count() > TITLE_CHARS_MAX {
                    found.add("", format!("A title has at most {TITLE_CHARS_MAX} characters."));
                }
                Some(text)
            }
            empty if empty.is_empty() => None,
            other => {
                found.add("", format!("This is a text, not {}.", other.kind()));
                None
            }
        }
    }

    fn set_title(&mut self, layer: &Layer, title: Option<&str>, found: &mut FieldProblems) {
        if !found.is_empty() {
            return;
        }
        let before = match layer {
            Layer::Root => Some(self.old.title.as_str()).filter(|it| !it.is_empty()),
            Layer::Translation(code) => {
                self.old.translation(code.as_str()).and_then(|it| it.title.as_deref())
            }
        };
        if title == before {
            return;
        }
        let value = title.map(Json::from);
        if let (Some(field), Some(value)) = (self.ty().fields.get("title"), &value) {
            self.must_be_unique(field, value, found);
        }
        match (layer, value) {
            (Layer::Root, None) => return,
            (Layer::Root, Some(value)) => set(&mut self.file, "title", value, KEYS),
            (Layer::Translation(code), value) => {
                self.translate(code, |translation| put(translation, "title", value, KEYS));
            }
        }
        self.changes("title");
    }

    /// Changes what is stored of a translation; one that says nothing any more goes.
    fn translate(&mut self, code: &LocaleCode, change: impl FnOnce(&mut Map)) {
        let stored = self.translations.get(code.as_str()).and_then(Json::as_object);
        let mut translation = stored.cloned().unwrap_or_default();
        change(&mut translation);
        let locales: Vec<&str> = self.ty().locales.iter().map(|it| it.as_str()).collect();
        let value = (!translation.is_empty()).then_some(translation.into());
        put(&mut self.translations, code.as_str(), value, &locales);
        if !self.locales.contains(code) {
            self.locales.push(code.clone());
        }
    }
}

/// Values of fields.
impl<'a> Merge<'a> {
    fn values(&mut self) {
        for field in self.ty().data_fields() {
            let name = field.name.as_str();
            let given = self.body.get(name);
            if self.creates() {
                self.create_value(field, given);
            } else if let Some(given) = given {
                let shown = self.shown_data.get(name);
                if shown.is_none_or(|it| !same(given, it)) {
                    self.update_value(field, given, shown);
                }
            }
        }
    }

    /// A new entry has every field. Its first values are the root's, whatever the locale, and those
    /// that were sent are that locale's own as well.
    fn create_value(&mut self, field: &'a Field, given: Option<&Json>) {
        let name = field.name.as_str();
        let mut found = FieldProblems::new();
        let value = match given.or(field.default.as_ref()) {
            None | Some(Json::Null) => field.kind.empty(),
            Some(sent) => field.kind.accept(sent, self.write.world, &mut found),
        };
        self.must_be_unique(field, &value, &mut found);
        if let Layer::Translation(code) = self.layer(field.localized, self.locale.as_ref())
            && given.is_some_and(|it| !it.is_empty())
            && !value.is_empty()
        {
            self.set_value(&Layer::Translation(code), field, value.clone());
        }
        if !value.is_empty() {
            self.changes(name);
        }
        self.data.set(name, value);
        self.touch(name, self.locale.clone(), name, found);
    }

    /// A value in the locale of the request is held against what that locale sees.
    fn update_value(&mut self, field: &'a Field, given: &Json, shown: Option<&Json>) {
        let resolved = Resolved::new(self.ty(), &self.old, self.locale.as_ref());
        let before = Before::of(resolved.value(field), shown);
        let mut found = FieldProblems::new();
        let merged = field.kind.merge(given, before, self.write.world, &mut found);
        let layer = self.layer(field.localized, self.locale.as_ref());
        if let Some(value) = merged {
            self.replace(&layer, field, given, value, &mut found);
        }
        let name = field.name.as_str();
        self.touch(name, self.locale.clone(), name, found);
    }

    /// Stores a value in place of another. What is empty in a translation is taken out of it, so
    /// that a read falls back.
    fn replace(
        &mut self,
        layer: &Layer,
        field: &'a Field,
        given: &Json,
        value: Json,
        found: &mut FieldProblems,
    ) {
        if !found.is_empty() {
            return;
        }
        let name = field.name.as_str();
        let stored = match layer {
            Layer::Root => self.data.get(name),
            Layer::Translation(code) => {
                self.old.translation(code.as_str()).and_then(|it| it.data.get(name))
            }
        };
        let clears = *layer != Layer::Root && given.is_empty();
        let value = if clears { Json::Null } else { value };
        let is_same = match stored {
            Some(stored) => *stored == value,
            None => field.is_nothing(&value) || value.is_empty() && *layer != Layer::Root,
        };
        if is_same {
            return;
        }
        self.must_be_unique(field, &value, found);
        self.set_value(layer, field, value);
        self.changes(name);
    }

    fn set_value(&mut self, layer: &Layer, field: &Field, value: Json) {
        let names: Vec<&str> = self.ty().data_fields().map(|it| it.name.as_str()).collect();
        let name = field.name.as_str();
        let Layer::Translation(code) = layer else {
            return set(&mut self.data, name, value, &names);
        };
        self.translate(code, |translation| {
            let stored = translation.get("data").and_then(Json::as_object);
            let mut data = stored.cloned().unwrap_or_default();
            put(&mut data, name, Some(value).filter(|it| !it.is_empty()), &names);
            put(translation, "data", (!data.is_empty()).then_some(data.into()), KEYS);
        });
    }
}

/// Values of other locales than the one of the request, which the admin interface saves with it.
impl<'a> Merge<'a> {
    fn translations(&mut self) {
        let Some(sent) = self.body.translations else { return };
        let shown = self.shown.get("translations").and_then(Json::as_object).unwrap_or(&EMPTY);
        for (code, given) in sent.iter() {
            if shown.get(code).is_some_and(|it| same(it, given)) {
                continue;
            }
            let path = format!("translations.{code}");
            let root = self.ty().root_locale.as_ref();
            let known = self.ty().locales.iter().find(|it| it.as_str() == code);
            match (known, given) {
                (None, _) => {
                    let message =
                        format!("`{code}` is not among the locales of `{}`.", self.ty().name);
                    self.problems.add(path, message);
                }
                (Some(locale), _) if Some(locale) == root => {
                    let message = "The values of this locale are those of the entry itself.";
                    self.problems.add(path, message);
                }
                (Some(locale), Json::Null) => self.drop_translation(locale),
                (Some(locale), Json::Object(given)) => {
                    let shown = shown.get(code).and_then(Json::as_object).unwrap_or(&EMPTY);
                    self.translation(locale, given, shown, &path);
                }
                (Some(_), other) => {
                    self.problems.add(path, format!("This is an object, not {}.", other.kind()));
                }
            }
        }
    }

    fn drop_translation(&mut self, locale: &LocaleCode) {
        let Some(translation) = self.old.translation(locale.as_str()).cloned() else { return };
        if translation.title.is_some() {
            self.changes("title");
        }
        let declared = |name: &str| self.ty().fields.get(name).is_some();
        let names: Vec<&str> =
            translation.data.iter().map(|(name, _)| name).filter(|it| declared(it)).collect();
        names.into_iter().for_each(|it| self.changes(it));
        self.translate(locale, |it| *it = Map::new());
    }

    fn translation(&mut self, locale: &LocaleCode, given: &'a Map, shown: &'a Map, path: &str) {
        let object = |map: &'a Map| map.get("data").and_then(Json::as_object).unwrap_or(&EMPTY);
        let (data, shown_data) = (object(given), object(shown));
        for (key, value) in given.iter().filter(|(key, _)| *key != "data") {
            let is_same = shown.get(key).is_some_and(|it| same(it, value));
            if key == "title" && !is_same {
                self.translated_title(locale, value, &format!("{path}.title"));
            } else if key != "title" {
                self.body.warnings.push(unknown(&format!("{path}.{key}"), self.ty()));
            }
        }
        for (name, value) in data.iter() {
            if shown_data.get(name).is_some_and(|it| same(it, value)) {
                continue;
            }
            let path = format!("{path}.data.{name}");
            let field = self.ty().data_fields().find(|it| it.localized && it.name.as_str() == name);
            match field {
                Some(field) => self.translated(locale, field, value, shown_data.get(name), &path),
                None => self.body.warnings.push(unknown(&path, self.ty())),
            }
        }
    }

    fn translated_title(&mut self, locale: &LocaleCode, given: &Json, path: &str) {
        if self.ty().fields.get("title").is_some_and(|it| !it.localized) {
            return self.body.warnings.push(unknown(path, self.ty()));
        }
        let mut found = FieldProblems::new();
        let title = self.accepted_title(given, &mut found);
        self.set_title(&Layer::Translation(locale.clone()), title.as_deref(), &mut found);
        self.touch("title", Some(locale.clone()), path, found);
    }

    /// A value of a translation is held against what stands in it.
    fn translated(
        &mut self,
        locale: &LocaleCode,
        field: &'a Field,
        given: &Json,
        shown: Option<&Json>,
        path: &str,
    ) {
        let stored = self.old.translation(locale.as_str());
        let before = Before::of(stored.and_then(|it| it.data.get(field.name.as_str())), shown);
        let mut found = FieldProblems::new();
        if let Some(value) = field.kind.merge(given, before, self.write.world, &mut found) {
            let layer = Layer::Translation(locale.clone());
            self.replace(&layer, field, given, value, &mut found);
        }
        self.touch(field.name.as_str(), Some(locale.clone()), path, found);
    }
}

/// Status, date, author and slug, which all locales share.
impl Merge<'_> {
    fn stand(&mut self) {
        let before = self.standing;
        match self.sent("status") {
            None => {}
            Some(Json::Null) => self.standing.status = Status::Draft,
            Some(given) => match given.as_str().and_then(Status::parse) {
                Some(status) => self.standing.status = status,
                None => {
                    let names = Status::ALL.map(Status::as_str).join(", ");
                    self.problems.add("status", format!("This is one of {names}."));
                }
            },
        }
        if let Some(given) = self.sent("published_at") {
            match (given, given.as_str().and_then(Timestamp::parse)) {
                (_, Some(at)) => self.standing.published_at = Some(at),
                (empty, None) if empty.is_empty() => self.standing.published_at = None,
                _ => self.problems.add("published_at", "This is no date and time."),
            }
        }
        if self.standing == before && !self.creates() {
            return;
        }
        self.standing = self.standing.settled(self.write.now, self.write.now);
        let Standing { status, published_at } = self.standing;
        let undated = status == Status::Scheduled && published_at.is_none();
        if undated && self.problems.get("published_at").is_none() {
            self.problems.add("published_at", "A scheduled entry needs a date.");
        }
        if self.creates() || status != before.status {
            self.changes("status");
        }
        if published_at != before.published_at {
            self.changes("published_at");
        }
        self.set_standing();
    }

    /// Writes down where the entry stands, as far as the file does not say so itself.
    fn set_standing(&mut self) {
        let Standing { status, published_at } = self.standing;
        let text = |key: &str| self.file.get(key).and_then(Json::as_str);
        let (said, dated) = (text("status"), text("published_at").and_then(Timestamp::parse));
        let (said, dated) = (said == Some(status.as_str()), dated == published_at);
        if !said {
            set(&mut self.file, "status", status.as_str().into(), KEYS);
        }
        if !dated || self.creates() {
            set(&mut self.file, "published_at", time(published_at), KEYS);
        }
    }

    fn author(&mut self) {
        let given = self.sent("author_id").filter(|_| self.write.sets_author);
        let wanted = match given {
            None if self.creates() => Some(self.write.by.to_string()),
            None => return,
            Some(Json::String(text)) if !text.is_empty() => Some(text.clone()),
            Some(empty) if empty.is_empty() && self.creates() => Some(self.write.by.to_string()),
            Some(empty) if empty.is_empty() => None,
            Some(other) => {
                let message = format!("This is the id of an author, not {}.", other.kind());
                return self.problems.add("author_id", message);
            }
        };
        if wanted.as_ref().is_some_and(|it| it.chars().count() > AUTHOR_CHARS_MAX) {
            return self.problems.add("author_id", "There is no author with an id that long.");
        }
        if wanted != self.author_id {
            let value = wanted.as_deref().map_or(Json::Null, Json::from);
            set(&mut self.file, "author_id", value, KEYS);
            self.author_id = wanted;
            self.changes("author_id");
        }
    }

    fn slug(&mut self) {
        if self.ty().singleton {
            self.slug = self.ty().name.to_string();
            if self.creates() {
                self.changes("slug");
            }
            return;
        }
        match self.wanted_slug() {
            Ok(Some(text)) => self.explicit_slug(&text),
            Ok(None) => {
                let title = self.file.get("title").and_then(Json::as_str).unwrap_or_default();
                let made =
                    slugs::made_of(slugs::source(self.ty(), title, &self.data), self.write.id);
                let free = unused_slug(&made, |it| self.write.others.has_slug(it));
                self.set_slug(free);
            }
            Err(()) => {}
        }
    }

    /// The text that the slug is to be made of; nothing when it is to be derived. An error when it
    /// stays as it is, or cannot be what was sent.
    fn wanted_slug(&mut self) -> Result<Option<String>, ()> {
        match self.sent("slug") {
            Some(Json::Array(_) | Json::Object(_)) => {
                self.problems.add("slug", "This is a text.");
                Err(())
            }
            Some(empty) if empty.is_empty() => Ok(None),
            Some(given) => Ok(scalar(given)),
            None => match self.body.get(&self.ty().slug_field).and_then(scalar) {
                Some(text) if self.changed.contains(&self.ty().slug_field) => Ok(Some(text)),
                _ if self.creates() => Ok(None),
                _ => Err(()),
            },
        }
    }

    fn explicit_slug(&mut self, text: &str) {
        let made = slugs::made_of(text, self.write.id);
        let is_new = self.creates() || made != self.old.slug;
        if !is_new {
            return;
        }
        let is_taken = |it: &str| self.write.others.has_slug(it);
        if self.write.api == Api::Admin && is_taken(&made) {
            return self.problems.add("slug", "Another entry has this slug.");
        }
        let free = unused_slug(&made, is_taken);
        self.set_slug(free);
    }

    fn set_slug(&mut self, slug: String) {
        if self.creates() || slug != self.old.slug {
            set(&mut self.file, "slug", slug.as_str().into(), KEYS);
            self.slug = slug;
            self.changes("slug");
        }
    }
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
            if !self.data.contains(field.name.as_str()) {
                set(&mut self.data, field.name.as_str(), field.kind.empty(), &names);
            }
        }
        set(&mut self.file, "data", std::mem::take(&mut self.data).into(), KEYS);
        let translations = std::mem::take(&mut self.translations);
        if !translations.is_empty() || self.file.contains("translations") {
            set(&mut self.file, "translations", translations.into(), KEYS);
        }
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

/// The text of a string, a number or a boolean.
fn scalar(value: &Json) -> Option<String> {
    match value {
        Json::String(text) => Some(text.trim().to_string()).filter(|it| !it.is_empty()),
        Json::Number(number) => Some(number.to_string()),
        Json::Bool(value) => Some(value.to_string()),
        Json::Null | Json::Array(_) | Json::Object(_) => None,
    }
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
