//! The feed of recent events, in order: for live streams and for whatever follows changes.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::model::event::EmittedEvent;
use crate::stdx::sync::Mutex;
use crate::stdx::sync::RwLock;

/// The number of events that can be asked for again.
const EVENTS_MAX: usize = 4_096;

/// A listener to every event. It is called on the thread that made the change, so it only passes
/// the event on.
type EventListener = Box<dyn Fn(&Arc<EmittedEvent>) + Send + Sync>;

/// The last events, oldest first.
#[derive(Default)]
pub struct Feed {
    ring: Mutex<EventRing>,
    listeners: RwLock<Vec<EventListener>>,
}

#[derive(Default)]
struct EventRing {
    events: VecDeque<Arc<EmittedEvent>>,
    /// True once some of them are forgotten.
    forgot: bool,
}

impl Feed {
    /// Adds events, of which the oldest are forgotten one day, and tells whoever listens.
    pub(crate) fn push(&self, events: impl IntoIterator<Item = Arc<EmittedEvent>>) {
        let events: Vec<Arc<EmittedEvent>> = events.into_iter().collect();
        {
            let mut ring = self.ring.lock();
            ring.events.extend(events.iter().cloned());
            let too_many = ring.events.len().saturating_sub(EVENTS_MAX);
            ring.events.drain(..too_many);
            ring.forgot |= too_many > 0;
        }
        let listeners = self.listeners.read();
        for told in &events {
            listeners.iter().for_each(|it| it(told));
        }
    }

    /// Has every event from now on passed on. What was added before is in the ring by then.
    pub fn add_listener(&self, listener: impl Fn(&Arc<EmittedEvent>) + Send + Sync + 'static) {
        let mut listeners = self.listeners.write();
        listeners.push(Box::new(listener));
    }

    /// The events after the one of this id, oldest first; nothing when that one is forgotten, since
    /// then there is a gap.
    pub fn events_after(&self, id: &str) -> Option<Vec<Arc<EmittedEvent>>> {
        let ring = self.ring.lock();
        let at = ring.events.iter().position(|it| it.id == id)?;
        Some(ring.events.iter().skip(at + 1).cloned().collect())
    }

    /// All events since the start, oldest first; nothing when some are forgotten.
    pub fn events_since_start(&self) -> Option<Vec<Arc<EmittedEvent>>> {
        let ring = self.ring.lock();
        (!ring.forgot).then(|| ring.events.iter().cloned().collect())
    }

    /// The id of the last event.
    pub fn last_event_id(&self) -> Option<String> {
        self.ring.lock().events.back().map(|it| it.id.clone())
    }
}
