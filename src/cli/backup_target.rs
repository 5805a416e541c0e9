//! The target of backups that are kept outside the data folder: where it is, and its secrets.

use std::path::Path;
use std::path::PathBuf;
use std::sync::Arc;
use std::thread;

use tokio::runtime::Handle;
use tokio::runtime::Runtime;

use crate::app::jobs::scheduled_backups::BackupPlan;
use crate::app::jobs::scheduled_backups::OpenedStore;
use crate::app::jobs::scheduled_backups::start_backups;
use crate::cli::config::BackupsConfig;
use crate::cli::config::Config;
use crate::cli::config::LoadedConfig;
use crate::cli::config::PlaceArgs;
use crate::cli::config::TargetPlace;
use crate::cli::error::CommandError;
use crate::cli::secret_file::read_secret;
use crate::engine::Engine;
use crate::net::bucket::BucketKeys;
use crate::net::bucket::BucketPlace;
use crate::net::bucket::BucketStore;
use crate::net::bucket::StopSign;
use crate::store::objects::directory::DirectoryStore;

/// The longest file with a secret that is read, in bytes.
const SECRET_BYTES_MAX: u64 = 64 * 1024;

/// The arguments that say how to reach a target; those of the configuration unless given.
#[derive(Clone, Debug, Default, clap::Args)]
pub(super) struct TargetArgs {
    /// The URL of the server with the bucket; that of Amazon S3 unless given
    #[arg(long, value_name = "URL")]
    endpoint: Option<String>,
    /// The region of the bucket
    #[arg(long, value_name = "NAME")]
    region: Option<String>,
    /// The file with the keys of the bucket; the variables AWS_ACCESS_KEY_ID and
    /// AWS_SECRET_ACCESS_KEY unless given
    #[arg(long, value_name = "FILE")]
    credentials_file: Option<PathBuf>,
    /// The file with the passphrase of sealed backups
    #[arg(long, value_name = "FILE")]
    passphrase_file: Option<PathBuf>,
}

impl TargetArgs {
    /// Converts the arguments to flags of the configuration.
    fn to_flags(&self, target: Option<&str>) -> Vec<(&'static str, String)> {
        let file = |it: &Option<PathBuf>| it.as_ref().map(|it| it.display().to_string());
        let given = [
            ("backups.target", target.map(str::to_owned)),
            ("backups.endpoint", self.endpoint.clone()),
            ("backups.region", self.region.clone()),
            ("backups.credentials_file", file(&self.credentials_file)),
            ("backups.passphrase_file", file(&self.passphrase_file)),
        ];
        given.into_iter().filter_map(|(key, value)| Some((key, value?))).collect()
    }

    /// Returns the configuration of a data folder with these arguments.
    pub(super) fn load_config(
        &self,
        place: &PlaceArgs,
        target: Option<&str>,
    ) -> Result<Config, CommandError> {
        let flags = place.to_flags().with(self.to_flags(target));
        Ok(LoadedConfig::load_process(&flags)?.config)
    }
}

/// Returns the plan of backups, if a target is configured. Refuses one inside the data folder,
/// which would be lost with it.
pub(super) fn find_plan(config: &Config) -> Result<Option<BackupPlan>, CommandError> {
    let backups = &config.backups;
    let Some(target) = &backups.target else { return Ok(None) };
    if let TargetPlace::Directory(path) = target {
        let folders = [Some(config.data.as_path()), config.state_dir.as_deref()];
        if folders.into_iter().flatten().any(|it| is_within(path, it)) {
            let message = "`backups.target` is inside the data folder, and would be lost with it";
            return Err(CommandError::usage(message));
        }
    }
    Ok(Some(BackupPlan { at: backups.at, target: target.to_string(), rule: backups.rule }))
}

/// Returns true if a path is a folder or below it, through whatever links.
fn is_within(path: &Path, folder: &Path) -> bool {
    // What does not exist yet is below the first of its parents that does.
    let resolve = |path: &Path| {
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf());
        let there = path.ancestors().find_map(|it| Some((it, it.canonicalize().ok()?)));
        there.map_or(path.clone(), |(at, real)| match path.strip_prefix(at) {
            Ok(rest) => real.join(rest),
            Err(_) => real,
        })
    };
    resolve(path).starts_with(resolve(folder))
}

/// Opens the store of a target. Requests are sent on the runtime, until `is_stopped`.
pub(super) fn open_store(
    config: &BackupsConfig,
    runtime: Handle,
    is_stopped: StopSign,
) -> Result<OpenedStore, String> {
    let passphrase = config.passphrase_file.as_deref().map(read_passphrase).transpose()?;
    match &config.target {
        None => Err("name a target: `backups.target` is not set".to_owned()),
        Some(TargetPlace::Directory(path)) => {
            let store = Box::new(DirectoryStore::new(path.clone()));
            Ok(OpenedStore { store, passphrase })
        }
        Some(TargetPlace::Bucket { bucket, prefix }) => {
            let place = BucketPlace {
                endpoint: config.endpoint.clone(),
                region: config.region.clone(),
                bucket: bucket.clone(),
                prefix: prefix.clone(),
            };
            let keys = find_keys(config)?;
            let store = Box::new(BucketStore::new(&place, keys, runtime, is_stopped)?);
            Ok(OpenedStore { store, passphrase })
        }
    }
}

/// Starts to make the backups that are configured, unless the folder is only read.
pub(super) fn spawn_backups(
    engine: &Arc<Engine>,
    config: &Config,
    runtime: &Runtime,
) -> Result<Option<thread::JoinHandle<()>>, CommandError> {
    let Some(plan) = find_plan(config)? else { return Ok(None) };
    if engine.is_read_only() {
        tracing::warn!("a read-only server makes no backups; `recto backup run` does");
        return Ok(None);
    }
    let (backups, handle) = (config.backups.clone(), runtime.handle().clone());
    let closing = engine.clone();
    let is_stopped: StopSign = Arc::new(move || closing.scheduler().is_closed());
    let open_store = Box::new(move || open_store(&backups, handle.clone(), is_stopped.clone()));
    let spawned = start_backups(engine.clone(), plan, open_store);
    let failed = |error| CommandError::failed(format!("cannot start a thread: {error}"));
    spawned.map(Some).map_err(failed)
}

/// Returns a sign that never stops anything.
pub(super) fn no_stop() -> StopSign {
    Arc::new(|| false)
}

fn find_keys(config: &BackupsConfig) -> Result<BucketKeys, String> {
    let Some(path) = &config.credentials_file else {
        let environment = |name: &str| std::env::var(name.to_ascii_uppercase()).ok();
        let missing = "there are no keys for the bucket: set `backups.credentials_file`, or \
                       AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY";
        return BucketKeys::find(environment).ok_or_else(|| missing.to_owned());
    };
    let text = read_secret(path, SECRET_BYTES_MAX)?;
    BucketKeys::parse_file(&text).map_err(|why| format!("{}: {why}", path.display()))
}

fn read_passphrase(path: &Path) -> Result<String, String> {
    let text = read_secret(path, SECRET_BYTES_MAX)?;
    let passphrase = text.trim_end_matches(['\n', '\r']);
    if passphrase.is_empty() {
        return Err(format!("{} has no passphrase", path.display()));
    }
    Ok(passphrase.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_inside_the_data_folder_are_found_out() {
        let folder = tempfile::tempdir().unwrap();
        let data = folder.path().join("data");
        std::fs::create_dir(&data).unwrap();
        let check = |path: &str, expect: bool| {
            assert_eq!(is_within(&folder.path().join(path), &data), expect, "{path}");
        };
        check("data", true);
        check("data/backups/x", true);
        check("data/not/there", true);
        check("data-2", false);
        check("elsewhere", false);
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink(&data, folder.path().join("link")).unwrap();
            check("link/x", true);
        }
    }
}
