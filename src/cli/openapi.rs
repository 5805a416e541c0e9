//! `recto openapi`: the OpenAPI document of a workspace, without a server.

use std::sync::Arc;

use crate::cli::config::LoadedConfig;
use crate::cli::config::PlaceArgs;
use crate::cli::error::CommandError;
use crate::cli::folder_setup;
use crate::cli::terminal::print_json;
use crate::engine::Engine;
use crate::engine::EngineOptions;
use crate::http::openapi::profile::OpenApiProfile;
use crate::http::openapi::public;
use crate::http::routes;
use crate::stdx::clock::SystemClock;

/// Arguments of `recto openapi`.
#[derive(Debug, clap::Args)]
pub(super) struct OpenapiArgs {
    /// The workspace to describe
    #[arg(long, value_name = "NAME", default_value = "default")]
    workspace: String,
    #[command(flatten)]
    place: PlaceArgs,
    /// Leave out private content types
    #[arg(long)]
    public: bool,
    /// Leave out `include`, so that relations are ids and no schema contains itself
    #[arg(long)]
    simple: bool,
}

pub(super) fn run(args: OpenapiArgs) -> Result<(), CommandError> {
    let config = LoadedConfig::load_process(&args.place.to_flags())?.config;
    folder_setup::check_is_folder(&config.data)?;
    let base_url = config.resolve_base_url(config.listen);
    let engine = Engine::open(EngineOptions {
        base_url: base_url.as_str().to_owned(),
        read_only: true,
        state_dir: config.state_dir,
        ..EngineOptions::new(config.data, Arc::new(SystemClock))
    })?;
    let workspace = &args.workspace;
    let snapshot = engine
        .snapshot(workspace)
        .ok_or_else(|| CommandError::usage(format!("there is no workspace `{workspace}`")))?;
    let types: Vec<_> = snapshot
        .types()
        .iter()
        .filter(|it| !(args.public && it.content_type.private))
        .cloned()
        .collect();
    let profile = if args.simple { OpenApiProfile::Simple } else { OpenApiProfile::Full };
    let routes = routes::build_table();
    let document = public::build_document(&routes, base_url.as_str(), &snapshot, &types, profile);
    engine.close();
    print_json(&document)
}
