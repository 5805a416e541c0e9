//! What is on the disk in memory: as programs see it, as it is on the medium, and what lies between
//! the two and may be forgotten.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, Read, Seek};
use std::sync::Arc;

use crate::stdx::sum::Summer;
use crate::store::disk::memory::Tree;
use crate::store::disk::{Found, Kind, Listed, Listing, Stat, parent};

type Inode = u64;

/// What is in each folder.
type Names = BTreeMap<Inode, BTreeMap<String, Inode>>;

const ROOT: Inode = 1;

/// When the first change happens: 2026-01-01.
const BEGINNING_NS: i64 = 1_767_225_600_000_000_000;

/// How much later each further one does.
const TICK_NS: i64 = 1_000_000;

/// How much of what was not synced survives a crash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Survival {
    /// Nothing of it.
    Nothing,
    /// All of it.
    Everything,
    /// Some of it, the same for the same number.
    Mixture(u64),
}

/// A file or a folder.
#[derive(Clone, Debug)]
struct Node {
    /// Of a file.
    file: Option<Content>,
    mode: u32,
    modified_ns: i64,
    changed_ns: i64,
}

/// The bytes of a file, which only ever grow.
#[derive(Clone, Debug, Default)]
pub(super) struct Content {
    pub(super) bytes: Vec<u8>,
    /// How many of them are on the medium.
    n_synced: usize,
    /// Whether a sync failed: the system has dropped what it could not write, and forgets that.
    is_lost: bool,
}

/// A change of names in one folder that happens whole or not at all.
#[derive(Clone, Debug)]
struct Change {
    number: u64,
    /// Folder, name, and what the name stands for from now on.
    names: Vec<(Inode, String, Option<Inode>)>,
    /// What it needs to have happened before it.
    after: After,
}

/// What a change of names is never found without.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum After {
    /// Nothing but earlier changes of the same names.
    Nothing,
    /// Everything that emptied this folder.
    Emptied(Inode),
    /// The change of this number: a file has its new name before it loses the old one.
    Change(u64),
}

#[derive(Clone, Debug)]
pub(super) struct Image {
    /// Everything there ever was: a crash may bring it back.
    nodes: BTreeMap<Inode, Node>,
    seen: Names,
    durable: Names,
    /// What leads from `durable` to `seen`.
    pending: Vec<Change>,
    /// Files that are written through a handle, and where what is written can be read.
    handed_out: Vec<(Inode, Arc<File>)>,
    next_inode: Inode,
    next_change: u64,
    now_ns: i64,
}

impl Default for Image {
    fn default() -> Image {
        let names = Names::from([(ROOT, BTreeMap::new())]);
        let mut image = Image {
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

// Looking.
impl Image {
    pub(super) fn find(&self, path: &str) -> io::Result<Inode> {
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

    pub(super) fn file(&self, inode: Inode) -> Option<&Content> {
        self.nodes.get(&inode)?.file.as_ref()
    }

    pub(super) fn links(&self, inode: Inode) -> usize {
        self.seen.values().flat_map(BTreeMap::values).filter(|it| **it == inode).count()
    }

    pub(super) fn stat(&self, path: &str) -> io::Result<Found> {
        Ok(self.stat_of(self.find(path)?))
    }

    pub(super) fn stat_of(&self, inode: Inode) -> Found {
        let node = &self.nodes[&inode];
        let (kind, size) = match &node.file {
            Some(content) => (Kind::File, content.bytes.len() as u64),
            None => (Kind::Folder, 0),
        };
        let (modified_ns, changed_ns) = (node.modified_ns, node.changed_ns);
        Found { kind, mode: node.mode, stat: Stat { inode, size, modified_ns, changed_ns } }
    }

    pub(super) fn list(&self, folder: &str) -> io::Result<Listing> {
        let inode = self.folder(folder)?;
        let items = self.seen[&inode].iter().map(|(name, inode)| {
            let found = self.stat_of(*inode);
            Listed { name: name.clone(), kind: found.kind, stat: found.stat }
        });
        Ok(Listing { inode, items: items.collect(), garbled: Vec::new() })
    }

    pub(super) fn tree(&self) -> Tree {
        let mut tree = Tree::default();
        self.walk(ROOT, "", &mut tree);
        tree
    }

    fn walk(&self, folder: Inode, path: &str, tree: &mut Tree) {
        for (name, inode) in &self.seen[&folder] {
            let slash = if path.is_empty() { "" } else { "/" };
            let path = format!("{path}{slash}{name}");
            if let Some(content) = self.file(*inode) {
                tree.files.insert(path, content.bytes.clone());
            } else {
                self.walk(*inode, &path, tree);
                tree.folders.insert(path);
            }
        }
    }

    /// The same for the same tree.
    pub(super) fn sum(&self) -> String {
        let tree = self.tree();
        let mut summer = Summer::new();
        for (path, bytes) in &tree.files {
            summer.part(path.as_bytes()).part(bytes);
        }
        for path in &tree.folders {
            summer.part(path.as_bytes());
        }
        summer.finish().to_string()
    }

    fn folder(&self, path: &str) -> io::Result<Inode> {
        let inode = self.find(path)?;
        if self.file(inode).is_some() {
            Err(io::ErrorKind::NotADirectory.into())
        } else {
            Ok(inode)
        }
    }

    /// The folder a path is in, and the name in it.
    fn place<'a>(&self, path: &'a str) -> io::Result<(Inode, &'a str)> {
        let folder = self.folder(parent(path))?;
        match path.rsplit('/').next() {
            None | Some("" | "." | "..") => Err(io::ErrorKind::InvalidInput.into()),
            Some(name) => Ok((folder, name)),
        }
    }

    pub(super) fn expect_free(&self, path: &str) -> io::Result<()> {
        let (folder, name) = self.place(path)?;
        if self.seen[&folder].contains_key(name) {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        Ok(())
    }

    /// The inode of a file, for what cannot be done to folders.
    fn find_file(&self, path: &str) -> io::Result<Inode> {
        let inode = self.find(path)?;
        if self.file(inode).is_none() { Err(io::ErrorKind::IsADirectory.into()) } else { Ok(inode) }
    }
}

// Changing.
impl Image {
    /// Puts a file there with all folders above it, whatever stood in its place; without bytes there
    /// is none afterwards.
    pub(super) fn put(&mut self, path: &str, bytes: Option<&[u8]>) {
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
            self.change(vec![(folder, name.to_string(), Some(inode))], After::Nothing);
            folder = inode;
        }
    }

    pub(super) fn write_new(&mut self, path: &str, bytes: &[u8], mode: u32) -> io::Result<()> {
        self.expect_free(path)?;
        let (folder, name) = self.place(path)?;
        let inode = self.new_node(Some(bytes), mode);
        self.change(vec![(folder, name.to_string(), Some(inode))], After::Nothing);
        Ok(())
    }

    pub(super) fn append(&mut self, path: &str, bytes: &[u8], mode: u32) -> io::Result<()> {
        if self.expect_free(path).is_ok() {
            return self.write_new(path, bytes, mode);
        }
        let inode = self.find_file(path)?;
        let now = self.tick();
        if let Some(node) = self.nodes.get_mut(&inode) {
            (node.modified_ns, node.changed_ns) = (now, now);
            node.file.get_or_insert_default().bytes.extend_from_slice(bytes);
        }
        Ok(())
    }

    /// The bytes of a file are from now on what can be read there.
    pub(super) fn fill_from(&mut self, path: &str, written: File) -> io::Result<()> {
        let inode = self.find_file(path)?;
        self.handed_out.push((inode, Arc::new(written)));
        Ok(())
    }

    /// Looks at what was written through handles.
    pub(super) fn take_in(&mut self) {
        for (inode, mut file) in self.handed_out.iter().map(|(inode, file)| (inode, &**file)) {
            let known = self.nodes.get_mut(inode).and_then(|it| it.file.as_mut());
            if let Some(Content { bytes, .. }) = known {
                // What cannot be read is not there, and whoever looks for it will see that.
                let more = file.seek(io::SeekFrom::Start(bytes.len() as u64));
                let _ = more.and_then(|_| file.read_to_end(bytes));
            }
        }
    }

    pub(super) fn rename(&mut self, from: &str, to: &str) -> io::Result<()> {
        let (inode, from, to) = (self.find_file(from)?, self.place(from)?, self.place(to)?);
        let old = self.seen[&to.0].get(to.1).copied();
        if old.is_some_and(|it| self.file(it).is_none()) {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        if old != Some(inode) {
            // Two names of one file stay as they are.
            let old = (from.0, from.1.to_string(), None);
            let new = (to.0, to.1.to_string(), Some(inode));
            if from.0 == to.0 {
                self.change(vec![old, new], After::Nothing);
            } else {
                let arrival = self.change(vec![new], After::Nothing);
                self.change(vec![old], After::Change(arrival));
            }
            self.touch(inode);
        }
        Ok(())
    }

    pub(super) fn exchange(&mut self, one: &str, other: &str) -> io::Result<()> {
        let inodes = (self.find_file(one)?, self.find_file(other)?);
        let (one, other) = (self.place(one)?, self.place(other)?);
        let one = (one.0, one.1.to_string(), Some(inodes.1));
        let other = (other.0, other.1.to_string(), Some(inodes.0));
        if one.0 == other.0 {
            self.change(vec![one, other], After::Nothing);
        } else {
            // Either may be found without the other.
            self.change(vec![other], After::Nothing);
            self.change(vec![one], After::Nothing);
        }
        self.touch(inodes.0);
        self.touch(inodes.1);
        Ok(())
    }

    fn forget_name(&mut self, folder: Inode, name: &str) {
        if self.seen.get(&folder).is_some_and(|it| it.contains_key(name)) {
            self.change(vec![(folder, name.to_string(), None)], After::Nothing);
        }
    }

    pub(super) fn link(&mut self, from: &str, to: &str) -> io::Result<()> {
        self.expect_free(to)?;
        let (inode, (folder, name)) = (self.find_file(from)?, self.place(to)?);
        self.change(vec![(folder, name.to_string(), Some(inode))], After::Nothing);
        self.touch(inode);
        Ok(())
    }

    pub(super) fn remove(&mut self, path: &str) -> io::Result<()> {
        let (inode, (folder, name)) = (self.find_file(path)?, self.place(path)?);
        self.change(vec![(folder, name.to_string(), None)], After::Nothing);
        self.touch(inode);
        Ok(())
    }

    pub(super) fn make_folder(&mut self, path: &str, mode: u32) -> io::Result<()> {
        self.expect_free(path)?;
        let (folder, name) = self.place(path)?;
        let inode = self.new_node(None, mode);
        self.change(vec![(folder, name.to_string(), Some(inode))], After::Nothing);
        Ok(())
    }

    pub(super) fn remove_folder(&mut self, path: &str) -> io::Result<()> {
        let (inode, (folder, name)) = (self.folder(path)?, self.place(path)?);
        if !self.seen[&inode].is_empty() {
            return Err(io::ErrorKind::DirectoryNotEmpty.into());
        }
        // It comes after everything that made the folder empty.
        self.change(vec![(folder, name.to_string(), None)], After::Emptied(inode));
        Ok(())
    }

    fn new_node(&mut self, bytes: Option<&[u8]>, mode: u32) -> Inode {
        let (inode, now) = (self.next_inode, self.tick());
        self.next_inode += 1;
        let file = bytes.map(|it| Content { bytes: it.to_vec(), ..Content::default() });
        if file.is_none() {
            self.seen.entry(inode).or_default();
            self.durable.entry(inode).or_default();
        }
        self.nodes.insert(inode, Node { file, mode, modified_ns: now, changed_ns: now });
        inode
    }

    /// Gives the number of the change.
    fn change(&mut self, names: Vec<(Inode, String, Option<Inode>)>, after: After) -> u64 {
        let now = self.tick();
        for (folder, ..) in &names {
            if let Some(node) = self.nodes.get_mut(folder) {
                (node.modified_ns, node.changed_ns) = (now, now);
            }
        }
        let number = self.next_change;
        self.next_change += 1;
        let change = Change { number, names, after };
        change.apply(&mut self.seen);
        self.pending.push(change);
        number
    }

    fn touch(&mut self, inode: Inode) {
        let now = self.tick();
        if let Some(node) = self.nodes.get_mut(&inode) {
            node.changed_ns = now;
        }
    }

    fn tick(&mut self) -> i64 {
        self.now_ns += TICK_NS;
        self.now_ns
    }
}

impl Change {
    /// Whether it cannot be on the medium without `earlier`.
    fn follows(&self, earlier: &Change) -> bool {
        if self.after == After::Change(earlier.number) {
            return true;
        }
        earlier.names.iter().any(|(folder, name, _)| {
            let same = |(of, it, _): &(Inode, String, _)| of == folder && it == name;
            self.after == After::Emptied(*folder) || self.names.iter().any(same)
        })
    }

    fn is_in(&self, folder: Inode) -> bool {
        self.names.iter().any(|(of, ..)| *of == folder)
    }

    fn apply(&self, names: &mut Names) {
        for (folder, name, inode) in &self.names {
            let folder = names.entry(*folder).or_default();
            match inode {
                Some(inode) => folder.insert(name.clone(), *inode),
                None => folder.remove(name),
            };
        }
    }
}

// Syncing and crashing.
impl Image {
    pub(super) fn sync_all(&mut self) {
        self.pending.clear();
        self.durable.clone_from(&self.seen);
        self.nodes.values_mut().filter_map(|it| it.file.as_mut()).for_each(Content::sync);
    }

    pub(super) fn sync_file(&mut self, path: &str) -> io::Result<()> {
        let inode = self.find_file(path)?;
        if let Some(content) = self.nodes.get_mut(&inode).and_then(|it| it.file.as_mut()) {
            content.sync();
        }
        Ok(())
    }

    /// What a failed sync leaves of a file.
    pub(super) fn lose(&mut self, path: &str) {
        let found = self.find(path).ok().and_then(|it| self.nodes.get_mut(&it));
        if let Some(content) = found.and_then(|it| it.file.as_mut()) {
            content.is_lost = true;
        }
    }

    pub(super) fn sync_folder(&mut self, folder: &str) -> io::Result<()> {
        let folder = self.folder(folder)?;
        // Backwards, because a change takes along what it cannot be without.
        let (mut synced, mut left) = (Vec::<Change>::new(), Vec::new());
        for change in std::mem::take(&mut self.pending).into_iter().rev() {
            let is_synced = change.is_in(folder) || synced.iter().any(|it| it.follows(&change));
            if is_synced { synced.push(change) } else { left.push(change) }
        }
        synced.iter().rev().for_each(|it| it.apply(&mut self.durable));
        self.pending.extend(left.into_iter().rev());
        Ok(())
    }

    pub(super) fn crash(&self, survival: Survival) -> Image {
        let mut chance = Chance::new(survival);
        let mut seen = self.durable.clone();
        let mut forgotten: Vec<&Change> = Vec::new();
        for change in &self.pending {
            let is_lost = forgotten.iter().any(|it| change.follows(it));
            if is_lost || !chance.is_kept() {
                forgotten.push(change);
            } else {
                change.apply(&mut seen);
            }
        }
        let mut nodes = self.nodes.clone();
        for content in nodes.values_mut().filter_map(|it| it.file.as_mut()) {
            content.crash(&mut chance);
        }
        let mut image = Image {
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

impl Content {
    fn sync(&mut self) {
        if !self.is_lost {
            self.n_synced = self.bytes.len();
        }
    }

    /// Leaves what is synced, and of the rest whatever chance has it.
    fn crash(&mut self, chance: &mut Chance) {
        let n_open = self.bytes.len() - self.n_synced;
        let kept = if n_open == 0 { n_open } else { chance.some_of(n_open) };
        let with_zeros = kept < n_open && chance.are_zeros_left();
        self.bytes.truncate(self.n_synced + kept);
        if with_zeros {
            self.bytes.resize(self.n_synced + n_open, 0);
        }
        (self.n_synced, self.is_lost) = (self.bytes.len(), false);
    }
}

/// Decides what survives, the same way for the same number.
struct Chance {
    survival: Survival,
    state: u64,
}

impl Chance {
    fn new(survival: Survival) -> Chance {
        let state = if let Survival::Mixture(seed) = survival { seed } else { 0 };
        Chance { survival, state }
    }

    fn is_kept(&mut self) -> bool {
        match self.survival {
            Survival::Nothing => false,
            Survival::Everything => true,
            Survival::Mixture(_) => !self.next().is_multiple_of(3),
        }
    }

    /// Of so many bytes, how many are there.
    fn some_of(&mut self, n: usize) -> usize {
        match (self.survival, self.next() % 3) {
            (Survival::Nothing, _) | (Survival::Mixture(_), 0) => 0,
            (Survival::Everything, _) | (Survival::Mixture(_), 1) => n,
            (Survival::Mixture(_), _) => usize::try_from(self.next() % n as u64).unwrap_or(0),
        }
    }

    fn are_zeros_left(&mut self) -> bool {
        matches!(self.survival, Survival::Mixture(_)) && self.next().is_multiple_of(2)
    }

    /// SplitMix64.
    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}
