//! The routes of `/admin/api/backups`.

use std::time::Duration;
use std::time::UNIX_EPOCH;

use http::HeaderValue;
use http::Method;
use http::header;

use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::jobs::backups;
use crate::app::jobs::backups::BackupInspection;
use crate::app::jobs::backups::BackupList;
use crate::app::jobs::backups::BackupRestoreView;
use crate::app::jobs::backups::BackupView;
use crate::app::jobs::backups::UploadedBackup;
use crate::app::remarks::Remarks;
use crate::engine::backups::request::BackupRequest;
use crate::engine::backups::restore_request::RestoreRequest;
use crate::http::api::admin::access::require_action;
use crate::http::api::reply::mark_created;
use crate::http::api::reply::reply_data;
use crate::http::api::reply::reply_ok;
use crate::http::api::reply::reply_with_meta;
use crate::http::request::call::Call;
use crate::http::request::endpoint::Endpoint;
use crate::http::request::endpoint::HandlerOutcome;
use crate::http::request::endpoint::delete;
use crate::http::request::endpoint::get;
use crate::http::request::endpoint::post;
use crate::http::request::error;
use crate::http::request::route::Access;
use crate::http::request::route::JsonInputKind;
use crate::http::request::route::ReplyKind;
use crate::http::request::route::RunMode;
use crate::http::request::route::UploadForm;
use crate::http::wire::headers;
use crate::http::wire::range;
use crate::http::wire::range::RangeSelection;
use crate::http::wire::reply::Reply;
use crate::model::grant::Action;
use crate::model::grant::Area;

const READ: Access = require_action(Action::BackupsRead, Area::Backups);
const CREATE: Access = require_action(Action::BackupsCreate, Area::Backups);
const RESTORE: Access = require_action(Action::BackupsRestore, Area::Backups);
const DELETE: Access = require_action(Action::BackupsDelete, Area::Backups);

#[rustfmt::skip]
pub(super) fn list_endpoints() -> Vec<Endpoint> {
    vec![
        get("admin.backups.list", "/admin/api/backups", READ, list_backups)
            .gives(ReplyKind::of::<BackupList>()).runs_in(RunMode::Blocking).with_summary("Lists the backups, and the parts that a backup can have."),
        post("admin.backups.create", "/admin/api/backups", CREATE, create_backup)
            .takes_json(JsonInputKind::of::<BackupRequest>()).gives_created(ReplyKind::of::<BackupView>()).with_summary("Creates a backup of one moment, without blocking readers and writers."),
        post("admin.backups.upload", "/admin/api/backups/upload", CREATE, upload_backup)
            .takes_upload(UploadForm::Backup).gives_created(ReplyKind::of::<UploadedBackup>()).with_summary("Uploads a backup, which is kept if all of it is valid."),
        get("admin.backups.inspect", "/admin/api/backups/{name}.zip/inspect", READ, inspect_backup)
            .gives(ReplyKind::of::<BackupInspection>()).runs_in(RunMode::Blocking).with_summary("Reads a whole backup and returns its content and its problems."),
        post("admin.backups.restore", "/admin/api/backups/{name}.zip/restore", RESTORE, restore_backup)
            .takes_json(JsonInputKind::of::<RestoreRequest>()).gives(ReplyKind::of::<BackupRestoreView>()).with_summary("Restores a backup completely or not at all."),
        get("admin.backups.download", "/admin/api/backups/{name}.zip/download", READ, download_backup)
            .gives(ReplyKind::File).runs_in(RunMode::Blocking).with_summary("Returns the bytes of a backup."),
        delete("admin.backups.delete", "/admin/api/backups/{name}.zip", DELETE, remove_backup)
            .gives(ReplyKind::Done).with_summary("Deletes a backup."),
    ]
}

/// Lists all backups.
pub fn list_backups(call: &Call) -> Result<HandlerOutcome> {
    Ok(reply_data(call, backups::list(call.app(), &call.caller)?)?.into())
}

/// Creates a backup.
pub fn create_backup(call: &Call) -> Result<HandlerOutcome> {
    let made = backups::create(call.app(), &call.requester(), &call.parse_json()?)?;
    Ok(mark_created(reply_with_meta(call, made.backup, Remarks::from_warnings(made.warnings))?)
        .into())
}

/// Uploads a backup.
pub fn upload_backup(call: &Call) -> Result<HandlerOutcome> {
    let uploaded = backups::upload(call.app(), &call.requester(), call.take_upload()?.files)?;
    Ok(mark_created(reply_data(call, uploaded)?).into())
}

/// Shows the content of a backup.
pub fn inspect_backup(call: &Call) -> Result<HandlerOutcome> {
    let inspection = backups::inspect(call.app(), &call.caller, &backup_name(call)?)?;
    Ok(reply_data(call, inspection)?.into())
}

/// Restores a backup.
pub fn restore_backup(call: &Call) -> Result<HandlerOutcome> {
    let restored =
        backups::restore(call.app(), &call.requester(), &backup_name(call)?, &call.parse_json()?)?;
    Ok(reply_data(call, restored)?.into())
}

/// Sends the bytes of a backup.
pub fn download_backup(call: &Call) -> Result<HandlerOutcome> {
    let download = backups::open_download(call.app(), &call.caller, &backup_name(call)?)?;
    let size = download.blob.stat.size;
    let since = Duration::from_secs(u64::try_from(download.modified.seconds()).unwrap_or_default());
    let modified = UNIX_EPOCH + since;
    let selection = match call.head.method {
        Method::GET => range::select_ranges(&call.head.headers, size, None, Some(modified)),
        _ => Ok(RangeSelection::Whole),
    };
    let Ok(selection) = selection else {
        let mut reply = error::render_error(&Error::no_such_range(), "");
        reply.set_header(header::CONTENT_RANGE, range::unsatisfied_range(size));
        return Ok(reply.into());
    };
    let mime = HeaderValue::from_static("application/zip");
    let reply = range::file_reply(download.blob.into_file(), size, &mime, &selection);
    let mut reply: Reply = reply.map_err(Error::internal)?;
    if let Some(date) = headers::http_date_value(modified) {
        reply.set_header(header::LAST_MODIFIED, date);
    }
    // The name consists of letters, digits, dots and hyphens.
    let attachment = format!("attachment; filename=\"{}\"", download.name.as_str());
    let attachment = HeaderValue::try_from(attachment).map_err(Error::internal)?;
    reply.set_header(header::CONTENT_DISPOSITION, attachment);
    Ok(reply.into())
}

/// Deletes a backup.
pub fn remove_backup(call: &Call) -> Result<HandlerOutcome> {
    backups::delete(call.app(), &call.requester(), &backup_name(call)?)?;
    Ok(reply_ok(call)?.into())
}

/// Returns the name in the path with its file extension.
fn backup_name(call: &Call) -> Result<String> {
    Ok(format!("{}.zip", call.param("name")?))
}
