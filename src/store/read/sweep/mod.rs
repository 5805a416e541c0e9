//! The sweep finds changes on the disk: it compares the stats of the folder with the index, and
//! then the bytes. Recto's own writes are recorded here as files with known bytes.
//!
//! Editors remove and rename files when they save, checkouts do so by the thousand, and volumes
//! disappear. So some observations are only accepted after a delay. The time is an argument.

mod listing_diff;
mod suspects;
mod unseen;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::model::name::WorkspaceSlug;
use crate::model::problem::Problem;
use crate::stdx::checksum::Checksum;
use crate::store::disk::{self, BatchDisk, Disk, FileKind, Listing, ReadError, Stat};
use crate::store::layout::{self, FilePath, Folder, Key};
use crate::store::read::load::{self, FileRef, FolderRef};
use crate::store::read::moment::Moment;
use crate::store::read::stat_index::{FileState, IndexedFolder, StatIndex};
use crate::store::read::sweep::listing_diff::{ListingDiff, NameSuspicion, check_name};
pub use crate::store::read::sweep::suspects::SweptFile;
use crate::store::read::sweep::suspects::{SuspectFile, SuspectFinding};
use crate::store::read::sweep::unseen::UnseenPlaces;
use crate::store::read::watch::{DirtySet, NameSet};

/// The delay before a missing file counts as deleted: editors remove and create files.
const MISSING_GRACE: Duration = Duration::from_millis(300);
/// The delay before a folder with most of its files missing counts as emptied.
const MASS_GRACE: Duration = Duration::from_secs(10);
/// The minimum number of missing files for a mass deletion.
const MASS_FILES_MIN: usize = 20;
/// The delay before a half-written file counts as broken.
const HALF_WRITTEN_GRACE: Duration = Duration::from_secs(1);
/// The interval between reads of a half-written file.
const HALF_WRITTEN_POLL: Duration = Duration::from_millis(100);
/// The interval between checks for a missing data folder.
const OUTAGE_POLL: Duration = Duration::from_secs(1);
/// The number of threads that read the files of a sweep.
const READERS: usize = 4;
/// The maximum number of new names in a folder; beyond it the folder is listed.
const NEW_NAMES_MAX: usize = 256;

/// The folders that must continue to exist: the data folder and its top-level folders.
const TOPS: [&str; 3] = ["", layout::WORKSPACES, layout::SYSTEM];

/// A change of a file.
#[derive(Debug)]
pub struct FileChange {
    /// The key.
    pub key: Key,
    /// The path.
    pub path: String,
    /// The new state.
    pub now: SweptFile,
}

impl FileChange {
    /// Creates the change of a file to this state.
    pub fn new(path: FilePath, now: SweptFile) -> FileChange {
        let (key, path) = path.into_parts();
        FileChange { key, path, now }
    }
}

/// The work of git between two checks.
#[derive(Clone, Copy, Debug)]
pub struct GitWork {
    /// The beginning.
    pub since: Instant,
    /// True if git certainly changed files. Otherwise this is only assumed if many files are
    /// missing: `git status` writes the index as well, also while an editor is saving files.
    pub is_certain: bool,
}

/// The result of a sweep.
#[derive(Debug, Default)]
pub struct SweepResult {
    /// The changes, sorted by path.
    pub changes: Vec<FileChange>,
    /// True if the data folder is missing: no changes are accepted until it is back.
    pub outage: bool,
    /// The missing top-level folder; empty for the data folder itself. If `system` is missing, the
    /// workspaces are checked nevertheless.
    pub missing: Option<&'static str>,
    /// The time of the next sweep, even without events.
    pub wake: Option<Instant>,
}

/// A file whose state is not accepted yet.
#[derive(Debug)]
struct PendingFile {
    file: FileRef,
    why: PendingReason,
    since: Instant,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PendingReason {
    Missing,
    HalfWritten { next: Instant },
}

/// The state of a sweep.
struct SweepPass {
    now: Moment,
    rehash: bool,
    /// True to list indexed folders as well.
    everything: bool,
    /// The work of git since the last sweep.
    git: Option<GitWork>,
    /// The files to check by path.
    suspects: BTreeMap<String, SuspectFile>,
}

/// Called with every folder before it is listed for the first time, so that it is watched by then
/// and no change after the listing is missed.
pub type WatchFolder = Box<dyn FnMut(&str) + Send>;

/// Compares the data folder with the stat index, sweep by sweep.
pub struct Reconciler {
    known: StatIndex,
    pending: BTreeMap<String, PendingFile>,
    watch: WatchFolder,
    outage: bool,
    /// True if `system` is missing; its index is kept.
    is_system_gone: bool,
    unseen: UnseenPlaces,
}

impl Reconciler {
    /// Starts with the loaded state. `watch` is called for the folders of `known` immediately;
    /// changes between loading and watching are found by a first sweep of [`DirtySet::everything`].
    pub fn new(known: StatIndex, mut watch: WatchFolder) -> Reconciler {
        known.folders.keys().for_each(|path| watch(path));
        let (pending, unseen) = (BTreeMap::new(), UnseenPlaces::default());
        Reconciler { known, pending, watch, outage: false, is_system_gone: false, unseen }
    }

    /// Returns the stat index.
    pub fn stat_index(&self) -> &StatIndex {
        &self.known
    }

    /// Returns the problems of names, of items that are not files, and of unchecked paths.
    pub fn list_problems(&self) -> Vec<Problem> {
        let mut problems = self.known.list_problems();
        problems.extend(self.unseen.places.values().map(|(_, problem)| problem.clone()));
        problems
    }

    /// Returns the missing files of a folder that may come back and still count as existing.
    pub fn overdue_in(&self, folder: &Folder) -> Vec<FileRef> {
        let inside = self.pending.values().filter(|pending| pending.why == PendingReason::Missing);
        let files = inside.map(|pending| &pending.file);
        files.filter(|file| file.folder.folder == *folder).cloned().collect()
    }

    /// Returns true if no observation is pending, for tests.
    #[cfg(any(test, feature = "simulate"))]
    pub fn is_settled(&self) -> bool {
        self.pending.is_empty() && !self.outage && !self.is_system_gone
    }

    /// Records a file written by Recto.
    pub fn record_write(&mut self, key: &Key, stat: Stat, sum: Checksum, now: Moment) {
        let (folder, name) = (key.folder(), key.name());
        let path = folder.path();
        self.pending.remove(&format!("{path}/{name}"));
        // Inode 0 never matches, so a later listing makes the folder watched.
        let here = Arc::new(FolderRef { folder, path, inode: 0 });
        self.known.set_file(&here, name.into(), FileState::from_read(stat, sum, now));
    }

    /// Records a file removed by Recto.
    pub fn record_removal(&mut self, key: &Key) {
        let (folder, name) = (key.folder().path(), key.name());
        self.pending.remove(&format!("{folder}/{name}"));
        self.known.forget_files(&folder, &HashSet::from([name.as_str()]));
    }

    /// Records the files of a workspace that were all read apart from a sweep, which finds what
    /// becomes of them. Those that were missing are looked for again.
    pub fn record_loaded(&mut self, ws: WorkspaceSlug, loaded: StatIndex) {
        self.known.merge_loaded(&Folder::Workspace(ws).path(), loaded);
    }

    /// Forgets the files of a folder that could not be read, so that the next sweep finds them.
    pub fn mark_folder_missed(&mut self, folder: &Folder) {
        self.known.forget_folder(&folder.path());
    }

    /// Marks a changed file that could not be read, so that the next sweep finds it again.
    pub fn mark_file_missed(&mut self, key: &Key, problem: Problem) {
        self.known.mark_doubtful(&key.folder().path(), &key.name());
        self.unseen.places.insert(key.path(), (key.folder(), problem));
    }

    /// Returns true if the data folder and its required folders exist.
    pub fn is_there(&self, disk: &dyn Disk) -> bool {
        self.missing_top(disk).is_none_or(|top| top == layout::SYSTEM)
    }

    /// Prepares for a data folder that may have been replaced: the next sweep checks everything and
    /// watches all folders again.
    pub fn reset_watches(&mut self) {
        self.outage = true;
    }

    /// Checks everything after git was at work. Files that disappeared in that time count as
    /// deleted immediately, since no editor is saving them.
    pub fn sweep_after_git(&mut self, disk: &dyn Disk, now: Moment, work: GitWork) -> SweepResult {
        self.sweep_with_git(disk, now, &DirtySet::everything(), Some(work))
    }

    /// Checks the dirty paths and the pending files.
    pub fn sweep_dirty(&mut self, disk: &dyn Disk, now: Moment, dirty: &DirtySet) -> SweepResult {
        self.sweep_with_git(disk, now, dirty, None)
    }

    fn sweep_with_git(
        &mut self,
        disk: &dyn Disk,
        now: Moment,
        dirty: &DirtySet,
        git: Option<GitWork>,
    ) -> SweepResult {
        let missing = self.missing_top(disk);
        if let Some(top) = missing.filter(|it| *it != layout::SYSTEM) {
            self.outage = true;
            let wake = Some(now.instant + OUTAGE_POLL);
            return SweepResult {
                outage: true,
                missing: Some(top),
                wake,
                ..SweepResult::default()
            };
        }
        let is_system_back = std::mem::replace(&mut self.is_system_gone, missing.is_some());
        let is_system_back = is_system_back && missing.is_none();
        let back = std::mem::take(&mut self.outage) || is_system_back;
        if back {
            // The watches were lost with the folder.
            (self.watch)("");
            self.known.folders.keys().for_each(|path| (self.watch)(path));
        }
        let retries_folder = self.unseen.is_due(now.instant) && self.unseen.has_folder();
        let everything = dirty.is_everything() || back || retries_folder;
        let rehash = dirty.is_every_byte();
        let pass = SweepPass { now, rehash, everything, git, suspects: BTreeMap::new() };
        self.run_pass(disk, pass, dirty)
    }

    fn run_pass(&mut self, disk: &dyn Disk, mut pass: SweepPass, dirty: &DirtySet) -> SweepResult {
        let (now, everything) = (pass.now, pass.everything);
        let is_due = everything || self.unseen.is_due(now.instant);
        let again = if is_due { self.unseen.take_folders() } else { Vec::new() };
        if everything {
            if let Ok(listing) = disk.list("") {
                self.known.record_top_names(listing);
            }
            let mut tops = vec![Folder::Workspaces];
            tops.extend((!self.is_system_gone).then_some(Folder::System));
            self.list_folders(disk, &mut pass, tops);
        } else {
            self.check_dirty(disk, &mut pass, dirty);
            self.list_folders(disk, &mut pass, again);
        }
        let deleted = self.check_pending(disk, &mut pass);
        let mut changes = self.check_suspects(disk, pass);
        changes.extend(self.collect_deletions(deleted));
        changes.sort_by(|one, other| one.path.cmp(&other.path));
        // The top-level folders stay in the index: if they disappear during a sweep, the next one
        // must detect the outage.
        self.known.folders.retain(|path, folder| {
            !folder.gone || !folder.files.is_empty() || TOPS.contains(&path.as_str())
        });
        self.unseen.plan_retry(now.instant);
        let retry = self.unseen.retry.map(|(at, _)| at);
        let missing = self.is_system_gone.then_some(layout::SYSTEM);
        let poll = missing.map(|_| now.instant + OUTAGE_POLL);
        let wake = self.next_wake().into_iter().chain(retry).chain(poll).min();
        SweepResult { changes, outage: false, missing, wake }
    }

    /// Returns a missing top-level folder. An empty mount point is no deletion, so the top-level
    /// folders that existed must exist.
    fn missing_top(&self, disk: &dyn Disk) -> Option<&'static str> {
        let is_there = |path: &str| match disk.stat(path) {
            Ok(found) => found.kind == FileKind::Folder,
            Err(error) => disk::is_exhaustion(&error),
        };
        TOPS.into_iter().find(|top| {
            let is_expected = top.is_empty() || self.known.folders.contains_key(*top);
            is_expected && !is_there(top)
        })
    }

    /// Returns true if a path is in the missing `system` folder, whose state is not updated.
    fn is_out_of_sight(&self, path: &str) -> bool {
        let first = path.split('/').next();
        self.is_system_gone && first == Some(layout::SYSTEM)
    }

    fn check_dirty(&mut self, disk: &dyn Disk, pass: &mut SweepPass, dirty: &DirtySet) {
        for (path, names) in dirty.folders() {
            if self.is_out_of_sight(path) {
                continue;
            }
            let Some(folder) = Folder::parse(path).filter(Folder::is_watched) else { continue };
            if !self.check_names(disk, pass, path, names) {
                self.list_folders(disk, pass, vec![folder]);
            }
        }
    }

    /// Checks only the names in the events, since listing a very large folder takes long. Returns
    /// false if the folder must be listed.
    fn check_names(
        &mut self,
        disk: &dyn Disk,
        pass: &mut SweepPass,
        path: &str,
        names: &NameSet,
    ) -> bool {
        let (Some(known), NameSet::Some(names)) = (self.known.folders.get(path), names) else {
            return false;
        };
        // Problems of names concern several files.
        if known.gone
            || known.incomplete
            || !known.misnamed.is_empty()
            || !known.collisions.is_empty()
        {
            return false;
        }
        // A new name is compared with all names, which a listing does once for all of them.
        let is_new = |name: &&String| known.find_position(name).is_err();
        if names.iter().filter(is_new).nth(NEW_NAMES_MAX).is_some() {
            return false;
        }
        let mut missing = Vec::new();
        let disk = BatchDisk::begin_look(disk);
        for name in names.iter().filter(|name| !layout::is_ignored(name)) {
            match disk.stat(&format!("{path}/{name}")) {
                Ok(found) if found.kind != FileKind::File => return false,
                Ok(found) => match check_name(known, name, found.stat, pass.rehash) {
                    NameSuspicion::None => {}
                    NameSuspicion::File(it) => _ = pass.suspects.insert(it.file.path(), it),
                    NameSuspicion::Folder => return false,
                },
                Err(error) if load::is_absence(&error) => missing.push(name),
                Err(_) => return false,
            }
        }
        for name in missing {
            self.mark_file_missing(path, name, pass.now);
        }
        true
    }

    /// Lists folders, and those below them that differ from the index.
    fn list_folders(&mut self, disk: &dyn Disk, pass: &mut SweepPass, folders: Vec<Folder>) {
        let mut stack = folders;
        while let Some(folder) = stack.pop() {
            let path = folder.path();
            match self.list_watched(disk, &path) {
                Ok(listing) => {
                    let here = Arc::new(FolderRef { folder, path, inode: listing.inode });
                    stack.extend(self.compare_listing(&here, listing, pass));
                }
                Err(error) if load::is_absence(&error) => self.mark_folder_gone(&path, pass.now),
                Err(error) => self.mark_folder_unreadable(folder, path, &error),
            }
        }
    }

    /// Lists a folder that is watched before it is listed.
    fn list_watched(&mut self, disk: &dyn Disk, path: &str) -> io::Result<Listing> {
        let known = self.known.folders.get(path).filter(|known| !known.gone);
        let Some(inode) = known.map(|known| known.here.inode) else {
            (self.watch)(path);
            return disk.list(path);
        };
        let listing = disk.list(path)?;
        if inode == listing.inode {
            return Ok(listing);
        }
        (self.watch)(path);
        disk.list(path)
    }

    /// Compares a listing with the index, and returns the folders to list next.
    fn compare_listing(
        &mut self,
        here: &Arc<FolderRef>,
        listing: Listing,
        pass: &mut SweepPass,
    ) -> Vec<Folder> {
        let known = self.known.ensure_folder(here);
        known.here = Arc::clone(here);
        known.gone = false;
        let differences = ListingDiff::compute(known, &listing, pass.rehash);
        if differences.names_changed || known.incomplete || known.has_other_names {
            known.collisions = load::find_collisions(here, &listing);
            known.has_other_names = false;
        }
        known.incomplete = !differences.missing.is_empty();
        known.misnamed = differences.contents.problems;
        known.misnamed.extend(load::garbled_problems(here, &listing.garbled));
        for (file, known) in differences.contents.files.into_iter().zip(differences.states) {
            pass.suspects.insert(file.path(), SuspectFile { file, known });
        }
        for name in differences.missing {
            self.mark_file_missing(&here.path, &name, pass.now);
        }
        self.compare_folders(here, differences.contents.folders, pass)
    }

    fn compare_folders(
        &mut self,
        here: &FolderRef,
        below: Vec<(Folder, u64)>,
        pass: &SweepPass,
    ) -> Vec<Folder> {
        let there: BTreeSet<String> = below.iter().map(|(folder, _)| folder.path()).collect();
        let known_below = self.known.folders_in(&here.path);
        for gone in known_below.into_iter().filter(|path| !there.contains(path)) {
            self.mark_folder_gone(&gone, pass.now);
        }
        let is_known = |(folder, inode): &(Folder, u64)| {
            let known = self.known.folders.get(&folder.path());
            known.is_some_and(|known| !known.gone && known.here.inode == *inode)
        };
        let to_list = below.into_iter().filter(|it| pass.everything || !is_known(it));
        to_list.map(|(folder, _)| folder).collect()
    }

    fn mark_folder_gone(&mut self, path: &str, now: Moment) {
        let inside = format!("{path}/");
        let mut missing = Vec::new();
        for (path, folder) in self.known.folders.range_mut(path.to_string()..) {
            if !inside.starts_with(&**path) && !path.starts_with(&inside) {
                if path.starts_with(inside.trim_end_matches('/')) {
                    continue; // `main-2` sorts between `main` and `main/…`
                }
                break;
            }
            folder.gone = true;
            missing.extend(folder.files.iter().map(|file| (path.clone(), file.name.clone())));
        }
        for (folder, name) in missing {
            self.mark_file_missing(&folder, &name, now);
        }
    }

    /// Handles a folder that cannot be listed. Its content is kept.
    fn mark_folder_unreadable(&mut self, folder: Folder, path: String, error: &io::Error) {
        let problem = load::unreadable_folder(path.clone(), error);
        if disk::is_transient(error) {
            if let Some(known) = self.known.folders.get_mut(&path) {
                known.misnamed.retain(|it| it.path != path);
            }
            self.unseen.places.insert(path, (folder, problem));
            return;
        }
        let here = Arc::new(FolderRef { folder, path, inode: 0 });
        self.known.ensure_folder(&here).misnamed = vec![problem];
    }

    fn mark_file_missing(&mut self, folder: &str, name: &str, now: Moment) {
        let path = format!("{folder}/{name}");
        if self.pending.get(&path).is_some_and(|pending| pending.why == PendingReason::Missing) {
            return;
        }
        let known = self.known.folders.get(folder);
        let file = known.and_then(|known| build_file_ref(known, name, known.get(name)?.stat));
        match file {
            Some(file) => {
                let pending = PendingFile { file, why: PendingReason::Missing, since: now.instant };
                self.pending.insert(path, pending);
            }
            // The file was half written and never accepted, but its first bytes may have been read
            // by others.
            None => {
                if let Some(pending) = self.pending.get_mut(&path) {
                    (pending.why, pending.since) = (PendingReason::Missing, now.instant);
                }
            }
        }
    }

    /// Checks the pending files that are due, and returns the paths of those that are deleted.
    fn check_pending(&mut self, disk: &dyn Disk, pass: &mut SweepPass) -> Vec<String> {
        let graces = self.compute_graces();
        let now = pass.now.instant;
        let is_missing = |it: &&PendingFile| {
            it.why == PendingReason::Missing && pass.git.is_some_and(|git| it.since >= git.since)
        };
        let n_missing = self.pending.values().filter(is_missing).count();
        let is_believed = pass.git.is_some_and(|git| git.is_certain || n_missing > MASS_FILES_MIN);
        let is_gits = |pending: &PendingFile| is_believed && is_missing(&pending);
        let is_due = |(path, pending): &(&String, &PendingFile)| {
            !self.is_out_of_sight(path)
                && (pending.due_at(&graces) <= now || is_gits(pending))
                && !pass.suspects.contains_key(*path)
        };
        let due: Vec<String> =
            self.pending.iter().filter(is_due).map(|(path, _)| path.clone()).collect();
        let mut deleted = Vec::new();
        for path in due {
            let Some(pending) = self.pending.get(&path) else { continue };
            let (file, why) = (pending.file.clone(), pending.why);
            match disk.stat(&path) {
                // Files that are not read must be regular files.
                Ok(found) if found.kind != FileKind::File && !file.key.is_json() => {
                    deleted.push(path)
                }
                Ok(found) => {
                    let file = FileRef { stat: found.stat, ..file };
                    let known = self.known.get_state(&file);
                    pass.suspects.insert(path, SuspectFile { file, known });
                }
                Err(error) if !load::is_removal(&file.key, &error) => {
                    self.pending.remove(&path);
                    let problem = ReadError::from(error).to_problem(&path);
                    self.unseen.places.insert(path, (file.folder.folder.clone(), problem));
                }
                Err(_) if why == PendingReason::Missing => deleted.push(path),
                Err(_) => self.mark_file_missing(&file.folder.path, &file.name, pass.now),
            }
        }
        deleted
    }

    /// Returns the delays for missing files per folder, which are longer if most of a folder is
    /// missing.
    fn compute_graces(&self) -> HashMap<String, Duration> {
        let mut missing: HashMap<&str, usize> = HashMap::new();
        for pending in self.pending.values().filter(|pending| pending.why == PendingReason::Missing)
        {
            *missing.entry(&pending.file.folder.path).or_default() += 1;
        }
        let grace = |(path, count): (&str, usize)| {
            let all = self.known.folders.get(path).map_or(0, |folder| folder.files.len());
            let is_mass = count > MASS_FILES_MIN && count > all / 2;
            (path.to_string(), if is_mass { MASS_GRACE } else { MISSING_GRACE })
        };
        missing.into_iter().map(grace).collect()
    }

    /// Reads the suspects and returns the changes. Files that need more time become pending.
    fn check_suspects(&mut self, disk: &dyn Disk, pass: SweepPass) -> Vec<FileChange> {
        let now = pass.now;
        let (json, media): (Vec<SuspectFile>, Vec<SuspectFile>) =
            pass.suspects.into_values().partition(|suspect| suspect.file.key.is_json());
        // Whoever takes over what is found looks at it again.
        let disk = BatchDisk::begin_look(disk);
        let read = load::read_all(&*disk, &json, READERS, |it: &SuspectFile, body| {
            it.check_body(body, now)
        });
        let seen: Vec<SuspectFinding> = media.iter().map(SuspectFile::check_stat).collect();
        let mut states = Vec::new();
        let mut changes = Vec::new();
        for (suspect, finding) in json.into_iter().chain(media).zip(read.into_iter().chain(seen)) {
            let (path, file) = (suspect.file.path(), suspect.file);
            let (state, change) = match finding {
                SuspectFinding::Unseen(problem) => {
                    self.unseen.places.insert(path, (file.folder.folder.clone(), problem));
                    continue;
                }
                SuspectFinding::Gone => {
                    self.mark_file_missing(&file.folder.path, &file.name, now);
                    continue;
                }
                SuspectFinding::Other { half_written: true, .. }
                    if self.allow_more_time(&path, &file, now) =>
                {
                    continue;
                }
                SuspectFinding::Same(state) => (state, None),
                SuspectFinding::Other { state, now, .. } => (state, Some(now)),
            };
            self.pending.remove(&path);
            states.push((file.folder, file.name, state));
            changes.extend(change.map(|now| FileChange { key: file.key, path, now }));
        }
        self.known.set_files(states);
        changes
    }

    /// Returns true if a half-written file gets more time, counted from its first sighting.
    fn allow_more_time(&mut self, path: &str, file: &FileRef, now: Moment) -> bool {
        let why = PendingReason::HalfWritten { next: now.instant + HALF_WRITTEN_POLL };
        let since = match self.pending.get(path) {
            Some(pending) if pending.why != PendingReason::Missing => pending.since,
            _ => now.instant,
        };
        let is_patient = now.instant < since + HALF_WRITTEN_GRACE;
        if is_patient {
            self.pending.insert(path.to_string(), PendingFile { file: file.clone(), why, since });
        }
        is_patient
    }

    fn collect_deletions(&mut self, paths: Vec<String>) -> Vec<FileChange> {
        let mut names: HashMap<String, Vec<Box<str>>> = HashMap::new();
        let mut changes = Vec::new();
        for path in paths {
            let Some(PendingFile { file, .. }) = self.pending.remove(&path) else { continue };
            names.entry(file.folder.path.clone()).or_default().push(file.name);
            changes.push(FileChange { key: file.key, path, now: SweptFile::Missing });
        }
        for (folder, names) in names {
            self.known.forget_files(&folder, &names.iter().map(|name| &**name).collect());
        }
        changes
    }

    fn next_wake(&self) -> Option<Instant> {
        let graces = self.compute_graces();
        self.pending.values().map(|pending| pending.due_at(&graces)).min()
    }
}

impl PendingFile {
    /// Returns the time of the next check.
    fn due_at(&self, graces: &HashMap<String, Duration>) -> Instant {
        match self.why {
            PendingReason::HalfWritten { next } => next,
            PendingReason::Missing => {
                let grace = graces.get(&self.file.folder.path).copied();
                self.since + grace.unwrap_or(MISSING_GRACE)
            }
        }
    }
}

fn build_file_ref(known: &IndexedFolder, name: &str, stat: Stat) -> Option<FileRef> {
    let key = known.here.folder.classify_file(name).into_ours()?;
    Some(FileRef { key, folder: Arc::clone(&known.here), name: name.into(), stat })
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;
    use std::sync::Mutex;

    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;
    use crate::model::problem::ProblemKind;
    use crate::store::disk::OsDisk;

    const A: &str = "workspaces/main/content/posts/a.json";

    /// A data folder, a manual clock, and the watched folders.
    struct Scene {
        data: tempfile::TempDir,
        disk: OsDisk,
        reconciler: Reconciler,
        now: Moment,
        watched: Arc<Mutex<Vec<String>>>,
    }

    impl Scene {
        fn new(files: &[(&str, &str)]) -> Scene {
            let data = tempfile::tempdir().unwrap();
            let disk = OsDisk::open(data.path()).unwrap();
            let watched = Arc::new(Mutex::new(Vec::new()));
            let log = Arc::clone(&watched);
            let watch = Box::new(move |path: &str| log.lock().unwrap().push(path.to_string()));
            let reconciler = Reconciler::new(StatIndex::default(), watch);
            // The clock is ahead of the file times, so that the files are not racy.
            let mut now = Moment::now();
            now.wall_ns += 3_600_000_000_000;
            let mut scene = Scene { data, disk, reconciler, now, watched };
            for (path, text) in files {
                scene.write(path, text);
            }
            scene.sweep();
            scene
        }

        fn at(&self, path: &str) -> PathBuf {
            self.data.path().join(path)
        }

        fn write(&self, path: &str, text: &str) {
            std::fs::create_dir_all(self.at(path).parent().unwrap()).unwrap();
            std::fs::write(self.at(path), text).unwrap();
        }

        fn rename(&self, from: &str, to: &str) {
            std::fs::rename(self.at(from), self.at(to)).unwrap();
        }

        fn remove(&self, path: &str) {
            std::fs::remove_file(self.at(path)).unwrap();
        }

        fn later(&mut self, milliseconds: u64) {
            self.now.instant += Duration::from_millis(milliseconds);
            self.now.wall_ns += milliseconds as i64 * 1_000_000;
        }

        fn step(&mut self, dirty: &DirtySet) -> Vec<String> {
            let step = self.reconciler.sweep_dirty(&self.disk, self.now, dirty);
            step.changes.iter().map(show).collect()
        }

        fn sweep(&mut self) -> Vec<String> {
            self.step(&DirtySet::everything())
        }

        fn hint(&mut self, paths: &[&str]) -> Vec<String> {
            let mut dirty = DirtySet::nothing();
            paths.iter().for_each(|path| dirty.add_path(path));
            self.step(&dirty)
        }

        /// Returns all changes until nothing is pending; at most a minute passes.
        fn settle(&mut self) -> Vec<String> {
            let mut shown = Vec::new();
            for _ in 0..600 {
                let step = self.reconciler.sweep_dirty(&self.disk, self.now, &DirtySet::nothing());
                shown.extend(step.changes.iter().map(show));
                let Some(wake) = step.wake else { return shown };
                let pause = wake.saturating_duration_since(self.now.instant);
                self.later(u64::try_from(pause.as_millis()).unwrap().max(1));
            }
            panic!("does not settle")
        }
    }

    fn show(change: &FileChange) -> String {
        let name = change.path.strip_prefix("workspaces/main/").unwrap_or(&change.path);
        match &change.now {
            SweptFile::Read { content, .. } => {
                format!("{name} {}", String::from_utf8_lossy(content))
            }
            SweptFile::Seen(stat) => format!("{name} {} bytes", stat.size),
            SweptFile::Unreadable(problem) => format!("{name} {}", problem.kind),
            SweptFile::Missing => format!("{name} missing"),
        }
    }

    const NOTHING: &[&str] = &[];

    #[test]
    fn equal_stats_and_equal_bytes_are_no_change() {
        let mut scene = Scene::new(&[(A, "{}")]);
        assert_eq!(scene.sweep(), NOTHING);
        let set = |scene: &Scene, time| {
            let file = std::fs::File::options().write(true).open(scene.at(A)).unwrap();
            file.set_modified(time).unwrap();
        };
        let before = std::fs::metadata(scene.at(A)).unwrap().modified().unwrap();
        scene.write(A, "{}");
        set(&scene, before);
        assert_eq!(scene.hint(&[A]), NOTHING);
        // Times that a file lacks are taken from its stat.
        set(&scene, before - Duration::from_secs(60));
        assert_eq!(scene.hint(&[A]), ["content/posts/a.json {}"]);
        scene.write(A, "{\"b\":1}");
        assert_eq!(scene.hint(&[A]), ["content/posts/a.json {\"b\":1}"]);
        assert_eq!(scene.sweep(), NOTHING);
    }

    #[test]
    fn new_names_and_those_of_no_concern() {
        let mut scene = Scene::new(&[(A, "{}")]);
        let at = |name: &str| format!("workspaces/main/content/posts/{name}");
        for name in ["b.json", "notes.txt", "4913"] {
            scene.write(&at(name), "{}");
        }
        let names = [at("b.json"), at("notes.txt"), at("4913"), at("never.json")];
        let found = scene.hint(&names.each_ref().map(|it| &**it));
        assert_eq!(found, ["content/posts/b.json {}"]);
        scene.write(&at("c d.json"), "{}");
        assert_eq!(scene.hint(&[&at("c d.json")]), NOTHING);
        assert_eq!(scene.reconciler.stat_index().list_problems().len(), 1);
        scene.remove(&at("c d.json"));
        assert_eq!(scene.hint(&[&at("c d.json")]), NOTHING);
        assert_eq!(scene.reconciler.stat_index().list_problems().len(), 0);
        assert!(scene.reconciler.is_settled());
    }

    #[test]
    fn our_own_writes_are_no_change() {
        let mut scene = Scene::new(&[(A, "{}")]);
        let key = Key::parse("workspaces/main/content/news/b.json").unwrap();
        let stat = crate::store::disk::create_file(&scene.disk, &key.path(), b"{}").unwrap();
        scene.reconciler.record_write(&key, stat, Checksum::of_bytes(b"{}"), scene.now);
        assert_eq!(scene.sweep(), NOTHING);
        assert!(scene.watched.lock().unwrap().iter().any(|it| it.ends_with("/news")));
        scene.remove(&key.path());
        scene.reconciler.record_removal(&key);
        assert_eq!(scene.sweep(), NOTHING);
        assert_eq!(scene.settle(), NOTHING);
    }

    #[test]
    fn editors_save_in_their_ways() {
        let edited = "content/posts/a.json {\"n\":2}";
        let new = "{\"n\":2}";
        let folder = "workspaces/main/content/posts";
        let in_folder = |name: &str| format!("{folder}/{name}");
        let check = |name: &str, save: &dyn Fn(&mut Scene)| {
            for by_hint in [true, false] {
                let mut scene = Scene::new(&[(A, "{\"n\":1}")]);
                save(&mut scene);
                let found = if by_hint { scene.hint(&[A]) } else { scene.sweep() };
                assert_eq!(found, [edited], "{name}");
                assert_eq!(scene.settle(), NOTHING, "{name}");
                assert_eq!(scene.reconciler.stat_index().list_problems(), [], "{name}");
            }
        };
        check("vim", &|scene| {
            scene.write(&in_folder("4913"), "");
            assert_eq!(scene.hint(&[&in_folder("4913")]), NOTHING);
            scene.remove(&in_folder("4913"));
            scene.rename(A, &in_folder("a.json~"));
            assert_eq!(scene.hint(&[A, &in_folder("a.json~")]), NOTHING);
            scene.write(A, new);
        });
        check("vs code", &|scene| {
            scene.write(A, "");
            assert_eq!(scene.hint(&[A]), NOTHING);
            scene.later(150);
            scene.write(A, "{\"n\"");
            assert_eq!(scene.hint(&[A]), NOTHING);
            scene.write(A, new);
        });
        check("jetbrains", &|scene| {
            scene.write(&in_folder("a.json___jb_tmp___"), new);
            assert_eq!(scene.sweep(), NOTHING);
            scene.rename(A, &in_folder("a.json___jb_old___"));
            scene.rename(&in_folder("a.json___jb_tmp___"), A);
        });
        check("sed -i", &|scene| {
            scene.write(&in_folder("sedAb3xYz"), new);
            assert_eq!(scene.sweep(), NOTHING);
            scene.rename(&in_folder("sedAb3xYz"), A);
        });
        check("rsync", &|scene| {
            scene.write(&in_folder(".a.json.Ab3xYz"), new);
            assert_eq!(scene.sweep(), NOTHING);
            scene.rename(&in_folder(".a.json.Ab3xYz"), A);
        });
        check("git checkout", &|scene| {
            scene.remove(A);
            assert_eq!(scene.hint(&[A]), NOTHING);
            scene.later(250);
            assert_eq!(scene.hint(&[]), NOTHING);
            scene.write(A, new);
        });
    }

    #[test]
    fn a_missing_file_is_believed_after_a_while() {
        let mut scene = Scene::new(&[(A, "{}")]);
        scene.remove(A);
        assert_eq!(scene.hint(&[A]), NOTHING);
        scene.later(299);
        assert_eq!(scene.sweep(), NOTHING);
        assert!(!scene.reconciler.is_settled());
        scene.later(1);
        assert_eq!(scene.hint(&[]), ["content/posts/a.json missing"]);
        assert!(scene.reconciler.is_settled());
        assert_eq!(scene.reconciler.stat_index().files_count(), 0);
        scene.write(A, "{}");
        assert_eq!(scene.hint(&[A]), ["content/posts/a.json {}"]);
    }

    #[test]
    fn a_file_that_comes_back_as_it_was_was_never_gone() {
        let mut scene = Scene::new(&[(A, "{}")]);
        scene.rename(A, "kept");
        assert_eq!(scene.sweep(), NOTHING);
        scene.rename("kept", A);
        assert_eq!(scene.settle(), NOTHING);
        assert!(scene.reconciler.is_settled());
    }

    #[test]
    fn half_written_files_get_a_second() {
        let mut scene = Scene::new(&[(A, "{}")]);
        scene.write(A, "{\"title\": \"Ha");
        assert_eq!(scene.hint(&[A]), NOTHING);
        scene.later(999);
        assert_eq!(scene.hint(&[]), NOTHING);
        scene.later(100);
        assert_eq!(scene.hint(&[]), ["content/posts/a.json {\"title\": \"Ha"]);
        assert_eq!(scene.settle(), NOTHING);
        assert_eq!(scene.sweep(), NOTHING);
        // A complete but invalid file is reported immediately.
        scene.write(A, "{\"a\": 1, \"a\": 2}");
        assert_eq!(scene.hint(&[A]), ["content/posts/a.json {\"a\": 1, \"a\": 2}"]);
        scene.write(A, "{");
        assert_eq!(scene.hint(&[A]), NOTHING);
        scene.remove(A);
        assert_eq!(scene.settle(), ["content/posts/a.json missing"]);
    }

    #[test]
    fn a_change_within_the_grain_of_time_is_seen() {
        let mut scene = Scene::new(&[(A, "{\"n\":1}")]);
        scene.now = Moment::now();
        scene.write(A, "{\"n\":2}");
        assert_eq!(scene.hint(&[A]), ["content/posts/a.json {\"n\":2}"]);
        // Simulates a file system clock that stands still: other bytes with the same stat.
        let key = Key::parse(A).unwrap();
        let (stat, _) = scene.reconciler.stat_index().get_stat(&key).unwrap();
        scene.reconciler.record_write(&key, stat, Checksum::of_bytes(b"{\"n\":1}"), scene.now);
        assert_eq!(scene.sweep(), ["content/posts/a.json {\"n\":2}"]);
        scene.later(5_000);
        assert_eq!(scene.sweep(), NOTHING);
        scene.reconciler.record_write(&key, stat, Checksum::of_bytes(b"{\"n\":1}"), scene.now);
        assert_eq!(scene.sweep(), NOTHING);
        // Once a day all bytes are read, regardless of the stats.
        assert_eq!(scene.step(&DirtySet::every_byte()), ["content/posts/a.json {\"n\":2}"]);
    }

    fn many(count: usize) -> Vec<(String, String)> {
        let file = |n| (format!("workspaces/main/content/posts/e{n:03}.json"), "{}".to_string());
        (0..count).map(file).collect()
    }

    fn scene_of(count: usize) -> Scene {
        let files = many(count);
        let files: Vec<_> = files.iter().map(|(path, text)| (&**path, &**text)).collect();
        Scene::new(&files)
    }

    #[test]
    fn a_mass_deletion_is_looked_at_twice() {
        let check = |all: usize, removed: usize, is_mass: bool| {
            let mut scene = scene_of(all);
            many(removed).iter().for_each(|(path, _)| scene.remove(path));
            assert_eq!(scene.sweep(), NOTHING);
            scene.later(300);
            assert_eq!(scene.hint(&[]).len(), if is_mass { 0 } else { removed });
            scene.later(9_600);
            assert_eq!(scene.sweep(), NOTHING);
            scene.later(100);
            assert_eq!(scene.hint(&[]).len(), if is_mass { removed } else { 0 });
            assert!(scene.reconciler.is_settled());
        };
        check(40, 21, true);
        check(40, 20, false);
        check(50, 25, false);
        check(20, 20, false);
        check(30, 30, true);
    }

    #[test]
    fn what_git_removed_is_gone_at_once() {
        let mut scene = scene_of(60);
        many(2).iter().for_each(|(path, _)| scene.remove(path));
        assert_eq!(scene.sweep(), NOTHING);
        scene.later(100);
        let since = scene.now.instant;
        many(50).iter().skip(2).for_each(|(path, _)| scene.remove(path));
        let work = GitWork { since, is_certain: true };
        let step = scene.reconciler.sweep_after_git(&scene.disk, scene.now, work);
        assert_eq!(step.changes.len(), 48, "what was missing before keeps its grace");
        scene.later(10_000);
        assert_eq!(scene.sweep().len(), 2);
        assert!(scene.reconciler.is_settled());
    }

    #[test]
    fn what_git_may_have_removed_is_gone_at_once_when_it_is_much() {
        let check = |removed: usize, at_once: usize| {
            let mut scene = scene_of(60);
            many(removed).iter().for_each(|(path, _)| scene.remove(path));
            let work = GitWork { since: scene.now.instant, is_certain: false };
            let step = scene.reconciler.sweep_after_git(&scene.disk, scene.now, work);
            assert_eq!(step.changes.len(), at_once, "{removed}");
        };
        check(1, 0);
        check(20, 0);
        check(21, 21);
        check(60, 60);
    }

    #[test]
    fn a_folder_that_comes_back_was_never_gone() {
        let mut scene = scene_of(30);
        scene.rename("workspaces/main", "elsewhere");
        assert_eq!(scene.hint(&["workspaces/main"]), NOTHING);
        scene.later(5_000);
        assert_eq!(scene.hint(&[]), NOTHING);
        scene.rename("elsewhere", "workspaces/main");
        assert_eq!(scene.hint(&["workspaces/main"]), NOTHING);
        assert_eq!(scene.settle(), NOTHING);
        assert_eq!(scene.reconciler.stat_index().files_count(), 30);
        scene.rename("workspaces/main", "elsewhere");
        assert_eq!(scene.sweep(), NOTHING);
        assert_eq!(scene.settle().len(), 30);
        assert!(scene.reconciler.stat_index().list_workspaces().is_empty());
    }

    #[test]
    fn a_vanished_data_folder_is_an_outage() {
        let mut scene = scene_of(30);
        scene.write("system/settings.json", "{}");
        assert_eq!(scene.sweep().len(), 1);
        for lost in ["workspaces", ""] {
            let (from, to) = (scene.at(lost), scene.data.path().with_extension("away"));
            std::fs::rename(&from, &to).unwrap();
            let step =
                scene.reconciler.sweep_dirty(&scene.disk, scene.now, &DirtySet::everything());
            assert!(step.outage && step.changes.is_empty());
            assert_eq!(step.wake, Some(scene.now.instant + OUTAGE_POLL));
            scene.later(60_000);
            assert_eq!(scene.hint(&[]), NOTHING);
            assert!(!scene.reconciler.is_settled());
            std::fs::rename(&to, &from).unwrap();
            scene.watched.lock().unwrap().clear();
            assert_eq!(scene.hint(&[]), NOTHING);
            assert!(scene.reconciler.is_settled());
            assert!(scene.watched.lock().unwrap().iter().any(|it| it.ends_with("/posts")));
        }
    }

    #[test]
    fn without_system_the_rest_is_followed() {
        let mut scene = Scene::new(&[(A, "{}"), ("system/settings.json", "{}")]);
        scene.rename("system", "away");
        scene.write(A, "{\"n\":1}");
        let step = scene.reconciler.sweep_dirty(&scene.disk, scene.now, &DirtySet::everything());
        assert_eq!((step.outage, step.missing), (false, Some("system")));
        assert_eq!(step.changes.len(), 1);
        assert_eq!(step.wake, Some(scene.now.instant + OUTAGE_POLL));
        scene.later(60_000);
        assert_eq!(scene.sweep(), NOTHING, "nothing in it counts as deleted");
        assert!(!scene.reconciler.is_settled());
        scene.rename("away", "system");
        assert_eq!(scene.sweep(), NOTHING);
        assert!(scene.reconciler.is_settled());
    }

    #[test]
    fn a_data_folder_that_vanishes_while_it_is_looked_at_is_an_outage() {
        let mut scene = scene_of(30);
        let (from, to) = (scene.at("workspaces"), scene.data.path().with_extension("away"));
        std::fs::rename(&from, &to).unwrap();
        // The file existed when the sweep began.
        let pass = SweepPass {
            now: scene.now,
            rehash: false,
            everything: true,
            git: None,
            suspects: BTreeMap::new(),
        };
        let step = scene.reconciler.run_pass(&scene.disk, pass, &DirtySet::everything());
        assert!(step.changes.is_empty());
        scene.later(60_000);
        assert!(scene.reconciler.sweep_dirty(&scene.disk, scene.now, &DirtySet::nothing()).outage);
        std::fs::rename(&to, &from).unwrap();
        assert_eq!(scene.hint(&[]), NOTHING);
        assert!(scene.reconciler.is_settled());
    }

    #[test]
    fn new_folders_are_watched_and_walked() {
        let mut scene = Scene::new(&[(A, "{}")]);
        scene.write("workspaces/blog/content/news/x.json", "{}");
        scene.write("workspaces/blog/workspace.json", "{}");
        scene.write("workspaces/blog/revisions/news/x/1.json", "{}");
        let found = scene.hint(&["workspaces/blog"]);
        let expect =
            ["workspaces/blog/content/news/x.json {}", "workspaces/blog/workspace.json {}"];
        assert_eq!(found, expect);
        let watched = scene.watched.lock().unwrap().join(" ");
        assert!(watched.contains("workspaces/blog/content/news"), "{watched}");
        assert!(!watched.contains("revisions"), "{watched}");
        let workspaces = scene.reconciler.stat_index().list_workspaces();
        assert_eq!(workspaces.iter().map(|it| it.as_str()).collect::<Vec<_>>(), ["blog", "main"]);
        assert_eq!(scene.settle(), NOTHING);
    }

    #[test]
    fn a_folder_made_anew_is_watched_anew() {
        let mut scene = Scene::new(&[(A, "{}"), ("workspaces/main/content/news/b.json", "{}")]);
        scene.rename("workspaces/main/content/posts", "old");
        scene.write(A, "{\"n\":2}");
        scene.watched.lock().unwrap().clear();
        let found = scene.hint(&["workspaces/main/content/posts"]);
        assert_eq!(found, ["content/posts/a.json {\"n\":2}"]);
        assert_eq!(*scene.watched.lock().unwrap(), ["workspaces/main/content/posts"]);
    }

    #[test]
    fn names_that_cannot_be_loaded_are_problems() {
        let mut scene = Scene::new(&[(A, "{}")]);
        scene.write("workspaces/main/content/posts/A.json", "{}");
        scene.write("workspaces/main/content/posts/a b.json", "{}");
        scene.write("workspaces/main/content/posts/notes.txt", "");
        let found = scene.hint(&["workspaces/main/content/posts/A.json"]);
        assert_eq!(found, ["content/posts/A.json {}"]);
        let shown: Vec<_> = scene
            .reconciler
            .stat_index()
            .list_problems()
            .iter()
            .map(|it| format!("{} {}", it.kind, it.path))
            .collect();
        let expect = [
            "invalid_name workspaces/main/content/posts/a b.json",
            "case_collision workspaces/main/content/posts/a.json",
        ];
        assert_eq!(shown, expect);
        scene.remove("workspaces/main/content/posts/A.json");
        scene.remove("workspaces/main/content/posts/a b.json");
        scene.sweep();
        assert_eq!(scene.settle(), ["content/posts/A.json missing"]);
        assert_eq!(scene.reconciler.stat_index().list_problems(), []);
    }

    #[test]
    fn a_file_in_the_place_of_a_folder_is_told_until_it_is_gone() {
        const PAGES: &str = "workspaces/main/content/pages";
        let mut scene = Scene::new(&[(A, "{}")]);
        scene.write(PAGES, "");
        assert_eq!(scene.hint(&[PAGES]), NOTHING);
        let problems = scene.reconciler.stat_index().list_problems();
        let shown: Vec<_> = problems.iter().map(|it| format!("{} {}", it.kind, it.path)).collect();
        assert_eq!(shown, [format!("not_a_file {PAGES}")]);
        scene.remove(PAGES);
        assert_eq!(scene.hint(&[PAGES]), NOTHING);
        assert_eq!(scene.reconciler.stat_index().list_problems(), []);
    }

    #[cfg(unix)]
    #[test]
    fn a_folder_that_could_not_be_loaded_is_told_once_and_until_it_can_be_listed() {
        use std::os::unix::fs::PermissionsExt;
        let mut scene = Scene::new(&[(A, "{}")]);
        for path in ["workspaces", "workspaces/main/content/posts"] {
            let place = scene.at(path);
            let permit = |mode| {
                let permissions = std::fs::Permissions::from_mode(mode);
                std::fs::set_permissions(&place, permissions).unwrap();
            };
            permit(0o311);
            if std::fs::read_dir(&place).is_ok() {
                return permit(0o755); // Nothing is forbidden to whoever runs this.
            }
            scene.disk = OsDisk::open(scene.data.path()).unwrap();
            let known = StatIndex::from_scan(&load::scan_listable(&scene.disk, &[Folder::Root]));
            scene.reconciler = Reconciler::new(known, Box::new(|_: &str| {}));
            let count = |scene: &Scene| scene.reconciler.list_problems().len();
            let at_start = count(&scene);
            scene.sweep();
            let later = count(&scene);
            permit(0o755);
            scene.sweep();
            assert_eq!((at_start, later, count(&scene)), (1, 1, 0), "{path}");
        }
    }

    #[test]
    fn files_in_the_place_of_folders_without_content_are_told_until_they_are_gone() {
        const PLACES: [&str; 3] = ["backups", "journal", "system/activity"];
        let mut scene = Scene::new(&[(A, "{}")]);
        PLACES.iter().for_each(|it| scene.write(it, ""));
        assert_eq!(scene.sweep(), NOTHING);
        let problems = scene.reconciler.stat_index().list_problems();
        let shown: Vec<_> = problems.iter().map(|it| format!("{} {}", it.kind, it.path)).collect();
        assert_eq!(shown, PLACES.map(|it| format!("not_a_file {it}")));
        PLACES.iter().for_each(|it| scene.remove(it));
        assert_eq!(scene.sweep(), NOTHING);
        assert_eq!(scene.reconciler.stat_index().list_problems(), []);
    }

    #[test]
    fn a_collision_goes_with_a_file_that_the_server_removes() {
        let mut scene = Scene::new(&[(A, "{}")]);
        let other = "workspaces/main/content/posts/A.json";
        scene.write(other, "{}");
        scene.sweep();
        assert_eq!(scene.reconciler.stat_index().list_problems().len(), 1);
        scene.remove(A);
        scene.reconciler.record_removal(&Key::parse(A).unwrap());
        assert_eq!(scene.sweep(), NOTHING);
        assert_eq!(scene.reconciler.stat_index().list_problems(), []);
    }

    #[test]
    fn media_are_known_by_their_stat() {
        let mut scene = Scene::new(&[]);
        let path = "workspaces/main/media/a.txt";
        scene.write(path, "12345");
        assert_eq!(scene.sweep(), ["media/a.txt 5 bytes"]);
        assert_eq!(scene.step(&DirtySet::every_byte()), NOTHING);
        scene.write(path, "123456");
        assert_eq!(scene.hint(&[path]), ["media/a.txt 6 bytes"]);
        scene.remove(path);
        assert_eq!(scene.hint(&[path]), NOTHING);
        assert_eq!(scene.settle(), ["media/a.txt missing"]);
    }

    #[cfg(unix)]
    #[test]
    fn what_is_no_file_is_told_once() {
        let mut scene = Scene::new(&[(A, "{}"), ("workspaces/main/media/a.txt", "x")]);
        scene.remove(A);
        std::fs::create_dir(scene.at(A)).unwrap();
        scene.remove("workspaces/main/media/a.txt");
        std::os::unix::fs::symlink("/etc/hostname", scene.at("workspaces/main/media/a.txt"))
            .unwrap();
        assert_eq!(scene.sweep(), ["content/posts/a.json not_a_file"]);
        assert_eq!(scene.sweep(), NOTHING);
        let problems = scene.reconciler.stat_index().list_problems();
        assert_eq!(problems.len(), 1, "{problems:?}");
        assert_eq!(problems[0].kind, ProblemKind::NotAFile);
        std::fs::remove_dir(scene.at(A)).unwrap();
        scene.write(A, "{}");
        assert_eq!(scene.sweep(), ["content/posts/a.json {}"]);
    }

    /// The actions of users and programs on a folder, and the sweeps in between.
    #[derive(Clone, Debug)]
    enum Act {
        Write(usize, usize),
        Remove(usize),
        Rename(usize, usize),
        MoveFolderAway,
        MoveFolderBack,
        Hint(usize),
        Sweep,
        Later(u64),
    }

    const PATHS: &[&str] = &[
        A,
        "workspaces/main/content/posts/b.json",
        "workspaces/main/content/posts/b.json~",
        "workspaces/main/content/news/a.json",
        "workspaces/main/schemas/posts.json",
        "workspaces/other/content/posts/a.json",
        "system/settings.json",
    ];
    const TEXTS: &[&str] = &["{}", "{\"n\":1}", "{\"n\":", ""];

    fn act() -> impl Strategy<Value = Act> {
        let path = || 0..PATHS.len();
        prop_oneof![
            4 => (path(), 0..TEXTS.len()).prop_map(|(path, text)| Act::Write(path, text)),
            2 => path().prop_map(Act::Remove),
            2 => (path(), path()).prop_map(|(from, to)| Act::Rename(from, to)),
            1 => Just(Act::MoveFolderAway),
            1 => Just(Act::MoveFolderBack),
            4 => path().prop_map(Act::Hint),
            1 => Just(Act::Sweep),
            3 => (1..2_000_u64).prop_map(Act::Later),
        ]
    }

    /// Performs an action, if it is possible.
    fn perform(scene: &mut Scene, act: &Act, served: &mut BTreeMap<String, Vec<u8>>) {
        let folder = scene.at("workspaces/main/content");
        let away = scene.at("away");
        let hints = match act {
            Act::Write(path, text) => {
                scene.write(PATHS[*path], TEXTS[*text]);
                None
            }
            Act::Remove(path) => {
                let _ = std::fs::remove_file(scene.at(PATHS[*path]));
                None
            }
            Act::Rename(from, to) => {
                let _ = std::fs::rename(scene.at(PATHS[*from]), scene.at(PATHS[*to]));
                None
            }
            Act::MoveFolderAway => {
                let _ = std::fs::rename(folder, away);
                None
            }
            Act::MoveFolderBack => {
                let _ = std::fs::rename(away, folder);
                None
            }
            Act::Hint(path) => {
                let mut dirty = DirtySet::nothing();
                dirty.add_path(PATHS[*path]);
                Some(dirty)
            }
            Act::Sweep => Some(DirtySet::everything()),
            Act::Later(milliseconds) => {
                scene.later(*milliseconds);
                Some(DirtySet::nothing())
            }
        };
        if let Some(dirty) = hints {
            serve(scene, &dirty, served);
        }
    }

    /// Runs a sweep as the server does, and returns the time of the next one.
    fn serve(
        scene: &mut Scene,
        dirty: &DirtySet,
        served: &mut BTreeMap<String, Vec<u8>>,
    ) -> Option<Instant> {
        let step = scene.reconciler.sweep_dirty(&scene.disk, scene.now, dirty);
        for change in step.changes {
            match change.now {
                SweptFile::Read { content, .. } => _ = served.insert(change.path, content.to_vec()),
                SweptFile::Missing => _ = served.remove(&change.path),
                SweptFile::Seen(_) | SweptFile::Unreadable(_) => {}
            }
        }
        step.wake
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        /// After any sequence of actions and events, a sweep and some patience, the served content
        /// equals the content of the folder.
        #[test]
        fn in_the_end_what_is_served_is_what_is_there(acts in vec(act(), 0..40)) {
            let mut scene = Scene::new(&[]);
            let mut served = BTreeMap::new();
            acts.iter().for_each(|act| perform(&mut scene, act, &mut served));
            let mut wake = serve(&mut scene, &DirtySet::everything(), &mut served);
            while let Some(at) = wake {
                let pause = at.saturating_duration_since(scene.now.instant);
                scene.later(u64::try_from(pause.as_millis()).unwrap().max(1));
                wake = serve(&mut scene, &DirtySet::nothing(), &mut served);
            }
            prop_assert!(scene.reconciler.is_settled());
            let there: BTreeMap<String, Vec<u8>> = PATHS
                .iter()
                .filter(|path| !path.ends_with('~'))
                .filter_map(|path| Some((path.to_string(), std::fs::read(scene.at(path)).ok()?)))
                .collect();
            prop_assert_eq!(served, there);
        }
    }
}
