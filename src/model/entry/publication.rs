//! The publication of an entry: its status and dates, who sees it when, and which changes need the
//! permission to publish.

use crate::stdx::json_schema::inline_schema;
use crate::stdx::json_schema::one_of_texts;
use crate::stdx::text_enum::text_enum;
use crate::stdx::time::Timestamp;

text_enum! {
    /// The status of an entry, in the order shown to users. Any status may follow any other.
    pub enum EntryStatus {
        /// In progress.
        Draft = "draft",
        /// Public.
        Published = "published",
        /// Public from its `published_at` on.
        Scheduled = "scheduled",
        /// Visible only to readers with permission.
        Protected = "protected",
        /// Archived.
        Archived = "archived",
    }
}

inline_schema!(EntryStatus, |_| one_of_texts(EntryStatus::ALL.map(EntryStatus::as_str)));

/// The status and the dates of an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Publication {
    /// The status.
    pub status: EntryStatus,
    /// The time the entry went or goes public.
    pub published_at: Option<Timestamp>,
    /// The time from which the entry is no longer public; `None` if it stays public.
    pub unpublish_at: Option<Timestamp>,
}

/// A change of an entry that happens when its time comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ScheduledChange {
    /// The scheduled entry goes public.
    Begins,
    /// The entry stops being public.
    Ends,
}

impl EntryStatus {
    /// Returns true if it makes an entry public, now or at another time.
    pub fn is_for_public(self) -> bool {
        matches!(self, EntryStatus::Published | EntryStatus::Scheduled)
    }
}

impl Publication {
    /// Normalizes a published entry: it gets the date `undated` if it has none, and counts as
    /// scheduled while its date is in the future.
    #[must_use]
    pub fn settle_status(self, undated: Timestamp, now: Timestamp) -> Publication {
        match (self.status, self.published_at) {
            (EntryStatus::Published, None) => Publication { published_at: Some(undated), ..self },
            (EntryStatus::Published, Some(at)) if at > now => {
                Publication { status: EntryStatus::Scheduled, ..self }
            }
            _ => self,
        }
    }

    /// Returns true if everybody may read such an entry at `now`.
    pub fn is_public(self, now: Timestamp) -> bool {
        let has_begun = match self.status {
            EntryStatus::Published => true,
            EntryStatus::Scheduled => self.published_at.is_some_and(|it| it <= now),
            EntryStatus::Draft | EntryStatus::Protected | EntryStatus::Archived => false,
        };
        has_begun && !self.has_ended(now) && !self.is_reversed()
    }

    /// Returns true if everybody may read such an entry at `now`, or could until it ended.
    pub fn has_been_public(self, now: Timestamp) -> bool {
        let has_begun = self.published_at.is_some_and(|it| it <= now);
        self.is_for_public() && has_begun && !self.is_reversed()
    }

    /// Returns true if the end has passed.
    pub fn has_ended(self, now: Timestamp) -> bool {
        self.unpublish_at.is_some_and(|it| it <= now)
    }

    /// Returns true if the end is not later than the beginning.
    pub fn is_reversed(self) -> bool {
        self.published_at.zip(self.unpublish_at).is_some_and(|(begin, end)| end <= begin)
    }

    /// Returns the scheduled changes in the order of time. A reversed entry only has a beginning,
    /// for its status.
    pub fn scheduled_changes(self) -> impl Iterator<Item = (Timestamp, ScheduledChange)> {
        let begin = self.published_at.filter(|_| self.status == EntryStatus::Scheduled);
        let begins = self.status == EntryStatus::Published || begin.is_some();
        let end = self.unpublish_at.filter(|_| begins && !self.is_reversed());
        let changes = [
            begin.map(|at| (at, ScheduledChange::Begins)),
            end.map(|at| (at, ScheduledChange::Ends)),
        ];
        changes.into_iter().flatten()
    }

    /// Returns true if the status makes the entry public now or at another time.
    pub fn is_for_public(self) -> bool {
        self.status.is_for_public()
    }
}

/// Returns true if a change needs `content.publish`: it makes an entry published or scheduled,
/// changes the date of one that is or becomes either, or changes the end. Every kind of write asks
/// this function.
pub fn needs_publish(old: Option<Publication>, new: Publication) -> bool {
    let Some(old) = old else { return new.is_for_public() || new.unpublish_at.is_some() };
    let goes_public = new.is_for_public() && new.status != old.status;
    let is_dated_anew = new.published_at != old.published_at;
    // Unpublishing needs no permission to publish, and it also removes the end.
    let is_taken_back = old.is_for_public() && !new.is_for_public() && new.unpublish_at.is_none();
    let ends_anew = new.unpublish_at != old.unpublish_at && !is_taken_back;
    goes_public || ends_anew || is_dated_anew && (old.is_for_public() || new.is_for_public())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Parses a publication: `published@1-9` is public from 1 to 9.
    fn parse_publication(text: &'static str) -> Publication {
        let cut = |text: &'static str, at| {
            text.split_once(at).map_or((text, None), |(a, b)| (a, Some(b)))
        };
        let seconds = |it: &str| Timestamp::from_seconds(it.parse().unwrap());
        let (text, end) = cut(text, '-');
        let (status, begin) = cut(text, '@');
        let status = EntryStatus::parse(status).unwrap();
        let (published_at, unpublish_at) = (begin.map(seconds), end.map(seconds));
        Publication { status, published_at, unpublish_at }
    }

    #[test]
    fn published_entries_are_dated_and_those_to_come_are_scheduled() {
        let check = |said: &'static str, expect: &'static str| {
            let (undated, now) = (Timestamp::from_seconds(5), Timestamp::from_seconds(10));
            assert_eq!(
                parse_publication(said).settle_status(undated, now),
                parse_publication(expect),
                "{said}"
            );
        };
        check("published", "published@5");
        check("published@10", "published@10");
        check("published@11", "scheduled@11");
        check("scheduled@3", "scheduled@3");
        check("scheduled", "scheduled");
        check("draft@11", "draft@11");
    }

    #[test]
    fn what_needs_the_right_to_publish() {
        let check = |old: &'static str, new: &'static str, expect: bool| {
            let before = (!old.is_empty()).then(|| parse_publication(old));
            assert_eq!(needs_publish(before, parse_publication(new)), expect, "{old} to {new}");
        };
        check("", "draft", false);
        check("", "protected@1", false);
        check("", "published@1", true);
        check("", "scheduled@1", true);
        check("draft", "published@1", true);
        check("draft@1", "published@1", true);
        check("archived@1", "scheduled@9", true);
        check("published@1", "published@1", false);
        check("scheduled@1", "scheduled@1", false);
        check("scheduled@1", "published@1", true);
        check("published@1", "published@2", true);
        check("published@1", "draft@1", false);
        check("published@1", "draft@2", true);
        check("published@1", "archived", true);
        check("draft", "draft@9", false);
        check("draft@9", "protected", false);
        check("", "draft-9", true);
        check("draft", "draft-9", true);
        check("draft-9", "draft", true);
        check("draft-9", "draft-8", true);
        check("draft-9", "archived-9", false);
        check("published@1", "published@1-9", true);
        check("published@1-9", "published@1", true);
        check("published@1-9", "published@1-8", true);
        check("published@1-9", "published@1-9", false);
        check("published@1-9", "draft@1", false);
        check("published@1-9", "draft@1-9", false);
        check("published@1-9", "draft@1-8", true);
        check("published@1-9", "scheduled@1", true);
    }

    #[test]
    fn who_sees_it_when() {
        let check = |said: &'static str, public: std::ops::Range<i64>| {
            let is_public =
                |now: &i64| parse_publication(said).is_public(Timestamp::from_seconds(*now));
            let found: Vec<i64> = (0..10).filter(is_public).collect();
            assert_eq!(found, public.collect::<Vec<_>>(), "{said}");
        };
        check("published@0", 0..10);
        check("published@0-7", 0..7);
        check("scheduled@3", 3..10);
        check("scheduled@3-7", 3..7);
        check("scheduled@3-4", 3..4);
        check("scheduled@3-3", 0..0);
        check("scheduled@7-3", 0..0);
        check("published@7-3", 0..0);
        check("scheduled-7", 0..0);
        check("draft@3-7", 0..0);
        check("protected-7", 0..0);
        check("archived@3", 0..0);
    }

    #[test]
    fn what_happens_by_itself() {
        let check = |said: &'static str, expect: &[(i64, ScheduledChange)]| {
            let changes: Vec<_> = parse_publication(said)
                .scheduled_changes()
                .map(|(at, it)| (at.seconds(), it))
                .collect();
            assert_eq!(changes, expect, "{said}");
        };
        check("published@1", &[]);
        check("published@1-9", &[(9, ScheduledChange::Ends)]);
        check("scheduled@3", &[(3, ScheduledChange::Begins)]);
        check("scheduled@3-9", &[(3, ScheduledChange::Begins), (9, ScheduledChange::Ends)]);
        check("scheduled@9-3", &[(9, ScheduledChange::Begins)]);
        for never in ["published@9-9", "scheduled-9", "draft@3-9", "archived-9"] {
            check(never, &[]);
        }
    }
}
