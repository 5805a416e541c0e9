//! The changed files of one workspace, sorted by their kind.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use crate::model::name::Filename;
use crate::model::name::TypeName;
use crate::store::layout::Key;
use crate::store::read::sweep::FileChange;

/// The changes of one workspace, sorted out.
#[derive(Default)]
pub(crate) struct WorkspaceChanges {
    pub(crate) schemas: Vec<FileChange>,
    pub(crate) entries: BTreeMap<TypeName, Vec<FileChange>>,
    pub(crate) meta: Option<FileChange>,
    pub(crate) categories: Option<FileChange>,
    pub(crate) media: BTreeSet<Filename>,
}

impl WorkspaceChanges {
    pub(crate) fn add_change(&mut self, change: FileChange) {
        match &change.key {
            Key::Schema(..) => self.schemas.push(change),
            Key::Entry(_, name, _) => self.entries.entry(name.clone()).or_default().push(change),
            Key::Workspace(_) => self.meta = Some(change),
            Key::Categories(_) => self.categories = Some(change),
            Key::Media(_, name) | Key::MediaMeta(_, name) => _ = self.media.insert(name.clone()),
            _ => {}
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        let files = self.schemas.is_empty() && self.entries.is_empty();
        files && self.meta.is_none() && self.categories.is_none() && self.media.is_empty()
    }
}
