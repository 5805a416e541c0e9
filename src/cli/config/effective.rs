//! The effective settings and their defaults.

use std::net::IpAddr;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use http::HeaderName;

use crate::app::people::sessions::ProxyMatch;
use crate::cli::config::backups::BackupsConfig;
use crate::cli::config::store_url::StoreUrl;
use crate::cli::config::value::BaseUrl;
use crate::cli::config::value::LogFormat;
use crate::http::request::live_hub;
use crate::http::request::rate_limit::RateLimits;
use crate::http::request::state::CacheTagHeader;
use crate::http::request::state::LogRequests;
use crate::http::request::state::ProxyLogin;
use crate::http::wire::conn_limits::ConnLimits;
use crate::http::wire::headers::Networks;
use crate::model::release::ReleaseKey;
use crate::model::settings::EditableSettings;
use crate::query::index::cache_budget;
use crate::query::request::include::IncludeLimits;
use crate::stdx::processor::count_cores;
use crate::store::data_folder::DataFolder;

/// The effective settings.
#[derive(Clone, Debug)]
pub struct Config {
    /// The data folder.
    pub data: PathBuf,
    /// The state directory with users, tokens, backups and caches, unless the data folder holds
    /// them.
    pub state_dir: Option<PathBuf>,
    /// The database that several servers share.
    pub store: Option<StoreUrl>,
    /// The address on which connections are accepted.
    pub listen: SocketAddr,
    /// The encryption of connections.
    pub tls: TlsConfig,
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
    /// The header in which a trusted proxy names the user.
    pub proxy_header: Option<String>,
    /// The part of a user that the proxy names.
    pub proxy_match: ProxyMatch,
    /// The address at which the proxy logs somebody out.
    pub proxy_logout_url: Option<String>,
    /// The most requests a minute of one client and of one token.
    pub rate_limits: RateLimits,
    /// The settings that the interface can edit.
    pub editable: EditableSettings,
    /// The most bytes of memory for data derived from entries.
    pub index_bytes_max: usize,
    /// True if large types are prepared for searching after the start.
    pub search_eager: bool,
    /// The most live streams of one user; 0 for no limit.
    pub live_streams_of_one_max: usize,
    /// The most event streams of readers without a token.
    pub live_streams_anonymous_max: usize,
    /// The header for cache tags.
    pub cache_tag_header: CacheTagHeader,
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
    /// The backups that are made by themselves.
    pub backups: BackupsConfig,
    /// True if `/metrics` answers everyone.
    pub metrics_public: bool,
    /// True if webhooks may target this machine and private networks.
    pub webhooks_allow_private: bool,
    /// The time that running requests have to finish when the server stops.
    pub drain: Duration,
}

/// The encryption of connections: off, with a certificate in files, or with one that an authority
/// issues.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TlsConfig {
    /// The address of the encrypted connections.
    pub listen: SocketAddr,
    /// The names for which a certificate is ordered.
    pub domains: Vec<String>,
    /// The address that the authority writes to.
    pub email: Option<String>,
    /// The URL of the directory of the authority.
    pub acme_url: String,
    /// A file with certificates that are trusted for connections to the authority.
    pub acme_roots: Option<PathBuf>,
    /// The file of the certificate and those of its issuers.
    pub cert: Option<PathBuf>,
    /// The file of its private key.
    pub key: Option<PathBuf>,
}

/// The directory of Let's Encrypt.
const LETS_ENCRYPT: &str = "https://acme-v02.api.letsencrypt.org/directory";

impl Default for TlsConfig {
    fn default() -> Self {
        TlsConfig {
            listen: SocketAddr::from(([0, 0, 0, 0], 443)),
            domains: Vec::new(),
            email: None,
            acme_url: LETS_ENCRYPT.to_owned(),
            acme_roots: None,
            cert: None,
            key: None,
        }
    }
}

impl TlsConfig {
    /// Returns true if connections are encrypted.
    pub fn is_on(&self) -> bool {
        !self.domains.is_empty() || self.cert.is_some()
    }
}

impl Default for Config {
    fn default() -> Self {
        let limits = ConnLimits::default();
        Config {
            data: PathBuf::from("./data"),
            state_dir: None,
            store: None,
            listen: SocketAddr::from(([127, 0, 0, 1], 8080)),
            tls: TlsConfig::default(),
            base_url: None,
            read_only: false,
            workers: count_cores(),
            log: LogFormat::Text,
            log_level: "info".to_owned(),
            log_requests: LogRequests::Errors,
            trusted_proxies: Vec::new(),
            proxy_header: None,
            proxy_match: ProxyMatch::Username,
            proxy_logout_url: None,
            rate_limits: RateLimits::default(),
            editable: EditableSettings::default(),
            index_bytes_max: cache_budget::BYTES_MAX,
            search_eager: true,
            live_streams_of_one_max: live_hub::STREAMS_OF_ONE_MAX,
            live_streams_anonymous_max: 0,
            cache_tag_header: CacheTagHeader::None,
            include: IncludeLimits::default(),
            updates_url: None,
            updates_key: None,
            updates_allow_private: false,
            connections_max: limits.connections_max,
            connections_per_client_max: limits.per_client_max,
            requests_per_connection_max: limits.requests_max,
            backups: BackupsConfig::default(),
            metrics_public: false,
            webhooks_allow_private: false,
            drain: limits.drain,
        }
    }
}

impl Config {
    /// Returns the address that clients are to use: that of encrypted connections, if there are
    /// any.
    pub fn public_address(&self) -> SocketAddr {
        if self.tls.is_on() { self.tls.listen } else { self.listen }
    }

    /// Returns the prefix of absolute URLs of a server bound to `bound`: the configured one, else
    /// `http` at that address, or `https` at the first of its domains. Loopback and unspecified
    /// addresses become `localhost`.
    pub fn resolve_base_url(&self, bound: SocketAddr) -> BaseUrl {
        self.base_url.clone().unwrap_or_else(|| {
            if let Some(domain) = self.tls.domains.first() {
                return BaseUrl::of_secure_host(domain, bound.port());
            }
            let ip = bound.ip().to_canonical();
            let host = match ip {
                ip if ip.is_loopback() || ip.is_unspecified() => "localhost".to_owned(),
                IpAddr::V4(ip) => ip.to_string(),
                IpAddr::V6(ip) => format!("[{ip}]"),
            };
            match self.tls.is_on() {
                true => BaseUrl::of_secure_host(&host, bound.port()),
                false => BaseUrl::of_host(&host, bound.port()),
            }
        })
    }

    /// Returns the folders of the data and of the state.
    pub fn data_folder(&self) -> DataFolder {
        DataFolder::with_state(&self.data, self.state_dir.clone())
    }

    /// Returns the login by a header of a trusted proxy, if there is one.
    pub fn proxy_login(&self) -> Option<ProxyLogin> {
        // The setting was validated by the same parser.
        let header = HeaderName::try_from(self.proxy_header.as_deref()?).ok()?;
        if self.trusted_proxies.is_empty() {
            tracing::warn!("`login.proxy_header` does nothing without `trusted_proxies`");
        }
        Some(ProxyLogin { header, by: self.proxy_match, logout_url: self.proxy_logout_url.clone() })
    }

    /// Returns the networks of [`Config::trusted_proxies`].
    pub fn proxy_networks(&self) -> Networks {
        // The setting was validated by the same parser.
        Networks::parse(&self.trusted_proxies).unwrap_or_default()
    }
}
