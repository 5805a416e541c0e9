//! The steps of a change, and the files that they replace.

use std::collections::HashMap;

use crate::engine::parse::file_parser;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::json_edit;
use crate::stdx::json_edit::KeyOrder;
use crate::stdx::time::Timestamp;
use crate::store::disk::Stat;
use crate::store::layout::FilePath;
use crate::store::layout::Folder;
use crate::store::layout::Key;
use crate::store::summed_content::SummedContent;
use crate::store::write::file_op::FileOp;

/// A file as it is while a change is put together.
#[derive(Clone, Debug)]
pub struct StoredFile {
    /// The key of the file.
    pub key: Key,
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// The content of the file, which is an object.
    pub json: Json,
    /// The time of the last change of the file.
    pub modified: Timestamp,
    /// The stat it must still have when it is replaced; none where the batch itself wrote it.
    pub(crate) seen: Option<Stat>,
}

impl StoredFile {
    /// A file that was read when it had this stat.
    pub(crate) fn from_read(key: Key, bytes: Vec<u8>, json: Json, stat: Stat) -> StoredFile {
        let modified = file_parser::modified_at(&stat);
        StoredFile { key, bytes, json, modified, seen: Some(stat) }
    }

    /// Returns the members of the content.
    pub fn map(&self) -> &Map {
        self.json.as_object().expect("files are parsed as objects")
    }

    /// Returns the stat that it had when it was read.
    pub fn stat(&self) -> Option<Stat> {
        self.seen
    }

    /// Returns the text of the file, changed to hold these members: the rest of it stays as people
    /// keep it.
    pub fn rewrite(&self, map: Map) -> Vec<u8> {
        self.rewrite_with_order(map, KeyOrder::OfSource)
    }

    /// Like [`StoredFile::rewrite`], with the value beside the text, for whoever needs both.
    pub fn rewrite_with_value(&self, map: Map) -> SummedContent {
        let value = Json::Object(map);
        let text = json_edit::rewrite_parsed(&self.bytes, &self.json, &value, KeyOrder::OfSource);
        // Its readers have to find what is wrong with a text that does not begin with its value.
        if !text.starts_with(b"{") {
            return text.into();
        }
        SummedContent::from_text(text, json_edit::order_as_written(&self.json, &value))
    }

    /// Like [`StoredFile::rewrite`], with the order of the members chosen.
    pub fn rewrite_with_order(&self, map: Map, order: KeyOrder) -> Vec<u8> {
        json_edit::rewrite_parsed(&self.bytes, &self.json, &Json::Object(map), order)
    }
}

/// The files that the batch has staged so far: for each its bytes, or nothing if it is gone.
pub(crate) type StagedFiles = HashMap<Key, Option<SummedContent>>;

/// Steps of a change.
#[derive(Debug, Default)]
pub struct ChangeSteps(pub(super) Vec<FileOp>);

impl ChangeSteps {
    pub(super) fn into_inner(self) -> Vec<FileOp> {
        self.0
    }

    /// Makes a file that must not be there.
    pub fn create(&mut self, key: &Key, content: impl Into<SummedContent>) {
        self.0.push(FileOp::Create { path: key.clone().into(), bytes: content.into() });
    }

    /// Puts other bytes in the place of a file. Nothing is done when they are the same.
    pub fn replace(&mut self, stored: &StoredFile, bytes: impl Into<SummedContent>) {
        self.replace_keeping(stored, bytes, None);
    }

    pub(super) fn replace_keeping(
        &mut self,
        stored: &StoredFile,
        bytes: impl Into<SummedContent>,
        keep: Option<FilePath>,
    ) {
        let bytes = bytes.into();
        if *bytes != *stored.bytes {
            self.0.push(FileOp::Replace {
                path: stored.key.clone().into(),
                bytes,
                seen: stored.seen,
                keep,
            });
        }
    }

    /// Puts other bytes in the place of a file, whatever it is by then.
    pub fn overwrite(&mut self, key: &Key, bytes: Vec<u8>) {
        let (path, bytes) = (key.clone().into(), bytes.into());
        self.0.push(FileOp::Replace { path, bytes, seen: None, keep: None });
    }

    /// Puts other bytes in the place of a file that has moved there, unless somebody edited it on
    /// the way.
    pub fn replace_moved(&mut self, stored: &StoredFile, to: &Key, bytes: Vec<u8>) {
        let seen = stored.seen.map(Stat::without_change_time);
        let (path, bytes) = (to.clone().into(), bytes.into());
        self.0.push(FileOp::Replace { path, bytes, seen, keep: None });
    }

    /// Removes a file.
    pub fn remove(&mut self, key: &Key) {
        self.0.push(FileOp::Remove { path: key.clone().into() });
    }

    /// Moves a file to a name that must be free.
    pub fn rename(&mut self, from: &Key, to: &Key) {
        self.0.push(FileOp::Rename { from: from.clone().into(), to: to.clone().into() });
    }

    /// Moves a finished file from among the unfinished ones to its place, which must be free.
    pub fn place_spooled(&mut self, spooled: &str, to: &Key) {
        self.0.push(FileOp::Place { source: spooled.to_string(), path: to.clone().into() });
    }

    /// Puts a finished upload in the place of a file that must still have this stat.
    pub(super) fn place_over(
        &mut self,
        upload: &str,
        key: &Key,
        seen: Stat,
        keep: Option<FilePath>,
    ) {
        let (source, path) = (upload.to_string(), key.clone().into());
        self.0.push(FileOp::PlaceOver { source, path, seen, keep });
    }

    /// Removes a folder with what is ours in it.
    pub fn remove_folder(&mut self, folder: &Folder) {
        self.0.push(FileOp::RemoveFolder { folder: folder.clone() });
    }
}
