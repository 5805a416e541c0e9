//! The routes of `…/content-types` and `…/content-types/{collection}`.

use crate::app::content::content_types;
use crate::app::content::content_types::change;
use crate::app::error::Result;
use crate::app::remarks::Remarks;
use crate::http::api::reply::reply_created;
use crate::http::api::reply::reply_json;
use crate::http::api::reply::reply_ok;
use crate::http::api::reply::reply_whole_list;
use crate::http::api::reply::reply_with_meta;
use crate::http::api::reply::with_entry_tag;
use crate::http::api::reply::with_etag;
use crate::http::api::reply::write_whole_list;
use crate::http::request::call::Call;
use crate::http::request::endpoint::HandlerOutcome;
use crate::http::wire::reply::Reply;
use crate::model::content_type::ContentType;
use crate::query::execute::executor::Effort;
use crate::stdx::checksum::ChecksumBuilder;

/// The most types that are listed on the thread of the request.
const QUICK_TYPES_MAX: usize = 200;

/// All types.
pub fn list_types(call: &Call) -> Result<HandlerOutcome> {
    let types = content_types::list(call.snapshot()?, &call.caller);
    let mut summer = ChecksumBuilder::new();
    for index in &types {
        summer.add_part(index.content_type.name.as_bytes()).add_number(index.content_type.sum.0);
    }
    let tag = summer.add_part(call.query().as_bytes()).finish().to_string();
    let views = || types.iter().map(|it| it.content_type.view()).collect::<Vec<_>>();
    let is_long = types.len() > QUICK_TYPES_MAX;
    let reply = if is_long && call.query().is_empty() {
        let texts = ["content_types", call.workspace()?.as_str()];
        let write = || write_whole_list(views(), "order", "asc");
        let list = call.state.documents.get_or_build(&texts, &types, call.effort, write)?;
        let Some(list) = list else { return Ok(HandlerOutcome::NeedsLane) };
        reply_json(list.bytes)
    } else if is_long && call.effort != Effort::Heavy {
        return Ok(HandlerOutcome::NeedsLane);
    } else {
        reply_whole_list(call, views(), "order", "asc")?
    };
    Ok(with_etag(reply, &tag).into())
}

/// Shows one type.
pub fn show_type(call: &Call) -> Result<HandlerOutcome> {
    let (_, index) =
        content_types::find(call.snapshot()?, &call.caller, call.param("collection")?)?;
    Ok(reply_type(call, &index.content_type, Vec::new())?.into())
}

/// Creates a type.
pub fn create_type(call: &Call) -> Result<HandlerOutcome> {
    let body = call.parse_json()?;
    let changed = change::create(call.app(), call.workspace()?, call.requester(), body)?;
    let below = format!("content-types/{}", changed.content_type.name);
    let reply = reply_type(call, &changed.content_type, changed.warnings)?;
    Ok(reply_created(call, reply, &below)?.into())
}

/// Updates a type.
pub fn update_type(call: &Call) -> Result<HandlerOutcome> {
    let (name, body) = (call.param("collection")?.to_string(), call.parse_json()?);
    let (ws, by, precondition) = (call.workspace()?, call.requester(), call.precondition());
    let changed = change::update(call.app(), ws, by, name, body, precondition)?;
    Ok(reply_type(call, &changed.content_type, changed.warnings)?.into())
}

/// Deletes a type.
pub fn delete_type(call: &Call) -> Result<HandlerOutcome> {
    let name = call.param("collection")?.to_string();
    let (ws, by, precondition) = (call.workspace()?, call.requester(), call.precondition());
    change::delete(call.app(), ws, by, name, precondition)?;
    Ok(reply_ok(call)?.into())
}

/// Builds the reply with a type and its tag. A precondition compares only the first half of the
/// tag.
fn reply_type(call: &Call, ty: &ContentType, warnings: Vec<String>) -> Result<Reply> {
    let reply = reply_with_meta(call, ty.view(), Remarks::from_warnings(warnings))?;
    let mut summer = ChecksumBuilder::new();
    let variant = summer.add_part(ty.name.as_bytes()).add_part(call.query().as_bytes()).finish();
    Ok(with_entry_tag(reply, ty.sum, variant))
}
