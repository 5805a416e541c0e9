//! The outbox of a webhook: the queue of its messages in an append-only file. There is a line for
//! each message, for each failed attempt, and for each completed message. A message is stored once
//! [`Outbox::push`] returns, even if the process ends.

use std::collections::HashMap;
use std::collections::VecDeque;
use std::sync::Arc;

use serde::Deserialize;
use serde::Serialize;

use crate::model::name::EntryId;
use crate::model::webhook::CallContent;
use crate::model::webhook::CallCounts;
use crate::model::webhook::WebhookMessage;
use crate::stdx::checksum::Checksum;
use crate::stdx::time::Timestamp;
use crate::store::disk::Disk;
use crate::store::error::StoreError;
use crate::store::layout;
use crate::store::logs::jsonl::JsonlFile;
use crate::store::logs::jsonl::LineSpan;

/// The maximum number of waiting messages.
pub const MESSAGES_MAX: usize = 10_000;

/// The maximum size of the waiting messages in bytes.
const BYTES_MAX: u64 = 32 * 1024 * 1024;

/// The fraction of messages that is dropped at once when too many are waiting, so that this does
/// not happen for each new message.
const GIVEN_UP: usize = 10;

/// The minimum size of completed messages in bytes before the file is rewritten.
const SPENT_BYTES_MIN: u64 = 256 * 1024;

/// A line of the file.
#[derive(Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "lowercase")]
enum OutboxRecord {
    /// A message. Numbers increase.
    Send { number: u64, message: WebhookMessage },
    /// The number of attempts for the first message. The time of the next one is not stored: after
    /// a start all waiting messages are tried immediately.
    Retry { number: u64, attempts: u32 },
    /// All messages up to this number are completed.
    Done { number: u64 },
}

impl OutboxRecord {
    fn render_line(&self) -> Vec<u8> {
        // Structs of strings and numbers can always be serialized.
        let mut text = serde_json::to_vec(self).unwrap_or_default();
        text.push(b'\n');
        text
    }
}

/// The first waiting message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueuedMessage {
    /// The position in the queue.
    pub number: u64,
    /// The number of attempts.
    pub attempts: u32,
    /// The message.
    pub message: WebhookMessage,
}

/// Consecutive messages that are sent in one call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessageGroup {
    /// The content of the call.
    pub content: CallContent,
    /// The last message, with its position in the queue.
    pub last: (u64, WebhookMessage),
    /// The messages, counted.
    pub counts: CallCounts,
}

/// Messages that were dropped because too many were waiting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DroppedMessages {
    /// The number of messages.
    pub count: usize,
    /// The last message.
    pub last: Option<WebhookMessage>,
}

/// A waiting message: where it is, and what decides with which others it is sent.
#[derive(Clone, Copy)]
struct QueueSlot {
    number: u64,
    place: LineSpan,
    operation: Option<OperationSum>,
    n_omitted: usize,
    is_call: bool,
}

impl QueueSlot {
    fn new(number: u64, place: LineSpan, message: &WebhookMessage) -> QueueSlot {
        QueueSlot {
            number,
            place,
            operation: message.operation.as_deref().map(sum_operation),
            n_omitted: message.n_omitted,
            is_call: message.is_call,
        }
    }
}

/// A checksum of the id of an operation, which tells operations apart.
pub type OperationSum = Checksum;

/// Returns the checksum of the id of an operation.
pub fn sum_operation(id: &str) -> OperationSum {
    Checksum::of_bytes(id.as_bytes())
}

/// The positions of the waiting messages.
#[derive(Default)]
struct MessageQueue {
    slots: VecDeque<QueueSlot>,
    bytes: u64,
    /// The highest number that was ever assigned.
    last: u64,
    /// The number of attempts for the first message, and the time of the next one.
    attempts: u32,
    next: Option<Timestamp>,
}

impl MessageQueue {
    fn apply_line(&mut self, place: LineSpan, line: &[u8]) {
        // Torn lines are ignored.
        match serde_json::from_slice(line) {
            Ok(OutboxRecord::Send { number, message }) if number > self.last => {
                self.push_slot(QueueSlot::new(number, place, &message));
            }
            Ok(OutboxRecord::Retry { number, attempts }) if self.is_first(number) => {
                self.attempts = attempts;
            }
            Ok(OutboxRecord::Done { number }) => self.drop_through(number),
            _ => {}
        }
    }

    fn push_slot(&mut self, slot: QueueSlot) {
        self.bytes = self.bytes.saturating_add(slot.place.length as u64);
        self.last = slot.number;
        self.slots.push_back(slot);
    }

    fn is_first(&self, number: u64) -> bool {
        self.slots.front().is_some_and(|it| it.number == number)
    }

    fn drop_through(&mut self, number: u64) {
        while let Some(slot) = self.slots.pop_front_if(|it| it.number <= number) {
            self.bytes = self.bytes.saturating_sub(slot.place.length as u64);
            (self.attempts, self.next) = (0, None);
        }
        self.last = self.last.max(number);
    }
}

/// The queue of messages to a webhook.
pub struct Outbox {
    disk: Arc<dyn Disk>,
    webhook: EntryId,
    lines: JsonlFile,
    queue: MessageQueue,
    /// True once the file was read; until then the queue is unknown.
    is_read: bool,
}

impl Outbox {
    /// Opens the queue of a webhook. Only the process that holds the instance lock opens it. A file
    /// that cannot be read now is read later when it is needed.
    pub fn open(disk: Arc<dyn Disk>, webhook: EntryId) -> Outbox {
        let lines = JsonlFile::empty(disk.clone(), layout::webhook_queue(&webhook));
        let mut outbox =
            Outbox { disk, webhook, lines, queue: MessageQueue::default(), is_read: false };
        if let Err(error) = outbox.ensure_read() {
            tracing::warn!(webhook = %outbox.webhook, %error, "cannot read the waiting messages");
        }
        outbox
    }

    /// Reads the file if that has not been done.
    pub fn ensure_read(&mut self) -> Result<(), StoreError> {
        if self.is_read {
            return Ok(());
        }
        let mut queue = MessageQueue::default();
        let path = layout::webhook_queue(&self.webhook);
        self.lines =
            JsonlFile::open(self.disk.clone(), path, |place, line| queue.apply_line(place, line))?;
        // Assigned numbers are not reused, even if the file was replaced.
        queue.last = queue.last.max(self.queue.last);
        (self.queue, self.is_read) = (queue, true);
        Ok(())
    }

    /// Returns the number of waiting messages.
    pub fn len(&self) -> usize {
        self.queue.slots.len()
    }

    /// Returns true if no message is waiting.
    pub fn is_empty(&self) -> bool {
        self.queue.slots.is_empty()
    }

    /// Returns the time to send the first message: the outer `None` means that there is none, the
    /// inner one that it is due now.
    pub fn next_due(&self) -> Option<Option<Timestamp>> {
        (!self.is_empty()).then_some(self.queue.next)
    }

    /// Adds messages. If too many are waiting, the oldest are dropped.
    pub fn push(
        &mut self,
        messages: Vec<WebhookMessage>,
    ) -> Result<Option<DroppedMessages>, StoreError> {
        self.ensure_read()?;
        let (mut text, mut slots) = (Vec::new(), Vec::with_capacity(messages.len()));
        let mut number = self.queue.last;
        for message in messages {
            number += 1;
            let mut slot = QueueSlot::new(number, LineSpan { offset: 0, length: 0 }, &message);
            let line = OutboxRecord::Send { number, message }.render_line();
            let length = line.len().saturating_sub(1);
            slot.place = LineSpan { offset: text.len() as u64, length };
            slots.push(slot);
            text.extend_from_slice(&line);
        }
        let offset = self.lines.append_lines(&text)?;
        for mut slot in slots {
            slot.place.offset = slot.place.offset.saturating_add(offset);
            self.queue.push_slot(slot);
        }
        self.drop_oldest()
    }

    fn drop_oldest(&mut self) -> Result<Option<DroppedMessages>, StoreError> {
        if self.len() <= MESSAGES_MAX && self.queue.bytes <= BYTES_MAX {
            return Ok(None);
        }
        let mut count = (self.len() / GIVEN_UP).max(1);
        // What is left of an operation would look like all of it.
        let slots = &self.queue.slots;
        let operation = |at: usize| slots.get(at).and_then(|it| it.operation);
        while operation(count).is_some_and(|it| operation(count - 1) == Some(it)) {
            count += 1;
        }
        // The newest message is kept regardless of its size.
        count = count.min(self.len().saturating_sub(1));
        let Some(slot) = count.checked_sub(1).and_then(|it| self.queue.slots.get(it)).copied()
        else {
            return Ok(None);
        };
        let last = self.read_message(slot)?;
        self.mark_done(slot.number)?;
        Ok(Some(DroppedMessages { count, last }))
    }

    /// Reads the first message. If the file cannot be read, all messages are kept.
    pub fn read_first(&mut self) -> Result<Option<QueuedMessage>, StoreError> {
        self.ensure_read()?;
        let mut is_anew = false;
        while let Some(slot) = self.queue.slots.front().copied() {
            if let Some(message) = self.read_message(slot)? {
                let (number, attempts) = (slot.number, self.queue.attempts);
                return Ok(Some(QueuedMessage { number, attempts, message }));
            }
            if is_anew {
                // The message disappeared from the file.
                self.queue.drop_through(slot.number);
            } else {
                self.reopen_file()?;
                is_anew = true;
            }
        }
        Ok(None)
    }

    /// Reads the messages up to the number `to`, as far as a call tells them. Returns `None` if the
    /// file does not contain them.
    pub fn read_group(&self, to: u64) -> Result<Option<MessageGroup>, StoreError> {
        // A call that is sent again is sent on its own.
        let slots = self.queue.slots.iter().take_while(|it| it.number <= to && !it.is_call);
        let slots: Vec<QueueSlot> = slots.copied().collect();
        let (Some(first), Some(last)) = (slots.first(), slots.last()) else { return Ok(None) };
        let mut content = CallContent::default();
        for slot in &slots {
            if content.is_full() {
                break;
            }
            let Some(message) = self.read_message(*slot)? else { return Ok(None) };
            content.add_message(message);
        }
        let counts = CallCounts {
            messages: slots.len(),
            omitted: slots.iter().map(|it| it.n_omitted).sum(),
            is_one_operation: first.operation.is_some()
                && slots.iter().all(|it| it.operation == first.operation),
        };
        let message = self.read_message(*last)?;
        Ok(message.map(|it| MessageGroup { content, last: (last.number, it), counts }))
    }

    /// Returns the ids of the messages up to the number `to`.
    pub fn list_ids(&self, to: u64) -> Result<Vec<String>, StoreError> {
        let mut ids = Vec::new();
        for slot in self.queue.slots.iter().take_while(|it| it.number <= to) {
            ids.extend(self.read_message(*slot)?.map(|it| it.id));
        }
        Ok(ids)
    }

    /// Returns the number of the last message that belongs in one call with the first one: the last
    /// of its operation, and of all operations that have messages in between. Messages keep their
    /// order.
    pub fn operation_end(&self) -> u64 {
        let slots = &self.queue.slots;
        let Some(first) = slots.front() else { return self.queue.last };
        if first.operation.is_none() {
            return first.number;
        }
        let mut ends = HashMap::new();
        for slot in slots {
            slot.operation.map(|it| ends.insert(it, slot.number));
        }
        let mut end = first.number;
        for slot in slots {
            if slot.number > end {
                break;
            }
            end = slot.operation.and_then(|it| ends.get(&it)).map_or(end, |it| end.max(*it));
        }
        end
    }

    /// Returns true if a message up to the number `to` is of an operation that `is_running` names.
    pub fn has_operation(&self, to: u64, is_running: impl Fn(OperationSum) -> bool) -> bool {
        let mut slots = self.queue.slots.iter().take_while(|it| it.number <= to);
        slots.any(|it| it.operation.is_some_and(&is_running))
    }

    /// Returns the number of the newest message.
    pub fn last_number(&self) -> u64 {
        self.queue.last
    }

    /// Reopens the file, which somebody removed or replaced.
    fn reopen_file(&mut self) -> Result<(), StoreError> {
        tracing::warn!(webhook = %self.webhook, "the waiting messages are gone");
        self.is_read = false;
        self.ensure_read()
    }

    /// Reads a message; returns `None` if the file does not contain it.
    fn read_message(&self, slot: QueueSlot) -> Result<Option<WebhookMessage>, StoreError> {
        let Some(line) = self.lines.read_line(slot.place)? else { return Ok(None) };
        Ok(match serde_json::from_slice(&line) {
            Ok(OutboxRecord::Send { number, message }) if number == slot.number => Some(message),
            _ => None,
        })
    }

    /// Records that the first message failed and is retried at `next`.
    pub fn record_retry(
        &mut self,
        number: u64,
        attempts: u32,
        next: Timestamp,
    ) -> Result<(), StoreError> {
        if !self.queue.is_first(number) {
            return Ok(());
        }
        (self.queue.attempts, self.queue.next) = (attempts, Some(next));
        self.lines.append_lines(&OutboxRecord::Retry { number, attempts }.render_line()).map(|_| ())
    }

    /// Makes the first message due immediately.
    pub fn retry_now(&mut self) {
        self.queue.next = None;
    }

    /// Marks all messages up to this number as completed.
    pub fn mark_done(&mut self, number: u64) -> Result<(), StoreError> {
        self.queue.drop_through(number);
        self.lines.append_lines(&OutboxRecord::Done { number }.render_line())?;
        self.compact_file()
    }

    /// Rewrites the file once most of its messages are completed.
    fn compact_file(&mut self) -> Result<(), StoreError> {
        let spent = self.lines.file_length().saturating_sub(self.queue.bytes);
        if spent < SPENT_BYTES_MIN.max(self.queue.bytes) {
            return Ok(());
        }
        let (mut text, mut slots) = (Vec::new(), VecDeque::with_capacity(self.len()));
        if let Some(first) = self.queue.slots.front() {
            let from = first.place.offset;
            let Some(rest) = self.lines.read_rest(from)? else { return Ok(()) };
            for slot in &self.queue.slots {
                let begin = slot.place.offset.saturating_sub(from);
                let Ok(begin) = usize::try_from(begin) else { return Ok(()) };
                let line = rest.get(begin..begin.saturating_add(slot.place.length));
                let Some(line) = line else { return Ok(()) };
                let place = LineSpan { offset: text.len() as u64, ..slot.place };
                slots.push_back(QueueSlot { place, ..*slot });
                text.extend_from_slice(line);
                text.push(b'\n');
            }
            let (number, attempts) = (first.number, self.queue.attempts);
            text.extend_from_slice(&OutboxRecord::Retry { number, attempts }.render_line());
        }
        self.lines.replace_all(&text)?;
        self.queue.slots = slots;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::store::disk::OsDisk;
    use crate::store::disk::memory::MemDisk;

    struct Fixture {
        data: tempfile::TempDir,
    }

    impl Fixture {
        fn new() -> Fixture {
            Fixture { data: tempfile::tempdir().unwrap() }
        }

        fn open(&self) -> Outbox {
            let disk: Arc<dyn Disk> = Arc::new(OsDisk::open(self.data.path()).unwrap());
            Outbox::open(disk, EntryId::parse("h1").unwrap())
        }

        fn file(&self) -> std::path::PathBuf {
            self.data.path().join(layout::webhook_queue("h1"))
        }
    }

    fn message(id: &str) -> WebhookMessage {
        WebhookMessage {
            id: id.to_string(),
            event: "content.updated".to_string(),
            workspace: Some("main".to_string()),
            at: Timestamp::from_seconds(0),
            request_id: None,
            operation: None,
            n_omitted: 0,
            is_call: false,
            body: r#"{"title":"a \"line\"\n"}"#.to_string(),
        }
    }

    fn push(outbox: &mut Outbox, ids: &[&str]) {
        assert_eq!(outbox.push(ids.iter().map(|it| message(it)).collect()).unwrap(), None);
    }

    fn peek(outbox: &mut Outbox) -> Option<QueuedMessage> {
        outbox.read_first().unwrap()
    }

    /// Removes and returns all messages.
    fn drain(outbox: &mut Outbox) -> Vec<String> {
        let mut ids = Vec::new();
        while let Some(waiting) = peek(outbox) {
            outbox.mark_done(waiting.number).unwrap();
            ids.push(waiting.message.id);
        }
        ids
    }

    #[test]
    fn messages_survive_in_order() {
        let fixture = Fixture::new();
        let mut outbox = fixture.open();
        push(&mut outbox, &["a", "b"]);
        push(&mut outbox, &["c"]);
        assert_eq!(peek(&mut outbox).unwrap().message, message("a"));
        let first = peek(&mut outbox).unwrap();
        outbox.mark_done(first.number).unwrap();
        outbox.record_retry(2, 3, Timestamp::from_seconds(77)).unwrap();
        // The message is not the first one, so nothing is recorded.
        outbox.record_retry(3, 9, Timestamp::from_seconds(99)).unwrap();
        assert_eq!(outbox.next_due(), Some(Some(Timestamp::from_seconds(77))));
        let mut outbox = fixture.open();
        assert_eq!(outbox.next_due(), Some(None));
        let first = peek(&mut outbox).unwrap();
        assert_eq!((first.number, first.attempts, first.message.id.as_str()), (2, 3, "b"));
        push(&mut outbox, &["d"]);
        assert_eq!(drain(&mut fixture.open()), ["b", "c", "d"]);
        let mut outbox = fixture.open();
        assert_eq!((outbox.len(), outbox.next_due()), (0, None));
        push(&mut outbox, &["e"]);
        assert_eq!(peek(&mut fixture.open()).unwrap().number, 5);
    }

    #[test]
    fn what_a_crash_tears_costs_nothing_else() {
        let fixture = Fixture::new();
        push(&mut fixture.open(), &["a", "b"]);
        let whole = std::fs::read(fixture.file()).unwrap();
        for torn in [1, 10, whole.len() / 2 - 1] {
            std::fs::write(fixture.file(), [&whole, &whole[..torn]].concat()).unwrap();
            push(&mut fixture.open(), &["c"]);
            assert_eq!(drain(&mut fixture.open()), ["a", "b", "c"], "{torn}");
        }
    }

    /// A failed read, at the start or later, loses no message and reuses no number.
    #[test]
    fn what_cannot_be_read_for_a_moment_stays() {
        const EIO: i32 = 5;
        let disk = Arc::new(MemDisk::new());
        let open = || Outbox::open(disk.clone(), EntryId::parse("h1").unwrap());
        let mut outbox = open();
        push(&mut outbox, &["a", "b"]);
        disk.fail_from(disk.count_calls(), EIO);
        assert!(outbox.read_first().is_err());
        assert!(outbox.read_group(2).is_err());
        let mut unread = open();
        assert!(unread.read_first().is_err());
        assert!(unread.push(vec![message("lost")]).is_err());
        disk.clear_faults();
        assert_eq!(peek(&mut outbox).unwrap().message.id, "a");
        assert_eq!(peek(&mut unread).unwrap().number, 1);
        push(&mut unread, &["c"]);
        assert_eq!(drain(&mut open()), ["a", "b", "c"]);
    }

    #[test]
    fn a_file_that_vanishes_takes_its_messages_along() {
        let fixture = Fixture::new();
        let mut outbox = fixture.open();
        push(&mut outbox, &["a", "b"]);
        std::fs::remove_file(fixture.file()).unwrap();
        assert_eq!(peek(&mut outbox), None);
        push(&mut outbox, &["c", "d"]);
        std::fs::remove_file(fixture.file()).unwrap();
        push(&mut outbox, &["e"]);
        assert_eq!(drain(&mut outbox), ["e"]);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// The queue works after any sequence of operations and faults.
        #[test]
        fn it_is_a_queue(steps in proptest::collection::vec(0_u8..8, 1..60)) {
            let fixture = Fixture::new();
            let (mut outbox, mut expect, mut number) = (fixture.open(), VecDeque::new(), 0);
            for step in steps {
                match step {
                    0..=2 => {
                        let ids: Vec<String> = (0..=step).map(|it| format!("{number}-{it}")).collect();
                        outbox.push(ids.iter().map(|it| message(it)).collect()).unwrap();
                        expect.extend(ids);
                        number += 1;
                    }
                    3 | 4 => {
                        let first = peek(&mut outbox);
                        prop_assert_eq!(first.as_ref().map(|it| &it.message.id), expect.front());
                        first.iter().for_each(|it| outbox.mark_done(it.number).unwrap());
                        expect.pop_front();
                    }
                    5 => {
                        if let Some(first) = peek(&mut outbox) {
                            outbox.record_retry(first.number, 1, Timestamp::from_seconds(1)).unwrap();
                            prop_assert_eq!(peek(&mut outbox).unwrap().attempts, 1);
                        }
                    }
                    6 => outbox = fixture.open(),
                    _ => {
                        use std::io::Write;
                        let append = std::fs::OpenOptions::new().append(true).open(fixture.file());
                        append.iter().for_each(|mut it| it.write_all(b"{\"do\":\"se").unwrap());
                    }
                }
                prop_assert_eq!(outbox.len(), expect.len());
            }
            prop_assert_eq!(drain(&mut outbox), Vec::from(expect));
            prop_assert!(fixture.open().is_empty());
        }
    }

    #[test]
    fn the_file_does_not_grow_for_ever() {
        let fixture = Fixture::new();
        let mut outbox = fixture.open();
        push(&mut outbox, &["first"]);
        for round in 0..4_000 {
            push(&mut outbox, &[&round.to_string()]);
            let first = peek(&mut outbox).unwrap();
            outbox.mark_done(first.number).unwrap();
            if round == 3_990 {
                outbox.record_retry(first.number + 1, 2, Timestamp::from_seconds(5)).unwrap();
            }
        }
        let size = std::fs::metadata(fixture.file()).unwrap().len();
        assert!(size < 2 * SPENT_BYTES_MIN, "{size}");
        assert_eq!(drain(&mut fixture.open()), ["3999"]);
        for round in 0..2_000 {
            push(&mut outbox, &[&round.to_string()]);
        }
        // The file is compacted while many messages are waiting.
        for round in 0..1_500 {
            let first = peek(&mut outbox).unwrap();
            let expect = if round == 0 { 3_999 } else { round - 1 };
            assert_eq!(first.message.id, expect.to_string());
            outbox.mark_done(first.number).unwrap();
        }
        assert_eq!(drain(&mut fixture.open()).len(), 501);
    }

    #[test]
    fn the_oldest_are_given_up_when_too_many_wait() {
        let fixture = Fixture::new();
        let mut outbox = fixture.open();
        let ids: Vec<String> = (0..MESSAGES_MAX).map(|it| it.to_string()).collect();
        assert_eq!(outbox.push(ids.iter().map(|it| message(it)).collect()).unwrap(), None);
        let in_flight = peek(&mut outbox).unwrap();
        let given_up = outbox.push(vec![message("new")]).unwrap().unwrap();
        assert_eq!((given_up.count, given_up.last.unwrap().id.as_str()), (1_000, "999"));
        // The message being sent was dropped as well, so its outcome no longer matters.
        outbox.mark_done(in_flight.number).unwrap();
        outbox.record_retry(in_flight.number, 1, Timestamp::from_seconds(9)).unwrap();
        let mut outbox = fixture.open();
        assert_eq!((outbox.len(), peek(&mut outbox).unwrap().message.id.as_str()), (9_001, "1000"));
        assert_eq!(outbox.next_due(), Some(None));
    }
}
