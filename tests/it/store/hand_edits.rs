//! The whole way of a hand edit: a file changes, the system tells, and readers see it. Tests wait
//! for what they expect to see, however long it takes.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Instant;

use recto::engine::Engine;
use recto::engine::error::CommitError;
use recto::engine::staging::Staging;
use recto::model::name::EntryId;
use recto::model::name::TypeName;
use recto::model::name::WorkspaceSlug;
use recto::stdx::clock::Clock;
use recto::stdx::clock::SystemClock;
use recto::store::layout::Key;
use recto::store::read::watch::DirtySet;

use crate::support::folder;
use crate::support::folder::Data;
use crate::support::folder::eventually;
use crate::support::permit::operator_permit;
use crate::support::skip::skipped;

const POSTS: &str = "workspaces/default/content/posts";

/// An engine that follows a folder until the test ends.
struct Scene {
    engine: Arc<Engine>,
    following: Option<JoinHandle<()>>,
    data: Data,
}

impl Scene {
    fn new(entries: usize) -> Scene {
        Scene::of(data_of(entries))
    }

    fn of(data: Data) -> Scene {
        let mut scene = Scene::of_unfollowed(data);
        scene.following = Some(scene.engine.follower().spawn_follower().unwrap());
        scene
    }

    /// An engine that looks at the folder only when it is asked to.
    fn unfollowed(entries: usize) -> Scene {
        Scene::of_unfollowed(data_of(entries))
    }

    fn of_unfollowed(data: Data) -> Scene {
        let clock: Arc<dyn Clock> = Arc::new(SystemClock);
        let engine = Engine::open(folder::options(data.root(), &clock)).unwrap();
        Scene { engine, following: None, data }
    }

    fn settle(&self) {
        self.engine.follower().refresh_until_settled();
    }

    fn title(&self, id: &str) -> Option<String> {
        let snapshot = self.engine.snapshot("default")?;
        let index = snapshot.get("posts")?;
        let doc = index.entry_at(index.find_ordinal(id)?)?;
        Some(
            String::from_utf8(doc.variant_for(None).title_json().to_vec())
                .unwrap()
                .replace('"', ""),
        )
    }

    fn entries(&self, ws: &str) -> usize {
        self.engine.snapshot(ws).map_or(0, |it| it.count_entries())
    }

    fn version(&self) -> u64 {
        self.engine.snapshot("default").unwrap().version
    }

    fn becomes(&self, id: &str, title: &str) {
        eventually(&format!("{id} is {title}"), || self.title(id).as_deref() == Some(title));
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        self.engine.close();
        if let Some(following) = self.following.take() {
            let ended = following.join();
            assert!(ended.is_ok() || std::thread::panicking());
        }
    }
}

fn data_of(entries: usize) -> Data {
    let data = Data::empty();
    let schema = r#"{"fields": {"body": {"type": "markdown"}}}"#;
    data.write("workspaces/default/schemas/posts.json", schema);
    for number in 0..entries {
        data.write(&format!("{POSTS}/p{number}.json"), post("Before"));
    }
    data
}

fn post(title: &str) -> String {
    format!("{{\n  \"title\": \"{title}\",\n  \"status\": \"published\"\n}}\n")
}

#[test]
fn every_way_to_save_is_seen() {
    let scene = Scene::new(3);
    let (data, path) = (&scene.data, format!("{POSTS}/p1.json"));
    let beside = |name: &str| format!("{POSTS}/{name}");
    let check = |how: &str, save: &dyn Fn(&str)| {
        save(&post(how));
        scene.becomes("p1", how);
        assert_eq!(scene.title("p0").as_deref(), Some("Before"), "{how}");
        assert_eq!(scene.engine.problems().list(), [], "{how}");
        assert_eq!(scene.entries("default"), 3, "{how}");
    };
    check("in place", &|text| data.write(&path, text));
    check("vim", &|text| {
        data.write(&beside("4913"), "");
        data.remove(&beside("4913"));
        data.write(&beside(".p1.json.swp"), "swap");
        data.rename(&path, &beside("p1.json~"));
        data.write(&path, text);
        data.remove(&beside("p1.json~"));
        data.remove(&beside(".p1.json.swp"));
    });
    check("vs code", &|text| {
        data.write(&path, "");
        data.write(&path, &text[..text.len() / 2]);
        data.write(&path, text);
    });
    check("jetbrains", &|text| {
        data.write(&beside("p1.json___jb_tmp___"), text);
        data.rename(&path, &beside("p1.json___jb_old___"));
        data.rename(&beside("p1.json___jb_tmp___"), &path);
        data.remove(&beside("p1.json___jb_old___"));
    });
    check("sed -i", &|text| {
        data.write(&beside("sedAb12Cd"), text);
        data.rename(&beside("sedAb12Cd"), &path);
    });
    check("rsync", &|text| {
        data.write(&beside(".p1.json.Xy12Zz"), text);
        data.rename(&beside(".p1.json.Xy12Zz"), &path);
    });
    check("by unlinking", &|text| {
        data.remove(&path);
        data.write(&path, text);
    });
    check("same size and time", &|_| {
        let place = data.at(&path);
        let before = folder::modified(&place);
        data.write(&path, post("SAME SIZE AND TIME").to_lowercase().as_bytes());
        folder::set_modified(&place, before);
    });
}

#[test]
fn entries_come_and_go() {
    let scene = Scene::new(3);
    scene.data.write(&format!("{POSTS}/new.json"), post("New"));
    scene.becomes("new", "New");
    scene.data.rename(&format!("{POSTS}/new.json"), &format!("{POSTS}/renamed.json"));
    scene.becomes("renamed", "New");
    eventually("the old name is gone", || scene.title("new").is_none());
    scene.data.remove(&format!("{POSTS}/renamed.json"));
    eventually("the entry is gone", || scene.entries("default") == 3);
    scene.data.write(&format!("{POSTS}/p1.json"), "{\"title\": ");
    eventually("the problem is told", || !scene.engine.problems().list().is_empty());
    assert_eq!(scene.title("p1").as_deref(), Some("Before"));
    scene.data.write(&format!("{POSTS}/p1.json"), post("Mended"));
    scene.becomes("p1", "Mended");
    assert_eq!(scene.engine.problems().list(), []);
}

/// A deletion and a new entry that are believed in one step share a place in the index.
#[test]
fn one_comes_as_another_goes() {
    let data = Data::empty();
    data.write("workspaces/default/schemas/posts.json", "{}");
    for number in 0..20 {
        data.write(&format!("{POSTS}/p{number}.json"), post(&format!("Title {number}")));
    }
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let engine = Engine::open(folder::options(data.root(), &clock)).unwrap();
    let queries = |_: &recto::query::index::type_index::TypeIndex| vec!["sort=title".to_string()];
    let app = folder::app(&engine);
    folder::picture(&app, &queries);
    data.remove(&format!("{POSTS}/p3.json"));
    let wake = engine.follower().refresh(&DirtySet::everything()).unwrap();
    // Nobody looks until it is time to believe it.
    eventually("the deletion is due", || Instant::now() >= wake);
    data.write(&format!("{POSTS}/p99.json"), post("A new one"));
    engine.follower().refresh(&DirtySet::everything());
    let fresh = folder::app(&folder::fresh(data.root(), &clock));
    let (running, fresh) = (folder::picture(&app, &queries), folder::picture(&fresh, &queries));
    assert_eq!(folder::differences(&running, &fresh), [""; 0]);
}

/// While what is said of a private file is being saved, the file is not shown to anybody.
#[test]
fn nothing_private_is_shown_while_it_is_saved() {
    let data = Data::empty();
    let meta = "workspaces/default/media-meta/a.txt.json";
    data.write("workspaces/default/media/a.txt", "text");
    data.write(meta, r#"{"visibility": "private", "alt": "Before"}"#);
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let engine = Engine::open(folder::options(data.root(), &clock)).unwrap();
    let seen = || {
        let item = engine.snapshot("default").unwrap().media.get("a.txt").unwrap().clone();
        (item.visibility.as_str(), item.alt.clone())
    };
    data.rename(meta, "workspaces/default/aside");
    data.write("workspaces/default/media/b.txt", "another");
    engine.follower().refresh(&DirtySet::everything());
    assert_eq!(seen(), ("private", "Before".to_string()));
    data.rename("workspaces/default/aside", meta);
    engine.follower().refresh_until_settled();
    assert_eq!(seen(), ("private", "Before".to_string()));
    data.remove(meta);
    engine.follower().refresh_until_settled();
    assert_eq!(seen(), ("public", String::new()));
}

/// Behind a link in the place of the folder of meta files, anything may be said of a file.
#[cfg(unix)]
#[test]
fn nothing_private_is_shown_while_meta_files_are_hidden() {
    let data = Data::empty();
    let metas = "workspaces/default/media-meta";
    data.write("workspaces/default/media/a.txt", "text");
    data.write("workspaces/default/media/b.txt", "another");
    data.write(&format!("{metas}/a.txt.json"), r#"{"visibility": "private", "alt": "Kept"}"#);
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let engine = Engine::open(folder::options(data.root(), &clock)).unwrap();
    let seen = |engine: &Engine| {
        let snapshot = engine.snapshot("default").unwrap();
        ["a.txt", "b.txt"].map(|it| snapshot.media.get(it).unwrap().visibility.as_str())
    };
    assert_eq!(seen(&engine), ["private", "public"]);
    data.rename(metas, "workspaces/default/aside");
    data.link_outside("", metas);
    engine.follower().refresh_until_settled();
    assert_eq!(seen(&engine), ["private", "private"]);
    drop(engine);
    let engine = Engine::open(folder::options(data.root(), &clock)).unwrap();
    assert_eq!(seen(&engine), ["private", "private"]);
    data.remove(metas);
    data.rename("workspaces/default/aside", metas);
    engine.follower().refresh_until_settled();
    assert_eq!(seen(&engine), ["private", "public"]);
    data.rename(metas, "workspaces/default/aside");
    data.write(metas, "no folder");
    engine.follower().refresh_until_settled();
    assert_eq!(seen(&engine)[0], "private");
}

/// A type that is defined anew while one of its entries is being saved keeps the entry.
#[test]
fn nothing_is_lost_while_it_is_saved() {
    let scene = Scene::new(3);
    scene.data.write(&format!("{POSTS}/p1.json"), post("Kept"));
    scene.becomes("p1", "Kept");
    scene.engine.close();
    let path = format!("{POSTS}/p1.json");
    scene.data.rename(&path, "aside");
    let schema = r#"{"label": "Other", "fields": {"body": {"type": "text"}}}"#;
    scene.data.write("workspaces/default/schemas/posts.json", schema);
    scene.engine.follower().refresh(&DirtySet::everything());
    let label = || {
        let snapshot = scene.engine.snapshot("default").unwrap();
        snapshot.get("posts").unwrap().content_type.label.clone()
    };
    assert_eq!((label().as_str(), scene.entries("default")), ("Other", 3));
    scene.data.rename("aside", &path);
    scene.engine.follower().refresh_until_settled();
    assert_eq!(scene.title("p1").as_deref(), Some("Kept"));
    scene.data.remove(&path);
    scene.engine.follower().refresh_until_settled();
    assert_eq!(scene.entries("default"), 2);
}

#[test]
fn workspaces_come_and_go() {
    let scene = Scene::new(1);
    let schema = r#"{"fields": {"body": {"type": "markdown"}}}"#;
    scene.data.write("aside/workspace.json", r#"{"label": "Dropped in"}"#);
    scene.data.write("aside/schemas/posts.json", schema);
    for number in 0..15 {
        scene.data.write(&format!("aside/content/posts/a{number}.json"), post("Dropped in"));
    }
    scene.data.write("aside/media/deep.txt", "text");
    scene.data.rename("aside", "workspaces/moved");
    eventually("what was moved in is there", || scene.entries("moved") == 15);
    let snapshot = scene.engine.snapshot("moved").unwrap();
    assert_eq!((snapshot.meta.label.as_str(), snapshot.media.len()), ("Dropped in", 1));
    // File by file, as a copy makes it: folders are seen before they are full.
    scene.data.write("workspaces/copied/schemas/posts.json", schema);
    for number in 0..300 {
        scene.data.write(&format!("workspaces/copied/content/posts/a{number}.json"), post("Copy"));
    }
    eventually("what was copied in is there", || scene.entries("copied") == 300);
    scene.data.rename("workspaces/moved", "aside");
    eventually("what was moved out is gone", || scene.engine.snapshot("moved").is_none());
    scene.data.write("workspaces/copied/content/posts/a7.json", post("Later"));
    eventually("what came last is followed", || {
        let snapshot = scene.engine.snapshot("copied").unwrap();
        let index = snapshot.get("posts").unwrap();
        let doc = index.entry_at(index.find_ordinal("a7").unwrap()).unwrap();
        doc.variant_for(None).title_json() == b"\"Later\""
    });
}

#[test]
fn a_vanished_folder_is_an_outage_and_no_deletion() {
    let scene = Scene::new(5);
    eventually("it follows", || scene.engine.follower().is_following());
    let aside = scene.data.at("workspaces-aside");
    std::fs::rename(scene.data.at("workspaces"), &aside).unwrap();
    eventually("the outage is noticed", || scene.engine.folder().is_outage());
    assert_eq!(scene.entries("default"), 5);
    assert!(!scene.engine.follower().is_following());
    std::fs::rename(&aside, scene.data.at("workspaces")).unwrap();
    scene.data.write(&format!("{POSTS}/p1.json"), post("After"));
    eventually("it is over", || !scene.engine.folder().is_outage());
    scene.becomes("p1", "After");
    assert_eq!(scene.entries("default"), 5);
    scene.data.write(&format!("{POSTS}/p2.json"), post("Followed again"));
    scene.becomes("p2", "Followed again");
}

fn git(root: &Path, arguments: &[&str]) {
    let identity = ["-c", "user.name=Test", "-c", "user.email=test@example.org"];
    let mut command = Command::new("git");
    command.current_dir(root).args(identity).args(arguments);
    // Whatever the machine is set up for must not matter here.
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_SYSTEM", "/dev/null");
    let output = command.output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_checkout_is_seen_as_a_whole() {
    const FILES: usize = 500;
    if Command::new("git").arg("--version").output().is_err() {
        return skipped("there is no git");
    }
    let scene = Scene::new(FILES);
    let root = scene.data.root().to_path_buf();
    scene.data.write(".gitignore", ".recto/\nsystem/\n");
    git(&root, &["init", "--quiet", "--initial-branch=one"]);
    git(&root, &["add", "."]);
    git(&root, &["commit", "--quiet", "--message=one"]);
    git(&root, &["checkout", "--quiet", "-b", "two"]);
    for number in 0..FILES {
        scene.data.write(&format!("{POSTS}/p{number}.json"), post("Other"));
    }
    scene.data.write(&format!("{POSTS}/only-here.json"), post("Other"));
    git(&root, &["add", "."]);
    git(&root, &["commit", "--quiet", "--message=two"]);
    let all_are = |title: &str| {
        let ids = (0..FILES).map(|number| format!("p{number}"));
        ids.into_iter().all(|id| scene.title(&id).as_deref() == Some(title))
    };
    eventually("the second branch is seen", || all_are("Other"));
    let mut versions = BTreeSet::new();
    for (branch, title, only_here) in [("one", "Before", false), ("two", "Other", true)] {
        let before = scene.version();
        git(&root, &["checkout", "--quiet", branch]);
        eventually("the branch is seen", || {
            versions.insert(scene.version());
            scene.title("only-here").is_some() == only_here && all_are(title)
        });
        assert_eq!(scene.entries("default"), FILES + usize::from(only_here));
        // Nothing is ever seen missing, and it does not come in five hundred pieces.
        let steps = scene.version() - before;
        assert!(steps < 25, "{steps} snapshots for one checkout");
    }
    assert_eq!(scene.engine.problems().list(), []);
}

/// Makes an entry, and says whether that was possible.
fn request(scene: &Scene, id: &str) -> Result<(), String> {
    let ws = WorkspaceSlug::parse("default").unwrap();
    let (of, id) = (TypeName::parse("posts").unwrap(), EntryId::parse(id).unwrap());
    let key = Key::Entry(ws.clone(), of, id);
    let work = move |staging: &mut Staging<'_>| {
        staging.write(&operator_permit()).create(&key, post("Requested").into_bytes());
        Ok::<_, CommitError>(())
    };
    scene.engine.commit(&ws, work).map(drop).map_err(|it| it.to_string())
}

#[test]
fn a_format_that_only_a_request_saw_may_vanish() {
    let scene = Scene::unfollowed(1);
    let (data, about) = (&scene.data, "workspaces/default/workspace.json");
    data.write(about, r#"{"format": 99}"#);
    assert!(request(&scene, "other").is_err());
    data.remove(about);
    scene.settle();
    assert_eq!(scene.engine.problems().list(), []);
    assert_eq!(request(&scene, "other"), Ok(()));
}

#[test]
fn what_happens_after_a_request_read_everything_is_seen() {
    let scene = Scene::unfollowed(3);
    let (data, about) = (&scene.data, "workspaces/default/workspace.json");
    data.write(about, r#"{"format": 99}"#);
    scene.settle();
    let (path, aside) = (format!("{POSTS}/p1.json"), format!("{POSTS}/p1.json~"));
    data.rename(&path, &aside);
    data.write(&format!("{POSTS}/new.json"), post("By hand"));
    data.write(about, "{}");
    assert_eq!(request(&scene, "other"), Ok(()));
    assert_eq!(scene.title("new").as_deref(), Some("By hand"));
    assert_eq!(scene.title("p1"), None);
    // One comes back as it was, and another goes that no sweep has seen.
    data.rename(&aside, &path);
    data.remove(&format!("{POSTS}/new.json"));
    scene.settle();
    assert_eq!(scene.title("p1").as_deref(), Some("Before"));
    assert_eq!(scene.title("new"), None);
    assert_eq!(scene.entries("default"), 4);
}
