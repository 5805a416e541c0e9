//! The state of single files at this moment, and what is written down of it for the follower.

use std::time::Duration;
use std::time::Instant;

use crate::engine::folder::OpenFolder;
use crate::engine::folder::last_good::keeps_last_good;
use crate::engine::folder::own_write::OwnWrite;
use crate::model::problem::Problem;
use crate::stdx::checksum::Checksum;
use crate::store::archive::survey::SurveyedFile;
use crate::store::disk::ReadError;
use crate::store::disk::Stat;
use crate::store::layout::FilePath;
use crate::store::layout::Folder;
use crate::store::layout::Key;
use crate::store::read::load::is_absence;
use crate::store::read::load::is_removal;
use crate::store::read::moment::Moment;
use crate::store::read::sweep::FileChange;
use crate::store::read::sweep::Reconciler;
use crate::store::read::sweep::SweptFile;
use crate::store::summed_content::SummedContent;
use crate::store::write::commit::WrittenStat;

/// The time for which a file that a change needs may be missing: editors unlink and create anew.
const MISSING_GRACE: Duration = Duration::from_millis(300);

/// The pause between two looks for it.
const MISSING_POLL: Duration = Duration::from_millis(10);

impl OpenFolder {
    /// The changes as they are now: what was found a moment ago may have been overwritten here
    /// since.
    pub(crate) fn confirm_changes(&self, changes: Vec<FileChange>) -> Vec<FileChange> {
        let (mut same, outdated): (Vec<FileChange>, Vec<FileChange>) =
            changes.into_iter().partition(|it| self.is_as_found(it));
        let outdated = outdated.into_iter().map(|it| it.key.into());
        same.extend(self.observe_files(outdated.collect()));
        same
    }

    fn is_as_found(&self, change: &FileChange) -> bool {
        let found = self.disk.stat(&change.path);
        match (&change.now, &found) {
            (SweptFile::Read { stat, .. } | SweptFile::Seen(stat), Ok(found)) => {
                found.stat == *stat
            }
            (SweptFile::Missing, Err(error)) => is_removal(&change.key, error),
            (SweptFile::Unreadable(_), _) => true,
            _ => false,
        }
    }

    /// Observes files at this moment, for whoever takes them over. Those that are missing may be
    /// back in a moment, and are waited for together.
    pub(crate) fn observe_files(&self, paths: Vec<FilePath>) -> Vec<FileChange> {
        let look = |path: &FilePath| {
            let since = Moment::now();
            Some((self.look_at(path)?, since))
        };
        let found = look_until_found(paths, look);
        let record = |(path, (now, since))| self.record_observed(path, now, since);
        found.into_iter().map(record).collect()
    }

    /// Returns the state of a file, or notes that nothing can be said of it at this moment.
    fn look_at(&self, path: &FilePath) -> Option<SweptFile> {
        let key = path.key();
        let problem = if key.is_json() {
            match self.read_body(path) {
                Ok((bytes, stat)) => {
                    return Some(SweptFile::Read { content: bytes.into(), stat });
                }
                Err(ReadError::Missing) => return Some(SweptFile::Missing),
                Err(error) if error.is_transient() => error.to_problem(path),
                Err(error) => return Some(SweptFile::Unreadable(error.to_problem(path))),
            }
        } else {
            match self.disk.stat(path) {
                Ok(found) => return Some(SweptFile::Seen(found.stat)),
                Err(error) if is_absence(&error) => return Some(SweptFile::Missing),
                Err(error) => ReadError::from(error).to_problem(path),
            }
        };
        self.record_unseen(key.clone(), problem);
        None
    }

    /// Observes a file for whoever takes it over, without waiting for one that may come back.
    pub(crate) fn observe_once(&self, path: FilePath) -> Option<FileChange> {
        let since = Moment::now();
        let now = self.read_current(path.key(), &path).ok()?;
        Some(self.record_observed(path, now, since))
    }

    /// Notes a file that is taken over apart from the sweep: one that the sweep never saw may
    /// vanish before it looks, and one that it believes to be there may come back as it was.
    fn record_observed(&self, path: FilePath, now: SweptFile, since: Moment) -> FileChange {
        let key = path.key().clone();
        let learned = match &now {
            SweptFile::Read { content, stat } => OwnWrite::Wrote(key, *stat, content.sum(), since),
            // A stat that no file has: whether it is a file at all is for the sweep to say.
            SweptFile::Seen(_) | SweptFile::Unreadable(_) => {
                OwnWrite::Wrote(key, Stat::default(), Checksum::default(), since)
            }
            SweptFile::Missing => OwnWrite::Removed(key),
        };
        if path.key().is_watched() {
            self.own_writes.lock().push(learned);
        }
        FileChange::new(path, now)
    }

    pub(crate) fn read_current(&self, key: &Key, path: &str) -> Result<SweptFile, ReadError> {
        match self.disk.stat(path) {
            Ok(found) if !key.is_json() => Ok(SweptFile::Seen(found.stat)),
            Ok(_) => {
                let (bytes, stat) = self.read_body(path)?;
                Ok(SweptFile::Read { content: bytes.into(), stat })
            }
            Err(error) if is_removal(key, &error) => Ok(SweptFile::Missing),
            Err(error) => Err(error.into()),
        }
    }

    /// Notes a file that was written here. `known` is its stat if the commit has read it.
    pub(crate) fn record_written(
        &self,
        path: &FilePath,
        bytes: &SummedContent,
        known: Option<WrittenStat>,
        learned: &mut Vec<OwnWrite>,
    ) {
        let key = path.key();
        if !key.is_watched() {
            return;
        }
        let written = known.or_else(|| {
            let since = Moment::now();
            Some(WrittenStat { stat: self.stat_written(path, bytes)?, since })
        });
        let Some(WrittenStat { stat, since }) = written else { return };
        let sum = bytes.sum();
        if keeps_last_good(key) {
            self.save_last_good(path, bytes, &stat, sum);
        }
        learned.push(OwnWrite::Wrote(key.clone(), stat, sum, since));
    }

    /// Returns the stat of a file with these bytes, or one that no file has: what was written over
    /// or removed already is the edit of somebody else. Of files that are not JSON, whatever is
    /// there counts.
    fn stat_written(&self, path: &FilePath, bytes: &SummedContent) -> Option<Stat> {
        if !path.key().is_json() {
            return self.disk.stat(path).ok().map(|it| it.stat);
        }
        let read = self.read_body(path).ok().filter(|(found, _)| **found == **bytes);
        Some(read.map(|(_, stat)| stat).unwrap_or_default())
    }

    /// A file as it was written just now.
    pub(crate) fn read_as_written(&self, content: &SummedContent) -> SweptFile {
        let modified_ns = self.clock.now().seconds().saturating_mul(1_000_000_000);
        let stat = Stat { modified_ns, ..Stat::default() };
        SweptFile::Read { content: content.clone(), stat }
    }

    /// Tells what is wrong with a changed file as far as that shows without its content.
    pub(crate) fn record_problem(&self, change: &FileChange) {
        let problems = match &change.now {
            SweptFile::Unreadable(problem) => vec![problem.clone()],
            SweptFile::Seen(_) | SweptFile::Missing => Vec::new(),
            // Whoever makes something of the content tells what is wrong with it.
            SweptFile::Read { .. } => return,
        };
        self.problems.set_file(&change.path, problems, self.clock.now());
    }

    /// Remembers which of these files are there no longer.
    pub(crate) fn record_removals<'f>(&self, files: impl Iterator<Item = &'f SurveyedFile>) {
        let mut learned = Vec::new();
        let is_gone =
            |it: &&SurveyedFile| self.disk.stat(&it.path).is_err_and(|error| is_absence(&error));
        for file in files.filter(is_gone) {
            self.record_removed(&file.key, &file.path, &mut learned);
        }
        self.own_writes.lock().append(&mut learned);
    }

    /// A file could not be looked at, for a reason that may pass: it is tried again.
    pub(crate) fn record_unseen(&self, key: Key, problem: Problem) {
        let path = key.path();
        let mut learned = self.own_writes.lock();
        learned.push(OwnWrite::Unseen(key, problem));
        drop(learned);
        self.watcher.mark_path(&path);
    }

    pub(crate) fn record_removed(&self, key: &Key, path: &str, learned: &mut Vec<OwnWrite>) {
        if !key.is_watched() {
            return;
        }
        if let Some(pack) = &self.pack {
            pack.forget_body(path);
        }
        self.problems.set_file(path, Vec::new(), self.clock.now());
        learned.push(OwnWrite::Removed(key.clone()));
    }

    /// Tells the reconciler what was written here since it was told last.
    pub(crate) fn flush_own_writes(&self, reconciler: &mut Reconciler) {
        let learned = std::mem::take(&mut *self.own_writes.lock());
        for one in learned {
            match one {
                OwnWrite::Wrote(key, stat, sum, now) => {
                    reconciler.record_write(&key, stat, sum, now)
                }
                OwnWrite::Removed(key) => reconciler.record_removal(&key),
                OwnWrite::Unseen(key, problem) => reconciler.mark_file_missed(&key, problem),
                OwnWrite::Loaded(ws, loaded) => reconciler.record_loaded(ws, loaded),
            }
        }
    }

    /// A folder could not be looked at when it had to be: what is served may not be what is there,
    /// so everything in it is looked at again.
    pub(crate) fn mark_missed(&self, folder: Folder) {
        self.missed.lock().insert(folder.path(), folder);
        self.watcher.sweep_now();
    }

    /// The folders to be looked at again.
    pub(crate) fn take_missed(&self) -> Vec<Folder> {
        let mut missed = self.missed.lock();
        std::mem::take(&mut *missed).into_values().collect()
    }
}

/// Looks at files until each is there, or has been missing for a while. Those that are missing are
/// waited for together, however many they are. Leaves out files of which `look` says nothing.
fn look_until_found(
    paths: Vec<FilePath>,
    look: impl Fn(&FilePath) -> Option<(SweptFile, Moment)>,
) -> Vec<(FilePath, (SweptFile, Moment))> {
    let mut found = Vec::with_capacity(paths.len());
    let (mut waiting, mut until): (Vec<FilePath>, Option<Instant>) = (paths, None);
    loop {
        let is_over = || until.is_some_and(|it| Instant::now() >= it);
        let mut missing = Vec::new();
        for path in waiting {
            match look(&path) {
                Some((SweptFile::Missing, _)) if !is_over() => missing.push(path),
                Some(seen) => found.push((path, seen)),
                None => {}
            }
        }
        if missing.is_empty() {
            return found;
        }
        waiting = missing;
        until = until.or_else(|| Some(Instant::now() + MISSING_GRACE));
        std::thread::sleep(MISSING_POLL);
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    fn path_of(name: &str) -> FilePath {
        Key::parse(&format!("workspaces/main/content/posts/{name}.json")).unwrap().into()
    }

    #[test]
    fn missing_files_are_waited_for_together() {
        let [there, back, gone, unknown] = ["there", "back", "gone", "unknown"].map(path_of);
        let looks: RefCell<Vec<FilePath>> = RefCell::default();
        let since = Moment::now();
        let look = |path: &FilePath| {
            looks.borrow_mut().push(path.clone());
            let seen = SweptFile::Seen(Stat::default());
            // One comes back only once another one was looked at.
            let is_back = looks.borrow().contains(&gone);
            match path {
                it if *it == there => Some((seen, since)),
                it if *it == back => Some((if is_back { seen } else { SweptFile::Missing }, since)),
                it if *it == gone => Some((SweptFile::Missing, since)),
                _ => None,
            }
        };
        let paths = vec![back.clone(), there.clone(), unknown.clone(), gone.clone()];
        let found = look_until_found(paths, look);
        let found: Vec<(&FilePath, bool)> = found
            .iter()
            .map(|(path, (now, _))| (path, matches!(now, SweptFile::Missing)))
            .collect();
        assert_eq!(found, [(&there, false), (&back, false), (&gone, true)]);
        let n_looks = |path: &FilePath| looks.borrow().iter().filter(|it| *it == path).count();
        assert_eq!([&there, &unknown, &back].map(n_looks), [1, 1, 2]);
        assert!(n_looks(&gone) >= 2);
    }
}
