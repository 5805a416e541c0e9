//! The route of `…/types.ts`.

use http::HeaderValue;
use http::StatusCode;
use http::header;

use crate::app::content::content_types;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::http::api::reply::with_sum_tag;
use crate::http::openapi::typescript;
use crate::http::request::call::Call;
use crate::http::request::endpoint::HandlerOutcome;
use crate::http::wire::reply::Reply;
use crate::model::content_type::ContentType;

/// The media type of text: none is registered for TypeScript, and browsers show this one.
const KIND: HeaderValue = HeaderValue::from_static("text/plain; charset=utf-8");

/// Shows the types that the caller may know of, in TypeScript.
pub fn show_types(call: &Call) -> Result<HandlerOutcome> {
    let snapshot = call.snapshot()?;
    let found = content_types::list(snapshot, &call.caller);
    let texts = ["typescript", snapshot.workspace.as_str()];
    let document = call.state.documents.get_or_build(&texts, &found, call.effort, || {
        let types: Vec<&ContentType> = found.iter().map(|it| &*it.content_type).collect();
        Ok::<_, Error>(typescript::write_types(&snapshot.workspace, &types).into_bytes())
    })?;
    let Some(document) = document else { return Ok(HandlerOutcome::NeedsLane) };
    let reply = Reply::new(StatusCode::OK)
        .with_header(header::CONTENT_TYPE, KIND)
        .with_body(document.bytes);
    Ok(with_sum_tag(reply, document.sum).into())
}
