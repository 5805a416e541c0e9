//! Finding out what changed on the disk: a stat sweep compares the folder with what was known of
//! it, and bytes decide. Our own writes end here too, as files whose bytes are known.
//!
//! Editors unlink, truncate and rename when they save; checkouts do it by the thousand; volumes
//! vanish. So not everything seen is believed at once: see the waits below. Time is an argument.

mod differences;
mod unseen;

use std::borrow::Borrow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::model::problem::Problem;
use crate::stdx::sum::Sum;
use crate::store::disk::{self, Disk, Kind, Listing, ReadError, Stat};
use crate::store::known::{Known, KnownFolder, Moment, State};
use crate::store::layout::{self, Folder, Key};
use crate::store::load::{self, FileRef, FolderRef};
use crate::store::sweep::differences::{Differences, Suspicion, suspicion};
use crate::store::sweep::unseen::Unseen;
use crate::store::watch::{DirtySet, Names};

/// How long a file may be missing before it counts as deleted: editors unlink and create anew.
const MISSING_GRACE: Duration = Duration::from_millis(300);
/// How long most of a folder may be missing before it counts as deleted.
const MASS_GRACE: Duration = Duration::from_secs(10);
/// Fewer missing files than this are never a mass deletion.
const MASS_FILES_MIN: usize = 20;
/// How long a file may be half written before it counts as broken.
const HALF_WRITTEN_GRACE: Duration = Duration::from_secs(1);
/// How often a half-written file is looked at.
const HALF_WRITTEN_POLL: Duration = Duration::from_millis(100);
/// How often a vanished data folder is looked for.
const OUTAGE_POLL: Duration = Duration::from_secs(1);
/// How many threads read what a sweep finds.
const READERS: usize = 4;

/// What must be there once it was there: the data folder and the folders at its top.
const TOPS: [&str; 3] = ["", layout::WORKSPACES, layout::SYSTEM];

/// What a file is now.
#[derive(Debug)]
pub enum Now {
    /// JSON, or what should be: [`crate::store::codec::parse`] tells.
    Read {
        /// All bytes.
        bytes: Vec<u8>,
        /// The stat from before they were read.
        stat: Stat,
        /// The sum of the bytes.
        sum: Sum,
    },
    /// Media, which is not read.
    Seen(Stat),
    /// It is there, but nothing can be read from it: the last good version goes on being served.
    Unreadable(Problem),
    /// It is gone.
    Missing,
}

/// One file that is not as it was.
#[derive(Debug)]
pub struct FileChange {
    /// Which file.
    pub key: Key,
    /// Where it is.
    pub path: String,
    /// What was known of its bytes; `None` for a new file and for one that could not be read.
    pub before: Option<Sum>,
    /// What it is now.
    pub now: Now,
}

/// What git did between two looks.
#[derive(Clone, Copy, Debug)]
pub struct GitWork {
    /// Since when.
    pub since: Instant,
    /// Whether it surely changed files. Else that is believed only when many are missing: git also
    /// writes its index when somebody asks it for the state of files that an editor is saving.
    pub is_certain: bool,
}

/// What one look at the folder gave.
#[derive(Debug, Default)]
pub struct Step {
    /// In the order of paths.
    pub changes: Vec<FileChange>,
    /// The data folder is gone: nothing is believed until it is back.
    pub outage: bool,
    /// What is missing at the top of the data folder; empty for the folder itself. Without `system`
    /// the workspaces are looked at nevertheless.
    pub missing: Option<&'static str>,
    /// When to take the next step, even if nothing is dirty.
    pub wake: Option<Instant>,
}

/// A file that is not believed yet.
#[derive(Debug)]
struct Pending {
    file: FileRef,
    why: Why,
    since: Instant,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Why {
    Missing,
    HalfWritten { next: Instant },
}

/// A file to look into, with what was known of it.
#[derive(Debug)]
struct Suspect {
    file: FileRef,
    known: Option<State>,
}

impl Borrow<FileRef> for Suspect {
    fn borrow(&self) -> &FileRef {
        &self.file
    }
}

/// What is gathered during one step.
struct Look {
    now: Moment,
    rehash: bool,
    /// Whether folders are listed although they are known.
    everything: bool,
    /// What git has done since the last look.
    git: Option<GitWork>,
    /// By path.
    suspects: BTreeMap<String, Suspect>,
}

/// What looking into a suspect gave.
enum Finding {
    Gone,
    /// It could not be looked at.
    Unseen(Problem),
    /// Only what is known of it is refreshed.
    Same(State),
    Other {
        state: State,
        now: Now,
        half_written: bool,
    },
}

/// Called with every folder that is about to be listed for the first time, so that it is watched
/// before: nothing that happens in it after the listing is missed then.
pub type WatchFolder = Box<dyn FnMut(&str) + Send>;

/// Compares the folder with what is known of it, step by step.
pub struct Reconciler {
    known: Known,
    pending: BTreeMap<String, Pending>,
    watch: WatchFolder,
    outage: bool,
    /// Whether `system` is missing: what is known of it stays.
    is_system_gone: bool,
    unseen: Unseen,
}

impl Reconciler {
    /// Begins with what was loaded. `watch` is called for the folders of `known` at once; what
    /// happened between loading and that is found by a first step with [`DirtySet::everything`].
    pub fn new(known: Known, mut watch: WatchFolder) -> Reconciler {
        known.folders.keys().for_each(|path| watch(path));
        let (pending, unseen) = (BTreeMap::new(), Unseen::default());
        Reconciler { known, pending, watch, outage: false, is_system_gone: false, unseen }
    }

    /// What is known.
    pub fn known(&self) -> &Known {
        &self.known
    }

    /// What is wrong with names, with things that stand where files should, and with what could not
    /// be looked at.
    pub fn problems(&self) -> Vec<Problem> {
        let mut problems = self.known.problems();
        problems.extend(self.unseen.places.values().map(|(_, problem)| problem.clone()));
        problems
    }

    /// The files of a folder that are missing and may be back in a moment: until that is decided
    /// they count as being there.
    pub fn overdue_in(&self, folder: &Folder) -> Vec<FileRef> {
        let inside = self.pending.values().filter(|pending| pending.why == Why::Missing);
        let files = inside.map(|pending| &pending.file);
        files.filter(|file| file.folder.folder == *folder).cloned().collect()
    }

    /// Whether nothing is waiting to be believed.
    pub fn is_settled(&self) -> bool {
        self.pending.is_empty() && !self.outage && !self.is_system_gone
    }

    /// A file was written by ourselves.
    pub fn wrote(&mut self, key: &Key, stat: Stat, sum: Sum, now: Moment) {
        let (folder, name) = (key.folder(), key.name());
        let path = folder.path();
        self.pending.remove(&format!("{path}/{name}"));
        // An inode that is not known is none: the next listing differs and the folder is watched.
        let here = Arc::new(FolderRef { folder, path, inode: 0 });
        self.known.set(&here, &name, State::read(stat, sum, now));
    }

    /// A file was removed by ourselves.
    pub fn removed(&mut self, key: &Key) {
        let (folder, name) = (key.folder().path(), key.name());
        self.pending.remove(&format!("{folder}/{name}"));
        self.known.forget(&folder, &HashSet::from([name.as_str()]));
    }

    /// What became of the files of a folder could not be seen: the next look finds them all.
    pub fn missed(&mut self, folder: &Folder) {
        self.known.forget_all(&folder.path());
    }

    /// A file was seen, and could not be looked at when it was to be taken over: the next look finds
    /// it anew.
    pub fn missed_file(&mut self, key: &Key, problem: Problem) {
        self.known.doubt(&key.folder().path(), &key.name());
        self.unseen.places.insert(key.path(), (key.folder(), problem));
    }

    /// Whether the data folder is there, with what has to be in it.
    pub fn is_there(&self, disk: &dyn Disk) -> bool {
        self.missing_top(disk).is_none_or(|top| top == layout::SYSTEM)
    }

    /// Another folder may be there in the place of the one that is known: the next step looks at
    /// everything, and watches all folders anew.
    pub fn begin_anew(&mut self) {
        self.outage = true;
    }

    /// Looks at everything after git was at work. What went missing in that time is gone for good:
    /// nobody is saving it.
    pub fn step_after_git(&mut self, disk: &dyn Disk, now: Moment, work: GitWork) -> Step {
        self.step_believing(disk, now, &DirtySet::everything(), Some(work))
    }

    /// Looks at what is dirty and at what was not believed before.
    pub fn step(&mut self, disk: &dyn Disk, now: Moment, dirty: &DirtySet) -> Step {
        self.step_believing(disk, now, dirty, None)
    }

    fn step_believing(
        &mut self,
        disk: &dyn Disk,
        now: Moment,
        dirty: &DirtySet,
        git: Option<GitWork>,
    ) -> Step {
        let missing = self.missing_top(disk);
        if let Some(top) = missing.filter(|it| *it != layout::SYSTEM) {
            self.outage = true;
            let wake = Some(now.instant + OUTAGE_POLL);
            return Step { outage: true, missing: Some(top), wake, ..Step::default() };
        }
        let is_system_back = std::mem::replace(&mut self.is_system_gone, missing.is_some());
        let is_system_back = is_system_back && missing.is_none();
        let back = std::mem::take(&mut self.outage) || is_system_back;
        if back {
            // Watches went with the folder.
            (self.watch)("");
            self.known.folders.keys().for_each(|path| (self.watch)(path));
        }
        let retries_folder = self.unseen.is_due(now.instant) && self.unseen.has_folder();
        let everything = dirty.is_everything() || back || retries_folder;
        let rehash = dirty.is_every_byte();
        let look = Look { now, rehash, everything, git, suspects: BTreeMap::new() };
        self.look(disk, look, dirty)
    }

    fn look(&mut self, disk: &dyn Disk, mut look: Look, dirty: &DirtySet) -> Step {
        let (now, everything) = (look.now, look.everything);
        let is_due = everything || self.unseen.is_due(now.instant);
        let again = if is_due { self.unseen.take() } else { Vec::new() };
        if everything {
            let mut tops = vec![Folder::Workspaces];
            tops.extend((!self.is_system_gone).then_some(Folder::System));
            self.walk(disk, &mut look, tops);
        } else {
            self.look_at_dirty(disk, &mut look, dirty);
            self.walk(disk, &mut look, again);
        }
        let deleted = self.look_at_pending(disk, &mut look);
        let mut changes = self.judge(disk, look);
        changes.extend(self.delete(deleted));
        changes.sort_by(|one, other| one.path.cmp(&other.path));
        // The folders at the top stay expected: when they vanish while they are looked at, the next
        // look must still take that for an outage.
        self.known.folders.retain(|path, folder| {
            !folder.gone || !folder.files.is_empty() || TOPS.contains(&path.as_str())
        });
        self.unseen.plan(now.instant);
        let retry = self.unseen.retry.map(|(at, _)| at);
        let missing = self.is_system_gone.then_some(layout::SYSTEM);
        let poll = missing.map(|_| now.instant + OUTAGE_POLL);
        let wake = self.wake().into_iter().chain(retry).chain(poll).min();
        Step { changes, outage: false, missing, wake }
    }

    /// An empty mount point is no deletion: the folders that were there at its top must be.
    fn missing_top(&self, disk: &dyn Disk) -> Option<&'static str> {
        let is_there = |path: &str| match disk.stat(path) {
            Ok(found) => found.kind == Kind::Folder,
            Err(error) => disk::is_exhaustion(&error),
        };
        TOPS.into_iter().find(|top| {
            let is_expected = top.is_empty() || self.known.folders.contains_key(*top);
            is_expected && !is_there(top)
        })
    }

    /// Whether a path lies in what is missing, of which nothing is believed.
    fn is_out_of_sight(&self, path: &str) -> bool {
        let first = path.split('/').next();
        self.is_system_gone && first == Some(layout::SYSTEM)
    }

    fn look_at_dirty(&mut self, disk: &dyn Disk, look: &mut Look, dirty: &DirtySet) {
        for (path, names) in dirty.folders() {
            if self.is_out_of_sight(path) {
                continue;
            }
            let Some(folder) = Folder::parse(path).filter(Folder::is_watched) else { continue };
            if !self.look_at_names(disk, look, path, names) {
                self.walk(disk, look, vec![folder]);
            }
        }
    }

    /// Looks at the names that were spoken of and no others, because listing a folder takes long
    /// where it has very many files. Whether that was enough.
    fn look_at_names(
        &mut self,
        disk: &dyn Disk,
        look: &mut Look,
        path: &str,
        names: &Names,
    ) -> bool {
        let (Some(known), Names::Some(names)) = (self.known.folders.get(path), names) else {
            return false;
        };
        // What is wrong with names concerns several of them.
        if known.gone
            || known.incomplete
            || !known.misnamed.is_empty()
            || !known.collisions.is_empty()
        {
            return false;
        }
        let mut missing = Vec::new();
        for name in names.iter().filter(|name| !layout::is_ignored(name)) {
            match disk.stat(&format!("{path}/{name}")) {
                Ok(found) if found.kind != Kind::File => return false,
                Ok(found) => match suspicion(known, name, found.stat, look.rehash) {
                    Suspicion::None => {}
                    Suspicion::File(it) => _ = look.suspects.insert(it.file.path(), it),
                    Suspicion::Folder => return false,
                },
                Err(error) if load::is_absence(&error) => missing.push(name),
                Err(_) => return false,
            }
        }
        for name in missing {
            self.file_is_missing(path, name, look.now);
        }
        true
    }

    /// Lists folders, and those below them that are not known as they are now.
    fn walk(&mut self, disk: &dyn Disk, look: &mut Look, folders: Vec<Folder>) {
        let mut stack = folders;
        while let Some(folder) = stack.pop() {
            let path = folder.path();
            match self.list(disk, &path) {
                Ok(listing) => {
                    let here = Arc::new(FolderRef { folder, path, inode: listing.inode });
                    stack.extend(self.compare(&here, listing, look));
                }
                Err(error) if load::is_absence(&error) => self.folder_is_gone(&path, look.now),
                Err(error) => self.folder_is_unreadable(folder, path, &error),
            }
        }
    }

    /// The listing of a folder that is watched, from before it was listed.
    fn list(&mut self, disk: &dyn Disk, path: &str) -> io::Result<Listing> {
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

    /// Takes a listing in; the folders to list next.
    fn compare(&mut self, here: &Arc<FolderRef>, listing: Listing, look: &mut Look) -> Vec<Folder> {
        let known = self.known.entry(here);
        known.here = Arc::clone(here);
        known.gone = false;
        let differences = Differences::of(known, &listing, look.rehash);
        if differences.names_changed || known.incomplete {
            known.collisions = load::collisions(here, &listing.items);
        }
        known.incomplete = !differences.missing.is_empty();
        known.misnamed = differences.contents.problems;
        known.misnamed.extend(load::garbled(&here.path, &listing.garbled));
        for (file, known) in differences.contents.files.into_iter().zip(differences.states) {
            look.suspects.insert(file.path(), Suspect { file, known });
        }
        for name in differences.missing {
            self.file_is_missing(&here.path, &name, look.now);
        }
        self.compare_folders(here, differences.contents.folders, look)
    }

    fn compare_folders(
        &mut self,
        here: &FolderRef,
        below: Vec<(Folder, u64)>,
        look: &Look,
    ) -> Vec<Folder> {
        let there: BTreeSet<String> = below.iter().map(|(folder, _)| folder.path()).collect();
        let known_below = self.known.folders_in(&here.path);
        for gone in known_below.into_iter().filter(|path| !there.contains(path)) {
            self.folder_is_gone(&gone, look.now);
        }
        let is_known = |(folder, inode): &(Folder, u64)| {
            let known = self.known.folders.get(&folder.path());
            known.is_some_and(|known| !known.gone && known.here.inode == *inode)
        };
        let to_list = below.into_iter().filter(|it| look.everything || !is_known(it));
        to_list.map(|(folder, _)| folder).collect()
    }

    fn folder_is_gone(&mut self, path: &str, now: Moment) {
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
            self.file_is_missing(&folder, &name, now);
        }
    }

    /// Content stays as it is while its folder cannot be listed.
    fn folder_is_unreadable(&mut self, folder: Folder, path: String, error: &io::Error) {
        let problem = load::unreadable_folder(path.clone(), error);
        if disk::passes(error) {
            self.unseen.places.insert(path, (folder, problem));
            return;
        }
        let here = Arc::new(FolderRef { folder, path, inode: 0 });
        self.known.entry(&here).misnamed = vec![problem];
    }

    fn file_is_missing(&mut self, folder: &str, name: &str, now: Moment) {
        let path = format!("{folder}/{name}");
        if self.pending.get(&path).is_some_and(|pending| pending.why == Why::Missing) {
            return;
        }
        let known = self.known.folders.get(folder);
        let file = known.and_then(|known| file_ref(known, name, known.get(name)?.stat));
        match file {
            Some(file) => {
                let pending = Pending { file, why: Why::Missing, since: now.instant };
                self.pending.insert(path, pending);
            }
            // Half written and never believed; somebody may have read it all the same.
            None => {
                if let Some(pending) = self.pending.get_mut(&path) {
                    (pending.why, pending.since) = (Why::Missing, now.instant);
                }
            }
        }
    }

    /// Looks again at what has waited long enough; the paths of files that are missing for good.
    fn look_at_pending(&mut self, disk: &dyn Disk, look: &mut Look) -> Vec<String> {
        let graces = self.graces();
        let now = look.now.instant;
        let is_missing = |it: &&Pending| {
            it.why == Why::Missing && look.git.is_some_and(|git| it.since >= git.since)
        };
        let n_missing = self.pending.values().filter(is_missing).count();
        let is_believed = look.git.is_some_and(|git| git.is_certain || n_missing > MASS_FILES_MIN);
        let is_gits = |pending: &Pending| is_believed && is_missing(&pending);
        let is_due = |(path, pending): &(&String, &Pending)| {
            !self.is_out_of_sight(path)
                && (pending.due(&graces) <= now || is_gits(pending))
                && !look.suspects.contains_key(*path)
        };
        let due: Vec<String> =
            self.pending.iter().filter(is_due).map(|(path, _)| path.clone()).collect();
        let mut deleted = Vec::new();
        for path in due {
            let Some(pending) = self.pending.get(&path) else { continue };
            let (file, why) = (pending.file.clone(), pending.why);
            match disk.stat(&path) {
                // Media has to be a file at first sight.
                Ok(found) if found.kind != Kind::File && !file.key.is_json() => deleted.push(path),
                Ok(found) => {
                    let file = FileRef { stat: found.stat, ..file };
                    let known = self.known.state(&file);
                    look.suspects.insert(path, Suspect { file, known });
                }
                Err(error) if !load::is_absence(&error) => {
                    self.pending.remove(&path);
                    let problem = ReadError::from(error).problem(&path);
                    self.unseen.places.insert(path, (file.folder.folder.clone(), problem));
                }
                Err(_) if why == Why::Missing => deleted.push(path),
                Err(_) => self.file_is_missing(&file.folder.path, &file.name, look.now),
            }
        }
        deleted
    }

    /// Where most of a folder is missing, it takes longer to believe it.
    fn graces(&self) -> HashMap<String, Duration> {
        let mut missing: HashMap<&str, usize> = HashMap::new();
        for pending in self.pending.values().filter(|pending| pending.why == Why::Missing) {
            *missing.entry(&pending.file.folder.path).or_default() += 1;
        }
        let grace = |(path, count): (&str, usize)| {
            let all = self.known.folders.get(path).map_or(0, |folder| folder.files.len());
            let is_mass = count > MASS_FILES_MIN && count > all / 2;
            (path.to_string(), if is_mass { MASS_GRACE } else { MISSING_GRACE })
        };
        missing.into_iter().map(grace).collect()
    }

    /// Reads the suspects and tells what is different from what needs more time.
    fn judge(&mut self, disk: &dyn Disk, look: Look) -> Vec<FileChange> {
        let now = look.now;
        let (json, media): (Vec<Suspect>, Vec<Suspect>) =
            look.suspects.into_values().partition(|suspect| suspect.file.key.is_json());
        let read = load::read_all(disk, &json, READERS, |it: &Suspect, body| it.read(body, now));
        let seen: Vec<Finding> = media.iter().map(Suspect::seen).collect();
        let mut states = Vec::new();
        let mut changes = Vec::new();
        for (suspect, finding) in json.into_iter().chain(media).zip(read.into_iter().chain(seen)) {
            let (path, file) = (suspect.file.path(), suspect.file);
            let (state, change) = match finding {
                Finding::Unseen(problem) => {
                    self.unseen.places.insert(path, (file.folder.folder.clone(), problem));
                    continue;
                }
                Finding::Gone => {
                    self.file_is_missing(&file.folder.path, &file.name, now);
                    continue;
                }
                Finding::Other { half_written: true, .. } if self.is_patient(&path, &file, now) => {
                    continue;
                }
                Finding::Same(state) => (state, None),
                Finding::Other { state, now, .. } => (state, Some(now)),
            };
            self.pending.remove(&path);
            states.push((file.folder, file.name, state));
            let before = suspect.known.and_then(|known| known.readable_sum());
            changes.extend(change.map(|now| FileChange { key: file.key, path, before, now }));
        }
        self.known.set_all(states);
        changes
    }

    /// Whether a half-written file gets more time, which begins when it is first seen.
    fn is_patient(&mut self, path: &str, file: &FileRef, now: Moment) -> bool {
        let why = Why::HalfWritten { next: now.instant + HALF_WRITTEN_POLL };
        let since = match self.pending.get(path) {
            Some(pending) if pending.why != Why::Missing => pending.since,
            _ => now.instant,
        };
        let is_patient = now.instant < since + HALF_WRITTEN_GRACE;
        if is_patient {
            self.pending.insert(path.to_string(), Pending { file: file.clone(), why, since });
        }
        is_patient
    }

    fn delete(&mut self, paths: Vec<String>) -> Vec<FileChange> {
        let mut names: HashMap<String, Vec<Box<str>>> = HashMap::new();
        let mut changes = Vec::new();
        for path in paths {
            let Some(Pending { file, .. }) = self.pending.remove(&path) else { continue };
            let before = self.known.state(&file).and_then(|known| known.readable_sum());
            names.entry(file.folder.path.clone()).or_default().push(file.name);
            changes.push(FileChange { key: file.key, path, before, now: Now::Missing });
        }
        for (folder, names) in names {
            self.known.forget(&folder, &names.iter().map(|name| &**name).collect());
        }
        changes
    }

    fn wake(&self) -> Option<Instant> {
        let graces = self.graces();
        self.pending.values().map(|pending| pending.due(&graces)).min()
    }
}

impl Pending {
    /// When to look again.
    fn due(&self, graces: &HashMap<String, Duration>) -> Instant {
        match self.why {
            Why::HalfWritten { next } => next,
            Why::Missing => {
                let grace = graces.get(&self.file.folder.path).copied();
                self.since + grace.unwrap_or(MISSING_GRACE)
            }
        }
    }
}

fn file_ref(known: &KnownFolder, name: &str, stat: Stat) -> Option<FileRef> {
    let key = known.here.folder.file(name).ours()?;
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

    /// A data folder, a clock that is moved by hand, and what was told to be watched.
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
            let reconciler = Reconciler::new(Known::default(), watch);
            // The present is well after the files are written, so that they are not racy.
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
            let step = self.reconciler.step(&self.disk, self.now, dirty);
            step.changes.iter().map(show).collect()
        }

        fn sweep(&mut self) -> Vec<String> {
            self.step(&DirtySet::everything())
        }

        fn hint(&mut self, paths: &[&str]) -> Vec<String> {
            let mut dirty = DirtySet::nothing();
            paths.iter().for_each(|path| dirty.add(path));
            self.step(&dirty)
        }

        /// What comes of waiting, wake by wake; at most a minute.
        fn settle(&mut self) -> Vec<String> {
            let mut shown = Vec::new();
            for _ in 0..600 {
                let step = self.reconciler.step(&self.disk, self.now, &DirtySet::nothing());
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
        let new = if change.before.is_none() { " (new)" } else { "" };
        match &change.now {
            Now::Read { bytes, .. } => format!("{name}{new} {}", String::from_utf8_lossy(bytes)),
            Now::Seen(stat) => format!("{name}{new} {} bytes", stat.size),
            Now::Unreadable(problem) => format!("{name}{new} {}", problem.kind),
            Now::Missing => format!("{name} missing"),
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
        // Times that a file does not give are its own.
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
        assert_eq!(found, ["content/posts/b.json (new) {}"]);
        scene.write(&at("c d.json"), "{}");
        assert_eq!(scene.hint(&[&at("c d.json")]), NOTHING);
        assert_eq!(scene.reconciler.known().problems().len(), 1);
        scene.remove(&at("c d.json"));
        assert_eq!(scene.hint(&[&at("c d.json")]), NOTHING);
        assert_eq!(scene.reconciler.known().problems().len(), 0);
        assert!(scene.reconciler.is_settled());
    }

    #[test]
    fn our_own_writes_are_no_change() {
        let mut scene = Scene::new(&[(A, "{}")]);
        let key = Key::parse("workspaces/main/content/news/b.json").unwrap();
        let stat = crate::store::disk::create(&scene.disk, &key.path(), b"{}").unwrap();
        scene.reconciler.wrote(&key, stat, Sum::of(b"{}"), scene.now);
        assert_eq!(scene.sweep(), NOTHING);
        assert!(scene.watched.lock().unwrap().iter().any(|it| it.ends_with("/news")));
        scene.remove(&key.path());
        scene.reconciler.removed(&key);
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
                assert_eq!(scene.reconciler.known().problems(), [], "{name}");
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
        assert_eq!(scene.reconciler.known().files_count(), 0);
        scene.write(A, "{}");
        assert_eq!(scene.hint(&[A]), ["content/posts/a.json (new) {}"]);
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
        // A file that is whole but wrong is told at once.
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
        // As if the clock of the file system stood still: other bytes under the same stat.
        let key = Key::parse(A).unwrap();
        let (stat, _) = scene.reconciler.known().stat(&key).unwrap();
        scene.reconciler.wrote(&key, stat, Sum::of(b"{\"n\":1}"), scene.now);
        assert_eq!(scene.sweep(), ["content/posts/a.json {\"n\":2}"]);
        scene.later(5_000);
        assert_eq!(scene.sweep(), NOTHING);
        scene.reconciler.wrote(&key, stat, Sum::of(b"{\"n\":1}"), scene.now);
        assert_eq!(scene.sweep(), NOTHING);
        // Once a day the bytes are read whatever the stats say.
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
        let step = scene.reconciler.step_after_git(&scene.disk, scene.now, work);
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
            let step = scene.reconciler.step_after_git(&scene.disk, scene.now, work);
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
        assert_eq!(scene.reconciler.known().files_count(), 30);
        scene.rename("workspaces/main", "elsewhere");
        assert_eq!(scene.sweep(), NOTHING);
        assert_eq!(scene.settle().len(), 30);
        assert!(scene.reconciler.known().workspaces().is_empty());
    }

    #[test]
    fn a_vanished_data_folder_is_an_outage() {
        let mut scene = scene_of(30);
        scene.write("system/settings.json", "{}");
        assert_eq!(scene.sweep().len(), 1);
        for lost in ["workspaces", ""] {
            let (from, to) = (scene.at(lost), scene.data.path().with_extension("away"));
            std::fs::rename(&from, &to).unwrap();
            let step = scene.reconciler.step(&scene.disk, scene.now, &DirtySet::everything());
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
        let step = scene.reconciler.step(&scene.disk, scene.now, &DirtySet::everything());
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
        // It was there when the look began.
        let look = Look {
            now: scene.now,
            rehash: false,
            everything: true,
            git: None,
            suspects: BTreeMap::new(),
        };
        let step = scene.reconciler.look(&scene.disk, look, &DirtySet::everything());
        assert!(step.changes.is_empty());
        scene.later(60_000);
        assert!(scene.reconciler.step(&scene.disk, scene.now, &DirtySet::nothing()).outage);
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
        let expect = [
            "workspaces/blog/content/news/x.json (new) {}",
            "workspaces/blog/workspace.json (new) {}",
        ];
        assert_eq!(found, expect);
        let watched = scene.watched.lock().unwrap().join(" ");
        assert!(watched.contains("workspaces/blog/content/news"), "{watched}");
        assert!(!watched.contains("revisions"), "{watched}");
        let workspaces = scene.reconciler.known().workspaces();
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
        assert_eq!(found, ["content/posts/A.json (new) {}"]);
        let shown: Vec<_> = scene
            .reconciler
            .known()
            .problems()
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
        assert_eq!(scene.reconciler.known().problems(), []);
    }

    #[test]
    fn media_are_known_by_their_stat() {
        let mut scene = Scene::new(&[]);
        let path = "workspaces/main/media/a.txt";
        scene.write(path, "12345");
        assert_eq!(scene.sweep(), ["media/a.txt (new) 5 bytes"]);
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
        let problems = scene.reconciler.known().problems();
        assert_eq!(problems.len(), 1, "{problems:?}");
        assert_eq!(problems[0].kind, ProblemKind::NotAFile);
        std::fs::remove_dir(scene.at(A)).unwrap();
        scene.write(A, "{}");
        assert_eq!(scene.sweep(), ["content/posts/a.json (new) {}"]);
    }

    /// What people and programs do to a folder, and when it is looked at.
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

    /// Does one thing; what cannot be done is not done.
    fn perform(scene: &mut Scene, act: &Act, served: &mut BTreeMap<String, Vec<u8>>) {
        let folder = scene.at("workspaces/main/content");
        let away = scene.at("away");
        let look = match act {
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
                dirty.add(PATHS[*path]);
                Some(dirty)
            }
            Act::Sweep => Some(DirtySet::everything()),
            Act::Later(milliseconds) => {
                scene.later(*milliseconds);
                Some(DirtySet::nothing())
            }
        };
        if let Some(dirty) = look {
            serve(scene, &dirty, served);
        }
    }

    /// Takes a step the way whoever serves the folder does; when to take the next.
    fn serve(
        scene: &mut Scene,
        dirty: &DirtySet,
        served: &mut BTreeMap<String, Vec<u8>>,
    ) -> Option<Instant> {
        let step = scene.reconciler.step(&scene.disk, scene.now, dirty);
        for change in step.changes {
            match change.now {
                Now::Read { bytes, .. } => _ = served.insert(change.path, bytes),
                // What was never believed goes as well: somebody may have read it all the same.
                Now::Missing => {
                    let before = served.remove(&change.path);
                    assert_eq!(before.is_some(), change.before.is_some(), "{}", change.path);
                }
                Now::Seen(_) | Now::Unreadable(_) => {}
            }
        }
        step.wake
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        /// Whatever happened, and however little was told: after a sweep and some patience, what
        /// is served is what is there.
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
