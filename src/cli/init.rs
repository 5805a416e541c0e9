//! `recto init`: a data folder to start from.

use std::path::Path;
use std::path::PathBuf;

use crate::cli::error::Error;
use crate::cli::folder;
use crate::cli::schema;
use crate::cli::skeleton;

/// Arguments of `recto init`.
#[derive(Debug, clap::Args)]
pub(super) struct InitArgs {
    /// The folder, which is made, or empty
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Without sample content
    #[arg(long)]
    empty: bool,
}

pub(super) fn run(args: &InitArgs) -> Result<(), Error> {
    let root = &args.folder;
    let shown = root.display();
    if !folder::is_empty(root)? {
        return Err(Error::usage(format!("{shown} is not empty; nothing was changed")));
    }
    fill(root, if args.empty { skeleton::write_empty } else { skeleton::write })?;
    super::print(&format!("{shown} is ready; `recto serve --data {shown}` serves it.\n"))
}

/// Fills a folder with the sample content and what editors need to know about it.
pub(super) fn fill_with_samples(root: &Path) -> Result<(), Error> {
    fill(root, skeleton::write)
}

fn fill(root: &Path, write: fn(&Path) -> Result<(), Error>) -> Result<(), Error> {
    write(root)?;
    schema::write(root).map(|_| ())
}
