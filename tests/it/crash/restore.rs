//! The machine stops at every step of a restore, forgets what it may forget, and stops again while
//! it recovers: the next engine finds the old folder or the restored one, never a mixture, and the
//! restored one once somebody was told so. A disk that fails at any call costs nothing but that.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use recto::engine::Engine;
use recto::engine::backups::request::BackupRequest;
use recto::engine::backups::restore_request::RestoreRequest;
use recto::model::backup::BackupName;
use recto::stdx::clock::Clock;
use recto::stdx::clock::SystemClock;
use recto::store::disk::memory::MemDisk;
use recto::store::write::journal;

use crate::support::backups::PNG;
use crate::support::backups::everything;
use crate::support::backups::wanted;
use crate::support::crash::Files;
use crate::support::crash::content;
use crate::support::crash::expect_none;
use crate::support::folder;

const CRASHES: usize = 4;

struct Shape {
    name: &'static str,
    order: fn() -> RestoreRequest,
}

const SHAPES: &[Shape] = &[
    Shape { name: "replace all", order: || everything(true) },
    Shape { name: "add what is missing", order: || everything(false) },
];

/// What is backed up, and what becomes of it before it is restored.
fn files() -> [Vec<(&'static str, Vec<u8>)>; 2] {
    let schema = br#"{"fields": {"n": {"type": "text"}}}"#.to_vec();
    let picture = |more: usize| [PNG, &vec![7; more]].concat();
    let then = vec![
        ("workspaces/main/workspace.json", b"{\"label\": \"Then\"}".to_vec()),
        ("workspaces/main/schemas/posts.json", schema.clone()),
        ("workspaces/main/content/posts/a.json", b"{\"title\": \"A\"}".to_vec()),
        ("workspaces/main/content/posts/b.json", b"{\"title\": \"B\"}".to_vec()),
        ("workspaces/main/revisions/posts/a/01jz8x3m5q7v9c2a.json", b"{}".to_vec()),
        ("workspaces/main/trash/posts/t.json", b"{}".to_vec()),
        ("workspaces/main/media/p.png", picture(3)),
        ("workspaces/main/media/q.png", picture(9)),
        ("workspaces/gone/schemas/x.json", schema),
        ("system/roles/r.json", b"{\"permissions\": []}".to_vec()),
    ];
    let now = vec![
        ("workspaces/main/workspace.json", b"{\"label\": \"Now\"}".to_vec()),
        ("workspaces/main/content/posts/a.json", b"{\"title\": \"Changed\"}".to_vec()),
        ("workspaces/main/content/posts/c.json", b"{\"title\": \"C\"}".to_vec()),
        ("workspaces/main/media/p.png", picture(5)),
        ("workspaces/main/media/r.png", picture(1)),
        ("system/roles/r2.json", b"{\"permissions\": []}".to_vec()),
    ];
    [then, now]
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

    fn restore(&self, shape: &Shape) -> bool {
        let name = BackupName::parse("then.zip").unwrap();
        self.engine.backups().restore_backup(&name, &(shape.order)(), &|_| Ok(())).is_ok()
    }

    fn seen(&self) -> String {
        let mut seen = String::new();
        for slug in self.engine.workspaces().keys() {
            let snapshot = self.engine.snapshot(slug).unwrap();
            let types: Vec<_> = snapshot
                .types()
                .iter()
                .map(|it| (it.content_type.name.clone(), it.live_sum(), it.public_sum()))
                .collect();
            let media: Vec<_> = snapshot.media.iter().map(|it| (&it.filename, it.size)).collect();
            seen.push_str(&format!("{slug} {:?} {types:?} {media:?}\n", snapshot.meta.label));
        }
        seen
    }
}

fn open(root: &Path, disk: &Arc<MemDisk>) -> Option<Arc<Engine>> {
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let options =
        recto::engine::EngineOptions { disk: Some(disk.clone()), ..folder::options(root, &clock) };
    Engine::open(options).ok()
}

/// Where the state is: with the content, or on another file system.
#[derive(Clone, Copy)]
enum State {
    Here,
    Elsewhere,
}

/// The folder with its backup.
fn folder(state: State) -> MemDisk {
    let [then, now] = files();
    let on = |disk: MemDisk| match state {
        State::Here => disk,
        State::Elsewhere => disk.split_state(),
    };
    let scene = Scene::open(on(MemDisk::with_files(then))).unwrap();
    let card = scene
        .engine
        .backups()
        .make_backup(&BackupRequest { note: String::new(), ..wanted() })
        .unwrap();
    let bytes = scene.disk.read_bytes(&format!("backups/{}", card.name.as_str())).unwrap();
    on(MemDisk::with_files(now.into_iter().chain([("backups/then.zip", bytes)])))
}

/// What people see; backups beside it, and what was staged is none without its intent.
fn kept(disk: &MemDisk) -> Files {
    let is_kept = |path: &String| path.starts_with("workspaces/") || path.starts_with("system/");
    let files = content(disk).into_iter().filter(|(path, _)| is_kept(path));
    files.filter(|(path, _)| !path.starts_with("system/activity/")).collect()
}

struct Allowed {
    old: Files,
    new: Files,
}

impl Allowed {
    fn of(shape: &Shape, state: State) -> Allowed {
        let scene = Scene::open(folder(state)).unwrap();
        let old = kept(&scene.disk);
        assert!(scene.restore(shape));
        let new = kept(&scene.disk);
        assert!(old != new);
        let left = content(&scene.disk).into_keys().filter(|it| it.starts_with("journal/"));
        assert_eq!(left.collect::<Vec<_>>(), Vec::<String>::new());
        Allowed { old, new }
    }

    fn check(&self, found: &Files, is_promised: bool) -> Result<(), String> {
        if *found == self.new || (!is_promised && *found == self.old) {
            return Ok(());
        }
        let differs = |from: &Files| -> Vec<String> {
            let all: BTreeMap<_, _> = from.iter().chain(found).collect();
            all.into_keys().filter(|it| from.get(*it) != found.get(*it)).cloned().collect()
        };
        let (old, new) = (differs(&self.old), differs(&self.new));
        Err(format!("promised: {is_promised}; not as before {old:?}; not as after {new:?}"))
    }
}

/// The next engine opens it, and finds the one or the other.
fn look(disk: MemDisk, allowed: &Allowed, is_promised: bool) -> Result<(), String> {
    let scene = Scene::open(disk).ok_or("cannot be opened")?;
    let found = kept(&scene.disk);
    allowed.check(&found, is_promised)?;
    let left = content(&scene.disk).into_keys().find(|it| it.starts_with("journal/"));
    match left {
        Some(path) => Err(format!("{path} is left")),
        None => Ok(()),
    }
}

#[test]
fn what_the_next_engine_finds_is_old_or_restored() {
    crash_at_any_step(State::Here);
}

#[test]
fn the_same_with_the_state_on_another_file_system() {
    crash_at_any_step(State::Elsewhere);
}

#[expect(clippy::print_stderr, reason = "how much was looked at is worth knowing")]
fn crash_at_any_step(state: State) {
    let all = std::env::var("RECTO_CRASHES").is_ok();
    let mut wrong = Vec::new();
    let (mut n_crashes, mut n_again, mut n_steps) = (0, 0, 0);
    for shape in SHAPES {
        let allowed = Allowed::of(shape, state);
        let whole = Scene::open(folder(state)).unwrap();
        let opened = whole.disk.count_steps();
        assert!(whole.restore(shape));
        for stop in opened..=whole.disk.count_steps() {
            n_steps += 1;
            let scene = Scene::open(folder(state)).unwrap();
            scene.disk.stop_at(stop);
            let is_promised = scene.restore(shape);
            for (number, crashed) in scene.disk.list_crashes(CRASHES).into_iter().enumerate() {
                n_crashes += 1;
                if all || number == stop as usize % CRASHES {
                    let (n, again) = crash_again(&crashed, &allowed, is_promised);
                    n_again += n;
                    wrong.extend(again.into_iter().map(|it| format!("{}: {it}", shape.name)));
                }
                if let Err(why) = look(crashed, &allowed, is_promised) {
                    wrong.push(format!("{}, step {}: {why}", shape.name, stop - opened));
                }
            }
        }
    }
    eprintln!("{n_steps} steps, {n_crashes} crashes, {n_again} during recovery");
    expect_none("crashes", &wrong);
}

/// Stops at every step of recovery, and recovers from that.
fn crash_again(disk: &MemDisk, allowed: &Allowed, is_promised: bool) -> (usize, Vec<String>) {
    let undisturbed = disk.copy_durable();
    journal::recover_changes(&undisturbed).unwrap();
    let (mut n, mut wrong) = (0, Vec::new());
    for stop in 0..undisturbed.count_steps() {
        let stopped = disk.copy_durable();
        stopped.stop_at(stop);
        let _ = journal::recover_changes(&stopped);
        for crashed in stopped.list_crashes(2) {
            n += 1;
            journal::recover_changes(&crashed).unwrap();
            if let Err(why) = allowed.check(&kept(&crashed), is_promised) {
                wrong.push(format!("recovering, step {stop}: {why}"));
            }
        }
    }
    (n, wrong)
}

#[test]
#[expect(clippy::print_stderr, reason = "how much was looked at is worth knowing")]
fn a_disk_that_fails_leaves_old_or_restored() {
    const ERRORS: [i32; 3] = [5, 24, 28];
    let all = std::env::var("RECTO_CRASHES").is_ok();
    let mut wrong = Vec::new();
    let mut n_faults = 0;
    for shape in SHAPES {
        let allowed = Allowed::of(shape, State::Here);
        let whole = Scene::open(folder(State::Here)).unwrap();
        let opened = whole.disk.count_calls();
        assert!(whole.restore(shape));
        let calls: Vec<String> = whole.disk.list_calls().iter().map(ToString::to_string).collect();
        let some = (opened..calls.len() as u64).filter(|it| all || it % 3 == 0);
        for number in some {
            let errno = ERRORS[number as usize / 3 % 3];
            n_faults += 1;
            if let Err(why) = fail(shape, &allowed, number, errno) {
                let call = &calls[number as usize];
                wrong.push(format!("{}: errno {errno} at `{call}`: {why}", shape.name));
            }
        }
    }
    eprintln!("{n_faults} faults");
    expect_none("faults", &wrong);
}

fn fail(shape: &Shape, allowed: &Allowed, number: u64, errno: i32) -> Result<(), String> {
    let scene = Scene::open(folder(State::Here)).unwrap();
    scene.disk.fail_at(number, errno);
    let is_promised = scene.restore(shape);
    scene.disk.clear_faults();
    look(scene.disk.copy_durable(), allowed, is_promised)?;
    // It works again, and what was under way is finished first.
    folder::eventually("the disk is written to again", || {
        // As the thread that follows the folder does, all the time.
        scene.engine.follower().refresh_until_settled();
        scene.engine.backups().make_backup(&wanted()).is_ok()
    });
    allowed.check(&kept(&scene.disk), is_promised)?;
    scene.engine.follower().refresh_until_settled();
    let fresh = Scene::open(scene.disk.copy_durable()).ok_or("cannot be opened")?;
    if scene.seen() != fresh.seen() {
        return Err(format!("serves {}, has {}", scene.seen(), fresh.seen()));
    }
    Ok(())
}
