//! The router from raw paths to routes: one tree for each method; parameters are decoded once and
//! strictly.
//!
//! In one tree for all methods, a literal of one method could hide a parameter of another. Paths
//! are matched as received; only the matches of parameters are decoded.

use std::borrow::Cow;

use http::HeaderValue;
use http::Method;
use memchr::memchr;
use memchr::memmem;

/// The routes of a server, below an optional base path.
#[derive(Debug)]
pub struct Router<T> {
    base: String,
    trees: Vec<(Method, matchit::Router<T>)>,
}

/// The result of a lookup.
#[derive(Debug)]
pub enum RouteMatch<'r, 'p, T> {
    /// A route.
    Route {
        /// The inserted value.
        value: &'r T,
        /// The raw matches of its parameters.
        params: RawParams<'r, 'p>,
    },
    /// The path exists, but not with this method.
    WrongMethod {
        /// The value of `Allow`, with `HEAD` beside `GET`, and `OPTIONS`.
        allow: HeaderValue,
    },
    /// The path does not exist.
    NotFound,
}

/// The error of a template that is malformed or conflicts with another.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("route {method} {template}: {reason}")]
pub struct BadRoute {
    method: Method,
    template: String,
    reason: String,
}

impl<T> Router<T> {
    /// Returns a router whose routes are below `base`, a path such as `/cms`; empty for none.
    #[must_use]
    pub fn new(base: &str) -> Self {
        let base = base.trim_matches('/');
        let base = if base.is_empty() { String::new() } else { format!("/{base}") };
        Router { base, trees: Vec::new() }
    }

    /// Adds a route. Templates are those of matchit: `/x/{id}`, `/x/{name}.zip`, `/x/{*rest}`.
    ///
    /// # Errors
    ///
    /// Fails with [`BadRoute`]; this happens at start-up.
    pub fn insert(&mut self, method: &Method, template: &str, value: T) -> Result<(), BadRoute> {
        let at = self.trees.iter().position(|(it, _)| it == method).unwrap_or_else(|| {
            self.trees.push((method.clone(), matchit::Router::new()));
            self.trees.len() - 1
        });
        self.trees[at].1.insert(template, value).map_err(|error| BadRoute {
            method: method.clone(),
            template: template.to_owned(),
            reason: error.to_string(),
        })
    }

    /// Looks up a raw path without its query. `HEAD` falls back to `GET`, one trailing slash is
    /// ignored, empty segments and backslashes match nothing.
    #[must_use]
    pub fn find<'r, 'p>(&'r self, method: &Method, path: &'p str) -> RouteMatch<'r, 'p, T> {
        let Some(path) = self.inner_path(path) else { return RouteMatch::NotFound };
        let fallback = (*method == Method::HEAD).then_some(Method::GET);
        for method in std::iter::once(method).chain(fallback.as_ref()) {
            if let Some(found) = self.find_tree(method).and_then(|it| it.at(path).ok()) {
                return RouteMatch::Route { value: found.value, params: RawParams(found.params) };
            }
        }
        self.allowed_methods(path)
            .map_or(RouteMatch::NotFound, |allow| RouteMatch::WrongMethod { allow })
    }

    /// Returns the path below the base, without trailing slash; `None` if it can have no route.
    fn inner_path<'p>(&self, path: &'p str) -> Option<&'p str> {
        let inner = path.strip_prefix(self.base.as_str())?;
        if inner.is_empty() && !self.base.is_empty() {
            return Some("/");
        }
        let bytes = inner.as_bytes();
        let is_broken = memchr(b'\\', bytes).is_some() || memmem::find(bytes, b"//").is_some();
        if is_broken || !inner.starts_with('/') {
            return None;
        }
        Some(inner.strip_suffix('/').filter(|it| !it.is_empty()).unwrap_or(inner))
    }

    fn find_tree(&self, method: &Method) -> Option<&matchit::Router<T>> {
        self.trees.iter().find(|(it, _)| it == method).map(|(_, tree)| tree)
    }

    /// Returns the methods of this path as an `Allow` value, if there are any.
    fn allowed_methods(&self, path: &str) -> Option<HeaderValue> {
        let mut allow = String::new();
        for method in [Method::GET, Method::POST, Method::PUT, Method::PATCH, Method::DELETE] {
            if self.find_tree(&method).is_some_and(|it| it.at(path).is_ok()) {
                allow.push_str(if method == Method::GET { "GET, HEAD" } else { method.as_str() });
                allow.push_str(", ");
            }
        }
        if allow.is_empty() {
            return None;
        }
        allow.push_str("OPTIONS");
        HeaderValue::try_from(allow).ok()
    }
}

/// The matches of a route's parameters, still encoded.
#[derive(Clone, Debug, Default)]
pub struct RawParams<'r, 'p>(matchit::Params<'r, 'p>);

/// The error of a parameter that cannot be a name: badly encoded, or with forbidden characters. It
/// leads to a 404.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a path parameter is no name")]
pub struct BadParam;

impl<'p> RawParams<'_, 'p> {
    /// Returns the parameters as received, in order.
    pub fn iter(&self) -> impl Iterator<Item = &'p str> {
        self.0.iter().map(|(_, raw)| raw)
    }
}

/// Decodes a parameter of one segment: valid UTF-8 without control characters, slashes and
/// backslashes, and neither `.` nor `..`.
///
/// # Errors
///
/// Fails with [`BadParam`] if the parameter is invalid.
pub fn decode_segment(raw: &str) -> Result<Cow<'_, str>, BadParam> {
    let text = decode_percent(raw)?;
    if text.contains('/') || is_dots(&text) { Err(BadParam) } else { Ok(text) }
}

/// Decodes a `{*rest}` parameter like [`decode_segment`], except that slashes, encoded or not,
/// separate segments.
///
/// # Errors
///
/// Fails with [`BadParam`] if the parameter is invalid.
pub fn decode_rest(raw: &str) -> Result<Cow<'_, str>, BadParam> {
    let text = decode_percent(raw)?;
    let bad = text.split('/').any(|it| it.is_empty() || is_dots(it));
    if bad { Err(BadParam) } else { Ok(text) }
}

fn is_dots(segment: &str) -> bool {
    segment == "." || segment == ".."
}

/// Decodes percent escapes once; a remaining `%` stays.
fn decode_percent(raw: &str) -> Result<Cow<'_, str>, BadParam> {
    // Nearly all parameters are names of these characters alone.
    let is_plain = |it: u8| it.is_ascii_alphanumeric() || matches!(it, b'-' | b'_' | b'.');
    if !raw.is_empty() && raw.bytes().all(is_plain) {
        return Ok(Cow::Borrowed(raw));
    }
    let text =
        if raw.contains('%') { Cow::Owned(decode_escapes(raw)?) } else { Cow::Borrowed(raw) };
    let bad = text.is_empty() || text.chars().any(|it| it.is_control() || it == '\\');
    if bad { Err(BadParam) } else { Ok(text) }
}

fn decode_escapes(raw: &str) -> Result<String, BadParam> {
    let mut pieces = raw.split('%');
    let mut bytes = Vec::with_capacity(raw.len());
    bytes.extend_from_slice(pieces.next().unwrap_or("").as_bytes());
    for piece in pieces {
        let [high, low, rest @ ..] = piece.as_bytes() else { return Err(BadParam) };
        bytes.push(parse_hex(*high)? << 4 | parse_hex(*low)?);
        bytes.extend_from_slice(rest);
    }
    String::from_utf8(bytes).map_err(|_| BadParam)
}

fn parse_hex(digit: u8) -> Result<u8, BadParam> {
    match digit {
        b'0'..=b'9' => Ok(digit - b'0'),
        b'a'..=b'f' => Ok(digit - b'a' + 10),
        b'A'..=b'F' => Ok(digit - b'A' + 10),
        _ => Err(BadParam),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn router(base: &str) -> Router<&'static str> {
        let mut router = Router::new(base);
        for (method, template) in [
            (Method::GET, "/"),
            (Method::GET, "/types/{name}"),
            (Method::PATCH, "/types/order"),
            (Method::PUT, "/types/{name}"),
            (Method::GET, "/backups/{name}.zip"),
            (Method::GET, "/categories"),
            (Method::DELETE, "/categories/{*rest}"),
            (Method::POST, "/types"),
        ] {
            router.insert(&method, template, template).unwrap();
        }
        router
    }

    /// `expect`: the template and its raw parameters, `405 <Allow>` or `404`.
    fn check(base: &str, method: Method, path: &str, expect: &str) {
        let router = router(base);
        let found = match router.find(&method, path) {
            RouteMatch::Route { value, params } => {
                let pairs = params.0.iter().map(|(name, it)| format!(" {name}={it}"));
                format!("{value}{}", pairs.collect::<String>())
            }
            RouteMatch::WrongMethod { allow } => format!("405 {}", allow.to_str().unwrap()),
            RouteMatch::NotFound => "404".to_owned(),
        };
        assert_eq!(found, expect, "{method} {path} below {base:?}");
    }

    #[test]
    fn paths_lead_to_routes() {
        check("", Method::GET, "/", "/");
        check("", Method::GET, "/types/order", "/types/{name} name=order");
        check("", Method::PATCH, "/types/order", "/types/order");
        check("", Method::HEAD, "/types/a", "/types/{name} name=a");
        check("", Method::GET, "/types/a/", "/types/{name} name=a");
        check("", Method::GET, "/backups/b.zip", "/backups/{name}.zip name=b");
        check("", Method::DELETE, "/categories/a/b%2Fc", "/categories/{*rest} rest=a/b%2Fc");
        check("", Method::GET, "/types/..%2fa", "/types/{name} name=..%2fa");
    }

    #[test]
    fn other_paths_lead_nowhere() {
        for path in [
            "",
            "*",
            "//",
            "//types/a",
            "/types//",
            "/types//a",
            "/types/a//",
            "/types\\a",
            "/typ%65s/a",
            "/x",
            "/types/a/b",
        ] {
            check("", Method::GET, path, "404");
        }
        check("", Method::DELETE, "/categories/", "405 GET, HEAD, OPTIONS");
    }

    #[test]
    fn wrong_methods_learn_the_right_ones() {
        check("", Method::DELETE, "/types/a", "405 GET, HEAD, PUT, OPTIONS");
        check("", Method::DELETE, "/types/order", "405 GET, HEAD, PUT, PATCH, OPTIONS");
        check("", Method::OPTIONS, "/types", "405 POST, OPTIONS");
        check("", Method::HEAD, "/types", "405 POST, OPTIONS");
        check("", Method::POST, "/nowhere", "404");
    }

    #[test]
    fn a_base_path_is_cut_off() {
        for base in ["/cms", "/cms/", "cms"] {
            check(base, Method::GET, "/cms/types/a", "/types/{name} name=a");
            check(base, Method::GET, "/cms", "/");
            check(base, Method::GET, "/cms/", "/");
            check(base, Method::GET, "/cmsx", "404");
            check(base, Method::GET, "/cms//types/a", "404");
            check(base, Method::GET, "/types/a", "404");
            check(base, Method::GET, "/", "404");
        }
    }

    #[test]
    fn clashing_routes_are_refused() {
        let mut router = router("");
        let error = router.insert(&Method::GET, "/types/{id}", "x").unwrap_err();
        assert!(error.to_string().starts_with("route GET /types/{id}: "), "{error}");
    }

    fn check_param(raw: &str, segment: Result<&str, BadParam>, rest: Result<&str, BadParam>) {
        let mut router = Router::new("");
        router.insert(&Method::GET, "/{*x}", ()).unwrap();
        let path = format!("/{raw}");
        let RouteMatch::Route { params, .. } = router.find(&Method::GET, &path) else {
            panic!("no route for {raw}");
        };
        let received: Vec<&str> = params.iter().collect();
        assert_eq!(received, [raw]);
        let owned = |it: Result<&str, BadParam>| it.map(|it| Cow::from(it.to_owned()));
        assert_eq!((decode_segment(raw), decode_rest(raw)), (owned(segment), owned(rest)), "{raw}");
    }

    #[test]
    fn parameters_are_decoded_once() {
        for (raw, expect) in [
            ("a", "a"),
            ("%61%C3%A4", "aä"),
            ("ä", "ä"),
            ("%252e", "%2e"),
            ("a+b%20", "a+b "),
            ("...", "..."),
        ] {
            check_param(raw, Ok(expect), Ok(expect));
        }
        for raw in [
            "%", "%4", "%zz", "%+1", "a%00", "%0a", "%7F", "%c2%85", "%ff", "%c3", "..", ".",
            "%2e%2E", "a%5cb",
        ] {
            check_param(raw, Err(BadParam), Err(BadParam));
        }
        check_param("a%2Fb", Err(BadParam), Ok("a/b"));
        check_param("a/b", Err(BadParam), Ok("a/b"));
        for raw in ["a/../b", "..%2f..%2fetc", "a%2F%2Fb", "%2Fa", "a%2f"] {
            check_param(raw, Err(BadParam), Err(BadParam));
        }
    }
}
