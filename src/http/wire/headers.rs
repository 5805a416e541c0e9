//! Header values, parsed and built: entity tags and conditions, request ids, `Vary`, and the client
//! address behind trusted proxies.

use std::net::IpAddr;
use std::net::Ipv6Addr;
use std::str::FromStr;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;
use std::time::SystemTime;

use bytes::Bytes;
use http::HeaderMap;
use http::HeaderName;
use http::HeaderValue;
use http::header;

use super::peer::Peer;
use crate::app::precondition::Precondition;
use crate::stdx::checksum::Checksum;

/// The longest request id accepted from a client.
const REQUEST_ID_BYTES_MAX: usize = 128;
/// The most addresses of an `X-Forwarded-For` that are read.
const FORWARDED_MAX: usize = 32;

// ---- entity tags ----

/// Returns a strong entity tag as a header value: `"tag"`. Returns `None` if the text contains a
/// byte that tags cannot.
#[must_use]
pub fn etag_value(tag: &str) -> Option<HeaderValue> {
    if !tag.bytes().all(is_etag_byte) {
        return None;
    }
    let mut quoted = Vec::with_capacity(tag.len() + 2);
    quoted.push(b'"');
    quoted.extend_from_slice(tag.as_bytes());
    quoted.push(b'"');
    HeaderValue::try_from(quoted).ok()
}

fn is_etag_byte(byte: u8) -> bool {
    byte == b'!' || (b'#'..=b'~').contains(&byte)
}

/// Returns the entity tag that consists of a checksum.
#[must_use]
pub fn etag_of_sum(sum: Checksum) -> Option<HeaderValue> {
    let mut tag = Vec::with_capacity(18);
    tag.push(b'"');
    sum.write_hex(&mut tag);
    tag.push(b'"');
    HeaderValue::from_maybe_shared(Bytes::from(tag)).ok()
}

/// Returns the entity tag of an entry: the checksum of its file, and that of everything else that
/// shaped the response.
#[must_use]
pub fn etag_of_entry(rev: Checksum, variant: Checksum) -> Option<HeaderValue> {
    let mut tag = Vec::with_capacity(35);
    tag.push(b'"');
    rev.write_hex(&mut tag);
    tag.push(b'-');
    variant.write_hex(&mut tag);
    tag.push(b'"');
    HeaderValue::from_maybe_shared(Bytes::from(tag)).ok()
}

/// An entity tag of a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ETag<'a> {
    /// True if it came as `W/"…"`.
    pub weak: bool,
    /// The text between the quotes.
    pub tag: &'a str,
}

/// The value of an `If-Match` or `If-None-Match`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ETags<'a> {
    /// `*`: any state.
    Any,
    /// A list.
    List(Vec<ETag<'a>>),
}

impl<'a> ETags<'a> {
    /// Parses the header of this name, all its lines as one list. Returns `None` if it is absent.
    /// Everything after a malformed tag is ignored, so a malformed value matches less.
    #[must_use]
    pub fn parse(headers: &'a HeaderMap, name: &HeaderName) -> Option<Self> {
        let mut values = headers.get_all(name).iter().peekable();
        values.peek()?;
        let mut list = Vec::new();
        for value in values {
            let Ok(text) = value.to_str() else { continue };
            if text.trim() == "*" {
                return Some(ETags::Any);
            }
            parse_etags(text, &mut list);
        }
        Some(ETags::List(list))
    }

    /// Returns true if a tag matches by weak comparison, for `If-None-Match`.
    #[must_use]
    pub fn contains_weakly(&self, tag: &str) -> bool {
        self.any(|it| it.tag == tag)
    }

    /// Returns true if a tag of the list satisfies the predicate; `*` always does.
    pub fn any(&self, satisfies: impl Fn(&ETag<'a>) -> bool) -> bool {
        match self {
            ETags::Any => true,
            ETags::List(list) => list.iter().any(satisfies),
        }
    }
}

fn parse_etags<'a>(mut text: &'a str, list: &mut Vec<ETag<'a>>) {
    loop {
        text = text.trim_start_matches([' ', '\t', ',']);
        let weak = text.starts_with("W/");
        let quoted = if weak { text.get(2..) } else { Some(text) };
        let Some((tag, rest)) =
            quoted.and_then(|it| it.strip_prefix('"')).and_then(|it| it.split_once('"'))
        else {
            return;
        };
        if !tag.bytes().all(is_etag_byte) {
            return;
        }
        list.push(ETag { weak, tag });
        text = rest.trim_start_matches([' ', '\t']);
        if !text.is_empty() && !text.starts_with(',') {
            return;
        }
    }
}

// ---- conditions of writes ----

/// Parses `If-Match`. Only the revision of a tag counts, not the rest that shaped the response;
/// weak tags match nothing.
#[must_use]
pub fn parse_if_match(headers: &HeaderMap) -> Precondition {
    match ETags::parse(headers, &header::IF_MATCH) {
        None => Precondition::None,
        Some(ETags::Any) => Precondition::Any,
        Some(ETags::List(list)) => {
            let strong = list.iter().filter(|it| !it.weak);
            Precondition::Revs(strong.filter_map(|it| rev_of(it.tag)).collect())
        }
    }
}

/// Returns the revision in `<rev>`, `<rev>-<variant>`, or one of these with a coding appended.
fn rev_of(tag: &str) -> Option<Checksum> {
    let rev = tag.split('-').next()?;
    let is_sum = rev.len() == 16 && rev.bytes().all(|it| matches!(it, b'0'..=b'9' | b'a'..=b'f'));
    let rev = is_sum.then(|| u64::from_str_radix(rev, 16).ok())?;
    rev.map(Checksum)
}

// ---- conditions of reads ----

/// Returns true if a GET or HEAD is answered with 304. `If-None-Match` decides alone if it is
/// present, `If-Modified-Since` otherwise. `tag` is the entity tag without quotes.
#[must_use]
pub fn is_not_modified(
    headers: &HeaderMap,
    tag: Option<&str>,
    modified: Option<SystemTime>,
) -> bool {
    if headers.contains_key(header::IF_NONE_MATCH) {
        let asked = ETags::parse(headers, &header::IF_NONE_MATCH);
        return tag.zip(asked).is_some_and(|(tag, asked)| asked.contains_weakly(tag));
    }
    let since = headers.get(header::IF_MODIFIED_SINCE).and_then(http_date);
    modified
        .zip(since)
        .is_some_and(|(modified, since)| whole_seconds(modified) <= whole_seconds(since))
}

/// Parses a header value as a date; `None` if it is no HTTP date.
#[must_use]
pub fn http_date(value: &HeaderValue) -> Option<SystemTime> {
    httpdate::parse_http_date(value.to_str().ok()?).ok()
}

/// Formats a date as a header value; `None` before 1970 or after 9999.
#[must_use]
pub fn http_date_value(date: SystemTime) -> Option<HeaderValue> {
    const YEAR_10000_S: u64 = 253_402_300_800;
    let seconds = whole_seconds(date).filter(|it| *it < YEAR_10000_S)?;
    let date = SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(seconds);
    HeaderValue::try_from(httpdate::fmt_http_date(date)).ok()
}

/// Returns whole seconds, since headers have no fractions.
pub(super) fn whole_seconds(date: SystemTime) -> Option<u64> {
    date.duration_since(SystemTime::UNIX_EPOCH).ok().map(|it| it.as_secs())
}

// ---- fields of requests ----

/// The presence of the fields that matter for every request. One pass over all fields of a request
/// costs less than a look-up of each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SentFields {
    /// `Authorization`.
    pub credential: bool,
    /// `If-None-Match` or `If-Modified-Since`.
    pub condition: bool,
    /// `Accept-Encoding`.
    pub codings: bool,
    /// `X-Request-Id`.
    pub request_id: bool,
    /// `Recto-After`.
    pub awaited: bool,
}

impl SentFields {
    /// Looks through the header fields of a request.
    #[must_use]
    pub fn find(headers: &HeaderMap) -> SentFields {
        let mut sent = SentFields::default();
        for name in headers.keys() {
            match *name {
                header::AUTHORIZATION => sent.credential = true,
                header::IF_NONE_MATCH | header::IF_MODIFIED_SINCE => sent.condition = true,
                header::ACCEPT_ENCODING => sent.codings = true,
                _ => {
                    sent.request_id |= *name == X_REQUEST_ID;
                    sent.awaited |= *name == RECTO_AFTER;
                }
            }
        }
        sent
    }
}

// ---- request ids ----

/// The header field of a request's id.
pub const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The commit that a change became, on servers that share a database.
pub const RECTO_POSITION: HeaderName = HeaderName::from_static("recto-position");

/// The commit that a server must know to answer a request.
pub const RECTO_AFTER: HeaderName = HeaderName::from_static("recto-after");

/// The header field with the pages that may embed a response.
pub const CROSS_ORIGIN_RESOURCE_POLICY: HeaderName =
    HeaderName::from_static("cross-origin-resource-policy");

/// The id of a request: letters, digits, `.`, `_` and `-`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestId(HeaderValue);

impl RequestId {
    /// Returns the `X-Request-Id` that a client sent, if it is one: `^[A-Za-z0-9._-]{1,128}$`.
    #[must_use]
    pub fn from_headers(headers: &HeaderMap) -> Option<RequestId> {
        let id = headers.get(X_REQUEST_ID)?;
        let allowed = |it: &u8| it.is_ascii_alphanumeric() || b"._-".contains(it);
        let is_sound =
            (1..=REQUEST_ID_BYTES_MAX).contains(&id.len()) && id.as_bytes().iter().all(allowed);
        is_sound.then(|| RequestId(id.clone()))
    }

    /// Returns the id as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        // An id has ASCII characters only.
        self.0.to_str().unwrap_or_default()
    }

    /// Returns the id as a header value.
    #[must_use]
    pub fn into_value(self) -> HeaderValue {
        self.0
    }
}

/// A generator of request ids that no other run of the server generates: a random prefix and a
/// counter.
#[derive(Debug)]
pub struct RequestIds {
    /// 16 digits and a dash.
    prefix: [u8; 17],
    next: AtomicU64,
}

impl RequestIds {
    /// Draws a random prefix.
    ///
    /// # Errors
    ///
    /// Fails if the system has no randomness.
    pub fn new() -> Result<Self, getrandom::Error> {
        let mut prefix = [b'-'; 17];
        prefix[..16].copy_from_slice(&Checksum(getrandom::u64()?).to_hex());
        Ok(RequestIds { prefix, next: AtomicU64::new(1) })
    }

    /// Returns the next id, of 33 characters.
    #[must_use]
    pub fn next_id(&self) -> RequestId {
        let mut id = Vec::with_capacity(33);
        id.extend_from_slice(&self.prefix);
        Checksum(self.next.fetch_add(1, Relaxed)).write_hex(&mut id);
        // The id contains only digits, letters and a dash, which every header value may have.
        let value = HeaderValue::from_maybe_shared(Bytes::from(id));
        RequestId(value.unwrap_or_else(|_| HeaderValue::from_static("-")))
    }
}

// ---- Vary ----

/// Adds names to the `Vary` of a reply, once each and in one line. `*` stays alone.
pub fn add_vary(headers: &mut Vec<(HeaderName, HeaderValue)>, names: &[HeaderName]) {
    let mut all: Vec<String> = Vec::new();
    for (_, value) in headers.iter().filter(|(name, _)| name == header::VARY) {
        let listed =
            value.to_str().unwrap_or("*").split(',').map(|it| it.trim().to_ascii_lowercase());
        all.extend(listed.filter(|it| !it.is_empty()));
    }
    all.extend(names.iter().map(|it| it.as_str().to_owned()));
    let mut kept: Vec<&str> = Vec::new();
    for name in &all {
        if !kept.contains(&name.as_str()) {
            kept.push(name);
        }
    }
    let line = if kept.contains(&"*") { "*".to_owned() } else { kept.join(", ") };
    if let Ok(value) = HeaderValue::try_from(line) {
        headers.retain(|(name, _)| name != header::VARY);
        headers.push((header::VARY, value));
    }
}

// ---- clients and proxies ----

/// A list of networks in CIDR notation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Networks(Vec<Network>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Network {
    /// The address bits. IPv4 addresses are mapped to IPv6, so that one comparison serves both.
    bits: u128,
    prefix_len: u32,
}

/// The error of a text that is no network.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not an IP address or a network such as 10.0.0.0/8")]
pub struct BadNetwork(String);

impl Networks {
    /// Parses addresses and networks.
    ///
    /// # Errors
    ///
    /// Returns the first invalid one.
    pub fn parse<T: AsRef<str>>(list: &[T]) -> Result<Self, BadNetwork> {
        list.iter().map(|it| it.as_ref().parse()).collect::<Result<_, _>>().map(Networks)
    }

    /// Returns the loopback networks.
    #[must_use]
    pub fn loopback() -> Self {
        let v4 = Network { bits: 0xffff_7f00_0000, prefix_len: 104 };
        Networks(vec![v4, Network { bits: 1, prefix_len: 128 }])
    }

    /// Returns true if one of them contains this address. A mapped IPv4 address counts as IPv4.
    #[must_use]
    pub fn contains(&self, ip: IpAddr) -> bool {
        self.0.iter().any(|it| (it.bits ^ bits_of(ip)).leading_zeros() >= it.prefix_len)
    }

    /// Adds the networks of another list.
    pub fn extend(&mut self, others: &Networks) {
        self.0.extend_from_slice(&others.0);
    }
}

impl FromStr for Network {
    type Err = BadNetwork;

    fn from_str(text: &str) -> Result<Self, BadNetwork> {
        let error = || BadNetwork(text.to_owned());
        let (ip, prefix_len) = match text.trim().split_once('/') {
            Some((ip, len)) => (ip, Some(len.parse::<u32>().map_err(|_| error())?)),
            None => (text.trim(), None),
        };
        let ip: IpAddr = ip.parse().map_err(|_| error())?;
        let width = if ip.is_ipv4() { 32 } else { 128 };
        let prefix_len = prefix_len.unwrap_or(width);
        if prefix_len > width {
            return Err(error());
        }
        Ok(Network { bits: bits_of(ip), prefix_len: prefix_len.saturating_add(128 - width) })
    }
}

fn bits_of(ip: IpAddr) -> u128 {
    match ip {
        IpAddr::V4(it) => it.to_ipv6_mapped().to_bits(),
        IpAddr::V6(it) => it.to_bits(),
    }
}

/// Returns the block that counts as one client when connections or attempts are counted: an IPv4
/// address, or the /64 of an IPv6 address (one subscriber has all of it).
#[must_use]
pub fn client_block(ip: IpAddr) -> IpAddr {
    match ip.to_canonical() {
        IpAddr::V6(it) => IpAddr::V6(Ipv6Addr::from_bits(it.to_bits() & !u128::from(u64::MAX))),
        v4 => v4,
    }
}

/// The client of a request, as far as the peer is trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Client {
    /// The address.
    pub ip: IpAddr,
    /// True if the client came over TLS, by its connection or by what a trusted proxy reports.
    pub https: bool,
    /// True if the peer is a trusted proxy.
    pub is_proxied: bool,
}

/// Returns the client of a request: the peer itself, or, behind trusted proxies, the rightmost
/// address of `X-Forwarded-For` that is no trusted proxy. Anyone can forge the addresses further
/// left.
#[must_use]
pub fn resolve_client(peer: Peer, headers: &HeaderMap, trusted: &Networks) -> Client {
    let mut ip = peer.address.ip().to_canonical();
    if !trusted.contains(ip) {
        return Client { ip, https: peer.is_secure, is_proxied: false };
    }
    let lines = headers.get_all("x-forwarded-for").iter().rev();
    let hops = lines.flat_map(|it| it.to_str().unwrap_or("").rsplit(','));
    for hop in hops.take(FORWARDED_MAX) {
        let Some(further) = parse_hop(hop) else { break };
        ip = further;
        if !trusted.contains(ip) {
            break;
        }
    }
    let protocols = headers.get_all("x-forwarded-proto").iter().next_back();
    let last = protocols.and_then(|it| it.to_str().ok()).and_then(|it| it.rsplit(',').next());
    let https = last.map_or(peer.is_secure, |it| it.trim().eq_ignore_ascii_case("https"));
    Client { ip, https, is_proxied: true }
}

/// The headers by which proxies and content delivery networks name the client or themselves,
/// besides `X-Forwarded-*`.
const FORWARDING: &[&str] = &[
    "forwarded",
    "via",
    "client-ip",
    "x-client-ip",
    "x-cluster-client-ip",
    "x-envoy-external-address",
    "x-original-forwarded-for",
    "x-original-host",
    "x-real-ip",
    "true-client-ip",
    "cdn-loop",
    "cf-connecting-ip",
    "cf-connecting-ipv6",
    "do-connecting-ip",
    "fastly-client-ip",
    "fly-client-ip",
    "x-appengine-user-ip",
    "x-azure-clientip",
];

/// Returns true if a request comes from this machine, and neither through a proxy on it nor from a
/// page in a browser on it, which can reach the machine under any name except its own. A trusted
/// proxy that names no client still speaks for someone else.
#[must_use]
pub fn is_local(ip: IpAddr, headers: &HeaderMap, trusted: &Networks) -> bool {
    let host = headers.get(header::HOST).map(|it| it.to_str().unwrap_or_default());
    ip.is_loopback()
        && !trusted.contains(ip)
        && !headers.keys().any(|it| is_forwarding(it.as_str()))
        && host.is_none_or(is_localhost)
}

/// Returns true for a header that only proxies and content delivery networks add.
fn is_forwarding(name: &str) -> bool {
    name.starts_with("x-forwarded") || FORWARDING.contains(&name)
}

fn is_localhost(host: &str) -> bool {
    let Some(name) = host_name(host) else { return false };
    let address = name.strip_prefix('[').and_then(|it| it.strip_suffix(']')).unwrap_or(name);
    let is_loopback = |it: IpAddr| it.to_canonical().is_loopback();
    name.eq_ignore_ascii_case("localhost") || address.parse().is_ok_and(is_loopback)
}

/// Returns a host without its port. Only a port may follow the bracket of an address.
pub(super) fn host_name(host: &str) -> Option<&str> {
    let end = host.rfind(']').map_or(0, |it| it + 1);
    match host.get(end..)?.split_once(':') {
        Some((name, port)) if port.bytes().all(|it| it.is_ascii_digit()) => {
            host.get(..end + name.len())
        }
        Some(_) => None,
        None => Some(host),
    }
    .filter(|it| end == 0 || it.len() == end && it.starts_with('['))
}

/// Parses an address with or without brackets and port.
fn parse_hop(hop: &str) -> Option<IpAddr> {
    let hop = hop.trim();
    let bare = match hop.strip_prefix('[') {
        Some(rest) => rest.split_once(']')?.0,
        None if hop.matches(':').count() == 1 => hop.split_once(':')?.0,
        None => hop,
    };
    bare.parse::<IpAddr>().ok().map(|it| it.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn map(pairs: &[(&'static str, &str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.append(*name, HeaderValue::try_from(*value).unwrap());
        }
        headers
    }

    #[test]
    fn local_requests_name_the_machine() {
        let check = |host: &'static str, expect: bool| {
            let headers = map(&[("host", host)]);
            let ip = "127.0.0.1".parse().unwrap();
            assert_eq!(is_local(ip, &headers, &Networks::default()), expect, "{host}");
            assert!(!is_local(ip, &headers, &Networks::loopback()), "{host}");
        };
        for host in ["localhost", "Localhost:80", "127.0.0.1", "127.0.0.1:8080", "[::1]:80"] {
            check(host, true);
        }
        for host in ["a.org", "a.org:80", "localhost.a.org", "192.0.2.1", "", ":80", "[::1"] {
            check(host, false);
        }
        for host in [
            "[::1].evil.example",
            "[::1].evil.example:80",
            "[::1]:80.evil.example",
            "a[::1]",
            "[127.0.0.1]a:80",
            "localhost:80a",
            "127.0.0.1:80:80",
            "::1",
            "[::1]]",
        ] {
            check(host, false);
        }
    }

    #[test]
    fn forwarded_requests_are_not_local() {
        let check = |name: &'static str, expect: bool| {
            let headers = map(&[("host", "localhost"), (name, "x")]);
            let ip = "::1".parse().unwrap();
            assert_eq!(is_local(ip, &headers, &Networks::default()), expect, "{name}");
        };
        for name in ["x-forwarded-for", "x-forwarded-proto", "x-forwarded-port", "x-forwarded"] {
            check(name, false);
        }
        for name in FORWARDING.iter().copied() {
            check(name, false);
        }
        for name in ["accept", "x-forward", "x-request-id"] {
            check(name, true);
        }
    }

    #[test]
    fn tags_are_quoted() {
        assert_eq!(etag_value("a-1").unwrap(), "\"a-1\"");
        for bad in ["a\"b", "a b", "ä", "\n"] {
            assert_eq!(etag_value(bad), None, "{bad:?}");
        }
    }

    fn check_tags(lines: &[&str], expect: &[(bool, &str)]) {
        let pairs: Vec<_> = lines.iter().map(|it| ("if-match", *it)).collect();
        let headers = map(&pairs);
        let expect = expect.iter().map(|(weak, tag)| ETag { weak: *weak, tag }).collect();
        let parsed = ETags::parse(&headers, &header::IF_MATCH);
        assert_eq!(parsed, Some(ETags::List(expect)), "{lines:?}");
    }

    #[test]
    fn tag_lists_are_parsed() {
        check_tags(&["\"a\""], &[(false, "a")]);
        check_tags(&["W/\"a\" , \"b,c\",,\"\""], &[(true, "a"), (false, "b,c"), (false, "")]);
        check_tags(&["\"a\"", "W/\"b\""], &[(false, "a"), (true, "b")]);
        check_tags(&["a"], &[]);
        check_tags(&["\"a"], &[]);
        check_tags(&["\"a\" \"b\""], &[(false, "a")]);
        check_tags(&["w/\"a\""], &[]);
        check_tags(&[""], &[]);
        let any = map(&[("if-match", " * ")]);
        assert_eq!(ETags::parse(&any, &header::IF_MATCH), Some(ETags::Any));
        assert_eq!(ETags::parse(&any, &header::IF_NONE_MATCH), None);
        let weak = map(&[("if-match", "W/\"a\"")]);
        let weak = ETags::parse(&weak, &header::IF_MATCH).unwrap();
        assert!(weak.contains_weakly("a") && !weak.any(|it| !it.weak));
    }

    #[test]
    fn writes_are_meant_for_revisions() {
        let check = |lines: &[&str], expect: Precondition| {
            let pairs: Vec<_> = lines.iter().map(|it| ("if-match", *it)).collect();
            assert_eq!(parse_if_match(&map(&pairs)), expect, "{lines:?}");
        };
        let revs = |it: &[u64]| Precondition::Revs(it.iter().map(|it| Checksum(*it)).collect());
        check(&[], Precondition::None);
        check(&["*"], Precondition::Any);
        check(&["\"000000000000000a-0123456789abcdef\""], revs(&[10]));
        check(&["\"000000000000000a-0123456789abcdef-br\", \"000000000000000b\""], revs(&[10, 11]));
        check(&["\"000000000000000a-1\"", "\"000000000000000b-gzip\""], revs(&[10, 11]));
        for nothing in
            ["W/\"000000000000000a-1\"", "\"a-1\"", "\"000000000000000A\"", "\"\"", "", "x"]
        {
            check(&[nothing], revs(&[]));
        }
        check(&["\"000000000000000g\", \"000000000000000a\""], revs(&[10]));
    }

    fn check_not_modified(pairs: &[(&'static str, &str)], expect: bool) {
        let modified = SystemTime::UNIX_EPOCH + Duration::from_millis(784_111_777_900);
        assert_eq!(is_not_modified(&map(pairs), Some("a"), Some(modified)), expect, "{pairs:?}");
    }

    #[test]
    fn reads_are_conditional() {
        let (at, before) = ("Sun, 06 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:36 GMT");
        check_not_modified(&[], false);
        check_not_modified(&[("if-none-match", "\"b\", W/\"a\"")], true);
        check_not_modified(&[("if-none-match", "*")], true);
        check_not_modified(&[("if-none-match", "\"b\"")], false);
        check_not_modified(&[("if-modified-since", at)], true);
        check_not_modified(&[("if-modified-since", before)], false);
        check_not_modified(&[("if-modified-since", "yesterday")], false);
        check_not_modified(&[("if-none-match", "\"b\""), ("if-modified-since", at)], false);
        assert!(!is_not_modified(&map(&[("if-none-match", "*")]), None, None));
    }

    #[test]
    fn dates_are_written() {
        let date = SystemTime::UNIX_EPOCH + Duration::from_millis(784_111_777_900);
        assert_eq!(http_date_value(date).unwrap(), "Sun, 06 Nov 1994 08:49:37 GMT");
        assert_eq!(http_date_value(SystemTime::UNIX_EPOCH - Duration::from_secs(1)), None);
        let far = SystemTime::UNIX_EPOCH + Duration::from_secs(253_402_300_800);
        assert_eq!(http_date_value(far), None);
    }

    #[test]
    fn request_ids_are_checked_and_made() {
        let longest = "x".repeat(128);
        for (id, sound) in [
            ("aZ9._-", true),
            (longest.as_str(), true),
            ("", false),
            ("a b", false),
            ("a\"", false),
            (&format!("{longest}x"), false),
        ] {
            let headers = map(&[("x-request-id", id)]);
            let found = RequestId::from_headers(&headers);
            assert_eq!(found.as_ref().map(RequestId::as_str), sound.then_some(id), "{id:?}");
        }
        let ids = RequestIds::new().unwrap();
        let (one, two) = (ids.next_id(), ids.next_id());
        assert_ne!(one, two);
        assert_eq!(RequestId::from_headers(&map(&[("x-request-id", one.as_str())])), Some(one));
    }

    #[test]
    fn sent_fields_are_found() {
        let check = |pairs: &[(&'static str, &str)], expect: SentFields| {
            assert_eq!(SentFields::find(&map(pairs)), expect, "{pairs:?}");
        };
        let none = SentFields::default();
        check(&[("host", "a"), ("x-request", "b"), ("if-match", "*")], none);
        check(&[("authorization", "a")], SentFields { credential: true, ..none });
        check(&[("if-none-match", "*")], SentFields { condition: true, ..none });
        check(&[("if-modified-since", "x")], SentFields { condition: true, ..none });
        check(&[("host", "a"), ("accept-encoding", "x")], SentFields { codings: true, ..none });
        check(&[("x-request-id", "x")], SentFields { request_id: true, ..none });
        check(&[("recto-after", "x")], SentFields { awaited: true, ..none });
    }

    #[test]
    fn vary_is_merged() {
        for (there, added, expect) in [
            (&[][..], &[header::ACCEPT_ENCODING][..], "accept-encoding"),
            (&["Authorization, Cookie"], &[header::COOKIE], "authorization, cookie"),
            (&["a", "b"], &[header::ORIGIN], "a, b, origin"),
            (&["*"], &[header::ORIGIN], "*"),
        ] {
            let mut headers: Vec<_> =
                there.iter().map(|it| (header::VARY, HeaderValue::from_static(it))).collect();
            add_vary(&mut headers, added);
            assert_eq!(headers, [(header::VARY, HeaderValue::from_static(expect))]);
        }
    }

    #[test]
    fn networks_hold_addresses() {
        for (network, ip, expect) in [
            ("10.0.0.0/8", "10.255.0.1", true),
            ("10.0.0.0/8", "11.0.0.1", false),
            ("10.0.0.0/8", "::ffff:10.1.2.3", true),
            ("192.0.2.7", "192.0.2.7", true),
            ("192.0.2.7", "192.0.2.6", false),
            ("0.0.0.0/0", "203.0.113.1", true),
            ("0.0.0.0/0", "2001:db8::1", false),
            ("2001:db8::/32", "2001:db8:ffff::1", true),
            ("2001:db8::/32", "2001:db9::1", false),
            ("::/0", "2001:db9::1", true),
        ] {
            let networks = Networks::parse(&[network]).unwrap();
            assert_eq!(networks.contains(ip.parse().unwrap()), expect, "{network} {ip}");
        }
        for bad in ["", "10.0.0.0/33", "x", "10.0.0.0/", "::/129", "10.0.0/8"] {
            assert!(Networks::parse(&[bad]).is_err(), "{bad}");
        }
        for (ip, expect) in
            [("127.3.2.1", true), ("::1", true), ("::2", false), ("128.0.0.1", false)]
        {
            assert_eq!(Networks::loopback().contains(ip.parse().unwrap()), expect, "{ip}");
        }
    }

    #[test]
    fn a_client_has_a_block() {
        for (ip, expect) in [
            ("192.0.2.1", "192.0.2.1"),
            ("::ffff:192.0.2.1", "192.0.2.1"),
            ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ] {
            assert_eq!(client_block(ip.parse().unwrap()), expect.parse::<IpAddr>().unwrap());
        }
    }

    fn check_client(peer: &str, pairs: &[(&'static str, &str)], expect: (&str, bool)) {
        let trusted = Networks::parse(&["10.0.0.0/8", "::1"]).unwrap();
        let at = std::net::SocketAddr::new(peer.parse().unwrap(), 1);
        let client = resolve_client(Peer::plain(at), &map(pairs), &trusted);
        assert_eq!((client.ip.to_string().as_str(), client.https), expect, "{peer} {pairs:?}");
    }

    #[test]
    fn proxies_are_believed_when_trusted() {
        let https = ("x-forwarded-proto", "https");
        check_client("192.0.2.1", &[("x-forwarded-for", "1.1.1.1"), https], ("192.0.2.1", false));
        check_client("10.0.0.1", &[], ("10.0.0.1", false));
        check_client("10.0.0.1", &[("x-forwarded-for", "1.1.1.1"), https], ("1.1.1.1", true));
        check_client("::ffff:10.0.0.1", &[("x-forwarded-for", "1.1.1.1")], ("1.1.1.1", false));
        let chain = ("x-forwarded-for", "6.6.6.6, 1.1.1.1:80, 10.0.0.2");
        check_client("10.0.0.1", &[chain], ("1.1.1.1", false));
        let lines = [("x-forwarded-for", "6.6.6.6"), ("x-forwarded-for", "1.1.1.1")];
        check_client("10.0.0.1", &lines, ("1.1.1.1", false));
        check_client("10.0.0.1", &[("x-forwarded-for", "10.9.9.9, 10.0.0.2")], ("10.9.9.9", false));
        check_client(
            "10.0.0.1",
            &[("x-forwarded-for", "1.1.1.1, junk, 10.0.0.2")],
            ("10.0.0.2", false),
        );
        check_client("::1", &[("x-forwarded-for", "[2001:db8::1]:80")], ("2001:db8::1", false));
        check_client("::1", &[("x-forwarded-proto", "https, http")], ("::1", false));
    }
}
