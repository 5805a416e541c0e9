//! The arguments of `recto export`.

use std::path::Path;
use std::path::PathBuf;

use clap::ValueEnum;

use crate::cli::config::PlaceArgs;
use crate::cli::error::CommandError;

/// Arguments of `recto export`.
#[derive(Debug, clap::Args)]
pub(crate) struct ExportArgs {
    /// The folder to export into; it is made if it is missing. With --format the file to write:
    /// standard output unless given
    #[arg(value_name = "DIR", required_unless_present = "format")]
    pub(super) folder: Option<PathBuf>,
    /// Export stored content instead, drafts too, in a format that other programs and `recto
    /// import` read
    #[arg(long, value_enum, conflicts_with_all = ["base_url", "since", "no_rules"])]
    pub(super) format: Option<ContentFormat>,
    /// The content type to export; with `markdown` several, or all of them (repeatable)
    #[arg(long = "type", value_name = "TYPE", requires = "format")]
    pub(super) types: Vec<String>,
    /// Export only entries with this status (repeatable)
    #[arg(long = "status", value_name = "STATUS", requires = "format")]
    pub(super) statuses: Vec<String>,
    /// The workspace to export
    #[arg(long, value_name = "NAME", default_value = "default")]
    pub(super) workspace: String,
    /// The address of the host, which URLs in answers begin with; the configured one unless given
    #[arg(long, value_name = "URL")]
    pub(super) base_url: Option<String>,
    /// Look only at what changed since this cursor of `bundle` or `sync`, of a server on the folder
    #[arg(long, value_name = "CURSOR")]
    pub(super) since: Option<String>,
    /// Export into a folder that holds other files; those are never touched
    #[arg(long)]
    pub(super) force: bool,
    /// Write no rules for hosts: _headers, _redirects and _nginx.conf
    #[arg(long)]
    pub(super) no_rules: bool,
    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,
    #[command(flatten)]
    pub(super) place: PlaceArgs,
}

impl ExportArgs {
    /// Returns the folder, which the arguments have unless there is a format.
    pub(super) fn folder(&self) -> &Path {
        self.folder.as_deref().unwrap_or(Path::new("."))
    }
}

/// The formats of content.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum ContentFormat {
    /// A table with a column for each field
    Csv,
    /// A list of objects
    Json,
    /// An object on each line
    Ndjson,
    /// Texts with front matter, and the media files that they name
    Markdown,
}

/// Checks that the export and the data folder are apart: the files of one would become content, or
/// be published.
pub(super) fn check_apart(folder: &Path, data: &Path) -> Result<(), CommandError> {
    // The folder may not be there yet.
    let whole = Path::new(".").join(folder);
    let is_there = whole.exists();
    let existing = whole.ancestors().find_map(|it| it.canonicalize().ok());
    let (Some(folder), Ok(data)) = (existing, data.canonicalize()) else { return Ok(()) };
    if folder.starts_with(&data) || (is_there && data.starts_with(&folder)) {
        return Err(CommandError::usage("the export and the data folder must be apart"));
    }
    Ok(())
}
