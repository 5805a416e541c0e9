//! The routes of `/admin/api/update`.

use tokio::runtime::Handle;

use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::jobs::update_requests;
use crate::app::jobs::updates::UpdateStatus;
use crate::http::api::admin::access::require_action;
use crate::http::api::reply::reply_data;
use crate::http::request::call::Call;
use crate::http::request::endpoint::Endpoint;
use crate::http::request::endpoint::HandlerOutcome;
use crate::http::request::endpoint::get;
use crate::http::request::endpoint::post;
use crate::http::request::route::ReplyKind;
use crate::http::request::route::RunMode;
use crate::model::grant::Action;
use crate::model::grant::Area;
use crate::net::release_fetcher::ReleaseFetcher;

const STATUS: ReplyKind = ReplyKind::of::<UpdateStatus>();

#[rustfmt::skip]
pub(super) fn list_endpoints() -> Vec<Endpoint> {
    let right = |action| require_action(action, Area::Updates);
    vec![
        get("admin.updates.status", "/admin/api/update", right(Action::UpdatesRead), show_status)
            .gives(STATUS).runs_in(RunMode::Blocking).with_summary("Returns what is known about new versions."),
        post("admin.updates.check", "/admin/api/update/check", right(Action::UpdatesCheck), check_channel)
            .gives(STATUS).with_summary("Asks the update channel for a new version."),
        post("admin.updates.download", "/admin/api/update/download", right(Action::UpdatesDownload), download_release)
            .gives(STATUS).with_summary("Downloads the newest version and verifies it."),
        post("admin.updates.install", "/admin/api/update/install", right(Action::UpdatesInstall), install_release)
            .gives(STATUS).with_summary("Replaces the program with the downloaded version, which runs after a restart."),
    ]
}

/// Shows the state of updates.
pub fn show_status(call: &Call) -> Result<HandlerOutcome> {
    Ok(reply_data(call, update_requests::status(call.app(), &call.requester())?)?.into())
}

/// Checks the release channel.
pub fn check_channel(call: &Call) -> Result<HandlerOutcome> {
    let status =
        update_requests::check_channel(call.app(), &call.requester(), &build_fetcher(call)?)?;
    Ok(reply_data(call, status)?.into())
}

/// Downloads the newest release.
pub fn download_release(call: &Call) -> Result<HandlerOutcome> {
    let status = update_requests::download(call.app(), &call.requester(), &build_fetcher(call)?)?;
    Ok(reply_data(call, status)?.into())
}

/// Installs the downloaded release.
pub fn install_release(call: &Call) -> Result<HandlerOutcome> {
    Ok(reply_data(call, update_requests::install(call.app(), &call.requester())?)?.into())
}

fn build_fetcher(call: &Call) -> Result<ReleaseFetcher> {
    let runtime = Handle::try_current().map_err(Error::internal)?;
    Ok(ReleaseFetcher::new(call.state.options.updates_allow_private, runtime))
}
