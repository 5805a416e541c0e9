//! The events that an engine has emitted, for tests that look at all of them.

use std::sync::Arc;

use recto::engine::Engine;
use recto::model::event::EmittedEvent;
use recto::model::event::EventKind;

/// Returns all events since the engine was opened, oldest first.
pub(crate) fn list_events(engine: &Engine) -> Vec<Arc<EmittedEvent>> {
    engine.outbox().feed().events_since_start().unwrap()
}

/// Returns the kinds of all events since the engine was opened, oldest first.
pub(crate) fn list_event_kinds(engine: &Engine) -> Vec<EventKind> {
    list_events(engine).iter().map(|it| it.event.kind).collect()
}
