//! Requests that do something with a change: who sends them, and what they expect to find.

use crate::app::App;
use crate::app::access::Requester;
use crate::app::content::change_access;
use crate::app::content::changes::change_view::ChangeView;
use crate::app::content::changes::found_change::FoundChange;
use crate::app::content::changes::found_change::show;
use crate::app::content::changes::found_change::stage_record;
use crate::app::error::Code;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::precondition::Precondition;
use crate::engine::staging::Staging;
use crate::engine::writer::Committed;
use crate::model::event::EventKind;
use crate::model::grant::Permit;
use crate::model::name::EntryId;
use crate::model::name::WorkspaceSlug;

/// The extent of what a request does with a change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ChangeMode {
    /// It is judged and done.
    #[default]
    Commit,
    /// It is judged, and nothing changes.
    DryRun,
}

/// A request that does something with a change.
#[derive(Clone)]
pub struct ChangeRequest {
    /// The workspace.
    pub ws: WorkspaceSlug,
    /// The sender.
    pub by: Requester,
    /// The id of the change; `pending` is the own pending one.
    pub change: String,
    /// The states of the change that the sender expects.
    pub precondition: Precondition,
    /// The extent of what it does.
    pub mode: ChangeMode,
}

impl ChangeRequest {
    /// Creates a request that takes the change as it is.
    pub fn new(ws: &WorkspaceSlug, by: &Requester, change: &str) -> ChangeRequest {
        let (ws, by, change) = (ws.clone(), by.clone(), change.to_string());
        let (precondition, mode) = (Precondition::None, ChangeMode::Commit);
        ChangeRequest { ws, by, change, precondition, mode }
    }

    /// Commits what `work` does with the change, which the sender may read, whatever the mode:
    /// [`run`](Self::run) heeds it.
    pub(super) fn commit<T: Send + 'static>(
        &self,
        app: &App,
        work: impl Fn(FoundChange, &mut Staging<'_>) -> Result<T> + Send + 'static,
    ) -> Result<Committed<T>> {
        let request = self.clone();
        let committed =
            app.engine.commit(&self.ws, move |staging| request.run_work(staging, &work));
        committed.map_err(|error| self.with_current(app, error))
    }

    /// Does what `work` does with the change, of which it gives the id. Returns the change as it is
    /// then; of a dry run, as it is now.
    pub(super) fn run(
        &self,
        app: &App,
        work: impl Fn(FoundChange, &mut Staging<'_>) -> Result<EntryId> + Send + 'static,
    ) -> Result<ChangeView> {
        match self.mode {
            ChangeMode::DryRun => self.preview(app, work),
            ChangeMode::Commit => {
                let committed = self.commit(app, work)?;
                show(app, &committed.snapshot, &self.by.caller, &committed.value)
            }
        }
    }

    /// Does what `work` does with the change, after which there is nothing to show.
    pub(super) fn run_silently(
        &self,
        app: &App,
        work: impl Fn(FoundChange, &mut Staging<'_>) -> Result<()> + Send + 'static,
    ) -> Result<()> {
        match self.mode {
            ChangeMode::DryRun => self.preview(app, work).map(drop),
            ChangeMode::Commit => self.commit(app, work).map(drop),
        }
    }

    /// Judges what `work` does with the change, and changes nothing. Returns the change as it is.
    fn preview<T>(
        &self,
        app: &App,
        work: impl Fn(FoundChange, &mut Staging<'_>) -> Result<T>,
    ) -> Result<ChangeView> {
        let judged = app.engine.writer().preview_commit(&self.ws, |staging| {
            self.run_work(staging, &work)?;
            show(app, staging.snapshot(), &self.by.caller, &self.change)
        });
        judged.map_err(|error: Error| self.with_current(app, error))
    }

    /// Does `work` with the change, if it is in the state that the sender expects. Whoever may not
    /// do it in any state learns that first.
    fn run_work<T>(
        &self,
        staging: &mut Staging<'_>,
        work: &impl Fn(FoundChange, &mut Staging<'_>) -> Result<T>,
    ) -> Result<T> {
        let found = FoundChange::find(staging.snapshot(), &self.by, &self.change)?;
        let is_expected = self.precondition.matches_rev(found.change.rev());
        let depends_on_state = |it: Code| matches!(it, Code::Conflict | Code::ValidationFailed);
        match work(found, staging) {
            done if is_expected => done,
            Err(error) if !depends_on_state(error.code) => Err(error),
            _ => Err(Error::precondition_failed(None)),
        }
    }

    /// Changes the record of the change as `edit` does, and tells of it if it differs then.
    pub(super) fn edit_record(
        &self,
        app: &App,
        edit: impl Fn(&mut FoundChange, &mut Staging<'_>) -> Result<(Permit, EventKind)>
        + Send
        + 'static,
    ) -> Result<ChangeView> {
        self.run(app, move |mut found, staging| {
            change_access::check_record_readable(&found.change)?;
            let before = found.record.to_map();
            let (permit, kind) = edit(&mut found, staging)?;
            if found.record.to_map() != before {
                stage_record(staging, &permit, &mut found)?;
                staging.write(&permit).add_event(kind, found.subject());
            }
            Ok(found.id)
        })
    }

    /// Adds the change as it is now for a sender who expected another state.
    fn with_current(&self, app: &App, error: Error) -> Error {
        if error.code != Code::PreconditionFailed {
            return error;
        }
        let snapshot = app.engine.snapshot(self.ws.as_str());
        let view = snapshot.and_then(|it| show(app, &it, &self.by.caller, &self.change).ok());
        let current = view.and_then(|it| serde_json::value::to_raw_value(&it).ok());
        Error::precondition_failed(current)
    }
}
