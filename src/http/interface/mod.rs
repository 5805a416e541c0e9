//! The web interface: its page, at every address below `/admin/` that is no other route's, and the
//! files that the page asks for, at addresses that name the build.
//!
//! The name of the build is in the folder and not in the files' names, so that every address within
//! the bundle is relative and no file has to know where it is served.

mod accept;
mod bundle;
mod page;

use std::fmt;
use std::sync::Arc;

use base64::Engine as _;
use base64::prelude::BASE64_URL_SAFE_NO_PAD;
use http::HeaderValue;
use http::Method;
use http::StatusCode;
use http::header;
use http::request::Parts;

use crate::app::error::Error;
use crate::app::error::Result;
use crate::http::call::Call;
use crate::http::compress;
use crate::http::headers;
use crate::http::interface::bundle::Bundle;
use crate::http::interface::bundle::File;
use crate::http::interface::page::Page;
use crate::http::reply::Reply;
use crate::http::route::Outcome;
use crate::query::run::Effort;

/// Reads the files of an interface that is being worked on.
pub trait Files: fmt::Debug + Send + Sync {
    /// The bytes of a file, by its path in the bundle, such as `assets/index.js`.
    fn read(&self, path: &str) -> Option<Vec<u8>>;
}

/// The page's file in the bundle.
const INDEX: &str = "index.html";

/// How an interface that is being worked on calls its build: it changes without notice.
const UNBUILT: &str = "dev";

/// The interface of one server.
#[derive(Debug)]
pub(crate) struct Interface {
    /// The path below which all routes lie.
    base: String,
    /// Where the page's route is.
    path: String,
    source: Source,
}

#[derive(Debug)]
enum Source {
    /// None: its files were not there when the binary was built.
    LeftOut,
    /// That of the binary.
    Built { bundle: Bundle, page: Page },
    /// One that is read anew at every request.
    Unbuilt(Arc<dyn Files>),
}

impl Interface {
    /// The one of the binary, unless there are other files.
    pub(super) fn new(base: &str, files: Option<Arc<dyn Files>>) -> Interface {
        let base = base.trim_end_matches('/').to_string();
        let source =
            files.map_or_else(|| Source::built(&base, Bundle::embedded()), Source::Unbuilt);
        Interface { path: format!("{base}/admin"), base, source }
    }

    /// The path to look a request's route up by: that of the page, where the page is what a browser
    /// should get, else its own.
    pub(super) fn routed<'p>(&'p self, head: &'p Parts) -> &'p str {
        let path = head.uri.path();
        let is_screen = path.strip_prefix(self.path.as_str()).is_some_and(is_screen);
        let is_read = matches!(head.method, Method::GET | Method::HEAD);
        if is_screen && is_read && accept::allows_html(&head.headers) { &self.path } else { path }
    }
}

impl Source {
    fn built(base: &str, bundle: Bundle) -> Source {
        let page = bundle.find(INDEX).and_then(|it| it.plain().ok());
        match page.as_deref().map(std::str::from_utf8) {
            Some(Ok(html)) => {
                let page = Page::new(html, base, bundle.build());
                Source::Built { bundle, page }
            }
            _ => Source::LeftOut,
        }
    }
}

/// Whether what comes behind `/admin` is for the interface to understand.
fn is_screen(rest: &str) -> bool {
    let Some(rest) = rest.strip_prefix('/') else { return false };
    let first = rest.split('/').next().unwrap_or_default();
    let is_path = !rest.contains("//") && !rest.starts_with('/') && !rest.contains('\\');
    is_path && first != "api" && first != "_"
}

/// The page. Addresses in it are relative to the folder, so the one without a slash leads there.
pub fn page(call: &Call) -> Result<Outcome> {
    let interface = &call.shared.interface;
    if call.head.uri.path() == interface.path {
        let query = call.head.uri.query().map(|it| format!("?{it}")).unwrap_or_default();
        let target = HeaderValue::try_from(format!("{}/{query}", interface.path));
        let target = target.map_err(Error::internal)?;
        let reply = Reply::new(StatusCode::FOUND).with(header::LOCATION, target);
        return Ok(reply.with(header::CACHE_CONTROL, NO_STORE).into());
    }
    if !accept::allows_html(&call.head.headers) {
        return Err(Error::no_route());
    }
    let nonce = nonce()?;
    let html = match &interface.source {
        Source::LeftOut => return page::left_out(&interface.base).map(Outcome::from),
        Source::Built { page, .. } => page.render(&nonce),
        Source::Unbuilt(_) if call.effort == Effort::Quick => return Ok(Outcome::NeedsEffort),
        Source::Unbuilt(files) => match files.read(INDEX).map(String::from_utf8) {
            Some(Ok(html)) => Page::new(&html, &interface.base, UNBUILT).render(&nonce),
            _ => return page::left_out(&interface.base).map(Outcome::from),
        },
    };
    page::reply(html, &page::policy(&nonce)).map(Outcome::from)
}

/// One file of the bundle.
pub fn asset(call: &Call) -> Result<Outcome> {
    let (build, path) = (call.param("build")?, call.param("file")?);
    match &call.shared.interface.source {
        Source::LeftOut => Err(Error::no_route()),
        // A page of another build asks in vain rather than get a file that does not fit.
        Source::Built { bundle, .. } if build == bundle.build() => {
            let file = bundle.find(path).ok_or_else(Error::no_route)?;
            built(call, file)
        }
        Source::Unbuilt(_) if build == UNBUILT && call.effort == Effort::Quick => {
            Ok(Outcome::NeedsEffort)
        }
        Source::Unbuilt(files) if build == UNBUILT => {
            let bytes = files.read(path).ok_or_else(Error::no_route)?;
            let reply = Reply::new(StatusCode::OK).with(header::CONTENT_TYPE, bundle::kind(path));
            Ok(reply.with(header::CACHE_CONTROL, NO_STORE).with_body(bytes).into())
        }
        Source::Built { .. } | Source::Unbuilt(_) => Err(Error::no_route()),
    }
}

/// A file in the coding that the client likes best. Its address names the build, so that it may be
/// kept for ever.
fn built(call: &Call, file: &File) -> Result<Outcome> {
    let coding = compress::negotiate(&call.head.headers);
    let stored = coding.and_then(|it| Some((it, file.stored(it)?)));
    let mut reply = Reply::new(StatusCode::OK)
        .with(header::CONTENT_TYPE, bundle::kind(file.path))
        .with(header::CACHE_CONTROL, FOR_EVER)
        .with(header::VARY, HeaderValue::from_static("accept-encoding"));
    let tag = match stored {
        Some((coding, _)) => {
            let name = HeaderValue::from_static(coding.name());
            reply.set(header::CONTENT_ENCODING, name);
            format!("{}-{}", file.tag, coding.name())
        }
        None => file.tag.to_string(),
    };
    reply.headers.extend(headers::etag(&tag).map(|it| (header::ETAG, it)));
    let body = stored.map_or_else(|| file.plain(), |(_, bytes)| Ok(bytes))?;
    Ok(reply.with_body(body).into())
}

const NO_STORE: HeaderValue = HeaderValue::from_static("no-store");
const FOR_EVER: HeaderValue = HeaderValue::from_static("public, max-age=31536000, immutable");

/// What nobody can guess who writes into the page.
fn nonce() -> Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(Error::internal)?;
    Ok(BASE64_URL_SAFE_NO_PAD.encode(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_for_the_interface() {
        for rest in ["/", "/setup", "/setup/", "/content/posts/06h/", "/apis", "/__", "/a%2f_"] {
            assert!(is_screen(rest), "{rest}");
        }
        for rest in [
            "",
            "x",
            "/api",
            "/api/",
            "/api/nothing",
            "/_",
            "/_/",
            "/_/x/index.js",
            "//",
            "//api",
            "/a//b",
            "/a\\b",
        ] {
            assert!(!is_screen(rest), "{rest}");
        }
    }

    #[test]
    fn no_nonce_comes_twice() {
        let (one, other) = (nonce().unwrap(), nonce().unwrap());
        assert_eq!(one.len(), 22);
        assert_ne!(one, other);
    }
}
