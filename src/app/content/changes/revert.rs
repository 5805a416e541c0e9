//! Taking a published change back: a new change proposes the states that it replaced.

use crate::app::App;
use crate::app::access::Requester;
use crate::app::content::changes::change_request::ChangeRequest;
use crate::app::content::changes::change_view::ChangeView;
use crate::app::content::changes::found_change::find_permit;
use crate::app::content::changes::found_change::show;
use crate::app::content::changes::found_change::stage_new_record;
use crate::app::content::entries::StateChange;
use crate::app::content::entries::TargetEntry;
use crate::app::content::entries::may_delete;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::engine::staging::Staging;
use crate::engine::staging::StoredFile;
use crate::model::change::ChangeRecord;
use crate::model::change::ChangeState;
use crate::model::change::LABEL_CHARS_MAX;
use crate::model::grant::Action;
use crate::model::grant::Facts;
use crate::model::grant::Permit;
use crate::model::grant::Resource;
use crate::model::name::EntryPlace;
use crate::model::three_way_merge::merge_proposal;
use crate::query::index::change_index::ProposedFile;
use crate::store::layout::Key;

/// An entry that a published change has changed.
struct PublishedEntry<'a> {
    place: &'a EntryPlace,
    /// The state before the publication; nothing if there was no such entry.
    before: Option<&'a ProposedFile>,
    /// The published state; nothing if the entry was deleted.
    published: Option<&'a ProposedFile>,
}

/// Begins a change that takes a published one back. What others changed since is merged when it is
/// published, or named as a conflict.
pub fn revert(app: &App, request: &ChangeRequest) -> Result<ChangeView> {
    let committed = request.commit(app, |found, staging| {
        let permit = find_permit(staging.snapshot(), &found.by)?;
        if found.record.state != ChangeState::Published {
            return Err(Error::conflict("Only a published release can be reverted."));
        }
        let id = staging.new_id();
        for (place, proposed) in &found.change.proposals {
            let before = found.change.bases.get(place);
            let published = Some(proposed).filter(|it| !it.is_deletion());
            let bytes = |it: Option<&ProposedFile>| it.map(|it| it.bytes.to_vec());
            let (old, new) = (bytes(before), bytes(published));
            if old != new {
                let entry = PublishedEntry { place, before, published };
                let permit = entry.check_may_revert(staging, &found.by)?;
                staging.stage_inverse(&permit, &id, place, old, new);
            }
        }
        let label = build_label(&found.record.label);
        let mut record = ChangeRecord::begin(label, &found.by.actor.id, staging.now());
        record.add_contributors(&found.by.caller.person_ids());
        stage_new_record(staging, &permit, &id, &record);
        Ok(id)
    })?;
    show(app, &committed.snapshot, &request.by.caller, &committed.value)
}

impl PublishedEntry<'_> {
    /// Checks the permission that it takes to propose the state before the publication again: the
    /// same as for changing what is live to it.
    fn check_may_revert(&self, staging: &mut Staging<'_>, by: &Requester) -> Result<Permit> {
        let (live, ws) = (staging.snapshot(), staging.workspace());
        let type_name = self.place.0.as_str();
        let Some(before) = self.before else { return self.check_may_delete(staging, by) };
        let (Some(index), Some(file)) = (live.get(type_name), before.content()) else {
            // Nobody knows what it changes, so it counts as a change of anything.
            let on = Resource::Collection(type_name);
            return by.check_permission(ws, Action::ContentUpdate, &on, &Facts::default());
        };
        let stored = staging.read_stored(&Key::of_entry(ws, self.place))?;
        let base = self.published.and_then(ProposedFile::content);
        let merged = match stored.as_ref().map(StoredFile::map) {
            Some(current) => merge_proposal(base, current, file).file,
            None => file.clone(),
        };
        let state = StateChange::new(staging, index, self.place, stored, merged);
        state.check_may_propose(staging, by, live)
    }

    fn check_may_delete(&self, staging: &Staging<'_>, by: &Requester) -> Result<Permit> {
        let (live, action) = (staging.snapshot(), Action::ContentDelete);
        let (type_name, id) = (self.place.0.as_str(), self.place.1.as_str());
        if live.find_entry(self.place).is_none() {
            // It is deleted already. Of its author nothing is known.
            let on = Resource::Collection(type_name);
            return by.check_permission(staging.workspace(), action, &on, &Facts::default());
        }
        let target = TargetEntry::find_entry(live, by, action, type_name, id, None)?;
        may_delete(&target, by)
    }
}

fn build_label(label: &str) -> String {
    let label = if label.is_empty() { "drafts" } else { label };
    format!("Revert: {label}").chars().take(LABEL_CHARS_MAX).collect()
}
