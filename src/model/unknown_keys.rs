//! Keys of a file that mean nothing where they stand: misspelt ones, and those that belong elsewhere
//! in the file. They stay in the file and are told as problems, since whoever wrote them meant
//! something by them.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::model::content_type::ContentType;
use crate::model::content_type::is_top_level;
use crate::model::entry;
use crate::model::field::Fields;
use crate::model::field::KINDS;
use crate::model::field::setting_names;
use crate::model::schema;
use crate::stdx::json::Json;
use crate::stdx::json::Map;

/// How many unknown keys of one file are told.
pub const TOLD_MAX: usize = 20;

/// How many bytes of a key are shown.
const SHOWN_BYTES_MAX: usize = 80;

/// How many names a message lists.
const LISTED_MAX: usize = 12;

/// How long a key can be, in bytes, and still be taken for another one that is misspelt.
const COMPARED_BYTES_MAX: usize = 100;

/// Keys of entry files that mean nothing and are there for a reason: an `id` is compared with the
/// name of the file, the others are left behind when a file is moved out of the trash by hand.
const TOLERATED_IN_ENTRIES: &[&str] = &["id", "deleted_at", "deleted_by"];

/// The pattern of keys that are annotations.
pub const ANNOTATIONS: &str = "^(\\$|x-)";

/// A key that means nothing where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownKey {
    /// The path of the object in which it stands, made of known keys alone: `data.rows[2]`.
    pub parent: String,
    /// The key.
    pub key: String,
    /// A sentence, which names what was probably meant.
    pub message: String,
}

impl UnknownKey {
    /// The path of the key, cut where the key is very long.
    pub fn path(&self) -> String {
        let key = shown(&self.key);
        if self.parent.is_empty() { key.into_owned() } else { format!("{}.{key}", self.parent) }
    }
}

/// Whether a key is for editors and other programs: `$schema`, `$comment`, and `x-` with whatever
/// people want to keep beside their content.
pub fn is_annotation(key: &str) -> bool {
    key.starts_with('$') || key.starts_with("x-")
}

/// The unknown keys of the file of an entry.
pub fn in_entry(ty: &ContentType, file: &Json) -> Vec<UnknownKey> {
    let mut found = UnknownKeys::default();
    let Json::Object(map) = file else { return found.list };
    for (key, _) in map.iter().filter(|(key, _)| !is_entry_key(key)) {
        found.add(key, || entry_key_message(ty, key));
    }
    if let Some(Json::Object(data)) = map.get("data") {
        found.inside("data", |found| in_data(ty, data, found));
    }
    if let Some(Json::Object(translations)) = map.get("translations") {
        found.inside("translations", |found| in_translations(ty, translations, found));
    }
    found.list
}

/// The unknown keys of the file of a content type.
pub fn in_schema(file: &Json) -> Vec<UnknownKey> {
    let mut found = UnknownKeys::default();
    let Json::Object(map) = file else { return found.list };
    found.check(map, schema::KEYS, "A content type");
    if let Some(Json::Object(fields)) = map.get("fields") {
        found.inside("fields", |found| in_definitions(fields, found));
    }
    found.list
}

/// The unknown keys of a file that has these alone.
pub fn in_file(file: &Json, known: &[&str], what: &str) -> Vec<UnknownKey> {
    let mut found = UnknownKeys::default();
    if let Json::Object(map) = file {
        found.check(map, known, what);
    }
    found.list
}

/// The unknown keys of the file of a record, of which `written` is the file as Recto writes it.
pub fn in_record(file: &Json, written: &Json, what: &str) -> Vec<UnknownKey> {
    let known = written.as_object().into_iter().flat_map(Map::iter).map(|(key, _)| key);
    in_file(file, &known.collect::<Vec<_>>(), what)
}

/// The unknown keys found so far in a file, and the place that is looked at.
#[derive(Debug, Default)]
pub struct UnknownKeys<'a> {
    place: Vec<Step<'a>>,
    list: Vec<UnknownKey>,
}

#[derive(Clone, Copy, Debug)]
enum Step<'a> {
    Key(&'a str),
    Index(usize),
}

impl<'a> UnknownKeys<'a> {
    /// Looks at the member of this known key.
    pub fn inside(&mut self, key: &'a str, look: impl FnOnce(&mut Self)) {
        self.place.push(Step::Key(key));
        look(self);
        self.place.pop();
    }

    /// Looks at an item of a list.
    pub fn inside_item(&mut self, index: usize, look: impl FnOnce(&mut Self)) {
        self.place.push(Step::Index(index));
        look(self);
        self.place.pop();
    }

    /// Adds a key, unless it is for other programs or enough are known.
    pub fn add(&mut self, key: &str, message: impl FnOnce() -> String) {
        if self.list.len() < TOLD_MAX && !is_annotation(key) {
            let (parent, key, message) = (self.path(), key.to_string(), message());
            self.list.push(UnknownKey { parent, key, message });
        }
    }

    fn check(&mut self, map: &Map, known: &[&str], what: &str) {
        for (key, _) in map.iter().filter(|(key, _)| !known.contains(key)) {
            self.add(key, || no_such_key(what, key, known.iter().copied()));
        }
    }

    fn path(&self) -> String {
        let mut path = String::new();
        for step in &self.place {
            match step {
                Step::Key(key) if path.is_empty() => path.push_str(key),
                Step::Key(key) => {
                    path.push('.');
                    path.push_str(key);
                }
                Step::Index(index) => path.push_str(&format!("[{index}]")),
            }
        }
        path
    }
}

fn is_entry_key(key: &str) -> bool {
    entry::KEYS.contains(&key) || TOLERATED_IN_ENTRIES.contains(&key)
}

fn entry_key_message(ty: &ContentType, key: &str) -> String {
    if ty.fields.get(key).is_some() {
        return format!("`{}` is a field, and values of fields stand under `data`.", shown(key));
    }
    no_such_key("An entry", key, entry::KEYS.iter().copied())
}

fn in_data<'a>(ty: &'a ContentType, data: &'a Map, found: &mut UnknownKeys<'a>) {
    ty.fields.unknown_keys(data, found, |key, field| {
        let is_read = field.is_some() && !is_top_level(key);
        (!is_read).then(|| data_key_message(ty, key))
    });
}

fn data_key_message(ty: &ContentType, key: &str) -> String {
    if entry::KEYS.contains(&key) {
        return format!("`{key}` belongs to the top level of the file, not under `data`.");
    }
    no_such_field(ty.data_fields().map(|it| it.name.as_str()), key)
}

fn in_translations<'a>(ty: &'a ContentType, translations: &'a Map, found: &mut UnknownKeys<'a>) {
    for (locale, translation) in translations.iter() {
        if !is_translated(ty, locale) {
            found.add(locale, || locale_message(ty, locale));
            continue;
        }
        let Json::Object(map) = translation else { continue };
        found.inside(locale, |found| {
            found.check(map, &["title", "data"], "A translation");
            if let Some(Json::Object(data)) = map.get("data") {
                found.inside("data", |found| in_translated_data(ty, data, found));
            }
        });
    }
}

fn in_translated_data<'a>(ty: &'a ContentType, data: &'a Map, found: &mut UnknownKeys<'a>) {
    ty.fields.unknown_keys(data, found, |key, field| match (key, field) {
        ("title", _) => Some("`title` belongs beside `data`, not under it.".to_string()),
        ("slug", _) => Some("The slug is one for all languages, at the top level.".to_string()),
        (_, Some(field)) if field.localized => None,
        (_, Some(_)) => {
            Some(format!("`{key}` is not localized; its value stands under the top-level `data`."))
        }
        (_, None) => Some(data_key_message(ty, key)),
    });
}

fn is_translated(ty: &ContentType, locale: &str) -> bool {
    let is_root = ty.root_locale.as_ref().is_some_and(|it| it.as_str() == locale);
    !is_root && ty.locale_index(locale).is_some()
}

fn locale_message(ty: &ContentType, locale: &str) -> String {
    let name = shown(locale);
    if !ty.is_localized() {
        return format!("The type is not localized, so the translation into `{name}` is not read.");
    }
    if ty.root_locale.as_ref().is_some_and(|it| it.as_str() == locale) {
        return format!("Values in `{name}` stand at the top level; this is not read.");
    }
    let known = || ty.locales.iter().map(|it| it.as_str());
    let mut hint = suggestion(locale, known());
    if hint.is_empty() {
        hint = format!(" Its locales are {}.", list(known()));
    }
    format!("The type has no locale `{name}`.{hint}")
}

/// A map of definitions by name.
fn in_definitions<'a>(fields: &'a Map, found: &mut UnknownKeys<'a>) {
    for (name, definition) in fields.iter() {
        found.inside(name, |found| in_definition(definition, &[], found));
    }
}

/// A definition, which has these keys beside those of its kind.
fn in_definition<'a>(definition: &'a Json, also: &[&str], found: &mut UnknownKeys<'a>) {
    let Json::Object(map) = definition else { return };
    let kind = map.get("type").and_then(Json::as_str).unwrap_or("text");
    // One of a kind that does not exist is another problem.
    let Some((kind, settings)) = SETTINGS.get_key_value(kind) else { return };
    let known = || settings.iter().map(String::as_str).chain(also.iter().copied());
    for (key, _) in map.iter().filter(|(key, _)| known().all(|it| it != *key)) {
        found.add(key, || no_such_key(&format!("A field of type `{kind}`"), key, known()));
    }
    match *kind {
        "object" => {
            if let Some(Json::Object(fields)) = map.get("fields") {
                found.inside("fields", |found| in_definitions(fields, found));
            }
        }
        "repeater" => {
            let rows = map.get("subfields").and_then(Json::as_array).unwrap_or_default();
            found.inside("subfields", |found| {
                for (index, item) in rows.iter().enumerate() {
                    found.inside_item(index, |found| in_definition(item, &["key"], found));
                }
            });
        }
        "blocks" => {
            if let Some(Json::Object(blocks)) = map.get("blocks") {
                found.inside("blocks", |found| in_block_types(blocks, found));
            }
        }
        _ => {}
    }
}

fn in_block_types<'a>(blocks: &'a Map, found: &mut UnknownKeys<'a>) {
    for (name, block) in blocks.iter() {
        let Json::Object(map) = block else { continue };
        found.inside(name, |found| {
            found.check(map, &["label", "fields"], "A block type");
            if let Some(Json::Object(fields)) = map.get("fields") {
                found.inside("fields", |found| in_definitions(fields, found));
            }
        });
    }
}

/// The keys that a definition of each kind of field may have.
static SETTINGS: LazyLock<BTreeMap<&'static str, Vec<String>>> =
    LazyLock::new(|| KINDS.iter().map(|kind| (kind.name, setting_names(kind))).collect());

/// What is said of a key that is no field of an object, a row or a block.
pub fn no_such_member(fields: &Fields, key: &str) -> String {
    no_such_field(fields.iter().map(|it| it.name.as_str()), key)
}

fn no_such_field<'a>(known: impl Iterator<Item = &'a str>, key: &str) -> String {
    format!("There is no field `{}` here.{}", shown(key), suggestion(key, known))
}

fn no_such_key<'a>(what: &str, key: &str, known: impl Iterator<Item = &'a str>) -> String {
    format!("{what} has no key `{}`.{}", shown(key), suggestion(key, known))
}

fn suggestion<'a>(key: &str, known: impl Iterator<Item = &'a str>) -> String {
    closest(key, known).map(|it| format!(" Did you mean `{it}`?")).unwrap_or_default()
}

/// The known key that was probably meant: it differs in few letters, or in upper and lower case.
fn closest<'a>(key: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    if key.len() > COMPARED_BYTES_MAX {
        return None;
    }
    let folded = fold(key);
    let distance = |it: &str| strsim::osa_distance(&folded, &fold(it));
    let (best, distance) = known.map(|it| (it, distance(it))).min_by_key(|(_, it)| *it)?;
    // A third of the letters: `id` is not meant to be `is`, and `exerpt` is an excerpt.
    (distance * 3 <= folded.chars().count().max(best.chars().count())).then_some(best)
}

/// How keys are compared: without the difference between cases and between separators.
fn fold(key: &str) -> String {
    key.chars().filter(|it| !matches!(it, '_' | '-' | ' ')).flat_map(char::to_lowercase).collect()
}

fn list<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let mut names: Vec<String> = names.map(|it| format!("`{it}`")).collect();
    if names.len() > LISTED_MAX {
        names.truncate(LISTED_MAX);
        names.push("…".to_string());
    }
    names.join(", ")
}

/// A key as messages show it: not too long, and without what could steer a terminal.
fn shown(key: &str) -> Cow<'_, str> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::field::kind_test::ALL_SAMPLES;
    use crate::model::name::TypeName;

    const SCHEMA: &str = r#"{"locales":["en","de"],"root_locale":"en","fields":{
        "excerpt":{"type":"textarea"},"price":{"type":"number","localized":false},
        "seo":{"type":"object","fields":{"title":{"type":"text"}}},
        "rows":{"type":"repeater","subfields":[{"key":"name"},
            {"key":"box","type":"object","fields":{"in":{"type":"text"}}}]},
        "parts":{"type":"blocks","blocks":{"quote":{"label":"Q","fields":{"text":{}}}}},
        "any":{"type":"json"}}}"#;

    fn json(text: &str) -> Json {
        Json::parse(text.as_bytes()).unwrap_or_else(|error| panic!("{error}: {text}"))
    }

    fn ty(schema: &str) -> ContentType {
        ContentType::parse(TypeName::parse("posts").unwrap(), &json(schema)).0.unwrap()
    }

    fn shown(found: Vec<UnknownKey>) -> Vec<(String, String)> {
        found.into_iter().map(|it| (it.path(), it.message)).collect()
    }

    fn check(found: Vec<UnknownKey>, expect: &[(&str, &str)]) {
        let expect: Vec<(String, String)> =
            expect.iter().map(|(path, text)| (path.to_string(), text.to_string())).collect();
        assert_eq!(shown(found), expect);
    }

    #[test]
    fn keys_of_entries() {
        let ty = ty(SCHEMA);
        let check = |file: &str, expect: &[(&str, &str)]| check(in_entry(&ty, &json(file)), expect);
        check(
            r#"{"$schema":"a","x-mine":1,"id":"a","title":"T","slug":"t","status":"draft",
                "deleted_at":"x","data":{"any":{"what":1},"excerpt":"","price":1,"x-cell":"B2",
                "seo":{"title":""},"rows":[{"name":"","box":{"in":""}},5],
                "parts":[{"_type":"quote","_id":"a","text":""},{"_type":"gone","what":1}]},
                "translations":{"de":{"title":"T","data":{"excerpt":""}}}}"#,
            &[],
        );
        check(
            r#"{"stauts":"draft","excerpt":"","type":"posts"}"#,
            &[
                ("stauts", "An entry has no key `stauts`. Did you mean `status`?"),
                ("excerpt", "`excerpt` is a field, and values of fields stand under `data`."),
                ("type", "An entry has no key `type`."),
            ],
        );
        check(
            r#"{"data":{"exerpt":"","Price":1,"title":"T","status":"","fantasy":1}}"#,
            &[
                ("data.exerpt", "There is no field `exerpt` here. Did you mean `excerpt`?"),
                ("data.Price", "There is no field `Price` here. Did you mean `price`?"),
                ("data.title", "`title` belongs to the top level of the file, not under `data`."),
                ("data.status", "`status` belongs to the top level of the file, not under `data`."),
                ("data.fantasy", "There is no field `fantasy` here."),
            ],
        );
        check(
            r#"{"data":{"seo":{"titel":""},"rows":[{},{"nmae":"","box":{"on":""}}],
                "parts":[{"_type":"quote","_di":"a"}]}}"#,
            &[
                ("data.seo.titel", "There is no field `titel` here. Did you mean `title`?"),
                ("data.rows[1].nmae", "There is no field `nmae` here. Did you mean `name`?"),
                ("data.rows[1].box.on", "There is no field `on` here."),
                ("data.parts[0]._di", "There is no field `_di` here."),
            ],
        );
        check(
            r#"{"translations":{"en":{},"fr":{},"DE":{},"de":{"slug":"t","data":{"price":1,
                "slug":"t","exerpt":""}}}}"#,
            &[
                ("translations.en", "Values in `en` stand at the top level; this is not read."),
                ("translations.fr", "The type has no locale `fr`. Its locales are `en`, `de`."),
                ("translations.DE", "The type has no locale `DE`. Did you mean `de`?"),
                ("translations.de.slug", "A translation has no key `slug`."),
                (
                    "translations.de.data.price",
                    "`price` is not localized; its value stands under the top-level `data`.",
                ),
                (
                    "translations.de.data.slug",
                    "The slug is one for all languages, at the top level.",
                ),
                (
                    "translations.de.data.exerpt",
                    "There is no field `exerpt` here. Did you mean `excerpt`?",
                ),
            ],
        );
    }

    #[test]
    fn types_that_are_not_localized_have_no_translations() {
        let found = in_entry(&ty(r#"{"fields":{}}"#), &json(r#"{"translations":{"de":{}}}"#));
        let message = "The type is not localized, so the translation into `de` is not read.";
        check(found, &[("translations.de", message)]);
    }

    #[test]
    fn keys_of_schemas() {
        let check = |file: &str, expect: &[(&str, &str)]| check(in_schema(&json(file)), expect);
        check(SCHEMA, &[]);
        check(
            r#"{"locale":["de"],"fields":{"a":{"requierd":true},"b":{"type":"number","pattern":""},
                "c":{"type":"what","ever":1},"d":5,"x":{"x-cell":1}}}"#,
            &[
                ("locale", "A content type has no key `locale`. Did you mean `locales`?"),
                (
                    "fields.a.requierd",
                    "A field of type `text` has no key `requierd`. Did you mean `required`?",
                ),
                ("fields.b.pattern", "A field of type `number` has no key `pattern`."),
            ],
        );
        check(
            r#"{"fields":{"a":{"type":"object","fields":{"b":{"lable":""}}},
                "c":{"type":"repeater","subfields":[{"key":"d","lable":""}]},
                "e":{"type":"blocks","blocks":{"f":{"icon":"","fields":{"g":{"key":""}}}}}}}"#,
            &[
                (
                    "fields.a.fields.b.lable",
                    "A field of type `text` has no key `lable`. Did you mean `label`?",
                ),
                (
                    "fields.c.subfields[0].lable",
                    "A field of type `text` has no key `lable`. Did you mean `label`?",
                ),
                ("fields.e.blocks.f.icon", "A block type has no key `icon`."),
                ("fields.e.blocks.f.fields.g.key", "A field of type `text` has no key `key`."),
            ],
        );
    }

    #[test]
    fn every_setting_of_every_kind_is_known() {
        for (kind, samples) in ALL_SAMPLES {
            for sample in *samples {
                let text = format!(r#"{{"fields":{{"a":{}}}}}"#, sample.definition);
                assert_eq!(shown(in_schema(&json(&text))), [], "{kind}");
            }
        }
    }

    #[test]
    fn neither_many_nor_long_keys_cost_much() {
        let many: Vec<String> = (0..1000).map(|it| format!(r#""k{it}":1"#)).collect();
        let found = in_schema(&json(&format!("{{{}}}", many.join(","))));
        assert_eq!(found.len(), TOLD_MAX);
        let long = "ä".repeat(100_000);
        let found = in_schema(&json(&format!(r#"{{"{long}":1}}"#)));
        assert_eq!(found[0].key, long);
        let steering = in_schema(&json(r#"{"a\u001b[2Jb":1}"#)).remove(0);
        assert_eq!(steering.path(), "a\\u{1b}[2Jb");
        assert!(!steering.message.contains('\u{1b}'));
        assert!(found[0].path().len() < 100 && found[0].message.len() < 200);
    }
}
