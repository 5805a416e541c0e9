//! The files that a replica does not have on its disk yet: a server serves what it has read from
//! the database before all of it is written.

use std::collections::{BTreeMap, HashMap};
use std::ops::Bound;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{MutexGuard, OnceLock};

use crate::stdx::checksum::Checksum;
use crate::stdx::sync::Mutex;
use crate::store::cluster::database::{DatabaseContent, DatabaseFile, DatabaseFileFacts};
use crate::store::disk::{FileKind, FolderItem, Stat};
use crate::store::error::StoreError;

/// The files that are pending, and those of them that were fetched to be loaded.
#[derive(Default)]
pub(super) struct PendingFiles {
    stats: Mutex<BTreeMap<String, Stat>>,
    /// False if no file is pending, so that nobody has to look.
    is_any: AtomicBool,
    /// True until the content is loaded. Files are read without being written meanwhile.
    is_loading: AtomicBool,
    /// The first error of a file that could not be fetched to be loaded.
    failure: Mutex<Option<String>>,
    /// True until all files were tried once.
    is_first_pass: AtomicBool,
    /// Files that were fetched, and are read next.
    fetched: Mutex<HashMap<String, (Stat, Vec<u8>)>>,
    /// The function that gets the files that are put in their places.
    on_placed: OnceLock<OnPlaced>,
}

/// Takes the path, the stat and the checksum of a file that was put in its place.
pub(super) type OnPlaced = Box<dyn Fn(&str, &Stat, Checksum) + Send + Sync>;

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
        self.is_first_pass.store(!stats.is_empty(), Relaxed);
    }

    /// Ends to load, and has the pending files passed on that are put in their places from now on.
    /// Fails if a file could not be fetched.
    pub(super) fn finish_loading(&self, on_placed: OnPlaced) -> Result<(), StoreError> {
        // It is called once.
        let _ = self.on_placed.set(on_placed);
        self.is_loading.store(false, Relaxed);
        *self.fetched.lock() = HashMap::new();
        self.failure.lock().take().map_or(Ok(()), |it| Err(StoreError::Database(it)))
    }

    /// Returns true until the content is loaded.
    pub(super) fn is_loading(&self) -> bool {
        self.is_loading.load(Relaxed)
    }

    /// Notes that a file could not be fetched, if that was to load it.
    pub(super) fn note_failure(&self, error: &StoreError) {
        if self.is_loading() {
            self.failure.lock().get_or_insert_with(|| error.to_string());
        }
    }

    /// Notes that all files were tried.
    pub(super) fn finish_pass(&self) {
        self.is_first_pass.store(false, Relaxed);
    }

    /// Returns true until all files were tried once.
    pub(super) fn is_first_pass(&self) -> bool {
        self.is_first_pass.load(Relaxed)
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

    /// Returns the paths of the pending files after this one.
    pub(super) fn paths_after(&self, path: &str, at_most: usize) -> Vec<String> {
        let stats = self.stats.lock();
        let after = stats.range::<str, _>((Bound::Excluded(path), Bound::Unbounded));
        after.take(at_most).map(|(path, _)| path.clone()).collect()
    }

    /// Returns all paths.
    pub(super) fn paths(&self) -> Vec<String> {
        self.paths_after("", usize::MAX)
    }

    /// Returns the paths of pending files in a folder and below it.
    pub(super) fn list_paths_below(&self, folder: &str) -> Vec<String> {
        list_below(&self.stats.lock(), folder).cloned().collect()
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

    /// Returns true if a file in this folder or below it is pending.
    pub(super) fn has_below(&self, folder: &str) -> bool {
        list_below(&self.stats, folder).next().is_some()
    }

    /// Returns what pending files add to a folder: themselves, and the folders that they are in.
    /// Sorted by name.
    pub(super) fn list_items(&self, folder: &str) -> Vec<FolderItem> {
        let above = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        let mut items = Vec::new();
        let mut from = Bound::Included(above.clone());
        'folders: loop {
            let range =
                self.stats.range::<str, _>((from.as_ref().map(String::as_str), Bound::Unbounded));
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
        // The sort is stable: where a file and a folder have one name, the file stays first.
        items.sort_by(|one, other| one.name.cmp(&other.name));
        items
    }

    /// Notes that a file whose bytes have this checksum is in its place.
    pub(super) fn place(&mut self, path: &str, stat: &Stat, sum: Checksum) {
        if let Some(on_placed) = self.pending.on_placed.get() {
            on_placed(path, stat, sum);
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

fn list_below<'a>(
    stats: &'a BTreeMap<String, Stat>,
    folder: &str,
) -> impl Iterator<Item = &'a String> + use<'a> {
    let above = if folder.is_empty() { String::new() } else { format!("{folder}/") };
    let from = stats.range::<str, _>((Bound::Included(above.as_str()), Bound::Unbounded));
    from.map(|(path, _)| path).take_while(move |it| it.starts_with(&above))
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
            files
                .begin_placing()
                .list_items(folder)
                .into_iter()
                .map(show)
                .collect::<Vec<_>>()
                .join(" ")
        };
        assert_eq!(list(""), "a/ a0/");
        assert_eq!(list("a"), "b/ b-c/ b.json");
        assert_eq!(list("a/b"), "1.json 2.json");
        assert_eq!(list("b"), "");
        let has_below = |folder| files.begin_placing().has_below(folder);
        assert!(has_below("a/b") && !has_below("a/b.json") && !has_below("b"));
        assert_eq!(files.list_paths_below("a/b"), ["a/b/1.json", "a/b/2.json"]);
        assert_eq!(files.paths_after("a/b/1.json", 1), ["a/b/2.json"]);
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
