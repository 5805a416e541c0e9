//! Files broken by hand, in every way there is a name for: what is broken stays served as it was,
//! also after a restart, its neighbours are not touched, and the problem is told with its place.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use recto::engine;
use recto::engine::Engine;
use recto::engine::error::CommitError;
use recto::engine::writer::repair::RepairOutcome;
use recto::model::problem::Problem;
use recto::model::problem::ProblemKind;
use recto::query::index::snapshot::Snapshot;
use recto::stdx::clock::Clock;
use recto::stdx::clock::TestClock;
use recto::stdx::time::Timestamp;
use recto::store::data_folder::DataFolder;

use crate::support::folder;
use crate::support::folder::Data;
use crate::support::folder::eventually;
use crate::support::permit::operator_permit;
use crate::support::skip::skipped;

const WS: &str = "workspaces/default";

/// Fixtures that cannot be read, with the kind and place of their problem.
const UNREADABLE: &[(&str, &str, u32, u32)] = &[
    ("half_written.json", "invalid_json", 3, 25),
    ("comma.json", "invalid_json", 4, 1),
    ("no_object.json", "invalid_json", 1, 1),
    ("empty.json", "invalid_json", 1, 1),
    ("blank.json", "invalid_json", 1, 1),
    ("nul_byte.json", "invalid_json", 1, 1),
    ("nul_inside.json", "invalid_json", 2, 14),
    ("not_utf8.json", "invalid_json", 2, 14),
    ("utf16.json", "invalid_json", 1, 1),
    ("deep.json", "invalid_json", 3, 82),
    ("huge_number.json", "invalid_json", 3, 27),
    ("merge_conflict.json", "merge_conflict", 2, 1),
    ("duplicate_key.json", "duplicate_key", 3, 9),
    ("two_values.json", "invalid_json", 2, 1),
];

/// Fixtures that are served with something wrong in them.
const READABLE: &[(&str, &str, u32, u32)] = &[
    ("bom.json", "bom", 1, 1),
    ("wrong_types.json", "schema_violation", 2, 12),
    ("wrong_types.json", "schema_violation", 4, 17),
    ("data_is_a_list.json", "schema_violation", 4, 11),
    ("invalid_status.json", "invalid_status", 3, 13),
    ("invalid_slug.json", "invalid_slug", 4, 11),
    ("id_mismatch.json", "id_mismatch", 2, 9),
    ("unknown_keys.json", "unknown_key", 4, 3),
    ("unknown_keys.json", "unknown_key", 5, 3),
    ("unknown_keys.json", "unknown_key", 6, 13),
    ("unknown_keys.json", "unknown_key", 7, 21),
];

/// Fixtures of which only a look at the whole folder tells.
const JUDGED: &[(&str, &str, u32, u32)] = &[
    ("wrong_types.json", "schema_violation", 6, 16),
    ("dangling_relation.json", "dangling_relation", 5, 14),
    ("missing_media.json", "missing_media", 5, 15),
    ("duplicate_slug.json", "duplicate_slug", 4, 11),
];

struct Scene {
    data: Data,
    clock: Arc<dyn Clock>,
}

impl Scene {
    fn new() -> Scene {
        let data = Data::empty();
        let schema = r#"{"fields": {"body": {"type": "markdown"}, "minutes": {"type": "number"},
            "topic": {"type": "relation", "target": "topics"}, "photo": {"type": "media"}}}"#;
        data.write(&format!("{WS}/workspace.json"), r#"{"label": "Before"}"#);
        data.write(&format!("{WS}/schemas/posts.json"), schema);
        data.write(&format!("{WS}/schemas/topics.json"), r#"{"fields": {}}"#);
        data.write(&format!("{WS}/schemas/start.json"), r#"{"singleton": true, "fields": {}}"#);
        data.write(&post("neighbour"), before("neighbour"));
        data.write(&format!("{WS}/content/start/start.json"), before("start"));
        let start = Timestamp::from_seconds(1_780_272_000);
        Scene { data, clock: Arc::new(TestClock::at(start)) }
    }

    fn open(&self) -> Arc<Engine> {
        let engine = Engine::open(folder::options(self.data.root(), &self.clock)).unwrap();
        // Bodies are packed by the thread that follows the folder.
        engine.close();
        engine.follower().spawn_follower().unwrap().join().unwrap();
        engine
    }

    fn check(&self) -> Vec<Problem> {
        engine::check_folder(&DataFolder::new(self.data.root()), self.clock.now()).unwrap()
    }

    fn reopen(&self, engine: Arc<Engine>) -> Arc<Engine> {
        engine.close();
        engine.follower().spawn_follower().unwrap().join().unwrap();
        drop(engine);
        self.open()
    }
}

fn fixture(name: &str) -> Vec<u8> {
    fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/broken").join(name)).unwrap()
}

fn post(id: &str) -> String {
    format!("{WS}/content/posts/{id}.json")
}

fn stem(name: &str) -> &str {
    name.split('.').next().unwrap()
}

fn before(id: &str) -> String {
    format!(
        r#"{{"title": "Before", "slug": "{}", "status": "published", "created_at": "2026-05-01T00:00:00Z"}}"#,
        id.replace('_', "-")
    )
}

fn snapshot(engine: &Engine) -> Arc<Snapshot> {
    engine.snapshot("default").unwrap()
}

/// The title of an entry as readers get it.
fn title(engine: &Engine, ty: &str, id: &str) -> Option<String> {
    let snapshot = snapshot(engine);
    let index = snapshot.get(ty)?;
    let doc = index.entry_at(index.find_ordinal(id)?)?;
    Some(String::from_utf8(doc.variant_for(None).title_json().to_vec()).unwrap())
}

fn told(engine: &Engine) -> Vec<Problem> {
    engine.problems().list().into_iter().map(|it| it.problem).collect()
}

/// Path, kind and place of problems.
fn places(problems: &[Problem]) -> BTreeSet<(String, &'static str, Option<u32>, Option<u32>)> {
    let place = |it: &Problem| (it.path.clone(), it.kind.as_str(), it.line, it.column);
    problems.iter().map(place).collect()
}

fn expected(
    fixtures: &[(&str, &'static str, u32, u32)],
) -> BTreeSet<(String, &'static str, Option<u32>, Option<u32>)> {
    let place = |(name, kind, line, column): &(&str, &'static str, u32, u32)| {
        (post(stem(name)), *kind, Some(*line), Some(*column))
    };
    fixtures.iter().map(place).collect()
}

#[test]
fn what_cannot_be_read_is_served_as_it_was() {
    let scene = Scene::new();
    let others = ["too_large", "directory", "pipe", "link"];
    let all: Vec<&str> = UNREADABLE.iter().map(|it| stem(it.0)).chain(others).collect();
    all.iter().for_each(|it| scene.data.write(&post(it), before(it)));
    let engine = scene.open();
    assert_eq!(told(&engine), []);
    assert_eq!(scene.check(), []);
    let entries = snapshot(&engine).get("posts").unwrap().len();
    assert_eq!(entries, all.len() + 1);

    for (name, ..) in UNREADABLE {
        scene.data.write(&post(stem(name)), fixture(name));
    }
    scene.data.write(&post("too_large"), vec![b' '; 9 * 1024 * 1024]);
    others[1..].iter().for_each(|it| scene.data.remove(&post(it)));
    fs::create_dir(scene.data.at(&post("directory"))).unwrap();
    scene.data.pipe(&post("pipe"));
    let outside = tempfile::NamedTempFile::new().unwrap();
    fs::write(outside.path(), r#"{"title": "Secret", "status": "published"}"#).unwrap();
    scene.data.link(outside.path().to_str().unwrap(), &post("link"));
    engine.follower().refresh_until_settled();

    let mut expect = expected(UNREADABLE);
    for (id, kind) in
        others.into_iter().zip(["too_large", "not_a_file", "not_a_file", "not_a_file"])
    {
        expect.insert((post(id), kind, None, None));
    }
    let serves_all = |engine: &Engine| {
        for id in all.iter().chain(&["neighbour"]) {
            assert_eq!(title(engine, "posts", id).as_deref(), Some("\"Before\""), "{id}");
        }
        let snapshot = snapshot(engine);
        assert_eq!(snapshot.get("posts").unwrap().len(), entries);
        assert_eq!(snapshot.get("posts").unwrap().public().count(), entries);
    };
    serves_all(&engine);
    assert_eq!(places(&told(&engine)), expect);
    assert!(told(&engine).iter().all(|it| it.kind.blocks_loading()));
    assert_eq!(places(&scene.check()), expect);
    // Twice: what is broken must not take the place of what was kept.
    let engine = scene.reopen(engine);
    serves_all(&engine);
    let engine = scene.reopen(engine);
    serves_all(&engine);
    assert_eq!(places(&told(&engine)), expect);

    for id in &all {
        scene.data.remove(&post(id));
        scene.data.write(&post(id), before(id).replace("Before", "After"));
    }
    engine.follower().refresh_until_settled();
    assert_eq!(told(&engine), []);
    assert_eq!(scene.check(), []);
    assert!(all.iter().all(|it| title(&engine, "posts", it).as_deref() == Some("\"After\"")));
}

#[test]
fn what_can_be_read_is_served_with_its_problems_told() {
    let scene = Scene::new();
    let fixtures = || READABLE.iter().chain(JUDGED);
    fixtures().for_each(|it| scene.data.write(&post(stem(it.0)), before(stem(it.0))));
    let engine = scene.open();
    assert_eq!(scene.check(), []);
    fixtures().for_each(|it| scene.data.write(&post(stem(it.0)), fixture(it.0)));
    engine.follower().refresh_until_settled();
    assert_eq!(places(&told(&engine)), expected(READABLE));
    let mut found = places(&scene.check());
    // Most of them have the same title, and with it the same slug.
    found.retain(|it| it.1 != "duplicate_slug" || it.0 == post("duplicate_slug"));
    assert_eq!(found, &expected(READABLE) | &expected(JUDGED));
    let shown = |engine: &Engine, id: &str| title(engine, "posts", id).unwrap();
    for engine in [engine, folder::fresh(scene.data.root(), &scene.clock)] {
        for (name, ..) in fixtures() {
            let expect = if *name == "wrong_types.json" { "\"\"" } else { "\"New\"" };
            assert_eq!(shown(&engine, stem(name)), expect, "{name}");
        }
        let snapshot = snapshot(&engine);
        let index = snapshot.get("posts").unwrap();
        let found = |slug: &str| {
            index.find_entry(slug).and_then(|it| index.entry_at(it)).unwrap().id().to_string()
        };
        assert_eq!(found("uber-uns"), "invalid_slug");
        assert_eq!(found("neighbour"), "neighbour");
        assert_eq!(found("duplicate_slug"), "duplicate_slug");
        assert_eq!(found("id_mismatch"), "id_mismatch");
        let public = |id: &str| index.public().contains(index.find_ordinal(id).unwrap());
        assert!(public("bom") && public("wrong_types") && !public("invalid_status"));
    }
}

#[test]
fn broken_definitions_take_nothing_offline() {
    let scene = Scene::new();
    let at = |name: &str| format!("{WS}/{name}");
    scene.data.write(&at("media-categories.json"), r#"{"categories": ["Press / Logos"]}"#);
    scene.data.write(&at("media/a.txt"), "text");
    let engine = scene.open();
    let text = r#"{"label": "Put away", "archived": true, "types": ["topics", "posts"]}"#;
    scene.data.write(&at("workspace.json"), text);
    engine.follower().refresh_until_settled();
    for (path, bytes) in [
        ("schemas/posts.json", fixture("unknown_kind.schema.json")),
        ("schemas/topics.json", fixture("half_written.json")),
        ("workspace.json", fixture("half_written.json")),
        ("media-categories.json", fixture("comma.json")),
        ("media-meta/a.txt.json", fixture("empty.json")),
    ] {
        scene.data.write(&at(path), bytes);
    }
    engine.follower().refresh_until_settled();
    let place = |path: &str, kind, line, column| (at(path), kind, line, column);
    let expect = BTreeSet::from([
        place("schemas/posts.json", "broken_schema", Some(4), Some(15)),
        place("schemas/topics.json", "invalid_json", Some(3), Some(25)),
        place("workspace.json", "invalid_json", Some(3), Some(25)),
        place("media-categories.json", "invalid_json", Some(4), Some(1)),
        place("media-meta/a.txt.json", "invalid_json", Some(1), Some(1)),
    ]);
    let serves_all = |engine: &Engine| {
        assert_eq!(title(engine, "posts", "neighbour").as_deref(), Some("\"Before\""));
        let snapshot = snapshot(engine);
        let types: Vec<&str> =
            snapshot.types().iter().map(|it| it.content_type.name.as_str()).collect();
        assert_eq!(types, ["topics", "posts", "start"]);
        assert!(snapshot.meta.archived);
        assert!(snapshot.media.categories.contains("Press / Logos"));
        // Nobody knows whether it may be seen.
        assert_eq!(snapshot.media.get("a.txt").unwrap().visibility.as_str(), "private");
        assert_eq!(places(&told(engine)), expect);
    };
    serves_all(&engine);
    assert_eq!(places(&scene.check()), expect);
    let engine = scene.reopen(engine);
    serves_all(&engine);
    serves_all(&scene.reopen(engine));
}

#[test]
fn what_is_broken_is_not_missing_to_a_check() {
    let scene = Scene::new();
    let topic = format!("{WS}/content/topics/t.json");
    scene.data.write(&post("neighbour"), r#"{"title": "A", "data": {"topic": "t"}}"#);
    for path in [topic.clone(), format!("{WS}/schemas/topics.json")] {
        scene.data.write(&path, fixture("half_written.json"));
        let expect = BTreeSet::from([(path, "invalid_json", Some(3), Some(25))]);
        assert_eq!(places(&scene.check()), expect);
        scene.data.write(&topic, r#"{"title": "T"}"#);
    }
}

#[test]
fn a_workspace_of_an_unknown_format_is_left_alone() {
    let scene = Scene::new();
    let at = |name: &str| format!("{WS}/{name}");
    let engine = scene.open();
    let known = r#"{"format": 1, "label": "Before"}"#;
    scene.data.write(&at("workspace.json"), fixture("newer_format.workspace.json"));
    scene.data.write(&post("neighbour"), r#"{"title": "In format 2"}"#);
    scene.data.remove(&at("schemas/posts.json"));
    engine.follower().refresh_until_settled();
    let expect = BTreeSet::from([(at("workspace.json"), "unsupported_format", None, None)]);
    assert_eq!(title(&engine, "posts", "neighbour").as_deref(), Some("\"Before\""));
    assert_eq!(places(&told(&engine)), expect);
    let writing = |engine: &Engine| {
        let ws = snapshot(engine).workspace.clone();
        let commit = engine.commit(&ws, |_| Ok::<_, CommitError>(()));
        commit.map(drop).map_err(|it| it.to_string())
    };
    let refused = writing(&engine).unwrap_err();
    assert!(refused.contains("reads formats up to 1"), "{refused}");
    let problem = &told(&engine)[0];
    let repaired = engine.writer().restore_last_good(&operator_permit(), problem);
    assert!(matches!(repaired, Ok(RepairOutcome::NothingGood)), "{repaired:?}");
    assert_eq!(places(&scene.check()), expect);
    let engine = scene.reopen(engine);
    assert!(snapshot(&engine).types().is_empty());
    assert_eq!(places(&told(&engine)), expect);
    assert_eq!(writing(&engine).unwrap_err(), refused);
    // Once the format is a known one, what is in the folder counts.
    scene.data.write(&at("workspace.json"), known);
    scene.data.write(&at("schemas/posts.json"), r#"{"fields": {}}"#);
    engine.follower().refresh_until_settled();
    assert_eq!(title(&engine, "posts", "neighbour").as_deref(), Some("\"In format 2\""));
    assert_eq!(told(&engine), []);
    writing(&engine).unwrap();
    // Whoever writes looks at the format itself, and does not wait to be told.
    scene.data.write(&at("workspace.json"), fixture("newer_format.workspace.json"));
    assert_eq!(writing(&engine).unwrap_err(), refused);
    scene.data.write(&at("workspace.json"), known);
    writing(&engine).unwrap();
}

#[test]
fn misspelt_keys_of_every_file_are_told_and_stay() {
    let scene = Scene::new();
    let at = |name: &str| format!("{WS}/{name}");
    scene.data.write(&at("media/a.txt"), "text");
    let engine = scene.open();
    let sha = "0".repeat(64);
    let files = [
        (
            at("schemas/posts.json"),
            r#"{"fields": {"body": {"type": "markdown", "requierd": true}}}"#,
        ),
        (at("workspace.json"), r#"{"label": "A", "lable": "B"}"#),
        (at("media-categories.json"), r#"{"categories": [], "x-note": 1, "category": []}"#),
        (at("media-meta/a.txt.json"), r#"{"atl": "A text"}"#),
        (post("neighbour"), r#"{"$schema": "./a.json", "title": "A", "Status": "published"}"#),
        ("system/roles/writer.json".to_string(), r#"{"permissions": [], "lable": "Writer"}"#),
        (
            "system/tokens/0123456789abcdef.json".to_string(),
            &format!(r#"{{"name": "A", "secret_sha256": "{sha}", "expires": "2026-01-01"}}"#),
        ),
    ];
    files.iter().for_each(|(path, text)| scene.data.write(path, text));
    engine.follower().refresh_until_settled();
    let of = |problems: &[Problem]| -> BTreeSet<(String, String)> {
        let unknown = problems.iter().filter(|it| it.kind == ProblemKind::UnknownKey);
        unknown.map(|it| (it.path.clone(), it.message.clone())).collect()
    };
    let meant = |at: usize, what: &str, key: &str, meant: &str| {
        (files[at].0.clone(), format!("{what} has no key `{key}`. Did you mean `{meant}`?"))
    };
    let expect = BTreeSet::from([
        meant(0, "A field of type `markdown`", "requierd", "required"),
        meant(1, "A workspace", "lable", "label"),
        meant(2, "The list of categories", "category", "categories"),
        meant(3, "A media file", "atl", "alt"),
        meant(4, "An entry", "Status", "status"),
        meant(5, "A role", "lable", "label"),
        meant(6, "A token", "expires", "expires_at"),
    ]);
    assert_eq!(of(&told(&engine)), expect);
    assert_eq!(of(&scene.check()), expect);
    for (path, text) in &files {
        assert_eq!(fs::read_to_string(scene.data.at(path)).unwrap(), *text);
    }
    // They are warnings: everything is served as it stands.
    assert_eq!(title(&engine, "posts", "neighbour").as_deref(), Some("\"A\""));
    assert_eq!(snapshot(&engine).meta.label, "A");
    files.iter().take(5).for_each(|(path, text)| {
        let mended = text.replace("requierd", "required").replace("lable", "x-label");
        let mended = mended.replace("category\"", "x-c\"").replace("atl", "alt");
        scene.data.write(path, mended.replace("Status", "status"));
    });
    engine.follower().refresh_until_settled();
    let left: BTreeSet<String> = of(&told(&engine)).into_iter().map(|it| it.0).collect();
    assert!(left.iter().all(|it| it.starts_with("system/")), "{left:?}");
}

#[test]
fn names_that_cannot_be_used_are_told_until_they_are_gone() {
    let scene = Scene::new();
    let engine = scene.open();
    let cases = [
        ("content/posts/NEIGHBOUR.json", "case_collision", "content/posts/neighbour.json"),
        ("content/posts/a (Anna's conflicted copy).json", "sync_conflict_copy", ""),
        ("content/posts/b.sync-conflict-20260101-120000-ABC.json", "sync_conflict_copy", ""),
        ("content/posts/two words.json", "invalid_name", ""),
        ("content/posts/shouted.JSON", "invalid_name", ""),
        ("content/start/again.json", "second_singleton", ""),
        ("content/strays/a.json", "unknown_type", ""),
        ("media/con.txt", "invalid_name", ""),
        ("schemas/9 lives.json", "invalid_name", ""),
    ];
    for (name, ..) in cases {
        scene.data.write(&format!("{WS}/{name}"), before("other"));
    }
    engine.follower().refresh_until_settled();
    let of = |problems: &[Problem]| -> BTreeSet<(String, &'static str)> {
        problems.iter().map(|it| (it.path.clone(), it.kind.as_str())).collect()
    };
    let expect: BTreeSet<_> = cases
        .iter()
        // Of two names the first in order counts.
        .map(|(name, kind, told)| (if told.is_empty() { name } else { told }, kind))
        .map(|(name, kind)| (format!("{WS}/{name}"), *kind))
        .collect();
    assert_eq!(of(&told(&engine)), expect);
    assert_eq!(of(&scene.check()), expect);
    assert_eq!(title(&engine, "posts", "neighbour").as_deref(), Some("\"Before\""));
    assert_eq!(title(&engine, "start", "start").as_deref(), Some("\"Before\""));
    assert_eq!(snapshot(&engine).get("start").unwrap().len(), 1);
    cases.iter().for_each(|(name, ..)| scene.data.remove(&format!("{WS}/{name}")));
    engine.follower().refresh_until_settled();
    assert_eq!(told(&engine), []);
}

#[test]
fn what_is_in_a_wrong_place_is_told_until_it_is_gone() {
    let scene = Scene::new();
    let engine = scene.open();
    let cases = [
        ("content/news", "not_a_file"),
        ("media", "not_a_file"),
        ("revisions", "not_a_file"),
        ("content/posts/2025", "invalid_name"),
    ];
    cases[..3].iter().for_each(|(name, _)| scene.data.write(&format!("{WS}/{name}"), "text"));
    scene.data.write(&format!("{WS}/content/posts/2025/a.json"), before("a"));
    engine.follower().refresh_until_settled();
    let expect: BTreeSet<_> =
        cases.iter().map(|(name, kind)| (format!("{WS}/{name}"), *kind, None, None)).collect();
    assert_eq!(places(&told(&engine)), expect);
    assert_eq!(places(&scene.check()), expect);
    assert_eq!(places(&told(&folder::fresh(scene.data.root(), &scene.clock))), expect);
    assert_eq!(snapshot(&engine).get("posts").unwrap().len(), 1);
    cases.iter().for_each(|(name, _)| scene.data.remove(&format!("{WS}/{name}")));
    engine.follower().refresh_until_settled();
    assert_eq!(told(&engine), []);
}

/// Bodies of what appears while the folder is followed are kept as well.
#[test]
fn what_was_dropped_in_is_kept_too() {
    let scene = Scene::new();
    let engine = Engine::open(folder::options(scene.data.root(), &scene.clock)).unwrap();
    let following = engine.follower().spawn_follower().unwrap();
    scene.data.write("aside/schemas/posts.json", r#"{"fields": {}}"#);
    scene.data.write("aside/content/posts/a.json", before("a"));
    scene.data.rename("aside", "workspaces/dropped");
    eventually("the workspace is there", || {
        engine.snapshot("dropped").is_some_and(|it| it.count_entries() == 1)
    });
    engine.close();
    following.join().unwrap();
    drop(engine);
    scene.data.write("workspaces/dropped/content/posts/a.json", fixture("half_written.json"));
    scene.data.write("workspaces/dropped/schemas/posts.json", fixture("unknown_kind.schema.json"));
    let engine = scene.open();
    assert_eq!(engine.snapshot("dropped").unwrap().count_entries(), 1);
}

#[test]
fn a_default_workspace_that_is_not_there_is_told() {
    let scene = Scene::new();
    scene.data.write("system/settings.json", r#"{"default_workspace":"gone"}"#);
    let engine = scene.open();
    let is_told = |problems: &[Problem]| {
        let mut of_settings = problems.iter().filter(|it| it.path == "system/settings.json");
        of_settings.any(|it| it.kind.as_str() == "missing_workspace")
    };
    assert!(is_told(&told(&engine)) && is_told(&scene.check()));
    scene.data.write("workspaces/gone/workspace.json", "{}");
    engine.follower().refresh_until_settled();
    assert!(!is_told(&told(&engine)) && !is_told(&scene.check()));
}

#[test]
fn revisions_of_nothing_are_told_by_whoever_looks_the_folder_over() {
    let scene = Scene::new();
    let gone = "workspaces/default/revisions/posts/gone";
    scene.data.write(&format!("{gone}/01jz8x3m5q7v9c2a.json"), "{}");
    let is_told = |problems: &[Problem]| {
        problems.iter().any(|it| it.kind.as_str() == "orphan_revisions" && it.path == gone)
    };
    assert!(is_told(&scene.check()));
    // A server is not bothered by what people delete by hand.
    assert!(!is_told(&told(&scene.open())));
}

#[test]
fn what_is_broken_in_the_trash_and_among_revisions_is_told_by_whoever_looks_the_folder_over() {
    let scene = Scene::new();
    let at = |name: &str| format!("{WS}/{name}");
    scene.data.write(&at("trash/posts/whole.json"), before("whole"));
    let broken = [at("trash/posts/gone.json"), at("revisions/posts/neighbour/20260101.json")];
    broken.iter().for_each(|it| scene.data.write(it, fixture("half_written.json")));
    let place = |path: &String| (path.clone(), "invalid_json", Some(3), Some(25));
    assert_eq!(places(&scene.check()), broken.iter().map(place).collect());
    // A server reads them when somebody asks for them.
    assert_eq!(told(&scene.open()), []);
}

#[test]
fn a_base_without_an_edit_is_told() {
    let scene = Scene::new();
    let base = "workspaces/default/changes/spring/base/posts/neighbour.json";
    scene.data.write(base, "{}");
    let is_told = |problems: &[Problem]| {
        problems.iter().any(|it| it.kind.as_str() == "orphan_base" && it.path == base)
    };
    assert!(is_told(&scene.check()));
    scene.data.write(&base.replace("/base/", "/content/"), r#"{"title":"Edited"}"#);
    assert!(!is_told(&scene.check()));
}

/// Every kind of problem is brought about somewhere in this file.
#[test]
fn no_kind_is_left_out() {
    let this = include_str!("broken_files.rs");
    // A file that may not be read cannot be made by the user who may read everything.
    let not_here = [ProblemKind::Unreadable];
    for kind in ProblemKind::ALL.iter().filter(|it| !not_here.contains(it)) {
        assert!(
            this.contains(&format!("\"{kind}\"")),
            "no file here has the problem `{kind}`: add one to tests/data/broken, and a row with \
             its place to READABLE, UNREADABLE or JUDGED"
        );
    }
}

#[cfg(unix)]
#[test]
fn a_file_that_may_not_be_read_is_served_as_it_was() {
    use std::os::unix::fs::PermissionsExt;
    let scene = Scene::new();
    let engine = scene.open();
    let place = scene.data.at(&post("neighbour"));
    fs::set_permissions(&place, fs::Permissions::from_mode(0o000)).unwrap();
    if fs::read(&place).is_ok() {
        return skipped("nothing is forbidden to whoever runs this");
    }
    engine.follower().refresh_until_settled();
    assert_eq!(
        places(&told(&engine)),
        BTreeSet::from([(post("neighbour"), "unreadable", None, None)])
    );
    assert_eq!(title(&engine, "posts", "neighbour").as_deref(), Some("\"Before\""));
    fs::set_permissions(&place, fs::Permissions::from_mode(0o644)).unwrap();
    engine.follower().refresh_until_settled();
    assert_eq!(told(&engine), []);
}

#[cfg(unix)]
#[test]
fn a_folder_that_may_not_be_listed_is_told_with_all_the_rest() {
    use std::os::unix::fs::PermissionsExt;
    let scene = Scene::new();
    scene.data.write(&format!("{WS}/trash/posts/gone.json"), fixture("half_written.json"));
    let posts = format!("{WS}/content/posts");
    let permit = |mode| {
        let permissions = fs::Permissions::from_mode(mode);
        fs::set_permissions(scene.data.at(&posts), permissions).unwrap();
    };
    permit(0o000);
    if fs::read_dir(scene.data.at(&posts)).is_ok() {
        permit(0o755);
        return skipped("nothing is forbidden to whoever runs this");
    }
    let (checked, engine) = (scene.check(), scene.open());
    let (found, is_missed) = (told(&engine), engine.follower().misses_content());
    permit(0o755);
    let unreadable = (posts.clone(), "unreadable", None::<u32>, None::<u32>);
    let broken = (format!("{WS}/trash/posts/gone.json"), "invalid_json", Some(3), Some(25));
    assert_eq!(places(&checked), BTreeSet::from([unreadable.clone(), broken]));
    assert_eq!(places(&found), BTreeSet::from([unreadable]));
    assert!(is_missed);
    engine.follower().refresh_until_settled();
    assert_eq!(title(&engine, "posts", "neighbour").as_deref(), Some("\"Before\""));
    assert!(told(&engine).is_empty() && !engine.follower().misses_content());
}

/// What comes with Recto is in order.
#[test]
fn samples_are_clean() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders = vec![root.join("data-skeleton")];
    for example in fs::read_dir(root.join("examples")).unwrap() {
        let data = example.unwrap().path().join("data");
        folders.extend(data.is_dir().then_some(data));
    }
    assert!(folders.len() > 1);
    for folder in folders {
        let now = Timestamp::parse("2026-12-01T00:00:00Z").unwrap();
        let problems = engine::check_folder(&DataFolder::new(&folder), now).unwrap();
        let problems: Vec<String> = problems.iter().map(|it| it.to_string()).collect();
        assert!(problems.is_empty(), "{}:\n{}", folder.display(), problems.join("\n"));
    }
}
