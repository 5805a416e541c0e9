//! The configuration: every setting stands once, in [`SETTINGS`], from which its flag, its
//! environment variable, its key in the files, its help and its line in `recto config` come.
//!
//! Precedence, highest first: flag, environment, `recto.toml` (in the data folder, else in the
//! working folder), `system/settings.json` (what the interface edits), default.

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

use crate::cli::error::Error;
use crate::engine::REVISIONS_KEPT_MAX;
use crate::http::conn::ConnLimits;
use crate::http::headers::Networks;
use crate::http::live;
use crate::http::service::LogRequests;
use crate::model::media::UploadRules;
use crate::model::release::ReleaseKey;
use crate::query::include::IncludeLimits;
use crate::query::shelf;

pub use file::FILE_NAME;
pub use flags::Flags;
pub use settings::SETTINGS;
pub use settings::Setting;
pub use value::BaseUrl;
pub use value::LogFormat;

/// What all settings come to.
#[derive(Clone, Debug)]
pub struct Config {
    /// The data folder.
    pub data: PathBuf,
    /// Where connections are accepted.
    pub listen: SocketAddr,
    /// What absolute URLs begin with, if somebody said so; see [`Config::base_url_at`].
    pub base_url: Option<BaseUrl>,
    /// Whether nothing in the data folder is ever written.
    pub read_only: bool,
    /// Threads that answer requests.
    pub workers: usize,
    /// The form of log lines.
    pub log: LogFormat,
    /// What is logged: a level, or levels by target.
    pub log_level: String,
    /// Which requests are logged.
    pub log_requests: LogRequests,
    /// Proxies whose `X-Forwarded-*` count, as written.
    pub trusted_proxies: Vec<String>,
    /// Origins whose pages may read the public API.
    pub cors_origins: Vec<String>,
    /// How long an anonymous answer may be kept before it is asked for again.
    pub cache_max_age_seconds: u32,
    /// How much longer it may be used while it is asked for again.
    pub cache_stale_seconds: u32,
    /// The most entries of a list; 0 for no limit.
    pub list_limit_max: usize,
    /// How many bytes may be kept of what is derived from entries.
    pub index_bytes_max: usize,
    /// How many live streams one user may have; 0 for any number.
    pub live_streams_of_one_max: usize,
    /// How much one answer may expand.
    pub include: IncludeLimits,
    /// What may be uploaded.
    pub uploads: UploadRules,
    /// How many revisions of an entry are kept; 0 for none, -1 for all.
    pub revisions_kept_max: i64,
    /// After how many days trash is purged; 0 for never.
    pub trash_retention_days: u32,
    /// Where the newest release is told of.
    pub updates_url: Option<String>,
    /// The key that releases are signed with.
    pub updates_key: Option<ReleaseKey>,
    /// Whether release servers inside may be asked, also without https.
    pub updates_allow_private: bool,
    /// Connections at the same time.
    pub connections_max: usize,
    /// Connections of one client at the same time; 0 for any number.
    pub connections_per_client_max: usize,
    /// Requests on one connection; 0 for any number.
    pub requests_per_connection_max: u64,
    /// Whether `/metrics` answers everybody.
    pub metrics_public: bool,
    /// Whether webhooks may lead to this machine and its network.
    pub webhooks_allow_private: bool,
    /// How long requests under way may take once the server stops.
    pub drain: Duration,
}

impl Default for Config {
    fn default() -> Self {
        let limits = ConnLimits::default();
        Config {
            data: PathBuf::from("./data"),
            listen: SocketAddr::from(([127, 0, 0, 1], 8080)),
            base_url: None,
            read_only: false,
            workers: std::thread::available_parallelism().map_or(1, usize::from),
            log: LogFormat::Text,
            log_level: "info".to_owned(),
            log_requests: LogRequests::Errors,
            trusted_proxies: Vec::new(),
            cors_origins: vec!["*".to_owned()],
            cache_max_age_seconds: 0,
            cache_stale_seconds: 0,
            list_limit_max: 0,
            index_bytes_max: shelf::BYTES_MAX,
            live_streams_of_one_max: live::STREAMS_OF_ONE_MAX,
            include: IncludeLimits::default(),
            uploads: UploadRules::default(),
            revisions_kept_max: REVISIONS_KEPT_MAX,
            trash_retention_days: 0,
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
    /// What absolute URLs begin with when the server is reached at `bound`: what was configured;
    /// else `localhost` for addresses that mean this machine or any of its own.
    pub fn base_url_at(&self, bound: SocketAddr) -> BaseUrl {
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

    /// The networks of [`Config::trusted_proxies`].
    pub fn proxies(&self) -> Networks {
        // They were read the same way when the setting was taken.
        Networks::parse(&self.trusted_proxies).unwrap_or_default()
    }
}

/// Where a setting comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// Nobody said anything.
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

impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Source::Default => f.write_str("default"),
            Source::Interface => f.write_str(&file::interface_path()),
            Source::File(path, line) => write!(f, "{}:{line}", path.display()),
            Source::Environment(name) => write!(f, "environment {name}"),
            Source::Flag(name) => write!(f, "flag --{name}"),
        }
    }
}

/// Everything settings are taken from, besides the files.
#[derive(Clone, Copy)]
pub struct Sources<'a> {
    /// What stood on the command line.
    pub flags: &'a Flags,
    /// The environment.
    pub environment: &'a dyn Fn(&str) -> Option<String>,
    /// Where relative paths begin.
    pub working_folder: &'a Path,
}

/// The configuration with where it comes from.
#[derive(Debug)]
pub struct Loaded {
    /// All settings.
    pub config: Config,
    /// The same without what the interface saved, which is read anew while the server runs.
    pub base: Config,
    /// Where each comes from, in the order of [`SETTINGS`].
    pub sources: Vec<Source>,
    /// What is wrong and keeps nobody from starting, as sentences.
    pub warnings: Vec<String>,
}

impl Loaded {
    /// Takes all settings from where this process has them.
    pub fn of_process(flags: &Flags) -> Result<Loaded, Error> {
        let environment = |name: &str| std::env::var(name).ok();
        let working_folder = Path::new("");
        Loaded::from(Sources { flags, environment: &environment, working_folder })
    }

    /// Takes all settings.
    pub fn from(sources: Sources<'_>) -> Result<Loaded, Error> {
        let at_work = file::read(&sources.working_folder.join(FILE_NAME))?;
        let (mut loaded, rest) = Loaded::with_data(sources, &at_work)?;
        let folder = sources.working_folder.join(&loaded.config.data);
        let in_data = file::read_in_data_folder(&folder, at_work.as_ref())?;
        let file = in_data.or(at_work).unwrap_or_default();
        let interface = file::read_interface(&folder, &mut loaded.warnings);
        for setting in rest {
            let given = sources.given(setting).or_else(|| file.get(setting));
            let (text, source) = match given {
                Some(given) => given,
                None => {
                    loaded.take_from_interface(setting, interface.get(setting.key));
                    continue;
                }
            };
            loaded.take(setting, &text, source)?;
        }
        Ok(loaded)
    }

    /// The first setting says where others are, so it is taken before them.
    fn with_data(
        sources: Sources<'_>,
        at_work: &Option<file::File>,
    ) -> Result<(Loaded, &'static [Setting]), Error> {
        let mut loaded = Loaded {
            config: Config::default(),
            base: Config::default(),
            sources: Vec::new(),
            warnings: Vec::new(),
        };
        let Some((data, rest)) = SETTINGS.split_first() else { return Ok((loaded, SETTINGS)) };
        let in_file = || at_work.as_ref().and_then(|file| file.get(data));
        match sources.given(data).or_else(in_file) {
            Some((text, source)) => loaded.take(data, &text, source)?,
            None => loaded.sources.push(Source::Default),
        }
        Ok((loaded, rest))
    }

    fn take(&mut self, setting: &Setting, text: &str, source: Source) -> Result<(), Error> {
        (setting.take)(&mut self.config, text).map_err(|problem| {
            let key = setting.key;
            Error::usage(format!("{source}: `{text}` is no value for `{key}`: {problem}"))
        })?;
        // It was a value a moment ago.
        let _ = (setting.take)(&mut self.base, text);
        self.sources.push(source);
        Ok(())
    }

    /// What people save in the interface never keeps the server from starting.
    fn take_from_interface(&mut self, setting: &Setting, text: Option<&String>) {
        let taken =
            text.filter(|_| setting.interface).map(|it| (setting.take)(&mut self.config, it));
        if let Some(Err(problem)) = &taken {
            let (path, key) = (file::interface_path(), setting.key);
            self.warnings.push(format!("{path}: `{key}` is left at its default: {problem}"));
        }
        let source =
            if matches!(taken, Some(Ok(()))) { Source::Interface } else { Source::Default };
        self.sources.push(source);
    }

    /// What the interface cannot edit although it edits its kind, and what says so, by key.
    pub fn pinned(&self) -> BTreeMap<String, String> {
        let said = |source: &&Source| !matches!(source, Source::Default | Source::Interface);
        let rows = SETTINGS.iter().zip(&self.sources);
        let pinned = rows.filter(|(setting, source)| setting.interface && said(source));
        pinned.map(|(setting, source)| (setting.key.to_string(), source.to_string())).collect()
    }

    /// Each setting with its value and where that comes from.
    pub fn rows(&self) -> impl Iterator<Item = (&'static Setting, Value, &Source)> {
        let rows = SETTINGS.iter().zip(&self.sources);
        rows.map(|(setting, source)| (setting, (setting.show)(&self.config), source))
    }

    /// Whether a setting comes from where the interface cannot change it.
    pub fn is_pinned(&self, key: &str) -> bool {
        let mut rows = SETTINGS.iter().zip(&self.sources);
        rows.any(|(it, from)| it.key == key && !matches!(from, Source::Default | Source::Interface))
    }

    /// `recto config`: a line for each setting.
    pub fn to_text(&self) -> String {
        let rows: Vec<_> =
            self.rows().map(|(it, value, source)| (it, text(&value), source)).collect();
        let width = |of: fn(&(&Setting, String, &Source)) -> usize| rows.iter().map(of).max();
        let keys = width(|(setting, ..)| setting.key.len()).unwrap_or(0);
        let values = width(|(_, value, _)| value.chars().count()).unwrap_or(0);
        let line = |(setting, value, source): &(&Setting, String, &Source)| {
            format!("{:keys$} = {value:values$}  # {source}\n", setting.key)
        };
        rows.iter().map(line).collect()
    }

    /// `recto config --json`.
    pub fn to_json(&self) -> Value {
        let row = |(setting, value, source): (&Setting, Value, &Source)| {
            json!({
                "key": setting.key,
                "value": value,
                "source": source.to_string(),
                "flag": format!("--{}", setting.flag),
                "env": setting.env(),
                "about": setting.about,
            })
        };
        self.rows().map(row).collect()
    }
}

impl Sources<'_> {
    fn given(&self, setting: &Setting) -> Option<(String, Source)> {
        if let Some(text) = self.flags.get(setting) {
            return Some((text.to_owned(), Source::Flag(setting.flag)));
        }
        let name = setting.env();
        // Compose files set variables that are meant to be absent to nothing.
        let text = (self.environment)(&name).filter(|text| !text.is_empty())?;
        Some((text, Source::Environment(name)))
    }
}

/// The data folder alone, for commands that need nothing else: the one named, else the configured.
pub fn data_folder(named: Option<PathBuf>) -> Result<PathBuf, Error> {
    if let Some(folder) = named {
        return Ok(folder);
    }
    let environment = |name: &str| std::env::var(name).ok();
    let flags = Flags::default();
    let sources =
        Sources { flags: &flags, environment: &environment, working_folder: Path::new("") };
    let at_work = file::read(Path::new(FILE_NAME))?;
    Loaded::with_data(sources, &at_work).map(|(loaded, _)| loaded.config.data)
}

/// A value as it is written on the command line.
pub(super) fn text(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(text).collect::<Vec<_>>().join(","),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests;
