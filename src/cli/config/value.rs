//! What the values of settings may be. All of them are texts at first, wherever they come from.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use http::Uri;
use tracing_subscriber::EnvFilter;

use crate::http::headers::Networks;
use crate::http::service::LogRequests;
use crate::model::release::ReleaseKey;
use crate::stdx::web_url::WebUrl;

/// The longest time that anything is kept: a hundred years.
const DAYS_MAX: u32 = 36_500;
/// The longest time that a server is given to stop: a day.
const DRAIN_SECONDS_MAX: u64 = 86_400;

/// The form of log lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogFormat {
    /// For people.
    Text,
    /// For machines, one object a line.
    Json,
}

impl LogFormat {
    /// Its name in the configuration.
    pub fn as_str(self) -> &'static str {
        match self {
            LogFormat::Text => "text",
            LogFormat::Json => "json",
        }
    }
}

/// What absolute URLs begin with: scheme, host and perhaps a path, without a slash at the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BaseUrl {
    text: String,
    path_at: usize,
}

impl BaseUrl {
    /// An address on plain HTTP.
    pub(super) fn of_host(host: &str, port: u16) -> BaseUrl {
        let text = format!("http://{host}:{port}");
        BaseUrl { path_at: text.len(), text }
    }

    /// All of it.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The path below which everything is: empty, or like `/cms`.
    pub fn path(&self) -> &str {
        self.text.get(self.path_at..).unwrap_or_default()
    }
}

/// Puts a value in its place, unless there is none.
pub(super) fn set<T>(place: &mut T, value: Result<T, String>) -> Result<(), String> {
    *place = value?;
    Ok(())
}

pub(super) fn path(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    if text.is_empty() { Err("name a folder".to_owned()) } else { Ok(path) }
}

pub(super) fn address(text: &str) -> Result<SocketAddr, String> {
    let numeric = text.strip_prefix("localhost:").map(|port| format!("127.0.0.1:{port}"));
    let parsed = numeric.as_deref().unwrap_or(text).parse();
    parsed.map_err(|_| "write an address and a port, like 127.0.0.1:8080 or [::]:80".to_owned())
}

pub(super) fn base_url(text: &str) -> Result<BaseUrl, String> {
    let sentence = |text: &str| Err(text.to_owned());
    if text.contains(['?', '#']) {
        return sentence("it may carry a path, but no query and no fragment");
    }
    let text = text.trim_end_matches('/');
    let Ok(uri) = text.parse::<Uri>() else { return sentence("this is no URL") };
    let (Some(scheme), Some(authority)) = (uri.scheme_str(), uri.authority()) else {
        return sentence("write all of it, like https://example.org or https://example.org/cms");
    };
    if !matches!(scheme, "http" | "https") {
        return sentence("the scheme is http or https");
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
        return sentence("the path is made of letters, digits and - _ . ~ between single slashes");
    }
    // Scheme and host mean the same in either case; clients compare them as text.
    let origin = format!("{scheme}://{}", authority.as_str().to_ascii_lowercase());
    Ok(BaseUrl { path_at: origin.len(), text: origin + path })
}

pub(super) fn switch(text: &str) -> Result<bool, String> {
    text.parse().map_err(|_| "write true or false".to_owned())
}

pub(super) fn number<T: FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| "write a whole number, 0 or more".to_owned())
}

/// How many revisions are kept: a negative number is all of them, written one way.
pub(super) fn revisions(text: &str) -> Result<i64, String> {
    let number: Option<i64> = text.parse().ok();
    number.map(|it| it.max(-1)).ok_or_else(|| "write a whole number; -1 for all".to_owned())
}

/// A number of days that dates can be reckoned with.
pub(super) fn days(text: &str) -> Result<u32, String> {
    let days = number(text)?;
    if days > DAYS_MAX { Err(format!("at most {DAYS_MAX} days")) } else { Ok(days) }
}

/// Nothing says that there is none.
pub(super) fn release_url(text: &str) -> Result<Option<String>, String> {
    if text.is_empty() {
        return Ok(None);
    }
    WebUrl::parse(text).map(|_| Some(text.to_owned())).map_err(str::to_owned)
}

/// Nothing says that there is none.
pub(super) fn release_key(text: &str) -> Result<Option<ReleaseKey>, String> {
    if text.is_empty() {
        return Ok(None);
    }
    let key = ReleaseKey::parse(text).ok_or("write the 32 bytes of an Ed25519 key in base64")?;
    Ok(Some(key))
}

pub(super) fn at_least_one(text: &str) -> Result<usize, String> {
    let number = text.parse().ok().filter(|number| *number > 0);
    number.ok_or_else(|| "write a whole number, 1 or more".to_owned())
}

pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = number(text)?;
    if seconds > DRAIN_SECONDS_MAX {
        return Err(format!("at most {DRAIN_SECONDS_MAX} seconds"));
    }
    Ok(Duration::from_secs(seconds))
}

pub(super) fn log_format(text: &str) -> Result<LogFormat, String> {
    let known = [LogFormat::Text, LogFormat::Json].into_iter().find(|it| it.as_str() == text);
    known.ok_or_else(|| "write text or json".to_owned())
}

pub(super) fn log_level(text: &str) -> Result<String, String> {
    let filter = EnvFilter::builder().parse(text);
    filter.map(|_| text.to_owned()).map_err(|_| {
        "write error, warn, info, debug or trace, or parts with levels: info,recto=debug".to_owned()
    })
}

pub(super) fn log_requests(text: &str) -> Result<LogRequests, String> {
    let all = [LogRequests::None, LogRequests::Errors, LogRequests::All];
    let known = all.into_iter().find(|it| log_requests_name(*it) == text);
    known.ok_or_else(|| "write none, errors or all".to_owned())
}

pub(super) fn log_requests_name(which: LogRequests) -> &'static str {
    match which {
        LogRequests::None => "none",
        LogRequests::Errors => "errors",
        LogRequests::All => "all",
    }
}

pub(super) fn networks(text: &str) -> Result<Vec<String>, String> {
    let list = list(text);
    Networks::parse(&list).map_err(|error| error.to_string())?;
    Ok(list)
}

pub(super) fn origins(text: &str) -> Result<Vec<String>, String> {
    let origins = list(text);
    let is_origin = |origin: &str| {
        let uri = origin.parse::<Uri>().ok();
        uri.is_some_and(|uri| {
            matches!(uri.scheme_str(), Some("http" | "https"))
                && uri.authority().is_some_and(|it| origin.ends_with(it.as_str()))
        })
    };
    match origins.iter().find(|origin| *origin != "*" && !is_origin(origin)) {
        Some(origin) => Err(format!("`{origin}` is no origin like https://example.org")),
        None => Ok(origins),
    }
}

pub(super) fn list(text: &str) -> Vec<String> {
    let items = text.split(',').map(str::trim).filter(|item| !item.is_empty());
    items.map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base_urls_lose_their_last_slash_and_know_their_path() {
        let check = |text: &str, expect: &str, path: &str| {
            let url = base_url(text).unwrap();
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
            assert!(base_url(text).is_err(), "{text}");
        }
    }

    #[test]
    fn origins_have_no_path() {
        let check = |text: &str, expect: Option<usize>| {
            assert_eq!(origins(text).ok().map(|it| it.len()), expect, "{text}");
        };
        check("*", Some(1));
        check("", Some(0));
        check("https://a.org, http://localhost:3000", Some(2));
        check("https://a.org/", None);
        check("a.org", None);
    }

    #[test]
    fn addresses() {
        let check = |text: &str, expect: Option<&str>| {
            assert_eq!(address(text).ok().map(|it| it.to_string()).as_deref(), expect, "{text}");
        };
        check("127.0.0.1:0", Some("127.0.0.1:0"));
        check("localhost:81", Some("127.0.0.1:81"));
        check("[::]:80", Some("[::]:80"));
        check("8080", None);
        check("127.0.0.1", None);
    }
}
