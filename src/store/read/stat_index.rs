//! The stat index: names, stats and checksums of the files in the data folder, without their
//! content. The next sweep compares the folder with it.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use crate::model::name::WorkspaceSlug;
use crate::model::problem::{Problem, ProblemKind};
use crate::stdx::checksum::Checksum;
use crate::store::disk::{Listing, Stat, parent_folder};
use crate::store::layout::Folder;
#[cfg(test)]
use crate::store::layout::Key;
use crate::store::read::load::{self, FileRef, FolderRef, FolderScan, ScannedFolder};
use crate::store::read::moment::Moment;

/// The index of a data folder.
#[derive(Debug, Default)]
pub struct StatIndex {
    pub(super) folders: BTreeMap<String, IndexedFolder>,
}

#[derive(Debug)]
pub(super) struct IndexedFolder {
    pub(super) here: Arc<FolderRef>,
    /// Sorted by name. A plain list, since there may be a hundred thousand files.
    pub(super) files: Vec<IndexedFile>,
    /// The problems of names that cannot be loaded, and of items that are not files.
    pub(super) misnamed: Vec<Problem>,
    /// The problems of names that differ only in case.
    pub(super) collisions: Vec<Problem>,
    /// True if names came or went since the collisions were found, as by writes of this server.
    pub(super) has_other_names: bool,
    /// True if indexed files were missing in the last listing.
    pub(super) incomplete: bool,
    /// True if the folder is missing; its files are not believed to be deleted yet.
    pub(super) gone: bool,
}

#[derive(Debug)]
pub(super) struct IndexedFile {
    pub(super) name: Box<str>,
    pub(super) state: FileState,
}

/// The state of a file when it was last looked at.
#[derive(Clone, Copy, Debug)]
pub struct FileState {
    pub(super) stat: Stat,
    pub(super) sum: Checksum,
    pub(super) trust: StatTrust,
}

/// The meaning of an unchanged stat.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StatTrust {
    /// The bytes are unchanged.
    Same,
    /// The file was read so soon after a change that another one may have followed.
    Racy,
    /// The file could not be read, and still cannot.
    Unreadable,
}

impl FileState {
    /// Returns the state of a file that was read.
    pub fn from_read(stat: Stat, sum: Checksum, now: Moment) -> FileState {
        let trust = if now.is_racy(&stat) { StatTrust::Racy } else { StatTrust::Same };
        FileState { stat, sum, trust }
    }

    /// Returns the state of a file that was not read.
    pub fn from_stat(stat: Stat, trust: StatTrust) -> FileState {
        FileState { stat, sum: Checksum::default(), trust }
    }

    pub(super) fn is_clean(&self, stat: &Stat) -> bool {
        self.stat == *stat && self.trust != StatTrust::Racy
    }

    /// Returns true if nothing that is served differs. The modification time matters, since it
    /// replaces times that the file lacks.
    pub(super) fn is_equivalent(&self, now: &FileState) -> bool {
        let second = |state: &FileState| state.stat.modified_ns.div_euclid(1_000_000_000);
        self.readable_sum() == now.readable_sum() && second(self) == second(now)
    }

    pub(super) fn readable_sum(&self) -> Option<Checksum> {
        (self.trust != StatTrust::Unreadable).then_some(self.sum)
    }
}

impl StatIndex {
    /// Creates an index with the folders and problems of a scan. The files are added with
    /// [`StatIndex::record_files`].
    pub fn from_scan(scan: &FolderScan) -> StatIndex {
        let mut known = StatIndex::default();
        for ScannedFolder { here, files } in &scan.folders {
            let mut folder = IndexedFolder::new(Arc::clone(here));
            folder.files.reserve_exact(files.len());
            known.folders.insert(here.path.clone(), folder);
        }
        for problem in &scan.problems {
            if problem.kind == ProblemKind::Unreadable
                && let Some(folder) = Folder::parse(&problem.path)
            {
                // As in a sweep, which looks into the folder itself to find out if it still has it.
                let here = FolderRef { folder, path: problem.path.clone(), inode: 0 };
                known.ensure_folder(&Arc::new(here)).misnamed.push(problem.clone());
                continue;
            }
            let Some(folder) = known.folders.get_mut(parent_folder(&problem.path)) else {
                continue;
            };
            match problem.kind {
                ProblemKind::CaseCollision => folder.collisions.push(problem.clone()),
                _ => folder.misnamed.push(problem.clone()),
            }
        }
        known
    }

    /// Records a file that was found.
    pub fn record_file(&mut self, file: FileRef, state: FileState) {
        self.set_file(&file.folder, file.name, state);
    }

    /// Records files of one folder that were found, in the order of their names.
    pub fn record_files(&mut self, files: impl Iterator<Item = (FileRef, FileState)>) {
        let mut files = files.peekable();
        let Some((first, _)) = files.peek() else { return };
        let here = Arc::clone(&first.folder);
        let folder = self.ensure_folder(&here);
        folder.files.reserve_exact(files.size_hint().1.unwrap_or_default());
        for (file, state) in files {
            debug_assert!(Arc::ptr_eq(&file.folder, &here), "they are of one folder");
            folder.set_file(file.name, state);
        }
    }

    /// Adds what was recorded in an index of its own.
    pub fn merge_recorded(&mut self, recorded: StatIndex) {
        for (path, mut folder) in recorded.folders {
            match self.folders.entry(path) {
                Entry::Vacant(place) => _ = place.insert(folder),
                Entry::Occupied(mut known) => {
                    let known = known.get_mut();
                    known.has_other_names = true;
                    if known.files.is_empty() {
                        std::mem::swap(&mut known.files, &mut folder.files);
                    }
                    folder.files.into_iter().for_each(|it| known.set_file(it.name, it.state));
                }
            }
        }
    }

    /// Returns the stat and the checksum of a file at its last read.
    #[cfg(test)]
    pub(super) fn get_stat(&self, key: &Key) -> Option<(Stat, Checksum)> {
        let folder = self.folders.get(&key.folder().path())?;
        folder.get(&key.name()).map(|state| (state.stat, state.sum))
    }

    /// Returns the workspaces whose folders contain files of Recto.
    pub fn list_workspaces(&self) -> Vec<WorkspaceSlug> {
        let is_empty = |folder: &IndexedFolder| {
            folder.files.is_empty() && self.folders_in(&folder.here.path).is_empty()
        };
        let slug = |folder: &IndexedFolder| match &folder.here.folder {
            Folder::Workspace(ws) if !is_empty(folder) => Some(ws.clone()),
            _ => None,
        };
        self.folders.values().filter_map(slug).collect()
    }

    /// Returns the problems of names, and of items that are not files.
    pub fn list_problems(&self) -> Vec<Problem> {
        let all = |folder: &IndexedFolder| [folder.misnamed.clone(), folder.collisions.clone()];
        self.folders.values().flat_map(all).flatten().collect()
    }

    /// Returns the total size of all files in bytes.
    pub fn total_bytes(&self) -> u64 {
        let files = self.folders.values().flat_map(|folder| &folder.files);
        files.fold(0, |sum, file| sum.saturating_add(file.state.stat.size))
    }

    /// Returns the number of files.
    #[cfg(test)]
    pub(super) fn files_count(&self) -> usize {
        self.folders.values().map(|folder| folder.files.len()).sum()
    }

    /// Sets the problems of the names in the data folder itself: the folders in it are listed by
    /// themselves.
    pub(super) fn record_top_names(&mut self, listing: Listing) {
        let (folder, path, inode) = (Folder::Root, String::new(), listing.inode);
        let here = Arc::new(FolderRef { folder, path, inode });
        let known = self.ensure_folder(&here);
        known.collisions = load::find_collisions(&here, &listing);
        known.misnamed = load::classify_listing(&here, listing).problems;
    }

    /// Sets the state of a file.
    pub(super) fn set_file(&mut self, folder: &Arc<FolderRef>, name: Box<str>, state: FileState) {
        // Nearly all folders are known, so that no path is copied.
        match self.folders.get_mut(&folder.path) {
            Some(known) => known.set_file(name, state),
            None => self.ensure_folder(folder).set_file(name, state),
        }
    }

    /// Sets the states of many files.
    pub(super) fn set_files(&mut self, states: Vec<(Arc<FolderRef>, Box<str>, FileState)>) {
        let mut by_folder: HashMap<String, Vec<(Box<str>, FileState)>> = HashMap::new();
        for (folder, name, state) in states {
            self.ensure_folder(&folder);
            by_folder.entry(folder.path.clone()).or_default().push((name, state));
        }
        for (path, states) in by_folder {
            if let Some(folder) = self.folders.get_mut(&path) {
                folder.set_files(states);
            }
        }
    }

    /// Removes files of a folder.
    pub(super) fn forget_files(&mut self, folder: &str, names: &HashSet<&str>) {
        if let Some(known) = self.folders.get_mut(folder) {
            known.files.retain(|file| !names.contains(&*file.name));
            known.has_other_names = true;
        }
    }

    /// Sets the states of all files below a folder as they were read at once. Indexed files that
    /// were not among them stay doubtful.
    pub(super) fn merge_loaded(&mut self, root: &str, mut loaded: StatIndex) {
        let inside = format!("{root}/");
        let mine = self.folders.iter().filter(|(it, _)| *it == root || it.starts_with(&inside));
        let is_gone = |path: &str, file: &IndexedFile| {
            loaded.folders.get(path).is_none_or(|it| it.get(&file.name).is_none())
        };
        let files = mine.flat_map(|(path, folder)| folder.files.iter().map(move |it| (path, it)));
        let gone = files.filter(|(path, file)| is_gone(path, file));
        let gone: Vec<_> = gone.map(|(path, file)| (path.clone(), file.name.clone())).collect();
        gone.iter().for_each(|(folder, name)| self.mark_doubtful(folder, name));
        for (path, folder) in std::mem::take(&mut loaded.folders) {
            // Inode 0 never matches, so a later listing makes a new folder watched.
            let here = FolderRef { folder: folder.here.folder.clone(), path, inode: 0 };
            let states = folder.files.into_iter().map(|it| (it.name, it.state)).collect();
            self.ensure_folder(&Arc::new(here)).set_files(states);
        }
    }

    /// Makes the next sweep read a file, regardless of its stat.
    pub(super) fn mark_doubtful(&mut self, folder: &str, name: &str) {
        let Some(known) = self.folders.get_mut(folder) else { return };
        if let Ok(index) = known.find_position(name)
            && let Some(file) = known.files.get_mut(index)
        {
            file.state.trust = StatTrust::Racy;
            file.state.sum = Checksum::default();
            file.state.stat = Stat::default();
        }
    }

    /// Removes all files of a folder.
    pub(super) fn forget_folder(&mut self, folder: &str) {
        if let Some(known) = self.folders.get_mut(folder) {
            known.files.clear();
            known.has_other_names = true;
        }
    }

    /// Returns the state of a file.
    pub(super) fn get_state(&self, file: &FileRef) -> Option<FileState> {
        self.folders.get(&file.folder.path)?.get(&file.name)
    }

    /// Returns the paths of the direct subfolders that are indexed or have indexed folders below
    /// them.
    pub(super) fn folders_in(&self, path: &str) -> BTreeSet<String> {
        let inside = format!("{path}/");
        let below = self.folders.range(inside.clone()..).map(|(path, _)| path);
        let below = below.map_while(|path| path.strip_prefix(&inside));
        let names = below.map(|rest| rest.split('/').next().unwrap_or(rest));
        names.map(|name| format!("{inside}{name}")).collect()
    }

    /// Returns the index of a folder, which is created if needed.
    pub(super) fn ensure_folder(&mut self, folder: &Arc<FolderRef>) -> &mut IndexedFolder {
        self.folders
            .entry(folder.path.clone())
            .or_insert_with(|| IndexedFolder::new(Arc::clone(folder)))
    }
}

impl IndexedFolder {
    pub(super) fn new(here: Arc<FolderRef>) -> IndexedFolder {
        let (files, misnamed, collisions) = (Vec::new(), Vec::new(), Vec::new());
        IndexedFolder {
            here,
            files,
            misnamed,
            collisions,
            has_other_names: false,
            incomplete: false,
            gone: false,
        }
    }

    pub(super) fn find_position(&self, name: &str) -> Result<usize, usize> {
        // Folders are read in order, so most names belong at the end.
        if self.files.last().is_some_and(|last| *last.name < *name) {
            return Err(self.files.len());
        }
        self.files.binary_search_by(|file| (*file.name).cmp(name))
    }

    /// Returns true if an indexed name differs from a new one only in case.
    pub(super) fn has_collision(&self, name: &str) -> bool {
        let is_same = |other: &str| {
            other.eq_ignore_ascii_case(name)
                || !(other.is_ascii() && name.is_ascii())
                    && other.to_lowercase() == name.to_lowercase()
        };
        self.files.iter().any(|file| is_same(&file.name))
    }

    pub(super) fn get(&self, name: &str) -> Option<FileState> {
        let index = self.find_position(name).ok()?;
        self.files.get(index).map(|file| file.state)
    }

    pub(super) fn set_file(&mut self, name: Box<str>, state: FileState) {
        match self.find_position(&name) {
            Ok(index) => {
                if let Some(file) = self.files.get_mut(index) {
                    file.state = state;
                }
            }
            Err(index) => {
                self.files.insert(index, IndexedFile { name, state });
                self.has_other_names = true;
            }
        }
    }

    /// Sets the states of several files. New names are appended and sorted once.
    fn set_files(&mut self, states: Vec<(Box<str>, FileState)>) {
        let mut new = Vec::new();
        for (name, state) in states {
            match self.files.binary_search_by(|file| file.name.cmp(&name)) {
                Ok(index) => {
                    if let Some(file) = self.files.get_mut(index) {
                        file.state = state;
                    }
                }
                Err(_) => new.push(IndexedFile { name, state }),
            }
        }
        if !new.is_empty() {
            self.has_other_names = true;
            self.files.append(&mut new);
            self.files.sort_by(|one, other| one.name.cmp(&other.name));
        }
    }
}
