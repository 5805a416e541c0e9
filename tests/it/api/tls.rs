//! Encrypted connections: certificates from files, HTTP/1 and HTTP/2 inside, and the way there.

use std::fs;
use std::io::Read;
use std::io::Write;
use std::net::TcpStream;
use std::path::Path;
use std::sync::Arc;

use bytes::Bytes;
use http::Request;
use http_body_util::BodyExt as _;
use http_body_util::Full;
use hyper::client::conn::http2;
use hyper_util::rt::TokioExecutor;
use hyper_util::rt::TokioIo;
use serde_json::Value;
use serde_json::json;
use tempfile::TempDir;
use tokio_rustls::TlsConnector;
use tokio_rustls::rustls;
use tokio_rustls::rustls::pki_types::CertificateDer;
use tokio_rustls::rustls::pki_types::ServerName;

use crate::support::command_line::Server;
use crate::support::command_line::run;
use crate::support::server_process::Place;

const POSTS: &str = "/api/v1/workspaces/default/content/posts";

/// A certificate of a name for `localhost`, with its key, in files.
fn write_certificate(folder: &Path) -> CertificateDer<'static> {
    let key = rcgen::KeyPair::generate().unwrap();
    let parameters = rcgen::CertificateParams::new(vec!["localhost".to_owned()]).unwrap();
    let certificate = parameters.self_signed(&key).unwrap();
    fs::write(folder.join("key.pem"), key.serialize_pem()).unwrap();
    fs::write(folder.join("cert.pem"), certificate.pem()).unwrap();
    certificate.der().clone()
}

fn client_config(trusted: &CertificateDer<'static>, protocol: &[u8]) -> Arc<rustls::ClientConfig> {
    let mut roots = rustls::RootCertStore::empty();
    roots.add(trusted.clone()).unwrap();
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let mut config = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .unwrap()
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = vec![protocol.to_vec()];
    Arc::new(config)
}

fn localhost() -> ServerName<'static> {
    ServerName::try_from("localhost").unwrap()
}

struct SecureSite {
    folder: TempDir,
    place: Place,
    server: Server,
    trusted: CertificateDer<'static>,
}

impl SecureSite {
    fn start() -> SecureSite {
        let folder = tempfile::tempdir().unwrap();
        let place = Place::make(folder.path(), &folder.path().join("data"));
        let trusted = write_certificate(folder.path());
        let files = ["--tls-cert", "cert.pem", "--tls-key", "key.pem"];
        let listen = ["--tls-listen", "127.0.0.1:0"];
        let server = Server::start(
            folder.path(),
            &[files, ["--data", "data", listen[0], listen[1]]].concat(),
        );
        assert!(server.ready.contains("https://localhost:"), "{}", server.ready);
        SecureSite { folder, place, server, trusted }
    }

    fn address(&self) -> String {
        let (_, rest) = self.server.ready.split_once("https://localhost:").unwrap();
        format!("127.0.0.1:{}", rest.split([' ', ';', '/']).next().unwrap())
    }

    /// The answer to a request over HTTP/1 with TLS, or the reason why there is none.
    fn try_ask(&self, request: &str) -> std::io::Result<String> {
        let config = client_config(&self.trusted, b"http/1.1");
        let connection = rustls::ClientConnection::new(config, localhost()).unwrap();
        let stream = TcpStream::connect(self.address())?;
        let mut stream = rustls::StreamOwned::new(connection, stream);
        stream.write_all(request.as_bytes())?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer)?;
        Ok(answer)
    }

    fn ask(&self, request: &str) -> String {
        self.try_ask(request).unwrap()
    }

    async fn open_http2(&self) -> http2::SendRequest<Full<Bytes>> {
        let connector = TlsConnector::from(client_config(&self.trusted, b"h2"));
        let stream = tokio::net::TcpStream::connect(self.address()).await.unwrap();
        let stream = connector.connect(localhost(), stream).await.unwrap();
        assert_eq!(stream.get_ref().1.alpn_protocol(), Some(&b"h2"[..]));
        let (sender, connection) =
            http2::handshake(TokioExecutor::new(), TokioIo::new(stream)).await.unwrap();
        tokio::spawn(connection);
        sender
    }
}

fn build_runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap()
}

#[test]
fn https_answers_like_http() {
    let site = SecureSite::start();
    let closing = "Host: localhost\r\nConnection: close\r\n\r\n";
    let answer = site.ask(&format!("GET {POSTS} HTTP/1.1\r\n{closing}"));
    assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{answer}");
    // Two on one connection, the first on the fast path.
    let two = format!(
        "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\nGET /healthz HTTP/1.1\r\n{closing}"
    );
    assert_eq!(site.ask(&two).matches("ok\n").count(), 2);
    let post = format!(
        "POST {POSTS} HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 2\r\n{closing}{{}}"
    );
    assert!(site.ask(&post).starts_with("HTTP/1.1 401 "));
    // Whatever is no TLS is answered by nobody, and harms nobody.
    let mut stream = TcpStream::connect(site.address()).unwrap();
    stream.write_all(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n").unwrap();
    let mut bytes = Vec::new();
    let _ = stream.read_to_end(&mut bytes);
    assert!(!bytes.starts_with(b"HTTP"));
    site.ask(&two);
    assert_eq!(site.server.stop().code, 0);
}

#[test]
fn sessions_are_for_encrypted_connections() {
    let site = SecureSite::start();
    let (_, token) = site.server.ready.split_once("token=").unwrap();
    let body = json!({"username": "robin", "password": "correct horse", "token": token.trim()})
        .to_string();
    let answer = site.ask(&format!(
        "POST /admin/api/setup HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\nConnection: close\r\n\r\n{body}",
        body.len(),
    ));
    let cookie = answer.lines().find(|it| it.to_ascii_lowercase().starts_with("set-cookie:"));
    assert!(cookie.is_some_and(|it| it.contains("; Secure")), "{answer}");
}

#[test]
fn the_other_port_sends_everybody_to_https() {
    let folder = tempfile::tempdir().unwrap();
    let place = Place::make(folder.path(), &folder.path().join("data"));
    write_certificate(folder.path());
    let plain =
        std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let settings =
        ["--tls-cert", "cert.pem", "--tls-key", "key.pem", "--tls-listen", "127.0.0.1:0"];
    let more = ["--listen", &plain, "--base-url", "https://cms.example.org/cms", "--data", "data"];
    let mut command = place.command(&[&["serve"], &settings[..], &more].concat());
    let mut child = command.stdout(std::process::Stdio::piped()).spawn().unwrap();
    let mut ready = [0; 1];
    child.stdout.as_mut().unwrap().read_exact(&mut ready).unwrap();
    let ask = |target: &str| {
        let mut stream = TcpStream::connect(&plain).unwrap();
        let request =
            format!("GET {target} HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer.to_ascii_lowercase()
    };
    let moved = ask("/cms/admin/?next=%2F");
    assert!(moved.starts_with("http/1.1 308 "), "{moved}");
    assert!(moved.contains("location: https://cms.example.org/cms/admin/?next=%2f\r\n"), "{moved}");
    assert!(ask("/cms/healthz").starts_with("http/1.1 200 "));
    assert!(ask("/healthz").starts_with("http/1.1 308 "));
    assert!(ask("/.well-known/acme-challenge/abc").starts_with("http/1.1 404 "));
    let health = run(
        folder.path(),
        &[
            "health",
            "--listen",
            &plain,
            "--base-url",
            "https://cms.example.org/cms",
            "--tls-cert",
            "cert.pem",
            "--tls-key",
            "key.pem",
        ],
    );
    assert_eq!(health.code, 0, "{}", health.err);
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn http2_answers_like_http1() {
    let site = SecureSite::start();
    let base = format!("https://localhost{POSTS}");
    let token = format!("Bearer {}", site.place.token);
    build_runtime().block_on(async {
        let mut sender = site.open_http2().await;
        let values = json!({"title": "Two", "body": "word ".repeat(40_000), "status": "published"});
        let create = Request::post(&base)
            .header("authorization", &token)
            .header("content-type", "application/json")
            .body(Full::new(Bytes::from(values.to_string())));
        let created = sender.send_request(create.unwrap()).await.unwrap();
        assert_eq!(created.status(), 201);
        // Many at once on one connection, each a body that does not fit into a window.
        let mut asked = Vec::new();
        for _ in 0..60 {
            sender.ready().await.unwrap();
            let request = Request::get(format!("{base}/two")).body(Full::default()).unwrap();
            let answer = sender.send_request(request);
            // All are read at the same time: bodies that wait would take the window of the
            // connection from the one that is read.
            asked.push(tokio::spawn(async {
                let answer = answer.await.unwrap();
                assert_eq!(answer.status(), 200);
                assert!(!answer.headers().contains_key("connection"));
                answer.into_body().collect().await.unwrap().to_bytes()
            }));
        }
        for bytes in asked {
            let bytes = bytes.await.unwrap();
            let read: Value = serde_json::from_slice(&bytes).unwrap();
            assert_eq!(read["data"]["data"]["body"], values["body"]);
        }
        let refused = |request: http::request::Builder| request.body(Full::default()).unwrap();
        let other_host = refused(Request::get(&base).header("host", "evil.example"));
        assert_eq!(sender.send_request(other_host).await.unwrap().status(), 400);
        let method = refused(Request::builder().method("TRACE").uri(&base));
        assert_eq!(sender.send_request(method).await.unwrap().status(), 405);
        let unknown = refused(Request::get("https://localhost/nowhere"));
        assert_eq!(sender.send_request(unknown).await.unwrap().status(), 404);
        let head = refused(Request::head(format!("{base}/two")));
        let head = sender.send_request(head).await.unwrap();
        assert_eq!(head.status(), 200);
        assert!(head.into_body().collect().await.unwrap().to_bytes().is_empty());
    });
}

#[test]
fn an_open_connection_does_not_keep_a_server_that_stops() {
    let site = SecureSite::start();
    let runtime = build_runtime();
    let _open = runtime.block_on(async {
        let mut sender = site.open_http2().await;
        let request = Request::get("https://localhost/healthz").body(Full::default()).unwrap();
        assert_eq!(sender.send_request(request).await.unwrap().status(), 200);
        sender
    });
    assert_eq!(site.server.stop().code, 0);
}

#[test]
fn a_new_certificate_is_shown_without_a_restart() {
    let mut site = SecureSite::start();
    let request = "GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    site.ask(request);
    // A key alone does not fit, and changes nothing.
    let key = rcgen::KeyPair::generate().unwrap();
    fs::write(site.folder.path().join("key.pem"), key.serialize_pem()).unwrap();
    site.ask(request);
    let renewed = write_certificate(site.folder.path());
    let old = std::mem::replace(&mut site.trusted, renewed);
    while site.try_ask(request).is_err() {
        std::thread::yield_now();
    }
    site.trusted = old;
    assert!(site.try_ask(request).is_err());
}

#[test]
fn settings_that_make_no_sense_are_told() {
    let folder = tempfile::tempdir().unwrap();
    let _place = Place::make(folder.path(), &folder.path().join("data"));
    write_certificate(folder.path());
    let other = rcgen::KeyPair::generate().unwrap();
    fs::write(folder.path().join("other.pem"), other.serialize_pem()).unwrap();
    let listen = ["--listen", "127.0.0.1:0", "--tls-listen", "127.0.0.1:0", "--data", "data"];
    for (settings, message) in [
        (&["--tls-cert", "cert.pem"][..], "have to be set together"),
        (&["--tls-cert", "cert.pem", "--tls-key", "none.pem"], "cannot read none.pem"),
        (&["--tls-cert", "cert.pem", "--tls-key", "other.pem"], "not that of the certificate"),
        (&["--tls-cert", "other.pem", "--tls-key", "key.pem"], "no certificate in the file"),
        (
            &["--tls-domains", "a.test", "--tls-cert", "cert.pem", "--tls-key", "key.pem"],
            "cannot be set, too",
        ),
        (&["--tls-domains", "http://a.test"], "is not a name such as"),
        (&["--tls-domains", "192.0.2.1"], "is not a name such as"),
        (&["--tls-domains", "a.test", "--read-only"], "read-only"),
        (&["--tls-email", "nobody"], "admin@example.org"),
    ] {
        let ran = run(folder.path(), &[&["serve"], settings, &listen].concat());
        assert_eq!(ran.code, 2, "{settings:?}: {}", ran.err);
        assert!(ran.err.contains(message), "{settings:?}: {}", ran.err);
    }
}
