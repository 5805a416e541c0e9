//! Changes of files, applied to the snapshot of a workspace, and the effects that they have.

use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::sync::Arc;

use crate::engine::apply;
use crate::engine::apply::Applied;
use crate::engine::apply::effects::Effects;
use crate::engine::apply::file_source::ApplyContext;
use crate::engine::apply::file_states::FileStates;
use crate::engine::follower::Follower;
use crate::engine::follower::folder_files::FolderFiles;
use crate::engine::follower::missing_files::MissingFiles;
use crate::engine::parse::file_parser;
use crate::model::name::WorkspaceSlug;
use crate::model::problem::Problem;
use crate::query::index::snapshot::Snapshot;
use crate::store::layout::FilePath;
use crate::store::layout::Key;
use crate::store::read::body_pack::WithdrawnBody;
use crate::store::read::sweep::FileChange;
use crate::store::read::sweep::SweptFile;
use crate::store::write::file_op::FileOp;
use crate::store::write::file_op::FileTransaction;

/// The problems inside files, by path.
pub(crate) type FileProblems = BTreeMap<String, Vec<Problem>>;

impl Follower {
    /// Applies these states of files to a snapshot.
    pub(crate) fn apply_states<'s>(
        &self,
        known: &Snapshot,
        states: &'s FileStates,
        missing: &MissingFiles,
    ) -> Applied<'s> {
        let media_base = file_parser::media_base(&self.folder.base_url, &known.workspace);
        let context = ApplyContext {
            workspace: &known.workspace,
            version: self.workspaces.next_version(),
            now: self.folder.clock.now(),
            media_base: &media_base,
        };
        apply::apply(known, states, &mut FolderFiles::new(self, known, missing), context)
    }

    /// Applies a change of the server that is in the files already, whatever it touches.
    pub(crate) fn apply_written(
        &self,
        known: &Arc<Snapshot>,
        change: &FileTransaction,
    ) -> Arc<Snapshot> {
        let mut states = self.read_written_states(change);
        self.observe_media(known, &mut states, &MissingFiles::default());
        let applied = self.apply_states(known, &states, &MissingFiles::default());
        self.perform_effects(&known.workspace, applied.effects);
        if applied.needs_reload {
            self.request_reload(&known.workspace);
        }
        applied.snapshot.map_or_else(|| known.clone(), Arc::new)
    }

    /// Applies a change of entries that is not written yet. Returns the next snapshot, unless it
    /// serves the same, and the problems inside the files once they are written.
    pub(crate) fn apply_staged(
        &self,
        known: &Snapshot,
        change: &FileTransaction,
    ) -> (Option<Arc<Snapshot>>, FileProblems) {
        let changes = change.steps.iter().filter_map(|op| {
            let written = op.written_file().map(|(it, bytes)| (it, Some(bytes)));
            let (path, bytes) = written.or_else(|| Some((op.removed_file()?, None)))?;
            let now = bytes.map_or(SweptFile::Missing, |it| self.folder.read_as_written(it));
            let change = || FileChange::new(path.clone(), now);
            matches!(path.key(), Key::Entry(..)).then(change)
        });
        let states = FileStates::from_changes(changes);
        if states.is_empty() {
            return (None, FileProblems::new());
        }
        let applied = self.apply_states(known, &states, &MissingFiles::default());
        (applied.snapshot.map(Arc::new), applied.effects.problems)
    }

    /// The states of the files that a change of the server has written.
    fn read_written_states(&self, change: &FileTransaction) -> FileStates {
        let paths: BTreeSet<&FilePath> = change.ops().flat_map(FileOp::list_files).collect();
        let is_removed = |path: &FilePath| change.ops().any(|it| it.removed_file() == Some(path));
        let mut states = FileStates::default();
        for path in paths.into_iter().filter(|it| it.key().is_watched()) {
            let key = path.key();
            let written = change.written_content(path).filter(|_| key.is_json());
            let now = match (self.folder.read_current(key, path), written) {
                (Ok(SweptFile::Read { content, stat }), Some(written)) if content == *written => {
                    SweptFile::Read { content, stat }
                }
                // Whatever became of it since is a later edit, and is adopted as one.
                (_, Some(bytes)) => self.folder.read_as_written(bytes),
                (Ok(now), None) => now,
                (Err(_), None) if is_removed(path) => SweptFile::Missing,
                (Err(_), None) => {
                    self.folder.mark_missed(key.folder());
                    continue;
                }
            };
            states.add_change(FileChange::new(path.clone(), now));
        }
        states
    }

    /// Performs the effects that every change of files has, and returns the bodies that were
    /// replaced.
    pub(crate) fn perform_effects(
        &self,
        ws: &WorkspaceSlug,
        effects: Effects<'_>,
    ) -> Vec<(Key, WithdrawnBody)> {
        let pack = self.folder.pack.as_ref();
        let hold = |key: &Key| Some((key.clone(), pack?.hold_body(&key.path())?));
        // Before they are replaced in the pack, too.
        let replaced = effects.list_replaced().filter_map(hold).collect();
        self.set_problems(effects.problems);
        for change in effects.accepted {
            if let SweptFile::Read { content, stat } = &change.now {
                self.folder.save_last_good(&change.path, content, stat, content.sum());
            }
        }
        for name in &effects.first_entries {
            self.folder.make_trash_folder(ws, name);
        }
        for name in effects.removed_media {
            self.folder.sums.forget_file(&Key::Media(ws.clone(), name).path());
        }
        replaced
    }

    /// Sets the problems inside files.
    pub(crate) fn set_problems(&self, problems: FileProblems) {
        let now = self.folder.clock.now();
        for (path, problems) in problems {
            self.folder.problems.set_file(&path, problems, now);
        }
    }

    /// Has all of a workspace loaded anew soon.
    pub(crate) fn request_reload(&self, ws: &WorkspaceSlug) {
        self.half_loaded_workspaces().insert(ws.clone());
        self.folder.watcher.sweep_now();
    }
}
