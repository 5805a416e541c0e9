//! `/admin/api/backups`

use std::time::Duration;
use std::time::UNIX_EPOCH;

use http::HeaderValue;
use http::Method;
use http::header;

use crate::app::backups;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::http::admin::Remarks;
use crate::http::admin::created;
use crate::http::admin::done;
use crate::http::admin::envelope;
use crate::http::admin::right;
use crate::http::admin::with_meta;
use crate::http::call::Call;
use crate::http::error;
use crate::http::headers;
use crate::http::range;
use crate::http::range::Selection;
use crate::http::reply::Reply;
use crate::http::route::Access;
use crate::http::route::Form;
use crate::http::route::Gives;
use crate::http::route::Outcome;
use crate::http::route::Route;
use crate::http::route::Run;
use crate::http::route::Takes;
use crate::http::route::delete;
use crate::http::route::get;
use crate::http::route::post;
use crate::model::grant::Action;
use crate::model::grant::Area;

const READ: Access = right(Action::BackupsRead, Area::Backups);
const CREATE: Access = right(Action::BackupsCreate, Area::Backups);
const RESTORE: Access = right(Action::BackupsRestore, Area::Backups);
const DELETE: Access = right(Action::BackupsDelete, Area::Backups);

#[rustfmt::skip]
pub(super) fn rows() -> Vec<Route> {
    vec![
        get("admin.backups.list", "/admin/api/backups", READ, list)
            .gives(Gives::Admin("Backups")).runs(Run::Blocking).about("All backups, and what can be backed up."),
        post("admin.backups.create", "/admin/api/backups", CREATE, create)
            .takes(Takes::Admin("BackupCreate")).creates(Gives::Admin("Backup")).about("Makes a backup of one moment, beside whoever reads and writes."),
        post("admin.backups.upload", "/admin/api/backups/upload", CREATE, upload)
            .uploads(Form::Backup).creates(Gives::Admin("BackupUpload")).about("Takes a backup in, once all of it was found to be right."),
        get("admin.backups.inspect", "/admin/api/backups/{name}.zip/inspect", READ, inspect)
            .gives(Gives::Admin("BackupInspection")).runs(Run::Blocking).about("Reads all of a backup: what is in it, and what is wrong with it."),
        post("admin.backups.restore", "/admin/api/backups/{name}.zip/restore", RESTORE, restore)
            .takes(Takes::Admin("BackupRestore")).gives(Gives::Admin("BackupRestored")).about("Puts a backup back, all of it or nothing."),
        get("admin.backups.download", "/admin/api/backups/{name}.zip/download", READ, download)
            .gives(Gives::File).runs(Run::Blocking).about("The bytes of a backup."),
        delete("admin.backups.delete", "/admin/api/backups/{name}.zip", DELETE, remove)
            .gives(Gives::Done).about("Removes a backup."),
    ]
}

/// All backups.
pub fn list(call: &Call) -> Result<Outcome> {
    Ok(envelope(call, backups::list(call.app(), &call.caller)?)?.into())
}

/// Makes a backup.
pub fn create(call: &Call) -> Result<Outcome> {
    let made = backups::create(call.app(), &call.by(), &call.json()?)?;
    Ok(created(with_meta(call, made.backup, Remarks::of(made.warnings))?).into())
}

/// Takes a backup in.
pub fn upload(call: &Call) -> Result<Outcome> {
    let taken = backups::upload(call.app(), &call.by(), call.upload()?.files)?;
    Ok(created(envelope(call, taken)?).into())
}

/// What is in a backup.
pub fn inspect(call: &Call) -> Result<Outcome> {
    let inspection = backups::inspect(call.app(), &call.caller, &name(call)?)?;
    Ok(envelope(call, inspection)?.into())
}

/// Puts a backup back.
pub fn restore(call: &Call) -> Result<Outcome> {
    let restored = backups::restore(call.app(), &call.by(), &name(call)?, &call.json()?)?;
    Ok(envelope(call, restored)?.into())
}

/// The bytes of a backup.
pub fn download(call: &Call) -> Result<Outcome> {
    let parcel = backups::open(call.app(), &call.caller, &name(call)?)?;
    let size = parcel.blob.stat.size;
    let since = Duration::from_secs(u64::try_from(parcel.modified.seconds()).unwrap_or_default());
    let modified = UNIX_EPOCH + since;
    let selection = match call.head.method {
        Method::GET => range::select(&call.head.headers, size, None, Some(modified)),
        _ => Ok(Selection::Whole),
    };
    let Ok(selection) = selection else {
        let mut reply = error::reply(&Error::no_such_range(), "");
        reply.set(header::CONTENT_RANGE, range::unsatisfied_range(size));
        return Ok(reply.into());
    };
    let mime = HeaderValue::from_static("application/zip");
    let reply = range::file_reply(parcel.blob.into_file(), size, &mime, &selection);
    let mut reply: Reply = reply.map_err(Error::internal)?;
    if let Some(date) = headers::http_date_value(modified) {
        reply.set(header::LAST_MODIFIED, date);
    }
    // The name is of letters, digits, dots and hyphens alone.
    let attachment = format!("attachment; filename=\"{}\"", parcel.name.as_str());
    let attachment = HeaderValue::try_from(attachment).map_err(Error::internal)?;
    reply.set(header::CONTENT_DISPOSITION, attachment);
    Ok(reply.into())
}

/// Removes a backup.
pub fn remove(call: &Call) -> Result<Outcome> {
    backups::delete(call.app(), &call.by(), &name(call)?)?;
    Ok(done(call)?.into())
}

/// What the path calls the backup, with the ending that belongs to its name.
fn name(call: &Call) -> Result<String> {
    Ok(format!("{}.zip", call.param("name")?))
}
