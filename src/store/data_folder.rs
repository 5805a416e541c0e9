//! The locations of a data folder and of its state: users, tokens, backups and caches may be in a
//! separate directory, so that a tool that cleans the data folder cannot delete them.
//!
//! Two marker files link both. The data folder names its state directory, so that a start without
//! it is rejected instead of treated as a new installation; the state directory names its data
//! folder, so that two folders cannot share one state.

use std::fs;
use std::io;
use std::io::Write;
use std::path::Component;
use std::path::Path;
use std::path::PathBuf;

use crate::store::disk::file_system::is_absence;
use crate::store::disk::file_system::make_private_folder;
use crate::store::error::StoreError;
use crate::store::layout;

/// The locations of a data folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DataFolder {
    root: PathBuf,
    state: Option<PathBuf>,
}

impl DataFolder {
    /// Creates the locations of a data folder that contains its own state.
    pub fn new(root: impl Into<PathBuf>) -> DataFolder {
        DataFolder { root: root.into(), state: None }
    }

    /// Creates the locations of a data folder with a separate state directory, if one is given.
    pub fn with_state(root: impl Into<PathBuf>, state: Option<PathBuf>) -> DataFolder {
        DataFolder { root: root.into(), state }
    }

    /// Returns the data folder itself.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// Returns the state directory, if it is separate.
    pub fn state(&self) -> Option<&Path> {
        self.state.as_deref()
    }

    /// Returns true if the state directory is configured but does not exist.
    pub fn is_state_away(&self) -> bool {
        self.state.as_ref().is_some_and(|it| !it.is_dir())
    }

    /// Returns the directory that a path of `layout` is relative to.
    pub(crate) fn base_path(&self, path: &str) -> &Path {
        match &self.state {
            Some(state) if layout::is_state(path) => state,
            _ => &self.root,
        }
    }

    /// Returns the location of a path of `layout` on this machine.
    pub fn resolve_path(&self, path: &str) -> PathBuf {
        self.base_path(path).join(path)
    }

    /// Rejects contradictory locations: state in both places, or a state directory inside of the
    /// data folder or belonging to another one. Nothing is written.
    pub fn check_places(&self) -> Result<(), StoreError> {
        let Some(state) = &self.state else { return self.expect_own_state() };
        if fs::metadata(state).is_ok_and(|it| !it.is_dir()) {
            return Err(places_error(format!("{} is not a directory", state.display())));
        }
        if resolve_links(state).starts_with(resolve_links(&self.root)) {
            return Err(places_error(format!(
                "the state directory {} is inside the data folder {}: name one elsewhere",
                state.display(),
                self.root.display()
            )));
        }
        self.expect_nothing_left(state)?;
        self.expect_same_state(state)?;
        self.expect_same_folder(state)
    }

    /// Like [`DataFolder::check_places`], for read-only use: the state directory must exist.
    pub fn check_present(&self) -> Result<(), StoreError> {
        self.check_places()?;
        match &self.state {
            Some(state) if !state.is_dir() => Err(places_error(format!(
                "the state directory {} does not exist; `recto serve` creates it",
                state.display()
            ))),
            _ => Ok(()),
        }
    }

    /// Runs [`DataFolder::check_places`], then creates the state directory if needed and writes
    /// both markers.
    pub fn claim_folders(&self) -> Result<(), StoreError> {
        self.check_places()?;
        let Some(state) = &self.state else { return Ok(()) };
        let shown = || state.display().to_string();
        // Its folders are created later by their full paths.
        make_private_folder(&state.join(layout::RUNTIME))
            .map_err(StoreError::io("make", shown()))?;
        write_mark(&state.join(layout::FOLDER_MARK), &resolve_links(&self.root))?;
        write_mark(&self.root.join(layout::STATE_MARK), &resolve_links(state))
    }

    /// Rejects a start without the state directory that the data folder names: users and tokens
    /// would seem to be gone.
    fn expect_own_state(&self) -> Result<(), StoreError> {
        let Some(state) = read_mark(&self.root.join(layout::STATE_MARK)) else { return Ok(()) };
        let (root, state) = (self.root.display(), state.display());
        Err(places_error(format!(
            "the state of {root} (users, tokens, backups) is kept in {state}: name it with \
             `--state-dir {state}`, RECTO_STATE_DIR or `state_dir` in recto.toml. If you have moved \
             it back into the data folder, remove {root}/{}",
            layout::STATE_MARK
        )))
    }

    fn expect_nothing_left(&self, state: &Path) -> Result<(), StoreError> {
        let left = self.find_state_in_root();
        if left.is_empty() {
            return Ok(());
        }
        let in_both: Vec<&str> =
            left.iter().map(String::as_str).filter(|it| has_content(&state.join(it))).collect();
        let (root, shown) = (self.root.display(), state.display());
        if !in_both.is_empty() {
            return Err(places_error(format!(
                "both {root} and the state directory {shown} hold {}, and only one of them can be \
                 used. Stop the server, and remove or move away the outdated one",
                in_both.join(", ")
            )));
        }
        let (tops, runtime): (Vec<&String>, Vec<&String>) =
            left.iter().partition(|it| !it.contains('/'));
        let mut commands = vec![format!("mkdir -p {}", shell_quote(&state.join(layout::RUNTIME)))];
        for (paths, to) in [(tops, state.to_path_buf()), (runtime, state.join(layout::RUNTIME))] {
            if !paths.is_empty() {
                let from: Vec<String> = paths
                    .iter()
                    .map(|it| shell_quote(&resolve_links(&self.root).join(it)))
                    .collect();
                commands.push(format!("mv {} {}/", from.join(" "), shell_quote(&to)));
            }
        }
        Err(places_error(format!(
            "{root} holds state that now belongs in the state directory {shown}. Stop the server \
             and move it: {}",
            commands.join(" && ")
        )))
    }

    /// Returns the paths of state inside the data folder itself.
    fn find_state_in_root(&self) -> Vec<String> {
        let mut left: Vec<String> = list_names(&self.root.join(layout::RUNTIME))
            .into_iter()
            .map(|it| format!("{}/{it}", layout::RUNTIME))
            .filter(|it| layout::is_state(it))
            .collect();
        left.extend([layout::SYSTEM, layout::BACKUPS].map(str::to_string));
        left.retain(|it| has_content(&self.root.join(it)));
        left.sort();
        left
    }

    fn expect_same_state(&self, state: &Path) -> Result<(), StoreError> {
        let Some(other) = read_mark(&self.root.join(layout::STATE_MARK)) else { return Ok(()) };
        if other == resolve_links(state) {
            return self.expect_state_mounted(state);
        }
        if !has_content(&other.join(layout::SYSTEM)) {
            return Ok(());
        }
        let (root, state, other) = (self.root.display(), state.display(), other.display());
        Err(places_error(format!(
            "the state of {root} is kept in {other}, not in {state}. To use {state} from now on, \
             remove {root}/{}",
            layout::STATE_MARK
        )))
    }

    /// Rejects a start with the right state directory that holds nothing, such as one that is not
    /// mounted: users and tokens would seem to be gone, and the first to come could set the server
    /// up.
    fn expect_state_mounted(&self, state: &Path) -> Result<(), StoreError> {
        if state.join(layout::FOLDER_MARK).is_file() || has_content(&state.join(layout::SYSTEM)) {
            return Ok(());
        }
        let (root, state) = (self.root.display(), state.display());
        Err(places_error(format!(
            "the state of {root} (users, tokens, backups) is kept in {state}, which holds none. Is \
             it mounted? To start without state, remove {root}/{}",
            layout::STATE_MARK
        )))
    }

    fn expect_same_folder(&self, state: &Path) -> Result<(), StoreError> {
        let Some(other) = read_mark(&state.join(layout::FOLDER_MARK)) else { return Ok(()) };
        // If the data folder was moved, it is found under its new name.
        if other == resolve_links(&self.root) || !other.join(layout::WORKSPACES).is_dir() {
            return Ok(());
        }
        let (root, state, other) = (self.root.display(), state.display(), other.display());
        Err(places_error(format!(
            "{state} holds the state of the data folder {other}: two folders cannot share one. If \
             {root} replaces that folder, remove {state}/{}",
            layout::FOLDER_MARK
        )))
    }
}

impl From<PathBuf> for DataFolder {
    fn from(root: PathBuf) -> DataFolder {
        DataFolder::new(root)
    }
}

fn places_error(message: String) -> StoreError {
    StoreError::Places(message)
}

/// Resolves symbolic links in a path whose last components may not exist yet.
fn resolve_links(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
    let mut missing = Vec::new();
    let mut there: &Path = &path;
    loop {
        if let Ok(mut found) = there.canonicalize() {
            // A missing component is no link, so `..` cancels the previous one.
            for step in missing.into_iter().rev() {
                match step {
                    Component::ParentDir => _ = found.pop(),
                    step => found.push(step),
                }
            }
            return found;
        }
        let (Some(above), Some(last)) = (there.parent(), there.components().next_back()) else {
            return path;
        };
        missing.push(last);
        there = above;
    }
}

/// Reads a marker, if there is one.
fn read_mark(path: &Path) -> Option<PathBuf> {
    let text = fs::read_to_string(path).ok()?;
    let text = text.strip_suffix('\n').unwrap_or(&text);
    (!text.is_empty()).then(|| PathBuf::from(text))
}

/// Writes a marker atomically and durably, unless it is up to date.
fn write_mark(path: &Path, says: &Path) -> Result<(), StoreError> {
    if read_mark(path).as_deref() == Some(says) {
        return Ok(());
    }
    let written = || {
        let text = says.to_str().ok_or_else(|| {
            io::Error::new(io::ErrorKind::InvalidInput, "the path of the folder is not UTF-8")
        })?;
        let folder = path.parent().unwrap_or(path);
        make_private_folder(folder)?;
        let beside = path.with_extension("tmp");
        let mut file = fs::File::create(&beside)?;
        writeln!(file, "{text}")?;
        file.sync_all()?;
        fs::rename(&beside, path)?;
        // Not every system can open a folder for syncing.
        if cfg!(unix) { fs::File::open(folder)?.sync_all() } else { Ok(()) }
    };
    written().map_err(StoreError::io("write", path.display().to_string()))
}

/// Returns true if the path is anything but an empty folder. A path that cannot be read counts as
/// content.
fn has_content(path: &Path) -> bool {
    match fs::read_dir(path) {
        Ok(mut items) => items.next().is_some(),
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => true,
        Err(error) => !is_absence(&error),
    }
}

/// Returns the UTF-8 names in a folder; an empty list if it cannot be read.
fn list_names(folder: &Path) -> Vec<String> {
    let items = fs::read_dir(folder).into_iter().flatten().flatten();
    items.filter_map(|it| it.file_name().into_string().ok()).collect()
}

/// Quotes a path for a shell.
fn shell_quote(path: &Path) -> String {
    let text = path.display().to_string();
    let is_plain = |it: char| it.is_ascii_alphanumeric() || "/._-+=:@,".contains(it);
    if !text.is_empty() && text.chars().all(is_plain) {
        return text;
    }
    format!("'{}'", text.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Scene {
        place: tempfile::TempDir,
    }

    impl Scene {
        fn new() -> Scene {
            let scene = Scene { place: tempfile::tempdir().unwrap() };
            scene.folder("data/workspaces/default");
            scene
        }

        fn at(&self, path: &str) -> PathBuf {
            self.place.path().join(path)
        }

        fn folder(&self, path: &str) {
            fs::create_dir_all(self.at(path)).unwrap();
        }

        fn file(&self, path: &str, text: &str) {
            let path = self.at(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }

        fn data(&self, state: &str) -> DataFolder {
            let state = (!state.is_empty()).then(|| self.at(state));
            DataFolder::with_state(self.at("data"), state)
        }

        fn refusal(&self, state: &str) -> String {
            self.data(state).claim_folders().unwrap_err().to_string()
        }
    }

    #[test]
    fn what_is_state_is_found_there_and_the_rest_is_not() {
        let scene = Scene::new();
        let check = |state: &str, path: &str, expect: &str| {
            assert_eq!(scene.data(state).resolve_path(path), scene.at(expect).join(path), "{path}");
        };
        for path in ["system", "system/users/a.json", "backups/a.zip", ".recto/sessions"] {
            check("state", path, "state");
            check("", path, "data");
        }
        for path in ["", "workspaces", "journal/1", ".recto", ".recto/tmp/1.tmp", ".recto/locks"] {
            check("state", path, "data");
        }
    }

    #[test]
    fn a_missing_state_directory_is_made_and_both_are_marked() {
        let scene = Scene::new();
        let data = scene.data("a/state");
        assert!(data.check_places().is_ok());
        assert!(data.check_present().unwrap_err().to_string().contains("does not exist"));
        data.claim_folders().unwrap();
        data.claim_folders().unwrap();
        data.check_present().unwrap();
        let refusal = scene.refusal("");
        assert!(refusal.contains("is kept in") && refusal.contains("--state-dir"), "{refusal}");
        fs::remove_file(scene.at("data/.recto/state-dir")).unwrap();
        scene.data("").claim_folders().unwrap();
        assert!(!scene.at("data/.recto/state-dir").exists(), "no mark without a state directory");
    }

    #[test]
    fn a_state_directory_that_is_not_mounted_is_no_new_one() {
        let scene = Scene::new();
        scene.data("state").claim_folders().unwrap();
        for left in [None, Some("state")] {
            fs::remove_dir_all(scene.at("state")).unwrap();
            left.into_iter().for_each(|it| scene.folder(it));
            let refusal = scene.refusal("state");
            assert!(refusal.contains("Is it mounted"), "{refusal}");
            scene.folder("state");
        }
        fs::remove_file(scene.at("data/.recto/state-dir")).unwrap();
        scene.data("state").claim_folders().unwrap();
    }

    #[test]
    fn a_state_directory_is_outside_of_the_data_folder() {
        let scene = Scene::new();
        for inside in ["data", "data/state", "data/a/../b", "data/../data/state"] {
            assert!(scene.refusal(inside).contains("inside the data folder"), "{inside}");
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(scene.at("data"), scene.at("link")).unwrap();
            assert!(scene.refusal("link/state").contains("inside the data folder"));
        }
        scene.file("file", "");
        assert!(scene.refusal("file").contains("is not a directory"));
        // A sibling with a similar name is outside of the data folder, and so is the parent.
        scene.data("data-state").claim_folders().unwrap();
        scene.data("data/..").check_places().unwrap();
    }

    #[test]
    fn state_in_both_places_is_refused_with_the_way_to_move_it() {
        let scene = Scene::new();
        scene.file("data/.recto/locks/instance.lock", "");
        scene.file("data/.recto/tmp/1.tmp", "");
        scene.folder("data/backups");
        scene.data("state").check_places().unwrap();
        scene.file("data/system/users/a.json", "{}");
        scene.file("data/.recto/sessions/a.json", "{}");
        let refusal = scene.refusal("state");
        let (data, state) = (scene.at("data"), scene.at("state"));
        let (data, state) = (data.display(), state.display());
        let way = format!(
            "mkdir -p {state}/.recto && mv {data}/system {state}/ && \
             mv {data}/.recto/sessions {state}/.recto/"
        );
        assert!(refusal.ends_with(&way), "{refusal}");
        let moved = std::process::Command::new("sh").arg("-c").arg(&way).status().unwrap();
        assert!(moved.success());
        scene.data("state").claim_folders().unwrap();
        scene.file("data/system/users/b.json", "{}");
        assert!(scene.refusal("state").contains("both"), "{}", scene.refusal("state"));
    }

    #[test]
    fn two_folders_never_share_one_state() {
        let scene = Scene::new();
        scene.data("state").claim_folders().unwrap();
        scene.folder("other/workspaces");
        let other = DataFolder::with_state(scene.at("other"), Some(scene.at("state")));
        let refusal = other.claim_folders().unwrap_err().to_string();
        assert!(refusal.contains("two folders cannot share one"), "{refusal}");
        // A data folder that is gone or was moved does not block its successor.
        fs::rename(scene.at("data"), scene.at("moved")).unwrap();
        other.claim_folders().unwrap();
    }

    #[test]
    fn a_folder_keeps_to_its_state() {
        let scene = Scene::new();
        scene.data("state").claim_folders().unwrap();
        scene.file("state/system/users/a.json", "{}");
        assert!(scene.refusal("other").contains("remove"), "{}", scene.refusal("other"));
        fs::rename(scene.at("state"), scene.at("other")).unwrap();
        scene.data("other").claim_folders().unwrap();
    }

    #[test]
    fn paths_are_quoted_for_a_shell() {
        let check = |path: &str, expect: &str| assert_eq!(shell_quote(Path::new(path)), expect);
        check("/a/b-c", "/a/b-c");
        check("/a b", "'/a b'");
        check("it's", r"'it'\''s'");
    }
}
