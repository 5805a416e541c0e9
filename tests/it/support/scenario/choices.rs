//! What a scenario decides before its data folder is opened.

use recto::app::Settings;
use recto::app::people::sessions::ProxyMatch;
use recto::http::request::rate_limit::RateLimits;
use recto::http::request::state::CacheTagHeader;
use recto::http::request::state::LogRequests;
use recto::http::request::state::ProxyLogin;
use recto::http::request::state::ServiceOptions;
use recto::http::wire::headers::Networks;
use recto::net::http_client::Outgoing;
use recto::net::http_client::OutgoingLimits;
use recto::net::http_client::OutgoingPolicy;
use recto::net::webhook_delivery::WebhookClient;

use crate::support::release_server::Published;
use crate::support::webhook_receiver::Receiver;

/// What is decided before the data folder is opened.
pub(super) struct Choices {
    pub(super) fixture: String,
    pub(super) base_url: String,
    pub(super) read_only: bool,
    pub(super) follow: bool,
    pub(super) settings: Settings,
    /// Who takes webhooks, with the status that the path names.
    pub(super) receiver: Option<Receiver>,
    pub(super) updates_url: Option<String>,
    #[cfg(target_os = "linux")]
    pub(super) release: Option<Published>,
    pub(super) options: ServiceOptions,
}

impl Default for Choices {
    fn default() -> Choices {
        let options = ServiceOptions { log_requests: LogRequests::None, ..Default::default() };
        Choices {
            fixture: String::new(),
            base_url: "https://cms.test".to_string(),
            read_only: false,
            follow: false,
            settings: Settings::default(),
            receiver: None,
            updates_url: None,
            #[cfg(target_os = "linux")]
            release: None,
            options,
        }
    }
}

impl Choices {
    /// Takes a line, if it is a choice.
    pub(super) fn take(&mut self, line: &str) -> bool {
        let (key, value) = line.split_once(' ').unwrap_or((line, ""));
        match key {
            "base-url" => self.base_url = value.to_string(),
            "base-path" => self.options.base_path = value.to_string(),
            "read-only" => self.read_only = true,
            "follow" => self.follow = true,
            "limit-max" => self.settings.editable.list_limit_max = value.parse().unwrap(),
            "include-max" => self.settings.include.entries_max = value.parse().unwrap(),
            "upload-max" => self.settings.editable.uploads.file_bytes_max = value.parse().unwrap(),
            "max-age" => self.settings.editable.max_age_seconds = value.parse().unwrap(),
            "stale" => {
                self.settings.editable.stale_while_revalidate_seconds = value.parse().unwrap();
            }
            "cors" => {
                self.settings.editable.cors_origins = value.split(' ').map(String::from).collect();
            }
            "pinned" => {
                let (key, source) = value.split_once(' ').unwrap();
                self.settings.pinned.insert(key.to_string(), source.to_string());
            }
            "updates-url" => self.updates_url = Some(value.to_string()),
            #[cfg(target_os = "linux")]
            "release" => {
                self.release = Some(Published::new(value));
                self.options.updates_allow_private = true;
            }
            "anonymous-streams" => self.options.live_streams_anonymous_max = 9,
            "cache-tags" => {
                self.options.cache_tag_header = CacheTagHeader::parse(value).unwrap();
            }
            "trusted" => {
                self.options.trusted_proxies = Networks::parse(&[value]).unwrap();
            }
            "proxy-login" => {
                let (header, by) = value.split_once(' ').unwrap();
                self.options.proxy_login = Some(ProxyLogin {
                    header: header.parse().unwrap(),
                    by: ProxyMatch::parse(by).unwrap(),
                    logout_url: Some("https://auth.test/logout?a&b".to_string()),
                });
            }
            "rate-limits" => {
                let (per_address, per_token) = value.split_once(' ').unwrap();
                self.options.rate_limits = RateLimits {
                    per_address: per_address.parse().unwrap(),
                    per_token: per_token.parse().unwrap(),
                };
            }
            "metrics-public" => self.options.metrics_public = true,
            "local-alone" => self.options.local_alone = true,
            "receiver" => {
                let inside = Outgoing::new(OutgoingPolicy::new(true));
                let client = WebhookClient::new(inside, OutgoingLimits::SHORT);
                self.options.webhook_client = client.into();
                self.receiver = Some(Receiver::of_paths());
            }
            _ => return false,
        }
        true
    }
}
