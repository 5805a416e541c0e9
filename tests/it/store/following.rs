//! Who follows a folder, and what may be written where: never two servers on one folder, whatever
//! is moved and copied, and nothing into the place of what is away for a moment.

use std::fs;
use std::path::Path;
use std::path::PathBuf;
use std::sync::Arc;

use recto::engine::Engine;
use recto::engine::EngineOptions;
use recto::engine::error::CommitError;
use recto::model::name::EntryId;
use recto::model::name::TypeName;
use recto::model::name::WorkspaceSlug;
use recto::model::problem::ProblemKind;
use recto::stdx::clock::Clock;
use recto::stdx::clock::SystemClock;
use recto::store::error::StoreError;
use recto::store::layout::Key;
use recto::store::lock::InstanceLock;

use crate::support::folder;
use crate::support::folder::copy;
use crate::support::folder::eventually;
use crate::support::folder::options;
use crate::support::permit::operator_permit;

struct Scene {
    place: tempfile::TempDir,
    engine: Arc<Engine>,
    following: Option<std::thread::JoinHandle<()>>,
}

impl Scene {
    fn new() -> Scene {
        Scene::with_state(None)
    }

    fn with_state(state: Option<&str>) -> Scene {
        let place = tempfile::tempdir().unwrap();
        let data = place.path().join("data");
        for ws in ["main", "other"] {
            let ws = data.join("workspaces").join(ws);
            for folder in ["content/posts", "content/pages", "schemas"] {
                fs::create_dir_all(ws.join(folder)).unwrap();
            }
            fs::write(ws.join("workspace.json"), "{}").unwrap();
            for name in ["posts", "pages"] {
                fs::write(ws.join(format!("schemas/{name}.json")), r#"{"fields": {}}"#).unwrap();
                fs::write(ws.join(format!("content/{name}/a.json")), "{}").unwrap();
            }
        }
        let clock: Arc<dyn Clock> = Arc::new(SystemClock);
        let state_dir = state.map(|it| place.path().join(it));
        let engine = Engine::open(EngineOptions { state_dir, ..options(&data, &clock) }).unwrap();
        Scene { place, engine, following: None }
    }

    fn following() -> Scene {
        Scene::following_with(None)
    }

    fn following_with(state: Option<&str>) -> Scene {
        let mut scene = Scene::with_state(state);
        scene.following = Some(scene.engine.follower().spawn_follower().unwrap());
        eventually("the folder is followed", || scene.engine.follower().is_following());
        scene
    }

    fn at(&self, name: &str) -> PathBuf {
        self.place.path().join(name)
    }

    fn rename(&self, from: &str, to: &str) {
        fs::rename(self.at(from), self.at(to)).unwrap();
    }

    /// Makes an entry; why that was refused.
    fn write(&self, ws: &str, of: &str, id: &str) -> Result<(), String> {
        let ws = WorkspaceSlug::parse(ws).unwrap();
        let of = TypeName::parse(of).unwrap();
        let key = Key::Entry(ws.clone(), of, EntryId::parse(id).unwrap());
        let work = move |staging: &mut recto::engine::staging::Staging<'_>| {
            staging.write(&operator_permit()).create(&key, b"{}".to_vec());
            Ok::<_, CommitError>(())
        };
        self.engine.commit(&ws, work).map(drop).map_err(|it| it.to_string())
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        self.engine.close();
        if let Some(following) = self.following.take() {
            let _ = following.join();
        }
    }
}

fn is_taken(data: &Path) -> bool {
    match InstanceLock::acquire(data) {
        Err(StoreError::Locked { .. }) => true,
        Ok(_) => false,
        Err(error) => panic!("{error}"),
    }
}

#[test]
fn a_copy_that_another_server_has_is_left_to_it() {
    let scene = Scene::following();
    fs::create_dir(scene.at("copy")).unwrap();
    copy(&scene.at("data"), &scene.at("copy"));
    let other = InstanceLock::acquire(&scene.at("copy")).unwrap();
    scene.rename("data", "away");
    scene.rename("copy", "data");
    // At once, whether or not anybody has noticed yet.
    assert_eq!(scene.write("main", "posts", "b"), Err("the data folder is not there".to_string()));
    eventually("it is noticed", || scene.engine.folder().is_outage());
    assert!(
        scene.engine.snapshot("main").unwrap().get("posts").is_some(),
        "what is known is served"
    );
    assert!(scene.write("main", "posts", "b").is_err());
    for folder in ["data", "away"] {
        let entry = scene.at(folder).join("workspaces/main/content/posts/b.json");
        assert!(!entry.exists(), "{folder}");
    }
    // The other one ends: now this server is the one.
    drop(other);
    eventually("the folder is taken over", || !scene.engine.folder().is_outage());
    assert!(is_taken(&scene.at("data")));
    assert!(!is_taken(&scene.at("away")), "the old folder is nobody's");
    scene.write("main", "posts", "b").unwrap();
    assert!(scene.at("data/workspaces/main/content/posts/b.json").exists());
    // What happens in it is followed.
    fs::write(scene.at("data/workspaces/main/content/posts/c.json"), "{}").unwrap();
    let posts = || scene.engine.snapshot("main").unwrap().get("posts").unwrap().len();
    eventually("an edit is seen", || posts() == 3);
}

#[test]
fn a_lock_that_was_removed_is_taken_anew() {
    let scene = Scene::following();
    // In one step: the server writes there, too.
    scene.rename("data/.recto", "removed");
    assert!(scene.write("main", "posts", "b").is_err(), "nobody else can write at the same time");
    eventually("the lock is taken", || scene.at("data/.recto/locks/instance.lock").exists());
    eventually("writing goes on", || scene.write("main", "posts", "b").is_ok());
    assert!(is_taken(&scene.at("data")));
}

#[test]
fn what_git_clean_removes_beside_a_server_is_named_and_the_rest_is_followed() {
    let scene = Scene::following();
    let hash = "0".repeat(64);
    let token = format!(r#"{{"name": "Reader", "secret_sha256": "{hash}", "permissions": []}}"#);
    fs::create_dir_all(scene.at("data/system/tokens")).unwrap();
    fs::write(scene.at("data/system/tokens/0123456789abcdef.json"), token).unwrap();
    let n_tokens = || scene.engine.installation().tokens().count();
    eventually("the token counts", || n_tokens() == 1);
    scene.rename("data/system", "system");
    for folder in [".recto", "journal", "backups"] {
        let _ = fs::remove_dir_all(scene.at("data").join(folder));
    }
    let told = || folder::problems(&scene.engine);
    let missing = ("system".to_string(), ProblemKind::Unreadable);
    eventually("it is named", || told().contains(&missing));
    let posts = |ws: &str| scene.engine.snapshot(ws).unwrap().get("posts").unwrap().len();
    fs::write(scene.at("data/workspaces/main/content/posts/b.json"), "{}").unwrap();
    eventually("an edit is seen", || posts("main") == 2);
    assert!(scene.write("main", "posts", "c").is_err(), "what may be done is not certain any more");
    assert_eq!(n_tokens(), 1);
    assert!(!scene.at("data/system").exists(), "nobody else may set the server up");
    scene.rename("system", "data/system");
    eventually("it is back", || !told().contains(&missing) && !scene.engine.folder().is_outage());
    eventually("writing goes on", || scene.write("main", "posts", "c").is_ok());
    assert!(is_taken(&scene.at("data")));
    assert_eq!(n_tokens(), 1);
}

/// A state directory that is moved away, or on a disk that is unmounted.
#[test]
fn a_state_directory_that_vanishes_stops_writing_until_it_is_back() {
    let scene = Scene::following_with(Some("state"));
    let hash = "0".repeat(64);
    let token = format!(r#"{{"name": "Reader", "secret_sha256": "{hash}", "permissions": []}}"#);
    fs::create_dir_all(scene.at("state/system/tokens")).unwrap();
    fs::write(scene.at("state/system/tokens/0123456789abcdef.json"), token).unwrap();
    let n_tokens = || scene.engine.installation().tokens().count();
    eventually("the token counts", || n_tokens() == 1);
    scene.write("main", "posts", "b").unwrap();
    scene.rename("state", "away");
    assert!(scene.write("main", "posts", "c").is_err(), "at once");
    let missing = ("system".to_string(), ProblemKind::Unreadable);
    eventually("it is named", || folder::problems(&scene.engine).contains(&missing));
    assert!(scene.write("main", "posts", "c").is_err());
    assert_eq!(n_tokens(), 1);
    let made: Vec<_> = walkdir::WalkDir::new(scene.at("state")).into_iter().flatten().collect();
    assert!(made.is_empty(), "nobody else may set the server up: {made:?}");
    assert!(!scene.at("data/system").exists());
    scene.rename("away", "state");
    eventually("writing goes on", || scene.write("main", "posts", "c").is_ok());
    eventually("it is solved", || !folder::problems(&scene.engine).contains(&missing));
    assert!(is_taken(&scene.at("data")) && is_taken(&scene.at("state")));
    assert_eq!(n_tokens(), 1);
}

/// Users and tokens are followed there as they are in the data folder.
#[test]
fn what_is_edited_in_a_state_directory_is_seen() {
    let scene = Scene::following_with(Some("state"));
    let n_tokens = || scene.engine.installation().tokens().count();
    fs::create_dir_all(scene.at("state/system/tokens")).unwrap();
    for (n, name) in ["0123456789abcdef", "0123456789abcdeg"].iter().enumerate() {
        let hash = "0".repeat(64);
        let token = format!(r#"{{"name": "R", "secret_sha256": "{hash}", "permissions": []}}"#);
        fs::write(scene.at(&format!("state/system/tokens/{name}.json")), token).unwrap();
        eventually("the token counts", || n_tokens() == n + 1);
    }
    // What stands there in the data folder is nobody's.
    fs::create_dir_all(scene.at("data/system/tokens")).unwrap();
    fs::remove_file(scene.at("state/system/tokens/0123456789abcdeg.json")).unwrap();
    eventually("the token ends", || n_tokens() == 1);
}

#[test]
fn nothing_is_written_in_the_place_of_what_is_away() {
    let scene = Scene::new();
    let refused = |ws: &str, of: &str, folder: &str| {
        let reason = format!("the folder workspaces/{folder} is not there");
        assert_eq!(scene.write(ws, of, "new"), Err(reason), "{ws}/{of}");
    };
    scene.rename("data/workspaces/main/content/posts", "posts");
    refused("main", "posts", "main/content/posts");
    scene.write("main", "pages", "b").unwrap();
    scene.rename("data/workspaces/other", "other");
    refused("other", "posts", "other");
    // Both come back as they were.
    scene.rename("posts", "data/workspaces/main/content/posts");
    scene.rename("other", "data/workspaces/other");
    scene.write("main", "posts", "b").unwrap();
    scene.write("other", "posts", "b").unwrap();
    scene.engine.follower().refresh_until_settled();
    // What is gone for good is no longer waited for.
    scene.rename("data/workspaces/main/content/posts", "posts");
    scene.rename("data/workspaces/other", "other");
    scene.engine.follower().refresh_until_settled();
    scene.write("main", "posts", "c").unwrap();
    assert_eq!(scene.write("other", "posts", "c"), Err("there is no such workspace".to_string()));
}

impl Scene {
    /// Makes an entry, or changes the one that is there. While the change is put together, and
    /// after its folder was looked up, `disturb` is called once. Returns how often the change was
    /// begun.
    fn write_disturbed(
        &self,
        id: &str,
        disturb: impl Fn(&Path) + Send + 'static,
    ) -> Result<usize, String> {
        let key = Key::Entry(
            WorkspaceSlug::parse("main").unwrap(),
            TypeName::parse("posts").unwrap(),
            EntryId::parse(id).unwrap(),
        );
        let place = self.place.path().to_path_buf();
        let mut n_begun = 0;
        let work = move |staging: &mut recto::engine::staging::Staging<'_>| {
            let stored = staging.read_stored(&key)?;
            n_begun += 1;
            if n_begun == 1 {
                disturb(&place);
            }
            let permit = operator_permit();
            let mut write = staging.write(&permit);
            match stored {
                Some(stored) => write.replace(&stored, br#"{"title": "New"}"#.to_vec()),
                None => write.create(&key, b"{}".to_vec()),
            }
            Ok::<_, CommitError>(n_begun)
        };
        let committed = self.engine.commit(&WorkspaceSlug::parse("main").unwrap(), work);
        committed.map(|it| it.value).map_err(|it| it.to_string())
    }
}

const POSTS: &str = "data/workspaces/main/content/posts";

#[test]
fn a_change_is_made_again_in_the_folder_that_took_the_place_of_its_folder() {
    for id in ["a", "b"] {
        let scene = Scene::new();
        let begun = scene.write_disturbed(id, |place| {
            fs::rename(place.join(POSTS), place.join("old")).unwrap();
            fs::create_dir(place.join(POSTS)).unwrap();
            copy(&place.join("old"), &place.join(POSTS));
        });
        assert_eq!(begun, Ok(2), "{id}");
        let there = fs::read_to_string(scene.at(POSTS).join(format!("{id}.json"))).unwrap();
        let expect = if id == "a" { r#"{"title": "New"}"# } else { "{}" };
        assert_eq!(there, expect);
    }
}

#[test]
#[cfg(unix)]
fn a_change_follows_no_link_that_took_the_place_of_its_folder() {
    for (id, replaced) in [("a", POSTS), ("b", POSTS), ("b", "data/workspaces/main/content")] {
        let scene = Scene::new();
        fs::create_dir_all(scene.at("outside/posts")).unwrap();
        let written = scene.write_disturbed(id, move |place| {
            fs::rename(place.join(replaced), place.join("old")).unwrap();
            std::os::unix::fs::symlink(place.join("outside"), place.join(replaced)).unwrap();
        });
        assert!(written.is_err(), "{written:?}");
        let files = |folder: &str| fs::read_dir(scene.at(folder)).unwrap().count();
        assert_eq!((files("outside"), files("outside/posts")), (1, 0));
    }
}

#[test]
fn a_change_brings_nothing_back_that_was_removed_meanwhile() {
    for removed in [POSTS, "data/workspaces/main"] {
        let scene = Scene::new();
        let written = scene.write_disturbed("b", move |place| {
            fs::rename(place.join(removed), place.join("old")).unwrap();
        });
        assert!(written.is_err(), "{written:?}");
        assert!(!scene.at(removed).exists());
    }
    // A workspace is not made anew either for the first entry of a type.
    let scene = Scene::new();
    fs::remove_file(scene.at(POSTS).join("a.json")).unwrap();
    scene.engine.follower().refresh_until_settled();
    let workspace = "data/workspaces/main";
    let written = scene.write_disturbed("b", move |place| {
        fs::rename(place.join(workspace), place.join("old")).unwrap();
    });
    assert!(written.is_err(), "{written:?}");
    assert!(!scene.at(workspace).exists());
}
