//! Replies of handlers: the envelope of JSON answers, and what goes with it.

use bytes::Bytes;
use http::HeaderValue;
use http::StatusCode;
use http::header;
use serde::Serialize;

use crate::app::content::entries::indent_json;
use crate::app::done::Done;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::list_window::ListWindow;
use crate::http::request::call::Call;
use crate::http::request::error::JSON;
use crate::http::request::query_warnings;
use crate::http::wire::headers;
use crate::http::wire::reply::Reply;
use crate::stdx::checksum::Checksum;

/// The envelope of an answer.
#[derive(Serialize)]
pub(crate) struct AnswerEnvelope<D, M> {
    pub(crate) data: D,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) meta: Option<M>,
}

/// A JSON reply in the envelope, indented when asked for.
pub(crate) fn reply_data(call: &Call, data: impl Serialize) -> Result<Reply> {
    reply_with_meta(call, data, None::<()>)
}

/// The same with a `meta` beside the data.
pub(crate) fn reply_with_meta<D: Serialize, M: Serialize>(
    call: &Call,
    data: D,
    meta: Option<M>,
) -> Result<Reply> {
    reply_answer(call, &AnswerEnvelope { data, meta })
}

/// A JSON reply of all items of a list that has no pages.
pub(crate) fn reply_whole_list<T: Serialize>(
    call: &Call,
    items: Vec<T>,
    sort: &str,
    order: &'static str,
) -> Result<Reply> {
    reply_answer_json(call, write_whole_list(items, sort, order)?)
}

/// Writes the JSON of all items of a list that has no pages.
pub(crate) fn write_whole_list<T: Serialize>(
    items: Vec<T>,
    sort: &str,
    order: &'static str,
) -> Result<Vec<u8>> {
    let total = items.len();
    let meta = ListWindow { total, limit: total, offset: 0, sort, order };
    let answer = AnswerEnvelope { data: items, meta: Some(meta) };
    serde_json::to_vec(&answer).map_err(Error::internal)
}

/// A JSON reply of what is in its envelope already, indented when asked for.
pub(crate) fn reply_answer(call: &Call, answer: &impl Serialize) -> Result<Reply> {
    reply_answer_json(call, serde_json::to_vec(answer).map_err(Error::internal)?)
}

fn reply_answer_json(call: &Call, json: Vec<u8>) -> Result<Reply> {
    let params = call.parse_query()?;
    let warnings = query_warnings::list_warnings(call.route, &params);
    let json = query_warnings::add_warnings(json, warnings);
    let json = if params.get_flag("pretty") { indent_json(&json) } else { json };
    Ok(reply_json(Bytes::from(json)))
}

/// The answer to something that is done, of which there is nothing to show.
pub(crate) fn reply_ok(call: &Call) -> Result<Reply> {
    reply_data(call, Done::OK)
}

/// A reply with these bytes of JSON.
pub(crate) fn reply_json(body: Bytes) -> Reply {
    Reply::new(StatusCode::OK).with_header(header::CONTENT_TYPE, JSON).with_body(body)
}

/// The same reply for something new.
pub(crate) fn mark_created(mut reply: Reply) -> Reply {
    reply.status = StatusCode::CREATED;
    reply
}

/// The same reply for something new, which can be read at this address below its workspace.
pub(crate) fn reply_created(call: &Call, reply: Reply, below: &str) -> Result<Reply> {
    let (base, ws) = (call.app().engine.base_url(), call.workspace()?);
    let address = format!("{base}/api/v1/workspaces/{ws}/{below}");
    let address = HeaderValue::try_from(address).map_err(Error::internal)?;
    Ok(mark_created(reply.with_header(header::LOCATION, address)))
}

/// The reply with an entity tag; the text is made of hexadecimal digits and dashes.
pub(crate) fn with_etag(mut reply: Reply, tag: &str) -> Reply {
    if let Some(tag) = headers::etag_value(tag) {
        reply.headers.push((header::ETAG, tag));
    }
    reply
}

/// The reply with an entity tag that consists of a checksum.
pub(crate) fn with_sum_tag(mut reply: Reply, sum: Checksum) -> Reply {
    reply.headers.extend(headers::etag_of_sum(sum).map(|it| (header::ETAG, it)));
    reply
}

/// The reply with the entity tag of an entry or a content type: a change compares the sum of the
/// file, and `variant` tells the answers apart that are made of it.
pub(crate) fn with_entry_tag(mut reply: Reply, rev: Checksum, variant: Checksum) -> Reply {
    let tag = headers::etag_of_entry(rev, variant);
    reply.headers.extend(tag.map(|it| (header::ETAG, it)));
    reply
}

/// A small picture that only its reader's browser keeps, and asks about before it shows it again.
pub(crate) fn reply_png(png: Bytes) -> Reply {
    let private = HeaderValue::from_static("private, no-cache");
    let tag = Checksum::of_bytes(&png);
    let reply = Reply::new(StatusCode::OK)
        .with_header(header::CONTENT_TYPE, HeaderValue::from_static("image/png"))
        .with_header(header::CACHE_CONTROL, private)
        .with_body(png);
    with_sum_tag(reply, tag)
}
