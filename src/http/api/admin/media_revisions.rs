//! The routes of `/admin/api/media/{filename}/revisions`.

use bytes::Bytes;
use http::HeaderValue;
use http::Method;
use http::StatusCode;
use http::header;

use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::list_window::ListWindow;
use crate::app::media::revisions;
use crate::app::media::revisions::MediaRevision;
use crate::app::media::revisions::OpenRevision;
use crate::http::api::admin::access::require_action_on;
use crate::http::api::public::media::change_file;
use crate::http::api::public::picture_headers::add_display_headers;
use crate::http::api::public::picture_headers::find_picture_mime;
use crate::http::api::query_params::LIMIT;
use crate::http::api::query_params::OFFSET;
use crate::http::api::reply::reply_with_meta;
use crate::http::request::call::Call;
use crate::http::request::endpoint::Endpoint;
use crate::http::request::endpoint::HandlerOutcome;
use crate::http::request::endpoint::get;
use crate::http::request::endpoint::post;
use crate::http::request::route::ActionTarget;
use crate::http::request::route::PRETTY;
use crate::http::request::route::QueryParam;
use crate::http::request::route::ReplyKind;
use crate::http::request::route::RunMode;
use crate::http::wire::headers::CROSS_ORIGIN_RESOURCE_POLICY;
use crate::http::wire::range;
use crate::http::wire::range::RangeSelection;
use crate::http::wire::reply::Reply;
use crate::model::grant::Action;
use crate::query::execute::executor::Effort;

const WINDOW: &[QueryParam] = &[LIMIT, OFFSET, PRETTY];

#[rustfmt::skip]
pub(super) fn list_endpoints() -> Vec<Endpoint> {
    let replace = require_action_on(Action::MediaUpdate, ActionTarget::File);
    vec![
        get("admin.media.list_revisions", "/admin/api/media/{filename}/revisions", replace, list_revisions)
            .query(WINDOW).gives(ReplyKind::list_of::<MediaRevision>()).runs_in(RunMode::Blocking).in_workspace().with_summary("Lists the revisions of a media file, newest first."),
        get("admin.media.show_revision", "/admin/api/media/{filename}/revisions/{revision}", replace, show_revision)
            .gives(ReplyKind::File).runs_in(RunMode::Blocking).in_workspace().with_summary("Returns the bytes of a revision of a media file."),
        get("admin.media.show_revision_thumbnail", "/admin/api/media/{filename}/revisions/{revision}/thumbnail", replace, show_thumbnail)
            .gives(ReplyKind::Picture).runs_in(RunMode::Blocking).in_workspace().with_summary("Returns the thumbnail of a revision of a media file, if it is a picture."),
        post("admin.media.restore_revision", "/admin/api/media/{filename}/revisions/{revision}/restore", replace, restore_revision)
            .gives(ReplyKind::MediaItem).runs_in(RunMode::Lane).in_workspace().with_summary("Restores a revision of a media file. The current bytes become a revision instead of it."),
    ]
}

/// Lists the earlier bytes of a file.
pub fn list_revisions(call: &Call) -> Result<HandlerOutcome> {
    let params = call.parse_query()?;
    let (app, snapshot, name) = (call.app(), call.snapshot()?, call.param("filename")?);
    let page = revisions::list(app, snapshot, &call.requester(), name, &params)?;
    let (total, limit, offset) = (page.total, page.limit, page.offset);
    let meta = ListWindow { total, limit, offset, sort: "created_at", order: "desc" };
    Ok(reply_with_meta(call, page.revisions, Some(meta))?.into())
}

/// Sends the earlier bytes of a file.
pub fn show_revision(call: &Call) -> Result<HandlerOutcome> {
    let revision = open_revision(call)?;
    let (mime, filename) = (revision.mime, revision.filename().clone());
    let size = revision.blob.stat.size;
    // A range that is not understood, or holds none of the bytes, is ignored.
    let selection = match call.head.method {
        Method::GET => range::select_ranges(&call.head.headers, size, None, None),
        _ => Ok(RangeSelection::Whole),
    };
    let selection = selection.unwrap_or(RangeSelection::Whole);
    let content_type = HeaderValue::from_static(mime);
    let file = revision.blob.into_file();
    let reply = range::file_reply(file, size, &content_type, &selection);
    let mut reply = reply.map_err(Error::internal)?;
    add_display_headers(&mut reply, mime, &filename);
    Ok(keep_private(reply).into())
}

/// Sends the thumbnail of the earlier bytes of a file.
pub fn show_thumbnail(call: &Call) -> Result<HandlerOutcome> {
    let revision = open_revision(call)?;
    let found = match call.effort {
        Effort::Heavy => Some(revision.make_thumbnail(call.app())?),
        Effort::Quick | Effort::Thorough => revision.load_thumbnail(call.app())?,
    };
    let Some(bytes) = found else { return Ok(HandlerOutcome::NeedsLane) };
    Ok(keep_private(reply_picture(bytes)).into())
}

/// Restores the earlier bytes of a file.
pub fn restore_revision(call: &Call) -> Result<HandlerOutcome> {
    let revision = call.param("revision")?;
    change_file(call, |target| revisions::restore(call.app(), &call.requester(), target, revision))
}

fn open_revision(call: &Call) -> Result<OpenRevision> {
    let place = (call.param("filename")?, call.param("revision")?);
    revisions::open(call.app(), call.snapshot()?, &call.requester(), place)
}

fn reply_picture(bytes: Bytes) -> Reply {
    let mime = HeaderValue::from_static(find_picture_mime(&bytes));
    Reply::new(StatusCode::OK).with_header(header::CONTENT_TYPE, mime).with_body(bytes)
}

/// Earlier bytes are shown in the interface only, whoever may see the file by now.
fn keep_private(mut reply: Reply) -> Reply {
    let (no_store, same) = ("private, no-store", "same-origin");
    reply.set_header(header::CACHE_CONTROL, HeaderValue::from_static(no_store));
    reply.set_header(CROSS_ORIGIN_RESOURCE_POLICY, HeaderValue::from_static(same));
    reply
}
