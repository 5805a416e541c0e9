//! Revisions: earlier states of an entry. A revision is the old file as it was; all that is to be
//! said about it stands in its name, `<id>-<event>-<by>`.

use crate::model::name::EntryId;
use crate::stdx::id;
use crate::stdx::time::Timestamp;

/// The longest [`EntryId`].
const NAME_CHARS_MAX: usize = 64;

/// What replaced a revision.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum RevisionEvent {
    /// Somebody changed the entry.
    #[default]
    Update,
    /// Somebody changed many entries at once.
    Bulk,
    /// Somebody brought an earlier state back.
    Restore,
    /// Somebody deleted a translation.
    Translation,
    /// A field was renamed in the schema.
    Schema,
    /// A media file was renamed that the entry uses.
    Media,
    /// The file was changed by hand.
    Disk,
    /// A broken file was replaced by what it last held.
    Recover,
}

impl RevisionEvent {
    /// All events.
    pub const ALL: [RevisionEvent; 8] = [
        RevisionEvent::Update,
        RevisionEvent::Bulk,
        RevisionEvent::Restore,
        RevisionEvent::Translation,
        RevisionEvent::Schema,
        RevisionEvent::Media,
        RevisionEvent::Disk,
        RevisionEvent::Recover,
    ];

    /// The name in file names and on the wire: one word of lower-case letters.
    pub fn as_str(self) -> &'static str {
        match self {
            RevisionEvent::Update => "update",
            RevisionEvent::Bulk => "bulk",
            RevisionEvent::Restore => "restore",
            RevisionEvent::Translation => "translation",
            RevisionEvent::Schema => "schema",
            RevisionEvent::Media => "media",
            RevisionEvent::Disk => "disk",
            RevisionEvent::Recover => "recover",
        }
    }

    /// The event of this name.
    pub fn parse(text: &str) -> Option<RevisionEvent> {
        RevisionEvent::ALL.into_iter().find(|it| it.as_str() == text)
    }
}

/// What the name of a revision's file says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RevisionName {
    /// Tells when the state was replaced. The whole name when somebody else than Recto gave it.
    pub id: EntryId,
    /// What replaced the state.
    pub event: Option<RevisionEvent>,
    /// Who replaced it: the id of a user or a token.
    pub by: Option<String>,
}

impl RevisionName {
    /// Reads the stem of a revision's file. Every name is one: a file that somebody put there is a
    /// revision of which nothing more is known.
    pub fn parse(stem: &EntryId) -> RevisionName {
        Self::read(stem).unwrap_or_else(|| RevisionName { id: stem.clone(), event: None, by: None })
    }

    fn read(stem: &str) -> Option<RevisionName> {
        let (id, rest) = stem.split_once('-')?;
        id::time_ms(id)?;
        let (event, by) = match rest.split_once('-') {
            Some((_, "")) => return None,
            Some((event, by)) => (event, Some(by.to_string())),
            None => (rest, None),
        };
        let event = RevisionEvent::parse(event)?;
        Some(RevisionName { id: EntryId::parse(id).ok()?, event: Some(event), by })
    }

    /// The stem of the revision's file. Characters of `by` that are none of a name's become `_`, and
    /// what is too long is cut: it says who it was, it proves nothing.
    pub fn to_id(&self) -> EntryId {
        let Some(event) = self.event else { return self.id.clone() };
        let mut stem = format!("{}-{}", self.id, event.as_str());
        let room = NAME_CHARS_MAX.saturating_sub(stem.len() + 1);
        let by: String = self.by.iter().flat_map(|it| it.chars()).map(safe).take(room).collect();
        if !by.is_empty() {
            stem.push('-');
            stem.push_str(&by);
        }
        // Only an id that Recto did not make leaves no room for the event.
        EntryId::parse(&stem).unwrap_or_else(|_| self.id.clone())
    }

    /// When the state was replaced, if the name tells.
    pub fn time(&self) -> Option<Timestamp> {
        let id = self.id.split('-').next().unwrap_or_default();
        let seconds = id::time_ms(id)? / 1_000;
        i64::try_from(seconds).ok().map(Timestamp::from_seconds)
    }
}

fn safe(letter: char) -> char {
    if letter.is_ascii_alphanumeric() || letter == '-' { letter } else { '_' }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::stdx::id::Ids;

    const ID: &str = "06eyvdde00000000";

    fn id(text: &str) -> EntryId {
        EntryId::parse(text).unwrap()
    }

    #[test]
    fn names_read() {
        let check = |stem: &str, expect: (&str, Option<RevisionEvent>, Option<&str>)| {
            let name = RevisionName::parse(&id(stem));
            assert_eq!((name.id.as_str(), name.event, name.by.as_deref()), expect, "{stem}");
            assert_eq!(name.to_id(), stem);
        };
        let update = Some(RevisionEvent::Update);
        check("06eyvdde00000000-update", (ID, update, None));
        check("06eyvdde00000000-update-01jz8x3m5q7v9c2a", (ID, update, Some("01jz8x3m5q7v9c2a")));
        check(
            "06eyvdde00000000-disk-tok_01jz8x3m5q7v9c2a",
            (ID, Some(RevisionEvent::Disk), Some("tok_01jz8x3m5q7v9c2a")),
        );
        check("06eyvdde00000000-bulk-a-b-", (ID, Some(RevisionEvent::Bulk), Some("a-b-")));
        for strange in [
            ID,
            "06eyvdde00000000-",
            "06eyvdde00000000-update-",
            "06eyvdde00000000-Update",
            "06eyvdde00000000-before-the-fair",
            "my-update-copy",
            "-",
            "--",
            "old",
        ] {
            check(strange, (strange, None, None));
        }
    }

    #[test]
    fn names_written() {
        let check = |event: RevisionEvent, by: Option<&str>, expect: &str| {
            let name = RevisionName { id: id(ID), event: Some(event), by: by.map(str::to_string) };
            assert_eq!(name.to_id(), expect);
            assert_eq!(RevisionName::parse(&name.to_id()).event, Some(event), "{expect}");
        };
        check(RevisionEvent::Media, None, "06eyvdde00000000-media");
        check(RevisionEvent::Media, Some(""), "06eyvdde00000000-media");
        check(RevisionEvent::Schema, Some("tok_1"), "06eyvdde00000000-schema-tok_1");
        check(RevisionEvent::Update, Some("ü@b.c/../x"), "06eyvdde00000000-update-__b_c____x");
        check(
            RevisionEvent::Translation,
            Some(&"x".repeat(99)),
            &format!("{ID}-translation-{}", "x".repeat(35)),
        );
        let long =
            RevisionName { id: id(&"a".repeat(60)), event: Some(RevisionEvent::Bulk), by: None };
        assert_eq!(long.to_id(), long.id);
    }

    #[test]
    fn times() {
        let check = |stem: &str, expect: Option<&str>| {
            let time = RevisionName::parse(&id(stem)).time();
            assert_eq!(time.map(|it| it.to_string()).as_deref(), expect, "{stem}");
        };
        check("06eyvdde00000000-update-x", Some("2026-05-03T12:00:00Z"));
        check("06eyvdde00000000-by-hand", Some("2026-05-03T12:00:00Z"));
        check(ID, Some("2026-05-03T12:00:00Z"));
        check("zzzzzzzzzzzzzzzz-update", Some("9999-12-30T22:00:00Z"));
        check("backup", None);
        check("06eyvdde00000000_copy", None);
    }

    #[test]
    fn events_are_one_word() {
        for event in RevisionEvent::ALL {
            assert_eq!(RevisionEvent::parse(event.as_str()), Some(event));
            assert!(event.as_str().bytes().all(|it| it.is_ascii_lowercase()));
        }
    }

    proptest! {
        #[test]
        fn made_ids_are_names(ms: u64, random: u32) {
            prop_assert!(EntryId::fits(&Ids::new().next(ms, random)));
        }

        #[test]
        fn every_name_is_written_as_it_was_read(stem in "[A-Za-z0-9_-]{1,20}|06eyvdde00000000-(update|disk|x)(-[a-z_-]{0,40})?") {
            if let Ok(stem) = EntryId::parse(&stem) {
                prop_assert_eq!(RevisionName::parse(&stem).to_id(), stem);
            }
        }

        #[test]
        fn whoever_it_was_the_name_is_read_again(by: String, at in 0..RevisionEvent::ALL.len()) {
            let event = Some(RevisionEvent::ALL[at]);
            let name = RevisionName { id: id(ID), event, by: Some(by) };
            let read = RevisionName::parse(&name.to_id());
            prop_assert_eq!((&read.id, read.event), (&name.id, event));
            prop_assert_eq!(read.to_id(), name.to_id());
        }
    }
}
