//! `recto backup`: creates archives beside a running server, and restores them without one. Those
//! that are kept elsewhere are in `stored_backups`.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::io;
use std::io::IsTerminal;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use std::time::Instant;

use clap::Subcommand;
use serde_json::json;

use crate::cli::backup_target::TargetArgs;
use crate::cli::config::PlaceArgs;
use crate::cli::database;
use crate::cli::error::CommandError;
use crate::cli::folder_setup;
use crate::cli::stored_backups;
use crate::cli::stored_backups::BackupRunArgs;
use crate::cli::stored_backups::BackupVerifyArgs;
use crate::cli::terminal::format_count;
use crate::cli::terminal::print_json;
use crate::cli::terminal::print_note;
use crate::cli::terminal::print_text;
use crate::engine::Engine;
use crate::engine::EngineOptions;
use crate::engine::backups;
use crate::engine::backups::request::BackupError;
use crate::engine::backups::request::BackupRequest;
use crate::engine::backups::restore_request::RestoreReport;
use crate::engine::backups::restore_request::RestoreRequest;
use crate::model::backup::ArchiveDefect;
use crate::model::backup::BackupManifest;
use crate::model::backup::BackupName;
use crate::model::backup::BackupPart;
use crate::model::backup::NOTE_CHARS_MAX;
use crate::model::backup::PERSONAL_DATA;
use crate::model::event::Event;
use crate::model::event::EventKind;
use crate::model::event::Subject;
use crate::model::input::check_length;
use crate::model::input::wording;
use crate::model::name::WorkspaceSlug;
use crate::stdx::clock::Clock;
use crate::stdx::clock::SystemClock;
use crate::store::archive::folder::BackupFolder;
use crate::store::archive::folder::BackupInfo;
use crate::store::archive::folder::copy_backup;
use crate::store::archive::writer::Progress;
use crate::store::data_folder::DataFolder;
use crate::store::disk::Disk;
use crate::store::disk::OsDisk;
use crate::store::error::StoreError;
use crate::store::layout::Folder;
use crate::store::lock::InstanceLock;
use crate::store::lock::WriteLock;
use crate::store::write::journal;

/// The interval between two updates of the progress line.
const SHOW_EVERY: Duration = Duration::from_millis(100);

/// The subcommands of `recto backup`.
#[derive(Debug, Subcommand)]
pub(super) enum BackupCommand {
    /// Create a backup; the server may be running
    Create(BackupCreateArgs),
    /// Make the scheduled backup now: outside the data folder, then remove old ones
    Run(BackupRunArgs),
    /// List the backups, newest first
    List(BackupListArgs),
    /// Read a whole backup and show its content and its problems
    Inspect(BackupInspectArgs),
    /// Read backups that are kept elsewhere, all of their bytes
    Verify(BackupVerifyArgs),
    /// Restore a backup completely or not at all; the server must be stopped
    Restore(BackupRestoreArgs),
}

/// Arguments of `recto backup create`.
#[derive(Debug, clap::Args)]
pub(super) struct BackupCreateArgs {
    /// Save only these parts, such as schemas,content,media
    #[arg(long, value_delimiter = ',', value_name = "PARTS", value_parser = parse_part)]
    parts: Vec<BackupPart>,
    /// The workspaces to back up; all unless given
    #[arg(long, value_delimiter = ',', value_name = "SLUGS", value_parser = parse_workspace)]
    workspaces: Vec<WorkspaceSlug>,
    /// Include password hashes, token hashes and webhook secrets
    #[arg(long)]
    secrets: bool,
    /// A note that describes the backup
    #[arg(long, default_value = "", hide_default_value = true)]
    note: String,
    #[command(flatten)]
    common: CommonArgs,
}

/// Arguments of `recto backup list`.
#[derive(Debug, clap::Args)]
pub(super) struct BackupListArgs {
    /// A directory or s3://bucket/prefix with scheduled backups; those in backups/ unless given
    target: Option<String>,
    #[command(flatten)]
    access: TargetArgs,
    #[command(flatten)]
    common: CommonArgs,
}

/// Arguments of `recto backup inspect`.
#[derive(Debug, clap::Args)]
pub(super) struct BackupInspectArgs {
    /// The name of a file in backups/
    name: String,
    #[command(flatten)]
    common: CommonArgs,
}

/// Arguments of `recto backup restore`.
#[derive(Debug, clap::Args)]
pub(super) struct BackupRestoreArgs {
    /// The name of a file in backups/
    name: String,
    /// The parts to restore, such as schemas,content,media; `recto backup inspect` lists them
    #[arg(long, required = true, value_delimiter = ',', value_name = "PARTS", value_parser = parse_part)]
    parts: Vec<BackupPart>,
    /// The workspaces to restore; all unless given
    #[arg(long, value_delimiter = ',', value_name = "SLUGS", value_parser = parse_workspace)]
    workspaces: Vec<WorkspaceSlug>,
    /// Replace the parts by the backup and remove files that it does not have; without this, only
    /// missing files are added
    #[arg(long)]
    overwrite: bool,
    /// Only show what would happen
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    common: CommonArgs,
}

#[derive(Debug, clap::Args)]
struct CommonArgs {
    /// Print JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    place: PlaceArgs,
}

fn parse_part(text: &str) -> Result<BackupPart, String> {
    let all = || BackupPart::ALL.map(BackupPart::as_str).join(", ");
    BackupPart::parse(text).ok_or_else(|| format!("there is no such part; the parts are {}", all()))
}

fn parse_workspace(text: &str) -> Result<WorkspaceSlug, String> {
    WorkspaceSlug::parse(text).map_err(|error| error.to_string())
}

/// Collects the items into a set. Returns `None` if there are none.
fn non_empty_set<T: Ord>(items: Vec<T>) -> Option<BTreeSet<T>> {
    (!items.is_empty()).then(|| items.into_iter().collect())
}

pub(super) fn run(command: BackupCommand) -> Result<(), CommandError> {
    match command {
        BackupCommand::Create(args) => create_backup(args),
        BackupCommand::Run(args) => stored_backups::run_backup(&args),
        BackupCommand::List(args) => list_backups(args),
        BackupCommand::Inspect(args) => inspect_backup(args),
        BackupCommand::Verify(args) => stored_backups::verify_backups(&args),
        BackupCommand::Restore(args) => restore_backup(args),
    }
}

fn create_backup(args: BackupCreateArgs) -> Result<(), CommandError> {
    check_length(&args.note, NOTE_CHARS_MAX)
        .map_err(|it| CommandError::usage(format!("note: {it}")))?;
    let config = args.common.place.resolve_config()?;
    folder_setup::check_is_writable(&config)?;
    let copy = config.store.as_ref().map(database::copy_database).transpose()?;
    let (places, disk) = match &copy {
        Some(copy) => open_disk(copy.places.clone())?,
        None => open_folder(&args.common.place)?,
    };
    check_workspaces(&places, &args.workspaces)?;
    places.claim_folders()?;
    let lock = WriteLock::open(places.root())?;
    // Without a server, this process finishes interrupted changes.
    if let Ok(_instance) = InstanceLock::acquire_places(&places) {
        let _turn = lock.acquire_turn()?;
        journal::recover_changes(&*disk)?;
    }
    let is_of_everything = args.parts.is_empty();
    let wanted = BackupRequest {
        parts: non_empty_set(args.parts).unwrap_or_else(|| BackupPart::ALL.into_iter().collect()),
        workspaces: non_empty_set(args.workspaces),
        secrets: args.secrets,
        note: args.note,
        created_by: None,
    };
    let meter = ProgressMeter::new();
    let created =
        backups::create_backup(&disk, &lock, &wanted, SystemClock.now(), &|it| meter.show(it));
    meter.clear();
    let (mut name, manifest) = created.map_err(|error| backup_error("", error))?;
    if copy.is_some() {
        name = keep_archive(&*disk, &name, &args.common.place)?;
    }
    print_flaws(&manifest.problems);
    if is_of_everything && manifest.parts.contains(&BackupPart::Users) {
        print_note(&format!("{PERSONAL_DATA} To leave them out, name the --parts to save."));
    }
    if args.common.json {
        return print_json(&json!({ "name": name.as_str(), "manifest": manifest }));
    }
    let files = usize::try_from(manifest.counts.values().sum::<u64>()).unwrap_or(usize::MAX);
    print_note(&format!("backed up {}", format_count(files, "file", "files")));
    print_text(&format!("{}\n", name.as_str()))
}

/// Refuses workspaces that do not exist: nothing of them would be in the backup.
fn check_workspaces(places: &DataFolder, named: &[WorkspaceSlug]) -> Result<(), CommandError> {
    for ws in named {
        if !places.resolve_path(&Folder::Workspace(ws.clone()).path()).is_dir() {
            return Err(CommandError::usage(wording::unknown("workspace", ws)));
        }
    }
    Ok(())
}

fn list_backups(args: BackupListArgs) -> Result<(), CommandError> {
    if let Some(target) = &args.target {
        let CommonArgs { json, place } = &args.common;
        return stored_backups::list_backups(target, &args.access, place, *json);
    }
    let (_, disk) = open_folder(&args.common.place)?;
    let cards = BackupFolder::default().list(&*disk)?;
    if args.common.json {
        let all: Vec<_> = cards.iter().map(card_json).collect();
        return print_json(&json!(all));
    }
    if cards.is_empty() {
        print_note("there are no backups; `recto backup create` creates one");
    }
    let width = cards.iter().map(|it| it.name.as_str().len()).max().unwrap_or(0);
    let lines = cards.iter().map(|card| {
        let (name, size) = (card.name.as_str(), format_bytes(card.size));
        let note = match &card.manifest {
            Some(manifest) if manifest.note.is_empty() => join_parts(&manifest.parts),
            Some(manifest) => {
                format!("{} ({})", join_parts(&manifest.parts), escape_controls(&manifest.note))
            }
            None => "cannot be read".to_string(),
        };
        format!("{name:width$}  {size:>9}  {note}\n")
    });
    print_text(&lines.collect::<String>())
}

fn inspect_backup(args: BackupInspectArgs) -> Result<(), CommandError> {
    let (_, disk) = open_folder(&args.common.place)?;
    let name = parse_name(&args.name)?;
    let looked = backups::verify_backup(&*disk, &name);
    let (manifest, _) = match looked {
        Err(BackupError::Flawed(flaws)) if args.common.json => {
            print_json(&json!({ "manifest": null, "problems": flaws }))?;
            return Err(CommandError::failed(format!("{} cannot be restored", name.as_str())));
        }
        verified => verified.map_err(|error| backup_error(name.as_str(), error))?,
    };
    if args.common.json {
        let problems = &manifest.problems;
        return print_json(&json!({ "manifest": manifest, "problems": problems }));
    }
    print_flaws(&manifest.problems);
    print_text(&format_manifest(&manifest))
}

fn format_manifest(manifest: &BackupManifest) -> String {
    let mut text = format!("made at     {}\n", escape_controls(&manifest.created_at));
    if !manifest.note.is_empty() {
        text.push_str(&format!("note        {}\n", escape_controls(&manifest.note)));
    }
    let workspaces: Vec<&str> = manifest.workspaces.iter().map(String::as_str).collect();
    text.push_str(&format!("workspaces  {}\n", escape_controls(&workspaces.join(", "))));
    text.push_str(&format!("secrets     {}\n", if manifest.secrets { "yes" } else { "no" }));
    for (part, number) in &manifest.counts {
        text.push_str(&format!("{:10}  {number}\n", part.as_str()));
    }
    text
}

fn restore_backup(args: BackupRestoreArgs) -> Result<(), CommandError> {
    let config = args.common.place.resolve_config()?;
    database::refuse_database(&config, "recto backup restore")?;
    folder_setup::check_is_writable(&config)?;
    let places = config.data_folder();
    folder_setup::check_is_folder(places.root())?;
    places.check_present()?;
    let name = parse_name(&args.name)?;
    let order = RestoreRequest {
        parts: args.parts.into_iter().collect(),
        workspaces: non_empty_set(args.workspaces),
        overwrite: args.overwrite,
        dry_run: args.dry_run,
        created_by: None,
        clean_entry: None,
    };
    let options = EngineOptions {
        state_dir: places.state().map(Path::to_path_buf),
        ..EngineOptions::new(places.root().to_path_buf(), Arc::new(SystemClock))
    };
    let engine = Engine::open(options).map_err(|error| {
        match error {
            // A running server could not tell restored files from edits by hand.
            StoreError::Locked { pid } => CommandError::failed(format!(
                "a server (process {pid}) serves this folder: restore in its interface, or stop it \
                 first"
            )),
            error => error.into(),
        }
    })?;
    let restored = engine.backups().restore_backup(&name, &order, &|_| Ok(()));
    let restored = restored.map_err(|error| backup_error(name.as_str(), error))?;
    if !order.dry_run {
        let subject = Subject::Backup { backup: name.as_str().to_string() };
        engine.outbox().emit_system(vec![Event::from_disk(EventKind::BackupRestored, subject)]);
    }
    print_report(&restored, args.common.json, order.dry_run)
}

fn print_report(
    restored: &RestoreReport,
    as_json: bool,
    dry_run: bool,
) -> Result<(), CommandError> {
    let safety = restored.safety.as_ref().map(BackupName::as_str);
    if as_json {
        return print_json(&json!({
            "restored": restored.restored,
            "skipped": restored.skipped,
            "removed": restored.removed,
            "problems": restored.problems,
            "safety_backup": safety,
            "dry_run": dry_run,
        }));
    }
    print_flaws(&restored.problems);
    let sum = |counts: &BTreeMap<BackupPart, u64>| {
        let sum = counts.values().sum::<u64>();
        format_count(usize::try_from(sum).unwrap_or(usize::MAX), "file", "files")
    };
    if let Some(safety) = safety {
        print_note(&format!("the previous state is in {safety}"));
    }
    let (put, gone) = if dry_run { ("to restore", "to remove") } else { ("restored", "removed") };
    let (restored, removed, skipped) =
        (sum(&restored.restored), sum(&restored.removed), sum(&restored.skipped));
    print_text(&format!("{put} {restored}, {gone} {removed}, skipped {skipped}\n"))
}

fn open_folder(place: &PlaceArgs) -> Result<(DataFolder, Arc<dyn Disk>), CommandError> {
    let places = place.resolve_folder()?;
    if place.resolve_store()?.is_some() && places.root().is_dir() {
        // Beside a database it may have archives and nothing else.
        let disk = Arc::new(OsDisk::open_places(&places)?);
        return Ok((places, disk));
    }
    open_disk(places)
}

fn open_disk(places: DataFolder) -> Result<(DataFolder, Arc<dyn Disk>), CommandError> {
    let disk = folder_setup::open_disk(&places)?;
    Ok((places, Arc::new(disk)))
}

/// Puts an archive that was made of a copy of the database beside the others of a server.
fn keep_archive(
    disk: &dyn Disk,
    name: &BackupName,
    place: &PlaceArgs,
) -> Result<BackupName, CommandError> {
    folder_setup::make_folder(place.resolve_folder()?.root())?;
    let (_, kept) = open_folder(place)?;
    Ok(copy_backup(disk, name, &kept)?)
}

/// Parses the name of a backup, with or without `.zip`.
fn parse_name(text: &str) -> Result<BackupName, CommandError> {
    let whole = if text.ends_with(".zip") { text.to_string() } else { format!("{text}.zip") };
    BackupName::parse(&whole).map_err(|error| CommandError::usage(format!("`{text}`: {error}")))
}

fn card_json(card: &BackupInfo) -> serde_json::Value {
    json!({ "name": card.name.as_str(), "size": card.size, "manifest": card.manifest.as_deref() })
}

fn backup_error(name: &str, error: BackupError) -> CommandError {
    match error {
        BackupError::Missing => CommandError::failed(format!("there is no backup {name}")),
        BackupError::Flawed(flaws) => {
            print_flaws(&flaws);
            CommandError::failed("nothing was changed: the backup cannot be restored as it is")
        }
        BackupError::NotInIt(flaws) => {
            let all: Vec<String> = flaws.into_iter().map(|it| it.message).collect();
            CommandError::usage(all.join(" "))
        }
        BackupError::Exceeds | BackupError::Forbidden { .. } => {
            CommandError::failed("the backup grants more than the caller may grant")
        }
        BackupError::Commit(error) => CommandError::failed(error),
    }
}

fn print_flaws(flaws: &[ArchiveDefect]) {
    for ArchiveDefect { path, message } in flaws {
        let place =
            if path.is_empty() { String::new() } else { format!("{}: ", escape_controls(path)) };
        print_note(&format!("{place}{}", escape_controls(message)));
    }
}

/// Removes control characters from text written by others, which could control the terminal.
fn escape_controls(text: &str) -> String {
    text.chars().filter(|it| !it.is_control()).collect()
}

fn join_parts(parts: &BTreeSet<BackupPart>) -> String {
    if parts.len() == BackupPart::ALL.len() {
        return "everything".to_string();
    }
    parts.iter().map(|it| it.as_str()).collect::<Vec<_>>().join(",")
}

/// Formats a size: `1.4 MiB`.
fn format_bytes(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["B", "KiB", "MiB", "GiB"];
    let mut tenths = bytes.saturating_mul(10);
    let mut unit = 0;
    while tenths >= 10_240 && unit + 1 < UNITS.len() {
        tenths /= 1024;
        unit += 1;
    }
    let name = UNITS.get(unit).unwrap_or(&"B");
    if unit == 0 { format!("{bytes} B") } else { format!("{}.{} {name}", tenths / 10, tenths % 10) }
}

/// A progress line on the terminal.
struct ProgressMeter {
    shown: Cell<Option<Instant>>,
    is_terminal: bool,
}

impl ProgressMeter {
    fn new() -> ProgressMeter {
        ProgressMeter { shown: Cell::new(None), is_terminal: io::stderr().is_terminal() }
    }

    fn show(&self, progress: Progress) {
        let is_due = self.shown.get().is_none_or(|it| it.elapsed() >= SHOW_EVERY);
        if self.is_terminal && is_due {
            self.shown.set(Some(Instant::now()));
            let Progress { files, bytes } = progress;
            // A failure to write to standard error has no one to report to.
            let _ = write!(io::stderr(), "\r\x1b[K{files} files, {}", format_bytes(bytes));
        }
    }

    fn clear(&self) {
        if self.is_terminal && self.shown.get().is_some() {
            let _ = write!(io::stderr(), "\r\x1b[K");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_easily() {
        let check = |bytes: u64, expect: &str| assert_eq!(format_bytes(bytes), expect);
        check(0, "0 B");
        check(1023, "1023 B");
        check(1024, "1.0 KiB");
        check(1_500_000, "1.4 MiB");
        check(u64::MAX, "1717986918.3 GiB");
    }

    #[test]
    fn names_need_no_ending() {
        assert_eq!(parse_name("a").unwrap().as_str(), "a.zip");
        assert_eq!(parse_name("a.zip").unwrap().as_str(), "a.zip");
        assert!(parse_name("../a").is_err() && parse_name("").is_err());
    }

    #[test]
    fn nothing_that_somebody_wrote_moves_the_cursor() {
        assert_eq!(escape_controls("a\x1b[2Jb\r\n"), "a[2Jb");
    }
}
