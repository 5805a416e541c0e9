//! The body of a request that writes an entry, sorted into what it says.

use std::collections::HashMap;

use crate::model::content_type::ContentType;
use crate::model::name::LocaleCode;
use crate::model::problem::FieldProblems;
use crate::stdx::json::Json;
use crate::stdx::json::Map;

/// Through which of the two APIs an entry is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Api {
    /// The one for everybody.
    Public,
    /// That of the admin interface: one request may write all locales, and a slug is taken
    /// literally or not at all.
    Admin,
}

/// Keys of the entry itself that a request may set.
const SETTABLE: &[&str] = &["title", "slug", "status", "published_at", "author_id", "locale"];

/// Keys that come back from writers who read the entry, and that only the server sets.
const OWN: &[&str] = &["id", "type", "created_at", "updated_at", "updated_by"];

/// The same, but names that a field may have as well.
const BESIDE: &[&str] = &["locales", "problems", "etag"];

/// What a body says.
pub(super) struct Body<'a> {
    /// By key, wherever it stands: a flat member wins over one under `data`.
    members: HashMap<&'a str, &'a Json>,
    /// Values of several locales at once.
    pub(super) translations: Option<&'a Map>,
    /// What is wrong with the body as such.
    pub(super) problems: FieldProblems,
    /// What is ignored.
    pub(super) warnings: Vec<String>,
}

impl<'a> Body<'a> {
    pub(super) fn read(ty: &ContentType, api: Api, body: &'a Map) -> Body<'a> {
        let mut read = Body {
            members: HashMap::with_capacity(body.len()),
            translations: None,
            problems: FieldProblems::new(),
            warnings: Vec::new(),
        };
        let data = read.object("data", body.get("data"));
        for (key, value) in data.into_iter().flat_map(Map::iter) {
            read.admit(ty, key, value);
        }
        for (key, value) in body.iter().filter(|(key, _)| *key != "data") {
            match key {
                "translations" if api == Api::Admin => {
                    read.translations = read.object(key, Some(value));
                }
                // Beside `data`, these are the entry's own, whatever the fields are called.
                key if data.is_some() && BESIDE.contains(&key) => {}
                key => read.admit(ty, key, value),
            }
        }
        read
    }

    /// The value under a key.
    pub(super) fn get(&self, key: &str) -> Option<&'a Json> {
        self.members.get(key).copied()
    }

    fn object(&mut self, key: &str, value: Option<&'a Json>) -> Option<&'a Map> {
        match value? {
            Json::Null => None,
            Json::Object(map) => Some(map),
            other => {
                self.problems.add(key, format!("This is an object, not {}.", other.kind()));
                None
            }
        }
    }

    fn admit(&mut self, ty: &ContentType, key: &'a str, value: &'a Json) {
        if SETTABLE.contains(&key) || ty.fields.get(key).is_some() {
            self.members.insert(key, value);
        } else if !OWN.contains(&key) && !BESIDE.contains(&key) {
            self.warnings.push(unknown(key, ty));
        }
    }
}

/// What is said of a key that is ignored.
pub(super) fn unknown(path: &str, ty: &ContentType) -> String {
    format!("{path}: `{}` has no such field, so this was ignored.", ty.name)
}

/// The locale that a body writes: the one it names, else the default; none when the type is not
/// localized. Otherwise a sentence about `locale`.
pub fn write_locale(ty: &ContentType, body: &Map) -> Result<Option<LocaleCode>, String> {
    if !ty.is_localized() {
        return Ok(None);
    }
    let within = || body.get("data")?.as_object()?.get("locale");
    let named = match body.get("locale").or_else(within) {
        None => return Ok(ty.default_locale.clone()),
        Some(empty) if empty.is_empty() => return Ok(ty.default_locale.clone()),
        Some(Json::String(text)) => text,
        Some(other) => return Err(format!("This is a locale code, not {}.", other.kind())),
    };
    let known = ty.locales.iter().find(|it| it.as_str() == named).cloned();
    known.map(Some).ok_or_else(|| format!("`{named}` is not among the locales of `{}`.", ty.name))
}
