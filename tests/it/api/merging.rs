//! Whoever sends an entry back as it was read changes nothing, and whoever changes one value of it
//! changes nothing else: for random types, entries, callers and locales.

use std::sync::Arc;

use proptest::collection::vec;
use proptest::prelude::*;
use recto::model::content_type::ContentType;
use recto::model::entry::Api;
use recto::model::entry::CurrentEntry;
use recto::model::entry::EntryWrite;
use recto::model::entry::MergedEntry;
use recto::model::entry::OtherEntries;
use recto::model::entry::merge_entry;
use recto::model::entry::parse_write_locale;
use recto::model::field::Field;
use recto::model::name::EntryId;
use recto::model::name::TypeName;
use recto::query::index::snapshot::Snapshot;
use recto::query::request::params::QueryParams;
use recto::stdx::json::Json;
use recto::stdx::json::Map;

use crate::support::random_content::Draw;
use crate::support::random_content::MODIFIED;
use crate::support::random_content::NOW;
use crate::support::random_content::TYPES;
use crate::support::random_content::Who;
use crate::support::random_content::World;
use crate::support::random_content::time;

/// Nothing to refer to, and all names and values taken: whatever is judged is refused.
struct Nowhere;

impl recto::model::field::ValueContext for Nowhere {
    fn resolve_entry(&self, _target: &TypeName, _id_or_slug: &str) -> Option<String> {
        None
    }

    fn resolve_media(&self, _name_or_url: &str) -> Option<String> {
        None
    }

    fn new_id(&self) -> String {
        "new".to_string()
    }

    fn clean_html(&self, text: &str) -> Result<String, String> {
        recto::model::field::sanitize_html(text)
    }
}

impl OtherEntries for Nowhere {
    fn has_slug(&self, _slug: &str) -> bool {
        true
    }

    fn has_value(&self, _field: &Field, _value: &Json) -> bool {
        true
    }
}

fn shown(snapshot: &Arc<Snapshot>, who: &Who, ty: &str, id: &str, query: &str) -> Option<Map> {
    let params = QueryParams::parse(query).unwrap();
    let body = crate::support::reads::shown(snapshot, &who.caller(), ty, id, &params).ok()?.body;
    let Json::Object(mut map) = Json::parse(&body).unwrap() else { panic!("{body:?}") };
    let Some(Json::Object(entry)) = map.remove("data") else { panic!("{body:?}") };
    Some(entry)
}

fn merged(
    ty: &ContentType,
    id: &str,
    file: &Map,
    shown: &Map,
    body: &Map,
    api: Api,
) -> MergedEntry {
    merge_entry(&EntryWrite {
        ty,
        id: &EntryId::parse(id).unwrap(),
        current: Some(CurrentEntry { file, shown, modified: time(MODIFIED) }),
        body,
        api,
        by: "u1",
        sets_author: true,
        is_proposal: false,
        now: time(NOW),
        context: &Nowhere,
        others: &Nowhere,
    })
}

/// The same entry as other clients would send it back.
fn respelled(draw: &mut Draw<'_>, entry: &Map) -> Map {
    let mut body = entry.clone();
    if draw.chance(50)
        && let Some(Json::Object(data)) = body.remove("data")
    {
        data.into_iter().for_each(|(key, value)| body.set(&key, value));
    }
    if draw.chance(50) {
        body = backwards(body.into()).as_object().cloned().unwrap();
    }
    body
}

/// Keys in another order, and whole numbers as floats.
fn backwards(value: Json) -> Json {
    match value {
        Json::Object(map) => {
            let members: Vec<_> = map.into_iter().map(|(key, it)| (key, backwards(it))).collect();
            Json::Object(members.into_iter().rev().collect())
        }
        Json::Array(items) => Json::Array(items.into_iter().map(backwards).collect()),
        Json::Number(number) => serde_json::json!(number.as_f64()).into(),
        other => other,
    }
}

/// All of `old` but `but` is still in `new`.
fn kept(old: Option<&Json>, new: Option<&Json>, but: &str) -> bool {
    let (Some(Json::Object(old)), Some(Json::Object(new))) = (old, new) else { return old == new };
    old.iter().all(|(key, value)| key == but || new.get(key) == Some(value))
}

fn check(choices: &[u16]) {
    let mut draw = Draw::new(choices);
    let world = World::draw(&mut draw, 6);
    let snapshot = Arc::new(world.snapshot());
    let who = Who::draw(&mut draw);
    for name in TYPES {
        let (Some(plain), Some(index)) = (world.get(name), snapshot.get(name)) else { continue };
        let ty = &index.content_type;
        for (id, file) in &plain.entries {
            let Json::Object(file) = file else { continue };
            let locale = draw.pick(&["", "locale=de", "locale=en", "locale=fr"]);
            let include = draw.pick(&["", "&include=rel,rel2,rels"]);
            let Some(read) = shown(&snapshot, &who, name, id, &format!("{locale}{include}")) else {
                continue;
            };
            let body = respelled(&mut draw, &read);
            let wanted = parse_write_locale(ty, &body).unwrap();
            let query = wanted.map(|it| format!("locale={it}")).unwrap_or_default();
            // What was read in another locale than it is written in is judged in the latter, where
            // somebody whose rights end at locales may see less.
            if who.is_bound_to_locales() && query != locale {
                continue;
            }
            let Some(shown) = shown(&snapshot, &who, name, id, &query) else { continue };
            let api = if draw.chance(50) { Api::Admin } else { Api::Public };
            let same = merged(ty, id, file, &shown, &body, api);
            let context = || format!("{world}\n{name} {id} {who:?} {query}\n{body:?}");
            assert!(same.problems.is_empty(), "{}\n{}", same.problems, context());
            assert!(!same.is_change() && same.warnings.is_empty(), "{same:?}\n{}", context());
            assert_eq!(same.file, *file, "{}", context());
            assert!(!same.needs_publish());

            let mut body = body.clone();
            let is_field = ty.fields.get("body").is_some();
            body.set("body", "Something else".into());
            let other = merged(ty, id, file, &shown, &body, api);
            let expect: &[&str] = if is_field { &["body"] } else { &[] };
            assert_eq!(other.changed, expect, "{}", context());
            assert!(kept(file.get("data"), other.file.get("data"), "body"), "{}", context());
            let (old, new) = (file.get("translations"), other.file.get("translations"));
            for locale in ["en", "de", "fr"] {
                let at = |it: Option<&Json>| {
                    it?.as_object()?.get(locale)?.as_object()?.get("data").cloned()
                };
                assert!(
                    at(old).is_none() || kept(at(old).as_ref(), at(new).as_ref(), "body"),
                    "{}",
                    context()
                );
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_sent_back_as_it_was_read_changes_nothing(choices in vec(any::<u16>(), 0..1500)) {
        check(&choices);
    }
}
