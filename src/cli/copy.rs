//! `recto copy`: a data folder into a database of several servers, and back.

use std::path::Path;
use std::sync::Arc;

use crate::cli::config::PlaceArgs;
use crate::cli::config::StateArgs;
use crate::cli::config::StoreUrl;
use crate::cli::database;
use crate::cli::error::CommandError;
use crate::cli::folder_setup;
use crate::cli::init;
use crate::cli::terminal::print_text;
use crate::store::cluster::copy;
use crate::store::disk::OsDisk;
use crate::store::lock::InstanceLock;

/// Arguments of `recto copy`.
#[derive(Debug, clap::Args)]
pub(super) struct CopyArgs {
    /// The data folder or the database to copy; `store` is the configured database
    from: String,
    /// The database or the folder to copy into, which is empty
    to: String,
    #[command(flatten)]
    state: StateArgs,
}

/// The word for the database that the configuration names. Everybody on the machine sees arguments,
/// and with them a password.
const CONFIGURED: &str = "store";

/// Returns the database that an argument names, if it names one.
fn find_database(argument: &str) -> Result<Option<StoreUrl>, CommandError> {
    if argument != CONFIGURED {
        return Ok(StoreUrl::parse(argument));
    }
    let configured = PlaceArgs::default().resolve_store()?;
    let missing = || CommandError::usage("no database is configured: set RECTO_STORE");
    configured.map(Some).ok_or_else(missing)
}

/// Copies, and compares every file afterwards.
pub(super) fn run(args: &CopyArgs) -> Result<(), CommandError> {
    let report = match (find_database(&args.from)?, find_database(&args.to)?) {
        (None, Some(to)) => {
            let places = args.state.resolve_folder(Some(Path::new(&args.from)))?;
            let disk = folder_setup::open_disk(&places)?;
            // Nobody changes it meanwhile.
            let _lock = InstanceLock::acquire_places(&places)?;
            copy::copy_into_database(&disk, &*database::open_database(&to)?)?
        }
        (Some(from), None) => {
            let database = database::open_existing_database(&from)?;
            let root = Path::new(&args.to);
            folder_setup::make_folder(root)?;
            let places = args.state.resolve_folder(Some(root))?;
            places.claim_folders()?;
            let disk = Arc::new(OsDisk::open_places(&places)?);
            let _lock = InstanceLock::acquire_places(&places)?;
            let report = copy::copy_from_database(database, disk, &places)?;
            init::complete_folder(root)?;
            report
        }
        _ => {
            let message = "one of both is a folder, the other a database: `postgres://…`";
            return Err(CommandError::usage(message));
        }
    };
    print_text(&format!("{} files, all compared; {} copied\n", report.files, report.copied))
}
