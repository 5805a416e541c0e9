//! The route of `…/health`.

use http::HeaderValue;
use http::header;

use crate::app::error::Result;
use crate::app::system::health;
use crate::http::api::reply::reply_data;
use crate::http::request::call::Call;
use crate::http::request::endpoint::HandlerOutcome;

/// Reports that the service answers.
pub fn show_health(call: &Call) -> Result<HandlerOutcome> {
    let reply = reply_data(call, health::report_health(call.app()))?;
    Ok(reply.with_header(header::CACHE_CONTROL, HeaderValue::from_static("no-store")).into())
}
