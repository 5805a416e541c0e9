//! Rendered packs: a start that takes entries from them shows the same as one that parses every
//! file, whatever became of the files, the schema, the clock and the packs meanwhile.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::SystemTime;
use std::time::UNIX_EPOCH;

use recto::app::access::Requester;
use recto::app::content::content_types;
use recto::app::content::entries;
use recto::app::content::trash;
use recto::app::content::write_target::WriteTarget;
use recto::app::precondition::Precondition;
use recto::app::usage_guard::UsageGuard;
use recto::engine::Engine;
use recto::engine::EngineOptions;
use recto::model::name::WorkspaceSlug;
use recto::query::index::type_index::TypeIndex;
use recto::stdx::clock::Clock;
use recto::stdx::clock::SystemClock;
use recto::stdx::clock::TestClock;
use recto::stdx::time::Timestamp;
use recto::store::read::body_pack::BodyPack;

use crate::support::folder;
use crate::support::folder::Data;
use crate::support::folder::app;
use crate::support::folder::eventually;
use crate::support::folder::fresh;
use crate::support::folder::options;
use crate::support::folder::picture;
use crate::support::requester::requester_of;

const SCHEMA: &str = r#"{"locales": ["en", "de"], "default_locale": "en", "fields": {
    "text": {"type": "text"}, "n": {"type": "number"}, "picture": {"type": "media"},
    "to": {"type": "relation", "target": "posts", "multiple": true}}}"#;

/// The number of entries, of which some have every property that could be lost.
const ENTRIES: usize = 300;

fn entry(n: usize, text: &str) -> String {
    let mut members = vec![format!(r#""title": "T{n} \"{text}\"""#)];
    members.push(match n % 5 {
        0 => r#""status": "draft""#.to_string(),
        1 => r#""status": "published", "published_at": "2031-01-01""#.to_string(),
        2 => r#""status": "published", "unpublish_at": "2032-01-01""#.to_string(),
        _ => r#""status": "published", "published_at": "2020-01-01""#.to_string(),
    });
    if n.is_multiple_of(7) {
        members
            .push(r#""translations": {"de": {"title": "D", "data": {"text": "d"}}}"#.to_string());
    }
    if n.is_multiple_of(11) {
        // A value that is a problem to report.
        members.push(r#""unknown": 1"#.to_string());
    }
    if n.is_multiple_of(13) {
        members.push(r#""slug": "shared", "author_id": "me""#.to_string());
    }
    let data = format!(r#""text": "{text}", "n": {n}, "to": ["e{}"], "picture": "a.png""#, n / 2);
    members.push(format!(r#""data": {{{data}}}"#));
    format!("{{{}}}", members.join(", "))
}

fn by() -> Requester {
    requester_of(folder::holder("*@*"))
}

struct Scene {
    data: Data,
    clock: Arc<dyn Clock>,
}

impl Scene {
    /// A folder whose files are old enough that their stats prove something.
    fn new() -> Scene {
        let scene = Scene { data: Data::empty(), clock: Arc::new(SystemClock) };
        scene.data.write("workspaces/main/schemas/posts.json", SCHEMA);
        for n in 0..ENTRIES {
            scene.write_entry(n, "first");
        }
        scene.wait_until_old();
        scene
    }

    fn write_entry(&self, n: usize, text: &str) {
        // Ids of which one is the beginning of another.
        let id = if n.is_multiple_of(2) { format!("e{n}") } else { format!("e{}-x", n - 1) };
        self.data.write(&format!("workspaces/main/content/posts/{id}.json"), entry(n, text));
    }

    fn wait_until_old(&self) {
        self.data.write("now", "");
        let written = folder::modified(&self.data.at("now"));
        eventually("the files are old", || {
            SystemTime::now().duration_since(written).is_ok_and(|it| it.as_millis() > 2_100)
        });
    }

    fn pack_file(&self) -> Option<PathBuf> {
        let items = fs::read_dir(self.data.at(".recto/rendered")).ok()?;
        items.map(|it| it.unwrap().path()).next()
    }

    fn pack_bytes(&self) -> Option<Vec<u8>> {
        Some(fs::read(self.pack_file()?).unwrap())
    }

    /// Starts a server and compares it with one that reads files only. Returns true if it wrote a
    /// pack.
    fn check_start(&self, what: &str) -> bool {
        let before = self.pack_file().map(|it| (folder::modified(&it), fs::read(it).unwrap()));
        let engine = Engine::open(options(self.data.root(), &self.clock)).unwrap();
        self.check(&engine, what);
        engine.follower().refresh_until_settled();
        self.check(&engine, what);
        folder::pack(&engine);
        drop(engine);
        let after = self.pack_file().map(|it| (folder::modified(&it), fs::read(it).unwrap()));
        before != after
    }

    fn check(&self, engine: &Arc<Engine>, what: &str) {
        let aside = fresh(self.data.root(), &self.clock);
        let queries = |_: &TypeIndex| vec![String::new(), "sort=-n&limit=7".to_string()];
        let (here, there) = (picture(&app(engine), &queries), picture(&app(&aside), &queries));
        assert_eq!(folder::differences(&here, &there), Vec::<String>::new(), "{what}");
        assert_eq!(folder::problems(engine), folder::problems(&aside), "{what}");
    }
}

#[test]
fn a_start_from_a_pack_shows_what_the_files_say() {
    let scene = Scene::new();
    assert!(scene.pack_file().is_none());
    assert!(scene.check_start("first"));
    // Those with problems and those that wait for their time are parsed, which are more than a
    // tenth. The pack would be the same.
    let whole = scene.pack_bytes().unwrap();
    assert!(!scene.check_start("again"));
    for n in (0..ENTRIES).step_by(40) {
        scene.write_entry(n, "other");
    }
    scene.data.remove("workspaces/main/content/posts/e2.json");
    scene.data.write("workspaces/main/content/posts/a-new-one.json", entry(4, "new"));
    scene.check_start("some edited");
    for n in 0..ENTRIES {
        scene.write_entry(n, "third");
    }
    scene.wait_until_old();
    assert!(scene.check_start("all edited"));
    assert!(scene.pack_bytes().unwrap() != whole);
    let schema = SCHEMA.replace("\"number\"", "\"text\"");
    scene.data.write("workspaces/main/schemas/posts.json", schema);
    scene.check_start("another schema");
    scene.data.remove("workspaces/main/schemas/posts.json");
    scene.check_start("no schema");
}

#[test]
fn a_pack_is_used_and_written_anew_when_much_of_it_is_stale() {
    let scene = Scene::new();
    for n in 0..ENTRIES {
        let id = format!("workspaces/main/content/posts/plain-{n}.json");
        scene.data.write(&id, r#"{"title": "T", "status": "published"}"#);
        scene.data.remove(&id.replace("plain-", "e"));
        scene.data.remove(&format!("workspaces/main/content/posts/e{n}-x.json"));
    }
    scene.wait_until_old();
    assert!(scene.check_start("first"));
    // What is taken from the pack is not written again.
    assert!(!scene.check_start("again"));
    scene.write_entry(3, "one");
    assert!(!scene.check_start("one edited"));
    (0..ENTRIES / 3).for_each(|n| scene.write_entry(n, "many"));
    scene.wait_until_old();
    assert!(scene.check_start("many edited"));
}

/// Text that was deleted for good is in no pack, however much of the pack is still good.
#[test]
fn what_is_purged_is_erased() {
    let scene = Scene::new();
    scene.write_entry(4, "secret");
    scene.wait_until_old();
    assert!(scene.check_start("first"));
    let has_secret = |bytes: Vec<u8>| memchr::memmem::find(&bytes, b"secret").is_some();
    let bodies = scene.data.at(".recto/bodies/pack");
    let knows_secret = || {
        let rendered = scene.pack_bytes().unwrap_or_default();
        has_secret(rendered) || has_secret(fs::read(&bodies).unwrap())
    };
    assert!(knows_secret() && has_secret(scene.pack_bytes().unwrap()));
    let engine = Engine::open(options(scene.data.root(), &scene.clock)).unwrap();
    engine.follower().refresh_until_settled();
    let (app, ws) = (app(&engine), WorkspaceSlug::parse("main").unwrap());
    let by = by();
    entries::delete(
        &app,
        &ws,
        &by,
        &WriteTarget::Live,
        ("posts", "e4"),
        Precondition::default(),
        UsageGuard::Off,
    )
    .unwrap();
    trash::purge(&app, &ws, &by, "posts", "e4", Precondition::None).unwrap();
    engine.follower().refresh_until_settled();
    assert!(!knows_secret());
    drop((app, engine));
    scene.check_start("after");
    assert!(!knows_secret());
    // With its type, everything goes at once.
    let engine = Engine::open(options(scene.data.root(), &scene.clock)).unwrap();
    engine.follower().refresh_until_settled();
    let app = folder::app(&engine);
    let of = "posts".to_string();
    content_types::change::delete(&app, &ws, by, of, Precondition::default()).unwrap();
    engine.follower().refresh_until_settled();
    assert!(scene.pack_file().is_none());
}

#[test]
fn the_clock_and_the_address_count() {
    let mut scene = Scene::new();
    scene.check_start("first");
    let elsewhere = EngineOptions {
        base_url: "https://elsewhere.example".to_string(),
        ..options(scene.data.root(), &scene.clock)
    };
    let engine = Engine::open(elsewhere).unwrap();
    let snapshot = engine.snapshot("main").unwrap();
    let index = snapshot.get("posts").unwrap();
    let is_there = |doc: &[u8]| String::from_utf8_lossy(doc).contains("https://elsewhere.example");
    assert!(index.iter().all(|(_, doc)| is_there(doc.variant_for(None).body())));
    drop((snapshot, engine));
    for day in ["2019-01-01", "2031-06-01", "2033-01-01", "2020-06-01"] {
        scene.clock = Arc::new(TestClock::at(Timestamp::parse(day).unwrap()));
        scene.check_start(day);
    }
}

#[test]
fn a_damaged_pack_does_no_harm() {
    let scene = Scene::new();
    scene.check_start("first");
    let whole = scene.pack_bytes().unwrap();
    let file = scene.pack_file().unwrap();
    let seed = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().subsec_nanos() as usize;
    for round in 0..24 {
        let place = (seed + round * whole.len() / 24) % whole.len();
        let mut bytes = whole.clone();
        match round % 4 {
            0 => bytes.truncate(place),
            1 => bytes[place] ^= 0x10,
            2 => bytes[place..].fill(0),
            _ => bytes = bytes[place..].to_vec(),
        }
        fs::write(&file, &bytes).unwrap();
        let engine = Engine::open(options(scene.data.root(), &scene.clock)).unwrap();
        scene.check(&engine, &format!("round {round} at {place}"));
    }
}

/// The last good bodies are there after a start, whatever became of them: entries are taken from
/// the pack only if theirs are there.
#[test]
fn a_start_from_a_pack_has_all_last_good_bodies() {
    let scene = Scene::new();
    assert!(scene.check_start("first"));
    // The pack says up to where the bodies of its files were kept.
    assert_ne!(scene.pack_bytes().unwrap()[24..32], [0; 8]);
    let folder = scene.data.at(".recto/bodies");
    let (bodies, index) = (folder.join("pack"), folder.join("pack.index"));
    let (whole, whole_index) = (fs::read(&bodies).unwrap(), fs::read(&index).unwrap());
    let other = Scene::new();
    (0..ENTRIES).for_each(|n| other.write_entry(n, "other"));
    other.wait_until_old();
    other.check_start("another");
    let files = fs::read_dir(scene.data.at("workspaces/main/content/posts")).unwrap();
    let names = files.map(|it| it.unwrap().file_name().into_string().unwrap());
    let paths: Vec<String> =
        names.map(|it| format!("workspaces/main/content/posts/{it}")).collect();
    for what in ["all there", "moved away", "longer", "cut off", "another", "gone"] {
        // As they were when the pack was written.
        fs::write(&bodies, &whole).unwrap();
        fs::write(&index, &whole_index).unwrap();
        match what {
            "moved away" => {
                let pack = BodyPack::open(&folder);
                paths.iter().step_by(2).for_each(|it| pack.forget_body(it));
                pack.flush();
            }
            "longer" => fs::write(&bodies, [&*whole, b"not a record"].concat()).unwrap(),
            "cut off" => fs::write(&bodies, &whole[..whole.len() / 2]).unwrap(),
            "another" => ["pack", "pack.index"].iter().for_each(|it| {
                fs::copy(other.data.at(".recto/bodies").join(it), folder.join(it)).unwrap();
            }),
            "gone" => fs::remove_dir_all(&folder).unwrap(),
            _ => {}
        }
        let engine = Engine::open(options(scene.data.root(), &scene.clock)).unwrap();
        folder::pack(&engine);
        drop(engine);
        let pack = BodyPack::open(&folder);
        for path in &paths {
            let kept = pack.get(path).map(|it| it.bytes);
            assert!(
                kept.is_some_and(|it| it == fs::read(scene.data.at(path)).unwrap()),
                "{what}: {path}"
            );
        }
    }
}
