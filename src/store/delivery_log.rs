//! What came of the last messages to one webhook: lines in a file, of which the old are forgotten.

use std::sync::Arc;

use crate::model::name::EntryId;
use crate::model::webhook::Attempt;
use crate::store::disk::Disk;
use crate::store::error::StoreError;
use crate::store::layout;
use crate::store::lines::Lines;

/// How many attempts are remembered.
pub const ATTEMPTS_MAX: usize = 200;

/// The delivery log of one webhook.
pub struct DeliveryLog {
    disk: Arc<dyn Disk>,
    webhook: EntryId,
    lines: Lines,
    n_lines: usize,
    last: Option<Attempt>,
}

impl DeliveryLog {
    /// The log of a webhook, be it empty.
    pub fn open(disk: Arc<dyn Disk>, webhook: EntryId) -> DeliveryLog {
        let (lines, n_lines, all) = read(&disk, &webhook);
        let last = all.into_iter().next_back();
        DeliveryLog { disk, webhook, lines, n_lines, last }
    }

    /// The newest attempt.
    pub fn last(&self) -> Option<&Attempt> {
        self.last.as_ref()
    }

    /// All attempts that are remembered, newest first.
    pub fn all(&self) -> Vec<Attempt> {
        let (_, _, mut all) = read(&self.disk, &self.webhook);
        all.reverse();
        all.truncate(ATTEMPTS_MAX);
        all
    }

    /// Writes an attempt down.
    pub fn add(&mut self, attempt: Attempt) -> Result<(), StoreError> {
        let line = text(&attempt);
        self.last = Some(attempt);
        self.lines.append(&line)?;
        self.n_lines += 1;
        if self.n_lines < 2 * ATTEMPTS_MAX {
            return Ok(());
        }
        let kept = self.all();
        let text: Vec<u8> = kept.iter().rev().flat_map(text).collect();
        self.n_lines = kept.len();
        self.lines.replace(&text)
    }
}

fn read(disk: &Arc<dyn Disk>, webhook: &EntryId) -> (Lines, usize, Vec<Attempt>) {
    let (mut n_lines, mut all) = (0, Vec::new());
    let lines = Lines::open(disk.clone(), layout::webhook_log(webhook), |_, line| {
        n_lines += 1;
        // What a crash tore, or another version wrote, is left out.
        all.extend(serde_json::from_slice::<Attempt>(line).ok());
    });
    (lines, n_lines, all)
}

fn text(attempt: &Attempt) -> Vec<u8> {
    // Strings and numbers always serialise.
    let mut text = serde_json::to_vec(attempt).unwrap_or_default();
    text.push(b'\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::webhook::Message;
    use crate::model::webhook::Outcome;
    use crate::model::webhook::State;
    use crate::stdx::time::Timestamp;
    use crate::store::disk::OsDisk;

    #[test]
    fn the_last_attempts_are_remembered() {
        let data = tempfile::tempdir().unwrap();
        let disk: Arc<dyn Disk> = Arc::new(OsDisk::open(data.path()).unwrap());
        let (webhook, at) = (EntryId::parse("h1").unwrap(), Timestamp::from_seconds(0));
        let message = Message::test("e1", &webhook, "Site", at, "r1");
        let attempt = |number: usize| {
            let outcome = Outcome { status: Some(200), ..Outcome::default() };
            let state = (State::Delivered, None);
            Attempt::new(&number.to_string(), &webhook, &message, (1, at), &outcome, state)
        };
        let mut log = DeliveryLog::open(disk.clone(), webhook.clone());
        assert!(log.last().is_none() && log.all().is_empty());
        for number in 0..3 * ATTEMPTS_MAX {
            log.add(attempt(number)).unwrap();
        }
        let expect: Vec<Attempt> =
            (2 * ATTEMPTS_MAX..3 * ATTEMPTS_MAX).rev().map(attempt).collect();
        assert_eq!(log.all(), expect);
        let again = DeliveryLog::open(disk, webhook.clone());
        assert_eq!((again.last(), again.all()), (expect.first(), expect.clone()));
        assert!(again.n_lines < 2 * ATTEMPTS_MAX);
    }
}
