//! The operations of a change of files, as data.

use crate::store::disk::{FileEffect, Stat};
use crate::store::layout::{FilePath, Folder};
use crate::store::summed_content::SummedContent;

/// A file operation in the data folder, one step of a change.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileOp {
    /// Creates a file that must not exist.
    Create {
        /// The file.
        path: FilePath,
        /// The content.
        bytes: SummedContent,
    },
    /// Replaces the content of a file.
    Replace {
        /// The file.
        path: FilePath,
        /// The new content.
        bytes: SummedContent,
        /// The stat that the file must still have. `None` if an earlier change of the batch wrote
        /// it, or if it does not matter.
        seen: Option<Stat>,
        /// The revision under which the old file is kept.
        keep: Option<FilePath>,
    },
    /// Removes a file; it may be missing.
    Remove {
        /// The file.
        path: FilePath,
    },
    /// Moves a file to a name that must be free.
    Rename {
        /// The file.
        from: FilePath,
        /// Its new name.
        to: FilePath,
    },
    /// Moves a file that has no key, such as a finished upload, to a name that must be free.
    Place {
        /// The path where it is.
        source: String,
        /// Its name from then on.
        path: FilePath,
    },
    /// Puts a finished upload, which may be large, in the place of a file. It is the only step of
    /// its change, since the journal tells files apart by all of their bytes.
    PlaceOver {
        /// The path of the upload. It stays until the change is made, so that it can be repeated.
        source: String,
        /// The file.
        path: FilePath,
        /// The stat that the file must still have.
        seen: Stat,
        /// The revision under which the old file is kept.
        keep: Option<FilePath>,
    },
    /// Removes the files of Recto in a folder and below it; other files stay.
    RemoveFolder {
        /// The folder.
        folder: Folder,
    },
}

/// Operations that form one change.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileTransaction {
    /// Operations that do no harm on their own. They are durable before any of the steps happens.
    pub beforehand: Vec<FileOp>,
    /// The change itself: a single step is applied directly, several steps through the journal.
    pub steps: Vec<FileOp>,
    /// Operations that may be lost without harm. They are applied once the change is durable.
    pub afterwards: Vec<FileOp>,
}

impl FileOp {
    /// Returns the file that is written, and its content.
    pub fn written_file(&self) -> Option<(&FilePath, &SummedContent)> {
        match self {
            FileOp::Create { path, bytes } | FileOp::Replace { path, bytes, .. } => {
                Some((path, bytes))
            }
            FileOp::Remove { .. }
            | FileOp::Rename { .. }
            | FileOp::Place { .. }
            | FileOp::PlaceOver { .. }
            | FileOp::RemoveFolder { .. } => None,
        }
    }

    /// Returns the file that is gone from its path afterwards.
    pub fn removed_file(&self) -> Option<&FilePath> {
        match self {
            FileOp::Remove { path } | FileOp::Rename { from: path, .. } => Some(path),
            FileOp::Create { .. }
            | FileOp::Replace { .. }
            | FileOp::Place { .. }
            | FileOp::PlaceOver { .. }
            | FileOp::RemoveFolder { .. } => None,
        }
    }

    /// Returns what the operation does to files. `staged` yields the file with the content of each
    /// operation that has some.
    pub(in crate::store) fn list_effects<'s>(
        &self,
        staged: &mut impl Iterator<Item = &'s str>,
    ) -> Vec<FileEffect> {
        let mut put = |path: &FilePath, is_new| FileEffect::Put {
            path: path.to_string(),
            from: staged.next().unwrap_or_default().to_string(),
            is_new,
        };
        let keep = |path: &FilePath, kept: &Option<FilePath>| {
            let kept = kept.as_ref()?.to_string();
            Some(FileEffect::Keep { path: path.to_string(), kept })
        };
        match self {
            FileOp::Create { path, .. } => vec![put(path, true)],
            FileOp::Replace { path, keep: kept, .. }
            | FileOp::PlaceOver { path, keep: kept, .. } => {
                keep(path, kept).into_iter().chain([put(path, false)]).collect()
            }
            FileOp::Remove { path } => vec![FileEffect::Remove { path: path.to_string() }],
            FileOp::Rename { from, to } => {
                vec![FileEffect::Rename { from: from.to_string(), to: to.to_string() }]
            }
            FileOp::Place { source, path } => {
                vec![FileEffect::Rename { from: source.clone(), to: path.to_string() }]
            }
            FileOp::RemoveFolder { folder } => {
                vec![FileEffect::RemoveFolder { folder: folder.path() }]
            }
        }
    }

    /// Returns the files that are created, changed or removed by name.
    pub fn list_files(&self) -> impl Iterator<Item = &FilePath> {
        let (first, second) = match self {
            FileOp::Create { path, .. }
            | FileOp::Replace { path, .. }
            | FileOp::Remove { path }
            | FileOp::Place { path, .. }
            | FileOp::PlaceOver { path, .. } => (Some(path), None),
            FileOp::Rename { from, to } => (Some(from), Some(to)),
            FileOp::RemoveFolder { .. } => (None, None),
        };
        first.into_iter().chain(second)
    }
}

impl FileTransaction {
    /// Returns a change of one step.
    pub fn single(op: FileOp) -> FileTransaction {
        FileTransaction { steps: vec![op], ..FileTransaction::default() }
    }

    /// Returns all operations in order.
    pub fn ops(&self) -> impl DoubleEndedIterator<Item = &FileOp> + Clone {
        self.beforehand.iter().chain(&self.steps).chain(&self.afterwards)
    }

    /// Returns the content that the change leaves in a file.
    pub fn written_content(&self, path: &FilePath) -> Option<&SummedContent> {
        let written = self.ops().rev().filter_map(FileOp::written_file);
        written.filter(|(it, _)| *it == path).map(|(_, bytes)| bytes).next()
    }

    /// Returns true if there is nothing to do.
    pub fn is_empty(&self) -> bool {
        self.beforehand.is_empty() && self.steps.is_empty() && self.afterwards.is_empty()
    }

    /// Returns true if the change needs the journal.
    pub fn is_compound(&self) -> bool {
        self.steps.len() > 1 || matches!(self.steps.first(), Some(FileOp::RemoveFolder { .. }))
    }
}
