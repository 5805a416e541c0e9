//! Taking a published change back: a new change proposes the states that it replaced.

use crate::app::App;
use crate::app::access::Requester;
use crate::app::content::changes::change_view::ChangeView;
use crate::app::content::changes::records::FoundChange;
use crate::app::content::changes::records::change_subject;
use crate::app::content::changes::records::show;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::engine::staging::Staging;
use crate::model::change::ChangeRecord;
use crate::model::change::ChangeState;
use crate::model::change::LABEL_CHARS_MAX;
use crate::model::event::EventKind;
use crate::model::name::WorkspaceSlug;
use crate::store::layout::Key;

/// Begins a change that takes a published one back. What others changed since is merged when it is
/// published, or named as a conflict.
pub fn revert(
    app: &App,
    ws: &WorkspaceSlug,
    by: &Requester,
    reference: &str,
) -> Result<ChangeView> {
    let (engine, requester) = (app.engine.clone(), by.clone());
    let name = reference.to_string();
    let committed = app.engine.commit(ws, move |staging: &mut Staging<'_>| {
        let found = FoundChange::find(&engine, staging.snapshot(), &requester, &name)?;
        let permit = found.find_own_permit(staging.snapshot())?;
        if found.record.state != ChangeState::Published {
            return Err(Error::conflict("Only a published change can be taken back."));
        }
        let (now, id) = (staging.now(), staging.new_id());
        let record = ChangeRecord {
            label: build_label(&found.record.label),
            author_id: requester.actor.id.clone(),
            created_at: Some(now),
            updated_at: Some(now),
            ..ChangeRecord::default()
        };
        for (place, proposed) in &found.change.proposals {
            let before = found.change.bases.get(place);
            let published = (!proposed.is_deletion()).then_some(&proposed.bytes);
            if before.map(|it| &it.bytes) == published {
                continue;
            }
            let before = before.map(|it| it.bytes.to_vec());
            let published = published.map(|it| it.to_vec());
            staging.stage_inverse(&permit, &id, place, before, published);
        }
        let key = Key::Change(staging.workspace().clone(), id.clone());
        let mut write = staging.write(&permit);
        write.create(&key, record.to_file().to_file());
        write.add_event(EventKind::ChangeCreated, change_subject(&id, &record));
        Ok::<_, Error>(id)
    })?;
    show(app, &committed.snapshot, &by.caller, &committed.value)
}

fn build_label(label: &str) -> String {
    let label = if label.is_empty() { "pending change" } else { label };
    format!("Take back: {label}").chars().take(LABEL_CHARS_MAX).collect()
}
