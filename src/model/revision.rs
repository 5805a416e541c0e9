//! Revisions: earlier states of an entry or a media file. A revision is a copy of the old file; its
//! metadata is in its name, `<id>-<event>-<by>`.

use crate::model::name::EntryId;
use crate::model::name::Filename;
use crate::stdx::id;
use crate::stdx::json_schema::inline_schema;
use crate::stdx::json_schema::one_of_texts;
use crate::stdx::text_enum::text_enum;
use crate::stdx::time::Timestamp;

/// The maximum length of an [`EntryId`].
const NAME_CHARS_MAX: usize = 64;

text_enum! {
    /// The event that replaced a state. Its name is one word of lower-case letters.
    #[derive(Default)]
    pub enum RevisionEvent {
        /// A change of the entry, or other bytes in a media file.
        #[default]
        Update = "update",
        /// A change of many entries at once.
        Bulk = "bulk",
        /// A restore of an earlier state.
        Restore = "restore",
        /// The deletion of a translation.
        Translation = "translation",
        /// The rename of a field in the schema.
        Schema = "schema",
        /// The rename of a media file that the entry uses.
        Media = "media",
        /// An edit of the file by hand.
        Disk = "disk",
        /// The publication of a change.
        Change = "change",
        /// The replacement of a broken file by its last good content.
        Recover = "recover",
    }
}

inline_schema!(RevisionEvent, |_| one_of_texts(RevisionEvent::ALL.map(RevisionEvent::as_str)));

/// The metadata in the name of a revision's file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RevisionName {
    /// The id, which contains the time when the state was replaced. The whole name if Recto did not
    /// create it.
    pub id: EntryId,
    /// The event that replaced the state.
    pub event: Option<RevisionEvent>,
    /// The id of the user or token that replaced it.
    pub by: Option<String>,
}

impl RevisionName {
    /// Parses the stem of a revision's file. Every name is accepted: a file from elsewhere is a
    /// revision without metadata.
    pub fn parse(stem: &EntryId) -> RevisionName {
        Self::parse_parts(stem).unwrap_or_else(|| RevisionName {
            id: stem.clone(),
            event: None,
            by: None,
        })
    }

    fn parse_parts(stem: &str) -> Option<RevisionName> {
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

    /// Returns the stem of the revision's file. Characters of `by` that are not allowed in names
    /// become `_`, and a long `by` is truncated: it informs readers and is no proof.
    pub fn to_id(&self) -> EntryId {
        let Some(event) = self.event else { return self.id.clone() };
        let mut stem = format!("{}-{}", self.id, event.as_str());
        let room = NAME_CHARS_MAX.saturating_sub(stem.len() + 1);
        let by: String =
            self.by.iter().flat_map(|it| it.chars()).map(sanitize_letter).take(room).collect();
        if !by.is_empty() {
            stem.push('-');
            stem.push_str(&by);
        }
        // Only an id that Recto did not create leaves no room for the event.
        EntryId::parse(&stem).unwrap_or_else(|_| self.id.clone())
    }

    /// Parses the name of a revision of a media file, which has an extension. Returns `None` for
    /// names that no revision can have.
    pub fn parse_filename(name: &str) -> Option<RevisionName> {
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        EntryId::parse(stem).ok().map(|it| RevisionName::parse(&it))
    }

    /// Returns the name of a revision of a media file. It has the extension of the file, so that
    /// other programs can open it, unless that is too long.
    pub fn to_filename(&self, of: &Filename) -> Option<Filename> {
        let stem = self.to_id();
        let with_extension = Filename::parse(&format!("{stem}.{}", of.extension()));
        with_extension.or_else(|_| Filename::parse(&stem)).ok()
    }

    /// Returns the time when the state was replaced, if the name contains it.
    pub fn replaced_at(&self) -> Option<Timestamp> {
        let id = self.id.split('-').next().unwrap_or_default();
        let seconds = id::time_ms(id)? / 1_000;
        i64::try_from(seconds).ok().map(Timestamp::from_seconds)
    }
}

fn sanitize_letter(letter: char) -> char {
    if letter.is_ascii_alphanumeric() || letter == '-' { letter } else { '_' }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::stdx::id::IdGenerator;

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
    fn names_of_media_files() {
        let check = |of: &str, expect: &str| {
            let (event, by) = (Some(RevisionEvent::Update), Some("tok_1".to_string()));
            let name = RevisionName { id: id(ID), event, by };
            let filename = name.to_filename(&Filename::parse(of).unwrap()).unwrap();
            assert_eq!(filename, expect);
            assert_eq!(RevisionName::parse_filename(&filename), Some(name));
        };
        check("a b.JPG", "06eyvdde00000000-update-tok_1.JPG");
        check("plain", "06eyvdde00000000-update-tok_1");
        check(&format!("a.{}", "x".repeat(178)), "06eyvdde00000000-update-tok_1");
        let foreign = RevisionName::parse_filename("old.png").unwrap();
        assert_eq!((foreign.id.as_str(), foreign.event), ("old", None));
        assert_eq!(RevisionName::parse_filename("a b.png"), None);
        assert_eq!(RevisionName::parse_filename("a.tar.gz"), None);
    }

    #[test]
    fn times() {
        let check = |stem: &str, expect: Option<&str>| {
            let time = RevisionName::parse(&id(stem)).replaced_at();
            assert_eq!(time.map(|it| it.to_string()).as_deref(), expect, "{stem}");
        };
        check("06eyvdde00000000-update-x", Some("2026-05-03T12:00:00Z"));
        check("06eyvdde00000000-by-hand", Some("2026-05-03T12:00:00Z"));
        check(ID, Some("2026-05-03T12:00:00Z"));
        check("zzzzzzzzzzzzzzzz-update", Some("9999-12-31T23:59:59Z"));
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
            prop_assert!(EntryId::fits(&IdGenerator::new().next_id(ms, || random)));
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
