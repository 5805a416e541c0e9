//! The same through the engine: the machine stops while a piece of work is committed, and what the
//! next engine loads is the old or the new; a disk that fails, and works again, costs nothing but
//! the answers given meanwhile.

use std::path::Path;
use std::sync::Arc;

use recto::engine::Engine;
use recto::engine::error::CommitError;
use recto::engine::staging::Staging;
use recto::engine::staging::StoredFile;
use recto::model::event::EventKind;
use recto::model::event::Subject;
use recto::model::name::EntryId;
use recto::model::name::Filename;
use recto::model::name::TypeName;
use recto::model::name::WorkspaceSlug;
use recto::stdx::clock::Clock;
use recto::stdx::clock::SystemClock;
use recto::store::disk::memory::MemDisk;
use recto::store::layout::EntryCopy;
use recto::store::layout::Folder;
use recto::store::layout::Key;

use crate::support::crash::Files;
use crate::support::crash::content;
use crate::support::crash::expect_none;
use crate::support::crash::is_same;
use crate::support::crash_shapes::at;
use crate::support::folder::eventually;
use crate::support::folder::options;
use crate::support::permit::operator_permit;

const CRASHES: usize = 4;

type Done = Result<(), CommitError>;

/// What is committed. The second argument says whether that which may be lost is done too.
struct Shape {
    name: &'static str,
    work: fn(&mut Staging<'_>, bool) -> Done,
}

fn ws() -> WorkspaceSlug {
    WorkspaceSlug::parse("main").unwrap()
}

fn posts() -> TypeName {
    TypeName::parse("posts").unwrap()
}

fn id(id: &str) -> EntryId {
    EntryId::parse(id).unwrap()
}

fn entry(name: &str) -> Key {
    Key::Entry(ws(), posts(), id(name))
}

fn trashed(name: &str) -> Key {
    Key::Trash(ws(), posts(), EntryCopy::first(id(name)))
}

fn proposal(change: &str, name: &str) -> Key {
    Key::Proposal(ws(), id(change), posts(), id(name))
}

fn schema() -> Key {
    Key::Schema(ws(), posts())
}

fn stored(staging: &mut Staging<'_>, key: &Key) -> Result<StoredFile, CommitError> {
    staging.read_stored(key)?.ok_or(CommitError::Stale)
}

fn replace(staging: &mut Staging<'_>, key: &Key, bytes: &str) -> Done {
    let stored = stored(staging, key)?;
    staging.write(&operator_permit()).replace(&stored, bytes.as_bytes().to_vec());
    Ok(())
}

fn tell(staging: &mut Staging<'_>) {
    let subject = Subject::Media { filename: "x".into() };
    staging.write(&operator_permit()).add_event(EventKind::MediaUpdated, subject);
}

const SHAPES: &[Shape] = &[
    Shape {
        name: "create",
        work: |staging, _| {
            staging.write(&operator_permit()).create(&entry("n"), text("new").into_bytes());
            tell(staging);
            Ok(())
        },
    },
    Shape {
        name: "update",
        work: |staging, _| {
            tell(staging);
            replace(staging, &entry("a"), &text("new"))
        },
    },
    Shape {
        name: "delete",
        work: |staging, is_stamped| {
            staging.write(&operator_permit()).rename(&entry("a"), &trashed("a"));
            if is_stamped {
                staging
                    .write(&operator_permit())
                    .steps_after()
                    .overwrite(&trashed("a"), text("stamped").into());
            }
            tell(staging);
            Ok(())
        },
    },
    Shape {
        name: "delete, and take the reference out of another",
        work: |staging, is_stamped| {
            staging.write(&operator_permit()).rename(&entry("a"), &trashed("a"));
            if is_stamped {
                staging
                    .write(&operator_permit())
                    .steps_after()
                    .overwrite(&trashed("a"), text("stamped").into());
            }
            replace(staging, &entry("b"), &text("B without A"))
        },
    },
    Shape {
        name: "restore",
        work: |staging, _| {
            staging.write(&operator_permit()).rename(&trashed("t"), &entry("t"));
            Ok(())
        },
    },
    Shape {
        name: "purge",
        work: |staging, _| {
            staging.write(&operator_permit()).remove(&trashed("t"));
            staging.write(&operator_permit()).remove_folder(&Folder::Revisions(
                ws(),
                posts(),
                EntryCopy::first(id("t")),
            ));
            Ok(())
        },
    },
    Shape {
        name: "migrate",
        work: |staging, _| {
            replace(staging, &schema(), r#"{"label": "New", "fields": {"n": {"type": "text"}}}"#)?;
            replace(staging, &entry("a"), &text("new a"))?;
            replace(staging, &entry("b"), &text("new b"))
        },
    },
    Shape {
        name: "delete the type",
        work: |staging, _| {
            staging.write(&operator_permit()).remove(&schema());
            staging.write(&operator_permit()).remove_folder(&Folder::Entries(ws(), posts()));
            staging.write(&operator_permit()).remove_folder(&Folder::Trash(ws(), posts()));
            staging
                .write(&operator_permit())
                .remove_folder(&Folder::RevisionsOfType(ws(), posts()));
            Ok(())
        },
    },
    Shape {
        name: "publish a change",
        work: |staging, _| {
            replace(staging, &entry("a"), &text("proposed A"))?;
            let permit = operator_permit();
            let mut write = staging.write(&permit);
            write.rename(&entry("b"), &trashed("b"));
            write.create(&entry("n"), text("proposed N").into_bytes());
            for name in ["a", "n"] {
                write.rename(&proposal("pending", name), &proposal("published", name));
            }
            write.remove(&Key::Change(ws(), id("pending")));
            let record = br#"{"state": "published"}"#.to_vec();
            write.create(&Key::Change(ws(), id("published")), record);
            Ok(())
        },
    },
    Shape {
        name: "replace a file",
        work: |staging, _| {
            let item = staging.snapshot().media.get("p.png").cloned().ok_or(CommitError::Stale)?;
            let seen = staging.stat_media(&item)?;
            let key = Key::Media(ws(), item.filename.clone());
            staging.write(&operator_permit()).place_over(UPLOADED, &key, seen);
            tell(staging);
            Ok(())
        },
    },
    Shape {
        name: "rename a file that is referred to",
        work: |staging, _| {
            let name = |it| Filename::parse(it).unwrap();
            staging
                .write(&operator_permit())
                .rename(&Key::Media(ws(), name("p.png")), &Key::Media(ws(), name("q.png")));
            replace(staging, &entry("a"), &text("q.png"))
        },
    },
];

/// One of its own, that none of them minds.
const ANOTHER: Shape = Shape {
    name: "another",
    work: |staging, _| {
        staging.write(&operator_permit()).create(&Key::Settings, b"{}".to_vec());
        Ok(())
    },
};

/// An upload that has arrived, where opening the folder does not remove it.
const UPLOADED: &str = ".recto/uploaded.png";

fn text(title: &str) -> String {
    let times = r#""published_at": "2026-05-03T12:00:00Z",
  "created_at": "2026-05-03T12:00:00Z",
  "updated_at": "2026-05-03T12:00:00Z""#;
    format!("{{\n  \"title\": \"{title}\",\n  \"status\": \"published\",\n  {times}\n}}\n")
}

fn folder() -> MemDisk {
    MemDisk::with_files([
        (at("schemas/posts.json"), r#"{"fields": {"n": {"type": "text"}}}"#.to_string()),
        (at("content/posts/a.json"), text("A")),
        (at("content/posts/b.json"), text("B")),
        (at("trash/posts/t.json"), text("T")),
        (at("revisions/posts/t/01jz8x3m5q7v9c2a.json"), text("old T")),
        (at("media/p.png"), "PNG".to_string()),
        (UPLOADED.to_string(), "new PNG".to_string()),
        (at("changes/pending/change.json"), "{}".to_string()),
        (at("changes/pending/content/posts/a.json"), text("proposed A")),
        (at("changes/pending/content/posts/n.json"), text("proposed N")),
    ])
}

/// An engine on a disk, and the folder for its locks and caches.
struct Scene {
    engine: Arc<Engine>,
    disk: Arc<MemDisk>,
    _root: tempfile::TempDir,
}

impl Scene {
    /// Fails when the disk does.
    fn open(disk: MemDisk) -> Option<Scene> {
        let (root, disk) = (tempfile::tempdir().unwrap(), Arc::new(disk));
        let engine = open(root.path(), &disk)?;
        Some(Scene { engine, disk, _root: root })
    }

    fn commit(&self, shape: &'static Shape) -> Done {
        self.commit_with(shape, true)
    }

    fn commit_with(&self, shape: &'static Shape, afterwards: bool) -> Done {
        let work = move |staging: &mut Staging<'_>| (shape.work)(staging, afterwards);
        self.engine.commit(&ws(), work).map(|it| it.value)
    }

    /// What is in the folder that people see, revisions whatever they are called.
    fn content(&self) -> Files {
        nameless(content(&self.disk))
    }

    fn seen(&self) -> String {
        let snapshot = self.engine.snapshot("main").unwrap();
        let types = snapshot.types().iter();
        let types: Vec<_> = types
            .map(|it| (it.content_type.name.clone(), it.live_sum(), it.public_sum()))
            .collect();
        format!("{types:?}")
    }
}

fn open(root: &Path, disk: &Arc<MemDisk>) -> Option<Arc<Engine>> {
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let options =
        recto::engine::EngineOptions { disk: Some(disk.clone()), ..options(root, &clock) };
    Engine::open(options).ok()
}

/// Revisions have another name each time; what was logged is no content, and what was staged is
/// none without its intent.
fn nameless(files: Files) -> Files {
    let is_other = |path: &str| path.starts_with("journal/") && !path.ends_with(".intent");
    let files = files.into_iter();
    let files = files.filter(|(path, _)| !path.starts_with("system/") && !is_other(path));
    let named = files.map(|(path, bytes)| match path.rsplit_once('/') {
        Some((folder, _)) if path.contains("revisions/") => {
            (format!("{folder}/{}.json", String::from_utf8_lossy(&bytes)), bytes)
        }
        _ => (path, bytes),
    });
    named.collect()
}

/// What may be found: before, after, and after without what may be lost.
struct Allowed {
    old: Files,
    new: [Files; 2],
}

impl Allowed {
    fn of(shape: &'static Shape) -> Allowed {
        let old = Scene::open(folder()).unwrap().content();
        let new = [true, false].map(|afterwards| {
            let scene = Scene::open(folder()).unwrap();
            scene.commit_with(shape, afterwards).unwrap();
            scene.content()
        });
        Allowed { old, new }
    }

    fn check(&self, found: &Files, is_promised: bool) -> Result<(), String> {
        let is_new = self.new.iter().any(|it| is_same(found, it));
        if is_new || (!is_promised && is_same(found, &self.old)) {
            return Ok(());
        }
        Err(format!("promised: {is_promised}, found {:?}", found.keys()))
    }
}

/// How many steps opening takes, and opening and committing.
fn steps(shape: &'static Shape) -> (u64, u64) {
    let scene = Scene::open(folder()).unwrap();
    let opened = scene.disk.count_steps();
    scene.commit(shape).unwrap();
    (opened, scene.disk.count_steps())
}

#[test]
#[expect(clippy::print_stderr, reason = "how much was looked at is worth knowing")]
fn what_the_next_engine_loads_is_old_or_new() {
    let mut wrong = Vec::new();
    let mut n_crashes = 0;
    for shape in SHAPES {
        let allowed = Allowed::of(shape);
        let (opened, done) = steps(shape);
        for stop in opened..=done {
            let scene = Scene::open(folder()).unwrap();
            scene.disk.stop_at(stop);
            let is_promised = scene.commit(shape).is_ok();
            for crashed in scene.disk.list_crashes(CRASHES) {
                n_crashes += 1;
                if let Err(why) = look(crashed, &allowed, is_promised) {
                    wrong.push(format!("{}, step {}: {why}", shape.name, stop - opened));
                }
            }
        }
    }
    eprintln!("{} shapes, {n_crashes} crashes", SHAPES.len());
    expect_none("crashes", &wrong);
}

/// The next engine opens it, serves what is there, and can write.
fn look(disk: MemDisk, allowed: &Allowed, is_promised: bool) -> Result<(), String> {
    let scene = Scene::open(disk).ok_or("cannot be opened")?;
    allowed.check(&scene.content(), is_promised)?;
    for (path, bytes) in content(&scene.disk) {
        let lines = String::from_utf8_lossy(&bytes).into_owned();
        let is_whole = |line: &str| serde_json::from_str::<serde_json::Value>(line).is_ok();
        // A line that was torn is left behind; it is alone in being so.
        if path.starts_with("system/activity/")
            && lines.lines().filter(|it| !is_whole(it)).count() > 1
        {
            return Err(format!("torn: {lines}"));
        }
    }
    Ok(())
}

#[test]
#[expect(clippy::print_stderr, reason = "how much was looked at is worth knowing")]
fn a_disk_that_fails_and_works_again_costs_nothing_but_answers() {
    const ERRORS: [i32; 3] = [5, 24, 28];
    let mut cases = Vec::new();
    for shape in SHAPES {
        let scene = Scene::open(folder()).unwrap();
        let opened = scene.disk.count_calls();
        scene.commit(shape).unwrap();
        let calls = (0_u64..).zip(scene.disk.list_calls());
        for (number, call) in calls.filter(|(number, _)| *number >= opened) {
            let all = std::env::var("RECTO_CRASHES").is_ok();
            let some =
                ERRORS.iter().enumerate().filter(|(it, _)| all || number as usize % 3 == *it);
            cases.extend(some.map(|(_, errno)| (shape, number, call.to_string(), *errno)));
        }
    }
    // Most of the time is spent waiting for a disk in doubt to be tried again.
    let wrong = std::thread::scope(|scope| {
        let chunks = cases.chunks(cases.len().div_ceil(16));
        let threads: Vec<_> = chunks
            .map(|chunk| {
                scope.spawn(|| {
                    let failed = chunk.iter().filter_map(|(shape, number, call, errno)| {
                        let failed = fail(shape, *number, *errno).err()?;
                        Some(format!("{}: errno {errno} at `{call}`: {failed}", shape.name))
                    });
                    failed.collect::<Vec<_>>()
                })
            })
            .collect();
        threads.into_iter().flat_map(|it| it.join().unwrap()).collect::<Vec<_>>()
    });
    eprintln!("{} faults", cases.len());
    expect_none("faults", &wrong);
}

/// The disk works again after one call that failed, which nobody knows before it was tried.
#[test]
fn nothing_is_acknowledged_once_an_answer_is_not_known() {
    let works = || {
        let is_one = |it: &&Shape| it.name.starts_with("delete, and") || it.name == "create";
        let shapes = SHAPES.iter().rev().filter(is_one).chain([&ANOTHER]);
        let work = |shape: &'static Shape| move |it: &mut Staging<'_>| (shape.work)(it, true);
        shapes.map(work).collect::<Vec<_>>()
    };
    let commit = |scene: &Scene| -> Vec<Done> {
        let done = scene.engine.writer().commit_all(&ws(), works());
        done.map_or_else(|it| vec![Err(it)], |all| all.into_iter().map(|it| it.map(drop)).collect())
    };
    let scene = Scene::open(folder()).unwrap();
    let opened = scene.disk.count_calls();
    commit(&scene);
    let mut wrong = Vec::new();
    let mut n_unknown = 0;
    for (number, call) in (0_u64..).zip(scene.disk.list_calls()).skip(opened as usize) {
        let scene = Scene::open(folder()).unwrap();
        scene.disk.fail_at(number, 5);
        let answers = commit(&scene);
        let is_unknown = |it: &Done| matches!(it, Err(CommitError::Unverified(_)));
        let Some(first) = answers.iter().position(is_unknown) else { continue };
        n_unknown += 1;
        let later = answers.iter().skip(first).filter(|it| it.is_ok()).count();
        if later > 0 {
            wrong.push(format!("{later} after `{call}`: {answers:?}"));
        }
    }
    assert!(n_unknown > 0, "no call that failed left an answer open");
    expect_none("acknowledgements", &wrong);
}

fn fail(shape: &'static Shape, number: u64, errno: i32) -> Result<(), String> {
    let allowed = Allowed::of(shape);
    let scene = Scene::open(folder()).unwrap();
    scene.disk.fail_at(number, errno);
    let is_promised = scene.commit(shape).is_ok();
    scene.disk.clear_faults();
    for crashed in scene.disk.list_crashes(CRASHES) {
        look(crashed, &allowed, is_promised).map_err(|why| format!("then a crash: {why}"))?;
    }
    // It is written to again, and what was under way is finished first.
    eventually("the disk is written to again", || scene.commit(&ANOTHER).is_ok());
    let found = scene.content();
    allowed.check(&found, is_promised)?;
    scene.engine.follower().refresh_until_settled();
    let fresh = Scene::open(scene.disk.copy_durable()).ok_or("cannot be opened")?;
    if scene.seen() != fresh.seen() {
        return Err(format!("serves {}, has {}", scene.seen(), fresh.seen()));
    }
    Ok(())
}

#[test]
fn on_a_full_disk_deleting_works_and_writing_says_so() {
    const ENOSPC: i32 = 28;
    let shape = |name| SHAPES.iter().find(|it| it.name == name).unwrap();
    let scene = Scene::open(folder()).unwrap();
    // So that what only has to be there once is there.
    scene.commit(&ANOTHER).unwrap();
    let before = scene.content();
    scene.disk.fill_up(ENOSPC);
    for name in ["create", "update", "migrate"] {
        let refused = match scene.commit(shape(name)) {
            Err(CommitError::Store(error)) => error.io_kind(),
            other => panic!("{name}: {other:?}"),
        };
        assert_eq!(refused, Some(std::io::ErrorKind::StorageFull), "{name}");
        assert_eq!(scene.content(), before, "{name}");
    }
    for name in ["delete", "purge"] {
        scene.commit(shape(name)).unwrap();
    }
    assert!(!scene.engine.folder().is_write_suspended());
    scene.disk.clear_faults();
    scene.commit(shape("create")).unwrap();
}

/// The first deletion in a type finds its trash made, whoever made its first entry.
#[test]
fn the_first_entry_of_a_type_can_be_deleted_on_a_full_disk() {
    const ENOSPC: i32 = 28;
    let schema = (at("schemas/posts.json"), "{}".to_string());
    let post = |name: &str| at(&format!("content/posts/{name}.json"));
    let is_deleted = |scene: &Scene| {
        scene.disk.fill_up(ENOSPC);
        let delete = |staging: &mut Staging<'_>| -> Done {
            staging.write(&operator_permit()).rename(&entry("a"), &trashed("a"));
            Ok(())
        };
        scene.engine.commit(&ws(), delete).unwrap();
        assert!(scene.disk.read_bytes(&at("trash/posts/a.json")).is_some());
    };
    // It was there when the server started.
    let disk = MemDisk::with_files([schema.clone(), (post("a"), text("A"))]);
    is_deleted(&Scene::open(disk).unwrap());
    // It was made here.
    let scene = Scene::open(MemDisk::with_files([schema.clone()])).unwrap();
    let create = |staging: &mut Staging<'_>| -> Done {
        staging.write(&operator_permit()).create(&entry("a"), text("A").into_bytes());
        Ok(())
    };
    scene.engine.commit(&ws(), create).unwrap();
    is_deleted(&scene);
    // Somebody put it there.
    let scene = Scene::open(MemDisk::with_files([schema])).unwrap();
    scene.disk.edit_file(&post("a"), text("A").as_bytes());
    scene.engine.follower().refresh_until_settled();
    is_deleted(&scene);
}

/// A workspace is there with all that is said of it, or not at all.
#[test]
fn a_workspace_that_is_made_is_there_whole_or_not() {
    let slug = || WorkspaceSlug::parse("shop").unwrap();
    let make = |scene: &Scene| {
        scene.engine.commit_system(|staging| {
            staging
                .write(&operator_permit())
                .create(&Key::Workspace(slug()), br#"{"format": 1, "label": "The Shop"}"#.into());
            Ok::<_, CommitError>(())
        })
    };
    let whole = Scene::open(folder()).unwrap();
    let opened = whole.disk.count_steps();
    make(&whole).unwrap();
    for stop in opened..=whole.disk.count_steps() {
        let scene = Scene::open(folder()).unwrap();
        scene.disk.stop_at(stop);
        let is_promised = make(&scene).is_ok();
        for crashed in scene.disk.list_crashes(16) {
            let scene = Scene::open(crashed).unwrap();
            let label = scene.engine.snapshot("shop").map(|it| it.meta.label.clone());
            let is_well = label.as_deref().map_or(!is_promised, |it| it == "The Shop");
            assert!(is_well, "before step {}: {label:?}, promised: {is_promised}", stop - opened);
            // It can be made once more.
            assert!(label.is_some() || make(&scene).is_ok(), "before step {}", stop - opened);
        }
    }
}

/// What somebody does to the file of an entry while it is written.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Meddling {
    /// Removes it; made anew later.
    Removes,
    /// Writes something else into it.
    Writes,
}

/// Once a body was acknowledged it is the entry's, or a revision of it, whatever becomes of the
/// file.
#[test]
#[expect(clippy::print_stderr, reason = "how much was looked at is worth knowing")]
fn an_acknowledged_body_is_in_a_revision_whatever_becomes_of_the_file() {
    let update = SHAPES.iter().find(|it| it.name == "update").unwrap();
    let scene = Scene::open(folder()).unwrap();
    let opened = scene.disk.count_calls();
    scene.commit(update).unwrap();
    let calls = scene.disk.count_calls() - opened;
    let each = |number| [Meddling::Removes, Meddling::Writes].map(|it| (opened + number, it));
    let cases: Vec<(u64, Meddling)> = (0..=calls).flat_map(each).collect();
    let wrong = std::thread::scope(|scope| {
        let chunks = cases.chunks(cases.len().div_ceil(16));
        let check = |(number, meddling): &(u64, Meddling)| {
            let call = scene
                .disk
                .list_calls()
                .get(usize::try_from(*number).unwrap())
                .map(|it| it.to_string());
            let why = meddle(update, *number, *meddling).err()?;
            Some(format!("{meddling:?} before `{call:?}`: {why}"))
        };
        let threads: Vec<_> = chunks
            .map(|chunk| scope.spawn(move || chunk.iter().filter_map(check).collect::<Vec<_>>()))
            .collect();
        threads.into_iter().flat_map(|it| it.join().unwrap()).collect::<Vec<_>>()
    });
    eprintln!("{} times", cases.len());
    expect_none("meddling", &wrong);
}

fn meddle(update: &'static Shape, number: u64, meddling: Meddling) -> Result<(), String> {
    let other = text("by hand");
    let path = at("content/posts/a.json");
    let scene = Scene::open(folder()).unwrap();
    let bytes = (meddling == Meddling::Writes).then_some(other.as_bytes());
    scene.disk.edit_at(number, &path, bytes);
    let is_promised = scene.commit(update).is_ok();
    scene.engine.follower().refresh_until_settled();
    if meddling == Meddling::Removes {
        scene.disk.edit_file(&path, other.as_bytes());
        scene.engine.follower().refresh_until_settled();
    }
    let has = |body: &str| {
        let is_it = |(path, bytes): (&String, &Vec<u8>)| {
            path.contains("/posts/a") && !path.starts_with(".recto/") && bytes == body.as_bytes()
        };
        scene.disk.read_tree().files.iter().any(is_it)
    };
    let holds = || (!is_promised || has(&text("new"))) && has(&other);
    let begun = std::time::Instant::now();
    while !holds() {
        if begun.elapsed() > std::time::Duration::from_secs(20) {
            let files: Vec<String> = scene.disk.read_tree().files.into_keys().collect();
            return Err(format!("promised: {is_promised}, found {files:?}"));
        }
        std::thread::park_timeout(std::time::Duration::from_millis(5));
    }
    Ok(())
}
