//! `…/content/{collection}` and `…/content/{collection}/{identifier}`

use http::StatusCode;
use http::header;

use crate::app::entries;
use crate::app::entries::AnswerBody;
use crate::app::entries::Attempt;
use crate::app::entries::Shown;
use crate::app::entries::Written;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::http::call::Call;
use crate::http::error::JSON;
use crate::http::headers;
use crate::http::public::created;
use crate::http::public::done;
use crate::http::public::json_reply;
use crate::http::public::tagged;
use crate::http::repeats;
use crate::http::reply::Reply;
use crate::http::reply::ReplyBody;
use crate::http::route::Outcome;
use crate::model::entry::Api;
use crate::query::list_query;
use crate::query::params::Params;
use crate::stdx::sum::Sum;

/// A list, streamed when it is long.
pub fn list(call: &Call) -> Result<Outcome> {
    let (snapshot, name) = (call.snapshot()?, call.param("collection")?);
    let (app, caller, api) = (call.app(), &call.caller, Api::Public);
    let attempt = entries::list(app, snapshot, caller, name, call.query(), call.effort, api)?;
    let Attempt::Done(listed) = attempt else { return Ok(Outcome::NeedsEffort) };
    Ok(tagged(answered(listed.body), &listed.etag.to_string()).into())
}

/// One entry, streamed when much is expanded in it.
pub fn show(call: &Call) -> Result<Outcome> {
    let params = Params::parse(call.query()).map_err(Error::bad_request)?;
    let (name, identifier) = (call.param("collection")?, call.param("identifier")?);
    let (snapshot, caller, limits) =
        (call.snapshot()?, &call.caller, call.app().settings().include);
    let attempt = entries::show(snapshot, caller, name, identifier, &params, &limits, call.effort)?;
    let Attempt::Done(seen) = attempt else { return Ok(Outcome::NeedsEffort) };
    Ok(with_tag(answered(seen.body), seen.rev, seen.variant).into())
}

fn answered(body: AnswerBody) -> Reply {
    match body {
        AnswerBody::Whole(bytes) => json_reply(bytes),
        AnswerBody::Streamed(stream) => Reply::new(StatusCode::OK)
            .with(header::CONTENT_TYPE, JSON)
            .with_body(ReplyBody::pull(stream.map(Ok))),
    }
}

/// Makes an entry.
pub fn create(call: &Call) -> Result<Outcome> {
    let (name, body) = (call.param("collection")?, call.json()?);
    let written = entries::create(call.app(), call.workspace()?, &call.by(), name, body)?;
    let below = format!("content/{name}/{}", written.id);
    Ok(created(call, answer(call, written)?, &below)?.into())
}

/// Changes an entry.
pub fn update(call: &Call) -> Result<Outcome> {
    let (app, ws, by) = (call.app(), call.workspace()?, call.by());
    let (name, identifier) = (call.param("collection")?, call.param("identifier")?);
    let (body, precondition) = (call.json()?, call.precondition());
    let written = entries::update(app, ws, &by, name, identifier, body, precondition)?;
    Ok(answer(call, written)?.into())
}

/// Puts an entry into the trash.
pub fn delete(call: &Call) -> Result<Outcome> {
    let (ws, by, precondition) = (call.workspace()?, call.by(), call.precondition());
    let (name, identifier) = (call.param("collection")?, call.param("identifier")?);
    entries::delete(call.app(), ws, &by, name, identifier, precondition)?;
    Ok(done(call)?.into())
}

/// The entry that was written, in the locale that the request asks for, else that of its body.
fn answer(call: &Call, written: Written) -> Result<Reply> {
    let params = Params::parse(call.query()).map_err(Error::bad_request)?;
    let mut shown = match list_query::locale(&params) {
        Some(locale) => written.shown_in(locale)?,
        None => written.shown,
    };
    let told = repeats::told(shown.body.to_vec(), &params);
    let body = if params.flag("pretty") { entries::pretty(&told) } else { told };
    if body != shown.body {
        shown.variant = Sum::of(&body);
        shown.body = body.into();
    }
    Ok(one(shown))
}

fn one(shown: Shown) -> Reply {
    with_tag(json_reply(shown.body), shown.rev, shown.variant)
}

fn with_tag(mut reply: Reply, rev: Sum, variant: Sum) -> Reply {
    let tag = headers::etag_of_entry(rev, variant);
    reply.headers.extend(tag.map(|it| (header::ETAG, it)));
    reply
}
