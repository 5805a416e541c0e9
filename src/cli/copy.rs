//! `recto copy`: a data folder into a database of several servers, and back.

use std::path::Path;
use std::path::PathBuf;
use std::sync::Arc;

use crate::cli::config::StoreUrl;
use crate::cli::database;
use crate::cli::error::CommandError;
use crate::cli::folder_setup;
use crate::cli::terminal::print_text;
use crate::store::cluster::copy;
use crate::store::data_folder::DataFolder;
use crate::store::disk::OsDisk;
use crate::store::lock::InstanceLock;

/// Arguments of `recto copy`.
#[derive(Debug, clap::Args)]
pub(super) struct CopyArgs {
    /// The data folder or the database to copy
    from: String,
    /// The database or the folder to copy into, which is empty
    to: String,
}

/// Copies, and compares every file afterwards.
pub(super) fn run(args: &CopyArgs) -> Result<(), CommandError> {
    let report = match (StoreUrl::parse(&args.from), StoreUrl::parse(&args.to)) {
        (None, Some(to)) => {
            let places = DataFolder::new(PathBuf::from(&args.from));
            let disk = folder_setup::open_disk(&places)?;
            // Nobody changes it meanwhile.
            let _lock = InstanceLock::acquire(places.root())?;
            copy::copy_into_database(&disk, &*database::open_database(&to)?)?
        }
        (Some(from), None) => {
            let root = Path::new(&args.to);
            folder_setup::make_folder(root)?;
            let places = DataFolder::new(root);
            let disk = Arc::new(OsDisk::open_places(&places)?);
            let _lock = InstanceLock::acquire(root)?;
            copy::copy_from_database(database::open_database(&from)?, disk, &places)?
        }
        _ => {
            let message = "one of both is a folder, the other a database: `postgres://…`";
            return Err(CommandError::usage(message));
        }
    };
    print_text(&format!("{} files, all compared; {} copied\n", report.files, report.copied))
}
