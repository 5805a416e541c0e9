//! Strict parsing of web URLs: ambiguous ones are rejected, since the check of a URL and the
//! connection to it must not interpret it differently.

use std::fmt;
use std::net::IpAddr;
use std::net::Ipv4Addr;
use std::net::Ipv6Addr;

/// The maximum length of a URL.
pub const URL_BYTES_MAX: usize = 2_048;

const NAME_BYTES_MAX: usize = 253;
const LABEL_BYTES_MAX: usize = 63;

/// The host of a URL.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Host {
    /// An IP address.
    Address(IpAddr),
    /// A host name in lower case, without a dot at the end.
    Name(String),
}

impl fmt::Display for Host {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Host::Address(IpAddr::V6(v6)) => write!(f, "[{v6}]"),
            Host::Address(IpAddr::V4(v4)) => write!(f, "{v4}"),
            Host::Name(name) => f.write_str(name),
        }
    }
}

/// A URL of the schemes `http` and `https`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WebUrl {
    /// True for `https`.
    pub secure: bool,
    /// The host.
    pub host: Host,
    /// The port, also if it is the default of the scheme.
    pub port: u16,
    /// Path and query, beginning with a slash.
    pub path: String,
}

impl WebUrl {
    /// Parses a URL; fails with a sentence for users.
    pub fn parse(text: &str) -> Result<WebUrl, &'static str> {
        if text.len() > URL_BYTES_MAX {
            return Err("The URL is longer than 2048 bytes.");
        }
        if !text.bytes().all(|it| it.is_ascii_graphic()) {
            return Err("A URL must not contain spaces, and letters beyond ASCII must be \
                        percent-encoded.");
        }
        if text
            .bytes()
            .any(|it| matches!(it, b'\\' | b'"' | b'<' | b'>' | b'^' | b'`' | b'{' | b'|' | b'}'))
        {
            return Err("The URL contains a character that has to be percent-encoded.");
        }
        let (scheme, rest) = text.split_once("://").ok_or("This is not a URL.")?;
        let secure = match scheme.to_ascii_lowercase().as_str() {
            "https" => true,
            "http" => false,
            _ => return Err("The URL must begin with https:// or http://."),
        };
        if rest.contains('#') {
            return Err("The URL must not have a fragment (#…).");
        }
        let end = rest.find(['/', '?']).unwrap_or(rest.len());
        let (authority, path) = rest.split_at(end);
        if authority.contains('@') {
            return Err("The URL must not carry a user name or password.");
        }
        let (host, port) = split_port(authority)?;
        let port = match port {
            Some(port) => parse_port(port)?,
            None if secure => 443,
            None => 80,
        };
        let path = if path.starts_with('/') { path.to_string() } else { format!("/{path}") };
        Ok(WebUrl { secure, host: parse_host(host)?, port, path })
    }

    /// Returns host and port as in requests: without the port if it is the default of the scheme.
    pub fn authority(&self) -> String {
        let own = if self.secure { 443 } else { 80 };
        if self.port == own {
            self.host.to_string()
        } else {
            format!("{}:{}", self.host, self.port)
        }
    }
}

fn split_port(authority: &str) -> Result<(&str, Option<&str>), &'static str> {
    if authority.starts_with('[') {
        let end = authority.find(']').ok_or("The address in brackets does not end.")?;
        let (host, rest) = authority.split_at(end + 1);
        return match rest.strip_prefix(':') {
            Some(port) => Ok((host, Some(port))),
            None if rest.is_empty() => Ok((host, None)),
            None => Err("After the address in brackets only a port may follow."),
        };
    }
    match authority.split_once(':') {
        Some((_, port)) if port.contains(':') => Err("An IPv6 address needs brackets."),
        Some((host, port)) => Ok((host, Some(port))),
        None => Ok((authority, None)),
    }
}

fn parse_port(text: &str) -> Result<u16, &'static str> {
    let digits = !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
    let port = text.parse().ok().filter(|port| digits && *port != 0);
    port.ok_or("The port is a number from 1 to 65535.")
}

/// Parses a host. A numeric host must be an IPv4 address in its usual form: other forms (`0x7f.1`,
/// `2130706433`, `127.1`, `0177.0.0.1`) are addresses for some programs and names for others.
fn parse_host(text: &str) -> Result<Host, &'static str> {
    const NO_HOST: &str = "The URL names no host.";
    const NO_NAME: &str = "The host is not a valid name; beyond ASCII it is written as xn--….";
    if let Some(inner) = text.strip_prefix('[').and_then(|it| it.strip_suffix(']')) {
        let address = inner.parse::<Ipv6Addr>().map_err(|_| "This is not an IPv6 address.")?;
        return Ok(Host::Address(address.into()));
    }
    let name = text.strip_suffix('.').unwrap_or(text).to_ascii_lowercase();
    if name.is_empty() {
        return Err(NO_HOST);
    }
    if let Ok(address) = name.parse::<Ipv4Addr>() {
        return Ok(Host::Address(address.into()));
    }
    let last = name.rsplit('.').next().unwrap_or_default();
    if last.starts_with("0x") || last.bytes().all(|it| it.is_ascii_digit()) {
        return Err("An IPv4 address is written as four decimal numbers.");
    }
    let valid = name.len() <= NAME_BYTES_MAX && name.split('.').all(is_label);
    if valid { Ok(Host::Name(name)) } else { Err(NO_NAME) }
}

fn is_label(label: &str) -> bool {
    let edge = |it: Option<&u8>| it.is_some_and(|it| it.is_ascii_alphanumeric() || *it == b'_');
    let bytes = label.as_bytes();
    bytes.len() <= LABEL_BYTES_MAX
        && edge(bytes.first())
        && edge(bytes.last())
        && bytes.iter().all(|it| it.is_ascii_alphanumeric() || matches!(it, b'-' | b'_'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn urls_are_taken_apart() {
        let check = |text: &str, expect: &str| {
            let url = WebUrl::parse(text).unwrap_or_else(|error| panic!("{text}: {error}"));
            let kind = match url.host {
                Host::Address(_) => "address",
                Host::Name(_) => "name",
            };
            let shown = format!("{} {kind} {} {}", url.secure, url.authority(), url.path);
            assert_eq!(shown, expect, "{text}");
        };
        check("https://example.org", "true name example.org /");
        check("HTTPS://Example.ORG./Hook?a=b", "true name example.org /Hook?a=b");
        check("http://example.org:80/", "false name example.org /");
        check("https://example.org:80?x", "true name example.org:80 /?x");
        check("http://127.0.0.1:3000/a/../b", "false address 127.0.0.1:3000 /a/../b");
        check("http://127.0.0.1./", "false address 127.0.0.1 /");
        check("http://[::1]:8080/", "false address [::1]:8080 /");
        check("http://[::FFFF:127.0.0.1]", "false address [::ffff:127.0.0.1] /");
        check("https://xn--strae-oqa.example/%C3%9F", "true name xn--strae-oqa.example /%C3%9F");
        check("http://localhost", "false name localhost /");
        check("http://a_b.internal", "false name a_b.internal /");
    }

    #[test]
    fn what_is_ambiguous_is_refused() {
        let check = |text: &str| assert!(WebUrl::parse(text).is_err(), "{text}");
        for text in [
            "",
            "example.org",
            "//example.org",
            "ftp://example.org",
            "file:///etc/passwd",
            "gopher://example.org",
            "https://",
            "https:///path",
            "https://.",
            "https://user@example.org",
            "https://user:pass@example.org",
            "https://example.org@127.0.0.1/",
            "https://example.org\\@127.0.0.1/",
            "https://example.org#@127.0.0.1/",
            "https://example.org/#x",
            "https://exa mple.org",
            "https://example.org/a b",
            "https://example.org/\r\nHost: x",
            "https://example.org/\0",
            "https://exämple.org",
            "https://example.org/ä",
            "https://example%2eorg",
            "https://127%2e0.0.1",
            "https://example.org:",
            "https://example.org:0",
            "https://example.org:+80",
            "https://example.org:65536",
            "https://example.org:80:80",
            "https://::1/",
            "https://[::1",
            "https://[::1]x",
            "https://[fe80::1%25eth0]/",
            "https://[127.0.0.1]/",
            "http://0x7f.1",
            "http://0x7f000001",
            "http://2130706433",
            "http://127.1",
            "http://0177.0.0.1",
            "http://127.0.0.01",
            "http://1.2.3.4.5",
            "http://a..b",
            "http://-a.b",
            "http://a-.b",
        ] {
            check(text);
        }
        check(&format!("https://example.org/{}", "x".repeat(URL_BYTES_MAX)));
        check(&format!("https://{}.org", "x".repeat(64)));
    }
}
