//! `recto update`: new versions of the program, with what the interface does too. Works beside a
//! running server, which has to be started anew afterwards.

use std::path::Path;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Subcommand;
use tokio::runtime::Runtime;

use crate::app::updates::Status;
use crate::app::updates::UpdateSettings;
use crate::app::updates::Updates;
use crate::cli::config::Config;
use crate::cli::config::Flags;
use crate::cli::config::Loaded;
use crate::cli::error::Error;
use crate::cli::folder;
use crate::http::releases::Releases;
use crate::model::version::Version;
use crate::stdx::clock::Clock;
use crate::stdx::clock::SystemClock;
use crate::stdx::time::Timestamp;
use crate::store::disk::OsDisk;
use crate::store::error::StoreError;
use crate::store::updates::Shelf;

/// What containers have and other systems don't.
const CONTAINER_MARKS: [&str; 2] = ["/.dockerenv", "/run/.containerenv"];

/// What can be done about new versions.
#[derive(Debug, Subcommand)]
pub(super) enum UpdateCommand {
    /// Tell what is known, without asking anybody
    Status(UpdateArgs),
    /// Ask the release channel
    Check(UpdateArgs),
    /// Download the newest release and verify it
    Download(UpdateArgs),
    /// Put the downloaded release in the place of this program, which is kept beside it
    Install(InstallArgs),
}

/// Arguments of all that `recto update` does.
#[derive(Debug, clap::Args)]
pub(super) struct UpdateArgs {
    /// As JSON
    #[arg(long)]
    json: bool,
    /// The data folder; the configured one, else ./data, unless given
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
}

/// Arguments of `recto update install`.
#[derive(Debug, clap::Args)]
pub(super) struct InstallArgs {
    /// Also in a container, with which the new program is lost
    #[arg(long)]
    anyway: bool,
    #[command(flatten)]
    args: UpdateArgs,
}

pub(super) fn run(command: UpdateCommand) -> Result<(), Error> {
    let now = SystemClock.now();
    match command {
        UpdateCommand::Status(args) => {
            let (_, updates) = open(&args, program(), now)?;
            show(&args, &updates.status())
        }
        UpdateCommand::Check(args) => {
            let (config, updates) = open(&args, program(), now)?;
            let runtime = runtime()?;
            let releases = Releases::new(config.updates_allow_private, runtime.handle().clone());
            show(&args, &updates.check(now, &releases).map_err(failed)?)
        }
        UpdateCommand::Download(args) => {
            let (config, updates) = open(&args, program(), now)?;
            let runtime = runtime()?;
            let releases = Releases::new(config.updates_allow_private, runtime.handle().clone());
            let (_, status) = updates.download(now, &releases).map_err(failed)?;
            show(&args, &status)
        }
        UpdateCommand::Install(InstallArgs { anyway, args }) => {
            let program = if anyway { own_path() } else { program() };
            let (_, updates) = open(&args, program, now)?;
            let (_, status) = updates.install(now).map_err(failed)?;
            show(&args, &status)
        }
    }
}

fn open(
    args: &UpdateArgs,
    program: Result<PathBuf, String>,
    now: Timestamp,
) -> Result<(Config, Updates), Error> {
    let data = args.data.as_ref().map(|it| ("data", it.display().to_string()));
    let loaded = Loaded::of_process(&data.into_iter().collect::<Flags>())?;
    let config = loaded.config;
    folder::expect(&config.data)?;
    let opened = OsDisk::open(&config.data);
    let disk = opened.map_err(StoreError::io("open", config.data.display().to_string()))?;
    let shelf = Shelf::new(config.data.clone(), Arc::new(disk), config.read_only);
    let updates = Updates::new(shelf, settings(&config, program), now);
    Ok((config, updates))
}

/// Where new versions come from by the configuration.
pub(super) fn settings(config: &Config, program: Result<PathBuf, String>) -> UpdateSettings {
    let (url, key) = (config.updates_url.clone(), config.updates_key);
    UpdateSettings { url, key, current: Version::of_this_program(), program }
}

/// Where this program is, or why it should not be replaced. To be asked when the process begins:
/// later another one may be there.
pub(super) fn program() -> Result<PathBuf, String> {
    if CONTAINER_MARKS.iter().any(|it| Path::new(it).exists()) {
        return Err("It runs in a container: take a new image to update it.".to_owned());
    }
    own_path()
}

fn own_path() -> Result<PathBuf, String> {
    let path = std::env::current_exe().and_then(|it| it.canonicalize());
    path.map_err(|error| format!("Where this program is cannot be found out: {error}."))
}

fn runtime() -> Result<Runtime, Error> {
    // The thread that asks waits for the one that fetches.
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    let runtime = builder.worker_threads(1).enable_all().build();
    runtime.map_err(|error| Error::failed(format!("cannot start threads: {error}")))
}

fn failed(error: crate::app::error::Error) -> Error {
    let fields: Vec<&str> = error.fields.iter().map(|(_, message)| message).collect();
    let mut text = if fields.is_empty() { error.message } else { fields.join(" ") };
    if let Some(source) = error.source {
        text = format!("{text} ({source})");
    }
    Error::failed(text)
}

fn show(args: &UpdateArgs, status: &Status) -> Result<(), Error> {
    if args.json {
        return super::print_json(&serde_json::to_value(status).map_err(Error::failed)?);
    }
    super::print(&format!("{}\n", status.message))
}
