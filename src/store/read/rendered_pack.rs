//! The rendered pack: a file for each large content type with its entries as they were rendered
//! last, and the stats of the files they were rendered from. A start takes from it what has not
//! changed, instead of parsing all files.
//!
//! It is derived: written as a whole in the background, verified when read, and of no use to
//! another program, schema or address. What it does not have, or not exactly, is read from the
//! files. What a rendered entry looks like is not known here: its fixed values and its texts are
//! bytes.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, Seek, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::thread::{Builder, JoinHandle};

use crate::stdx::checksum::{Checksum, ChecksumBuilder};
use crate::stdx::sync::Mutex;
use crate::store::disk::{Stat, make_private_folder_within};
use crate::store::read::blob::read_exact_at;
use crate::store::read::body_index::SyncedBodies;

/// The magic bytes at the start; the last character is the version of the format.
const MAGIC: &[u8; 8] = b"rectorp3";
/// The magic bytes, the checksum of the sources, the identity, and the bodies.
const FILE_HEAD_BYTES: u64 = 40;
/// The lengths and the checksum before each segment.
const SEGMENT_HEAD_BYTES: usize = 24;
/// The stat and the checksum of a file.
const FACTS_BYTES: usize = 40;
/// The hash of the sources that this program was compiled from.
const SOURCES: &str = env!("RECTO_SOURCES");
/// The number of reading threads.
const READERS: usize = 4;

/// The packs of a data folder. `T` is what is made of a segment.
#[derive(Debug)]
pub struct RenderedPacks<T> {
    folder: PathBuf,
    /// Makes of a segment what is wanted, on the thread that has just read it.
    make: fn(PackSegment) -> T,
    /// The names of the packs that this process has read or written.
    used: Mutex<BTreeSet<String>>,
    /// The packs that are read before they are wanted, during a start.
    ahead: Mutex<Option<ReadAhead<T>>>,
}

/// A guard that ends the reading ahead and forgets what was read when it is dropped.
#[derive(Debug)]
#[must_use]
pub struct ReadAheadGuard<'a, T>(&'a RenderedPacks<T>);

impl<T> Drop for ReadAheadGuard<'_, T> {
    fn drop(&mut self) {
        *self.0.ahead.lock() = None;
    }
}

/// The identity of a pack: its type, and everything else that entries are rendered with.
#[derive(Clone, Debug)]
pub struct PackIdentity {
    /// The workspace and the type.
    pub place: [String; 2],
    /// The checksum of everything that decides how entries of the type are rendered.
    pub renderer: Checksum,
}

/// Entries that follow each other in a pack.
#[derive(Debug, Default)]
pub struct PackSegment {
    /// The stat and the checksum of the file of each entry, and its fixed values.
    pub heads: Vec<u8>,
    /// The texts of all entries.
    pub texts: Vec<u8>,
}

impl<T: Send + 'static> RenderedPacks<T> {
    /// Creates the packs in `folder`, of which nothing is read yet.
    pub fn new(folder: PathBuf, make: fn(PackSegment) -> T) -> RenderedPacks<T> {
        RenderedPacks { folder, make, used: Mutex::default(), ahead: Mutex::default() }
    }

    /// Begins to read all packs of this program on a thread, until one of them is wanted: a start
    /// has only one core busy while it lists folders, and none while it waits for a database.
    pub fn begin_read_ahead(&self) {
        let mut ahead = self.ahead.lock();
        if ahead.is_none() {
            *ahead = ReadAhead::start(&self.folder, self.make);
        }
    }

    /// Reads ahead, unless that has begun, until the guard is dropped.
    pub fn read_ahead(&self) -> ReadAheadGuard<'_, T> {
        self.begin_read_ahead();
        ReadAheadGuard(self)
    }

    /// Finds the pack of a type.
    pub fn find(&self, identity: &PackIdentity) -> Option<FoundPack<T>> {
        let (name, sum) = (name_pack(&identity.place), identity.sum());
        self.used.lock().insert(name.clone());
        let ahead = self.ahead.lock().as_mut().and_then(|it| it.take_pack(&name));
        let found = ahead.or_else(|| FoundPack::open(&self.folder.join(name), self.make));
        found.filter(|it| it.identity == sum)
    }

    /// Writes the pack of a type anew. `bodies` are the last good bodies that were current for all
    /// of its files.
    pub fn write(
        &self,
        identity: &PackIdentity,
        bodies: Option<SyncedBodies>,
        segments: impl Iterator<Item = PackSegment>,
    ) -> io::Result<()> {
        let (name, unfinished) = (name_pack(&identity.place), self.folder.join("unfinished"));
        self.used.lock().insert(name.clone());
        // A state directory that is away must not be made anew.
        make_private_folder_within(&self.folder)?;
        let written = write_pack(&unfinished, identity.sum(), bodies, segments);
        let renamed = written.and_then(|()| std::fs::rename(&unfinished, self.folder.join(name)));
        if renamed.is_err() {
            let _ = std::fs::remove_file(&unfinished);
        }
        renamed
    }

    /// Overwrites the segments of a pack for which `is_wanted` returns true with zeros. Each entry
    /// of them is read from its file at the next start.
    pub fn erase_segments(
        &self,
        place: &[String; 2],
        is_wanted: impl Fn(&PackSegment) -> bool,
    ) -> io::Result<()> {
        let path = self.folder.join(name_pack(place));
        let mut options = std::fs::OpenOptions::new();
        let file = match options.read(true).write(true).open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error) => return Err(error),
        };
        let mut cursor = PackCursor::start(file)?;
        while let Some((_, start, head)) = cursor.next_head() {
            let segment = head.read_segment(&cursor.file, start)?;
            if is_wanted(&segment) {
                segment.write_zeros(&cursor.file, start)?;
            }
        }
        cursor.file.sync_data()
    }

    /// Removes the pack of a type.
    pub fn remove(&self, place: &[String; 2]) -> io::Result<()> {
        match std::fs::remove_file(self.folder.join(name_pack(place))) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            result => result,
        }
    }

    /// Removes the packs that were not used: their types are gone, or small now.
    pub fn remove_unused(&self) {
        let Ok(items) = std::fs::read_dir(&self.folder) else { return };
        let used = self.used.lock();
        for item in items.flatten() {
            if item.file_name().to_str().is_none_or(|it| !used.contains(it)) {
                let _ = std::fs::remove_file(item.path());
            }
        }
    }
}

impl PackIdentity {
    /// Returns the checksum of it all.
    fn sum(&self) -> Checksum {
        let mut sum = ChecksumBuilder::new();
        self.place.iter().for_each(|it| _ = sum.add_part(it.as_bytes()));
        sum.add_number(self.renderer.0).finish()
    }
}

/// An open pack of this program, with the segments that are read already.
#[derive(Debug)]
pub struct FoundPack<T> {
    identity: Checksum,
    /// The last good bodies that were current for all of its files when it was written.
    pub bodies: Option<SyncedBodies>,
    make: fn(PackSegment) -> T,
    cursor: Mutex<PackCursor>,
    /// The numbers of segments that are read already, and what was made of each.
    segments: Vec<(usize, T)>,
}

impl<T: Send> FoundPack<T> {
    /// Reads the pack on several threads, and applies `map` to what is made of each segment.
    /// Returns the results in order. The pack ends where it is damaged.
    pub fn read<U: Send>(self, map: impl Fn(T) -> U + Sync) -> Vec<U> {
        let FoundPack { make, cursor, segments, .. } = self;
        let (segments, made) = (Mutex::new(segments.into_iter()), Mutex::new(Vec::new()));
        let run = || {
            loop {
                let ready = segments.lock().next();
                let Some((number, segment)) = ready.or_else(|| read_next(&cursor, make)) else {
                    return;
                };
                let value = map(segment);
                made.lock().push((number, value));
            }
        };
        std::thread::scope(|scope| {
            (0..READERS).for_each(|_| _ = scope.spawn(run));
        });
        let mut made = std::mem::take(&mut *made.lock());
        made.sort_unstable_by_key(|(number, _)| *number);
        made.into_iter().map(|(_, value)| value).collect()
    }

    fn open(path: &Path, make: fn(PackSegment) -> T) -> Option<FoundPack<T>> {
        let file = File::open(path).ok()?;
        let mut head = [0; FILE_HEAD_BYTES as usize];
        read_exact_at(&file, 0, &mut head).ok()?;
        let mut numbers = head.strip_prefix(&*begin_pack())?.chunks_exact(8);
        let mut next = || Some(u64::from_le_bytes(numbers.next()?.try_into().ok()?));
        let (identity, end, tail) = (Checksum(next()?), next()?, Checksum(next()?));
        let bodies = (end > 0).then_some(SyncedBodies { end, tail });
        let cursor = Mutex::new(PackCursor::start(file).ok()?);
        Some(FoundPack { identity, bodies, make, cursor, segments: Vec::new() })
    }
}

/// A thread that reads packs before it is known which of them are wanted.
#[derive(Debug)]
struct ReadAhead<T> {
    thread: Option<JoinHandle<BTreeMap<String, FoundPack<T>>>>,
    is_stopped: Arc<AtomicBool>,
    /// The packs that it has read, by the names of their files.
    packs: BTreeMap<String, FoundPack<T>>,
}

impl<T: Send + 'static> ReadAhead<T> {
    fn start(folder: &Path, make: fn(PackSegment) -> T) -> Option<ReadAhead<T>> {
        let is_stopped = Arc::new(AtomicBool::new(false));
        let (folder, stop) = (folder.to_path_buf(), is_stopped.clone());
        let thread = Builder::new().name("read-packs".to_string());
        let thread = thread.spawn(move || read_packs(&folder, make, &stop)).ok()?;
        Some(ReadAhead { thread: Some(thread), is_stopped, packs: BTreeMap::new() })
    }

    /// Returns the pack of a file as far as it is read, and reads no further.
    fn take_pack(&mut self, name: &str) -> Option<FoundPack<T>> {
        self.stop();
        self.packs.remove(name)
    }
}

impl<T> ReadAhead<T> {
    fn stop(&mut self) {
        self.is_stopped.store(true, Relaxed);
        if let Some(thread) = self.thread.take() {
            self.packs = thread.join().unwrap_or_default();
        }
    }
}

impl<T> Drop for ReadAhead<T> {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Reads the packs in a folder, the largest first, until it is stopped.
fn read_packs<T: Send>(
    folder: &Path,
    make: fn(PackSegment) -> T,
    is_stopped: &AtomicBool,
) -> BTreeMap<String, FoundPack<T>> {
    let mut packs = BTreeMap::new();
    let items = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let sizes = items.filter_map(|it| Some((it.metadata().ok()?.len(), it.file_name())));
    let mut names: Vec<_> = sizes.collect();
    names.sort_unstable_by(|one, other| other.cmp(one));
    for (_, name) in names {
        let Some(name) = name.to_str() else { continue };
        let Some(mut pack) = FoundPack::open(&folder.join(name), make) else { continue };
        while !is_stopped.load(Relaxed)
            && let Some(read) = read_next(&pack.cursor, make)
        {
            pack.segments.push(read);
        }
        packs.insert(name.to_string(), pack);
    }
    packs
}

/// Returns the bytes that each pack of this program begins with: other programs may render
/// differently.
fn begin_pack() -> Vec<u8> {
    let sources = Checksum::of_bytes(SOURCES.as_bytes());
    [*MAGIC, sources.0.to_le_bytes()].concat()
}

/// Returns the name of the file of a pack.
fn name_pack(place: &[String; 2]) -> String {
    Checksum::of_bytes(place.join("/").as_bytes()).to_string()
}

impl PackSegment {
    /// Appends the stat and the checksum of a file, which precede the fixed values of its entry.
    pub fn write_facts(&mut self, stat: &Stat, sum: Checksum) {
        let Stat { inode, size, modified_ns, changed_ns } = *stat;
        let numbers = [inode, size, modified_ns.cast_unsigned(), changed_ns.cast_unsigned(), sum.0];
        numbers.iter().for_each(|it| self.heads.extend_from_slice(&it.to_le_bytes()));
    }

    /// Reads the stat and the checksum of a file.
    pub fn read_facts(from: &mut &[u8]) -> Option<(Stat, Checksum)> {
        let (facts, rest) = from.split_first_chunk::<FACTS_BYTES>()?;
        *from = rest;
        let mut numbers = facts.chunks_exact(8).filter_map(|it| it.try_into().ok());
        let mut next = || numbers.next().map(u64::from_le_bytes);
        let stat = Stat {
            inode: next()?,
            size: next()?,
            modified_ns: next()?.cast_signed(),
            changed_ns: next()?.cast_signed(),
        };
        Some((stat, Checksum(next()?)))
    }

    /// Writes zeros of its size where it starts behind its head, with their checksum.
    fn write_zeros(self, mut file: &File, start: u64) -> io::Result<()> {
        let (heads, texts) = (vec![0; self.heads.len()], vec![0; self.texts.len()]);
        let zeros = PackSegment { heads, texts };
        file.seek(io::SeekFrom::Start(start - SEGMENT_HEAD_BYTES as u64))?;
        zeros.write(file)
    }

    /// Writes it with its head.
    fn write(&self, mut file: &File) -> io::Result<()> {
        let numbers = [self.heads.len() as u64, self.texts.len() as u64, self.compute_sum().0];
        file.write_all(&numbers.map(u64::to_le_bytes).concat())?;
        file.write_all(&self.heads)?;
        file.write_all(&self.texts)
    }

    fn compute_sum(&self) -> Checksum {
        let heads = (self.heads.len() as u64).to_le_bytes();
        Checksum::of_pieces([&heads[..], &self.heads, &self.texts].into_iter())
    }
}

/// The place up to which a pack is read.
#[derive(Debug)]
struct PackCursor {
    file: Arc<File>,
    bytes: u64,
    offset: u64,
    number: usize,
}

impl PackCursor {
    /// Returns the cursor before the first segment of a file.
    fn start(file: File) -> io::Result<PackCursor> {
        let bytes = file.metadata()?.len();
        Ok(PackCursor { file: file.into(), bytes, offset: FILE_HEAD_BYTES, number: 0 })
    }

    /// Returns the head of the next segment with its number and its offset, and moves on.
    fn next_head(&mut self) -> Option<(usize, u64, SegmentHead)> {
        let mut head = [0; SEGMENT_HEAD_BYTES];
        read_exact_at(&self.file, self.offset, &mut head).ok()?;
        let head = SegmentHead::parse(&head)?;
        let start = self.offset + SEGMENT_HEAD_BYTES as u64;
        let end = start.checked_add(head.heads)?.checked_add(head.texts)?;
        let number = self.number;
        (self.offset, self.number) = (end, number + 1);
        (head.heads > 0 && end <= self.bytes).then_some((number, start, head))
    }
}

struct SegmentHead {
    heads: u64,
    texts: u64,
    sum: Checksum,
}

impl SegmentHead {
    /// Reads the bytes of the segment, whatever they are.
    fn read_segment(&self, file: &File, start: u64) -> io::Result<PackSegment> {
        let len = |bytes: u64| usize::try_from(bytes).map_err(io::Error::other);
        let (heads, texts) = (vec![0; len(self.heads)?], vec![0; len(self.texts)?]);
        let mut segment = PackSegment { heads, texts };
        read_exact_at(file, start, &mut segment.heads)?;
        read_exact_at(file, start + self.heads, &mut segment.texts)?;
        Ok(segment)
    }

    fn parse(bytes: &[u8; SEGMENT_HEAD_BYTES]) -> Option<SegmentHead> {
        let mut numbers = bytes.chunks_exact(8).filter_map(|it| it.try_into().ok());
        let mut next = || numbers.next().map(u64::from_le_bytes);
        Some(SegmentHead { heads: next()?, texts: next()?, sum: Checksum(next()?) })
    }
}

/// Reads the next segment, and makes of it what is wanted.
fn read_next<T>(cursor: &Mutex<PackCursor>, make: fn(PackSegment) -> T) -> Option<(usize, T)> {
    read_segment(cursor).map(|(number, segment)| (number, make(segment)))
}

/// Reads and verifies the next segment.
fn read_segment(cursor: &Mutex<PackCursor>) -> Option<(usize, PackSegment)> {
    let mut next = cursor.lock();
    let found = next.next_head();
    if found.is_none() {
        // Nothing after it is read either.
        next.bytes = 0;
    }
    let file = Arc::clone(&next.file);
    drop(next);
    let (number, start, head) = found?;
    let segment = head.read_segment(&file, start).ok()?;
    if segment.compute_sum() != head.sum {
        // It ends here: what stands after it may be anything, as zeros after a power cut.
        cursor.lock().bytes = 0;
        return None;
    }
    Some((number, segment))
}

fn write_pack(
    path: &Path,
    identity: Checksum,
    bodies: Option<SyncedBodies>,
    segments: impl Iterator<Item = PackSegment>,
) -> io::Result<()> {
    let _ = std::fs::remove_file(path);
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    file.write_all(&begin_pack())?;
    let (end, tail) = bodies.map_or((0, 0), |it| (it.end, it.tail.0));
    file.write_all(&[identity.0, end, tail].map(u64::to_le_bytes).concat())?;
    for segment in segments {
        segment.write(&file)?;
    }
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use sha2::Digest as _;

    use super::*;

    fn identity(renderer: u64) -> PackIdentity {
        let place = ["main".to_string(), "posts".to_string()];
        PackIdentity { place, renderer: Checksum(renderer) }
    }

    type Packs = RenderedPacks<(Vec<u8>, Vec<u8>)>;

    fn packs_in(folder: PathBuf) -> Packs {
        RenderedPacks::new(folder, |it| (it.heads, it.texts))
    }

    fn read(packs: &Packs, renderer: u64) -> Vec<(Vec<u8>, Vec<u8>)> {
        packs.find(&identity(renderer)).map_or_else(Vec::new, |it| it.read(|it| it))
    }

    fn segments(n: u8) -> impl Iterator<Item = PackSegment> {
        (0..n).map(|it| PackSegment { heads: vec![it; 5], texts: vec![it; 100] })
    }

    #[test]
    fn a_pack_is_read_as_it_was_written_and_only_by_its_own_kind() {
        let data = tempfile::tempdir().unwrap();
        let packs = packs_in(data.path().join("rendered"));
        assert!(read(&packs, 1).is_empty());
        let bodies = Some(SyncedBodies { end: 7, tail: Checksum(8) });
        packs.write(&identity(1), bodies, segments(50)).unwrap();
        let expect: Vec<_> = segments(50).map(|it| (it.heads, it.texts)).collect();
        assert_eq!(packs.find(&identity(1)).unwrap().bodies, bodies);
        assert_eq!(read(&packs, 1), expect);
        assert!(read(&packs, 2).is_empty());
        let next = packs_in(data.path().join("rendered"));
        assert_eq!(read(&next, 1), expect);
        next.remove_unused();
        assert_eq!(read(&next, 1), expect);
        packs_in(data.path().join("rendered")).remove_unused();
        assert!(read(&next, 1).is_empty());
    }

    #[test]
    fn what_was_read_ahead_is_what_is_read() {
        let data = tempfile::tempdir().unwrap();
        let other = PackIdentity { place: ["main".into(), "news".into()], ..identity(1) };
        let packs = packs_in(data.path().to_path_buf());
        packs.write(&identity(1), None, segments(50)).unwrap();
        packs.write(&other, None, segments(200)).unwrap();
        let expect = |n: u8| -> Vec<_> { segments(n).map(|it| (it.heads, it.texts)).collect() };
        for waits in [false, true] {
            let ahead = packs.read_ahead();
            while waits && !is_all_read(&packs) {
                std::thread::yield_now();
            }
            let found = packs.find(&other).unwrap();
            assert_eq!(found.read(|it| it), expect(200));
            assert!(read(&packs, 2).is_empty());
            assert_eq!(read(&packs, 1), expect(50));
            drop(ahead);
            assert_eq!(read(&packs, 1), expect(50));
        }
        // It begins once, and nothing is kept.
        packs.begin_read_ahead();
        let ahead = packs.read_ahead();
        while !is_all_read(&packs) {
            std::thread::yield_now();
        }
        drop(ahead);
        packs.write(&identity(1), None, segments(3)).unwrap();
        assert_eq!(read(&packs, 1), expect(3));
    }

    fn is_all_read(packs: &Packs) -> bool {
        packs.ahead.lock().as_ref().unwrap().thread.as_ref().unwrap().is_finished()
    }

    #[test]
    fn erased_segments_are_zeros_and_others_stay() {
        let data = tempfile::tempdir().unwrap();
        let packs = packs_in(data.path().to_path_buf());
        let place = identity(1).place;
        packs.erase_segments(&place, |_| true).unwrap();
        packs.write(&identity(1), None, segments(9)).unwrap();
        packs.erase_segments(&place, |it| it.texts[0] == 7).unwrap();
        let mut expect: Vec<_> = segments(9).map(|it| (it.heads, it.texts)).collect();
        expect[7] = (vec![0; 5], vec![0; 100]);
        assert_eq!(read(&packs, 1), expect);
        packs.remove(&place).unwrap();
        packs.remove(&place).unwrap();
        assert!(read(&packs, 1).is_empty());
    }

    /// Builds that differ in any source differ in their packs, whatever their size and time.
    #[test]
    fn a_pack_belongs_to_the_sources_of_the_program() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut paths = vec![String::from("Cargo.lock"), String::from("Cargo.toml")];
        let folders = ["src", "json-schema/src"].map(|it| walkdir::WalkDir::new(root.join(it)));
        for item in folders.into_iter().flat_map(|it| it.sort_by_file_name()) {
            let item = item.unwrap();
            let path = item.path().strip_prefix(root).unwrap().to_str().unwrap().to_owned();
            paths.extend(item.file_type().is_file().then_some(path));
        }
        paths.rotate_left(2);
        let mut hash = sha2::Sha256::new();
        for path in paths {
            let bytes = std::fs::read(root.join(&path)).unwrap();
            hash.update(format!("{} {path} {} ", path.len(), bytes.len()));
            hash.update(&bytes);
        }
        let hash: String = hash.finalize().iter().map(|it| format!("{it:02x}")).collect();
        assert!(hash.starts_with(SOURCES) && !SOURCES.is_empty());
    }

    #[test]
    fn damage_costs_what_is_damaged() {
        let data = tempfile::tempdir().unwrap();
        let packs = packs_in(data.path().to_path_buf());
        packs.write(&identity(1), None, segments(3)).unwrap();
        let file = data.path().join(name_pack(&identity(1).place));
        let whole = std::fs::read(&file).unwrap();
        let expect: Vec<_> = segments(3).map(|it| (it.heads, it.texts)).collect();
        for place in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[place] ^= 0x41;
            std::fs::write(&file, &bytes).unwrap();
            for found in read(&packs, 1) {
                assert!(found.0.is_empty() || expect.contains(&found), "{place}");
            }
            std::fs::write(&file, &whole[..place]).unwrap();
            assert!(read(&packs, 1).iter().zip(&expect).all(|(one, other)| one == other));
        }
    }
}
