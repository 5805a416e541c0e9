//! `/api/v1/preview.js`: the script with which a site takes part in previews.

use std::sync::LazyLock;

use bytes::Bytes;
use http::HeaderValue;
use http::StatusCode;
use http::header;

use crate::app::error::Result;
use crate::http::api::reply::with_sum_tag;
use crate::http::request::call::Call;
use crate::http::request::common_headers::ANY_ORIGIN;
use crate::http::request::endpoint::HandlerOutcome;
use crate::http::wire::headers::CROSS_ORIGIN_RESOURCE_POLICY;
use crate::http::wire::reply::Reply;
use crate::stdx::checksum::Checksum;

const SCRIPT: &str = include_str!("preview.js");

static SUM: LazyLock<Checksum> = LazyLock::new(|| Checksum::of_bytes(SCRIPT.as_bytes()));

/// Shows the script. Pages of every site may load it: it holds nothing that is secret, and talks to
/// the interface of this server only.
pub fn show_script(_: &Call) -> Result<HandlerOutcome> {
    let kind = HeaderValue::from_static("text/javascript; charset=utf-8");
    let reply = Reply::new(StatusCode::OK)
        .with_header(header::CONTENT_TYPE, kind)
        .with_header(header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=3600"))
        .with_header(header::ACCESS_CONTROL_ALLOW_ORIGIN, ANY_ORIGIN)
        .with_header(CROSS_ORIGIN_RESOURCE_POLICY, HeaderValue::from_static("cross-origin"))
        .with_body(Bytes::from_static(SCRIPT.as_bytes()));
    Ok(with_sum_tag(reply, *SUM).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The limit that the documentation promises, before compression.
    const BYTES_MAX: usize = 2048;

    #[test]
    fn the_script_is_small() {
        assert!(SCRIPT.len() <= BYTES_MAX, "{} bytes", SCRIPT.len());
    }
}
