//! Batches of work that are written together.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::engine::error::CommitError;
use crate::engine::error::WriteRefusal;
use crate::engine::file_size::find_passed_limit;
use crate::engine::folder::content_files;
use crate::engine::follower::apply_changes::FileProblems;
use crate::engine::staging::change_steps::StagedFiles;
use crate::engine::staging::queued_work::QueuedWork;
use crate::engine::staging::workspace_staging::Staging;
use crate::engine::workspaces::workspace::Workspace;
use crate::engine::writer::Writer;
use crate::model::event::EmittedEvent;
use crate::model::event::Event;
use crate::model::event_record;
use crate::query::index::snapshot::Snapshot;
use crate::stdx::processor::ProcessorSlice;
use crate::store::disk::BatchDisk;
use crate::store::disk::Disk;
use crate::store::layout::FilePath;
use crate::store::layout::Key;
use crate::store::summed_content::SummedContent;
use crate::store::write::commit;
use crate::store::write::commit::CommitOutcome;
use crate::store::write::commit::WrittenStat;
use crate::store::write::file_op::FileOp;
use crate::store::write::file_op::FileTransaction;
use crate::store::write::journal;
use crate::store::write::journal::JournalError;

/// The number of times that work is begun anew because files change under it.
pub(crate) const TRIES_MAX: usize = 16;

/// Work that was run, and what it wants.
pub(crate) struct StagedWork {
    pub(crate) work: Box<dyn QueuedWork>,
    pub(crate) change: FileTransaction,
    pub(crate) events: Vec<Event>,
    /// The problems inside the files that it writes, once they are written.
    pub(crate) problems: FileProblems,
    /// The snapshot from which it is answered when later work of the batch takes away what it
    /// wrote.
    pub(crate) seen: Option<Arc<Snapshot>>,
    /// The stat of the file that its step wrote, if it is known.
    pub(crate) written: Option<WrittenStat>,
}

impl StagedWork {
    fn new(work: Box<dyn QueuedWork>, change: FileTransaction, events: Vec<Event>) -> StagedWork {
        StagedWork {
            work,
            change,
            events,
            problems: FileProblems::new(),
            seen: None,
            written: None,
        }
    }
}

/// Pieces of work that are written together.
pub(crate) struct CommitBatch {
    pub(crate) base: Arc<Snapshot>,
    /// With what all pieces staged.
    pub(crate) next: Arc<Snapshot>,
    pub(crate) pieces: Vec<StagedWork>,
    slice: ProcessorSlice,
}

impl CommitBatch {
    /// A batch without work, on top of this snapshot.
    fn new(base: Arc<Snapshot>) -> CommitBatch {
        CommitBatch { next: base.clone(), base, pieces: Vec::new(), slice: ProcessorSlice::begin() }
    }
}

impl Writer {
    /// Begins a batch of a workspace. Its folder is looked up first: one that was removed is not
    /// made anew.
    pub(crate) fn begin_batch(&self, workspace: &Workspace) -> Result<BatchDisk<'_>, WriteRefusal> {
        let disk = BatchDisk::begin(&*self.folder.disk);
        self.workspaces.check_folder_present(workspace, &*disk)?;
        Ok(disk)
    }

    /// Runs work until something has to be written by itself. The folders that it looks into stay
    /// open in `disk`.
    pub(crate) fn collect_batch<'d>(
        &'d self,
        disk: &mut BatchDisk<'d>,
        workspace: &Workspace,
        waiting: &mut VecDeque<Box<dyn QueuedWork>>,
        alone: bool,
    ) -> CommitBatch {
        let mut batch = CommitBatch::new(workspace.current_snapshot());
        let mut staged = StagedFiles::new();
        let mut taken_in: Vec<Key> = Vec::new();
        while let Some(mut work) = waiting.pop_front() {
            let mut staging =
                Staging::new(&self.folder, &**disk, &self.records, &batch.next, &staged, &taken_in);
            let is_done = work.run(&mut staging);
            let stale = staging.stale.take();
            let (change, events) = if is_done { staging.into_change() } else { Default::default() };
            let gone = find_missing_folder(&**disk, &batch.base, stale.as_ref(), &change);
            if let Some(folder) = gone {
                work.fail(CommitError::FolderGone(folder));
                continue;
            }
            if let Some(key) = stale {
                if !batch.pieces.is_empty() {
                    waiting.push_front(work);
                    break;
                }
                if taken_in.len() >= TRIES_MAX {
                    work.fail(CommitError::Stale);
                    continue;
                }
                if let Err(refusal) = self.adopt_stale_file(disk, workspace, &key) {
                    work.fail(refusal.into());
                    continue;
                }
                taken_in.push(key);
                batch = CommitBatch::new(workspace.current_snapshot());
                waiting.push_front(work);
                continue;
            }
            taken_in.clear();
            if let Some(most) = exceeded_limit(&change) {
                work.fail(CommitError::TooLarge(most));
                continue;
            }
            let is_shared = change.is_empty() || is_entry_change(&change);
            if !is_shared && !batch.pieces.is_empty() {
                waiting.push_front(work);
                break;
            }
            let mut piece = StagedWork::new(work, change, events);
            if is_shared {
                self.stage_change(&mut batch, &mut piece, &mut staged);
            }
            batch.pieces.push(piece);
            if alone || !is_shared {
                break;
            }
        }
        batch
    }

    /// Adopts a file that somebody edited. Looks up the folders anew, since adopting may wait for a
    /// file to come back.
    fn adopt_stale_file<'d>(
        &'d self,
        disk: &mut BatchDisk<'d>,
        workspace: &Workspace,
        key: &Key,
    ) -> Result<(), WriteRefusal> {
        self.follower.adopt_files(workspace, vec![key.clone().into()]);
        *disk = self.begin_batch(workspace)?;
        Ok(())
    }

    /// Adds a change of entries to the snapshot of the batch, and to the files that it stages.
    fn stage_change(
        &self,
        batch: &mut CommitBatch,
        piece: &mut StagedWork,
        staged: &mut StagedFiles,
    ) {
        batch.slice.yield_if_over();
        pin_snapshots(&mut batch.pieces, &piece.change, &batch.next);
        let (next, problems) = self.follower.apply_staged(&batch.next, &piece.change);
        piece.problems = problems;
        if let Some(next) = next {
            batch.next = next;
        }
        record_staged(&piece.change, staged);
    }

    /// Writes a batch and publishes it. Returns the work that has to be done again. `disk` keeps
    /// the folders open that the batch was collected from.
    pub(crate) fn write_batch(
        &self,
        disk: BatchDisk<'_>,
        workspace: &Workspace,
        mut batch: CommitBatch,
    ) -> Vec<Box<dyn QueuedWork>> {
        if let [piece] = batch.pieces.as_slice()
            && !piece.change.is_empty()
            && !is_entry_change(&piece.change)
        {
            return batch
                .pieces
                .pop()
                .and_then(|it| self.write_single(&*disk, workspace, it))
                .into_iter()
                .collect();
        }
        let told = self.attach_events(workspace, &mut batch.pieces);
        let outcomes = commit_pieces(&*disk, &mut batch.pieces);
        drop(disk);
        let all_done = outcomes.iter().all(|it| matches!(it, CommitOutcome::Done(_)));
        let told = self.take_events(told, all_done);
        if !all_done {
            batch.next = batch.base.clone();
        }
        let mut done = Vec::new();
        let (mut again, mut stale) = (Vec::new(), Vec::new());
        for (mut piece, outcome) in batch.pieces.into_iter().zip(outcomes) {
            match outcome {
                CommitOutcome::Done(written) => {
                    piece.written = written;
                    if !all_done {
                        piece.seen = None;
                        pin_snapshots(&mut done, &piece.change, &batch.next);
                        let (next, _) = self.follower.apply_staged(&batch.next, &piece.change);
                        batch.next = next.unwrap_or(batch.next);
                    }
                    done.push(piece);
                }
                CommitOutcome::Failed(error) => piece.work.fail(error.into()),
                CommitOutcome::Stale(path) => {
                    stale.push(path);
                    again.push(piece.work);
                }
                CommitOutcome::NotTried => again.push(piece.work),
                CommitOutcome::Uncertain(error) | CommitOutcome::Unknown(error) => {
                    let error = self.folder.suspend_writes(&error);
                    piece.work.fail(error);
                }
            }
        }
        self.publish_batch(workspace, batch.next, &mut done, told);
        self.follower.adopt_files(workspace, stale);
        again
    }

    /// A change that goes through the journal, or touches more than entries.
    fn write_single(
        &self,
        disk: &dyn Disk,
        workspace: &Workspace,
        mut piece: StagedWork,
    ) -> Option<Box<dyn QueuedWork>> {
        let told = self.attach_events(workspace, std::slice::from_mut(&mut piece));
        let outcome = if piece.change.is_compound() {
            self.write_compound(&piece.change)
        } else {
            commit::commit_one(disk, &piece.change)
        };
        match outcome {
            CommitOutcome::Done(written) => {
                let told = self.take_events(told, true);
                piece.written = written;
                let base = workspace.current_snapshot();
                let next = self.follower.apply_written(&base, &piece.change);
                self.publish_batch(workspace, next, &mut [piece], told);
                None
            }
            CommitOutcome::Failed(error) => {
                self.take_events(told, false);
                piece.work.fail(error.into());
                None
            }
            CommitOutcome::Unknown(error) => {
                piece.work.fail(self.folder.suspend_writes(&error));
                None
            }
            CommitOutcome::Uncertain(error) => {
                let error = self.folder.suspend_writes(&error);
                piece.work.fail(error);
                // What is in the folder is what is served, whatever becomes of it.
                let next =
                    self.follower.apply_written(&workspace.current_snapshot(), &piece.change);
                self.publish_batch(workspace, next, &mut [], Vec::new());
                None
            }
            CommitOutcome::Stale(path) => {
                self.follower.adopt_files(workspace, vec![path]);
                Some(piece.work)
            }
            CommitOutcome::NotTried => Some(piece.work),
        }
    }

    fn write_compound(&self, change: &FileTransaction) -> CommitOutcome {
        for op in &change.beforehand {
            let first = FileTransaction::single(op.clone());
            match commit::commit_one(&*self.folder.disk, &first) {
                CommitOutcome::Done(_) => {}
                outcome => return outcome,
            }
        }
        match journal::commit_ops(&*self.folder.disk, self.folder.new_id().as_str(), &change.steps)
        {
            Ok(()) => {}
            Err(JournalError::Unstarted(error)) => return CommitOutcome::Failed(error),
            Err(JournalError::Stale(path)) => return CommitOutcome::Stale(path),
            Err(JournalError::Unfinished(error)) => return CommitOutcome::Uncertain(error),
            Err(JournalError::Unknown(error)) => return CommitOutcome::Unknown(error),
        }
        let after =
            FileTransaction { afterwards: change.afterwards.clone(), ..FileTransaction::default() };
        // What follows may fail; that is told to the operator.
        let _ = commit::commit_one(&*self.folder.disk, &after);
        CommitOutcome::Done(None)
    }

    /// Has the events of pieces of work committed with them, if other servers share the content,
    /// and returns them.
    fn attach_events(
        &self,
        workspace: &Workspace,
        pieces: &mut [StagedWork],
    ) -> Vec<Arc<EmittedEvent>> {
        let Some(replica) = &self.folder.replica else { return Vec::new() };
        let events = pieces.iter_mut().flat_map(|it| std::mem::take(&mut it.events)).collect();
        let told = self.outbox.name_events(Some(&workspace.slug), events);
        replica.attach_events(event_record::encode_events(&told));
        told
    }

    /// Returns the events that were to be committed with a change, if it was made. Without a change
    /// of files they are a commit of their own.
    fn take_events(&self, told: Vec<Arc<EmittedEvent>>, is_made: bool) -> Vec<Arc<EmittedEvent>> {
        let Some(replica) = &self.folder.replica else { return told };
        let left = replica.detach_events();
        if !is_made {
            return Vec::new();
        }
        if !left.is_empty() {
            self.outbox.share_news(|| left);
        }
        told
    }

    /// Publishes the snapshot with one swap, then tells everybody.
    /// `told` are the events of all pieces if they were committed with the change.
    fn publish_batch(
        &self,
        workspace: &Workspace,
        next: Arc<Snapshot>,
        pieces: &mut [StagedWork],
        told: Vec<Arc<EmittedEvent>>,
    ) {
        let before = workspace.current_snapshot();
        for piece in pieces.iter() {
            self.follower.record_own_write(Some(&before), &piece.change, piece.written);
        }
        for piece in pieces.iter_mut() {
            self.follower.set_problems(std::mem::take(&mut piece.problems));
        }
        let next = self.workspaces.publish(workspace, next);
        let events = pieces.iter_mut().flat_map(|it| std::mem::take(&mut it.events)).collect();
        self.outbox.emit(&workspace.slug, events);
        // In the order of commits.
        self.follower.tell_news();
        self.outbox.receive(told);
        for piece in pieces {
            piece.work.complete(piece.seen.as_ref().unwrap_or(&next));
        }
    }
}

/// Makes the changes of pieces of work in the files.
fn commit_pieces(disk: &dyn Disk, pieces: &mut [StagedWork]) -> Vec<CommitOutcome> {
    if pieces.iter().all(|it| it.change.is_empty()) {
        return pieces.iter().map(|_| CommitOutcome::Done(None)).collect();
    }
    let changes: Vec<FileTransaction> =
        pieces.iter_mut().map(|it| std::mem::take(&mut it.change)).collect();
    let outcomes = match commit::commit_batch(disk, &changes) {
        Ok(outcomes) => outcomes,
        Err(outcome) if changes.len() == 1 => vec![outcome],
        // Nothing was changed: who failed by itself shows when each is tried alone.
        Err(_) => changes.iter().map(|_| CommitOutcome::NotTried).collect(),
    };
    pieces.iter_mut().zip(changes).for_each(|(piece, change)| piece.change = change);
    outcomes
}

/// The folder of a file that is away although files of it are served.
fn missing_folder(disk: &dyn Disk, snapshot: &Snapshot, key: &Key) -> Option<String> {
    let is_served = match key {
        Key::Entry(_, of, _) => snapshot.get(of.as_str()).is_some_and(|it| !it.is_empty()),
        Key::Schema(..) => !snapshot.types().is_empty(),
        Key::Media(..) => snapshot.media.iter().next().is_some(),
        _ => false,
    };
    if !is_served {
        return None;
    }
    let folder = key.folder().path();
    (!content_files::is_folder(disk, &folder)).then_some(folder)
}

/// The same for the file that was found stale, or else for all files of a change.
fn find_missing_folder(
    disk: &dyn Disk,
    snapshot: &Snapshot,
    stale: Option<&Key>,
    change: &FileTransaction,
) -> Option<String> {
    if let Some(key) = stale {
        return missing_folder(disk, snapshot, key);
    }
    let files = change.steps.iter().flat_map(FileOp::list_files);
    files.map(FilePath::key).find_map(|it| missing_folder(disk, snapshot, it))
}

/// The limit that a file of the change passes: written, it could not be read back.
fn exceeded_limit(change: &FileTransaction) -> Option<u64> {
    let ops = change.beforehand.iter().chain(&change.steps);
    let mut written = ops.filter_map(FileOp::written_file);
    written.find_map(|(path, bytes)| find_passed_limit(path.key(), bytes))
}

/// Keeps what work before a deletion is answered from, as it is before it. Deletions themselves are
/// answered without it.
fn pin_snapshots(before: &mut [StagedWork], change: &FileTransaction, snapshot: &Arc<Snapshot>) {
    if removes_files(change) {
        let kept = before.iter_mut().filter(|it| it.seen.is_none() && !removes_files(&it.change));
        kept.for_each(|it| it.seen = Some(snapshot.clone()));
    }
}

fn removes_files(change: &FileTransaction) -> bool {
    change.steps.iter().any(|it| it.removed_file().is_some())
}

/// Returns true if a change concerns one entry alone: such changes are written together.
fn is_entry_change(change: &FileTransaction) -> bool {
    let is_entry = |path: &FilePath| matches!(path.key(), Key::Entry(..));
    let one = match change.steps.as_slice() {
        [FileOp::Create { path, .. } | FileOp::Replace { path, .. } | FileOp::Remove { path }] => {
            is_entry(path)
        }
        [FileOp::Rename { from, to }] => is_entry(from) && matches!(to.key(), Key::Trash(..)),
        _ => false,
    };
    one && change.beforehand.is_empty()
}

/// Records the files that the batch's later work finds instead of those on the disk.
fn record_staged(change: &FileTransaction, staged: &mut StagedFiles) {
    for op in &change.steps {
        match op {
            FileOp::Create { path, bytes } | FileOp::Replace { path, bytes, .. } => {
                staged.insert(path.key().clone(), Some(bytes.clone()));
            }
            FileOp::Remove { path } => _ = staged.insert(path.key().clone(), None),
            FileOp::Rename { from, to } => {
                let moved = staged.insert(from.key().clone(), None).flatten();
                staged.insert(to.key().clone(), Some(moved.unwrap_or_default()));
            }
            FileOp::Place { path, .. } | FileOp::PlaceOver { path, .. } => {
                staged.insert(path.key().clone(), Some(SummedContent::default()));
            }
            FileOp::RemoveFolder { .. } => {}
        }
    }
}
