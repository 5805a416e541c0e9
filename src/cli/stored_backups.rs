//! Backups that are kept outside the data folder: made now, listed, verified, and restored on an
//! empty host.

use std::path::PathBuf;

use serde_json::json;
use tokio::runtime::Runtime;

use crate::app::jobs::scheduled_backups::OpenedStore;
use crate::cli::backup_target;
use crate::cli::backup_target::TargetArgs;
use crate::cli::config::Config;
use crate::cli::config::PlaceArgs;
use crate::cli::database;
use crate::cli::error::CommandError;
use crate::cli::folder_setup;
use crate::cli::init;
use crate::cli::serve;
use crate::cli::terminal::format_count;
use crate::cli::terminal::print_json;
use crate::cli::terminal::print_note;
use crate::cli::terminal::print_text;
use crate::engine::backups::repository::TargetError;
use crate::engine::backups::repository::manifest::StoredManifest;
use crate::engine::backups::repository::run;
use crate::engine::backups::repository::run::BackupDestination;
use crate::engine::backups::repository::run::BackupRun;
use crate::engine::backups::repository::run::BackupSource;
use crate::engine::backups::repository::status::BackupStatus;
use crate::engine::backups::repository::stored_files;
use crate::engine::backups::repository::stored_files::NoSink;
use crate::engine::backups::repository::target::BackupTarget;
use crate::model::backup::ArchiveDefect;
use crate::model::backup_schedule::StoredBackupName;
use crate::stdx::clock::Clock;
use crate::stdx::clock::SystemClock;
use crate::store::archive::restored_folder::RestoredFolder;
use crate::store::archive::restored_folder::WAITING;
use crate::store::lock::InstanceLock;
use crate::store::lock::WriteLock;
use crate::store::write::journal;

/// Arguments of `recto backup run`.
#[derive(Debug, clap::Args)]
pub(super) struct BackupRunArgs {
    /// The target: a directory, or s3://bucket/prefix; `backups.target` unless given
    #[arg(long, value_name = "TARGET")]
    target: Option<String>,
    /// Take over a target with the backups of another data folder, which makes no more there
    #[arg(long)]
    take_over: bool,
    #[command(flatten)]
    access: TargetArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    place: PlaceArgs,
}

/// Arguments of `recto backup verify`.
#[derive(Debug, clap::Args)]
pub(super) struct BackupVerifyArgs {
    /// The target: a directory, or s3://bucket/prefix; `backups.target` unless given
    target: Option<String>,
    /// The backup to verify; the newest unless given
    #[arg(long, value_name = "NAME", value_parser = parse_name)]
    name: Option<StoredBackupName>,
    /// Verify all backups
    #[arg(long, conflicts_with = "name")]
    all: bool,
    #[command(flatten)]
    access: TargetArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    place: PlaceArgs,
}

/// Arguments of `recto restore`.
#[derive(Debug, clap::Args)]
pub(super) struct RestoreArgs {
    /// The target: a directory, or s3://bucket/prefix
    target: String,
    /// The data folder to create; it must not exist, or be empty
    folder: PathBuf,
    /// The backup to restore; the newest unless given
    #[arg(long, value_name = "NAME", value_parser = parse_name)]
    name: Option<StoredBackupName>,
    /// Restore what is left if files of the backup are damaged
    #[arg(long)]
    skip_damaged: bool,
    #[command(flatten)]
    access: TargetArgs,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

fn parse_name(text: &str) -> Result<StoredBackupName, String> {
    StoredBackupName::parse(text)
        .ok_or_else(|| "the name of a backup is its time, such as 2026-05-03-033000".to_string())
}

/// Makes a backup now.
pub(super) fn run_backup(args: &BackupRunArgs) -> Result<(), CommandError> {
    let config = args.access.load_config(&args.place, args.target.as_deref())?;
    // The servers take turns with a target, and a copy of the database would not.
    database::refuse_database(&config, "recto backup run")?;
    folder_setup::check_is_writable(&config)?;
    let Some(plan) = backup_target::find_plan(&config)? else {
        return Err(CommandError::usage("name a --target, or set `backups.target`"));
    };
    let places = config.data_folder();
    let disk = folder_setup::open_disk(&places)?;
    places.claim_folders()?;
    let lock = WriteLock::open(places.root())?;
    // Without a server, this process finishes interrupted changes.
    if let Ok(_instance) = InstanceLock::acquire_places(&places) {
        let _turn = lock.acquire_turn()?;
        journal::recover_changes(&disk)?;
    }
    let (_runtime, opened) = open(&config)?;
    let destination = BackupDestination {
        store: &*opened.store,
        passphrase: opened.passphrase.as_deref(),
        rule: plan.rule,
        takes_over: args.take_over,
    };
    let source = BackupSource { root: places.root(), disk: &disk, lock: &lock };
    let now = SystemClock.now();
    let ran = run::run_backup(&source, &destination, now, &|| false);
    if !matches!(ran, Err(TargetError::Busy)) {
        BackupStatus::load(&disk, &plan.target).record(&disk, now, &ran)?;
    }
    print_run(&ran.map_err(command_error)?, args.json)
}

fn print_run(ran: &BackupRun, as_json: bool) -> Result<(), CommandError> {
    let BackupRun { summary, pruned } = ran;
    let name = summary.name.as_str();
    if as_json {
        return print_json(&json!({
            "name": name,
            "files": summary.files,
            "bytes": summary.bytes,
            "new_bytes": summary.new_bytes,
            "left_out": summary.problems,
            "removed": pruned.as_ref().ok().map(|it| &it.backups),
            "warning": pruned.as_ref().err().map(ToString::to_string),
        }));
    }
    let count = |number: u64| usize::try_from(number).unwrap_or(usize::MAX);
    print_note(&format!(
        "backed up {}: {} bytes, {} of them new",
        format_count(count(summary.files), "file", "files"),
        summary.bytes,
        summary.new_bytes
    ));
    if summary.problems > 0 {
        let left_out = format_count(summary.problems, "file was", "files were");
        print_note(&format!("{left_out} left out; `recto backup verify` says why"));
    }
    match pruned {
        Ok(report) if !report.backups.is_empty() => {
            let removed = format_count(report.backups.len(), "old backup", "old backups");
            print_note(&format!("removed {removed}"));
        }
        Ok(_) => {}
        Err(error) => print_note(&format!("old backups could not be removed: {error}")),
    }
    print_text(&format!("{name}\n"))
}

/// Lists the backups of a target, newest first.
pub(super) fn list_backups(
    target: &str,
    access: &TargetArgs,
    place: &PlaceArgs,
    as_json: bool,
) -> Result<(), CommandError> {
    let config = access.load_config(place, Some(target))?;
    let (_runtime, opened) = open(&config)?;
    let target = open_target(&opened)?;
    let names = target.list_backups().map_err(command_error)?;
    let manifests: Result<Vec<StoredManifest>, TargetError> =
        names.iter().rev().map(|it| target.load_manifest(it)).collect();
    let manifests = manifests.map_err(command_error)?;
    if as_json {
        let row = |it: &StoredManifest| json!({ "name": it.name, "files": it.files, "bytes": it.bytes, "problems": it.problems });
        return print_json(&manifests.iter().map(row).collect());
    }
    let line = |it: &StoredManifest| {
        let problems = match it.problems.len() {
            0 => String::new(),
            n => format!("  {} left out", format_count(n, "file", "files")),
        };
        format!("{}  {:>9} files  {:>14} bytes{problems}\n", it.name.as_str(), it.files, it.bytes)
    };
    print_text(&manifests.iter().map(line).collect::<String>())
}

/// Reads whole backups, and reports what is damaged.
pub(super) fn verify_backups(args: &BackupVerifyArgs) -> Result<(), CommandError> {
    let config = args.access.load_config(&args.place, args.target.as_deref())?;
    let (_runtime, opened) = open(&config)?;
    let target = open_target(&opened)?;
    let names: Vec<StoredBackupName> = match &args.name {
        Some(name) => vec![name.clone()],
        None if args.all => target.list_backups().map_err(command_error)?.into_iter().collect(),
        None => vec![target.find_backup(None).map_err(command_error)?.name],
    };
    let (mut rows, mut n_damaged) = (Vec::new(), 0);
    for name in &names {
        let manifest = target.find_backup(Some(name)).map_err(command_error)?;
        let damaged = stored_files::read_files(&target, &manifest, &mut NoSink);
        let damaged = damaged.map_err(command_error)?;
        n_damaged += damaged.len();
        if args.json {
            rows.push(json!({
                "name": name, "files": manifest.files, "bytes": manifest.bytes,
                "damaged": damaged, "problems": manifest.problems,
            }));
            continue;
        }
        print_defects(&manifest.problems);
        print_defects(&damaged);
        let files = usize::try_from(manifest.files).unwrap_or(usize::MAX);
        let files = format_count(files, "file", "files");
        let verdict = match damaged.len() {
            0 => "all of them are right".to_string(),
            n => format!("{n} damaged"),
        };
        print_text(&format!("{}  {files}, {verdict}\n", name.as_str()))?;
    }
    if args.json {
        print_json(&json!(rows))?;
    }
    match n_damaged {
        0 => Ok(()),
        n => Err(CommandError::failed(format!(
            "{} damaged",
            format_count(n, "file is", "files are")
        ))),
    }
}

/// Restores a backup into an empty folder, completely or not at all.
pub(super) fn restore(args: &RestoreArgs) -> Result<(), CommandError> {
    if !folder_setup::is_empty_except(&args.folder, &[WAITING])? {
        let folder = args.folder.display();
        return Err(CommandError::usage(format!("{folder} is not empty; name another folder")));
    }
    let config = args.access.load_config(&PlaceArgs::default(), Some(&args.target))?;
    let (_runtime, opened) = open(&config)?;
    let target = open_target(&opened)?;
    let manifest = target.find_backup(args.name.as_ref()).map_err(command_error)?;
    let mut restored = RestoredFolder::begin(&args.folder)?;
    let read = stored_files::read_files(&target, &manifest, &mut restored);
    let damaged = match read {
        Ok(damaged) if damaged.is_empty() || args.skip_damaged => damaged,
        Ok(damaged) => {
            restored.abandon();
            print_defects(&damaged);
            let files = format_count(damaged.len(), "file is", "files are");
            return Err(CommandError::failed(format!(
                "nothing was restored: {files} damaged; --skip-damaged restores the others"
            )));
        }
        Err(error) => {
            restored.abandon();
            return Err(command_error(error));
        }
    };
    let n_files = restored.commit()?;
    // Backups have content alone.
    init::complete_folder(&args.folder)?;
    print_restored(args, &manifest, &damaged, n_files)
}

fn print_restored(
    args: &RestoreArgs,
    manifest: &StoredManifest,
    damaged: &[ArchiveDefect],
    n_files: usize,
) -> Result<(), CommandError> {
    let name = manifest.name.as_str();
    if args.json {
        return print_json(&json!({
            "name": name, "files": n_files, "damaged": damaged, "problems": manifest.problems,
        }));
    }
    print_defects(&manifest.problems);
    print_defects(damaged);
    let folder = args.folder.display();
    print_note(&format!("`recto serve --data {folder}` serves it"));
    print_text(&format!("restored {} of {name}\n", format_count(n_files, "file", "files")))
}

/// Opens the store of the configured target, and the runtime that its requests need.
fn open(config: &Config) -> Result<(Runtime, OpenedStore), CommandError> {
    let runtime = serve::build_runtime(1)?;
    let handle = runtime.handle().clone();
    let opened = backup_target::open_store(&config.backups, handle, backup_target::no_stop());
    Ok((runtime, opened.map_err(CommandError::usage)?))
}

fn open_target(opened: &OpenedStore) -> Result<BackupTarget<'_>, CommandError> {
    BackupTarget::open(&*opened.store, opened.passphrase.as_deref()).map_err(command_error)
}

fn command_error(error: TargetError) -> CommandError {
    match error {
        TargetError::Passphrase(_) => CommandError::usage(error.to_string()),
        error => CommandError::failed(error.to_string()),
    }
}

fn print_defects(defects: &[ArchiveDefect]) {
    for ArchiveDefect { path, message } in defects {
        let text = format!("{path}: {message}");
        // Texts of a target could control the terminal.
        print_note(&text.chars().filter(|it| !it.is_control()).collect::<String>());
    }
}
