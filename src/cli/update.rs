//! `recto update`: checks for, downloads and installs new versions, like the interface does. Works
//! beside a running server, which must be restarted afterwards.

use std::path::Path;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Subcommand;
use tokio::runtime::Runtime;

use crate::app::jobs::updates::UpdateSettings;
use crate::app::jobs::updates::UpdateStatus;
use crate::app::jobs::updates::Updates;
use crate::cli::config::Config;
use crate::cli::config::LoadedConfig;
use crate::cli::config::StateArgs;
use crate::cli::error::CommandError;
use crate::cli::folder_setup;
use crate::cli::terminal::print_json;
use crate::cli::terminal::print_text;
use crate::model::release::version::Version;
use crate::net::release_fetcher::ReleaseFetcher;
use crate::stdx::clock::Clock;
use crate::stdx::clock::SystemClock;
use crate::stdx::time::Timestamp;
use crate::store::updates::update_store::UpdateStore;

/// The files that exist in containers and nowhere else.
const CONTAINER_MARKS: [&str; 2] = ["/.dockerenv", "/run/.containerenv"];

/// The subcommands of `recto update`.
#[derive(Debug, Subcommand)]
pub(super) enum UpdateCommand {
    /// Show what is known, without contacting anybody
    Status(UpdateArgs),
    /// Ask the release channel for a new version
    Check(UpdateArgs),
    /// Download the newest release and verify it
    Download(UpdateArgs),
    /// Replace this program with the downloaded release; the old one is kept beside it
    Install(InstallArgs),
}

/// The arguments that all subcommands of `recto update` share.
#[derive(Debug, clap::Args)]
pub(super) struct UpdateArgs {
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// The data folder; the configured one, else ./data, unless given
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    #[command(flatten)]
    state: StateArgs,
}

/// Arguments of `recto update install`.
#[derive(Debug, clap::Args)]
pub(super) struct InstallArgs {
    /// Install even in a container, which loses the new program when it is recreated
    #[arg(long)]
    anyway: bool,
    #[command(flatten)]
    args: UpdateArgs,
}

pub(super) fn run(command: UpdateCommand) -> Result<(), CommandError> {
    let now = SystemClock.now();
    match command {
        UpdateCommand::Status(args) => {
            let (_, updates) = open_updates(&args, locate_program(), now)?;
            print_status(&args, &updates.status())
        }
        UpdateCommand::Check(args) => {
            let (config, updates) = open_updates(&args, locate_program(), now)?;
            let runtime = build_runtime()?;
            let releases =
                ReleaseFetcher::new(config.updates_allow_private, runtime.handle().clone());
            print_status(&args, &updates.check_channel(now, &releases).map_err(command_error)?)
        }
        UpdateCommand::Download(args) => {
            let (config, updates) = open_updates(&args, locate_program(), now)?;
            let runtime = build_runtime()?;
            let releases =
                ReleaseFetcher::new(config.updates_allow_private, runtime.handle().clone());
            let (_, status) = updates.download(now, &releases).map_err(command_error)?;
            print_status(&args, &status)
        }
        UpdateCommand::Install(InstallArgs { anyway, args }) => {
            let program = if anyway { resolve_own_path() } else { locate_program() };
            let (_, updates) = open_updates(&args, program, now)?;
            let (_, status) = updates.install(now).map_err(command_error)?;
            print_status(&args, &status)
        }
    }
}

fn open_updates(
    args: &UpdateArgs,
    program: Result<PathBuf, String>,
    now: Timestamp,
) -> Result<(Config, Updates), CommandError> {
    let flags = args.state.to_flags(args.data.as_deref());
    let config = LoadedConfig::load_process(&flags)?.config;
    let places = config.data_folder();
    let disk = folder_setup::open_disk(&places)?;
    if !config.read_only {
        places.claim_folders()?;
    }
    let shelf = UpdateStore::new(config.data.clone(), Arc::new(disk), config.read_only);
    let updates = Updates::new(shelf, update_settings(&config, program), now);
    Ok((config, updates))
}

/// Returns the update settings of a configuration.
pub(super) fn update_settings(config: &Config, program: Result<PathBuf, String>) -> UpdateSettings {
    let (url, key) = (config.updates_url.clone(), config.updates_key);
    UpdateSettings { url, key, current: Version::of_this_program(), program }
}

/// Returns the path of this program, or the reason why it must not be replaced. Must be called when
/// the process starts: another program may be at this path later.
pub(super) fn locate_program() -> Result<PathBuf, String> {
    if CONTAINER_MARKS.iter().any(|it| Path::new(it).exists()) {
        return Err("Recto runs in a container. Use a new image to update it.".to_owned());
    }
    resolve_own_path()
}

/// Returns the path of this program.
pub(super) fn resolve_own_path() -> Result<PathBuf, String> {
    let path = std::env::current_exe().and_then(|it| it.canonicalize());
    path.map_err(|error| format!("The path of this program cannot be determined: {error}."))
}

fn build_runtime() -> Result<Runtime, CommandError> {
    // The thread that asks blocks on the one that fetches.
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    let runtime = builder.worker_threads(1).enable_all().build();
    runtime.map_err(|error| CommandError::failed(format!("cannot start threads: {error}")))
}

fn command_error(error: crate::app::error::Error) -> CommandError {
    let fields: Vec<&str> = error.fields.iter().map(|(_, message)| message).collect();
    let mut text = if fields.is_empty() { error.message } else { fields.join(" ") };
    if let Some(source) = error.source {
        text = format!("{text} ({source})");
    }
    CommandError::failed(text)
}

fn print_status(args: &UpdateArgs, status: &UpdateStatus) -> Result<(), CommandError> {
    if args.json {
        return print_json(&serde_json::to_value(status).map_err(CommandError::failed)?);
    }
    print_text(&format!("{}\n", status.message))
}
