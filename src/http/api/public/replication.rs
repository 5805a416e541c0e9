//! The routes of `…/files`: content as the files of the data folder, for other servers.

use std::io;

use bytes::Bytes;
use http::HeaderValue;
use http::StatusCode;
use http::header;

use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::replication::change;
use crate::app::replication::listing::FileListing;
use crate::http::api::reply::reply_data;
use crate::http::request::call::Call;
use crate::http::request::endpoint::HandlerOutcome;
use crate::http::wire::reply::Reply;
use crate::http::wire::reply::ReplyBody;

const LINES: HeaderValue = HeaderValue::from_static("application/x-ndjson; charset=utf-8");
const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");

/// Lists files.
pub fn list_files(call: &Call) -> Result<HandlerOutcome> {
    let params = call.parse_query()?;
    let mut listing = FileListing::open(call.snapshot()?, &call.caller, &params)?;
    let state = call.state.clone();
    let frames = std::iter::from_fn(move || listing.next_frame(&state.app));
    let frames = frames.map(|it: Bytes| io::Result::Ok(it));
    let reply = Reply::new(StatusCode::OK)
        .with_header(header::CONTENT_TYPE, LINES)
        .with_header(header::CACHE_CONTROL, NO_STORE)
        .with_body(ReplyBody::from_frames(frames));
    Ok(reply.into())
}

/// Writes files.
pub fn write_files(call: &Call) -> Result<HandlerOutcome> {
    if call.caller.is_anonymous() {
        return Err(Error::unauthorized("This request needs a token."));
    }
    let body = call.parse_json()?;
    let written = change::write_files(call.app(), call.workspace()?, &call.requester(), &body)?;
    Ok(reply_data(call, written)?.into())
}
