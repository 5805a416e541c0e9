//! Handlers that change an entry, for both APIs.

use crate::app::content::entries;
use crate::app::error::Result;
use crate::http::api::entry_reply::reply_written;
use crate::http::api::reply::reply_ok;
use crate::http::request::call::Call;
use crate::http::request::endpoint::HandlerOutcome;

/// Updates an entry.
pub(crate) fn update_entry(call: &Call) -> Result<HandlerOutcome> {
    let (app, ws, by) = (call.app(), call.workspace()?, call.requester());
    let (name, identifier) = (call.param("collection")?, call.param("identifier")?);
    let (body, precondition) = (call.parse_json()?, call.precondition());
    let (target, entry) = (call.write_target()?, (name, identifier));
    let written = entries::update(app, ws, &by, &target, entry, body, precondition)?;
    Ok(reply_written(call, written)?.into())
}

/// Moves an entry to the trash.
pub(crate) fn delete_entry(call: &Call) -> Result<HandlerOutcome> {
    let (ws, by, precondition) = (call.workspace()?, call.requester(), call.precondition());
    let entry = (call.param("collection")?, call.param("identifier")?);
    let (target, guard) = (call.write_target()?, call.parse_guard()?);
    entries::delete(call.app(), ws, &by, &target, entry, precondition, guard)?;
    Ok(reply_ok(call)?.into())
}
