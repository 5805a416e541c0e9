//! Somebody who receives webhooks: a small server that remembers what it is sent, and answers what
//! a test wants.

use std::collections::BTreeMap;
use std::io;
use std::io::BufRead;
use std::io::BufReader;
use std::io::Read;
use std::io::Write;
use std::net::Ipv4Addr;
use std::net::SocketAddr;
use std::net::SocketAddrV4;
use std::net::TcpListener;
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::SeqCst;
use std::thread::JoinHandle;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use sha2::Digest;
use sha2::Sha256;
use tokio::net::TcpSocket;

use crate::support::folder::eventually;

/// The secret of all webhooks of tests.
pub(crate) const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

/// A request that was received.
#[derive(Clone, Debug)]
pub(crate) struct Received {
    pub(crate) path: String,
    pub(crate) headers: BTreeMap<String, String>,
    pub(crate) body: String,
}

impl Received {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }

    /// The title of the entry that it is about.
    pub(crate) fn title(&self) -> String {
        self.json()["data"]["title"].as_str().unwrap_or_default().to_string()
    }

    /// Checks both signatures as a receiver would, with an HMAC of its own.
    pub(crate) fn is_signed(&self) -> bool {
        let key = STANDARD.decode(SECRET.strip_prefix("whsec_").unwrap()).unwrap();
        let header = |name: &str| self.headers[name].as_str();
        let (id, at) = (header("webhook-id"), header("webhook-timestamp"));
        let signed = format!("{id}.{at}.{}", self.body);
        let expect = format!("v1,{}", STANDARD.encode(hmac(&key, signed.as_bytes())));
        let hex: String =
            hmac(&key, self.body.as_bytes()).iter().map(|it| format!("{it:02x}")).collect();
        header("webhook-signature") == expect
            && header("x-recto-signature") == format!("sha256={hex}")
    }
}

fn hmac(key: &[u8], text: &[u8]) -> [u8; 32] {
    let padded = |with: u8| {
        let mut block = [with; 64];
        block.iter_mut().zip(key).for_each(|(it, key)| *it ^= key);
        block
    };
    let inner = Sha256::new().chain_update(padded(0x36)).chain_update(text).finalize();
    Sha256::new().chain_update(padded(0x5c)).chain_update(inner).finalize().into()
}

const ANYWHERE: SocketAddr = SocketAddr::V4(SocketAddrV4::new(Ipv4Addr::LOCALHOST, 0));

/// What a receiver answers: a status with header lines, or nothing at all.
pub(crate) type Answer = Option<&'static str>;

/// A receiver that runs until the test is done with it.
pub(crate) struct Receiver {
    pub(crate) address: SocketAddr,
    received: Arc<Mutex<Vec<Received>>>,
    closing: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Receiver {
    /// Answers the n-th request, from 0, with what `answer` says.
    pub(crate) fn new(answer: impl Fn(usize) -> Answer + Send + 'static) -> Receiver {
        Receiver::begin(ANYWHERE, move |number, _| answer(number).map(str::to_string))
    }

    /// Answers every request with the status that its path names.
    pub(crate) fn of_paths() -> Receiver {
        Receiver::begin(ANYWHERE, |_, path| {
            let status = path.trim_matches('/').parse::<u16>().unwrap_or(404);
            Some(format!("{status} As asked"))
        })
    }

    /// The same where nobody was.
    pub(crate) fn instead_of(
        nobody: Nobody,
        answer: impl Fn(usize) -> Answer + Send + 'static,
    ) -> Receiver {
        let address = nobody.address;
        drop(nobody);
        Receiver::begin(address, move |number, _| answer(number).map(str::to_string))
    }

    fn begin(
        address: SocketAddr,
        answer: impl Fn(usize, &str) -> Option<String> + Send + 'static,
    ) -> Receiver {
        let listener = TcpListener::bind(address).unwrap();
        let address = listener.local_addr().unwrap();
        let (received, closing): (Arc<Mutex<Vec<Received>>>, Arc<AtomicBool>) = Default::default();
        let (into, closed) = (received.clone(), closing.clone());
        let thread = std::thread::spawn(move || {
            // Those that are not answered are held open.
            let mut silent = Vec::new();
            for stream in listener.incoming() {
                if closed.load(SeqCst) {
                    break;
                }
                let Ok(mut stream) = stream else { continue };
                let Ok(request) = read(&stream) else { continue };
                let path = request.path.clone();
                let number = {
                    let mut all = into.lock().unwrap();
                    all.push(request);
                    all.len() - 1
                };
                match answer(number, &path) {
                    Some(head) => {
                        let answer = format!("HTTP/1.1 {head}\r\ncontent-length: 2\r\n\r\nok");
                        let _ = stream.write_all(answer.as_bytes());
                    }
                    None => silent.push(stream),
                }
            }
        });
        Receiver { address, received, closing, thread: Some(thread) }
    }

    /// Takes everything.
    pub(crate) fn willing() -> Receiver {
        Receiver::new(|_| Some("200 OK"))
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    pub(crate) fn all(&self) -> Vec<Received> {
        self.received.lock().unwrap().clone()
    }

    /// What came, once so much has.
    pub(crate) fn wait_for(&self, number: usize) -> Vec<Received> {
        eventually(&format!("{number} messages came"), || self.all().len() >= number);
        self.all()
    }

    pub(crate) fn titles(&self) -> Vec<String> {
        self.all().iter().map(Received::title).collect()
    }
}

impl Drop for Receiver {
    fn drop(&mut self) {
        self.closing.store(true, SeqCst);
        let _ = TcpStream::connect(self.address);
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

fn read(stream: &TcpStream) -> io::Result<Received> {
    let mut reader = BufReader::new(stream);
    let mut line = String::new();
    reader.read_line(&mut line)?;
    let path = line.split(' ').nth(1).ok_or(io::ErrorKind::InvalidData)?.to_string();
    let mut headers = BTreeMap::new();
    loop {
        line.clear();
        reader.read_line(&mut line)?;
        let Some((name, value)) = line.trim_end().split_once(": ") else { break };
        headers.insert(name.to_lowercase(), value.to_string());
    }
    let length = headers.get("content-length").and_then(|it| it.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    Ok(Received { path, headers, body: String::from_utf8_lossy(&body).into_owned() })
}

/// An address where nobody listens, and which nobody else is given meanwhile.
pub(crate) struct Nobody {
    address: SocketAddr,
    _held: TcpSocket,
}

impl Nobody {
    pub(crate) fn new() -> Nobody {
        let held = TcpSocket::new_v4().unwrap();
        held.bind("127.0.0.1:0".parse().unwrap()).unwrap();
        Nobody { address: held.local_addr().unwrap(), _held: held }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}/", self.address)
    }
}
