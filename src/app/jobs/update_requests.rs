//! Requests for updates of the program: each needs a permission, and what it changes is an event.

use crate::app::App;
use crate::app::access::Requester;
use crate::app::error::Result;
use crate::app::jobs::updates::Fetcher;
use crate::app::jobs::updates::UpdateStatus;
use crate::model::event::Event;
use crate::model::event::EventKind;
use crate::model::event::Subject;
use crate::model::grant::Action;
use crate::model::grant::Area;
use crate::model::grant::Facts;
use crate::model::grant::Resource;
use crate::model::release::version::Version;

/// Returns the state of updates to callers who may know it.
pub fn status(app: &App, by: &Requester) -> Result<UpdateStatus> {
    check_permission(by, Action::UpdatesRead)?;
    Ok(app.updates.status())
}

/// Asks the channel.
pub fn check_channel(app: &App, by: &Requester, fetch: &dyn Fetcher) -> Result<UpdateStatus> {
    check_permission(by, Action::UpdatesCheck)?;
    app.updates.check_channel(app.engine.clock().now(), fetch)
}

/// Asks the channel, and brings its release here if that is newer.
pub fn download(app: &App, by: &Requester, fetch: &dyn Fetcher) -> Result<UpdateStatus> {
    check_permission(by, Action::UpdatesDownload)?;
    let (version, status) = app.updates.download(app.engine.clock().now(), fetch)?;
    if let Some(version) = version {
        emit_event(app, by, EventKind::UpdateDownloaded, &version);
    }
    Ok(status)
}

/// Puts the release that was downloaded in the place of the program that runs.
pub fn install(app: &App, by: &Requester) -> Result<UpdateStatus> {
    check_permission(by, Action::UpdatesInstall)?;
    let (version, status) = app.updates.install(app.engine.clock().now())?;
    emit_event(app, by, EventKind::UpdateInstalled, &version);
    Ok(status)
}

fn check_permission(by: &Requester, action: Action) -> Result<()> {
    let updates = Resource::Whole(Area::Updates);
    by.check_permission("", action, &updates, &Facts::default()).map(drop)
}

fn emit_event(app: &App, by: &Requester, kind: EventKind, version: &Version) {
    let version = version.to_string();
    app.engine.outbox().emit_system(vec![Event::from_actor(
        &by.actor,
        kind,
        Subject::Release { version },
    )]);
}
