//! Headers that files, thumbnails and variants share: how long caches keep them, how browsers show
//! them, and their types.

use http::HeaderValue;
use http::StatusCode;
use http::header;
use image::ImageFormat;

use crate::app::error::Result;
use crate::http::api::reply::with_etag;
use crate::http::request::call::Call;
use crate::http::wire::headers::CROSS_ORIGIN_RESOURCE_POLICY;
use crate::http::wire::headers::ETags;
use crate::http::wire::reply::Reply;
use crate::model::media::MediaItem;
use crate::model::media::VARIANT_KEYS;
use crate::model::media::Visibility;
use crate::model::media::is_shown_inline;
use crate::model::name::Filename;
use crate::query::request::params::QueryParams;
use crate::stdx::checksum::Checksum;
use crate::stdx::url_encoding;

/// The parameter that names a preset.
pub(super) const PRESET: &str = "preset";

/// Adds the caching headers of a file.
pub(super) fn add_cache_headers(call: &Call, item: &MediaItem, mut reply: Reply) -> Result<Reply> {
    let params = call.parse_query()?;
    let public = item.visibility == Visibility::Public;
    // A tag that is not a hash of the bytes may name other bytes on another machine, or later.
    let named = item.tag.content.is_some() && names_answer(&params, item);
    let keep = match (public, named) {
        (false, _) => "private, no-store",
        (true, true) => "public, max-age=31536000, immutable",
        (true, false) => "public, max-age=60",
    };
    reply.set_header(header::CACHE_CONTROL, HeaderValue::from_static(keep));
    let origin = if public { "cross-origin" } else { "same-origin" };
    reply.set_header(CROSS_ORIGIN_RESOURCE_POLICY, HeaderValue::from_static(origin));
    Ok(reply)
}

/// Returns true if the request names all that makes the bytes of the answer what they are.
fn names_answer(params: &QueryParams, item: &MediaItem) -> bool {
    // The settings may say something else of a preset later.
    if params.get(PRESET).is_some() {
        return false;
    }
    let names = |tag: Checksum| params.get("v").is_some_and(|it| tag.to_string() == it);
    // The bytes of the file do not tell which part of it a variant shows.
    let is_variant = VARIANT_KEYS.into_iter().any(|it| params.get(it).is_some());
    names(item.picture_tag()) || (!is_variant && names(item.etag()))
}

/// Adds the headers that decide whether a browser shows a file, and what that may do.
pub(crate) fn add_display_headers(reply: &mut Reply, mime: &str, filename: &Filename) {
    if mime != "application/pdf" {
        let sandbox = "sandbox; default-src 'none'; style-src 'unsafe-inline'";
        reply.set_header(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(sandbox));
    }
    if !is_shown_inline(mime) {
        let name = url_encoding::encode_segment(filename);
        let text = format!("attachment; filename*=UTF-8''{name}");
        if let Ok(value) = HeaderValue::try_from(text) {
            reply.set_header(header::CONTENT_DISPOSITION, value);
        }
    }
}

/// Returns the answer to a client that names the tag of a picture, which it was sent before: the
/// picture need not be made to say that it is the same.
pub(super) fn reply_known(call: &Call, item: &MediaItem, tag: &str) -> Result<Option<Reply>> {
    let asked = ETags::parse(&call.head.headers, &header::IF_NONE_MATCH);
    let names_it = asked.is_some_and(|it| !matches!(it, ETags::Any) && it.contains_weakly(tag));
    if !names_it || !call.sent.condition {
        return Ok(None);
    }
    // The condition of the request empties the answer.
    add_cache_headers(call, item, with_etag(Reply::new(StatusCode::OK), tag)).map(Some)
}

/// Returns the MIME type of a picture that was made here, or that a thumbnail could not make
/// smaller.
pub(crate) fn find_picture_mime(bytes: &[u8]) -> &'static str {
    match image::guess_format(bytes) {
        Ok(ImageFormat::Png) => "image/png",
        Ok(ImageFormat::WebP) => "image/webp",
        Ok(ImageFormat::Gif) => "image/gif",
        _ => "image/jpeg",
    }
}
