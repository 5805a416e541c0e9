//! The messages that wait to be sent to one webhook, in order, in one file that is only added to:
//! a line for each message, for each attempt that failed, and for each that is done with. A message
//! is there from the moment [`Outbox::push`] returns, whatever becomes of the process.

use std::collections::VecDeque;
use std::sync::Arc;

use serde::Deserialize;
use serde::Serialize;

use crate::model::name::EntryId;
use crate::model::webhook::BATCH_EVENT;
use crate::model::webhook::Message;
use crate::stdx::time::Timestamp;
use crate::store::disk::Disk;
use crate::store::error::StoreError;
use crate::store::layout;
use crate::store::lines::Lines;
use crate::store::lines::Place;

/// How many messages may wait.
pub const MESSAGES_MAX: usize = 10_000;

/// How many bytes of them.
const BYTES_MAX: u64 = 32 * 1024 * 1024;

/// The part that is given up when too many wait, so that it does not happen for each message anew.
const GIVEN_UP: usize = 10;

/// Fewer bytes that are done with are not worth writing the file anew.
const SPENT_BYTES_MIN: u64 = 256 * 1024;

/// One line of the file.
#[derive(Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "lowercase")]
enum Line {
    /// A message. Numbers grow.
    Send { number: u64, message: Message },
    /// The first message was tried so often. When it is next is not kept: after a start everything
    /// that waits is tried at once.
    Retry { number: u64, attempts: u32 },
    /// Everything up to this number is done with.
    Done { number: u64 },
}

impl Line {
    fn text(&self) -> Vec<u8> {
        // Strings and numbers always serialise.
        let mut text = serde_json::to_vec(self).unwrap_or_default();
        text.push(b'\n');
        text
    }
}

/// A message that is next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// Its place in the order.
    pub number: u64,
    /// How often it was tried.
    pub attempts: u32,
    /// The message.
    pub message: Message,
}

/// Messages that wait behind each other, to be told together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Together {
    /// The first of them, as many as are asked for.
    pub listed: Vec<Message>,
    /// The last of them, and its place in the order.
    pub last: (u64, Message),
    /// How many there are.
    pub count: usize,
}

/// Messages that were given up because too many waited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GivenUp {
    /// How many.
    pub count: usize,
    /// The last of them.
    pub last: Option<Message>,
}

#[derive(Clone, Copy)]
struct Slot {
    number: u64,
    place: Place,
}

/// What waits, without the messages themselves.
#[derive(Default)]
struct Queue {
    slots: VecDeque<Slot>,
    bytes: u64,
    /// The highest number that was ever given.
    last: u64,
    /// How often the first was tried, and when it is next.
    attempts: u32,
    next: Option<Timestamp>,
}

impl Queue {
    fn take_in(&mut self, place: Place, line: &[u8]) {
        // A torn line says nothing.
        match serde_json::from_slice(line) {
            Ok(Line::Send { number, .. }) if number > self.last => self.add(number, place),
            Ok(Line::Retry { number, attempts }) if self.is_first(number) => {
                self.attempts = attempts;
            }
            Ok(Line::Done { number }) => self.drop_to(number),
            _ => {}
        }
    }

    fn add(&mut self, number: u64, place: Place) {
        self.slots.push_back(Slot { number, place });
        self.bytes = self.bytes.saturating_add(place.length as u64);
        self.last = number;
    }

    fn is_first(&self, number: u64) -> bool {
        self.slots.front().is_some_and(|it| it.number == number)
    }

    fn drop_to(&mut self, number: u64) {
        while let Some(slot) = self.slots.pop_front_if(|it| it.number <= number) {
            self.bytes = self.bytes.saturating_sub(slot.place.length as u64);
            (self.attempts, self.next) = (0, None);
        }
        self.last = self.last.max(number);
    }
}

/// What waits to be sent to one webhook.
pub struct Outbox {
    disk: Arc<dyn Disk>,
    webhook: EntryId,
    lines: Lines,
    queue: Queue,
}

impl Outbox {
    /// What waits for a webhook. Only the process that holds the instance lock opens it.
    pub fn open(disk: Arc<dyn Disk>, webhook: EntryId) -> Outbox {
        let mut queue = Queue::default();
        let path = layout::webhook_queue(&webhook);
        let lines = Lines::open(disk.clone(), path, |place, line| queue.take_in(place, line));
        Outbox { disk, webhook, lines, queue }
    }

    /// How many messages wait.
    pub fn len(&self) -> usize {
        self.queue.slots.len()
    }

    /// Whether none does.
    pub fn is_empty(&self) -> bool {
        self.queue.slots.is_empty()
    }

    /// When the first is to be sent: nothing when none waits, `None` inside for at once.
    pub fn due(&self) -> Option<Option<Timestamp>> {
        (!self.is_empty()).then_some(self.queue.next)
    }

    /// Lets messages wait. When there are too many, the oldest are given up.
    pub fn push(&mut self, messages: Vec<Message>) -> Result<Option<GivenUp>, StoreError> {
        let (mut text, mut places) = (Vec::new(), Vec::with_capacity(messages.len()));
        let mut number = self.queue.last;
        for message in messages {
            number += 1;
            let line = Line::Send { number, message }.text();
            let length = line.len().saturating_sub(1);
            places.push((number, Place { offset: text.len() as u64, length }));
            text.extend_from_slice(&line);
        }
        let offset = self.lines.append(&text)?;
        for (number, place) in places {
            self.queue.add(number, Place { offset: place.offset.saturating_add(offset), ..place });
        }
        self.give_up()
    }

    fn give_up(&mut self) -> Result<Option<GivenUp>, StoreError> {
        if self.len() <= MESSAGES_MAX && self.queue.bytes <= BYTES_MAX {
            return Ok(None);
        }
        // The newest one stays however large it is.
        let count = (self.len() / GIVEN_UP).max(1).min(self.len().saturating_sub(1));
        let Some(slot) = count.checked_sub(1).and_then(|it| self.queue.slots.get(it)).copied()
        else {
            return Ok(None);
        };
        let last = self.message(slot);
        self.done(slot.number)?;
        Ok(Some(GivenUp { count, last }))
    }

    /// The message that is next.
    pub fn first(&mut self) -> Option<Waiting> {
        let mut is_anew = false;
        loop {
            let slot = *self.queue.slots.front()?;
            if let Some(message) = self.message(slot) {
                let (number, attempts) = (slot.number, self.queue.attempts);
                return Some(Waiting { number, attempts, message });
            }
            if is_anew {
                // It was there a moment ago, and cannot be read now.
                self.queue.drop_to(slot.number);
            } else {
                self.open_anew();
                is_anew = true;
            }
        }
    }

    /// The messages that wait up to the number `to`, the first `listed_max` of them read; nothing
    /// when the file does not have them.
    pub fn together(&self, listed_max: usize, to: u64) -> Option<Together> {
        let slots: Vec<Slot> =
            self.queue.slots.iter().take_while(|it| it.number <= to).copied().collect();
        let listed: Option<Vec<Message>> =
            slots.iter().take(listed_max).map(|it| self.message(*it)).collect();
        let mut listed = listed?;
        // One that told several, and is to be told once more, is a call of its own.
        let alone = listed.iter().position(|it| it.event == BATCH_EVENT);
        let count = alone.unwrap_or(slots.len());
        listed.truncate(count);
        let last = *slots.get(count.checked_sub(1)?)?;
        Some(Together { listed, last: (last.number, self.message(last)?), count })
    }

    /// The number of the message that came last.
    pub fn last_number(&self) -> u64 {
        self.queue.last
    }

    /// Somebody removed the file, or put another one there.
    fn open_anew(&mut self) {
        tracing::warn!(webhook = %self.webhook, "the messages that waited are not there any more");
        let last = self.queue.last;
        *self = Outbox::open(self.disk.clone(), self.webhook.clone());
        self.queue.last = self.queue.last.max(last);
    }

    fn message(&self, slot: Slot) -> Option<Message> {
        match serde_json::from_slice(&self.lines.read(slot.place)?) {
            Ok(Line::Send { number, message }) if number == slot.number => Some(message),
            _ => None,
        }
    }

    /// The first message was tried in vain so often and is next at `next`.
    pub fn retry(&mut self, number: u64, attempts: u32, next: Timestamp) -> Result<(), StoreError> {
        if !self.queue.is_first(number) {
            return Ok(());
        }
        (self.queue.attempts, self.queue.next) = (attempts, Some(next));
        self.lines.append(&Line::Retry { number, attempts }.text()).map(|_| ())
    }

    /// The first message is to be sent at once, however long it was to wait.
    pub fn hurry(&mut self) {
        self.queue.next = None;
    }

    /// Every message up to this number is done with.
    pub fn done(&mut self, number: u64) -> Result<(), StoreError> {
        self.queue.drop_to(number);
        self.lines.append(&Line::Done { number }.text())?;
        self.tidy_up()
    }

    /// Writes the file anew once most of it is done with.
    fn tidy_up(&mut self) -> Result<(), StoreError> {
        let spent = self.lines.length().saturating_sub(self.queue.bytes);
        if spent < SPENT_BYTES_MIN.max(self.queue.bytes) {
            return Ok(());
        }
        let (mut text, mut slots) = (Vec::new(), VecDeque::with_capacity(self.len()));
        if let Some(first) = self.queue.slots.front() {
            let from = first.place.offset;
            let Some(rest) = self.lines.read_rest(from) else { return Ok(()) };
            for slot in &self.queue.slots {
                let begin = slot.place.offset.saturating_sub(from);
                let Ok(begin) = usize::try_from(begin) else { return Ok(()) };
                let line = rest.get(begin..begin.saturating_add(slot.place.length));
                let Some(line) = line else { return Ok(()) };
                let place = Place { offset: text.len() as u64, ..slot.place };
                slots.push_back(Slot { place, ..*slot });
                text.extend_from_slice(line);
                text.push(b'\n');
            }
            let (number, attempts) = (first.number, self.queue.attempts);
            text.extend_from_slice(&Line::Retry { number, attempts }.text());
        }
        self.lines.replace(&text)?;
        self.queue.slots = slots;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::store::disk::OsDisk;

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

    fn message(id: &str) -> Message {
        Message {
            id: id.to_string(),
            event: "content.updated".to_string(),
            workspace: Some("main".to_string()),
            at: Timestamp::from_seconds(0),
            request_id: None,
            body: r#"{"title":"a \"line\"\n"}"#.to_string(),
        }
    }

    fn push(outbox: &mut Outbox, ids: &[&str]) {
        assert_eq!(outbox.push(ids.iter().map(|it| message(it)).collect()).unwrap(), None);
    }

    /// Everything that waits, taken out.
    fn drain(outbox: &mut Outbox) -> Vec<String> {
        let mut ids = Vec::new();
        while let Some(waiting) = outbox.first() {
            outbox.done(waiting.number).unwrap();
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
        assert_eq!(outbox.first().unwrap().message, message("a"));
        let first = outbox.first().unwrap();
        outbox.done(first.number).unwrap();
        outbox.retry(2, 3, Timestamp::from_seconds(77)).unwrap();
        // Of one that is not the first nothing is to be said.
        outbox.retry(3, 9, Timestamp::from_seconds(99)).unwrap();
        assert_eq!(outbox.due(), Some(Some(Timestamp::from_seconds(77))));
        let mut outbox = fixture.open();
        assert_eq!(outbox.due(), Some(None));
        let first = outbox.first().unwrap();
        assert_eq!((first.number, first.attempts, first.message.id.as_str()), (2, 3, "b"));
        push(&mut outbox, &["d"]);
        assert_eq!(drain(&mut fixture.open()), ["b", "c", "d"]);
        let mut outbox = fixture.open();
        assert_eq!((outbox.len(), outbox.due()), (0, None));
        push(&mut outbox, &["e"]);
        assert_eq!(fixture.open().first().unwrap().number, 5);
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

    #[test]
    fn a_file_that_vanishes_takes_its_messages_along() {
        let fixture = Fixture::new();
        let mut outbox = fixture.open();
        push(&mut outbox, &["a", "b"]);
        std::fs::remove_file(fixture.file()).unwrap();
        assert_eq!(outbox.first(), None);
        push(&mut outbox, &["c", "d"]);
        std::fs::remove_file(fixture.file()).unwrap();
        push(&mut outbox, &["e"]);
        assert_eq!(drain(&mut outbox), ["e"]);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        /// Whatever happens to it, a queue is a queue.
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
                        let first = outbox.first();
                        prop_assert_eq!(first.as_ref().map(|it| &it.message.id), expect.front());
                        first.iter().for_each(|it| outbox.done(it.number).unwrap());
                        expect.pop_front();
                    }
                    5 => {
                        if let Some(first) = outbox.first() {
                            outbox.retry(first.number, 1, Timestamp::from_seconds(1)).unwrap();
                            prop_assert_eq!(outbox.first().unwrap().attempts, 1);
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
            let first = outbox.first().unwrap();
            outbox.done(first.number).unwrap();
            if round == 3_990 {
                outbox.retry(first.number + 1, 2, Timestamp::from_seconds(5)).unwrap();
            }
        }
        let size = std::fs::metadata(fixture.file()).unwrap().len();
        assert!(size < 2 * SPENT_BYTES_MIN, "{size}");
        assert_eq!(drain(&mut fixture.open()), ["3999"]);
        for round in 0..2_000 {
            push(&mut outbox, &[&round.to_string()]);
        }
        // While many wait it is written anew with them.
        for round in 0..1_500 {
            let first = outbox.first().unwrap();
            let expect = if round == 0 { 3_999 } else { round - 1 };
            assert_eq!(first.message.id, expect.to_string());
            outbox.done(first.number).unwrap();
        }
        assert_eq!(drain(&mut fixture.open()).len(), 501);
    }

    #[test]
    fn the_oldest_are_given_up_when_too_many_wait() {
        let fixture = Fixture::new();
        let mut outbox = fixture.open();
        let ids: Vec<String> = (0..MESSAGES_MAX).map(|it| it.to_string()).collect();
        assert_eq!(outbox.push(ids.iter().map(|it| message(it)).collect()).unwrap(), None);
        let in_flight = outbox.first().unwrap();
        let given_up = outbox.push(vec![message("new")]).unwrap().unwrap();
        assert_eq!((given_up.count, given_up.last.unwrap().id.as_str()), (1_000, "999"));
        // The one that was being sent is among them, and what came of it means nothing now.
        outbox.done(in_flight.number).unwrap();
        outbox.retry(in_flight.number, 1, Timestamp::from_seconds(9)).unwrap();
        let mut outbox = fixture.open();
        assert_eq!((outbox.len(), outbox.first().unwrap().message.id.as_str()), (9_001, "1000"));
        assert_eq!(outbox.due(), Some(None));
    }
}
