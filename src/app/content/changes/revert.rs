//! Taking a published change back: a new change proposes the states that it replaced.

use bytes::Bytes;

use crate::app::App;
use crate::app::content::changes::change_request::ChangeRequest;
use crate::app::content::changes::change_view::ChangeView;
use crate::app::content::changes::found_change::find_permit;
use crate::app::content::changes::found_change::show;
use crate::app::content::changes::found_change::stage_new_record;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::model::change::ChangeRecord;
use crate::model::change::ChangeState;
use crate::model::change::LABEL_CHARS_MAX;

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
            let before = found.change.bases.get(place).map(|it| &it.bytes);
            let published = (!proposed.is_deletion()).then_some(&proposed.bytes);
            if before != published {
                let bytes = |it: Option<&Bytes>| it.map(|it| it.to_vec());
                staging.stage_inverse(&permit, &id, place, bytes(before), bytes(published));
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

fn build_label(label: &str) -> String {
    let label = if label.is_empty() { "drafts" } else { label };
    format!("Revert: {label}").chars().take(LABEL_CHARS_MAX).collect()
}
