//! The database that several servers share, as the configuration names it.

use std::sync::Arc;
use std::time::Duration;
use std::time::Instant;

use tempfile::TempDir;

use crate::cli::config::Config;
use crate::cli::config::Flags;
use crate::cli::config::LoadedConfig;
use crate::cli::config::StoreUrl;
use crate::cli::error::CommandError;
use crate::cli::folder_setup;
use crate::cli::init;
use crate::store::cluster::copy;
use crate::store::cluster::database::Database;
#[cfg(feature = "postgres")]
use crate::store::cluster::database::DatabaseError;
#[cfg(feature = "postgres")]
use crate::store::cluster::postgres::PostgresDatabase;
#[cfg(feature = "postgres")]
use crate::store::cluster::postgres::address::DatabaseAddress;
use crate::store::cluster::replica_state;
use crate::store::data_folder::DataFolder;
use crate::store::disk::OsDisk;
use crate::store::error::StoreError;
use crate::store::lock::InstanceLock;

/// The time for which a server that starts waits for its database.
const START_WAIT_MAX: Duration = Duration::from_secs(30);

/// The pause between two tries.
const START_PAUSE: Duration = Duration::from_secs(1);

/// Opens the configured database, if there is one. An empty one gets the sample content.
pub(super) fn open_configured(config: &Config) -> Result<Option<Arc<dyn Database>>, CommandError> {
    let Some(url) = &config.store else { return Ok(None) };
    let until = Instant::now() + START_WAIT_MAX;
    let database = loop {
        match open_database(url) {
            Ok(database) => break database,
            Err(error) if Instant::now() >= until => return Err(error),
            Err(error) => {
                tracing::warn!("{error}; trying again");
                std::thread::sleep(START_PAUSE);
            }
        }
    };
    fill_if_empty(&*database)?;
    Ok(Some(database))
}

fn fill_if_empty(database: &dyn Database) -> Result<(), CommandError> {
    if !is_empty(database)? {
        return Ok(());
    }
    let samples = make_temporary_folder()?;
    init::fill_with_samples(samples.path())?;
    let disk = folder_setup::open_disk(&DataFolder::new(samples.path()))?;
    match copy::copy_into_database(&disk, database) {
        Ok(_) => tracing::info!("filled the database with sample content"),
        // Another server was faster.
        Err(_) if !is_empty(database)? => {}
        Err(error) => return Err(error.into()),
    }
    Ok(())
}

fn is_empty(database: &dyn Database) -> Result<bool, CommandError> {
    database.is_empty().map_err(|it| CommandError::failed(it.to_string()))
}

/// The content of a database in a folder, to be read.
pub(super) struct ReadableCopy {
    /// The folder.
    pub(super) places: DataFolder,
    /// The folder, if it is a temporary one.
    _temporary: Option<TempDir>,
}

/// Returns where the content of the configured database can be read: in the replica of a server
/// that runs here, else in a temporary copy. Nothing without a database.
pub(super) fn open_to_read(config: &Config) -> Result<Option<ReadableCopy>, CommandError> {
    let Some(url) = &config.store else { return Ok(None) };
    let places = config.data_folder();
    if replica_state::is_complete_replica(&places)
        && matches!(InstanceLock::acquire_places(&places), Err(StoreError::Locked { .. }))
    {
        return Ok(Some(ReadableCopy { places, _temporary: None }));
    }
    copy_database(url).map(Some)
}

/// Loads the configuration of a command that reads content, with the place where the content of a
/// database can be read.
pub(super) fn load_to_read(
    flags: &Flags,
) -> Result<(LoadedConfig, Option<ReadableCopy>), CommandError> {
    let mut loaded = LoadedConfig::load_process(flags)?;
    let copy = open_to_read(&loaded.config)?;
    copy.iter().for_each(|it| loaded.read_in(&it.places));
    Ok((loaded, copy))
}

/// Refuses a database for a command that works in a folder alone.
pub(super) fn refuse_database(config: &Config, command: &str) -> Result<(), CommandError> {
    if config.store.is_none() {
        return Ok(());
    }
    Err(CommandError::usage(format!(
        "`{command}` does not work on a database; with `--store ''` it works in the folder"
    )))
}

/// Makes a folder that is removed when it is dropped.
pub(super) fn make_temporary_folder() -> Result<TempDir, CommandError> {
    let failed = |error| CommandError::failed(format!("cannot make a temporary folder: {error}"));
    tempfile::tempdir().map_err(failed)
}

/// Copies a database into a temporary folder.
pub(super) fn copy_database(url: &StoreUrl) -> Result<ReadableCopy, CommandError> {
    let folder = make_temporary_folder()?;
    let places = DataFolder::new(folder.path());
    let disk = Arc::new(OsDisk::open_places(&places)?);
    copy::copy_from_database(open_existing_database(url)?, disk, &places)?;
    Ok(ReadableCopy { places, _temporary: Some(folder) })
}

/// Opens a database, whose tables are made or brought up to date.
#[cfg(feature = "postgres")]
pub(super) fn open_database(url: &StoreUrl) -> Result<Arc<dyn Database>, CommandError> {
    open_postgres(url, PostgresDatabase::open)
}

/// Opens a database to read it: one without content is refused, and stays as it is.
#[cfg(feature = "postgres")]
pub(super) fn open_existing_database(url: &StoreUrl) -> Result<Arc<dyn Database>, CommandError> {
    open_postgres(url, PostgresDatabase::open_existing)
}

#[cfg(feature = "postgres")]
fn open_postgres(
    url: &StoreUrl,
    open: fn(&DatabaseAddress, String) -> Result<PostgresDatabase, DatabaseError>,
) -> Result<Arc<dyn Database>, CommandError> {
    let failed = |error: &dyn std::fmt::Display| {
        CommandError::failed(format!("cannot open {}: {error}", url.without_password()))
    };
    let address = DatabaseAddress::parse(url.as_str()).map_err(|it| failed(&it))?;
    let opened = open(&address, node_name());
    opened.map(|it| Arc::new(it) as Arc<dyn Database>).map_err(|it| failed(&it))
}

/// Says that this program was built without a client of databases.
#[cfg(not(feature = "postgres"))]
pub(super) fn open_database(url: &StoreUrl) -> Result<Arc<dyn Database>, CommandError> {
    let message = "this program was built without the feature `postgres`";
    Err(CommandError::failed(format!("cannot open {}: {message}", url.without_password())))
}

#[cfg(not(feature = "postgres"))]
pub(super) use open_database as open_existing_database;

/// The name of this server in the log of the database.
#[cfg(feature = "postgres")]
fn node_name() -> String {
    format!("{}:{}", host_name(), std::process::id())
}

#[cfg(all(feature = "postgres", unix))]
fn host_name() -> String {
    rustix::system::uname().nodename().to_string_lossy().into_owned()
}

#[cfg(all(feature = "postgres", not(unix)))]
fn host_name() -> String {
    std::env::var("COMPUTERNAME").unwrap_or_default()
}
