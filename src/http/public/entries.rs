//! `GET …/content/{collection}` and `GET …/content/{collection}/{identifier}`

use http::StatusCode;
use http::header;

use crate::app::entries;
use crate::app::entries::Attempt;
use crate::app::entries::ListBody;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::http::call::Call;
use crate::http::error::JSON;
use crate::http::headers;
use crate::http::public::json_reply;
use crate::http::public::tagged;
use crate::http::reply::Reply;
use crate::http::reply::ReplyBody;
use crate::http::route::Outcome;
use crate::query::params::Params;

/// A list, streamed when it is long.
pub fn list(call: &Call) -> Result<Outcome> {
    let (snapshot, name) = (call.snapshot()?, call.param("collection")?);
    let attempt =
        entries::list(call.app(), snapshot, &call.caller, name, call.query(), call.effort)?;
    let Attempt::Done(listed) = attempt else { return Ok(Outcome::NeedsEffort) };
    let reply = match listed.body {
        ListBody::Whole(bytes) => json_reply(bytes),
        ListBody::Streamed(stream) => Reply::new(StatusCode::OK)
            .with(header::CONTENT_TYPE, JSON)
            .with_body(ReplyBody::pull(*stream)),
    };
    Ok(tagged(reply, &listed.etag.to_string()).into())
}

/// One entry.
pub fn show(call: &Call) -> Result<Outcome> {
    let params = Params::parse(call.query()).map_err(Error::bad_request)?;
    let (name, identifier) = (call.param("collection")?, call.param("identifier")?);
    let shown = entries::show(call.snapshot()?, &call.caller, name, identifier, &params)?;
    let tag = headers::etag_of_entry(shown.rev, shown.variant);
    let mut reply = json_reply(shown.body);
    reply.headers.extend(tag.map(|it| (header::ETAG, it)));
    Ok(reply.into())
}
