//! `recto init`: a new data folder.

use std::path::Path;
use std::path::PathBuf;

use crate::cli::config::StateArgs;
use crate::cli::error::CommandError;
use crate::cli::folder_setup;
use crate::cli::sample_content;
use crate::cli::schema;
use crate::cli::terminal::print_text;

/// Arguments of `recto init`.
#[derive(Debug, clap::Args)]
pub(super) struct InitArgs {
    /// The folder to create; if it exists, it must be empty, except for .git and recto.toml
    #[arg(value_name = "DIR")]
    folder: PathBuf,
    /// Leave out the sample content
    #[arg(long)]
    empty: bool,
    #[command(flatten)]
    state: StateArgs,
}

pub(super) fn run(args: &InitArgs) -> Result<(), CommandError> {
    let root = &args.folder;
    let shown = root.display();
    if !folder_setup::is_empty(root)? {
        return Err(CommandError::usage(format!("{shown} is not empty; nothing was changed")));
    }
    let places = args.state.resolve_folder(Some(root))?;
    places.check_places()?;
    fill_folder(
        root,
        if args.empty { sample_content::write_empty } else { sample_content::write_samples },
    )?;
    places.claim_folders()?;
    let state = places.state().map(|it| format!(" --state-dir {}", it.display()));
    let state = state.unwrap_or_default();
    print_text(&format!("{shown} is ready; `recto serve --data {shown}{state}` serves it.\n"))
}

/// Fills a folder with the sample content and the schemas for editors.
pub(super) fn fill_with_samples(root: &Path) -> Result<(), CommandError> {
    fill_folder(root, sample_content::write_samples)
}

fn fill_folder(
    root: &Path,
    write: fn(&Path) -> Result<(), CommandError>,
) -> Result<(), CommandError> {
    write(root)?;
    schema::write_schemas(root).map(|_| ())
}
