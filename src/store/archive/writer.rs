//! Writing of archives that show one moment, without blocking writers for long.
//!
//! Files are packed while the folder keeps changing. Then writers are blocked for one listing of
//! the folder, and the few files that have changed since are packed again. Files are never changed
//! in place, so a file with the same inode, size and times has the same bytes: the archive contains
//! the state of the folder at that moment, with every change complete or absent.
//!
//! JSON files are packed by threads (see `packer`) and appended in order, so the same folder makes
//! the same archive. Media files are compressed already; they are stored as they are.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fs::File;
use std::io::{self, BufReader, Read, Write};
use std::sync::Arc;

use sha2::{Digest, Sha256};
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use crate::model::backup::{self, ArchiveDefect, BackupManifest, Generator};
use crate::stdx::ordered_work::map_in_order;
use crate::stdx::time::Timestamp;
use crate::store::archive::archive_sink::ArchiveSink;
use crate::store::archive::packer::{
    self, Batch, Outcome, PackedBatch, Packer, name_in_archive, split_batches, zip_options,
};
use crate::store::archive::survey::{BackupScope, SurveyedFile, list_files};
use crate::store::archive::{
    ASIDE, BackupSelection, FileValidator, MANIFEST, SUMS, part_of, secrets,
};
use crate::store::disk::{self, Disk, ReadError, Stat};
use crate::store::error::StoreError;
use crate::store::layout::Key;
use crate::store::lock::WriteLock;
use crate::store::write::journal;
use crate::store::write::spool::HEAD_BYTES_MAX;

/// The maximum number of bytes that are packed while writers are blocked, if possible.
const REST_BYTES_MAX: u64 = 4 * 1024 * 1024;

/// The maximum number of passes over changed files before writers are blocked.
const CATCH_UPS_MAX: usize = 5;

/// The maximum number of defects in a manifest.
const DEFECTS_MAX: usize = 1_000;

const CHUNK_BYTES: usize = 256 * 1024;

/// The progress of a backup.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    /// The number of packed files.
    pub files: u64,
    /// The number of packed bytes before compression.
    pub bytes: u64,
}

/// The specification of an archive.
#[derive(Clone)]
pub struct ArchiveSpec<'a> {
    /// The selected files.
    pub selection: BackupSelection,
    /// True to include hashes and secrets.
    pub secrets: bool,
    /// The user's note.
    pub note: String,
    /// The id of the user who requested the backup.
    pub created_by: Option<String>,
    /// The current time.
    pub now: Timestamp,
    /// Returns the reason why a file could not be restored.
    pub validate: FileValidator<'a>,
    /// Called with the progress from time to time.
    pub progress: &'a dyn Fn(Progress),
}

/// A complete archive that has not been given its name yet. It is deleted on drop if it is not
/// moved.
pub struct FinishedArchive {
    /// The path.
    pub path: String,
    /// The manifest.
    pub manifest: BackupManifest,
    _place: ArchiveTempFile,
}

/// An unfinished file that is deleted on drop.
struct ArchiveTempFile {
    disk: Arc<dyn Disk>,
    path: String,
}

impl Drop for ArchiveTempFile {
    fn drop(&mut self) {
        // Usually the file was moved and does not exist.
        let _ = self.disk.remove(&self.path);
    }
}

/// A writer of an archive.
pub struct ArchiveWriter<'a> {
    disk: Arc<dyn Disk>,
    spec: ArchiveSpec<'a>,
    zip: ZipWriter<ArchiveSink<File>>,
    place: ArchiveTempFile,
    /// The packed files by their path in the data folder.
    entries: BTreeMap<String, PackedFile>,
    /// The paths in lower case.
    folded: HashSet<String>,
    defects: BTreeMap<String, ArchiveDefect>,
    workspaces: BTreeSet<String>,
    progress: Progress,
    /// True if the archive contains bytes of entries that were replaced or removed.
    has_dead_bytes: bool,
}

struct PackedFile {
    key: Key,
    stat: Stat,
    /// The name in the archive; `None` if the file was left out.
    name: Option<String>,
    sum: [u8; 32],
    size: u64,
}

impl PackedFile {
    fn left_out(key: &Key, stat: Stat) -> PackedFile {
        PackedFile { key: key.clone(), stat, name: None, sum: [0; 32], size: 0 }
    }
}

/// The differences between the archive and the folder.
pub struct ArchiveDiff {
    scope: BackupScope,
    changed: Vec<SurveyedFile>,
    gone: Vec<String>,
    defects: Vec<ArchiveDefect>,
}

impl ArchiveDiff {
    fn count_bytes(&self) -> u64 {
        self.changed.iter().map(|it| it.stat.size).sum()
    }
}

/// Writes an archive; each workspace is in the state of one moment.
pub fn write_archive(
    disk: &Arc<dyn Disk>,
    lock: &WriteLock,
    spec: ArchiveSpec<'_>,
) -> Result<FinishedArchive, StoreError> {
    let mut writer = ArchiveWriter::create(disk.clone(), spec)?;
    for scope in writer.list_scopes()? {
        writer.catch_up(&scope)?;
        let _turn = lock.acquire_turn()?;
        writer.catch_up_locked(&scope)?;
    }
    writer.finish()
}

impl<'a> ArchiveWriter<'a> {
    /// Creates an empty archive.
    pub fn create(
        disk: Arc<dyn Disk>,
        spec: ArchiveSpec<'a>,
    ) -> Result<ArchiveWriter<'a>, StoreError> {
        let (place, zip) = create_zip(&disk)?;
        Ok(ArchiveWriter {
            disk,
            spec,
            zip,
            place,
            entries: BTreeMap::new(),
            folded: HashSet::new(),
            defects: BTreeMap::new(),
            workspaces: BTreeSet::new(),
            progress: Progress::default(),
            has_dead_bytes: false,
        })
    }

    /// Returns true if nothing was packed.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Returns the scopes to pack, each as of one moment.
    pub fn list_scopes(&self) -> Result<Vec<BackupScope>, StoreError> {
        BackupScope::list_scopes(&*self.disk, &self.spec.selection)
    }

    /// Packs the files until only few of them change in the meantime.
    pub fn catch_up(&mut self, scope: &BackupScope) -> Result<(), StoreError> {
        for number in 0..CATCH_UPS_MAX {
            let diff = self.find_changes(scope)?;
            if number > 0 && diff.count_bytes() <= REST_BYTES_MAX {
                break;
            }
            self.apply_changes(diff)?;
        }
        Ok(())
    }

    /// Packs what has changed since the last pass. The caller blocks all other writers, so that the
    /// archive matches the folder at this moment.
    pub fn catch_up_locked(&mut self, scope: &BackupScope) -> Result<(), StoreError> {
        if journal::is_under_way(&*self.disk)? {
            // The pending change is completed at the next start or with the next write.
            return Err(StoreError::Busy);
        }
        let diff = self.find_changes(scope)?;
        self.apply_changes(diff)
    }

    /// Compares the archive with the folder.
    fn find_changes(&self, scope: &BackupScope) -> Result<ArchiveDiff, StoreError> {
        let survey = list_files(&*self.disk, scope, &self.spec.selection)?;
        let is_packed = |found: &SurveyedFile| {
            let entry = self.entries.get(&found.path);
            entry.is_some_and(|it| it.stat == found.stat)
        };
        let there: BTreeSet<&str> = survey.files.iter().map(|it| it.path.as_str()).collect();
        let known = self.entries.iter().filter(|(_, it)| BackupScope::of_key(&it.key) == *scope);
        let gone = known.map(|(path, _)| path).filter(|it| !there.contains(it.as_str()));
        let gone = gone.cloned().collect();
        let changed = survey.files.into_iter().filter(|it| !is_packed(it)).collect();
        Ok(ArchiveDiff { scope: scope.clone(), changed, gone, defects: survey.defects })
    }

    fn apply_changes(&mut self, diff: ArchiveDiff) -> Result<(), StoreError> {
        if let BackupScope::Workspace(ws) = &diff.scope {
            self.workspaces.insert(ws.to_string());
        }
        for path in diff.gone {
            self.remove_packed(&path)?;
        }
        for defect in diff.defects {
            self.defects.insert(defect.path.clone(), defect);
        }
        for found in &diff.changed {
            self.remove_packed(&found.path)?;
        }
        let packer = Packer {
            disk: self.disk.clone(),
            secrets: self.spec.secrets,
            validate: self.spec.validate,
        };
        let pack = |(): &mut (), batch: &Batch| match batch {
            Batch::Json(files) => Some(packer.pack_batch(files)),
            Batch::Large(_) => None,
        };
        let batches = split_batches(diff.changed);
        map_in_order(
            packer::THREADS,
            &batches,
            || (),
            pack,
            |batch, packed| match (batch, packed) {
                (Batch::Json(files), Some(packed)) => {
                    let packed = packed.map_err(|error| self.write_error(error))?;
                    self.append_batch(files, packed)
                }
                (Batch::Json(files), None) => files.iter().try_for_each(|it| self.append_large(it)),
                (Batch::Large(file), _) => self.append_large(file),
            },
        )
    }

    /// Removes a file from the archive.
    fn remove_packed(&mut self, path: &str) -> Result<(), StoreError> {
        self.defects.remove(path);
        let Some(name) = self.entries.remove(path).and_then(|it| it.name) else { return Ok(()) };
        self.folded.remove(&path.to_lowercase());
        self.hide_entry(&name)
    }

    /// Removes an entry from the directory of the archive. Its bytes stay until `finish`.
    fn hide_entry(&mut self, name: &str) -> Result<(), StoreError> {
        self.has_dead_bytes = true;
        self.zip.hide_file(name).map_err(|error| self.write_error(error))
    }

    /// Appends a batch to the archive.
    fn append_batch(
        &mut self,
        files: &[SurveyedFile],
        packed: PackedBatch,
    ) -> Result<(), StoreError> {
        self.zip.merge_archive(packed.archive).map_err(|error| self.write_error(error))?;
        for (file, outcome) in files.iter().zip(packed.outcomes) {
            let SurveyedFile { key, path, .. } = file;
            let entry = match outcome {
                Outcome::Missing => None,
                Outcome::TooLarge => self.pack_large(file)?,
                Outcome::Unreadable(error) => self.record_left_out(key, path, &error),
                Outcome::Read { stat, defect, packed } => {
                    self.record_defect(path, defect);
                    match packed {
                        None => Some(PackedFile::left_out(key, stat)),
                        Some(content) if self.reserve_name(path) => Some(PackedFile {
                            key: key.clone(),
                            stat,
                            name: Some(content.name),
                            sum: content.sum,
                            size: content.size,
                        }),
                        Some(content) => {
                            self.hide_entry(&content.name)?;
                            Some(PackedFile::left_out(key, stat))
                        }
                    }
                }
            };
            self.record_packed(path, entry);
        }
        Ok(())
    }

    /// Appends a file of any size to the archive.
    fn append_large(&mut self, file: &SurveyedFile) -> Result<(), StoreError> {
        let entry = self.pack_large(file)?;
        self.record_packed(&file.path, entry);
        Ok(())
    }

    fn record_packed(&mut self, path: &str, entry: Option<PackedFile>) {
        let Some(entry) = entry else { return };
        self.progress.files += 1;
        self.progress.bytes += entry.size;
        (self.spec.progress)(self.progress);
        self.entries.insert(path.to_string(), entry);
    }

    fn write_entry(
        &mut self,
        name: &str,
        bytes: &[u8],
        options: SimpleFileOptions,
    ) -> Result<(), StoreError> {
        let started = self.zip.start_file(name, options);
        let written = started.and_then(|()| Ok(self.zip.write_all(bytes)?));
        written.map_err(|error| self.write_error(error))
    }

    /// Packs a file of any size uncompressed, since media files are compressed already.
    fn pack_large(&mut self, listed: &SurveyedFile) -> Result<Option<PackedFile>, StoreError> {
        let SurveyedFile { key, path, stat: listed } = listed;
        let (mut file, stat) = match self.disk.open(path) {
            Ok(opened) => opened,
            Err(ReadError::Missing) => return Ok(None),
            Err(error) => return Ok(self.record_left_out(key, path, &error)),
        };
        let mut head = Vec::with_capacity(HEAD_BYTES_MAX);
        let reading = StoreError::io("read", path);
        let read = Read::by_ref(&mut file).take(HEAD_BYTES_MAX as u64).read_to_end(&mut head);
        read.map_err(reading)?;
        let defect = (self.spec.validate)(key, &head).err();
        let name = name_in_archive(path, defect.is_none());
        self.record_defect(path, defect);
        let is_included = self.spec.secrets || !secrets::has_secrets(key);
        if !is_included || !self.reserve_name(path) {
            return Ok(Some(PackedFile::left_out(key, stat)));
        }
        let large = stat.size.max(listed.size) > u64::from(u32::MAX / 2);
        let options = zip_options(&stat).compression_method(CompressionMethod::Stored);
        let started = self.zip.start_file(&*name, options.large_file(large));
        started.map_err(|error| self.write_error(error))?;
        let (sum, size) = self.copy_entry(path, head.as_slice().chain(file))?;
        // If the file was changed in place in the meantime, it is packed again in the next pass.
        let now = self.disk.stat(path).map(|it| it.stat).unwrap_or_default();
        let stat = if now == stat { stat } else { Stat::default() };
        Ok(Some(PackedFile { key: key.clone(), stat, name: Some(name), sum, size }))
    }

    fn copy_entry(
        &mut self,
        path: &str,
        mut from: impl Read,
    ) -> Result<([u8; 32], u64), StoreError> {
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
            self.zip.write_all(some).map_err(|error| self.write_error(error.into()))?;
        }
    }

    fn record_left_out(&mut self, key: &Key, path: &str, error: &ReadError) -> Option<PackedFile> {
        let message = format!("It was left out. {}", error.to_problem(path).message);
        self.defects.insert(path.to_string(), ArchiveDefect::new(path, message));
        let stat = self.disk.stat(path).map(|it| it.stat).unwrap_or_default();
        Some(PackedFile::left_out(key, stat))
    }

    fn record_defect(&mut self, path: &str, defect: Option<String>) {
        let Some(why) = defect else { return };
        let message = format!("It could not be restored, so it was set aside. {why}");
        self.defects.insert(path.to_string(), ArchiveDefect::new(path, message));
    }

    /// Returns false if another name differs from it only in case: not every system could unpack
    /// both.
    fn reserve_name(&mut self, path: &str) -> bool {
        if self.folded.insert(path.to_lowercase()) {
            return true;
        }
        let message = "Another name differs from it only in case; it was left out.";
        self.defects.insert(path.to_string(), ArchiveDefect::new(path, message));
        false
    }

    /// Writes the manifest and makes the archive durable.
    pub fn finish(mut self) -> Result<FinishedArchive, StoreError> {
        let now = Stat {
            modified_ns: self.spec.now.seconds().saturating_mul(1_000_000_000),
            ..Stat::default()
        };
        let sums = self.render_sums();
        let manifest = self.build_manifest(&sums);
        // Structs of strings, numbers and lists can always be serialized.
        let mut text = serde_json::to_vec_pretty(&manifest).unwrap_or_default();
        text.push(b'\n');
        let large = zip_options(&now).large_file(sums.len() > u32::MAX as usize / 2);
        self.write_entry(SUMS, &sums, large)?;
        self.write_entry(MANIFEST, &text, zip_options(&now))?;
        if self.has_dead_bytes {
            self.rewrite_archive()?;
        }
        let path = self.place.path.clone();
        let failed = |error| StoreError::io("write", path.as_str())(io_error(error));
        let file = self.zip.finish().map_err(failed)?;
        file.close().map_err(|error| failed(error.into()))?;
        self.disk.sync_file(&path).map_err(StoreError::io("sync", path.as_str()))?;
        Ok(FinishedArchive { path, manifest, _place: self.place })
    }

    /// Copies the valid entries to a new archive, so that replaced and deleted files leave no
    /// trace.
    fn rewrite_archive(&mut self) -> Result<(), StoreError> {
        let (place, zip) = create_zip(&self.disk)?;
        let old = std::mem::replace(&mut self.zip, zip);
        let path = std::mem::replace(&mut self.place, place);
        let failed = |error| StoreError::io("write", path.path.as_str())(io_error(error));
        let file = old.finish().map_err(failed)?;
        file.close().map_err(|error| failed(error.into()))?;
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

    fn render_sums(&self) -> Vec<u8> {
        let named = self.entries.values().filter_map(|it| Some((it.name.as_ref()?, it.sum)));
        let mut lines = Vec::new();
        for (name, sum) in named {
            lines.extend_from_slice(format_hex(&sum).as_bytes());
            lines.extend_from_slice(b"  ");
            lines.extend_from_slice(name.as_bytes());
            lines.push(b'\n');
        }
        lines
    }

    fn build_manifest(&self, sums: &[u8]) -> BackupManifest {
        let selection = &self.spec.selection;
        let mut counts: BTreeMap<_, u64> = selection.parts.iter().map(|it| (*it, 0)).collect();
        let restorable =
            |it: &&PackedFile| it.name.as_ref().is_some_and(|it| !it.starts_with(ASIDE));
        for entry in self.entries.values().filter(restorable) {
            *counts.entry(part_of(&entry.key)).or_default() += 1;
        }
        BackupManifest {
            format: backup::FORMAT,
            generator: Generator {
                name: env!("CARGO_PKG_NAME").to_string(),
                version: env!("CARGO_PKG_VERSION").to_string(),
            },
            created_at: self.spec.now.to_string(),
            created_by: self.spec.created_by.clone(),
            note: self.spec.note.clone(),
            parts: selection.parts.clone(),
            workspaces: self.workspaces.clone(),
            some_workspaces: !selection.of_installation,
            secrets: self.spec.secrets && selection.parts.iter().any(|it| it.holds_secrets()),
            counts,
            bytes: self.entries.values().map(|it| it.size).sum(),
            sums_sha256: format_hex(&Sha256::digest(sums).into()),
            problems: self.defects.values().take(DEFECTS_MAX).cloned().collect(),
        }
    }

    fn write_error(&self, error: zip::result::ZipError) -> StoreError {
        StoreError::io("write", self.place.path.as_str())(io_error(error))
    }
}

fn create_zip(
    disk: &Arc<dyn Disk>,
) -> Result<(ArchiveTempFile, ZipWriter<ArchiveSink<File>>), StoreError> {
    let path = disk::unfinished_path(&**disk, crate::store::layout::BACKUPS);
    disk::make_folders(&**disk, disk::parent_folder(&path))?;
    let file = disk.create(&path).map_err(StoreError::io("create", path.as_str()))?;
    let zip = ZipWriter::new(ArchiveSink::new(file, CHUNK_BYTES));
    Ok((ArchiveTempFile { disk: disk.clone(), path }, zip))
}

fn io_error(error: zip::result::ZipError) -> io::Error {
    match error {
        zip::result::ZipError::Io(error) => error,
        other => io::Error::other(other),
    }
}

/// Formats a hash as 64 hexadecimal digits.
pub(super) fn format_hex(sum: &[u8; 32]) -> String {
    sum.iter().map(|byte| format!("{byte:02x}")).collect()
}
