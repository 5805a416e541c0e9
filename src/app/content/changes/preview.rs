//! Preview links: who makes them, and who takes them back.

use schemars::JsonSchema;
use serde::Serialize;

use crate::app::App;
use crate::app::access::Caller;
use crate::app::content::change_access;
use crate::app::content::change_access::check_entry;
use crate::app::content::changes::change_inputs::PreviewInput;
use crate::app::content::changes::change_request::ChangeRequest;
use crate::app::content::changes::change_view::ChangeView;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::model::change::PreviewLink;
use crate::model::change::PreviewToken;
use crate::model::event::EventKind;
use crate::model::grant::Action;
use crate::model::name::EntryPlace;
use crate::query::execute::view::View;
use crate::query::execute::view::Viewer;
use crate::query::index::snapshot::Snapshot;
use crate::stdx::json::Map;
use crate::stdx::time::Timestamp;

/// The number of preview links of a change that have not expired. One more takes the place of the
/// one that expires first.
const LINKS_MAX: usize = 50;

const DAY_SECONDS: i64 = 24 * 60 * 60;

/// A preview link that was made just now.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct NewPreview {
    /// The value of the parameter `preview`. It is shown only now.
    pub token: String,
    /// The link as the change lists it.
    pub link: PreviewLink,
}

/// Creates a preview link: `{entry?, days?}`. Whoever has it reads the change as an anonymous
/// reader, so its maker must be able to read all of it.
pub fn create_preview(app: &App, request: &ChangeRequest, body: &Map) -> Result<NewPreview> {
    let input = PreviewInput::parse(body).into_result().map_err(Error::invalid)?;
    let mut secret = [0; 32];
    getrandom::fill(&mut secret).map_err(Error::internal)?;
    let engine = app.engine.clone();
    let view = request.edit_record(app, move |found, staging| {
        let live = staging.snapshot();
        let permit = found.check_may_manage(live)?;
        change_access::check_active(&found.change)?;
        let PreviewInput { entry, days } = input.clone();
        if let Some(place) = &entry {
            check_may_preview(&found.open_overlay(&engine, live), &found.by.caller, place)?;
        }
        let now = staging.now();
        found.record.previews.retain(|it| it.expires_at > now);
        found.record.previews.sort_by_key(|it| it.expires_at);
        let n_surplus = (found.record.previews.len() + 1).saturating_sub(LINKS_MAX);
        found.record.previews.drain(..n_surplus);
        let link = staging.new_id();
        let token = PreviewToken::issue(found.id.clone(), link.clone(), secret);
        let expires_at = now.seconds().saturating_add(i64::from(days) * DAY_SECONDS);
        found.record.previews.push(PreviewLink {
            id: link,
            entry,
            created_by: found.by.actor.id.clone(),
            expires_at: Timestamp::from_seconds(expires_at),
            fingerprint: token.fingerprint(),
        });
        Ok((permit, EventKind::ChangeUpdated))
    })?;
    let ChangeView { id, mut previews, .. } = view;
    let fingerprint = |it: &PreviewLink| {
        let token = PreviewToken::issue(id.clone(), it.id.clone(), secret);
        it.fingerprint.matches(&token.fingerprint())
    };
    let place = previews.iter().position(fingerprint);
    let link = place.map(|it| previews.swap_remove(it));
    let link = link.ok_or_else(|| Error::internal("the link was removed at this very moment"))?;
    let token = PreviewToken::issue(id, link.id.clone(), secret).reveal();
    Ok(NewPreview { token, link })
}

/// Checks that the caller may read an entry in all its locales. One that they do not see at all is
/// as good as missing.
fn check_may_preview(overlay: &Snapshot, caller: &Caller, place: &EntryPlace) -> Result<()> {
    let missing = || Error::not_found("entry", &place.1);
    let doc = overlay.find_entry(place).ok_or_else(missing)?;
    check_entry(overlay, caller, Action::ContentRead, place, doc).map_err(|error| {
        let position = overlay.type_position(place.0.as_str()).unwrap_or_default();
        let sees = |viewer: Viewer<'_>| {
            View::new(overlay, viewer, None).find_by_id(position, place.1.as_str()).is_some()
        };
        if sees(caller.viewer()) || sees(Viewer::Anyone) { error } else { missing() }
    })
}

/// Revokes a preview link.
pub fn revoke_preview(app: &App, request: &ChangeRequest, link: &str) -> Result<()> {
    let link = link.to_string();
    let edited = request.edit_record(app, move |found, staging| {
        let permit = found.check_may_manage(staging.snapshot())?;
        let count = found.record.previews.len();
        found.record.previews.retain(|it| it.id.as_str() != link);
        if found.record.previews.len() == count {
            return Err(Error::not_found("preview link", &link));
        }
        Ok((permit, EventKind::ChangeUpdated))
    });
    edited.map(drop)
}
