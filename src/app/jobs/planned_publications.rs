//! Planned publications: changes that are published at their time, in the name of whoever planned
//! that, also when it came while no server ran.

use std::sync::Arc;

use crate::app::App;
use crate::app::access::Caller;
use crate::app::access::Requester;
use crate::app::content::changes::PlannedChange;
use crate::app::content::changes::note_failure;
use crate::app::content::changes::publish_planned;
use crate::app::error::Code;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::model::event::Actor;
use crate::model::event::EventSource;
use crate::model::name::WorkspaceSlug;
use crate::stdx::time::Timestamp;

/// The number of single problems that a failure names.
const PROBLEMS_SHOWN: usize = 5;

/// Publishes planned changes at their time, until the engine is closed.
pub fn run_publications(app: &App) {
    let (scheduler, mut nudges) = (app.engine.scheduler(), 0);
    loop {
        let now = app.engine.clock().now();
        publish_due(app, now);
        if !scheduler.wait_for_plan(now, &mut nudges) {
            return;
        }
    }
}

/// Tries every change once whose publication is due. Returns the number of those published.
pub fn publish_due(app: &App, now: Timestamp) -> usize {
    if !app.engine.folder().is_leader() {
        return 0;
    }
    let mut n_published = 0;
    for (ws, workspace) in app.engine.workspaces().iter() {
        let snapshot = workspace.current_snapshot();
        if snapshot.meta.archived || !snapshot.has_planned_by(now) {
            continue;
        }
        for (_, id, change) in snapshot.changes.list_planned().into_iter().filter(|it| it.0 <= now)
        {
            let planned = PlannedChange { ws: ws.clone(), id: id.clone(), rev: change.rev() };
            match publish_one(app, ws, &planned) {
                Ok(true) => n_published += 1,
                Ok(false) => {}
                Err(error) => {
                    tracing::warn!(workspace = %ws, change = %id, %error, "cannot publish a \
                                                                           planned change now");
                }
            }
        }
    }
    n_published
}

/// Publishes a planned change. Returns false if there was a reason against it, which is written
/// down: it is not tried again as it is. An error is one that may pass by itself.
fn publish_one(app: &App, ws: &WorkspaceSlug, planned: &PlannedChange) -> Result<bool> {
    let published = match find_planner(app, ws, planned) {
        Some(by) => publish_planned(app, planned, &by),
        None => Err(Error::refused(
            "The person or the token that scheduled this no longer exists. \
                                    Schedule it again.",
        )),
    };
    match published {
        Ok(()) => Ok(true),
        Err(error) if is_passing(error.code) => Err(error),
        Err(error) => {
            note_failure(app, planned, describe_error(&error))?;
            Ok(false)
        }
    }
}

/// Returns whoever planned the publication, with the permissions of this moment.
fn find_planner(app: &App, ws: &WorkspaceSlug, planned: &PlannedChange) -> Option<Requester> {
    let snapshot = app.engine.snapshot(ws.as_str())?;
    let record = snapshot.changes.get(planned.id.as_str())?.record.clone()?;
    let caller = Caller::from_planner(&app.engine, record.planned_by.as_deref()?)?;
    let (id, name) = caller.author_id_and_name();
    let (ip, request_id) = (None, String::new());
    let actor = Actor { id, name, ip, request_id, source: EventSource::Schedule };
    Some(Requester { caller, actor: Arc::new(actor) })
}

/// Returns true if an error says nothing about the change: the disk or the folder is not ready.
fn is_passing(code: Code) -> bool {
    matches!(code, Code::StorageUnavailable | Code::InsufficientStorage | Code::Busy)
}

/// Returns the message of an error with the first of its problems.
fn describe_error(error: &Error) -> String {
    let mut message = error.message.clone();
    for (path, problem) in error.fields.iter().take(PROBLEMS_SHOWN) {
        message.push_str(&format!(" `{path}`: {problem}"));
    }
    message
}
