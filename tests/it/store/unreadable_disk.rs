//! A disk that cannot be read for a moment: whatever single look fails, and when all fail from one
//! on, what is served stays as it was, nothing that is hidden shows, and once the disk is well
//! again everything in the folder is taken over.

use std::path::Path;
use std::sync::Arc;

use recto::app::export::ExportRequest;
use recto::app::export::read_type;
use recto::engine::Engine;
use recto::engine::EngineOptions;
use recto::model::name::TypeName;
use recto::model::name::WorkspaceSlug;
use recto::model::problem::ProblemKind;
use recto::stdx::clock::Clock;
use recto::stdx::clock::SystemClock;
use recto::store::disk::Disk;
use recto::store::disk::memory::DiskCall;
use recto::store::disk::memory::MemDisk;
use recto::store::disk::memory::Verb;
use recto::store::read::watch::DirtySet;

use crate::support::folder::options;

const EACCES: i32 = 13;
const EIO: i32 = 5;
const EMFILE: i32 = 24;

const ENTRIES: usize = 6;

/// As it is at first, and after people have worked on it.
fn files(label: &str) -> Vec<(String, String)> {
    let at = |path: &str| format!("workspaces/main/{path}");
    let mut files: Vec<(String, String)> = (0..ENTRIES)
        .map(|n| {
            let entry = format!(r#"{{"title": "{label} {n}", "status": "published"}}"#);
            (at(&format!("content/posts/e{n}.json")), entry)
        })
        .collect();
    files.push((at("workspace.json"), format!(r#"{{"label": "{label}"}}"#)));
    files.push((at("schemas/posts.json"), format!(r#"{{"label": "{label}", "fields": {{}}}}"#)));
    files.push((at("media/a.txt"), "text".to_string()));
    let said = format!(r#"{{"visibility": "private", "alt": "{label}"}}"#);
    files.push((at("media-meta/a.txt.json"), said));
    files.push((at("media-categories.json"), format!(r#"{{"categories": ["{label}"]}}"#)));
    let hash = "0".repeat(64);
    let token = format!(r#"{{"name": "{label}", "secret_sha256": "{hash}", "permissions": []}}"#);
    files.push(("system/tokens/0123456789abcdef.json".to_string(), token));
    files
}

struct Scene {
    disk: Arc<MemDisk>,
    engine: Arc<Engine>,
    /// Where locks and caches are.
    _root: tempfile::TempDir,
}

/// Opens an engine without a cache, so that there is nothing else to fall back to.
fn open_read_only(disk: &Arc<MemDisk>, root: &Path) -> Arc<Engine> {
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let options =
        EngineOptions { disk: Some(disk.clone()), read_only: true, ..options(root, &clock) };
    let engine = Engine::open(options).unwrap();
    engine.follower().refresh_until_settled();
    engine
}

impl Scene {
    /// A folder that is served, and has been changed since.
    fn changed() -> Scene {
        let disk = Arc::new(MemDisk::with_files(files("Old")));
        let root = tempfile::tempdir().unwrap();
        let engine = open_read_only(&disk, root.path());
        assert_eq!(label_of(&engine), "Old");
        files("New").iter().for_each(|(path, text)| disk.edit_file(path, text.as_bytes()));
        Scene { disk, engine, _root: root }
    }

    /// What is served is all there, be it old or new.
    fn check_served(&self, case: &str) {
        let snapshot = self.engine.snapshot("main").expect(case);
        assert!(!snapshot.meta.archived, "{case}");
        let index = snapshot.get("posts").unwrap_or_else(|| panic!("{case}: no type"));
        assert_eq!(index.public().count(), ENTRIES, "{case}");
        let file = snapshot.media.get("a.txt").unwrap_or_else(|| panic!("{case}: no file"));
        assert_eq!(file.visibility.as_str(), "private", "{case}");
        assert_eq!(self.engine.installation().tokens().count(), 1, "{case}");
    }

    /// Once the disk is well, everything new is served, and nothing is wrong any more.
    fn check_recovered(&self, case: &str) {
        self.disk.clear_faults();
        self.engine.follower().refresh(&DirtySet::everything());
        self.engine.follower().refresh_until_settled();
        self.check_served(case);
        assert_eq!(label_of(&self.engine), "New", "{case}");
        let problems = self.engine.problems().list();
        assert!(problems.is_empty(), "{case}: {problems:?}");
    }
}

/// What all files say that have changed; several words where they do not agree.
fn label_of(engine: &Engine) -> String {
    let snapshot = engine.snapshot("main").unwrap();
    let index = snapshot.get("posts").unwrap();
    let title = |doc: &recto::query::render::rendered_entry::RenderedEntry| {
        let title = String::from_utf8(doc.variant_for(None).title_json().to_vec()).unwrap();
        title.trim_matches('"').split(' ').next().unwrap().to_string()
    };
    let mut words: Vec<String> = index.iter().map(|(_, doc)| title(doc)).collect();
    words.push(snapshot.meta.label.clone());
    words.push(snapshot.media.get("a.txt").unwrap().alt.clone());
    words.sort();
    words.dedup();
    words.join(" ")
}

#[test]
fn whatever_look_fails_nothing_that_is_served_goes() {
    let calls = {
        let scene = Scene::changed();
        let before = scene.disk.count_calls();
        scene.engine.follower().refresh(&DirtySet::everything());
        scene.check_recovered("undisturbed");
        scene.disk.count_calls() - before
    };
    assert!(calls > 20, "{calls}");
    for number in 0..calls {
        for errno in [EMFILE, EIO] {
            let case = format!("call {number} of {calls} fails with {errno}");
            let scene = Scene::changed();
            scene.disk.fail_at(scene.disk.count_calls() + number, errno);
            scene.engine.follower().refresh(&DirtySet::everything());
            scene.check_served(&case);
            scene.check_recovered(&case);
        }
    }
}

#[test]
fn when_nothing_can_be_read_any_more_nothing_that_is_served_goes() {
    for number in (0..40).step_by(3) {
        for errno in [EMFILE, EIO] {
            let case = format!("all calls from {number} on fail with {errno}");
            let scene = Scene::changed();
            scene.disk.fail_from(scene.disk.count_calls() + number, errno);
            scene.engine.follower().refresh(&DirtySet::everything());
            scene.engine.follower().refresh(&DirtySet::everything());
            scene.check_served(&case);
            scene.check_recovered(&case);
        }
    }
}

#[test]
fn what_cannot_be_read_is_told_and_tried_again_soon() {
    let scene = Scene::changed();
    scene.disk.fail_from(scene.disk.count_calls(), EMFILE);
    let wake = scene.engine.follower().refresh(&DirtySet::everything());
    scene.check_served("nothing can be read");
    let problems = scene.engine.problems().list();
    assert!(problems.iter().any(|it| it.problem.kind == ProblemKind::Unreadable), "{problems:?}");
    // Without anybody saying so, when it is time.
    scene.disk.clear_faults();
    let mut wake = wake.expect("it is tried again");
    while label_of(&scene.engine) != "New" {
        std::thread::sleep(wake.saturating_duration_since(std::time::Instant::now()));
        wake = scene.engine.follower().refresh(&DirtySet::nothing()).unwrap_or(wake);
    }
    scene.check_recovered("tried again");
}

/// Content that was never read is not taken for deleted: it is told, and the server is not ready.
#[test]
fn what_cannot_be_listed_at_the_start_is_missed_until_it_can_be() {
    let open = |failing: Option<u64>| {
        let disk = Arc::new(MemDisk::with_files(files("New")));
        failing.into_iter().for_each(|number| disk.fail_at(number, EACCES));
        let root = tempfile::tempdir().unwrap();
        let clock: Arc<dyn Clock> = Arc::new(SystemClock);
        let options = EngineOptions {
            disk: Some(disk.clone()),
            read_only: true,
            ..options(root.path(), &clock)
        };
        let engine = Engine::open(options).unwrap();
        Scene { disk, engine, _root: root }
    };
    let undisturbed = open(None);
    assert!(!undisturbed.engine.follower().misses_content());
    let cases = [("workspaces/main/content/posts", true), ("workspaces", true), ("system", false)];
    for (path, is_missed) in cases {
        let is_listing = |call: &DiskCall| call.verb == Verb::List && call.path == path;
        let number = undisturbed.disk.list_calls().iter().position(is_listing).unwrap() as u64;
        let scene = open(Some(number));
        let problems = scene.engine.problems().list();
        let of_path = problems.iter().filter(|it| it.problem.path == path);
        let kinds: Vec<ProblemKind> = of_path.map(|it| it.problem.kind).collect();
        assert_eq!(kinds, [ProblemKind::Unreadable], "{path}: {problems:?}");
        assert_eq!(scene.engine.follower().misses_content(), is_missed, "{path}");
        scene.check_recovered(path);
        assert!(!scene.engine.follower().misses_content(), "{path}");
    }
}

/// What cannot be read is no reason to export nothing: it is left out, and named.
#[test]
fn an_export_leaves_out_what_cannot_be_read() {
    let disk = Arc::new(MemDisk::with_files(files("Old")));
    let root = tempfile::tempdir().unwrap();
    let engine = open_read_only(&disk, root.path());
    let snapshot = engine.snapshot("main").unwrap();
    let workspace = WorkspaceSlug::parse("main").unwrap();
    let type_name = TypeName::parse("posts").unwrap();
    let request = ExportRequest { workspace: &workspace, type_name: &type_name, statuses: &[] };
    let read = || read_type(&engine, &snapshot, &request).unwrap();
    let before = disk.count_calls();
    assert_eq!(read().entries.len(), ENTRIES);
    let is_read = |it: &DiskCall| it.verb == Verb::Read && it.path.ends_with("/e3.json");
    let number = disk.list_calls().iter().rposition(is_read).unwrap() as u64 - before;
    disk.fail_at(disk.count_calls() + number, EACCES);
    let left = read();
    assert_eq!((left.entries.len(), left.broken.len()), (ENTRIES - 1, 1));
    assert!(left.broken[0].contains("posts/e3.json"), "{}", left.broken[0]);
}

/// Of very many media files that changed all folders are listed at once, and all is read again that
/// is said of them: what cannot be read then is read later.
#[test]
fn what_is_said_of_very_many_files_is_read_once_it_can_be() {
    const FILES: usize = 600;
    let name = |number: usize| format!("f{number:03}.txt");
    let said = |number: usize, visibility: &str| {
        let path = format!("workspaces/main/media-meta/{}.json", name(number));
        (path, format!(r#"{{"visibility": "{visibility}"}}"#))
    };
    let scene = || {
        let media = |it| (format!("workspaces/main/media/{}", name(it)), "text".to_string());
        let files = (0..FILES).flat_map(|it| [media(it), said(it, "public")]);
        let disk = Arc::new(MemDisk::with_files(files));
        let root = tempfile::tempdir().unwrap();
        let engine = open_read_only(&disk, root.path());
        for (path, text) in (0..FILES).map(|it| said(it, "private")) {
            disk.edit_file(&path, text.as_bytes());
        }
        Scene { disk, engine, _root: root }
    };
    let n_public = |scene: &Scene| {
        let snapshot = scene.engine.snapshot("main").unwrap();
        assert_eq!(snapshot.media.iter().count(), FILES);
        snapshot.media.iter().filter(|it| it.visibility.as_str() == "public").count()
    };
    let undisturbed = scene();
    let before = undisturbed.disk.count_calls();
    undisturbed.engine.follower().refresh(&DirtySet::everything());
    assert_eq!(n_public(&undisturbed), 0);
    let is_read = |call: &DiskCall| call.verb == Verb::Read && call.path.contains("/media-meta/");
    let last = undisturbed.disk.list_calls().iter().rposition(is_read).unwrap() as u64 - before;
    let scene = scene();
    scene.disk.fail_from(scene.disk.count_calls() + last - FILES as u64 / 3, EMFILE);
    scene.engine.follower().refresh(&DirtySet::everything());
    let left = n_public(&scene);
    assert!(left > 0 && left < FILES, "{left}");
    scene.disk.clear_faults();
    scene.engine.follower().refresh(&DirtySet::everything());
    scene.engine.follower().refresh_until_settled();
    assert_eq!(n_public(&scene), 0);
    let problems = scene.engine.problems().list();
    assert!(problems.is_empty(), "{problems:?}");
}

/// A user whose file could not be read at the start counts until the file is gone.
#[test]
fn a_user_who_was_never_read_goes_with_the_file() {
    let path = "system/users/anna.json";
    let user = (path, r#"{"username": "anna", "role": "admin"}"#);
    let disk = || Arc::new(MemDisk::with_files([user, ("workspaces/main/workspace.json", "{}")]));
    let root = tempfile::tempdir().unwrap();
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let open = |disk: &Arc<MemDisk>| {
        let disk = Some(disk.clone() as Arc<dyn Disk>);
        Engine::open(EngineOptions { disk, read_only: true, ..options(root.path(), &clock) })
            .unwrap()
    };
    let whole = disk();
    open(&whole);
    let is_read = |it: &DiskCall| it.verb == Verb::Read && it.path == path;
    let number = whole.list_calls().iter().position(is_read).unwrap() as u64;
    for errno in [EMFILE, EIO] {
        let disk = disk();
        disk.fail_at(number, errno);
        let engine = open(&disk);
        assert!(engine.installation().user("anna").is_none(), "{errno}: it could be read");
        assert!(!engine.installation().is_empty(), "{errno}: anybody could set Recto up");
        disk.edit_at(disk.count_calls(), path, None);
        engine.follower().refresh_until_settled();
        assert!(engine.installation().is_empty(), "{errno}: a user without a file");
        let problems = engine.problems().list();
        assert!(problems.is_empty(), "{errno}: {problems:?}");
    }
}
