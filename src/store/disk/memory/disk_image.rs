//! The state of the disk in memory: the view of programs, the durable state, and the changes
//! between the two that a crash may lose.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, Read, Seek};
use std::sync::Arc;

use crate::stdx::checksum::ChecksumBuilder;
use crate::store::disk::file_system::{
    FileKind, FolderItem, Listing, Stat, StatResult, has_capital, parent_folder,
};

/// The content of a folder and of all folders below it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct FolderTree {
    /// The bytes of the files by path.
    pub files: BTreeMap<String, Vec<u8>>,
    /// The paths of folders.
    pub folders: BTreeSet<String>,
}

type Inode = u64;

/// The names in each folder.
type FolderNames = BTreeMap<Inode, BTreeMap<String, Inode>>;

const ROOT: Inode = 1;

/// The time of the first change: 2026-01-01.
const BEGINNING_NS: i64 = 1_767_225_600_000_000_000;

/// The time between two changes.
const TICK_NS: i64 = 1_000_000;

/// The part of the unsynced changes that survives a crash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Survival {
    /// None of them.
    Nothing,
    /// All of them.
    Everything,
    /// Some of them, determined by the seed.
    Mixture(u64),
}

/// A file or a folder.
#[derive(Clone, Debug)]
struct ImageNode {
    /// The content, if it is a file.
    file: Option<FileBytes>,
    mode: u32,
    modified_ns: i64,
    changed_ns: i64,
}

/// The content of a file, which only grows.
#[derive(Clone, Debug, Default)]
pub(super) struct FileBytes {
    pub(super) bytes: Vec<u8>,
    /// The number of durable bytes.
    n_synced: usize,
    /// True after a failed sync: the system has dropped the unwritten bytes and forgotten about
    /// them.
    is_lost: bool,
}

/// An atomic change of names in folders.
#[derive(Clone, Debug)]
struct NameChange {
    number: u64,
    /// The folder, the name, and the new target of the name.
    names: Vec<(Inode, String, Option<Inode>)>,
    /// The earlier changes that must be durable before this one.
    after: ChangeDependency,
}

/// The changes that a change of names requires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ChangeDependency {
    /// Earlier changes of the same names only.
    Nothing,
    /// All removals from this folder.
    Emptied(Inode),
    /// The change with this number: a file has its new name before it loses the old one.
    Change(u64),
}

#[derive(Clone, Debug)]
pub(super) struct DiskImage {
    /// All files and folders that ever existed, since a crash may bring them back.
    nodes: BTreeMap<Inode, ImageNode>,
    seen: FolderNames,
    durable: FolderNames,
    /// The changes between `durable` and `seen`.
    pending: Vec<NameChange>,
    /// Files that are open for writing, with handles to read the written bytes.
    handed_out: Vec<(Inode, Arc<File>)>,
    next_inode: Inode,
    next_change: u64,
    now_ns: i64,
}

impl Default for DiskImage {
    fn default() -> DiskImage {
        let names = FolderNames::from([(ROOT, BTreeMap::new())]);
        let mut image = DiskImage {
            nodes: BTreeMap::new(),
            seen: names.clone(),
            durable: names,
            pending: Vec::new(),
            handed_out: Vec::new(),
            next_inode: ROOT,
            next_change: 0,
            now_ns: BEGINNING_NS,
        };
        image.new_node(None, 0o750);
        image
    }
}

// Reading.
impl DiskImage {
    pub(super) fn find_inode(&self, path: &str) -> io::Result<Inode> {
        let mut inode = ROOT;
        for name in path.split('/').filter(|_| !path.is_empty()) {
            if matches!(name, "" | "." | "..") {
                return Err(io::ErrorKind::InvalidInput.into());
            }
            let names = self.seen.get(&inode).ok_or(io::ErrorKind::NotADirectory)?;
            inode = *names.get(name).ok_or(io::ErrorKind::NotFound)?;
        }
        Ok(inode)
    }

    pub(super) fn get_file(&self, inode: Inode) -> Option<&FileBytes> {
        self.nodes.get(&inode)?.file.as_ref()
    }

    pub(super) fn count_links(&self, inode: Inode) -> usize {
        self.seen.values().flat_map(BTreeMap::values).filter(|it| **it == inode).count()
    }

    pub(super) fn stat(&self, path: &str) -> io::Result<StatResult> {
        Ok(self.stat_of(self.find_inode(path)?))
    }

    pub(super) fn stat_of(&self, inode: Inode) -> StatResult {
        let node = &self.nodes[&inode];
        let (kind, size) = match &node.file {
            Some(content) => (FileKind::File, content.bytes.len() as u64),
            None => (FileKind::Folder, 0),
        };
        let (modified_ns, changed_ns) = (node.modified_ns, node.changed_ns);
        StatResult { kind, mode: node.mode, stat: Stat { inode, size, modified_ns, changed_ns } }
    }

    pub(super) fn list(&self, folder: &str) -> io::Result<Listing> {
        let inode = self.find_folder(folder)?;
        let names = &self.seen[&inode];
        let has_capitals = names.keys().any(|it| has_capital(it));
        let items = names.iter().map(|(name, inode)| {
            let found = self.stat_of(*inode);
            FolderItem { name: name.clone(), kind: found.kind, stat: found.stat }
        });
        Ok(Listing { inode, items: items.collect(), garbled: Vec::new(), has_capitals })
    }

    pub(super) fn build_tree(&self) -> FolderTree {
        let mut tree = FolderTree::default();
        self.collect_tree(ROOT, "", &mut tree);
        tree
    }

    fn collect_tree(&self, folder: Inode, path: &str, tree: &mut FolderTree) {
        for (name, inode) in &self.seen[&folder] {
            let slash = if path.is_empty() { "" } else { "/" };
            let path = format!("{path}{slash}{name}");
            if let Some(content) = self.get_file(*inode) {
                tree.files.insert(path, content.bytes.clone());
            } else {
                self.collect_tree(*inode, &path, tree);
                tree.folders.insert(path);
            }
        }
    }

    /// Returns a checksum that is equal for equal trees.
    pub(super) fn compute_checksum(&self) -> String {
        let tree = self.build_tree();
        let mut summer = ChecksumBuilder::new();
        for (path, bytes) in &tree.files {
            summer.add_part(path.as_bytes()).add_part(bytes);
        }
        for path in &tree.folders {
            summer.add_part(path.as_bytes());
        }
        summer.finish().to_string()
    }

    fn find_folder(&self, path: &str) -> io::Result<Inode> {
        let inode = self.find_inode(path)?;
        if self.get_file(inode).is_some() {
            Err(io::ErrorKind::NotADirectory.into())
        } else {
            Ok(inode)
        }
    }

    /// Returns the parent folder of a path and the name in it.
    fn find_parent<'a>(&self, path: &'a str) -> io::Result<(Inode, &'a str)> {
        let folder = self.find_folder(parent_folder(path))?;
        match path.rsplit('/').next() {
            None | Some("" | "." | "..") => Err(io::ErrorKind::InvalidInput.into()),
            Some(name) => Ok((folder, name)),
        }
    }

    pub(super) fn expect_free(&self, path: &str) -> io::Result<()> {
        let (folder, name) = self.find_parent(path)?;
        if self.seen[&folder].contains_key(name) {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        Ok(())
    }

    /// Returns the inode of a file, for operations that are not allowed on folders.
    fn find_file(&self, path: &str) -> io::Result<Inode> {
        let inode = self.find_inode(path)?;
        if self.get_file(inode).is_none() {
            Err(io::ErrorKind::IsADirectory.into())
        } else {
            Ok(inode)
        }
    }
}

// Changing.
impl DiskImage {
    /// Writes a file and creates its folders, replacing whatever exists; without bytes the file is
    /// removed.
    pub(super) fn put_file(&mut self, path: &str, bytes: Option<&[u8]>) {
        let mut folder = ROOT;
        let mut steps = path.split('/').peekable();
        while let Some(name) = steps.next() {
            let known = self.seen[&folder].get(name).copied();
            let inode = match known {
                Some(inode) if steps.peek().is_some() => inode,
                _ if steps.peek().is_some() => self.new_node(None, 0o750),
                _ if bytes.is_some() => self.new_node(bytes, 0o640),
                _ => return self.forget_name(folder, name),
            };
            self.record_change(
                vec![(folder, name.to_string(), Some(inode))],
                ChangeDependency::Nothing,
            );
            folder = inode;
        }
    }

    pub(super) fn write_new(&mut self, path: &str, bytes: &[u8], mode: u32) -> io::Result<()> {
        self.expect_free(path)?;
        let (folder, name) = self.find_parent(path)?;
        let inode = self.new_node(Some(bytes), mode);
        self.record_change(
            vec![(folder, name.to_string(), Some(inode))],
            ChangeDependency::Nothing,
        );
        Ok(())
    }

    pub(super) fn append(&mut self, path: &str, bytes: &[u8], mode: u32) -> io::Result<()> {
        if self.expect_free(path).is_ok() {
            return self.write_new(path, bytes, mode);
        }
        let inode = self.find_file(path)?;
        let now = self.advance_clock();
        if let Some(node) = self.nodes.get_mut(&inode) {
            (node.modified_ns, node.changed_ns) = (now, now);
            node.file.get_or_insert_default().bytes.extend_from_slice(bytes);
        }
        Ok(())
    }

    pub(super) fn set_modified(&mut self, path: &str, modified_ns: i64) -> io::Result<()> {
        let inode = self.find_file(path)?;
        let now = self.advance_clock();
        if let Some(node) = self.nodes.get_mut(&inode) {
            (node.modified_ns, node.changed_ns) = (modified_ns, now);
        }
        Ok(())
    }

    /// Lets the content of a file follow what is written through a handle.
    pub(super) fn fill_from(&mut self, path: &str, written: File) -> io::Result<()> {
        let inode = self.find_file(path)?;
        self.handed_out.push((inode, Arc::new(written)));
        Ok(())
    }

    /// Takes over the bytes written through handles.
    pub(super) fn read_handles(&mut self) {
        for (inode, mut file) in self.handed_out.iter().map(|(inode, file)| (inode, &**file)) {
            let known = self.nodes.get_mut(inode).and_then(|it| it.file.as_mut());
            if let Some(FileBytes { bytes, .. }) = known {
                // Bytes that cannot be read are missing, which a reader of the file will notice.
                let more = file.seek(io::SeekFrom::Start(bytes.len() as u64));
                let _ = more.and_then(|_| file.read_to_end(bytes));
            }
        }
    }

    pub(super) fn rename(&mut self, from: &str, to: &str) -> io::Result<()> {
        let (inode, from, to) =
            (self.find_file(from)?, self.find_parent(from)?, self.find_parent(to)?);
        let old = self.seen[&to.0].get(to.1).copied();
        if old.is_some_and(|it| self.get_file(it).is_none()) {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        if old != Some(inode) {
            // If both names are the same file, a rename does nothing.
            let old = (from.0, from.1.to_string(), None);
            let new = (to.0, to.1.to_string(), Some(inode));
            if from.0 == to.0 {
                self.record_change(vec![old, new], ChangeDependency::Nothing);
            } else {
                let arrival = self.record_change(vec![new], ChangeDependency::Nothing);
                self.record_change(vec![old], ChangeDependency::Change(arrival));
            }
            self.update_times(inode);
        }
        Ok(())
    }

    pub(super) fn exchange(&mut self, one: &str, other: &str) -> io::Result<()> {
        let inodes = (self.find_file(one)?, self.find_file(other)?);
        let (one, other) = (self.find_parent(one)?, self.find_parent(other)?);
        let one = (one.0, one.1.to_string(), Some(inodes.1));
        let other = (other.0, other.1.to_string(), Some(inodes.0));
        if one.0 == other.0 {
            self.record_change(vec![one, other], ChangeDependency::Nothing);
        } else {
            // Each change may survive without the other.
            self.record_change(vec![other], ChangeDependency::Nothing);
            self.record_change(vec![one], ChangeDependency::Nothing);
        }
        self.update_times(inodes.0);
        self.update_times(inodes.1);
        Ok(())
    }

    fn forget_name(&mut self, folder: Inode, name: &str) {
        if self.seen.get(&folder).is_some_and(|it| it.contains_key(name)) {
            self.record_change(vec![(folder, name.to_string(), None)], ChangeDependency::Nothing);
        }
    }

    pub(super) fn link(&mut self, from: &str, to: &str) -> io::Result<()> {
        self.expect_free(to)?;
        let (inode, (folder, name)) = (self.find_file(from)?, self.find_parent(to)?);
        self.record_change(
            vec![(folder, name.to_string(), Some(inode))],
            ChangeDependency::Nothing,
        );
        self.update_times(inode);
        Ok(())
    }

    pub(super) fn remove(&mut self, path: &str) -> io::Result<()> {
        let (inode, (folder, name)) = (self.find_file(path)?, self.find_parent(path)?);
        self.record_change(vec![(folder, name.to_string(), None)], ChangeDependency::Nothing);
        self.update_times(inode);
        Ok(())
    }

    pub(super) fn make_folder(&mut self, path: &str, mode: u32) -> io::Result<()> {
        self.expect_free(path)?;
        let (folder, name) = self.find_parent(path)?;
        let inode = self.new_node(None, mode);
        self.record_change(
            vec![(folder, name.to_string(), Some(inode))],
            ChangeDependency::Nothing,
        );
        Ok(())
    }

    pub(super) fn remove_folder(&mut self, path: &str) -> io::Result<()> {
        let (inode, (folder, name)) = (self.find_folder(path)?, self.find_parent(path)?);
        if !self.seen[&inode].is_empty() {
            return Err(io::ErrorKind::DirectoryNotEmpty.into());
        }
        // It requires all changes that emptied the folder.
        self.record_change(
            vec![(folder, name.to_string(), None)],
            ChangeDependency::Emptied(inode),
        );
        Ok(())
    }

    fn new_node(&mut self, bytes: Option<&[u8]>, mode: u32) -> Inode {
        let (inode, now) = (self.next_inode, self.advance_clock());
        self.next_inode += 1;
        let file = bytes.map(|it| FileBytes { bytes: it.to_vec(), ..FileBytes::default() });
        if file.is_none() {
            self.seen.entry(inode).or_default();
            self.durable.entry(inode).or_default();
        }
        self.nodes.insert(inode, ImageNode { file, mode, modified_ns: now, changed_ns: now });
        inode
    }

    /// Records a change and returns its number.
    fn record_change(
        &mut self,
        names: Vec<(Inode, String, Option<Inode>)>,
        after: ChangeDependency,
    ) -> u64 {
        let now = self.advance_clock();
        for (folder, ..) in &names {
            if let Some(node) = self.nodes.get_mut(folder) {
                (node.modified_ns, node.changed_ns) = (now, now);
            }
        }
        let number = self.next_change;
        self.next_change += 1;
        let change = NameChange { number, names, after };
        change.apply_to(&mut self.seen);
        self.pending.push(change);
        number
    }

    fn update_times(&mut self, inode: Inode) {
        let now = self.advance_clock();
        if let Some(node) = self.nodes.get_mut(&inode) {
            node.changed_ns = now;
        }
    }

    fn advance_clock(&mut self) -> i64 {
        self.now_ns += TICK_NS;
        self.now_ns
    }
}

impl NameChange {
    /// Returns true if this change cannot be durable without `earlier`.
    fn depends_on(&self, earlier: &NameChange) -> bool {
        if self.after == ChangeDependency::Change(earlier.number) {
            return true;
        }
        earlier.names.iter().any(|(folder, name, _)| {
            let same = |(of, it, _): &(Inode, String, _)| of == folder && it == name;
            self.after == ChangeDependency::Emptied(*folder) || self.names.iter().any(same)
        })
    }

    fn is_in(&self, folder: Inode) -> bool {
        self.names.iter().any(|(of, ..)| *of == folder)
    }

    fn apply_to(&self, names: &mut FolderNames) {
        for (folder, name, inode) in &self.names {
            let folder = names.entry(*folder).or_default();
            match inode {
                Some(inode) => folder.insert(name.clone(), *inode),
                None => folder.remove(name),
            };
        }
    }
}

// Syncs and crashes.
impl DiskImage {
    pub(super) fn sync_all(&mut self) {
        self.pending.clear();
        self.durable.clone_from(&self.seen);
        self.nodes.values_mut().filter_map(|it| it.file.as_mut()).for_each(FileBytes::mark_synced);
    }

    pub(super) fn sync_file(&mut self, path: &str) -> io::Result<()> {
        let inode = self.find_file(path)?;
        if let Some(content) = self.nodes.get_mut(&inode).and_then(|it| it.file.as_mut()) {
            content.mark_synced();
        }
        Ok(())
    }

    /// Marks the unsynced bytes of a file as lost after a failed sync.
    pub(super) fn lose_bytes(&mut self, path: &str) {
        let found = self.find_inode(path).ok().and_then(|it| self.nodes.get_mut(&it));
        if let Some(content) = found.and_then(|it| it.file.as_mut()) {
            content.is_lost = true;
        }
    }

    pub(super) fn sync_folder(&mut self, folder: &str) -> io::Result<()> {
        let folder = self.find_folder(folder)?;
        // Backwards, because a change includes the ones it depends on.
        let (mut synced, mut left) = (Vec::<NameChange>::new(), Vec::new());
        for change in std::mem::take(&mut self.pending).into_iter().rev() {
            let is_synced = change.is_in(folder) || synced.iter().any(|it| it.depends_on(&change));
            if is_synced { synced.push(change) } else { left.push(change) }
        }
        synced.iter().rev().for_each(|it| it.apply_to(&mut self.durable));
        self.pending.extend(left.into_iter().rev());
        Ok(())
    }

    pub(super) fn simulate_crash(&self, survival: Survival) -> DiskImage {
        let mut chance = CrashRandom::new(survival);
        let mut seen = self.durable.clone();
        let mut forgotten: Vec<&NameChange> = Vec::new();
        for change in &self.pending {
            let is_lost = forgotten.iter().any(|it| change.depends_on(it));
            if is_lost || !chance.draw_survival() {
                forgotten.push(change);
            } else {
                change.apply_to(&mut seen);
            }
        }
        let mut nodes = self.nodes.clone();
        for content in nodes.values_mut().filter_map(|it| it.file.as_mut()) {
            content.lose_unsynced(&mut chance);
        }
        let mut image = DiskImage {
            nodes,
            durable: seen.clone(),
            seen,
            pending: vec![],
            handed_out: vec![],
            ..*self
        };
        image.forget_unreachable();
        image
    }

    fn forget_unreachable(&mut self) {
        let mut reached = BTreeSet::from([ROOT]);
        let mut folders = vec![ROOT];
        while let Some(folder) = folders.pop() {
            let below = self.seen.get(&folder).into_iter().flat_map(BTreeMap::values);
            folders.extend(below.filter(|it| reached.insert(**it)));
        }
        self.nodes.retain(|inode, _| reached.contains(inode));
        self.seen.retain(|inode, _| reached.contains(inode));
        self.durable.clone_from(&self.seen);
    }
}

impl FileBytes {
    fn mark_synced(&mut self) {
        if !self.is_lost {
            self.n_synced = self.bytes.len();
        }
    }

    /// Keeps the synced bytes and a random part of the rest.
    fn lose_unsynced(&mut self, chance: &mut CrashRandom) {
        let n_open = self.bytes.len() - self.n_synced;
        let kept = if n_open == 0 { n_open } else { chance.draw_count(n_open) };
        let with_zeros = kept < n_open && chance.draw_zeros();
        self.bytes.truncate(self.n_synced + kept);
        if with_zeros {
            self.bytes.resize(self.n_synced + n_open, 0);
        }
        (self.n_synced, self.is_lost) = (self.bytes.len(), false);
    }
}

/// Decides randomly what survives; deterministic for a seed.
struct CrashRandom {
    survival: Survival,
    state: u64,
}

impl CrashRandom {
    fn new(survival: Survival) -> CrashRandom {
        let state = if let Survival::Mixture(seed) = survival { seed } else { 0 };
        CrashRandom { survival, state }
    }

    fn draw_survival(&mut self) -> bool {
        match self.survival {
            Survival::Nothing => false,
            Survival::Everything => true,
            Survival::Mixture(_) => !self.draw_number().is_multiple_of(3),
        }
    }

    /// Returns how many of `n` bytes survive.
    fn draw_count(&mut self, n: usize) -> usize {
        match (self.survival, self.draw_number() % 3) {
            (Survival::Nothing, _) | (Survival::Mixture(_), 0) => 0,
            (Survival::Everything, _) | (Survival::Mixture(_), 1) => n,
            (Survival::Mixture(_), _) => {
                usize::try_from(self.draw_number() % n as u64).unwrap_or(0)
            }
        }
    }

    fn draw_zeros(&mut self) -> bool {
        matches!(self.survival, Survival::Mixture(_)) && self.draw_number().is_multiple_of(2)
    }

    /// The SplitMix64 generator.
    fn draw_number(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}
