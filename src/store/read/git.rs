//! Detection of git commands in the repository that contains the data folder. While git changes
//! files of a work tree it holds the lock `index.lock`, from before the first change until after
//! the last, when the lock is renamed to `index`. The repository is only observed: nothing is
//! written, and no other file is read.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

/// The lock that git holds while it changes the work tree.
const INDEX_LOCK: &str = "index.lock";
/// The index of the files in the work tree.
const INDEX: &str = "index";
/// The maximum size of a `.git` file.
const GIT_FILE_BYTES_MAX: u64 = 4 * 1024;
/// The time without events after which a lock counts as stale: git writes continuously, unless it
/// waits for a user to write a message.
const QUIET_MAX: Duration = Duration::from_secs(5);
/// The maximum time to wait for a lock.
const HOLD_MAX: Duration = Duration::from_secs(120);
/// The age at which a newly seen lock counts as stale.
const AGE_MAX: Duration = Duration::from_secs(600);
/// The interval between checks for the end of a lock.
const POLL: Duration = Duration::from_millis(25);

/// The identity of a file, which differs after it was created again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct GitFileId {
    identity: u64,
    modified: SystemTime,
}

/// The wait for a lock.
#[derive(Clone, Copy, Debug)]
struct LockWait {
    lock: GitFileId,
    /// The time of the last check without a lock; git began after it.
    since: Instant,
    began: Instant,
    /// The time of the last event in the folder.
    last_event: Instant,
}

/// The activity of git in the folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GitState {
    /// Git does nothing.
    Idle,
    /// Git is changing files; check again at this time.
    Busy(Instant),
    /// Git is done; it has changed files since this time.
    Done(Instant),
    /// Git may have changed files since this time: it has written its index, which it also does
    /// when it only reads files.
    Wrote(Instant),
}

/// A watch that waits for git to finish, but ignores stale locks.
#[derive(Debug)]
pub struct GitWatch {
    root: PathBuf,
    hold: Option<LockWait>,
    left_behind: Option<GitFileId>,
    /// The index at the last check.
    index: Option<GitFileId>,
    looked: Instant,
}

impl GitWatch {
    /// Creates a watch for the repository around a data folder, whether there is one or not.
    pub fn new(root: &Path) -> GitWatch {
        let (root, looked) = (root.to_path_buf(), Instant::now());
        let index = git_folder(&root).and_then(|it| identify_file(&it.join(INDEX)));
        GitWatch { root, hold: None, left_behind: None, index, looked }
    }

    /// Returns true if git was changing files at the last check.
    #[cfg(any(test, feature = "simulate"))]
    pub fn is_busy(&self) -> bool {
        self.hold.is_some()
    }

    /// Checks what git is doing. `had_events` is true if there were events in the folder since the
    /// last check.
    pub fn poll_state(&mut self, now: Instant, had_events: bool) -> GitState {
        let folder = git_folder(&self.root);
        let lock = folder.as_ref().and_then(|it| identify_file(&it.join(INDEX_LOCK)));
        let Some(lock) = lock.filter(|it| self.left_behind != Some(*it)) else {
            let index = folder.and_then(|it| identify_file(&it.join(INDEX)));
            let wrote = std::mem::replace(&mut self.index, index) != index;
            let looked = std::mem::replace(&mut self.looked, now);
            return match self.hold.take() {
                Some(hold) => GitState::Done(hold.since),
                None if wrote => GitState::Wrote(looked),
                None => GitState::Idle,
            };
        };
        let begun = || LockWait { lock, since: self.looked, began: now, last_event: now };
        let mut hold = match self.hold {
            Some(hold) if hold.lock == lock => hold,
            // Consecutive commands, as in a rebase, count as one.
            Some(hold) => LockWait { lock, ..hold },
            None if lock.modified.elapsed().is_ok_and(|age| age > AGE_MAX) => {
                return self.ignore_lock(lock);
            }
            None => begun(),
        };
        if had_events {
            hold.last_event = now;
        }
        let is_quiet = now.saturating_duration_since(hold.last_event) > QUIET_MAX;
        if is_quiet || now.saturating_duration_since(hold.began) > HOLD_MAX {
            return self.ignore_lock(lock);
        }
        self.hold = Some(hold);
        GitState::Busy(now + POLL)
    }

    /// Ignores a stale lock.
    fn ignore_lock(&mut self, lock: GitFileId) -> GitState {
        tracing::warn!(
            "git holds its {INDEX_LOCK}, but nothing happens: the folder is followed again; if no \
             git command is running, remove the lock"
        );
        self.left_behind = Some(lock);
        self.hold.take().map_or(GitState::Idle, |hold| GitState::Done(hold.since))
    }
}

fn identify_file(path: &Path) -> Option<GitFileId> {
    let found = fs::symlink_metadata(path).ok()?;
    Some(GitFileId { identity: file_identity(&found), modified: found.modified().ok()? })
}

/// Returns the folder with the index of the repository around a folder. Like git, it only accepts a
/// repository of the folder's owner: in a place like `/tmp` anybody could create one.
fn git_folder(root: &Path) -> Option<PathBuf> {
    let root = root.canonicalize().ok()?;
    let found = root.ancestors().find_map(|folder| {
        let git = folder.join(".git");
        let found = fs::symlink_metadata(&git).ok()?;
        Some((git, found))
    });
    let (git, found) = found?;
    if !is_of_same_owner(&found, &fs::metadata(&root).ok()?) {
        return None;
    }
    // Some tools make `.git` a link. Opening anything but a folder or a file could block forever.
    let found = fs::metadata(&git).ok()?;
    if found.is_dir() { Some(git) } else { found.is_file().then(|| linked_folder(&git))? }
}

/// Returns the target of a `.git` file, as in linked work trees and submodules.
fn linked_folder(git: &Path) -> Option<PathBuf> {
    let mut text = String::new();
    fs::File::open(git).ok()?.take(GIT_FILE_BYTES_MAX).read_to_string(&mut text).ok()?;
    let folder = text.strip_prefix("gitdir:")?.trim();
    Some(git.parent()?.join(folder))
}

#[cfg(unix)]
fn is_of_same_owner(one: &fs::Metadata, other: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    one.uid() == other.uid()
}

#[cfg(not(unix))]
fn is_of_same_owner(_one: &fs::Metadata, _other: &fs::Metadata) -> bool {
    true
}

#[cfg(unix)]
fn file_identity(found: &fs::Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(found)
}

#[cfg(not(unix))]
fn file_identity(_found: &fs::Metadata) -> u64 {
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lock_of_the_repository_around_is_found() {
        let place = tempfile::tempdir().unwrap();
        let data = place.path().join("site/data");
        fs::create_dir_all(&data).unwrap();
        let index_lock = |data: &Path| identify_file(&git_folder(data)?.join(INDEX_LOCK));
        let check = |folder: &Path| {
            let lock = folder.join(INDEX_LOCK);
            assert!(index_lock(&data).is_none(), "{}", folder.display());
            fs::write(&lock, "").unwrap();
            assert!(index_lock(&data).is_some(), "{}", folder.display());
            fs::remove_file(&lock).unwrap();
        };
        assert!(index_lock(&data).is_none());
        let above = place.path().join(".git");
        fs::create_dir(&above).unwrap();
        check(&above);
        // A submodule: the nearest repository counts.
        let module = above.join("modules/site");
        fs::create_dir_all(&module).unwrap();
        fs::write(place.path().join("site/.git"), "gitdir: ../.git/modules/site\n").unwrap();
        check(&module);
        // The data folder is a linked work tree of another repository.
        let elsewhere = tempfile::tempdir().unwrap();
        fs::write(data.join(".git"), format!("gitdir: {}", elsewhere.path().display())).unwrap();
        check(elsewhere.path());
        fs::write(data.join(".git"), "nonsense").unwrap();
        assert!(index_lock(&data).is_none());
    }

    #[cfg(unix)]
    #[test]
    fn a_repository_may_be_a_link_and_nothing_else() {
        let data = tempfile::tempdir().unwrap();
        let elsewhere = tempfile::tempdir().unwrap();
        let git = data.path().join(".git");
        std::os::unix::fs::symlink(elsewhere.path(), &git).unwrap();
        assert_eq!(git_folder(data.path()), Some(data.path().canonicalize().unwrap().join(".git")));
        fs::remove_file(&git).unwrap();
        rustix::fs::mkfifoat(rustix::fs::CWD, &git, rustix::fs::Mode::RWXU).unwrap();
        assert_eq!(git_folder(data.path()), None);
    }

    #[test]
    fn a_lock_that_was_left_behind_holds_nobody_up() {
        let data = tempfile::tempdir().unwrap();
        let lock = data.path().join(".git").join(INDEX_LOCK);
        fs::create_dir(data.path().join(".git")).unwrap();
        let mut git = GitWatch::new(data.path());
        let start = Instant::now();
        let after = |seconds| start + Duration::from_secs(seconds);
        assert_eq!(git.poll_state(start, true), GitState::Idle);
        fs::write(&lock, "").unwrap();
        assert!(matches!(git.poll_state(start, true), GitState::Busy(_)));
        assert!(matches!(git.poll_state(after(4), false), GitState::Busy(_)));
        assert!(matches!(git.poll_state(after(5), true), GitState::Busy(_)));
        assert!(matches!(git.poll_state(after(10), false), GitState::Busy(_)));
        assert_eq!(git.poll_state(after(11), false), GitState::Done(start));
        assert!(!git.is_busy());
        assert_eq!(git.poll_state(after(12), true), GitState::Idle);
        // The next lock is waited for again, but not forever.
        fs::remove_file(&lock).unwrap();
        assert_eq!(git.poll_state(after(13), true), GitState::Idle);
        fs::write(&lock, "another").unwrap();
        let later = std::fs::File::options().write(true).open(&lock).unwrap();
        later.set_modified(SystemTime::now() + Duration::from_secs(1)).unwrap();
        for second in 14..=134 {
            assert!(matches!(git.poll_state(after(second), true), GitState::Busy(_)), "{second}");
        }
        assert_eq!(git.poll_state(after(135), true), GitState::Done(after(13)));
        // A lock that is old when first seen is stale.
        let mut git = GitWatch::new(data.path());
        later.set_modified(SystemTime::now() - AGE_MAX - Duration::from_secs(1)).unwrap();
        assert_eq!(git.poll_state(after(0), true), GitState::Idle);
        fs::remove_file(&lock).unwrap();
        assert_eq!(git.poll_state(after(1), true), GitState::Idle);
    }

    #[test]
    fn what_git_did_between_two_looks_is_noticed() {
        let data = tempfile::tempdir().unwrap();
        let index = data.path().join(".git").join(INDEX);
        fs::create_dir(data.path().join(".git")).unwrap();
        let mut git = GitWatch::new(data.path());
        let start = Instant::now();
        assert_eq!(git.poll_state(start, true), GitState::Idle);
        fs::write(&index, "").unwrap();
        assert_eq!(git.poll_state(start, true), GitState::Wrote(start));
        assert_eq!(git.poll_state(start, true), GitState::Idle);
    }
}
