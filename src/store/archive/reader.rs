//! Reading of untrusted archives: every name must be a valid path of the data folder, sizes are
//! counted during decompression, and nothing is written to disk.
//!
//! Ambiguous archives are rejected: a directory that does not end at the end of the file, a
//! trailing comment, or two files with one name.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};

use sha2::{Digest, Sha256};
use zip::read::ZipFileEntry;
use zip::{CompressionMethod, ZipArchive};

use crate::model::backup::{self, ArchiveDefect, BackupManifest, BackupPart};
use crate::stdx::ordered_work::map_in_order;
pub use crate::store::archive::inflate::{ArchiveError, ArchiveLimits};
use crate::store::archive::inflate::{InflateBudget, inflate_file, inflate_small, zip_error};
use crate::store::archive::packer::THREADS;
use crate::store::archive::shared_file::SharedFile;
use crate::store::archive::writer::format_hex;
use crate::store::archive::{ASIDE, FileValidator, MANIFEST, SUMS, part_of};
use crate::store::disk::FILE_BYTES_MAX;
use crate::store::error::StoreError;
use crate::store::layout::{Folder, Key};
use crate::store::write::spool::HEAD_BYTES_MAX;

/// The minimum size of the header of a file.
const LOCAL_HEADER_BYTES_MIN: u64 = 30;

/// The maximum length of a name, far above that of valid paths.
const NAME_BYTES_MAX: usize = 900;

/// The maximum size of a file's record in the directory and in the file with checksums.
const BYTES_EACH: u64 = 1024;

/// The maximum number of reported defects per archive.
pub const DEFECTS_MAX: usize = 100;

/// The number of files that a thread verifies before it looks for the next ones.
const BATCH_FILES: usize = 64;

/// A file in an archive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchiveFile {
    /// The key of the file in the data folder.
    pub key: Key,
    /// The path of the file in the data folder.
    pub path: String,
    /// The size according to the archive.
    pub size: u64,
    index: usize,
    /// True if the file is only kept for users.
    is_aside: bool,
    sum: [u8; 32],
}

impl ArchiveFile {
    /// Returns the SHA-256 of the file's bytes.
    pub fn sha256(&self) -> &[u8; 32] {
        &self.sum
    }
}

/// An open archive whose names and sizes were validated. The content of a file is validated when it
/// is read.
pub struct ArchiveReader {
    zip: ZipArchive<SharedFile>,
    manifest: BackupManifest,
    items: Vec<ArchiveFile>,
    budget: InflateBudget,
}

impl ArchiveReader {
    /// Opens an archive, and reads its manifest and all names.
    pub fn open(file: File, limits: ArchiveLimits) -> Result<ArchiveReader, ArchiveError> {
        let mut file = SharedFile::new(file);
        let file_bytes = expect_directory(&mut file, limits)?;
        let mut zip = ZipArchive::new(file).map_err(|error| zip_error("", &error))?;
        if zip.has_duplicate_names() {
            return Err(ArchiveDefect::new("", "Two files in it have the same name.").into());
        }
        let budget = InflateBudget::new(limits, file_bytes);
        let names = ArchiveIndex::read_directory(&zip)?;
        expect_no_overlap(&zip)?;
        let missing = |name: &str| {
            ArchiveError::from(ArchiveDefect::new(
                "",
                format!("This is not a backup: it contains no {name}."),
            ))
        };
        let manifest = names.manifest.ok_or_else(|| missing(MANIFEST))?;
        let sums = names.sums.ok_or_else(|| missing(SUMS))?;
        let mut manifest = read_manifest(&mut zip, manifest, &budget)?;
        let sums = read_sums(&mut zip, sums, &manifest, &budget)?;
        let items = names.match_sums(&manifest, sums)?;
        manifest.counts = count_by_part(&manifest, &items);
        // Each pass over the files gets the full allowance.
        budget.reset();
        Ok(ArchiveReader { zip, manifest, items, budget })
    }

    /// Returns the manifest; its counts are those of the actual files.
    pub fn manifest(&self) -> &BackupManifest {
        &self.manifest
    }

    /// Returns the files sorted by path, without those that are only kept for users.
    pub fn list_files(&self) -> impl Iterator<Item = &ArchiveFile> {
        self.items.iter().filter(|it| !it.is_aside)
    }

    /// Returns the paths of the files that were there when the archive was made, and that it does
    /// not have as they were: they were set aside or left out.
    pub fn list_incomplete(&self) -> BTreeSet<String> {
        let set_aside = self.items.iter().filter(|it| it.is_aside).map(|it| it.path.clone());
        set_aside.chain(self.manifest.problems.iter().map(|it| it.path.clone())).collect()
    }

    /// Resets the count of decompressed bytes, before another pass over all files.
    pub fn reset_budget(&mut self) {
        self.budget.reset();
    }

    /// Reads all files and reports all defects.
    pub fn verify_files(&mut self, validate: FileValidator<'_>) -> Result<(), ArchiveError> {
        self.reset_budget();
        let batches: Vec<&[ArchiveFile]> = self.items.chunks(BATCH_FILES).collect();
        let start = || ZipReader { zip: self.zip.clone(), budget: &self.budget };
        let work = |reader: &mut ZipReader<'_>, batch: &&[ArchiveFile]| {
            reader.check_files(batch, validate)
        };
        let mut defects = Vec::new();
        let verified = map_in_order(THREADS, &batches, start, work, |_, found| {
            defects.extend(found.map_err(Some)?);
            let goes_on = defects.len() < DEFECTS_MAX && !self.budget.is_spent();
            goes_on.then_some(()).ok_or(None)
        });
        if let Err(Some(error)) = verified {
            return Err(error);
        }
        if defects.is_empty() { Ok(()) } else { Err(ArchiveError::Defective(defects)) }
    }

    /// Reads a small file and verifies its checksum.
    pub fn read_whole(&mut self, item: &ArchiveFile) -> Result<Vec<u8>, ArchiveError> {
        let mut all = Vec::new();
        self.read_chunks(item, |bytes| {
            all.extend_from_slice(bytes);
            Ok(())
        })?;
        Ok(all)
    }

    /// Reads a file in chunks. The bytes are only valid if the result is `Ok`.
    pub fn read_chunks(
        &mut self,
        item: &ArchiveFile,
        take: impl FnMut(&[u8]) -> Result<(), StoreError>,
    ) -> Result<(), ArchiveError> {
        read_file(&mut self.zip, &self.budget, item, take)
    }
}

/// The access of one thread to an archive.
struct ZipReader<'a> {
    zip: ZipArchive<SharedFile>,
    budget: &'a InflateBudget,
}

impl ZipReader<'_> {
    /// Reads files and returns their defects, all but a few if there are very many.
    fn check_files(
        &mut self,
        items: &[ArchiveFile],
        validate: FileValidator<'_>,
    ) -> Result<Vec<ArchiveDefect>, ArchiveError> {
        let mut defects = Vec::new();
        for item in items {
            match self.check_file(item, validate) {
                Err(ArchiveError::Defective(more)) => defects.extend(more),
                other => other?,
            }
            if defects.len() >= DEFECTS_MAX || self.budget.is_spent() {
                break;
            }
        }
        Ok(defects)
    }

    fn check_file(
        &mut self,
        item: &ArchiveFile,
        validate: FileValidator<'_>,
    ) -> Result<(), ArchiveError> {
        let mut kept = Vec::new();
        let most = if item.key.is_json() { usize::MAX } else { HEAD_BYTES_MAX };
        read_file(&mut self.zip, self.budget, item, |bytes| {
            let missing = most.saturating_sub(kept.len()).min(bytes.len());
            kept.extend_from_slice(bytes.get(..missing).unwrap_or_default());
            Ok(())
        })?;
        if item.is_aside {
            return Ok(());
        }
        validate(&item.key, &kept).map_err(|why| ArchiveDefect::new(&*item.path, why).into())
    }
}

/// Reads a file in chunks and verifies its checksum.
fn read_file(
    zip: &mut ZipArchive<SharedFile>,
    budget: &InflateBudget,
    item: &ArchiveFile,
    take: impl FnMut(&[u8]) -> Result<(), StoreError>,
) -> Result<(), ArchiveError> {
    let most = if item.key.is_json() && !item.is_aside { FILE_BYTES_MAX } else { u64::MAX };
    let name = item.path.as_str();
    if inflate_file(zip, item.index, name, most, budget, take)? == item.sum {
        return Ok(());
    }
    let message = "Its bytes are not those that were backed up: the checksum differs.";
    Err(ArchiveDefect::new(name, message).into())
}

fn count_by_part(manifest: &BackupManifest, items: &[ArchiveFile]) -> BTreeMap<BackupPart, u64> {
    let mut counts: BTreeMap<BackupPart, u64> = manifest.parts.iter().map(|it| (*it, 0)).collect();
    for item in items.iter().filter(|it| !it.is_aside) {
        *counts.entry(part_of(&item.key)).or_default() += 1;
    }
    counts
}

/// The positions of the files in an archive.
#[derive(Default)]
struct ArchiveIndex {
    manifest: Option<usize>,
    sums: Option<usize>,
    items: Vec<ArchiveFile>,
}

impl ArchiveIndex {
    fn read_directory(zip: &ZipArchive<SharedFile>) -> Result<ArchiveIndex, ArchiveError> {
        let mut names = ArchiveIndex::default();
        let mut folded = HashSet::new();
        let mut defects = Vec::new();
        for index in 0..zip.len() {
            let entry = zip.by_index_data(index).map_err(|error| zip_error("", &error))?;
            if let Err(defect) = names.add_entry(index, &entry, &mut folded) {
                defects.push(defect);
            }
            if defects.len() >= DEFECTS_MAX {
                break;
            }
        }
        if defects.is_empty() { Ok(names) } else { Err(ArchiveError::Defective(defects)) }
    }

    fn add_entry(
        &mut self,
        index: usize,
        entry: &ZipFileEntry<'_>,
        folded: &mut HashSet<String>,
    ) -> Result<(), ArchiveDefect> {
        let name = decode_name(entry)?;
        expect_regular_file(&name, entry)?;
        if !folded.insert(name.to_lowercase()) {
            return Err(ArchiveDefect::new(name, "Another name differs from it only in case."));
        }
        match name.as_str() {
            MANIFEST => self.manifest = Some(index),
            SUMS => self.sums = Some(index),
            _ => self.items.extend(parse_item(index, name, entry)?),
        }
        Ok(())
    }

    /// Checks that files and checksums match one to one, and that all files are covered by the
    /// manifest.
    fn match_sums(
        self,
        manifest: &BackupManifest,
        mut sums: HashMap<String, [u8; 32]>,
    ) -> Result<Vec<ArchiveFile>, ArchiveError> {
        let mut items = self.items;
        let mut defects = Vec::new();
        for item in &mut items {
            let name =
                if item.is_aside { format!("{ASIDE}{}", item.path) } else { item.path.clone() };
            match sums.remove(&name) {
                Some(sum) => item.sum = sum,
                None => defects.push(ArchiveDefect::new(name, "It has no checksum.")),
            }
            let in_workspace =
                item.key.workspace().is_none_or(|it| manifest.workspaces.contains(it.as_str()));
            if !in_workspace || !manifest.parts.contains(&part_of(&item.key)) {
                let message = format!("{MANIFEST} does not list it.");
                defects.push(ArchiveDefect::new(&*item.path, message));
            }
        }
        defects.extend(sums.into_keys().map(|it| ArchiveDefect::new(it, "It is missing.")));
        defects.truncate(DEFECTS_MAX);
        items.sort_by(|one, other| one.path.cmp(&other.path));
        if defects.is_empty() { Ok(items) } else { Err(ArchiveError::Defective(defects)) }
    }
}

/// Checks that the data of files does not overlap: ZIP bombs let many files share the same bytes.
/// The sizes are those of the directory, which the reader uses as well.
pub(crate) fn expect_no_overlap(zip: &ZipArchive<SharedFile>) -> Result<(), ArchiveError> {
    let mut extents = Vec::with_capacity(zip.len());
    for index in 0..zip.len() {
        let entry = zip.by_index_data(index).map_err(|error| zip_error("", &error))?;
        let end = entry.header_start().saturating_add(LOCAL_HEADER_BYTES_MIN);
        extents.push((entry.header_start(), end.saturating_add(entry.compressed_size())));
    }
    extents.sort_unstable();
    let starts = extents.iter().skip(1).map(|it| it.0);
    let starts = starts.chain([zip.central_directory_start()]);
    if extents.iter().zip(starts).any(|((_, end), next)| *end > next) {
        return Err(
            ArchiveDefect::new("", "Files in it overlap, as in a decompression bomb.").into()
        );
    }
    Ok(())
}

pub(crate) fn decode_name(entry: &ZipFileEntry<'_>) -> Result<String, ArchiveDefect> {
    let raw = entry.name_raw();
    if raw.len() > NAME_BYTES_MAX {
        return Err(ArchiveDefect::new("", "It contains a name that is far too long."));
    }
    let shown = || String::from_utf8_lossy(raw).escape_debug().to_string();
    let name = std::str::from_utf8(raw);
    let name = name.map_err(|_| ArchiveDefect::new(shown(), "Its name is not UTF-8."))?;
    if name.chars().any(char::is_control) {
        return Err(ArchiveDefect::new(shown(), "Its name contains control characters."));
    }
    let leads_out = name.starts_with('/')
        || name.contains(['\\', ':'])
        || name.split('/').any(|it| matches!(it, "." | ".."));
    if leads_out {
        return Err(ArchiveDefect::new(name, "Its name leads out of the folder."));
    }
    Ok(name.to_string())
}

/// Checks that an entry is an unencrypted regular file or folder with a known compression method.
pub(crate) fn expect_regular_file(
    name: &str,
    entry: &ZipFileEntry<'_>,
) -> Result<(), ArchiveDefect> {
    const KIND: u32 = 0o170_000;
    const REGULAR: u32 = 0o100_000;
    const FOLDER: u32 = 0o040_000;
    let kind = entry.external_attributes() >> 16 & KIND;
    let is_folder = name.ends_with('/');
    if kind != 0 && kind != if is_folder { FOLDER } else { REGULAR } {
        return Err(ArchiveDefect::new(name, "This is not a regular file."));
    }
    if entry.encrypted() {
        return Err(ArchiveDefect::new(name, "It is encrypted."));
    }
    let known = [CompressionMethod::Stored, CompressionMethod::Deflated];
    if !known.contains(&entry.compression()) {
        return Err(ArchiveDefect::new(name, "It uses an unknown compression method."));
    }
    Ok(())
}

/// Parses the name of an entry. Returns `None` for a folder, which archives packed by hand contain.
fn parse_item(
    index: usize,
    name: String,
    entry: &ZipFileEntry<'_>,
) -> Result<Option<ArchiveFile>, ArchiveDefect> {
    let unknown = |name: &str| ArchiveDefect::new(name, "This is not a file of a data folder.");
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
    Ok(Some(ArchiveFile { key, path, size, index, is_aside, sum }))
}

fn read_manifest(
    zip: &mut ZipArchive<SharedFile>,
    index: usize,
    budget: &InflateBudget,
) -> Result<BackupManifest, ArchiveError> {
    let bytes = inflate_small(zip, index, MANIFEST, FILE_BYTES_MAX, budget)?;
    let wrong = |why: String| ArchiveError::from(ArchiveDefect::new(MANIFEST, why));
    let value: serde_json::Value = serde_json::from_slice(&bytes)
        .map_err(|error| wrong(format!("It is not JSON: {error}.")))?;
    match value.get("format").and_then(serde_json::Value::as_u64) {
        Some(format) if format > u64::from(backup::FORMAT) => {
            let message = "The backup was made by a newer version, and cannot be read by this one.";
            return Err(wrong(message.to_string()));
        }
        Some(1..) => {}
        Some(0) | None => {
            let message = "Its `format` must be a whole number, 1 or more.";
            return Err(wrong(message.to_string()));
        }
    }
    let manifest: BackupManifest = serde_json::from_value(value)
        .map_err(|error| wrong(format!("It cannot be read: {error}.")))?;
    if manifest.note.chars().count() > backup::NOTE_CHARS_MAX {
        return Err(wrong("The note is too long.".to_string()));
    }
    Ok(manifest)
}

fn read_sums(
    zip: &mut ZipArchive<SharedFile>,
    index: usize,
    manifest: &BackupManifest,
    budget: &InflateBudget,
) -> Result<HashMap<String, [u8; 32]>, ArchiveError> {
    let most = BYTES_EACH.saturating_mul(zip.len() as u64);
    let bytes = inflate_small(zip, index, SUMS, most, budget)?;
    let wrong = |why: &str| ArchiveError::from(ArchiveDefect::new(SUMS, why));
    if format_hex(&Sha256::digest(&bytes).into()) != manifest.sums_sha256 {
        return Err(wrong("Its checksum is not the one in the manifest."));
    }
    let text = std::str::from_utf8(&bytes).map_err(|_| wrong("It is not UTF-8."))?;
    let line = |line: &str| {
        let (sum, name) = line.split_once("  ")?;
        Some((name.to_string(), parse_hex(sum)?))
    };
    let sums = text.lines().map(line).collect::<Option<HashMap<_, _>>>();
    sums.ok_or_else(|| wrong("A line in it is not a checksum."))
}

fn parse_hex(text: &str) -> Option<[u8; 32]> {
    if text.len() != 64 || !text.is_ascii() {
        return None;
    }
    let mut sum = [0; 32];
    for (byte, at) in sum.iter_mut().zip((0..64).step_by(2)) {
        *byte = u8::from_str_radix(text.get(at..at + 2)?, 16).ok()?;
    }
    Some(sum)
}

/// Checks the end of an archive before its directory is read: the number of files, the size of the
/// directory, and that it ends where the file does. Returns the size of the file.
pub(crate) fn expect_directory(
    file: &mut SharedFile,
    limits: ArchiveLimits,
) -> Result<u64, ArchiveError> {
    const END_BYTES: u64 = 22;
    const LOCATOR_BYTES: u64 = 20;
    const END_64_BYTES: u64 = 56;
    let no_archive = || {
        ArchiveError::from(ArchiveDefect::new("", "This is not a ZIP archive, or it is cut off."))
    };
    let reading = |error| ArchiveError::Store(StoreError::io("read", "the archive")(error));
    let length = file.seek(SeekFrom::End(0)).map_err(reading)?;
    let end_at = length.checked_sub(END_BYTES).ok_or_else(no_archive)?;
    let end: [u8; END_BYTES as usize] = read_at(file, end_at).map_err(reading)?;
    if !end.starts_with(b"PK\x05\x06") || parse_little_endian(&end, 20, 2) != 0 {
        return Err(no_archive());
    }
    let (mut entries, mut size) =
        (parse_little_endian(&end, 10, 2), parse_little_endian(&end, 12, 4));
    let mut begin = parse_little_endian(&end, 16, 4);
    let mut directory_end = end_at;
    if let Some(locator_at) = end_at.checked_sub(LOCATOR_BYTES) {
        let locator: [u8; LOCATOR_BYTES as usize] = read_at(file, locator_at).map_err(reading)?;
        if locator.starts_with(b"PK\x06\x07") {
            directory_end = locator_at.checked_sub(END_64_BYTES).ok_or_else(no_archive)?;
            let end: [u8; END_64_BYTES as usize] = read_at(file, directory_end).map_err(reading)?;
            let is_there = parse_little_endian(&locator, 8, 8) == directory_end;
            if !is_there || !end.starts_with(b"PK\x06\x06") || parse_little_endian(&end, 4, 8) != 44
            {
                return Err(no_archive());
            }
            (entries, size) = (parse_little_endian(&end, 32, 8), parse_little_endian(&end, 40, 8));
            begin = parse_little_endian(&end, 48, 8);
        }
    }
    if begin.checked_add(size) != Some(directory_end) {
        return Err(no_archive());
    }
    let files = entries.saturating_sub(2);
    if files > limits.entries {
        let message = format!("It contains {files} files; the limit is {}.", limits.entries);
        return Err(ArchiveDefect::new("", message).into());
    }
    if size > entries.saturating_mul(BYTES_EACH) {
        return Err(ArchiveDefect::new("", "Its directory is far too large.").into());
    }
    Ok(length)
}

fn read_at<const N: usize>(file: &mut SharedFile, at: u64) -> io::Result<[u8; N]> {
    let mut bytes = [0; N];
    file.seek(SeekFrom::Start(at))?;
    file.read_exact(&mut bytes)?;
    Ok(bytes)
}

/// Returns the little-endian number of `length` bytes at `at`.
fn parse_little_endian(bytes: &[u8], at: usize, length: usize) -> u64 {
    let some = bytes.get(at..at + length).unwrap_or_default();
    some.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte))
}
