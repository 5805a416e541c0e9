//! Imports through the API: the source is an upload, and the plan is decided by the grants of
//! whoever asks for it. Nothing is kept between the report and the import: the source is sent
//! again.

use std::collections::HashMap;

use schemars::JsonSchema;
use serde::Serialize;

use crate::app::App;
use crate::app::access::Caller;
use crate::app::access::Requester;
use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::import::import_options::read_options;
use crate::app::import::plan_import;
use crate::app::import::planner::ImportPlan;
use crate::app::import::report::ImportCounts;
use crate::app::import::report::ImportRemark;
use crate::app::import::report::ImportReport;
use crate::app::import::report::ImportedTypeInfo;
use crate::app::import::request::ImportKind;
use crate::app::import::request::ImportRequest;
use crate::app::import::trimmed_source::TrimmedSource;
use crate::engine::file_set::FileSetError;
use crate::engine::file_set::served::ServedSet;
use crate::model::grant::Action;
use crate::model::grant::Facts;
use crate::model::grant::Grant;
use crate::model::grant::Permit;
use crate::model::grant::Resource;
use crate::model::name::WorkspaceSlug;
use crate::model::problem::FieldProblems;
use crate::store::layout::Key;
use crate::store::source::ImportSource;
use crate::store::write::spool::Spooled;

/// The memory that the texts of a source may take with what becomes of them, as it is estimated:
/// about 30 MiB of prose, or 50,000 rows of a table. At its peak an import takes about twice as
/// much.
const MEMORY_BYTES_MAX: u64 = 128 * 1024 * 1024;

/// The most remarks of a kind in an answer.
const REMARKS_MAX: usize = 1_000;

/// The number of times that an import is planned anew because entries change meanwhile.
const TRIES_MAX: usize = 5;

/// An upload to import.
#[derive(Default)]
pub struct ImportUpload {
    /// The files; there must be one.
    pub files: Vec<Spooled>,
    /// The options as JSON.
    pub options: String,
    /// True if nothing is written.
    pub is_dry_run: bool,
}

/// The result of an import or of its dry run.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "Import")]
pub struct ImportOutcome {
    /// True if nothing was to be written.
    dry_run: bool,
    /// True if something was written. Else everything is in the workspace already, or it was a dry
    /// run.
    written: bool,
    /// The content types that entries go into.
    types: Vec<ImportedTypeInfo>,
    /// The entries.
    entries: ImportCounts,
    /// The media files.
    media: ImportCounts,
    /// The earlier states of entries.
    revisions: ImportCounts,
    /// The number of files that are written.
    files: usize,
    /// The parts of the source that are left out, with the reason; the first 1,000.
    skipped: Vec<ImportRemark>,
    /// The number of all parts that are left out.
    skipped_total: usize,
    /// The parts that are imported differently from how they are in the source; the first 1,000.
    altered: Vec<ImportRemark>,
    /// The number of all parts that are imported differently.
    altered_total: usize,
}

impl ImportOutcome {
    fn new(mut report: ImportReport, is_dry_run: bool) -> ImportOutcome {
        let (skipped_total, altered_total) = (report.skipped.len(), report.altered.len());
        report.skipped.truncate(REMARKS_MAX);
        report.altered.truncate(REMARKS_MAX);
        ImportOutcome {
            dry_run: is_dry_run,
            written: !is_dry_run && report.files > 0,
            types: report.types,
            entries: report.entries,
            media: report.media,
            revisions: report.revisions,
            files: report.files,
            skipped: report.skipped,
            skipped_total,
            altered: report.altered,
            altered_total,
        }
    }
}

/// Imports an upload, or reports what that would do.
pub fn import_upload(
    app: &App,
    ws: &WorkspaceSlug,
    by: &Requester,
    mut upload: ImportUpload,
) -> Result<ImportOutcome> {
    require_grants(&by.caller, ws, CONTENT_ACTIONS, "content:*")?;
    let kind = read_options(&upload.options)?;
    let file = match (upload.files.pop(), upload.files.is_empty()) {
        (Some(file), true) => file,
        _ => {
            let problems = FieldProblems::from_problem("source", "Send one file.");
            return Err(Error::upload_failed(problems));
        }
    };
    let Some(_turn) = app.imports.try_acquire() else {
        return Err(Error::busy("Another import is running right now."));
    };
    let opened = app.engine.folder().open_source(&file).map_err(|error| {
        let message = format!("The file cannot be read: {error}.");
        Error::upload_failed(FieldProblems::from_problem("source", message))
    })?;
    let source = TrimmedSource::new(&*opened, &kind);
    let import = UploadedImport { app, ws, by, kind: &kind, source: &source };
    if upload.is_dry_run {
        return Ok(ImportOutcome::new(import.plan()?.report, true));
    }
    import.write()
}

/// An import under way.
struct UploadedImport<'a> {
    app: &'a App,
    ws: &'a WorkspaceSlug,
    by: &'a Requester,
    kind: &'a ImportKind,
    source: &'a TrimmedSource<'a>,
}

impl UploadedImport<'_> {
    /// Plans the import. It fails if the caller may not do all of it, or if there are problems.
    fn plan(&self) -> Result<ImportPlan> {
        self.source.limit_memory(MEMORY_BYTES_MAX);
        let settings = self.app.settings();
        let request = ImportRequest {
            workspace: self.ws,
            kind: self.kind,
            source: self.source as &dyn ImportSource,
            rules: &settings.editable.uploads,
            budget: &self.app.thumbnails.budget,
            keeps_revisions: true,
            by: &self.by.actor.id,
            is_content_only: true,
        };
        let plan = plan_import(&self.app.engine, &request)?;
        // Before the problems, which tell what is there.
        check_plan(&self.by.caller, self.ws, &plan)?;
        match plan.report.problems.is_empty() {
            true => Ok(plan),
            false => Err(Error::invalid_import(list_problems(&plan.report.problems))),
        }
    }

    /// Writes what is planned. If the entries change meanwhile, the plan is made anew.
    fn write(&self) -> Result<ImportOutcome> {
        let permit = self.issue_permit()?;
        let slug = self.ws.as_str();
        for _ in 0..TRIES_MAX {
            let base = self.app.engine.snapshot(slug);
            let base = base.ok_or_else(|| Error::not_found("workspace", slug))?;
            let ImportPlan { files, report } = self.plan()?;
            if files.is_empty() {
                return Ok(ImportOutcome::new(report, false));
            }
            let (base, permit) = (&base, &permit);
            let set = ServedSet { files: &files, base, source: self.source, permit };
            match self.app.engine.writer().commit_file_set(&set) {
                Ok(()) => return Ok(ImportOutcome::new(report, false)),
                Err(FileSetError::Stale) => {}
                Err(FileSetError::Store(error)) => return Err(error.into()),
                Err(FileSetError::Commit(error)) => return Err(error.into()),
                Err(FileSetError::Source(path, message)) => {
                    let problems = FieldProblems::from_problem(path, format!("{message}."));
                    return Err(Error::invalid_import(problems));
                }
            }
        }
        Err(Error::storage_unavailable("entries change all the time"))
    }

    fn issue_permit(&self) -> Result<Permit> {
        let (ws, all) = (self.ws.as_str(), Resource::Collection("*"));
        self.by.check_permission(ws, Action::ContentPublish, &all, &Facts::default())
    }
}

/// The permissions that every import takes, for all content: it finds out what is there, and sets
/// any status.
const CONTENT_ACTIONS: &[Action] =
    &[Action::ContentRead, Action::ContentCreate, Action::ContentUpdate, Action::ContentPublish];

/// The permissions that media files take.
const MEDIA_ACTIONS: &[Action] = &[Action::MediaRead, Action::MediaUpload, Action::MediaUpdate];

/// Checks the permissions for what is in a plan.
fn check_plan(caller: &Caller, ws: &WorkspaceSlug, plan: &ImportPlan) -> Result<()> {
    let has_new_type = plan.report.types.iter().any(|it| it.created);
    let has_key = |holds: fn(&Key) -> bool| plan.files.files.iter().any(|it| holds(&it.key));
    if has_new_type {
        require_grants(caller, ws, &[Action::SchemaRead, Action::SchemaCreate], "schema:*")?;
    }
    if has_key(|it| matches!(it, Key::Trash(..))) {
        require_grants(caller, ws, &[Action::ContentDelete], "content:*")?;
    }
    let touches_media =
        has_key(|it| matches!(it, Key::Media(..) | Key::MediaMeta(..) | Key::Categories(..)));
    if touches_media || plan.report.media != ImportCounts::default() {
        require_grants(caller, ws, MEDIA_ACTIONS, "media:*")?;
    }
    Ok(())
}

/// Checks that the caller may take the actions on everything of a kind in the workspace, without
/// conditions or exceptions.
fn require_grants(caller: &Caller, ws: &WorkspaceSlug, actions: &[Action], on: &str) -> Result<()> {
    for action in actions {
        let needed = Grant::parse_line(&format!("{action}@{on}@{ws}"));
        let needed = needed.map_err(|it| Error::internal(it.to_string()))?;
        let is_covered = caller.grants().is_some_and(|it| it.check_delegation(&[needed]).is_ok());
        if !is_covered {
            return Err(Error::forbidden(*action, &format!("all of `{on}`")));
        }
    }
    Ok(())
}

/// Returns the problems by their places; those of one place together.
fn list_problems(problems: &[ImportRemark]) -> FieldProblems {
    let mut listed: Vec<(String, String)> = Vec::new();
    let mut places: HashMap<String, usize> = HashMap::new();
    for problem in problems {
        let place = match problem.place.to_string() {
            place if place.is_empty() => "source".to_string(),
            place => place,
        };
        let known = places.get(&place).copied();
        if let Some((_, message)) = known.and_then(|it| listed.get_mut(it)) {
            message.push(' ');
            message.push_str(&problem.message);
        } else if listed.len() < REMARKS_MAX {
            places.insert(place.clone(), listed.len());
            listed.push((place, problem.message.clone()));
        }
    }
    let mut fields = FieldProblems::new();
    listed.into_iter().for_each(|(place, message)| fields.add(place, message));
    fields
}
