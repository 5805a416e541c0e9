//! The route table.

use crate::http::admin;
use crate::http::interface;
use crate::http::openapi::Profile;
use crate::http::public::categories;
use crate::http::public::content_types;
use crate::http::public::entries;
use crate::http::public::files;
use crate::http::public::health;
use crate::http::public::media;
use crate::http::public::monitors;
use crate::http::public::openapi;
use crate::http::route::Access;
use crate::http::route::Form;
use crate::http::route::Gives;
use crate::http::route::On;
use crate::http::route::PRETTY;
use crate::http::route::Query;
use crate::http::route::QueryKind;
use crate::http::route::Route;
use crate::http::route::Run;
use crate::http::route::Takes;
use crate::http::route::delete;
use crate::http::route::get;
use crate::http::route::patch;
use crate::http::route::post;
use crate::http::route::put;
use crate::http::route::query;
use crate::model::grant::Action;

const CONTENT: Access = Access::Guest { action: Action::ContentRead, on: On::Collection };
const ENTRY: Access = Access::Guest { action: Action::ContentRead, on: On::Entry };
const MEDIA: Access = Access::Guest { action: Action::MediaRead, on: On::Media };
const FILE: Access = Access::Guest { action: Action::MediaRead, on: On::File };

const TYPE_CREATE: Access = token(Action::SchemaCreate, On::NewSchema);
const TYPE_UPDATE: Access = token(Action::SchemaUpdate, On::Schema);
const TYPE_DELETE: Access = token(Action::SchemaDelete, On::Schema);
const CREATE: Access = token(Action::ContentCreate, On::Collection);
const UPDATE: Access = token(Action::ContentUpdate, On::Entry);
const DELETE: Access = token(Action::ContentDelete, On::Entry);
const UPLOAD: Access = token(Action::MediaUpload, On::Media);
const MEDIA_UPDATE: Access = token(Action::MediaUpdate, On::Media);
const CATEGORY_UPDATE: Access = token(Action::MediaUpdate, On::Category);
const FILE_UPDATE: Access = token(Action::MediaUpdate, On::File);
const FILE_DELETE: Access = token(Action::MediaDelete, On::File);

const fn token(action: Action, on: On) -> Access {
    Access::Token { action, on }
}

pub(super) const LIMIT: Query =
    query("limit", QueryKind::Count(1), "At most this many; all without.");
pub(super) const OFFSET: Query = query("offset", QueryKind::Count(0), "How many to skip.");
const ORDER: Query =
    query("order", QueryKind::OneOf(&["asc", "desc"]), "The direction of keys without `-`.");
pub(super) const LOCALE: Query =
    query("locale", QueryKind::Text, "The locale to resolve values in.");
const INCLUDE: Query =
    query("include", QueryKind::Text, "Relation fields to expand, with dots to go deeper.");
const FIELDS: Query = query("fields", QueryKind::Text, "The fields of `data` to answer with.");

#[rustfmt::skip]
pub(super) const ENTRIES_QUERY: &[Query] = &[
    LIMIT, OFFSET,
    query("sort", QueryKind::Text, "Keys by comma, each with `-` for descending."), ORDER,
    query("q", QueryKind::Text, "Terms that must all occur in the entry's text."),
    query("filter", QueryKind::Filter, "`filter[field]=value` or `filter[field][operator]=value`."),
    INCLUDE, LOCALE, FIELDS,
    query("counts", QueryKind::OneOf(&["status"]), "Counts all matching entries by status."),
    query("lenient", QueryKind::Flag, "Turns mistakes in filters and keys into warnings."),
    PRETTY,
];
pub(super) const ENTRY_QUERY: &[Query] = &[INCLUDE, LOCALE, FIELDS, PRETTY];
pub(super) const WRITTEN_QUERY: &[Query] = &[
    query("locale", QueryKind::Text, "The locale to answer in; that of the body without."),
    PRETTY,
];
#[rustfmt::skip]
const MEDIA_QUERY: &[Query] = &[
    query("q", QueryKind::Text, "Searches file names."),
    query("category", QueryKind::Text, "A category with all below it; empty for files without one."),
    LIMIT, OFFSET,
    query("sort", QueryKind::OneOf(&["uploaded_at", "-uploaded_at", "name", "-name", "size", "-size"]), "The sort key."),
    ORDER, PRETTY,
];
const OPENAPI_QUERY: &[Query] = &[query(
    "profile",
    QueryKind::OneOf(Profile::NAMES),
    "`simple` leaves `include` out: relations are ids.",
)];
const FILE_QUERY: &[Query] =
    &[query("v", QueryKind::Text, "The file's etag: the answer may then be kept for ever.")];

/// All routes, each knowing its place.
pub fn table() -> Vec<Route> {
    let numbered = rows().into_iter().chain(admin::rows()).enumerate();
    numbered.map(|(index, route)| Route { index, ..route }).collect()
}

#[rustfmt::skip]
fn rows() -> Vec<Route> {
    vec![
        get("health", "/api/v1/workspaces/{workspace}/health", Access::Open, health::show)
            .query(&[PRETTY]).gives(Gives::Health).about("Whether the service answers."),
        get("content_types.list", "/api/v1/workspaces/{workspace}/content-types", Access::Open, content_types::list)
            .query(&[PRETTY]).gives(Gives::ContentTypes).about("All content types."),
        get("content_types.show", "/api/v1/workspaces/{workspace}/content-types/{collection}", Access::Open, content_types::show)
            .query(&[PRETTY]).gives(Gives::ContentType).about("One content type."),
        get("entries.list", "/api/v1/workspaces/{workspace}/content/{collection}", CONTENT, entries::list)
            .query(ENTRIES_QUERY).gives(Gives::Entries).runs(Run::Adaptive).about("Entries of a content type."),
        get("entries.show", "/api/v1/workspaces/{workspace}/content/{collection}/{identifier}", ENTRY, entries::show)
            .query(ENTRY_QUERY).gives(Gives::Entry).runs(Run::Adaptive).about("One entry, by id or slug."),
        get("media.list", "/api/v1/workspaces/{workspace}/media", MEDIA, media::list)
            .query(MEDIA_QUERY).gives(Gives::Media).about("Media files."),
        post("content_types.create", "/api/v1/workspaces/{workspace}/content-types", TYPE_CREATE, content_types::create)
            .takes(Takes::NewContentType).creates(Gives::ContentType).about("Creates a content type."),
        put("content_types.update", "/api/v1/workspaces/{workspace}/content-types/{collection}", TYPE_UPDATE, content_types::update)
            .takes(Takes::ContentType).gives(Gives::ContentType).about("Changes a content type. No entry is changed, but for fields that get other names."),
        delete("content_types.delete", "/api/v1/workspaces/{workspace}/content-types/{collection}", TYPE_DELETE, content_types::delete)
            .gives(Gives::Done).about("Deletes a content type with all its entries, for ever."),
        post("entries.create", "/api/v1/workspaces/{workspace}/content/{collection}", CREATE, entries::create)
            .takes(Takes::Entry).query(WRITTEN_QUERY).creates(Gives::Entry).about("Creates an entry."),
        put("entries.update", "/api/v1/workspaces/{workspace}/content/{collection}/{identifier}", UPDATE, entries::update)
            .takes(Takes::Entry).query(WRITTEN_QUERY).gives(Gives::Entry).about("Changes an entry: what is not sent stays."),
        patch("entries.patch", "/api/v1/workspaces/{workspace}/content/{collection}/{identifier}", UPDATE, entries::update)
            .takes(Takes::Entry).query(WRITTEN_QUERY).gives(Gives::Entry).about("The same as `PUT`."),
        delete("entries.delete", "/api/v1/workspaces/{workspace}/content/{collection}/{identifier}", DELETE, entries::delete)
            .gives(Gives::Done).about("Puts an entry into the trash."),
        post("media.upload", "/api/v1/workspaces/{workspace}/media", UPLOAD, media::upload)
            .uploads(Form::Media).creates(Gives::Uploaded).about("Takes files in: all of them or none."),
        put("media.set_meta", "/api/v1/workspaces/{workspace}/media/{filename}/meta", MEDIA_UPDATE, media::set_meta)
            .takes(Takes::MediaMeta).gives(Gives::MediaItem).about("Says what is on a media file; an empty text clears."),
        patch("media.patch_meta", "/api/v1/workspaces/{workspace}/media/{filename}/meta", MEDIA_UPDATE, media::set_meta)
            .takes(Takes::MediaMeta).gives(Gives::MediaItem).about("The same as `PUT`."),
        put("media.set_visibility", "/api/v1/workspaces/{workspace}/media/{filename}/visibility", MEDIA_UPDATE, media::set_visibility)
            .takes(Takes::Visibility).gives(Gives::MediaItem).about("Says who may see a media file."),
        patch("media.patch_visibility", "/api/v1/workspaces/{workspace}/media/{filename}/visibility", MEDIA_UPDATE, media::set_visibility)
            .takes(Takes::Visibility).gives(Gives::MediaItem).about("The same as `PUT`."),
        put("media.bulk_visibility", "/api/v1/workspaces/{workspace}/media/bulk-visibility", MEDIA_UPDATE, media::bulk_visibility)
            .takes(Takes::BulkVisibility).gives(Gives::MediaItems).about("Says who may see several media files: for all of them or none."),
        put("media.assign", "/api/v1/workspaces/{workspace}/media/{filename}/category", FILE_UPDATE, media::assign)
            .takes(Takes::CategoryOfFile).gives(Gives::CategorisedItem).about("Puts a media file into a category; an empty one takes it out."),
        patch("media.patch_category", "/api/v1/workspaces/{workspace}/media/{filename}/category", FILE_UPDATE, media::assign)
            .takes(Takes::CategoryOfFile).gives(Gives::CategorisedItem).about("The same as `PUT`."),
        delete("media.delete", "/api/v1/workspaces/{workspace}/media/{filename}", FILE_DELETE, media::delete)
            .gives(Gives::Done).about("Deletes a media file, for ever. One that is not there is deleted already."),
        post("categories.create", "/api/v1/workspaces/{workspace}/media/categories", MEDIA_UPDATE, categories::create)
            .takes(Takes::NewCategory).creates(Gives::Category).about("Creates a media category, and those it is in."),
        put("categories.rename", "/api/v1/workspaces/{workspace}/media/categories/{*category}", CATEGORY_UPDATE, categories::rename)
            .takes(Takes::CategoryName).gives(Gives::Category).about("Gives a media category another path, with all that is in it."),
        patch("categories.patch", "/api/v1/workspaces/{workspace}/media/categories/{*category}", CATEGORY_UPDATE, categories::rename)
            .takes(Takes::CategoryName).gives(Gives::Category).about("The same as `PUT`."),
        delete("categories.delete", "/api/v1/workspaces/{workspace}/media/categories/{*category}", CATEGORY_UPDATE, categories::delete)
            .gives(Gives::CategoryDone).about("Deletes a media category with those in it; the files stay, in none."),
        get("openapi", "/api/v1/workspaces/{workspace}/openapi.json", Access::Open, openapi::show)
            .query(OPENAPI_QUERY).gives(Gives::OpenApi).runs(Run::Blocking).about("This interface, from the content types as they are."),
        get("files.show", "/media/{workspace}/{filename}", FILE, files::show)
            .query(FILE_QUERY).gives(Gives::File).runs(Run::Adaptive).about("The bytes of a media file."),
        get("thumbnails.show", "/media-thumbs/{workspace}/{filename}", FILE, files::thumbnail)
            .query(FILE_QUERY).gives(Gives::Picture).runs(Run::Adaptive).about("A small picture of a media file."),
        get("healthz", "/healthz", Access::Monitor, monitors::healthz).about("Whether the process is up."),
        get("readyz", "/readyz", Access::Monitor, monitors::readyz).about("Whether requests should be sent here."),
        get("metrics", "/metrics", Access::Operator, monitors::metrics).about("Counters, durations and queues, for Prometheus."),
        get("interface.page", "/admin", Access::Monitor, interface::page)
            .runs(Run::Adaptive).about("The web interface, at every address below `/admin/` that is no other route's."),
        get("interface.asset", "/admin/_/{build}/{*file}", Access::Monitor, interface::asset)
            .runs(Run::Adaptive).about("A file of the web interface."),
        get("root", "/", Access::Monitor, monitors::root).about("Leads to the interface."),
    ]
}
