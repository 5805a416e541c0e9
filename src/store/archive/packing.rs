//! Writes an archive of what was there at one moment, without keeping writers waiting.
//!
//! Files are packed while the folder goes on changing; then, for as long as it takes to list them
//! once, nobody may write, and the few that are not as they were packed are packed anew. Files are
//! never changed in place, so one of the same inode, size and times has the same bytes: what is in
//! the archive then is what was in the folder at that moment, all of a change or nothing of it.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::sync::Arc;

use flate2::Compression;
use flate2::write::DeflateEncoder;
use sha2::{Digest, Sha256};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipArchive, ZipWriter};

use crate::model::backup::{self, Flaw, Generator, Manifest};
use crate::stdx::time::Timestamp;
use crate::store::archive::survey::{Found, Scope, survey};
use crate::store::archive::{ASIDE, Judge, MANIFEST, SUMS, Selection, part_of, secrets};
use crate::store::disk::{self, Disk, ReadError, Stat};
use crate::store::error::StoreError;
use crate::store::journal;
use crate::store::layout::Key;
use crate::store::lock::WriteLock;
use crate::store::spool::HEAD_BYTES_MAX;

/// So many bytes may be packed while nobody can write, unless that cannot be helped.
const REST_BYTES_MAX: u64 = 4 * 1024 * 1024;

/// How often what changed meanwhile is packed before writers have to wait.
const CATCH_UPS_MAX: usize = 5;

/// How many flaws a manifest tells.
const FLAWS_MAX: usize = 1_000;

/// What deflates better than this is stored as it is: an archive that inflates like a bomb is taken
/// for one. Smaller files never look like that, for all the names around them.
const RATIO_MAX: u64 = 100;
const SMALL_BYTES: usize = 16 * 1024;

const CHUNK_BYTES: usize = 256 * 1024;

/// How much was packed so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// In files.
    pub files: u64,
    /// In bytes, before they are compressed.
    pub bytes: u64,
}

/// What is to be packed, and how.
#[derive(Clone)]
pub struct Order<'a> {
    /// Which files.
    pub selection: Selection,
    /// Whether hashes and secrets come along.
    pub secrets: bool,
    /// What somebody wants to remember.
    pub note: String,
    /// Who asks.
    pub created_by: Option<String>,
    /// The time.
    pub now: Timestamp,
    /// Says what could not be restored.
    pub judge: Judge<'a>,
    /// Told how far it is, now and then.
    pub progress: &'a dyn Fn(Progress),
}

/// An archive that is written to the end and waits to be given a name; unless it is, it vanishes.
pub struct Packed {
    /// Where it is.
    pub path: String,
    /// What it says of itself.
    pub manifest: Manifest,
    _place: Place,
}

/// A name among the unfinished files that is removed when its owner is done with it.
struct Place {
    disk: Arc<dyn Disk>,
    path: String,
}

impl Drop for Place {
    fn drop(&mut self) {
        // Moved away is the usual case.
        let _ = self.disk.remove(&self.path);
    }
}

/// An archive that is being written.
pub struct Packing<'a> {
    disk: Arc<dyn Disk>,
    order: Order<'a>,
    zip: ZipWriter<BufWriter<File>>,
    place: Place,
    /// By path in the folder.
    entries: BTreeMap<String, Entry>,
    /// Their paths in lower case.
    folded: HashSet<String>,
    flaws: BTreeMap<String, Flaw>,
    workspaces: BTreeSet<String>,
    progress: Progress,
    /// Whether something was packed that the archive no longer lists.
    has_dead_bytes: bool,
}

struct Entry {
    key: Key,
    stat: Stat,
    /// Its name in the archive; none for what could not be taken.
    name: Option<String>,
    sum: [u8; 32],
    size: u64,
}

/// What is not in the archive as it is in the folder.
pub struct Behind {
    scope: Scope,
    changed: Vec<Found>,
    gone: Vec<String>,
    flaws: Vec<Flaw>,
}

impl Behind {
    fn bytes(&self) -> u64 {
        self.changed.iter().map(|it| it.stat.size).sum()
    }
}

/// Packs what an order is for, each workspace as of one moment.
pub fn pack(
    disk: &Arc<dyn Disk>,
    lock: &WriteLock,
    order: Order<'_>,
) -> Result<Packed, StoreError> {
    let mut packing = Packing::begin(disk.clone(), order)?;
    for scope in packing.scopes()? {
        packing.catch_up(&scope)?;
        let _turn = lock.take()?;
        packing.settle(&scope)?;
    }
    packing.finish()
}

impl<'a> Packing<'a> {
    /// An empty archive.
    pub fn begin(disk: Arc<dyn Disk>, order: Order<'a>) -> Result<Packing<'a>, StoreError> {
        let (place, zip) = create(&disk)?;
        Ok(Packing {
            disk,
            order,
            zip,
            place,
            entries: BTreeMap::new(),
            folded: HashSet::new(),
            flaws: BTreeMap::new(),
            workspaces: BTreeSet::new(),
            progress: Progress::default(),
            has_dead_bytes: false,
        })
    }

    /// Whether nothing was packed.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// What has to be packed as of one moment each.
    pub fn scopes(&self) -> Result<Vec<Scope>, StoreError> {
        Scope::of(&*self.disk, &self.order.selection)
    }

    /// Packs what there is, until little changes meanwhile.
    pub fn catch_up(&mut self, scope: &Scope) -> Result<(), StoreError> {
        for number in 0..CATCH_UPS_MAX {
            let behind = self.behind(scope)?;
            if number > 0 && behind.bytes() <= REST_BYTES_MAX {
                break;
            }
            self.follow(behind)?;
        }
        Ok(())
    }

    /// Packs what changed since, so that the archive has what is there at this moment. For whoever
    /// keeps all others from writing.
    pub fn settle(&mut self, scope: &Scope) -> Result<(), StoreError> {
        if journal::is_under_way(&*self.disk)? {
            // Half done: the next start, or the next write, does the rest.
            return Err(StoreError::Busy);
        }
        let behind = self.behind(scope)?;
        self.follow(behind)
    }

    /// Compares the archive with the folder.
    fn behind(&self, scope: &Scope) -> Result<Behind, StoreError> {
        let survey = survey(&*self.disk, scope, &self.order.selection)?;
        let is_packed = |found: &Found| {
            let entry = self.entries.get(&found.path);
            entry.is_some_and(|it| it.stat == found.stat)
        };
        let there: BTreeSet<&str> = survey.files.iter().map(|it| it.path.as_str()).collect();
        let known = self.entries.iter().filter(|(_, it)| Scope::of_key(&it.key) == *scope);
        let gone = known.map(|(path, _)| path).filter(|it| !there.contains(it.as_str()));
        let gone = gone.cloned().collect();
        let changed = survey.files.into_iter().filter(|it| !is_packed(it)).collect();
        Ok(Behind { scope: scope.clone(), changed, gone, flaws: survey.flaws })
    }

    fn follow(&mut self, behind: Behind) -> Result<(), StoreError> {
        if let Scope::Workspace(ws) = &behind.scope {
            self.workspaces.insert(ws.to_string());
        }
        for path in behind.gone {
            self.forget(&path)?;
        }
        for flaw in behind.flaws {
            self.flaws.insert(flaw.path.clone(), flaw);
        }
        for found in behind.changed {
            self.forget(&found.path)?;
            self.take(found)?;
        }
        Ok(())
    }

    /// What was packed of a file is not in the archive any more.
    fn forget(&mut self, path: &str) -> Result<(), StoreError> {
        self.flaws.remove(path);
        let Some(name) = self.entries.remove(path).and_then(|it| it.name) else { return Ok(()) };
        self.folded.remove(&path.to_lowercase());
        self.has_dead_bytes = true;
        self.zip.hide_file(&name).map_err(|error| self.failed(error))
    }

    fn take(&mut self, found: Found) -> Result<(), StoreError> {
        let Found { key, path, stat } = found;
        let taken = if key.is_json() { self.take_json(&key, &path) } else { None };
        let entry = match taken {
            Some(taken) => taken?,
            None => self.take_large(&key, &path, stat)?,
        };
        let Some(entry) = entry else { return Ok(()) };
        self.progress.files += 1;
        self.progress.bytes += entry.size;
        (self.order.progress)(self.progress);
        self.entries.insert(path, entry);
        Ok(())
    }

    /// Packs a JSON file; nothing, when it is so large that it is none.
    fn take_json(&mut self, key: &Key, path: &str) -> Option<Result<Option<Entry>, StoreError>> {
        let mut bytes = Vec::new();
        let stat = match self.disk.read(path, &mut bytes) {
            Ok(stat) => stat,
            Err(ReadError::Missing) => return Some(Ok(None)),
            Err(ReadError::TooLarge(_)) => return None,
            Err(error) => return Some(Ok(self.left_out(key, path, &error))),
        };
        let verdict = self.verdict(key, path, &bytes);
        let told = if self.order.secrets { Some(bytes) } else { secrets::without(key, &bytes) };
        let Some(bytes) = told else {
            let name = None;
            return Some(Ok(Some(Entry { key: key.clone(), stat, name, sum: [0; 32], size: 0 })));
        };
        let name = self.name_for(path, verdict);
        let Some(name) = name else {
            return Some(Ok(Some(Entry { key: key.clone(), stat, name, sum: [0; 32], size: 0 })));
        };
        let packed = self.write_json(&name, &bytes, &stat);
        let (sum, size) = (Sha256::digest(&bytes).into(), bytes.len() as u64);
        let entry = Entry { key: key.clone(), stat, name: Some(name), sum, size };
        Some(packed.map(|()| Some(entry)))
    }

    fn write_json(&mut self, name: &str, bytes: &[u8], stat: &Stat) -> Result<(), StoreError> {
        let method = if deflates_well(bytes) {
            CompressionMethod::Deflated
        } else {
            CompressionMethod::Stored
        };
        self.write(name, bytes, options(stat).compression_method(method))
    }

    fn write(
        &mut self,
        name: &str,
        bytes: &[u8],
        options: SimpleFileOptions,
    ) -> Result<(), StoreError> {
        let started = self.zip.start_file(name, options);
        let written = started.and_then(|()| Ok(self.zip.write_all(bytes)?));
        written.map_err(|error| self.failed(error))
    }

    /// Packs a file of any size as it is: media are compressed already.
    fn take_large(
        &mut self,
        key: &Key,
        path: &str,
        listed: Stat,
    ) -> Result<Option<Entry>, StoreError> {
        let (mut file, stat) = match self.disk.open(path) {
            Ok(opened) => opened,
            Err(ReadError::Missing) => return Ok(None),
            Err(error) => return Ok(self.left_out(key, path, &error)),
        };
        let mut head = Vec::with_capacity(HEAD_BYTES_MAX);
        let reading = StoreError::io("read", path);
        let read = Read::by_ref(&mut file).take(HEAD_BYTES_MAX as u64).read_to_end(&mut head);
        read.map_err(reading)?;
        let verdict = self.verdict(key, path, &head);
        let name = self.name_for(path, verdict);
        let told = self.order.secrets || !secrets::has_secrets(key);
        let Some(name) = name.filter(|_| told) else {
            let entry = Entry { key: key.clone(), stat, name: None, sum: [0; 32], size: 0 };
            return Ok(Some(entry));
        };
        let large = stat.size.max(listed.size) > u64::from(u32::MAX / 2);
        let options = options(&stat).compression_method(CompressionMethod::Stored);
        let started = self.zip.start_file(&*name, options.large_file(large));
        started.map_err(|error| self.failed(error))?;
        let (sum, size) = self.copy(path, head.as_slice().chain(file))?;
        // Somebody may write into it in place: then it is looked at once more.
        let now = self.disk.stat(path).map(|it| it.stat).unwrap_or_default();
        let stat = if now == stat { stat } else { Stat::default() };
        Ok(Some(Entry { key: key.clone(), stat, name: Some(name), sum, size }))
    }

    fn copy(&mut self, path: &str, mut from: impl Read) -> Result<([u8; 32], u64), StoreError> {
        let mut chunk = vec![0; CHUNK_BYTES];
        let (mut sum, mut size) = (Sha256::new(), 0_u64);
        loop {
            let read = from.read(&mut chunk).map_err(StoreError::io("read", path))?;
            if read == 0 {
                return Ok((sum.finalize().into(), size));
            }
            let some = chunk.get(..read).unwrap_or_default();
            sum.update(some);
            size += read as u64;
            self.zip.write_all(some).map_err(|error| self.failed(error.into()))?;
        }
    }

    fn left_out(&mut self, key: &Key, path: &str, error: &ReadError) -> Option<Entry> {
        let message = format!("It was left out. {}", error.problem(path).message);
        self.flaws.insert(path.to_string(), Flaw::new(path, message));
        let stat = self.disk.stat(path).map(|it| it.stat).unwrap_or_default();
        Some(Entry { key: key.clone(), stat, name: None, sum: [0; 32], size: 0 })
    }

    fn verdict(&mut self, key: &Key, path: &str, bytes: &[u8]) -> bool {
        let Err(why) = (self.order.judge)(key, bytes) else { return true };
        let message = format!("It could not be restored, so it was put aside. {why}");
        self.flaws.insert(path.to_string(), Flaw::new(path, message));
        false
    }

    /// The name in the archive; none, where a name differs from it only in case.
    fn name_for(&mut self, path: &str, fits: bool) -> Option<String> {
        let name = if fits { path.to_string() } else { format!("{ASIDE}{path}") };
        if self.folded.insert(path.to_lowercase()) {
            return Some(name);
        }
        let message = "Another name differs from it only in case; it was left out.";
        self.flaws.insert(path.to_string(), Flaw::new(path, message));
        None
    }

    /// Writes what the archive says of itself, and makes it durable.
    pub fn finish(mut self) -> Result<Packed, StoreError> {
        let now = Stat {
            modified_ns: self.order.now.seconds().saturating_mul(1_000_000_000),
            ..Stat::default()
        };
        let sums = self.sums();
        let manifest = self.manifest(&sums);
        // Strings, numbers and lists of them always serialise.
        let mut text = serde_json::to_vec_pretty(&manifest).unwrap_or_default();
        text.push(b'\n');
        let large = options(&now).large_file(sums.len() > u32::MAX as usize / 2);
        self.write(SUMS, &sums, large)?;
        self.write(MANIFEST, &text, options(&now))?;
        if self.has_dead_bytes {
            self.rewrite()?;
        }
        let path = self.place.path.clone();
        let failed = |error| StoreError::io("write", path.as_str())(io_error(error));
        let file = self.zip.finish().map_err(failed)?;
        let file = file.into_inner().map_err(|error| failed(error.into_error().into()))?;
        drop(file);
        self.disk.sync_file(&path).map_err(StoreError::io("sync", path.as_str()))?;
        Ok(Packed { path, manifest, _place: self.place })
    }

    /// Copies what counts to an archive of its own, so that what was changed or deleted meanwhile is
    /// nowhere in it.
    fn rewrite(&mut self) -> Result<(), StoreError> {
        let (place, zip) = create(&self.disk)?;
        let old = std::mem::replace(&mut self.zip, zip);
        let path = std::mem::replace(&mut self.place, place);
        let failed = |error| StoreError::io("write", path.path.as_str())(io_error(error));
        let file = old.finish().map_err(failed)?;
        drop(file.into_inner().map_err(|error| failed(error.into_error().into()))?);
        let (file, _) = self.disk.open(&path.path).map_err(|error| match error {
            ReadError::Unreadable(error) => failed(error.into()),
            _ => failed(io::Error::from(io::ErrorKind::NotFound).into()),
        })?;
        let mut old = ZipArchive::new(BufReader::new(file)).map_err(failed)?;
        for index in 0..old.len() {
            let entry = old.by_index_raw(index).map_err(failed)?;
            self.zip.raw_copy_file(entry).map_err(failed)?;
        }
        Ok(())
    }

    fn sums(&self) -> Vec<u8> {
        let named = self.entries.values().filter_map(|it| Some((it.name.as_ref()?, it.sum)));
        let mut lines = Vec::new();
        for (name, sum) in named {
            lines.extend_from_slice(hex(&sum).as_bytes());
            lines.extend_from_slice(b"  ");
            lines.extend_from_slice(name.as_bytes());
            lines.push(b'\n');
        }
        lines
    }

    fn manifest(&self, sums: &[u8]) -> Manifest {
        let selection = &self.order.selection;
        let mut counts: BTreeMap<_, u64> = selection.parts.iter().map(|it| (*it, 0)).collect();
        let restorable = |it: &&Entry| it.name.as_ref().is_some_and(|it| !it.starts_with(ASIDE));
        for entry in self.entries.values().filter(restorable) {
            *counts.entry(part_of(&entry.key)).or_default() += 1;
        }
        Manifest {
            format: backup::FORMAT,
            generator: Generator {
                name: env!("CARGO_PKG_NAME").to_string(),
                version: env!("CARGO_PKG_VERSION").to_string(),
            },
            created_at: self.order.now.to_string(),
            created_by: self.order.created_by.clone(),
            note: self.order.note.clone(),
            parts: selection.parts.clone(),
            workspaces: self.workspaces.clone(),
            some_workspaces: !selection.of_installation,
            secrets: self.order.secrets && selection.parts.iter().any(|it| it.holds_secrets()),
            counts,
            bytes: self.entries.values().map(|it| it.size).sum(),
            sums_sha256: hex(&Sha256::digest(sums).into()),
            problems: self.flaws.values().take(FLAWS_MAX).cloned().collect(),
        }
    }

    fn failed(&self, error: zip::result::ZipError) -> StoreError {
        StoreError::io("write", self.place.path.as_str())(io_error(error))
    }
}

fn create(disk: &Arc<dyn Disk>) -> Result<(Place, ZipWriter<BufWriter<File>>), StoreError> {
    disk::make_folders(&**disk, crate::store::layout::TMP)?;
    let path = disk::unfinished(None);
    let file = disk.create(&path).map_err(StoreError::io("create", path.as_str()))?;
    let zip = ZipWriter::new(BufWriter::with_capacity(CHUNK_BYTES, file));
    Ok((Place { disk: disk.clone(), path }, zip))
}

fn io_error(error: zip::result::ZipError) -> io::Error {
    match error {
        zip::result::ZipError::Io(error) => error,
        other => io::Error::other(other),
    }
}

/// The time of the file, for people; readers of the archive have no use for it.
fn options(stat: &Stat) -> SimpleFileOptions {
    let at = Timestamp::from_seconds(stat.modified_ns.div_euclid(1_000_000_000)).to_string();
    let number = |from: usize, to: usize| at.get(from..to).and_then(|it| it.parse::<u16>().ok());
    let small = |from: usize| number(from, from + 2).and_then(|it| u8::try_from(it).ok());
    let time = || {
        let (year, month, day) = (number(0, 4)?, small(5)?, small(8)?);
        let (hour, minute, second) = (small(11)?, small(14)?, small(17)?);
        DateTime::from_date_and_time(year, month, day, hour, minute, second).ok()
    };
    let options = SimpleFileOptions::default().unix_permissions(0o600);
    options.last_modified_time(time().unwrap_or_default())
}

fn deflates_well(bytes: &[u8]) -> bool {
    if bytes.len() <= SMALL_BYTES {
        return true;
    }
    let mut encoder = DeflateEncoder::new(Count(0), Compression::default());
    let deflated = encoder.write_all(bytes).and_then(|()| encoder.finish());
    deflated.is_ok_and(|Count(size)| size.saturating_mul(RATIO_MAX) >= bytes.len() as u64)
}

/// Counts what is written to it.
struct Count(u64);

impl Write for Count {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// As 64 hexadecimal digits.
pub(super) fn hex(sum: &[u8; 32]) -> String {
    sum.iter().map(|byte| format!("{byte:02x}")).collect()
}
