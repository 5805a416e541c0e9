//! What stands in files that are not in memory: the values of entries as they are stored, earlier
//! states of them, and the trash.

use crate::engine::Engine;
use crate::engine::commit::CommitError;
use crate::engine::read;
use crate::model::problem::Problem;
use crate::model::problem::ProblemKind;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::sum::Sum;
use crate::stdx::time::Timestamp;
use crate::store::codec;
use crate::store::disk::ReadError;
use crate::store::disk::Stat;
use crate::store::error::StoreError;
use crate::store::layout::Folder;
use crate::store::layout::Key;
use crate::store::load;

/// What a file says.
#[derive(Debug)]
pub struct Content {
    /// Its values.
    pub map: Map,
    /// When it was changed last.
    pub modified: Timestamp,
    /// Why this is not what the file says right now, where it is not.
    pub problems: Vec<Problem>,
}

impl Content {
    fn of(path: &str, bytes: &[u8], stat: &Stat) -> Result<Content, Problem> {
        let map = codec::parse(path, bytes)?.map;
        Ok(Content { map, modified: read::modified(stat), problems: Vec::new() })
    }

    fn has_sum(self, sum: Sum) -> (Option<Map>, Timestamp) {
        let json = Json::Object(self.map);
        let same = json.sum() == sum;
        let Json::Object(map) = json else { return (None, self.modified) };
        (same.then_some(map), self.modified)
    }
}

impl Engine {
    /// What an entry's file says in the state that is served, which has this sum: from the file, or
    /// from the pack while the file is broken or somebody is at work on it. Nothing when neither
    /// has it.
    pub fn served_content(&self, key: &Key, sum: Sum) -> Option<Content> {
        let path = key.path();
        let now = self.read_body(&path).ok();
        let now = now.and_then(|(bytes, stat)| Content::of(&path, &bytes, &stat).ok());
        if let Some((Some(map), modified)) = now.map(|it| it.has_sum(sum)) {
            return Some(Content { map, modified, problems: Vec::new() });
        }
        let kept = self.pack.as_ref()?.get(&path)?;
        let kept = Content::of(&path, &kept.bytes, &kept.stat).ok()?;
        let (map, modified) = kept.has_sum(sum);
        let mut problems = self.problems.of(&path);
        problems.retain(|it| ProblemKind::blocks_loading(it.kind));
        Some(Content { map: map?, modified, problems })
    }

    /// What a file says at this moment; nothing when it is not there.
    pub fn content(&self, key: &Key) -> Result<Option<Content>, CommitError> {
        let path = key.path();
        let (bytes, stat) = match self.read_body(&path) {
            Ok(read) => read,
            Err(ReadError::Missing) => return Ok(None),
            Err(ReadError::Unreadable(source)) => {
                return Err(StoreError::io("read", path)(source).into());
            }
            Err(error) => return Err(CommitError::Broken(error.problem(&path))),
        };
        Content::of(&path, &bytes, &stat).map(Some).map_err(CommitError::Broken)
    }

    /// The files of ours in a folder that is not kept in memory, by name.
    pub fn keys_in(&self, folder: &Folder) -> Result<Vec<Key>, CommitError> {
        let files = load::files_in(&*self.disk, folder)?;
        Ok(files.into_iter().map(|it| it.key).collect())
    }
}
