//! Entries as the admin API shows them: sent back they change nothing, they show no more than the
//! public API shows to the same caller, and what they were once comes back as it was.
//!
//! For random types, entries, callers, locales and layouts of files; `SLOW=1` for many more.

use proptest::collection::vec;
use proptest::prelude::*;
use recto::app::access::Caller;
use recto::app::access::Requester;
use recto::app::content::entries;
use recto::app::content::entries::EntryResponse;
use recto::app::content::entries::WrittenEntry;
use recto::app::content::revisions;
use recto::app::content::write_target::WriteTarget;
use recto::app::error::Code;
use recto::app::error::Error;
use recto::app::precondition::Precondition;
use recto::model::event::EventSource;
use recto::query::request::params::QueryParams;
use recto::stdx::json::Json;
use recto::stdx::json::Map;
use recto::stdx::time::Timestamp;

use crate::support::property::cases;
use crate::support::random_content::Draw;
use crate::support::random_content::NOW;
use crate::support::random_content::TYPES;
use crate::support::random_content::Who;
use crate::support::random_content::World;
use crate::support::random_content::time;
use crate::support::random_folder::Scene;
use crate::support::random_folder::entry;
use crate::support::random_folder::everybody;
use crate::support::random_folder::object;
use crate::support::random_folder::some_locale;
use crate::support::random_folder::ws;

fn show(scene: &Scene, caller: &Caller, ty: &str, id: &str, query: &str) -> Option<EntryResponse> {
    let snapshot = scene.app.engine.snapshot("main").unwrap();
    let params = QueryParams::parse(query).unwrap();
    entries::show_full_entry(&scene.app, &snapshot, caller, ty, id, &params).ok()
}

fn by(scene: &Scene, caller: &Caller) -> Requester {
    let mut by = scene.by(caller);
    std::sync::Arc::make_mut(&mut by.actor).source = EventSource::Admin;
    by
}

fn put(
    scene: &Scene,
    caller: &Caller,
    ty: &str,
    id: &str,
    body: Map,
) -> Result<WrittenEntry, Error> {
    let by = by(scene, caller);
    entries::update(&scene.app, &ws(), &by, &WriteTarget::Live, (ty, id), body, Precondition::None)
}

/// Media URLs as the names of their files.
fn with_filenames(json: &Json, base: &str) -> Json {
    match json {
        Json::String(text) => match text.strip_prefix(base) {
            Some(name) => {
                let name = percent_encoding::percent_decode_str(name).decode_utf8().unwrap();
                Json::String(name.into_owned())
            }
            None => json.clone(),
        },
        Json::Array(items) => {
            items.iter().map(|it| with_filenames(it, base)).collect::<Vec<_>>().into()
        }
        Json::Object(map) => {
            let members = map.iter().map(|(key, it)| (key.to_string(), with_filenames(it, base)));
            Json::Object(members.collect())
        }
        plain => plain.clone(),
    }
}

/// What was read and comes back changes nothing, and holds what the public API shows.
fn comes_back(choices: &[u16]) {
    let mut draw = Draw::new(choices);
    let world = World::draw(&mut draw, 5);
    let scene = Scene::new(&world, &mut draw);
    let before = scene.state();
    let base = format!("{}/media/main/", scene.app.engine.base_url());
    for _ in 0..3 {
        let who = Who::draw(&mut draw);
        let caller = who.writer();
        for name in TYPES {
            let Some(plain) = world.get(name) else { continue };
            for id in plain.entries.keys() {
                let locale = some_locale(&mut draw);
                let Some(shown) = show(&scene, &caller, name, id, locale) else {
                    assert!(
                        scene.show(&caller, name, id, locale).is_none(),
                        "{world}\n{name} {id}"
                    );
                    continue;
                };
                let read = entry(&shown);
                let context = || format!("{world}\n{name} {id} {who:?} {locale}\n{read:?}");
                let public = entry(&scene.show(&caller, name, id, locale).unwrap());
                for (key, value) in public.iter().filter(|(key, _)| *key != "locale") {
                    assert_eq!(
                        read.get(key),
                        Some(&with_filenames(value, &base)),
                        "{key} {}",
                        context()
                    );
                }
                // A write is judged in the locale that the entry names, or in the default one if it
                // names none. A caller with grants for some locales may see other targets there
                // than in the locale that was asked for.
                let named = read.get("locale").and_then(Json::as_str).unwrap_or_default();
                let asked = locale.trim_start_matches("locale=");
                let is_bound = who.is_bound_to_locales();
                if is_bound && named != asked {
                    continue;
                }
                // For the same reason: all translations of one answer are judged in the locale that
                // was asked for, and the public API judges each in its own.
                let translations = read.get("translations").and_then(Json::as_object);
                let translations = translations.filter(|_| !is_bound);
                for (code, translation) in translations.into_iter().flat_map(Map::iter) {
                    let query = format!("locale={code}");
                    let public = scene.show(&caller, name, id, &query);
                    let public = entry(&public.unwrap_or_else(|| panic!("{code} {}", context())));
                    let data = |map: &Map| map.get("data").and_then(Json::as_object).cloned();
                    let (own, seen) = (data(translation.as_object().unwrap()), data(&public));
                    for (field, value) in own.unwrap().iter().filter(|(_, it)| !it.is_empty()) {
                        let seen = seen.as_ref().and_then(|it| it.get(field));
                        let seen = seen.map(|it| with_filenames(it, &base));
                        assert_eq!(Some(value), seen.as_ref(), "{code} {field} {}", context());
                    }
                }
                let written = put(&scene, &caller, name, id, read.clone());
                let written = written.unwrap_or_else(|error| panic!("{error:?}\n{}", context()));
                assert_eq!(written.shown.rev, shown.rev, "{}", context());
                assert_eq!(entry(&written.shown), read, "{}", context());
            }
        }
    }
    scene.is_as_before(&before, &|| world.to_string());
}

/// What stands in a file, but for what every change says.
fn values(bytes: &[u8]) -> Map {
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes);
    let mut map = object(Json::parse(bytes).unwrap());
    for key in ["slug", "former_slugs", "created_at", "updated_at", "updated_by"] {
        map.remove(key);
    }
    map
}

/// After some changes the first state is brought back.
fn what_was_comes_back(choices: &[u16]) {
    let mut draw = Draw::new(choices);
    let world = World::draw(&mut draw, 4);
    let scene = Scene::new(&world, &mut draw);
    let caller = everybody();
    let mut now = time(NOW).seconds();
    for name in TYPES {
        let Some(plain) = world.get(name) else { continue };
        for id in plain.entries.keys() {
            if show(&scene, &caller, name, id, "").is_none() {
                continue;
            }
            let first = scene.file(name, id);
            for round in 0..2 {
                now += 1;
                scene.clock.set(Timestamp::from_seconds(now));
                let status = draw.pick(&["draft", "archived", "protected"]);
                let body = format!(r#"{{"title":"Title {round}","status":"{status}"}}"#);
                let body = object(Json::parse(body.as_bytes()).unwrap());
                put(&scene, &caller, name, id, body).unwrap_or_else(|it| panic!("{it:?}\n{world}"));
            }
            let snapshot = scene.app.engine.snapshot("main").unwrap();
            let params = QueryParams::parse("").unwrap();
            let page = revisions::list(&scene.app, &snapshot, &caller, name, id, &params).unwrap();
            let oldest = page.revisions.last().unwrap();
            let by = by(&scene, &caller);
            let which = (name, id.as_str(), oldest.id.as_str());
            let restored = revisions::restore(&scene.app, &ws(), &by, which, Precondition::None);
            match restored {
                Ok(_) => {}
                // A title that is missing in the file is missing again.
                Err(error) => {
                    assert_eq!(error.code, Code::ValidationFailed, "{world}\n{name} {id}");
                    continue;
                }
            }
            let after = scene.file(name, id);
            let texts = [&first, &after].map(|it| String::from_utf8_lossy(it).into_owned());
            let context = || format!("{world}\n{name} {id}\n{}\n{}", texts[0], texts[1]);
            let (was, is) = (values(&first), values(&after));
            let known = |map: &Map| -> Vec<(String, Json)> {
                let mut members: Vec<_> = map.clone().into_iter().collect();
                members.sort_by(|one, other| one.0.cmp(&other.0));
                members
            };
            assert_eq!(known(&was), known(&is), "{}", context());
        }
    }
}

proptest! {
    #![proptest_config(cases(24, 50))]

    #[test]
    fn a_whole_entry_comes_back(choices in vec(any::<u16>(), 0..1_500)) {
        comes_back(&choices);
    }

    #[test]
    fn an_earlier_state_comes_back(choices in vec(any::<u16>(), 0..1_000)) {
        what_was_comes_back(&choices);
    }
}
