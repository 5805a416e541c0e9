//! `recto openapi`: the OpenAPI document of a workspace, without a server.

use crate::cli::error::CommandError;
use crate::cli::terminal::print_json;
use crate::cli::workspace_reader::WorkspaceArgs;
use crate::http::openapi::profile::OpenApiProfile;
use crate::http::openapi::public;
use crate::http::routes;

/// Arguments of `recto openapi`.
#[derive(Debug, clap::Args)]
pub(super) struct OpenapiArgs {
    #[command(flatten)]
    workspace: WorkspaceArgs,
    /// Leave out `include` and `media`, so that relations are ids and no schema contains itself
    #[arg(long)]
    simple: bool,
}

pub(super) fn run(args: OpenapiArgs) -> Result<(), CommandError> {
    let read = args.workspace.read()?;
    let profile = if args.simple { OpenApiProfile::Simple } else { OpenApiProfile::Full };
    let routes = routes::build_table();
    let document =
        public::build_document(&routes, &read.base_url, &read.snapshot, &read.types, profile);
    print_json(&document)
}
