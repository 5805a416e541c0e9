//! `recto init`: a new data folder.

use std::path::Path;
use std::path::PathBuf;

use crate::cli::config::StateArgs;
use crate::cli::error::CommandError;
use crate::cli::folder_setup;
use crate::cli::sample_content;
use crate::cli::schema;
use crate::cli::terminal::print_text;
use crate::store::layout;

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

/// Writes what a new folder has beside content, unless the folder has a `.gitignore`: it may come
/// from a backup, a database or another program.
pub(super) fn complete_folder(root: &Path) -> Result<(), CommandError> {
    let has_content = root.join(layout::WORKSPACES).is_dir();
    if has_content && sample_content::complete_for_git(root)? && !schema::has_schemas(root) {
        schema::write_schemas(root)?;
    }
    Ok(())
}

fn fill_folder(
    root: &Path,
    write: fn(&Path) -> Result<(), CommandError>,
) -> Result<(), CommandError> {
    write(root)?;
    schema::write_schemas(root).map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_completed_once() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        std::fs::create_dir_all(root.join("workspaces/default")).unwrap();
        std::fs::write(root.join(".gitattributes"), "mine").unwrap();
        complete_folder(root).unwrap();
        let ignored = std::fs::read_to_string(root.join(".gitignore")).unwrap();
        assert!(ignored.contains("/system/"), "{ignored}");
        assert!(root.join(".vscode/schemas/content-type.json").is_file());
        assert_eq!(std::fs::read(root.join(".gitattributes")).unwrap(), b"mine");
        // Who has a `.gitignore` has left out the rest.
        std::fs::write(root.join(".gitignore"), "").unwrap();
        std::fs::remove_file(root.join(".gitattributes")).unwrap();
        std::fs::remove_dir_all(root.join(".vscode")).unwrap();
        complete_folder(root).unwrap();
        assert_eq!(std::fs::read(root.join(".gitignore")).unwrap(), b"");
        assert!(!root.join(".gitattributes").exists() && !root.join(".vscode").exists());
    }
}
