//! The path of a change through the engine: staged, durable, published, told.

use std::sync::Arc;

use recto::engine::Engine;
use recto::engine::EngineOptions;
use recto::engine::error::CommitError;
use recto::engine::staging::Staging;
use recto::model::event::EventKind;
use recto::model::event::Subject;
use recto::model::name::EntryId;
use recto::model::name::TypeName;
use recto::model::name::WorkspaceSlug;
use recto::stdx::clock::Clock;
use recto::stdx::clock::SystemClock;
use recto::store::disk::FILE_BYTES_MAX;
use recto::store::disk::memory::MemDisk;
use recto::store::disk::memory::Verb;
use recto::store::layout::EntryCopy;
use recto::store::layout::Folder;
use recto::store::layout::Key;

use crate::support::events::list_event_kinds;
use crate::support::events::list_events;
use crate::support::folder::options;
use crate::support::permit::operator_permit;

struct Scene {
    data: tempfile::TempDir,
    engine: Arc<Engine>,
}

fn ws() -> WorkspaceSlug {
    WorkspaceSlug::parse("main").unwrap()
}

fn posts() -> TypeName {
    TypeName::parse("posts").unwrap()
}

fn entry(id: &str) -> Key {
    Key::Entry(ws(), posts(), EntryId::parse(id).unwrap())
}

fn file(title: &str, n: u64) -> Vec<u8> {
    format!(
        "{{\n  \"title\": \"{title}\",\n  \"slug\": \"{title}\",\n  \"status\": \"published\",\n  \
         \"published_at\": \"2026-05-03T12:00:00Z\",\n  \"created_at\": \"2026-05-03T12:00:00Z\",\n  \
         \"updated_at\": \"2026-05-03T12:00:00Z\",\n  \"data\": {{\n    \"n\": {n}\n  }}\n}}\n"
    )
    .into_bytes()
}

impl Scene {
    fn new() -> Scene {
        let data = tempfile::tempdir().unwrap();
        let at = |path: &str| data.path().join(path);
        std::fs::create_dir_all(at("workspaces/main/schemas")).unwrap();
        std::fs::create_dir_all(at("system")).unwrap();
        std::fs::write(
            at("workspaces/main/schemas/posts.json"),
            r#"{"fields":{"n":{"type":"number"}}}"#,
        )
        .unwrap();
        let clock: Arc<dyn Clock> = Arc::new(SystemClock);
        let engine = Engine::open(options(data.path(), &clock)).unwrap();
        Scene { data, engine }
    }

    fn create(&self, id: &'static str, n: u64) -> Result<(), CommitError> {
        let make = move |staging: &mut Staging<'_>| {
            staging.write(&operator_permit()).create(&entry(id), file(id, n));
            Ok(())
        };
        self.engine.commit(&ws(), make).map(|it| it.value)
    }

    /// Adds one to the number in an entry.
    fn increment(&self, id: &'static str) -> Result<u64, CommitError> {
        let change = move |staging: &mut Staging<'_>| {
            let stored = staging.read_stored(&entry(id))?.expect("the entry is there");
            let data = stored.map().get("data").unwrap().as_object().unwrap();
            let n = data.get("n").unwrap().as_f64().unwrap() as u64 + 1;
            staging.write(&operator_permit()).replace(&stored, file(id, n));
            Ok(n)
        };
        self.engine.commit(&ws(), change).map(|it| it.value)
    }

    fn shown(&self, id: &str) -> Option<String> {
        let snapshot = self.engine.snapshot("main").unwrap();
        let index = snapshot.get("posts").unwrap();
        let doc = index.entry_at(index.find_ordinal(id)?)?;
        Some(String::from_utf8_lossy(doc.variant_for(None).field_json(0)).into_owned())
    }

    fn revisions(&self, id: &str) -> usize {
        let of = EntryCopy::first(EntryId::parse(id).unwrap());
        let folder = self.data.path().join(Folder::Revisions(ws(), posts(), of).path());
        std::fs::read_dir(folder).map_or(0, |it| it.count())
    }

    fn write(&self, id: &str, bytes: &[u8]) {
        std::fs::write(self.data.path().join(entry(id).path()), bytes).unwrap();
    }

    /// The snapshot is the one that a fresh load gives, and nothing is found by looking again.
    fn is_sound(&self) {
        let before = list_events(&self.engine).len();
        self.engine.follower().refresh_until_settled();
        assert_eq!(list_events(&self.engine).len(), before, "our own writes were taken for news");
        let clock: Arc<dyn Clock> = Arc::new(SystemClock);
        let fresh = crate::support::folder::fresh(self.data.path(), &clock);
        let sum = |engine: &Engine| {
            let snapshot = engine.snapshot("main").unwrap();
            snapshot.get("posts").map(|it| (it.live_sum(), it.public_sum()))
        };
        assert_eq!(sum(&self.engine), sum(&fresh));
    }
}

/// A preview neither waits for its turn nor keeps others waiting, and leaves no trace.
#[test]
fn a_preview_needs_no_turn() {
    let scene = Scene::new();
    scene.create("a", 1).unwrap();
    let (begun, has_begun) = std::sync::mpsc::channel();
    let (go_on, may_go_on) = std::sync::mpsc::channel::<()>();
    let engine = scene.engine.clone();
    let writer = std::thread::spawn(move || {
        let work = move |staging: &mut Staging<'_>| {
            begun.send(()).unwrap();
            may_go_on.recv().unwrap();
            staging.write(&operator_permit()).create(&entry("b"), file("b", 1));
            Ok::<_, CommitError>(())
        };
        engine.commit(&ws(), work).unwrap();
    });
    has_begun.recv().unwrap();
    // Edited by hand, which nobody has noticed: the file counts as it is.
    scene.write("a", &file("a", 7));
    let found = scene.engine.writer().preview_commit(&ws(), |staging| {
        let stored = staging.read_stored(&entry("a"))?.expect("the entry is there");
        staging.write(&operator_permit()).remove(&entry("a"));
        Ok::<_, CommitError>(stored.map().clone())
    });
    let data = found.unwrap().get("data").cloned().unwrap();
    assert_eq!(data.as_object().unwrap().get("n").and_then(|it| it.as_f64()), Some(7.0));
    go_on.send(()).unwrap();
    writer.join().unwrap();
    assert!(scene.data.path().join(entry("a").path()).exists());
    assert_eq!(scene.shown("b").as_deref(), Some("1"));
}

#[test]
fn what_is_committed_is_public_and_in_the_file() {
    let scene = Scene::new();
    scene.create("a", 1).unwrap();
    assert_eq!(scene.shown("a").as_deref(), Some("1"));
    assert_eq!(scene.increment("a").unwrap(), 2);
    assert_eq!(scene.shown("a").as_deref(), Some("2"));
    assert_eq!(scene.revisions("a"), 1);
    assert_eq!(std::fs::read(scene.data.path().join(entry("a").path())).unwrap(), file("a", 2));
    assert!(matches!(scene.create("a", 1), Err(CommitError::Store(_))));
    scene.is_sound();
}

#[test]
fn many_at_once_lose_nothing() {
    let scene = Scene::new();
    scene.create("a", 0).unwrap();
    scene.create("b", 0).unwrap();
    std::thread::scope(|scope| {
        for worker in 0..16 {
            let scene = &scene;
            let id = if worker % 2 == 0 { "a" } else { "b" };
            scope.spawn(move || (0..25).for_each(|_| _ = scene.increment(id).unwrap()));
        }
    });
    assert_eq!(
        (scene.shown("a").unwrap(), scene.shown("b").unwrap()),
        ("200".into(), "200".into())
    );
    assert_eq!((scene.revisions("a"), scene.revisions("b")), (200, 200));
    scene.is_sound();
}

/// The first entries of a type share a batch, whose folder is made with them: that the first of
/// them is staged does not mean that a folder with served files has vanished.
#[test]
fn first_entries_of_a_type_share_a_batch() {
    let scene = Scene::new();
    std::fs::remove_dir_all(scene.data.path().join("workspaces/main/content")).ok();
    let create = |id: &'static str| {
        move |staging: &mut Staging<'_>| {
            staging.write(&operator_permit()).create(&entry(id), file(id, 1));
            Ok::<_, CommitError>(())
        }
    };
    let done = scene.engine.writer().commit_all(&ws(), ["a", "b", "c"].map(create).into()).unwrap();
    for created in done {
        created.unwrap();
    }
    assert_eq!(["a", "b", "c"].map(|it| scene.shown(it).unwrap()), ["1", "1", "1"]);
    scene.is_sound();
}

#[test]
fn an_edit_by_hand_comes_first() {
    let scene = Scene::new();
    scene.create("a", 1).unwrap();
    scene.write("a", &file("a", 40));
    assert_eq!(scene.increment("a").unwrap(), 41);
    assert_eq!(scene.shown("a").as_deref(), Some("41"));
    let kinds: Vec<_> = list_event_kinds(&scene.engine);
    assert_eq!(kinds, [EventKind::ContentUpdated]);
    // What somebody is at work on is not written over.
    scene.write("a", b"{\"title\": ");
    assert!(matches!(scene.increment("a"), Err(CommitError::Broken(_))));
    scene.write("a", &file("a", 50));
    assert_eq!(scene.increment("a").unwrap(), 51);
    scene.is_sound();
}

/// Somebody writes a file again and again, always in the moment before we do: that change is given
/// up, and others have their turn.
#[test]
fn a_file_that_never_stands_still_holds_nobody_up() {
    let (path, schema) = (entry("a").path(), "workspaces/main/schemas/posts.json");
    let disk = Arc::new(MemDisk::with_files([
        (path.as_str(), file("a", 1).as_slice()),
        (schema, br#"{"fields":{"n":{"type":"number"}}}"#),
    ]));
    let root = tempfile::tempdir().unwrap();
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let options = EngineOptions { disk: Some(disk.clone()), ..options(root.path(), &clock) };
    let engine = Engine::open(options).unwrap();
    disk.edit_before_each(Verb::Exchange, &path);
    let change = |staging: &mut Staging<'_>| {
        let stored = staging.read_stored(&entry("a"))?.expect("the entry is there");
        staging.write(&operator_permit()).replace(&stored, file("a", 2));
        Ok::<(), CommitError>(())
    };
    assert!(matches!(engine.commit(&ws(), change), Err(CommitError::Stale)));
    let create = |staging: &mut Staging<'_>| {
        staging.write(&operator_permit()).create(&entry("b"), file("b", 3));
        Ok::<(), CommitError>(())
    };
    engine.commit(&ws(), create).unwrap();
    assert!(String::from_utf8(disk.read_bytes(&path).unwrap()).unwrap().contains("Edit"));
}

#[test]
fn several_files_at_once() {
    let scene = Scene::new();
    scene.create("a", 1).unwrap();
    scene.create("b", 2).unwrap();
    let swap = |staging: &mut Staging<'_>| -> Result<(), CommitError> {
        for (id, n) in [("a", 20), ("b", 10)] {
            let stored = staging.read_stored(&entry(id))?.unwrap();
            staging.write(&operator_permit()).replace(&stored, file(id, n));
        }
        staging.write(&operator_permit()).create(&entry("c"), file("c", 30));
        let subject = Subject::Media { filename: "x".into() };
        staging.write(&operator_permit()).add_event(EventKind::MediaUpdated, subject);
        Ok(())
    };
    scene.engine.commit(&ws(), swap).unwrap();
    let shown = ["a", "b", "c"].map(|id| scene.shown(id).unwrap());
    assert_eq!(shown, ["20", "10", "30"]);
    assert_eq!((scene.revisions("a"), scene.revisions("b")), (1, 1));
    assert_eq!(std::fs::read_dir(scene.data.path().join("journal")).unwrap().count(), 0);
    scene.is_sound();
    let remove = |staging: &mut Staging<'_>| -> Result<(), CommitError> {
        staging.write(&operator_permit()).remove(&Key::Schema(ws(), posts()));
        staging.write(&operator_permit()).remove_folder(&Folder::Entries(ws(), posts()));
        staging.write(&operator_permit()).remove_folder(&Folder::RevisionsOfType(ws(), posts()));
        Ok(())
    };
    scene.engine.commit(&ws(), remove).unwrap();
    assert!(scene.engine.snapshot("main").unwrap().get("posts").is_none());
    assert!(!scene.data.path().join("workspaces/main/content/posts").exists());
    scene.is_sound();
}

#[test]
fn what_could_not_be_read_back_is_not_written() {
    let scene = Scene::new();
    scene.create("a", 0).unwrap();
    let most = usize::try_from(FILE_BYTES_MAX).unwrap();
    let grow = |key: Key, length: usize| {
        let make = move |staging: &mut Staging<'_>| -> Result<(), CommitError> {
            let mut bytes = file("b", 1);
            bytes.resize(length, b' ');
            match staging.read_stored(&key)? {
                Some(stored) => staging.write(&operator_permit()).replace(&stored, bytes),
                None => staging.write(&operator_permit()).create(&key, bytes),
            }
            Ok(())
        };
        scene.engine.commit(&ws(), make).map(|it| it.value)
    };
    assert!(matches!(grow(entry("b"), most), Err(CommitError::TooLarge(_))));
    assert!(matches!(grow(entry("a"), most), Err(CommitError::TooLarge(_))));
    assert_eq!(scene.shown("a").as_deref(), Some("0"));
    // There is room for what its deletion says.
    grow(entry("b"), most - 4 * 1024).unwrap();
    assert_eq!(scene.shown("b").as_deref(), Some("1"));
    assert!(matches!(grow(Key::Categories(ws()), most + 1), Err(CommitError::TooLarge(_))));
    scene.is_sound();
}

#[test]
fn work_that_fails_or_panics_harms_nobody() {
    let scene = Scene::new();
    scene.create("a", 0).unwrap();
    std::thread::scope(|scope| {
        for worker in 0..8 {
            let scene = &scene;
            scope.spawn(move || {
                for _ in 0..10 {
                    if worker % 4 == 0 {
                        let work = |_: &mut Staging<'_>| -> Result<(), CommitError> {
                            panic!("on purpose")
                        };
                        let panicked = scene.engine.commit(&ws(), work);
                        assert!(matches!(panicked, Err(CommitError::Panicked)));
                    } else if worker % 4 == 1 {
                        assert!(scene.create("a", 7).is_err());
                    } else {
                        scene.increment("a").unwrap();
                    }
                }
            });
        }
    });
    assert_eq!(scene.shown("a").as_deref(), Some("40"));
    scene.is_sound();
}
