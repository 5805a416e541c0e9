//! Whether changes may go into a workspace at this moment. Its folder has to be there, in a format
//! that is known; and so has each folder whose files are served, or a change would begin a second
//! life of what is away for a moment only.

use std::sync::PoisonError;
use std::sync::atomic::Ordering::Relaxed;

use crate::engine::Engine;
use crate::engine::commit::CommitError;
use crate::engine::load;
use crate::engine::refresh::Batch;
use crate::engine::workspace::Workspace;
use crate::query::snapshot::Snapshot;
use crate::store::commit::Change;
use crate::store::commit::Op;
use crate::store::disk::Kind;
use crate::store::disk::parent;
use crate::store::layout::Folder;
use crate::store::layout::Key;
use crate::store::load::is_absence;
use crate::store::sweep::Now;

/// Why nothing may be written into a workspace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Closed {
    /// A folder that was there is not.
    Gone(String),
    /// Its format is not known, for this reason.
    Unsupported(String),
}

impl From<Closed> for CommitError {
    fn from(closed: Closed) -> CommitError {
        match closed {
            Closed::Gone(folder) => CommitError::FolderGone(folder),
            Closed::Unsupported(reason) => CommitError::UnsupportedFormat(reason),
        }
    }
}

/// Whether the format of a workspace is one that can be read.
pub(super) enum Format {
    Known,
    /// It is left alone, for this reason.
    Unknown(String),
    /// It was left alone until now: all of it has to be read anew.
    KnownAgain,
}

impl Engine {
    /// Whether a workspace may be changed now. For whoever has its turn.
    pub(super) fn may_write_into(&self, workspace: &Workspace) -> Result<(), Closed> {
        self.is_there(workspace)?;
        let is_left_alone = workspace.current().meta.unsupported.is_some();
        match self.look_at_format(workspace) {
            // Nothing was read since.
            Some(true) if is_left_alone => {
                self.reload(workspace, &[]);
                self.watcher.sweep_now();
            }
            Some(false) if !is_left_alone => {
                self.take_in(workspace, &Key::Workspace(workspace.slug.clone()).path());
            }
            _ => {}
        }
        match &workspace.current().meta.unsupported {
            Some(reason) => Err(Closed::Unsupported(reason.clone())),
            None => Ok(()),
        }
    }

    /// The same for whoever changes files of workspaces with the turn of the installation, and must
    /// not wait for theirs. The workspace's own file is read by whoever changes it.
    pub(super) fn may_write_files_of(&self, change: &Change) -> Result<(), Closed> {
        for path in change.steps.iter().flat_map(Op::paths) {
            let key = Key::parse(path);
            let slug = key.as_ref().and_then(Key::workspace);
            let Some(workspace) = slug.and_then(|it| self.workspace(it.as_str())) else { continue };
            self.is_there(&workspace)?;
            if let Some(reason) = &workspace.current().meta.unsupported {
                return Err(Closed::Unsupported(reason.clone()));
            }
        }
        Ok(())
    }

    fn is_there(&self, workspace: &Workspace) -> Result<(), Closed> {
        let folder = Folder::Workspace(workspace.slug.clone()).path();
        if self.is_folder(&folder) {
            workspace.has_folder.store(true, Relaxed);
        } else if workspace.has_folder.load(Relaxed) {
            return Err(Closed::Gone(folder));
        }
        Ok(())
    }

    /// The folder of a file that is away although files of it are served.
    pub(super) fn folder_gone(&self, snapshot: &Snapshot, path: &str) -> Option<String> {
        let is_served = match Key::parse(path)? {
            Key::Entry(_, of, _) => snapshot.get(of.as_str()).is_some_and(|it| !it.is_empty()),
            Key::Schema(..) => !snapshot.types().is_empty(),
            Key::Media(..) => snapshot.media.iter().next().is_some(),
            _ => false,
        };
        let folder = parent(path);
        (is_served && !self.is_folder(folder)).then(|| folder.to_string())
    }

    /// The same for all files of a change.
    pub(super) fn folder_gone_for(&self, snapshot: &Snapshot, change: &Change) -> Option<String> {
        change.steps.iter().flat_map(Op::paths).find_map(|it| self.folder_gone(snapshot, it))
    }

    /// Anything but an absence is for whoever writes to find out.
    fn is_folder(&self, path: &str) -> bool {
        match self.disk.stat(path) {
            Ok(found) => found.kind == Kind::Folder,
            Err(error) => !is_absence(&error),
        }
    }

    /// Whether the format in the workspace's own file is a known one, unless the file is as it was
    /// when it was looked at last.
    fn look_at_format(&self, workspace: &Workspace) -> Option<bool> {
        let path = Key::Workspace(workspace.slug.clone()).path();
        let stat = self.disk.stat(&path).ok()?.stat;
        let mut seen = workspace.format_seen.lock().unwrap_or_else(PoisonError::into_inner);
        if *seen == Some(stat) {
            return None;
        }
        let (bytes, stat) = self.read_body(&path).ok()?;
        *seen = Some(stat);
        let problems = load::workspace_meta(&workspace.slug, &path, &bytes).problems;
        Some(load::unsupported_format(&problems).is_none())
    }

    /// Whether the files of a workspace can be understood after these changes.
    pub(super) fn format_of(&self, snapshot: &Snapshot, batch: &Batch) -> Format {
        let before = snapshot.meta.unsupported.clone();
        let now = match batch.meta.as_ref().map(|it| (&it.now, &it.path)) {
            Some((Now::Read { bytes, .. }, path)) => {
                let problems = load::workspace_meta(&snapshot.workspace, path, bytes).problems;
                let reason = load::unsupported_format(&problems);
                if before.is_some() || reason.is_some() {
                    self.problems.set(path, problems, self.clock.now());
                }
                reason
            }
            Some((Now::Missing, _)) => None,
            Some((Now::Seen(_) | Now::Unreadable(_), _)) | None => before.clone(),
        };
        match (before, now) {
            (_, Some(reason)) => Format::Unknown(reason),
            (Some(_), None) => Format::KnownAgain,
            (None, None) => Format::Known,
        }
    }

    /// Serves what a workspace of an unknown format held before, and says why. For whoever has its
    /// turn.
    pub(super) fn leave_alone(&self, workspace: &Workspace, reason: &str) {
        let next = workspace.current().left_alone(reason, self.next_version());
        workspace.publish(next.into(), self);
    }
}
