//! `/admin/api/media`: the use cases of the public API for whoever is logged in, and those that only
//! an interface needs: renaming, many files at once, and where a file is used.

use serde::Serialize;

use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::media;
use crate::app::media::delete;
use crate::app::media::delete::Guard;
use crate::app::media::list;
use crate::app::media::list::Lists;
use crate::app::media::meta;
use crate::app::media::rename;
use crate::app::media::usages;
use crate::http::admin::envelope;
use crate::http::admin::right_on;
use crate::http::admin::with_meta;
use crate::http::call::Call;
use crate::http::public::categories;
use crate::http::public::media as public;
use crate::http::public::media::on_file;
use crate::http::route;
use crate::http::route::Access;
use crate::http::route::Form;
use crate::http::route::Gives;
use crate::http::route::On;
use crate::http::route::Outcome;
use crate::http::route::PRETTY;
use crate::http::route::Query;
use crate::http::route::QueryKind;
use crate::http::route::Route;
use crate::http::route::Run;
use crate::http::route::Takes;
use crate::http::route::get;
use crate::http::route::post;
use crate::http::route::put;
use crate::http::route::query;
use crate::model::grant::Action;
use crate::query::params::Params;

const READ: Access = right_on(Action::MediaRead, On::Media);
const UPLOAD: Access = right_on(Action::MediaUpload, On::Media);
const UPDATE: Access = right_on(Action::MediaUpdate, On::Media);
const UPDATE_FILE: Access = right_on(Action::MediaUpdate, On::File);
const UPDATE_CATEGORY: Access = right_on(Action::MediaUpdate, On::Category);
const DELETE: Access = right_on(Action::MediaDelete, On::Media);
const DELETE_FILE: Access = right_on(Action::MediaDelete, On::File);

const LIMIT: Query = query("limit", QueryKind::Count(1), "At most this many; all without.");
const OFFSET: Query = query("offset", QueryKind::Count(0), "How many to skip.");

#[rustfmt::skip]
const LIST: &[Query] = &[
    query("q", QueryKind::Text, "Searches names, alternative texts and titles."),
    query("category", QueryKind::Text, "A category with all below it; empty for files without one."),
    query("type", QueryKind::OneOf(&["image", "video", "audio", "document", "archive", "other"]), "The sort of file."),
    query("visibility", QueryKind::OneOf(&["public", "private"]), "Who may see them."),
    query("unused", QueryKind::Flag, "Only files that no entry shows."),
    LIMIT, OFFSET,
    query("sort", QueryKind::OneOf(&["uploaded_at", "-uploaded_at", "name", "-name", "size", "-size"]), "The sort key."),
    query("order", QueryKind::OneOf(&["asc", "desc"]), "The direction of a key without `-`."),
    PRETTY,
];
const GUARD: &[Query] =
    &[query("guard", QueryKind::Flag, "Deletes nothing that an entry shows."), PRETTY];

#[rustfmt::skip]
pub(super) fn rows() -> Vec<Route> {
    let rows = vec![
        get("admin.media.list", "/admin/api/media", READ, list)
            .query(LIST).gives(Gives::Media).runs(Run::Blocking).about("Media files."),
        post("admin.media.upload", "/admin/api/media", UPLOAD, public::upload)
            .uploads(Form::Media).creates(Gives::Uploaded).about("Uploads media files: all of them, or none."),
        get("admin.media.show", "/admin/api/media/{filename}", READ, show)
            .query(&[PRETTY]).gives(Gives::MediaItem).about("One media file."),
        get("admin.media.usages", "/admin/api/media/{filename}/usages", READ, usages)
            .query(&[LIMIT, OFFSET, PRETTY]).gives(Gives::AdminList("MediaUsage")).runs(Run::Blocking).about("Where a media file is used."),
        put("admin.media.set_meta", "/admin/api/media/{filename}/meta", UPDATE, public::set_meta)
            .takes(Takes::MediaMeta).gives(Gives::MediaItem).about("Says what is on a media file; an empty text clears."),
        put("admin.media.set_visibility", "/admin/api/media/{filename}/visibility", UPDATE, public::set_visibility)
            .takes(Takes::Visibility).gives(Gives::MediaItem).about("Says who may see a media file."),
        put("admin.media.assign", "/admin/api/media/{filename}/category", UPDATE_FILE, public::assign)
            .takes(Takes::CategoryOfFile).gives(Gives::CategorisedItem).about("Puts a media file into a category; an empty one takes it out."),
        put("admin.media.rename", "/admin/api/media/{filename}/rename", UPDATE_FILE, rename)
            .takes(Takes::Admin("MediaRename")).gives(Gives::Admin("MediaItem")).about("Gives a media file another name, wherever entries refer to it."),
        route::delete("admin.media.delete", "/admin/api/media/{filename}", DELETE_FILE, delete)
            .query(GUARD).gives(Gives::Done).about("Deletes a media file, for ever. One that is not there is deleted already."),
        put("admin.media.bulk_visibility", "/admin/api/media/bulk-visibility", UPDATE, public::bulk_visibility)
            .takes(Takes::BulkVisibility).gives(Gives::MediaItems).about("Says who may see several media files: for all of them or none."),
        put("admin.media.bulk_category", "/admin/api/media/bulk-category", UPDATE, bulk_category)
            .takes(Takes::Admin("BulkCategory")).gives(Gives::Uploaded).about("Puts several media files into a category: all of them or none."),
        post("admin.media.bulk_delete", "/admin/api/media/bulk-delete", DELETE, bulk_delete)
            .query(GUARD).takes(Takes::Admin("MediaBulkDelete")).gives(Gives::Admin("MediaDeleted")).about("Deletes those of several media files that can be deleted."),
        post("admin.media.create_category", "/admin/api/media/categories", UPDATE, categories::create)
            .takes(Takes::NewCategory).creates(Gives::Category).about("Creates a media category, and those it is in."),
        put("admin.media.rename_category", "/admin/api/media/categories/{*category}", UPDATE_CATEGORY, categories::rename)
            .takes(Takes::CategoryName).gives(Gives::Category).about("Gives a media category another path, with all that is in it."),
        route::delete("admin.media.delete_category", "/admin/api/media/categories/{*category}", UPDATE_CATEGORY, categories::delete)
            .gives(Gives::CategoryDone).about("Deletes a media category with those in it; the files stay, in none."),
    ];
    rows.into_iter().map(Route::scoped).collect()
}

/// A list of media files.
pub fn list(call: &Call) -> Result<Outcome> {
    let (snapshot, query) = (call.snapshot()?, call.query());
    let list = list::list(call.app(), snapshot, &call.caller, query, Lists::Admin)?;
    Ok(with_meta(call, list.data, Some(list.meta))?.into())
}

/// One media file.
pub fn show(call: &Call) -> Result<Outcome> {
    let (snapshot, name) = (call.snapshot()?, call.param("filename")?);
    let item = media::find(snapshot, &call.caller, name)?;
    Ok(envelope(call, media::view(call.app(), snapshot, item))?.into())
}

/// Where a media file is used.
pub fn usages(call: &Call) -> Result<Outcome> {
    let (snapshot, name) = (call.snapshot()?, call.param("filename")?);
    let list = usages::list(snapshot, &call.caller, name, call.query())?;
    Ok(with_meta(call, list.data, Some(list.meta))?.into())
}

/// Gives a file another name.
pub fn rename(call: &Call) -> Result<Outcome> {
    let body = call.json()?;
    on_file(call, |target| rename::rename(call.app(), &call.by(), target, &body))
}

/// Deletes a file.
pub fn delete(call: &Call) -> Result<Outcome> {
    let guard = guard(call)?;
    on_file(call, |target| delete::delete(call.app(), &call.by(), target, guard))
}

/// Puts several files into a category.
pub fn bulk_category(call: &Call) -> Result<Outcome> {
    let (ws, body) = (call.workspace()?, call.json()?);
    answered(call, meta::bulk_category(call.app(), ws, &call.by(), &body)?)
}

/// Deletes several files.
pub fn bulk_delete(call: &Call) -> Result<Outcome> {
    let (ws, body, guard) = (call.workspace()?, call.json()?, guard(call)?);
    answered(call, delete::bulk_delete(call.app(), ws, &call.by(), &body, guard)?)
}

fn answered<T: Serialize>(call: &Call, answer: media::Answer<T>) -> Result<Outcome> {
    Ok(with_meta(call, answer.data, answer.meta)?.into())
}

fn guard(call: &Call) -> Result<Guard> {
    let params = Params::parse(call.query()).map_err(Error::bad_request)?;
    Ok(if params.flag("guard") { Guard::On } else { Guard::Off })
}
