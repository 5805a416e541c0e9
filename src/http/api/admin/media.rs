//! The routes of `/admin/api/media`: the use cases of the public API for logged-in users, and those
//! that only the interface needs: renaming, bulk changes, and usages.

use crate::app::media::MediaView;
use crate::app::media::delete::DeletedFiles;
use crate::app::media::delete::MediaBulkDelete;
use serde::Serialize;

use crate::app::content::entries::EffortResult;
use crate::app::error::Result;
use crate::app::media;
use crate::app::media::delete;
use crate::app::media::list;
use crate::app::media::list::MediaFilterSet;
use crate::app::media::media_inputs::BulkCategory;
use crate::app::media::media_inputs::BulkVisibilityInput;
use crate::app::media::media_inputs::CategoryNameInput;
use crate::app::media::media_inputs::CategoryOfFileInput;
use crate::app::media::media_inputs::MediaDetailsInput;
use crate::app::media::media_inputs::NewCategoryInput;
use crate::app::media::media_inputs::VisibilityInput;
use crate::app::media::meta;
use crate::app::media::rename;
use crate::app::media::rename::MediaRename;
use crate::app::media::usages;
use crate::app::usage::Usage;
use crate::http::api::admin::access::require_action_on;
use crate::http::api::public::categories;
use crate::http::api::public::media as public;
use crate::http::api::public::media::change_file;
use crate::http::api::reply::reply_data;
use crate::http::api::reply::reply_with_meta;
use crate::http::request::call::Call;
use crate::http::request::endpoint;
use crate::http::request::endpoint::Endpoint;
use crate::http::request::endpoint::HandlerOutcome;
use crate::http::request::endpoint::get;
use crate::http::request::endpoint::post;
use crate::http::request::endpoint::put;
use crate::http::request::route::Access;
use crate::http::request::route::ActionTarget;
use crate::http::request::route::GUARD_PARAM;
use crate::http::request::route::JsonInputKind;
use crate::http::request::route::PRETTY;
use crate::http::request::route::QueryKind;
use crate::http::request::route::QueryParam;
use crate::http::request::route::ReplyKind;
use crate::http::request::route::RunMode;
use crate::http::request::route::UploadForm;
use crate::http::request::route::query;
use crate::model::grant::Action;

const READ: Access = require_action_on(Action::MediaRead, ActionTarget::Media);
const UPLOAD: Access = require_action_on(Action::MediaUpload, ActionTarget::Media);
const UPDATE: Access = require_action_on(Action::MediaUpdate, ActionTarget::Media);
const UPDATE_FILE: Access = require_action_on(Action::MediaUpdate, ActionTarget::File);
const UPDATE_CATEGORY: Access = require_action_on(Action::MediaUpdate, ActionTarget::Category);
const DELETE: Access = require_action_on(Action::MediaDelete, ActionTarget::Media);
const DELETE_FILE: Access = require_action_on(Action::MediaDelete, ActionTarget::File);

const LIMIT: QueryParam = query(
    "limit",
    QueryKind::Count(1),
    "The maximum number of items; without it, all are returned.",
);
const OFFSET: QueryParam = query("offset", QueryKind::Count(0), "The number of items to skip.");

#[rustfmt::skip]
const LIST: &[QueryParam] = &[
    query("q", QueryKind::Text, "A text that the filename, alternative text or title must contain."),
    query("category", QueryKind::Text, "A category with its subcategories; empty for files without a category."),
    query("type", QueryKind::OneOf(&["image", "video", "audio", "document", "archive", "other"]), "The kind of file."),
    query("visibility", QueryKind::OneOf(&["public", "private"]), "The visibility of the files."),
    query("unused", QueryKind::Flag, "Only files that no entry shows."),
    LIMIT, OFFSET,
    query("sort", QueryKind::OneOf(&["uploaded_at", "-uploaded_at", "name", "-name", "size", "-size"]), "The sort key."),
    query("order", QueryKind::OneOf(&["asc", "desc"]), "The direction of a key without `-`."),
    PRETTY,
];
const GUARD: &[QueryParam] =
    &[query(GUARD_PARAM, QueryKind::Flag, "Deletes nothing that an entry shows."), PRETTY];

#[rustfmt::skip]
pub(super) fn list_endpoints() -> Vec<Endpoint> {
    let rows = vec![
        get("admin.media.list", "/admin/api/media", READ, list_media)
            .query(LIST).gives(ReplyKind::Media).runs_in(RunMode::Blocking).with_summary("Lists the media files."),
        post("admin.media.upload", "/admin/api/media", UPLOAD, public::upload_files)
            .takes_upload(UploadForm::Media).gives_created(ReplyKind::Uploaded).with_summary("Uploads media files: all of them or none."),
        get("admin.media.show", "/admin/api/media/{filename}", READ, show_media)
            .query(&[PRETTY]).gives(ReplyKind::MediaItem).with_summary("Returns a media file."),
        get("admin.media.usages", "/admin/api/media/{filename}/usages", READ, list_usages)
            .query(&[LIMIT, OFFSET, PRETTY]).gives(ReplyKind::list_of::<Usage>()).runs_in(RunMode::Blocking).with_summary("Lists the places that use a media file."),
        put("admin.media.replace", "/admin/api/media/{filename}", UPDATE_FILE, public::replace_file)
            .takes_upload(UploadForm::Replacement).gives(ReplyKind::MediaItem).with_summary("Replaces the bytes of a media file. Its name, its address and its metadata stay, and the old bytes become a revision."),
        put("admin.media.set_meta", "/admin/api/media/{filename}/meta", UPDATE, public::set_meta)
            .takes_json(JsonInputKind::of::<MediaDetailsInput>()).gives(ReplyKind::MediaItem).with_summary("Sets the alternative text and the title of a media file. An empty text clears a value."),
        put("admin.media.set_visibility", "/admin/api/media/{filename}/visibility", UPDATE, public::set_visibility)
            .takes_json(JsonInputKind::of::<VisibilityInput>()).gives(ReplyKind::MediaItem).with_summary("Sets the visibility of a media file."),
        put("admin.media.assign", "/admin/api/media/{filename}/category", UPDATE_FILE, public::assign_category)
            .takes_json(JsonInputKind::of::<CategoryOfFileInput>()).gives(ReplyKind::CategorisedItem).with_summary("Sets the category of a media file. An empty category removes it."),
        put("admin.media.rename", "/admin/api/media/{filename}/rename", UPDATE_FILE, rename_media)
            .takes_json(JsonInputKind::of::<MediaRename>()).gives(ReplyKind::of::<MediaView>()).with_summary("Renames a media file and updates all references to it."),
        endpoint::delete("admin.media.delete", "/admin/api/media/{filename}", DELETE_FILE, delete_media)
            .query(GUARD).gives(ReplyKind::Done).with_summary("Deletes a media file permanently. Succeeds if there is no such file."),
        put("admin.media.bulk_visibility", "/admin/api/media/bulk-visibility", UPDATE, public::bulk_set_visibility)
            .takes_json(JsonInputKind::of::<BulkVisibilityInput>()).gives(ReplyKind::MediaItems).with_summary("Sets the visibility of several media files: of all or none."),
        put("admin.media.bulk_category", "/admin/api/media/bulk-category", UPDATE, bulk_set_category)
            .takes_json(JsonInputKind::of::<BulkCategory>()).gives(ReplyKind::Uploaded).with_summary("Sets the category of several media files: of all or none."),
        post("admin.media.bulk_delete", "/admin/api/media/bulk-delete", DELETE, bulk_delete)
            .query(GUARD).takes_json(JsonInputKind::of::<MediaBulkDelete>()).gives(ReplyKind::of::<DeletedFiles>()).with_summary("Deletes several media files, as far as they can be deleted."),
        post("admin.media.create_category", "/admin/api/media/categories", UPDATE, categories::create_category)
            .takes_json(JsonInputKind::of::<NewCategoryInput>()).gives_created(ReplyKind::Category).with_summary("Creates a media category and its parents."),
        put("admin.media.rename_category", "/admin/api/media/categories/{*category}", UPDATE_CATEGORY, categories::rename_category)
            .takes_json(JsonInputKind::of::<CategoryNameInput>()).gives(ReplyKind::Category).with_summary("Moves a media category to another path, with its content."),
        endpoint::delete("admin.media.delete_category", "/admin/api/media/categories/{*category}", UPDATE_CATEGORY, categories::delete_category)
            .gives(ReplyKind::CategoryDone).with_summary("Deletes a media category and its subcategories. Their files stay, without a category."),
    ];
    rows.into_iter().map(Endpoint::in_workspace).collect()
}

/// Lists media files.
pub fn list_media(call: &Call) -> Result<HandlerOutcome> {
    let (snapshot, query) = (call.snapshot()?, call.query());
    let (lists, effort) = (MediaFilterSet::Admin, call.effort);
    let listed = list::list_media(call.app(), snapshot, &call.caller, query, lists, effort)?;
    let EffortResult::Done(list) = listed else { return Ok(HandlerOutcome::NeedsEffort) };
    Ok(reply_with_meta(call, list.data, Some(list.meta))?.into())
}

/// Shows one media file.
pub fn show_media(call: &Call) -> Result<HandlerOutcome> {
    let (snapshot, name) = (call.snapshot()?, call.param("filename")?);
    let item = media::find_item(snapshot, &call.caller, name)?;
    Ok(reply_data(
        call,
        media::render_item(&media::MediaBase::of_snapshot(call.app(), snapshot), item),
    )?
    .into())
}

/// Lists the usages of a media file.
pub fn list_usages(call: &Call) -> Result<HandlerOutcome> {
    let (snapshot, name) = (call.snapshot()?, call.param("filename")?);
    let list = usages::list(snapshot, &call.caller, name, call.query())?;
    Ok(reply_with_meta(call, list.data, Some(list.meta))?.into())
}

/// Renames a file.
pub fn rename_media(call: &Call) -> Result<HandlerOutcome> {
    let body = call.parse_json()?;
    change_file(call, |target| rename::rename_file(call.app(), &call.requester(), target, &body))
}

/// Deletes a file.
pub fn delete_media(call: &Call) -> Result<HandlerOutcome> {
    let guard = call.parse_guard()?;
    change_file(call, |target| delete::delete_file(call.app(), &call.requester(), target, guard))
}

/// Moves several files to a category.
pub fn bulk_set_category(call: &Call) -> Result<HandlerOutcome> {
    let (ws, body) = (call.workspace()?, call.parse_json()?);
    reply_answer(call, meta::set_category_of_many(call.app(), ws, &call.requester(), &body)?)
}

/// Deletes several files.
pub fn bulk_delete(call: &Call) -> Result<HandlerOutcome> {
    let (ws, body, guard) = (call.workspace()?, call.parse_json()?, call.parse_guard()?);
    reply_answer(call, delete::delete_files(call.app(), ws, &call.requester(), &body, guard)?)
}

fn reply_answer<T: Serialize>(
    call: &Call,
    answer: media::MediaAnswer<T>,
) -> Result<HandlerOutcome> {
    Ok(reply_with_meta(call, answer.data, answer.meta)?.into())
}
