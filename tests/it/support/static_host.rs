//! A host of files that follows `_headers` and `_redirects` as Netlify and Cloudflare Pages
//! describe them, and the live service to compare it with.

use std::collections::BTreeMap;
use std::fs;
use std::net::Ipv4Addr;
use std::net::SocketAddr;
use std::path::Path;
use std::path::PathBuf;
use std::sync::Arc;

use http::Request;
use http_body_util::BodyExt;
use recto::app::App;
use recto::app::Settings;
use recto::app::jobs::sketching::sketch_new_pictures;
use recto::engine::Engine;
use recto::engine::EngineOptions;
use recto::http::request::state::ServiceOptions;
use recto::http::service::Service;
use recto::http::wire::request_body::RequestBody;
use recto::stdx::clock::SystemClock;
use tokio::runtime::Runtime;

/// What a client gets.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Hosted {
    pub(crate) status: u16,
    pub(crate) headers: BTreeMap<String, String>,
    pub(crate) body: Vec<u8>,
}

/// A host of the files of a folder.
pub(crate) struct StaticHost {
    root: PathBuf,
    headers: Vec<(String, Vec<(String, String)>)>,
    redirects: Vec<Redirect>,
}

struct Redirect {
    from: String,
    /// Parameters that the request has to have; `:name` takes any value.
    params: Vec<(String, String)>,
    to: String,
    status: u16,
    /// True if it comes before a file of the same path.
    first: bool,
}

impl StaticHost {
    pub(crate) fn open(root: &Path) -> StaticHost {
        let mut headers: Vec<(String, Vec<(String, String)>)> = Vec::new();
        for line in fs::read_to_string(root.join("_headers")).unwrap().lines() {
            match line.strip_prefix("  ").and_then(|it| it.split_once(": ")) {
                Some((name, value)) => {
                    let name = name.to_ascii_lowercase();
                    headers.last_mut().unwrap().1.push((name, value.to_string()));
                }
                None => headers.push((line.to_string(), Vec::new())),
            }
        }
        let redirects = fs::read_to_string(root.join("_redirects")).unwrap();
        let redirects = redirects.lines().map(Redirect::parse).collect();
        StaticHost { root: root.to_path_buf(), headers, redirects }
    }

    pub(crate) fn ask(&self, target: &str) -> Hosted {
        let (path, query) = target.split_once('?').unwrap_or((target, ""));
        let found = self.redirects.iter().filter(|it| it.first);
        if let Some(hosted) = found.into_iter().find_map(|it| self.follow(it, path, query)) {
            return hosted;
        }
        if let Some(body) = self.read(path) {
            return self.send(path, path, body);
        }
        let found = self.redirects.iter().filter(|it| !it.first);
        found.into_iter().find_map(|it| self.follow(it, path, query)).unwrap_or_else(|| Hosted {
            status: 404,
            headers: BTreeMap::new(),
            body: Vec::new(),
        })
    }

    fn follow(&self, redirect: &Redirect, path: &str, query: &str) -> Option<Hosted> {
        let asked: Vec<(&str, &str)> =
            query.split('&').filter_map(|it| it.split_once('=')).collect();
        let fits = redirect.params.iter().all(|(name, value)| {
            asked
                .iter()
                .any(|(key, given)| key == name && (value.starts_with(':') || value == given))
        });
        let splat = match_pattern(&redirect.from, path).filter(|_| fits)?;
        // A rule for other parameters than those of the request is another rule's.
        if !redirect.params.is_empty() && redirect.params.len() != asked.len() {
            return None;
        }
        let to = redirect.to.replace(":splat", &splat);
        if redirect.status == 301 {
            let headers = BTreeMap::from([("location".to_string(), to)]);
            return Some(Hosted { status: 301, headers, body: Vec::new() });
        }
        Some(self.send(path, &to, self.read(&to)?))
    }

    fn read(&self, path: &str) -> Option<Vec<u8>> {
        let path = percent_encoding::percent_decode_str(path).decode_utf8().unwrap();
        fs::read(self.root.join(path.trim_start_matches('/'))).ok()
    }

    fn send(&self, path: &str, place: &str, body: Vec<u8>) -> Hosted {
        let mut headers: BTreeMap<String, String> = BTreeMap::new();
        for (pattern, fields) in &self.headers {
            // Hosts differ in which of the two they look at.
            let by_path = match_pattern(pattern, path).is_some();
            let by_place = path != place && match_pattern(pattern, place).is_some();
            if !by_path && !by_place {
                continue;
            }
            for (name, value) in fields {
                let known = headers.insert(name.clone(), value.clone());
                if by_path {
                    assert!(known.is_none(), "{path} has {name} twice");
                }
            }
        }
        let guessed = mime_guess::from_path(place).first_raw();
        let guessed = guessed.unwrap_or("application/octet-stream").to_string();
        headers.entry("content-type".to_string()).or_insert(guessed);
        Hosted { status: 200, headers, body }
    }
}

impl Redirect {
    fn parse(line: &str) -> Redirect {
        let words: Vec<&str> = line.split(' ').collect();
        let (from, rest) = words.split_first().unwrap();
        let (status, rest) = rest.split_last().unwrap();
        let (to, params) = rest.split_last().unwrap();
        let params = params.iter().map(|it| it.split_once('=').unwrap());
        Redirect {
            from: from.to_string(),
            params: params.map(|(a, b)| (a.to_string(), b.to_string())).collect(),
            to: to.to_string(),
            status: status.trim_end_matches('!').parse().unwrap(),
            first: status.ends_with('!') || *status == "301",
        }
    }
}

/// Returns what stands for `*` if a path fits a pattern, in which `:name` is a whole segment.
fn match_pattern(pattern: &str, path: &str) -> Option<String> {
    let (mut parts, mut names) = (pattern.split('/'), path.split('/'));
    loop {
        match (parts.next(), names.next()) {
            (None, None) => return Some(String::new()),
            (Some("*"), Some(first)) => {
                let rest: Vec<&str> = std::iter::once(first).chain(names).collect();
                return Some(rest.join("/"));
            }
            (Some(part), Some(name)) if part == name || part.starts_with(':') => {}
            _ => return None,
        }
    }
}

/// The service over a folder, as a reader without a token sees it.
pub(crate) struct LiveService {
    pub(crate) app: Service,
    runtime: Runtime,
}

impl LiveService {
    pub(crate) fn open(data: &Path, base_url: &str, read_only: bool) -> LiveService {
        let base_path = base_url.splitn(4, '/').nth(3).map(|it| format!("/{it}"));
        let engine = Engine::open(EngineOptions {
            base_url: base_url.to_string(),
            read_only,
            ..EngineOptions::new(data.to_path_buf(), Arc::new(SystemClock))
        });
        let app = App::new(engine.unwrap(), Settings::default());
        assert!(app.engine.follower().tag_media() && sketch_new_pictures(&app));
        let base_path = base_path.unwrap_or_default();
        let options = ServiceOptions { base_path, ..ServiceOptions::default() };
        let app = Service::new(app, options, Arc::default()).unwrap();
        LiveService { app, runtime: Runtime::new().unwrap() }
    }

    pub(crate) fn ask(&self, target: &str) -> Hosted {
        let mut request = Request::new(RequestBody::default());
        *request.uri_mut() = target.parse().unwrap();
        let peer = SocketAddr::from((Ipv4Addr::LOCALHOST, 1));
        self.runtime.block_on(async {
            let response = self.app.answer_request(request, peer).await;
            let status = response.status().as_u16();
            let headers = response.headers().iter();
            let headers = headers
                .map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_string()));
            let headers = headers.collect();
            let body = response.into_body().collect().await.unwrap().to_bytes().to_vec();
            Hosted { status, headers, body }
        })
    }
}
