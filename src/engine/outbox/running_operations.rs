//! The requests about many entries that are under way, whose messages wait for their end.

use crate::stdx::sync::Mutex;
use crate::store::logs::outbox::OperationSum;
use crate::store::logs::outbox::sum_operation;

/// The requests about many entries that are under way. Nothing of them is sent before they end.
#[derive(Debug, Default)]
pub(crate) struct RunningOperations(Mutex<Vec<RunningOperation>>);

#[derive(Debug)]
struct RunningOperation {
    id: String,
    request_id: String,
    sum: OperationSum,
}

impl RunningOperations {
    /// Returns true if this operation is under way.
    pub(crate) fn contains(&self, operation: OperationSum) -> bool {
        self.0.lock().iter().any(|it| it.sum == operation)
    }

    /// Returns the id of the operation of a request, if it is one.
    pub(super) fn find_by_request(&self, request_id: &str) -> Option<String> {
        let running = self.0.lock();
        running.iter().find(|it| it.request_id == request_id).map(|it| it.id.clone())
    }

    pub(super) fn begin(&self, id: &str, request_id: &str) {
        let (id, request_id) = (id.to_string(), request_id.to_string());
        let sum = sum_operation(&id);
        self.0.lock().push(RunningOperation { id, request_id, sum });
    }

    pub(super) fn end(&self, id: &str) {
        self.0.lock().retain(|it| it.id != id);
    }
}
