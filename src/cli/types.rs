//! `recto types`: the content types of a workspace in the language of a frontend, without a server.

use crate::cli::error::CommandError;
use crate::cli::terminal::print_text;
use crate::cli::workspace_reader::WorkspaceArgs;
use crate::http::openapi::typescript;
use crate::model::content_type::ContentType;

/// Arguments of `recto types`.
#[derive(Debug, clap::Args)]
pub(super) struct TypesArgs {
    /// The language
    #[arg(long, value_enum, default_value = "ts")]
    lang: Language,
    #[command(flatten)]
    workspace: WorkspaceArgs,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
enum Language {
    /// TypeScript
    Ts,
}

pub(super) fn run(args: TypesArgs) -> Result<(), CommandError> {
    let read = args.workspace.read()?;
    let types: Vec<&ContentType> = read.types.iter().map(|it| &*it.content_type).collect();
    match args.lang {
        Language::Ts => print_text(&typescript::write_types(&read.snapshot.workspace, &types)),
    }
}
