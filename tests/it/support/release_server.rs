//! A server of releases on this machine.

use std::fs;
use std::io::Read;
use std::io::Write;
use std::net::SocketAddr;
use std::net::TcpListener;
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::SeqCst;
use std::sync::mpsc;

use recto::app::jobs::updates::UpdateSettings;
use recto::model::release::ReleaseKey;
use recto::model::release::version::Version;
use tempfile::TempDir;

use crate::support::executables::program;
use crate::support::releases::Publisher;
use crate::support::releases::runnable;
use crate::support::releases::sum;

/// What is answered to the request of a path: bytes as they go over the wire, and whether the
/// connection stays open afterwards.
pub(crate) type Answer = (Vec<u8>, bool);

/// A server on this machine.
pub(crate) struct Server {
    address: SocketAddr,
    answers: Arc<Mutex<Vec<(String, Answer)>>>,
    hits: Arc<AtomicUsize>,
    /// Paths, once they are answered.
    pub(crate) answered: mpsc::Receiver<String>,
}

impl Server {
    pub(crate) fn start() -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let answers: Arc<Mutex<Vec<(String, Answer)>>> = Arc::default();
        let hits: Arc<AtomicUsize> = Arc::default();
        let (tell, answered) = mpsc::channel();
        let (from, counter) = (answers.clone(), hits.clone());
        std::thread::spawn(move || {
            // Those that stay open do so until the test ends.
            let mut open = Vec::new();
            for stream in listener.incoming() {
                counter.fetch_add(1, SeqCst);
                let (mut stream, path) = asked(stream.unwrap());
                let known = from.lock().unwrap().iter().find(|it| it.0 == path).cloned();
                let missing = (b"HTTP/1.1 404 Not Found\r\n\r\n".to_vec(), false);
                let (bytes, stays) = known.map_or(missing, |it| it.1);
                // Who has had enough hangs up.
                let _ = stream.write_all(&bytes);
                if stays {
                    open.push(stream);
                }
                if tell.send(path).is_err() {
                    break;
                }
            }
        });
        Server { address, answers, hits, answered }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    pub(crate) fn answer(&self, path: &str, bytes: Vec<u8>, stays: bool) {
        let mut answers = self.answers.lock().unwrap();
        answers.retain(|it| it.0 != path);
        answers.push((path.to_string(), (bytes, stays)));
    }

    pub(crate) fn file(&self, path: &str, bytes: &[u8]) {
        let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n", bytes.len());
        self.answer(path, [head.as_bytes(), bytes].concat(), false);
    }

    /// Puts a release on it.
    pub(crate) fn publish(&self, publisher: &Publisher, version: &str) -> Vec<u8> {
        let bytes = program(&format!("recto {version}"));
        self.file("/recto", &bytes);
        let manifest = publisher.manifest_at(&self.url("/recto"), version, &bytes);
        self.file("/latest.json", manifest.to_string().as_bytes());
        bytes
    }

    pub(crate) fn hits(&self) -> usize {
        self.hits.load(SeqCst)
    }
}

pub(crate) fn asked(mut stream: TcpStream) -> (TcpStream, String) {
    let (mut head, mut piece) = (Vec::new(), [0; 1_024]);
    while !head.ends_with(b"\r\n\r\n") {
        match stream.read(&mut piece).unwrap_or(0) {
            0 => break,
            n => head.extend(&piece[..n]),
        }
    }
    let head = String::from_utf8_lossy(&head);
    let path = head.split(' ').nth(1).unwrap_or_default().to_string();
    (stream, path)
}

/// A release that can be had from a server of its own, for a program in a folder of its own.
pub(crate) struct Published {
    server: Server,
    place: TempDir,
    key: ReleaseKey,
    /// The sum of the program.
    pub(crate) sha256: String,
}

impl Published {
    pub(crate) fn new(version: &str) -> Published {
        let (publisher, server) = (Publisher::new(), Server::start());
        let sha256 = sum(&server.publish(&publisher, version));
        let place = with_program();
        Published { server, place, key: publisher.key(), sha256 }
    }

    /// Where the server is.
    pub(crate) fn address(&self) -> String {
        self.server.address.to_string()
    }

    /// For an old version that asks the server.
    pub(crate) fn settings(&self) -> UpdateSettings {
        UpdateSettings {
            url: Some(self.server.url("/latest.json")),
            key: Some(self.key),
            current: Version::parse("1.0.0").unwrap(),
            program: Ok(self.place.path().join("recto")),
        }
    }
}

/// A folder with a program of an old version.
pub(crate) fn with_program() -> TempDir {
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join("recto"), program("recto 1.0.0")).unwrap();
    runnable(&place.path().join("recto"));
    place
}
