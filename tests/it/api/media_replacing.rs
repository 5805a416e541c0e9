//! Media files whose bytes are replaced and restored: what others do to them meanwhile is not lost,
//! and what is kept of them is bounded.

use std::collections::BTreeSet;
use std::sync::Arc;

use recto::app::App;
use recto::app::access::Requester;
use recto::app::error::Code;
use recto::app::media::delete;
use recto::app::media::meta::MediaTarget;
use recto::app::media::replace;
use recto::app::media::replace::ReplacementForm;
use recto::app::media::revisions;
use recto::app::precondition::Precondition;
use recto::app::usage_guard::UsageGuard;
use recto::engine::Engine;
use recto::engine::EngineOptions;
use recto::model::event::Actor;
use recto::model::event::EventKind;
use recto::model::event::EventSource;
use recto::model::name::WorkspaceSlug;
use recto::query::request::params::QueryParams;
use recto::stdx::clock::Clock;
use recto::stdx::clock::SystemClock;
use recto::store::write::spool::Spooled;

use crate::support::events::list_event_kinds;
use crate::support::folder;
use crate::support::folder::Data;

const FILE: &str = "workspaces/main/media/a.txt";
const REVISIONS: &str = "workspaces/main/media-revisions/a.txt";

/// More than what is read at once.
const LARGE: usize = 300 * 1024;

struct Scene {
    data: Data,
    app: App,
}

fn ws() -> WorkspaceSlug {
    WorkspaceSlug::parse("main").unwrap()
}

fn by() -> Requester {
    let actor = Actor {
        id: "tok_writer".into(),
        name: "Writer".into(),
        ip: None,
        request_id: "r".into(),
        source: EventSource::Api,
    };
    Requester { caller: folder::holder("media.*@media:*"), actor: actor.into() }
}

impl Scene {
    /// A folder with a file of these bytes, of which so many revisions are kept.
    fn new(bytes: impl AsRef<[u8]>, revisions_kept_max: i64) -> Scene {
        let data = Data::empty();
        data.write("workspaces/main/workspace.json", r#"{"label":"Main"}"#);
        data.write(FILE, bytes);
        let clock: Arc<dyn Clock> = Arc::new(SystemClock);
        let options = EngineOptions { revisions_kept_max, ..folder::options(data.root(), &clock) };
        Scene { app: folder::app(&Engine::open(options).unwrap()), data }
    }

    fn spooled(&self, bytes: &[u8]) -> Spooled {
        let mut spool = self.app.engine.folder().create_spool().unwrap();
        spool.write(bytes).unwrap();
        spool.finish().unwrap()
    }

    fn replace(&self, bytes: impl AsRef<[u8]>) -> Result<(), Code> {
        let form = ReplacementForm {
            files: vec![self.spooled(bytes.as_ref())],
            category: None,
            visibility: None,
        };
        let (ws, precondition) = (ws(), Precondition::None);
        let target = MediaTarget { ws: &ws, name: "a.txt", precondition: &precondition };
        replace::replace_file(&self.app, &by(), &target, form).map(|_| ()).map_err(|it| it.code)
    }

    fn restore(&self, revision: &str) -> Result<(), Code> {
        let (ws, precondition) = (ws(), Precondition::None);
        let target = MediaTarget { ws: &ws, name: "a.txt", precondition: &precondition };
        revisions::restore(&self.app, &by(), &target, revision).map(|_| ()).map_err(|it| it.code)
    }

    /// The ids of the revisions, newest first.
    fn revisions(&self) -> Vec<String> {
        let snapshot = self.app.engine.snapshot("main").unwrap();
        let params = QueryParams::parse("").unwrap();
        let page = revisions::list(&self.app, &snapshot, &by(), "a.txt", &params).unwrap();
        page.revisions.into_iter().map(|it| it.id).collect()
    }

    /// The bytes of the revisions, oldest first.
    fn kept(&self) -> Vec<String> {
        let kept = self.data.files(REVISIONS, ".txt");
        // The oldest may go between the look at the folder and the look into the file.
        let read = |path: &String| std::fs::read_to_string(self.data.at(path)).ok();
        let mut kept: Vec<String> = kept.iter().filter_map(read).collect();
        kept.sort();
        kept
    }

    /// Nothing is left behind, and looking again finds no news.
    fn is_sound(&self) {
        let before = list_event_kinds(&self.app.engine);
        self.app.engine.follower().refresh_until_settled();
        assert_eq!(list_event_kinds(&self.app.engine), before, "our own writes are no news");
        let unfinished = std::fs::read_dir(self.data.at(".recto/tmp")).map_or(0, Iterator::count);
        assert_eq!(unfinished, 0);
        let clock: Arc<dyn Clock> = Arc::new(SystemClock);
        let fresh = folder::fresh(self.data.root(), &clock);
        let seen = |engine: &Engine| {
            let snapshot = engine.snapshot("main").unwrap();
            snapshot.media.iter().map(|it| (it.size, it.tag)).collect::<Vec<_>>()
        };
        assert_eq!(seen(&self.app.engine), seen(&fresh));
    }
}

#[test]
fn an_edit_by_hand_that_nobody_has_seen_is_kept() {
    let scene = Scene::new("one", 50);
    scene.data.write(FILE, "by hand");
    scene.replace("two").unwrap();
    assert_eq!(scene.data.read(FILE), b"two");
    assert_eq!(scene.kept(), ["by hand"]);
    scene.is_sound();
}

#[test]
fn a_file_that_is_gone_is_not_made() {
    let scene = Scene::new("one", 50);
    scene.data.write("workspaces/main/media/b.txt", "other");
    scene.data.remove(FILE);
    assert_eq!(scene.replace("two"), Err(Code::NotFound));
    assert!(!scene.data.at(FILE).exists() && scene.kept().is_empty());
}

#[test]
fn equal_bytes_are_no_change_whether_they_were_read_before_or_not() {
    let large = "a".repeat(LARGE);
    let scene = Scene::new(&large, 50);
    let snapshot = scene.app.engine.snapshot("main").unwrap();
    assert_eq!(snapshot.media.get("a.txt").unwrap().tag.content, None, "not read yet");
    scene.replace(&large).unwrap();
    assert!(scene.kept().is_empty());
    // Another end, beyond what is compared at once.
    let other = format!("{}b", &large[1..]);
    scene.replace(&other).unwrap();
    assert_eq!(scene.kept(), [large]);
    scene.replace(&other).unwrap();
    assert_eq!(scene.kept().len(), 1);
    assert_eq!(list_event_kinds(&scene.app.engine), [EventKind::MediaUpdated]);
    scene.is_sound();
}

#[test]
fn all_who_replace_a_file_at_once_are_heard() {
    let scene = Scene::new("before", 50);
    let names: Vec<String> = (10..26).map(|number| format!("by {number}")).collect();
    let here = &scene;
    std::thread::scope(|scope| {
        for name in &names {
            scope.spawn(move || here.replace(name).unwrap());
        }
    });
    let last = String::from_utf8(scene.data.read(FILE)).unwrap();
    let kept = scene.kept();
    let all: BTreeSet<&String> = kept.iter().chain([&last]).collect();
    let before = "before".to_string();
    assert_eq!(all, names.iter().chain([&before]).collect());
    assert_eq!(kept.len(), names.len());
    scene.is_sound();
}

#[test]
fn what_is_kept_is_bounded() {
    let scene = Scene::new("0", 3);
    for number in 1..=5 {
        scene.replace(number.to_string()).unwrap();
    }
    let following = scene.app.engine.follower().spawn_follower().unwrap();
    folder::eventually("the oldest are gone", || scene.kept() == ["2", "3", "4"]);
    scene.app.engine.close();
    following.join().unwrap();
    let none = Scene::new("0", 0);
    none.replace("1").unwrap();
    assert!(none.kept().is_empty());
    none.is_sound();
}

#[test]
fn a_restored_revision_takes_the_place_of_what_is_there() {
    let scene = Scene::new("one", 50);
    scene.replace("two").unwrap();
    let revision = scene.revisions().remove(0);
    scene.restore(&revision).unwrap();
    assert_eq!(scene.data.read(FILE), b"one");
    assert_eq!(scene.kept(), ["two"]);
    // A file that somebody edits is no revision of another.
    scene.data.write(FILE, "by hand");
    scene.app.engine.follower().refresh_until_settled();
    assert_eq!(scene.kept(), ["two"]);
    let again = scene.revisions().remove(0);
    assert_ne!(again, revision);
    assert_eq!(scene.restore(&revision), Err(Code::NotFound));
    scene.restore(&again).unwrap();
    assert_eq!(
        (scene.data.read(FILE), scene.kept()),
        (b"two".to_vec(), vec!["by hand".to_string()])
    );
    scene.is_sound();
}

#[test]
fn a_deleted_file_leaves_nothing() {
    let scene = Scene::new("one", 50);
    scene.replace("two").unwrap();
    let (ws, precondition) = (ws(), Precondition::None);
    let target = MediaTarget { ws: &ws, name: "a.txt", precondition: &precondition };
    delete::delete_file(&scene.app, &by(), &target, UsageGuard::Off).unwrap();
    assert!(!scene.data.at(FILE).exists() && !scene.data.at(REVISIONS).exists());
    scene.is_sound();
}
