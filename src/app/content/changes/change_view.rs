//! A change in the form of the admin API.

use schemars::JsonSchema;
use serde::Serialize;

use crate::app::App;
use crate::app::access::Caller;
use crate::app::content::change_access;
use crate::app::content::change_access::may_manage;
use crate::app::content::changes::proposal_check::ProposalCheck;
use crate::app::content::changes::review_rules::ReviewRules;
use crate::app::content::changes::review_rules::find_state;
use crate::app::people::display_names::find_display_name;
use crate::model::change::Approval;
use crate::model::change::ChangeRecord;
use crate::model::change::ChangeState;
use crate::model::change::PlanFailure;
use crate::model::change::PreviewLink;
use crate::model::change::is_pending;
use crate::model::name::EntryId;
use crate::model::name::EntryPlace;
use crate::model::name::TypeName;
use crate::query::index::change_index::Change;
use crate::query::index::change_index::ProposedFile;
use crate::query::index::snapshot::Snapshot;
use crate::stdx::checksum::Checksum;
use crate::stdx::json_schema::inline_schema;
use crate::stdx::json_schema::one_of_texts;
use crate::stdx::text_enum::text_enum;
use crate::stdx::time::Timestamp;

text_enum! {
    /// The effect of a change on an entry.
    pub enum ProposedAction {
        /// It creates the entry.
        Create = "create",
        /// It changes the entry.
        Update = "update",
        /// It deletes the entry.
        Delete = "delete",
    }
}

impl ProposedAction {
    /// Returns the effect of a proposal. One that was begun from an entry changes it, also if the
    /// entry is gone by now.
    pub(super) fn of_proposal(
        live: &Snapshot,
        change: &Change,
        place: &EntryPlace,
        proposed: &ProposedFile,
    ) -> ProposedAction {
        // What is published has no state before it but the one that it was begun from.
        let was_live = change.is_active() && live.find_entry(place).is_some();
        match proposed.is_deletion() {
            true => ProposedAction::Delete,
            false if change.bases.contains_key(place) || was_live => ProposedAction::Update,
            false => ProposedAction::Create,
        }
    }
}

inline_schema!(ProposedAction, |_| one_of_texts(ProposedAction::ALL.map(ProposedAction::as_str)));

/// A change of the content, beside what is live.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Change")]
pub struct ChangeView {
    /// The id.
    pub id: EntryId,
    /// The display name; empty for pending changes.
    pub label: String,
    /// True for the pending change of its author.
    pub pending: bool,
    /// The id of the user or token that began it.
    pub author_id: String,
    /// The display name of that user or token.
    pub author_name: Option<String>,
    /// The state.
    pub state: ChangeState,
    /// The time at which it is published by itself; null if that is not planned.
    pub publish_at: Option<Timestamp>,
    /// The end that entries get which it makes public and which have none.
    pub unpublish_at: Option<Timestamp>,
    /// The id of the user or token that planned the publication.
    pub planned_by: Option<String>,
    /// The reason why the planned publication did not happen.
    pub failure: Option<PlanFailure>,
    /// A note for people.
    pub note: String,
    /// The approvals, oldest first.
    pub approvals: Vec<ApprovalView>,
    /// The number of approvals that it needs before it is published.
    pub approvals_required: usize,
    /// The last word of the review: a request for it, or for more work.
    pub review: Option<ReviewView>,
    /// The permissions of the caller.
    pub may: ChangeRights,
    /// The links with which it can be previewed.
    pub previews: Vec<PreviewLink>,
    /// The time of creation.
    pub created_at: Option<Timestamp>,
    /// The time of the last change.
    pub updated_at: Option<Timestamp>,
    /// The time of publication.
    pub published_at: Option<Timestamp>,
    /// The id of the user or token that published it.
    pub published_by: Option<String>,
    /// The entries that it proposes to change.
    pub entries: Vec<ProposalView>,
    /// The revision that `If-Match` names.
    #[serde(skip)]
    pub rev: Checksum,
}

/// An approval of a change.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Approval")]
pub struct ApprovalView {
    /// The id of the user or token that approved.
    pub by: String,
    /// The display name of that user or token.
    pub by_name: Option<String>,
    /// The time.
    pub at: Timestamp,
    /// False if the change was edited since, before it was published.
    pub current: bool,
}

/// A request for the review of a change, or for more work.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "ReviewNote")]
pub struct ReviewView {
    /// The id of the user or token.
    pub by: String,
    /// The display name of that user or token.
    pub by_name: Option<String>,
    /// The time.
    pub at: Timestamp,
    /// The note.
    pub note: String,
}

/// The rights of a caller to a change.
#[derive(Clone, Copy, Debug, Serialize, JsonSchema)]
pub struct ChangeRights {
    /// True if the caller may rename, close, share and delete it.
    pub manage: bool,
    /// True if the caller may publish it, or plan that, as far as its entries allow.
    pub publish: bool,
    /// True if the caller may approve it.
    pub approve: bool,
}

/// An entry that a change proposes to change.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[schemars(rename = "Proposal")]
pub struct ProposalView {
    /// The content type.
    pub collection: TypeName,
    /// The id.
    pub id: EntryId,
    /// The title after the change; of an entry that is deleted, before it.
    pub title: String,
    /// The slug after the change; of an entry that is deleted, before it.
    pub slug: String,
    /// The effect of the change on the entry.
    pub action: ProposedAction,
    /// The time of the last change of the proposal.
    pub updated_at: Timestamp,
    /// Why it cannot be published as it is: its content type, a field, a target of a relation or a
    /// media file is gone, the entry was deleted, or its file cannot be read.
    pub problem: Option<String>,
}

impl ChangeView {
    /// Returns the view of a change.
    pub(super) fn new(
        app: &App,
        live: &Snapshot,
        caller: &Caller,
        id: &EntryId,
        change: &Change,
    ) -> ChangeView {
        let unknown = ChangeRecord::default();
        let record = change.record.as_deref().unwrap_or(&unknown);
        let rules = ReviewRules::of_app(app);
        let author = find_display_name(app, &record.author_id);
        let entries: Vec<ProposalView> = list_proposals(live, change);
        let edited = entries.iter().map(|it| it.updated_at).max();
        ChangeView {
            id: id.clone(),
            label: record.label.clone(),
            pending: is_pending(id),
            author_id: record.author_id.clone(),
            author_name: author,
            state: find_state(change, rules.approvals_required),
            publish_at: record.publish_at,
            unpublish_at: record.unpublish_at,
            planned_by: record.planned_by.clone(),
            failure: record.failure.clone(),
            note: record.note.clone(),
            approvals: list_approvals(app, record, change),
            approvals_required: rules.approvals_required,
            review: record.review.as_ref().map(|it| ReviewView {
                by: it.by.clone(),
                by_name: find_display_name(app, &it.by),
                at: it.at,
                note: it.note.clone(),
            }),
            may: ChangeRights {
                manage: may_manage(live, caller, id, change),
                publish: change_access::may_publish(live, caller, change),
                approve: rules.check_may_approve(live, caller, change).is_ok(),
            },
            previews: record.previews.clone(),
            created_at: record.created_at,
            updated_at: record.updated_at.max(edited),
            published_at: record.published_at,
            published_by: record.published_by.clone(),
            entries,
            rev: change.rev(),
        }
    }
}

fn list_approvals(app: &App, record: &ChangeRecord, change: &Change) -> Vec<ApprovalView> {
    let published = record.published_sum.as_deref().filter(|_| !record.state.is_active());
    let sum = published.unwrap_or_else(|| change.sum());
    let view = |it: &Approval| ApprovalView {
        by: it.by.clone(),
        by_name: find_display_name(app, &it.by),
        at: it.at,
        current: it.sum == sum,
    };
    record.approvals.iter().map(view).collect()
}

fn list_proposals(live: &Snapshot, change: &Change) -> Vec<ProposalView> {
    let is_active = change.is_active();
    let proposals = change.proposals.iter().map(|(place, proposed)| {
        let base = change.bases.get(place);
        let shown = if proposed.is_deletion() { base } else { Some(proposed) };
        let check = ProposalCheck { live, change, place, proposed };
        let text = |key: &str| shown.and_then(|it| it.text(key)).unwrap_or_default().to_string();
        ProposalView {
            collection: place.0.clone(),
            id: place.1.clone(),
            title: text("title"),
            slug: text("slug"),
            action: ProposedAction::of_proposal(live, change, place, proposed),
            updated_at: proposed.modified,
            problem: is_active.then(|| check.describe_problem()).flatten(),
        }
    });
    proposals.collect()
}
