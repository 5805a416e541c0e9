//! Files that are not kept in memory: stored values of entries, earlier states of them, and the
//! trash.

use bytes::Bytes;

use crate::engine::error::CommitError;
use crate::engine::folder::OpenFolder;
use crate::engine::parse::file_parser;
use crate::model::name::EntryId;
use crate::model::name::TypeName;
use crate::model::name::WorkspaceSlug;
use crate::model::problem::Problem;
use crate::model::problem::ProblemKind;
use crate::stdx::checksum::Checksum;
use crate::stdx::checksum::ChecksumBuilder;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::time::Timestamp;
use crate::store::codec;
use crate::store::disk;
use crate::store::disk::Disk;
use crate::store::disk::FileKind;
use crate::store::disk::FolderItem;
use crate::store::disk::ReadError;
use crate::store::disk::Stat;
use crate::store::error::StoreError;
use crate::store::layout;
use crate::store::layout::EntryCopy;
use crate::store::layout::Folder;
use crate::store::layout::Key;
use crate::store::read::load;
use crate::store::read::load::FileRef;
use crate::store::read::load::is_absence;

/// The content of a file.
#[derive(Debug)]
pub struct FileContent {
    /// Its values.
    pub map: Map,
    /// The time of its last change.
    pub modified: Timestamp,
    /// The reasons for which this is not the content of the file right now, if it is not.
    pub problems: Vec<Problem>,
}

impl FileContent {
    fn parse(path: &str, bytes: &[u8], stat: &Stat) -> Result<FileContent, Problem> {
        let map = codec::parse_document(path, bytes)?.map;
        Ok(FileContent { map, modified: file_parser::modified_at(stat), problems: Vec::new() })
    }

    fn map_if_sum(self, sum: Checksum) -> (Option<Map>, Timestamp) {
        let json = Json::Object(self.map);
        let same = json.compute_checksum() == sum;
        let Json::Object(map) = json else { return (None, self.modified) };
        (same.then_some(map), self.modified)
    }
}

/// The key in the file of a deleted entry with the time of its deletion.
const DELETED_AT: &str = "deleted_at";

impl OpenFolder {
    /// Reads an entry's file in the state that is served, which has this sum: from the file, or
    /// from the pack while the file is broken or somebody is at work on it. Returns nothing if
    /// neither has it.
    pub fn read_served_content(&self, key: &Key, sum: Checksum) -> Option<FileContent> {
        let path = key.path();
        let now = self.read_body(&path).ok();
        let now = now.and_then(|(bytes, stat)| FileContent::parse(&path, &bytes, &stat).ok());
        if let Some((Some(map), modified)) = now.map(|it| it.map_if_sum(sum)) {
            return Some(FileContent { map, modified, problems: Vec::new() });
        }
        let kept = self.pack.as_ref()?.get(&path)?;
        let kept = FileContent::parse(&path, &kept.bytes, &kept.stat).ok()?;
        let (map, modified) = kept.map_if_sum(sum);
        let mut problems = self.problems.problems_in(&path);
        problems.retain(|it| ProblemKind::blocks_loading(it.kind));
        Some(FileContent { map: map?, modified, problems })
    }

    /// Reads a file at this moment; nothing if it is not there.
    pub fn read_content(&self, key: &Key) -> Result<Option<FileContent>, CommitError> {
        let Some((bytes, stat)) = self.find_body(key)? else { return Ok(None) };
        FileContent::parse(&key.path(), &bytes, &stat).map(Some).map_err(CommitError::Broken)
    }

    pub(crate) fn read_body(&self, path: &str) -> Result<(Vec<u8>, Stat), ReadError> {
        let mut bytes = Vec::new();
        let stat = self.disk.read(path, &mut bytes)?;
        Ok((bytes, stat))
    }

    /// The text of a file of the data folder as it is, if it can be read.
    pub fn read_text(&self, path: &str) -> Option<Vec<u8>> {
        self.read_body(path).ok().map(|(bytes, _)| bytes)
    }

    /// The bytes of a file at this moment; nothing when it is not there.
    pub(crate) fn find_body(&self, key: &Key) -> Result<Option<(Vec<u8>, Stat)>, CommitError> {
        let path = key.path();
        match self.read_body(&path) {
            Ok(read) => Ok(Some(read)),
            Err(ReadError::Missing) => Ok(None),
            Err(ReadError::Unreadable(source)) => Err(StoreError::io("read", path)(source).into()),
            Err(error) => Err(CommitError::Broken(error.to_problem(&path))),
        }
    }

    /// The files of ours in a folder that is not kept in memory, by name.
    pub fn list_keys(&self, folder: &Folder) -> Result<Vec<Key>, CommitError> {
        Ok(self.list_files(folder)?.into_iter().map(|it| it.key).collect())
    }

    /// The same files with their stats.
    pub fn list_files(&self, folder: &Folder) -> Result<Vec<FileRef>, CommitError> {
        Ok(load::list_files(&*self.disk, folder)?)
    }

    /// The entries of a type in the trash that can be read, with when they came there. Where that
    /// is not written down, it is when something happened to the file last.
    pub fn list_deleted(
        &self,
        ws: &WorkspaceSlug,
        of: &TypeName,
    ) -> Result<Vec<(EntryCopy, Timestamp)>, StoreError> {
        let files = load::list_files(&*self.disk, &Folder::Trash(ws.clone(), of.clone()))?;
        let deleted = files.into_iter().filter_map(|file| {
            let path = file.path();
            let Key::Trash(_, _, copy) = file.key else { return None };
            let (bytes, stat) = self.read_body(&path).ok()?;
            let Some(Json::Object(map)) = file_parser::parse_json(&path, &bytes).value else {
                return None;
            };
            let changed = Timestamp::from_seconds(stat.changed_ns.div_euclid(1_000_000_000));
            let touched = file_parser::modified_at(&stat).max(changed);
            Some((copy, parse_deleted_at(&map).unwrap_or(touched)))
        });
        Ok(deleted.collect())
    }

    /// Makes the trash of a type, where there are entries: a workspace that was removed a moment
    /// ago does not come back.
    pub(crate) fn make_trash_folder(&self, ws: &WorkspaceSlug, of: &TypeName) {
        let entries = Folder::Entries(ws.clone(), of.clone()).path();
        let trash = Folder::Trash(ws.clone(), of.clone()).path();
        if self.read_only || self.disk.stat(&trash).is_ok() || self.disk.stat(&entries).is_err() {
            return;
        }
        if let Err(error) = disk::make_folders(&*self.disk, &trash) {
            tracing::debug!(%error, "the trash is made when something is deleted");
        }
    }

    /// The picture of a workspace.
    pub fn read_icon(&self, slug: &WorkspaceSlug) -> Option<Bytes> {
        let (bytes, _) = self.read_body(&Key::Icon(slug.clone()).path()).ok()?;
        Some(bytes.into())
    }

    /// Returns a tag that changes whenever the picture of a workspace may have; nothing without a
    /// picture.
    pub fn icon_tag(&self, slug: &WorkspaceSlug) -> Option<Checksum> {
        let stat = self.disk.stat(&Key::Icon(slug.clone()).path()).ok()?.stat;
        let mut summer = ChecksumBuilder::new();
        summer.add_number(stat.size).add_number(stat.modified_ns.cast_unsigned());
        summer.add_number(stat.changed_ns.cast_unsigned());
        Some(summer.finish())
    }

    pub(crate) fn is_empty_folder(&self, item: &FolderItem) -> bool {
        let path = format!("{}/{}", layout::WORKSPACES, item.name);
        let is_empty = || self.disk.list(&path).is_ok_and(|it| it.items.is_empty());
        item.kind == FileKind::Folder && is_empty()
    }

    /// The picture of a user.
    pub fn read_avatar(&self, user: &EntryId) -> Option<Bytes> {
        let (bytes, _) = self.read_body(&Key::Avatar(user.clone()).path()).ok()?;
        Some(bytes.into())
    }
}

/// Anything but an absence is for whoever writes to find out.
pub(crate) fn is_folder(disk: &dyn Disk, path: &str) -> bool {
    disk.find_folder(path).unwrap_or_else(|error| !is_absence(&error))
}

/// Parses the time of deletion in the file of a deleted entry.
pub fn parse_deleted_at(file: &Map) -> Option<Timestamp> {
    file.get(DELETED_AT).and_then(Json::as_str).and_then(Timestamp::parse)
}
