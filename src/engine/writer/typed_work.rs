//! A piece of work with the type of its answer, and the slot for that answer.

use std::panic::AssertUnwindSafe;
use std::panic::catch_unwind;
use std::sync::Arc;

use crate::engine::error::CommitError;
use crate::engine::staging::queued_work::QueuedWork;
use crate::engine::staging::workspace_staging::Staging;
use crate::query::index::snapshot::Snapshot;
use crate::stdx::sync::Mutex;

/// A change that is durable and public.
pub struct Committed<T> {
    /// The result of the work.
    pub value: T,
    /// A snapshot that shows the change, whatever was done to the same files right after it.
    pub snapshot: Arc<Snapshot>,
}

/// The answer to a piece of work, once there is one.
pub(crate) struct ResultSlot<T, E>(pub(crate) Mutex<Option<Result<Committed<T>, E>>>);

impl<T, E> ResultSlot<T, E> {
    pub(crate) fn is_set(&self) -> bool {
        self.0.lock().is_some()
    }

    pub(crate) fn set(&self, answer: Result<Committed<T>, E>) {
        let mut place = self.0.lock();
        place.get_or_insert(answer);
    }

    pub(crate) fn take(&self) -> Option<Result<Committed<T>, E>> {
        self.0.lock().take()
    }
}

pub(crate) struct TypedWork<F, T, E, D>
where
    E: From<CommitError>,
    D: FnOnce(Result<Committed<T>, E>),
{
    work: F,
    result: Option<Result<T, E>>,
    /// Called with the answer, once.
    done: Option<D>,
}

impl<F, T, E, D> TypedWork<F, T, E, D>
where
    E: From<CommitError>,
    D: FnOnce(Result<Committed<T>, E>),
{
    pub(crate) fn new(work: F, done: D) -> TypedWork<F, T, E, D> {
        TypedWork { work, result: None, done: Some(done) }
    }

    fn answer(&mut self, answer: Result<Committed<T>, E>) {
        if let Some(done) = self.done.take() {
            done(answer);
        }
    }
}

impl<F, T, E, D> QueuedWork for TypedWork<F, T, E, D>
where
    F: FnMut(&mut Staging<'_>) -> Result<T, E> + Send,
    T: Send,
    E: From<CommitError> + Send,
    D: FnOnce(Result<Committed<T>, E>) + Send,
{
    fn run(&mut self, staging: &mut Staging<'_>) -> bool {
        // A panic costs this piece of work alone.
        let result = catch_unwind(AssertUnwindSafe(|| (self.work)(staging)));
        let result = result.unwrap_or_else(|_| Err(CommitError::Panicked.into()));
        let content = result.is_ok();
        self.result = Some(result);
        content
    }

    fn complete(&mut self, snapshot: &Arc<Snapshot>) {
        let result = self.result.take().unwrap_or_else(|| Err(CommitError::Stale.into()));
        self.answer(result.map(|value| Committed { value, snapshot: snapshot.clone() }));
    }

    fn fail(&mut self, error: CommitError) {
        self.answer(Err(error.into()));
    }
}

impl<F, T, E, D> Drop for TypedWork<F, T, E, D>
where
    E: From<CommitError>,
    D: FnOnce(Result<Committed<T>, E>),
{
    /// Nobody waits for ever for work that was lost by a panic.
    fn drop(&mut self) {
        self.answer(Err(CommitError::Panicked.into()));
    }
}
