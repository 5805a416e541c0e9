//! The configuration. Every setting is one row of [`settings`]; its flag, environment variable, key
//! in the files, help text and line in `recto config` come from that row.
//!
//! Precedence, highest first: flag, environment, `recto.toml` (in the data folder, else in the
//! working folder), `system/settings.json` (edited in the interface), default.

mod file;
mod flags;
mod settings;
mod value;

use std::collections::BTreeMap;
use std::fmt;
use std::net::IpAddr;
use std::net::SocketAddr;
use std::path::Path;
use std::path::PathBuf;
use std::time::Duration;

use serde_json::Value;
use serde_json::json;

use crate::cli::error::CommandError;
use crate::http::request::live_hub;
use crate::http::request::state::LogRequests;
use crate::http::wire::conn_limits::ConnLimits;
use crate::http::wire::headers::Networks;
use crate::model::release::ReleaseKey;
use crate::model::settings::EditableSettings;
use crate::query::index::cache_budget;
use crate::query::request::include::IncludeLimits;
use crate::store::data_folder::DataFolder;

pub use file::FILE_NAME;
pub use flags::Flags;
pub use settings::ConfigSetting;
pub use settings::settings;
pub use value::BaseUrl;
pub use value::LogFormat;

/// The number of settings, the first of the table, that locate the other sources.
const N_PLACES: usize = 2;

/// The effective settings.
#[derive(Clone, Debug)]
pub struct Config {
    /// The data folder.
    pub data: PathBuf,
    /// The state directory with users, tokens, backups and caches, unless the data folder holds
    /// them.
    pub state_dir: Option<PathBuf>,
    /// The address on which connections are accepted.
    pub listen: SocketAddr,
    /// The prefix of absolute URLs, if configured; see [`Config::resolve_base_url`].
    pub base_url: Option<BaseUrl>,
    /// True if nothing in the data folder is ever written.
    pub read_only: bool,
    /// The number of threads that answer requests.
    pub workers: usize,
    /// The format of log lines.
    pub log: LogFormat,
    /// The log level, or levels by target.
    pub log_level: String,
    /// The requests that are logged.
    pub log_requests: LogRequests,
    /// Proxies whose `X-Forwarded-*` headers are trusted, as written.
    pub trusted_proxies: Vec<String>,
    /// The settings that the interface can edit.
    pub editable: EditableSettings,
    /// The most bytes of memory for data derived from entries.
    pub index_bytes_max: usize,
    /// The most live streams of one user; 0 for no limit.
    pub live_streams_of_one_max: usize,
    /// The limits on the relations expanded in one response.
    pub include: IncludeLimits,
    /// The URL of the manifest of the newest release.
    pub updates_url: Option<String>,
    /// The key that releases are signed with.
    pub updates_key: Option<ReleaseKey>,
    /// True if release servers may be in private networks and without https.
    pub updates_allow_private: bool,
    /// The most simultaneous connections.
    pub connections_max: usize,
    /// The most simultaneous connections of one client; 0 for no limit.
    pub connections_per_client_max: usize,
    /// The most requests on one connection; 0 for no limit.
    pub requests_per_connection_max: u64,
    /// True if `/metrics` answers everyone.
    pub metrics_public: bool,
    /// True if webhooks may target this machine and private networks.
    pub webhooks_allow_private: bool,
    /// The time that running requests have to finish when the server stops.
    pub drain: Duration,
}

impl Default for Config {
    fn default() -> Self {
        let limits = ConnLimits::default();
        Config {
            data: PathBuf::from("./data"),
            state_dir: None,
            listen: SocketAddr::from(([127, 0, 0, 1], 8080)),
            base_url: None,
            read_only: false,
            workers: std::thread::available_parallelism().map_or(1, usize::from),
            log: LogFormat::Text,
            log_level: "info".to_owned(),
            log_requests: LogRequests::Errors,
            trusted_proxies: Vec::new(),
            editable: EditableSettings::default(),
            index_bytes_max: cache_budget::BYTES_MAX,
            live_streams_of_one_max: live_hub::STREAMS_OF_ONE_MAX,
            include: IncludeLimits::default(),
            updates_url: None,
            updates_key: None,
            updates_allow_private: false,
            connections_max: limits.connections_max,
            connections_per_client_max: limits.per_client_max,
            requests_per_connection_max: limits.requests_max,
            metrics_public: false,
            webhooks_allow_private: false,
            drain: limits.drain,
        }
    }
}

impl Config {
    /// Returns the prefix of absolute URLs of a server bound to `bound`: the configured one, else
    /// `http` at that address. Loopback and unspecified addresses become `localhost`.
    pub fn resolve_base_url(&self, bound: SocketAddr) -> BaseUrl {
        self.base_url.clone().unwrap_or_else(|| {
            let ip = bound.ip().to_canonical();
            let host = match ip {
                ip if ip.is_loopback() || ip.is_unspecified() => "localhost".to_owned(),
                IpAddr::V4(ip) => ip.to_string(),
                IpAddr::V6(ip) => format!("[{ip}]"),
            };
            BaseUrl::of_host(&host, bound.port())
        })
    }

    /// Returns the folders of the data and of the state.
    pub fn data_folder(&self) -> DataFolder {
        DataFolder::with_state(&self.data, self.state_dir.clone())
    }

    /// Returns the networks of [`Config::trusted_proxies`].
    pub fn proxy_networks(&self) -> Networks {
        // The setting was validated by the same parser.
        Networks::parse(&self.trusted_proxies).unwrap_or_default()
    }
}

/// The source of a setting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SettingSource {
    /// The built-in default.
    Default,
    /// `system/settings.json`.
    Interface,
    /// A `recto.toml` and the line in it.
    File(PathBuf, usize),
    /// An environment variable.
    Environment(String),
    /// A flag of the command line.
    Flag(&'static str),
}

impl SettingSource {
    /// Returns the folder that relative paths of this source start from: that of a file, else
    /// `None`.
    fn base_folder(&self) -> Option<&Path> {
        if let SettingSource::File(path, _) = self { path.parent() } else { None }
    }
}

impl fmt::Display for SettingSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SettingSource::Default => f.write_str("default"),
            SettingSource::Interface => f.write_str(&file::interface_settings_path()),
            SettingSource::File(path, line) => write!(f, "{}:{line}", path.display()),
            SettingSource::Environment(name) => write!(f, "environment {name}"),
            SettingSource::Flag(name) => write!(f, "flag --{name}"),
        }
    }
}

/// The sources of settings besides the files.
#[derive(Clone, Copy)]
pub struct ConfigSources<'a> {
    /// The flags of the command line.
    pub flags: &'a Flags,
    /// The environment.
    pub environment: &'a dyn Fn(&str) -> Option<String>,
    /// The folder that relative paths start from.
    pub working_folder: &'a Path,
}

/// The effective configuration and the source of each setting.
#[derive(Debug)]
pub struct LoadedConfig {
    /// All settings.
    pub config: Config,
    /// The configuration without the settings saved in the interface, which are read again while
    /// the server runs.
    pub base: Config,
    /// The source of each setting, in the order of [`settings`].
    pub sources: Vec<SettingSource>,
    /// Problems that do not prevent the start, as sentences.
    pub warnings: Vec<String>,
}

impl LoadedConfig {
    /// Loads all settings from the sources of this process.
    pub fn load_process(flags: &Flags) -> Result<LoadedConfig, CommandError> {
        let environment = |name: &str| std::env::var(name).ok();
        let working_folder = Path::new("");
        LoadedConfig::load(ConfigSources { flags, environment: &environment, working_folder })
    }

    /// Loads all settings.
    pub fn load(sources: ConfigSources<'_>) -> Result<LoadedConfig, CommandError> {
        let (mut loaded, file) = LoadedConfig::load_places(sources)?;
        let folder = sources.working_folder.join(&loaded.config.data);
        let places = DataFolder::with_state(folder, loaded.config.state_dir.clone());
        let interface = file::read_interface_settings(&places, &mut loaded.warnings);
        for setting in settings().skip(loaded.sources.len()) {
            let given = sources.find_value(setting).or_else(|| file.get(setting));
            let (text, source) = match given {
                Some(given) => given,
                None => {
                    loaded.take_from_interface(setting, interface.get(setting.key()));
                    continue;
                }
            };
            loaded.take_setting(setting, &text, source)?;
        }
        Ok(loaded)
    }

    /// Loads the first [`N_PLACES`] settings, which locate the sources of the others. Also returns
    /// the configuration file to use.
    fn load_places(
        sources: ConfigSources<'_>,
    ) -> Result<(LoadedConfig, file::ConfigFile), CommandError> {
        let mut loaded = LoadedConfig {
            config: Config::default(),
            base: Config::default(),
            sources: Vec::new(),
            warnings: Vec::new(),
        };
        let mut file = file::read_file(&sources.working_folder.join(FILE_NAME))?;
        for setting in settings().take(N_PLACES) {
            let in_file = || file.as_ref().and_then(|file| file.get(setting));
            match sources.find_value(setting).or_else(in_file) {
                Some((text, source)) => loaded.take_setting(setting, &text, source)?,
                None => loaded.sources.push(SettingSource::Default),
            }
            if setting.key() == "data" {
                let folder = sources.working_folder.join(&loaded.config.data);
                file = file::read_folder_file(&folder, file.as_ref())?.or(file);
            }
        }
        let from = loaded.sources.last().and_then(SettingSource::base_folder);
        let state_dir = loaded.config.state_dir.take().map(|named| {
            let named = from.unwrap_or(sources.working_folder).join(named);
            std::path::absolute(&named).unwrap_or(named)
        });
        (loaded.config.state_dir, loaded.base.state_dir) = (state_dir.clone(), state_dir);
        Ok((loaded, file.unwrap_or_default()))
    }

    fn take_setting(
        &mut self,
        setting: ConfigSetting,
        text: &str,
        source: SettingSource,
    ) -> Result<(), CommandError> {
        setting.take(&mut self.config, text).map_err(|problem| {
            let key = setting.key();
            CommandError::usage(format!("{source}: `{text}` is no value for `{key}`: {problem}"))
        })?;
        // The same value was accepted a moment ago.
        let _ = setting.take(&mut self.base, text);
        self.sources.push(source);
        Ok(())
    }

    /// Takes a setting saved in the interface. An invalid value becomes a warning, so that it never
    /// prevents the start.
    fn take_from_interface(&mut self, setting: ConfigSetting, text: Option<&String>) {
        let taken =
            text.filter(|_| setting.is_editable()).map(|it| setting.take(&mut self.config, it));
        if let Some(Err(problem)) = &taken {
            let (path, key) = (file::interface_settings_path(), setting.key());
            self.warnings.push(format!("{path}: `{key}` is left at its default: {problem}"));
        }
        let source = if matches!(taken, Some(Ok(()))) {
            SettingSource::Interface
        } else {
            SettingSource::Default
        };
        self.sources.push(source);
    }

    /// Returns the settings, by key, that the interface could edit but another source sets, and
    /// that source.
    pub fn pinned_settings(&self) -> BTreeMap<String, String> {
        let said = |source: &&SettingSource| {
            !matches!(source, SettingSource::Default | SettingSource::Interface)
        };
        let rows = settings().zip(&self.sources);
        let pinned = rows.filter(|(setting, source)| setting.is_editable() && said(source));
        pinned.map(|(setting, source)| (setting.key().to_string(), source.to_string())).collect()
    }

    /// Returns each setting with its value and its source.
    pub fn rows(&self) -> impl Iterator<Item = (ConfigSetting, Value, &SettingSource)> {
        let rows = settings().zip(&self.sources);
        rows.map(|(setting, source)| (setting, setting.show(&self.config), source))
    }

    /// Returns true if the setting comes from a source that the interface cannot change.
    pub fn is_pinned(&self, key: &str) -> bool {
        let mut rows = settings().zip(&self.sources);
        rows.any(|(it, from)| {
            it.key() == key && !matches!(from, SettingSource::Default | SettingSource::Interface)
        })
    }

    /// Formats `recto config`: one line for each setting.
    pub fn to_text(&self) -> String {
        let rows: Vec<_> =
            self.rows().map(|(it, value, source)| (it, format_value(&value), source)).collect();
        let width =
            |of: fn(&(ConfigSetting, String, &SettingSource)) -> usize| rows.iter().map(of).max();
        let keys = width(|(setting, ..)| setting.key().len()).unwrap_or(0);
        let values = width(|(_, value, _)| value.chars().count()).unwrap_or(0);
        let line = |(setting, value, source): &(ConfigSetting, String, &SettingSource)| {
            format!("{:keys$} = {value:values$}  # {source}\n", setting.key())
        };
        rows.iter().map(line).collect()
    }

    /// Formats `recto config --json`.
    pub fn to_json(&self) -> Value {
        let row = |(setting, value, source): (ConfigSetting, Value, &SettingSource)| {
            json!({
                "key": setting.key(),
                "value": value,
                "source": source.to_string(),
                "flag": format!("--{}", setting.flag()),
                "env": setting.env_name(),
                "about": setting.about(),
            })
        };
        self.rows().map(row).collect()
    }
}

impl ConfigSources<'_> {
    fn find_value(&self, setting: ConfigSetting) -> Option<(String, SettingSource)> {
        if let Some(text) = self.flags.get(setting) {
            return Some((text.to_owned(), SettingSource::Flag(setting.flag())));
        }
        let name = setting.env_name();
        // Compose files set variables to an empty string to leave them out.
        let text = (self.environment)(&name).filter(|text| !text.is_empty())?;
        Some((text, SettingSource::Environment(name)))
    }
}

/// The arguments of commands that use no settings except the location of the data folder.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct PlaceArgs {
    /// The data folder; the configured one, else ./data, unless given
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
    #[command(flatten)]
    state: StateArgs,
}

/// The argument for the state directory, for commands that name the data folder in their own way.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct StateArgs {
    /// The folder of users, tokens, backups and caches, if not the data folder
    #[arg(long, value_name = "DIR")]
    state_dir: Option<PathBuf>,
}

impl PlaceArgs {
    /// Converts the arguments to flags of the configuration.
    pub fn to_flags(&self) -> Flags {
        self.state.to_flags(self.data.as_deref())
    }

    /// Returns the data folder: as given, else as configured.
    pub fn resolve_folder(&self) -> Result<DataFolder, CommandError> {
        self.state.resolve_folder(self.data.as_deref())
    }
}

impl StateArgs {
    fn to_flags(&self, data: Option<&Path>) -> Flags {
        let given = [("data", data), ("state_dir", self.state_dir.as_deref())];
        let given = given.into_iter().filter_map(|(key, path)| Some((key, path?)));
        given.map(|(key, path)| (key, path.display().to_string())).collect()
    }

    /// Returns the folders of the data and of the state, with the given data folder, else the
    /// configured one.
    pub fn resolve_folder(&self, data: Option<&Path>) -> Result<DataFolder, CommandError> {
        let environment = |name: &str| std::env::var(name).ok();
        let flags = self.to_flags(data);
        let sources = ConfigSources {
            flags: &flags,
            environment: &environment,
            working_folder: Path::new(""),
        };
        LoadedConfig::load_places(sources).map(|(loaded, _)| loaded.config.data_folder())
    }
}

/// Formats a value as it is written on the command line.
pub(super) fn format_value(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(format_value).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests;
