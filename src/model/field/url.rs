//! `url`: a web address, an e-mail address, a phone number, or a path within the site.

use serde_json::json;

use crate::model::field::email::AddressField;
use crate::model::field::email::is_domain_label;
use crate::model::field::email::is_mailbox;
use crate::model::field::kind::KindEntry;

pub(super) const KIND: KindEntry = KindEntry {
    name: "url",
    about: "An address: https, http, mailto, tel, or a path within the site.",
    parse: |_| {
        Box::new(AddressField {
            wanted: "an address",
            problem: "This is not an address, such as https://example.org/page or /page.",
            is_valid: is_url,
        })
    },
    settings: || json!({}),
};

/// The extensions of files that are no top-level domains: `page.html` is no host.
const FILE_EXTENSIONS: &[&str] = &[
    "asp", "aspx", "avif", "css", "csv", "gif", "htm", "html", "jpeg", "jpg", "js", "json", "jsp",
    "pdf", "php", "png", "svg", "txt", "webp", "xhtml", "xml",
];

fn is_url(text: &str) -> bool {
    let forbidden = |c: char| c.is_whitespace() || c.is_control() || "<>\"{}|\\^`".contains(c);
    !text.contains(forbidden) && (is_path(text) || is_bare_path(text) || is_absolute(text))
}

/// Returns true if a text begins like a path, which `example.org` does not.
fn is_path(text: &str) -> bool {
    let begins = ["/", "./", "../", "?", "#"].iter().any(|it| text.starts_with(it));
    begins && !text.starts_with("//")
}

/// Returns true if a text is a relative path that does not begin like one, but that nobody takes
/// for a scheme or a host: `about/team` or `page.html`.
fn is_bare_path(text: &str) -> bool {
    let path = text.split(['?', '#']).next().unwrap_or_default();
    let (first, rest) = path.split_once('/').map_or((path, None), |(it, rest)| (it, Some(rest)));
    if first.is_empty() || first.contains([':', '@']) {
        return false;
    }
    match first.rsplit_once('.') {
        Some((stem, extension)) => {
            let mut known = FILE_EXTENSIONS.iter();
            !stem.is_empty() && known.any(|it| it.eq_ignore_ascii_case(extension))
        }
        None => rest.is_some() && !first.eq_ignore_ascii_case("localhost"),
    }
}

fn is_absolute(text: &str) -> bool {
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    match scheme.to_ascii_lowercase().as_str() {
        "http" | "https" => rest.strip_prefix("//").is_some_and(|it| is_host(parse_authority(it))),
        "mailto" => {
            let addresses = rest.split('?').next().unwrap_or_default();
            addresses.split(',').all(is_mailbox)
        }
        "tel" => {
            let number = rest.split(';').next().unwrap_or_default();
            number.bytes().any(|it| it.is_ascii_digit())
                && number.bytes().all(|it| it.is_ascii_digit() || b"+-.()*#".contains(&it))
        }
        _ => false,
    }
}

/// Returns the host and port in the part of a URL after `https://`.
fn parse_authority(rest: &str) -> &str {
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    authority.rsplit_once('@').map_or(authority, |(_, host)| host)
}

fn is_host(authority: &str) -> bool {
    let (host, port) = match authority.strip_prefix('[').and_then(|it| it.split_once(']')) {
        Some((address, port)) if address.parse::<std::net::Ipv6Addr>().is_ok() => {
            return port.is_empty() || port.strip_prefix(':').is_some_and(is_port);
        }
        _ => authority.split_once(':').unwrap_or((authority, "0")),
    };
    let host = host.strip_suffix('.').unwrap_or(host);
    // Host names with underscores exist, although the standards forbid them.
    host.split('.').all(|it| is_domain_label(&it.replace('_', "x"))) && is_port(port)
}

fn is_port(text: &str) -> bool {
    text.parse::<u16>().is_ok()
}

#[cfg(test)]
pub(super) const SAMPLES: &[super::kind_test::Sample] = &[super::kind_test::Sample {
    definition: r#"{"type":"url"}"#,
    accepted: &[
        (r#"" https://example.org ""#, r#""https://example.org""#),
        (r#""HTTP://u:p@Example.org:8080/ä?q=1#f""#, r#""HTTP://u:p@Example.org:8080/ä?q=1#f""#),
        (r#""http://localhost:3000/x""#, r#""http://localhost:3000/x""#),
        (r#""http://[::1]:80/""#, r#""http://[::1]:80/""#),
        (r#""https://bücher.example""#, r#""https://bücher.example""#),
        (r#""mailto:a@example.org?subject=x""#, r#""mailto:a@example.org?subject=x""#),
        (r#""tel:+49(30)123-45""#, r#""tel:+49(30)123-45""#),
        (r#""/about:us""#, r#""/about:us""#),
        (r#""../a""#, r#""../a""#),
        (r#""about/team""#, r#""about/team""#),
        (r#""about/a:b?x=1""#, r#""about/a:b?x=1""#),
        (r#""page.HTML?a=b:c""#, r#""page.HTML?a=b:c""#),
        (r#""mailto:root@localhost""#, r#""mailto:root@localhost""#),
        (r##""#top""##, r##""#top""##),
        (r#""?page=2""#, r#""?page=2""#),
        (r#""""#, "null"),
    ],
    refused: &[
        (r#""javascript:alert(1)""#, ""),
        (r#""JavaScript:alert(1)""#, ""),
        (r#""java\tscript:alert(1)""#, ""),
        (r#""data:text/html,x""#, ""),
        (r#""ftp://example.org""#, ""),
        (r#""//example.org""#, ""),
        (r#""/\\example.org""#, ""),
        (r#""example.org""#, ""),
        (r#""example.org/page.html""#, ""),
        (r#""localhost/page""#, ""),
        (r#""localhost:3000/page""#, ""),
        (r#""user@host/page""#, ""),
        (r#""javascript:a/b""#, ""),
        (r#"".html""#, ""),
        (r#""somewhere""#, ""),
        (r#""not a url""#, ""),
        (r#""http://""#, ""),
        (r#""http:///x""#, ""),
        (r#""http://a b""#, ""),
        (r#""http://x:99999""#, ""),
        (r#""http://[::1""#, ""),
        (r#""mailto:nobody""#, ""),
        (r#""tel:abc""#, ""),
        ("5", ""),
    ],
    shown: &[(r#""ftp://a""#, r#""ftp://a""#)],
    broken: &[],
}];
