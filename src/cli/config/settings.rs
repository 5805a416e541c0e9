//! The table of settings.

use std::path::Path;

use serde_json::Value;
use serde_json::json;

use crate::cli::config::Config;
use crate::cli::config::value;
use crate::cli::config::value::assign;
use crate::model::release::ReleaseKey;

/// One setting.
#[derive(Debug)]
pub struct Setting {
    /// The key in the files, with dots for nested tables.
    pub key: &'static str,
    /// The flag without its dashes; the name of the environment variable derives from it.
    pub flag: &'static str,
    /// The placeholder for the value in the help.
    pub value_name: &'static str,
    /// The sentence of help.
    pub about: &'static str,
    /// True if the interface can edit it; the value is then kept in `system/settings.json`.
    pub interface: bool,
    /// Parses a value into the configuration. Returns a message if it is invalid.
    pub(super) take: fn(&mut Config, &str) -> Result<(), String>,
    /// Returns the value in a configuration.
    pub(super) show: fn(&Config) -> Value,
}

impl Setting {
    /// Returns the environment variable: `cache-max-age` → `RECTO_CACHE_MAX_AGE`.
    pub fn env_name(&self) -> String {
        format!("RECTO_{}", self.flag.replace('-', "_").to_ascii_uppercase())
    }

    /// Returns true if the value is a boolean.
    pub(super) fn is_switch(&self) -> bool {
        (self.show)(&Config::default()).is_boolean()
    }
}

/// All settings. The first two locate the files with the others.
pub static SETTINGS: &[Setting] = &[
    Setting {
        key: "data",
        flag: "data",
        value_name: "DIR",
        about: "The data folder; created with sample content if it does not exist",
        interface: false,
        take: |it, text| assign(&mut it.data, value::parse_path(text)),
        show: |it| json!(it.data),
    },
    Setting {
        key: "state_dir",
        flag: "state-dir",
        value_name: "DIR",
        about: "A directory outside the data folder for users, tokens, backups and caches",
        interface: false,
        take: |it, text| assign(&mut it.state_dir, value::parse_path(text).map(Some)),
        show: |it| json!(it.state_dir.as_deref().unwrap_or(Path::new(""))),
    },
    Setting {
        key: "listen",
        flag: "listen",
        value_name: "ADDR:PORT",
        about: "The address and port to listen on; port 0 picks a free one",
        interface: false,
        take: |it, text| assign(&mut it.listen, value::parse_address(text)),
        show: |it| json!(it.listen),
    },
    Setting {
        key: "base_url",
        flag: "base-url",
        value_name: "URL",
        about: "The beginning of absolute URLs; if it has a path, everything is served below it",
        interface: false,
        take: |it, text| assign(&mut it.base_url, value::parse_base_url(text).map(Some)),
        show: |it| json!(it.resolve_base_url(it.listen).as_str()),
    },
    Setting {
        key: "read_only",
        flag: "read-only",
        value_name: "BOOL",
        about: "Never write to the data folder, not even caches, and take no lock",
        interface: false,
        take: |it, text| assign(&mut it.read_only, value::parse_switch(text)),
        show: |it| json!(it.read_only),
    },
    Setting {
        key: "workers",
        flag: "workers",
        value_name: "N",
        about: "The number of threads that answer requests",
        interface: false,
        take: |it, text| assign(&mut it.workers, value::parse_positive(text)),
        show: |it| json!(it.workers),
    },
    Setting {
        key: "log",
        flag: "log",
        value_name: "FORMAT",
        about: "The format of log lines: text or json",
        interface: false,
        take: |it, text| assign(&mut it.log, value::parse_log_format(text)),
        show: |it| json!(it.log.as_str()),
    },
    Setting {
        key: "log_level",
        flag: "log-level",
        value_name: "LEVEL",
        about: "The log level: error, warn, info, debug or trace, also by module: info,recto::http=debug",
        interface: false,
        take: |it, text| assign(&mut it.log_level, value::parse_log_level(text)),
        show: |it| json!(it.log_level),
    },
    Setting {
        key: "log_requests",
        flag: "log-requests",
        value_name: "WHICH",
        about: "The requests to log: none, errors or all",
        interface: false,
        take: |it, text| assign(&mut it.log_requests, value::parse_log_requests(text)),
        show: |it| json!(value::format_log_requests(it.log_requests)),
    },
    Setting {
        key: "trusted_proxies",
        flag: "trusted-proxies",
        value_name: "LIST",
        about: "Addresses and networks of proxies whose X-Forwarded-* headers are trusted",
        interface: false,
        take: |it, text| assign(&mut it.trusted_proxies, value::parse_networks(text)),
        show: |it| json!(it.trusted_proxies),
    },
    Setting {
        key: "cors.origins",
        flag: "cors-origins",
        value_name: "LIST",
        about: "Origins whose pages may read the public API; * for all, empty for none",
        interface: true,
        take: |it, text| assign(&mut it.cors_origins, value::parse_origins(text)),
        show: |it| json!(it.cors_origins),
    },
    Setting {
        key: "cache.max_age",
        flag: "cache-max-age",
        value_name: "SECONDS",
        about: "Seconds for which caches may reuse an anonymous answer without asking again",
        interface: true,
        take: |it, text| assign(&mut it.cache_max_age_seconds, value::parse_number(text)),
        show: |it| json!(it.cache_max_age_seconds),
    },
    Setting {
        key: "cache.stale_while_revalidate",
        flag: "cache-stale-while-revalidate",
        value_name: "SECONDS",
        about: "Seconds after that for which caches may still use it while they ask again",
        interface: true,
        take: |it, text| assign(&mut it.cache_stale_seconds, value::parse_number(text)),
        show: |it| json!(it.cache_stale_seconds),
    },
    Setting {
        key: "lists.max_limit",
        flag: "lists-max-limit",
        value_name: "N",
        about: "The maximum number of entries in a list; 0 for no limit",
        interface: true,
        take: |it, text| assign(&mut it.list_limit_max, value::parse_number(text)),
        show: |it| json!(it.list_limit_max),
    },
    Setting {
        key: "include.max_entries",
        flag: "include-max-entries",
        value_name: "N",
        about: "The maximum number of entries that one answer expands; an entry expanded twice counts twice",
        interface: false,
        take: |it, text| assign(&mut it.include.entries_max, value::parse_number(text)),
        show: |it| json!(it.include.entries_max),
    },
    Setting {
        key: "include.max_bytes",
        flag: "include-max-bytes",
        value_name: "BYTES",
        about: "The maximum size in bytes of the entries that one answer expands",
        interface: false,
        take: |it, text| assign(&mut it.include.bytes_max, value::parse_number(text)),
        show: |it| json!(it.include.bytes_max),
    },
    Setting {
        key: "indexes.max_bytes",
        flag: "indexes-max-bytes",
        value_name: "BYTES",
        about: "Memory in bytes for the indexes that sorting, filtering and searching build",
        interface: false,
        take: |it, text| assign(&mut it.index_bytes_max, value::parse_number(text)),
        show: |it| json!(it.index_bytes_max),
    },
    Setting {
        key: "upload.max_bytes",
        flag: "upload-max-bytes",
        value_name: "BYTES",
        about: "The maximum size in bytes of an uploaded file",
        interface: true,
        take: |it, text| assign(&mut it.uploads.file_bytes_max, value::parse_number(text)),
        show: |it| json!(it.uploads.file_bytes_max),
    },
    Setting {
        key: "upload.allowed_types",
        flag: "upload-allowed-types",
        value_name: "LIST",
        about: "Accepted MIME types of uploads, such as image/*; empty for all supported types",
        interface: true,
        take: |it, text| assign(&mut it.uploads.types, Ok(value::split_list(text))),
        show: |it| json!(it.uploads.types),
    },
    Setting {
        key: "max_revisions",
        flag: "max-revisions",
        value_name: "N",
        about: "The number of revisions kept for each entry; 0 for none, -1 for all",
        interface: true,
        take: |it, text| assign(&mut it.revisions_kept_max, value::parse_revisions(text)),
        show: |it| json!(it.revisions_kept_max),
    },
    Setting {
        key: "trash_retention_days",
        flag: "trash-retention-days",
        value_name: "DAYS",
        about: "Days after which deleted entries leave the trash; 0 for never",
        interface: true,
        take: |it, text| assign(&mut it.trash_retention_days, value::parse_days(text)),
        show: |it| json!(it.trash_retention_days),
    },
    Setting {
        key: "updates.url",
        flag: "updates-url",
        value_name: "URL",
        about: "The URL of the release manifest; without it, Recto never looks for updates",
        interface: false,
        take: |it, text| assign(&mut it.updates_url, value::parse_release_url(text)),
        show: |it| json!(it.updates_url.as_deref().unwrap_or_default()),
    },
    Setting {
        key: "updates.public_key",
        flag: "updates-public-key",
        value_name: "KEY",
        about: "The Ed25519 public key that verifies releases, in base64; downloads need it",
        interface: false,
        take: |it, text| assign(&mut it.updates_key, value::parse_release_key(text)),
        show: |it| json!(it.updates_key.map(ReleaseKey::to_base64).unwrap_or_default()),
    },
    Setting {
        key: "updates.allow_private",
        flag: "updates-allow-private",
        value_name: "BOOL",
        about: "Allow release servers in private networks, also without https",
        interface: false,
        take: |it, text| assign(&mut it.updates_allow_private, value::parse_switch(text)),
        show: |it| json!(it.updates_allow_private),
    },
    Setting {
        key: "connections_max",
        flag: "connections-max",
        value_name: "N",
        about: "The maximum number of concurrent connections",
        interface: false,
        take: |it, text| assign(&mut it.connections_max, value::parse_positive(text)),
        show: |it| json!(it.connections_max),
    },
    Setting {
        key: "connections_per_client_max",
        flag: "connections-per-client-max",
        value_name: "N",
        about: "The maximum number of concurrent connections of one client; 0 for no limit",
        interface: false,
        take: |it, text| assign(&mut it.connections_per_client_max, value::parse_number(text)),
        show: |it| json!(it.connections_per_client_max),
    },
    Setting {
        key: "requests_per_connection_max",
        flag: "requests-per-connection-max",
        value_name: "N",
        about: "The number of requests after which a connection is closed; 0 for no limit",
        interface: false,
        take: |it, text| assign(&mut it.requests_per_connection_max, value::parse_number(text)),
        show: |it| json!(it.requests_per_connection_max),
    },
    Setting {
        key: "live.max_streams_per_user",
        flag: "live-max-streams-per-user",
        value_name: "N",
        about: "The maximum number of concurrent live streams of one user; 0 for no limit",
        interface: false,
        take: |it, text| assign(&mut it.live_streams_of_one_max, value::parse_number(text)),
        show: |it| json!(it.live_streams_of_one_max),
    },
    Setting {
        key: "metrics_public",
        flag: "metrics-public",
        value_name: "BOOL",
        about: "Serve /metrics to everybody, not only to this machine and to tokens",
        interface: false,
        take: |it, text| assign(&mut it.metrics_public, value::parse_switch(text)),
        show: |it| json!(it.metrics_public),
    },
    Setting {
        key: "webhooks.allow_private",
        flag: "webhooks-allow-private",
        value_name: "BOOL",
        about: "Allow webhooks to this machine and to private networks, on any port",
        interface: false,
        take: |it, text| assign(&mut it.webhooks_allow_private, value::parse_switch(text)),
        show: |it| json!(it.webhooks_allow_private),
    },
    Setting {
        key: "drain_seconds",
        flag: "drain-seconds",
        value_name: "SECONDS",
        about: "Seconds that running requests may take once the server stops",
        interface: false,
        take: |it, text| assign(&mut it.drain, value::parse_seconds(text)),
        show: |it| json!(it.drain.as_secs()),
    },
];
