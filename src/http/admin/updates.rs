//! `/admin/api/update`.

use tokio::runtime::Handle;

use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::updates;
use crate::http::admin::envelope;
use crate::http::admin::right;
use crate::http::call::Call;
use crate::http::releases::Releases;
use crate::http::route::Gives;
use crate::http::route::Outcome;
use crate::http::route::Route;
use crate::http::route::Run;
use crate::http::route::get;
use crate::http::route::post;
use crate::model::grant::Action;
use crate::model::grant::Area;

const STATUS: Gives = Gives::Admin("UpdateStatus");

#[rustfmt::skip]
pub(super) fn rows() -> Vec<Route> {
    let right = |action| right(action, Area::Updates);
    vec![
        get("admin.updates.status", "/admin/api/update", right(Action::UpdatesRead), status)
            .gives(STATUS).runs(Run::Blocking).about("What is known of new versions."),
        post("admin.updates.check", "/admin/api/update/check", right(Action::UpdatesCheck), check)
            .gives(STATUS).about("Asks the release channel."),
        post("admin.updates.download", "/admin/api/update/download", right(Action::UpdatesDownload), download)
            .gives(STATUS).about("Downloads the newest release and verifies it."),
        post("admin.updates.install", "/admin/api/update/install", right(Action::UpdatesInstall), install)
            .gives(STATUS).about("Puts the downloaded release in the place of the program; it runs after a restart."),
    ]
}

/// What is known.
pub fn status(call: &Call) -> Result<Outcome> {
    Ok(envelope(call, updates::status(call.app(), &call.by())?)?.into())
}

/// Asks the channel.
pub fn check(call: &Call) -> Result<Outcome> {
    let status = updates::check(call.app(), &call.by(), &releases(call)?)?;
    Ok(envelope(call, status)?.into())
}

/// Brings the newest release here.
pub fn download(call: &Call) -> Result<Outcome> {
    let status = updates::download(call.app(), &call.by(), &releases(call)?)?;
    Ok(envelope(call, status)?.into())
}

/// Installs it.
pub fn install(call: &Call) -> Result<Outcome> {
    Ok(envelope(call, updates::install(call.app(), &call.by())?)?.into())
}

fn releases(call: &Call) -> Result<Releases> {
    let runtime = Handle::try_current().map_err(Error::internal)?;
    Ok(Releases::new(call.shared.options.updates_allow_private, runtime))
}
