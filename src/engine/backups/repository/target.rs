//! An open target: its marker, its objects and its manifests.

use std::collections::BTreeSet;
use std::collections::HashMap;
use std::io::Read;
use std::io::Write;

use flate2::Compression;
use flate2::read::MultiGzDecoder;
use flate2::write::GzEncoder;
use serde::Deserialize;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::engine::backups::repository::error::TargetError;
use crate::engine::backups::repository::manifest::FORMAT;
use crate::engine::backups::repository::manifest::FileEntry;
use crate::engine::backups::repository::manifest::FileLine;
use crate::engine::backups::repository::manifest::ObjectId;
use crate::engine::backups::repository::manifest::StoredManifest;
use crate::engine::backups::repository::owner::TargetOwner;
use crate::engine::backups::repository::sealing::Sealing;
use crate::model::backup_schedule::StoredBackupName;
use crate::store::objects::ObjectStore;

/// The file that makes a directory or a bucket a target.
const MARKER: &str = "recto-backups.json";

/// The file of the key, sealed with the passphrase.
const KEY_FILE: &str = "key.age";

const OBJECTS: &str = "objects/";
const MANIFESTS: &str = "backups/";
const MANIFEST_ENDING: &str = ".json.gz";

/// The largest content of an object, in bytes.
pub(super) const CONTENT_BYTES_MAX: usize = 16 * 1024 * 1024;

/// The largest manifest, in bytes.
const MANIFEST_BYTES_MAX: usize = 512 * 1024 * 1024;

const PASSPHRASE_MISSING: &str = "the backups are sealed: name the file with their passphrase";

const NOT_SEALED: &str =
    "the backups are not sealed: leave out the passphrase, or choose another target";

/// The content of the marker.
#[derive(Serialize, Deserialize)]
struct TargetMarker {
    format: u32,
    sealed: bool,
    /// The id of the data folder whose backups these are.
    owner: String,
}

/// An open target.
pub struct BackupTarget<'a> {
    store: &'a dyn ObjectStore,
    sealing: Sealing,
}

impl<'a> BackupTarget<'a> {
    /// Opens a target to read backups from it.
    pub fn open(
        store: &'a dyn ObjectStore,
        passphrase: Option<&str>,
    ) -> Result<BackupTarget<'a>, TargetError> {
        let marker = read_marker(store)?.ok_or_else(|| TargetError::Empty(store.place()))?;
        let sealing = match (marker.sealed, passphrase) {
            // Whoever could replace the marker would have it read what they wrote.
            (false, Some(_)) => return Err(TargetError::Passphrase(NOT_SEALED)),
            (false, None) => Sealing::Open,
            (true, None) => return Err(TargetError::Passphrase(PASSPHRASE_MISSING)),
            (true, Some(passphrase)) => {
                let missing =
                    || TargetError::Unusable(format!("{} lacks its {KEY_FILE}", store.place()));
                Sealing::open_key(passphrase, &store.get(KEY_FILE)?.ok_or_else(missing)?)?
            }
        };
        Ok(BackupTarget { store, sealing })
    }

    /// Opens a target to make backups in it; an empty place becomes one. That of another data
    /// folder is only opened to be taken over.
    pub fn open_or_create(
        store: &'a dyn ObjectStore,
        passphrase: Option<&str>,
        owner: &TargetOwner,
    ) -> Result<BackupTarget<'a>, TargetError> {
        if let Some(marker) = read_marker(store)? {
            let target = BackupTarget::open(store, passphrase)?;
            if marker.owner != owner.id() {
                if !owner.takes_over {
                    return Err(TargetError::Foreign(store.place()));
                }
                write_marker(store, marker.sealed, owner)?;
            }
            return Ok(target);
        }
        // Without the marker nobody knows if they are sealed, and with which key.
        if !store.list(MANIFESTS)?.is_empty() || !store.list(OBJECTS)?.is_empty() {
            let why = format!("{} has backups, but lacks its {MARKER}", store.place());
            return Err(TargetError::Unusable(why));
        }
        let sealing = match passphrase {
            None => Sealing::Open,
            Some(passphrase) => {
                let (sealing, file) = Sealing::generate(passphrase)?;
                store.put(KEY_FILE, &file)?;
                sealing
            }
        };
        write_marker(store, passphrase.is_some(), owner)?;
        Ok(BackupTarget { store, sealing })
    }

    /// Returns the place as people write it.
    pub fn place(&self) -> String {
        self.store.place()
    }

    /// Lists the names of the backups, oldest first.
    pub fn list_backups(&self) -> Result<BTreeSet<StoredBackupName>, TargetError> {
        let ending = format!("{MANIFEST_ENDING}{}", self.sealing.ending());
        let objects = self.store.list(MANIFESTS)?;
        let names = objects.iter().filter_map(|it| {
            let name = it.name.strip_prefix(MANIFESTS)?.strip_suffix(&ending)?;
            StoredBackupName::parse(name)
        });
        Ok(names.collect())
    }

    /// Returns a backup: the named one, else the newest.
    pub fn find_backup(
        &self,
        name: Option<&StoredBackupName>,
    ) -> Result<StoredManifest, TargetError> {
        let all = self.list_backups()?;
        let newest = || all.last().ok_or_else(|| TargetError::Empty(self.place()));
        let name = name.map_or_else(newest, Ok)?;
        if !all.contains(name) {
            return Err(TargetError::Missing(name.as_str().to_string()));
        }
        self.load_manifest(name)
    }

    /// Reads a manifest.
    pub fn load_manifest(&self, name: &StoredBackupName) -> Result<StoredManifest, TargetError> {
        let object = self.manifest_object(name);
        let damaged = |why: String| TargetError::Damaged { object: object.clone(), why };
        let stored = self.store.get(&object)?.ok_or_else(|| damaged(GONE.to_string()))?;
        let packed = self.sealing.open(stored).map_err(damaged)?;
        let text = decompress(&packed, MANIFEST_BYTES_MAX).map_err(damaged)?;
        let manifest: StoredManifest = parse_json(&text).map_err(damaged)?;
        if manifest.format > FORMAT {
            return Err(TargetError::Unusable(format!(
                "the backup {} was made by a newer version of Recto",
                name.as_str()
            )));
        }
        if manifest.name != *name {
            return Err(damaged(format!("it is that of {}", manifest.name.as_str())));
        }
        Ok(manifest)
    }

    /// Reads the list of the files of a backup, sorted by path. All pieces are in their objects.
    pub fn load_files(&self, manifest: &StoredManifest) -> Result<Vec<FileEntry>, TargetError> {
        let object = self.manifest_object(&manifest.name);
        let damaged = |why: String| TargetError::Damaged { object: object.clone(), why };
        let objects = manifest.objects.iter().enumerate();
        let places: HashMap<&ObjectId, (usize, u64)> =
            objects.map(|(place, object)| (&object.id, (place, object.bytes))).collect();
        let mut files: Vec<FileEntry> = Vec::new();
        for id in &manifest.index {
            // No line goes on in the next object.
            let text = self.read_object(id)?;
            for line in text.split(|it| *it == b'\n').filter(|it| !it.is_empty()) {
                let line: FileLine = parse_json(line).map_err(damaged)?;
                if files.last().is_some_and(|last| last.path >= line.path) {
                    return Err(damaged(format!("{} is not in its order", line.path)));
                }
                let outside = format!("the pieces of {} are not in it", line.path);
                let file = FileEntry::from_line(line, |id| places.get(id).copied());
                files.push(file.ok_or_else(|| damaged(outside))?);
            }
        }
        Ok(files)
    }

    /// Writes the manifest of a backup, all of whose objects are stored.
    pub(super) fn store_manifest(&self, manifest: &StoredManifest) -> Result<(), TargetError> {
        // Structs of strings, numbers and lists can always be serialized.
        let text = serde_json::to_vec(manifest).unwrap_or_default();
        let sealed = self.sealing.seal(compress(&text))?;
        Ok(self.store.put(&self.manifest_object(&manifest.name), &sealed)?)
    }

    /// Removes a backup. Its objects stay.
    pub(super) fn remove_manifest(&self, name: &StoredBackupName) -> Result<(), TargetError> {
        Ok(self.store.delete(&self.manifest_object(name))?)
    }

    /// Lists the ids of all objects.
    pub(super) fn list_objects(&self) -> Result<BTreeSet<ObjectId>, TargetError> {
        let objects = self.store.list(OBJECTS)?;
        let ids = objects.iter().filter_map(|it| {
            let (_, name) = it.name.strip_prefix(OBJECTS)?.split_once('/')?;
            ObjectId::parse(name.strip_suffix(self.sealing.ending())?)
        });
        Ok(ids.collect())
    }

    /// Returns the id of an object with this content.
    pub(super) fn identify(&self, content: &[u8], is_compressed: bool) -> ObjectId {
        ObjectId::new(&self.sealing.name_content(content), is_compressed)
    }

    /// Writes an object.
    pub(super) fn store_object(&self, id: &ObjectId, content: Vec<u8>) -> Result<(), TargetError> {
        let packed = if id.is_compressed() { compress(&content) } else { content };
        let sealed = self.sealing.seal(packed)?;
        Ok(self.store.put(&self.object_name(id), &sealed)?)
    }

    /// Reads an object, and checks that its content is the one that its name says.
    pub(super) fn read_object(&self, id: &ObjectId) -> Result<Vec<u8>, TargetError> {
        let name = self.object_name(id);
        let damaged = |why: String| TargetError::Damaged { object: name.clone(), why };
        let stored = self.store.get(&name)?.ok_or_else(|| damaged(GONE.to_string()))?;
        let packed = self.sealing.open(stored).map_err(damaged)?;
        let content = match id.is_compressed() {
            true => decompress(&packed, CONTENT_BYTES_MAX).map_err(damaged)?,
            false => packed,
        };
        if self.sealing.name_content(&content) != id.hash() {
            return Err(damaged("its content is not what its name says".to_string()));
        }
        Ok(content)
    }

    /// Removes an object that no backup needs.
    pub(super) fn remove_object(&self, id: &ObjectId) -> Result<(), TargetError> {
        Ok(self.store.delete(&self.object_name(id))?)
    }

    fn object_name(&self, id: &ObjectId) -> String {
        let folder = id.as_str().get(..2).unwrap_or_default();
        format!("{OBJECTS}{folder}/{}{}", id.as_str(), self.sealing.ending())
    }

    fn manifest_object(&self, name: &StoredBackupName) -> String {
        format!("{MANIFESTS}{}{MANIFEST_ENDING}{}", name.as_str(), self.sealing.ending())
    }
}

const GONE: &str = "it is gone";

fn read_marker(store: &dyn ObjectStore) -> Result<Option<TargetMarker>, TargetError> {
    let Some(bytes) = store.get(MARKER)? else { return Ok(None) };
    let unusable = |why: &str| TargetError::Unusable(format!("{}: {why}", store.place()));
    let marker: TargetMarker = serde_json::from_slice(&bytes)
        .map_err(|_| unusable(&format!("its {MARKER} cannot be read")))?;
    if marker.format > FORMAT {
        return Err(unusable("its backups were made by a newer version of Recto"));
    }
    Ok(Some(marker))
}

fn write_marker(
    store: &dyn ObjectStore,
    sealed: bool,
    owner: &TargetOwner,
) -> Result<(), TargetError> {
    let marker = TargetMarker { format: FORMAT, sealed, owner: owner.id().to_string() };
    // Structs of texts, numbers and switches can always be serialized.
    Ok(store.put(MARKER, &serde_json::to_vec(&marker).unwrap_or_default())?)
}

fn parse_json<T: DeserializeOwned>(text: &[u8]) -> Result<T, String> {
    serde_json::from_slice(text).map_err(|error| format!("it cannot be read: {error}"))
}

fn compress(plain: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    // Writing to memory cannot fail.
    let _ = encoder.write_all(plain);
    encoder.finish().unwrap_or_default()
}

fn decompress(packed: &[u8], bytes_max: usize) -> Result<Vec<u8>, String> {
    let mut plain = Vec::new();
    let most = bytes_max as u64 + 1;
    let read = MultiGzDecoder::new(packed).take(most).read_to_end(&mut plain);
    read.map_err(|error| format!("it cannot be decompressed: {error}"))?;
    if plain.len() > bytes_max { Err("it is too large".to_string()) } else { Ok(plain) }
}
