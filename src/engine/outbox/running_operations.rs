//! The requests about many entries that are under way, whose messages wait for their end.

use crate::model::event::Actor;
use crate::stdx::sync::Mutex;
use crate::store::logs::outbox::OperationSum;
use crate::store::logs::outbox::sum_operation;

/// The requests about many entries that are under way. Nothing of them is sent before they end.
#[derive(Debug, Default)]
pub(crate) struct RunningOperations(Mutex<Vec<RunningOperation>>);

#[derive(Debug)]
struct RunningOperation {
    id: String,
    /// The ids of the actor and of the request: others may send the same request id.
    by: (String, String),
    sum: OperationSum,
}

impl RunningOperations {
    /// Returns true if this operation is under way.
    pub(crate) fn contains(&self, operation: OperationSum) -> bool {
        self.0.lock().iter().any(|it| it.sum == operation)
    }

    /// Returns true if nothing is under way, as nearly always.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.lock().is_empty()
    }

    /// Returns the id of the operation of a request, if it is one.
    pub(super) fn find_by_actor(&self, by: &Actor) -> Option<String> {
        let running = self.0.lock();
        let is_theirs = |it: &RunningOperation| it.by.0 == by.id && it.by.1 == by.request_id;
        running.iter().find(|it| is_theirs(it)).map(|it| it.id.clone())
    }

    pub(super) fn begin(&self, id: &str, by: &Actor) {
        let (id, by) = (id.to_string(), (by.id.clone(), by.request_id.clone()));
        let sum = sum_operation(&id);
        self.0.lock().push(RunningOperation { id, by, sum });
    }

    pub(super) fn end(&self, id: &str) {
        self.0.lock().retain(|it| it.id != id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::event::EventSource;

    fn actor(id: &str, request_id: &str) -> Actor {
        let (id, request_id) = (id.to_string(), request_id.to_string());
        Actor { id, name: String::new(), ip: None, request_id, source: EventSource::Api }
    }

    #[test]
    fn nobody_joins_an_operation_by_the_id_of_its_request() {
        let running = RunningOperations::default();
        running.begin("o1", &actor("u1", "r1"));
        assert_eq!(running.find_by_actor(&actor("u1", "r1")).as_deref(), Some("o1"));
        assert_eq!(running.find_by_actor(&actor("u2", "r1")), None);
        assert_eq!(running.find_by_actor(&actor("u1", "r2")), None);
        assert!(!running.is_empty());
        running.end("o1");
        assert!(running.is_empty());
    }
}
