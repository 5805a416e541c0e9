//! The delivery log of a webhook: a file with the outcomes of the last attempts.

use std::sync::Arc;

use crate::model::name::EntryId;
use crate::model::webhook::DeliveryAttempt;
use crate::store::disk::Disk;
use crate::store::error::StoreError;
use crate::store::layout;
use crate::store::logs::jsonl::JsonlFile;

/// The number of attempts that are kept.
pub const ATTEMPTS_MAX: usize = 200;

/// The delivery log of one webhook.
pub struct DeliveryLog {
    disk: Arc<dyn Disk>,
    webhook: EntryId,
    lines: JsonlFile,
    n_lines: usize,
    last: Option<DeliveryAttempt>,
}

impl DeliveryLog {
    /// Opens the log of a webhook, which may be empty.
    pub fn open(disk: Arc<dyn Disk>, webhook: EntryId) -> DeliveryLog {
        let (lines, n_lines, all) = read_log(&disk, &webhook);
        let last = all.into_iter().next_back();
        DeliveryLog { disk, webhook, lines, n_lines, last }
    }

    /// Returns the newest attempt.
    pub fn last_attempt(&self) -> Option<&DeliveryAttempt> {
        self.last.as_ref()
    }

    /// Returns all kept attempts, the newest first.
    pub fn list_attempts(&self) -> Vec<DeliveryAttempt> {
        let (_, _, mut all) = read_log(&self.disk, &self.webhook);
        all.reverse();
        all.truncate(ATTEMPTS_MAX);
        all
    }

    /// Appends an attempt.
    pub fn record_attempt(&mut self, attempt: DeliveryAttempt) -> Result<(), StoreError> {
        let line = render_line(&attempt);
        self.last = Some(attempt);
        self.lines.append_lines(&line)?;
        self.n_lines += 1;
        if self.n_lines < 2 * ATTEMPTS_MAX {
            return Ok(());
        }
        let kept = self.list_attempts();
        let text: Vec<u8> = kept.iter().rev().flat_map(render_line).collect();
        self.n_lines = kept.len();
        self.lines.replace_all(&text)
    }
}

fn read_log(disk: &Arc<dyn Disk>, webhook: &EntryId) -> (JsonlFile, usize, Vec<DeliveryAttempt>) {
    let (mut n_lines, mut all) = (0, Vec::new());
    let path = layout::webhook_log(webhook);
    let lines = JsonlFile::open(disk.clone(), path.clone(), |_, line| {
        n_lines += 1;
        // Lines torn by a crash, and lines of other versions, are skipped.
        all.extend(serde_json::from_slice::<DeliveryAttempt>(line).ok());
    });
    // A log that cannot be read is only missing in lists.
    let lines = lines.unwrap_or_else(|error| {
        tracing::warn!(%error, "the delivery log cannot be read");
        JsonlFile::empty(disk.clone(), path)
    });
    (lines, n_lines, all)
}

fn render_line(attempt: &DeliveryAttempt) -> Vec<u8> {
    // Structs of strings and numbers can always be serialized.
    let mut text = serde_json::to_vec(attempt).unwrap_or_default();
    text.push(b'\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::webhook::DeliveryOutcome;
    use crate::model::webhook::DeliveryState;
    use crate::model::webhook::WebhookMessage;
    use crate::stdx::time::Timestamp;
    use crate::store::disk::OsDisk;

    #[test]
    fn the_last_attempts_are_remembered() {
        let data = tempfile::tempdir().unwrap();
        let disk: Arc<dyn Disk> = Arc::new(OsDisk::open(data.path()).unwrap());
        let (webhook, at) = (EntryId::parse("h1").unwrap(), Timestamp::from_seconds(0));
        let message = WebhookMessage::build_test("e1", &webhook, "Site", at, "r1");
        let attempt = |number: usize| {
            let outcome = DeliveryOutcome { status: Some(200), ..DeliveryOutcome::default() };
            let state = (DeliveryState::Delivered, None);
            DeliveryAttempt::new(&number.to_string(), &webhook, &message, (1, at), &outcome, state)
        };
        let mut log = DeliveryLog::open(disk.clone(), webhook.clone());
        assert!(log.last_attempt().is_none() && log.list_attempts().is_empty());
        for number in 0..3 * ATTEMPTS_MAX {
            log.record_attempt(attempt(number)).unwrap();
        }
        let expect: Vec<DeliveryAttempt> =
            (2 * ATTEMPTS_MAX..3 * ATTEMPTS_MAX).rev().map(attempt).collect();
        assert_eq!(log.list_attempts(), expect);
        let again = DeliveryLog::open(disk, webhook.clone());
        assert_eq!((again.last_attempt(), again.list_attempts()), (expect.first(), expect.clone()));
        assert!(again.n_lines < 2 * ATTEMPTS_MAX);
    }
}
