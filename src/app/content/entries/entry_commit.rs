//! The creation and update of one entry: prepared, committed, and finished for the response.
//!
//! Either the thread of the request waits for the commit, or it is told when there is an outcome.

use std::sync::Arc;

use crate::app::App;
use crate::app::access::Requester;
use crate::app::content::entries::clean_html::CleanHtml;
use crate::app::content::entries::clean_html::write_clean;
use crate::app::content::entries::write::EntryEdit;
use crate::app::content::entries::write::EntryEffect;
use crate::app::content::entries::write::EntryOutcome;
use crate::app::content::entries::write::WrittenEntry;
use crate::app::content::entries::write::stage_new_entry;
use crate::app::content::write_target::WriteTarget;
use crate::app::error::Result;
use crate::app::precondition::Precondition;
use crate::engine::staging::Staging;
use crate::engine::writer::Committed;
use crate::engine::writer::commit::QueueRun;
use crate::model::name::WorkspaceSlug;
use crate::model::revision::RevisionEvent;
use crate::query::execute::executor::Effort;
use crate::stdx::json::Map;

/// Stages the change. May run several times.
type StageEntry = Box<dyn FnMut(&mut Staging<'_>) -> Result<EntryOutcome> + Send>;

/// A change of one entry that is ready to be committed.
pub struct EntryCommit {
    ws: WorkspaceSlug,
    by: Requester,
    type_name: String,
    body: Arc<Map>,
    /// Makes what stages the change, with the HTML that was sanitized.
    stage_with: Box<dyn Fn(Arc<CleanHtml>) -> StageEntry + Send>,
}

/// A change that was committed or refused.
pub struct CommittedEntry {
    by: Requester,
    type_name: String,
    clean_html: Arc<CleanHtml>,
    result: Result<Committed<EntryOutcome>>,
}

/// Creates an entry.
pub fn create(
    app: &App,
    ws: &WorkspaceSlug,
    by: &Requester,
    target: &WriteTarget,
    type_name: &str,
    body: Map,
) -> Result<WrittenEntry> {
    prepare_create(app, ws, by, target, type_name, body).commit(app)
}

/// Updates an entry. Keys that are not in the body keep their values.
pub fn update(
    app: &App,
    ws: &WorkspaceSlug,
    by: &Requester,
    target: &WriteTarget,
    entry: (&str, &str),
    body: Map,
    precondition: Precondition,
) -> Result<WrittenEntry> {
    prepare_update(app, ws, by, target, entry, body, precondition).commit(app)
}

/// Prepares the creation of an entry.
pub fn prepare_create(
    app: &App,
    ws: &WorkspaceSlug,
    by: &Requester,
    target: &WriteTarget,
    type_name: &str,
    body: Map,
) -> EntryCommit {
    let (requester, name, body) = (by.clone(), type_name.to_string(), Arc::new(body));
    let (sent, engine, target) = (body.clone(), app.engine.clone(), target.clone());
    let stage_with = move |clean_html: Arc<CleanHtml>| {
        let (requester, name, body) = (requester.clone(), name.clone(), body.clone());
        let (engine, target) = (engine.clone(), target.clone());
        let stage = move |staging: &mut Staging<'_>| {
            let (outcome, change) = target.stage_work(&engine, staging, &requester, |it| {
                stage_new_entry(it, &requester, &name, &body, &clean_html)
            })?;
            Ok(outcome.into_change(change))
        };
        Box::new(stage) as StageEntry
    };
    EntryCommit::new(ws, by, type_name, sent, Box::new(stage_with))
}

/// Prepares the update of an entry.
pub fn prepare_update(
    app: &App,
    ws: &WorkspaceSlug,
    by: &Requester,
    target: &WriteTarget,
    (type_name, identifier): (&str, &str),
    body: Map,
    precondition: Precondition,
) -> EntryCommit {
    let (requester, body) = (by.clone(), Arc::new(body));
    let (sent, engine, target) = (body.clone(), app.engine.clone(), target.clone());
    let (name, identifier) = (type_name.to_string(), identifier.to_string());
    let stage_with = move |clean_html: Arc<CleanHtml>| {
        let edit = EntryEdit {
            type_name: name.clone(),
            identifier: identifier.clone(),
            body: body.clone(),
            clean_html,
            precondition: precondition.clone(),
            event: RevisionEvent::Update,
        };
        let (requester, engine, target) = (requester.clone(), engine.clone(), target.clone());
        let stage = move |staging: &mut Staging<'_>| {
            let target = edit.choose_target(staging, &requester, &target);
            let edit = |it: &mut Staging<'_>| edit.stage_edit(it, &requester);
            let (outcome, change) = target.stage_work(&engine, staging, &requester, edit)?;
            Ok(outcome.into_change(change))
        };
        Box::new(stage) as StageEntry
    };
    EntryCommit::new(ws, by, type_name, sent, Box::new(stage_with))
}

impl EntryCommit {
    fn new(
        ws: &WorkspaceSlug,
        by: &Requester,
        type_name: &str,
        body: Arc<Map>,
        stage_with: Box<dyn Fn(Arc<CleanHtml>) -> StageEntry + Send>,
    ) -> EntryCommit {
        let (ws, by, type_name) = (ws.clone(), by.clone(), type_name.to_string());
        EntryCommit { ws, by, type_name, body, stage_with }
    }

    /// Commits the change. Waits for the disk.
    pub fn commit(self, app: &App) -> Result<WrittenEntry> {
        let EntryCommit { ws, by, type_name, body, stage_with } = self;
        let clean_html = CleanHtml::from_current_type(app, &ws, &type_name, &body);
        let committed = write_clean(clean_html, |it| app.engine.commit(&ws, stage_with(it)))?;
        committed.value.render_written(app, committed.snapshot, &by, &type_name)
    }

    /// Judges the change as [`EntryCommit::commit`] does, and changes nothing.
    pub fn judge(self, app: &App) -> Result<EntryEffect> {
        let EntryCommit { ws, type_name, body, stage_with, .. } = self;
        let clean_html = CleanHtml::from_current_type(app, &ws, &type_name, &body);
        let writer = app.engine.writer();
        let outcome = write_clean(clean_html, |it| writer.preview_commit(&ws, stage_with(it)))?;
        Ok(outcome.into_effect())
    }

    /// Returns true if the body has HTML, which takes long to sanitize. [`EntryCommit::submit`] is
    /// for other bodies.
    pub fn has_html(&self, app: &App) -> bool {
        CleanHtml::is_needed(app, &self.ws, &self.type_name, &self.body)
    }

    /// Queues the change. `done` is called with the outcome, on the thread that makes the change.
    /// If there is a [`QueueRun`], the caller has it run.
    pub fn submit(
        self,
        app: &App,
        done: impl FnOnce(CommittedEntry) + Send + 'static,
    ) -> Option<QueueRun> {
        let EntryCommit { ws, by, type_name, stage_with, .. } = self;
        let clean_html = Arc::new(CleanHtml::default());
        let stage = stage_with(clean_html.clone());
        app.engine.writer().submit(&ws, stage, |result| {
            done(CommittedEntry { by, type_name, clean_html, result });
        })
    }
}

impl CommittedEntry {
    /// Returns the effort that [`CommittedEntry::finish`] takes.
    pub fn effort(&self) -> Effort {
        match &self.result {
            Ok(Committed { value, snapshot }) => value.render_effort(snapshot, &self.type_name),
            Err(_) => Effort::Quick,
        }
    }

    /// Returns the entry for the response. Returns nothing if the body turned out to have HTML,
    /// because the type has changed meanwhile.
    pub fn finish(self, app: &App) -> Result<Option<WrittenEntry>> {
        match self.result {
            Ok(Committed { value, snapshot }) => {
                value.render_written(app, snapshot, &self.by, &self.type_name).map(Some)
            }
            Err(_) if self.clean_html.has_missed() => Ok(None),
            Err(error) => Err(error),
        }
    }
}
