//! Reads an archive without believing it: every name is parsed as one of ours, everything is counted
//! while it is inflated, and nothing is written anywhere.
//!
//! What could be read in two ways is not read at all: a directory that does not end where the file
//! does, a comment behind it, two files of one name.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};

use sha2::{Digest, Sha256};
use zip::read::ZipFileEntry;
use zip::result::ZipError;
use zip::{CompressionMethod, ZipArchive};

use crate::model::backup::{self, Flaw, Manifest, Part};
use crate::store::archive::packing::hex;
use crate::store::archive::{ASIDE, Judge, MANIFEST, SUMS, part_of};
use crate::store::disk::FILE_BYTES_MAX;
use crate::store::error::StoreError;
use crate::store::layout::{Folder, Key};
use crate::store::spool::HEAD_BYTES_MAX;

/// How much an archive may hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// So many files.
    pub entries: u64,
    /// So many bytes once it is inflated.
    pub bytes: u64,
}

impl Limits {
    /// Of an archive that comes from elsewhere.
    pub const FOREIGN: Limits = Limits { entries: 100_000, bytes: 4 << 30 };
    /// Of one that lies in the folder: written here, or taken in within the limits above.
    pub const OWN: Limits = Limits { entries: 1_000_000, bytes: 1 << 40 };
}

/// More than so many bytes for one that was sent are suspicious, once it is this many.
const RATIO_MAX: u64 = 200;
const RATIO_FROM_BYTES: u64 = 10 * 1024 * 1024;

/// What stands before the bytes of a file at least.
const LOCAL_HEADER_BYTES_MIN: u64 = 30;

/// The longest name: far longer than any of ours.
const NAME_BYTES_MAX: usize = 900;

/// What a file may take at most in the directory and in the file with sums.
const BYTES_EACH: u64 = 1024;

/// How many flaws are told of one archive.
pub const FLAWS_MAX: usize = 100;

const CHUNK_BYTES: usize = 256 * 1024;

/// Why an archive is not taken.
#[derive(Debug)]
pub enum Refusal {
    /// Something is wrong with it.
    Flawed(Vec<Flaw>),
    /// The disk refused.
    Store(StoreError),
}

impl From<StoreError> for Refusal {
    fn from(error: StoreError) -> Refusal {
        Refusal::Store(error)
    }
}

impl From<Flaw> for Refusal {
    fn from(flaw: Flaw) -> Refusal {
        Refusal::Flawed(vec![flaw])
    }
}

/// A file in an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// Which file of a data folder.
    pub key: Key,
    /// Its path there.
    pub path: String,
    /// Its size, as the archive says.
    pub size: u64,
    index: usize,
    /// Whether it is kept for people alone.
    is_aside: bool,
    sum: [u8; 32],
}

impl Item {
    /// The SHA-256 that its bytes have.
    pub fn sum(&self) -> &[u8; 32] {
        &self.sum
    }
}

/// An archive whose names and sizes are as they may be; what is inside is looked at as it is read.
pub struct Opened {
    zip: ZipArchive<BufReader<File>>,
    manifest: Manifest,
    items: Vec<Item>,
    budget: Budget,
}

/// How much may still be inflated.
#[derive(Clone, Copy, Debug)]
struct Budget {
    limits: Limits,
    file_bytes: u64,
    inflated: u64,
}

impl Opened {
    /// Reads what an archive says of itself, and every name.
    pub fn open(file: File, limits: Limits) -> Result<Opened, Refusal> {
        let mut file = BufReader::new(file);
        let file_bytes = expect_directory(&mut file, limits)?;
        let mut zip = ZipArchive::new(file).map_err(|error| flawed("", &error))?;
        if zip.has_duplicate_names() {
            return Err(Flaw::new("", "Two files in it have the same name.").into());
        }
        let mut budget = Budget { limits, file_bytes, inflated: 0 };
        let names = Names::read(&zip)?;
        expect_apart(&zip)?;
        let missing = |name: &str| {
            Refusal::from(Flaw::new("", format!("This is no backup: there is no {name} in it.")))
        };
        let manifest = names.manifest.ok_or_else(|| missing(MANIFEST))?;
        let sums = names.sums.ok_or_else(|| missing(SUMS))?;
        let mut manifest = read_manifest(&mut zip, manifest, &mut budget)?;
        let sums = read_sums(&mut zip, sums, &manifest, &mut budget)?;
        let items = names.known(&manifest, sums)?;
        manifest.counts = counted(&manifest, &items);
        // Each reading begins anew.
        budget.inflated = 0;
        Ok(Opened { zip, manifest, items, budget })
    }

    /// What it says of itself; the files are counted.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Its files, by path, without those that are kept for people alone.
    pub fn items(&self) -> impl Iterator<Item = &Item> {
        self.items.iter().filter(|it| !it.is_aside)
    }

    /// What is inflated is counted from here on: for whoever reads all of it once more.
    pub fn rewind(&mut self) {
        self.budget.inflated = 0;
    }

    /// Reads all of it, and tells everything that is wrong.
    pub fn verify(&mut self, judge: Judge<'_>) -> Result<(), Refusal> {
        self.rewind();
        let mut flaws = Vec::new();
        for item in self.items.clone() {
            match self.check(&item, judge) {
                Err(Refusal::Flawed(more)) => flaws.extend(more),
                other => other?,
            }
            if flaws.len() >= FLAWS_MAX || self.budget.is_spent() {
                break;
            }
        }
        if flaws.is_empty() { Ok(()) } else { Err(Refusal::Flawed(flaws)) }
    }

    fn check(&mut self, item: &Item, judge: Judge<'_>) -> Result<(), Refusal> {
        let mut kept = Vec::new();
        let most = if item.key.is_json() { usize::MAX } else { HEAD_BYTES_MAX };
        self.read(item, |bytes| {
            let missing = most.saturating_sub(kept.len());
            kept.extend(bytes.iter().take(missing));
            Ok(())
        })?;
        if item.is_aside {
            return Ok(());
        }
        judge(&item.key, &kept).map_err(|why| Flaw::new(&*item.path, why).into())
    }

    /// All bytes of a small file, which are those that were packed.
    pub fn bytes(&mut self, item: &Item) -> Result<Vec<u8>, Refusal> {
        let mut all = Vec::new();
        self.read(item, |bytes| {
            all.extend_from_slice(bytes);
            Ok(())
        })?;
        Ok(all)
    }

    /// Reads a file piece by piece. Only when all went well are the bytes those that were packed.
    pub fn read(
        &mut self,
        item: &Item,
        take: impl FnMut(&[u8]) -> Result<(), StoreError>,
    ) -> Result<(), Refusal> {
        let most = if item.key.is_json() && !item.is_aside { FILE_BYTES_MAX } else { u64::MAX };
        let name = item.path.as_str();
        let sum = inflate(&mut self.zip, item.index, name, most, &mut self.budget, take)?;
        if sum == item.sum {
            return Ok(());
        }
        let message = "Its bytes are not those that were backed up: the sum differs.";
        Err(Flaw::new(name, message).into())
    }
}

impl Budget {
    /// Counts what was inflated; `packed` is how many bytes it came from.
    fn spend(&mut self, path: &str, bytes: u64, of_file: u64, packed: u64) -> Result<(), Flaw> {
        self.inflated = self.inflated.saturating_add(bytes);
        if self.is_spent() {
            let most = self.limits.bytes >> 30;
            return Err(Flaw::new(path, format!("All files together have more than {most} GiB.")));
        }
        let is_bomb =
            |bytes: u64, of: u64| bytes > RATIO_FROM_BYTES && bytes / RATIO_MAX > of.max(1);
        if is_bomb(self.inflated, self.file_bytes) || is_bomb(of_file, packed) {
            let message = "It inflates to far more than was sent, as only bombs do.";
            return Err(Flaw::new(path, message));
        }
        Ok(())
    }

    fn is_spent(&self) -> bool {
        self.inflated > self.limits.bytes
    }
}

/// Inflates one file and gives its sum.
fn inflate(
    zip: &mut ZipArchive<BufReader<File>>,
    index: usize,
    path: &str,
    most: u64,
    budget: &mut Budget,
    mut take: impl FnMut(&[u8]) -> Result<(), StoreError>,
) -> Result<[u8; 32], Refusal> {
    let mut file = zip.by_index(index).map_err(|error| flawed(path, &error))?;
    let packed = file.compressed_size();
    let (mut sum, mut size) = (Sha256::new(), 0_u64);
    let mut chunk = vec![0; CHUNK_BYTES];
    loop {
        let read = file.read(&mut chunk).map_err(|error| damaged(path, &error))?;
        if read == 0 {
            return Ok(sum.finalize().into());
        }
        size = size.saturating_add(read as u64);
        if size > most {
            let most = most / 1024 / 1024;
            return Err(Flaw::new(path, format!("It has more than {most} MiB.")).into());
        }
        budget.spend(path, read as u64, size, packed)?;
        let some = chunk.get(..read).unwrap_or_default();
        sum.update(some);
        take(some)?;
    }
}

fn counted(manifest: &Manifest, items: &[Item]) -> BTreeMap<Part, u64> {
    let mut counts: BTreeMap<Part, u64> = manifest.parts.iter().map(|it| (*it, 0)).collect();
    for item in items.iter().filter(|it| !it.is_aside) {
        *counts.entry(part_of(&item.key)).or_default() += 1;
    }
    counts
}

fn damaged(path: &str, error: &io::Error) -> Refusal {
    Flaw::new(path, format!("It is damaged: {error}.")).into()
}

fn flawed(path: &str, error: &ZipError) -> Refusal {
    let message = match error {
        ZipError::Io(error) => format!("It cannot be read: {error}."),
        ZipError::UnsupportedArchive(what) => format!("It cannot be read: {what}."),
        other => format!("This is no archive that can be read: {other}."),
    };
    Flaw::new(path, message).into()
}

/// The places of all files.
#[derive(Default)]
struct Names {
    manifest: Option<usize>,
    sums: Option<usize>,
    items: Vec<Item>,
}

impl Names {
    fn read(zip: &ZipArchive<BufReader<File>>) -> Result<Names, Refusal> {
        let mut names = Names::default();
        let mut folded = HashSet::new();
        let mut flaws = Vec::new();
        for index in 0..zip.len() {
            let entry = zip.by_index_data(index).map_err(|error| flawed("", &error))?;
            if let Err(flaw) = names.add(index, &entry, &mut folded) {
                flaws.push(flaw);
            }
            if flaws.len() >= FLAWS_MAX {
                break;
            }
        }
        if flaws.is_empty() { Ok(names) } else { Err(Refusal::Flawed(flaws)) }
    }

    fn add(
        &mut self,
        index: usize,
        entry: &ZipFileEntry<'_>,
        folded: &mut HashSet<String>,
    ) -> Result<(), Flaw> {
        let name = name_of(entry)?;
        expect_plain(&name, entry)?;
        if !folded.insert(name.to_lowercase()) {
            return Err(Flaw::new(name, "Another name differs from it only in case."));
        }
        match name.as_str() {
            MANIFEST => self.manifest = Some(index),
            SUMS => self.sums = Some(index),
            _ => self.items.extend(item(index, name, entry)?),
        }
        Ok(())
    }

    /// Every file has its sum, and every sum its file; and all are what the manifest says.
    fn known(
        self,
        manifest: &Manifest,
        mut sums: HashMap<String, [u8; 32]>,
    ) -> Result<Vec<Item>, Refusal> {
        let mut items = self.items;
        let mut flaws = Vec::new();
        for item in &mut items {
            let name =
                if item.is_aside { format!("{ASIDE}{}", item.path) } else { item.path.clone() };
            match sums.remove(&name) {
                Some(sum) => item.sum = sum,
                None => flaws.push(Flaw::new(name, "There is no sum for it.")),
            }
            let in_workspace =
                item.key.workspace().is_none_or(|it| manifest.workspaces.contains(it.as_str()));
            if !in_workspace || !manifest.parts.contains(&part_of(&item.key)) {
                let message = format!("{MANIFEST} does not tell of it.");
                flaws.push(Flaw::new(&*item.path, message));
            }
        }
        flaws.extend(sums.into_keys().map(|it| Flaw::new(it, "It is missing.")));
        flaws.truncate(FLAWS_MAX);
        items.sort_by(|one, other| one.path.cmp(&other.path));
        if flaws.is_empty() { Ok(items) } else { Err(Refusal::Flawed(flaws)) }
    }
}

/// Each file has bytes of its own: bombs let many share the same ones. Sizes are those of the
/// directory, which the reader goes by as well.
fn expect_apart(zip: &ZipArchive<BufReader<File>>) -> Result<(), Refusal> {
    let mut extents = Vec::with_capacity(zip.len());
    for index in 0..zip.len() {
        let entry = zip.by_index_data(index).map_err(|error| flawed("", &error))?;
        let end = entry.header_start().saturating_add(LOCAL_HEADER_BYTES_MIN);
        extents.push((entry.header_start(), end.saturating_add(entry.compressed_size())));
    }
    extents.sort_unstable();
    let starts = extents.iter().skip(1).map(|it| it.0);
    let starts = starts.chain([zip.central_directory_start()]);
    if extents.iter().zip(starts).any(|((_, end), next)| *end > next) {
        return Err(Flaw::new("", "Files in it overlap, as only bombs do.").into());
    }
    Ok(())
}

fn name_of(entry: &ZipFileEntry<'_>) -> Result<String, Flaw> {
    let raw = entry.name_raw();
    if raw.len() > NAME_BYTES_MAX {
        return Err(Flaw::new("", "There is a name in it that is far too long."));
    }
    let shown = || String::from_utf8_lossy(raw).escape_debug().to_string();
    let name = std::str::from_utf8(raw);
    let name = name.map_err(|_| Flaw::new(shown(), "Its name is not UTF-8."))?;
    if name.chars().any(char::is_control) {
        return Err(Flaw::new(shown(), "There are control characters in its name."));
    }
    let leads_out = name.starts_with('/')
        || name.contains(['\\', ':'])
        || name.split('/').any(|it| matches!(it, "." | ".."));
    if leads_out {
        return Err(Flaw::new(name, "Its name leads out of the folder."));
    }
    Ok(name.to_string())
}

/// A regular file that is readable by everybody.
fn expect_plain(name: &str, entry: &ZipFileEntry<'_>) -> Result<(), Flaw> {
    const KIND: u32 = 0o170_000;
    const REGULAR: u32 = 0o100_000;
    const FOLDER: u32 = 0o040_000;
    let kind = entry.external_attributes() >> 16 & KIND;
    let is_folder = name.ends_with('/');
    if kind != 0 && kind != if is_folder { FOLDER } else { REGULAR } {
        return Err(Flaw::new(name, "This is no regular file."));
    }
    if entry.encrypted() {
        return Err(Flaw::new(name, "It is encrypted."));
    }
    let known = [CompressionMethod::Stored, CompressionMethod::Deflated];
    if !known.contains(&entry.compression()) {
        return Err(Flaw::new(name, "It is compressed by a method that is not known here."));
    }
    Ok(())
}

/// What a name stands for; nothing for a folder, which those who pack by hand bring along.
fn item(index: usize, name: String, entry: &ZipFileEntry<'_>) -> Result<Option<Item>, Flaw> {
    let unknown = |name: &str| Flaw::new(name, "This is no file of a data folder.");
    if let Some(folder) = name.strip_suffix('/') {
        let inside = format!("{folder}/").starts_with(ASIDE) || Folder::parse(folder).is_some();
        return if inside && entry.size() == 0 { Ok(None) } else { Err(unknown(&name)) };
    }
    let (is_aside, path) = match name.strip_prefix(ASIDE) {
        Some(path) => (true, path),
        None => (false, name.as_str()),
    };
    let key = Key::parse(path).filter(|it| it.path() == path).ok_or_else(|| unknown(&name))?;
    let (path, size, sum) = (path.to_string(), entry.size(), [0; 32]);
    Ok(Some(Item { key, path, size, index, is_aside, sum }))
}

fn read_manifest(
    zip: &mut ZipArchive<BufReader<File>>,
    index: usize,
    budget: &mut Budget,
) -> Result<Manifest, Refusal> {
    let bytes = small(zip, index, MANIFEST, FILE_BYTES_MAX, budget)?;
    let wrong = |why: String| Refusal::from(Flaw::new(MANIFEST, why));
    let value: serde_json::Value = serde_json::from_slice(&bytes)
        .map_err(|error| wrong(format!("It is no JSON: {error}.")))?;
    match value.get("format").and_then(serde_json::Value::as_u64) {
        Some(format) if format > u64::from(backup::FORMAT) => {
            let message = "The backup was made by a newer version, and cannot be read by this one.";
            return Err(wrong(message.to_string()));
        }
        Some(1..) => {}
        Some(0) | None => {
            let message = "It does not say in a number from 1 on what format the backup has.";
            return Err(wrong(message.to_string()));
        }
    }
    let manifest: Manifest = serde_json::from_value(value)
        .map_err(|error| wrong(format!("It cannot be read: {error}.")))?;
    if manifest.note.chars().count() > backup::NOTE_CHARS_MAX {
        return Err(wrong("The note is too long.".to_string()));
    }
    Ok(manifest)
}

fn read_sums(
    zip: &mut ZipArchive<BufReader<File>>,
    index: usize,
    manifest: &Manifest,
    budget: &mut Budget,
) -> Result<HashMap<String, [u8; 32]>, Refusal> {
    let most = BYTES_EACH.saturating_mul(zip.len() as u64);
    let bytes = small(zip, index, SUMS, most, budget)?;
    let wrong = |why: &str| Refusal::from(Flaw::new(SUMS, why));
    if hex(&Sha256::digest(&bytes).into()) != manifest.sums_sha256 {
        return Err(wrong("Its own sum is not the one that the manifest tells."));
    }
    let text = std::str::from_utf8(&bytes).map_err(|_| wrong("It is not UTF-8."))?;
    let line = |line: &str| {
        let (sum, name) = line.split_once("  ")?;
        Some((name.to_string(), unhex(sum)?))
    };
    let sums = text.lines().map(line).collect::<Option<HashMap<_, _>>>();
    sums.ok_or_else(|| wrong("A line of it is no sum."))
}

fn small(
    zip: &mut ZipArchive<BufReader<File>>,
    index: usize,
    name: &str,
    most: u64,
    budget: &mut Budget,
) -> Result<Vec<u8>, Refusal> {
    let mut all = Vec::new();
    inflate(zip, index, name, most, budget, |bytes| {
        all.extend_from_slice(bytes);
        Ok(())
    })?;
    Ok(all)
}

fn unhex(text: &str) -> Option<[u8; 32]> {
    if text.len() != 64 || !text.is_ascii() {
        return None;
    }
    let mut sum = [0; 32];
    for (byte, at) in sum.iter_mut().zip((0..64).step_by(2)) {
        *byte = u8::from_str_radix(text.get(at..at + 2)?, 16).ok()?;
    }
    Some(sum)
}

/// Looks at the end of an archive before anything is made of its directory: how many files there
/// are, how large the directory is, and that it ends where the file does. The size of the file.
fn expect_directory(file: &mut BufReader<File>, limits: Limits) -> Result<u64, Refusal> {
    const END_BYTES: u64 = 22;
    const LOCATOR_BYTES: u64 = 20;
    const END_64_BYTES: u64 = 56;
    let no_archive = || Refusal::from(Flaw::new("", "This is no ZIP archive, or it is cut short."));
    let reading = |error| Refusal::Store(StoreError::io("read", "the archive")(error));
    let length = file.seek(SeekFrom::End(0)).map_err(reading)?;
    let end_at = length.checked_sub(END_BYTES).ok_or_else(no_archive)?;
    let end: [u8; END_BYTES as usize] = read_at(file, end_at).map_err(reading)?;
    if !end.starts_with(b"PK\x05\x06") || number(&end, 20, 2) != 0 {
        return Err(no_archive());
    }
    let (mut entries, mut size) = (number(&end, 10, 2), number(&end, 12, 4));
    let mut begin = number(&end, 16, 4);
    let mut directory_end = end_at;
    if let Some(locator_at) = end_at.checked_sub(LOCATOR_BYTES) {
        let locator: [u8; LOCATOR_BYTES as usize] = read_at(file, locator_at).map_err(reading)?;
        if locator.starts_with(b"PK\x06\x07") {
            directory_end = locator_at.checked_sub(END_64_BYTES).ok_or_else(no_archive)?;
            let end: [u8; END_64_BYTES as usize] = read_at(file, directory_end).map_err(reading)?;
            let is_there = number(&locator, 8, 8) == directory_end;
            if !is_there || !end.starts_with(b"PK\x06\x06") || number(&end, 4, 8) != 44 {
                return Err(no_archive());
            }
            (entries, size) = (number(&end, 32, 8), number(&end, 40, 8));
            begin = number(&end, 48, 8);
        }
    }
    if begin.checked_add(size) != Some(directory_end) {
        return Err(no_archive());
    }
    let files = entries.saturating_sub(2);
    if files > limits.entries {
        let message = format!("There are {files} files in it; {} are the most.", limits.entries);
        return Err(Flaw::new("", message).into());
    }
    if size > entries.saturating_mul(BYTES_EACH) {
        return Err(Flaw::new("", "Its directory is far too large.").into());
    }
    Ok(length)
}

fn read_at<const N: usize>(file: &mut BufReader<File>, at: u64) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    file.seek(SeekFrom::Start(at))?;
    file.read_exact(&mut bytes)?;
    Ok(bytes)
}

/// The number of `length` bytes at `at`, the lowest byte first.
fn number(bytes: &[u8], at: usize, length: usize) -> u64 {
    let some = bytes.get(at..at + length).unwrap_or_default();
    some.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte))
}
