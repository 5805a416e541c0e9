//! The bodies of requests about changes.

use schemars::JsonSchema;

use crate::model::change::LABEL_CHARS_MAX;
use crate::model::change::NOTE_CHARS_MAX;
use crate::model::change::read_previewed_entry;
use crate::model::input::ObjectReader;
use crate::model::input::ParsedBody;
use crate::model::name::EntryPlace;
use crate::stdx::json::Map;
use crate::stdx::time::Timestamp;

/// The longest lifetime of a preview link in days.
const PREVIEW_DAYS_MAX: u32 = 90;

/// The lifetime of a preview link in days, if the request names none.
const PREVIEW_DAYS: u32 = 7;

/// The body of a request that begins a named change.
#[derive(Clone, Debug, JsonSchema)]
pub struct NewChange {
    /// The display name.
    #[schemars(length(min = 1, max = LABEL_CHARS_MAX))]
    pub(super) label: String,
    /// A note for people.
    #[schemars(with = "Option<String>", length(max = NOTE_CHARS_MAX))]
    pub(super) note: String,
    /// The time at which it is published by itself.
    pub(super) publish_at: Option<Timestamp>,
    /// The end that entries get which it makes public and which have none. It is after
    /// `publish_at`.
    pub(super) unpublish_at: Option<Timestamp>,
}

impl NewChange {
    pub(super) fn parse(body: &Map, now: Timestamp) -> ParsedBody<NewChange> {
        let mut input = ObjectReader::new(body);
        let label = input.filled_line("label", LABEL_CHARS_MAX);
        let note = input.long_text("note", NOTE_CHARS_MAX).unwrap_or_default();
        let publish_at = input.future_time("publish_at", now);
        let unpublish_at = input.future_time("unpublish_at", now);
        input.finish(NewChange { label, note, publish_at, unpublish_at })
    }
}

/// The body of a request that changes the record of a change.
#[derive(Clone, Debug, JsonSchema)]
pub struct ChangeInput {
    /// The display name.
    #[schemars(length(min = 1, max = LABEL_CHARS_MAX))]
    pub(super) label: Option<String>,
    /// A note for people.
    #[schemars(length(max = NOTE_CHARS_MAX))]
    pub(super) note: Option<String>,
    /// True to give the change up, false to take it up again.
    pub(super) closed: Option<bool>,
    /// The time at which it is published by itself; null for none.
    #[schemars(with = "Option<Timestamp>", extend("nullable" = true))]
    pub(super) publish_at: Option<Option<Timestamp>>,
    /// The end that entries get which it makes public and which have none; null for none. It is
    /// after `publish_at`.
    #[schemars(with = "Option<Timestamp>", extend("nullable" = true))]
    pub(super) unpublish_at: Option<Option<Timestamp>>,
}

impl ChangeInput {
    pub(super) fn parse(body: &Map, now: Timestamp) -> ParsedBody<ChangeInput> {
        let mut input = ObjectReader::new(body);
        let is_labelled = input.contains("label");
        let label = is_labelled.then(|| input.filled_line("label", LABEL_CHARS_MAX));
        let note = input.long_text("note", NOTE_CHARS_MAX);
        let closed = input.flag("closed");
        let mut time = |key: &str| {
            let time = input.future_time(key, now);
            if time.is_some() && closed == Some(true) {
                input.add_problem(key, "A closed release cannot be scheduled.");
            }
            input.contains(key).then_some(time)
        };
        let (publish_at, unpublish_at) = (time("publish_at"), time("unpublish_at"));
        input.finish(ChangeInput { label, note, closed, publish_at, unpublish_at })
    }
}

/// The body of a request for a review, or for more work.
#[derive(Clone, Debug, JsonSchema)]
pub struct ReviewInput {
    /// A note for the people who work on the change.
    #[schemars(with = "Option<String>", length(max = NOTE_CHARS_MAX))]
    pub(super) note: String,
}

impl ReviewInput {
    pub(super) fn parse(body: &Map) -> ParsedBody<ReviewInput> {
        let mut input = ObjectReader::new(body);
        let note = input.long_text("note", NOTE_CHARS_MAX).unwrap_or_default();
        input.finish(ReviewInput { note })
    }
}

/// The body of a request that creates a preview link.
#[derive(Clone, Debug, JsonSchema)]
pub struct PreviewInput {
    /// The entry to show, whatever its status, as `<type>/<id>`; all of the change if left out.
    #[schemars(with = "Option<String>")]
    pub(super) entry: Option<EntryPlace>,
    /// The lifetime in days; 7 if left out.
    #[schemars(with = "Option<u32>", range(min = 1, max = PREVIEW_DAYS_MAX))]
    pub(super) days: u32,
}

impl PreviewInput {
    pub(super) fn parse(body: &Map) -> ParsedBody<PreviewInput> {
        let mut input = ObjectReader::new(body);
        let entry = read_previewed_entry(&mut input);
        let days = input.count_within("days", 1, PREVIEW_DAYS_MAX).unwrap_or(PREVIEW_DAYS);
        input.finish(PreviewInput { entry, days })
    }
}
