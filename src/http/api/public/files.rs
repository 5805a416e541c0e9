//! The routes of `/media/{workspace}/{filename}` and `/media-thumbs/{workspace}/{filename}`.

use std::sync::Arc;
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
use crate::app::media::media_files;
use crate::app::media::variants::FoundVariant;
use crate::http::api::public::picture_headers::add_cache_headers;
use crate::http::api::public::picture_headers::add_display_headers;
use crate::http::api::public::picture_headers::find_picture_mime;
use crate::http::api::public::picture_headers::reply_known;
use crate::http::api::public::variant_files;
use crate::http::api::public::variant_files::VariantReply;
use crate::http::api::reply::with_etag;
use crate::http::request::call::Call;
use crate::http::request::endpoint::HandlerOutcome;
use crate::http::request::error;
use crate::http::request::file_cache::CachedPart;
use crate::http::request::file_cache::FILE_BYTES_MAX;
use crate::http::wire::cached_body::CachedBody;
use crate::http::wire::headers;
use crate::http::wire::range;
use crate::http::wire::range::RangeSelection;
use crate::http::wire::reply::Reply;
use crate::model::media::MediaItem;
use crate::query::execute::executor::Effort;
use crate::query::index::snapshot::Snapshot;
use crate::store::read::blob::Blob;

/// Sends the bytes of a file.
pub fn show_file(call: &Call) -> Result<HandlerOutcome> {
    let snapshot = call.snapshot()?;
    let item = media_files::find(snapshot, &call.caller, call.param("filename")?)?;
    let asked = variant_files::parse_wanted(call)?;
    let found = asked.and_then(|it| FoundVariant::new(&snapshot.workspace, &item, it));
    let outcome = match found {
        Some(found) => match variant_files::show_variant(call, &item, &found)? {
            VariantReply::Original => send_file(call, snapshot, item)?,
            VariantReply::Outcome(outcome) => outcome,
        },
        None => send_file(call, snapshot, item)?,
    };
    Ok(match asked {
        Some(it) if it.spec.format.is_none() => variant_files::vary_by_accept(outcome),
        _ => outcome,
    })
}

/// Sends a file as it is.
fn send_file(call: &Call, snapshot: &Snapshot, item: Arc<MediaItem>) -> Result<HandlerOutcome> {
    let mime = HeaderValue::from_static(item.mime);
    let cache = &call.state.files;
    let ws = snapshot.workspace.as_str();
    let kept = cache.get(ws, &item.filename, item.etag(), CachedPart::Whole);
    if let Some(body) =
        kept.filter(|_| select_range(call, &item).is_ok_and(|it| it == RangeSelection::Whole))
    {
        return Ok(add_file_headers(call, &item, reply_whole(body, mime))?.into());
    }
    if call.effort == Effort::Quick {
        return Ok(HandlerOutcome::NeedsEffort);
    }
    let known_size = item.size;
    let (blob, item) = media_files::open(call.app(), snapshot, &item)?;
    if item.size != known_size {
        // The file changed just now; the index will be updated in a moment.
        return Err(Error::storage_unavailable("a media file changed while it was sent"));
    }
    let Ok(selection) = select_range(call, &item) else {
        let mut reply = error::render_error(&Error::no_such_range(), "");
        reply.set_header(header::CONTENT_RANGE, range::unsatisfied_range(item.size));
        return Ok(reply.into());
    };
    let reply = if selection == RangeSelection::Whole && item.size <= FILE_BYTES_MAX {
        let bytes = read_blob(&blob, item.size)?;
        cache.put(ws, &item.filename, item.etag(), CachedPart::Whole, &bytes);
        reply_whole(bytes.into(), mime)
    } else {
        range::file_reply(blob.into_file(), item.size, &mime, &selection)
            .map_err(Error::internal)?
    };
    Ok(add_file_headers(call, &item, reply)?.into())
}

/// Returns the requested part of a file. Ranges apply only to GET.
fn select_range(
    call: &Call,
    item: &MediaItem,
) -> std::result::Result<RangeSelection, range::Unsatisfiable> {
    if call.head.method != Method::GET {
        return Ok(RangeSelection::Whole);
    }
    let tag = item.etag().to_string();
    range::select_ranges(&call.head.headers, item.size, Some(&tag), Some(modified_time(item)))
}

/// Sends the thumbnail of a file.
pub fn show_thumbnail(call: &Call) -> Result<HandlerOutcome> {
    let snapshot = call.snapshot()?;
    let item = media_files::find(snapshot, &call.caller, call.param("filename")?)?;
    if let Some(reply) = reply_known(call, &item, &thumbnail_tag(&item))? {
        return Ok(reply.into());
    }
    let cache = &call.state.files;
    let ws = snapshot.workspace.as_str();
    let (body, item) = match cache.get(ws, &item.filename, item.etag(), CachedPart::Thumbnail) {
        Some(body) => (body, item),
        None if call.effort == Effort::Quick => return Ok(HandlerOutcome::NeedsEffort),
        None => {
            let app = call.app();
            let (blob, item) = media_files::open(app, snapshot, &item)?;
            let found = match call.effort {
                Effort::Heavy => Some(media_files::make_thumbnail(app, snapshot, &item, blob)?),
                Effort::Quick | Effort::Thorough => {
                    media_files::load_thumbnail(app, snapshot, &item, &blob)?
                }
            };
            let Some(bytes) = found else { return Ok(HandlerOutcome::NeedsLane) };
            cache.put(ws, &item.filename, item.etag(), CachedPart::Thumbnail, &bytes);
            (bytes.into(), item)
        }
    };
    let mime = HeaderValue::from_static(find_picture_mime(&body.bytes));
    let reply = Reply::new(StatusCode::OK).with_header(header::CONTENT_TYPE, mime).with_body(body);
    let reply = with_etag(reply, &thumbnail_tag(&item));
    Ok(add_cache_headers(call, &item, reply)?.into())
}

fn thumbnail_tag(item: &MediaItem) -> String {
    format!("{}-thumb", item.etag())
}

fn reply_whole(body: CachedBody, mime: HeaderValue) -> Reply {
    Reply::new(StatusCode::OK)
        .with_header(header::CONTENT_TYPE, mime)
        .with_header(header::ACCEPT_RANGES, HeaderValue::from_static("bytes"))
        .with_body(body)
}

fn read_blob(blob: &Blob, size: u64) -> Result<Bytes> {
    let mut bytes = vec![0; usize::try_from(size).map_err(Error::internal)?];
    let read = blob.read_at(0, &mut bytes).map_err(Error::internal)?;
    if read == bytes.len() { Ok(bytes.into()) } else { Err(Error::internal("a file is shorter")) }
}

/// Adds the headers of a file: display and caching.
fn add_file_headers(call: &Call, item: &MediaItem, reply: Reply) -> Result<Reply> {
    let mut reply = with_etag(reply, &item.etag().to_string());
    if let Some(date) = headers::http_date_value(modified_time(item)) {
        reply.set_header(header::LAST_MODIFIED, date);
    }
    add_display_headers(&mut reply, item.mime, &item.filename);
    add_cache_headers(call, item, reply)
}

fn modified_time(item: &MediaItem) -> SystemTime {
    UNIX_EPOCH + Duration::from_secs(u64::try_from(item.modified.seconds()).unwrap_or_default())
}
