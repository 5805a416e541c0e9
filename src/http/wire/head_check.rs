//! The check of request heads before anything else sees them, and the responses to refused ones.
//!
//! Hyper accepts more than a public server should: no `Host` or two, another host in the request
//! line, any method, targets of 64 KiB. The router checks paths, the readers check bodies.

use bytes::Bytes;
use http::HeaderMap;
use http::HeaderValue;
use http::Method;
use http::Request;
use http::Response;
use http::StatusCode;
use http::Version;
use http::header;

use super::reply::ReplyBody;
use super::smuggling::FramingFlaw;

/// The longest request target.
pub const TARGET_BYTES_MAX: usize = 8 * 1_024;
/// The most header fields of a request.
pub const HEADERS_MAX: usize = 64;
/// The supported methods, as a value for `Allow`.
pub const METHODS: &str = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";

/// The reason why a request is refused before the service. The connection is closed then.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeadRefusal {
    /// A header line ends without a carriage return.
    BareLineFeed,
    /// `Content-Length` is repeated, or no plain number.
    Length,
    /// `Content-Length` and `Transfer-Encoding` together.
    LengthAndEncoding,
    /// `Transfer-Encoding` names no coding, or `chunked` twice.
    Codings,
    /// `Transfer-Encoding` names another coding than `chunked`.
    UnknownCoding,
    /// `Host` is missing, repeated or invalid.
    Host,
    /// The request line and `Host` name different hosts.
    Authority,
    /// The target is neither a path nor a URL.
    Target,
    /// The target is longer than [`TARGET_BYTES_MAX`].
    TargetTooLong,
    /// There are more fields than [`HEADERS_MAX`].
    TooManyHeaders,
    /// The method is not one of [`METHODS`].
    Method,
    /// The service panicked. This is not the client's fault, but there is no other response.
    Panicked,
}

impl HeadRefusal {
    /// Returns the status of the response.
    #[must_use]
    pub fn status(self) -> StatusCode {
        match self {
            HeadRefusal::TargetTooLong => StatusCode::URI_TOO_LONG,
            HeadRefusal::TooManyHeaders => StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
            HeadRefusal::Method => StatusCode::METHOD_NOT_ALLOWED,
            HeadRefusal::UnknownCoding => StatusCode::NOT_IMPLEMENTED,
            HeadRefusal::Panicked => StatusCode::INTERNAL_SERVER_ERROR,
            _ => StatusCode::BAD_REQUEST,
        }
    }

    /// Returns the code for the error envelope.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            HeadRefusal::Method => "method_not_allowed",
            HeadRefusal::Panicked => "server_error",
            _ => "bad_request",
        }
    }

    /// Returns the message for people.
    #[must_use]
    pub fn message(self) -> &'static str {
        match self {
            HeadRefusal::BareLineFeed => "Header lines must end with CR LF.",
            HeadRefusal::Length => "Content-Length must be given once, as a plain number.",
            HeadRefusal::LengthAndEncoding => {
                "Content-Length and Transfer-Encoding must not be used together."
            }
            HeadRefusal::Codings => "Transfer-Encoding must be `chunked`, once.",
            HeadRefusal::UnknownCoding => "The only supported Transfer-Encoding is `chunked`.",
            HeadRefusal::Host => "Exactly one valid Host header is required.",
            HeadRefusal::Authority => "The request line and the Host header name different hosts.",
            HeadRefusal::Target => "The request target must be a path.",
            HeadRefusal::TargetTooLong => "The request target is longer than 8 KiB.",
            HeadRefusal::TooManyHeaders => "The request has more than 64 header fields.",
            HeadRefusal::Method => "This method is not supported.",
            HeadRefusal::Panicked => "Something went wrong on the server.",
        }
    }

    /// Returns the response, for services that do not render it themselves.
    #[must_use]
    pub fn to_response(self) -> Response<ReplyBody> {
        let json =
            format!(r#"{{"error":{{"code":"{}","message":"{}"}}}}"#, self.code(), self.message());
        let mut response = Response::new(ReplyBody::Full(Bytes::from(json)));
        *response.status_mut() = self.status();
        let headers = response.headers_mut();
        let json_type = HeaderValue::from_static("application/json; charset=utf-8");
        headers.insert(header::CONTENT_TYPE, json_type);
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
        if self == HeadRefusal::Method {
            headers.insert(header::ALLOW, HeaderValue::from_static(METHODS));
        }
        response
    }
}

impl From<FramingFlaw> for HeadRefusal {
    fn from(flaw: FramingFlaw) -> Self {
        match flaw {
            FramingFlaw::BareLineFeed => HeadRefusal::BareLineFeed,
            FramingFlaw::Length => HeadRefusal::Length,
            FramingFlaw::LengthAndEncoding => HeadRefusal::LengthAndEncoding,
        }
    }
}

/// Checks a head that hyper parsed.
///
/// # Errors
///
/// Returns the first problem.
pub fn check_head<B>(request: &Request<B>) -> Result<(), HeadRefusal> {
    let headers = request.headers();
    if headers.len() > HEADERS_MAX {
        return Err(HeadRefusal::TooManyHeaders);
    }
    if !is_known(request.method()) {
        return Err(HeadRefusal::Method);
    }
    let host = check_fields(headers, request.version())?;
    let uri = request.uri();
    let path_bytes = uri.path_and_query().map_or(0, |it| it.as_str().len());
    if path_bytes > TARGET_BYTES_MAX {
        return Err(HeadRefusal::TargetTooLong);
    }
    if let Some(authority) = uri.authority() {
        let same = host
            .is_some_and(|it| it.as_bytes().eq_ignore_ascii_case(authority.as_str().as_bytes()));
        if !same || !matches!(uri.scheme_str(), Some("http" | "https")) {
            return Err(HeadRefusal::Authority);
        }
    }
    if uri.path() == "*" {
        return Err(HeadRefusal::Method);
    }
    if !uri.path().starts_with('/') {
        return Err(HeadRefusal::Target);
    }
    Ok(())
}

fn is_known(method: &Method) -> bool {
    matches!(
        *method,
        Method::GET
            | Method::HEAD
            | Method::POST
            | Method::PUT
            | Method::PATCH
            | Method::DELETE
            | Method::OPTIONS
    )
}

/// Checks the lengths and the codings, and returns the only `Host`; `None` only for HTTP/1.0, which
/// does not have it. The raw scan finds wrong lengths first, since hyper drops them; this covers
/// requests that come another way.
fn check_fields(
    headers: &HeaderMap,
    version: Version,
) -> Result<Option<&HeaderValue>, HeadRefusal> {
    let (mut host, mut n_hosts, mut n_lengths, mut encoded) = (None, 0, 0, false);
    // One pass costs less than a look-up of each.
    for (name, value) in headers {
        match *name {
            header::HOST => {
                host = Some(value);
                n_hosts += 1;
            }
            header::CONTENT_LENGTH => n_lengths += 1,
            header::TRANSFER_ENCODING => encoded = true,
            _ => {}
        }
    }
    match n_lengths {
        0 => {}
        1 if encoded => return Err(HeadRefusal::LengthAndEncoding),
        1 => {}
        _ => return Err(HeadRefusal::Length),
    }
    if encoded {
        check_codings(headers)?;
    }
    match (host, n_hosts) {
        (Some(host), 1) if is_host(host.as_bytes()) => Ok(Some(host)),
        (None, _) if version == Version::HTTP_10 => Ok(None),
        _ => Err(HeadRefusal::Host),
    }
}

/// Checks that a body is chunked and nothing else. Hyper asks only that `chunked` is the last
/// coding, and does not decode the others.
fn check_codings(headers: &HeaderMap) -> Result<(), HeadRefusal> {
    let lines = headers.get_all(header::TRANSFER_ENCODING);
    let codings = || {
        let names = lines.iter().flat_map(|it| it.as_bytes().split(|byte| *byte == b','));
        names.map(<[u8]>::trim_ascii)
    };
    let is_chunked = |it: &[u8]| it.eq_ignore_ascii_case(b"chunked");
    if codings().any(|it| !it.is_empty() && !is_chunked(it)) {
        return Err(HeadRefusal::UnknownCoding);
    }
    let is_sound = codings().count() == 1 && codings().all(is_chunked);
    is_sound.then_some(()).ok_or(HeadRefusal::Codings)
}

/// Returns true if the characters are those of a name or address with an optional port: no user, no
/// path, no list.
fn is_host(value: &[u8]) -> bool {
    const ALLOWED: [bool; 256] = {
        let mut allowed = [false; 256];
        let (marks, mut at) = (b"-._~%:[]!$&'()*+;=", 0);
        while at < marks.len() {
            allowed[marks[at] as usize] = true;
            at += 1;
        }
        let mut byte = 0;
        while byte < 128 {
            allowed[byte] |= (byte as u8).is_ascii_alphanumeric();
            byte += 1;
        }
        allowed
    };
    let is_allowed = |it: &u8| ALLOWED[usize::from(*it)];
    !value.is_empty() && value.len() <= 255 + ":65535".len() && value.iter().all(is_allowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(
        method: &str,
        target: &str,
        headers: &[(&str, &str)],
        expect: Result<(), HeadRefusal>,
    ) {
        let mut request = Request::builder().method(method).uri(target);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(()).unwrap();
        assert_eq!(check_head(&request), expect, "{method} {target} {headers:?}");
    }

    const HOST: (&str, &str) = ("host", "a.org:80");

    #[test]
    fn heads_are_judged() {
        for method in ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] {
            check(method, "/", &[HOST], Ok(()));
        }
        for method in ["get", "TRACE", "CONNECT", "PROPFIND", "X"] {
            check(method, "/", &[HOST], Err(HeadRefusal::Method));
        }
        check("OPTIONS", "*", &[HOST], Err(HeadRefusal::Method));
        check("GET", "/", &[], Err(HeadRefusal::Host));
        check("GET", "/", &[HOST, HOST], Err(HeadRefusal::Host));
        for host in ["", "a b", "a/b", "u@a", "a,b", "a?b", "a\\b", "ä"] {
            check("GET", "/", &[("host", host)], Err(HeadRefusal::Host));
        }
        for host in ["a", "127.0.0.1:8080", "[::1]:80", "xn--a.org."] {
            check("GET", "/", &[("host", host)], Ok(()));
        }
    }

    #[test]
    fn targets_are_judged() {
        check("GET", "http://A.org:80/x", &[HOST], Ok(()));
        check("GET", "http://evil.org/x", &[HOST], Err(HeadRefusal::Authority));
        check("GET", "ftp://a.org:80/x", &[HOST], Err(HeadRefusal::Authority));
        let path = |n: usize| format!("/{}", "a".repeat(n - 1));
        check("GET", &path(TARGET_BYTES_MAX), &[HOST], Ok(()));
        check("GET", &path(TARGET_BYTES_MAX + 1), &[HOST], Err(HeadRefusal::TargetTooLong));
    }

    #[test]
    fn lengths_and_counts_are_judged() {
        let (one, two) = (("content-length", "1"), ("content-length", "1"));
        let encoded = ("transfer-encoding", "chunked");
        check("POST", "/", &[HOST, one], Ok(()));
        check("POST", "/", &[HOST, encoded], Ok(()));
        check("POST", "/", &[HOST, one, two], Err(HeadRefusal::Length));
        check("POST", "/", &[HOST, one, encoded], Err(HeadRefusal::LengthAndEncoding));
        for (value, expect) in [
            ("Chunked", Ok(())),
            ("\tchunked ", Ok(())),
            ("", Err(HeadRefusal::Codings)),
            (", chunked", Err(HeadRefusal::Codings)),
            ("chunked, chunked", Err(HeadRefusal::Codings)),
            ("gzip, chunked", Err(HeadRefusal::UnknownCoding)),
            ("identity", Err(HeadRefusal::UnknownCoding)),
            ("chunked;a=b", Err(HeadRefusal::UnknownCoding)),
        ] {
            check("POST", "/", &[HOST, ("transfer-encoding", value)], expect);
        }
        check("POST", "/", &[HOST, encoded, encoded], Err(HeadRefusal::Codings));
        let deflated = ("transfer-encoding", "deflate");
        check("POST", "/", &[HOST, deflated, encoded], Err(HeadRefusal::UnknownCoding));
        let many =
            |n: usize| std::iter::once(HOST).chain((1..n).map(|_| ("x", "y"))).collect::<Vec<_>>();
        check("GET", "/", &many(HEADERS_MAX), Ok(()));
        check("GET", "/", &many(HEADERS_MAX + 1), Err(HeadRefusal::TooManyHeaders));
    }

    #[test]
    fn old_clients_need_no_host() {
        let request = Request::builder().version(Version::HTTP_10).uri("/").body(()).unwrap();
        assert_eq!(check_head(&request), Ok(()));
    }
}
