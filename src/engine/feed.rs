//! What happened lately, in order: for live streams and for whatever follows changes.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::MutexGuard;
use std::sync::PoisonError;
use std::sync::RwLock;

use crate::model::event::Told;

/// How many events can be asked for again.
const EVENTS_MAX: usize = 4_096;

/// Who wants to hear of every event. It is called on the thread that made the change, so it only
/// passes it on.
type Listener = Box<dyn Fn(&Arc<Told>) + Send + Sync>;

/// The last events, oldest first.
#[derive(Default)]
pub struct Feed {
    ring: Mutex<Ring>,
    listeners: RwLock<Vec<Listener>>,
}

#[derive(Default)]
struct Ring {
    events: VecDeque<Arc<Told>>,
    /// Whether some of them are forgotten.
    forgot: bool,
}

impl Feed {
    /// Adds events, of which the oldest are forgotten one day, and tells whoever listens.
    pub(crate) fn push(&self, events: impl IntoIterator<Item = Arc<Told>>) {
        let events: Vec<Arc<Told>> = events.into_iter().collect();
        {
            let mut ring = self.lock();
            ring.events.extend(events.iter().cloned());
            let too_many = ring.events.len().saturating_sub(EVENTS_MAX);
            ring.events.drain(..too_many);
            ring.forgot |= too_many > 0;
        }
        let listeners = self.listeners.read().unwrap_or_else(PoisonError::into_inner);
        for told in &events {
            listeners.iter().for_each(|it| it(told));
        }
    }

    /// Has every event from now on passed on. What was added before is in the ring by then.
    pub fn listen(&self, listener: impl Fn(&Arc<Told>) + Send + Sync + 'static) {
        let mut listeners = self.listeners.write().unwrap_or_else(PoisonError::into_inner);
        listeners.push(Box::new(listener));
    }

    /// The events after the one of this id, oldest first; nothing when that one is forgotten, since
    /// then there is a gap.
    pub fn after(&self, id: &str) -> Option<Vec<Arc<Told>>> {
        let ring = self.lock();
        let at = ring.events.iter().position(|it| it.id == id)?;
        Some(ring.events.iter().skip(at + 1).cloned().collect())
    }

    /// All events since the start, oldest first; nothing when some are forgotten.
    pub fn since_start(&self) -> Option<Vec<Arc<Told>>> {
        let ring = self.lock();
        (!ring.forgot).then(|| ring.events.iter().cloned().collect())
    }

    /// The id of the last event.
    pub fn last_id(&self) -> Option<String> {
        self.lock().events.back().map(|it| it.id.clone())
    }

    /// All that is remembered, oldest first.
    pub fn all(&self) -> Vec<Arc<Told>> {
        self.lock().events.iter().cloned().collect()
    }

    // The ring is whole after every step, so poison means nothing.
    fn lock(&self) -> MutexGuard<'_, Ring> {
        self.ring.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
