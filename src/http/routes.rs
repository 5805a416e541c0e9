//! The route table.

use crate::app::media::media_inputs::BulkVisibilityInput;
use crate::app::media::media_inputs::CategoryNameInput;
use crate::app::media::media_inputs::CategoryOfFileInput;
use crate::app::media::media_inputs::MediaDetailsInput;
use crate::app::media::media_inputs::NewCategoryInput;
use crate::app::media::media_inputs::VisibilityInput;
use crate::app::replication::change::FilesInput;
use crate::app::replication::change::WrittenFiles;
use crate::http::api::admin;
use crate::http::api::entry_changes;
use crate::http::api::interface;
use crate::http::api::mcp;
use crate::http::api::public::categories;
use crate::http::api::public::content_types;
use crate::http::api::public::entries;
use crate::http::api::public::feeds;
use crate::http::api::public::files;
use crate::http::api::public::health;
use crate::http::api::public::media;
use crate::http::api::public::monitoring;
use crate::http::api::public::openapi;
use crate::http::api::public::preview_script;
use crate::http::api::public::replication;
use crate::http::api::public::sync;
use crate::http::api::public::types;
use crate::http::api::public::views;
use crate::http::api::query_params::BUNDLE_QUERY;
use crate::http::api::query_params::DELETED_QUERY;
use crate::http::api::query_params::ENTRIES_QUERY;
use crate::http::api::query_params::ENTRY_QUERY;
use crate::http::api::query_params::EVENTS_QUERY;
use crate::http::api::query_params::FILE_QUERY;
use crate::http::api::query_params::LOCALE_OF_STORED;
use crate::http::api::query_params::MEDIA_QUERY;
use crate::http::api::query_params::OPENAPI_QUERY;
use crate::http::api::query_params::SITEMAP_QUERY;
use crate::http::api::query_params::STORED_FILES_QUERY;
use crate::http::api::query_params::SYNC_QUERY;
use crate::http::api::query_params::THUMBNAIL_QUERY;
use crate::http::api::query_params::UPLOAD_QUERY;
use crate::http::api::query_params::VIEW_QUERY;
use crate::http::api::query_params::WRITTEN_QUERY;
use crate::http::request::endpoint::Endpoint;
use crate::http::request::endpoint::delete;
use crate::http::request::endpoint::get;
use crate::http::request::endpoint::patch;
use crate::http::request::endpoint::post;
use crate::http::request::endpoint::put;
use crate::http::request::route::Access;
use crate::http::request::route::ActionTarget;
use crate::http::request::route::FILES_BYTES_MAX;
use crate::http::request::route::JsonInputKind;
use crate::http::request::route::PRETTY;
use crate::http::request::route::ReplyKind;
use crate::http::request::route::Route;
use crate::http::request::route::RunMode;
use crate::http::request::route::UploadForm;
use crate::model::grant::Action;

const CONTENT: Access = Access::Guest { action: Action::ContentRead, on: ActionTarget::Collection };
const ENTRY: Access = Access::Guest { action: Action::ContentRead, on: ActionTarget::Entry };
const MEDIA: Access = Access::Guest { action: Action::MediaRead, on: ActionTarget::Media };
const FILE: Access = Access::Guest { action: Action::MediaRead, on: ActionTarget::File };

const TYPE_CREATE: Access = require_token(Action::SchemaCreate, ActionTarget::NewSchema);
const TYPE_UPDATE: Access = require_token(Action::SchemaUpdate, ActionTarget::Schema);
const TYPE_DELETE: Access = require_token(Action::SchemaDelete, ActionTarget::Schema);
const CREATE: Access = require_token(Action::ContentCreate, ActionTarget::Collection);
const UPDATE: Access = require_token(Action::ContentUpdate, ActionTarget::Entry);
const DELETE: Access = require_token(Action::ContentDelete, ActionTarget::Entry);
const UPLOAD: Access = require_token(Action::MediaUpload, ActionTarget::Media);
const MEDIA_UPDATE: Access = require_token(Action::MediaUpdate, ActionTarget::Media);
const CATEGORY_UPDATE: Access = require_token(Action::MediaUpdate, ActionTarget::Category);
const FILE_UPDATE: Access = require_token(Action::MediaUpdate, ActionTarget::File);
const FILE_DELETE: Access = require_token(Action::MediaDelete, ActionTarget::File);

const fn require_token(action: Action, on: ActionTarget) -> Access {
    Access::Token { action, on }
}

/// All routes, each knowing its place.
pub fn build_table() -> Vec<Route> {
    list_endpoints().into_iter().map(|it| it.route).collect()
}

/// All routes with their handlers.
pub fn list_endpoints() -> Vec<Endpoint> {
    let groups = [
        list_reads(),
        list_type_changes(),
        list_entry_changes(),
        list_media_changes(),
        list_category_changes(),
        list_files(),
        list_server_endpoints(),
        admin::list_endpoints(),
    ];
    let mut endpoints: Vec<Endpoint> = groups.into_iter().flatten().collect();
    for (index, endpoint) in endpoints.iter_mut().enumerate() {
        endpoint.route.index = index;
    }
    endpoints
}

/// Reads of the public API.
#[rustfmt::skip]
fn list_reads() -> Vec<Endpoint> {
    vec![
        get("health", "/api/v1/workspaces/{workspace}/health", Access::Open, health::show_health)
            .query(&[PRETTY]).gives(ReplyKind::Health).with_summary("Says that the service is running."),
        get("content_types.list", "/api/v1/workspaces/{workspace}/content-types", Access::Open, content_types::list_types)
            .query(&[PRETTY]).gives(ReplyKind::ContentTypes).runs_in(RunMode::Adaptive).with_summary("Lists the content types."),
        get("content_types.show", "/api/v1/workspaces/{workspace}/content-types/{collection}", Access::Open, content_types::show_type)
            .query(&[PRETTY]).gives(ReplyKind::ContentType).with_summary("Returns a content type."),
        get("entries.list", "/api/v1/workspaces/{workspace}/content/{collection}", CONTENT, entries::list_entries)
            .query(ENTRIES_QUERY).gives(ReplyKind::Entries).runs_in(RunMode::Adaptive).with_summary("Lists the entries of a content type."),
        get("entries.show", "/api/v1/workspaces/{workspace}/content/{collection}/{identifier}", ENTRY, entries::show_entry)
            .query(ENTRY_QUERY).gives(ReplyKind::Entry).runs_in(RunMode::Adaptive).with_summary("Returns an entry, by id or slug."),
        get("views.show", "/api/v1/workspaces/{workspace}/views/{collection}/{view}", CONTENT, views::show_view)
            .query(VIEW_QUERY).gives(ReplyKind::Entries).runs_in(RunMode::Adaptive).with_summary("Lists the entries of a view, which the schema of its content type declares."),
        get("views.page", "/api/v1/workspaces/{workspace}/views/{collection}/{view}/{page}", CONTENT, views::show_page)
            .query(VIEW_QUERY).gives(ReplyKind::Entries).runs_in(RunMode::Adaptive).with_summary("Lists the entries on a page of a view with `pages`. The first page is 1."),
        get("media.list", "/api/v1/workspaces/{workspace}/media", MEDIA, media::list_media)
            .query(MEDIA_QUERY).gives(ReplyKind::Media).runs_in(RunMode::Adaptive).with_summary("Lists the media files."),
        get("sync.bundle", "/api/v1/workspaces/{workspace}/bundle", Access::Open, sync::show_bundle)
            .query(BUNDLE_QUERY).gives(ReplyKind::TaggedLines).runs_in(RunMode::Blocking).with_summary("Returns every entry, content type and media file that the caller may see, one in a line."),
        get("sync.changes", "/api/v1/workspaces/{workspace}/sync", Access::Open, sync::show_changes)
            .query(SYNC_QUERY).gives(ReplyKind::Lines).runs_in(RunMode::Blocking).with_summary("Returns what appeared, changed and vanished for the caller since a cursor."),
        get("sync.events", "/api/v1/workspaces/{workspace}/events", Access::Open, sync::stream_events)
            .query(EVENTS_QUERY).gives(ReplyKind::Events).runs_in(RunMode::Blocking).with_summary("Streams what appears, changes and vanishes for the caller."),
        get("replication.list", "/api/v1/workspaces/{workspace}/files", Access::AnyToken, replication::list_files)
            .query(STORED_FILES_QUERY).gives(ReplyKind::Lines).runs_in(RunMode::Blocking).with_summary("Returns the files of the data folder that the token may read as they are, one in a line."),
    ]
}

/// Changes of content types.
#[rustfmt::skip]
fn list_type_changes() -> Vec<Endpoint> {
    vec![
        post("content_types.create", "/api/v1/workspaces/{workspace}/content-types", TYPE_CREATE, content_types::create_type)
            .takes_json(JsonInputKind::NewContentType).gives_created(ReplyKind::ContentType).with_summary("Creates a content type."),
        put("content_types.update", "/api/v1/workspaces/{workspace}/content-types/{collection}", TYPE_UPDATE, content_types::update_type)
            .takes_json(JsonInputKind::ContentType).gives(ReplyKind::ContentType).with_summary("Updates a content type. Entries change only where fields are renamed."),
        delete("content_types.delete", "/api/v1/workspaces/{workspace}/content-types/{collection}", TYPE_DELETE, content_types::delete_type)
            .gives(ReplyKind::Done).with_summary("Deletes a content type and all its entries permanently."),
    ]
}

/// Changes of entries.
#[rustfmt::skip]
fn list_entry_changes() -> Vec<Endpoint> {
    vec![
        post("entries.create", "/api/v1/workspaces/{workspace}/content/{collection}", CREATE, entries::create_entry)
            .runs_in(RunMode::Queued).takes_json(JsonInputKind::Entry).query(WRITTEN_QUERY).gives_created(ReplyKind::Entry).with_summary("Creates an entry."),
        put("entries.update", "/api/v1/workspaces/{workspace}/content/{collection}/{identifier}", UPDATE, entry_changes::update_entry)
            .runs_in(RunMode::Queued).takes_json(JsonInputKind::Entry).query(WRITTEN_QUERY).gives(ReplyKind::Entry).with_summary("Updates an entry. Keys that are not sent stay as they are."),
        patch("entries.patch", "/api/v1/workspaces/{workspace}/content/{collection}/{identifier}", UPDATE, entry_changes::update_entry)
            .runs_in(RunMode::Queued).takes_json(JsonInputKind::Entry).query(WRITTEN_QUERY).gives(ReplyKind::Entry).with_summary("Does the same as `PUT`."),
        delete("entries.delete", "/api/v1/workspaces/{workspace}/content/{collection}/{identifier}", DELETE, entry_changes::delete_entry)
            .query(DELETED_QUERY).gives(ReplyKind::Done).with_summary("Moves an entry to the trash."),
        post("replication.write", "/api/v1/workspaces/{workspace}/files", Access::AnyToken, replication::write_files)
            .takes_json_within(JsonInputKind::of::<FilesInput>(), FILES_BYTES_MAX).gives(ReplyKind::of::<WrittenFiles>()).with_summary("Writes files of the data folder as another server has them, or removes them: all or none."),
    ]
}

/// Changes of media files.
#[rustfmt::skip]
fn list_media_changes() -> Vec<Endpoint> {
    vec![
        post("media.upload", "/api/v1/workspaces/{workspace}/media", UPLOAD, media::upload_files)
            .takes_upload(UploadForm::Media).query(UPLOAD_QUERY).gives_created(ReplyKind::Uploaded).with_summary("Uploads media files: all of them or none."),
        put("media.set_meta", "/api/v1/workspaces/{workspace}/media/{filename}/meta", MEDIA_UPDATE, media::set_meta)
            .takes_json(JsonInputKind::of::<MediaDetailsInput>()).gives(ReplyKind::MediaItem).with_summary("Sets the alternative text and the title of a media file. An empty text clears a value."),
        patch("media.patch_meta", "/api/v1/workspaces/{workspace}/media/{filename}/meta", MEDIA_UPDATE, media::set_meta)
            .takes_json(JsonInputKind::of::<MediaDetailsInput>()).gives(ReplyKind::MediaItem).with_summary("Does the same as `PUT`."),
        put("media.set_visibility", "/api/v1/workspaces/{workspace}/media/{filename}/visibility", MEDIA_UPDATE, media::set_visibility)
            .takes_json(JsonInputKind::of::<VisibilityInput>()).gives(ReplyKind::MediaItem).with_summary("Sets the visibility of a media file."),
        patch("media.patch_visibility", "/api/v1/workspaces/{workspace}/media/{filename}/visibility", MEDIA_UPDATE, media::set_visibility)
            .takes_json(JsonInputKind::of::<VisibilityInput>()).gives(ReplyKind::MediaItem).with_summary("Does the same as `PUT`."),
        put("media.bulk_visibility", "/api/v1/workspaces/{workspace}/media/bulk-visibility", MEDIA_UPDATE, media::bulk_set_visibility)
            .takes_json(JsonInputKind::of::<BulkVisibilityInput>()).gives(ReplyKind::MediaItems).with_summary("Sets the visibility of several media files: of all or none."),
        put("media.assign", "/api/v1/workspaces/{workspace}/media/{filename}/category", FILE_UPDATE, media::assign_category)
            .takes_json(JsonInputKind::of::<CategoryOfFileInput>()).gives(ReplyKind::CategorisedItem).with_summary("Sets the category of a media file. An empty category removes it."),
        patch("media.patch_category", "/api/v1/workspaces/{workspace}/media/{filename}/category", FILE_UPDATE, media::assign_category)
            .takes_json(JsonInputKind::of::<CategoryOfFileInput>()).gives(ReplyKind::CategorisedItem).with_summary("Does the same as `PUT`."),
        put("media.replace", "/api/v1/workspaces/{workspace}/media/{filename}", FILE_UPDATE, media::replace_file)
            .takes_upload(UploadForm::Replacement).gives(ReplyKind::MediaItem).with_summary("Replaces the bytes of a media file. Its name, its address and its metadata stay."),
        delete("media.delete", "/api/v1/workspaces/{workspace}/media/{filename}", FILE_DELETE, media::delete_media)
            .gives(ReplyKind::Done).with_summary("Deletes a media file permanently. Succeeds if there is no such file."),
    ]
}

/// Changes of media categories.
#[rustfmt::skip]
fn list_category_changes() -> Vec<Endpoint> {
    vec![
        post("categories.create", "/api/v1/workspaces/{workspace}/media/categories", MEDIA_UPDATE, categories::create_category)
            .takes_json(JsonInputKind::of::<NewCategoryInput>()).gives_created(ReplyKind::Category).with_summary("Creates a media category and its parents."),
        put("categories.rename", "/api/v1/workspaces/{workspace}/media/categories/{*category}", CATEGORY_UPDATE, categories::rename_category)
            .takes_json(JsonInputKind::of::<CategoryNameInput>()).gives(ReplyKind::Category).with_summary("Moves a media category to another path, with its content."),
        patch("categories.patch", "/api/v1/workspaces/{workspace}/media/categories/{*category}", CATEGORY_UPDATE, categories::rename_category)
            .takes_json(JsonInputKind::of::<CategoryNameInput>()).gives(ReplyKind::Category).with_summary("Does the same as `PUT`."),
        delete("categories.delete", "/api/v1/workspaces/{workspace}/media/categories/{*category}", CATEGORY_UPDATE, categories::delete_category)
            .gives(ReplyKind::CategoryDone).with_summary("Deletes a media category and its subcategories. Their files stay, without a category."),
    ]
}

/// The document of the public API, and files.
#[rustfmt::skip]
fn list_files() -> Vec<Endpoint> {
    vec![
        get("openapi", "/api/v1/workspaces/{workspace}/openapi.json", Access::Open, openapi::show_document)
            .query(OPENAPI_QUERY).gives(ReplyKind::OpenApi).runs_in(RunMode::Adaptive).with_summary("Returns this document, made from the current content types."),
        get("content_types.typescript", "/api/v1/workspaces/{workspace}/types.ts", Access::Open, types::show_types)
            .gives(ReplyKind::TypeScript).runs_in(RunMode::Adaptive).with_summary("Returns the content types as TypeScript types."),
        get("feeds.atom", "/api/v1/workspaces/{workspace}/feeds/{collection}/atom.xml", Access::Open, feeds::show_atom)
            .query(&[LOCALE_OF_STORED]).gives(ReplyKind::Atom).runs_in(RunMode::Adaptive).with_summary("Returns the newest public entries of a type as an Atom feed."),
        get("feeds.json", "/api/v1/workspaces/{workspace}/feeds/{collection}/feed.json", Access::Open, feeds::show_json)
            .query(&[LOCALE_OF_STORED]).gives(ReplyKind::JsonFeed).runs_in(RunMode::Adaptive).with_summary("Returns the newest public entries of a type as a JSON Feed."),
        get("feeds.sitemap", "/api/v1/workspaces/{workspace}/sitemap.xml", Access::Open, feeds::show_sitemap)
            .query(SITEMAP_QUERY).gives(ReplyKind::Sitemap).runs_in(RunMode::Adaptive).with_summary("Returns the sitemap: the pages of all public entries."),
        get("files.show", "/media/{workspace}/{filename}", FILE, files::show_file)
            .query(FILE_QUERY).gives(ReplyKind::File).runs_in(RunMode::Adaptive).with_summary("Returns the bytes of a media file."),
        get("thumbnails.show", "/media-thumbs/{workspace}/{filename}", FILE, files::show_thumbnail)
            .query(THUMBNAIL_QUERY).gives(ReplyKind::Picture).runs_in(RunMode::Adaptive).with_summary("Returns the thumbnail of a media file."),
    ]
}

/// The server itself, and the web interface.
#[rustfmt::skip]
fn list_server_endpoints() -> Vec<Endpoint> {
    vec![
        get("healthz", "/healthz", Access::Monitor, monitoring::healthz).with_summary("Says that the process is running."),
        get("readyz", "/readyz", Access::Monitor, monitoring::readyz).with_summary("Says if the server is ready for requests."),
        get("metrics", "/metrics", Access::Operator, monitoring::show_metrics).with_summary("Returns metrics for Prometheus."),
        get("preview.script", "/api/v1/preview.js", Access::Monitor, preview_script::show_script).with_summary("Returns the script with which a site takes part in previews."),
        get("interface.page", "/admin", Access::Monitor, interface::show_page)
            .runs_in(RunMode::Adaptive).with_summary("Returns the web interface, at every address below `/admin/` without a route of its own."),
        get("interface.asset", "/admin/_/{build}/{*file}", Access::Monitor, interface::show_asset)
            .runs_in(RunMode::Adaptive).with_summary("Returns a file of the web interface."),
        post("mcp", "/mcp", Access::AnyToken, mcp::answer_message)
            .takes_json(JsonInputKind::Message).with_summary("Answers a message of the Model Context Protocol: the tools of agents."),
        get("root", "/", Access::Monitor, monitoring::redirect_root).with_summary("Redirects to the web interface."),
    ]
}
