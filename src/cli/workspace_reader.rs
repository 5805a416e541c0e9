//! A workspace that a command reads without a server.

use std::sync::Arc;

use crate::cli::config::PlaceArgs;
use crate::cli::database;
use crate::cli::error::CommandError;
use crate::cli::folder_setup;
use crate::engine::Engine;
use crate::engine::EngineOptions;
use crate::engine::folder::problems::KnownProblem;
use crate::query::index::snapshot::Snapshot;
use crate::query::index::type_index::TypeIndex;
use crate::stdx::clock::SystemClock;
use crate::store::layout::Key;

/// The arguments that name a workspace and the content types to show.
#[derive(Debug, clap::Args)]
pub(super) struct WorkspaceArgs {
    /// The workspace to describe
    #[arg(long, value_name = "NAME", default_value = "default")]
    workspace: String,
    #[command(flatten)]
    place: PlaceArgs,
    /// Leave out private content types
    #[arg(long)]
    public: bool,
}

/// A workspace with the content types to show.
pub(super) struct ReadWorkspace {
    pub(super) base_url: String,
    pub(super) snapshot: Arc<Snapshot>,
    pub(super) types: Vec<Arc<TypeIndex>>,
}

impl WorkspaceArgs {
    /// Loads the workspace. Nothing is written.
    ///
    /// # Errors
    ///
    /// Fails if the file of a content type is broken and no good version of it is known: nobody
    /// wants a description that lacks the type.
    pub(super) fn read(self) -> Result<ReadWorkspace, CommandError> {
        // The copy lasts until everything is read.
        let (loaded, _copy) = database::load_to_read(&self.place.to_flags())?;
        let config = loaded.config;
        folder_setup::check_is_folder(&config.data)?;
        let base_url = config.resolve_base_url(config.public_address()).as_str().to_owned();
        let engine = Engine::open(EngineOptions {
            base_url: base_url.clone(),
            read_only: true,
            state_dir: config.state_dir,
            ..EngineOptions::new(config.data, Arc::new(SystemClock))
        })?;
        let workspace = &self.workspace;
        let snapshot =
            engine.snapshot(workspace).ok_or_else(|| CommandError::no_workspace(workspace))?;
        check_types(&engine, &snapshot)?;
        engine.close();
        let is_shown = |it: &&Arc<TypeIndex>| !(self.public && it.content_type.private);
        let types = snapshot.types().iter().filter(is_shown).cloned().collect();
        Ok(ReadWorkspace { base_url, snapshot, types })
    }
}

/// Checks that no content type is missing because its file cannot be read.
fn check_types(engine: &Engine, snapshot: &Snapshot) -> Result<(), CommandError> {
    let is_missing = |it: &KnownProblem| {
        let of_schema = match Key::parse(&it.problem.path) {
            Some(Key::Schema(ws, name)) => {
                ws == snapshot.workspace && snapshot.get(name.as_str()).is_none()
            }
            _ => false,
        };
        of_schema && it.problem.kind.blocks_loading()
    };
    match engine.problems().list().into_iter().find(is_missing) {
        Some(known) => Err(CommandError::failed(known.problem)),
        None => Ok(()),
    }
}
