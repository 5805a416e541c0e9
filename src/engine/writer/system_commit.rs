//! Changes of what all workspaces share. It is little and changes rarely, so changes go one by one.

use crate::engine::error::CommitError;
use crate::engine::error::WriteRefusal;
use crate::engine::parse::system_files;
use crate::engine::staging::system_staging::SystemStaging;
use crate::engine::writer::Writer;
use crate::model::event::Event;
use crate::store::disk::BatchDisk;
use crate::store::layout::FilePath;
use crate::store::lock::WriteTurn;
use crate::store::read::sweep::FileChange;
use crate::store::read::sweep::SweptFile;
use crate::store::write::commit;
use crate::store::write::commit::CommitOutcome;
use crate::store::write::commit::WrittenStat;
use crate::store::write::file_op::FileOp;
use crate::store::write::file_op::FileTransaction;
use crate::store::write::journal;
use crate::store::write::journal::JournalError;

/// The number of times that work is begun anew because files change under it.
const TRIES_MAX: usize = 16;

impl Writer {
    /// Runs `work` when it is its turn, makes what it staged durable, publishes it, and gives what
    /// it returned. `work` may be run several times, so it computes and stages and does nothing
    /// else. It runs on a thread that may wait for the disk.
    pub fn commit_system<T, E: From<CommitError>>(
        &self,
        mut work: impl FnMut(&mut SystemStaging<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        self.records.check_writable().map_err(CommitError::from)?;
        let mut of_workspaces = Vec::new();
        let done = self.records.turn.run_exclusive(|| {
            for _ in 0..TRIES_MAX {
                if let Some(done) = self.try_commit_system(&mut work, &mut of_workspaces)? {
                    return Ok(done);
                }
            }
            Err(E::from(CommitError::Stale))
        });
        self.follower.publish_workspaces(of_workspaces);
        let (value, events) = done?;
        self.outbox.emit_system(events);
        Ok(value)
    }

    /// One try; nothing when a file changed meanwhile.
    fn try_commit_system<T, E: From<CommitError>>(
        &self,
        work: &mut impl FnMut(&mut SystemStaging<'_>) -> Result<T, E>,
        of_workspaces: &mut Vec<FilePath>,
    ) -> Result<Option<(T, Vec<Event>)>, E> {
        let _turn = self.take_system_turn()?;
        let installation = self.records.installation_arc();
        let mut staging = SystemStaging::new(&self.folder, &installation);
        let worked = work(&mut staging);
        if let Some(path) = staging.outdated_file() {
            self.records.adopt_system_file(path.clone());
            return Ok(None);
        }
        let value = worked?;
        let (change, events) = staging.into_change();
        let is_written = self.commit_system_change(&change, of_workspaces)?;
        Ok(is_written.then_some((value, events)))
    }

    /// Takes the turn for changes of what all workspaces share, and reads what others wrote.
    fn take_system_turn(&self) -> Result<WriteTurn<'_>, CommitError> {
        let lock = self.folder.write_lock.as_ref().ok_or(CommitError::ReadOnly)?;
        let mut turn = lock.acquire_turn()?;
        // The disk may have failed others who had the turn.
        if let Some(reason) = self.folder.write_suspension() {
            return Err(CommitError::Unverified(reason));
        }
        self.follower.route_foreign_writes(&mut turn);
        let foreign = std::mem::take(&mut *self.records.system_foreign_writes());
        foreign.into_iter().for_each(|path| self.records.adopt_system_file(path));
        Ok(turn)
    }

    /// Writes and publishes a change. Returns false if a file changed meanwhile.
    fn commit_system_change(
        &self,
        change: &FileTransaction,
        of_workspaces: &mut Vec<FilePath>,
    ) -> Result<bool, CommitError> {
        if change.is_empty() {
            return Ok(true);
        }
        self.check_change_writable(change)?;
        let written = match self.write_system(change) {
            CommitOutcome::Done(written) => written,
            CommitOutcome::Stale(path) => {
                self.records.adopt_system_file(path);
                return Ok(false);
            }
            CommitOutcome::NotTried => return Ok(false),
            CommitOutcome::Failed(error) => return Err(CommitError::from(error)),
            CommitOutcome::Unknown(error) => return Err(self.folder.suspend_writes(&error)),
            CommitOutcome::Uncertain(error) => {
                let error = self.folder.suspend_writes(&error);
                *of_workspaces = self.publish_system(change, None);
                return Err(error);
            }
        };
        *of_workspaces = self.publish_system(change, written);
        Ok(true)
    }

    fn write_system(&self, change: &FileTransaction) -> CommitOutcome {
        if change.is_compound() {
            return match journal::commit_ops(
                &*self.folder.disk,
                self.folder.new_id().as_str(),
                &change.steps,
            ) {
                Ok(()) => CommitOutcome::Done(None),
                Err(JournalError::Unstarted(error)) => CommitOutcome::Failed(error),
                Err(JournalError::Stale(path)) => CommitOutcome::Stale(path),
                Err(JournalError::Unfinished(error)) => CommitOutcome::Uncertain(error),
                Err(JournalError::Unknown(error)) => CommitOutcome::Unknown(error),
            };
        }
        commit::commit_one(&*BatchDisk::begin(&*self.folder.disk), change)
    }

    /// Publishes what concerns the installation; the files of workspaces are named, which wait for
    /// their own turn.
    fn publish_system(
        &self,
        change: &FileTransaction,
        written: Option<WrittenStat>,
    ) -> Vec<FilePath> {
        self.follower.record_own_write(None, change, written);
        let mut of_workspaces = Vec::new();
        for path in change.steps.iter().flat_map(FileOp::list_files) {
            if path.key().workspace().is_some() {
                of_workspaces.push(path.clone());
            } else if system_files::is_system(path.key()) {
                self.publish_system_file(path, change, written);
            }
        }
        of_workspaces
    }

    /// Publishes a file of the installation as it was written. Whatever became of it since is a
    /// later edit, or a disk that cannot be read for a moment.
    fn publish_system_file(
        &self,
        path: &FilePath,
        change: &FileTransaction,
        written: Option<WrittenStat>,
    ) {
        match change.written_content(path) {
            Some(content) => {
                let now = match written {
                    // The next change of the file finds it as it is known.
                    Some(WrittenStat { stat, .. }) => {
                        SweptFile::Read { content: content.clone(), stat }
                    }
                    None => self.folder.read_as_written(content),
                };
                self.records.apply_system_change(&FileChange::new(path.clone(), now));
            }
            None => self.records.adopt_system_file(path.clone()),
        }
    }

    /// The same for whoever changes files of workspaces with the turn of the installation, and must
    /// not wait for theirs. The workspace's own file is read by whoever changes it.
    pub(crate) fn check_change_writable(
        &self,
        change: &FileTransaction,
    ) -> Result<(), WriteRefusal> {
        for path in change.steps.iter().flat_map(FileOp::list_files) {
            let slug = path.key().workspace();
            let Some(workspace) = slug.and_then(|it| self.workspaces.workspace(it.as_str())) else {
                continue;
            };
            self.workspaces.check_folder_present(&workspace, &*self.folder.disk)?;
            if let Some(reason) = &workspace.current_snapshot().meta.unsupported {
                return Err(WriteRefusal::Unsupported(reason.clone()));
            }
        }
        Ok(())
    }
}
