//! How changes become durable and public: work is queued to its workspace, run against the newest
//! snapshot, written in batches, published with one swap, and only then answered.

use std::collections::VecDeque;
use std::panic::AssertUnwindSafe;
use std::panic::catch_unwind;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::PoisonError;

use crate::engine::Engine;
use crate::engine::staging::Staged;
use crate::engine::staging::Staging;
use crate::engine::workspace::Workspace;
use crate::model::event::Event;
use crate::model::name::WorkspaceSlug;
use crate::model::problem::Problem;
use crate::query::snapshot::Snapshot;
use crate::store::commit;
use crate::store::commit::Change;
use crate::store::commit::Op;
use crate::store::commit::Outcome;
use crate::store::disk::FILE_BYTES_MAX;
use crate::store::error::StoreError;
use crate::store::journal;
use crate::store::journal::Failure;
use crate::store::layout::Key;
use crate::store::lock::Foreign;

/// How much smaller an entry is than the largest file that is read: its deletion is written into it
/// as well.
const ENTRY_ROOM_BYTES: u64 = 4 * 1024;

/// How often work is begun anew because files change under it.
const TRIES_MAX: usize = 16;

/// A change that is durable and public.
pub struct Committed<T> {
    /// What the work gave.
    pub value: T,
    /// A snapshot that shows the change, whatever was done to the same files right after it.
    pub snapshot: Arc<Snapshot>,
}

/// Why a change was not made. Nothing of it is in the folder then, unless it says otherwise.
#[derive(Debug, thiserror::Error)]
pub enum CommitError {
    /// The disk refused.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// A file that is needed cannot be read; somebody is at work on it, or has broken it.
    #[error("{0}")]
    Broken(Problem),
    /// Somebody edited a file: the work is begun anew. Seen by callers only when that never ends.
    #[error("files change faster than they can be read")]
    Stale,
    /// The server may not write.
    #[error("the server is started for reading alone")]
    ReadOnly,
    /// The data folder has vanished.
    #[error("the data folder is not there")]
    Outage,
    /// There is no such workspace.
    #[error("there is no such workspace")]
    NoWorkspace,
    /// The workspace is in a format that is not known.
    #[error("{0}")]
    UnsupportedFormat(String),
    /// A folder with files that are served is not there, which may be for a moment.
    #[error("the folder {0} is not there")]
    FolderGone(String),
    /// A file would be larger than those that are read.
    #[error("a file would be larger than {0} bytes")]
    TooLarge(u64),
    /// The disk failed to keep what it was given: nothing is written until it does again.
    #[error("the disk failed: {0}")]
    Unverified(String),
    /// The work panicked.
    #[error("the work panicked")]
    Panicked,
}

/// A piece of work that waits for its turn.
pub(super) trait Work: Send {
    /// Runs it. Whether it is content; what it staged counts only then.
    fn run(&mut self, staging: &mut Staging<'_>) -> bool;
    /// It is over: what `run` gave is the answer, as of this snapshot.
    fn done(&mut self, snapshot: &Arc<Snapshot>);
    /// It is over: it could not be carried out.
    fn failed(&mut self, error: CommitError);
}

/// The answer to a piece of work, once there is one.
struct Answer<T, E>(Mutex<Option<Result<Committed<T>, E>>>);

struct Typed<F, T, E: From<CommitError>> {
    work: F,
    result: Option<Result<T, E>>,
    answer: Arc<Answer<T, E>>,
}

impl<T, E> Answer<T, E> {
    fn is_there(&self) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    fn give(&self, answer: Result<Committed<T>, E>) {
        let mut place = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        place.get_or_insert(answer);
    }

    fn take(&self) -> Option<Result<Committed<T>, E>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

impl<F, T, E> Work for Typed<F, T, E>
where
    F: FnMut(&mut Staging<'_>) -> Result<T, E> + Send,
    T: Send,
    E: From<CommitError> + Send,
{
    fn run(&mut self, staging: &mut Staging<'_>) -> bool {
        // A panic costs this piece of work alone.
        let result = catch_unwind(AssertUnwindSafe(|| (self.work)(staging)));
        let result = result.unwrap_or_else(|_| Err(CommitError::Panicked.into()));
        let content = result.is_ok();
        self.result = Some(result);
        content
    }

    fn done(&mut self, snapshot: &Arc<Snapshot>) {
        let result = self.result.take().unwrap_or_else(|| Err(CommitError::Stale.into()));
        self.answer.give(result.map(|value| Committed { value, snapshot: snapshot.clone() }));
    }

    fn failed(&mut self, error: CommitError) {
        self.answer.give(Err(error.into()));
    }
}

impl<F, T, E: From<CommitError>> Drop for Typed<F, T, E> {
    /// Nobody waits for ever for work that was lost by a panic.
    fn drop(&mut self) {
        self.answer.give(Err(CommitError::Panicked.into()));
    }
}

/// Work that was run, and what it wants.
struct Piece {
    work: Box<dyn Work>,
    change: Change,
    events: Vec<Event>,
    /// What it is answered from when later work of the batch takes away what it wrote.
    seen: Option<Arc<Snapshot>>,
}

/// Pieces of work that are written together.
struct Batch {
    base: Arc<Snapshot>,
    /// With what all pieces staged.
    next: Arc<Snapshot>,
    pieces: Vec<Piece>,
}

impl Engine {
    /// Runs `work` when it is its turn, makes what it staged durable, publishes it, and gives what it
    /// returned. `work` may be run several times, so it computes and stages and does nothing else.
    /// It runs on a thread that may wait for the disk.
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
        self.may_write()?;
        let workspace = self.workspace(ws.as_str()).ok_or(CommitError::NoWorkspace)?;
        let answers: Vec<_> = works.iter().map(|_| Arc::new(Answer(Mutex::new(None)))).collect();
        let typed = works.into_iter().zip(&answers).map(|(work, answer)| {
            Box::new(Typed { work, result: None, answer: answer.clone() }) as Box<dyn Work>
        });
        workspace.line.join(
            typed.collect::<Vec<_>>(),
            || answers.iter().all(|it| it.is_there()),
            |works| self.carry_out(&workspace, works),
        );
        let taken = answers.iter().map(|it| it.take());
        Ok(taken.map(|it| it.unwrap_or_else(|| Err(CommitError::Panicked.into()))).collect())
    }

    /// Runs `work` on what there is at this moment and drops what it stages. So it tells what a change
    /// would do without keeping anybody waiting, also where nothing can be written.
    pub fn preview<T, E: From<CommitError>>(
        &self,
        ws: &WorkspaceSlug,
        work: impl FnOnce(&mut Staging<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        if self.is_outage() {
            return Err(CommitError::Outage.into());
        }
        let workspace = self.workspace(ws.as_str()).ok_or(CommitError::NoWorkspace)?;
        let (snapshot, staged) = (workspace.current(), Staged::new());
        work(&mut Staging::for_preview(self, &snapshot, &staged))
    }

    /// Whether anything can be written at all.
    pub(super) fn may_write(&self) -> Result<(), CommitError> {
        if self.read_only {
            return Err(CommitError::ReadOnly);
        }
        if self.is_outage() || self.has_lost_lock() || self.has_lost_system() {
            return Err(CommitError::Outage);
        }
        self.verify()
    }

    fn carry_out(&self, workspace: &Workspace, mut waiting: VecDeque<Box<dyn Work>>) {
        let Some(lock) = &self.write_lock else {
            return waiting.iter_mut().for_each(|it| it.failed(CommitError::ReadOnly));
        };
        let mut turn = match lock.take() {
            Ok(turn) => turn,
            Err(error) => {
                let text = error.to_string();
                for work in &mut waiting {
                    let busy = matches!(error, StoreError::Busy);
                    work.failed(if busy {
                        StoreError::Busy.into()
                    } else {
                        CommitError::Unverified(text.clone())
                    });
                }
                return;
            }
        };
        let foreign = turn.foreign(&mut self.foreign_seen());
        self.hand_out(foreign);
        let mine = std::mem::take(&mut *workspace.foreign());
        mine.iter().for_each(|path| self.take_in(workspace, path));
        if let Err(closed) = self.may_write_into(workspace) {
            return waiting.iter_mut().for_each(|it| it.failed(closed.clone().into()));
        }
        // Work that failed together with others is tried by itself.
        let mut alone = 0_usize;
        while !waiting.is_empty() {
            let batch = self.staged(workspace, &mut waiting, alone > 0);
            alone = alone.saturating_sub(1);
            let again = self.written(workspace, batch);
            alone += again.len();
            for work in again.into_iter().rev() {
                waiting.push_front(work);
            }
        }
    }

    /// What other processes wrote is read before anything is judged: what concerns a workspace when
    /// it is that one's turn, the rest at once.
    pub(super) fn hand_out(&self, foreign: Foreign) {
        match foreign {
            Foreign::Paths(paths) => {
                for path in paths {
                    let key = Key::parse(&path);
                    let of = key.as_ref().and_then(Key::workspace);
                    match of.and_then(|ws| self.workspace(ws.as_str())) {
                        Some(workspace) => workspace.foreign().push(path),
                        None => {
                            self.watcher.touch(&path);
                            self.system_foreign().push(path);
                        }
                    }
                }
            }
            Foreign::Anything => _ = self.watcher.sweep_now(),
        }
    }

    /// Runs work until something has to be written by itself.
    fn staged(
        &self,
        workspace: &Workspace,
        waiting: &mut VecDeque<Box<dyn Work>>,
        alone: bool,
    ) -> Batch {
        let base = workspace.current();
        let mut batch = Batch { next: base.clone(), base, pieces: Vec::new() };
        let mut staged = Staged::new();
        let mut taken_in: Vec<String> = Vec::new();
        while let Some(mut work) = waiting.pop_front() {
            let mut staging = Staging::new(self, &batch.next, &staged, &taken_in);
            let content = work.run(&mut staging);
            let stale = staging.stale.take();
            let wanted = if content { staging.finish() } else { Default::default() };
            let gone = match &stale {
                Some(path) => self.folder_gone(&batch.next, path),
                None => self.folder_gone_for(&batch.next, &wanted.0),
            };
            if let Some(folder) = gone {
                work.failed(CommitError::FolderGone(folder));
                continue;
            }
            if let Some(path) = stale {
                if !batch.pieces.is_empty() {
                    waiting.push_front(work);
                    break;
                }
                if taken_in.len() >= TRIES_MAX {
                    work.failed(CommitError::Stale);
                    continue;
                }
                self.take_in(workspace, &path);
                taken_in.push(path);
                batch = Batch { base: workspace.current(), next: workspace.current(), ..batch };
                waiting.push_front(work);
                continue;
            }
            taken_in.clear();
            let (change, events) = wanted;
            if let Some(most) = passed_limit(&change) {
                work.failed(CommitError::TooLarge(most));
                continue;
            }
            if change.is_empty() || is_plain(&change) {
                keep_seen(&mut batch.pieces, &change, &batch.next);
                batch.next = self.with_plain(&batch.next, &change).unwrap_or(batch.next);
                note(&change, &mut staged);
                batch.pieces.push(Piece { work, change, events, seen: None });
                if alone {
                    break;
                }
                continue;
            }
            if batch.pieces.is_empty() {
                batch.pieces.push(Piece { work, change, events, seen: None });
            } else {
                waiting.push_front(work);
            }
            break;
        }
        batch
    }

    /// Writes a batch and publishes it; the work that has to be done again.
    fn written(&self, workspace: &Workspace, mut batch: Batch) -> Vec<Box<dyn Work>> {
        if let [piece] = batch.pieces.as_slice()
            && !piece.change.is_empty()
            && !is_plain(&piece.change)
        {
            return batch
                .pieces
                .pop()
                .and_then(|it| self.written_alone(workspace, it))
                .into_iter()
                .collect();
        }
        let changes: Vec<Change> = batch.pieces.iter().map(|it| it.change.clone()).collect();
        let outcomes = if changes.iter().all(Change::is_empty) {
            changes.iter().map(|_| Outcome::Done).collect()
        } else {
            match commit::write(&*self.disk, &changes) {
                Ok(outcomes) => outcomes,
                // Nothing was changed: who failed by itself shows when each is tried alone.
                Err(outcome) => self.unstarted(&batch, outcome),
            }
        };
        let all_done = outcomes.iter().all(|it| matches!(it, Outcome::Done));
        if !all_done {
            batch.next = batch.base.clone();
        }
        let mut done = Vec::new();
        let (mut again, mut stale) = (Vec::new(), Vec::new());
        for (mut piece, outcome) in batch.pieces.into_iter().zip(outcomes) {
            match outcome {
                Outcome::Done => {
                    if !all_done {
                        piece.seen = None;
                        keep_seen(&mut done, &piece.change, &batch.next);
                        let next = self.with_plain(&batch.next, &piece.change);
                        batch.next = next.unwrap_or(batch.next);
                    }
                    done.push(piece);
                }
                Outcome::Failed(error) => piece.work.failed(error.into()),
                Outcome::Stale(path) => {
                    stale.push(path);
                    again.push(piece.work);
                }
                Outcome::NotTried => again.push(piece.work),
                Outcome::Uncertain(error) => {
                    let error = self.doubt(&error);
                    piece.work.failed(error);
                }
            }
        }
        self.publish(workspace, batch.next, &mut done);
        stale.iter().for_each(|path| self.take_in(workspace, path));
        again
    }

    fn unstarted(&self, batch: &Batch, outcome: Outcome) -> Vec<Outcome> {
        if batch.pieces.len() == 1 {
            return vec![outcome];
        }
        batch.pieces.iter().map(|_| Outcome::NotTried).collect()
    }

    /// A change that goes through the journal, or touches more than entries.
    fn written_alone(&self, workspace: &Workspace, mut piece: Piece) -> Option<Box<dyn Work>> {
        let written = if piece.change.is_compound() {
            self.write_compound(&piece.change)
        } else {
            match commit::write(&*self.disk, std::slice::from_ref(&piece.change)) {
                Ok(outcomes) => outcomes.into_iter().next().unwrap_or(Outcome::Done),
                Err(outcome) => outcome,
            }
        };
        match written {
            Outcome::Done => {
                let base = workspace.current();
                let next = self.with_any(&base, &piece.change);
                self.publish(workspace, next, &mut [piece]);
                None
            }
            Outcome::Failed(error) => {
                piece.work.failed(error.into());
                None
            }
            Outcome::Uncertain(error) => {
                let error = self.doubt(&error);
                piece.work.failed(error);
                // What is in the folder is what is served, whatever becomes of it.
                let next = self.with_any(&workspace.current(), &piece.change);
                self.publish(workspace, next, &mut []);
                None
            }
            Outcome::Stale(path) => {
                self.take_in(workspace, &path);
                Some(piece.work)
            }
            Outcome::NotTried => Some(piece.work),
        }
    }

    fn write_compound(&self, change: &Change) -> Outcome {
        if !change.beforehand.is_empty() {
            let first = |op: &Op| Change { steps: vec![op.clone()], ..Change::default() };
            for op in &change.beforehand {
                match commit::write(&*self.disk, &[first(op)]).map(|mut it| it.pop()) {
                    Ok(Some(Outcome::Done) | None) => {}
                    Ok(Some(outcome)) | Err(outcome) => return outcome,
                }
            }
        }
        match journal::write(&*self.disk, self.new_id().as_str(), &change.steps) {
            Ok(()) => {}
            Err(Failure::Unstarted(error)) => return Outcome::Failed(error),
            Err(Failure::Stale(path)) => return Outcome::Stale(path),
            Err(Failure::Unfinished(error)) => return Outcome::Uncertain(error),
        }
        let after = Change { afterwards: change.afterwards.clone(), ..Change::default() };
        // What follows may fail; that is told to the operator.
        let _ = commit::write(&*self.disk, &[after]);
        Outcome::Done
    }

    /// One swap, then everybody is told.
    fn publish(&self, workspace: &Workspace, next: Arc<Snapshot>, pieces: &mut [Piece]) {
        let before = workspace.current();
        for piece in pieces.iter() {
            self.learn(Some(&before), &piece.change);
        }
        let next = workspace.publish(next, self);
        let events = pieces.iter_mut().flat_map(|it| std::mem::take(&mut it.events)).collect();
        self.tell(&workspace.slug, events);
        for piece in pieces {
            piece.work.done(piece.seen.as_ref().unwrap_or(&next));
        }
    }
}

/// The limit that a file of the change passes: written, it could not be read back.
fn passed_limit(change: &Change) -> Option<u64> {
    let written = change.beforehand.iter().chain(&change.steps).filter_map(|op| match op {
        Op::Create { path, bytes } | Op::Replace { path, bytes, .. } => Some((path, bytes.len())),
        Op::Remove { .. } | Op::Rename { .. } | Op::RemoveFolder { .. } => None,
    });
    let mut passed = written.filter_map(|(path, length)| {
        let most = match Key::parse(path) {
            Some(Key::Media(..)) => return None,
            Some(Key::Entry(..)) => FILE_BYTES_MAX - ENTRY_ROOM_BYTES,
            _ => FILE_BYTES_MAX,
        };
        (length as u64 > most).then_some(most)
    });
    passed.next()
}

/// Keeps what work before a deletion is answered from, as it is before it. Deletions themselves are
/// answered without it.
fn keep_seen(before: &mut [Piece], change: &Change, snapshot: &Arc<Snapshot>) {
    if takes_away(change) {
        let kept = before.iter_mut().filter(|it| it.seen.is_none() && !takes_away(&it.change));
        kept.for_each(|it| it.seen = Some(snapshot.clone()));
    }
}

fn takes_away(change: &Change) -> bool {
    change.steps.iter().any(|it| matches!(it, Op::Remove { .. } | Op::Rename { .. }))
}

/// Whether a change concerns one entry alone: such changes are written together.
fn is_plain(change: &Change) -> bool {
    let is_entry = |path: &str| matches!(Key::parse(path), Some(Key::Entry(..)));
    let one = match change.steps.as_slice() {
        [Op::Create { path, .. } | Op::Replace { path, .. } | Op::Remove { path }] => {
            is_entry(path)
        }
        [Op::Rename { from, to }] => {
            is_entry(from) && matches!(Key::parse(to), Some(Key::Trash(..)))
        }
        _ => false,
    };
    one && change.beforehand.is_empty()
}

/// What the batch's later work finds instead of the files.
fn note(change: &Change, staged: &mut Staged) {
    for op in &change.steps {
        match op {
            Op::Create { path, bytes } | Op::Replace { path, bytes, .. } => {
                staged.insert(path.clone(), Some(bytes.clone()));
            }
            Op::Remove { path } => _ = staged.insert(path.clone(), None),
            Op::Rename { from, to } => {
                let moved = staged.get(from).cloned().flatten().unwrap_or_default();
                staged.insert(from.clone(), None);
                staged.insert(to.clone(), Some(moved));
            }
            Op::RemoveFolder { .. } => {}
        }
    }
}
