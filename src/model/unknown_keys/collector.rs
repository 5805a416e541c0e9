//! The collector of unknown keys: where each stands, and which key was probably meant.

use std::borrow::Cow;

use crate::stdx::json::Map;

/// The maximum number of reported keys per file, and per value of a request.
pub const REPORTED_MAX: usize = 20;

/// The maximum number of bytes of a key that are shown.
const SHOWN_BYTES_MAX: usize = 80;

/// The maximum number of names in a message.
const LISTED_MAX: usize = 12;

/// The maximum length in bytes of keys that are compared with the known ones for suggestions.
const COMPARED_BYTES_MAX: usize = 100;

/// The pattern of keys that are annotations.
pub const ANNOTATIONS: &str = "^(\\$|x-)";

/// An unknown key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownKey {
    /// The path of the containing object, which consists of known keys: `data.rows[2]`.
    pub parent: String,
    /// The key.
    pub key: String,
    /// The message, one sentence that may suggest the right key.
    pub message: String,
}

impl UnknownKey {
    /// Returns the path of the key, with a long key truncated.
    pub fn path(&self) -> String {
        let key = display_key(&self.key);
        if self.parent.is_empty() { key.into_owned() } else { format!("{}.{key}", self.parent) }
    }
}

/// Returns true if a key is meant for editors and other programs: `$schema`, `$comment`, and `x-`
/// keys for notes of any kind.
pub fn is_annotation(key: &str) -> bool {
    key.starts_with('$') || key.starts_with("x-")
}

/// A collector of the unknown keys of a file that keeps track of the current path.
#[derive(Debug, Default)]
pub struct UnknownKeyCollector<'a> {
    place: Vec<PathStep<'a>>,
    /// True if the value is of a request: annotations and `null` are reported as well.
    is_request: bool,
    pub(super) list: Vec<UnknownKey>,
}

#[derive(Clone, Copy, Debug)]
enum PathStep<'a> {
    Key(&'a str),
    Index(usize),
}

impl<'a> UnknownKeyCollector<'a> {
    /// Creates a collector for a value of a request. It reports annotations as well, which stay in
    /// files but are not stored from requests, and keys that are `null`.
    pub fn for_request() -> UnknownKeyCollector<'a> {
        UnknownKeyCollector { is_request: true, ..UnknownKeyCollector::default() }
    }

    /// Returns true if keys that are `null` are reported. In files they are what removed fields
    /// leave behind in every entry, and nobody expects an effect of them.
    pub fn reports_null(&self) -> bool {
        self.is_request
    }

    /// Returns the reported keys.
    pub fn into_keys(self) -> Vec<UnknownKey> {
        self.list
    }

    /// Returns true if no more keys are reported.
    pub fn is_full(&self) -> bool {
        self.list.len() >= REPORTED_MAX
    }

    /// Visits the member of a known key.
    pub fn look_inside(&mut self, key: &'a str, look: impl FnOnce(&mut Self)) {
        self.place.push(PathStep::Key(key));
        look(self);
        self.place.pop();
    }

    /// Visits an item of a list.
    pub fn look_inside_item(&mut self, index: usize, look: impl FnOnce(&mut Self)) {
        self.place.push(PathStep::Index(index));
        look(self);
        self.place.pop();
    }

    /// Reports a key, unless it is an annotation of a file or the limit is reached.
    pub fn add(&mut self, key: &str, message: impl FnOnce() -> String) {
        if !self.is_full() && (self.is_request || !is_annotation(key)) {
            let (parent, key, message) = (self.current_path(), key.to_string(), message());
            self.list.push(UnknownKey { parent, key, message });
        }
    }

    pub(super) fn check_keys(&mut self, map: &Map, known: &[&str], what: &str) {
        for (key, _) in map.iter().filter(|(key, _)| !known.contains(key)) {
            self.add(key, || no_such_key(what, key, known.iter().copied()));
        }
    }

    fn current_path(&self) -> String {
        let mut path = String::new();
        for step in &self.place {
            match step {
                PathStep::Key(key) if path.is_empty() => path.push_str(key),
                PathStep::Key(key) => {
                    path.push('.');
                    path.push_str(key);
                }
                PathStep::Index(index) => path.push_str(&format!("[{index}]")),
            }
        }
        path
    }
}

/// Returns the message about a key that is not a field of an object, a row or a block.
pub(in crate::model) fn no_such_field<'a>(
    known: impl Iterator<Item = &'a str>,
    key: &str,
) -> String {
    format!("There is no field `{}` here.{}", display_key(key), suggest_key(key, known))
}

pub(super) fn no_such_key<'a>(
    what: &str,
    key: &str,
    known: impl Iterator<Item = &'a str>,
) -> String {
    format!("{what} has no key `{}`.{}", display_key(key), suggest_key(key, known))
}

pub(super) fn suggest_key<'a>(key: &str, known: impl Iterator<Item = &'a str>) -> String {
    find_closest(key, known).map(|it| format!(" Did you mean `{it}`?")).unwrap_or_default()
}

/// Returns the most similar known key. It may differ in a few letters and in case.
fn find_closest<'a>(key: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    if key.len() > COMPARED_BYTES_MAX {
        return None;
    }
    let folded = fold_key(key);
    let distance = |it: &str| strsim::osa_distance(&folded, &fold_key(it));
    let (best, distance) = known.map(|it| (it, distance(it))).min_by_key(|(_, it)| *it)?;
    // A third of the letters may differ: `exerpt` suggests `excerpt`, but `id` does not suggest
    // `is`.
    (distance * 3 <= folded.chars().count().max(best.chars().count())).then_some(best)
}

/// Normalizes a key for comparison: case and separators are ignored.
fn fold_key(key: &str) -> String {
    key.chars().filter(|it| !matches!(it, '_' | '-' | ' ')).flat_map(char::to_lowercase).collect()
}

pub(super) fn list_names<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let mut names: Vec<String> = names.map(|it| format!("`{it}`")).collect();
    if names.len() > LISTED_MAX {
        names.truncate(LISTED_MAX);
        names.push("…".to_string());
    }
    names.join(", ")
}

/// Returns a key for messages: truncated, and with control characters escaped.
pub(super) fn display_key(key: &str) -> Cow<'_, str> {
    let is_plain = |key: &str| !key.chars().any(char::is_control);
    if key.len() <= SHOWN_BYTES_MAX && is_plain(key) {
        return Cow::Borrowed(key);
    }
    let mut end = key.len().min(SHOWN_BYTES_MAX);
    while !key.is_char_boundary(end) {
        end -= 1;
    }
    let dots = if end < key.len() { "…" } else { "" };
    Cow::Owned(format!("{}{dots}", key[..end].escape_debug()))
}
