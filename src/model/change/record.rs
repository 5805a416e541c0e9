//! The record of a change: the file `change.json`.

use crate::model::change::preview_link::PreviewLink;
use crate::model::input::ObjectReader;
use crate::model::name::EntryId;
use crate::model::problem::FieldProblems;
use crate::stdx::checksum::Checksum;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::json_schema::inline_schema;
use crate::stdx::json_schema::one_of_texts;
use crate::stdx::text_enum::text_enum;
use crate::stdx::time::Timestamp;

/// The maximum length of a label in characters.
pub const LABEL_CHARS_MAX: usize = 100;

/// The maximum length of a note in characters.
pub const NOTE_CHARS_MAX: usize = 2_000;

/// The name under which every author finds the own pending change.
pub const PENDING: &str = "pending";

text_enum! {
    /// The state of a change.
    #[derive(Default)]
    pub enum ChangeState {
        /// It is being worked on.
        #[default]
        Open = "open",
        /// It is live.
        Published = "published",
        /// It was given up.
        Closed = "closed",
    }
}

inline_schema!(ChangeState, |_| one_of_texts(ChangeState::ALL.map(ChangeState::as_str)));

impl ChangeState {
    /// Returns true if entries can still be proposed.
    pub fn is_active(self) -> bool {
        !matches!(self, ChangeState::Published | ChangeState::Closed)
    }
}

/// The record of a change.
#[derive(Clone, Debug, Default)]
pub struct ChangeRecord {
    /// The display name; empty for pending changes.
    pub label: String,
    /// The id of the user or token that began it.
    pub author_id: String,
    /// The state.
    pub state: ChangeState,
    /// A note for people.
    pub note: String,
    /// The links with which it can be previewed.
    pub previews: Vec<PreviewLink>,
    /// The time of creation.
    pub created_at: Option<Timestamp>,
    /// The time of the last change of the record.
    pub updated_at: Option<Timestamp>,
    /// The time of publication.
    pub published_at: Option<Timestamp>,
    /// The id of the user or token that published it.
    pub published_by: Option<String>,
}

impl ChangeRecord {
    /// Parses the file. A state or a preview link that cannot be read makes the whole record
    /// invalid: without it the change might show more than it should.
    pub fn parse(json: &Json) -> Result<ChangeRecord, FieldProblems> {
        let mut file = ObjectReader::from_json(json)?;
        let names = ChangeState::ALL.map(ChangeState::as_str);
        let state = file.choice("state", names, ChangeState::parse);
        let previews = file.list("previews");
        let previews = read_items(&mut file, "previews", previews, PreviewLink::read);
        let text = |key: &str| file.lenient_text(key).to_string();
        let record = ChangeRecord {
            label: text("label"),
            author_id: text("author_id"),
            note: text("note"),
            published_by: Some(text("published_by")).filter(|it| !it.is_empty()),
            state: state.unwrap_or_default(),
            previews,
            created_at: file.time("created_at"),
            updated_at: file.time("updated_at"),
            published_at: file.time("published_at"),
        };
        file.into_result(record)
    }

    /// Returns the record of a change that this author begins now.
    pub fn begin(label: String, author_id: &str, now: Timestamp) -> ChangeRecord {
        ChangeRecord {
            label,
            author_id: author_id.to_string(),
            created_at: Some(now),
            updated_at: Some(now),
            ..ChangeRecord::default()
        }
    }

    /// Returns the content of the file.
    pub fn to_file(&self) -> Json {
        let mut file = Map::new();
        file.push("label", self.label.as_str());
        file.push("author_id", self.author_id.as_str());
        file.push("state", self.state.as_str());
        file.push("note", self.note.as_str());
        file.push("previews", self.previews.iter().map(PreviewLink::to_file).collect::<Vec<_>>());
        file.push("created_at", self.created_at);
        file.push("updated_at", self.updated_at);
        file.push("published_at", self.published_at);
        file.push("published_by", self.published_by.as_deref());
        Json::Object(file)
    }
}

/// Returns true if this is the id of a pending change.
pub fn is_pending(id: &EntryId) -> bool {
    id.strip_prefix(PENDING).is_some_and(|it| it.starts_with('-'))
}

/// Returns the id of the pending change of an author, a user or a token.
pub fn pending_id(author_id: &str) -> EntryId {
    // Ids of users that were made by hand can be too long for it.
    EntryId::parse(&format!("{PENDING}-{author_id}")).unwrap_or_else(|_| {
        let sum = Checksum::of_bytes(author_id.as_bytes());
        EntryId::parse(&format!("{PENDING}-{sum}")).expect("a checksum has letters and digits only")
    })
}

fn read_items<'a, T>(
    file: &mut ObjectReader<'a>,
    key: &str,
    items: Option<&'a [Json]>,
    read: impl Fn(&mut ObjectReader<'a>) -> Option<T>,
) -> Vec<T> {
    let items = items.unwrap_or_default().iter().enumerate();
    items
        .filter_map(|(place, item)| file.parse_nested(&format!("{key}[{place}]"), item, &read)?)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<ChangeRecord, FieldProblems> {
        ChangeRecord::parse(&Json::parse(text.as_bytes()).unwrap())
    }

    #[test]
    fn everything_may_be_missing() {
        let record = parse("{}").unwrap();
        assert_eq!(record.state, ChangeState::Open);
        assert!(record.label.is_empty() && record.previews.is_empty());
    }

    #[test]
    fn a_record_reads_back() {
        let sum = "0".repeat(64);
        let text = format!(
            r#"{{"label":"Spring","author_id":"u1","state":"closed","note":"n",
                "created_at":"2026-11-01T09:00:00Z",
                "previews":[{{"id":"p1","secret_sha256":"{sum}","entry":"posts/a",
                "created_by":"u1","expires_at":"2026-12-02T09:00:00Z"}}]}}"#
        );
        let record = parse(&text).unwrap();
        let again = ChangeRecord::parse(&record.to_file()).unwrap();
        assert_eq!(again.to_file(), record.to_file());
    }

    #[test]
    fn what_limits_a_change_must_be_readable() {
        let check = |text: &str, path: &str| {
            let problems = parse(text).unwrap_err();
            assert_eq!(problems.iter().next().unwrap().0, path);
        };
        check(r#"{"state":"done"}"#, "state");
        check(r#"{"published_at":"soon"}"#, "published_at");
        check(r#"{"previews":[{"id":"p"}]}"#, "previews[0].secret_sha256");
    }

    #[test]
    fn every_author_has_a_pending_change() {
        assert_eq!(pending_id("tok_x").as_str(), "pending-tok_x");
        assert!(is_pending(&pending_id("u1")) && !is_pending(&EntryId::parse("pending").unwrap()));
        let (one, other) = (pending_id(&"a".repeat(64)), pending_id(&"b".repeat(64)));
        assert_ne!(one, other);
    }
}
