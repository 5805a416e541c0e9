//! Entries go out through the API and come back, and the folder shows what that came to: nothing at
//! all when nothing is another, the lines of a field when that field is, and never anything that
//! Recto does not know itself.
//!
//! For random types, entries, callers, locales and layouts of files; `SLOW=1` for many more.

use std::collections::BTreeMap;
use std::sync::Arc;

use proptest::collection::vec;
use proptest::prelude::*;
use recto::app::access::Caller;
use recto::app::content::entries;
use recto::app::content::write_target::WriteTarget;
use recto::app::precondition::Precondition;
use recto::stdx::clock::Clock;
use recto::stdx::json::Json;
use recto::stdx::json::Map;
use recto::stdx::time::Timestamp;

use crate::support::folder;
use crate::support::property::cases;
use crate::support::random_content::DATES;
use crate::support::random_content::Draw;
use crate::support::random_content::IDS;
use crate::support::random_content::NOW;
use crate::support::random_content::PlainType;
use crate::support::random_content::TEXTS;
use crate::support::random_content::TIMES;
use crate::support::random_content::TYPES;
use crate::support::random_content::Who;
use crate::support::random_content::World;
use crate::support::random_content::time;
use crate::support::random_folder::Scene;
use crate::support::random_folder::entry;
use crate::support::random_folder::everybody;
use crate::support::random_folder::member;
use crate::support::random_folder::object;
use crate::support::random_folder::some_locale;
use crate::support::random_folder::ws;

/// What was read and comes back changes nothing.
fn comes_back(choices: &[u16]) {
    let mut draw = Draw::new(choices);
    let world = World::draw(&mut draw, 5);
    let scene = Scene::new(&world, &mut draw);
    let before = scene.state();
    for _ in 0..3 {
        let who = Who::draw(&mut draw);
        let caller = who.writer();
        for name in TYPES {
            let Some(plain) = world.get(name) else { continue };
            for id in plain.entries.keys() {
                let locale = some_locale(&mut draw);
                let include = draw.pick(&["", "&include=rel,rel2,rels"]);
                let query = format!("{locale}{include}");
                let Some(shown) = scene.show(&caller, name, id, &query) else { continue };
                let read = entry(&shown);
                // What was asked for in one locale and read in another is judged in the latter,
                // where somebody whose rights end at locales may see less of the rest.
                let said = read.get("locale").and_then(Json::as_str);
                let asked = locale.trim_start_matches("locale=");
                if who.is_bound_to_locales() && said.is_some_and(|it| it != asked) {
                    continue;
                }
                let precondition = match draw.below(3) {
                    0 => Precondition::Revs(vec![shown.rev]),
                    1 => Precondition::Any,
                    _ => Precondition::None,
                };
                let context = || format!("{world}\n{name} {id} {who:?} {query}\n{read:?}");
                let written = scene.put(&caller, name, id, read.clone(), precondition);
                let written = written.unwrap_or_else(|error| panic!("{error:?}\n{}", context()));
                assert_eq!(written.shown.rev, shown.rev, "{}", context());
                if include.is_empty() {
                    let answer = written.render_in(asked);
                    assert_eq!(entry(&answer.unwrap()), read, "{}", context());
                }
            }
        }
    }
    scene.is_as_before(&before, &|| world.to_string());
}

/// A field and a value that it may have, other than the one it has.
fn another_value(draw: &mut Draw<'_>, fields: &Map, now: &Map) -> Option<(String, Json)> {
    let plain =
        ["body", "kind", "tags", "n", "level", "flag", "day", "at", "any", "shared", "title"];
    let is_there = |it: &&str| *it == "title" || fields.contains(it);
    let there: Vec<&str> = plain.into_iter().filter(is_there).collect();
    let name = draw.pick(&there);
    let (one, other) = match name {
        "kind" => (r#""a""#, r#""b""#),
        "tags" => (r#"["a"]"#, r#"["b"]"#),
        "n" | "level" => ("3", "4"),
        "flag" => ("true", "false"),
        "day" => (r#""2026-02-03""#, r#""2026-02-04""#),
        "at" => (r#""2026-02-03T00:00:00Z""#, r#""2026-02-04T00:00:00Z""#),
        "any" => (r#"{"k":[2,{"l":null}]}"#, "7"),
        "title" => (r#""One title""#, r#""Another \"title\"""#),
        _ => (r#""One text""#, r#""Another \"text\"\nof two lines""#),
    };
    let [one, other] = [one, other].map(|it| Json::parse(it.as_bytes()).unwrap());
    let inside = member(now, "data");
    let current = now.get(name).or_else(|| inside.and_then(|it| it.get(name)));
    let value = if current == Some(&one) { other } else { one };
    Some((name.to_string(), value))
}

/// The places where texts differ line by line: how many lines went or came, in how many runs.
fn runs(old: &[u8], new: &[u8]) -> (usize, usize) {
    let lines = |text: &[u8]| -> Vec<Vec<u8>> {
        text.split_inclusive(|it| *it == b'\n').map(<[u8]>::to_vec).collect()
    };
    let (old, new) = (lines(old), lines(new));
    // The cheapest ways from each pair of places to the end: with few lines first, then few runs;
    // one for who is in a run already, one for who is not.
    let mut below: Vec<[(usize, usize); 2]> = Vec::new();
    for from in (0..=old.len()).rev() {
        let mut row = vec![[(usize::MAX, usize::MAX); 2]; new.len() + 1];
        for to in (0..=new.len()).rev() {
            for in_run in [0, 1] {
                let mut best = (usize::MAX, usize::MAX);
                if from == old.len() && to == new.len() {
                    best = (0, 0);
                }
                let step = |it: (usize, usize)| (it.0 + 1, it.1 + 1 - in_run);
                if from < old.len() {
                    best = best.min(step(below[to][1]));
                }
                if to < new.len() {
                    best = best.min(step(row[to + 1][1]));
                }
                if from < old.len() && to < new.len() && old[from] == new[to] {
                    best = best.min(below[to + 1][0]);
                }
                row[to][in_run] = best;
            }
        }
        below = row;
    }
    below[0][0]
}

/// Both say the same but for what stands at `path`, and who changed it and when.
fn same_but(old: &Map, new: &Map, path: &[&str]) -> bool {
    let [last, above @ ..] = &path.iter().rev().copied().collect::<Vec<_>>()[..] else {
        return old == new;
    };
    let without = |map: &Map| {
        let mut map = map.clone();
        map.remove("updated_at");
        map.remove("updated_by");
        let mut inside = Some(&mut map);
        for step in above.iter().rev() {
            inside = inside.and_then(|it| match it.get_mut(step) {
                Some(Json::Object(map)) => Some(map),
                _ => None,
            });
        }
        inside.map(|it| it.remove(last));
        let mut bare = map;
        // Objects that hold nothing else were made for it.
        if let Some(Json::Object(all)) = bare.get_mut("translations") {
            let codes: Vec<String> = all.iter().map(|(code, _)| code.to_string()).collect();
            for code in codes {
                if let Some(Json::Object(one)) = all.get_mut(&code)
                    && one.get("data").is_some_and(Json::is_empty)
                {
                    one.remove("data");
                }
                if all.get(&code).is_some_and(Json::is_empty) {
                    all.remove(&code);
                }
            }
        }
        if bare.get("translations").is_some_and(Json::is_empty) {
            bare.remove("translations");
        }
        bare
    };
    sorted(&without(old)) == sorted(&without(new))
}

/// The members of an object without their order.
fn sorted(map: &Map) -> BTreeMap<&str, &Json> {
    map.iter().collect()
}

/// One value is changed, and nothing else with it.
fn one_value_changes(choices: &[u16]) {
    let mut draw = Draw::new(choices);
    let world = World::draw(&mut draw, 4);
    let scene = Scene::new(&world, &mut draw);
    let caller = everybody();
    let mut now = time(NOW).seconds();
    for name in TYPES {
        let Some(plain) = world.get(name) else { continue };
        for id in plain.entries.keys() {
            // The first change brings what is missing, the others change what is there.
            for round in 0..4 {
                now += 1;
                scene.clock.set(Timestamp::from_seconds(now));
                changes_one(&scene, &world, &mut draw, &caller, plain, id, round == 0);
            }
        }
    }
}

fn changes_one(
    scene: &Scene,
    world: &World,
    draw: &mut Draw<'_>,
    caller: &Caller,
    plain: &PlainType,
    id: &str,
    is_first: bool,
) {
    let name = plain.name.as_str();
    let query = some_locale(draw);
    let Some(shown) = scene.show(caller, name, id, query) else { return };
    let read = entry(&shown);
    let Some((field, value)) = another_value(draw, plain.fields(), &read) else { return };
    let mut body = if draw.chance(50) { read.clone() } else { Map::new() };
    body.set(&field, value.clone());
    if let Some(locale) = read.get("locale") {
        body.set("locale", locale.clone());
    }
    let before = scene.file(name, id);
    let n_events = scene.events();
    let written = scene.put(caller, name, id, body.clone(), Precondition::None);
    let context = |after: &[u8]| {
        let texts = [&before, after].map(String::from_utf8_lossy);
        format!("{world}\n{name} {id} {query} {body:?}\n{}\n{}", texts[0], texts[1])
    };
    let written = written.unwrap_or_else(|error| panic!("{error:?}\n{}", context(b"")));
    let after = scene.file(name, id);
    assert_ne!(after, before, "{}", context(&after));
    // What was sent is what is read.
    let locale = query.trim_start_matches("locale=");
    let answer = entry(&written.render_in(locale).unwrap());
    let inside = member(&answer, "data").and_then(|it| it.get(&field));
    assert_eq!(answer.get(&field).or(inside), Some(&value), "{}", context(&after));
    let read_again = entry(&scene.show(caller, name, id, query).unwrap());
    assert_eq!(read_again, answer, "{}", context(&after));

    let parsed = |bytes: &[u8]| {
        object(Json::parse(bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes)).unwrap())
    };
    let (old, new) = (parsed(&before), parsed(&after));
    assert_eq!(old.get("note"), new.get("note"), "{}", context(&after));
    let undeclared = |map: &Map| member(map, "data").and_then(|it| it.get("undeclared").cloned());
    assert_eq!(undeclared(&old), undeclared(&new), "{}", context(&after));
    if !is_first {
        let top = [field.as_str()];
        let root = ["data", &field];
        let paths: Vec<Vec<&str>> = ["en", "de", "fr"]
            .into_iter()
            .flat_map(|it| {
                let (of, field) = ("translations", field.as_str());
                [vec![of, it, field], vec![of, it, "data", field]]
            })
            .chain([top.to_vec(), root.to_vec()])
            .collect();
        let is_one = paths.iter().any(|it| same_but(&old, &new, it));
        assert!(is_one, "more than `{field}` is another: {}", context(&after));
        let (lines, runs) = runs(&before, &after);
        assert!(runs <= 2, "{lines} lines in {runs} places: {}", context(&after));
    }
    // Twice is once.
    let state = scene.state();
    assert!(state.1 > n_events, "{}", context(&after));
    let again = scene.put(caller, name, id, body.clone(), Precondition::None);
    again.unwrap_or_else(|error| panic!("{error:?}\n{}", context(&after)));
    scene.is_as_before(&state, &|| context(&after));
}

/// A value that a writer may send for a field.
fn sendable(draw: &mut Draw<'_>, world: &World, field: &Map) -> Json {
    let text = |draw: &mut Draw<'_>, from: &[&str]| Json::String(draw.pick(from).to_string());
    let kind = field.get("type").and_then(Json::as_str).unwrap();
    let many = field.get("multiple").and_then(Json::as_bool) == Some(true);
    let targets = || -> Vec<&str> {
        let target = field.get("target").and_then(Json::as_str).unwrap();
        let ids = world.get(target).map(|it| it.entries.keys().map(String::as_str).collect());
        ids.unwrap_or_default()
    };
    let of_fields = |draw: &mut Draw<'_>, fields: &Map| -> Map {
        let values = fields.iter().map(|(name, field)| {
            (name.to_string(), sendable(draw, world, field.as_object().unwrap()))
        });
        values.collect()
    };
    match kind {
        "text" | "textarea" | "markdown" => text(draw, &TEXTS),
        "select" if many => Json::Array(vec!["b".into(), "Ä".into()]),
        "select" => text(draw, &["a", "b", "Ä"]),
        "number" | "range" => serde_json::json!(draw.below(90)).into(),
        "boolean" => Json::Bool(draw.chance(50)),
        "date" => text(draw, &DATES),
        "datetime" => text(draw, &TIMES),
        "json" => Json::parse(br#"{"k":[2,null,{"z":1,"a":"x"}]}"#).unwrap(),
        "media" => Json::Array(Vec::new()),
        "relation" if many => {
            let mut all = targets();
            all.truncate(draw.below(4));
            Json::Array(all.into_iter().map(Json::from).collect())
        }
        "relation" => targets().first().map_or(Json::Null, |it| Json::from(*it)),
        "object" => of_fields(draw, member(field, "fields").unwrap()).into(),
        "repeater" => {
            let subfields = field.get("subfields").and_then(Json::as_array).unwrap();
            let named = |it: &Json| {
                let key = it.as_object().unwrap().get("key").and_then(Json::as_str).unwrap();
                (key.to_string(), it.clone())
            };
            let fields: Map = subfields.iter().map(named).collect();
            Json::Array((0..draw.below(3)).map(|_| of_fields(draw, &fields).into()).collect())
        }
        "blocks" => {
            let quote = member(field, "blocks").and_then(|it| member(it, "quote")).unwrap();
            let block = |draw: &mut Draw<'_>| {
                let mut block = of_fields(draw, member(quote, "fields").unwrap());
                block.set("_type", "quote".into());
                Json::Object(block)
            };
            Json::Array((0..draw.below(3)).map(|_| block(draw)).collect())
        }
        other => panic!("no values for {other}"),
    }
}

/// Whether everything that was sent is read.
fn is_within(sent: &Json, read: &Json) -> bool {
    match (sent, read) {
        (Json::Object(sent), Json::Object(read)) => {
            sent.iter().all(|(key, it)| read.get(key).is_some_and(|read| is_within(it, read)))
        }
        (Json::Array(sent), Json::Array(read)) => {
            sent.len() == read.len() && sent.iter().zip(read).all(|(one, it)| is_within(one, it))
        }
        // An empty value is that of its kind.
        (sent, read) => sent == read || sent.is_empty() && read.is_empty(),
    }
}

/// What is sent is stored, read and stored again as it is.
fn what_was_sent_is_read(choices: &[u16]) {
    let mut draw = Draw::new(choices);
    let world = World::draw(&mut draw, 4);
    let scene = Scene::new(&world, &mut draw);
    let caller = everybody();
    for plain in &world.types {
        let name = plain.name.as_str();
        for _ in 0..2 {
            let mut sent = Map::new();
            for (field, definition) in plain.fields().iter() {
                if draw.chance(80) {
                    sent.set(field, sendable(&mut draw, &world, definition.as_object().unwrap()));
                }
            }
            let values = sent.clone();
            sent.set("title", draw.pick(&["A title", "Ünï", "x1", &IDS[0].to_uppercase()]).into());
            let locales = plain.locales();
            if !locales.is_empty() && draw.chance(70) {
                sent.set("locale", draw.pick(&locales).into());
            }
            let context = || format!("{world}\n{name} {sent:?}");
            let by = scene.by(&caller);
            let made =
                entries::create(&scene.app, &ws(), &by, &WriteTarget::Live, name, sent.clone());
            let made = made.unwrap_or_else(|error| panic!("{error:?}\n{}", context()));
            let locale = sent.get("locale").and_then(Json::as_str);
            let query = locale.map(|it| format!("locale={it}")).unwrap_or_default();
            let id = made.id.as_str();
            let read = entry(&scene.show(&caller, name, id, &query).unwrap());
            assert_eq!(read, entry(&made.shown), "{}", context());
            assert_eq!(read.get("title"), sent.get("title"), "{}", context());
            for (field, value) in values.iter() {
                let data = member(&read, "data").unwrap();
                let shown = data.get(field);
                assert!(
                    shown.is_some_and(|it| is_within(value, it)),
                    "{field}: {shown:?}\n{}",
                    context()
                );
            }
            let state = scene.state();
            for body in [sent.clone(), read.clone()] {
                scene.put(&caller, name, id, body, Precondition::None).unwrap();
                scene.is_as_before(&state, &context);
            }
        }
    }
    // None of it is news to whoever looks at the folder.
    let events = scene.events();
    scene.app.engine.follower().refresh_until_settled();
    assert_eq!(scene.events(), events, "our own writes were taken for news: {world}");
    let clock: Arc<dyn Clock> = scene.clock.clone();
    let fresh = folder::app(&folder::fresh(scene.data.root(), &clock));
    let lists = |_: &_| vec![String::new(), "locale=de".to_string()];
    let differences =
        folder::differences(&folder::picture(&scene.app, &lists), &folder::picture(&fresh, &lists));
    assert_eq!(differences, [""; 0], "{world}");
}

proptest! {
    #![proptest_config(cases(40, 60))]

    #[test]
    fn what_comes_back_as_it_was_read_leaves_the_folder_alone(choices in vec(any::<u16>(), 0..1500)) {
        comes_back(&choices);
    }
}

proptest! {
    #![proptest_config(cases(12, 60))]

    #[test]
    fn one_value_that_is_another_changes_its_lines_alone(choices in vec(any::<u16>(), 0..1500)) {
        one_value_changes(&choices);
    }

    #[test]
    fn what_is_sent_is_read_and_sending_it_again_is_nothing(choices in vec(any::<u16>(), 0..1500)) {
        what_was_sent_is_read(&choices);
    }
}

#[test]
fn blocks_that_come_again_without_ids_are_the_same() {
    let schema = r#"{"fields":{"parts":{"type":"blocks","blocks":{"quote":{"fields":{
        "words":{},"by":{}}}}}}}"#;
    let (ty, entries) = (TYPES[0].to_string(), BTreeMap::new());
    let schema = Json::parse(schema.as_bytes()).unwrap();
    let world = World { types: vec![PlainType { name: ty, schema, entries }], now: time(NOW) };
    let scene = Scene::new(&world, &mut Draw::new(&[]));
    let body = |parts: &str| {
        let text = format!(r#"{{"title":"T","parts":{parts}}}"#);
        object(Json::parse(text.as_bytes()).unwrap())
    };
    let by = scene.by(&everybody());
    let two = r#"[{"_type":"quote","words":"a","by":"x"},{"_type":"quote","words":"b"}]"#;
    let made =
        entries::create(&scene.app, &ws(), &by, &WriteTarget::Live, TYPES[0], body(two)).unwrap();
    let ids = || -> Vec<String> {
        let file = object(Json::parse(&scene.file(TYPES[0], &made.id)).unwrap());
        let parts = member(&file, "data").unwrap().get("parts").unwrap().as_array().unwrap();
        let id = |it: &Json| it.as_object().unwrap().get("_id").unwrap().as_str().unwrap().into();
        parts.iter().map(id).collect()
    };
    let first = ids();
    let put = |parts: &str| {
        scene.put(&everybody(), TYPES[0], &made.id, body(parts), Precondition::None).unwrap();
        ids()
    };
    let state = scene.state();
    assert_eq!(put(two), first);
    scene.is_as_before(&state, &|| "sent again".to_string());
    // One that says something else is another one, and knows nothing of the one that was there.
    let changed = put(r#"[{"_type":"quote","words":"c"},{"_type":"quote","words":"b"}]"#);
    assert!(changed[0] != first[0] && changed[1] == first[1], "{first:?} {changed:?}");
    let text = String::from_utf8(scene.file(TYPES[0], &made.id)).unwrap();
    assert!(!text.contains("\"x\""), "{text}");
    // Nor is it the one that was sent elsewhere.
    let moved = put(&format!(
        r#"[{{"_type":"quote","words":"c"}},{{"_type":"quote","words":"b","_id":"{}"}}]"#,
        changed[0]
    ));
    assert!(moved[1] == changed[0] && moved[0] != changed[0], "{changed:?} {moved:?}");
}

#[test]
fn differing_lines_are_counted() {
    let check = |old: &str, new: &str, expect: (usize, usize)| {
        assert_eq!(runs(old.as_bytes(), new.as_bytes()), expect, "{old:?} {new:?}");
    };
    check("", "", (0, 0));
    check("a\nb\nc\n", "a\nb\nc\n", (0, 0));
    check("a\nb\nc\n", "a\nx\nc\n", (2, 1));
    check("a\nb\nc\n", "x\nb\ny\n", (4, 2));
    check("a\nb\n", "a\nc\nd\nb\n", (2, 1));
    check("}\n}\n", "}\nx\n}\n}\n", (2, 1));
}
