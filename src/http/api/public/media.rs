//! The routes of `…/media` and of the metadata of media files.

use serde::Serialize;

use crate::app::content::entries::EffortResult;
use crate::app::error::Result;
use crate::app::media::delete;
use crate::app::media::list;
use crate::app::media::list::MediaFilterSet;
use crate::app::media::meta;
use crate::app::media::meta::MediaTarget;
use crate::app::media::replace;
use crate::app::media::replace::ReplacementForm;
use crate::app::media::upload;
use crate::app::media::upload::UploadMeta;
use crate::app::usage_guard::UsageGuard;
use crate::http::api::reply::mark_created;
use crate::http::api::reply::reply_answer;
use crate::http::api::reply::reply_with_meta;
use crate::http::api::reply::with_etag;
use crate::http::request::call::Call;
use crate::http::request::endpoint::HandlerOutcome;
use crate::http::request::upload::Upload;
use crate::query::execute::executor::Effort;

/// Lists media files.
pub fn list_media(call: &Call) -> Result<HandlerOutcome> {
    let (snapshot, query) = (call.snapshot()?, call.query());
    let (lists, effort) = (MediaFilterSet::Public, call.effort);
    let listed = list::list_media(call.app(), snapshot, &call.caller, query, lists, effort)?;
    let EffortResult::Done(list) = listed else { return Ok(HandlerOutcome::NeedsEffort) };
    let tag = list.etag.to_string();
    Ok(with_etag(reply_with_meta(call, list.data, Some(list.meta))?, &tag).into())
}

/// Uploads files. Pictures are decoded for that.
pub fn upload_files(call: &Call) -> Result<HandlerOutcome> {
    if call.effort != Effort::Heavy && call.check_upload(|it| upload::has_pictures(&it.files))? {
        return Ok(HandlerOutcome::NeedsLane);
    }
    let Upload { files, category, visibility, .. } = call.take_upload()?;
    let (ws, by) = (call.workspace()?, call.requester());
    let said = UploadMeta {
        category: category.as_deref(),
        visibility: visibility.as_deref(),
        keeps_names: call.parse_flag("keep_names")?,
    };
    let answer = upload::upload_files(call.app(), ws, &by, files, &said)?;
    Ok(mark_created(reply_answer(call, &answer)?).into())
}

/// Replaces the bytes of a file. A picture is decoded for that.
pub fn replace_file(call: &Call) -> Result<HandlerOutcome> {
    if call.effort != Effort::Heavy && call.check_upload(|it| upload::has_pictures(&it.files))? {
        return Ok(HandlerOutcome::NeedsLane);
    }
    let Upload { files, category, visibility, .. } = call.take_upload()?;
    let form = ReplacementForm { files, category, visibility };
    change_file(call, |target| replace::replace_file(call.app(), &call.requester(), target, form))
}

/// Sets the texts of a file.
pub fn set_meta(call: &Call) -> Result<HandlerOutcome> {
    let body = call.parse_json()?;
    change_file(call, |target| meta::set_details(call.app(), &call.requester(), target, &body))
}

/// Sets the visibility of a file.
pub fn set_visibility(call: &Call) -> Result<HandlerOutcome> {
    let body = call.parse_json()?;
    change_file(call, |target| meta::set_visibility(call.app(), &call.requester(), target, &body))
}

/// Sets the visibility of several files.
pub fn bulk_set_visibility(call: &Call) -> Result<HandlerOutcome> {
    let (ws, body) = (call.workspace()?, call.parse_json()?);
    let answer = meta::set_visibility_of_many(call.app(), ws, &call.requester(), &body)?;
    Ok(reply_answer(call, &answer)?.into())
}

/// Moves a file to a category.
pub fn assign_category(call: &Call) -> Result<HandlerOutcome> {
    let body = call.parse_json()?;
    change_file(call, |target| meta::set_category(call.app(), &call.requester(), target, &body))
}

/// Deletes a file.
pub fn delete_media(call: &Call) -> Result<HandlerOutcome> {
    change_file(call, |target| {
        delete::delete_file(call.app(), &call.requester(), target, UsageGuard::Off)
    })
}

/// Changes the file that the address names.
pub(crate) fn change_file<T: Serialize>(
    call: &Call,
    change: impl FnOnce(&MediaTarget<'_>) -> Result<T>,
) -> Result<HandlerOutcome> {
    let (ws, name, precondition) =
        (call.workspace()?, call.param("filename")?, &call.precondition());
    Ok(reply_answer(call, &change(&MediaTarget { ws, name, precondition })?)?.into())
}
