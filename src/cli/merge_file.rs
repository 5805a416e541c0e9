//! `recto merge-file`: the merge driver for git, which merges entries value by value.

use std::fs;
use std::path::Path;
use std::path::PathBuf;
use std::process::ExitCode;

use crate::cli::error::Error;
use crate::model::three_way;

/// Arguments of `recto merge-file`, in the order in which git gives them to a merge driver.
#[derive(Debug, clap::Args)]
pub(super) struct MergeFileArgs {
    /// The file that both versions were made of (git's %O)
    base: PathBuf,
    /// Our version, which becomes the result (%A)
    ours: PathBuf,
    /// Their version (%B)
    theirs: PathBuf,
}

pub(super) fn run(args: &MergeFileArgs) -> Result<ExitCode, Error> {
    let (base, ours, theirs) = (read(&args.base)?, read(&args.ours)?, read(&args.theirs)?);
    let merged = three_way::merge_files(&base, &ours, &theirs);
    if merged.bytes != ours {
        fs::write(&args.ours, &merged.bytes).map_err(|error| fatal("write", &args.ours, &error))?;
    }
    Ok(if merged.has_conflicts { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn read(path: &Path) -> Result<Vec<u8>, Error> {
    fs::read(path).map_err(|error| fatal("read", path, &error))
}

fn fatal(verb: &str, path: &Path, error: &std::io::Error) -> Error {
    Error::fatal_to_git(format!("cannot {verb} {}: {error}", path.display()))
}
