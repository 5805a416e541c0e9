//! The publication of a change of many entries, stopped at every operation and with a fault at
//! every call: the next server finds all of it or nothing. `SLOW=1` publishes 500 entries, stopped
//! at every 17th operation.

use std::sync::Arc;

use recto::app::App;
use recto::app::Settings;
use recto::app::access::Requester;
use recto::app::content::changes;
use recto::app::content::changes::ChangeRequest;
use recto::app::content::entries;
use recto::app::content::write_target::WriteTarget;
use recto::app::precondition::Precondition;
use recto::engine::Engine;
use recto::engine::EngineOptions;
use recto::model::name::WorkspaceSlug;
use recto::stdx::clock::Clock;
use recto::stdx::clock::TestClock;
use recto::store::disk::memory::MemDisk;

use crate::support::crash::content;
use crate::support::crash::expect_none;
use crate::support::crash_shapes::at;
use crate::support::entry_writes::all;
use crate::support::entry_writes::map;
use crate::support::folder::options;
use crate::support::random_content::NOW;
use crate::support::random_content::time;
use crate::support::requester::requester_of;

/// The number of entries, and the distances of the operations that are stopped and of the calls
/// that fail.
fn sizes() -> (usize, usize, usize) {
    match std::env::var_os("SLOW") {
        Some(_) => (500, 17, 97),
        None => (6, 1, 2),
    }
}

/// The number of states that are looked at after each stop: with nothing unsynced, and with all.
const STATES: usize = 2;

fn ws() -> WorkspaceSlug {
    WorkspaceSlug::parse("main").unwrap()
}

fn by() -> Requester {
    requester_of(all())
}

/// A server on a disk.
struct Scene {
    app: App,
    disk: Arc<MemDisk>,
    _root: tempfile::TempDir,
}

impl Scene {
    /// Fails when the disk does.
    fn open(disk: MemDisk) -> Option<Scene> {
        let (root, disk) = (tempfile::tempdir().unwrap(), Arc::new(disk));
        let clock: Arc<dyn Clock> = Arc::new(TestClock::at(time(NOW)));
        let options = EngineOptions { disk: Some(disk.clone()), ..options(root.path(), &clock) };
        let app = App::new(Engine::open(options).ok()?, Settings::default());
        Some(Scene { app, disk, _root: root })
    }

    fn publish(&self, change: &str) -> bool {
        let request = ChangeRequest::new(&ws(), &by(), change);
        changes::publish(&self.app, &request).is_ok()
    }

    /// The titles of all entries on the disk, and the state of the change.
    fn look(&self, change: &str) -> (Vec<String>, String) {
        let folder = at("content/posts/");
        let files = content(&self.disk).into_iter().filter(|(path, _)| path.starts_with(&folder));
        let titles: Vec<String> = files
            .map(|(path, bytes)| {
                let json: serde_json::Value = serde_json::from_slice(&bytes).unwrap();
                format!("{path} {}", json["title"].as_str().unwrap())
            })
            .collect();
        let live = self.app.engine.snapshot("main").unwrap();
        // What is served is what is there.
        assert_eq!(live.get("posts").unwrap().len(), titles.len());
        let shown = changes::show(&self.app, &live, &by().caller, change).unwrap();
        (titles, shown.state.to_string())
    }
}

/// A disk with a change of so many entries: half of them are there already.
fn prepare(n_entries: usize) -> (MemDisk, String) {
    let entry = |number: usize| {
        let text = format!(r#"{{"title":"old {number}","slug":"e{number}","status":"published"}}"#);
        (at(&format!("content/posts/e{number}.json")), text)
    };
    let schema = (at("schemas/posts.json"), r#"{"drafts":true,"fields":{}}"#.to_string());
    let files = (0..n_entries / 2).map(entry).chain([schema]);
    let scene = Scene::open(MemDisk::with_files(files)).unwrap();
    let (app, by) = (&scene.app, by());
    let change = changes::create(app, &ws(), &by, &map(r#"{"label":"Many"}"#)).unwrap();
    let target = WriteTarget::Change(change.id.to_string());
    for number in 0..n_entries {
        let body = map(&format!(r#"{{"title":"new {number}","status":"published"}}"#));
        if number < n_entries / 2 {
            let (name, any) = (format!("e{number}"), Precondition::None);
            entries::update(app, &ws(), &by, &target, ("posts", &name), body, any).unwrap();
        } else {
            entries::create(app, &ws(), &by, &target, "posts", body).unwrap();
        }
    }
    (scene.disk.copy_durable(), change.id.to_string())
}

/// What may be found: all or nothing.
struct Allowed {
    old: (Vec<String>, String),
    new: (Vec<String>, String),
}

impl Allowed {
    fn check(&self, found: &Scene, change: &str, is_promised: bool) -> Result<(), String> {
        let found = found.look(change);
        if found == self.new || (!is_promised && found == self.old) {
            return Ok(());
        }
        let n_new = found.0.iter().filter(|it| it.contains(" new ")).count();
        Err(format!("promised: {is_promised}, {n_new} of {} are new, {}", found.0.len(), found.1))
    }
}

#[test]
#[expect(clippy::print_stderr, reason = "how much was looked at is worth knowing")]
fn a_large_change_is_published_as_a_whole_or_not_at_all() {
    let (n_entries, every_step, every_call) = sizes();
    let (disk, change) = prepare(n_entries);
    let undisturbed = Scene::open(disk.copy_durable()).unwrap();
    let old = undisturbed.look(&change);
    let begun = (undisturbed.disk.count_steps(), undisturbed.disk.count_calls());
    assert!(undisturbed.publish(&change));
    let allowed = Allowed { old, new: undisturbed.look(&change) };
    assert_eq!(allowed.new.0.len(), n_entries);
    assert!(allowed.new.0.iter().all(|it| it.contains(" new ")) && allowed.old != allowed.new);
    let done = (undisturbed.disk.count_steps(), undisturbed.disk.count_calls());

    let mut wrong = Vec::new();
    let mut n_looked = 0;
    for stop in (begun.0..=done.0).step_by(every_step) {
        let scene = Scene::open(disk.copy_durable()).unwrap();
        scene.disk.stop_at(stop);
        let is_promised = scene.publish(&change);
        for crashed in scene.disk.list_crashes(STATES) {
            n_looked += 1;
            let looked = Scene::open(crashed).ok_or_else(|| "cannot be opened".to_string());
            if let Err(why) = looked.and_then(|it| allowed.check(&it, &change, is_promised)) {
                wrong.push(format!("stopped at {}: {why}", stop - begun.0));
            }
        }
    }
    const EIO: i32 = 5;
    for call in (begun.1..done.1).step_by(every_call) {
        let scene = Scene::open(disk.copy_durable()).unwrap();
        scene.disk.fail_from(call, EIO);
        let is_promised = scene.publish(&change);
        scene.disk.clear_faults();
        n_looked += 1;
        let looked = Scene::open(scene.disk.copy_durable()).ok_or("cannot be opened".to_string());
        if let Err(why) = looked.and_then(|it| allowed.check(&it, &change, is_promised)) {
            wrong.push(format!("fault at {}: {why}", call - begun.1));
        }
    }
    eprintln!("{n_entries} entries, {} operations, {n_looked} looks", done.0 - begun.0);
    expect_none("crashes", &wrong);
}
