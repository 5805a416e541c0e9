//! `GET …/media`

use crate::app::error::Result;
use crate::app::media;
use crate::http::call::Call;
use crate::http::public::envelope;
use crate::http::public::tagged;
use crate::http::route::Outcome;

/// A list of media files.
pub fn list(call: &Call) -> Result<Outcome> {
    let list = media::list(call.app(), call.snapshot()?, &call.caller, call.query())?;
    let tag = list.etag.to_string();
    Ok(tagged(envelope(call, list.data, Some(list.meta))?, &tag).into())
}
