//! The web interface from outside: its page and what it may do, its files and how long they may be
//! kept, and that what is committed of it fits its sources and the API it speaks to.

use std::fs;
use std::io::Read as _;
use std::path::Path;
use std::path::PathBuf;
use std::sync::Arc;

use bytes::Bytes;
use http::HeaderMap;
use http::Request;
use http_body_util::BodyExt as _;
use recto::app::App;
use recto::app::Settings;
use recto::engine;
use recto::engine::Engine;
use recto::http::interface::InterfaceFiles;
use recto::http::openapi;
use recto::http::request::state::ServiceOptions;
use recto::http::routes;
use recto::http::service::Service;
use recto::http::wire::counters::Counters;
use recto::http::wire::request_body::RequestBody;
use recto::stdx::clock::SystemClock;
use sha2::Digest as _;
use sha2::Sha256;
use tempfile::TempDir;
use tokio::runtime::Runtime;

use crate::support::recorded::check_recorded;
use crate::support::skip::skipped;

const LEFT_OUT: &str = "the interface was left out of this build";
const BROWSER: (&str, &str) = ("accept", "text/html,application/xhtml+xml,*/*;q=0.8");

/// A bundle small enough to be read here.
#[derive(Debug)]
struct Small;

impl InterfaceFiles for Small {
    fn read(&self, path: &str) -> Option<Vec<u8>> {
        let text = match path {
            "index.html" => {
                r#"<meta content="__RECTO_BASE__"><meta content="__RECTO_NONCE__"><script src="./assets/index.js"></script>"#
            }
            "assets/index.js" => "import './other.js';",
            _ => return None,
        };
        Some(text.as_bytes().to_vec())
    }
}

struct Stage {
    service: Service,
    runtime: Runtime,
    base: &'static str,
    /// Gone with the stage.
    _root: TempDir,
}

struct Answer {
    status: u16,
    headers: HeaderMap,
    body: Bytes,
}

impl Answer {
    fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |it| it.to_str().unwrap())
    }

    fn text(&self) -> &str {
        std::str::from_utf8(&self.body).unwrap()
    }

    /// The nonce of the policy.
    fn nonce(&self) -> &str {
        let (_, rest) = self.header("content-security-policy").split_once("'nonce-").unwrap();
        rest.split_once('\'').unwrap().0
    }

    fn is_json_error(&self, status: u16, code: &str) -> bool {
        let json = serde_json::from_slice::<serde_json::Value>(&self.body).unwrap_or_default();
        self.status == status
            && json["error"]["code"] == code
            && self.header("cache-control") == "no-store"
    }
}

impl Stage {
    /// With the bundle of the binary.
    fn built(base: &'static str) -> Stage {
        Stage::with(base, None)
    }

    /// With the small one.
    fn small(base: &'static str) -> Stage {
        Stage::with(base, Some(Arc::new(Small)))
    }

    fn with(base: &'static str, interface: Option<Arc<dyn InterfaceFiles>>) -> Stage {
        Stage::on(tempfile::tempdir().unwrap(), base, interface)
    }

    fn on(root: TempDir, base: &'static str, interface: Option<Arc<dyn InterfaceFiles>>) -> Stage {
        let clock = Arc::new(SystemClock);
        let engine =
            Engine::open(engine::EngineOptions::new(root.path().to_path_buf(), clock)).unwrap();
        let app = App::new(engine, Settings::default());
        let options =
            ServiceOptions { base_path: base.to_string(), interface, ..ServiceOptions::default() };
        let service = Service::new(app, options, Arc::new(Counters::default())).unwrap();
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        Stage { service, runtime, base, _root: root }
    }

    fn get(&self, path: &str, headers: &[(&str, &str)]) -> Answer {
        self.send("GET", path, headers)
    }

    fn send(&self, method: &str, path: &str, headers: &[(&str, &str)]) -> Answer {
        let mut request = Request::builder().method(method).uri(format!("{}{path}", self.base));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let request = request.body(RequestBody::from(Bytes::new())).unwrap();
        self.runtime.block_on(async {
            let peer = "127.0.0.1:5000".parse().unwrap();
            let (head, body) = self.service.answer_request(request, peer).await.into_parts();
            let body = body.collect().await.unwrap().to_bytes();
            Answer { status: head.status.as_u16(), headers: head.headers, body }
        })
    }

    /// The folder of the build that the page names.
    fn folder(&self) -> String {
        let page = self.get("/admin/", &[BROWSER]);
        let (_, rest) = page.text().split_once("/admin/_/").unwrap();
        format!("/admin/_/{}", rest.split_once('/').unwrap().0)
    }
}

/// The committed bundle, if it was there when this was compiled.
fn dist() -> Option<PathBuf> {
    let dist = admin().join("dist");
    (cfg!(feature = "admin-ui") && dist.join("index.html").exists()).then_some(dist)
}

fn admin() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("admin")
}

/// Whether this is the crate as it is published, which has the bundle alone.
fn is_published() -> bool {
    !admin().join("src").exists()
}

/// Paths of all files in a folder, relative to `root`, with slashes, as bytes sort.
fn below(root: &Path, folder: &str) -> Vec<String> {
    let mut paths = Vec::new();
    for item in fs::read_dir(root.join(folder)).into_iter().flatten() {
        let item = item.unwrap();
        let name = item.file_name().into_string().unwrap();
        let path = if folder.is_empty() { name } else { format!("{folder}/{name}") };
        match item.file_type().unwrap().is_dir() {
            true => paths.extend(below(root, &path)),
            false => paths.push(path),
        }
    }
    paths.sort();
    paths
}

fn check_page(stage: &Stage, page: &Answer) {
    assert_eq!(page.status, 200);
    let policy = format!(
        "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-{}'; \
         img-src 'self' data: blob:; media-src 'self' blob:; font-src 'self'; connect-src 'self'; \
         manifest-src 'self'; frame-src 'none'; base-uri 'none'; form-action 'self'; \
         frame-ancestors 'none'",
        page.nonce()
    );
    for (name, value) in [
        ("content-security-policy", policy.as_str()),
        ("content-type", "text/html; charset=utf-8"),
        ("cache-control", "no-store"),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "same-origin"),
    ] {
        assert_eq!(page.header(name), value);
        assert_eq!(page.headers.get_all(name).iter().count(), 1, "{name}");
    }
    assert!(page.nonce().len() >= 22, "{}", page.nonce());
    let text = page.text();
    assert!(text.contains(&format!("\"{}\"", page.nonce())), "{text}");
    assert!(text.contains(&format!("content=\"{}\"", stage.base)), "{text}");
    assert!(text.contains(&format!("src=\"{}/admin/_/", stage.base)), "{text}");
    assert!(!text.contains("__RECTO") && !text.contains("\"./"), "{text}");
}

#[test]
fn the_page_is_made_for_each_request() {
    for base in ["", "/cms"] {
        let mut stages = vec![Stage::small(base)];
        stages.extend(dist().map(|_| Stage::built(base)));
        for stage in stages {
            let (one, other) = (stage.get("/admin/", &[BROWSER]), stage.get("/admin/", &[]));
            check_page(&stage, &one);
            check_page(&stage, &other);
            assert_ne!(one.nonce(), other.nonce());
        }
    }
}

#[test]
fn every_screen_has_an_address() {
    for base in ["", "/cms"] {
        let stage = Stage::small(base);
        for path in
            ["/setup?token=abc", "/login", "/content/posts/06h03nrzt3w2rt0e/", "/apis", "/a%2fb"]
        {
            check_page(&stage, &stage.get(&format!("/admin{path}"), &[BROWSER]));
            let head = stage.send("HEAD", &format!("/admin{path}"), &[BROWSER]);
            assert_eq!((head.status, head.header("cache-control")), (200, "no-store"));
        }
        let bare = stage.get("/admin?a=1", &[BROWSER]);
        assert_eq!((bare.status, bare.header("location")), (302, &*format!("{base}/admin/?a=1")));
        let root = stage.get("/", &[BROWSER]);
        assert_eq!((root.status, root.header("location")), (302, &*format!("{base}/admin/")));
    }
}

#[test]
fn what_is_no_screen_stays_what_it_is() {
    let stage = Stage::small("");
    for path in [
        "/admin/api",
        "/admin/api/",
        "/admin/api/nothing",
        "/admin/_",
        "/admin/_/",
        "/admin/_/x",
        "/admin//",
        "/admin//login",
        "/admin/a//b",
        "/admins",
        "/adm",
        "/x/admin/login",
    ] {
        let answer = stage.get(path, &[BROWSER]);
        assert!(answer.is_json_error(404, "not_found"), "{path}: {}", answer.status);
    }
    for accept in ["application/json", "image/*", "*/*;q=0", "text/html;q=0, */*"] {
        for path in ["/admin/", "/admin/login"] {
            let answer = stage.get(path, &[("accept", accept)]);
            assert!(answer.is_json_error(404, "not_found"), "{path} as {accept}");
        }
    }
    let wrong = stage.get("/admin/api/login", &[BROWSER]);
    assert!(wrong.is_json_error(405, "method_not_allowed"));
    for method in ["POST", "PUT", "PATCH", "DELETE"] {
        assert!(stage.send(method, "/admin/login", &[BROWSER]).is_json_error(404, "not_found"));
        let on_page = stage.send(method, "/admin/", &[BROWSER]);
        assert!(on_page.is_json_error(405, "method_not_allowed"));
    }
    assert!(Stage::small("/cms").get("x/admin/", &[BROWSER]).is_json_error(404, "not_found"));
}

#[test]
fn files_that_are_worked_on_are_never_kept() {
    let stage = Stage::small("/cms");
    let folder = stage.folder();
    let file = stage.get(&format!("{folder}/assets/index.js"), &[("accept-encoding", "br")]);
    assert_eq!((file.status, file.text()), (200, "import './other.js';"));
    assert_eq!(file.header("content-type"), "text/javascript; charset=utf-8");
    assert_eq!((file.header("cache-control"), file.header("etag")), ("no-store", ""));
    assert!(stage.get(&format!("{folder}/assets/other.js"), &[]).is_json_error(404, "not_found"));
}

#[test]
fn a_build_without_the_interface_says_so() {
    if dist().is_some() {
        return skipped("the interface is in this build; --no-default-features leaves it out");
    }
    let page = Stage::built("/cms").get("/admin/setup", &[BROWSER]);
    assert_eq!((page.status, page.header("cache-control")), (200, "no-store"));
    assert!(page.text().contains("left out of this build"), "{}", page.text());
    assert!(page.text().contains("\"/cms/api/v1/"), "{}", page.text());
    assert!(Stage::built("").get("/admin/_/dev/index.html", &[]).is_json_error(404, "not_found"));
}

#[test]
fn files_are_the_same_in_every_coding_and_kept_for_ever() {
    let Some(dist) = dist() else { return skipped(LEFT_OUT) };
    let stage = Stage::built("/cms");
    let folder = stage.folder();
    for path in below(&dist, "").iter().filter(|it| *it != "SOURCE.sha256") {
        let bytes = fs::read(dist.join(path)).unwrap();
        let address = format!("{folder}/{path}");
        for accepted in ["", "gzip", "br", "gzip, deflate, br, zstd", "identity", "gzip;q=0", "*"] {
            let answer = stage.get(&address, &[("accept-encoding", accepted)]);
            assert_eq!(answer.status, 200, "{address}");
            let coding = answer.header("content-encoding");
            assert!(coding.is_empty() || accepted == "*" || accepted.contains(coding));
            assert_eq!(decoded(coding, &answer.body), bytes, "{address} as {accepted}");
            check_kept(&stage, &address, accepted, &answer);
        }
    }
}

/// What everybody is told of a file, and that it is not sent to who has it.
fn check_kept(stage: &Stage, address: &str, accepted: &str, answer: &Answer) {
    for (name, value) in [
        ("cache-control", "public, max-age=31536000, immutable"),
        ("vary", "accept-encoding"),
        ("x-content-type-options", "nosniff"),
    ] {
        assert_eq!(answer.header(name), value, "{address}");
    }
    let kind = answer.header("content-type");
    let is_text = [".js", ".css", ".html", ".svg"].iter().any(|it| address.ends_with(it));
    assert!(!is_text || kind.ends_with("; charset=utf-8"), "{address}: {kind}");
    assert_ne!(kind, "application/octet-stream", "{address} is of no known kind");
    let tag = answer.header("etag");
    assert!(tag.len() > 10, "{tag}");
    let again = stage.get(address, &[("accept-encoding", accepted), ("if-none-match", tag)]);
    assert_eq!((again.status, again.body.len(), again.header("etag")), (304, 0, tag));
    let head = stage.send("HEAD", address, &[("accept-encoding", accepted)]);
    assert_eq!((head.status, head.header("etag")), (200, tag));
}

fn decoded(coding: &str, body: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    match coding {
        "br" => brotli::BrotliDecompress(&mut &*body, &mut bytes).unwrap(),
        "gzip" => _ = flate2::read::GzDecoder::new(body).read_to_end(&mut bytes).unwrap(),
        _ => bytes.extend_from_slice(body),
    }
    bytes
}

#[test]
fn what_is_no_file_of_this_build_is_not_there() {
    let Some(_) = dist() else { return skipped(LEFT_OUT) };
    let stage = Stage::built("");
    let folder = stage.folder();
    let gone = |path: &str| {
        let answer = stage.get(path, &[BROWSER, ("accept-encoding", "br, gzip")]);
        assert!(answer.is_json_error(404, "not_found"), "{path}: {}", answer.status);
    };
    assert_eq!(stage.get(&format!("{folder}/boot.js"), &[]).status, 200);
    gone("/admin/_/dev/boot.js");
    gone("/admin/_/0123456789abcdef/boot.js");
    for path in [
        "",
        "/",
        "/nothing.js",
        "/assets",
        "/assets/",
        "/assets/nothing.js",
        "/SOURCE.sha256",
        "/../boot.js",
        "/assets/../boot.js",
        "/assets/..%2fboot.js",
        "/%2e%2e/boot.js",
        "/assets//index.js",
        "/assets%5c..%5cboot.js",
        "/boot.js%00",
        "/BOOT.JS",
        "/.",
        "/../../../Cargo.toml",
    ] {
        gone(&format!("{folder}{path}"));
    }
}

/// What the bundle is made of, besides folders. `admin/scripts/source.mjs` says the same.
const SOURCES: &[&str] = &[
    "index.html",
    "openapi.json",
    "package-lock.json",
    "package.json",
    "postcss.config.mjs",
    "tsconfig.json",
    "vite.config.ts",
];

#[test]
fn dist_is_what_the_sources_make() {
    let root = admin();
    if is_published() {
        return skipped("packages hold what the interface is built to alone");
    }
    let mut paths = ["build", "public", "src"].map(|it| below(&root, it)).concat();
    paths.extend(SOURCES.iter().map(ToString::to_string));
    paths.sort();
    let line = |path: &String| {
        let bytes = fs::read(root.join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
        format!("{}  {path}\n", hex(&bytes))
    };
    let listing: String = paths.iter().map(line).collect();
    let recorded = fs::read_to_string(root.join("dist/SOURCE.sha256")).unwrap_or_default();
    assert_eq!(
        recorded.trim_end(),
        hex(listing.as_bytes()),
        "admin/dist was built from other sources. If admin/openapi.json was recorded just now, run \
         `npm run generate` in admin/ first; then `npm run build` there"
    );
}

fn hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|it| format!("{it:02x}")).collect()
}

/// The interface takes its types from it.
#[test]
fn the_admin_api_is_the_recorded_one() {
    if is_published() {
        return skipped("packages hold what the interface is built to alone");
    }
    let document = openapi::admin::build_document(&routes::build_table(), "http://localhost:8080");
    let text = serde_json::to_string_pretty(&document).unwrap() + "\n";
    check_recorded("admin/openapi.json", &text, "interface");
}

/// Generators of clients take a property with a default for one that is always there, which in what
/// is sent would make everybody say it.
#[test]
fn what_may_be_left_away_has_no_default() {
    let text = std::fs::read_to_string("admin/openapi.json").unwrap();
    let document: serde_json::Value = serde_json::from_str(&text).unwrap();
    let schemas = document["components"]["schemas"].as_object().unwrap();
    let sent = schemas.iter().filter(|(name, _)| name.ends_with("Input"));
    let (mut n, mut wrong) = (0, Vec::new());
    for (name, schema) in sent {
        for (property, it) in schema["properties"].as_object().into_iter().flatten() {
            n += 1;
            if it.get("default").is_some() {
                wrong.push(format!("{name}.{property}"));
            }
        }
    }
    assert!(n > 10 && wrong.is_empty(), "{n} properties, {wrong:?}");
}

/// The sources of frames in the policy of the page, with these schemas by path.
fn frames_with(schemas: &[(&str, String)]) -> String {
    let root = tempfile::tempdir().unwrap();
    for (path, schema) in schemas {
        let path = root.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, schema).unwrap();
    }
    let answer = Stage::on(root, "", Some(Arc::new(Small))).get("/admin/", &[BROWSER]);
    let (_, rest) = answer.header("content-security-policy").split_once("frame-src ").unwrap();
    rest.split_once(';').unwrap().0.to_string()
}

#[test]
fn only_the_sites_of_previews_stand_in_a_frame() {
    let target = |url: &&str| format!(r#"{{"label":"{}","url":"{url}"}}"#, url.len());
    let schema = |urls: &[&str]| {
        let targets: Vec<String> = urls.iter().map(target).collect();
        format!(r#"{{"preview":[{}]}}"#, targets.join(","))
    };
    assert_eq!(frames_with(&[]), "'none'");
    let one = ["https://b.org/{slug}?recto={token}", "https://B.org:443/{id}", "http://[::1]:80/"];
    let schemas = [
        ("workspaces/default/schemas/one.json", schema(&one)),
        ("workspaces/other/schemas/two.json", schema(&["http://a.org:8080"])),
        // What would add to the header by hand keeps its type from being served.
        ("workspaces/other/schemas/bad.json", schema(&["https://c.org; script-src *"])),
        ("workspaces/other/schemas/worse.json", schema(&["https://d.org\\r\\nX-Evil: 1"])),
    ];
    assert_eq!(frames_with(&schemas), "http://[::1] http://a.org:8080 https://b.org");
    let many: Vec<String> = (0..99).map(|it| format!("https://s{it:02}.org")).collect();
    let schemas: Vec<_> = many.chunks(10).enumerate().collect();
    let paths: Vec<String> =
        schemas.iter().map(|(it, _)| format!("workspaces/default/schemas/t{it}.json")).collect();
    let labelled = |urls: &[String]| {
        let item = |url: &String| format!(r#"{{"label":"{url}","url":"{url}"}}"#);
        format!(r#"{{"preview":[{}]}}"#, urls.iter().map(item).collect::<Vec<_>>().join(","))
    };
    let schemas: Vec<(&str, String)> = paths
        .iter()
        .zip(schemas)
        .map(|(path, (_, urls))| (path.as_str(), labelled(urls)))
        .collect();
    assert_eq!(frames_with(&schemas).split(' ').count(), 50);
}
