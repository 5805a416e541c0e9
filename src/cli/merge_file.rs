//! `recto merge-file`: the merge driver for git, which merges entries value by value.

use std::fs;
use std::path::Path;
use std::path::PathBuf;
use std::process::ExitCode;

use crate::cli::error::CommandError;
use crate::model::three_way_merge;

/// The arguments of `recto merge-file`, in the order in which git passes them to a merge driver.
#[derive(Debug, clap::Args)]
pub(super) struct MergeFileArgs {
    /// The common ancestor of both versions (git's %O)
    base: PathBuf,
    /// Our version, which is overwritten with the result (%A)
    ours: PathBuf,
    /// Their version (%B)
    theirs: PathBuf,
}

pub(super) fn run(args: &MergeFileArgs) -> Result<ExitCode, CommandError> {
    let (base, ours, theirs) =
        (read_input(&args.base)?, read_input(&args.ours)?, read_input(&args.theirs)?);
    let merged = three_way_merge::merge_files(&base, &ours, &theirs);
    if merged.bytes != ours {
        fs::write(&args.ours, &merged.bytes)
            .map_err(|error| file_error("write", &args.ours, &error))?;
    }
    Ok(if merged.has_conflicts { ExitCode::FAILURE } else { ExitCode::SUCCESS })
}

fn read_input(path: &Path) -> Result<Vec<u8>, CommandError> {
    fs::read(path).map_err(|error| file_error("read", path, &error))
}

fn file_error(verb: &str, path: &Path, error: &std::io::Error) -> CommandError {
    CommandError::fatal_to_git(format!("cannot {verb} {}: {error}", path.display()))
}
