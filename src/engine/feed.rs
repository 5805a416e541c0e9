//! What happened lately, in order: for live streams and for whatever follows changes.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::MutexGuard;
use std::sync::PoisonError;

use crate::model::event::Told;

/// How many events can be asked for again.
const EVENTS_MAX: usize = 4_096;

/// The last events, oldest first.
#[derive(Default)]
pub struct Feed(Mutex<VecDeque<Arc<Told>>>);

impl Feed {
    /// Adds events, of which the oldest are forgotten one day.
    pub(crate) fn push(&self, events: impl IntoIterator<Item = Arc<Told>>) {
        let mut ring = self.lock();
        ring.extend(events);
        let too_many = ring.len().saturating_sub(EVENTS_MAX);
        ring.drain(..too_many);
    }

    /// The events after the one of this id, oldest first; nothing when that one is forgotten, since
    /// then there is a gap.
    pub fn after(&self, id: &str) -> Option<Vec<Arc<Told>>> {
        let ring = self.lock();
        let at = ring.iter().position(|it| it.id == id)?;
        Some(ring.iter().skip(at + 1).cloned().collect())
    }

    /// All that is remembered, oldest first.
    pub fn all(&self) -> Vec<Arc<Told>> {
        self.lock().iter().cloned().collect()
    }

    // The ring is whole after every step, so poison means nothing.
    fn lock(&self) -> MutexGuard<'_, VecDeque<Arc<Told>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
