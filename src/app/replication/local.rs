//! The files of the data folder here, read as they are at one moment.

use std::collections::BTreeMap;

use crate::app::replication::file::ReplicatedFile;
use crate::app::replication::file::ReplicatedValue;
use crate::app::replication::plan::FileValues;
use crate::engine::Engine;
use crate::model::name::Filename;
use crate::model::name::TypeName;
use crate::model::name::WorkspaceSlug;
use crate::stdx::checksum::ByteChecksum;
use crate::stdx::checksum::Checksum;
use crate::store::codec;
use crate::store::disk::Disk;
use crate::store::disk::FileKind;
use crate::store::disk::ReadError;
use crate::store::disk::Stat;
use crate::store::error::StoreError;
use crate::store::layout::Folder;
use crate::store::layout::Key;
use crate::store::read::blob::Blob;
use crate::store::read::load;
use crate::store::read::load::is_absence;

/// The size of the pieces in which media files are read.
const CHUNK_BYTES: usize = 256 * 1024;

/// The files of a workspace, with what is needed to replace them.
#[derive(Debug, Default)]
pub struct LocalContent {
    /// The values.
    pub values: FileValues,
    /// The stats of the files, as listed before they were read.
    pub stats: BTreeMap<ReplicatedFile, Stat>,
}

/// The reason why the files cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum LocalError {
    /// Files are broken; what they should say is not known. A sentence for each.
    #[error("{}", .0.join("\n"))]
    Broken(Vec<String>),
    /// The disk refused.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl LocalContent {
    /// Reads a workspace. A file that cannot be understood must not count as removed: it is an
    /// error, and so are entries whose type is missing.
    pub fn read(
        engine: &Engine,
        disk: &dyn Disk,
        ws: &WorkspaceSlug,
    ) -> Result<LocalContent, LocalError> {
        let mut content = LocalContent::default();
        let mut problems = Vec::new();
        for folder in list_folders(disk, ws)? {
            for listed in load::list_files(disk, &folder)? {
                let Some(file) = ReplicatedFile::from_key(&listed.key) else { continue };
                let value = match &file {
                    ReplicatedFile::Media(name) => read_media(engine, disk, ws, name, listed.stat),
                    _ => read_json(disk, &listed.path()),
                };
                match value {
                    Ok(Some(value)) => {
                        content.stats.insert(file.clone(), listed.stat);
                        content.values.insert(file, value);
                    }
                    // It was removed a moment ago.
                    Ok(None) => {}
                    Err(problem) => problems.push(problem),
                }
            }
        }
        problems.extend(content.list_orphans());
        if problems.is_empty() { Ok(content) } else { Err(LocalError::Broken(problems)) }
    }

    /// Lists the types that have entries and no schema, and metadata without a file is left out.
    fn list_orphans(&mut self) -> Vec<String> {
        let is_media = |name: &Filename| ReplicatedFile::Media(name.clone());
        let lost: Vec<ReplicatedFile> = self
            .values
            .keys()
            .filter(|it| match it {
                ReplicatedFile::MediaMeta(name) => !self.values.contains_key(&is_media(name)),
                _ => false,
            })
            .cloned()
            .collect();
        for file in lost {
            self.values.remove(&file);
        }
        let mut orphans = Vec::new();
        let mut last: Option<&TypeName> = None;
        for file in self.values.keys() {
            let ReplicatedFile::Entry(of, _) = file else { continue };
            if last != Some(of) && !self.values.contains_key(&ReplicatedFile::Schema(of.clone())) {
                orphans.push(format!(
                    "content/{of} has entries, but there is no schemas/{of}.json: restore the \
                     schema, or remove the folder"
                ));
            }
            last = Some(of);
        }
        orphans
    }
}

fn list_folders(disk: &dyn Disk, ws: &WorkspaceSlug) -> Result<Vec<Folder>, StoreError> {
    let mut folders =
        vec![Folder::Schemas(ws.clone()), Folder::Media(ws.clone()), Folder::MediaMeta(ws.clone())];
    let contents = Folder::Contents(ws.clone()).path();
    match disk.list(&contents) {
        Ok(listing) => {
            let of_types = listing.items.iter().filter(|it| it.kind == FileKind::Folder);
            let names = of_types.filter_map(|it| TypeName::parse(&it.name).ok());
            folders.extend(names.map(|it| Folder::Entries(ws.clone(), it)));
            Ok(folders)
        }
        Err(error) if is_absence(&error) => Ok(folders),
        Err(error) => Err(StoreError::io("list", contents)(error)),
    }
}

fn read_json(disk: &dyn Disk, path: &str) -> Result<Option<ReplicatedValue>, String> {
    let mut bytes = Vec::new();
    match disk.read(path, &mut bytes) {
        Ok(_) => {}
        Err(ReadError::Missing) => return Ok(None),
        Err(error) => return Err(format!("{path}: {}", error.to_problem(path).message)),
    }
    let parsed = codec::parse_document(path, &bytes);
    let parsed = parsed.map_err(|problem| format!("{path}: {}", problem.message))?;
    Ok(Some(ReplicatedValue::Json(parsed.map)))
}

/// Returns the checksum of a media file: the known one, if the file is as it was then.
fn read_media(
    engine: &Engine,
    disk: &dyn Disk,
    ws: &WorkspaceSlug,
    name: &Filename,
    stat: Stat,
) -> Result<Option<ReplicatedValue>, String> {
    let snapshot = engine.snapshot(ws);
    let item = snapshot.as_ref().and_then(|it| it.media.get(name));
    let known = item.filter(|it| it.tag.state == stat.compute_sum() && it.size == stat.size);
    if let Some(sum) = known.and_then(|it| it.tag.content) {
        return Ok(Some(ReplicatedValue::Bytes { sum, size: stat.size }));
    }
    let path = Key::Media(ws.clone(), name.clone()).path();
    let blob = match Blob::open(disk, ws, name) {
        Ok(blob) => blob,
        Err(ReadError::Missing) => return Ok(None),
        Err(error) => return Err(format!("{path}: {}", error.to_problem(&path).message)),
    };
    let (sum, size) = sum_blob(&blob).map_err(|error| format!("{path}: {error}"))?;
    Ok(Some(ReplicatedValue::Bytes { sum, size }))
}

/// Returns the checksum of a file, and the number of its bytes.
pub(super) fn sum_blob(blob: &Blob) -> std::io::Result<(Checksum, u64)> {
    let (mut sum, mut chunk, mut at) = (ByteChecksum::default(), vec![0; CHUNK_BYTES], 0_u64);
    loop {
        let read = blob.read_at(at, &mut chunk)?;
        match chunk.get(..read).unwrap_or_default() {
            [] => return Ok((sum.finish(), at)),
            bytes => sum.add(bytes),
        }
        at += read as u64;
    }
}
