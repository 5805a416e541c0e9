//! The body of a request that writes an entry.

use std::collections::HashMap;

use crate::model::content_type::ContentType;
use crate::model::input::ObjectReader;
use crate::model::input::wording;
use crate::model::name::LocaleCode;
use crate::model::problem::FieldProblems;
use crate::stdx::json::Json;
use crate::stdx::json::Map;

/// The API that a write comes through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Api {
    /// The public API.
    Public,
    /// The API of the admin interface. A request may write several locales at once, and a slug is
    /// stored exactly as sent or rejected.
    Admin,
}

/// The keys of the entry itself that a request may set.
const SETTABLE: &[&str] =
    &["title", "slug", "status", "published_at", "unpublish_at", "author_id", "locale"];

/// The keys that clients send back after a read and that only the server sets.
const OWN: &[&str] = &["id", "type", "created_at", "updated_at", "updated_by"];

/// More such keys. These are also valid names for fields.
const BESIDE: &[&str] = &["locales", "problems", "etag"];

/// The members of a request body.
pub(super) struct EntryBody<'a> {
    /// The values by key. A member of the body takes precedence over a member of `data`.
    members: HashMap<&'a str, &'a Json>,
    /// The values of several locales.
    pub(super) translations: Option<&'a Map>,
    /// The problems with the structure of the body.
    pub(super) problems: FieldProblems,
    /// The warnings about ignored keys.
    pub(super) warnings: Vec<String>,
}

impl<'a> EntryBody<'a> {
    pub(super) fn read(ty: &ContentType, api: Api, body: &'a Map) -> EntryBody<'a> {
        let mut input = ObjectReader::new(body);
        let data = input.object("data");
        let is_admin = api == Api::Admin;
        let mut read = EntryBody {
            members: HashMap::with_capacity(body.len()),
            translations: is_admin.then(|| input.object("translations")).flatten(),
            problems: input.into_problems(),
            warnings: Vec::new(),
        };
        for (key, value) in data.into_iter().flat_map(Map::iter) {
            read.add_member(ty, key, value);
        }
        for (key, value) in body.iter().filter(|(key, _)| *key != "data") {
            match key {
                "translations" if is_admin => {}
                // If the body has `data`, these keys outside of it belong to the entry, even if a
                // field has the same name.
                key if data.is_some() && BESIDE.contains(&key) => {}
                key => read.add_member(ty, key, value),
            }
        }
        read
    }

    /// Returns the value of a key.
    pub(super) fn get(&self, key: &str) -> Option<&'a Json> {
        self.members.get(key).copied()
    }

    fn add_member(&mut self, ty: &ContentType, key: &'a str, value: &'a Json) {
        if SETTABLE.contains(&key) || ty.fields.get(key).is_some() {
            self.members.insert(key, value);
        } else if !OWN.contains(&key) && !BESIDE.contains(&key) {
            self.warnings.push(unknown_field_warning(key, ty));
        }
    }
}

/// Returns the warning about an ignored key.
pub(super) fn unknown_field_warning(path: &str, ty: &ContentType) -> String {
    format!("{path}: `{}` has no such field, so this was ignored.", ty.name)
}

/// Returns the positions of the data fields that a body names.
pub fn list_given_fields(ty: &ContentType, body: &Map) -> Vec<usize> {
    let fields = ty.data_fields().enumerate();
    fields.filter(|(_, it)| names_member(body, it.name.as_str())).map(|(place, _)| place).collect()
}

/// Returns true if a body sets the author.
pub fn names_author(body: &Map) -> bool {
    names_member(body, "author_id")
}

/// Returns true if a body has a member, at its top or in `data`.
fn names_member(body: &Map, name: &str) -> bool {
    let inner = body.get("data").and_then(Json::as_object);
    body.contains(name) || inner.is_some_and(|it| it.contains(name))
}

/// Returns the locale that a body writes: the one it names or the default locale; `None` if the
/// type is not localized. The error is a sentence about `locale`.
pub fn parse_write_locale(ty: &ContentType, body: &Map) -> Result<Option<LocaleCode>, String> {
    if !ty.is_localized() {
        return Ok(None);
    }
    let within = || body.get("data")?.as_object()?.get("locale");
    let named = match body.get("locale").or_else(within) {
        None => return Ok(ty.default_locale.clone()),
        Some(empty) if empty.is_empty() => return Ok(ty.default_locale.clone()),
        Some(Json::String(text)) => text,
        Some(other) => return Err(wording::wrong_type("a locale code", other)),
    };
    let known = ty.locales.iter().find(|it| it.as_str() == named).cloned();
    known.map(Some).ok_or_else(|| format!("`{named}` is not among the locales of `{}`.", ty.name))
}
