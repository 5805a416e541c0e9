//! The routes of `…/content/{collection}` and `…/content/{collection}/{identifier}`.

use http::HeaderValue;
use http::StatusCode;
use http::header;
use serde_json::json;

use crate::app::content::cache_tags::CacheTags;
use crate::app::content::entries;
use crate::app::content::entries::EffortResult;
use crate::app::content::entries::MovedEntry;
use crate::app::content::entries::ReadSettings;
use crate::app::error::Code;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::http::api::entry_changes::commit_entry;
use crate::http::api::entry_reply::reply_entries;
use crate::http::api::entry_reply::reply_written;
use crate::http::api::reply::reply_created;
use crate::http::api::reply::reply_with_meta;
use crate::http::api::reply::with_entry_tag;
use crate::http::api::reply::with_sum_tag;
use crate::http::request::answer_tags;
use crate::http::request::call::Call;
use crate::http::request::endpoint::HandlerOutcome;
use crate::http::wire::reply::Reply;
use crate::model::entry::Api;

/// Lists entries; a long list is streamed.
pub fn list_entries(call: &Call) -> Result<HandlerOutcome> {
    list_by_query(call, call.query())
}

/// Lists entries as a query string asks, which need not be that of the request.
pub(super) fn list_by_query(call: &Call, query: &str) -> Result<HandlerOutcome> {
    let (snapshot, name) = (call.snapshot()?, call.param("collection")?);
    let (app, caller, api) = (call.app(), &call.caller, Api::Public);
    let attempt = entries::list(app, snapshot, caller, name, query, call.effort, api)?;
    let EffortResult::Done(listed) = attempt else { return Ok(HandlerOutcome::NeedsEffort) };
    let mut reply = with_sum_tag(reply_entries(listed.body), listed.etag);
    if answer_tags::are_told(call) {
        let limit_max = app.settings().editable.list_limit_max;
        let (kept, asked) = (&call.state.list_tags, (query, limit_max));
        let seen = (&**snapshot, caller);
        match CacheTags::of_list(kept, seen, name, asked, listed.etag, call.effort)? {
            EffortResult::Done(tags) => answer_tags::add_tags(call, &mut reply, &tags),
            EffortResult::NeedsEffort => return Ok(HandlerOutcome::NeedsEffort),
        }
    }
    Ok(reply.into())
}

/// Shows one entry; a response with many expanded entries is streamed.
pub fn show_entry(call: &Call) -> Result<HandlerOutcome> {
    let params = call.parse_query()?;
    let (name, identifier) = (call.param("collection")?, call.param("identifier")?);
    let (snapshot, caller, effort) = (call.snapshot()?, &call.caller, call.effort);
    let limits = || call.app().settings().include;
    let settings = ReadSettings { base_url: call.app().engine.base_url(), limits: &limits };
    match entries::show(settings, snapshot, caller, name, identifier, &params, effort) {
        Ok(EffortResult::NeedsEffort) => Ok(HandlerOutcome::NeedsEffort),
        Ok(EffortResult::Done(seen)) => {
            let mut reply = with_entry_tag(reply_entries(seen.body), seen.rev, seen.variant);
            if answer_tags::are_told(call) {
                let tags = CacheTags::of_entry(snapshot, caller, name, identifier, &params)?;
                answer_tags::add_tags(call, &mut reply, &tags);
            }
            Ok(reply.into())
        }
        Err(error) => match entries::find_moved(snapshot, caller, name, identifier, &params) {
            Some(moved) if error.code == Code::NotFound => Ok(reply_moved(call, moved)?.into()),
            _ => Err(error),
        },
    }
}

/// Redirects to the address that an entry has now, with the same query.
fn reply_moved(call: &Call, moved: MovedEntry) -> Result<Reply> {
    let (base, ws) = (call.state.options.base_path.trim_end_matches('/'), call.workspace()?);
    let (name, from) = (call.param("collection")?, call.param("identifier")?);
    let address = format!("{base}/api/v1/workspaces/{ws}/content/{name}/{}", moved.slug);
    let query = call.query();
    let address = if query.is_empty() { address } else { format!("{address}?{query}") };
    let address = HeaderValue::try_from(address).map_err(Error::internal)?;
    let meta = json!({ "moved": { "from": from, "to": moved.slug } });
    let mut reply = reply_with_meta(call, moved, Some(meta))?;
    reply.status = StatusCode::MOVED_PERMANENTLY;
    Ok(reply.with_header(header::LOCATION, address))
}

/// Creates an entry.
pub fn create_entry(call: &Call) -> Result<HandlerOutcome> {
    let (name, body) = (call.param("collection")?, call.parse_json()?);
    let (app, ws, by) = (call.app(), call.workspace()?, call.requester());
    let create = entries::prepare_create(app, ws, &by, &call.write_target()?, name, body);
    commit_entry(call, create, |call, written| {
        let below = format!("content/{}/{}", call.param("collection")?, written.id);
        reply_created(call, reply_written(call, written)?, &below)
    })
}
