//! What is known of the data folder without opening a file: names, stats and sums. The next look
//! is compared with it. Nothing of the content is kept here.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;
use std::time::{Instant, SystemTime, UNIX_EPOCH};

use crate::model::name::WorkspaceSlug;
use crate::model::problem::{Problem, ProblemKind};
use crate::stdx::sum::Sum;
use crate::store::disk::{Stat, parent};
use crate::store::layout::{Folder, Key};
use crate::store::load::{FileRef, FolderRef, Scan};

/// A file changed this shortly before it was read may change again without showing in its stat:
/// some file systems count time in steps of two seconds.
const RACY_NS: i64 = 2_000_000_000;

/// The present: for waits, and for comparing with the times of files.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    /// For waits.
    pub instant: Instant,
    /// Nanoseconds since 1970.
    pub wall_ns: i64,
}

impl Moment {
    /// The present of this machine.
    pub fn now() -> Moment {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let wall_ns = i64::try_from(since.as_nanos()).unwrap_or(i64::MAX);
        Moment { instant: Instant::now(), wall_ns }
    }

    /// Whether a file of this stat, read now, may change without its stat changing.
    pub fn is_racy(&self, stat: &Stat) -> bool {
        let last = if stat.changed_ns == 0 { stat.modified_ns } else { stat.changed_ns };
        self.wall_ns.saturating_sub(last) < RACY_NS
    }
}

/// What is known of the folder, with nothing of the content in it.
#[derive(Debug, Default)]
pub struct Known {
    pub(super) folders: BTreeMap<String, KnownFolder>,
}

#[derive(Debug)]
pub(super) struct KnownFolder {
    pub(super) here: Arc<FolderRef>,
    /// Sorted by name; a plain list, because there may be a hundred thousand.
    pub(super) files: Vec<KnownFile>,
    /// Names that cannot be loaded, and what is no file.
    pub(super) misnamed: Vec<Problem>,
    /// Names that differ only in case.
    pub(super) collisions: Vec<Problem>,
    /// Whether names that are known were not there when it was listed last.
    pub(super) incomplete: bool,
    /// Not there any more; its files wait to be believed missing.
    pub(super) gone: bool,
}

#[derive(Debug)]
pub(super) struct KnownFile {
    pub(super) name: Box<str>,
    pub(super) state: State,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct State {
    pub(super) stat: Stat,
    pub(super) sum: Sum,
    pub(super) trust: Trust,
}

/// What an equal stat is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trust {
    /// The bytes are the same.
    Same,
    /// The file was read so shortly after a change that there may have been another one.
    Racy,
    /// The file could not be read, and still cannot.
    Unreadable,
}

impl State {
    pub(super) fn read(stat: Stat, sum: Sum, now: Moment) -> State {
        let trust = if now.is_racy(&stat) { Trust::Racy } else { Trust::Same };
        State { stat, sum, trust }
    }

    pub(super) fn unread(stat: Stat, trust: Trust) -> State {
        State { stat, sum: Sum::default(), trust }
    }

    pub(super) fn is_clean(&self, stat: &Stat) -> bool {
        self.stat == *stat && self.trust != Trust::Racy
    }

    /// Whether nothing that is served differs: times that a file does not give are its own.
    pub(super) fn is_as_good_as(&self, now: &State) -> bool {
        let second = |state: &State| state.stat.modified_ns.div_euclid(1_000_000_000);
        self.readable_sum() == now.readable_sum() && second(self) == second(now)
    }

    pub(super) fn readable_sum(&self) -> Option<Sum> {
        (self.trust != Trust::Unreadable).then_some(self.sum)
    }
}

impl Known {
    /// The folders and problems of a scan; its files follow by [`Known::read`] and its siblings.
    pub fn of(scan: &Scan) -> Known {
        let mut known = Known::default();
        for folder in &scan.folders {
            known.folders.insert(folder.path.clone(), KnownFolder::new(Arc::clone(folder)));
        }
        for problem in &scan.problems {
            let Some(folder) = known.folders.get_mut(parent(&problem.path)) else { continue };
            match problem.kind {
                ProblemKind::CaseCollision => folder.collisions.push(problem.clone()),
                _ => folder.misnamed.push(problem.clone()),
            }
        }
        known
    }

    /// A file was read.
    pub fn read(&mut self, file: &FileRef, stat: Stat, sum: Sum, now: Moment) {
        self.set(&file.folder, &file.name, State::read(stat, sum, now));
    }

    /// A file is known by its stat alone.
    pub fn seen(&mut self, file: &FileRef) {
        self.set(&file.folder, &file.name, State::unread(file.stat, Trust::Same));
    }

    /// A file could not be read.
    pub fn unreadable(&mut self, file: &FileRef) {
        self.set(&file.folder, &file.name, State::unread(file.stat, Trust::Unreadable));
    }

    /// What a file was when it was last read.
    pub fn stat(&self, key: &Key) -> Option<(Stat, Sum)> {
        let folder = self.folders.get(&key.folder().path())?;
        folder.get(&key.name()).map(|state| (state.stat, state.sum))
    }

    /// The workspaces whose folder is there with something of ours in it.
    pub fn workspaces(&self) -> Vec<WorkspaceSlug> {
        let is_empty = |folder: &KnownFolder| {
            folder.files.is_empty() && self.folders_in(&folder.here.path).is_empty()
        };
        let slug = |folder: &KnownFolder| match &folder.here.folder {
            Folder::Workspace(ws) if !is_empty(folder) => Some(ws.clone()),
            _ => None,
        };
        self.folders.values().filter_map(slug).collect()
    }

    /// What is wrong with names and with things that stand where files should.
    pub fn problems(&self) -> Vec<Problem> {
        let all = |folder: &KnownFolder| [folder.misnamed.clone(), folder.collisions.clone()];
        self.folders.values().flat_map(all).flatten().collect()
    }

    /// How many bytes all files have.
    pub fn bytes(&self) -> u64 {
        let files = self.folders.values().flat_map(|folder| &folder.files);
        files.fold(0, |sum, file| sum.saturating_add(file.state.stat.size))
    }

    /// How many files are known.
    #[cfg(test)]
    pub(super) fn files_count(&self) -> usize {
        self.folders.values().map(|folder| folder.files.len()).sum()
    }

    /// Sets what is known of one file.
    pub(super) fn set(&mut self, folder: &Arc<FolderRef>, name: &str, state: State) {
        self.entry(folder).set(name, state);
    }

    /// Sets what is known of many files.
    pub(super) fn set_all(&mut self, states: Vec<(Arc<FolderRef>, Box<str>, State)>) {
        let mut by_folder: HashMap<String, Vec<(Box<str>, State)>> = HashMap::new();
        for (folder, name, state) in states {
            self.entry(&folder);
            by_folder.entry(folder.path.clone()).or_default().push((name, state));
        }
        for (path, states) in by_folder {
            if let Some(folder) = self.folders.get_mut(&path) {
                folder.set_all(states);
            }
        }
    }

    /// Forgets files of one folder.
    pub(super) fn forget(&mut self, folder: &str, names: &HashSet<&str>) {
        if let Some(known) = self.folders.get_mut(folder) {
            known.files.retain(|file| !names.contains(&*file.name));
        }
    }

    /// Forgets all files of one folder.
    pub(super) fn forget_all(&mut self, folder: &str) {
        if let Some(known) = self.folders.get_mut(folder) {
            known.files.clear();
        }
    }

    /// What is known of a file.
    pub(super) fn state(&self, file: &FileRef) -> Option<State> {
        self.folders.get(&file.folder.path)?.get(&file.name)
    }

    /// The paths of the folders right below one that are known, or have known ones below them.
    pub(super) fn folders_in(&self, path: &str) -> BTreeSet<String> {
        let inside = format!("{path}/");
        let below = self.folders.range(inside.clone()..).map(|(path, _)| path);
        let below = below.map_while(|path| path.strip_prefix(&inside));
        let names = below.map(|rest| rest.split('/').next().unwrap_or(rest));
        names.map(|name| format!("{inside}{name}")).collect()
    }

    /// What is known of a folder, which may be nothing yet.
    pub(super) fn entry(&mut self, folder: &Arc<FolderRef>) -> &mut KnownFolder {
        self.folders
            .entry(folder.path.clone())
            .or_insert_with(|| KnownFolder::new(Arc::clone(folder)))
    }
}

impl KnownFolder {
    pub(super) fn new(here: Arc<FolderRef>) -> KnownFolder {
        let (files, misnamed, collisions) = (Vec::new(), Vec::new(), Vec::new());
        KnownFolder { here, files, misnamed, collisions, incomplete: false, gone: false }
    }

    pub(super) fn find(&self, name: &str) -> Result<usize, usize> {
        // Folders are read in order: most names belong behind the last.
        if self.files.last().is_some_and(|last| *last.name < *name) {
            return Err(self.files.len());
        }
        self.files.binary_search_by(|file| (*file.name).cmp(name))
    }

    /// Whether there is a name that differs from a new one only in case.
    pub(super) fn collides(&self, name: &str) -> bool {
        let is_same = |other: &str| {
            other.eq_ignore_ascii_case(name)
                || !(other.is_ascii() && name.is_ascii())
                    && other.to_lowercase() == name.to_lowercase()
        };
        self.files.iter().any(|file| is_same(&file.name))
    }

    pub(super) fn get(&self, name: &str) -> Option<State> {
        let index = self.find(name).ok()?;
        self.files.get(index).map(|file| file.state)
    }

    pub(super) fn set(&mut self, name: &str, state: State) {
        match self.find(name) {
            Ok(index) => {
                if let Some(file) = self.files.get_mut(index) {
                    file.state = state;
                }
            }
            Err(index) => self.files.insert(index, KnownFile { name: name.into(), state }),
        }
    }

    /// New names go to the end and are sorted in once, however many they are.
    fn set_all(&mut self, states: Vec<(Box<str>, State)>) {
        let mut new = Vec::new();
        for (name, state) in states {
            match self.files.binary_search_by(|file| file.name.cmp(&name)) {
                Ok(index) => {
                    if let Some(file) = self.files.get_mut(index) {
                        file.state = state;
                    }
                }
                Err(_) => new.push(KnownFile { name, state }),
            }
        }
        if !new.is_empty() {
            self.files.append(&mut new);
            self.files.sort_by(|one, other| one.name.cmp(&other.name));
        }
    }
}
