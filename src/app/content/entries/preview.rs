//! The preview of an edit that is not stored yet.

use std::sync::Arc;

use crate::app::App;
use crate::app::access::Caller;
use crate::app::access::Requester;
use crate::app::content::change_access::check_entry;
use crate::app::content::entries::clean_html::CleanHtml;
use crate::app::content::entries::clean_html::write_clean;
use crate::app::content::entries::entry_stream::AnswerBody;
use crate::app::content::entries::read;
use crate::app::content::entries::read::EffortResult;
use crate::app::content::entries::read::ReadSettings;
use crate::app::content::entries::target_entry::TargetEntry;
use crate::app::content::entries::write::EntryEdit;
use crate::app::content::entries::write::EntryOutcome;
use crate::app::content::write_target::WriteTarget;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::precondition::Precondition;
use crate::engine::staging::Staging;
use crate::model::grant::Action;
use crate::model::name::TypeName;
use crate::model::name::WorkspaceSlug;
use crate::model::revision::RevisionEvent;
use crate::query::execute::executor::Effort;
use crate::query::index::snapshot::Snapshot;
use crate::query::request::params::QueryParams;
use crate::stdx::json::Map;

/// Returns an entry as a site gets it with a preview link, after an edit that would be proposed in
/// this change. It is judged and cleaned like any other edit, and nothing of it is stored.
pub fn preview_edit(
    app: &App,
    ws: &WorkspaceSlug,
    by: &Requester,
    change: &str,
    (type_name, identifier): (&str, &str),
    body: Map,
    params: &QueryParams,
) -> Result<AnswerBody> {
    let target = WriteTarget::Change(change.to_string());
    let body = Arc::new(body);
    let clean_html = CleanHtml::from_current_type(app, ws, type_name, &body);
    let (outcome, change) = write_clean(clean_html, |clean_html| {
        let edit = EntryEdit {
            type_name: type_name.to_string(),
            identifier: identifier.to_string(),
            body: body.clone(),
            clean_html,
            precondition: Precondition::default(),
            event: RevisionEvent::Update,
        };
        app.engine.writer().preview_commit(ws, |staging| {
            let live = staging.snapshot();
            target
                .stage_work(&app.engine, staging, by, |it| stage_readable_edit(it, live, by, &edit))
        })
    })?;
    let missing = || Error::not_found("entry", identifier);
    let (id, file) = outcome.into_file().ok_or_else(missing)?;
    let type_name = TypeName::parse(type_name).map_err(|_| missing())?;
    let (live, change) = app.engine.snapshot(ws.as_str()).zip(change).ok_or_else(missing)?;
    let place = (type_name.clone(), id.clone());
    let preview = Arc::new(app.engine.overlays().build_preview(&live, &change, place, file));
    let (base_url, limits) = (app.engine.base_url(), || app.settings().include);
    let settings = ReadSettings { base_url, limits: &limits };
    let reader = Caller::Anonymous;
    let shown = read::show(settings, &preview, &reader, &type_name, &id, params, Effort::Thorough)?;
    match shown {
        EffortResult::Done(shown) => Ok(shown.body),
        EffortResult::NeedsEffort => Err(Error::internal("a preview takes no more effort")),
    }
}

/// Stages an edit of an entry that the caller may read as it is in the change and as it is live:
/// the answer shows values that the caller did not send.
fn stage_readable_edit(
    staging: &mut Staging<'_>,
    live: &Snapshot,
    by: &Requester,
    edit: &EntryEdit,
) -> Result<EntryOutcome> {
    let (snapshot, body) = (staging.snapshot(), Some(&*edit.body));
    let (name, identifier) = (&edit.type_name, &edit.identifier);
    let found =
        TargetEntry::find_entry(snapshot, by, Action::ContentUpdate, name, identifier, body)?;
    let place = (found.index.content_type.name.clone(), found.doc.to_id());
    check_entry(snapshot, &by.caller, Action::ContentRead, &place, found.doc)?;
    if let Some(doc) = live.find_entry(&place) {
        check_entry(live, &by.caller, Action::ContentRead, &place, doc)?;
    }
    edit.stage_edit(staging, by)
}
