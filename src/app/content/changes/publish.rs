//! The publication of a change: all that it proposes becomes live in one commit, or nothing.

use std::collections::BTreeMap;

use serde_json::value::to_raw_value;

use crate::app::App;
use crate::app::access::Requester;
use crate::app::content::change_access;
use crate::app::content::changes::change_request::ChangeRequest;
use crate::app::content::changes::change_view::ChangeView;
use crate::app::content::changes::diff::EntryDiff;
use crate::app::content::changes::diff::find_conflicts;
use crate::app::content::changes::diff::is_edited;
use crate::app::content::changes::diff::list_conflicting;
use crate::app::content::changes::found_change::FoundChange;
use crate::app::content::changes::found_change::find_permit;
use crate::app::content::changes::found_change::stage_record;
use crate::app::content::changes::proposal_check::ProposalCheck;
use crate::app::content::changes::proposal_check::UNREADABLE;
use crate::app::content::changes::referrers::clear_deleted;
use crate::app::content::changes::review_rules::ReviewRules;
use crate::app::content::entries::StateChange;
use crate::app::content::entries::TargetEntry;
use crate::app::content::entries::may_delete;
use crate::app::content::entries::stage_delete;
use crate::app::error::Code;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::engine::Engine;
use crate::engine::error::CommitError;
use crate::engine::staging::Staging;
use crate::engine::staging::StoredFile;
use crate::engine::staging::write::Write;
use crate::model::change::ChangeState;
use crate::model::change::is_pending;
use crate::model::content_type::ContentType;
use crate::model::entry::Entry;
use crate::model::entry::FileFacts;
use crate::model::entry::Publication;
use crate::model::entry::date_publication;
use crate::model::entry::set_key;
use crate::model::event::EventKind;
use crate::model::field::is_equivalent;
use crate::model::grant::Action;
use crate::model::grant::Permit;
use crate::model::name::EntryId;
use crate::model::name::EntryPlace;
use crate::model::problem::FieldProblems;
use crate::model::revision::RevisionEvent;
use crate::model::three_way_merge::MergeConflict;
use crate::model::three_way_merge::merge_proposal;
use crate::query::index::change_index::ProposedFile;
use crate::query::index::snapshot::Snapshot;
use crate::query::index::type_index::TypeIndex;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::time::Timestamp;
use crate::store::layout::Key;

/// The values that were changed both live and in the change, by entry.
type Conflicts = BTreeMap<EntryPlace, Vec<MergeConflict>>;

/// The files of entries before and after a publication, where those of the change differ.
#[derive(Default)]
struct PublishedFiles {
    before: BTreeMap<EntryPlace, Vec<u8>>,
    after: BTreeMap<EntryPlace, Vec<u8>>,
}

/// Publishes a change. Every proposed state is merged onto what is live by then, and all of them
/// are judged together.
///
/// # Errors
///
/// Fails with all conflicts, or with all problems, and then changes nothing.
pub fn publish(app: &App, request: &ChangeRequest) -> Result<ChangeView> {
    let (engine, rules) = (app.engine.clone(), ReviewRules::of_app(app));
    request.run(app, move |found, staging| stage_publication(staging, found, &engine, rules))
}

/// Checks that the requester may publish a change as it is, be it possible now or not.
pub(super) fn check_may_publish(
    engine: &Engine,
    staging: &mut Staging<'_>,
    found: &FoundChange,
) -> Result<()> {
    let overlay = found.open_overlay(engine, staging.snapshot());
    let published = PublishedChange::collect(engine, staging, found, &overlay)?;
    published.check_rights(staging, found, &overlay)?;
    if let Some(refusal) = published.refusal {
        return Err(refusal);
    }
    if published.conflicts.is_empty() && published.problems.is_empty() {
        return Ok(());
    }
    // Of some entries the state that would be published is not known yet.
    let (live, caller) = (staging.snapshot(), &found.by.caller);
    change_access::check_proposals(live, caller, Action::ContentPublish, &found.change)
}

/// Stages everything that a change proposes. Returns its id.
pub(super) fn stage_publication(
    staging: &mut Staging<'_>,
    mut found: FoundChange,
    engine: &Engine,
    rules: ReviewRules,
) -> Result<EntryId> {
    change_access::check_active(&found.change)?;
    change_access::check_not_empty(&found.change)?;
    let overlay = found.open_overlay(engine, staging.snapshot());
    let published = PublishedChange::collect(engine, staging, &found, &overlay)?;
    let mut permits = published.check_rights(staging, &found, &overlay)?;
    check_end(&found, staging.now())?;
    let (entries, deletions) = published.judge(engine, staging, &found)?;
    rules.check_approved(&found.change)?;
    let mut files = PublishedFiles::default();
    for (entry, permit) in entries.into_iter().zip(&permits) {
        stage_entry(entry, staging, permit, &found, &mut files)?;
    }
    for place in &deletions {
        stage_deletion(staging, &found, place, &mut files)?;
    }
    // If all that it deletes is gone already, only the record changes.
    let permit = match permits.pop() {
        Some(permit) => permit,
        None => find_permit(staging.snapshot(), &found.by)?,
    };
    found.record.state = ChangeState::Published;
    found.record.published_at = Some(staging.now());
    found.record.published_by = Some(found.by.actor.id.clone());
    let is_approved = !found.record.approvals.is_empty();
    found.record.published_sum = is_approved.then(|| found.change.sum().to_string());
    found.record.previews.clear();
    found.record.failure = None;
    if is_pending(&found.id) {
        leave_pending(staging, &permit, &mut found, files)?;
    } else {
        keep_files(staging, &permit, &found, files)?;
        stage_record(staging, &permit, &mut found)?;
    }
    let mut write = staging.write(&permit);
    write.mark_in_change(&found.id);
    write.add_event(EventKind::ChangePublished, found.subject());
    Ok(found.id)
}

fn check_end(found: &FoundChange, now: Timestamp) -> Result<()> {
    if found.record.unpublish_at.is_some_and(|it| it <= now) {
        let message = "The time at which this release unpublishes its entries has passed. Choose a \
                       later one.";
        return Err(Error::conflict(message));
    }
    Ok(())
}

/// Keeps a published pending change under an id of its own, so that its author has a pending one
/// again.
fn leave_pending(
    staging: &mut Staging<'_>,
    permit: &Permit,
    found: &mut FoundChange,
    files: PublishedFiles,
) -> Result<()> {
    let (ws, old) = (staging.workspace().clone(), found.id.clone());
    let new = staging.new_id();
    let (proposals, bases) = (found.change.proposals.keys(), found.change.bases.keys());
    let PublishedFiles { before, after } = files;
    move_files(
        &mut staging.write(permit),
        proposals,
        after,
        |change, place| Key::of_proposal(&ws, change, place),
        (&old, &new),
    );
    move_files(
        &mut staging.write(permit),
        bases,
        before,
        |change, place| Key::of_base(&ws, change, place),
        (&old, &new),
    );
    let record = Key::Change(ws, old);
    if staging.exists(&record) {
        staging.write(permit).remove(&record);
    }
    found.id = new;
    stage_record(staging, permit, found)
}

/// Moves files of a change to another one. Those with other bytes by now are written there.
fn move_files<'p>(
    write: &mut Write<'_>,
    places: impl Iterator<Item = &'p EntryPlace>,
    changed: BTreeMap<EntryPlace, Vec<u8>>,
    key: impl Fn(&EntryId, &EntryPlace) -> Key,
    (old, new): (&EntryId, &EntryId),
) {
    for place in places {
        match changed.contains_key(place) {
            true => write.remove(&key(old, place)),
            false => write.rename(&key(old, place), &key(new, place)),
        }
    }
    for (place, bytes) in changed {
        write.create(&key(new, &place), bytes);
    }
}

/// Keeps what was replaced and what went live in the change, so that it can be taken back.
fn keep_files(
    staging: &mut Staging<'_>,
    permit: &Permit,
    found: &FoundChange,
    files: PublishedFiles,
) -> Result<()> {
    let (ws, change) = (staging.workspace().clone(), &found.id);
    let before =
        files.before.into_iter().map(|(it, bytes)| (Key::of_base(&ws, change, &it), bytes));
    let after =
        files.after.into_iter().map(|(it, bytes)| (Key::of_proposal(&ws, change, &it), bytes));
    for (key, bytes) in before.chain(after) {
        let stored = staging.read_stored(&key)?;
        let mut write = staging.write(permit);
        match stored {
            Some(stored) => write.replace(&stored, bytes),
            None => write.create(&key, bytes),
        }
    }
    Ok(())
}

/// The states that a change publishes, and the reasons against it.
#[derive(Default)]
struct PublishedChange {
    entries: Vec<StateChange>,
    deletions: Vec<EntryPlace>,
    /// The entries whose state afterwards is not known, because of a conflict or a problem.
    unknown: Vec<EntryPlace>,
    conflicts: Conflicts,
    problems: FieldProblems,
    /// The error of entries that refer to a deleted one and keep it from being deleted.
    refusal: Option<Error>,
    /// The new files of entries that lose references to deleted ones, until they are added.
    cleared: BTreeMap<EntryPlace, Map>,
}

impl PublishedChange {
    /// Computes the states that a change publishes, and those of the entries that lose references
    /// by it.
    fn collect(
        engine: &Engine,
        staging: &mut Staging<'_>,
        found: &FoundChange,
        overlay: &Snapshot,
    ) -> Result<PublishedChange> {
        let mut published = PublishedChange::default();
        match clear_deleted(engine, staging, &found.by, overlay) {
            Ok(cleared) => published.cleared = cleared,
            Err(error) if error.code == Code::Conflict => published.refusal = Some(error),
            Err(error) => return Err(error),
        }
        for (place, proposed) in &found.change.proposals {
            published.add_entry(staging, found, overlay, (place, proposed))?;
        }
        published.add_cleared_entries(staging, overlay)?;
        Ok(published)
    }

    /// Checks that it can be published, by whoever may. Returns the entries and the deletions.
    fn judge(
        self,
        engine: &Engine,
        staging: &Staging<'_>,
        found: &FoundChange,
    ) -> Result<(Vec<StateChange>, Vec<EntryPlace>)> {
        let PublishedChange { entries, deletions, conflicts, problems, refusal, .. } = self;
        if let Some(refusal) = refusal {
            return Err(refusal);
        }
        if !conflicts.is_empty() {
            let (live, caller) = (staging.snapshot(), &found.by.caller);
            let shown = list_conflicting(engine, live, caller, &found.change, conflicts.keys());
            return Err(conflict_error(&conflicts, problems, &shown));
        }
        problems.into_result((entries, deletions)).map_err(Error::invalid)
    }

    /// Checks all permissions that it takes, as far as the states of entries are known. Returns the
    /// permits for the entries, then for the deletions.
    fn check_rights(
        &self,
        staging: &Staging<'_>,
        found: &FoundChange,
        overlay: &Snapshot,
    ) -> Result<Vec<Permit>> {
        let mut permits = Vec::with_capacity(self.entries.len() + self.deletions.len());
        for entry in &self.entries {
            permits.push(entry.check_rights(staging, &found.by, overlay)?);
        }
        for place in &self.deletions {
            permits.push(find_deleted(staging, &found.by, place)?.1);
        }
        let (live, caller) = (staging.snapshot(), &found.by.caller);
        for place in &self.unknown {
            let files = [found.change.bases.get(place), found.change.proposals.get(place)];
            change_access::check_files(live, caller, Action::ContentUpdate, place, &files)?;
        }
        Ok(permits)
    }

    /// Adds the entries outside of the change that lose references. With it they are taken back.
    fn add_cleared_entries(&mut self, staging: &mut Staging<'_>, overlay: &Snapshot) -> Result<()> {
        for (place, file) in std::mem::take(&mut self.cleared) {
            let live = staging.read_stored(&Key::of_entry(staging.workspace(), &place))?;
            if let Some(index) = overlay.get(place.0.as_str()) {
                let entry = publish_state(staging, index, &place, live, file, None);
                self.entries.push(entry);
            }
        }
        Ok(())
    }

    /// Adds a deletion. An entry that others changed since it was proposed is a conflict; one that
    /// they deleted is as it should be.
    fn add_deletion(
        &mut self,
        staging: &mut Staging<'_>,
        found: &FoundChange,
        place: &EntryPlace,
    ) -> Result<()> {
        let key = Key::of_entry(staging.workspace(), place);
        let Some(live) = staging.read_stored(&key)? else { return Ok(()) };
        self.deletions.push(place.clone());
        if found.change.base(place).is_some_and(|base| is_edited(base, live.map())) {
            let live = live.json;
            let edited = MergeConflict { path: String::new(), live, proposed: Json::Null };
            self.conflicts.insert(place.clone(), vec![edited]);
        }
        Ok(())
    }

    /// Adds an entry with all that is wrong with it. Also one that cannot be published is judged as
    /// far as its state is known.
    fn add_entry(
        &mut self,
        staging: &mut Staging<'_>,
        found: &FoundChange,
        overlay: &Snapshot,
        (place, proposed): (&EntryPlace, &ProposedFile),
    ) -> Result<()> {
        let path = format!("{}/{}", place.0, place.1);
        let check =
            ProposalCheck { live: staging.snapshot(), change: &found.change, place, proposed };
        let mut problems = check.find_problems();
        // A hand edit of the proposal that was not seen yet counts: the work begins anew with it.
        let key = Key::of_proposal(staging.workspace(), &found.id, place);
        let is_readable = match staging.read_stored(&key) {
            Err(CommitError::Broken(_)) => false,
            read => {
                read?;
                true
            }
        };
        if !is_readable && problems.is_empty() {
            problems = FieldProblems::from_problem("", UNREADABLE);
        }
        if is_readable && proposed.is_deletion() {
            return self.add_deletion(staging, found, place);
        }
        self.problems.extend(problems.with_prefix(&path));
        let is_base_lost = found.change.bases.get(place).is_some_and(|it| it.content().is_none());
        let file = proposed.content().filter(|_| is_readable && !is_base_lost);
        let (Some(file), Some(index)) = (file, overlay.get(place.0.as_str())) else {
            self.unknown.push(place.clone());
            return Ok(());
        };
        let base = found.change.base(place);
        let live = staging.read_stored(&Key::of_entry(staging.workspace(), place))?;
        if live.is_none() && base.is_some() {
            let deleted = MergeConflict {
                path: String::new(),
                live: Json::Null,
                proposed: Json::Object(file.clone()),
            };
            self.conflicts.insert(place.clone(), vec![deleted]);
            self.unknown.push(place.clone());
            return Ok(());
        }
        let conflicts = find_conflicts(base, live.as_ref().map(StoredFile::map), file);
        if !conflicts.is_empty() {
            self.conflicts.insert(place.clone(), conflicts);
        }
        let merged = merge_live(base, live.as_ref(), file, &found.by.actor.id);
        let merged = self.cleared.remove(place).unwrap_or(merged);
        let end = found.record.unpublish_at;
        let entry = publish_state(staging, index, place, live, merged, end);
        self.problems.extend(entry.problems.clone().with_prefix(&path));
        self.entries.push(entry);
        Ok(())
    }
}

/// Returns a proposal merged onto what is live, as edited by whoever proposed it, or if that is not
/// known, by the publisher. The merge itself names who edited last, which may be somebody else.
fn merge_live(
    base: Option<&Map>,
    live: Option<&StoredFile>,
    proposed: &Map,
    publisher: &str,
) -> Map {
    let mut merged = match live {
        Some(live) => merge_proposal(base, live.map(), proposed).file,
        None => proposed.clone(),
    };
    let proposer = proposed.get("updated_by").and_then(Json::as_str).filter(|it| !it.is_empty());
    set_key(&mut merged, "updated_by", proposer.unwrap_or(publisher).into());
    merged
}

/// Returns an entry as it will be once it is published. `index` has the entries of the type as
/// they are after the change: each is judged among what the others become.
fn publish_state(
    staging: &Staging<'_>,
    index: &TypeIndex,
    place: &EntryPlace,
    live: Option<StoredFile>,
    mut file: Map,
    end: Option<Timestamp>,
) -> StateChange {
    let now = staging.now();
    date_publication(&mut file, live.as_ref().map(StoredFile::map), now, end);
    if let Some(live) = &live {
        keep_former_slugs(&mut file, &index.content_type, place, live, now);
    }
    set_key(&mut file, "updated_at", now.to_string().into());
    let mut entry = StateChange::new(staging, index, place, live, file);
    entry.refuse_missing_values(&index.content_type);
    entry
}

/// Gives an entry the former slugs of what is live, and the live slug if it was public and is left:
/// those that were only proposed never had an address.
fn keep_former_slugs(
    file: &mut Map,
    ty: &ContentType,
    place: &EntryPlace,
    live: &StoredFile,
    now: Timestamp,
) {
    const KEY: &str = "former_slugs";
    let read = |file: &Map| {
        let facts = FileFacts { modified: live.modified, now };
        Entry::read(place.1.clone(), ty, file.clone().into(), facts, &mut Vec::new())
    };
    let (old, next) = (read(live.map()), read(&*file));
    let former = old.list_former_slugs(&next.slug, Publication::of_entry(&next), now);
    match former.or_else(|| live.map().get(KEY).cloned()) {
        Some(former) => set_key(file, KEY, former),
        None => _ = file.remove(KEY),
    }
}

/// Stages an entry as it will be, and keeps what was there and what there is then.
fn stage_entry(
    entry: StateChange,
    staging: &mut Staging<'_>,
    permit: &Permit,
    found: &FoundChange,
    files: &mut PublishedFiles,
) -> Result<()> {
    let place = entry.place.clone();
    // If somebody else has done the same, there is nothing of it to take back.
    let is_same = entry.is_same();
    if let Some(live) = &entry.live
        && (is_same || !is_known_base(found, &place, live))
    {
        files.before.insert(place.clone(), live.bytes.clone());
    }
    let after = entry.stage(staging, permit, (RevisionEvent::Change, &found.by.actor.id))?;
    files.after.insert(place, after);
    Ok(())
}

/// Returns true if the state from which a proposal was begun is the one that it replaces. It is not
/// if others changed the entry meanwhile.
fn is_known_base(found: &FoundChange, place: &EntryPlace, live: &StoredFile) -> bool {
    let known = found.change.bases.get(place).and_then(|it| it.json.as_deref());
    known.is_some_and(|it| is_equivalent(it, &live.json))
}

/// Finds an entry that is to be deleted, with the permit for it.
fn find_deleted<'s>(
    staging: &Staging<'s>,
    by: &'s Requester,
    place: &'s EntryPlace,
) -> Result<(TargetEntry<'s>, Permit)> {
    let (type_name, id) = (place.0.as_str(), place.1.as_str());
    let action = Action::ContentDelete;
    let target = TargetEntry::find_entry(staging.snapshot(), by, action, type_name, id, None)?;
    let permit = may_delete(&target, by)?;
    let refused = |_| Error::forbidden(Action::ContentPublish, &format!("`{}`", target.resource()));
    target.check_draft_rule(staging, by).map_err(refused)?;
    Ok((target, permit))
}

/// Stages the deletion of an entry.
fn stage_deletion(
    staging: &mut Staging<'_>,
    found: &FoundChange,
    place: &EntryPlace,
    files: &mut PublishedFiles,
) -> Result<()> {
    let (target, permit) = find_deleted(staging, &found.by, place)?;
    let stored = target.read_file(staging)?;
    stage_delete(&permit, staging, &target, &stored, &found.by)?;
    if !is_known_base(found, place, &stored) {
        files.before.insert(place.clone(), stored.bytes);
    }
    Ok(())
}

/// Returns the error of a change with conflicts, which names its other problems, too.
fn conflict_error(conflicts: &Conflicts, problems: FieldProblems, shown: &[EntryDiff]) -> Error {
    let mut fields = FieldProblems::new();
    for ((of, id), conflicts) in conflicts {
        for conflict in conflicts {
            let message = match (conflict.path.is_empty(), &conflict.live) {
                (true, Json::Null) => "This entry was deleted in the meantime.",
                (true, _) => {
                    "This release deletes the entry, but somebody has changed it in the \
                              meantime."
                }
                (false, _) => "Somebody has changed this in the meantime.",
            };
            let path = if conflict.path.is_empty() { "" } else { "." };
            fields.add(format!("{of}/{id}{path}{}", conflict.path), message);
        }
    }
    fields.extend(problems);
    let shown = Some(shown).filter(|it| !it.is_empty());
    Error::merge_conflict(fields, shown.and_then(|it| to_raw_value(it).ok()))
}
