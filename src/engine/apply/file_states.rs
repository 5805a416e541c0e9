//! The states of changed files of one workspace, sorted by what the files are.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::sync::Arc;

use crate::model::media::MediaItem;
use crate::model::name::EntryId;
use crate::model::name::Filename;
use crate::model::name::TypeName;
use crate::model::problem::Problem;
use crate::store::layout::Key;
use crate::store::read::sweep::FileChange;
use crate::store::read::sweep::SweptFile;

/// The states of changed files of one workspace. Each file has one state, so their order does not
/// matter.
#[derive(Default)]
pub(crate) struct FileStates {
    pub(crate) meta: Option<FileChange>,
    pub(crate) categories: Option<FileChange>,
    pub(crate) schemas: BTreeMap<TypeName, FileChange>,
    pub(crate) entries: BTreeMap<TypeName, BTreeMap<EntryId, FileChange>>,
    /// Names of media files that changed, or whose meta file did.
    pub(crate) media_names: BTreeSet<Filename>,
    /// Files of changes.
    pub(crate) changes: Vec<FileChange>,
    /// The problems that show without the content of a file, by path; none where there are none.
    pub(crate) problems: Vec<(String, Vec<Problem>)>,
    /// The state of these media files. Nothing, if there are none or they cannot be looked at now.
    pub(crate) media: Option<MediaStates>,
}

/// Media files as they are, with their meta files.
#[derive(Default)]
pub(crate) struct MediaStates {
    /// Each with its item; none if the file is gone.
    pub(crate) items: Vec<(Filename, Option<Arc<MediaItem>>)>,
    /// True if these are all media files that there are.
    pub(crate) are_all: bool,
    /// The problems of meta files, by path; none where all is well.
    pub(crate) problems: Vec<(String, Vec<Problem>)>,
}

impl FileStates {
    /// Sorts changes. Of two changes of one file the later one counts.
    pub(crate) fn from_changes(changes: impl IntoIterator<Item = FileChange>) -> FileStates {
        let mut states = FileStates::default();
        changes.into_iter().for_each(|it| states.add_change(it));
        states
    }

    /// Adds the state of a file, in place of an earlier one.
    pub(crate) fn add_change(&mut self, change: FileChange) {
        match &change.now {
            SweptFile::Unreadable(problem) => {
                self.problems.push((change.path.clone(), vec![problem.clone()]));
            }
            SweptFile::Seen(_) | SweptFile::Missing => {
                self.problems.push((change.path.clone(), Vec::new()));
            }
            SweptFile::Read { .. } => {}
        }
        match &change.key {
            Key::Workspace(_) => self.meta = Some(change),
            Key::Categories(_) => self.categories = Some(change),
            Key::Schema(_, name) => _ = self.schemas.insert(name.clone(), change),
            Key::Entry(_, name, id) => {
                let id = id.clone();
                self.entries.entry(name.clone()).or_default().insert(id, change);
            }
            Key::Change(..) | Key::Proposal(..) | Key::ProposalBase(..) => {
                self.changes.push(change);
            }
            Key::Media(_, name) | Key::MediaMeta(_, name) => {
                self.media_names.insert(name.clone());
            }
            _ => {}
        }
    }

    /// Returns true if nothing changed.
    pub(crate) fn is_empty(&self) -> bool {
        !self.has_types() && self.entries.is_empty() && self.changes.is_empty() && !self.has_media()
    }

    /// Returns true if more than entries and media changed.
    pub(crate) fn has_types(&self) -> bool {
        self.meta.is_some() || !self.schemas.is_empty()
    }

    /// Returns true if media files or their categories changed.
    pub(crate) fn has_media(&self) -> bool {
        !self.media_names.is_empty() || self.media.is_some() || self.categories.is_some()
    }
}
