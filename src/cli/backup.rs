//! `recto backup`: archives made beside a running server, and put back without one.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::collections::BTreeSet;
use std::io;
use std::io::IsTerminal;
use std::io::Write;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use std::time::Instant;

use clap::Subcommand;
use serde_json::json;

use crate::cli::config;
use crate::cli::count;
use crate::cli::error::Error;
use crate::cli::folder;
use crate::engine::Engine;
use crate::engine::Options;
use crate::engine::backup;
use crate::engine::backup::BackupError;
use crate::engine::backup::Wanted;
use crate::engine::restore::Restore;
use crate::engine::restore::Restored;
use crate::model::backup::BackupName;
use crate::model::backup::Flaw;
use crate::model::backup::Manifest;
use crate::model::backup::NOTE_CHARS_MAX;
use crate::model::backup::PERSONAL_DATA;
use crate::model::backup::Part;
use crate::model::event::Event;
use crate::model::event::EventKind;
use crate::model::event::Subject;
use crate::model::name::WorkspaceSlug;
use crate::stdx::clock::Clock;
use crate::stdx::clock::SystemClock;
use crate::store::archive::packing::Progress;
use crate::store::archive::shelf::Archives;
use crate::store::archive::shelf::Card;
use crate::store::disk::Disk;
use crate::store::disk::OsDisk;
use crate::store::error::StoreError;
use crate::store::journal;
use crate::store::lock::InstanceLock;
use crate::store::lock::WriteLock;

/// How often it is shown how far it is.
const SHOW_EVERY: Duration = Duration::from_millis(100);

/// What can be done with backups.
#[derive(Debug, Subcommand)]
pub(super) enum BackupCommand {
    /// Make a backup, beside a running server or without one
    Create(CreateArgs),
    /// List the backups, the newest first
    List(ListArgs),
    /// Read all of a backup and tell what is in it, and what is wrong with it
    Inspect(InspectArgs),
    /// Put a backup back, all of it or nothing; the server must be stopped
    Restore(RestoreArgs),
}

/// Arguments of `recto backup create`.
#[derive(Debug, clap::Args)]
pub(super) struct CreateArgs {
    /// Only these parts, like schemas,content,media
    #[arg(long, value_delimiter = ',', value_name = "PARTS", value_parser = part)]
    parts: Vec<Part>,
    /// Only these workspaces
    #[arg(long, value_delimiter = ',', value_name = "SLUGS", value_parser = workspace)]
    workspaces: Vec<WorkspaceSlug>,
    /// Take password hashes, token hashes and webhook secrets along
    #[arg(long)]
    secrets: bool,
    /// What to remember of it
    #[arg(long, default_value = "", hide_default_value = true)]
    note: String,
    #[command(flatten)]
    common: Common,
}

/// Arguments of `recto backup list`.
#[derive(Debug, clap::Args)]
pub(super) struct ListArgs {
    #[command(flatten)]
    common: Common,
}

/// Arguments of `recto backup inspect`.
#[derive(Debug, clap::Args)]
pub(super) struct InspectArgs {
    /// The name of a file in backups/
    name: String,
    #[command(flatten)]
    common: Common,
}

/// Arguments of `recto backup restore`.
#[derive(Debug, clap::Args)]
pub(super) struct RestoreArgs {
    /// The name of a file in backups/
    name: String,
    /// The parts to restore, like schemas,content,media; `recto backup inspect` shows what is there
    #[arg(long, required = true, value_delimiter = ',', value_name = "PARTS", value_parser = part)]
    parts: Vec<Part>,
    /// Only these workspaces
    #[arg(long, value_delimiter = ',', value_name = "SLUGS", value_parser = workspace)]
    workspaces: Vec<WorkspaceSlug>,
    /// Make the parts what they are in the backup and remove what is not in it; else what is missing
    /// is added
    #[arg(long)]
    overwrite: bool,
    /// Only tell what would happen
    #[arg(long)]
    dry_run: bool,
    #[command(flatten)]
    common: Common,
}

#[derive(Debug, clap::Args)]
struct Common {
    /// As JSON
    #[arg(long)]
    json: bool,
    /// The data folder; the configured one, else ./data, unless given
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
}

fn part(text: &str) -> Result<Part, String> {
    let all = || Part::ALL.map(Part::as_str).join(", ");
    Part::parse(text).ok_or_else(|| format!("no such part; there are {}", all()))
}

fn workspace(text: &str) -> Result<WorkspaceSlug, String> {
    WorkspaceSlug::parse(text).map_err(|error| error.to_string())
}

/// Those that were named, if any were.
fn named<T: Ord>(items: Vec<T>) -> Option<BTreeSet<T>> {
    (!items.is_empty()).then(|| items.into_iter().collect())
}

pub(super) fn run(command: BackupCommand) -> Result<(), Error> {
    match command {
        BackupCommand::Create(args) => create(args),
        BackupCommand::List(args) => list(args),
        BackupCommand::Inspect(args) => inspect(args),
        BackupCommand::Restore(args) => restore(args),
    }
}

fn create(args: CreateArgs) -> Result<(), Error> {
    if args.note.chars().count() > NOTE_CHARS_MAX {
        return Err(Error::usage(format!("a note has {NOTE_CHARS_MAX} characters at most")));
    }
    let (root, disk) = open(args.common.data)?;
    let lock = WriteLock::open(&root)?;
    // Without a server nobody else finishes what was interrupted.
    if let Ok(_instance) = InstanceLock::take(&root) {
        let _turn = lock.take()?;
        journal::recover(&*disk)?;
    }
    let is_of_everything = args.parts.is_empty();
    let wanted = Wanted {
        parts: named(args.parts).unwrap_or_else(|| Part::ALL.into_iter().collect()),
        workspaces: named(args.workspaces),
        secrets: args.secrets,
        note: args.note,
        created_by: None,
    };
    let meter = Meter::new();
    let created = backup::create(&disk, &lock, &wanted, SystemClock.now(), &|it| meter.show(it));
    meter.clear();
    let (name, manifest) = created.map_err(|error| failed("", error))?;
    tell_flaws(&manifest.problems);
    if is_of_everything && manifest.parts.contains(&Part::Users) {
        super::note(&format!("{PERSONAL_DATA} Name --parts to leave them out."));
    }
    if args.common.json {
        return super::print_json(&json!({ "name": name.as_str(), "manifest": manifest }));
    }
    let files = usize::try_from(manifest.counts.values().sum::<u64>()).unwrap_or(usize::MAX);
    super::note(&format!("backed up {}", count(files, "file", "files")));
    super::print(&format!("{}\n", name.as_str()))
}

fn list(args: ListArgs) -> Result<(), Error> {
    let (_, disk) = open(args.common.data)?;
    let cards = Archives::default().list(&*disk)?;
    if args.common.json {
        let all: Vec<_> = cards.iter().map(shown).collect();
        return super::print_json(&json!(all));
    }
    if cards.is_empty() {
        super::note("there are no backups; `recto backup create` makes one");
    }
    let width = cards.iter().map(|it| it.name.as_str().len()).max().unwrap_or(0);
    let lines = cards.iter().map(|card| {
        let (name, size) = (card.name.as_str(), amount(card.size));
        let note = match &card.manifest {
            Some(manifest) if manifest.note.is_empty() => names(&manifest.parts),
            Some(manifest) => format!("{} ({})", names(&manifest.parts), plain(&manifest.note)),
            None => "cannot be read".to_string(),
        };
        format!("{name:width$}  {size:>9}  {note}\n")
    });
    super::print(&lines.collect::<String>())
}

fn inspect(args: InspectArgs) -> Result<(), Error> {
    let (_, disk) = open(args.common.data)?;
    let name = name(&args.name)?;
    let looked = backup::look_through(&*disk, &name);
    let (manifest, _) = match looked {
        Err(BackupError::Flawed(flaws)) if args.common.json => {
            super::print_json(&json!({ "manifest": null, "problems": flaws }))?;
            return Err(Error::failed(format!("{} cannot be restored", name.as_str())));
        }
        looked => looked.map_err(|error| failed(name.as_str(), error))?,
    };
    if args.common.json {
        let problems = &manifest.problems;
        return super::print_json(&json!({ "manifest": manifest, "problems": problems }));
    }
    tell_flaws(&manifest.problems);
    super::print(&text_of(&manifest))
}

fn text_of(manifest: &Manifest) -> String {
    let mut text = format!("made at     {}\n", plain(&manifest.created_at));
    if !manifest.note.is_empty() {
        text.push_str(&format!("note        {}\n", plain(&manifest.note)));
    }
    let workspaces: Vec<&str> = manifest.workspaces.iter().map(String::as_str).collect();
    text.push_str(&format!("workspaces  {}\n", plain(&workspaces.join(", "))));
    text.push_str(&format!("secrets     {}\n", if manifest.secrets { "yes" } else { "no" }));
    for (part, number) in &manifest.counts {
        text.push_str(&format!("{:10}  {number}\n", part.as_str()));
    }
    text
}

fn restore(args: RestoreArgs) -> Result<(), Error> {
    let root = config::data_folder(args.common.data)?;
    folder::expect(&root)?;
    let name = name(&args.name)?;
    let order = Restore {
        parts: args.parts.into_iter().collect(),
        workspaces: named(args.workspaces),
        overwrite: args.overwrite,
        dry_run: args.dry_run,
        created_by: None,
    };
    let engine = Engine::open(Options::new(root, Arc::new(SystemClock))).map_err(|error| {
        match error {
            // It could not tell what was restored from what somebody edited by hand.
            StoreError::Locked { pid } => Error::failed(format!(
                "a server (process {pid}) is at work on this folder: restore in its interface, or stop it first"
            )),
            error => error.into(),
        }
    })?;
    let restored = engine.restore_backup(&name, &order, &|_| true);
    let restored = restored.map_err(|error| failed(name.as_str(), error))?;
    if !order.dry_run {
        let subject = Subject::Backup { backup: name.as_str().to_string() };
        engine.tell_system(vec![Event::on_disk(EventKind::BackupRestored, subject)]);
    }
    tell_restored(&restored, args.common.json, order.dry_run)
}

fn tell_restored(restored: &Restored, as_json: bool, dry_run: bool) -> Result<(), Error> {
    let safety = restored.safety.as_ref().map(BackupName::as_str);
    if as_json {
        return super::print_json(&json!({
            "restored": restored.restored,
            "skipped": restored.skipped,
            "removed": restored.removed,
            "problems": restored.problems,
            "safety_backup": safety,
            "dry_run": dry_run,
        }));
    }
    tell_flaws(&restored.problems);
    let sum = |counts: &BTreeMap<Part, u64>| {
        let sum = counts.values().sum::<u64>();
        count(usize::try_from(sum).unwrap_or(usize::MAX), "file", "files")
    };
    if let Some(safety) = safety {
        super::note(&format!("what was there before is in {safety}"));
    }
    let (put, gone) = if dry_run { ("to restore", "to remove") } else { ("restored", "removed") };
    let (restored, removed, skipped) =
        (sum(&restored.restored), sum(&restored.removed), sum(&restored.skipped));
    super::print(&format!("{put} {restored}, {gone} {removed}, left as they are {skipped}\n"))
}

fn open(named: Option<PathBuf>) -> Result<(PathBuf, Arc<dyn Disk>), Error> {
    let root = config::data_folder(named)?;
    folder::expect(&root)?;
    let disk = OsDisk::open(&root).map_err(StoreError::io("open", root.display().to_string()))?;
    Ok((root, Arc::new(disk)))
}

/// The name of a backup, with its ending or without.
fn name(text: &str) -> Result<BackupName, Error> {
    let whole = if text.ends_with(".zip") { text.to_string() } else { format!("{text}.zip") };
    BackupName::parse(&whole).map_err(|error| Error::usage(format!("`{text}`: {error}")))
}

fn shown(card: &Card) -> serde_json::Value {
    json!({ "name": card.name.as_str(), "size": card.size, "manifest": card.manifest.as_deref() })
}

fn failed(name: &str, error: BackupError) -> Error {
    match error {
        BackupError::Missing => Error::failed(format!("there is no backup {name}")),
        BackupError::Flawed(flaws) => {
            tell_flaws(&flaws);
            Error::failed("nothing was changed: the backup cannot be restored as it is")
        }
        BackupError::NotInIt(flaws) => {
            let all: Vec<String> = flaws.into_iter().map(|it| it.message).collect();
            Error::usage(all.join(" "))
        }
        BackupError::Exceeds => Error::failed("the backup has more than whoever asks may have"),
        BackupError::Commit(error) => Error::failed(error),
    }
}

fn tell_flaws(flaws: &[Flaw]) {
    for Flaw { path, message } in flaws {
        let place = if path.is_empty() { String::new() } else { format!("{}: ", plain(path)) };
        super::note(&format!("{place}{}", plain(message)));
    }
}

/// What somebody else wrote, without what could make a terminal do something.
fn plain(text: &str) -> String {
    text.chars().filter(|it| !it.is_control()).collect()
}

fn names(parts: &BTreeSet<Part>) -> String {
    if parts.len() == Part::ALL.len() {
        return "everything".to_string();
    }
    parts.iter().map(|it| it.as_str()).collect::<Vec<_>>().join(",")
}

/// `1.4 MiB`
fn amount(bytes: u64) -> String {
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

/// Shows on a terminal how far it is, in one line.
struct Meter {
    shown: Cell<Option<Instant>>,
    is_terminal: bool,
}

impl Meter {
    fn new() -> Meter {
        Meter { shown: Cell::new(None), is_terminal: io::stderr().is_terminal() }
    }

    fn show(&self, progress: Progress) {
        let is_due = self.shown.get().is_none_or(|it| it.elapsed() >= SHOW_EVERY);
        if self.is_terminal && is_due {
            self.shown.set(Some(Instant::now()));
            let Progress { files, bytes } = progress;
            // There is nobody left to tell if this fails.
            let _ = write!(io::stderr(), "\r\x1b[K{files} files, {}", amount(bytes));
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
        let check = |bytes: u64, expect: &str| assert_eq!(amount(bytes), expect);
        check(0, "0 B");
        check(1023, "1023 B");
        check(1024, "1.0 KiB");
        check(1_500_000, "1.4 MiB");
        check(u64::MAX, "1717986918.3 GiB");
    }

    #[test]
    fn names_need_no_ending() {
        assert_eq!(name("a").unwrap().as_str(), "a.zip");
        assert_eq!(name("a.zip").unwrap().as_str(), "a.zip");
        assert!(name("../a").is_err() && name("").is_err());
    }

    #[test]
    fn nothing_that_somebody_wrote_moves_the_cursor() {
        assert_eq!(plain("a\x1b[2Jb\r\n"), "a[2Jb");
    }
}
