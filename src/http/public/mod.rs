//! Handlers of the public API: each reads its input, calls one use case and gives one reply.

pub mod categories;
pub mod content_types;
pub mod entries;
pub mod files;
pub mod health;
pub mod media;
pub mod monitors;
pub mod openapi;

use bytes::Bytes;
use http::HeaderValue;
use http::StatusCode;
use http::header;
use serde::Serialize;

use crate::app::entries::pretty;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::http::call::Call;
use crate::http::error::JSON;
use crate::http::headers;
use crate::http::repeats;
use crate::http::reply::Reply;
use crate::query::params::Params;

/// The envelope of an answer.
#[derive(Serialize)]
struct Envelope<D, M> {
    data: D,
    #[serde(skip_serializing_if = "Option::is_none")]
    meta: Option<M>,
}

/// A JSON reply in the envelope, indented when asked for.
fn envelope<D: Serialize, M: Serialize>(call: &Call, data: D, meta: Option<M>) -> Result<Reply> {
    written(call, &Envelope { data, meta })
}

/// A JSON reply of what is in its envelope already, indented when asked for.
fn written(call: &Call, answer: &impl Serialize) -> Result<Reply> {
    let json = serde_json::to_vec(answer).map_err(Error::internal)?;
    let params = Params::parse(call.query()).map_err(Error::bad_request)?;
    let json = repeats::told(json, &params);
    let json = if params.flag("pretty") { pretty(&json) } else { json };
    Ok(json_reply(Bytes::from(json)))
}

/// The same reply for something new.
fn new(mut reply: Reply) -> Reply {
    reply.status = StatusCode::CREATED;
    reply
}

/// The same reply for something new, which can be read at this address below its workspace.
fn created(call: &Call, reply: Reply, below: &str) -> Result<Reply> {
    let (base, ws) = (call.app().engine.base_url(), call.workspace()?);
    let address = format!("{base}/api/v1/workspaces/{ws}/{below}");
    let address = HeaderValue::try_from(address).map_err(Error::internal)?;
    Ok(new(reply.with(header::LOCATION, address)))
}

/// The answer to something that is gone now.
fn done(call: &Call) -> Result<Reply> {
    envelope(call, Done { ok: true }, None::<()>)
}

/// `{"ok": true}`
#[derive(Serialize)]
struct Done {
    ok: bool,
}

/// What a request said for nothing.
#[derive(Serialize)]
struct Remarks {
    warnings: Vec<String>,
}

impl Remarks {
    fn of(warnings: Vec<String>) -> Option<Remarks> {
        (!warnings.is_empty()).then_some(Remarks { warnings })
    }
}

fn json_reply(body: Bytes) -> Reply {
    Reply::new(StatusCode::OK).with(header::CONTENT_TYPE, JSON).with_body(body)
}

/// The reply with an entity tag; the text is made of hexadecimal digits and dashes.
fn tagged(mut reply: Reply, tag: &str) -> Reply {
    if let Some(tag) = headers::etag(tag) {
        reply.headers.push((header::ETAG, tag));
    }
    reply
}
