//! `recto openapi`: the OpenAPI document of a workspace, without a server.

use std::path::PathBuf;
use std::sync::Arc;

use crate::cli::config::Flags;
use crate::cli::config::Loaded;
use crate::cli::error::Error;
use crate::cli::folder;
use crate::engine::Engine;
use crate::engine::Options;
use crate::http::openapi;
use crate::http::openapi::Profile;
use crate::stdx::clock::SystemClock;

/// Arguments of `recto openapi`.
#[derive(Debug, clap::Args)]
pub(super) struct OpenapiArgs {
    /// The workspace
    #[arg(long, value_name = "NAME", default_value = "default")]
    workspace: String,
    /// The data folder; the configured one, else ./data, unless given
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Leave out content types that only readers with a token know
    #[arg(long)]
    public: bool,
    /// Leave out `include`: relations are ids, and no schema contains itself
    #[arg(long)]
    simple: bool,
}

pub(super) fn run(args: OpenapiArgs) -> Result<(), Error> {
    let data = args.data.map(|it| it.display().to_string());
    let flags: Flags = data.map(|data| ("data", data)).into_iter().collect();
    let config = Loaded::of_process(&flags)?.config;
    folder::expect(&config.data)?;
    let base_url = config.base_url_at(config.listen);
    let engine = Engine::open(Options {
        base_url: base_url.as_str().to_owned(),
        read_only: true,
        ..Options::new(config.data, Arc::new(SystemClock))
    })?;
    let workspace = &args.workspace;
    let snapshot = engine
        .snapshot(workspace)
        .ok_or_else(|| Error::usage(format!("there is no workspace `{workspace}`")))?;
    let types: Vec<_> = snapshot
        .types()
        .iter()
        .filter(|it| !(args.public && it.content_type.private))
        .cloned()
        .collect();
    let profile = if args.simple { Profile::Simple } else { Profile::Full };
    let document = openapi::document(base_url.as_str(), &snapshot, &types, profile);
    engine.close();
    super::print_json(&document)
}
