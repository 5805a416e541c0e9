//! Preview targets: the pages of a site on which the entries of a type can be looked at before they
//! are public.

use std::net::Ipv6Addr;

use schemars::JsonSchema;
use schemars::json_schema;
use serde::Serialize;
use serde_json::Value;
use serde_json::json;

use crate::model::input::ObjectReader;
use crate::model::input::wording;
use crate::stdx::json::Json;
use crate::stdx::json::Map;
use crate::stdx::json_schema::inline_schema;

/// The maximum number of preview targets of a type.
pub const PREVIEW_TARGETS_MAX: usize = 10;

/// The maximum length of the label of a target in characters.
const LABEL_CHARS_MAX: usize = 100;

/// The maximum length of an address template in characters.
const URL_CHARS_MAX: usize = 2_000;

/// The maximum length of a host name in bytes.
const HOST_BYTES_MAX: usize = 253;

/// The keys of a target.
pub const KEYS: &[&str] = &["label", "url"];

/// The names that an address template may have in braces.
const PLACEHOLDERS: [&str; 5] = ["slug", "id", "type", "locale", "token"];

/// A page of a site that shows an entry before it is public.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PreviewTarget {
    /// The display name.
    pub label: String,
    /// The address of the page. `{slug}`, `{id}`, `{type}`, `{locale}` and `{token}` in its path,
    /// query and fragment stand for those of the entry and of the preview link.
    pub url: UrlTemplate,
}

/// The template of an `http` or `https` address, with placeholders behind the host.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(into = "String")]
pub struct UrlTemplate {
    text: String,
    origin: String,
}

inline_schema!(UrlTemplate, |_| json_schema!({
    "type": "string", "maxLength": URL_CHARS_MAX, "pattern": "^https?://",
}));

/// Returns the JSON Schema of a target in the file of a type, which does not exclude other keys.
pub fn file_schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "label": {
                "type": "string",
                "minLength": 1,
                "maxLength": LABEL_CHARS_MAX,
                "description": "The name that people see.",
            },
            "url": {
                "type": "string",
                "maxLength": URL_CHARS_MAX,
                "pattern": "^https?://",
                "description": "The address of the page. Behind the host it may have `{slug}`, \
                                `{id}`, `{type}`, `{locale}` and `{token}`.",
            },
        },
        "required": KEYS,
    })
}

impl From<UrlTemplate> for String {
    fn from(template: UrlTemplate) -> String {
        template.text
    }
}

impl UrlTemplate {
    /// Parses a template. It is strict about everything before the path, because the origin goes
    /// into a header.
    pub fn parse(text: &str) -> Result<UrlTemplate, String> {
        if text.chars().count() > URL_CHARS_MAX {
            return Err(wording::too_long(URL_CHARS_MAX).to_string());
        }
        let (scheme, rest) = match text.split_once("://") {
            Some((scheme @ ("http" | "https"), rest)) => (scheme, rest),
            _ => return Err("This must begin with `https://` or `http://`.".to_string()),
        };
        let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        let (authority, tail) = rest.split_at(end);
        let host = parse_authority(scheme, authority).ok_or_else(|| {
            let found = authority.escape_debug();
            format!("`{found}` is not a host, such as `example.org` or `localhost:3000`.")
        })?;
        check_tail(tail)?;
        Ok(UrlTemplate { text: text.to_string(), origin: format!("{scheme}://{host}") })
    }

    /// Returns the scheme, host and port as browsers compare them: `https://example.org`. It is
    /// made of ASCII letters, digits and `-._:/[]` only.
    pub fn origin(&self) -> &str {
        &self.origin
    }

    /// Returns the address with the values of these names in place of the placeholders. The values
    /// are names that need no escapes in an address.
    pub fn fill(&self, values: &[(&str, &str)]) -> String {
        let mut filled = self.text.clone();
        for (name, value) in values {
            filled = filled.replace(&format!("{{{name}}}"), value);
        }
        filled
    }

    /// Returns the template as it was written.
    pub fn as_str(&self) -> &str {
        &self.text
    }
}

impl PreviewTarget {
    /// Reads `preview`, the targets of a type.
    pub(super) fn read_all(input: &mut ObjectReader<'_>) -> Vec<PreviewTarget> {
        let items = input.short_list("preview", PREVIEW_TARGETS_MAX, "targets");
        let mut targets: Vec<PreviewTarget> = Vec::new();
        for (index, item) in items.unwrap_or_default().iter().enumerate() {
            let path = format!("preview[{index}]");
            let target = input.parse_nested(&path, item, PreviewTarget::read).flatten();
            let Some(target) = target else { continue };
            if targets.iter().any(|it| it.label == target.label) {
                let message = format!("There are two targets `{}`.", target.label);
                input.add_problem(format!("{path}.label"), message);
            }
            targets.push(target);
        }
        targets
    }

    fn read(item: &mut ObjectReader<'_>) -> Option<PreviewTarget> {
        let label = item.filled_line("label", LABEL_CHARS_MAX);
        let url = item.filled_text("url");
        if url.is_empty() {
            return None;
        }
        let url = item.accept("url", UrlTemplate::parse(&url))?;
        Some(PreviewTarget { label, url })
    }

    pub(super) fn to_json(&self) -> Json {
        let mut map = Map::new();
        map.push("label", self.label.as_str());
        map.push("url", self.url.as_str());
        map.into()
    }
}

/// Returns the host, and the port unless it is that of the scheme, in lower case. Names in other
/// alphabets are written as browsers send them (`xn--…`). There is no user, because an address with
/// one is made to look like another.
fn parse_authority(scheme: &str, authority: &str) -> Option<String> {
    let (host, port) = match authority.strip_prefix('[') {
        Some(rest) => {
            let (address, port) = rest.split_once(']')?;
            (format!("[{}]", address.parse::<Ipv6Addr>().ok()?), port)
        }
        None => {
            let end = authority.find(':').unwrap_or(authority.len());
            let (host, port) = authority.split_at(end);
            (parse_host(host)?, port)
        }
    };
    if port.is_empty() {
        return Some(host);
    }
    let digits = port.strip_prefix(':')?;
    let is_number = digits.bytes().all(|it| it.is_ascii_digit());
    let port = digits.parse::<u16>().ok().filter(|it| *it > 0 && is_number)?;
    let is_usual = matches!((scheme, port), ("http", 80) | ("https", 443));
    Some(if is_usual { host } else { format!("{host}:{port}") })
}

fn parse_host(host: &str) -> Option<String> {
    let is_label = |label: &str| {
        let legal = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
        !label.is_empty()
            && label.bytes().all(legal)
            && !label.starts_with('-')
            && !label.ends_with('-')
    };
    let fits = host.len() <= HOST_BYTES_MAX && host.split('.').all(is_label);
    fits.then(|| host.to_ascii_lowercase())
}

/// Checks what is behind the host: printable characters, and braces around known names only.
fn check_tail(tail: &str) -> Result<(), String> {
    let forbidden = |c: char| c.is_whitespace() || c.is_control() || "<>\"|\\^`".contains(c);
    if let Some(found) = tail.chars().find(|it| forbidden(*it)) {
        return Err(format!("An address must not contain {found:?}."));
    }
    let mut parts = tail.split('{');
    let before = parts.next().unwrap_or_default();
    let names = parts.map(|it| it.split_once('}').ok_or(it));
    let (mut unknown, mut is_closed) = (None, !before.contains('}'));
    for name in names {
        match name {
            Ok((name, rest)) => {
                is_closed &= !rest.contains('}');
                if !PLACEHOLDERS.contains(&name) {
                    unknown = unknown.or(Some(name));
                }
            }
            Err(_) => is_closed = false,
        }
    }
    let names = PLACEHOLDERS.map(|it| format!("`{{{it}}}`")).join(", ");
    match unknown {
        Some(name) => Err(format!("There is no `{{{name}}}`. An address can have {names}.")),
        None if is_closed => Ok(()),
        None => Err(format!("Braces can only enclose one of {names}.")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_are_those_of_browsers() {
        let check = |url: &str, expect: &str| {
            let template = UrlTemplate::parse(url).unwrap_or_else(|it| panic!("{url}: {it}"));
            assert_eq!((template.origin(), template.as_str()), (expect, url));
        };
        check("https://example.org", "https://example.org");
        check("https://Example.ORG/posts/{slug}?recto={token}", "https://example.org");
        check("https://example.org:443/{id}", "https://example.org");
        check("http://example.org:443/", "http://example.org:443");
        check("http://localhost:3000/{type}/{slug}#{locale}", "http://localhost:3000");
        check("http://[::1]:8080?x={id}", "http://[::1]:8080");
        check("https://xn--bcher-kva.example/ü", "https://xn--bcher-kva.example");
        check("http://127.0.0.1#{slug}", "http://127.0.0.1");
    }

    #[test]
    fn what_could_mislead_a_browser_is_refused() {
        for url in [
            "javascript:alert(1)",
            "javascript://example.org/%0aalert(1)",
            "data:text/html,x",
            "HTTPS://example.org",
            "//example.org",
            "/posts/{slug}",
            "https://",
            "https:///x",
            "https://{slug}.example.org",
            "https://example.org;script-src *",
            "https://example.org script-src",
            "https://*.example.org",
            "https://*",
            "https://example.org,evil.org",
            "https://user@example.org",
            "https://example.org@evil.org",
            "https://example.org\\@evil.org",
            "https://example.org:",
            "https://example.org:0",
            "https://example.org:+80",
            "https://example.org:99999",
            "https://exa\nmple.org",
            "https://exämple.org",
            "https://example..org",
            "https://-a.org",
            "https://[::1",
            "https://[::1]x",
            "https://[1.2.3.4]",
            "https://example.org/a b",
            "https://example.org/\r\nX-Evil: 1",
            "https://example.org/{slug",
            "https://example.org/slug}",
            "https://example.org/{{slug}}",
            "https://example.org/{secret}",
            "https://example.org/\"",
        ] {
            assert!(UrlTemplate::parse(url).is_err(), "{url}");
        }
    }

    #[test]
    fn all_problems_have_a_place() {
        let schema = br#"{"preview":[{"label":"Site"},{"url":"ftp://x"},7,
            {"label":"Site","url":"https://x/{a}"},{"label":"Ok","url":"https://x"},
            {"label":"Ok","url":"https://y"}]}"#;
        let schema = Json::parse(schema).unwrap();
        let mut input = ObjectReader::from_json(&schema).unwrap();
        let targets = PreviewTarget::read_all(&mut input);
        let problems = input.into_problems();
        let paths: Vec<&str> = problems.iter().map(|(path, _)| path).collect();
        let expect = [
            "preview[0].url",
            "preview[1].label",
            "preview[1].url",
            "preview[2]",
            "preview[3].url",
            "preview[5].label",
        ];
        assert_eq!((paths, targets.len()), (expect.to_vec(), 2));
    }
}
