//! Unknown keys in files: misspelt ones, and keys in the wrong place. They stay in the file and are
//! reported as problems, since their author expected an effect.

pub mod collector;

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::model::content_type::ContentType;
use crate::model::content_type::cache_policy;
use crate::model::content_type::feed;
use crate::model::content_type::is_top_level;
use crate::model::content_type::preview_target;
use crate::model::content_type::type_change;
use crate::model::entry;
use crate::model::field::BLOCK_TYPE_KEYS;
use crate::model::field::KINDS;
use crate::model::field::setting_names;
use crate::model::settings;
use crate::model::unknown_keys::collector::UnknownKeyCollector;
use crate::model::unknown_keys::collector::display_key;
use crate::model::unknown_keys::collector::list_names;
use crate::model::unknown_keys::collector::no_such_field;
use crate::model::unknown_keys::collector::no_such_key;
use crate::model::unknown_keys::collector::suggest_key;
use crate::model::webhook;
use crate::stdx::json::Json;
use crate::stdx::json::Map;

pub use crate::model::unknown_keys::collector::UnknownKey;

/// Unknown keys of entry files that are not reported: `id` is compared with the name of the file,
/// and the others are left when a file is moved out of the trash by hand.
const TOLERATED_IN_ENTRIES: &[&str] = &["id", "deleted_at", "deleted_by"];

/// Returns the unknown keys of an entry's file.
pub fn find_in_entry(ty: &ContentType, file: &Json) -> Vec<UnknownKey> {
    let mut found = UnknownKeyCollector::default();
    let Json::Object(map) = file else { return found.list };
    for (key, _) in map.iter().filter(|(key, _)| !is_entry_key(key)) {
        found.add(key, || entry_key_message(ty, key));
    }
    if let Some(Json::Object(data)) = map.get("data") {
        found.look_inside("data", |found| check_data(ty, data, found));
    }
    if let Some(Json::Object(translations)) = map.get("translations") {
        found.look_inside("translations", |found| check_translations(ty, translations, found));
    }
    found.list
}

/// Returns the unknown keys of a content type's file.
pub fn find_in_schema(file: &Json) -> Vec<UnknownKey> {
    let mut found = UnknownKeyCollector::default();
    let Json::Object(map) = file else { return found.list };
    found.check_keys(map, type_change::KEYS, "A content type");
    let targets = map.get("preview").and_then(Json::as_array).unwrap_or_default();
    for (number, target) in targets.iter().enumerate() {
        if let Json::Object(target) = target {
            found.look_inside("preview", |found| {
                found.look_inside_item(number, |it| {
                    it.check_keys(target, preview_target::KEYS, "A preview target");
                });
            });
        }
    }
    if let Some(Json::Object(feed)) = map.get("feed") {
        found.look_inside("feed", |found| found.check_keys(feed, feed::KEYS, "A feed"));
    }
    if let Some(Json::Object(policy)) = map.get("cache") {
        found.look_inside("cache", |it| it.check_keys(policy, cache_policy::KEYS, "A policy"));
    }
    if let Some(Json::Object(fields)) = map.get("fields") {
        found.look_inside("fields", |found| check_definitions(fields, found));
    }
    found.list
}

/// Returns the unknown keys of the settings file.
pub fn find_in_settings(file: &Map) -> Vec<UnknownKey> {
    let mut found = UnknownKeyCollector::default();
    let groups = || settings::file_keys().filter_map(|it| it.split_once('.'));
    let of_group = |group: &str| -> Vec<&str> {
        groups().filter(|(it, _)| *it == group).map(|(_, name)| name).collect()
    };
    let tops = settings::file_keys().map(|it| it.split('.').next().unwrap_or(it));
    found.check_keys(file, &tops.collect::<Vec<_>>(), "The file of the settings");
    for (key, value) in file.iter() {
        let known = of_group(key);
        if let Json::Object(group) = value
            && !known.is_empty()
        {
            found.look_inside(key, |found| found.check_keys(group, &known, &format!("`{key}`")));
        }
    }
    found.list
}

/// Returns the unknown keys of the webhooks file.
pub fn find_in_webhooks(file: &Map) -> Vec<UnknownKey> {
    let mut found = UnknownKeyCollector::default();
    found.check_keys(file, &["webhooks"], "The file of the webhooks");
    let webhooks = file.get("webhooks").and_then(Json::as_array).unwrap_or_default();
    for (number, webhook) in webhooks.iter().enumerate() {
        if let Json::Object(webhook) = webhook {
            found.look_inside("webhooks", |found| {
                found.look_inside_item(number, |it| {
                    it.check_keys(webhook, webhook::KEYS, "A webhook")
                });
            });
        }
    }
    found.list
}

/// Returns the unknown keys of a file in which only the keys `known` are allowed.
pub fn find_in_file(file: &Json, known: &[&str], what: &str) -> Vec<UnknownKey> {
    let mut found = UnknownKeyCollector::default();
    if let Json::Object(map) = file {
        found.check_keys(map, known, what);
    }
    found.list
}

/// Returns the unknown keys of a record's file; `written` is the file as Recto writes it.
pub fn find_in_record(file: &Json, written: &Json, what: &str) -> Vec<UnknownKey> {
    let known = written.as_object().into_iter().flat_map(Map::iter).map(|(key, _)| key);
    find_in_file(file, &known.collect::<Vec<_>>(), what)
}

fn is_entry_key(key: &str) -> bool {
    entry::KEYS.contains(&key) || TOLERATED_IN_ENTRIES.contains(&key)
}

fn entry_key_message(ty: &ContentType, key: &str) -> String {
    if ty.fields.get(key).is_some() {
        return format!(
            "`{}` is a field. The values of fields belong under `data`.",
            display_key(key)
        );
    }
    no_such_key("An entry", key, entry::KEYS.iter().copied())
}

fn check_data<'a>(ty: &'a ContentType, data: &'a Map, found: &mut UnknownKeyCollector<'a>) {
    ty.fields.collect_unknown_keys(data, found, |key, field| {
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

fn check_translations<'a>(
    ty: &'a ContentType,
    translations: &'a Map,
    found: &mut UnknownKeyCollector<'a>,
) {
    for (locale, translation) in translations.iter() {
        if !is_translated(ty, locale) {
            found.add(locale, || locale_message(ty, locale));
            continue;
        }
        let Json::Object(map) = translation else { continue };
        found.look_inside(locale, |found| {
            found.check_keys(map, &["title", "data"], "A translation");
            if let Some(Json::Object(data)) = map.get("data") {
                found.look_inside("data", |found| check_translated_data(ty, data, found));
            }
        });
    }
}

fn check_translated_data<'a>(
    ty: &'a ContentType,
    data: &'a Map,
    found: &mut UnknownKeyCollector<'a>,
) {
    ty.fields.collect_unknown_keys(data, found, |key, field| match (key, field) {
        ("title", _) => Some("`title` belongs beside `data`, not under it.".to_string()),
        ("slug", _) => {
            Some("The slug is the same for all languages and belongs at the top level.".to_string())
        }
        (_, Some(field)) if field.localized => None,
        (_, Some(_)) => {
            Some(format!("`{key}` is not localized; its value belongs under the top-level `data`."))
        }
        (_, None) => Some(data_key_message(ty, key)),
    });
}

fn is_translated(ty: &ContentType, locale: &str) -> bool {
    let is_root = ty.root_locale.as_ref().is_some_and(|it| it.as_str() == locale);
    !is_root && ty.locale_index(locale).is_some()
}

fn locale_message(ty: &ContentType, locale: &str) -> String {
    let name = display_key(locale);
    if !ty.is_localized() {
        return format!("The type is not localized, so the translation into `{name}` is not read.");
    }
    if ty.root_locale.as_ref().is_some_and(|it| it.as_str() == locale) {
        return format!(
            "Values in `{name}` belong at the top level; this translation is not read."
        );
    }
    let known = || ty.locales.iter().map(|it| it.as_str());
    let mut hint = suggest_key(locale, known());
    if hint.is_empty() {
        hint = format!(" Its locales are {}.", list_names(known()));
    }
    format!("The type has no locale `{name}`.{hint}")
}

/// Checks a map of definitions by name.
fn check_definitions<'a>(fields: &'a Map, found: &mut UnknownKeyCollector<'a>) {
    for (name, definition) in fields.iter() {
        found.look_inside(name, |found| check_definition(definition, &[], found));
    }
}

/// Checks a definition, which may have the keys `also` besides those of its kind.
fn check_definition<'a>(definition: &'a Json, also: &[&str], found: &mut UnknownKeyCollector<'a>) {
    let Json::Object(map) = definition else { return };
    let kind = map.get("type").and_then(Json::as_str).unwrap_or("text");
    // An unknown kind is reported elsewhere.
    let Some((kind, settings)) = SETTINGS.get_key_value(kind) else { return };
    let known = || settings.iter().map(String::as_str).chain(also.iter().copied());
    for (key, _) in map.iter().filter(|(key, _)| known().all(|it| it != *key)) {
        found.add(key, || no_such_key(&format!("A field of type `{kind}`"), key, known()));
    }
    match *kind {
        "object" => {
            if let Some(Json::Object(fields)) = map.get("fields") {
                found.look_inside("fields", |found| check_definitions(fields, found));
            }
        }
        "repeater" => {
            let rows = map.get("subfields").and_then(Json::as_array).unwrap_or_default();
            found.look_inside("subfields", |found| {
                for (index, item) in rows.iter().enumerate() {
                    found.look_inside_item(index, |found| check_definition(item, &["key"], found));
                }
            });
        }
        "blocks" => {
            if let Some(Json::Object(blocks)) = map.get("blocks") {
                found.look_inside("blocks", |found| check_block_types(blocks, found));
            }
        }
        _ => {}
    }
}

fn check_block_types<'a>(blocks: &'a Map, found: &mut UnknownKeyCollector<'a>) {
    for (name, block) in blocks.iter() {
        let Json::Object(map) = block else { continue };
        found.look_inside(name, |found| {
            found.check_keys(map, BLOCK_TYPE_KEYS, "A block type");
            if let Some(Json::Object(fields)) = map.get("fields") {
                found.look_inside("fields", |found| check_definitions(fields, found));
            }
        });
    }
}

/// The keys allowed in a definition of each kind of field.
static SETTINGS: LazyLock<BTreeMap<&'static str, Vec<String>>> =
    LazyLock::new(|| KINDS.iter().map(|kind| (kind.name, setting_names(kind))).collect());

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::field::kind_test::ALL_SAMPLES;
    use crate::model::name::TypeName;
    use crate::model::unknown_keys::collector::REPORTED_MAX;
    use crate::stdx::json::from_text::json;

    const SCHEMA: &str = r#"{"locales":["en","de"],"root_locale":"en","fields":{
        "excerpt":{"type":"textarea"},"price":{"type":"number","localized":false},
        "seo":{"type":"object","fields":{"title":{"type":"text"}}},
        "rows":{"type":"repeater","subfields":[{"key":"name"},
            {"key":"box","type":"object","fields":{"in":{"type":"text"}}}]},
        "parts":{"type":"blocks","blocks":{"quote":{"label":"Q","description":"D","icon":"quote",
            "group":"Words","fields":{"text":{}}}}},
        "any":{"type":"json"}}}"#;

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
    fn keys_of_settings_and_webhooks() {
        let map = |text: &str| json(text).as_object().unwrap().clone();
        check(
            find_in_settings(&map(
                r#"{"site_name":"","max_revision":5,"cache":{"max_age":1,"maxage":2},"x-mine":1,
                    "accepted_problems":[{"any":1}],"images":{"any":1},"upload":5}"#,
            )),
            &[
                (
                    "max_revision",
                    "The file of the settings has no key `max_revision`. Did you mean \
                     `max_revisions`?",
                ),
                ("cache.maxage", "`cache` has no key `maxage`. Did you mean `max_age`?"),
                ("images.any", "`images` has no key `any`."),
            ],
        );
        check(
            find_in_webhooks(&map(
                r#"{"webhooks":[{"id":"a","name":"","url":"","events":[],"workspaces":[],
                    "enabled":true,"debounce_seconds":1,"created_at":null,"secret":""},5,
                    {"enable":false}],"webhook":[]}"#,
            )),
            &[
                (
                    "webhook",
                    "The file of the webhooks has no key `webhook`. Did you mean `webhooks`?",
                ),
                ("webhooks[2].enable", "A webhook has no key `enable`. Did you mean `enabled`?"),
            ],
        );
    }

    #[test]
    fn keys_of_entries() {
        let ty = ty(SCHEMA);
        let check =
            |file: &str, expect: &[(&str, &str)]| check(find_in_entry(&ty, &json(file)), expect);
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
                ("excerpt", "`excerpt` is a field. The values of fields belong under `data`."),
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
            r#"{"data":{"exerpt":null,"title":null,"seo":{"titel":null},"rows":[{"nmae":null}],
                "parts":[{"_type":"quote","_di":null}]},
                "translations":{"de":{"data":{"price":null,"exerpt":null}}}}"#,
            &[],
        );
        check(
            r#"{"translations":{"en":{},"fr":{},"DE":{},"de":{"slug":"t","data":{"price":1,
                "slug":"t","exerpt":""}}}}"#,
            &[
                (
                    "translations.en",
                    "Values in `en` belong at the top level; this translation is not read.",
                ),
                ("translations.fr", "The type has no locale `fr`. Its locales are `en`, `de`."),
                ("translations.DE", "The type has no locale `DE`. Did you mean `de`?"),
                ("translations.de.slug", "A translation has no key `slug`."),
                (
                    "translations.de.data.price",
                    "`price` is not localized; its value belongs under the top-level `data`.",
                ),
                (
                    "translations.de.data.slug",
                    "The slug is the same for all languages and belongs at the top level.",
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
        let found = find_in_entry(&ty(r#"{"fields":{}}"#), &json(r#"{"translations":{"de":{}}}"#));
        let message = "The type is not localized, so the translation into `de` is not read.";
        check(found, &[("translations.de", message)]);
    }

    #[test]
    fn keys_of_schemas() {
        let check =
            |file: &str, expect: &[(&str, &str)]| check(find_in_schema(&json(file)), expect);
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
                "e":{"type":"blocks","blocks":{"f":{"icno":"","fields":{"g":{"key":""}}}}}}}"#,
            &[
                (
                    "fields.a.fields.b.lable",
                    "A field of type `text` has no key `lable`. Did you mean `label`?",
                ),
                (
                    "fields.c.subfields[0].lable",
                    "A field of type `text` has no key `lable`. Did you mean `label`?",
                ),
                ("fields.e.blocks.f.icno", "A block type has no key `icno`. Did you mean `icon`?"),
                ("fields.e.blocks.f.fields.g.key", "A field of type `text` has no key `key`."),
            ],
        );
    }

    #[test]
    fn every_setting_of_every_kind_is_known() {
        for (kind, samples) in ALL_SAMPLES {
            for sample in *samples {
                let text = format!(r#"{{"fields":{{"a":{}}}}}"#, sample.definition);
                assert_eq!(shown(find_in_schema(&json(&text))), [], "{kind}");
            }
        }
    }

    #[test]
    fn neither_many_nor_long_keys_cost_much() {
        let many: Vec<String> = (0..1000).map(|it| format!(r#""k{it}":1"#)).collect();
        let found = find_in_schema(&json(&format!("{{{}}}", many.join(","))));
        assert_eq!(found.len(), REPORTED_MAX);
        let long = "ä".repeat(100_000);
        let found = find_in_schema(&json(&format!(r#"{{"{long}":1}}"#)));
        assert_eq!(found[0].key, long);
        let steering = find_in_schema(&json(r#"{"a\u001b[2Jb":1}"#)).remove(0);
        assert_eq!(steering.path(), "a\\u{1b}[2Jb");
        assert!(!steering.message.contains('\u{1b}'));
        assert!(found[0].path().len() < 100 && found[0].message.len() < 200);
    }
}
