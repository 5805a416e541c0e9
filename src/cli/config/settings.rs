//! The table of settings: those that are fixed while the server runs, and those of the interface.

use std::path::Path;
use std::sync::LazyLock;

use serde_json::Value;
use serde_json::json;

use crate::cli::config::backups;
use crate::cli::config::effective::Config;
use crate::cli::config::store_url::StoreUrl;
use crate::cli::config::value;
use crate::model::input::wording;
use crate::model::release::ReleaseKey;
use crate::model::settings::EDITABLE;
use crate::model::settings::EditableSetting;
use crate::model::settings::EditableSettings;
use crate::model::settings::assign;
use crate::stdx::json::Json;

/// A setting that a file, the environment or a flag can give.
#[derive(Clone, Copy, Debug)]
pub enum ConfigSetting {
    /// One that is fixed while the server runs.
    Fixed(&'static FixedSetting),
    /// One that the interface can edit, too; the value is then kept in `system/settings.json`.
    Editable(&'static EditableSetting, &'static str),
}

/// A setting that is fixed while the server runs. Everything that is said about it comes from here.
#[derive(Debug)]
pub struct FixedSetting {
    /// The key in `recto.toml`, with dots for nested tables.
    key: &'static str,
    /// The flag without its dashes, from which the name of the environment variable derives.
    flag: &'static str,
    /// The placeholder for the value in the help.
    value_name: &'static str,
    /// The sentence of help.
    about: &'static str,
    /// Parses a value into its place. Returns a message if it is invalid.
    take: fn(&mut Config, &str) -> Result<(), String>,
    /// Returns the value.
    show: fn(&Config) -> Value,
}

impl ConfigSetting {
    /// Returns the key in the files, with dots for nested tables.
    pub fn key(self) -> &'static str {
        match self {
            ConfigSetting::Fixed(row) => row.key,
            ConfigSetting::Editable(row, _) => row.key,
        }
    }

    /// Returns the flag without its dashes.
    pub fn flag(self) -> &'static str {
        match self {
            ConfigSetting::Fixed(row) => row.flag,
            ConfigSetting::Editable(_, flag) => flag,
        }
    }

    /// Returns the sentence of help.
    pub fn about(self) -> &'static str {
        match self {
            ConfigSetting::Fixed(row) => row.about,
            ConfigSetting::Editable(row, _) => row.about,
        }
    }

    /// Returns the placeholder for the value in the help.
    pub(super) fn value_name(self) -> &'static str {
        match self {
            ConfigSetting::Fixed(row) => row.value_name,
            ConfigSetting::Editable(row, _) => row.value_name,
        }
    }

    /// Returns true if the interface can edit it.
    pub fn is_editable(self) -> bool {
        matches!(self, ConfigSetting::Editable(..))
    }

    /// Returns the environment variable: `cache-max-age` → `RECTO_CACHE_MAX_AGE`.
    pub fn env_name(self) -> String {
        format!("RECTO_{}", self.flag().replace('-', "_").to_ascii_uppercase())
    }

    /// Parses a value into the configuration. Returns a message if it is invalid.
    pub(super) fn take(self, config: &mut Config, text: &str) -> Result<(), String> {
        match self {
            ConfigSetting::Fixed(row) => (row.take)(config, text),
            ConfigSetting::Editable(row, _) => {
                let is_nullable = (row.show)(&EditableSettings::default()).is_null();
                let json = match text.trim().parse::<i64>() {
                    Ok(0) if is_nullable => Json::Null,
                    Ok(number) => number.into(),
                    Err(_) => text.into(),
                };
                let taken = (row.take)(&mut config.editable, &json);
                taken.map_err(|problems| match (row.schema)().get("maximum") {
                    // Here `0` stands for no value.
                    Some(most) if is_nullable => {
                        wording::not_whole_within(0, most.clone()).to_string()
                    }
                    _ => problems.to_string(),
                })
            }
        }
    }

    /// Returns the value in a configuration. A text cannot be `null`, so a missing value is `0`.
    pub(super) fn show(self, config: &Config) -> Value {
        match self {
            ConfigSetting::Fixed(row) => (row.show)(config),
            ConfigSetting::Editable(row, _) => match (row.show)(&config.editable) {
                Value::Null => json!(0),
                shown => shown,
            },
        }
    }

    /// Returns the value that applies if nothing else is configured.
    pub fn default_value(self) -> Value {
        // The help of every command shows the default of every setting.
        static DEFAULTS: LazyLock<Config> = LazyLock::new(Config::default);
        self.show(&DEFAULTS)
    }

    /// Returns true if a text names a file or a folder of the machine.
    pub(super) fn names_path(self, text: &str) -> bool {
        match self.value_name() {
            "DIR" | "FILE" => true,
            "TARGET" => !text.contains("://"),
            _ => false,
        }
    }

    /// Returns true if a text that is no valid value may hold a password all the same.
    pub(super) fn is_secret(self) -> bool {
        self.key() == "store"
    }

    /// Returns true if the value is a boolean.
    pub(super) fn is_switch(self) -> bool {
        self.default_value().is_boolean()
    }
}

/// All settings that a file, the environment or a flag can give. The first two locate the files
/// with the others.
pub fn settings() -> impl Iterator<Item = ConfigSetting> {
    let editable =
        EDITABLE.iter().filter_map(|row| row.flag.map(|flag| ConfigSetting::Editable(row, flag)));
    FIXED.iter().map(ConfigSetting::Fixed).chain(editable)
}

/// The settings that are fixed while the server runs.
static FIXED: &[FixedSetting] = &[
    FixedSetting {
        key: "data",
        flag: "data",
        value_name: "DIR",
        about: "The data folder; created with sample content if it does not exist",
        take: |it, text| assign(&mut it.data, value::parse_path(text)),
        show: |it| json!(it.data),
    },
    FixedSetting {
        key: "state_dir",
        flag: "state-dir",
        value_name: "DIR",
        about: "A directory outside the data folder for users, tokens, backups and caches",
        take: |it, text| assign(&mut it.state_dir, value::parse_path(text).map(Some)),
        show: |it| json!(it.state_dir.as_deref().unwrap_or(Path::new(""))),
    },
    FixedSetting {
        key: "store",
        flag: "store",
        value_name: "URL",
        about: "A PostgreSQL database that several servers share; the data folder is then a copy",
        take: |it, text| assign(&mut it.store, value::parse_store(text)),
        show: |it| json!(it.store.as_ref().map(StoreUrl::without_password).unwrap_or_default()),
    },
    FixedSetting {
        key: "read_only",
        flag: "read-only",
        value_name: "BOOL",
        about: "Never write to the data folder, not even caches, and take no lock",
        take: |it, text| assign(&mut it.read_only, value::parse_switch(text)),
        show: |it| json!(it.read_only),
    },
    FixedSetting {
        key: "listen",
        flag: "listen",
        value_name: "ADDR:PORT",
        about: "The address and port to listen on; port 0 picks a free one",
        take: |it, text| assign(&mut it.listen, value::parse_address(text)),
        show: |it| json!(it.listen),
    },
    FixedSetting {
        key: "tls.domains",
        flag: "tls-domains",
        value_name: "LIST",
        about: "The names of this server, for which it orders a certificate and serves HTTPS",
        take: |it, text| assign(&mut it.tls.domains, value::parse_domains(text)),
        show: |it| json!(it.tls.domains),
    },
    FixedSetting {
        key: "tls.email",
        flag: "tls-email",
        value_name: "ADDRESS",
        about: "The address that the authority writes to if a certificate is about to expire",
        take: |it, text| assign(&mut it.tls.email, value::parse_email(text)),
        show: |it| json!(it.tls.email.as_deref().unwrap_or_default()),
    },
    FixedSetting {
        key: "tls.listen",
        flag: "tls-listen",
        value_name: "ADDR:PORT",
        about: "The address and port of HTTPS; with it, `listen` only redirects",
        take: |it, text| assign(&mut it.tls.listen, value::parse_address(text)),
        show: |it| json!(it.tls.listen),
    },
    FixedSetting {
        key: "tls.cert",
        flag: "tls-cert",
        value_name: "FILE",
        about: "A certificate with its chain in PEM, instead of ordering one",
        take: |it, text| assign(&mut it.tls.cert, value::parse_file(text)),
        show: |it| json!(it.tls.cert.as_deref().unwrap_or(Path::new(""))),
    },
    FixedSetting {
        key: "tls.key",
        flag: "tls-key",
        value_name: "FILE",
        about: "The private key of `tls.cert` in PEM",
        take: |it, text| assign(&mut it.tls.key, value::parse_file(text)),
        show: |it| json!(it.tls.key.as_deref().unwrap_or(Path::new(""))),
    },
    FixedSetting {
        key: "tls.acme_url",
        flag: "tls-acme-url",
        value_name: "URL",
        about: "The ACME directory of the authority that issues certificates",
        take: |it, text| assign(&mut it.tls.acme_url, value::parse_directory_url(text)),
        show: |it| json!(it.tls.acme_url),
    },
    FixedSetting {
        key: "tls.acme_roots",
        flag: "tls-acme-roots",
        value_name: "FILE",
        about: "Certificates in PEM that are trusted for connections to a private authority",
        take: |it, text| assign(&mut it.tls.acme_roots, value::parse_file(text)),
        show: |it| json!(it.tls.acme_roots.as_deref().unwrap_or(Path::new(""))),
    },
    FixedSetting {
        key: "base_url",
        flag: "base-url",
        value_name: "URL",
        about: "The beginning of absolute URLs; if it has a path, everything is served below it",
        take: |it, text| assign(&mut it.base_url, value::parse_base_url(text).map(Some)),
        show: |it| json!(it.resolve_base_url(it.public_address()).as_str()),
    },
    FixedSetting {
        key: "workers",
        flag: "workers",
        value_name: "N",
        about: "The number of threads that answer requests",
        take: |it, text| assign(&mut it.workers, value::parse_positive(text)),
        show: |it| json!(it.workers),
    },
    FixedSetting {
        key: "log",
        flag: "log",
        value_name: "FORMAT",
        about: "The format of log lines: text or json",
        take: |it, text| assign(&mut it.log, value::parse_log_format(text)),
        show: |it| json!(it.log.as_str()),
    },
    FixedSetting {
        key: "log_level",
        flag: "log-level",
        value_name: "LEVEL",
        about: "The log level: error, warn, info or debug, also by module: \
                info,recto::http=debug",
        take: |it, text| assign(&mut it.log_level, value::parse_log_level(text)),
        show: |it| json!(it.log_level),
    },
    FixedSetting {
        key: "log_requests",
        flag: "log-requests",
        value_name: "WHICH",
        about: "The requests to log: none, errors or all",
        take: |it, text| assign(&mut it.log_requests, value::parse_log_requests(text)),
        show: |it| json!(it.log_requests.as_str()),
    },
    FixedSetting {
        key: "trusted_proxies",
        flag: "trusted-proxies",
        value_name: "LIST",
        about: "Addresses and networks of proxies whose X-Forwarded-* headers are trusted",
        take: |it, text| assign(&mut it.trusted_proxies, value::parse_networks(text)),
        show: |it| json!(it.trusted_proxies),
    },
    FixedSetting {
        key: "login.proxy_header",
        flag: "login-proxy-header",
        value_name: "HEADER",
        about: "The header in which a trusted proxy names the user who is logged in, such as \
                Remote-User; the proxy must set it in every request",
        take: |it, text| assign(&mut it.proxy_header, value::parse_login_header(text)),
        show: |it| json!(it.proxy_header.as_deref().unwrap_or_default()),
    },
    FixedSetting {
        key: "login.proxy_match",
        flag: "login-proxy-match",
        value_name: "WHAT",
        about: "The part of a user that the proxy names: username or email",
        take: |it, text| assign(&mut it.proxy_match, value::parse_proxy_match(text)),
        show: |it| json!(it.proxy_match.as_str()),
    },
    FixedSetting {
        key: "login.proxy_logout_url",
        flag: "login-proxy-logout-url",
        value_name: "URL",
        about: "The address to go to after logging out, where the proxy ends its own session",
        take: |it, text| assign(&mut it.proxy_logout_url, value::parse_logout_url(text)),
        show: |it| json!(it.proxy_logout_url.as_deref().unwrap_or_default()),
    },
    FixedSetting {
        key: "rate_limit.per_address",
        flag: "rate-limit-per-address",
        value_name: "N",
        about: "The requests a minute of one address (IPv6: /64) without a token; 0 for no limit",
        take: |it, text| assign(&mut it.rate_limits.per_address, value::parse_rate(text)),
        show: |it| json!(it.rate_limits.per_address),
    },
    FixedSetting {
        key: "rate_limit.per_token",
        flag: "rate-limit-per-token",
        value_name: "N",
        about: "The requests a minute with one token; 0 for no limit",
        take: |it, text| assign(&mut it.rate_limits.per_token, value::parse_rate(text)),
        show: |it| json!(it.rate_limits.per_token),
    },
    FixedSetting {
        key: "include.max_entries",
        flag: "include-max-entries",
        value_name: "N",
        about: "The maximum number of entries that one answer expands; an entry expanded twice \
                counts twice",
        take: |it, text| assign(&mut it.include.entries_max, value::parse_number(text)),
        show: |it| json!(it.include.entries_max),
    },
    FixedSetting {
        key: "include.max_bytes",
        flag: "include-max-bytes",
        value_name: "BYTES",
        about: "The maximum size in bytes of the entries that one answer expands",
        take: |it, text| assign(&mut it.include.bytes_max, value::parse_number(text)),
        show: |it| json!(it.include.bytes_max),
    },
    FixedSetting {
        key: "indexes.max_bytes",
        flag: "indexes-max-bytes",
        value_name: "BYTES",
        about: "Memory in bytes for the indexes that sorting, filtering and searching build",
        take: |it, text| assign(&mut it.index_bytes_max, value::parse_number(text)),
        show: |it| json!(it.index_bytes_max),
    },
    FixedSetting {
        key: "search.eager",
        flag: "search-eager",
        value_name: "BOOL",
        about: "Prepare types of 5,000 entries and more for searching after the start",
        take: |it, text| assign(&mut it.search_eager, value::parse_switch(text)),
        show: |it| json!(it.search_eager),
    },
    FixedSetting {
        key: "updates.url",
        flag: "updates-url",
        value_name: "URL",
        about: "The URL of the manifest of new versions; without it, Recto never looks for updates",
        take: |it, text| assign(&mut it.updates_url, value::parse_release_url(text)),
        show: |it| json!(it.updates_url.as_deref().unwrap_or_default()),
    },
    FixedSetting {
        key: "updates.public_key",
        flag: "updates-public-key",
        value_name: "KEY",
        about: "The Ed25519 public key that verifies new versions, in base64; downloads need it",
        take: |it, text| assign(&mut it.updates_key, value::parse_release_key(text)),
        show: |it| json!(it.updates_key.map(ReleaseKey::to_base64).unwrap_or_default()),
    },
    FixedSetting {
        key: "updates.allow_private",
        flag: "updates-allow-private",
        value_name: "BOOL",
        about: "Allow update servers in private networks, also without https",
        take: |it, text| assign(&mut it.updates_allow_private, value::parse_switch(text)),
        show: |it| json!(it.updates_allow_private),
    },
    FixedSetting {
        key: "backups.target",
        flag: "backups-target",
        value_name: "TARGET",
        about: "The place of scheduled backups: a directory, or s3://bucket/prefix; none are \
                made without it",
        take: |it, text| assign(&mut it.backups.target, backups::parse_target(text)),
        show: |it| json!(it.backups.target.as_ref().map(ToString::to_string).unwrap_or_default()),
    },
    FixedSetting {
        key: "backups.at",
        flag: "backups-at",
        value_name: "TIME",
        about: "The time of the scheduled backup of every day, in UTC",
        take: |it, text| assign(&mut it.backups.at, backups::parse_time(text)),
        show: |it| json!(it.backups.at.to_string()),
    },
    FixedSetting {
        key: "backups.keep_daily",
        flag: "backups-keep-daily",
        value_name: "N",
        about: "The number of days of which the last backup is kept",
        take: |it, text| assign(&mut it.backups.rule.daily, backups::parse_count(text)),
        show: |it| json!(it.backups.rule.daily),
    },
    FixedSetting {
        key: "backups.keep_weekly",
        flag: "backups-keep-weekly",
        value_name: "N",
        about: "The number of weeks of which the last backup is kept",
        take: |it, text| assign(&mut it.backups.rule.weekly, backups::parse_count(text)),
        show: |it| json!(it.backups.rule.weekly),
    },
    FixedSetting {
        key: "backups.keep_monthly",
        flag: "backups-keep-monthly",
        value_name: "N",
        about: "The number of months of which the last backup is kept",
        take: |it, text| assign(&mut it.backups.rule.monthly, backups::parse_count(text)),
        show: |it| json!(it.backups.rule.monthly),
    },
    FixedSetting {
        key: "backups.passphrase_file",
        flag: "backups-passphrase-file",
        value_name: "FILE",
        about: "The file with the passphrase that seals scheduled backups",
        take: |it, text| assign(&mut it.backups.passphrase_file, value::parse_file(text)),
        show: |it| json!(it.backups.passphrase_file.as_deref().unwrap_or(Path::new(""))),
    },
    FixedSetting {
        key: "backups.endpoint",
        flag: "backups-endpoint",
        value_name: "URL",
        about: "The URL of the server with the bucket, if it is not that of Amazon S3",
        take: |it, text| assign(&mut it.backups.endpoint, backups::parse_endpoint(text)),
        show: |it| json!(it.backups.endpoint.as_deref().unwrap_or_default()),
    },
    FixedSetting {
        key: "backups.region",
        flag: "backups-region",
        value_name: "NAME",
        about: "The region of the bucket",
        take: |it, text| assign(&mut it.backups.region, backups::parse_region(text)),
        show: |it| json!(it.backups.region),
    },
    FixedSetting {
        key: "backups.credentials_file",
        flag: "backups-credentials-file",
        value_name: "FILE",
        about: "The file with the keys of the bucket, in the format of the tools of AWS",
        take: |it, text| assign(&mut it.backups.credentials_file, value::parse_file(text)),
        show: |it| json!(it.backups.credentials_file.as_deref().unwrap_or(Path::new(""))),
    },
    FixedSetting {
        key: "connections_max",
        flag: "connections-max",
        value_name: "N",
        about: "The maximum number of concurrent connections",
        take: |it, text| assign(&mut it.connections_max, value::parse_positive(text)),
        show: |it| json!(it.connections_max),
    },
    FixedSetting {
        key: "connections_per_client_max",
        flag: "connections-per-client-max",
        value_name: "N",
        about: "The maximum number of concurrent connections of one client; 0 for no limit",
        take: |it, text| assign(&mut it.connections_per_client_max, value::parse_number(text)),
        show: |it| json!(it.connections_per_client_max),
    },
    FixedSetting {
        key: "requests_per_connection_max",
        flag: "requests-per-connection-max",
        value_name: "N",
        about: "The number of requests after which a connection is closed; 0 for no limit",
        take: |it, text| assign(&mut it.requests_per_connection_max, value::parse_number(text)),
        show: |it| json!(it.requests_per_connection_max),
    },
    FixedSetting {
        key: "live.max_streams_per_user",
        flag: "live-max-streams-per-user",
        value_name: "N",
        about: "The maximum number of concurrent live streams of one user; 0 for no limit",
        take: |it, text| assign(&mut it.live_streams_of_one_max, value::parse_number(text)),
        show: |it| json!(it.live_streams_of_one_max),
    },
    FixedSetting {
        key: "live.max_anonymous_streams",
        flag: "live-max-anonymous-streams",
        value_name: "N",
        about: "The maximum number of concurrent event streams of readers without a token; 0 for \
                none",
        take: |it, text| assign(&mut it.live_streams_anonymous_max, value::parse_number(text)),
        show: |it| json!(it.live_streams_anonymous_max),
    },
    FixedSetting {
        key: "cache.tag_header",
        flag: "cache-tag-header",
        value_name: "NAME",
        about: "The header for cache tags of anonymous answers: Cache-Tag, Surrogate-Key, xkey or \
                none",
        take: |it, text| assign(&mut it.cache_tag_header, value::parse_tag_header(text)),
        show: |it| json!(it.cache_tag_header.as_str()),
    },
    FixedSetting {
        key: "metrics_public",
        flag: "metrics-public",
        value_name: "BOOL",
        about: "Serve /metrics to everybody, not only to this machine and to tokens",
        take: |it, text| assign(&mut it.metrics_public, value::parse_switch(text)),
        show: |it| json!(it.metrics_public),
    },
    FixedSetting {
        key: "webhooks.allow_private",
        flag: "webhooks-allow-private",
        value_name: "BOOL",
        about: "Allow webhooks to this machine and to private networks, on any port",
        take: |it, text| assign(&mut it.webhooks_allow_private, value::parse_switch(text)),
        show: |it| json!(it.webhooks_allow_private),
    },
    FixedSetting {
        key: "drain_seconds",
        flag: "drain-seconds",
        value_name: "SECONDS",
        about: "Seconds that running requests may take once the server stops",
        take: |it, text| assign(&mut it.drain, value::parse_seconds(text)),
        show: |it| json!(it.drain.as_secs()),
    },
];
