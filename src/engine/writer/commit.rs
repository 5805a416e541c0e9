//! Commits: work is queued to its workspace and answered once it is durable and public.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::engine::error::CommitError;
use crate::engine::error::WriteRefusal;
use crate::engine::staging::change_steps::StagedFiles;
use crate::engine::staging::queued_work::QueuedWork;
use crate::engine::staging::workspace_staging::Staging;
use crate::engine::workspaces::workspace::Workspace;
use crate::engine::writer::Writer;
use crate::engine::writer::batch::TRIES_MAX;
use crate::engine::writer::typed_work::Committed;
use crate::engine::writer::typed_work::ResultSlot;
use crate::engine::writer::typed_work::TypedWork;
use crate::model::name::WorkspaceSlug;
use crate::stdx::sync::Mutex;
use crate::store::error::StoreError;

/// The most changes that wait in a workspace without a thread of their own. Clients that have left
/// count, so a disk that hangs does not collect changes without end.
const WAITING_MAX: usize = 4_096;

impl Writer {
    /// Runs `work` when it is its turn, makes what it staged durable, publishes it, and gives what
    /// it returned. `work` may be run several times, so it computes and stages and does nothing
    /// else. It runs on a thread that may wait for the disk.
    pub fn commit<T, E, F>(&self, ws: &WorkspaceSlug, work: F) -> Result<Committed<T>, E>
    where
        F: FnMut(&mut Staging<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<CommitError> + Send + 'static,
    {
        let mut committed = self.commit_all(ws, vec![work])?;
        committed.pop().unwrap_or_else(|| Err(CommitError::Panicked.into()))
    }

    /// The same for several pieces of work, one after the other: each finds what those before it
    /// staged and fails by itself, and those that change one entry alone share what is slow.
    pub fn commit_all<T, E, F>(
        &self,
        ws: &WorkspaceSlug,
        works: Vec<F>,
    ) -> Result<Vec<Result<Committed<T>, E>>, E>
    where
        F: FnMut(&mut Staging<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<CommitError> + Send + 'static,
    {
        self.records.check_reachable().map_err(CommitError::from)?;
        let workspace = self.workspaces.workspace(ws.as_str()).ok_or(CommitError::NoWorkspace)?;
        let answers: Vec<_> =
            works.iter().map(|_| Arc::new(ResultSlot(Mutex::new(None)))).collect();
        let typed = works.into_iter().zip(&answers).map(|(work, answer)| {
            let answer = answer.clone();
            Box::new(TypedWork::new(work, move |it| answer.set(it))) as Box<dyn QueuedWork>
        });
        workspace.line.run_queued(
            typed.collect(),
            &|| answers.iter().all(|it| it.is_set()),
            &|works| self.run_queue(&workspace, works),
        );
        let taken = answers.iter().map(|it| it.take());
        Ok(taken.map(|it| it.unwrap_or_else(|| Err(CommitError::Panicked.into()))).collect())
    }

    /// Like [`Writer::commit`], but does not wait: `done` is called with the answer, on the thread
    /// that makes the change. If there is a [`QueueRun`], the caller has it run.
    pub fn submit<T, E, F>(
        self: &Arc<Self>,
        ws: &WorkspaceSlug,
        work: F,
        done: impl FnOnce(Result<Committed<T>, E>) + Send + 'static,
    ) -> Option<QueueRun>
    where
        F: FnMut(&mut Staging<'_>) -> Result<T, E> + Send + 'static,
        T: Send + 'static,
        E: From<CommitError> + Send + 'static,
    {
        if let Err(refusal) = self.records.check_reachable() {
            done(Err(CommitError::from(refusal).into()));
            return None;
        }
        let Some(workspace) = self.workspaces.workspace(ws.as_str()) else {
            done(Err(CommitError::NoWorkspace.into()));
            return None;
        };
        if workspace.line.len() >= WAITING_MAX {
            done(Err(CommitError::from(StoreError::Busy).into()));
            return None;
        }
        let needs_runner = workspace.line.submit(Box::new(TypedWork::new(work, done)));
        needs_runner.then(|| QueueRun { writer: self.clone(), workspace, is_over: false })
    }

    /// Runs `work` on what there is at this moment and drops what it stages. So it tells what a
    /// change would do without keeping anybody waiting, also where nothing can be written.
    pub fn preview_commit<T, E: From<CommitError>>(
        &self,
        ws: &WorkspaceSlug,
        work: impl FnOnce(&mut Staging<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        if self.folder.is_outage() {
            return Err(CommitError::Outage.into());
        }
        let workspace = self.workspaces.workspace(ws.as_str()).ok_or(CommitError::NoWorkspace)?;
        let (snapshot, staged) = (workspace.current_snapshot(), StagedFiles::new());
        work(&mut Staging::for_preview(&self.folder, &self.records, &snapshot, &staged))
    }

    fn run_queue(&self, workspace: &Workspace, mut waiting: VecDeque<Box<dyn QueuedWork>>) {
        if let Err(refusal) = self.records.check_writable() {
            return fail_all(&mut waiting, || refusal.clone().into());
        }
        let Some(lock) = &self.folder.write_lock else {
            return fail_all(&mut waiting, || CommitError::ReadOnly);
        };
        let mut turn = match lock.acquire_turn() {
            Ok(turn) => turn,
            Err(StoreError::Busy) => return fail_all(&mut waiting, || StoreError::Busy.into()),
            Err(StoreError::Database(reason)) => {
                return fail_all(&mut waiting, || StoreError::Database(reason.clone()).into());
            }
            Err(error) => {
                let reason = error.to_string();
                return fail_all(&mut waiting, || CommitError::Unverified(reason.clone()));
            }
        };
        self.follower.adopt_foreign_writes(workspace, &mut turn);
        if let Err(refusal) = self.write_batches(workspace, &mut waiting) {
            fail_all(&mut waiting, || refusal.clone().into());
        }
    }

    /// Writes all that waits, batch by batch. For whoever has the turn.
    fn write_batches(
        &self,
        workspace: &Workspace,
        waiting: &mut VecDeque<Box<dyn QueuedWork>>,
    ) -> Result<(), WriteRefusal> {
        let disk = self.begin_batch(workspace)?;
        self.follower.check_workspace_writable(workspace, &*disk)?;
        // The first batch goes on with the folders that were looked into here.
        let mut next_disk = Some(disk);
        // Work that failed together with others is tried by itself.
        let mut alone = 0_usize;
        // How often in a row nothing could be finished.
        let mut tries = 0_usize;
        while !waiting.is_empty() {
            // The disk may have failed others who had the turn, or the last batch.
            if let Some(reason) = self.folder.write_suspension() {
                return Err(WriteRefusal::Unverified(reason));
            }
            let n_waiting = waiting.len();
            let mut disk = match next_disk.take() {
                Some(disk) => disk,
                None => self.begin_batch(workspace)?,
            };
            let batch = self.collect_batch(&mut disk, workspace, waiting, alone > 0);
            alone = alone.saturating_sub(1);
            let again = self.write_batch(disk, workspace, batch);
            alone += again.len();
            for work in again.into_iter().rev() {
                waiting.push_front(work);
            }
            tries = if waiting.len() < n_waiting { 0 } else { tries + 1 };
            // Somebody writes a file without a pause: everybody else has to have a turn as well.
            if tries >= TRIES_MAX
                && let Some(mut work) = waiting.pop_front()
            {
                work.fail(CommitError::Stale);
                tries = 0;
            }
        }
        Ok(())
    }
}

/// The duty to make the changes that wait in the queue of a workspace, on a thread that may wait
/// for the disk.
pub struct QueueRun {
    writer: Arc<Writer>,
    workspace: Arc<Workspace>,
    is_over: bool,
}

impl QueueRun {
    /// Returns true if nobody else wrote a moment ago.
    pub fn is_of_lone_writer(&self) -> bool {
        !self.workspace.line.had_company()
    }

    /// Makes the changes that wait now, together. Returns true if more wait by then.
    pub fn run_batch(&mut self) -> bool {
        let (writer, workspace) = (&self.writer, &self.workspace);
        self.is_over = !workspace.line.run_batch(|works| writer.run_queue(workspace, works));
        !self.is_over
    }

    /// Makes all changes that wait, and those that come meanwhile.
    pub fn run_all(mut self) {
        while self.run_batch() {}
    }
}

impl Drop for QueueRun {
    /// Passes the duty to whoever queues the next change.
    fn drop(&mut self) {
        if !self.is_over {
            self.workspace.line.release_runner();
        }
    }
}

fn fail_all(waiting: &mut VecDeque<Box<dyn QueuedWork>>, error: impl Fn() -> CommitError) {
    waiting.iter_mut().for_each(|it| it.fail(error()));
}
