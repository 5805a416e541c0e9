//! The routes of `…/bundle`, `…/sync` and `…/events`.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use http::HeaderName;
use http::HeaderValue;
use http::Method;
use http::StatusCode;
use http::header;

use crate::app::content::sync;
use crate::app::content::sync::LineStream;
use crate::app::content::sync::SyncAnswer;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::http::api::content_stream;
use crate::http::api::reply::with_etag;
use crate::http::request::call::Call;
use crate::http::request::endpoint::HandlerOutcome;
use crate::http::request::state::ServerState;
use crate::http::wire::reply::Reply;
use crate::http::wire::reply::ReplyBody;
use crate::model::input::wording;
use crate::model::problem::FieldProblems;
use crate::query::request::params::QueryParams;

/// The most seconds that a request waits for a change.
const WAIT_SECONDS_MAX: u64 = 60;

const LINES: HeaderValue = HeaderValue::from_static("application/x-ndjson; charset=utf-8");
const EVENT_STREAM: HeaderValue = HeaderValue::from_static("text/event-stream; charset=utf-8");
const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");

/// Shows all that the caller sees.
pub fn show_bundle(call: &Call) -> Result<HandlerOutcome> {
    let params = call.parse_query()?;
    let bundle = sync::open_bundle(call.app(), call.snapshot()?, &call.caller, &params)?;
    let tag = bundle.cursor.to_string();
    Ok(with_etag(reply_lines(&call.state, bundle.lines), &tag).into())
}

/// Shows what changed for the caller, at once or as soon as something does.
pub fn show_changes(call: &Call) -> Result<HandlerOutcome> {
    let params = call.parse_query()?;
    let wait = parse_wait(&params)?;
    let answer = sync::open_changes(call.app(), call.snapshot()?, &call.caller, &params)?;
    let lines = match answer {
        SyncAnswer::Same(_) if call.may_wait && !wait.is_zero() => {
            return Ok(HandlerOutcome::Waits(wait));
        }
        SyncAnswer::Same(lines) | SyncAnswer::Changed(lines) => lines,
    };
    let reply = reply_lines(&call.state, lines);
    Ok(reply.with_header(header::CACHE_CONTROL, NO_STORE).into())
}

/// Streams what happens.
pub fn stream_events(call: &Call) -> Result<HandlerOutcome> {
    let reply = Reply::new(StatusCode::OK)
        .with_header(header::CONTENT_TYPE, EVENT_STREAM)
        .with_header(header::CACHE_CONTROL, NO_STORE)
        // Tells proxies to pass on events without buffering.
        .with_header(HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no"));
    // A `HEAD` request receives no events.
    if call.head.method == Method::HEAD {
        return Ok(reply.into());
    }
    Ok(reply.with_body(content_stream::open_stream(call)?).into())
}

fn reply_lines(state: &Arc<ServerState>, mut lines: LineStream) -> Reply {
    let state = state.clone();
    let frames = std::iter::from_fn(move || lines.next_frame(&state.app));
    let frames = frames.map(|it: Bytes| io::Result::Ok(it));
    Reply::new(StatusCode::OK)
        .with_header(header::CONTENT_TYPE, LINES)
        .with_body(ReplyBody::from_frames(frames))
}

fn parse_wait(params: &QueryParams) -> Result<Duration> {
    let Some(text) = params.get("wait").filter(|it| !it.is_empty()) else {
        return Ok(Duration::ZERO);
    };
    let refused = || Error::invalid(FieldProblems::from_problem("wait", wording::NOT_WHOLE));
    let seconds: u64 = text.parse().map_err(|_| refused())?;
    Ok(Duration::from_secs(seconds.min(WAIT_SECONDS_MAX)))
}
