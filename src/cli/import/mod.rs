//! `recto import`: content of other systems and of tables, beside a running server or without one.
//! A running server takes the files over as it takes over edits by hand.

mod import_args;
mod import_report;

use std::fs::File;
use std::io;
use std::path::Path;
use std::process::ExitCode;
use std::sync::Arc;

use crate::app::App;
use crate::app::Settings;
use crate::app::import::plan_import;
use crate::app::import::planner::ImportPlan;
use crate::app::import::report::ImportReport;
use crate::app::import::request::ImportKind;
use crate::app::import::request::ImportRequest;
use crate::app::import::trimmed_source::TrimmedSource;
use crate::cli::config::LoadedConfig;
use crate::cli::database;
use crate::cli::error::CommandError;
use crate::cli::folder_setup;
pub(super) use crate::cli::import::import_args::ImportArgs;
use crate::cli::import::import_report::print_report;
use crate::engine::Engine;
use crate::engine::EngineOptions;
use crate::engine::file_set::FileSetError;
use crate::engine::file_set::SetTarget;
use crate::engine::file_set::WorkspaceListing;
use crate::model::grant::Action;
use crate::model::grant::Permit;
use crate::model::name::WorkspaceSlug;
use crate::stdx::clock::SystemClock;
use crate::store::disk::Disk;
use crate::store::lock::InstanceLock;
use crate::store::lock::WriteLock;
use crate::store::source::FolderSource;
use crate::store::source::ImportSource;
use crate::store::source::SourceLimits;
use crate::store::source::open_file;
use crate::store::write::journal;

/// The number of times that an import is planned anew because the folder changes meanwhile.
const TRIES_MAX: usize = 5;

pub(super) fn run(args: &ImportArgs) -> Result<ExitCode, CommandError> {
    let (kind, source) = (args.to_kind()?, open_source(&args.source)?);
    let source = TrimmedSource::new(&*source, &kind);
    let workspace = WorkspaceSlug::parse(&args.workspace)
        .map_err(|error| CommandError::usage(format!("--workspace: {error}")))?;
    let loaded = LoadedConfig::load_process(&args.place.to_flags())?;
    database::refuse_database(&loaded.config, "recto import")?;
    if !args.dry_run {
        folder_setup::check_is_writable(&loaded.config)?;
    }
    let places = loaded.config.data_folder();
    let disk = folder_setup::open_disk(&places)?;
    let import = ImportJob { loaded: &loaded, workspace: &workspace, kind: &kind, source: &source };
    if args.dry_run {
        let (_, plan) = import.plan(false)?;
        return print_report(&plan.report, args);
    }
    places.claim_folders()?;
    let lock = WriteLock::open(places.root())?;
    // Held to the end, so that no server starts meanwhile. Without one, this process finishes
    // interrupted changes.
    let alone = InstanceLock::acquire_places(&places).ok();
    if alone.is_some() {
        let _turn = lock.acquire_turn()?;
        journal::recover_changes(&disk)?;
    }
    let report = import.write(&disk, &lock, alone.is_some())?;
    print_report(&report, args)
}

/// Opens a file, a folder or an archive.
fn open_source(path: &Path) -> Result<Box<dyn ImportSource>, CommandError> {
    let shown = path.display();
    let cannot = |error: io::Error| CommandError::usage(format!("cannot read {shown}: {error}"));
    let found = std::fs::metadata(path).map_err(cannot)?;
    if found.is_dir() {
        let folder = FolderSource::open(path, SourceLimits::LOCAL).map_err(cannot)?;
        return Ok(Box::new(folder));
    }
    if !found.is_file() {
        return Err(CommandError::usage(format!("{shown} is neither a file nor a folder")));
    }
    let name = path.file_name().and_then(|it| it.to_str());
    let name = name.ok_or_else(|| CommandError::usage(format!("{shown} is no usable name")))?;
    if name.to_ascii_lowercase().ends_with(".enc") {
        let message = format!("{shown} is encrypted: export again with --no-encrypt");
        return Err(CommandError::usage(message));
    }
    let file = File::open(path).map_err(cannot)?;
    open_file(file, name, SourceLimits::LOCAL, &tempfile::tempfile).map_err(cannot)
}

/// An import into a data folder.
struct ImportJob<'a> {
    loaded: &'a LoadedConfig,
    workspace: &'a WorkspaceSlug,
    kind: &'a ImportKind,
    source: &'a dyn ImportSource,
}

impl ImportJob<'_> {
    /// Plans the import on the folder as it is now.
    fn plan(&self, keeps_revisions: bool) -> Result<(App, ImportPlan), CommandError> {
        let app = open_app(self.loaded)?;
        let name = self.workspace.as_str();
        if app.engine.snapshot(name).is_none() {
            return Err(CommandError::no_workspace(name));
        }
        let request = ImportRequest {
            workspace: self.workspace,
            kind: self.kind,
            source: self.source,
            rules: &app.settings().editable.uploads,
            budget: &app.thumbnails.budget,
            keeps_revisions,
            by: "",
            is_content_only: false,
        };
        let planned = plan_import(&app.engine, &request);
        let plan = planned.map_err(|error| CommandError::failed(error.message))?;
        Ok((app, plan))
    }

    /// Writes what is planned. If the folder changes meanwhile, the plan is made anew.
    fn write(
        &self,
        disk: &dyn Disk,
        lock: &WriteLock,
        is_alone: bool,
    ) -> Result<ImportReport, CommandError> {
        let permit = Permit::for_operator(Action::ContentCreate);
        for _ in 0..TRIES_MAX {
            let seen = WorkspaceListing::list(disk, self.workspace)?;
            let (app, ImportPlan { files, report }) = self.plan(is_alone)?;
            if files.is_empty() {
                return Ok(report);
            }
            let (workspace, seen, permit) = (self.workspace, &seen, &permit);
            let target = SetTarget { disk, lock, workspace, seen, permit };
            match files.commit(&target, app.engine.folder().new_id().as_str(), self.source) {
                Ok(()) => return Ok(report),
                Err(FileSetError::Stale) => {}
                Err(error) => return Err(CommandError::failed(error)),
            }
        }
        Err(CommandError::failed("nothing was changed: the folder changes all the time"))
    }
}

/// Opens the data folder for reading, beside a server if there is one.
pub(in crate::cli) fn open_app(loaded: &LoadedConfig) -> Result<App, CommandError> {
    let (config, pinned) = (&loaded.config, loaded.pinned_settings());
    let engine = Engine::open(EngineOptions {
        base_url: config.resolve_base_url(config.listen).as_str().to_owned(),
        read_only: true,
        state_dir: config.state_dir.clone(),
        revisions_kept_max: config.editable.revisions_kept_max,
        revisions_are_pinned: pinned.contains_key("max_revisions"),
        ..EngineOptions::new(config.data.clone(), Arc::new(SystemClock))
    })?;
    engine.close();
    let editable = loaded.base.editable.clone();
    Ok(App::new(engine, Settings { editable, pinned, ..Settings::default() }))
}
