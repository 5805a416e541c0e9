//! The record of a change: the file `change.json`.

use std::collections::BTreeSet;

use crate::model::change::plan::PlanFailure;
use crate::model::change::preview_link::PreviewLink;
use crate::model::change::review::Approval;
use crate::model::change::review::ReviewNote;
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

/// The maximum number of approvals that are kept.
const APPROVALS_MAX: usize = 100;

/// The name under which every author finds the own pending change.
pub const PENDING: &str = "pending";

text_enum! {
    /// The state of a change.
    #[derive(Default)]
    pub enum ChangeState {
        /// It is being worked on.
        #[default]
        Open = "open",
        /// Its approval is asked for.
        InReview = "in_review",
        /// It has the approvals that it needs, one at least.
        Approved = "approved",
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
    /// The people who proposed something in it: users, and tokens with the users who made them.
    pub contributors: Vec<String>,
    /// The state. That it is approved is not written: it follows from the approvals.
    pub state: ChangeState,
    /// The time at which it is published by itself.
    pub publish_at: Option<Timestamp>,
    /// The end that entries get which it makes public and which have none.
    pub unpublish_at: Option<Timestamp>,
    /// The id of the user or token that planned the publication, and whose permissions count then.
    pub planned_by: Option<String>,
    /// The reason why the planned publication did not happen.
    pub failure: Option<PlanFailure>,
    /// A note for people.
    pub note: String,
    /// The approvals, oldest first.
    pub approvals: Vec<Approval>,
    /// The last word of the review: who asked for it, or for more work.
    pub review: Option<ReviewNote>,
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
    /// The sum of what it proposed when it was published, if anybody had approved something. Its
    /// files are what went live from then on, so their sum is another.
    pub published_sum: Option<String>,
}

impl ChangeRecord {
    /// Parses the file. A state or a preview link that cannot be read makes the whole record
    /// invalid: without it the change might show more than it should.
    pub fn parse(json: &Json) -> Result<ChangeRecord, FieldProblems> {
        let mut file = ObjectReader::from_json(json)?;
        let names = ChangeState::ALL.map(ChangeState::as_str);
        let state = file.choice("state", names, ChangeState::parse);
        let approvals = file.short_list("approvals", APPROVALS_MAX, "approvals");
        let approvals = read_items(&mut file, "approvals", approvals, Approval::read);
        let contributors = file.texts("contributors").unwrap_or_default();
        let previews = file.list("previews");
        let previews = read_items(&mut file, "previews", previews, PreviewLink::read);
        let text = |key: &str| file.lenient_text(key).to_string();
        let record = ChangeRecord {
            label: text("label"),
            author_id: text("author_id"),
            note: text("note"),
            contributors: contributors.into_iter().map(str::to_string).collect(),
            published_by: Some(text("published_by")).filter(|it| !it.is_empty()),
            published_sum: Some(text("published_sum")).filter(|it| !it.is_empty()),
            planned_by: Some(text("planned_by")).filter(|it| !it.is_empty()),
            state: state.unwrap_or_default(),
            publish_at: file.time("publish_at"),
            unpublish_at: file.time("unpublish_at"),
            failure: read_one(&mut file, "failure", PlanFailure::read),
            approvals,
            review: read_one(&mut file, "review", ReviewNote::read),
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
            contributors: vec![author_id.to_string()],
            created_at: Some(now),
            updated_at: Some(now),
            ..ChangeRecord::default()
        }
    }

    /// Returns the content of the file.
    pub fn to_file(&self) -> Json {
        Json::Object(self.to_map())
    }

    /// Returns the members of the file.
    pub fn to_map(&self) -> Map {
        let mut file = Map::new();
        file.push("label", self.label.as_str());
        file.push("author_id", self.author_id.as_str());
        file.push("contributors", texts_to_json(&self.contributors));
        file.push("state", self.state.as_str());
        file.push("publish_at", self.publish_at);
        file.push("unpublish_at", self.unpublish_at);
        file.push("planned_by", self.planned_by.as_deref());
        file.push("failure", self.failure.as_ref().map(PlanFailure::to_file));
        file.push("note", self.note.as_str());
        file.push("approvals", self.approvals.iter().map(Approval::to_file).collect::<Vec<_>>());
        file.push("review", self.review.as_ref().map(ReviewNote::to_file));
        file.push("previews", self.previews.iter().map(PreviewLink::to_file).collect::<Vec<_>>());
        file.push("created_at", self.created_at);
        file.push("updated_at", self.updated_at);
        file.push("published_at", self.published_at);
        file.push("published_by", self.published_by.as_deref());
        if let Some(sum) = &self.published_sum {
            file.push("published_sum", sum.as_str());
        }
        file
    }

    /// Counts the people who approved the change as it is, with this sum.
    pub fn count_approvals(&self, sum: &str) -> usize {
        let current = self.approvals.iter().filter(|it| it.sum == sum);
        current.map(|it| it.by.as_str()).collect::<BTreeSet<_>>().len()
    }

    /// Returns the state of the change with this sum: one that has the approvals that it needs is
    /// approved, and in review again after an edit.
    pub fn current_state(&self, sum: &str, required: usize) -> ChangeState {
        match self.state {
            ChangeState::InReview | ChangeState::Approved => {
                let is_approved = self.count_approvals(sum) >= required.max(1);
                if is_approved { ChangeState::Approved } else { ChangeState::InReview }
            }
            state => state,
        }
    }

    /// Returns true if somebody in `people` proposed something in the change, or began it.
    pub fn is_work_of(&self, people: &[String]) -> bool {
        people.contains(&self.author_id) || self.contributors.iter().any(|it| people.contains(it))
    }

    /// Notes that these people proposed something. Returns true if that was not noted yet.
    pub fn add_contributors(&mut self, people: &[String]) -> bool {
        let n_known = self.contributors.len();
        for person in people {
            if !self.contributors.contains(person) {
                self.contributors.push(person.clone());
            }
        }
        self.contributors.len() > n_known
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

fn texts_to_json(texts: &[String]) -> Vec<Json> {
    texts.iter().map(|it| it.as_str().into()).collect()
}

fn read_one<'a, T>(
    file: &mut ObjectReader<'a>,
    key: &str,
    read: impl FnOnce(&mut ObjectReader<'a>) -> Option<T>,
) -> Option<T> {
    let value = file.value(key)?;
    file.parse_nested(key, value, read)?
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
            r#"{{"label":"Spring","author_id":"u1","state":"in_review","note":"n",
                "contributors":["u1","tok_x"],"planned_by":"u2","published_sum":"{sum}",
                "publish_at":"2026-12-01T09:00:00Z","unpublish_at":"2026-12-03T09:00:00Z",
                "failure":{{"at":"2026-12-01T09:00:00Z","message":"No.","sum":"{sum}"}},
                "approvals":[{{"by":"u2","at":"2026-11-02T09:00:00Z","sum":"{sum}"}}],
                "review":{{"by":"u1","at":"2026-11-02T08:00:00Z","note":"Please"}},
                "created_at":"2026-11-01T09:00:00Z",
                "previews":[{{"id":"p1","secret_sha256":"{sum}","entry":"posts/a",
                "created_by":"u1","expires_at":"2026-12-02T09:00:00Z"}}]}}"#
        );
        let record = parse(&text).unwrap();
        let again = ChangeRecord::parse(&record.to_file()).unwrap();
        assert_eq!(again.to_file(), record.to_file());
        assert!(record.publish_at < record.unpublish_at && record.failure.is_some());
        assert!(record.review.is_some() && record.planned_by.is_some());
        assert_eq!(again.published_sum, Some(sum.clone()));
        assert_eq!(record.current_state(&sum, 0), ChangeState::Approved);
        assert_eq!(record.current_state(&sum, 2), ChangeState::InReview);
        assert_eq!(record.current_state("another", 0), ChangeState::InReview);
    }

    #[test]
    fn what_limits_a_change_must_be_readable() {
        let check = |text: &str, path: &str| {
            let problems = parse(text).unwrap_err();
            assert_eq!(problems.iter().next().unwrap().0, path);
        };
        check(r#"{"state":"done"}"#, "state");
        check(r#"{"published_at":"soon"}"#, "published_at");
        check(r#"{"publish_at":"soon"}"#, "publish_at");
        check(r#"{"contributors":"u1"}"#, "contributors");
        check(r#"{"approvals":[{"by":"u","sum":"s"}]}"#, "approvals[0].at");
        check(r#"{"failure":{"message":"No."}}"#, "failure.at");
        check(r#"{"previews":[{"id":"p"}]}"#, "previews[0].secret_sha256");
    }

    #[test]
    fn the_same_person_approves_once() {
        let approval = |by: &str| Approval {
            by: by.to_string(),
            at: Timestamp::from_seconds(0),
            sum: "s".to_string(),
        };
        let approvals = vec![approval("u1"), approval("u1"), approval("u2")];
        let record = ChangeRecord { approvals, ..ChangeRecord::default() };
        assert_eq!(record.count_approvals("s"), 2);
        assert_eq!(record.current_state("s", 1), ChangeState::Open);
    }

    #[test]
    fn whoever_proposed_something_is_known() {
        let people = |them: &[&str]| them.iter().map(|it| it.to_string()).collect::<Vec<_>>();
        let mut record = ChangeRecord::begin(String::new(), "u1", Timestamp::from_seconds(0));
        assert!(record.is_work_of(&people(&["u1"])) && !record.is_work_of(&people(&["u2"])));
        assert!(record.add_contributors(&people(&["tok_x", "u2"])));
        assert!(!record.add_contributors(&people(&["u2"])));
        assert!(record.is_work_of(&people(&["u2"])) && record.is_work_of(&people(&["tok_x"])));
    }

    #[test]
    fn every_author_has_a_pending_change() {
        assert_eq!(pending_id("tok_x").as_str(), "pending-tok_x");
        assert!(is_pending(&pending_id("u1")) && !is_pending(&EntryId::parse("pending").unwrap()));
        let (one, other) = (pending_id(&"a".repeat(64)), pending_id(&"b".repeat(64)));
        assert_ne!(one, other);
    }
}
