//! A git that works in the folder while it is followed: what a checkout does to thousands of files
//! is one change for those who read, and shows when git is done. Skipped where there is no git.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::SeqCst;

use recto::engine::Engine;
use recto::stdx::clock::Clock;
use recto::stdx::clock::SystemClock;

use crate::support::folder::eventually;
use crate::support::folder::options;
use crate::support::git::git_in;

const ENTRIES: usize = 5_000;
/// Of them so many are gone in the other branch, and so many say something else.
const REMOVED: usize = 3_000;
const CHANGED: usize = 1_000;

struct Repository {
    place: tempfile::TempDir,
}

impl Repository {
    /// A repository with the data folder in it, and two branches; nothing where there is no git.
    fn new() -> Option<Repository> {
        if Command::new("git").arg("--version").output().is_err() {
            crate::support::skip::skipped("there is no git");
            return None;
        }
        let repository = Repository { place: tempfile::tempdir().unwrap() };
        let posts = repository.data().join("workspaces/main/content/posts");
        fs::create_dir_all(&posts).unwrap();
        fs::create_dir_all(repository.data().join("workspaces/main/schemas")).unwrap();
        let schema = repository.data().join("workspaces/main/schemas/posts.json");
        fs::write(schema, r#"{"fields": {}}"#).unwrap();
        fs::write(repository.data().join("workspaces/main/workspace.json"), "{}").unwrap();
        fs::write(repository.data().join(".gitignore"), ".recto/\nsystem/\n").unwrap();
        for n in 0..ENTRIES {
            fs::write(posts.join(format!("e{n}.json")), entry("Old", n)).unwrap();
        }
        repository.git(&["init", "-q", "-b", "old"]);
        repository.git(&["config", "user.name", "Test"]);
        repository.git(&["config", "user.email", "test@example.org"]);
        repository.git(&["config", "gc.auto", "0"]);
        repository.git(&["add", "-A"]);
        repository.git(&["commit", "-q", "-m", "Old"]);
        repository.git(&["checkout", "-q", "-b", "new"]);
        for n in 0..REMOVED {
            fs::remove_file(posts.join(format!("e{n}.json"))).unwrap();
        }
        for n in REMOVED..REMOVED + CHANGED {
            fs::write(posts.join(format!("e{n}.json")), entry("New", n)).unwrap();
        }
        repository.git(&["add", "-A"]);
        repository.git(&["commit", "-q", "-m", "New"]);
        repository.git(&["checkout", "-q", "old"]);
        Some(repository)
    }

    fn data(&self) -> std::path::PathBuf {
        self.place.path().join("site/data")
    }

    fn git(&self, arguments: &[&str]) {
        git_in(self.place.path(), arguments);
    }
}

fn entry(label: &str, n: usize) -> String {
    format!(r#"{{"title": "{label} {n}", "status": "published"}}"#)
}

/// How many entries there are, and how many of them are new.
fn seen(engine: &Engine) -> (usize, usize) {
    let snapshot = engine.snapshot("main").unwrap();
    let index = snapshot.get("posts").unwrap();
    let is_new = |doc: &recto::query::render::rendered_entry::RenderedEntry| {
        doc.variant_for(None).title_json().starts_with(b"\"New")
    };
    (index.len(), index.iter().filter(|(_, doc)| is_new(doc)).count())
}

/// All that somebody sees who looks all the time, until `end` is what is seen.
fn watched(engine: &Engine, git: impl FnOnce(), end: (usize, usize)) -> BTreeSet<(usize, usize)> {
    let is_over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        let reader = scope.spawn(|| {
            let mut all = BTreeSet::new();
            while !is_over.load(SeqCst) {
                all.insert(seen(engine));
                std::thread::sleep(std::time::Duration::from_millis(5));
            }
            all
        });
        git();
        eventually("the end is seen", || seen(engine) == end);
        is_over.store(true, SeqCst);
        reader.join().unwrap()
    })
}

fn followed(repository: &Repository) -> (Arc<Engine>, std::thread::JoinHandle<()>) {
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let engine = Engine::open(options(&repository.data(), &clock)).unwrap();
    let following = engine.follower().spawn_follower().unwrap();
    (engine, following)
}

#[test]
fn a_checkout_is_one_change() {
    let Some(repository) = Repository::new() else { return };
    let (engine, following) = followed(&repository);
    let (old, new) = ((ENTRIES, 0), (ENTRIES - REMOVED, CHANGED));
    assert_eq!(seen(&engine), old);
    let forth = watched(&engine, || repository.git(&["checkout", "-q", "new"]), new);
    let both = BTreeSet::from([old, new]);
    assert!(forth.is_subset(&both), "{forth:?}");
    let back = watched(&engine, || repository.git(&["checkout", "-q", "old"]), old);
    assert!(back.is_subset(&both), "{back:?}");
    engine.close();
    following.join().unwrap();
}

#[test]
fn a_checkout_of_another_work_tree_is_one_change() {
    let Some(repository) = Repository::new() else { return };
    let (old, new) = ((ENTRIES, 0), (ENTRIES - REMOVED, CHANGED));
    // The data folder lies in a work tree whose index is kept elsewhere.
    repository.git(&["worktree", "add", "-q", "--detach", "tree", "old"]);
    let tree = repository.place.path().join("tree");
    let clock: Arc<dyn Clock> = Arc::new(SystemClock);
    let engine = Engine::open(options(&tree.join("site/data"), &clock)).unwrap();
    let following = engine.follower().spawn_follower().unwrap();
    assert_eq!(seen(&engine), old);
    let checkout = || git_in(&tree, &["checkout", "-q", "--detach", "new"]);
    let all = watched(&engine, checkout, new);
    assert!(all.is_subset(&BTreeSet::from([old, new])), "{all:?}");
    engine.close();
    following.join().unwrap();
}

#[test]
fn a_lock_that_was_left_behind_does_not_stop_the_following() {
    let Some(repository) = Repository::new() else { return };
    let (engine, following) = followed(&repository);
    fs::write(repository.place.path().join(".git/index.lock"), "").unwrap();
    let post = repository.data().join("workspaces/main/content/posts/e0.json");
    fs::write(post, entry("New", 0)).unwrap();
    eventually("the edit is seen", || seen(&engine) == (ENTRIES, 1));
    engine.close();
    following.join().unwrap();
}
