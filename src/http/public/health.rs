//! `GET …/health`

use http::HeaderValue;
use http::header;

use crate::app::error::Result;
use crate::app::health;
use crate::http::call::Call;
use crate::http::public::envelope;
use crate::http::route::Outcome;

/// Says that the service answers.
pub fn show(call: &Call) -> Result<Outcome> {
    let reply = envelope(call, health::health(call.app()), None::<()>)?;
    Ok(reply.with(header::CACHE_CONTROL, HeaderValue::from_static("no-store")).into())
}
