//! The arguments that say where the data folder is.

use std::path::Path;
use std::path::PathBuf;

use crate::cli::config::effective::Config;
use crate::cli::config::flags::Flags;
use crate::cli::config::load::ConfigSources;
use crate::cli::config::load::LoadedConfig;
use crate::cli::config::load::SYSTEM_FILE;
use crate::cli::config::store_url::StoreUrl;
use crate::cli::error::CommandError;
use crate::store::data_folder::DataFolder;

/// The arguments of commands that use no settings except the location of the data folder.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct PlaceArgs {
    /// The data folder; the configured one, else ./data, unless given
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    #[command(flatten)]
    state: StateArgs,
    /// The database, if several servers share one; the configured one unless given
    #[arg(long, value_name = "URL")]
    store: Option<String>,
}

/// The argument for the state directory, for commands that name the data folder in their own way.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct StateArgs {
    /// The folder of users, tokens, backups and caches, if not the data folder
    #[arg(long, value_name = "DIR")]
    state_dir: Option<PathBuf>,
}

impl PlaceArgs {
    /// Returns the arguments with another data folder, if one is given.
    #[must_use]
    pub fn or_folder(self, folder: Option<PathBuf>) -> PlaceArgs {
        PlaceArgs { data: folder.or(self.data), ..self }
    }

    /// Returns true if a folder is given and no database.
    pub fn names_folder_alone(&self) -> bool {
        self.data.is_some() && self.store.is_none()
    }

    /// Converts the arguments to flags of the configuration.
    pub fn to_flags(&self) -> Flags {
        let store = self.store.iter().map(|it| ("store", it.clone()));
        self.state.to_flags(self.data.as_deref()).with(store)
    }

    /// Returns the data folder: as given, else as configured.
    pub fn resolve_folder(&self) -> Result<DataFolder, CommandError> {
        Ok(self.resolve_config()?.data_folder())
    }

    /// Returns the configuration that says where content is, with what is given.
    pub fn resolve_config(&self) -> Result<Config, CommandError> {
        load_places(&self.to_flags())
    }

    /// Returns the database that several servers share, if there is one: as given, else as
    /// configured.
    pub fn resolve_store(&self) -> Result<Option<StoreUrl>, CommandError> {
        Ok(self.resolve_config()?.store)
    }
}

impl StateArgs {
    /// Converts the arguments to flags of the configuration.
    pub fn to_flags(&self, data: Option<&Path>) -> Flags {
        let given = [("data", data), ("state_dir", self.state_dir.as_deref())];
        let given = given.into_iter().filter_map(|(key, path)| Some((key, path?)));
        given.map(|(key, path)| (key, path.display().to_string())).collect()
    }

    /// Returns the folders of the data and of the state, with the given data folder, else the
    /// configured one.
    pub fn resolve_folder(&self, data: Option<&Path>) -> Result<DataFolder, CommandError> {
        Ok(self.resolve_config(data)?.data_folder())
    }

    /// Returns the configuration that says where content is, with the given data folder, else the
    /// configured one.
    pub fn resolve_config(&self, data: Option<&Path>) -> Result<Config, CommandError> {
        load_places(&self.to_flags(data))
    }
}

/// Loads the configuration that says where content is.
fn load_places(flags: &Flags) -> Result<Config, CommandError> {
    let environment = |name: &str| std::env::var(name).ok();
    let sources = ConfigSources {
        flags,
        environment: &environment,
        working_folder: Path::new(""),
        system_file: Path::new(SYSTEM_FILE),
    };
    LoadedConfig::load_places(sources).map(|(loaded, _)| loaded.config)
}
