//! The web interface: its page, served at every address below `/admin/` that has no other route,
//! and the files of the page, at addresses that contain the name of the build.
//!
//! The name of the build is in the folder, not in the filenames, so that all addresses within the
//! bundle are relative and no file depends on where it is served.

pub(crate) mod accept;
pub(crate) mod bundle;
pub(crate) mod page;

use std::fmt;
use std::sync::Arc;

use http::Method;
use http::request::Parts;

use crate::http::interface::bundle::Bundle;
use crate::http::interface::page::PageTemplate;

/// A source of the files of an interface under development.
pub trait InterfaceFiles: fmt::Debug + Send + Sync {
    /// Returns the bytes of a file by its path in the bundle, such as `assets/index.js`.
    fn read(&self, path: &str) -> Option<Vec<u8>>;
}

/// The page's file in the bundle.
pub(crate) const INDEX: &str = "index.html";

/// The build name of an interface under development, which changes without notice.
pub(crate) const UNBUILT: &str = "dev";

/// The interface of a server.
#[derive(Debug)]
pub(crate) struct Interface {
    /// The path below which all routes lie.
    pub(crate) base: String,
    /// The path of the page's route.
    pub(crate) path: String,
    pub(crate) source: InterfaceSource,
}

#[derive(Debug)]
pub(crate) enum InterfaceSource {
    /// None: its files were not there when the binary was built.
    LeftOut,
    /// The interface in the binary.
    Built { bundle: Bundle, page: PageTemplate },
    /// An interface under development, read again for every request.
    Unbuilt(Arc<dyn InterfaceFiles>),
}

impl Interface {
    /// The one of the binary, unless there are other files.
    pub(crate) fn new(base: &str, files: Option<Arc<dyn InterfaceFiles>>) -> Interface {
        let base = base.trim_end_matches('/').to_string();
        let source = files.map_or_else(
            || InterfaceSource::from_bundle(&base, Bundle::embedded()),
            InterfaceSource::Unbuilt,
        );
        Interface { path: format!("{base}/admin"), base, source }
    }

    /// The path to look a request's route up by: that of the page, where the page is what a browser
    /// should get, else its own.
    pub(crate) fn resolve_path<'p>(&'p self, head: &'p Parts) -> &'p str {
        let path = head.uri.path();
        let is_screen = path.strip_prefix(self.path.as_str()).is_some_and(is_screen);
        let is_read = matches!(head.method, Method::GET | Method::HEAD);
        if is_screen && is_read && accept::allows_html(&head.headers) { &self.path } else { path }
    }
}

impl InterfaceSource {
    fn from_bundle(base: &str, bundle: Bundle) -> InterfaceSource {
        let page = bundle.find(INDEX).and_then(|it| it.plain_bytes().ok());
        match page.as_deref().map(std::str::from_utf8) {
            Some(Ok(html)) => {
                let page = PageTemplate::new(html, base, bundle.build_name());
                InterfaceSource::Built { bundle, page }
            }
            _ => InterfaceSource::LeftOut,
        }
    }
}

/// Returns true if the rest of the path behind `/admin` belongs to the interface.
fn is_screen(rest: &str) -> bool {
    let Some(rest) = rest.strip_prefix('/') else { return false };
    let first = rest.split('/').next().unwrap_or_default();
    let is_path = !rest.contains("//") && !rest.starts_with('/') && !rest.contains('\\');
    is_path && first != "api" && first != "_"
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
}
