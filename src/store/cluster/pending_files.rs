//! The files of a new replica that are not on its disk yet: a server serves what it has read from
//! the database before all of it is written.

use std::collections::{BTreeMap, HashMap};
use std::ops::Bound;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{MutexGuard, OnceLock};

use crate::stdx::sync::Mutex;
use crate::store::cluster::database::{DatabaseContent, DatabaseFile, DatabaseFileFacts};
use crate::store::disk::{FileKind, FolderItem, Stat};

/// The files that are pending, and those of them that were fetched to be loaded.
#[derive(Default)]
pub(super) struct PendingFiles {
    stats: Mutex<BTreeMap<String, Stat>>,
    /// False if no file is pending, so that nobody has to look.
    is_any: AtomicBool,
    /// True until the content is loaded. Files are read without being written meanwhile.
    is_loading: AtomicBool,
    /// True if a file that is pending could not be fetched.
    has_failed: AtomicBool,
    /// Files that were fetched, and are read next.
    fetched: Mutex<HashMap<String, (Stat, Vec<u8>)>>,
    /// The function that gets the files that are put in their places.
    on_placed: OnceLock<OnPlaced>,
}

/// Takes the path, the stat and the bytes of a file that was put in its place.
pub(super) type OnPlaced = Box<dyn Fn(&str, &Stat, &[u8]) + Send + Sync>;

/// The right to put pending files in their places; nobody else does meanwhile.
pub(super) struct PlacingGuard<'a> {
    pending: &'a PendingFiles,
    stats: MutexGuard<'a, BTreeMap<String, Stat>>,
}

impl PendingFiles {
    /// Makes all these files pending, and begins to load.
    pub(super) fn begin_loading(&self, files: &[DatabaseFileFacts]) {
        let mut stats = self.stats.lock();
        stats.extend(files.iter().map(|it| (it.path.clone(), to_stat(it))));
        self.is_any.store(!stats.is_empty(), Relaxed);
        self.is_loading.store(!stats.is_empty(), Relaxed);
    }

    /// Ends to load, and has the files passed on that are put in their places from now on. Returns
    /// false if a file could not be fetched.
    pub(super) fn finish_loading(&self, on_placed: OnPlaced) -> bool {
        // It is called once.
        let _ = self.on_placed.set(on_placed);
        self.is_loading.store(false, Relaxed);
        *self.fetched.lock() = HashMap::new();
        !self.has_failed.load(Relaxed)
    }

    /// Returns true until the content is loaded.
    pub(super) fn is_loading(&self) -> bool {
        self.is_loading.load(Relaxed)
    }

    /// Notes that a file could not be fetched.
    pub(super) fn note_failure(&self) {
        self.has_failed.store(true, Relaxed);
    }

    /// Returns true if all files are on the disk.
    pub(super) fn is_empty(&self) -> bool {
        !self.is_any.load(Relaxed)
    }

    /// Returns the number of files that are not on the disk.
    pub(super) fn count(&self) -> usize {
        self.stats.lock().len()
    }

    /// Returns true if a file is not on the disk yet.
    pub(super) fn contains(&self, path: &str) -> bool {
        !self.is_empty() && self.stats.lock().contains_key(path)
    }

    /// Returns the stat that a pending file has for now.
    pub(super) fn find_stat(&self, path: &str) -> Option<Stat> {
        self.stats.lock().get(path).copied()
    }

    /// Returns the paths of the first pending files.
    pub(super) fn first_paths(&self, at_most: usize) -> Vec<String> {
        self.stats.lock().keys().take(at_most).cloned().collect()
    }

    /// Returns all paths.
    pub(super) fn paths(&self) -> Vec<String> {
        self.first_paths(usize::MAX)
    }

    /// Returns true if a file in this folder or below it is pending.
    pub(super) fn has_below(&self, folder: &str) -> bool {
        !self.list_paths_below(folder, 1).is_empty()
    }

    /// Returns the paths of pending files in a folder and below it.
    pub(super) fn list_paths_below(&self, folder: &str, at_most: usize) -> Vec<String> {
        let above = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        let stats = self.stats.lock();
        let from = stats.range::<str, _>((Bound::Included(above.as_str()), Bound::Unbounded));
        let below = from.map(|(path, _)| path).take_while(|it| it.starts_with(&above));
        below.take(at_most).cloned().collect()
    }

    /// Returns what pending files add to a folder: themselves, and the folders that they are in.
    /// Sorted by name.
    pub(super) fn list_items(&self, folder: &str) -> Vec<FolderItem> {
        let above = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        let stats = self.stats.lock();
        let mut items = Vec::new();
        let mut from = Bound::Included(above.clone());
        'folders: loop {
            let range =
                stats.range::<str, _>((from.as_ref().map(String::as_str), Bound::Unbounded));
            for (path, stat) in range {
                let Some(name) = path.strip_prefix(&above) else { break 'folders };
                let Some((inner, _)) = name.split_once('/') else {
                    let name = name.to_string();
                    items.push(FolderItem { name, kind: FileKind::File, stat: *stat });
                    continue;
                };
                let (kind, stat) = (FileKind::Folder, Stat::default());
                items.push(FolderItem { name: inner.to_string(), kind, stat });
                // The character after the slash: what is below the folder is passed over.
                from = Bound::Included(format!("{above}{inner}0"));
                continue 'folders;
            }
            break;
        }
        items.sort_unstable_by(|one, other| one.name.cmp(&other.name));
        items
    }

    /// Keeps files that were fetched, to be read once.
    pub(super) fn keep_fetched(&self, files: Vec<DatabaseFile>) {
        let mut fetched = self.fetched.lock();
        for DatabaseFile { facts, content } in files {
            if let DatabaseContent::Bytes(bytes) = content {
                let stat = to_stat(&facts);
                fetched.insert(facts.path, (stat, bytes));
            }
        }
    }

    /// Takes the content of a file that was fetched.
    pub(super) fn take_fetched(&self, path: &str) -> Option<(Stat, Vec<u8>)> {
        if self.is_loading() { self.fetched.lock().remove(path) } else { None }
    }

    /// Waits for the right to put files in their places.
    pub(super) fn begin_placing(&self) -> PlacingGuard<'_> {
        PlacingGuard { pending: self, stats: self.stats.lock() }
    }
}

impl PlacingGuard<'_> {
    /// Returns true if the file is still pending: nobody has put a newer one in its place.
    pub(super) fn is_pending(&self, path: &str) -> bool {
        self.stats.contains_key(path)
    }

    /// Notes that a file is in its place with these bytes.
    pub(super) fn place(&mut self, path: &str, stat: &Stat, bytes: &[u8]) {
        if let Some(on_placed) = self.pending.on_placed.get() {
            on_placed(path, stat, bytes);
        }
        self.settle(path);
    }

    /// Notes that a file is in its place, or gone.
    pub(super) fn settle(&mut self, path: &str) {
        if self.stats.remove(path).is_some() && self.stats.is_empty() {
            self.pending.is_any.store(false, Relaxed);
        }
    }
}

fn to_stat(facts: &DatabaseFileFacts) -> Stat {
    Stat::unplaced(facts.size, facts.modified_ns)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pending(paths: &[&str]) -> PendingFiles {
        let files = PendingFiles::default();
        let facts = |path: &&str| DatabaseFileFacts {
            path: (*path).to_string(),
            size: 1,
            sum: None,
            modified_ns: 2,
        };
        files.begin_loading(&paths.iter().map(facts).collect::<Vec<_>>());
        files
    }

    #[test]
    fn folders_are_listed_with_what_is_pending() {
        let files = pending(&["a/b/1.json", "a/b/2.json", "a/b-c/3.json", "a/b.json", "a0/4.json"]);
        let list = |folder| {
            let show = |it: FolderItem| match it.kind {
                FileKind::Folder => format!("{}/", it.name),
                _ => it.name,
            };
            files.list_items(folder).into_iter().map(show).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(list(""), "a/ a0/");
        assert_eq!(list("a"), "b/ b-c/ b.json");
        assert_eq!(list("a/b"), "1.json 2.json");
        assert_eq!(list("b"), "");
        assert!(files.has_below("a/b") && !files.has_below("a/b.json") && !files.has_below("b"));
        assert_eq!(files.list_paths_below("a/b", 9), ["a/b/1.json", "a/b/2.json"]);
    }

    #[test]
    fn a_file_is_pending_until_it_is_in_its_place() {
        let files = pending(&["a/1.json", "a/2.json"]);
        for path in ["a/1.json", "a/2.json"] {
            assert!(files.contains(path) && !files.is_empty());
            files.begin_placing().settle(path);
            assert!(!files.begin_placing().is_pending(path));
        }
        assert!(files.is_empty() && files.count() == 0);
    }
}
