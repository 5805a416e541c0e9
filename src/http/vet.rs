//! Judges a request's head before anything else sees it, and words the refusals.
//!
//! hyper accepts more than a public server should: no `Host` or two, another host in the request
//! line, any method, targets of 64 KiB. Paths are the router's business, bodies the reader's.

use bytes::Bytes;
use http::HeaderMap;
use http::HeaderValue;
use http::Method;
use http::Request;
use http::Response;
use http::StatusCode;
use http::Version;
use http::header;

use super::framing::Flaw;
use super::reply::ReplyBody;

/// The longest request target.
pub const TARGET_BYTES_MAX: usize = 8 * 1_024;
/// The most header fields of a request.
pub const HEADERS_MAX: usize = 64;
/// The methods that exist here, as a value for `Allow`.
pub const METHODS: &str = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS";

/// Why a request is answered without the service, always with the connection's end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// A header line ends without a carriage return.
    BareLineFeed,
    /// `Content-Length` is repeated, or no plain number.
    Length,
    /// `Content-Length` and `Transfer-Encoding` together.
    LengthAndEncoding,
    /// No `Host`, two of them, or one that is no host.
    Host,
    /// The request line names another host than `Host` does.
    Authority,
    /// Neither a path nor a URL.
    Target,
    /// Over [`TARGET_BYTES_MAX`].
    TargetTooLong,
    /// Over [`HEADERS_MAX`].
    TooManyHeaders,
    /// Not one of [`METHODS`].
    Method,
    /// The service panicked. Not the client's fault, but no answer came.
    Panicked,
}

impl Refusal {
    /// The status to answer with.
    #[must_use]
    pub fn status(self) -> StatusCode {
        match self {
            Refusal::TargetTooLong => StatusCode::URI_TOO_LONG,
            Refusal::TooManyHeaders => StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
            Refusal::Method => StatusCode::METHOD_NOT_ALLOWED,
            Refusal::Panicked => StatusCode::INTERNAL_SERVER_ERROR,
            _ => StatusCode::BAD_REQUEST,
        }
    }

    /// The code for the error envelope.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Refusal::Method => "method_not_allowed",
            Refusal::Panicked => "server_error",
            _ => "bad_request",
        }
    }

    /// What a person should know.
    #[must_use]
    pub fn message(self) -> &'static str {
        match self {
            Refusal::BareLineFeed => "Header lines must end with CR LF.",
            Refusal::Length => "Content-Length must be given once, as a plain number.",
            Refusal::LengthAndEncoding => {
                "Content-Length and Transfer-Encoding must not come together."
            }
            Refusal::Host => "Exactly one valid Host header is needed.",
            Refusal::Authority => "The request line names another host than the Host header.",
            Refusal::Target => "The request target must be a path.",
            Refusal::TargetTooLong => "The request target is longer than 8 KiB.",
            Refusal::TooManyHeaders => "The request has more than 64 header fields.",
            Refusal::Method => "This method is not supported.",
            Refusal::Panicked => "Something went wrong on the server.",
        }
    }

    /// The envelope as a response, for services without a say of their own.
    #[must_use]
    pub fn response(self) -> Response<ReplyBody> {
        let json =
            format!(r#"{{"error":{{"code":"{}","message":"{}"}}}}"#, self.code(), self.message());
        let mut response = Response::new(ReplyBody::Full(Bytes::from(json)));
        *response.status_mut() = self.status();
        let headers = response.headers_mut();
        let json_type = HeaderValue::from_static("application/json; charset=utf-8");
        headers.insert(header::CONTENT_TYPE, json_type);
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
        if self == Refusal::Method {
            headers.insert(header::ALLOW, HeaderValue::from_static(METHODS));
        }
        response
    }
}

impl From<Flaw> for Refusal {
    fn from(flaw: Flaw) -> Self {
        match flaw {
            Flaw::BareLineFeed => Refusal::BareLineFeed,
            Flaw::Length => Refusal::Length,
            Flaw::LengthAndEncoding => Refusal::LengthAndEncoding,
        }
    }
}

/// Judges a head as hyper hands it over.
///
/// # Errors
/// The first thing that is wrong with it.
pub fn vet<B>(request: &Request<B>) -> Result<(), Refusal> {
    let headers = request.headers();
    if headers.len() > HEADERS_MAX {
        return Err(Refusal::TooManyHeaders);
    }
    if !is_known(request.method()) {
        return Err(Refusal::Method);
    }
    vet_lengths(headers)?;
    let host = host(headers, request.version())?;
    let uri = request.uri();
    let path_bytes = uri.path_and_query().map_or(0, |it| it.as_str().len());
    if path_bytes > TARGET_BYTES_MAX {
        return Err(Refusal::TargetTooLong);
    }
    if let Some(authority) = uri.authority() {
        let same = host
            .is_some_and(|it| it.as_bytes().eq_ignore_ascii_case(authority.as_str().as_bytes()));
        if !same || !matches!(uri.scheme_str(), Some("http" | "https")) {
            return Err(Refusal::Authority);
        }
    }
    if uri.path() == "*" {
        return Err(Refusal::Method);
    }
    if !uri.path().starts_with('/') {
        return Err(Refusal::Target);
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

/// hyper has dropped what the raw scan finds; this is for requests that come another way.
fn vet_lengths(headers: &HeaderMap) -> Result<(), Refusal> {
    let mut lengths = headers.get_all(header::CONTENT_LENGTH).iter();
    let Some(_) = lengths.next() else { return Ok(()) };
    if lengths.next().is_some() {
        return Err(Refusal::Length);
    }
    if headers.contains_key(header::TRANSFER_ENCODING) {
        return Err(Refusal::LengthAndEncoding);
    }
    Ok(())
}

/// The one `Host`; `None` only for HTTP/1.0, which does not know it.
fn host(headers: &HeaderMap, version: Version) -> Result<Option<&HeaderValue>, Refusal> {
    let mut hosts = headers.get_all(header::HOST).iter();
    match (hosts.next(), hosts.next()) {
        (Some(host), None) if is_host(host.as_bytes()) => Ok(Some(host)),
        (None, _) if version == Version::HTTP_10 => Ok(None),
        _ => Err(Refusal::Host),
    }
}

/// A name or address with an optional port, by its characters: no user, no path, no list.
fn is_host(value: &[u8]) -> bool {
    let allowed = |it: &u8| it.is_ascii_alphanumeric() || b"-._~%:[]!$&'()*+;=".contains(it);
    !value.is_empty() && value.len() <= 255 + ":65535".len() && value.iter().all(allowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(method: &str, target: &str, headers: &[(&str, &str)], expect: Result<(), Refusal>) {
        let mut request = Request::builder().method(method).uri(target);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(()).unwrap();
        assert_eq!(vet(&request), expect, "{method} {target} {headers:?}");
    }

    const HOST: (&str, &str) = ("host", "a.org:80");

    #[test]
    fn heads_are_judged() {
        for method in ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] {
            check(method, "/", &[HOST], Ok(()));
        }
        for method in ["get", "TRACE", "CONNECT", "PROPFIND", "X"] {
            check(method, "/", &[HOST], Err(Refusal::Method));
        }
        check("OPTIONS", "*", &[HOST], Err(Refusal::Method));
        check("GET", "/", &[], Err(Refusal::Host));
        check("GET", "/", &[HOST, HOST], Err(Refusal::Host));
        for host in ["", "a b", "a/b", "u@a", "a,b", "a?b", "a\\b", "ä"] {
            check("GET", "/", &[("host", host)], Err(Refusal::Host));
        }
        for host in ["a", "127.0.0.1:8080", "[::1]:80", "xn--a.org."] {
            check("GET", "/", &[("host", host)], Ok(()));
        }
    }

    #[test]
    fn targets_are_judged() {
        check("GET", "http://A.org:80/x", &[HOST], Ok(()));
        check("GET", "http://evil.org/x", &[HOST], Err(Refusal::Authority));
        check("GET", "ftp://a.org:80/x", &[HOST], Err(Refusal::Authority));
        let path = |n: usize| format!("/{}", "a".repeat(n - 1));
        check("GET", &path(TARGET_BYTES_MAX), &[HOST], Ok(()));
        check("GET", &path(TARGET_BYTES_MAX + 1), &[HOST], Err(Refusal::TargetTooLong));
    }

    #[test]
    fn lengths_and_counts_are_judged() {
        let (one, two) = (("content-length", "1"), ("content-length", "1"));
        let encoded = ("transfer-encoding", "chunked");
        check("POST", "/", &[HOST, one], Ok(()));
        check("POST", "/", &[HOST, encoded], Ok(()));
        check("POST", "/", &[HOST, one, two], Err(Refusal::Length));
        check("POST", "/", &[HOST, one, encoded], Err(Refusal::LengthAndEncoding));
        let many =
            |n: usize| std::iter::once(HOST).chain((1..n).map(|_| ("x", "y"))).collect::<Vec<_>>();
        check("GET", "/", &many(HEADERS_MAX), Ok(()));
        check("GET", "/", &many(HEADERS_MAX + 1), Err(Refusal::TooManyHeaders));
    }

    #[test]
    fn old_clients_need_no_host() {
        let request = Request::builder().version(Version::HTTP_10).uri("/").body(()).unwrap();
        assert_eq!(vet(&request), Ok(()));
    }
}
