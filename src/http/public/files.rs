//! `GET /media/{workspace}/{filename}` and `GET /media-thumbs/{workspace}/{filename}`

use std::time::Duration;
use std::time::SystemTime;
use std::time::UNIX_EPOCH;

use bytes::Bytes;
use http::HeaderValue;
use http::Method;
use http::StatusCode;
use http::header;

use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::files;
use crate::http::call::Call;
use crate::http::error;
use crate::http::file_cache::FILE_BYTES_MAX;
use crate::http::file_cache::Part;
use crate::http::headers;
use crate::http::public::tagged;
use crate::http::range;
use crate::http::range::Selection;
use crate::http::reply::Reply;
use crate::http::route::Outcome;
use crate::http::service::CROSS_ORIGIN_RESOURCE_POLICY;
use crate::model::media::MediaItem;
use crate::model::media::Visibility;
use crate::model::media::is_shown_inline;
use crate::query::params::Params;
use crate::query::run::Effort;
use crate::stdx::percent;
use crate::store::blob::Blob;

/// The bytes of a file.
pub fn show(call: &Call) -> Result<Outcome> {
    let snapshot = call.snapshot()?;
    let item = files::find(snapshot, &call.caller, call.param("filename")?)?;
    let mime = HeaderValue::from_static(item.mime);
    let cache = &call.shared.files;
    let ws = snapshot.workspace.as_str();
    let kept = cache.get(ws, &item.filename, item.etag(), Part::Whole);
    if let Some(bytes) =
        kept.filter(|_| selected(call, &item).is_ok_and(|it| it == Selection::Whole))
    {
        return Ok(described(call, &item, whole(bytes, mime))?.into());
    }
    if call.effort == Effort::Quick {
        return Ok(Outcome::NeedsEffort);
    }
    let known_size = item.size;
    let (blob, item) = files::open(call.app(), snapshot, &item)?;
    if item.size != known_size {
        // Changed this very moment: the index will know in another.
        return Err(Error::storage_unavailable("a media file changed while it was sent"));
    }
    let Ok(selection) = selected(call, &item) else {
        let mut reply = error::reply(&Error::no_such_range(), "");
        reply.set(header::CONTENT_RANGE, range::unsatisfied_range(item.size));
        return Ok(reply.into());
    };
    let reply = if selection == Selection::Whole && item.size <= FILE_BYTES_MAX {
        let bytes = read(&blob, item.size)?;
        cache.put(ws, &item.filename, item.etag(), Part::Whole, &bytes);
        whole(bytes, mime)
    } else {
        range::file_reply(blob.into_file(), item.size, &mime, &selection)
            .map_err(Error::internal)?
    };
    Ok(described(call, &item, reply)?.into())
}

/// What of a file is asked for. Ranges mean nothing to other methods than GET.
fn selected(call: &Call, item: &MediaItem) -> std::result::Result<Selection, range::Unsatisfiable> {
    if call.head.method != Method::GET {
        return Ok(Selection::Whole);
    }
    let tag = item.etag().to_string();
    range::select(&call.head.headers, item.size, Some(&tag), Some(modified(item)))
}

/// A small picture of a file.
pub fn thumbnail(call: &Call) -> Result<Outcome> {
    let snapshot = call.snapshot()?;
    let item = files::find(snapshot, &call.caller, call.param("filename")?)?;
    let cache = &call.shared.files;
    let ws = snapshot.workspace.as_str();
    let (bytes, item) = match cache.get(ws, &item.filename, item.etag(), Part::Thumbnail) {
        Some(bytes) => (bytes, item),
        None if call.effort == Effort::Quick => return Ok(Outcome::NeedsEffort),
        None => {
            let app = call.app();
            let (blob, item) = files::open(app, snapshot, &item)?;
            let found = match call.effort {
                Effort::Heavy => Some(files::thumbnail(app, snapshot, &item, blob)?),
                Effort::Quick | Effort::Thorough => {
                    files::kept_thumbnail(app, snapshot, &item, &blob)?
                }
            };
            let Some(bytes) = found else { return Ok(Outcome::NeedsLane) };
            cache.put(ws, &item.filename, item.etag(), Part::Thumbnail, &bytes);
            (bytes, item)
        }
    };
    let is_png = bytes.starts_with(b"\x89PNG");
    let mime = HeaderValue::from_static(if is_png { "image/png" } else { "image/jpeg" });
    let reply = Reply::new(StatusCode::OK).with(header::CONTENT_TYPE, mime).with_body(bytes);
    let reply = tagged(reply, &format!("{}-thumb", item.etag()));
    Ok(cached(call, &item, reply)?.into())
}

fn whole(bytes: Bytes, mime: HeaderValue) -> Reply {
    Reply::new(StatusCode::OK)
        .with(header::CONTENT_TYPE, mime)
        .with(header::ACCEPT_RANGES, HeaderValue::from_static("bytes"))
        .with_body(bytes)
}

fn read(blob: &Blob, size: u64) -> Result<Bytes> {
    let mut bytes = vec![0; usize::try_from(size).map_err(Error::internal)?];
    let read = blob.read_at(0, &mut bytes).map_err(Error::internal)?;
    if read == bytes.len() { Ok(bytes.into()) } else { Err(Error::internal("a file is shorter")) }
}

/// What is said of a file beside its bytes: how it may be shown, and kept.
fn described(call: &Call, item: &MediaItem, reply: Reply) -> Result<Reply> {
    let mut reply = tagged(reply, &item.etag().to_string());
    if let Some(date) = headers::http_date_value(modified(item)) {
        reply.set(header::LAST_MODIFIED, date);
    }
    if item.mime != "application/pdf" {
        let sandbox = "sandbox; default-src 'none'; style-src 'unsafe-inline'";
        reply.set(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(sandbox));
    }
    if !is_shown_inline(item.mime) {
        let name = percent::segment(item.filename.as_str());
        let text = format!("attachment; filename*=UTF-8''{name}");
        if let Ok(value) = HeaderValue::try_from(text) {
            reply.set(header::CONTENT_DISPOSITION, value);
        }
    }
    cached(call, item, reply)
}

/// How long a file may be kept, and by whom.
fn cached(call: &Call, item: &MediaItem, mut reply: Reply) -> Result<Reply> {
    let params = Params::parse(call.query()).map_err(Error::bad_request)?;
    let public = item.visibility == Visibility::Public;
    // A tag that is not made of bytes may name others on another machine, or tomorrow.
    let is_named = || params.get("v") == Some(item.etag().to_string().as_str());
    let named = item.tag.content.is_some() && is_named();
    let keep = match (public, named) {
        (false, _) => "private, no-store",
        (true, true) => "public, max-age=31536000, immutable",
        (true, false) => "public, max-age=60",
    };
    reply.set(header::CACHE_CONTROL, HeaderValue::from_static(keep));
    let origin = if public { "cross-origin" } else { "same-origin" };
    reply.set(CROSS_ORIGIN_RESOURCE_POLICY, HeaderValue::from_static(origin));
    Ok(reply)
}

fn modified(item: &MediaItem) -> SystemTime {
    UNIX_EPOCH + Duration::from_secs(u64::try_from(item.modified.seconds()).unwrap_or_default())
}
