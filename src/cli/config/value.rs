//! The parsers of the values of settings. Every source gives them as text.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use http::HeaderName;
use http::Uri;
use http::header;
use serde_json::Value;
use tracing_subscriber::filter::LevelFilter;
use tracing_subscriber::filter::Targets;

use crate::app::people::sessions::ProxyMatch;
use crate::cli::config::store_url::StoreUrl;
use crate::http::request::rate_limit::RATE_MAX;
use crate::http::request::state::CacheTagHeader;
use crate::http::request::state::LogRequests;
use crate::http::wire::headers::Networks;
use crate::model::release::ReleaseKey;
use crate::stdx::text_enum::text_enum;
use crate::stdx::web_url::WebUrl;

/// Parses the address of a database; nothing if it is empty.
pub(super) fn parse_store(text: &str) -> Result<Option<StoreUrl>, String> {
    if text.is_empty() {
        return Ok(None);
    }
    let url = StoreUrl::parse(text);
    url.map(Some).ok_or_else(|| "must be an address like `postgres://user@host/name`".to_owned())
}

/// The longest time for running requests to finish at a stop: a day.
const DRAIN_SECONDS_MAX: u64 = 86_400;

text_enum! {
    /// The format of log lines.
    pub enum LogFormat {
        /// Text for people.
        Text = "text",
        /// One JSON object a line, for machines.
        Json = "json",
    }
}

/// The prefix of absolute URLs: scheme, host and perhaps a path, without a trailing slash.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BaseUrl {
    text: String,
    path_at: usize,
}

/// The port that an `https` URL need not name.
const HTTPS_PORT: u16 = 443;

impl BaseUrl {
    /// Returns the URL of a host on plain HTTP.
    pub(super) fn of_host(host: &str, port: u16) -> BaseUrl {
        let text = format!("http://{host}:{port}");
        BaseUrl { path_at: text.len(), text }
    }

    /// Returns the URL of a host with TLS.
    pub(super) fn of_secure_host(host: &str, port: u16) -> BaseUrl {
        let port = if port == HTTPS_PORT { String::new() } else { format!(":{port}") };
        let text = format!("https://{host}{port}");
        BaseUrl { path_at: text.len(), text }
    }

    /// Returns the scheme, the host and the port, without the path.
    pub fn origin(&self) -> &str {
        self.text.get(..self.path_at).unwrap_or_default()
    }

    /// Returns the whole URL.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the path below which everything is served: empty, or like `/cms`.
    pub fn path(&self) -> &str {
        self.text.get(self.path_at..).unwrap_or_default()
    }
}

pub(super) fn parse_path(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    if text.is_empty() { Err("name a folder".to_owned()) } else { Ok(path) }
}

/// Parses the path of a file; an empty one is none.
pub(super) fn parse_file(text: &str) -> Result<Option<PathBuf>, String> {
    Ok((!text.is_empty()).then(|| PathBuf::from(text)))
}

/// Parses names of hosts, separated by commas or spaces.
pub(super) fn parse_domains(text: &str) -> Result<Vec<String>, String> {
    let names = text.split([',', ' ']).map(str::trim).filter(|it| !it.is_empty());
    let names: Vec<String> = names.map(str::to_ascii_lowercase).collect();
    let legal = |name: &String| {
        let part = |it: &str| {
            let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
            !it.is_empty() && it.len() <= 63 && !it.starts_with('-') && it.bytes().all(plain)
        };
        let is_address = name.parse::<std::net::IpAddr>().is_ok();
        name.len() <= 253 && name.split('.').all(part) && !is_address
    };
    match names.iter().find(|it| !legal(it)) {
        Some(name) => Err(format!("`{name}` is not a name such as cms.example.org")),
        None => Ok(names),
    }
}

/// Parses the URL of an ACME directory.
pub(super) fn parse_directory_url(text: &str) -> Result<String, String> {
    WebUrl::parse(text).map(|_| text.to_owned()).map_err(str::to_owned)
}

/// Parses an e-mail address; an empty one is none.
pub(super) fn parse_email(text: &str) -> Result<Option<String>, String> {
    match text.split_once('@') {
        None if text.is_empty() => Ok(None),
        Some((name, host)) if !name.is_empty() && !host.is_empty() => Ok(Some(text.to_owned())),
        _ => Err("write an address such as admin@example.org".to_owned()),
    }
}

pub(super) fn parse_address(text: &str) -> Result<SocketAddr, String> {
    let numeric = text.strip_prefix("localhost:").map(|port| format!("127.0.0.1:{port}"));
    let parsed = numeric.as_deref().unwrap_or(text).parse();
    parsed.map_err(|_| "write an address and a port, such as 127.0.0.1:8080 or [::]:80".to_owned())
}

pub(super) fn parse_base_url(text: &str) -> Result<BaseUrl, String> {
    let sentence = |text: &str| Err(text.to_owned());
    if text.contains(['?', '#']) {
        return sentence("it may have a path, but no query and no fragment");
    }
    let text = text.trim_end_matches('/');
    let Ok(uri) = text.parse::<Uri>() else { return sentence("this is not a URL") };
    let (Some(scheme), Some(authority)) = (uri.scheme_str(), uri.authority()) else {
        return sentence("write all of it, such as https://example.org or https://example.org/cms");
    };
    if !matches!(scheme, "http" | "https") {
        return sentence("the scheme must be http or https");
    }
    if authority.host().is_empty() || authority.as_str().contains('@') {
        return sentence("name a host, and no user");
    }
    let path = uri.path().trim_end_matches('/');
    let legal = |part: &str| {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte);
        !part.is_empty() && part != "." && part != ".." && part.bytes().all(plain)
    };
    if !path.split('/').skip(1).all(legal) {
        return sentence(
            "the path must consist of letters, digits and - _ . ~ between single slashes",
        );
    }
    // Scheme and host ignore case, but clients compare URLs as text.
    let origin = format!("{scheme}://{}", authority.as_str().to_ascii_lowercase());
    Ok(BaseUrl { path_at: origin.len(), text: origin + path })
}

pub(super) fn parse_switch(text: &str) -> Result<bool, String> {
    text.parse().map_err(|_| "write true or false".to_owned())
}

pub(super) fn parse_number<T: FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| "write a whole number, 0 or more".to_owned())
}

/// Parses a release URL. Empty text means none.
pub(super) fn parse_release_url(text: &str) -> Result<Option<String>, String> {
    if text.is_empty() {
        return Ok(None);
    }
    WebUrl::parse(text).map(|_| Some(text.to_owned())).map_err(str::to_owned)
}

/// Parses a release key. Empty text means none.
pub(super) fn parse_release_key(text: &str) -> Result<Option<ReleaseKey>, String> {
    if text.is_empty() {
        return Ok(None);
    }
    let key = ReleaseKey::parse(text).ok_or("write the 32 bytes of an Ed25519 key in base64")?;
    Ok(Some(key))
}

pub(super) fn parse_positive(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| *number > 0);
    number.ok_or_else(|| "write a whole number, 1 or more".to_owned())
}

pub(super) fn parse_seconds(text: &str) -> Result<Duration, String> {
    let seconds = parse_number(text)?;
    if seconds > DRAIN_SECONDS_MAX {
        return Err(format!("at most {DRAIN_SECONDS_MAX} seconds"));
    }
    Ok(Duration::from_secs(seconds))
}

pub(super) fn parse_log_format(text: &str) -> Result<LogFormat, String> {
    LogFormat::parse(text).ok_or_else(|| "write text or json".to_owned())
}

pub(super) fn parse_log_level(text: &str) -> Result<String, String> {
    // `Targets` takes a word that is no level for a module, and logs nothing else then.
    let is_level = |it: &str| !it.is_empty() && it.parse::<LevelFilter>().is_ok();
    let says_level = |it: &str| it.contains('=') || is_level(it);
    if text.split(',').any(says_level) && text.parse::<Targets>().is_ok() {
        return Ok(text.to_owned());
    }
    Err("write error, warn, info or debug, or modules with levels: info,recto=debug".to_owned())
}

pub(super) fn parse_tag_header(text: &str) -> Result<CacheTagHeader, String> {
    CacheTagHeader::parse(text)
        .ok_or_else(|| "write Cache-Tag, Surrogate-Key, xkey or none".to_owned())
}

pub(super) fn parse_log_requests(text: &str) -> Result<LogRequests, String> {
    LogRequests::parse(text).ok_or_else(|| "write none, errors or all".to_owned())
}

/// Parses the name of the header in which a proxy names the user; nothing for none. Headers that
/// mean something else are refused: everybody sends them.
pub(super) fn parse_login_header(text: &str) -> Result<Option<String>, String> {
    if text.is_empty() {
        return Ok(None);
    }
    let taken = [header::AUTHORIZATION, header::COOKIE, header::HOST, header::ORIGIN];
    let forwarding = ["x-forwarded-for", "x-forwarded-proto", "x-forwarded-host"];
    let name = HeaderName::try_from(text).ok();
    let name = name.filter(|it| !taken.contains(it) && !forwarding.contains(&it.as_str()));
    let problem = || format!("`{text}` is no header that names a user, such as Remote-User");
    name.map(|it| Some(it.to_string())).ok_or_else(problem)
}

/// Parses the part of a user that a proxy names.
pub(super) fn parse_proxy_match(text: &str) -> Result<ProxyMatch, String> {
    ProxyMatch::parse(text).ok_or_else(|| format!("`{text}` is neither username nor email"))
}

/// Parses the address at which a proxy logs somebody out: an absolute one, or a path; nothing for
/// none.
pub(super) fn parse_logout_url(text: &str) -> Result<Option<String>, String> {
    let is_path = text.starts_with('/') && !text.starts_with("//");
    let is_url = ["https://", "http://"].iter().any(|it| text.starts_with(it));
    match text {
        "" => Ok(None),
        text if is_path || is_url => Ok(Some(text.to_owned())),
        text => Err(format!("`{text}` is neither a URL nor a path")),
    }
}

/// Parses a number of requests a minute.
pub(super) fn parse_rate(text: &str) -> Result<u32, String> {
    let rate: u32 = parse_number(text)?;
    if rate > RATE_MAX {
        return Err(format!("`{text}` is more than {RATE_MAX}"));
    }
    Ok(rate)
}

pub(super) fn parse_networks(text: &str) -> Result<Vec<String>, String> {
    let list = split_list(text);
    Networks::parse(&list).map_err(|error| error.to_string())?;
    Ok(list)
}

fn split_list(text: &str) -> Vec<String> {
    let items = text.split(',').map(str::trim).filter(|item| !item.is_empty());
    items.map(str::to_owned).collect()
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
mod tests {
    use super::*;

    #[test]
    fn base_urls_lose_their_last_slash_and_know_their_path() {
        let check = |text: &str, expect: &str, path: &str| {
            let url = parse_base_url(text).unwrap();
            assert_eq!((url.as_str(), url.path()), (expect, path), "{text}");
        };
        check("https://x.org", "https://x.org", "");
        check("https://x.org/", "https://x.org", "");
        check("HTTP://X.org:81/cms/", "http://x.org:81/cms", "/cms");
        check("http://[::1]:8080/a/b", "http://[::1]:8080/a/b", "/a/b");
    }

    #[test]
    fn what_is_no_base_url() {
        for text in [
            "",
            "x.org",
            "/cms",
            "ftp://x.org",
            "https://x.org?a=1",
            "https://x.org/#a",
            "https://u:p@x.org",
            "https://x.org//a",
            "https://x.org/../a",
            "https://x.org/a b",
            "https://x.org/%2e",
        ] {
            assert!(parse_base_url(text).is_err(), "{text}");
        }
    }

    #[test]
    fn log_levels_are_known_words() {
        for text in ["off", "WARN", "info,recto::http=debug", "recto=debug", "info,recto", "3"] {
            assert_eq!(parse_log_level(text).as_deref(), Ok(text));
        }
        for text in ["loud", "inof", "", "recto", "recto=loud"] {
            assert!(parse_log_level(text).is_err(), "{text}");
        }
    }

    #[test]
    fn addresses() {
        let check = |text: &str, expect: Option<&str>| {
            assert_eq!(
                parse_address(text).ok().map(|it| it.to_string()).as_deref(),
                expect,
                "{text}"
            );
        };
        check("127.0.0.1:0", Some("127.0.0.1:0"));
        check("localhost:81", Some("127.0.0.1:81"));
        check("[::]:80", Some("[::]:80"));
        check("8080", None);
        check("127.0.0.1", None);
    }
}
