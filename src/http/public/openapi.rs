//! `GET …/openapi.json`

use bytes::Bytes;

use crate::app::content_types;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::http::call::Call;
use crate::http::openapi;
use crate::http::public::json_reply;
use crate::http::public::tagged;
use crate::http::route::Outcome;
use crate::stdx::sum::Sum;

/// The document for the types that exist for the caller.
pub fn show(call: &Call) -> Result<Outcome> {
    let snapshot = call.snapshot()?;
    let types = content_types::list(snapshot, &call.caller);
    let document = openapi::document(call.app().engine.base_url(), snapshot, &types);
    let body = serde_json::to_vec(&document).map_err(Error::internal)?;
    let tag = Sum::of(&body).to_string();
    Ok(tagged(json_reply(Bytes::from(body)), &tag).into())
}
