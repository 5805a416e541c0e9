//! Variants of pictures: what a request for a media file asks for, and how a variant is sent.

use std::sync::Arc;

use bytes::Bytes;
use http::HeaderValue;
use http::StatusCode;
use http::header;

use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::media::media_files;
use crate::app::media::variants::FoundVariant;
use crate::app::media::variants::VariantParts;
use crate::app::media::variants::WantedVariant;
use crate::http::api::public::picture_headers::PRESET;
use crate::http::api::public::picture_headers::add_cache_headers;
use crate::http::api::public::picture_headers::find_picture_mime;
use crate::http::api::public::picture_headers::reply_known;
use crate::http::api::reply::with_etag;
use crate::http::request::call::Call;
use crate::http::request::endpoint::HandlerOutcome;
use crate::http::request::file_cache::CachedPart;
use crate::http::wire::cached_body::CachedBody;
use crate::http::wire::headers;
use crate::http::wire::reply::Reply;
use crate::model::input::wording;
use crate::model::media::MediaItem;
use crate::model::media::VARIANT_KEYS;
use crate::model::media::VariantSpec;
use crate::model::problem::FieldProblems;
use crate::query::execute::executor::Effort;
use crate::store::read::variant_cache::KeptVariant;

/// The reply to a request for a variant.
pub(super) enum VariantReply {
    /// The file itself is the answer.
    Original,
    /// The variant, or where it can be made.
    Outcome(HandlerOutcome),
}

/// Parses the variant that a request asks for, if it asks for one.
pub(super) fn parse_wanted(call: &Call) -> Result<Option<WantedVariant>> {
    if call.query().is_empty() {
        return Ok(None);
    }
    let params = call.parse_query()?;
    let given: Vec<&str> = VARIANT_KEYS.into_iter().filter(|it| params.get(it).is_some()).collect();
    let spec = match params.get(PRESET) {
        Some(name) => find_preset(call, name, &given).map_err(Error::invalid)?,
        None if given.is_empty() => return Ok(None),
        None => VariantSpec::parse_query(|key| params.get(key)).map_err(Error::invalid)?,
    };
    Ok(Some(WantedVariant { spec, accepts_webp: accepts_webp(call) }))
}

fn find_preset(
    call: &Call,
    name: &str,
    given: &[&str],
) -> std::result::Result<VariantSpec, FieldProblems> {
    let mut problems = FieldProblems::new();
    for key in given {
        problems.add(*key, "This cannot be combined with `preset`.");
    }
    let settings = call.app().settings();
    let presets = &settings.editable.picture_presets;
    let Some(spec) = presets.get(name) else {
        let message = match presets.names().next() {
            None => "There are no presets: `images.presets` in the settings has them.".to_string(),
            Some(_) => wording::not_one_of(presets.names()),
        };
        problems.add(PRESET, message);
        return Err(problems);
    };
    problems.into_result(spec)
}

/// Returns true if the client names WebP. That it takes everything says nothing: programs that are
/// older than the format say so, too.
fn accepts_webp(call: &Call) -> bool {
    let values = call.head.headers.get_all(header::ACCEPT).iter();
    let ranges = values.filter_map(|it| it.to_str().ok()).flat_map(|it| it.split(','));
    ranges.into_iter().any(|range| {
        let mut parts = range.split(';').map(str::trim);
        let is_webp = parts.next().is_some_and(|it| it.eq_ignore_ascii_case("image/webp"));
        is_webp && !parts.any(|it| it.strip_prefix("q=").is_some_and(is_zero))
    })
}

fn is_zero(weight: &str) -> bool {
    weight.parse::<f64>().is_ok_and(|it| it <= 0.0)
}

/// Sends a variant from memory, from the disk, or once it is made.
pub(super) fn show_variant(
    call: &Call,
    item: &Arc<MediaItem>,
    found: &FoundVariant,
) -> Result<VariantReply> {
    if let Some(reply) = reply_known(call, item, &found.key.to_string())? {
        return Ok(VariantReply::Outcome(reply.into()));
    }
    let snapshot = call.snapshot()?;
    let (cache, ws) = (&call.state.files, snapshot.workspace.as_str());
    let part = CachedPart::Variant(found.key);
    if let Some(body) = cache.get(ws, &item.filename, item.etag(), part) {
        return reply_kept(call, item, found, body);
    }
    let kept = match call.effort {
        Effort::Quick => return Ok(VariantReply::Outcome(HandlerOutcome::NeedsEffort)),
        Effort::Thorough => match found.load(&call.app().engine) {
            Some(kept) => kept,
            None => return Ok(VariantReply::Outcome(HandlerOutcome::NeedsLane)),
        },
        Effort::Heavy => {
            let (blob, opened) = media_files::open(call.app(), snapshot, item)?;
            if opened.tag.state != item.tag.state {
                // The file changed just now; the index will be updated in a moment.
                return Err(Error::storage_unavailable("a picture changed while it was resized"));
            }
            let app = call.app();
            let parts = VariantParts {
                engine: &app.engine,
                budget: &app.thumbnails.budget,
                cache_bytes_max: app.settings().editable.picture_cache_bytes_max,
            };
            app.variants.get(found, item, blob, parts)?
        }
    };
    // Nothing stands for the file itself.
    let bytes = match kept {
        KeptVariant::Original => Bytes::new(),
        KeptVariant::Made(bytes) => bytes,
    };
    cache.put(ws, &item.filename, item.etag(), part, &bytes);
    reply_kept(call, item, found, bytes.into())
}

fn reply_kept(
    call: &Call,
    item: &MediaItem,
    found: &FoundVariant,
    body: CachedBody,
) -> Result<VariantReply> {
    if body.bytes.is_empty() {
        return Ok(VariantReply::Original);
    }
    let mime = HeaderValue::from_static(find_picture_mime(&body.bytes));
    let reply = Reply::new(StatusCode::OK).with_header(header::CONTENT_TYPE, mime).with_body(body);
    let reply = with_etag(reply, &found.key.to_string());
    let reply = add_cache_headers(call, item, reply)?;
    Ok(VariantReply::Outcome(reply.into()))
}

/// Tells caches that the answer depends on what the client accepts.
pub(super) fn vary_by_accept(outcome: HandlerOutcome) -> HandlerOutcome {
    match outcome {
        HandlerOutcome::Reply(mut reply) => {
            headers::add_vary(&mut reply.headers, &[header::ACCEPT]);
            HandlerOutcome::Reply(reply)
        }
        other => other,
    }
}
