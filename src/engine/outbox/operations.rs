//! Operations on several entries, whose messages are sent to a webhook in one call: publications of
//! changes, and requests about many entries.

use std::collections::HashMap;
use std::collections::HashSet;
use std::sync::Arc;

use crate::engine::outbox::EventOutbox;
use crate::engine::outbox::running_operations::RunningOperations;
use crate::model::event::Actor;
use crate::model::event::EmittedEvent;
use crate::model::event::EventKind;
use crate::model::event::Subject;
use crate::model::webhook::CALL_ENTRIES_MAX;
use crate::model::webhook::Webhook;
use crate::model::webhook::WebhookMessage;

/// An operation that is under way until this is dropped.
#[must_use = "the operation ends when this is dropped"]
pub struct OperationGuard<'o> {
    outbox: &'o EventOutbox,
    id: String,
}

impl Drop for OperationGuard<'_> {
    fn drop(&mut self) {
        self.outbox.webhooks.running.end(&self.id);
        self.outbox.webhooks.wake_sender();
    }
}

impl EventOutbox {
    /// Begins an operation: webhooks are told in one call of all that the request of `by` does
    /// until its end.
    pub fn begin_operation(&self, by: &Actor) -> OperationGuard<'_> {
        let id = self.folder.new_id().to_string();
        if !by.request_id.is_empty() {
            self.webhooks.running.begin(&id, by);
        }
        OperationGuard { outbox: self, id }
    }
}

/// Returns the messages about the events that a webhook wants. With the publication of a change it
/// gets the events of its entries.
pub(super) fn build_messages(
    webhook: &Webhook,
    told: &[Arc<EmittedEvent>],
    running: &RunningOperations,
) -> Vec<WebhookMessage> {
    let published: HashSet<&str> = told
        .iter()
        .filter(|it| webhook.wants_event(it))
        .filter_map(|it| published_id(it))
        .collect();
    let is_of_published =
        |it: &EmittedEvent| it.event.in_change.as_deref().is_some_and(|it| published.contains(it));
    let mut messages: Vec<WebhookMessage> = Vec::new();
    let mut operations: HashMap<String, OperationExtent<'_>> = HashMap::new();
    for emitted in told.iter().filter(|it| webhook.wants_event(it) || is_of_published(it)) {
        let operation = find_operation(emitted, running);
        if let Some(operation) = &operation {
            let extent = operations.entry(operation.clone()).or_default();
            if !extent.admit(&emitted.event.subject) {
                extent.n_omitted += 1;
                continue;
            }
            extent.last = messages.len();
        }
        let message = WebhookMessage::from_event(emitted, &webhook.id);
        messages.push(WebhookMessage { operation, ..message });
    }
    for extent in operations.into_values() {
        if let Some(last) = messages.get_mut(extent.last) {
            last.n_omitted = extent.n_omitted;
        }
    }
    messages
}

/// The entries of an operation that messages are about.
#[derive(Default)]
struct OperationExtent<'e> {
    entries: HashSet<(&'e str, &'e str)>,
    /// The position of the last message.
    last: usize,
    n_omitted: usize,
}

impl<'e> OperationExtent<'e> {
    /// Returns true if there is a message about the subject: what a call does not name needs none.
    fn admit(&mut self, subject: &'e Subject) -> bool {
        let Subject::Entry { type_name, id, .. } = subject else { return true };
        let entry = (type_name.as_str(), id.as_str());
        if self.entries.len() < CALL_ENTRIES_MAX {
            self.entries.insert(entry);
        }
        self.entries.contains(&entry)
    }
}

/// Returns the id of the operation that an event is a part of, if it is one.
fn find_operation(emitted: &EmittedEvent, running: &RunningOperations) -> Option<String> {
    let event = &emitted.event;
    let change = event.in_change.as_deref().or_else(|| published_id(emitted));
    let of_request = || running.find_by_actor(event.by.as_ref()?);
    change.map(str::to_string).or_else(of_request)
}

/// Returns the id of the change if its publication is the event.
fn published_id(emitted: &EmittedEvent) -> Option<&str> {
    match &emitted.event.subject {
        Subject::Change { change, .. } if emitted.event.kind == EventKind::ChangePublished => {
            Some(change)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::event::Event;
    use crate::model::name::WorkspaceSlug;
    use crate::model::webhook::CallContent;
    use crate::model::webhook::CallCounts;
    use crate::model::webhook::parse_file;
    use crate::stdx::json::Json;
    use crate::stdx::time::Timestamp;

    fn emit(number: usize, kind: EventKind, subject: Subject) -> Arc<EmittedEvent> {
        let is_entry = matches!(subject, Subject::Entry { .. });
        let in_change = is_entry.then(|| "c1".to_string());
        Arc::new(EmittedEvent {
            id: format!("e{number}"),
            at: Timestamp::from_seconds(0),
            workspace: WorkspaceSlug::parse("main").ok(),
            event: Event { in_change, ..Event::from_schedule(kind, subject) },
        })
    }

    fn publication(n_entries: usize) -> Vec<Arc<EmittedEvent>> {
        let entry = |number: usize| Subject::Entry {
            type_name: "posts".into(),
            id: format!("p{number}"),
            slug: String::new(),
            status: "published".into(),
            title: String::new(),
        };
        let kinds = [EventKind::ContentUpdated, EventKind::ContentPublished];
        let events = (0..n_entries).flat_map(|it| kinds.map(|kind| emit(it, kind, entry(it))));
        let change = Subject::Change { change: "c1".into(), label: "Spring".into() };
        events.chain([emit(n_entries, EventKind::ChangePublished, change)]).collect()
    }

    #[test]
    fn a_large_operation_names_so_many_entries_and_counts_the_others() {
        let check = |events: &str, n_entries: usize, expect: (usize, usize)| {
            let file = format!(
                r#"{{"webhooks":[{{"id":"h1","name":"h","url":"https://example.org/",
                "events":[{events}],"secret":"sixteen characters"}}]}}"#
            );
            let hooks = parse_file(Json::parse(file.as_bytes()).unwrap().as_object().unwrap()).0;
            let running = RunningOperations::default();
            let messages = build_messages(&hooks[0], &publication(n_entries), &running);
            let omitted = messages.iter().map(|it| it.n_omitted).sum();
            assert_eq!((messages.len(), omitted), expect, "{events}");
            let counts = CallCounts { messages: expect.0, omitted, is_one_operation: true };
            let mut content = CallContent::default();
            messages.iter().for_each(|it| content.add_message(it.clone()));
            let call = content.into_call(messages.last().unwrap(), counts);
            let body: serde_json::Value = serde_json::from_str(&call.body).unwrap();
            let data = &body["data"];
            let named = data["entries"].as_array().unwrap().len();
            assert_eq!(named, n_entries.min(CALL_ENTRIES_MAX));
            assert_eq!(data["truncated"], n_entries > CALL_ENTRIES_MAX);
            let wanted = if events.contains("content.p") { n_entries } else { 2 * n_entries };
            assert_eq!((&data["count"], &data["complete"]), (&wanted.into(), &false.into()));
        };
        check(r#""*""#, 1_000, (2_001, 0));
        check(r#""*""#, 1_500, (2_001, 1_000));
        check(r#""change.published""#, 1_500, (2_001, 1_000));
        check(r#""content.published""#, 1_500, (1_000, 500));
    }
}
