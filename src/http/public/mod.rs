//! Handlers of the public API: each reads its input, calls one use case and gives one reply.

pub mod content_types;
pub mod entries;
pub mod files;
pub mod health;
pub mod media;
pub mod monitors;
pub mod openapi;

use bytes::Bytes;
use http::StatusCode;
use http::header;
use serde::Serialize;

use crate::app::entries::pretty;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::http::call::Call;
use crate::http::error::JSON;
use crate::http::headers;
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
    let json = serde_json::to_vec(&Envelope { data, meta }).map_err(Error::internal)?;
    let params = Params::parse(call.query()).map_err(Error::bad_request)?;
    let json = if params.flag("pretty") { pretty(&json) } else { json };
    Ok(json_reply(Bytes::from(json)))
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
