//! All that a reader sees of a workspace, and what changed of it since: for builds of sites, which
//! keep a copy.
//!
//! A cursor names the inventory of what its reader was sent. What changed is the difference between
//! that inventory and what the reader sees now, so nothing is ever missed: not after a restart, not
//! after edits while the server was down, and not on a copy of the folder.

mod build;
pub mod cursor;
pub mod inventories;
mod line_stream;
mod lines;
mod scope;

use std::sync::Arc;

use crate::app::App;
use crate::app::access::Caller;
use crate::app::content::sync::cursor::Cursor;
pub use crate::app::content::sync::line_stream::LineStream;
use crate::app::content::sync::lines::LineFormat;
use crate::app::content::sync::scope::Scope;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::model::problem::FieldProblems;
use crate::query::index::snapshot::Snapshot;
use crate::query::request::params::QueryParams;

/// The parameter with the cursor of what the caller has.
const SINCE_PARAM: &str = "since";

/// The answer to a caller that has a cursor.
pub enum SyncAnswer {
    /// Nothing changed for this caller.
    Same(LineStream),
    /// These lines changed.
    Changed(LineStream),
}

/// All that the caller sees.
pub struct ContentBundle {
    /// The cursor of it.
    pub cursor: Cursor,
    /// Its lines.
    pub lines: LineStream,
}

/// Opens all that the caller sees of a workspace.
pub fn open_bundle(
    app: &App,
    snapshot: &Arc<Snapshot>,
    caller: &Caller,
    params: &QueryParams,
) -> Result<ContentBundle> {
    let mut problems = FieldProblems::new();
    let scope = Scope::parse(snapshot, caller, params, &mut problems);
    scope.check_types(snapshot, caller, &mut problems);
    problems.into_result(()).map_err(Error::invalid)?;
    let now = build::get_inventory(app, snapshot, caller, &scope);
    let cursor = scope.cursor_at(now.sum);
    let warnings = scope::list_warnings(params, &[]);
    let lines = LineStream::of_everything(snapshot, caller, &scope, cursor, &warnings);
    Ok(ContentBundle { cursor, lines })
}

/// Opens what changed for the caller since the cursor in the parameters.
pub fn open_changes(
    app: &App,
    snapshot: &Arc<Snapshot>,
    caller: &Caller,
    params: &QueryParams,
) -> Result<SyncAnswer> {
    let mut problems = FieldProblems::new();
    let scope = Scope::parse(snapshot, caller, params, &mut problems);
    let since = params.get(SINCE_PARAM).unwrap_or_default();
    if since.is_empty() {
        problems.add(SINCE_PARAM, "This must be the cursor of a bundle.");
    }
    problems.into_result(()).map_err(Error::invalid)?;
    let warnings = scope::list_warnings(params, &[SINCE_PARAM, "wait"]);
    open_since(app, snapshot, caller, &scope, since, LineFormat::Lines, &warnings)
}

/// A reader of what happens, with the cursor of what was sent.
#[derive(Clone)]
pub struct Following {
    scope: Scope,
    cursor: Cursor,
}

/// The next that a follower is sent.
pub enum FollowStep {
    /// Nothing changed for this reader.
    Nothing,
    /// These lines.
    Lines(LineStream),
    /// The reader has to start again, and is told what changes after this cursor.
    Reset(Cursor),
}

impl Following {
    /// Follows what the caller sees, from the cursor that it names or from now on.
    pub fn begin(
        app: &App,
        snapshot: &Arc<Snapshot>,
        caller: &Caller,
        params: &QueryParams,
        since: Option<&str>,
    ) -> Result<(Following, FollowStep)> {
        let scope = Following::parse_scope(snapshot, caller, params)?;
        let now = build::get_inventory(app, snapshot, caller, &scope);
        let mut following = Following { cursor: scope.cursor_at(now.sum), scope };
        let Some(since) = since else { return Ok((following, FollowStep::Nothing)) };
        let Some(cursor) = Cursor::parse(since) else {
            let now = following.cursor;
            return Ok((following, FollowStep::Reset(now)));
        };
        following.cursor = cursor;
        let step = following.step(app, snapshot, caller, params)?;
        Ok((following, step))
    }

    fn parse_scope(snapshot: &Snapshot, caller: &Caller, params: &QueryParams) -> Result<Scope> {
        let mut problems = FieldProblems::new();
        let scope = Scope::parse(snapshot, caller, params, &mut problems);
        problems.into_result(scope).map_err(Error::invalid)
    }

    /// Returns the cursor of what the reader has.
    pub fn cursor(&self) -> Cursor {
        self.cursor
    }

    /// Returns what changed for the reader since the last step.
    pub fn step(
        &mut self,
        app: &App,
        snapshot: &Arc<Snapshot>,
        caller: &Caller,
        params: &QueryParams,
    ) -> Result<FollowStep> {
        // The grants may be other ones by now.
        self.scope = Following::parse_scope(snapshot, caller, params)?;
        let since = self.cursor.to_string();
        let opened =
            open_since(app, snapshot, caller, &self.scope, &since, LineFormat::Events, &[]);
        Ok(match opened {
            Ok(SyncAnswer::Same(lines)) => {
                // What changed was not asked for.
                self.cursor = lines.cursor();
                FollowStep::Nothing
            }
            Ok(SyncAnswer::Changed(lines)) => {
                self.cursor = lines.cursor();
                FollowStep::Lines(lines)
            }
            Err(_) => {
                let now = build::get_inventory(app, snapshot, caller, &self.scope);
                self.cursor = self.scope.cursor_at(now.sum);
                FollowStep::Reset(self.cursor)
            }
        })
    }
}

/// Opens what changed for the reader of a scope since a cursor.
fn open_since(
    app: &App,
    snapshot: &Arc<Snapshot>,
    caller: &Caller,
    scope: &Scope,
    since: &str,
    format: LineFormat,
    warnings: &[String],
) -> Result<SyncAnswer> {
    let since = Cursor::parse(since).filter(|it| scope.owns(*it)).ok_or_else(Error::start_again)?;
    let now = build::get_inventory(app, snapshot, caller, scope);
    let cursor = scope.cursor_at(now.sum);
    let lines = |changes| {
        LineStream::of_changes(snapshot, caller, scope, changes, cursor, format, warnings)
    };
    if since == cursor {
        return Ok(SyncAnswer::Same(lines(Vec::new())));
    }
    let before = app.inventories.find(app.engine.folder(), scope.reader, since.state);
    let before = before.ok_or_else(Error::start_again)?;
    let mut changes = now.changes_since(&before);
    changes.iter_mut().for_each(|it| scope.retain_change(it));
    changes.retain(|it| !it.is_empty());
    Ok(if changes.is_empty() {
        SyncAnswer::Same(lines(changes))
    } else {
        SyncAnswer::Changed(lines(changes))
    })
}
