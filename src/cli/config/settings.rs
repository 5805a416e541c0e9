//! The one table of settings.

use serde_json::Value;
use serde_json::json;

use crate::cli::config::Config;
use crate::cli::config::value;
use crate::cli::config::value::set;
use crate::model::release::ReleaseKey;

/// One setting.
#[derive(Debug)]
pub struct Setting {
    /// Its name in the files, with dots where tables nest.
    pub key: &'static str,
    /// Its name on the command line, without dashes in front; also that of its variable.
    pub flag: &'static str,
    /// What stands for the value in the help.
    pub value_name: &'static str,
    /// A sentence of help.
    pub about: &'static str,
    /// Whether people edit it in the interface, which keeps it in `system/settings.json`.
    pub interface: bool,
    /// Puts a value in its place, or says what is wrong with it.
    pub(super) take: fn(&mut Config, &str) -> Result<(), String>,
    /// The value.
    pub(super) show: fn(&Config) -> Value,
}

impl Setting {
    /// The environment variable: `cache-max-age` → `RECTO_CACHE_MAX_AGE`.
    pub fn env(&self) -> String {
        format!("RECTO_{}", self.flag.replace('-', "_").to_ascii_uppercase())
    }

    /// Whether it is either on or off.
    pub(super) fn is_switch(&self) -> bool {
        (self.show)(&Config::default()).is_boolean()
    }
}

/// All settings. `data` is the first: it says where the files with the others are.
pub static SETTINGS: &[Setting] = &[
    Setting {
        key: "data",
        flag: "data",
        value_name: "DIR",
        about: "The data folder; made from the sample content when there is none",
        interface: false,
        take: |it, text| set(&mut it.data, value::path(text)),
        show: |it| json!(it.data),
    },
    Setting {
        key: "listen",
        flag: "listen",
        value_name: "ADDR:PORT",
        about: "Where connections are accepted; port 0 takes a free one",
        interface: false,
        take: |it, text| set(&mut it.listen, value::address(text)),
        show: |it| json!(it.listen),
    },
    Setting {
        key: "base_url",
        flag: "base-url",
        value_name: "URL",
        about: "What absolute URLs begin with; may carry a path, below which everything then is",
        interface: false,
        take: |it, text| set(&mut it.base_url, value::base_url(text).map(Some)),
        show: |it| json!(it.base_url_at(it.listen).as_str()),
    },
    Setting {
        key: "read_only",
        flag: "read-only",
        value_name: "BOOL",
        about: "Write nothing into the data folder, not even caches, and take no lock",
        interface: false,
        take: |it, text| set(&mut it.read_only, value::switch(text)),
        show: |it| json!(it.read_only),
    },
    Setting {
        key: "workers",
        flag: "workers",
        value_name: "N",
        about: "Threads that answer requests; as many as there are cores unless given",
        interface: false,
        take: |it, text| set(&mut it.workers, value::at_least_one(text)),
        show: |it| json!(it.workers),
    },
    Setting {
        key: "log",
        flag: "log",
        value_name: "FORMAT",
        about: "The form of log lines: text or json",
        interface: false,
        take: |it, text| set(&mut it.log, value::log_format(text)),
        show: |it| json!(it.log.as_str()),
    },
    Setting {
        key: "log_level",
        flag: "log-level",
        value_name: "LEVEL",
        about: "What is logged: error, warn, info, debug, trace, also by part: info,recto::http=debug",
        interface: false,
        take: |it, text| set(&mut it.log_level, value::log_level(text)),
        show: |it| json!(it.log_level),
    },
    Setting {
        key: "log_requests",
        flag: "log-requests",
        value_name: "WHICH",
        about: "Which requests are logged: none, errors or all",
        interface: false,
        take: |it, text| set(&mut it.log_requests, value::log_requests(text)),
        show: |it| json!(value::log_requests_name(it.log_requests)),
    },
    Setting {
        key: "trusted_proxies",
        flag: "trusted-proxies",
        value_name: "LIST",
        about: "Addresses and networks of proxies whose X-Forwarded-* headers count",
        interface: false,
        take: |it, text| set(&mut it.trusted_proxies, value::networks(text)),
        show: |it| json!(it.trusted_proxies),
    },
    Setting {
        key: "cors.origins",
        flag: "cors-origins",
        value_name: "LIST",
        about: "Origins whose pages may read the public API, * for all; nothing for none",
        interface: true,
        take: |it, text| set(&mut it.cors_origins, value::origins(text)),
        show: |it| json!(it.cors_origins),
    },
    Setting {
        key: "cache.max_age",
        flag: "cache-max-age",
        value_name: "SECONDS",
        about: "How long caches may keep an anonymous answer without asking again",
        interface: true,
        take: |it, text| set(&mut it.cache_max_age_seconds, value::number(text)),
        show: |it| json!(it.cache_max_age_seconds),
    },
    Setting {
        key: "cache.stale_while_revalidate",
        flag: "cache-stale-while-revalidate",
        value_name: "SECONDS",
        about: "How long after that caches may still use it while they ask again",
        interface: true,
        take: |it, text| set(&mut it.cache_stale_seconds, value::number(text)),
        show: |it| json!(it.cache_stale_seconds),
    },
    Setting {
        key: "lists.max_limit",
        flag: "lists-max-limit",
        value_name: "N",
        about: "The most entries one list gives; 0 for no limit",
        interface: true,
        take: |it, text| set(&mut it.list_limit_max, value::number(text)),
        show: |it| json!(it.list_limit_max),
    },
    Setting {
        key: "include.max_entries",
        flag: "include-max-entries",
        value_name: "N",
        about: "The most entries that one answer expands; an entry that is expanded twice counts twice",
        interface: false,
        take: |it, text| set(&mut it.include.entries_max, value::number(text)),
        show: |it| json!(it.include.entries_max),
    },
    Setting {
        key: "include.max_bytes",
        flag: "include-max-bytes",
        value_name: "BYTES",
        about: "The most bytes of entries that one answer expands",
        interface: false,
        take: |it, text| set(&mut it.include.bytes_max, value::number(text)),
        show: |it| json!(it.include.bytes_max),
    },
    Setting {
        key: "indexes.max_bytes",
        flag: "indexes-max-bytes",
        value_name: "BYTES",
        about: "Memory for what sorting, filtering and searching keep beside the entries",
        interface: false,
        take: |it, text| set(&mut it.index_bytes_max, value::number(text)),
        show: |it| json!(it.index_bytes_max),
    },
    Setting {
        key: "upload.max_bytes",
        flag: "upload-max-bytes",
        value_name: "BYTES",
        about: "The largest file that can be uploaded",
        interface: true,
        take: |it, text| set(&mut it.uploads.file_bytes_max, value::number(text)),
        show: |it| json!(it.uploads.file_bytes_max),
    },
    Setting {
        key: "upload.allowed_types",
        flag: "upload-allowed-types",
        value_name: "LIST",
        about: "MIME types of files that can be uploaded, like image/*, of those that are known; nothing for all",
        interface: true,
        take: |it, text| set(&mut it.uploads.types, Ok(value::list(text))),
        show: |it| json!(it.uploads.types),
    },
    Setting {
        key: "max_revisions",
        flag: "max-revisions",
        value_name: "N",
        about: "How many revisions of an entry are kept; 0 for none, -1 for all",
        interface: true,
        take: |it, text| set(&mut it.revisions_kept_max, value::revisions(text)),
        show: |it| json!(it.revisions_kept_max),
    },
    Setting {
        key: "trash_retention_days",
        flag: "trash-retention-days",
        value_name: "DAYS",
        about: "How long deleted entries stay in the trash; 0 for ever",
        interface: true,
        take: |it, text| set(&mut it.trash_retention_days, value::days(text)),
        show: |it| json!(it.trash_retention_days),
    },
    Setting {
        key: "updates.url",
        flag: "updates-url",
        value_name: "URL",
        about: "Where the manifest of the newest release is; nothing is asked without it",
        interface: false,
        take: |it, text| set(&mut it.updates_url, value::release_url(text)),
        show: |it| json!(it.updates_url.as_deref().unwrap_or_default()),
    },
    Setting {
        key: "updates.public_key",
        flag: "updates-public-key",
        value_name: "KEY",
        about: "The Ed25519 key that releases are signed with, in base64; nothing is downloaded without it",
        interface: false,
        take: |it, text| set(&mut it.updates_key, value::release_key(text)),
        show: |it| json!(it.updates_key.map(ReleaseKey::to_base64).unwrap_or_default()),
    },
    Setting {
        key: "updates.allow_private",
        flag: "updates-allow-private",
        value_name: "BOOL",
        about: "Ask release servers inside the own network too, also without https",
        interface: false,
        take: |it, text| set(&mut it.updates_allow_private, value::switch(text)),
        show: |it| json!(it.updates_allow_private),
    },
    Setting {
        key: "connections_max",
        flag: "connections-max",
        value_name: "N",
        about: "Connections at the same time; half of the files that may be open unless given",
        interface: false,
        take: |it, text| set(&mut it.connections_max, value::at_least_one(text)),
        show: |it| json!(it.connections_max),
    },
    Setting {
        key: "connections_per_client_max",
        flag: "connections-per-client-max",
        value_name: "N",
        about: "Connections of one client at the same time; 0 for any number",
        interface: false,
        take: |it, text| set(&mut it.connections_per_client_max, value::number(text)),
        show: |it| json!(it.connections_per_client_max),
    },
    Setting {
        key: "requests_per_connection_max",
        flag: "requests-per-connection-max",
        value_name: "N",
        about: "Requests on one connection before it is closed; 0 for any number",
        interface: false,
        take: |it, text| set(&mut it.requests_per_connection_max, value::number(text)),
        show: |it| json!(it.requests_per_connection_max),
    },
    Setting {
        key: "live.max_streams_per_user",
        flag: "live-max-streams-per-user",
        value_name: "N",
        about: "Live streams of one user at the same time; 0 for any number",
        interface: false,
        take: |it, text| set(&mut it.live_streams_of_one_max, value::number(text)),
        show: |it| json!(it.live_streams_of_one_max),
    },
    Setting {
        key: "metrics_public",
        flag: "metrics-public",
        value_name: "BOOL",
        about: "Answer /metrics to everybody, not to this machine and tokens alone",
        interface: false,
        take: |it, text| set(&mut it.metrics_public, value::switch(text)),
        show: |it| json!(it.metrics_public),
    },
    Setting {
        key: "webhooks.allow_private",
        flag: "webhooks-allow-private",
        value_name: "BOOL",
        about: "Let webhooks lead to this machine and private networks, on any port",
        interface: false,
        take: |it, text| set(&mut it.webhooks_allow_private, value::switch(text)),
        show: |it| json!(it.webhooks_allow_private),
    },
    Setting {
        key: "drain_seconds",
        flag: "drain-seconds",
        value_name: "SECONDS",
        about: "How long requests under way may take once the server stops",
        interface: false,
        take: |it, text| set(&mut it.drain, value::seconds(text)),
        show: |it| json!(it.drain.as_secs()),
    },
];
