//! The router from raw paths to routes: one tree for each method; parameters are decoded once and
//! strictly.
//!
//! In one tree for all methods, a literal of one method could hide a parameter of another. Paths
//! are matched as received; only the matches of parameters are decoded.

use std::borrow::Cow;

use http::HeaderValue;
use http::Method;
use memchr::memchr2;

use crate::stdx::byte_compare;

/// The most parameters of a path.
pub const PARAMS_MAX: usize = 4;

/// The routes of a server, below an optional base path.
#[derive(Debug)]
pub struct Router<T> {
    base: String,
    trees: Vec<(Method, matchit::Router<T>)>,
    /// The templates in the trees.
    templates: Vec<(Method, String)>,
    /// Copies of the routes that are requested most, which are tried before the trees.
    direct: Vec<DirectRoute<T>>,
}

/// A route that is found by comparing the parts of its template, for a fraction of what the tree
/// costs.
#[derive(Debug)]
struct DirectRoute<T> {
    method: Method,
    parts: Vec<TemplatePart>,
    value: T,
}

/// A part of a template: the text between two parameters, with its slashes, or a parameter.
#[derive(Debug, PartialEq, Eq)]
enum TemplatePart {
    Literal(String),
    Param,
}

/// The result of a lookup.
#[derive(Debug)]
pub enum RouteMatch<'r, 'p, T> {
    /// A route.
    Route {
        /// The inserted value.
        value: &'r T,
        /// The raw matches of its parameters.
        params: RawParams<'p>,
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
        Router { base, trees: Vec::new(), templates: Vec::new(), direct: Vec::new() }
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
        })?;
        self.templates.push((method.clone(), template.to_owned()));
        Ok(())
    }

    /// Makes an inserted route quick to find. Its parameters must be whole segments, and no other
    /// route of its method may match a path that it matches.
    ///
    /// # Errors
    ///
    /// Fails with [`BadRoute`] if that is not so; this happens at start-up.
    pub fn insert_direct(&mut self, method: &Method, template: &str) -> Result<(), BadRoute>
    where
        T: Clone,
    {
        let bad = |reason: String| BadRoute {
            method: method.clone(),
            template: template.to_owned(),
            reason,
        };
        let parts = TemplatePart::parse_template(template)
            .ok_or_else(|| bad("a parameter is not a whole segment".to_owned()))?;
        let mut others = self.templates.iter().filter(|(it, _)| it == method);
        if let Some((_, other)) =
            others.find(|(_, it)| it != template && may_match_one_path(it, template))
        {
            return Err(bad(format!("`{other}` matches some of its paths")));
        }
        // A template matches itself as a path, and nothing else matches that, as was just checked.
        let found = self.find_tree(method).and_then(|it| it.at(template).ok());
        let value = found.map(|it| it.value.clone());
        let value = value.ok_or_else(|| bad("there is no such route".to_owned()))?;
        self.direct.push(DirectRoute { method: method.clone(), parts, value });
        Ok(())
    }

    /// Looks up a raw path without its query. `HEAD` falls back to `GET`, one trailing slash is
    /// ignored, empty segments and backslashes match nothing.
    #[must_use]
    pub fn find<'r, 'p>(&'r self, method: &Method, path: &'p str) -> RouteMatch<'r, 'p, T> {
        let Some(path) = self.strip_base(path) else { return RouteMatch::NotFound };
        for route in self.direct.iter().filter(|it| it.method == *method) {
            if let Some(params) = route.match_path(path) {
                return RouteMatch::Route { value: &route.value, params };
            }
        }
        if has_stray_separators(path) {
            return RouteMatch::NotFound;
        }
        let fallback = (*method == Method::HEAD).then_some(Method::GET);
        for method in std::iter::once(method).chain(fallback.as_ref()) {
            if let Some(found) = self.find_tree(method).and_then(|it| it.at(path).ok()) {
                let params = RawParams::from_matches(&found.params);
                return RouteMatch::Route { value: found.value, params };
            }
        }
        self.allowed_methods(path)
            .map_or(RouteMatch::NotFound, |allow| RouteMatch::WrongMethod { allow })
    }

    /// Returns the path below the base, without trailing slash; `None` if it can have no route.
    fn strip_base<'p>(&self, path: &'p str) -> Option<&'p str> {
        let inner = path.strip_prefix(self.base.as_str())?;
        if inner.is_empty() && !self.base.is_empty() {
            return Some("/");
        }
        let path = inner.strip_suffix('/').filter(|it| !it.is_empty()).unwrap_or(inner);
        let has_two = path.len() < inner.len() && path.ends_with('/');
        (path.starts_with('/') && !has_two).then_some(path)
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

impl<T> DirectRoute<T> {
    /// Returns the parameters of a path that this route matches.
    fn match_path<'p>(&self, path: &'p str) -> Option<RawParams<'p>> {
        let mut params = RawParams::default();
        let mut rest = path;
        for part in &self.parts {
            rest = match part {
                TemplatePart::Literal(literal) => byte_compare::strip_prefix(rest, literal)?,
                TemplatePart::Param => {
                    let end = memchr2(b'/', b'\\', rest.as_bytes());
                    let (value, rest) = rest.split_at_checked(end.unwrap_or(rest.len()))?;
                    // An empty segment matches nothing.
                    params.push(Some(value).filter(|it| !it.is_empty())?);
                    rest
                }
            };
        }
        rest.is_empty().then_some(params)
    }
}

impl TemplatePart {
    /// Returns the parts of a template; `None` if a parameter is not a whole segment.
    fn parse_template(template: &str) -> Option<Vec<TemplatePart>> {
        let (mut parts, mut literal) = (Vec::new(), String::new());
        for segment in template.strip_prefix('/')?.split('/') {
            literal.push('/');
            let name = segment.strip_prefix('{').and_then(|it| it.strip_suffix('}'));
            match name {
                Some(name) if !name.starts_with('*') => {
                    parts.push(TemplatePart::Literal(std::mem::take(&mut literal)));
                    parts.push(TemplatePart::Param);
                }
                None if !segment.contains('{') => literal.push_str(segment),
                Some(_) | None => return None,
            }
        }
        if !literal.is_empty() {
            parts.push(TemplatePart::Literal(literal));
        }
        Some(parts)
    }
}

/// Returns true if some path could match both templates.
fn may_match_one_path(one: &str, other: &str) -> bool {
    let (mut ones, mut others) = (one.split('/'), other.split('/'));
    loop {
        match (ones.next(), others.next()) {
            (None, None) => return true,
            (Some(it), _) | (_, Some(it)) if it.starts_with("{*") => return true,
            (Some(a), Some(b)) if a == b || a.contains('{') || b.contains('{') => {}
            _ => return false,
        }
    }
}

/// Returns true if a path has an empty segment or a backslash, which other programs may take for
/// something else than the router does.
fn has_stray_separators(path: &str) -> bool {
    // Paths are short: one pass over the bytes is quicker than two searches.
    let mut before = 0;
    path.bytes().any(|byte| {
        let is_stray = byte == b'\\' || (byte == b'/' && before == b'/');
        before = byte;
        is_stray
    })
}

/// The matches of a route's parameters, still encoded.
#[derive(Clone, Copy, Debug, Default)]
pub struct RawParams<'p> {
    values: [&'p str; PARAMS_MAX],
    count: usize,
}

/// The error of a parameter that cannot be a name: badly encoded, or with forbidden characters. It
/// leads to a 404.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a path parameter is no name")]
pub struct BadParam;

impl<'p> RawParams<'p> {
    fn from_matches(found: &matchit::Params<'_, 'p>) -> RawParams<'p> {
        let mut params = RawParams::default();
        found.iter().for_each(|(_, value)| params.push(value));
        params
    }

    fn push(&mut self, value: &'p str) {
        if let Some(slot) = self.values.get_mut(self.count) {
            *slot = value;
            self.count += 1;
        }
    }

    /// Returns the parameters as received, in order.
    pub fn iter(&self) -> impl Iterator<Item = &'p str> {
        self.values.into_iter().take(self.count)
    }
}

/// Decodes a parameter of one segment: valid UTF-8 without control characters, slashes and
/// backslashes, and neither `.` nor `..`.
///
/// # Errors
///
/// Fails with [`BadParam`] if the parameter is invalid.
pub fn decode_segment(raw: &str) -> Result<Cow<'_, str>, BadParam> {
    if is_plain_name(raw) {
        return if is_dots(raw) { Err(BadParam) } else { Ok(Cow::Borrowed(raw)) };
    }
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

/// Returns true if a parameter has only characters that need neither decoding nor checking, as
/// nearly all have.
fn is_plain_name(raw: &str) -> bool {
    const PLAIN: [bool; 256] = {
        let mut plain = [false; 256];
        let mut byte = 0;
        while byte < 128 {
            let it = byte as u8;
            plain[byte] = it.is_ascii_alphanumeric() || matches!(it, b'-' | b'_' | b'.');
            byte += 1;
        }
        plain
    };
    !raw.is_empty() && raw.bytes().all(|it| PLAIN[usize::from(it)])
}

/// Decodes percent escapes once; a remaining `%` stays.
fn decode_percent(raw: &str) -> Result<Cow<'_, str>, BadParam> {
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
        router.insert_direct(&Method::GET, "/types/{name}").unwrap();
        router
    }

    /// `expect`: the template and its raw parameters, `405 <Allow>` or `404`.
    fn check(base: &str, method: Method, path: &str, expect: &str) {
        let router = router(base);
        let found = match router.find(&method, path) {
            RouteMatch::Route { value, params } => {
                let values = params.iter().map(|it| format!(" {it}"));
                format!("{value}{}", values.collect::<String>())
            }
            RouteMatch::WrongMethod { allow } => format!("405 {}", allow.to_str().unwrap()),
            RouteMatch::NotFound => "404".to_owned(),
        };
        assert_eq!(found, expect, "{method} {path} below {base:?}");
    }

    #[test]
    fn paths_lead_to_routes() {
        check("", Method::GET, "/", "/");
        check("", Method::GET, "/types/order", "/types/{name} order");
        check("", Method::PATCH, "/types/order", "/types/order");
        check("", Method::HEAD, "/types/a", "/types/{name} a");
        check("", Method::GET, "/types/a/", "/types/{name} a");
        check("", Method::GET, "/backups/b.zip", "/backups/{name}.zip b");
        check("", Method::DELETE, "/categories/a/b%2Fc", "/categories/{*rest} a/b%2Fc");
        check("", Method::GET, "/types/..%2fa", "/types/{name} ..%2fa");
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
            "/types/a\\b",
            "/types/\\",
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
            check(base, Method::GET, "/cms/types/a", "/types/{name} a");
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

    #[test]
    fn a_direct_route_takes_no_paths_of_others() {
        let refused = [
            (Method::GET, "/backups/{name}.zip"),
            (Method::GET, "/types/{id}/fields"),
            (Method::PUT, "/types/order"),
            (Method::DELETE, "/categories/{*rest}"),
            (Method::PATCH, "/types/{name}"),
        ];
        for (method, template) in refused {
            assert!(router("").insert_direct(&method, template).is_err(), "{method} {template}");
        }
        let mut router = router("");
        router.insert(&Method::PATCH, "/types/{name}", "y").unwrap();
        let error = router.insert_direct(&Method::PATCH, "/types/{name}").unwrap_err();
        assert!(error.to_string().ends_with("`/types/order` matches some of its paths"), "{error}");
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
