//! A backup on its way into a target.
//!
//! Small files are packed together, since each object costs a request; large ones are cut into
//! objects of their own. Bytes that the newest backup has are not written again, and files whose
//! stat is the one that it recorded are not even read. Objects are written first and the manifest
//! last, so a backup is there completely or not at all.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::collections::HashMap;
use std::io::Read;

use sha2::Digest;
use sha2::Sha256;

use crate::engine::backups::repository::error::TargetError;
use crate::engine::backups::repository::manifest::FORMAT;
use crate::engine::backups::repository::manifest::FileEntry;
use crate::engine::backups::repository::manifest::FilePiece;
use crate::engine::backups::repository::manifest::ObjectEntry;
use crate::engine::backups::repository::manifest::ObjectId;
use crate::engine::backups::repository::manifest::StatRecord;
use crate::engine::backups::repository::manifest::StoredManifest;
use crate::engine::backups::repository::manifest::format_hex;
use crate::engine::backups::repository::target::BackupTarget;
use crate::engine::backups::repository::target::CONTENT_BYTES_MAX;
use crate::model::backup::ArchiveDefect;
use crate::model::backup::BackupPart;
use crate::model::backup::Generator;
use crate::model::backup_schedule::StoredBackupName;
use crate::stdx::time::Timestamp;
use crate::store::archive::BackupSelection;
use crate::store::archive::capture::FileTaker;
use crate::store::archive::capture::capture_files;
use crate::store::archive::survey::SurveyedFile;
use crate::store::disk::Disk;
use crate::store::disk::Stat;
use crate::store::error::StoreError;
use crate::store::lock::WriteLock;

/// The largest file that is packed with others, in bytes.
const SMALL_BYTES_MAX: usize = 1024 * 1024;

/// The size at which a pack is written, in bytes.
const PACK_BYTES: usize = 4 * 1024 * 1024;

/// The number of files in an object of the list of files, on average.
const INDEX_LINES: u16 = 2_048;

/// The age at which the stat of a file is relied on: a file that changes again within the
/// resolution of its times would keep its stat.
const SETTLED_SECONDS: i64 = 5;

/// The outcome of a backup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BackupSummary {
    /// The name.
    pub name: StoredBackupName,
    /// The number of files in it.
    pub files: u64,
    /// The size of the files in bytes.
    pub bytes: u64,
    /// The size of what was not in the target before, in bytes and before compression.
    pub new_bytes: u64,
    /// The number of files that were left out.
    pub problems: usize,
}

/// Makes a backup of everything in a data folder that may be served meanwhile. `is_stopped` is
/// asked before each object is written.
pub fn make_backup(
    target: &BackupTarget<'_>,
    disk: &dyn Disk,
    lock: &WriteLock,
    now: Timestamp,
    is_stopped: &dyn Fn() -> bool,
) -> Result<BackupSummary, TargetError> {
    let all = target.list_backups()?;
    let name = free_name(&all, now);
    let known = KnownContent::load(target, &all)?;
    let mut backup = NewBackup {
        target,
        now,
        is_stopped,
        known,
        objects: ObjectList::default(),
        contents: HashMap::new(),
        pack: OpenPack::default(),
        files: BTreeMap::new(),
        new_bytes: 0,
    };
    let selection = BackupSelection::new(BackupPart::ALL.into_iter().collect(), None);
    let problems = capture_files(disk, lock, &selection, &mut backup)?;
    backup.finish(name, problems)
}

/// Returns the name of a backup made now, after that of the last one.
fn free_name(all: &BTreeSet<StoredBackupName>, now: Timestamp) -> StoredBackupName {
    let name = StoredBackupName::from_time(now);
    match all.last() {
        // The clock was set back, or this is the second one within a second.
        Some(last) if *last >= name => {
            StoredBackupName::from_time(Timestamp::from_seconds(last.time().seconds() + 1))
        }
        _ => name,
    }
}

/// The content of the newest backup, as far as its objects are in the target.
#[derive(Default)]
struct KnownContent {
    objects: Vec<ObjectEntry>,
    files: HashMap<String, FileEntry>,
    /// The pieces of content, by its SHA-256.
    contents: HashMap<String, Vec<FilePiece>>,
    /// All objects in the target.
    stored: BTreeSet<ObjectId>,
}

impl KnownContent {
    fn load(
        target: &BackupTarget<'_>,
        all: &BTreeSet<StoredBackupName>,
    ) -> Result<KnownContent, TargetError> {
        let stored = target.list_objects()?;
        let Some(newest) = all.last() else {
            return Ok(KnownContent { stored, ..KnownContent::default() });
        };
        let loaded = target.load_manifest(newest).and_then(|manifest| {
            let files = target.load_files(&manifest)?;
            Ok((manifest, files))
        });
        let (manifest, files) = match loaded {
            Ok(loaded) => loaded,
            Err(TargetError::Damaged { object, why }) => {
                // What cannot be read cannot be built on: everything is written again.
                tracing::warn!(object, why, "the newest backup is damaged");
                return Ok(KnownContent { stored, ..KnownContent::default() });
            }
            Err(error) => return Err(error),
        };
        let usable = find_usable(&manifest, &files, &stored);
        let is_usable = |it: &FilePiece| usable.get(it.object).is_some_and(|it| *it);
        let files = files.into_iter().filter(|it| it.pieces.iter().all(is_usable));
        let mut known =
            KnownContent { objects: manifest.objects, stored, ..KnownContent::default() };
        for file in files {
            known.contents.insert(file.sha256.clone(), file.pieces.clone());
            known.files.insert(file.path.clone(), file);
        }
        Ok(known)
    }
}

/// Returns for each object if the next backup may build on it: it is stored, and at least half of
/// it is in use. What is left in others is written again, so that packs do not fill with what is
/// gone.
fn find_usable(
    manifest: &StoredManifest,
    files: &[FileEntry],
    stored: &BTreeSet<ObjectId>,
) -> Vec<bool> {
    let mut used: Vec<BTreeSet<(u64, u64)>> = vec![BTreeSet::new(); manifest.objects.len()];
    for piece in files.iter().flat_map(|it| &it.pieces) {
        if let Some(ranges) = used.get_mut(piece.object) {
            ranges.insert((piece.offset, piece.length));
        }
    }
    let pairs = manifest.objects.iter().zip(&used);
    let is_usable = |(object, ranges): (&ObjectEntry, &BTreeSet<(u64, u64)>)| {
        let bytes: u64 = ranges.iter().map(|(_, length)| length).sum();
        stored.contains(&object.id) && bytes.saturating_mul(2) >= object.bytes
    };
    pairs.map(is_usable).collect()
}

/// The objects of a backup on its way.
#[derive(Default)]
struct ObjectList {
    entries: Vec<Option<ObjectEntry>>,
    places: HashMap<ObjectId, usize>,
}

impl ObjectList {
    /// Returns the place of an object, which is added if it is new.
    fn place_of(&mut self, object: &ObjectEntry) -> usize {
        if let Some(place) = self.places.get(&object.id) {
            return *place;
        }
        let place = self.reserve();
        self.fill(place, object.clone());
        place
    }

    /// Reserves the place of an object whose content is not complete yet.
    fn reserve(&mut self) -> usize {
        self.entries.push(None);
        self.entries.len() - 1
    }

    fn fill(&mut self, place: usize, object: ObjectEntry) {
        self.places.entry(object.id.clone()).or_insert(place);
        if let Some(entry) = self.entries.get_mut(place) {
            *entry = Some(object);
        }
    }
}

/// Small files that wait to be written together.
#[derive(Default)]
struct OpenPack {
    bytes: Vec<u8>,
    /// The place reserved in the list of objects.
    place: Option<usize>,
}

/// A backup on its way.
struct NewBackup<'a> {
    target: &'a BackupTarget<'a>,
    now: Timestamp,
    is_stopped: &'a dyn Fn() -> bool,
    known: KnownContent,
    objects: ObjectList,
    /// The pieces of content that this backup has, by its SHA-256.
    contents: HashMap<String, Vec<FilePiece>>,
    pack: OpenPack,
    files: BTreeMap<String, FileEntry>,
    new_bytes: u64,
}

impl FileTaker for NewBackup<'_> {
    type Error = TargetError;

    fn take_unchanged(&mut self, file: &SurveyedFile) -> bool {
        let stat = StatRecord::new(&file.stat);
        let Some(known) = self.known.files.get(&file.path) else { return false };
        if known.stat != Some(stat) {
            return false;
        }
        let known = known.clone();
        let pieces = self.adopt_pieces(&known.sha256, &known.pieces);
        self.files.insert(file.path.clone(), FileEntry { pieces, ..known });
        true
    }

    fn take(&mut self, file: &SurveyedFile, bytes: &mut dyn Read) -> Result<(), TargetError> {
        let failed = |error| TargetError::from(StoreError::io("read", file.path.as_str())(error));
        let mut content = Vec::new();
        let limit = SMALL_BYTES_MAX as u64 + 1;
        (&mut *bytes).take(limit).read_to_end(&mut content).map_err(failed)?;
        let (sha256, size, pieces) = if content.len() <= SMALL_BYTES_MAX {
            let size = content.len() as u64;
            let sha256 = format_hex(Sha256::digest(&content));
            let pieces = match self.find_content(&sha256) {
                Some(pieces) => pieces,
                None => self.pack_content(&content)?,
            };
            (sha256, size, pieces)
        } else {
            self.cut_content(content, bytes, &failed)?
        };
        self.contents.insert(sha256.clone(), pieces.clone());
        let stat = self.is_settled(&file.stat).then(|| StatRecord::new(&file.stat));
        let path = file.path.clone();
        self.files.insert(path.clone(), FileEntry { path, size, sha256, pieces, stat });
        Ok(())
    }

    fn forget(&mut self, path: &str) {
        self.files.remove(path);
    }
}

impl NewBackup<'_> {
    /// Returns true if nobody has touched a file for a while.
    fn is_settled(&self, stat: &Stat) -> bool {
        let newest = stat.modified_ns.max(stat.changed_ns).div_euclid(1_000_000_000);
        newest + SETTLED_SECONDS <= self.now.seconds()
    }

    /// Returns the pieces of content that this backup or the one before has.
    fn find_content(&mut self, sha256: &str) -> Option<Vec<FilePiece>> {
        if let Some(pieces) = self.contents.get(sha256) {
            return Some(pieces.clone());
        }
        let known = self.known.contents.get(sha256)?.clone();
        Some(self.adopt_pieces(sha256, &known))
    }

    /// Takes pieces over from the backup before.
    fn adopt_pieces(&mut self, sha256: &str, pieces: &[FilePiece]) -> Vec<FilePiece> {
        let adopt = |piece: &FilePiece| {
            let object = self.known.objects.get(piece.object)?;
            Some(FilePiece { object: self.objects.place_of(object), ..*piece })
        };
        let pieces: Vec<FilePiece> = pieces.iter().filter_map(adopt).collect();
        self.contents.entry(sha256.to_string()).or_insert_with(|| pieces.clone());
        pieces
    }

    /// Puts the content of a small file into the open pack.
    fn pack_content(&mut self, content: &[u8]) -> Result<Vec<FilePiece>, TargetError> {
        if content.is_empty() {
            return Ok(Vec::new());
        }
        let object = match self.pack.place {
            Some(place) => place,
            None => self.objects.reserve(),
        };
        self.pack.place = Some(object);
        let offset = self.pack.bytes.len() as u64;
        self.pack.bytes.extend_from_slice(content);
        if self.pack.bytes.len() >= PACK_BYTES {
            self.write_pack()?;
        }
        Ok(vec![FilePiece { object, offset, length: content.len() as u64 }])
    }

    fn write_pack(&mut self) -> Result<(), TargetError> {
        let OpenPack { bytes, place } = std::mem::take(&mut self.pack);
        let Some(place) = place else { return Ok(()) };
        let object = self.write_object(bytes, true)?;
        self.objects.fill(place, object);
        Ok(())
    }

    /// Writes the content of a large file, whose beginning was read. Returns its SHA-256, its size
    /// and its pieces.
    fn cut_content(
        &mut self,
        beginning: Vec<u8>,
        rest: &mut dyn Read,
        failed: &dyn Fn(std::io::Error) -> TargetError,
    ) -> Result<(String, u64, Vec<FilePiece>), TargetError> {
        let (mut sum, mut size, mut pieces) = (Sha256::new(), 0, Vec::new());
        let mut chunk = beginning;
        loop {
            let missing = CONTENT_BYTES_MAX.saturating_sub(chunk.len()) as u64;
            (&mut *rest).take(missing).read_to_end(&mut chunk).map_err(failed)?;
            if chunk.is_empty() {
                return Ok((format_hex(sum.finalize()), size, pieces));
            }
            sum.update(&chunk);
            let length = chunk.len() as u64;
            size += length;
            let object = self.write_object(std::mem::take(&mut chunk), false)?;
            let object = self.objects.place_of(&object);
            pieces.push(FilePiece { object, offset: 0, length });
        }
    }

    /// Writes an object, unless the target has it.
    fn write_object(
        &mut self,
        content: Vec<u8>,
        is_compressed: bool,
    ) -> Result<ObjectEntry, TargetError> {
        let id = self.target.identify(&content, is_compressed);
        let bytes = content.len() as u64;
        if !self.known.stored.contains(&id) {
            if (self.is_stopped)() {
                return Err(TargetError::Stopped);
            }
            self.target.store_object(&id, content)?;
            self.known.stored.insert(id.clone());
            self.new_bytes += bytes;
        }
        Ok(ObjectEntry { id, bytes })
    }

    /// Writes the list of files. It is cut at places that depend on the paths around them alone, so
    /// a change of few files changes few of its objects.
    fn write_index(&mut self, objects: &[ObjectEntry]) -> Result<Vec<ObjectId>, TargetError> {
        let (mut lines, mut index) = (Vec::new(), Vec::new());
        for (path, file) in std::mem::take(&mut self.files) {
            // Structs of strings, numbers and lists can always be serialized.
            lines.extend(serde_json::to_vec(&file.to_line(objects)).unwrap_or_default());
            lines.push(b'\n');
            let hash: [u8; 32] = Sha256::digest(path.as_bytes()).into();
            let is_end = u16::from_le_bytes([hash[0], hash[1]]).is_multiple_of(INDEX_LINES);
            if is_end || lines.len() >= CONTENT_BYTES_MAX / 2 {
                index.push(self.write_object(std::mem::take(&mut lines), true)?.id);
            }
        }
        if !lines.is_empty() {
            index.push(self.write_object(lines, true)?.id);
        }
        Ok(index)
    }

    /// Writes the list of files, and then the manifest.
    fn finish(
        mut self,
        name: StoredBackupName,
        problems: Vec<ArchiveDefect>,
    ) -> Result<BackupSummary, TargetError> {
        self.write_pack()?;
        // The last reserved place was filled when the last pack was written.
        let objects: Vec<ObjectEntry> =
            std::mem::take(&mut self.objects.entries).into_iter().flatten().collect();
        let files = self.files.len() as u64;
        let bytes = self.files.values().map(|it| it.size).sum();
        let index = self.write_index(&objects)?;
        let manifest = StoredManifest {
            format: FORMAT,
            name: name.clone(),
            generator: Generator {
                name: env!("CARGO_PKG_NAME").to_string(),
                version: env!("CARGO_PKG_VERSION").to_string(),
            },
            files,
            bytes,
            objects,
            index,
            problems,
        };
        self.target.store_manifest(&manifest)?;
        Ok(BackupSummary {
            name,
            files: manifest.files,
            bytes: manifest.bytes,
            new_bytes: self.new_bytes,
            problems: manifest.problems.len(),
        })
    }
}
