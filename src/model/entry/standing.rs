//! Where an entry stands, with the date that belongs to it, and which moves put it before the public.

use crate::model::entry::Entry;
use crate::model::entry::Status;
use crate::stdx::time::Timestamp;

/// Where an entry stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    /// Its status.
    pub status: Status,
    /// When it went or goes public.
    pub published_at: Option<Timestamp>,
}

impl Standing {
    /// Where `entry` stands.
    pub fn of(entry: &Entry) -> Standing {
        Standing { status: entry.status, published_at: entry.published_at }
    }

    /// A published entry has a date, `undated` unless it has one of its own, and is only scheduled
    /// while that date is to come.
    #[must_use]
    pub fn settled(self, undated: Timestamp, now: Timestamp) -> Standing {
        match (self.status, self.published_at) {
            (Status::Published, None) => Standing { published_at: Some(undated), ..self },
            (Status::Published, Some(at)) if at > now => {
                Standing { status: Status::Scheduled, ..self }
            }
            _ => self,
        }
    }

    fn is_for_public(self) -> bool {
        matches!(self.status, Status::Published | Status::Scheduled)
    }
}

/// Whether a move needs `content.publish`: one that makes an entry published or scheduled, or
/// changes the date of one that is or becomes either. Every kind of write asks here.
pub fn needs_publish(old: Option<Standing>, new: Standing) -> bool {
    let Some(old) = old else { return new.is_for_public() };
    let goes_public = new.is_for_public() && new.status != old.status;
    let is_dated_anew = new.published_at != old.published_at;
    goes_public || is_dated_anew && (old.is_for_public() || new.is_for_public())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standing(text: &str) -> Standing {
        let (status, at) = text.split_once('@').map_or((text, None), |(a, b)| (a, Some(b)));
        let seconds = |it: &str| Timestamp::from_seconds(it.parse().unwrap());
        Standing { status: Status::parse(status).unwrap(), published_at: at.map(seconds) }
    }

    #[test]
    fn published_entries_are_dated_and_those_to_come_are_scheduled() {
        let check = |said: &str, expect: &str| {
            let (undated, now) = (Timestamp::from_seconds(5), Timestamp::from_seconds(10));
            assert_eq!(standing(said).settled(undated, now), standing(expect), "{said}");
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
        let check = |old: &str, new: &str, expect: bool| {
            let before = (!old.is_empty()).then(|| standing(old));
            assert_eq!(needs_publish(before, standing(new)), expect, "{old} to {new}");
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
    }
}
