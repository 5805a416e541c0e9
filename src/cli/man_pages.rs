//! `recto man-pages`: the manual pages of the commands, for packages.

use std::path::PathBuf;

use clap::CommandFactory;

use crate::cli::error::CommandError;

/// Arguments of `recto man-pages`.
#[derive(Debug, clap::Args)]
pub(super) struct ManPagesArgs {
    /// The folder to write to, created if it does not exist
    dir: PathBuf,
}

/// Writes `recto.1` and a page for each command.
pub(super) fn run<Commands: CommandFactory>(args: &ManPagesArgs) -> Result<(), CommandError> {
    let failed = |error| CommandError::failed(format!("cannot write the manual pages: {error}"));
    std::fs::create_dir_all(&args.dir).map_err(failed)?;
    clap_mangen::generate_to(Commands::command(), &args.dir).map_err(failed)
}
