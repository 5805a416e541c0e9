//! The page of the interface: the values inserted for each request, and its content security
//! policy.

use http::HeaderValue;
use http::StatusCode;
use http::header;

use crate::app::error::Error;
use crate::app::error::Result;
use crate::app::system::health;
use crate::http::wire::reply::Reply;

/// The prefix of relative addresses in attributes of the bundle.
const RELATIVE: &str = "\"./";
/// The placeholder for the base path.
const BASE: &str = "__RECTO_BASE__";
/// The placeholder for the nonce of styles.
const NONCE: &str = "__RECTO_NONCE__";

/// The page, split at the nonces.
#[derive(Debug)]
pub(crate) struct PageTemplate(Vec<String>);

impl PageTemplate {
    /// Puts in all that is the same at every request.
    pub(crate) fn new(html: &str, base: &str, build: &str) -> PageTemplate {
        let base = escape_html(base);
        let files = format!("\"{base}/admin/_/{build}/");
        let html = html.replace(RELATIVE, &files).replace(BASE, &base);
        PageTemplate(html.split(NONCE).map(str::to_string).collect())
    }

    pub(crate) fn render(&self, nonce: &str) -> String {
        self.0.join(nonce)
    }
}

fn escape_html(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    text.replace('"', "&quot;").replace('\'', "&#39;")
}

/// Returns the content security policy of the page, with a reason for each source:
///
/// - `script-src 'self'`: scripts are files of the bundle; no inline script, no `eval`.
/// - `style-src`: the bundle's files, and the style elements that the interface makes while it
///   runs, which carry the nonce.
/// - `img-src`: media and thumbnails; `data:` for pictures inside of style sheets; `blob:` for a
///   preview of what is about to be uploaded. `media-src` likewise, for sound and film.
/// - `font-src`, `manifest-src`: files of the bundle.
/// - `connect-src`: both APIs and their events.
/// - `frame-src`: the sites on which entries are previewed, `frames`; else nothing.
/// - `base-uri`, `form-action`: nothing that gets into the page can send its addresses or its forms
///   elsewhere. `frame-ancestors`: no other page shows it inside of itself, to catch clicks.
pub(crate) fn content_policy(nonce: &str, frames: &[String]) -> String {
    let frames = if frames.is_empty() { "'none'".to_string() } else { frames.join(" ") };
    format!(
        "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{nonce}'; \
         img-src 'self' data: blob:; media-src 'self' blob:; font-src 'self'; connect-src 'self'; \
         manifest-src 'self'; frame-src {frames}; base-uri 'none'; form-action 'self'; \
         frame-ancestors 'none'"
    )
}

/// Tells the interface that a proxy names the user, and where it logs them out.
pub(crate) fn mark_proxy_login(html: &str, logout_url: Option<&str>) -> String {
    const TITLE: &str = "<title>";
    let logout = escape_html(logout_url.unwrap_or_default());
    html.replacen(TITLE, &format!("<meta name=\"recto-proxy\" content=\"{logout}\" />{TITLE}"), 1)
}

/// Stands where the interface would be.
pub(crate) fn reply_left_out(base: &str) -> Result<Reply> {
    let html = LEFT_OUT.replace("{base}", &escape_html(base)).replace("{version}", health::VERSION);
    reply_html(
        html,
        "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    )
}

const LEFT_OUT: &str = include_str!("left_out.html");

/// Requests from the page tell its address to this server alone: it may hold the token with which
/// the first user is made.
pub(crate) fn reply_html(html: String, policy: &str) -> Result<Reply> {
    let policy = HeaderValue::try_from(policy).map_err(Error::internal)?;
    let reply = Reply::new(StatusCode::OK)
        .with_header(header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"))
        .with_header(header::CACHE_CONTROL, HeaderValue::from_static("no-store"))
        .with_header(header::CONTENT_SECURITY_POLICY, policy)
        .with_header(header::REFERRER_POLICY, HeaderValue::from_static("same-origin"));
    Ok(reply.with_body(html))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_know_where_they_are() {
        let check = |html: &str, base: &str, expect: &str| {
            assert_eq!(PageTemplate::new(html, base, "b1").render("n1"), expect);
        };
        let script = r#"<script type="module" src="./assets/index.js"></script>"#;
        let of_root = r#"<script type="module" src="/admin/_/b1/assets/index.js"></script>"#;
        check(script, "", of_root);
        check(r#"<link href="./x.css">"#, "/cms", r#"<link href="/cms/admin/_/b1/x.css">"#);
        let meta = r#"<meta name="base" content="__RECTO_BASE__"><meta content="__RECTO_NONCE__">"#;
        check(meta, "/c", r#"<meta name="base" content="/c"><meta content="n1">"#);
        check(meta, "", r#"<meta name="base" content=""><meta content="n1">"#);
        check(
            meta,
            "/\"'<&>",
            r#"<meta name="base" content="/&quot;&#39;&lt;&amp;&gt;"><meta content="n1">"#,
        );
        check("__RECTO_NONCE__ __RECTO_NONCE__", "", "n1 n1");
        check("plain", "", "plain");
    }
}
