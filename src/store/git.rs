//! The git repository that a data folder lies in, as far as following the folder needs it: while git
//! changes the files of a work tree it holds a lock, `index.lock`, from before the first of them until
//! after the last, when the lock becomes the new `index`. Nothing is written here, and nothing else of
//! the repository is looked at.

use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

/// What git holds while it changes the work tree.
const INDEX_LOCK: &str = "index.lock";
/// What git knows of the files in the work tree.
const INDEX: &str = "index";
/// The most that is read of a `.git` that is a file.
const GIT_FILE_BYTES_MAX: u64 = 4 * 1024;
/// How long nothing may happen in the folder before a lock counts as left behind: git writes all the
/// time, unless it waits for somebody to write a message.
const QUIET_MAX: Duration = Duration::from_secs(5);
/// How long a lock is waited for at most, whatever happens.
const HOLD_MAX: Duration = Duration::from_secs(120);
/// A lock that was this old when it was first seen was left behind.
const AGE_MAX: Duration = Duration::from_secs(600);
/// How often the end of a lock is looked for.
const POLL: Duration = Duration::from_millis(25);

/// Which file it is: another one after it was made anew.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Seen {
    identity: u64,
    modified: SystemTime,
}

/// A lock that is waited for.
#[derive(Clone, Copy, Debug)]
struct Hold {
    lock: Seen,
    /// The last look at which git did nothing: it began after that.
    since: Instant,
    began: Instant,
    /// When something happened in the folder last.
    heard: Instant,
}

/// What git is doing in the folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Git {
    /// Nothing.
    Idle,
    /// It changes files; look again then.
    Busy(Instant),
    /// It has changed files since this moment, and is done.
    Done(Instant),
    /// It may have changed files since this moment: it has written its index, as it also does when it
    /// only looks at files.
    Wrote(Instant),
}

/// Waits for git to finish, and not for a lock that was left behind.
#[derive(Debug)]
pub struct GitWatch {
    root: PathBuf,
    hold: Option<Hold>,
    left_behind: Option<Seen>,
    /// The index as it was at the last look, and when that was.
    index: Option<Seen>,
    looked: Instant,
}

impl GitWatch {
    /// For the repository around a data folder, be there one or not.
    pub fn new(root: &Path) -> GitWatch {
        let (root, looked) = (root.to_path_buf(), Instant::now());
        let index = git_folder(&root).and_then(|it| seen(&it.join(INDEX)));
        GitWatch { root, hold: None, left_behind: None, index, looked }
    }

    /// Whether git was changing files when it was looked last.
    pub fn is_busy(&self) -> bool {
        self.hold.is_some()
    }

    /// Looks what git is doing. `heard` says whether something happened in the folder since the last
    /// look.
    pub fn look(&mut self, now: Instant, heard: bool) -> Git {
        let folder = git_folder(&self.root);
        let lock = folder.as_ref().and_then(|it| seen(&it.join(INDEX_LOCK)));
        let Some(lock) = lock.filter(|it| self.left_behind != Some(*it)) else {
            let index = folder.and_then(|it| seen(&it.join(INDEX)));
            let wrote = std::mem::replace(&mut self.index, index) != index;
            let looked = std::mem::replace(&mut self.looked, now);
            return match self.hold.take() {
                Some(hold) => Git::Done(hold.since),
                None if wrote => Git::Wrote(looked),
                None => Git::Idle,
            };
        };
        let begun = || Hold { lock, since: self.looked, began: now, heard: now };
        let mut hold = match self.hold {
            Some(hold) if hold.lock == lock => hold,
            // One command after the other, as in a rebase: what they do is taken in together.
            Some(hold) => Hold { lock, ..hold },
            None if lock.modified.elapsed().is_ok_and(|age| age > AGE_MAX) => {
                return self.give_up(lock);
            }
            None => begun(),
        };
        if heard {
            hold.heard = now;
        }
        let is_quiet = now.saturating_duration_since(hold.heard) > QUIET_MAX;
        if is_quiet || now.saturating_duration_since(hold.began) > HOLD_MAX {
            return self.give_up(lock);
        }
        self.hold = Some(hold);
        Git::Busy(now + POLL)
    }

    /// Follows the folder again although the lock is there.
    fn give_up(&mut self, lock: Seen) -> Git {
        tracing::warn!(
            "git holds its {INDEX_LOCK}, and nothing happens: the folder is followed all the same; \
             if no git command runs, remove the lock"
        );
        self.left_behind = Some(lock);
        self.hold.take().map_or(Git::Idle, |hold| Git::Done(hold.since))
    }
}

fn seen(path: &Path) -> Option<Seen> {
    let found = fs::symlink_metadata(path).ok()?;
    Some(Seen { identity: identity(&found), modified: found.modified().ok()? })
}

/// Where the repository around a folder keeps its index. Only one that belongs to the owner of the
/// folder counts, as with git itself: in a place like `/tmp` anybody could make one.
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
    if found.is_dir() { Some(git) } else { linked_folder(&git) }
}

/// Where a `.git` that is a file leads to: in other work trees of a repository, and in submodules.
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
fn identity(found: &fs::Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(found)
}

#[cfg(not(unix))]
fn identity(_found: &fs::Metadata) -> u64 {
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
        let index_lock = |data: &Path| seen(&git_folder(data)?.join(INDEX_LOCK));
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
        // A submodule; the nearest repository counts.
        let module = above.join("modules/site");
        fs::create_dir_all(&module).unwrap();
        fs::write(place.path().join("site/.git"), "gitdir: ../.git/modules/site\n").unwrap();
        check(&module);
        // The data folder is a work tree of a repository elsewhere.
        let elsewhere = tempfile::tempdir().unwrap();
        fs::write(data.join(".git"), format!("gitdir: {}", elsewhere.path().display())).unwrap();
        check(elsewhere.path());
        fs::write(data.join(".git"), "nonsense").unwrap();
        assert!(index_lock(&data).is_none());
    }

    #[test]
    fn a_lock_that_was_left_behind_holds_nobody_up() {
        let data = tempfile::tempdir().unwrap();
        let lock = data.path().join(".git").join(INDEX_LOCK);
        fs::create_dir(data.path().join(".git")).unwrap();
        let mut git = GitWatch::new(data.path());
        let start = Instant::now();
        let after = |seconds| start + Duration::from_secs(seconds);
        assert_eq!(git.look(start, true), Git::Idle);
        fs::write(&lock, "").unwrap();
        assert!(matches!(git.look(start, true), Git::Busy(_)));
        assert!(matches!(git.look(after(4), false), Git::Busy(_)));
        assert!(matches!(git.look(after(5), true), Git::Busy(_)));
        assert!(matches!(git.look(after(10), false), Git::Busy(_)));
        assert_eq!(git.look(after(11), false), Git::Done(start));
        assert!(!git.is_busy());
        assert_eq!(git.look(after(12), true), Git::Idle);
        // The next one is waited for again, whatever happens not for ever.
        fs::remove_file(&lock).unwrap();
        assert_eq!(git.look(after(13), true), Git::Idle);
        fs::write(&lock, "another").unwrap();
        let later = std::fs::File::options().write(true).open(&lock).unwrap();
        later.set_modified(SystemTime::now() + Duration::from_secs(1)).unwrap();
        for second in 14..=134 {
            assert!(matches!(git.look(after(second), true), Git::Busy(_)), "{second}");
        }
        assert_eq!(git.look(after(135), true), Git::Done(after(13)));
        // One that is old was left behind before anybody looked.
        let mut git = GitWatch::new(data.path());
        later.set_modified(SystemTime::now() - AGE_MAX - Duration::from_secs(1)).unwrap();
        assert_eq!(git.look(after(0), true), Git::Idle);
        fs::remove_file(&lock).unwrap();
        assert_eq!(git.look(after(1), true), Git::Idle);
    }

    #[test]
    fn what_git_did_between_two_looks_is_noticed() {
        let data = tempfile::tempdir().unwrap();
        let index = data.path().join(".git").join(INDEX);
        fs::create_dir(data.path().join(".git")).unwrap();
        let mut git = GitWatch::new(data.path());
        let start = Instant::now();
        assert_eq!(git.look(start, true), Git::Idle);
        fs::write(&index, "").unwrap();
        assert_eq!(git.look(start, true), Git::Wrote(start));
        assert_eq!(git.look(start, true), Git::Idle);
    }
}
