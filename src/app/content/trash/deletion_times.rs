//! The times at which entries came to the trash. Their files say it, and lists are sorted by it:
//! files that have not changed need not be read for every page.

use quick_cache::sync::Cache;

use crate::app::error::Result;
use crate::engine::error::CommitError;
use crate::engine::folder::OpenFolder;
use crate::engine::folder::content_files::FileContent;
use crate::engine::folder::content_files::parse_deleted_at;
use crate::stdx::time::Timestamp;
use crate::store::disk::Stat;
use crate::store::read::load::FileRef;

/// The most files of which the time is kept, in some 20 MB.
const KEPT_MAX: usize = 100_000;

/// The times of deletion of files that were read before.
pub struct DeletionTimes {
    /// By path.
    kept: Cache<String, KeptDeletion>,
}

/// The time of deletion that a file with this stat says.
#[derive(Clone, Copy)]
struct KeptDeletion {
    stat: Stat,
    deleted_at: Timestamp,
}

impl Default for DeletionTimes {
    fn default() -> DeletionTimes {
        DeletionTimes { kept: Cache::new(KEPT_MAX) }
    }
}

impl DeletionTimes {
    /// Returns the number of files that are to be read.
    pub(super) fn count_unknown(&self, files: &[FileRef]) -> usize {
        files.iter().filter(|it| self.get(&it.path(), it).is_none()).count()
    }

    /// Returns the time at which an entry was deleted; `None` if its file is gone or cannot be
    /// read.
    pub(super) fn load(&self, folder: &OpenFolder, file: &FileRef) -> Result<Option<Timestamp>> {
        let path = file.path();
        if let Some(known) = self.get(&path, file) {
            return Ok(Some(known));
        }
        let deleted_at = match folder.read_content(&file.key) {
            Ok(Some(content)) => find_deleted_at(&content),
            Ok(None) | Err(CommitError::Broken(_)) => return Ok(None),
            Err(error) => return Err(error.into()),
        };
        // A file that was replaced after the listing has another stat in the next one.
        self.kept.insert(path, KeptDeletion { stat: file.stat, deleted_at });
        Ok(Some(deleted_at))
    }

    fn get(&self, path: &str, file: &FileRef) -> Option<Timestamp> {
        let kept = self.kept.get(path)?;
        (kept.stat == file.stat).then_some(kept.deleted_at)
    }
}

/// Returns the time of deletion; without one, the time of the file.
pub(super) fn find_deleted_at(content: &FileContent) -> Timestamp {
    parse_deleted_at(&content.map).unwrap_or(content.modified)
}
